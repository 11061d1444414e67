/* The liquid's surface as a frame's measurements share it. */
#ifndef MEASURE_SURFACE_H
#define MEASURE_SURFACE_H

#include "measure/line.h"
#include "measure/quantities.h"
#include "solids/solids.h"
#include "surface/reconstruct.h"

/* Kept by a measurer from one quantity to the next, for as long as the frame is the same. */
typedef struct measured_surface {
    uint64_t key;
    bool is_there; /* false: no particles, or spread too widely for a mesh */
    liquid_mesh mesh;
    mesh_size size;    /* areas as if the mesh met solids without a bend: see measure/line.h */
    arena *memory;     /* of the line */
    contact_line line; /* NULL, 0 without solids */
    double *wetted;    /* of each solid: its wetted area, m^2 (2D: m) */
    real4 *points; /* of the free surface: vertices, against mesh.origin; w = a third of the area of their triangles */
    int point_count;
} measured_surface;

/* A hash of what measurements depend on and a measurer may meet another of: places, time, solids. */
uint64_t measure_key(const dew_frame *frame);
/* The surface of the frame. Belongs to the measurer. */
dew_result measure_surface(const measurement *m, const measured_surface **surface);
/* Of the solid that is measured, or all. */
double measure_wetted(const measurement *m, const measured_surface *surface);
/* Of all solids: the sum of cos(contact angle) x wetted area. */
double measure_wetted_cosine(const measurement *m, const measured_surface *surface);
/* The energy of the surfaces of two liquids, with air and with each other, J. The surface is there. */
dew_result measure_mixed_energy(const measurement *m, const measured_surface *surface, double *energy);
/* Each particle's tension, N/m: the first material's, by temperature and what is dissolved. */
void measure_tensions(const measurement *m, real *tension);
/* The integral of each of the particles' values over the free surface, less that over what is wetted, times the cosine
 * of each solid's angle: with tensions it is the surface's energy. The surface is there. */
dew_result measure_surface_sums(const measurement *m, const measured_surface *surface, int values,
                                const real *const *value, arena *memory, double *sum);
void measured_surface_clear(measured_surface *surface);

/* The nearest of all solids, or one of them. */
typedef struct solid_choice {
    const solids *solids;
    int which;       /* -1: the nearest */
    dew_vec3 origin; /* added to the points before they are asked for */
} solid_choice;
void solid_choice_distance(const void *choice, double band, int count, const real4 *points, real4 *normal_and_distance);

#endif
