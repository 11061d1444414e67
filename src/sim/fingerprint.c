/* A number for a definition. Functions are hashed by their values at a few places. */
#include "sim/simulation.h"

#include <string.h>

static void mix_bits(uint64_t *hash, uint64_t value)
{
    *hash = (*hash ^ value) * 0x9e3779b97f4a7c15u;
    *hash ^= *hash >> 32;
}

static void mix(uint64_t *hash, double value)
{
    uint64_t bits;
    value += 0.0; /* -0 is 0 */
    memcpy(&bits, &value, sizeof bits);
    mix_bits(hash, bits);
}

static void mix_vector(uint64_t *hash, dew_vec3 v) { mix(hash, v.x), mix(hash, v.y), mix(hash, v.z); }

static void mix_text(uint64_t *hash, const char *text)
{
    for (const char *c = text ? text : ""; *c; c++) mix_bits(hash, (unsigned char)*c);
    mix_bits(hash, 256);
}

static void mix_function(uint64_t *hash, dew_function f, double scale)
{
    mix_bits(hash, f.evaluate != NULL);
    if (!f.evaluate) return;
    double at[3][4], value[4] = {0};
    for (int k = 0; k < 4; k++) {
        for (int a = 0; a < 3; a++) at[a][k] = scale * (0.25 + 0.5 * k + 0.125 * a * (k - 1));
    }
    f.evaluate(f.context, 4, (const double *const[]){at[0], at[1], at[2]}, value);
    for (int k = 0; k < 4; k++) mix(hash, value[k]);
}

static void mix_shape(uint64_t *hash, const dew_shape_def *s)
{
    mix_bits(hash, (uint64_t)s->kind);
    mix(hash, s->scale), mix_vector(hash, s->rotation_axis), mix(hash, s->rotation_angle);
    mix_vector(hash, s->translation);
    switch (s->kind) {
    case DEW_SHAPE_SPHERE:
        mix_vector(hash, s->sphere.centre), mix(hash, s->sphere.radius);
        break;
    case DEW_SHAPE_BOX:
        mix_vector(hash, s->box.min), mix_vector(hash, s->box.max), mix(hash, s->box.rounding);
        break;
    case DEW_SHAPE_ELLIPSOID:
        mix_vector(hash, s->ellipsoid.centre), mix_vector(hash, s->ellipsoid.semi_axes);
        break;
    case DEW_SHAPE_CYLINDER:
    case DEW_SHAPE_CAPSULE: /* the same layout */
        mix_vector(hash, s->cylinder.from), mix_vector(hash, s->cylinder.to), mix(hash, s->cylinder.radius);
        break;
    case DEW_SHAPE_CONE:
        mix_vector(hash, s->cone.apex), mix_vector(hash, s->cone.base);
        mix(hash, s->cone.radius), mix(hash, s->cone.apex_radius);
        break;
    case DEW_SHAPE_TORUS:
        mix_vector(hash, s->torus.centre), mix_vector(hash, s->torus.axis);
        mix(hash, s->torus.major_radius), mix(hash, s->torus.minor_radius);
        break;
    case DEW_SHAPE_PLANE:
        mix_vector(hash, s->plane.point), mix_vector(hash, s->plane.normal);
        break;
    case DEW_SHAPE_IMPLICIT:
        mix_vector(hash, s->implicit.min), mix_vector(hash, s->implicit.max);
        mix_function(hash, s->implicit.value, vec3_length(vec3_sub(s->implicit.max, s->implicit.min)));
        break;
    case DEW_SHAPE_HEIGHT:
        mix_vector(hash, s->height.min), mix_vector(hash, s->height.max), mix(hash, s->height.level);
        mix_function(hash, s->height.level_of, vec3_length(vec3_sub(s->height.max, s->height.min)));
        for (int i = 0; i < s->height.ridge_count; i++) {
            const dew_ridges *r = &s->height.ridges[i];
            mix_bits(hash, (uint64_t)r->profile), mix_bits(hash, (uint64_t)r->across);
            mix(hash, r->height), mix(hash, r->period), mix(hash, r->width), mix(hash, r->shift);
        }
        break;
    case DEW_SHAPE_MESH:
        mix_bits(hash, (uint64_t)s->mesh.vertex_count), mix_bits(hash, (uint64_t)s->mesh.triangle_count);
        for (int i = 0; i < 3 * s->mesh.vertex_count; i++) mix(hash, s->mesh.vertices[i]);
        for (int i = 0; i < 3 * s->mesh.triangle_count; i++) mix_bits(hash, (uint64_t)s->mesh.triangles[i]);
        break;
    case DEW_SHAPE_UNION:
    case DEW_SHAPE_DIFFERENCE:
    case DEW_SHAPE_INTERSECTION:
        mix_bits(hash, (uint64_t)s->combination.count);
        for (int i = 0; i < s->combination.count; i++) mix_shape(hash, &s->combination.children[i]);
        break;
    case DEW_SHAPE_SHELL:
        mix(hash, s->shell.thickness), mix_shape(hash, s->shell.child);
        break;
    case DEW_SHAPE_DISC:
        mix_vector(hash, s->disc.centre), mix_vector(hash, s->disc.normal), mix(hash, s->disc.radius);
        break;
    case DEW_SHAPE_RECTANGLE:
        mix_vector(hash, s->rectangle.centre), mix_vector(hash, s->rectangle.half_u);
        mix_vector(hash, s->rectangle.half_v);
        break;
    case DEW_SHAPE_NONE:
    case DEW_SHAPE_KINDS:
        break;
    }
}

static void mix_motion(uint64_t *hash, const dew_motion_def *m)
{
    mix_vector(hash, m->pivot), mix_bits(hash, (uint64_t)m->keyframe_count);
    for (int k = 0; k < m->keyframe_count; k++) {
        mix(hash, m->keyframes[k].time);
        mix_vector(hash, m->keyframes[k].translation), mix_vector(hash, m->keyframes[k].rotation);
    }
    for (int a = 0; a < 3; a++) mix_function(hash, m->translation_of[a], 1), mix_function(hash, m->rotation_of[a], 1);
}

static void mix_solid(uint64_t *hash, const dew_solid_def *s)
{
    mix_shape(hash, &s->shape);
    mix(hash, s->contact_angle), mix(hash, s->friction), mix(hash, s->adhesion);
    mix_bits(hash, (uint64_t)s->has_surface_energy | (uint64_t)s->no_slip << 1);
    if (s->has_surface_energy) mix(hash, s->solid_energy), mix(hash, s->between_energy);
    mix_motion(hash, &s->motion);
}

static void mix_boundary(uint64_t *hash, const dew_heat_boundary *b)
{
    mix(hash, b->transfer), mix(hash, b->surroundings), mix(hash, b->flux);
}

static void mix_heat(uint64_t *hash, const dew_simulation_def *def)
{
    for (int i = 0; i < def->material_count; i++) {
        const dew_material_def *m = &def->materials[i];
        mix_function(hash, m->viscosity_of_temperature, 300);
        mix(hash, m->conductivity), mix(hash, m->heat_capacity), mix(hash, m->latent_heat);
        mix(hash, isfinite(m->melting_point) ? m->melting_point : -1);
    }
    for (int i = 0; i < def->liquid_count; i++) {
        mix(hash, isfinite(def->liquids[i].temperature) ? def->liquids[i].temperature : -1);
        mix_function(hash, def->liquids[i].temperature_of, 100 * def->spacing);
    }
    for (int i = 0; i < def->solid_count; i++) mix_boundary(hash, &def->solids[i].heat);
    for (int i = 0; i < def->emitter_count; i++)
        mix(hash, isfinite(def->emitters[i].temperature) ? def->emitters[i].temperature : -1);
    mix_boundary(hash, &def->domain.heat), mix_boundary(hash, &def->heat.surface);
    for (int i = 0; i < def->heat.source_count; i++) {
        const dew_heat_source_def *s = &def->heat.sources[i];
        mix_shape(hash, &s->shape), mix_motion(hash, &s->motion);
        mix(hash, s->power), mix(hash, s->flux), mix(hash, s->from), mix(hash, s->to);
    }
}

static void mix_solute(uint64_t *hash, const dew_simulation_def *def)
{
    for (int i = 0; i < def->material_count; i++)
        mix(hash, def->materials[i].diffusivity), mix(hash, def->materials[i].evaporation);
    for (int i = 0; i < def->liquid_count; i++) {
        mix(hash, def->liquids[i].concentration);
        mix_function(hash, def->liquids[i].concentration_of, 100 * def->spacing);
    }
    for (int i = 0; i < def->emitter_count; i++) mix(hash, def->emitters[i].concentration);
}

uint64_t definition_fingerprint(const dew_simulation_def *def, const dew_method_info *info, const double *parameters)
{
    uint64_t hash = 0;
    mix_text(&hash, info->name);
    for (int i = 0; i < info->parameter_count; i++) mix(&hash, parameters[i]);
    mix_bits(&hash, (uint64_t)def->dimension);
    mix(&hash, def->spacing), mix(&hash, def->frame_rate), mix_vector(&hash, def->gravity);
    mix_vector(&hash, def->domain.min), mix_vector(&hash, def->domain.max);
    for (int a = 0; a < 3; a++) mix_bits(&hash, (uint64_t)def->domain.axis[a]);
    mix(&hash, def->domain.contact_angle), mix(&hash, def->domain.friction);
    if (def->domain.no_slip) mix_bits(&hash, 1);
    mix_bits(&hash, (uint64_t)def->max_particles);
    for (int i = 0; i < def->material_count; i++) {
        const dew_material_def *m = &def->materials[i];
        mix(&hash, m->density), mix(&hash, m->viscosity), mix(&hash, m->surface_tension);
        mix_function(&hash, m->surface_tension_of_temperature, 300);
        if (m->youngs_modulus != 0) mix(&hash, m->youngs_modulus), mix(&hash, m->poisson_ratio);
    }
    for (int i = 0; i < def->liquid_count; i++) {
        const dew_liquid_def *l = &def->liquids[i];
        mix_bits(&hash, (uint64_t)l->material), mix_bits(&hash, (uint64_t)l->fill);
        mix_shape(&hash, &l->shape), mix_vector(&hash, l->velocity);
        for (int a = 0; a < 3; a++) mix_function(&hash, l->velocity_of[a], 100 * def->spacing);
    }
    for (int i = 0; i < def->solid_count; i++) mix_solid(&hash, &def->solids[i]);
    for (int i = 0; i < def->emitter_count; i++) {
        const dew_emitter_def *e = &def->emitters[i];
        mix_bits(&hash, (uint64_t)e->material), mix_shape(&hash, &e->shape), mix_vector(&hash, e->velocity);
        mix(&hash, e->from), mix(&hash, e->to);
    }
    if (def->has_heat) mix_heat(&hash, def);
    if (def->has_solute) mix_solute(&hash, def);
    return hash;
}
