/* What may be asked of a simulation. */
#include "sim/simulation.h"
#include "base/parallel.h"

#include <string.h>

double dew_simulation_time(const dew_simulation *s) { return s->time; }
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

dew_result dew_simulation_look(dew_simulation *s)
{
    parallel_set_threads(s->threads);
    if (s->watch.record.is_begun == 0) RESULT_TRY(watch_begin(&s->watch, dew_simulation_frame(s)));
    return watch_peek(&s->watch, dew_simulation_frame(s), s->steps);
}

static const watch_record *record_of(const dew_simulation *s)
{
    return s->watch.is_peeked ? &s->watch.peeked : &s->watch.record;
}

int dew_simulation_look_count(const dew_simulation *s) { return (int)record_of(s)->looks; }

dew_watched dew_simulation_watched(const dew_simulation *s, dew_watched_quantity which)
{
    const watch_record *r = record_of(s);
    if (which < 0 || which >= DEW_WATCHED) return (dew_watched){.name = "", .sentence = ""};
    return (dew_watched){.name = watch_names[which],
                         .sentence = watch_sentences[which],
                         .now = r->now[which],
                         .worst = r->worst[which],
                         .worst_time = r->worst_time[which],
                         .limit = s->watch.limits.limit[which],
                         .is_beyond = r->is_beyond[which] != 0};
}

/* --- the frame it lends --- */

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

/* The flags that fields have where the definition has what they belong to. */
static unsigned fields_of(const dew_simulation_def *def)
{
    unsigned flags = def->has_solute ? FIELD_OF_SOLUTE : 0;
    if (def->material_count > 1 && changes_all(def) & 1u << WORLD_VISCOSITY) flags |= FIELD_OF_VISCOSITIES;
    if (def->has_heat) flags |= FIELD_OF_HEAT;
    for (int k = 0; k < def->material_count; k++) {
        const dew_material_def *m = &def->materials[k];
        if (isfinite(m->melting_point)) flags |= FIELD_OF_MELTING;
        if (m->viscosity_of_temperature.evaluate || m->viscosity != def->materials[0].viscosity)
            flags |= FIELD_OF_VISCOSITIES;
    }
    return flags;
}

int simulation_field_names(const dew_simulation_def *def, const method *m, const char **names, int room)
{
    const unsigned all = FIELD_OF_HEAT | FIELD_OF_MELTING | FIELD_OF_SOLUTE | FIELD_OF_VISCOSITIES;
    const struct {
        const field_info *list;
        int count;
    } tables[] = {
        {core_fields, FIELD_CORE_COUNT}, {heat_fields, HEAT_FIELDS}, {&solute_field, 1}, {m->fields, m->field_count}};
    int count = 0;
    for (size_t t = 0; t < sizeof tables / sizeof *tables; t++)
        for (int k = 0; k < tables[t].count && count < room; k++) {
            const field_info *f = &tables[t].list[k];
            if (f->flags & FIELD_OUTPUT && !(f->flags & all & ~fields_of(def))) names[count++] = f->name;
        }
    return count;
}

/* What the method's state tells of a quantity: see dew_frame. */
static bool measure_state(const void *state, const char *quantity, double *values)
{
    const dew_simulation *s = state;
    const method *m = s->method;
    if (watch_measure(&s->watch, &s->lent->frame, quantity, values)) return true;
    if (strcmp(quantity, "time_step") == 0) return *values = s->time_step, true;
    return m->measure && m->measure(s->state, &s->w, quantity, values);
}

const dew_frame *dew_simulation_frame(const dew_simulation *s)
{
    dew_frame *f = &s->lent->frame;
    f->time = s->time, f->index = s->frame, f->origin = s->centre;
    f->particle_count = s->particles.count, f->fields = s->lent->fields, f->field_count = 0;
    for (int i = 0; i < s->particles.field_count; i++)
        if (s->particles.info[i].flags & FIELD_OUTPUT) s->lent->fields[f->field_count++] = field_of(s, i);
    f->solids = s->w.solids, f->mouths = &s->mouths, f->method = &s->method->info;
    f->measure = measure_state, f->state = s;
    return f;
}

uint64_t dew_simulation_hash(const dew_simulation *s) { return dew_frame_hash(dew_simulation_frame(s)); }

bool dew_simulation_field(const dew_simulation *s, const char *name, dew_field *field)
{
    return dew_frame_field(dew_simulation_frame(s), name, field);
}

dew_result dew_simulation_measure(const dew_simulation *s, const char *quantity, double *values)
{
    parallel_set_threads(s->threads);
    return dew_measure(s->measurer, dew_simulation_frame(s), quantity, values);
}

static dew_result check_solid(const dew_simulation *s, int index)
{
    int count = solids_count(s->w.solids);
    if (index >= 0 && index < count) return DEW_OK;
    return result_fail(DEW_INVALID, "there is no solid %d; there are %d", index, count);
}

dew_result dew_simulation_solid_impulse(const dew_simulation *s, int index, dew_vec3 about, dew_solid_impulse *impulse)
{
    RESULT_TRY(check_solid(s, index));
    *impulse = solids_impulse(s->w.solids, index, about);
    return DEW_OK;
}

dew_result dew_simulation_solid_momentum(const dew_simulation *s, int index, dew_vec3 about, dew_impulse *momentum)
{
    RESULT_TRY(check_solid(s, index));
    *momentum = solids_momentum(s->w.solids, index);
    momentum->angular = vec3_sub(momentum->angular, vec3_cross(about, momentum->linear));
    return DEW_OK;
}

bool dew_simulation_body_has_left(const dew_simulation *s, int index, dew_body_leaving *leaving)
{
    static const char *const faces[6] = {"-x", "+x", "-y", "+y", "-z", "+z"};
    if (index < 0 || index >= solids_count(s->w.solids)) return false;
    solid_stand b = solids_stand(s->w.solids, index);
    if (b.left_by < 1 || b.left_by > 6) return false;
    *leaving = (dew_body_leaving){.name = solids_info(s->w.solids, index, 0).name,
                                  .face = faces[b.left_by - 1],
                                  .by = s->w.domain.axis[(b.left_by - 1) / 2],
                                  .time = b.left_at,
                                  .centre = b.centre};
    return true;
}

bool dew_simulation_body_is_crushed(const dew_simulation *s, int index, dew_body_crushing *crushing)
{
    int count = solids_count(s->w.solids);
    if (index < 0 || index >= count) return false;
    solid_stand b = solids_stand(s->w.solids, index);
    if (b.crushed_into < 1 || b.crushed_into > count || b.crushed_by < 0 || b.crushed_by > count) return false;
    *crushing = (dew_body_crushing){.name = solids_info(s->w.solids, index, 0).name,
                                    .into = solids_info(s->w.solids, b.crushed_into - 1, 0).name,
                                    .by = b.crushed_by > 0 ? solids_info(s->w.solids, b.crushed_by - 1, 0).name : NULL,
                                    .time = b.crushed_at,
                                    .depth = b.crushed_depth,
                                    .centre = b.centre};
    return true;
}

dew_result dew_simulation_release_solid(dew_simulation *s, int index)
{
    RESULT_TRY(check_solid(s, index));
    if (solids_number(s->w.solids, index, WORLD_IS_HELD) == 0)
        return result_fail(DEW_INVALID, "solid '%s' is no body that is held", solids_info(s->w.solids, index, 0).name);
    return simulation_set(s, WORLD_IS_HELD, index, (dew_vec3){0, 0, 0});
}
