/* Particles to the grid, and back (sections 4.1.3, 4.2 of the paper; APIC, Jiang et al. 2015). */
#ifndef METHODS_MPM_ANY_PASSES_H
#define METHODS_MPM_ANY_PASSES_H

#include "methods/mpm/any/fluid.h"

/* Sets nodes, and the counts and strains of cubes, to 0. */
void clear_nodes(int begin, int end, void *context);

/* Adds up the strains of the liquid's particles in each cube of nodes, and counts them; then the means. */
void add_strains(int block, void *context);
void find_means(int begin, int end, void *context);

/* Adds mass, momentum and what stresses give of a block's particles and points to the nodes. */
void particles_to_grid(int block, void *context);

/* Moves the particles of a block by the nodes' velocities, strains them, and finds what the nodes have for its points.
 */
void particles_from_grid(int block, void *context);

#endif
