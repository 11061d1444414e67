#include "cli/pictures.h"

#include "base/result.h"
#include "io/atomic.h"

#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Faster scenes are shown slower than life. */
#define FASTEST_VIDEO 60.0
#define SLOW_MOTION 30.0
enum { PREVIEW_SAMPLES = 16, FITTING_SAMPLES = 1 };

dew_result pictures_open(pictures *p, const char *folder, const dew_scene *scene, const dew_simulation_def *def,
                         const dew_frame *frame)
{
    *p = (pictures){.renderer = NULL};
    snprintf(p->folder, sizeof p->folder, "%s", folder);
    RESULT_TRY(io_make_folder(io_path_of("%s/pictures", folder).text));
    dew_render_def render = dew_scene_output_of(scene)->render;
    dew_render_prepare(&render, def);
    p->width = render.width, p->height = render.height;
    p->rgb = malloc((size_t)p->width * (size_t)p->height * 3);
    if (!p->rgb) return result_fail(DEW_NO_MEMORY, "no memory for a picture of %d x %d", p->width, p->height);
    RESULT_TRY(dew_renderer_create(&render, def->threads, &p->renderer));
    return dew_renderer_draw(p->renderer, frame, FITTING_SAMPLES, p->rgb);
}

void pictures_close(pictures *p)
{
    if (p->renderer) dew_renderer_destroy(p->renderer);
    free(p->rgb);
    *p = (pictures){.renderer = NULL};
}

static io_path picture_path(const pictures *p, int index)
{
    return io_path_of("%s/pictures/%05d.png", p->folder, index);
}

dew_result pictures_add(pictures *p, const dew_frame *frame)
{
    RESULT_TRY(dew_renderer_draw(p->renderer, frame, 0, p->rgb));
    return dew_picture_write(picture_path(p, frame->index).text, p->width, p->height, p->rgb);
}

dew_result pictures_preview(pictures *p, const dew_frame *frame)
{
    RESULT_TRY(dew_renderer_draw(p->renderer, frame, PREVIEW_SAMPLES, p->rgb));
    return dew_picture_write(io_path_of("%s/preview.png", p->folder).text, p->width, p->height, p->rgb);
}

/* False where there is no such picture, or one of another size: a frame from before --no-render or another width. */
static bool read_picture(const pictures *p, int frame)
{
    png_image image = {.version = PNG_IMAGE_VERSION};
    if (!png_image_begin_read_from_file(&image, picture_path(p, frame).text)) return false;
    image.format = PNG_FORMAT_RGB;
    bool is_read = (int)image.width == p->width && (int)image.height == p->height &&
                   png_image_finish_read(&image, NULL, p->rgb, 0, NULL);
    png_image_free(&image);
    return is_read;
}

dew_result pictures_video(pictures *p, int last, double frame_rate)
{
    dew_video *video;
    double rate = frame_rate <= FASTEST_VIDEO ? frame_rate : SLOW_MOTION;
    RESULT_TRY(dew_video_create(io_path_of("%s/preview.mp4", p->folder).text, p->width, p->height, rate, &video));
    dew_result result = DEW_OK;
    for (int frame = 0; frame <= last && result == DEW_OK; frame++) {
        if (read_picture(p, frame)) result = dew_video_add(video, p->rgb);
    }
    dew_result finished = dew_video_finish(video);
    return result != DEW_OK ? result : finished;
}
