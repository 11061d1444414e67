/* How long a step may be, and the speed of sound from which that follows: the least of
 *
 *     cfl h/c,    1.8 sqrt(rho h^3/(2 pi gamma)),    h^2/(8 nu),    0.2 s over the speed of solids,
 *
 * with implicit pressure 16 times the first, and 0.4 s (next to solids 0.3 s) over the liquid's speed; with implicit
 * viscosity not the third.
 */
#include "methods/sph/flow.h"

/* At a solid, where what it takes of the sums is made up for too (walls.c), and in a groove, whose particles have their
 * neighbours along it: so much more may act there, and the step is so much shorter. */
#define SOLID_VISCOSITY 1.5

/* Where pressure is implicit: how many times sound's step it takes at most, so that the solver needs few turns; in
 * spacings how far a particle goes in it, where there are solids, too; and, as a step with it costs about twice as
 * much, how many times the explicit step it has to be for it to be chosen. */
#define IMPLICIT_STEP 16
#define IMPLICIT_MOTION 0.4
#define IMPLICIT_MOTION_AT_SOLIDS 0.3
#define IMPLICIT_WORTH 2

/* As a step with implicit viscosity takes some fifty passes over pairs, an explicit one six: how many explicit steps it
 * has to save to be chosen. */
#define CREEP_WORTH 10

/* Steps over the time sqrt(rho h^3/(2 pi gamma)) in which the shortest capillary wave that the kernel resolves goes by:
 * coarse drops are damped no more than by shorter ones. */
#define CAPILLARY_STEP 1.8

/* Follows the largest of the scene's speed, the flow's and sqrt(p/rho) upwards at once; downwards slowly, sph.c. */
static void update_sound(sph_state *p, const world *w, double flow_speed)
{
    p->saved_motion = fmax(fmax(flow_speed, p->least_motion), p->saved_motion);
    if (p->parameter[SPH_SOUND_SPEED] > 0) {
        p->saved_sound = p->parameter[SPH_SOUND_SPEED];
        return;
    }
    double typical = sqrt(world_typical_pressure(w, sph_arrays_of(p, w).pressure) / w->materials[0].density);
    double target = p->parameter[SPH_SOUND] * fmax(p->least_speed, fmax(flow_speed, typical));
    p->saved_sound = fmax(target, p->saved_sound);
    if (!(p->saved_sound > 0)) p->saved_sound = p->parameter[SPH_SOUND] * w->spacing; /* nothing moves anything */
}

/* What shakes particles is the flow that strains their order, tension on a rough surface, and the weight that stands on
 * them: noise grows with their speeds. Sound must bear the weight on the floor; layers far above a particle shake it
 * less than those near. Liquid that fills its box has no surface to shake: its viscosity is its own. The paper's mode
 * has that of sound. */
double sph_viscosity_of(const sph_state *p, const world *w)
{
    const dew_material_def *m = &w->materials[0];
    double speed = sph_tension_mode(p) == SPH_TENSION_PAPER ? p->saved_sound / 10 : p->is_full ? 0 : p->saved_motion;
    return fmax(m->viscosity / m->density, p->parameter[SPH_ALPHA] * speed * (double)p->support / 2);
}

/* Where viscosity damps sound before it is through a body of radius R, nothing goes at c: pressure spreads by
 * c (c R/(2 nu)). At c, what puts particles in order made a drop of 1000 Pa s round five times too fast. */
double sph_order_speed(const sph_state *p, const world *w)
{
    double c = p->saved_sound;
    return c * fmin(1, c * world_ball_radius(w) / (2 * sph_viscosity_of(p, w)));
}

/* `longer`: the implicit step over the explicit one. */
static bool choose_pressure(const sph_state *p, double longer)
{
    double choice = p->parameter[SPH_PRESSURE];
    if (sph_tension_mode(p) == SPH_TENSION_PAPER) return false;
    return choice > 1.5 || (choice < 0.5 && longer > IMPLICIT_WORTH);
}

/* Viscosity is implicit in liquid alone, by its own curvature. */
static bool may_creep(const sph_state *p, const world *w)
{
    double choice = p->parameter[SPH_PRESSURE];
    return sph_tension_mode(p) == SPH_TENSION_CURVATURE && (choice < 0.5 || choice > 1.5) && w->material_count == 1 &&
           solids_count(w->solids) == 0 && w->held_count == 0;
}

double sph_flow_time_step(void *state, world *w)
{
    sph_state *p = state;
    const dew_material_def *m = &w->materials[0];
    double speed = world_largest_speed(w), solid = world_solid_speed(w);
    update_sound(p, w, fmax(speed, solid));
    p->is_full = p->saved_started > 0 && !sph_is_open(p, w);
    double h = (double)p->support / 2, s = (double)p->s;
    /* Waves in gas are faster, as is the spreading of momentum: forces are the same, masses less. */
    double lightness = w->material_count > 1 ? m->density / w->materials[1].density : 1;
    double acoustic = p->parameter[SPH_CFL] * h / (p->saved_sound * sqrt(lightness));
    double wave = m->surface_tension > 0 ? sqrt(m->density * h * h * h / (2 * PI * m->surface_tension)) : INFINITY;
    double most_viscosity = (1 + 2 * (double)LACKING_VISCOSITY) * sph_viscosity_of(p, w); /* of pairs at the surface */
    if (solids_count(w->solids) > 0) most_viscosity *= SOLID_VISCOSITY;
    double viscous = 0.125 * h * h / (lightness * most_viscosity);
    double far = solids_count(w->solids) > 0 ? IMPLICIT_MOTION_AT_SOLIDS : IMPLICIT_MOTION;
    double moving = solid > 0 ? 0.2 * s / solid : INFINITY, motion = speed > 0 ? far * s / speed : INFINITY;
    double all = fmin(viscous, moving), capillary = CAPILLARY_STEP * wave;
    double explicit = fmin(fmin(all, capillary), acoustic);
    double most = fmin(fmin(motion, w->frame_interval), IMPLICIT_STEP * acoustic);
    double implicit = fmin(fmin(all, capillary), most);
    double creeping = fmin(fmin(moving, capillary), most);
    p->is_creeping = may_creep(p, w) && creeping > CREEP_WORTH * viscous;
    p->is_implicit = p->is_creeping || choose_pressure(p, implicit / explicit);
    double limit = p->is_creeping ? creeping : p->is_implicit ? implicit : explicit;
    w->limit = limit == viscous     ? "viscous"
               : limit == acoustic  ? "acoustic"
               : limit == capillary ? "capillary"
                                    : "speed";
    return limit;
}
