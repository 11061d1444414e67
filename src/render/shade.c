#include "render/shade.h"
#include "render/colour.h"

enum { SKY_RAYS = 2 }; /* a sample */

/* Size of the key light: tangent of the half angle at which it is seen. Large enough for a visible penumbra. */
#define KEY_SIZE 0.16f

static const float3 key_colour = {2.05f, 1.97f, 1.85f};
static const float3 liquid_colour = {0.030f, 0.205f, 0.53f};
static const float3 solid_colour = {0.165f, 0.167f, 0.172f};

/* --- sampling: additive recurrences (Roberts 2018), so that neighbouring pixels and samples fill gaps of each other
 * --- */

typedef struct sample_point {
    float u, v;
} sample_point;

static float fraction(double a) { return (float)(a - floor(a)); }

/* Point k of a pixel's sequence number `dimension`. */
static sample_point sample_at(int x, int y, int dimension, int k)
{
    double a = 0.7548776662466927 * x + 0.5698402909980532 * y + 0.2451223337 * dimension;
    double b = 0.8191725133961645 * x + 0.6710436067037893 * y + 0.4301597090 * dimension;
    return (sample_point){fraction(a + 0.7548776662466927 * k + 0.5), fraction(b + 0.5698402909980532 * k + 0.5)};
}

/* --- lights --- */

static float3 sky(const look *l, float3 direction)
{
    const float3 zenith = {0.90f, 0.94f, 1.00f}, horizon = {0.66f, 0.64f, 0.61f}, below = {0.36f, 0.34f, 0.31f};
    float height = dot3(direction, l->up);
    if (height > 0) return mix3(horizon, zenith, sqrtf(height));
    return mix3(horizon, below, sqrtf(-height));
}

/* A plain backdrop, lighter in the middle and towards the top. */
static float3 backdrop(const look *l, float px, float py)
{
    const float3 top = {0.80f, 0.775f, 0.74f}, bottom = {0.60f, 0.575f, 0.54f};
    float u = 2 * px / (float)l->width - 1, v = 2 * py / (float)l->height - 1;
    float t = 0.5f + 0.5f * v, fall = u * u * 0.6f + v * v * 0.4f;
    return scale3(1 - 0.16f * fall, mix3(top, bottom, t * t * (3 - 2 * t)));
}

static float3 cosine_direction(float3 normal, sample_point at)
{
    float angle = 2 * (float)M_PI * at.v, sine = sqrtf(at.u);
    return around3(normal, sine * cosf(angle), sine * sinf(angle), sqrtf(1 - at.u));
}

static float3 key_direction(const look *l, sample_point at)
{
    float angle = 2 * (float)M_PI * at.v, radius = KEY_SIZE * sqrtf(at.u);
    return normalise3(around3(l->key, radius * cosf(angle), radius * sinf(angle), 1));
}

static float3 key_light(float3 normal, float3 direction, float wrap)
{
    float cosine = (dot3(normal, direction) + wrap) / (1 + wrap);
    return scale3(cosine > 0 ? cosine : 0, key_colour);
}

void look_prepare(look *l)
{
    float3 right = float3_of(l->view.right), forward = float3_of(l->view.forward);
    l->key = normalise3(madd3(madd3(l->up, -0.62f, right), -0.38f, forward));
    enum { POINTS = 1024 };
    float3 normal = l->scene->has_ground ? l->scene->ground_normal : l->up, sum = {0, 0, 0};
    for (int k = 0; k < POINTS; k++) {
        sample_point at = sample_at(0, 0, 0, k);
        sum = add3(sum, add3(sky(l, cosine_direction(normal, at)), key_light(normal, key_direction(l, at), 0)));
    }
    l->ground_open = scale3(1.0f / POINTS, sum);
}

/* --- a sample --- */

/* The mean light that comes from all around; what a near surface throws back is taken to have the tint of the liquid.
 */
static float3 light_around(const look *l, const ray_hit *hit, float3 albedo, int x, int y, int sample)
{
    const ray_scene *s = l->scene;
    float3 light = {0, 0, 0}, back = scale3(hit->kind == HIT_LIQUID ? 0.30f : 0.10f, albedo);
    if (hit->kind != HIT_LIQUID) back = madd3(back, 0.10f, liquid_colour);
    for (int k = 0; k < SKY_RAYS; k++) {
        float3 direction = cosine_direction(hit->normal, sample_at(x, y, 1, sample * SKY_RAYS + k));
        float ground = hit->kind == HIT_GROUND ? INFINITY : ray_scene_ground_distance(s, hit->point, direction);
        if (ray_scene_occluded(s, hit->point, direction, ground)) {
            light = add3(light, back);
        } else if (ground < INFINITY) {
            /* Ground close by lies in the shade of what it lights. */
            light = madd3(light, 0.30f * ground / (ground + 0.1f), l->ground_open);
        } else {
            light = add3(light, sky(l, direction));
        }
    }
    return scale3(1.0f / SKY_RAYS, light);
}

/* Reflections of a liquid: the key light's gleam and the sky at grazing angles. */
static float3 gleam(const look *l, float3 normal, float3 view, float3 key, bool is_lit, float openness)
{
    float cosine = clamp01(-dot3(normal, view)), grazing = 1 - cosine;
    float fresnel = 0.03f + 0.85f * grazing * grazing * grazing * grazing;
    float3 mirrored = madd3(view, 2 * cosine, normal);
    float3 light = scale3(fresnel * openness * openness, sky(l, mirrored));
    if (is_lit) {
        float3 half = normalise3(sub3(key, view));
        light = madd3(light, 0.34f * powf(clamp01(dot3(normal, half)), 70), key_colour);
    }
    return light;
}

static float3 albedo_of(const look *l, const ray_hit *hit, float px, float py)
{
    if (hit->kind == HIT_SOLID) return solid_colour;
    if (hit->kind == HIT_LIQUID)
        return l->shade_of ? scale3(0.85f, colour_map(l->shade_of[hit->particle])) : liquid_colour;
    /* The ground catches shadows and melts into the backdrop. */
    float3 b = backdrop(l, px, py);
    return (float3){b.x / l->ground_open.x, b.y / l->ground_open.y, b.z / l->ground_open.z};
}

static void shade_sample(const look *l, int x, int y, int sample, float3 origin, pixel *p)
{
    sample_point in_pixel = sample_at(0, 0, 3, sample);
    float px = (float)x + in_pixel.u, py = (float)y + in_pixel.v;
    double a = (2 * px / l->width - 1) * l->view.tan_x, b = (1 - 2 * py / l->height) * l->view.tan_y;
    const camera *c = &l->view;
    dew_vec3 towards = vec3_add(vec3_add(c->forward, vec3_scale(a, c->right)), vec3_scale(b, c->up));
    float3 direction = normalise3(float3_of(towards));
    ray_hit hit = ray_scene_trace(l->scene, origin, direction);
    if (hit.kind == HIT_NOTHING) {
        p->direct = add3(p->direct, backdrop(l, px, py));
        return;
    }
    bool is_liquid = hit.kind == HIT_LIQUID;
    float3 albedo = albedo_of(l, &hit, px, py), around = light_around(l, &hit, albedo, x, y, sample);
    float3 key = key_direction(l, sample_at(x, y, 2, sample)), light = around;
    float3 lit = key_light(hit.normal, key, is_liquid ? 0.15f : 0);
    bool is_lit = lit.x > 0 && !ray_scene_occluded(l->scene, hit.point, key, INFINITY);
    if (is_lit) light = add3(light, lit);
    layer *into = &p->layers[is_liquid ? LAYER_LIQUID : LAYER_MATT];
    into->coverage += 1, into->depth += hit.distance;
    into->albedo = add3(into->albedo, albedo);
    into->light = add3(into->light, light);
    into->normal = add3(into->normal, hit.normal);
    if (is_liquid) p->direct = add3(p->direct, gleam(l, hit.normal, direction, key, is_lit, clamp01(around.x)));
}

void shade_pixel(const look *l, int x, int y, int samples, pixel *p)
{
    *p = (pixel){0};
    float3 origin = ray_scene_place(l->scene, l->view.eye);
    for (int k = 0; k < samples; k++) shade_sample(l, x, y, k, origin, p);
}
