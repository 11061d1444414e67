/* An upright pipe that liquid is let into and flows out of, downwards. */
#ifndef LAWS_NOZZLE_H
#define LAWS_NOZZLE_H

#include "law.h"

/* What a nozzle is made of; it must live until the simulation has been created. */
typedef struct nozzle {
    dew_shape_def parts[2], filling[2];
    dew_emitter_def emitter;
} nozzle;

/* Solid 0: a pipe of this inner radius whose mouth is at height 0, closed at its upper end, where liquid comes in at
 * `speed` (m/s); in two dimensions two walls and a lid. It is filled, and `hanging` of a half ball hangs from its mouth
 * (0: none, 1: whole). */
void nozzle_define(dew_simulation_def *def, law_space *space, nozzle *n, double radius, double speed, double hanging);

/* Flow past a stretch of a jet. */
typedef struct jet_found {
    double mass, momentum; /* kg/s, N; in two dimensions for a metre of depth */
    double density; /* over that at rest: by the second moment across, of a round jet R^2/2, of a flat one R^2/3 */
} jet_found;
jet_found jet_measure(const dew_frame *frame, double from, double to);

#endif
