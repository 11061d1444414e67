/* The liquid's surface as a simulation's measurements share it. */
#ifndef SIM_MEASURE_SURFACE_H
#define SIM_MEASURE_SURFACE_H

#include "sim/simulation.h"
#include "surface/reconstruct.h"

/* Kept from one quantity to the next, for as long as no particle has moved. */
typedef struct measured_surface {
    uint64_t key;
    bool is_there; /* false: no particles, or spread too widely for a mesh */
    liquid_mesh mesh;
    mesh_size size;
    double wetted_cosine; /* sum of cos(contact angle) x wetted area, m^2 */
    real4 *points; /* of the free surface: vertices, against mesh.origin; w = a third of the area of their triangles */
    int point_count;
} measured_surface;

/* The surface now. Belongs to the simulation. */
dew_result measure_surface(const dew_simulation *s, const measured_surface **surface);
void measured_surface_destroy(measured_surface *surface); /* accepts NULL */

/* The nearest of all solids, or one of them. */
typedef struct solid_choice {
    const solids *solids;
    int which;       /* -1: the nearest */
    dew_vec3 origin; /* added to the points before they are asked for */
} solid_choice;
void solid_choice_distance(const void *choice, double band, int count, const real4 *points, real4 *normal_and_distance);

#endif
