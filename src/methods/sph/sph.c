#include "methods/sph/sph.h"

#include "methods/sph/paper.h"
#include "particles/kernels.h"
#include "solids/moving_line.h"

#include <stdio.h>
#include <string.h>

/* By so much of itself the speed of sound falls while sound goes H, where nothing keeps it up. */
#define SOUND_FALLS 0.0025
/* In spacings: a drop of this or less is coarse. */
#define COARSE_RADIUS 10
/* Gravity's speed for the least viscosity is that of a pool so many layers or, if that is more, such a part deep. */
#define SHAKING_LAYERS 8
#define SHAKING_PART 0.4
/* In spacings: how far contact lines are looked for. */
#define LINE_REACH 2.7

static const dew_parameter parameters[SPH_PARAMETER_COUNT] = {
    [SPH_CFL] = {"cfl", "1", 0.8, 0.05, 1.5, NULL,
                 "share of the time that sound takes for h = 1.5 spacings a step takes"},
    [SPH_SOUND] = {"sound", "1", 10, 3, 100, NULL,
                   "speed of sound over the largest of the gravity, capillary and flow speeds of the scene"},
    [SPH_SOUND_SPEED] = {"sound_speed", "m/s", 0, 0, 1e6, NULL, "speed of sound; 0: by `sound`"},
    [SPH_ALPHA] =
        {"alpha", "1", 0.1, 0, 2, NULL,
         "the least kinematic viscosity is alpha h times the largest of the liquid's speed and the capillary speed"},
    [SPH_DELTA] = {"delta", "1", 0.1, 0, 1, NULL, "diffusion of density, delta h c: keeps pressures smooth"},
    [SPH_BULK] = {"bulk", "1", 0.2, 0, 2, NULL, "bulk viscosity chi h c rho: damps sound, not flow"},
    [SPH_DRIFT] = {"drift", "1", 0.015, 0, 1, NULL,
                   "how fast the density inside follows the particles' places, of c/h, of c/(0.15 R) where the ball of "
                   "the liquid at first is larger than 10 spacings: keeps the volume"},
    [SPH_CURVATURE_SUPPORT] = {"curvature_support", "1", 4, 2, 6, NULL,
                               "how far surface particles look for the curvature, in spacings"},
    [SPH_EVEN] = {"even", "1", 0.2, 0, 2, NULL, "how fast surface particles are drawn level, of c/H"},
    [SPH_SHIFT] = {"shift", "1", 0.1, 0, 1, NULL,
                   "how fast particles move to where there are few, of c s/H for |S| H = 1: keeps them in order"},
    [SPH_PRESSURE] = {"pressure", "1", 0, 0, 2, "automatic|equation_of_state|projection",
                      "equation_of_state: explicit, sound bounds the step; projection: implicit, by conjugate "
                      "gradients; automatic: implicit where its steps are twice as long"},
    [SPH_TENSION] = {"tension", "1", 0, 0, 3, "automatic|curvature|paper|area",
                     "curvature: its force; area: that of the area of local meshes, an energy; automatic: area in "
                     "scenes with solids, else curvature, which is calmer; paper: the equations as printed"},
    [SPH_PAPER_A] = {"paper_a", "N/m3", 0, 0, 1e15, NULL, "paper: a of the interaction force (18)"},
    [SPH_PAPER_B] = {"paper_b", "N/m3", 0, 0, 1e15, NULL,
                     "paper: b of the interaction force (18), at 0.7 of its reach"},
    [SPH_PAPER_RADIUS] = {"paper_radius", "1", 2, 1, 3, NULL, "paper: reach h of the interaction force, in spacings"},
};

static const field_info fields[] = {
    {"pressure", "Pa", "pressure", FIELD_REAL, 1, FIELD_OUTPUT | FIELD_RESTART},
    {"density", "kg/m3", "density", FIELD_REAL, 1, FIELD_OUTPUT | FIELD_RESTART},
    {"is_surface", "1", "1 for surface particles", FIELD_UINT8, 1, FIELD_OUTPUT | FIELD_RESTART | FIELD_GHOST},
    {"normal", "1", "outward unit normal of surface particles", FIELD_REAL4, 3,
     FIELD_OUTPUT | FIELD_RESTART | FIELD_GHOST | FIELD_VECTOR},
    {"mean_curvature", "m-1", "mean curvature of the surface: 1/R on a ball", FIELD_REAL, 1,
     FIELD_OUTPUT | FIELD_RESTART},
    {"tension", NULL, NULL, FIELD_REAL4, 4, FIELD_GHOST | FIELD_VECTOR | FIELD_FLEETING},
    {"share", NULL, NULL, FIELD_REAL4, 4, FIELD_GHOST | FIELD_VECTOR | FIELD_FLEETING},
    {"change", NULL, NULL, FIELD_REAL4, 3, FIELD_GHOST | FIELD_VECTOR | FIELD_FLEETING},
    {"drop", NULL, NULL, FIELD_INT32, 1, FIELD_GHOST},
    {"is_candidate", NULL, NULL, FIELD_UINT8, 1, FIELD_FLEETING},
    {"bend", NULL, NULL, FIELD_REAL, 1, FIELD_RESTART},
    {"allowance", NULL, NULL, FIELD_REAL, 1, FIELD_GHOST},
    {"is_front", NULL, NULL, FIELD_UINT8, 1, FIELD_GHOST},
    {"lasting_pressure", NULL, NULL, FIELD_REAL, 1, FIELD_RESTART},
    {"hold", NULL, NULL, FIELD_REAL4, 4, FIELD_RESTART | FIELD_GHOST},
};

sph_arrays sph_arrays_of(const sph_state *p, const world *w)
{
    particles *s = w->particles;
    return (sph_arrays){.x = s->position,
                        .v = s->velocity,
                        .count = s->count,
                        .pressure = particles_field(s, p->pressure),
                        .density = particles_field(s, p->density),
                        .is_surface = particles_field(s, p->is_surface),
                        .normal = particles_field(s, p->normal),
                        .mean_curvature = particles_field(s, p->mean_curvature),
                        .tension = particles_field(s, p->tension),
                        .change = particles_field(s, p->change),
                        .drop = particles_field(s, p->drop),
                        .is_candidate = particles_field(s, p->is_candidate),
                        .bend = particles_field(s, p->bend),
                        .allowance = particles_field(s, p->allowance),
                        .is_front = particles_field(s, p->is_front),
                        .lasting = particles_field(s, p->lasting)};
}

/* Sums over the cubic lattice that give the kernel's constants. */
static void measure_lattice(sph_state *p)
{
    double sum = 0, moment = 0;
    for (int x = -3; x <= 3; x++)
        for (int y = -3; y <= 3; y++)
            for (int z = -3; z <= 3; z++) {
                double q = sqrt(x * x + y * y + z * z) / 3.0, t = fmax(1 - q, 0);
                sum += (double)wendland((real)q);
                moment += t * t * t * q * q / 3;
            }
    p->kernel = (real)(1 / sum);
    p->gradient = (real)(1 / moment);
}

/* By c/h a fine drop's pressure would follow many times while it swings once, and stiffen it: by c over 0.15 of the
 * radius it follows as often in one of any size. */
static real drift_of(const sph_state *p, const world *w)
{
    double fine = COARSE_RADIUS * w->spacing / world_ball_radius(w);
    return (real)(p->parameter[SPH_DRIFT] * 2 / (double)p->support * fmin(fine, 1));
}

static double capillary_speed(const world *w)
{
    const dew_material_def *m = &w->materials[0];
    return sqrt(2 * m->surface_tension / (m->density * world_ball_radius(w)));
}

/* Speeds that the scene brings with it: sqrt(g L) of a depth L, sqrt(2 gamma/(rho R)) of the ball of its
 * volume. Pressures and flow speeds raise the speed of sound as they come. */
static double scene_speed(const world *w, double depth)
{
    return fmax(sqrt(vec3_length(w->gravity) * depth), capillary_speed(w));
}

/* At solids the curvature's force feeds energy. By area free drops have currents ten times as strong, and it knows no
 * gas. */
static int tension_of(const sph_state *p, const world *w)
{
    int choice = (int)(p->parameter[SPH_TENSION] + 0.5);
    if (choice != SPH_TENSION_AUTOMATIC) return choice;
    return solids_count(w->solids) > 0 && w->material_count == 1 ? SPH_TENSION_AREA : SPH_TENSION_CURVATURE;
}

/* Of a pool's depth what shakes its particles: see sph_viscosity_of. */
static double shaking_depth(const world *w, double depth)
{
    return fmin(depth, fmax(SHAKING_LAYERS * w->spacing, SHAKING_PART * depth));
}

static bool is_paper(const sph_state *p) { return sph_tension_mode(p) == SPH_TENSION_PAPER; }

static dew_result check_pressure(const sph_state *p)
{
    if (is_paper(p) && p->parameter[SPH_PRESSURE] > 1.5)
        return result_fail(DEW_INVALID,
                           "sph: tension: paper has its own equation of state; pressure: projection needs tension: "
                           "curvature or area");
    return DEW_OK;
}

static dew_result check_hysteresis(const sph_state *p, const world *w)
{
    if (sph_tension_mode(p) == SPH_TENSION_AREA) return DEW_OK;
    return world_refuse_held_lines(w, "one liquid, sph.tension: area");
}

/* The depth and the ball's radius are those that the liquid has now. */
static void changed(void *state, world *w)
{
    sph_state *p = state;
    double depth = world_liquid_depth(w);
    p->least_speed = scene_speed(w, depth), p->least_motion = scene_speed(w, shaking_depth(w, depth));
    if (is_paper(p)) p->least_speed = fmax(p->least_speed, sph_paper_speed(p, w->materials[0].density));
}

static void visit(void *state, state_array_fcn *array, void *context)
{
    array(context, "state", DEW_ITEM_DOUBLE, 5, &((sph_state *)state)->saved_sound);
}

static dew_result create(void *state, world *w, const double *values)
{
    sph_state *p = state;
    for (int k = 0; k < SPH_PARAMETER_COUNT; k++) p->parameter[k] = values[k];
    p->tension_mode = tension_of(p, w);
    p->s = (real)w->spacing, p->support = 3 * p->s;
    measure_lattice(p);
    shear_table_make(&p->shear, wendland_slope, (double)p->support, w->dimension, SHEAR_CENTRAL, SHEAR_RATIO_IMPLICIT);
    line_table_make(&p->line, w->dimension, w->spacing, LINE_REACH * w->spacing);
    p->drift = drift_of(p, w);
    changed(p, w);
    RESULT_TRY(sph_check_gas(p, w));
    RESULT_TRY(check_pressure(p));
    RESULT_TRY(check_hysteresis(p, w));
    int *index[] = {&p->pressure, &p->density,   &p->is_surface, &p->normal,  &p->mean_curvature,
                    &p->tension,  &p->share,     &p->change,     &p->drop,    &p->is_candidate,
                    &p->bend,     &p->allowance, &p->is_front,   &p->lasting, &p->hold};
    RESULT_TRY(particles_add_fields(w->particles, sizeof index / sizeof *index, fields, index));
    RESULT_TRY(surface_points_create(&p->surface, p->parameter[SPH_CURVATURE_SUPPORT] * w->spacing));
    neighbours_set_reach(w->neighbours, (double)p->support, 0.15 * (double)p->s);
    return DEW_OK;
}

/* What sph can tell of its liquid better than its particles' places: its own pressure. */
static bool measure(const void *state, const world *w, const char *quantity, double *value)
{
    const sph_state *p = state;
    if (p->saved_started == 0 || strcmp(quantity, "pressure_jump") != 0) return false;
    sph_arrays a = sph_arrays_of(p, w);
    *value = (w->material_count > 1 ? world_pressure_between : world_inner_pressure)(w, a.pressure, a.is_surface);
    return true;
}

static void remark(const void *state, const world *w, char *text, size_t size)
{
    const sph_state *p = state;
    double fixed = p->parameter[SPH_SOUND_SPEED], moving = world_largest_speed(w);
    if (fixed > 0)
        snprintf(text, size, "speed of sound %.3g m/s, as sph.sound_speed has it", fixed);
    else if (p->least_speed > 0 || moving > 0)
        snprintf(text, size, "speed of sound %.3g m/s at the start, sph.sound = %g times the %s speed",
                 p->parameter[SPH_SOUND] * fmax(p->least_speed, moving), p->parameter[SPH_SOUND],
                 moving > p->least_speed                                                 ? "liquid's"
                 : is_paper(p) && p->least_speed > scene_speed(w, world_liquid_depth(w)) ? "interaction force's"
                 : p->least_speed > capillary_speed(w)                                   ? "gravity's"
                                                                                         : "capillary");
}

static void destroy(void *state)
{
    sph_state *p = state;
    surface_points_destroy(&p->surface);
}

/* The speed of sound falls by time, not by steps, and so does that by which there is a least viscosity: long steps are
 * not to damp more than short ones. */
static dew_result step(void *state, world *w, double dt)
{
    sph_state *p = state;
    RESULT_TRY(is_paper(p) ? sph_paper_step(p, w, dt) : sph_flow_step(p, w, dt));
    double falls = exp(-SOUND_FALLS * p->saved_sound * dt / (double)p->support);
    p->saved_sound *= falls, p->saved_motion *= falls;
    return DEW_OK;
}

static void reorder(void *state, world *w)
{
    (void)w;
    sph_state *p = state;
    p->surface.has_lists = false;
}

static double own_viscosity(void *state, world *w)
{
    sph_flow_time_step(state, w);
    return sph_viscosity_of(state, w) - w->materials[0].viscosity / w->materials[0].density;
}

const method method_sph = {
    .info = {.name = "sph",
             .title = "dual-mechanism surface tension, weakly compressible SPH",
             .source = "Xiong, Wang, Xu, Zhang, Chang, Zhang, Ban: Dual-mechanism surface tension model for SPH-based "
                       "simulation, The Visual Computer, 2024",
             .slip_length = 0,
             .line_slip = LINE_SLIP,
             .least_across = 5,
             .features = DEW_FEATURE_3D | DEW_FEATURE_GAS | DEW_FEATURE_CONTACT_ANGLE | DEW_FEATURE_PERIODIC |
                         DEW_FEATURE_SYMMETRY | DEW_FEATURE_RIGID_COUPLING | DEW_FEATURE_NO_SLIP |
                         DEW_FEATURE_SLIP_LENGTH | DEW_FEATURE_HYSTERESIS,
             .parameters = parameters,
             .parameter_count = SPH_PARAMETER_COUNT,
             .measures = {"pressure_jump"}},
    .fields = fields,
    .field_count = sizeof fields / sizeof *fields,
    .state_size = sizeof(sph_state),
    .look_steps = 900,
    .held_layers = 3,
    .create = create,
    .max_time_step = sph_flow_time_step,
    .step = step,
    .reorder = reorder,
    .visit = visit,
    .may_change = 1u << WORLD_GRAVITY | 1u << WORLD_VISCOSITY | 1u << WORLD_SURFACE_TENSION |
                  1u << WORLD_CONTACT_ANGLE | 1u << WORLD_SLIP_LENGTH | 1u << WORLD_FRICTION,
    .changed = changed,
    .measure = measure,
    .own_viscosity = own_viscosity,
    .remark = remark,
    .destroy = destroy,
};
