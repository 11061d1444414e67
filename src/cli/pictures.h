/* Pictures of a run: one a frame, kept as files so that a resumed run's video is whole, and the video made of them. */
#ifndef CLI_PICTURES_H
#define CLI_PICTURES_H

#include "dew/render.h"
#include "dew/scene.h"

typedef struct pictures {
    char folder[4096];
    dew_renderer *renderer;
    uint8_t *rgb;
    int width, height;
} pictures;

/* `folder` (the run's) must be there. The camera is fitted now, so `frame` must be of time 0: a resumed run then sees
 * what the run before it saw. */
dew_result pictures_open(pictures *p, const char *folder, const dew_scene *scene, const dew_simulation_def *def,
                         const dew_frame *frame);
void pictures_close(pictures *p);
/* Draws the frame to pictures/NNNN.png. */
dew_result pictures_add(pictures *p, const dew_frame *frame);
/* preview.png, finer; and preview.mp4 from the pictures of frames 0..last. */
dew_result pictures_preview(pictures *p, const dew_frame *frame);
dew_result pictures_video(pictures *p, int last, double frame_rate);

#endif
