/* The bar that tells which colour is which value. */
#ifndef RENDER_LEGEND_H
#define RENDER_LEGEND_H

#include "dew/frame.h"

#include <stdint.h>

/* Draws the bar, its two ends and the field's name and unit into the lower left of a picture. */
void legend_draw(uint8_t *rgb, int width, int height, const dew_field *field, double least, double most);

#endif
