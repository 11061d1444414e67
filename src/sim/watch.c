#include "sim/watch.h"

#include "definition/definition.h"
#include "frame/frame.h"
#include "measure/surface.h"

#include <math.h>
#include <string.h>

/* Looks are taken by counts, never by a clock, so that a run takes the same ones wherever it runs. From one to the next
 * so many samples of the dissipation's rate are taken: they cost half of what a look does together (docs/watching.md).
 */
enum { SAMPLES = 25, RATE_SAMPLES = 128, DENSITY_SAMPLES = 512, NARROW_SAMPLES = 64 };
/* Between two looks the density alone is glanced at so often less one, by so few sites: that takes a sixth of a look.
 */
enum { GLANCES = 4, GLANCE_SAMPLES = 128 };
/* What changes of energy are compared with is at least this share of a ball's surface energy: where particles lie
 * unevenly its measurement is off by a hundredth, and that is to be no more than the limit of the energy (5 %). And so
 * much of the energy of the liquid's weight that a density within its limit (2 %) moves it by no more than that. */
#define LEAST_OF_SURFACE 0.2
#define LEAST_OF_WEIGHT 0.4
/* m/s: liquid that goes no faster rests, and what it gains is rounding. */
#define LEAST_SPEED 1e-6
/* The kernel of another look, over the usual one; of the volume, what its mesh must hold. */
#define WIDER 1.4
#define KEPT 0.99
/* Of the limit: rises beyond it are looked at again. */
#define SUSPECT 0.2
/* Of a ball's surface: more than this no unevenness adds to it (docs/watching.md). */
#define UNEVEN 2.5
/* Of a ball's surface: a rise by so much is the measurement's own, which is told of by how much more there is. */
#define NOISE 0.005
/* Balances of energy are averaged over this share of the capillary time. */
#define AVERAGED 0.25

const char *const watch_names[DEW_WATCHED] = {
    [DEW_WATCHED_DENSITY] = "density",    [DEW_WATCHED_ENERGY] = "energy",
    [DEW_WATCHED_LOOSE] = "loose liquid", [DEW_WATCHED_MOMENTUM] = "momentum",
    [DEW_WATCHED_MASS] = "mass",          [DEW_WATCHED_DISSIPATION] = "dissipation",
    [DEW_WATCHED_NARROW] = "narrow",      [DEW_WATCHED_VISCOSITY] = "viscosity",
};
const char *const watch_sentences[DEW_WATCHED] = {
    [DEW_WATCHED_DENSITY] = "a body's mean density is off that at rest by",
    [DEW_WATCHED_ENERGY] = "energy came from nothing, in parts of what there was to give:",
    [DEW_WATCHED_LOOSE] = "of the mass is in bodies of fewer than 4 particles:",
    [DEW_WATCHED_MOMENTUM] = "momentum that gravity, solids and emitters do not explain:",
    [DEW_WATCHED_MASS] = "mass that emitters do not explain:",
    [DEW_WATCHED_DISSIPATION] = "energy that is gone over what viscosity has taken:",
    [DEW_WATCHED_NARROW] = "of the mass is in films, threads and rims narrower than the method resolves:",
    [DEW_WATCHED_VISCOSITY] = "the method's own viscosity over the material's:",
};

/* --- energies --- */

typedef struct energies {
    liquid_sums sums;
    double bodies;            /* kinetic, of bodies that move freely; potential has theirs */
    double potential, stored; /* stored: of the surface and of elastic strain; NaN where it cannot be told */
    double heated;            /* what the change of tensions since the last look has done to the surface */
    double enclosed;          /* volume within the mesh */
} energies;

const field_info watch_tension_field = {"watched_tension", "N/m", "at the last look", FIELD_REAL, 1, FIELD_RESTART};

/* A mesh whose cells are a spacing wide takes a quarter of the time, and its area changes by the same shares. */
static dew_result begin_measurement(measurement *m, const dew_frame *frame, measured_surface *surface)
{
    dew_result result = measurement_begin(m, frame, surface);
    m->cell = frame->spacing;
    return result;
}

/* The surface's energy can be told where all liquids have one tension, or there are one or two. */
static bool has_plain_energy(const dew_frame *f)
{
    return frame_has_one_tension(f) || frame_has_changing_tension(f) || frame_is_of_two_liquids(f);
}

static real *kept_tensions(const watch *w)
{
    return w->tension_field >= 0 ? particles_field(w->particles, w->tension_field) : NULL;
}

/* Tensions as they are, for the next look to know. */
static void keep_tensions(const watch *w, const measurement *m)
{
    if (kept_tensions(w)) measure_tensions(m, kept_tensions(w));
}

/* Energy of a surface whose tension changes, and what heat did to it since the last look: A d(gamma) of what each
 * particle holds of the surface now. A particle that has come since then (0) was as it is. */
static dew_result find_changing_energy(const watch *w, const measurement *m, const measured_surface *surface,
                                       arena *memory, energies *e)
{
    double sum[2];
    const real *kept = kept_tensions(w);
    ARENA_ARRAY(memory, m->count, real, tension);
    ARENA_ARRAY(memory, m->count, real, change);
    measure_tensions(m, tension);
    for (int i = 0; i < m->count; i++) change[i] = kept && kept[i] > 0 ? tension[i] - kept[i] : 0;
    RESULT_TRY(measure_surface_sums(m, surface, 2, (const real *const[]){tension, change}, memory, sum));
    e->stored += sum[0], e->heated = sum[1];
    return DEW_OK;
}

static dew_result find_surface_energy(const watch *w, const measurement *m, const measured_surface *surface,
                                      energies *e)
{
    double gamma = m->frame->materials[0].surface_tension;
    if (frame_is_of_two_liquids(m->frame)) {
        double energy;
        RESULT_TRY(measure_mixed_energy(m, surface, &energy));
        return e->stored += energy, DEW_OK;
    }
    if (!frame_has_changing_tension(m->frame)) {
        e->stored += gamma * (surface->size.area[MESH_FREE] - measure_wetted_cosine(m, surface));
        return DEW_OK;
    }
    arena *memory = arena_create();
    dew_result result = memory ? find_changing_energy(w, m, surface, memory, e)
                               : result_fail(DEW_NO_MEMORY, "no memory to watch the surface's energy");
    arena_destroy(memory);
    return result;
}

static void add_bodies(const dew_frame *f, energies *e)
{
    for (int k = 0; k < dew_frame_solid_count(f); k++) {
        solid_stand b = solids_stand(f->solids, k);
        if (!b.is_body || solids_is_removed(f->solids, k)) continue;
        e->bodies += b.is_free ? b.energy : 0, e->potential -= b.mass * vec3_dot(f->gravity, b.centre);
    }
}

static dew_result find_energies(const watch *w, const measurement *m, energies *e)
{
    const measured_surface *surface;
    *e = (energies){.sums = measure_sums(m), .stored = NAN};
    e->potential = measure_potential(m, &e->sums);
    add_bodies(m->frame, e);
    if (!has_plain_energy(m->frame)) return DEW_OK;
    RESULT_TRY(measure_named(m, "elastic_energy", &e->stored));
    if (frame_largest_tension(m->frame) == 0 || m->count == 0) return DEW_OK;
    RESULT_TRY(measure_surface(m, &surface));
    e->enclosed = surface->size.volume;
    if (surface->is_there) return find_surface_energy(w, m, surface, e);
    e->stored = NAN;
    return DEW_OK;
}

/* The k-th other look: by a wider kernel; by it with cells of half a spacing, which part more gaps from the surface;
 * and by the usual kernel with such cells, which sees a meniscus in a tube of a few spacings (by whole ones the column
 * of the trial `tube` gained 12 %). */
static dew_result find_energies_otherwise(const watch *w, const measurement *m, int k, energies *e)
{
    measured_surface surface = {0};
    measurement other = *m;
    other.surface = &surface;
    if (k > 0) other.cell = m->frame->spacing / 2;
    if (k < 2) other.reach = WIDER * RECONSTRUCT_REACH * m->frame->spacing;
    dew_result result = find_energies(w, &other, e);
    measured_surface_clear(&surface);
    return result;
}

/* Other meshes tell other areas of the same liquid: of a box of liquid less than a ball's surface by some per cent.
 * What they tell of it at the start is what they are compared by. */
static dew_result compare_meshes(const watch *w, const measurement *m, const energies *e, other_meshes *others)
{
    for (int k = 0; k < WATCH_OTHER_LOOKS; k++) {
        energies seen;
        RESULT_TRY(find_energies_otherwise(w, m, k, &seen));
        others->stored[k] = seen.stored - e->stored;
        others->enclosed[k] = e->enclosed > 0 ? seen.enclosed / e->enclosed : 1;
    }
    return DEW_OK;
}

/* Where particles lie unevenly a mesh sees ridges and gaps as surface: all add to it, and a wider kernel sees fewer, so
 * the lesser of two is nearer. Where that loses films and spray it has lost volume too, and does not count. The usual
 * kernel loses none. */
static dew_result doubt_surface(const watch *w, const measurement *m, int k, energies *e)
{
    const other_meshes *first = &w->record.others;
    energies seen;
    RESULT_TRY(find_energies_otherwise(w, m, k, &seen));
    if (k == 2 || seen.enclosed > KEPT * first->enclosed[k] * e->enclosed)
        e->stored = fmin(e->stored, seen.stored - first->stored[k]);
    return DEW_OK;
}

/* Energy of the surface of a volume at rest over that of a ball (in two dimensions a disc) of it: of a cap on the solid
 * that it wets best. */
static double rest_share(const dew_frame *f)
{
    double cosine = -1;
    for (int k = 0; k < dew_frame_solid_count(f); k++)
        if (!solids_is_removed(f->solids, k))
            cosine = fmax(cosine, solids_info(f->solids, k, f->materials[0].surface_tension).cos_contact_angle);
    double angle = acos(fmin(fmax(cosine, -1), 1));
    if (f->dimension == 2) return sqrt((angle - sin(angle) * cos(angle)) / PI);
    return cbrt((2 + cosine) * (1 - cosine) * (1 - cosine) / 4);
}

/* Area of the ball that holds a volume; in two dimensions circumference of the disc. */
static double ball_area(const dew_frame *f, double volume)
{
    return f->dimension == 2 ? 2 * sqrt(PI * volume) : cbrt(36 * PI * volume * volume);
}

/* Energy of the surface of as much liquid at rest, J. */
static double rest_energy(const dew_frame *f, const energies *e)
{
    return frame_largest_tension(f) * ball_area(f, e->sums.volume) * rest_share(f);
}

static double weight_of(const measurement *m, const liquid_sums *sums)
{
    dew_vec3 g = m->frame->gravity, c = sums->centre;
    double most = 0;
    for (int i = 0; i < m->count; i++) {
        real4 x = m->position[i];
        most = fmax(most, vec3_dot(g, (dew_vec3){x.x - c.x, x.y - c.y, x.z - c.z}));
    }
    return sums->mass * most;
}

/* Kinetic energy of the motion of the centre of mass. */
static double drift_of(const energies *e)
{
    return e->sums.mass > 0 ? vec3_dot(e->sums.momentum, e->sums.momentum) / (2 * e->sums.mass) : 0;
}

static double capillary_time(const dew_frame *f, const energies *e)
{
    double tension = frame_largest_tension(f), density = f->materials[0].density;
    double volume = e->sums.volume, radius = f->dimension == 2 ? sqrt(volume / PI) : cbrt(3 * volume / (4 * PI));
    return tension > 0 ? sqrt(density * radius * radius * radius / tension) : 0;
}

/* --- balances --- */

static double balance_of(const watch_record *r, const energies *e)
{
    return e->sums.kinetic + e->bodies + e->potential + e->stored - r->energy - r->energy_in + r->energy_out - r->work -
           r->heated - e->heated;
}

/* What changes of energy are compared with. */
static double energy_scale(const watch_record *r, const dew_frame *f, const energies *e)
{
    double least = LEAST_OF_SURFACE * frame_largest_tension(f) * ball_area(f, e->sums.volume);
    least = fmax(fmax(least, LEAST_OF_WEIGHT * r->weight), e->sums.mass * LEAST_SPEED * LEAST_SPEED / 2);
    return fmax(fmax(r->excess, r->relaxed) + r->motion + r->stopped + r->released + r->work_done + r->energy_in -
                    r->potential_in + r->heated_most,
                least);
}

static void remember_balance(watch_record *r, double time, double balance)
{
    int count = (int)r->recent_count;
    if (count == WATCH_RECENT) {
        memmove(r->recent_time, r->recent_time + 1, (WATCH_RECENT - 1) * sizeof *r->recent_time);
        memmove(r->recent_balance, r->recent_balance + 1, (WATCH_RECENT - 1) * sizeof *r->recent_balance);
        count--;
    }
    r->recent_time[count] = time, r->recent_balance[count++] = balance;
    r->recent_count = count;
}

static double mean_balance(const watch_record *r, const dew_frame *f, const energies *e)
{
    int count = (int)r->recent_count, used = 0;
    double since = f->time - AVERAGED * capillary_time(f, e), sum = 0;
    for (int k = 0; k < count; k++)
        if (r->recent_time[k] >= since) sum += r->recent_balance[k], used++;
    return sum / used;
}

/* Whether a rise is to be told, its own or the averaged one, and may be of particles that lie unevenly. */
static bool is_doubtful(const watch *w, const dew_frame *f, const energies *e, double averaged)
{
    const watch_record *r = &w->record;
    double limit = w->limits.limit[DEW_WATCHED_ENERGY], scale = energy_scale(r, f, e);
    double worst = r->worst[DEW_WATCHED_ENERGY], rise = balance_of(r, e) - r->lowest;
    double uneven = UNEVEN * f->materials[0].surface_tension * ball_area(f, e->sums.volume);
    if (limit == 0 || averaged > limit * scale + uneven) return false;
    return rise > fmax(limit, worst) * scale || averaged > fmax(SUSPECT * limit, worst) * scale;
}

/* The rise of the averaged balance above the least that it has been, J, as far as it is more than the measurement's
 * own. A doubtful one is looked at again. */
static dew_result find_gain(watch *w, const measurement *m, energies *e, double *gain)
{
    watch_record *r = &w->record;
    const dew_frame *f = m->frame;
    remember_balance(r, f->time, balance_of(r, e));
    *gain = mean_balance(r, f, e) - r->lowest;
    for (int k = 0; k < WATCH_OTHER_LOOKS && is_doubtful(w, f, e, *gain); k++) {
        RESULT_TRY(doubt_surface(w, m, k, e));
        r->recent_balance[(int)r->recent_count - 1] = balance_of(r, e);
        *gain = mean_balance(r, f, e) - r->lowest;
    }
    r->lowest = fmin(r->lowest, r->lowest + *gain);
    *gain = fmax(*gain - NOISE * f->materials[0].surface_tension * ball_area(f, e->sums.volume), 0);
    return DEW_OK;
}

static double mass_balance(const watch_record *r, const energies *e)
{
    return e->sums.mass - r->mass - r->mass_in + r->mass_out;
}

/* What of the momentum nothing explains; along a plane of symmetry's normal nothing is known. */
static dew_vec3 momentum_balance(const watch_record *r, const dew_frame *f, dew_vec3 momentum)
{
    double left[3];
    for (int a = 0; a < 3; a++) {
        left[a] = vec3_at(momentum, a) - r->momentum[a] - r->momentum_in[a] + r->momentum_out[a] -
                  r->momentum_of_gravity[a] + r->momentum_given[a];
        if (f->domain.axis[a] == DEW_SYMMETRY) left[a] = 0;
    }
    return (dew_vec3){left[0], left[1], left[2]};
}

/* Energy that is gone over what viscosity has taken; NaN while so little is gone that the probe's noise is in it, and
 * for liquid without viscosity. */
static double dissipation_of(const watch_record *r, const dew_frame *f, const energies *e)
{
    double lost = -balance_of(r, e);
    return r->dissipated > 0 && fabs(lost) > 0.1 * energy_scale(r, f, e) ? lost / r->dissipated : NAN;
}

/* The method's own viscosity over that of the thinnest liquid. NaN: of none, or no step has told it. */
static double own_viscosity(const watch_record *r, const dew_frame *f)
{
    double share = NAN;
    for (int k = 0; k < f->material_count; k++)
        if (!(definition_shear_modulus(&f->materials[k]) > 0))
            share = fmax(share, r->own_viscosity * f->materials[k].density / f->materials[k].viscosity);
    return share;
}

/* --- looking --- */

static void note(watch *w, dew_watched_quantity which, double value, double time)
{
    watch_record *r = &w->record;
    r->now[which] = value;
    if (!(fabs(value) > fabs(r->worst[which]))) return;
    r->worst[which] = value, r->worst_time[which] = time;
    double limit = w->limits.limit[which];
    if (limit > 0 && fabs(value) > limit) r->is_beyond[which] = 1;
}

/* How dense the liquid is and how much of it loose. That of a filling is no doing of the run: where its lattice meets
 * solids aslant the first layer is off by up to half a spacing (a lens of five layers in a bowl reads -2.2 %, and a
 * fifth of a millisecond later -0.7 %). */
static dew_result look_at_density(watch *w, const measurement *m, int64_t steps)
{
    liquid_density density = {NAN, NAN, 0};
    if (steps > 0)
        RESULT_TRY(measure_density(m, DENSITY_SAMPLES, &density));
    else
        RESULT_TRY(measure_loose(m, NULL, &density.loose));
    note(w, DEW_WATCHED_DENSITY, density.mean, m->frame->time);
    note(w, DEW_WATCHED_LOOSE, density.loose, m->frame->time);
    return DEW_OK;
}

/* What few sites say of all bodies together is told when many say it of one. */
static dew_result glance(watch *w, const measurement *m, int64_t steps)
{
    double limit = w->limits.limit[DEW_WATCHED_DENSITY], mean;
    if (limit == 0 || w->record.is_beyond[DEW_WATCHED_DENSITY] > 0) return DEW_OK;
    RESULT_TRY(measure_mean_density(m, GLANCE_SAMPLES, &mean));
    return fabs(mean) > limit ? look_at_density(w, m, steps) : DEW_OK;
}

/* At samples: whether it is the first one after another part of the steps between looks. */
static bool is_glanced(const watch *w, int64_t steps)
{
    const watch_record *r = &w->record;
    double part = fmax(w->look_steps / GLANCES, 1), before = fmax(r->sample_step - r->look_step, 0);
    return floor(((double)steps - r->look_step) / part) > floor(before / part);
}

/* Adds what viscosity has taken since the last sample, by the trapezium of the rates. */
static dew_result sample(watch_record *r, const measurement *m, int64_t steps)
{
    double rate;
    RESULT_TRY(measure_dissipation(m, RATE_SAMPLES, &rate));
    r->dissipated += (m->frame->time - r->rate_time) * (rate + r->rate) / 2;
    r->rate = rate, r->rate_time = m->frame->time, r->sample_step = (double)steps;
    return DEW_OK;
}

/* What heat did since the last look is in the record from now on. */
static void take_heat(watch_record *r, energies *e)
{
    r->heated += e->heated, r->heated_most += fabs(e->heated), e->heated = 0;
}

static dew_result look(watch *w, const measurement *m, int64_t steps)
{
    watch_record *r = &w->record;
    const dew_frame *f = m->frame;
    energies e;
    double gain, narrow;
    r->look_step = (double)steps, r->looks++;
    RESULT_TRY(find_energies(w, m, &e));
    take_heat(r, &e);
    RESULT_TRY(look_at_density(w, m, steps));
    RESULT_TRY(measure_narrow_share(m, NARROW_SAMPLES, &narrow));
    r->released = fmax(r->released, r->potential + r->potential_in - r->potential_out - e.potential);
    r->relaxed = fmax(r->relaxed, r->stored - e.stored);
    r->stopped = fmax(r->stopped, r->drift - drift_of(&e));
    if (isfinite(e.stored)) {
        RESULT_TRY(find_gain(w, m, &e, &gain));
        note(w, DEW_WATCHED_ENERGY, gain / energy_scale(r, f, &e), f->time);
        note(w, DEW_WATCHED_DISSIPATION, dissipation_of(r, f, &e), f->time);
    }
    note(w, DEW_WATCHED_NARROW, narrow, f->time);
    note(w, DEW_WATCHED_VISCOSITY, own_viscosity(r, f), f->time);
    r->largest_momentum = fmax(r->largest_momentum, sqrt(2 * e.sums.kinetic * e.sums.mass));
    dew_vec3 left = momentum_balance(r, f, e.sums.momentum);
    if (r->largest_momentum > 0) note(w, DEW_WATCHED_MOMENTUM, vec3_length(left) / r->largest_momentum, f->time);
    if (r->mass + r->mass_in > 0) note(w, DEW_WATCHED_MASS, mass_balance(r, &e) / (r->mass + r->mass_in), f->time);
    return DEW_OK;
}

static dew_result begin(watch *w, const measurement *m)
{
    watch_record *r = &w->record;
    const dew_frame *f = m->frame;
    energies e;
    *r = (watch_record){.is_begun = 1, .rate_time = f->time, .own_viscosity = NAN};
    for (int k = 0; k < DEW_WATCHED; k++) r->now[k] = NAN; /* until it is told */
    RESULT_TRY(find_energies(w, m, &e));
    double rest = rest_energy(f, &e);
    r->mass = e.sums.mass, r->potential = e.potential, r->weight = weight_of(m, &e.sums);
    r->momentum[0] = e.sums.momentum.x, r->momentum[1] = e.sums.momentum.y, r->momentum[2] = e.sums.momentum.z;
    r->energy = e.sums.kinetic + e.bodies + e.potential + e.stored;
    r->stored = e.stored, r->excess = fmax(e.stored - rest, 0), r->drift = drift_of(&e),
    r->motion = e.sums.kinetic - r->drift + e.bodies;
    RESULT_TRY(compare_meshes(w, m, &e, &r->others));
    RESULT_TRY(measure_dissipation(m, RATE_SAMPLES, &r->rate));
    return look(w, m, 0);
}

dew_result watch_begin(watch *w, const dew_frame *frame)
{
    measured_surface surface = {0};
    measurement m;
    dew_result result = begin_measurement(&m, frame, &surface);
    if (result == DEW_OK) result = begin(w, &m);
    if (result == DEW_OK) keep_tensions(w, &m);
    measured_surface_clear(&surface);
    return result;
}

bool watch_is_due(const watch *w, int64_t steps) { return (double)steps - w->record.look_step >= w->look_steps; }

/* Who falls out of a periodic face comes in above: the potential energy that this gives is what gravity does on the way
 * around. */
void watch_step(watch *w, const world *in, double dt)
{
    watch_record *r = &w->record;
    const solids *s = in->solids;
    dew_vec3 gravity = in->gravity;
    const double *back = in->particles->brought_back;
    double lifted = -vec3_dot(gravity, (dew_vec3){back[0], back[1], back[2]});
    r->energy_in += lifted, r->potential_in += lifted;
    double mass = r->mass + r->mass_in - r->mass_out, work = solids_work(s);
    for (int a = 0; a < 3; a++) r->momentum_of_gravity[a] += mass * vec3_at(gravity, a) * dt;
    for (int k = 0; k < solids_count(s); k++) {
        dew_vec3 given = solids_impulse(s, k, (dew_vec3){0, 0, 0}).step.linear;
        for (int a = 0; a < 3; a++) r->momentum_given[a] += vec3_at(given, a);
    }
    r->work += work, r->work_done += fmax(work, 0);
}

void watch_inflow(watch *w, const inflow *in)
{
    watch_record *r = &w->record;
    r->mass_in += in->mass, r->energy_in += in->kinetic + in->potential + in->surface, r->potential_in += in->potential;
    for (int a = 0; a < 3; a++) r->momentum_in[a] += vec3_at(in->momentum, a);
}

void watch_outflow(watch *w, const outflow *out)
{
    watch_record *r = &w->record;
    r->count_out += out->count, r->mass_out += out->mass;
    r->energy_out += out->kinetic + out->potential, r->potential_out += out->potential;
    for (int a = 0; a < 3; a++) r->momentum_out[a] += vec3_at(out->momentum, a);
}

/* The start counts as if the change had held there already: balances do not see it, and what there is to give does. */
static dew_result take_change(watch *w, const measurement *m, bool is_made)
{
    watch_record *r = &w->record;
    watch_change_state now, *before = &w->before;
    energies e;
    RESULT_TRY(find_energies(w, m, &e));
    now.potential = e.potential + e.bodies, now.stored = e.stored;
    RESULT_TRY(compare_meshes(w, m, &e, &now.others));
    if (!is_made) take_heat(r, &e);
    keep_tensions(w, m);
    if (is_made) {
        double potential = now.potential - before->potential, stored = now.stored - before->stored;
        r->potential += potential, r->stored += stored, r->energy += potential + stored;
        for (int k = 0; k < WATCH_OTHER_LOOKS; k++)
            r->others.stored[k] += now.others.stored[k] - before->others.stored[k];
        r->excess = fmax(r->excess, e.stored - rest_energy(m->frame, &e));
        r->weight = fmax(r->weight, weight_of(m, &e.sums));
    }
    w->before = now;
    return DEW_OK;
}

dew_result watch_change(watch *w, const dew_frame *frame, bool is_made)
{
    measured_surface surface = {0};
    measurement m;
    dew_result result = begin_measurement(&m, frame, &surface);
    if (result == DEW_OK) result = take_change(w, &m, is_made);
    measured_surface_clear(&surface);
    return result;
}

/* is_kept: what follows counts from here. */
static dew_result watch_at(watch *w, const dew_frame *frame, int64_t steps, bool is_now, bool is_kept)
{
    watch_record *r = &w->record;
    measured_surface surface = {0};
    measurement m;
    double since_sample = (double)steps - r->sample_step;
    bool is_sampled = since_sample >= (is_now ? 1 : fmax(w->look_steps / SAMPLES, 1)),
         is_looked = is_now ? (double)steps > r->look_step : watch_is_due(w, steps);
    if (!is_sampled && !is_looked) return DEW_OK;
    bool is_glance = !is_looked && is_glanced(w, steps);
    dew_result result = begin_measurement(&m, frame, &surface);
    if (result == DEW_OK && is_sampled) result = sample(r, &m, steps);
    if (result == DEW_OK && is_glance) result = glance(w, &m, steps);
    if (result == DEW_OK && is_looked) result = look(w, &m, steps);
    if (result == DEW_OK && is_looked && is_kept) keep_tensions(w, &m);
    measured_surface_clear(&surface);
    return result;
}

dew_result watch_frame(watch *w, const dew_frame *frame, int64_t steps, bool is_now)
{
    return watch_at(w, frame, steps, is_now, true);
}

dew_result watch_peek(watch *w, const dew_frame *frame, int64_t steps)
{
    watch_record course = w->record;
    dew_result result = watch_at(w, frame, steps, true, false);
    w->peeked = w->record, w->record = course, w->is_peeked = result == DEW_OK;
    return result;
}

static dew_result measure_balance(const watch *w, const measurement *m, const char *name, double *values)
{
    const watch_record *r = &w->record;
    energies e;
    RESULT_TRY(find_energies(w, m, &e));
    if (strcmp(name, "energy_balance") == 0) {
        values[0] = balance_of(r, &e);
    } else if (strcmp(name, "dissipation") == 0) {
        values[0] = dissipation_of(r, m->frame, &e);
    } else if (strcmp(name, "mass_balance") == 0) {
        values[0] = mass_balance(r, &e);
    } else {
        dew_vec3 left = momentum_balance(r, m->frame, e.sums.momentum);
        values[0] = left.x, values[1] = left.y, values[2] = left.z;
    }
    return DEW_OK;
}

bool watch_measure(const watch *w, const dew_frame *frame, const char *name, double *values)
{
    if (strcmp(name, "outflow") == 0) return values[0] = w->record.mass_out, values[1] = w->record.count_out, true;
    if (!measure_is_balance(name)) return false;
    measured_surface surface = {0};
    measurement m;
    watch fresh = *w;
    dew_result result = begin_measurement(&m, frame, &surface);
    if (result == DEW_OK && w->record.is_begun == 0) result = begin(&fresh, &m); /* the run's first frame */
    if (result == DEW_OK) result = measure_balance(&fresh, &m, name, values);
    measured_surface_clear(&surface);
    return result == DEW_OK;
}
