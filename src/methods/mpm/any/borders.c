#include "methods/mpm/any/borders.h"

/* The face that shares with a face the border that begins at its corner e (in the plane: that corner); -1: there is
 * none. *at becomes which of the other's corners, or in space which of its borders, that is. */
static int face_beyond(const contour *c, int index, int e, int *at)
{
    const face *f = &c->faces[index];
    const int32_t v = f->corner[e], last = f->corner[(e + 1) % FACE_CORNERS];
    for (int k = 0; k < EDGES; k++) {
        const int32_t other = c->around[(size_t)v * EDGES + (size_t)k];
        if (other < 0 || other == index) continue;
        const int32_t *corner = c->faces[other].corner;
        for (*at = 0; *at < FACE_CORNERS; ++*at)
            if (DIM == 3 ? corner[*at] == last && corner[(*at + 1) % FACE_CORNERS] == v : corner[*at] == v && *at != e)
                return other;
    }
    return -1;
}

#if DIM == 3

void borders_of(const contour *c, int sample, border b[BORDERS])
{
    const int index = sample / SAMPLES_OF_FACE, half = sample % SAMPLES_OF_FACE;
    const face *f = &c->faces[index];
    const int first = face_diagonal(c, f), at[3] = {first, (first + 1 + half) % 4, (first + 2 + half) % 4};
    real3 p[3];
    for (int k = 0; k < 3; k++) p[k] = face_corner(c, f, at[k]);
    const real3 normal = real3_normalise(real3_cross(real3_sub(p[1], p[0]), real3_sub(p[2], p[0])));
    for (int k = 0; k < 3; k++) {
        const real3 from = p[k], to = p[(k + 1) % 3];
        const bool is_diagonal = at[(k + 1) % 3] != (at[k] + 1) % 4;
        int side = 0;
        const int other = is_diagonal ? index : face_beyond(c, index, at[k], &side);
        b[k].at = real3_scale((real)0.5, real3_add(from, to));
        b[k].out = real3_cross(real3_sub(to, from), normal);
        if (is_diagonal)
            b[k].next = index * SAMPLES_OF_FACE + 1 - half;
        else if (other < 0)
            b[k].next = -1;
        else
            b[k].next = other * SAMPLES_OF_FACE + (side - face_diagonal(c, &c->faces[other]) + 4) % 4 / 2;
    }
}

#else

void borders_of(const contour *c, int sample, border b[BORDERS])
{
    const int index = sample / SAMPLES_OF_FACE, half = sample % SAMPLES_OF_FACE;
    const real3 p = face_corner(c, &c->faces[index], 0), q = face_corner(c, &c->faces[index], 1);
    const real3 out = real3_scale((real)(half ? 1 : -1), real3_normalise(real3_sub(q, p)));
    int corner;
    const int other = face_beyond(c, index, half, &corner);
    b[0] = (border){half ? q : p, out, other < 0 ? -1 : other * SAMPLES_OF_FACE + corner};
    b[1] = (border){real3_scale((real)0.5, real3_add(p, q)), real3_scale(-1, out), index * SAMPLES_OF_FACE + 1 - half};
}

#endif
