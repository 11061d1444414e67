/* Light on what a ray meets: a soft sky all around, one soft key light, and what surfaces nearby throw back. */
#ifndef RENDER_SHADE_H
#define RENDER_SHADE_H

#include "render/camera.h"
#include "render/ray_scene.h"

typedef struct look {
    const ray_scene *scene;
    camera view;
    int width, height;
    float3 up, key;        /* unit; towards the key light */
    float3 ground_open;    /* light on ground that nothing shades */
    const float *shade_of; /* 0..1 for each particle, on the map of colours; NULL: the liquid's own colour */
} look;

/* Works out the lights for the look's view and up. */
void look_prepare(look *l);

/* A pixel's samples, summed, in two layers (liquid; everything matt), so that light can be smoothed within a layer. */
enum { LAYER_MATT, LAYER_LIQUID, LAYERS };
typedef struct layer {
    float coverage, depth;
    float3 albedo, light, normal;
} layer;
typedef struct pixel {
    layer layers[LAYERS];
    float3 direct; /* background and reflections: not smoothed */
} pixel;

void shade_pixel(const look *l, int x, int y, int samples, pixel *p);

#endif
