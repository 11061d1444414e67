/* What may be asked of a simulation. */
#include "sim/simulation.h"

#include <string.h>

double dew_simulation_time(const dew_simulation *s) { return s->time; }
int dew_simulation_frame(const dew_simulation *s) { return s->frame; }
int64_t dew_simulation_step_count(const dew_simulation *s) { return s->steps; }
int dew_simulation_particle_count(const dew_simulation *s) { return s->particles.count; }
double dew_simulation_spacing(const dew_simulation *s) { return s->w.spacing; }
const dew_method_info *dew_simulation_method(const dew_simulation *s) { return &s->method->info; }
const char *dew_simulation_notice(const dew_simulation *s) { return s->notice; }
const char *dew_simulation_remark(const dew_simulation *s) { return s->remark; }

double dew_simulation_time_step(const dew_simulation *s, const char **limit)
{
    if (limit) *limit = s->limit;
    return s->time_step;
}

double dew_simulation_parameter(const dew_simulation *s, int index)
{
    return index >= 0 && index < s->method->info.parameter_count ? s->parameters[index] : NAN;
}

/* Adds eight bytes to a hash (the mixing step of splitmix64). */
static uint64_t mix(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * 0x9e3779b97f4a7c15u;
    return hash ^ (hash >> 32);
}

static uint64_t hash_records(uint64_t hash, const real4 *a, int count)
{
    for (int i = 0; i < count; i++) {
        double v[3] = {a[i].x, a[i].y, a[i].z};
        for (int k = 0; k < 3; k++) {
            uint64_t bits;
            memcpy(&bits, &v[k], sizeof bits);
            hash = mix(hash, bits);
        }
    }
    return hash;
}

uint64_t dew_simulation_hash(const dew_simulation *s)
{
    uint64_t hash = mix(0, (uint64_t)s->particles.count);
    hash = hash_records(hash, s->particles.position, s->particles.count);
    return hash_records(hash, s->particles.velocity, s->particles.count);
}

static dew_field field_of(const dew_simulation *s, int index)
{
    const particles *p = &s->particles;
    static const dew_field_type types[] = {[FIELD_REAL] = DEW_FIELD_REAL,
                                           [FIELD_REAL4] = DEW_FIELD_REAL,
                                           [FIELD_INT32] = DEW_FIELD_INT32,
                                           [FIELD_UINT8] = DEW_FIELD_UINT8};
    const field_info *info = &p->info[index];
    bool is_record = info->type == FIELD_REAL4;
    return (dew_field){.name = info->name,
                       .unit = info->unit,
                       .sentence = info->sentence,
                       .type = types[info->type],
                       .components = is_record ? info->components : 1,
                       .stride = is_record ? 4 : 1,
                       .count = p->count,
                       .data = s->ahead[index] ? s->ahead[index] : p->data[index]};
}

int dew_simulation_field_count(const dew_simulation *s)
{
    int count = 0;
    for (int i = 0; i < s->particles.field_count; i++) count += (s->particles.info[i].flags & FIELD_OUTPUT) != 0;
    return count;
}

dew_field dew_simulation_field_at(const dew_simulation *s, int index)
{
    for (int i = 0; i < s->particles.field_count; i++) {
        if (!(s->particles.info[i].flags & FIELD_OUTPUT)) continue;
        if (index-- == 0) return field_of(s, i);
    }
    return (dew_field){.name = NULL};
}

bool dew_simulation_field(const dew_simulation *s, const char *name, dew_field *field)
{
    int index = particles_find_field(&s->particles, name);
    if (index < 0 || !(s->particles.info[index].flags & FIELD_OUTPUT)) return false;
    *field = field_of(s, index);
    return true;
}

int dew_simulation_solid_count(const dew_simulation *s) { return solids_count(s->w.solids); }

static dew_result find_solid(const dew_simulation *s, int index)
{
    int count = solids_count(s->w.solids);
    if (index >= 0 && index < count) return DEW_OK;
    return result_fail(DEW_INVALID, "there is no solid %d; there are %d", index, count);
}

dew_result dew_simulation_solid_mesh(const dew_simulation *s, int index, dew_solid_mesh *mesh)
{
    RESULT_TRY(find_solid(s, index));
    return solids_mesh(s->w.solids, index, mesh);
}

dew_result dew_simulation_solid_impulse(const dew_simulation *s, int index, dew_vec3 about, dew_solid_impulse *impulse)
{
    RESULT_TRY(find_solid(s, index));
    *impulse = solids_impulse(s->w.solids, index, about);
    return DEW_OK;
}
