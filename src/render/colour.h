/* Colours: linear light inside, sRGB outside. */
#ifndef RENDER_COLOUR_H
#define RENDER_COLOUR_H

#include "render/vector.h"

#include <stdint.h>

/* Linear light of a colour given by its sRGB numbers, 0..255. */
float3 colour_linear(float red, float green, float blue);
/* The map viridis at t in 0..1, which keeps its order in grey and to the colour-blind; linear light. */
float3 colour_map(float t);
/* Display bytes of linear light: what is brighter than white is eased into it. */
void colour_display(float3 light, uint8_t rgb[3]);

#endif
