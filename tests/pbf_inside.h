/* A drop between the phases of a step of pbf's physical mode (methods/flow), for tests of each phase alone. */
#ifndef PBF_INSIDE_H
#define PBF_INSIDE_H

#include "methods/pbf/pbf.h"
#include "pbf_setup.h"

typedef double place[3];

/* The state between steps: lists at hand, the flow's step as it opens; it has begun where `begins`. */
static inline flow_step open_up(dew_simulation *s, double dt, bool begins)
{
    flow_step k;
    pbf_state *p = s->state;
    check_ok(world_update_neighbours(&s->w, true));
    check_ok(flow_open(&p->flow, &s->w, dt, &k));
    if (begins) check_ok(flow_begin(&k));
    return k;
}

/* A ball of radius 6 spacings that has been left to itself for a while. */
static inline dew_simulation *relaxed_ball(double frames)
{
    setup u;
    begin(&u, dew_sphere((dew_vec3){0.01, -0.02, 0.03}, 6 * SPACING));
    dew_simulation *s = create(&u);
    if (frames > 0) advance(s, frames * 0.05);
    return s;
}

static inline place *places_of(const real4 *x, int count)
{
    place *p = calloc((size_t)count + 1, sizeof *p);
    for (int i = 0; i < count; i++) p[i][0] = (double)x[i].x, p[i][1] = (double)x[i].y, p[i][2] = (double)x[i].z;
    return p;
}

static inline double length_of(const double *a) { return sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]); }

/* b - a; its length over h. */
static inline double from_to(const double *a, const double *b, double *d)
{
    for (int k = 0; k < 3; k++) d[k] = b[k] - a[k];
    return length_of(d) / (3 * SPACING);
}

#endif
