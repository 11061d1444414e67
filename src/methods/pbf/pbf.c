#include "methods/pbf/pbf.h"
#include "solids/moving_line.h"

static const dew_parameter parameters[PBF_PARAMETER_COUNT] = {
    [PBF_TENSION] = {"tension", "1", 0, 0, 1, "physical|paper",
                     "physical: surface tension in N/m, sub-steps; paper: the epsilons of Xing et al., large steps"},
    [PBF_CFL] = {"cfl", "1", 0.6, 0.05, 0.9, NULL,
                 "physical: share of the capillary limit sqrt(rho s^3/(8 gamma)) a step takes"},
    [PBF_LLOYD] = {"lloyd", "1", FLOW_EVEN, 0, 1, NULL,
                   "physical: how far surface particles move to the centroids of their cells a step"},
    [PBF_PUSH_DISTANCE] = {"push_distance", "1", (double)FLOW_NEAR, 0.5, 1.2, NULL,
                           "physical: distance below which particles are moved apart, in spacings"},
    [PBF_PUSH] = {"push", "1", FLOW_APART, 0, 0.5, NULL,
                  "physical: share of the missing distance that particles are moved apart a step"},
    [PBF_PAPER_STEP] = {"paper_step", "s", 1.0 / 30, 1e-9, 10, NULL, "paper: time step"},
    [PBF_PAPER_ITERATIONS] = {"paper_iterations", "1", 100, 1, 10000, NULL, "paper: iterations a step"},
    [PBF_RESET_ITERATIONS] = {"reset_iterations", "1", 10, 1, 10000, NULL,
                              "paper: iterations after which surface and rings are found anew"},
    [PBF_EPSILON_AREA] = {"epsilon_area", "m2", 1, 0, 1e12, NULL,
                          "paper: epsilon^A of the area constraint; larger is weaker tension"},
    [PBF_EPSILON_DISTANCE] = {"epsilon_distance", "1", 40, 0, 1e12, NULL,
                              "paper: epsilon^D of the distance constraint"},
    [PBF_EPSILON_DENSITY] = {"epsilon_density", "m-2", 600, 0, 1e12, NULL,
                             "paper: epsilon^rho of the density constraint"},
    [PBF_PAPER_XSPH] = {"paper_xsph", "1", 0.05, 0, 1, NULL, "paper: XSPH viscosity"},
    [PBF_FILAMENTS] = {"filaments", "1", 1, 0, 1, "off|on",
                       "paper: density constraints are off in filaments found by principal components"},
    [PBF_SKIN] =
        {"skin", "1", 1, 0, 1, "off|on",
         "paper: areas and rest density know that the liquid ends s/2 outside of its particles; off for films"},
};

static const field_info fields[] = {
    {"normal", "1", "outward unit normal of the liquid", FIELD_REAL4, 3, FIELD_OUTPUT | FIELD_GHOST | FIELD_VECTOR},
    {"is_surface", "1", "1 for surface particles", FIELD_UINT8, 1, FIELD_OUTPUT | FIELD_RESTART | FIELD_GHOST},
    {"density", "1", "density over rest density, solids included", FIELD_REAL, 1, FIELD_OUTPUT | FIELD_RESTART},
    {"pressure", "Pa", "pressure", FIELD_REAL, 1, FIELD_OUTPUT | FIELD_RESTART},
    {"unrest", NULL, NULL, FIELD_UINT8, 1, FIELD_RESTART},
    {"lambda", "1", "paper: multiplier of the density constraint over h^2; else 0", FIELD_REAL, 1,
     FIELD_OUTPUT | FIELD_RESTART},
    /* physical */
    {"change", NULL, NULL, FIELD_REAL4, 3, FIELD_GHOST | FIELD_VECTOR | FIELD_FLEETING},
    {"lean", NULL, NULL, FIELD_REAL4, 3, FIELD_GHOST | FIELD_VECTOR | FIELD_FLEETING},
    {"solver_pressure", NULL, NULL, FIELD_REAL, 1, FIELD_RESTART},
    {"hold", NULL, NULL, FIELD_REAL4, 4, FIELD_RESTART | FIELD_GHOST},
    {"went", NULL, NULL, FIELD_REAL4, 3, FIELD_RESTART | FIELD_GHOST | FIELD_VECTOR},
    {"wall_time", NULL, NULL, FIELD_REAL, 1, FIELD_RESTART},
    /* paper */
    {"move", NULL, NULL, FIELD_REAL4, 3, FIELD_RESTART | FIELD_GHOST | FIELD_VECTOR},
    {"shift", NULL, NULL, FIELD_REAL4, 3, FIELD_GHOST | FIELD_VECTOR},
};

/* Where those of both modes and of the physical one end. */
enum { OF_BOTH = 6, OF_PHYSICAL = 12, FIELD_COUNT = sizeof fields / sizeof *fields };

pbf_arrays pbf_arrays_of(const pbf_state *p, const world *w)
{
    particles *s = w->particles;
    bool is_paper = pbf_is_paper(p);
    return (pbf_arrays){.x = s->position,
                        .v = s->velocity,
                        .count = s->count,
                        .move = is_paper ? particles_field(s, p->move) : NULL,
                        .normal = particles_field(s, p->normal),
                        .lambda = particles_field(s, p->lambda),
                        .is_surface = particles_field(s, p->is_surface),
                        .density = particles_field(s, p->density),
                        .pressure = particles_field(s, p->pressure),
                        .unrest = particles_field(s, p->unrest)};
}

/* Sums over the bulk lattice that give the kernel's constant and the norm of a full constraint. */
static void measure_lattice(pbf_state *p)
{
    double sum = 0, norm = 0;
    for (int x = -3; x <= 3; x++)
        for (int y = -3; y <= 3; y++)
            for (int z = -3; z <= 3; z++) {
                double q = sqrt(x * x + y * y + z * z) / 3.0, slope = (double)cubic_spline_slope((real)q);
                sum += (double)cubic_spline((real)q);
                norm += slope * slope;
            }
    p->kernel = (real)(1 / sum);
    p->bulk_norm = (real)(norm / (sum * sum));
}

static double kernel(double q) { return cubic_spline((real)q) * cubic_spline_norm(3, 1); }

/* The least kinematic viscosity, in sqrt(gamma s/rho): calms the particles. */
#define OWN_VISCOSITY 0.01
/* Of the capillary step of flow/time_step.c over that of `cfl`, sqrt(8/(2 pi))^-1. */
#define CAPILLARY 0.886
/* Spacings that the fastest particle goes in a step. */
#define FASTEST 0.25

static dew_result open_flow(pbf_state *p, world *w)
{
    flow_state *f = &p->flow;
    f->cfl = FASTEST, f->capillary = CAPILLARY * p->parameter[PBF_CFL], f->own_viscosity = OWN_VISCOSITY;
    f->normal = p->normal, f->is_surface = p->is_surface, f->density = p->density, f->pressure = p->pressure;
    f->unrest = p->unrest, f->is_area = true;
    return flow_make(f, w);
}

static dew_result create(void *state, world *w, const double *values)
{
    pbf_state *p = state;
    flow_state *f = &p->flow;
    for (int k = 0; k < PBF_PARAMETER_COUNT; k++) p->parameter[k] = values[k];
    p->s = (real)w->spacing, p->h = 3 * p->s;
    int *index[] = {&p->normal, &p->is_surface,      &p->density, &p->pressure, &p->unrest,    &p->lambda, &f->change,
                    &f->lean,   &f->solver_pressure, &f->hold,    &f->went,     &f->wall_time, &p->move,   &p->shift};
    RESULT_TRY(particles_add_fields(w->particles, OF_BOTH, fields, index));
    if (pbf_is_paper(p)) {
        RESULT_TRY(world_refuse_held_lines(w, "pbf.tension: physical"));
        RESULT_TRY(world_refuse_slip_lengths(w, "pbf.tension: physical"));
        measure_lattice(p);
        half_space_make(&p->half_space, kernel, 3, 1);
        RESULT_TRY(
            particles_add_fields(w->particles, FIELD_COUNT - OF_PHYSICAL, fields + OF_PHYSICAL, index + OF_PHYSICAL));
    } else {
        RESULT_TRY(particles_add_fields(w->particles, OF_PHYSICAL - OF_BOTH, fields + OF_BOTH, index + OF_BOTH));
        RESULT_TRY(open_flow(p, w));
    }
    neighbours_set_reach(w->neighbours, (double)(pbf_is_paper(p) ? p->h : f->h), 0.15 * w->spacing);
    return DEW_OK;
}

static void destroy(void *state)
{
    pbf_state *p = state;
    fractions_destroy(p->flow.fractions);
}

static double max_time_step(void *state, world *w)
{
    return pbf_is_paper(state) ? pbf_paper_time_step(state, w) : flow_max_time_step(&((pbf_state *)state)->flow, w);
}

static double own_viscosity(void *state, world *w)
{
    const pbf_state *p = state;
    if (pbf_is_paper(p)) return 0; /* has no viscosity in Pa s */
    return flow_added_viscosity(&p->flow, w);
}

static dew_result step(void *state, world *w, double dt)
{
    pbf_state *p = state;
    RESULT_TRY(pbf_is_paper(p) ? pbf_paper_step(p, w, dt) : pbf_physical_step(p, w, dt));
    p->saved_dt = dt;
    return DEW_OK;
}

static void visit(void *state, state_array_fcn *array, void *context)
{
    array(context, "state", DEW_ITEM_DOUBLE, 1, &((pbf_state *)state)->saved_dt);
}

const method method_pbf = {
    .info = {.name = "pbf",
             .title = "position-based surface tension flow",
             .source = "Xing, Ruan, Wang, Zhu, Chen: Position-Based Surface Tension Flow, ACM TOG 41(6) 244, 2022",
             .slip_length = 0,
             .line_slip = LINE_SLIP,
             .least_across = 4,
             .features = DEW_FEATURE_3D | DEW_FEATURE_CONTACT_ANGLE | DEW_FEATURE_PERIODIC | DEW_FEATURE_SYMMETRY |
                         DEW_FEATURE_NO_SLIP | DEW_FEATURE_SLIP_LENGTH | DEW_FEATURE_RIGID_COUPLING |
                         DEW_FEATURE_HYSTERESIS,
             .parameters = parameters,
             .parameter_count = PBF_PARAMETER_COUNT,
             .measures = {"pressure_jump", "surface_area", "own_volume"}},
    .fields = fields,
    .field_count = sizeof fields / sizeof *fields,
    .state_size = sizeof(pbf_state),
    .look_steps = 500,
    .held_layers = 3,
    .visit = visit,
    .may_change = 1u << WORLD_GRAVITY | 1u << WORLD_VISCOSITY | 1u << WORLD_SURFACE_TENSION |
                  1u << WORLD_CONTACT_ANGLE | 1u << WORLD_SLIP_LENGTH | 1u << WORLD_FRICTION | 1u << WORLD_ADHESION,
    .create = create,
    .max_time_step = max_time_step,
    .step = step,
    .measure = pbf_measure,
    .own_viscosity = own_viscosity,
    .destroy = destroy,
};
