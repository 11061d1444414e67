#include "floating.h"

#include "dew/dew.h"

#include <math.h>

/* A point of the meniscus, and the volume of liquid above height 0 between the line and there. */
typedef struct arc {
    double r, h, phi, volume;
} arc;

static arc slope_of(arc a, double c)
{
    return (arc){cos(a.phi), sin(a.phi), c * a.h - sin(a.phi) / a.r, 2 * M_PI * a.r * a.h * cos(a.phi)};
}

static arc go(arc a, arc slope, double ds)
{
    return (arc){a.r + ds * slope.r, a.h + ds * slope.h, a.phi + ds * slope.phi, a.volume + ds * slope.volume};
}

static arc step(arc a, double c, double ds)
{
    arc k1 = slope_of(a, c), k2 = slope_of(go(a, k1, ds / 2), c), k3 = slope_of(go(a, k2, ds / 2), c),
        k4 = slope_of(go(a, k3, ds), c);
    arc mean = {(k1.r + 2 * k2.r + 2 * k3.r + k4.r) / 6, (k1.h + 2 * k2.h + 2 * k3.h + k4.h) / 6,
                (k1.phi + 2 * k2.phi + 2 * k3.phi + k4.phi) / 6,
                (k1.volume + 2 * k2.volume + 2 * k3.volume + k4.volume) / 6};
    return go(a, mean, ds);
}

/* From the line out to the wall, or to where the surface turns back. */
static arc shoot(const floating_ball *b, double r, double h, double phi)
{
    double c = 1 / (b->capillary_length * b->capillary_length), ds = 0.01 * fmin(b->radius, b->capillary_length);
    arc a = {r, h, phi, 0};
    while (a.r < b->tank && fabs(a.phi) < M_PI / 2 + 1e-3 + fabs(phi)) {
        double along = cos(a.phi);
        a = step(a, c, a.r + ds * along > b->tank && along > 0 ? (b->tank - a.r) / along + 1e-12 : ds);
        if (a.phi > 3 || a.phi < -3) break;
    }
    return a;
}

/* Height of the line for which the meniscus ends level at the tank's wall. */
static double line_height(const floating_ball *b, double r, double phi, double *volume)
{
    double low = -5 * b->capillary_length, high = -low;
    arc a = {0};
    for (int k = 0; k < 80; k++) {
        double middle = (low + high) / 2;
        a = shoot(b, r, middle, phi);
        if (a.phi > 0)
            high = middle;
        else
            low = middle;
    }
    *volume = a.volume;
    return (low + high) / 2;
}

/* What the liquid carries at beta, less the ball's weight, over rho g. */
static double excess(const floating_ball *b, double beta, double *depth, double *raised)
{
    double radius = b->radius, cosine = cos(beta), r = radius * sin(beta), phi = beta + b->angle - M_PI, volume;
    double h = line_height(b, r, phi, &volume), l = b->capillary_length;
    double cap = M_PI * radius * radius * radius * (2.0 / 3 - cosine + cosine * cosine * cosine / 3);
    *depth = radius - (h + radius * cosine);
    *raised = (cap - M_PI * r * r * h - volume) / (M_PI * b->tank * b->tank);
    return cap - M_PI * r * r * h + 2 * M_PI * r * l * l * sin(phi) -
           b->density * 4 * M_PI / 3 * radius * radius * radius;
}

double floating_depth(const floating_ball *b, double *raised)
{
    enum { PARTS = 60 };
    double depth, low = 0;
    for (int k = 1; k < PARTS; k++) {
        double beta = M_PI * k / PARTS;
        if (!(excess(b, beta, &depth, raised) > 0)) {
            low = beta;
            continue;
        }
        double high = beta;
        low = fmax(low, 1e-3);
        for (int i = 0; i < 40; i++) {
            double middle = (low + high) / 2;
            *(excess(b, middle, &depth, raised) > 0 ? &high : &low) = middle;
        }
        return depth;
    }
    return NAN;
}

dew_result floating_run(const dew_method_info *method, const law_settings *settings, const floating_case *c,
                        double part, double share, floating_seen *seen)
{
    law_space space;
    *seen = (floating_seen){.seconds = -law_cpu_seconds()};
    dew_simulation_def def = law_definition(method, settings, &space);
    double width = c->ball.tank * sqrt(M_PI), density = space.material.density, r = c->ball.radius;
    double l = c->ball.capillary_length;
    space.material.surface_tension = density * c->gravity * l * l, space.material.viscosity = c->viscosity;
    def.spacing = c->spacing;
    law_tank(&def, &space, 3, (dew_vec3){width, width, c->pool + 4 * r}, law_repeats(method), law_repeats(method));
    def.gravity.z = -c->gravity;
    int ball = def.solid_count++;
    double centre = c->pool - c->start + r, drowned = fmin(fmax(c->start, 0), 2 * r);
    law_ball(&space, ball, (dew_vec3){width / 2, width / 2, centre}, r, c->ball.density);
    space.solids[ball].contact_angle = c->ball.angle * 180 / M_PI, space.solids[ball].rigid.is_held = c->held > 0;
    /* The liquid's volume is that of the pool without a ball. */
    double level = c->pool + M_PI * drowned * drowned * (r - drowned / 3) / (width * width);
    space.liquids[0].shape = dew_box((dew_vec3){0}, (dew_vec3){width, width, level});
    double interval = c->duration / c->frames;
    int held = (int)ceil(c->held / interval);
    def.duration = c->duration + held * interval, def.frame_rate = 1 / interval;
    dew_simulation *simulation;
    dew_result status = dew_simulation_create(&def, &simulation);
    if (status) return status;
    seen->particles = dew_simulation_particle_count(simulation);
    seen->start = c->start;
    double pool = seen->particles * pow(c->spacing, 3) / (width * width); /* as filled */
    for (int k = 0; k < held + c->frames && !status; k++) {
        double place[3], velocity[3], all = held + c->frames;
        law_report(settings, part + share * k / all, "%s", c->label);
        if (k == held && held > 0) status = dew_simulation_release_solid(simulation, ball);
        if (!status) status = law_advance(simulation, 1, NULL, NULL);
        if (!status) status = dew_simulation_measure(simulation, "solid_centre", place);
        if (!status) status = dew_simulation_measure(simulation, "solid_velocity", velocity);
        if (status || k < held) continue;
        double time = (k + 1 - held) * interval;
        if (!series_add(&seen->depth, time, pool - (place[2] - r)) || !series_add(&seen->speed, time, velocity[2]))
            status = DEW_NO_MEMORY;
    }
    if (!status) law_show(settings, simulation, "%s", c->label);
    dew_simulation_destroy(simulation);
    seen->seconds += law_cpu_seconds();
    return status;
}

void floating_seen_free(floating_seen *seen) { series_free(&seen->depth), series_free(&seen->speed); }

double floating_first_acceleration(const floating_seen *seen, double farthest)
{
    double tt = 0, tx = 0, xx = 0, tv = 0, xv = 0;
    for (int i = 0; i < seen->speed.count; i++) {
        double t = seen->speed.time[i], v = seen->speed.value[i], x = seen->start - seen->depth.value[i];
        if (fabs(x) > farthest) break;
        tt += t * t, tx += t * x, xx += x * x, tv += t * v, xv += x * v;
    }
    return (tv * xx - xv * tx) / (tt * xx - tx * tx);
}
