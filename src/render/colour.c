#include "render/colour.h"

static float to_linear(float s) { return s <= 0.04045f ? s / 12.92f : powf((s + 0.055f) / 1.055f, 2.4f); }

static float to_display(float l)
{
    const float shoulder = 0.75f;
    if (l > shoulder) l = shoulder + (1 - shoulder) * tanhf((l - shoulder) / (1 - shoulder));
    return l <= 0.0031308f ? 12.92f * l : 1.055f * powf(l, 1 / 2.4f) - 0.055f;
}

float3 colour_linear(float red, float green, float blue)
{
    return (float3){to_linear(red / 255), to_linear(green / 255), to_linear(blue / 255)};
}

float3 colour_map(float t)
{
    static const uint8_t viridis[9][3] = {{68, 1, 84},    {71, 44, 122}, {59, 81, 139},  {44, 113, 142}, {33, 144, 141},
                                          {39, 173, 129}, {92, 200, 99}, {170, 220, 50}, {253, 231, 37}};
    float at = t > 0 ? fminf(t, 1) * 8 : 0; /* a NaN is drawn as the lowest value */
    int k = at < 7 ? (int)at : 7;
    float f = at - (float)k, c[3];
    for (int i = 0; i < 3; i++) c[i] = (1 - f) * (float)viridis[k][i] + f * (float)viridis[k + 1][i];
    return colour_linear(c[0], c[1], c[2]);
}

void colour_display(float3 light, uint8_t rgb[3])
{
    const float *c = &light.x;
    for (int i = 0; i < 3; i++) rgb[i] = (uint8_t)(255 * clamp01(to_display(c[i] > 0 ? c[i] : 0)) + 0.5f);
}
