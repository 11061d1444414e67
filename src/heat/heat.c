#include "heat/heat.h"

#include "geometry/shape.h"
#include "solids/motion.h"

#include <stdlib.h>
#include <string.h>

typedef struct source {
    shape *shape;
    motion motion;
    double power, flux, from, to;
    bool is_acting; /* as placed */
    pose pose;
} source;

struct heat {
    dew_heat_boundary surface, walls, *solid;
    int solid_count;
    source *sources;
    int source_count;
    int temperature, melted;   /* fields; melted: -1 where nothing melts */
    double melting_point[256]; /* of each material, K; NaN: none */
};

enum { TEMPERATURE, MELTED };
const field_info heat_fields[HEAT_FIELDS] = {
    [TEMPERATURE] = {"temperature", "K", "temperature", FIELD_REAL, 1,
                     FIELD_OUTPUT | FIELD_RESTART | FIELD_GHOST | FIELD_OF_HEAT},
    [MELTED] = {"melted", "1", "share that is liquid", FIELD_REAL, 1,
                FIELD_OUTPUT | FIELD_RESTART | FIELD_GHOST | FIELD_OF_HEAT | FIELD_OF_MELTING},
};

/* --- making --- */

static dew_result create_source(source *s, const dew_heat_source_def *def, double spacing)
{
    s->power = def->power, s->flux = def->flux, s->from = def->from, s->to = def->to;
    RESULT_TRY(motion_create(&s->motion, &def->motion));
    dew_result result = shape_create(&s->shape, &def->shape, spacing);
    return result == DEW_OK ? DEW_OK : result_under(result, "shape");
}

static dew_result create_all(heat *h, const dew_simulation_def *def, particles *p, failures *all)
{
    size_t solids = (size_t)def->solid_count, sources = (size_t)def->heat.source_count;
    h->surface = def->heat.surface, h->walls = def->domain.heat;
    h->solid = calloc(solids + 1, sizeof *h->solid);
    h->sources = calloc(sources + 1, sizeof *h->sources);
    if (!h->solid || !h->sources) return result_fail(DEW_NO_MEMORY, "no memory for heat");
    h->solid_count = def->solid_count, h->source_count = def->heat.source_count;
    for (size_t k = 0; k < solids; k++) h->solid[k] = def->solids[k].heat;
    for (size_t k = 0; k < sources; k++) {
        if (failures_concern(all, "heat.sources[%d]", (int)k)) continue;
        failures_add(all, create_source(&h->sources[k], &def->heat.sources[k], def->spacing), "heat.sources[%d]",
                     (int)k);
    }
    RESULT_TRY(particles_add_field(p, &heat_fields[TEMPERATURE], &h->temperature));
    h->melted = -1;
    bool is_melting = false;
    for (int k = 0; k < def->material_count && k < 256; k++) {
        h->melting_point[k] = def->materials[k].melting_point;
        is_melting |= isfinite(h->melting_point[k]);
    }
    return is_melting ? particles_add_field(p, &heat_fields[MELTED], &h->melted) : DEW_OK;
}

dew_result heat_create(heat **h, const dew_simulation_def *def, particles *p, failures *all)
{
    *h = NULL;
    if (!def->has_heat) return DEW_OK;
    *h = calloc(1, sizeof **h);
    if (!*h) return result_fail(DEW_NO_MEMORY, "no memory for heat");
    dew_result result = create_all(*h, def, p, all);
    if (result == DEW_OK) return DEW_OK;
    heat_destroy(*h);
    *h = NULL;
    return result;
}

void heat_destroy(heat *h)
{
    if (!h) return;
    for (int k = 0; k < h->source_count; k++) {
        shape_destroy(h->sources[k].shape);
        motion_release(&h->sources[k].motion);
    }
    free(h->sources);
    free(h->solid);
    free(h);
}

/* --- temperatures --- */

real *heat_temperatures(const heat *h, const particles *p) { return particles_field(p, h->temperature); }

real *heat_melted(const heat *h, const particles *p) { return h->melted < 0 ? NULL : particles_field(p, h->melted); }

enum { BLOCK = 256 };

/* Liquid is what is warmer than its melting point, or has none. */
static void begin_melted(const heat *h, particles *p, int begin)
{
    const real *t = heat_temperatures(h, p);
    real *melted = heat_melted(h, p);
    for (int i = begin; melted && i < p->count; i++) melted[i] = !((double)t[i] <= h->melting_point[p->material[i]]);
}

dew_result heat_fill(dew_function f, const particles *p, int begin, real *values, const char *what, const char *unit)
{
    double at[3][BLOCK], value[BLOCK];
    for (; begin < p->count; begin += BLOCK) {
        int n = p->count - begin < BLOCK ? p->count - begin : BLOCK;
        for (int i = 0; i < n; i++) {
            real4 x = p->position[begin + i];
            at[0][i] = (double)x.x, at[1][i] = (double)x.y, at[2][i] = (double)x.z;
        }
        f.evaluate(f.context, n, (const double *const[]){at[0], at[1], at[2]}, value);
        for (int i = 0; i < n; i++) {
            values[begin + i] = (real)value[i];
            if (!(value[i] >= 0 && isfinite(value[i])))
                return result_under(result_fail(DEW_INVALID, "it is %g %s at (%g, %g, %g) m; it must be 0 %s or more",
                                                value[i], unit, at[0][i], at[1][i], at[2][i], unit),
                                    "%s", what);
        }
    }
    return DEW_OK;
}

dew_result heat_begin(const heat *h, particles *p, int begin, const dew_liquid_def *liquid, double temperature)
{
    if (liquid) temperature = liquid->temperature;
    if (isnan(temperature)) temperature = h->surface.surroundings;
    real *t = heat_temperatures(h, p);
    for (int i = begin; i < p->count; i++) t[i] = (real)temperature;
    if (liquid && liquid->temperature_of.evaluate)
        RESULT_TRY(heat_fill(liquid->temperature_of, p, begin, t, "temperature", "K"));
    begin_melted(h, p, begin);
    return DEW_OK;
}

dew_result heat_evaluate(dew_function f, const char *what, const char *unit, int count, const real *temperature,
                         const real *concentration, real *out)
{
    const double usual = dew_default_heat_boundary().surroundings;
    double t[BLOCK], c[BLOCK], value[BLOCK];
    for (int begin = 0; begin < count; begin += BLOCK) {
        int n = count - begin < BLOCK ? count - begin : BLOCK;
        for (int i = 0; i < n; i++) {
            t[i] = temperature ? (double)temperature[begin + i] : usual;
            c[i] = concentration ? (double)concentration[begin + i] : 0;
        }
        f.evaluate(f.context, n, (const double *const[]){t, c}, value);
        for (int i = 0; i < n; i++) {
            out[begin + i] = (real)value[i];
            if (!(value[i] >= 0 && isfinite(value[i])))
                return result_fail(DEW_FAILED,
                                   "%s is %g %s at %g K and %g kg/m3; it must be 0 or more at every temperature and "
                                   "concentration that comes up.\n"
                                   "What to change: bound the expression, for example max(0, ...)",
                                   what, value[i], unit, t[i], c[i]);
        }
    }
    return DEW_OK;
}

/* --- where heat enters --- */

dew_heat_boundary heat_boundary(const heat *h, int solid)
{
    return solid < 0 ? h->surface : solid < h->solid_count ? h->solid[solid] : h->walls;
}

void heat_place(heat *h, double time)
{
    for (int k = 0; k < h->source_count; k++) {
        source *s = &h->sources[k];
        s->is_acting = time >= s->from && time < s->to;
        if (s->is_acting) s->pose = motion_pose(&s->motion, time);
    }
}

bool heat_has_power(const heat *h)
{
    for (int k = 0; k < h->source_count; k++)
        if (h->sources[k].is_acting && h->sources[k].power != 0) return true;
    return false;
}

static void add_source(const source *s, int count, const real4 *points, real *flux, real *power)
{
    real4 seen[BLOCK];
    pose_distance(&s->pose, s->shape, 0, count, points, seen);
    for (int i = 0; i < count; i++) {
        if (!(seen[i].w < 0)) continue;
        if (flux) flux[i] += (real)s->flux;
        if (power) power[i] += (real)s->power;
    }
}

void heat_add_sources(const heat *h, int count, const real4 *points, real *flux, real *power)
{
    for (int k = 0; k < h->source_count; k++) {
        const source *s = &h->sources[k];
        bool is_felt = (flux && s->flux != 0) || (power && s->power != 0);
        if (!s->is_acting || !is_felt) continue;
        for (int i = 0; i < count; i += BLOCK) {
            int n = count - i < BLOCK ? count - i : BLOCK;
            add_source(s, n, points + i, flux ? flux + i : NULL, power ? power + i : NULL);
        }
    }
}
