/* Quantities of contact that hold off rest: of the wetted area, along the contact line, of the force on solids. */
#include "base/parallel.h"
#include "measure/least_squares.h"
#include "measure/points.h"
#include "measure/surface.h"
#include "particles/point_grid.h"

#include <string.h>

static bool is_measured(const measurement *m, const line_piece *p) { return m->solid < 0 || p->solid == m->solid; }

/* Where the line runs, drawn on, against the mesh's origin. */
static dew_vec3 place_of(const measurement *m, const line_piece *p)
{
    dew_vec3 x = vec3_add(p->place, vec3_scale(p->shift, p->out));
    if (m->frame->dimension == 2) x.z = 0;
    return x;
}

/* --- how far it has spread --- */

/* The largest extent in 1000 directions, which is 0.1 % short of the largest of all. */
static double largest_extent(const measurement *m, const contact_line *line)
{
    enum { DIRECTIONS = 1000 };
    double largest = NAN;
    for (int k = 0; k < DIRECTIONS; k++) {
        double z = (k + 0.5) / DIRECTIONS, turn = k * PI * (3 - sqrt(5)), low = INFINITY, high = -INFINITY;
        double across = m->frame->dimension == 2 ? 1 : sqrt(1 - z * z);
        dew_vec3 u = {across * cos(turn), across * sin(turn), m->frame->dimension == 2 ? 0 : z};
        for (int i = 0; i < line->count; i++) {
            if (!is_measured(m, &line->pieces[i])) continue;
            double at = vec3_dot(u, place_of(m, &line->pieces[i]));
            low = fmin(low, at), high = fmax(high, at);
        }
        if (high > low) largest = fmax(largest, high - low);
    }
    return largest;
}

dew_result measure_spread(const measurement *m, const char *name, double *values)
{
    (void)name;
    const measured_surface *surface;
    RESULT_TRY(measure_surface(m, &surface));
    double area = surface->is_there ? measure_wetted(m, surface) : 0;
    if (!(area > 0)) return DEW_OK;
    values[0] = m->frame->dimension == 2 ? area / 2 : sqrt(area / PI);
    values[1] = largest_extent(m, &surface->line) / 2;
    return DEW_OK;
}

/* --- along the line --- */

/* A value of each piece, to be averaged over its neighbours. */
typedef struct along_line {
    const measurement *m;
    const contact_line *line;
    real4 *place; /* of the pieces that count; w: length */
    double *value, *mean;
    int count;
    point_grid grid;
} along_line;

#define AVERAGED 3 /* spacings */

static void average(int begin, int end, void *context)
{
    along_line *a = context;
    double reach = AVERAGED * a->m->frame->spacing;
    for (int k = begin; k < end; k++) {
        dew_vec3 x = {a->place[k].x, a->place[k].y, a->place[k].z};
        double sum = 0, weight = 0;
        POINTS_NEAR(&a->grid, a->place, x, reach, i)
        {
            sum += (double)a->place[i].w * a->value[i], weight += (double)a->place[i].w;
        }
        a->mean[k] = sum / weight;
    }
}

dew_result measure_line_angle(const measurement *m, const char *name, double *values)
{
    (void)name;
    const measured_surface *surface;
    RESULT_TRY(measure_surface(m, &surface));
    const contact_line *line = &surface->line;
    if (line->count == 0) return DEW_OK;
    size_t mark = arena_mark(surface->memory);
    along_line a = {.m = m, .line = line};
    ARENA_TRY(surface->memory, line->count, a.place);
    ARENA_TRY(surface->memory, line->count, a.value, a.mean);
    double sum = 0, length = 0;
    for (int k = 0; k < line->count; k++) {
        const line_piece *p = &line->pieces[k];
        if (isnan(p->angle) || !is_measured(m, p)) continue;
        dew_vec3 x = place_of(m, p);
        a.place[a.count] = (real4){(real)x.x, (real)x.y, (real)x.z, (real)p->length}, a.value[a.count++] = p->angle;
        sum += p->length * p->angle, length += p->length;
    }
    RESULT_TRY(point_grid_create(&a.grid, a.place, a.count, AVERAGED * m->frame->spacing, surface->memory));
    parallel_for(a.count, 64, average, &a);
    if (a.count > 0) values[0] = sum / length, values[1] = INFINITY, values[2] = -INFINITY;
    for (int k = 0; k < a.count; k++) values[1] = fmin(values[1], a.mean[k]), values[2] = fmax(values[2], a.mean[k]);
    arena_release(surface->memory, mark);
    return DEW_OK;
}

/* --- how fast it moves --- */

/* The surface near the line moves along its normal n_s as the liquid does, so that where it meets the solid goes
 * outwards by v . n_s/sin(angle): also where the liquid rolls over a solid that holds it. v is fitted linearly to
 * the particles near the surface and the line, and taken at the line, where its part along the solid's normal is the
 * solid's own motion. That along the solid cancels over a closed line. */
typedef struct line_motion {
    const measurement *m;
    const contact_line *line;
    dew_vec3 origin;
    point_grid grid;
    double *speed; /* of each piece; NaN: too few particles */
} line_motion;

enum { MOTION_UNKNOWNS = 4 };

static void fit_motion(const line_motion *l, const line_piece *p, double *speed)
{
    double s = l->m->frame->spacing, reach = 3 * s, c = cos(p->angle * PI / 180), sine = sin(p->angle * PI / 180);
    dew_vec3 x = vec3_add(place_of(l->m, p), l->origin), along = vec3_cross(p->normal, p->out);
    dew_vec3 outwards = vec3_add(vec3_scale(c, p->normal), vec3_scale(sine, p->out));
    dew_vec3 up = vec3_sub(vec3_scale(sine, p->normal), vec3_scale(c, p->out));
    int unknowns = l->m->frame->dimension == 2 ? 3 : MOTION_UNKNOWNS;
    least_squares fit = {.unknowns = unknowns}, of_solid = {.unknowns = unknowns};
    if (l->m->frame->dimension == 2) x.z = 0;
    POINTS_NEAR(&l->grid, l->m->position, x, reach, i)
    {
        real4 y = l->m->position[i], u = l->m->velocity[i];
        dew_vec3 d = vec3_scale(1 / s, vec3_sub((dew_vec3){y.x, y.y, y.z}, x));
        dew_vec3 v = {u.x, u.y, u.z};
        double depth = -vec3_dot(d, outwards);
        if (depth > 1.5) continue;
        const double row[MOTION_UNKNOWNS] = {1, depth, vec3_dot(d, up), vec3_dot(d, along)};
        least_squares_add(&fit, row, vec3_dot(v, outwards), 1);
        least_squares_add(&of_solid, row, vec3_dot(v, p->normal), 1);
    }
    double found[MOTION_UNKNOWNS], lifted[MOTION_UNKNOWNS];
    *speed = NAN;
    if (fit.rows < 2 * unknowns || !least_squares_solve(&fit, found) || !least_squares_solve(&of_solid, lifted)) return;
    *speed = (found[0] - c * lifted[0]) / fmax(sine, 0.2);
}

static void fit_motions(int begin, int end, void *context)
{
    const line_motion *l = context;
    for (int k = begin; k < end; k++) {
        const line_piece *p = &l->line->pieces[k];
        l->speed[k] = NAN;
        if (!isnan(p->angle) && p->solid >= 0 && is_measured(l->m, p)) fit_motion(l, p, &l->speed[k]);
    }
}

dew_result measure_line_speed(const measurement *m, const char *name, double *values)
{
    (void)name;
    const measured_surface *surface;
    RESULT_TRY(measure_surface(m, &surface));
    if (surface->line.count == 0) return DEW_OK;
    size_t mark = arena_mark(surface->memory);
    line_motion l = {.m = m, .line = &surface->line, .origin = surface->mesh.origin};
    ARENA_TRY(surface->memory, l.line->count, l.speed);
    RESULT_TRY(point_grid_create(&l.grid, m->position, m->count, 1.5 * m->frame->spacing, surface->memory));
    parallel_for(l.line->count, 16, fit_motions, &l);
    double sum = 0, length = 0;
    for (int k = 0; k < l.line->count; k++) {
        if (isnan(l.speed[k])) continue;
        sum += l.line->pieces[k].length * l.speed[k], length += l.line->pieces[k].length;
    }
    if (length > 0) values[0] = sum / length;
    arena_release(surface->memory, mark);
    return DEW_OK;
}

/* --- the force on solids --- */

dew_result measure_last_step(const measurement *m, const char *name, double *step)
{
    bool is_known;
    *step = 0;
    RESULT_TRY(measure_ask_state(m, "time_step", step, &is_known));
    if (is_known || !m->frame->method || m->frame->measure) return DEW_OK;
    return result_fail(DEW_INVALID,
                       "method %s gives solids their impulses while it runs, and files of frames do not hold them; "
                       "add the quantity %s to the scene's probes and run again",
                       m->frame->method->name, name);
}

dew_result measure_wall_force(const measurement *m, const char *name, double *values)
{
    static const char *const parts[] = {
        [PUSH_PRESSURE] = "wall_pressure_force", [PUSH_SHEAR] = "wall_shear_force", [PUSH_LINE] = "wall_line_force"};
    push_kind kind = PUSH_PRESSURE;
    while (kind < PUSH_WHOLE && strcmp(name, parts[kind]) != 0) kind++;
    double step;
    RESULT_TRY(measure_last_step(m, name, &step));
    if (!(step > 0)) return DEW_OK;
    values[0] = values[1] = values[2] = 0;
    for (int k = 0; k < dew_frame_solid_count(m->frame); k++) {
        if (m->solid >= 0 && m->solid != k) continue;
        dew_vec3 got = kind == PUSH_WHOLE ? solids_impulse(m->frame->solids, k, (dew_vec3){0, 0, 0}).step.linear
                                          : solids_part(m->frame->solids, k, kind);
        for (int a = 0; a < 3; a++) values[a] += vec3_at(got, a) / step;
    }
    return DEW_OK;
}
