#include "render/smooth.h"
#include "base/parallel.h"
#include "render/colour.h"

#include <stdlib.h>

enum { RADIUS = 4, GRAIN = 8 };

typedef struct smoothing {
    pixel *pixels;
    float3 *light; /* of every pixel and layer, after the pass along rows */
    int width, height;
    float scale; /* 1/samples */
    uint8_t *rgb;
} smoothing;

/* How much the light of layer b tells about that of layer a: their surfaces must face the same way and lie in one
 * plane nearly. Both have coverage. */
static float kinship(const layer *a, const layer *b)
{
    float facing = dot3(a->normal, b->normal);
    facing = facing > 0 ? facing * facing / (dot3(a->normal, a->normal) * dot3(b->normal, b->normal)) : 0;
    facing *= facing, facing *= facing, facing *= facing, facing *= facing;
    float depth = a->depth * b->coverage, step = (b->depth * a->coverage - depth) / (0.02f * depth);
    return b->coverage * facing / (1 + step * step * step * step);
}

/* The weighted mean of the light along one axis, on which the pixel is at `place` of `size`, each `stride` behind the
 * one before: of `from`, or of the samples' own where that is NULL. */
static float3 smoothed(const smoothing *s, int at, int k, int place, int size, int stride, const float3 *from)
{
    const layer *centre = &s->pixels[at].layers[k];
    float3 sum = {0, 0, 0};
    float weight = 0;
    for (int d = place < RADIUS ? -place : -RADIUS; d <= RADIUS && place + d < size; d++) {
        int other = at + d * stride;
        const layer *o = &s->pixels[other].layers[k];
        if (!(o->coverage > 0)) continue;
        float w = kinship(centre, o);
        float3 light = from ? from[other * LAYERS + k] : scale3(1 / o->coverage, o->light);
        sum = madd3(sum, w, light), weight += w;
    }
    return weight > 0 ? scale3(1 / weight, sum) : scale3(1 / centre->coverage, centre->light);
}

static void smooth_rows(int begin, int end, void *context)
{
    smoothing *s = context;
    for (int y = begin; y < end; y++)
        for (int x = 0; x < s->width; x++) {
            int at = y * s->width + x;
            for (int k = 0; k < LAYERS; k++)
                if (s->pixels[at].layers[k].coverage > 0)
                    s->light[at * LAYERS + k] = smoothed(s, at, k, x, s->width, 1, NULL);
        }
}

static void develop_rows(int begin, int end, void *context)
{
    smoothing *s = context;
    for (int y = begin; y < end; y++)
        for (int x = 0; x < s->width; x++) {
            int at = y * s->width + x;
            float3 sum = s->pixels[at].direct;
            for (int k = 0; k < LAYERS; k++)
                if (s->pixels[at].layers[k].coverage > 0)
                    sum = add3(sum, mul3(s->pixels[at].layers[k].albedo,
                                         smoothed(s, at, k, y, s->height, s->width, s->light)));
            colour_display(scale3(s->scale, sum), s->rgb + 3 * (size_t)at);
        }
}

dew_result smooth_develop(pixel *pixels, int width, int height, int samples, uint8_t *rgb)
{
    size_t count = (size_t)width * (size_t)height;
    smoothing s = {.pixels = pixels,
                   .light = malloc(count * LAYERS * sizeof *s.light),
                   .width = width,
                   .height = height,
                   .scale = 1.0f / (float)samples,
                   .rgb = rgb};
    if (!s.light) return result_fail(DEW_NO_MEMORY, "no memory for a picture of %d x %d pixels", width, height);
    parallel_for(height, GRAIN, smooth_rows, &s);
    parallel_for(height, GRAIN, develop_rows, &s);
    free(s.light);
    return DEW_OK;
}
