/* Pictures of frames and video: lit spheres with soft shadows on a ground, by ray tracing on the CPU; needs no
 * display. Part of libdew-io. */
#ifndef DEW_RENDER_H
#define DEW_RENDER_H

#include "frame.h"
#include "result.h"

typedef struct dew_render_def {
    int width, height;             /* pixels, even; default 960 x 720 */
    int samples;                   /* rays a pixel; default 4 (a video), 16 for a picture */
    bool has_camera;               /* false: fitted to the scene's particles and solids at the first picture */
    dew_vec3 eye, target, up;      /* m */
    double field_of_view;          /* vertical, degrees; default 30 */
    const char *colour_by;         /* name of a field (a vector's length), NULL: the liquid's own colour */
    double colour_min, colour_max; /* equal: fitted to the first picture that has a spread */
    bool has_ground;               /* default true: a floor below everything, if no plane is given */
    bool has_ground_plane;         /* the floor is this plane; see dew_render_prepare */
    dew_vec3 ground_point, ground_normal;
    bool has_cut; /* particles beyond a plane, where its normal points, are not drawn: a tank is seen from inside */
    dew_vec3 cut_point, cut_normal;
    bool has_view;               /* a fitted camera holds this box too, besides what is there at the first picture */
    dew_vec3 view_min, view_max; /* m */
} dew_render_def;

DEW_API dew_render_def dew_default_render_def(void);
/* Adds what only the definition of a simulation tells: the floor (a visible solid plane or the lower wall that faces
 * up, which have no triangles), and the box to look at where liquid will come from emitters. Keeps what is set. */
DEW_API void dew_render_prepare(dew_render_def *def, const dew_simulation_def *simulation);

typedef struct dew_renderer dew_renderer;
DEW_API dew_result dew_renderer_create(const dew_render_def *def, int threads, dew_renderer **renderer);
DEW_API void dew_renderer_destroy(dew_renderer *renderer);
/* Draws into rgb (width x height x 3, top row first) with `samples` rays a pixel (0: the definition's). The same bytes
 * for any number of threads. */
DEW_API dew_result dew_renderer_draw(dew_renderer *renderer, const dew_frame *frame, int samples, uint8_t *rgb);

/* The range of values that colours stand for; false where there are none, or none is fitted yet. */
DEW_API bool dew_renderer_colour_range(const dew_renderer *renderer, double *min, double *max);

DEW_API dew_result dew_picture_write(const char *path, int width, int height,
                                     const uint8_t *rgb); /* PNG, written aside and renamed */

/* A video through the program ffmpeg (H.264, yuv420p, in an MP4 file that appears when it is finished). Without ffmpeg:
 * DEW_IO with what to install; a run can go on without a video. */
typedef struct dew_video dew_video;
DEW_API dew_result dew_video_create(const char *path, int width, int height, double frame_rate, dew_video **video);
DEW_API dew_result dew_video_add(dew_video *video, const uint8_t *rgb);
/* Ends the video and puts it in place; destroys. */
DEW_API dew_result dew_video_finish(dew_video *video);

#endif
