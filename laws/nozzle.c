#include "nozzle.h"

#include <math.h>

/* A cylinder along z between two heights, in two dimensions a box along y. */
static dew_shape_def pipe_of(int dimension, double from, double to, double radius)
{
    return dimension == 2 ? dew_box((dew_vec3){-radius, from, -1}, (dew_vec3){radius, to, 1})
                          : dew_cylinder((dew_vec3){0, 0, from}, (dew_vec3){0, 0, to}, radius);
}

void nozzle_define(dew_simulation_def *def, law_space *space, nozzle *n, double radius, double speed, double hanging)
{
    double length = 2 * radius, wall = 3 * def->spacing;
    int dimension = def->dimension;
    n->parts[0] = pipe_of(dimension, 0, length + wall, radius + wall);
    /* Room for the row that comes in. */
    n->parts[1] = pipe_of(dimension, -length, length + 0.5 * def->spacing, radius);
    space->solids[0].name = "nozzle";
    space->solids[0].shape = dew_default_shape_def();
    space->solids[0].shape.kind = DEW_SHAPE_DIFFERENCE;
    space->solids[0].shape.combination.children = n->parts;
    space->solids[0].shape.combination.count = 2;
    def->solid_count = 1;
    n->filling[0] = pipe_of(dimension, 0, length, radius);
    n->filling[1] = dew_sphere((dew_vec3){0}, radius * hanging);
    space->liquids[0].shape = n->filling[0];
    if (hanging > 0) {
        space->liquids[0].shape = dew_default_shape_def();
        space->liquids[0].shape.kind = DEW_SHAPE_UNION;
        space->liquids[0].shape.combination.children = n->filling;
        space->liquids[0].shape.combination.count = 2;
    }
    space->liquids[0].velocity = law_place(dimension, 0, 0, -speed);
    n->emitter = dew_default_emitter_def();
    n->emitter.shape = dew_default_shape_def();
    n->emitter.shape.kind = DEW_SHAPE_DISC;
    n->emitter.shape.disc.centre = law_place(dimension, 0, 0, length);
    n->emitter.shape.disc.normal = law_place(dimension, 0, 0, -1);
    n->emitter.shape.disc.radius = radius;
    n->emitter.velocity = law_place(dimension, 0, 0, -speed);
    def->emitters = &n->emitter;
    def->emitter_count = 1;
}

jet_found jet_measure(const dew_frame *frame, double from, double to)
{
    dew_field x, v;
    jet_found none = {NAN, NAN, NAN};
    if (!dew_frame_field(frame, "position", &x) || !dew_frame_field(frame, "velocity", &v)) return none;
    int up = frame->dimension - 1;
    double count = 0, speed = 0, square = 0, moment = 0, centre[2] = {0};
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < x.count; i++) {
            const dew_real *p = (const dew_real *)x.data + (size_t)i * x.stride;
            double z = p[up], w = -(double)((const dew_real *)v.data)[(size_t)i * v.stride + (size_t)up];
            if (z <= from || z >= to) continue;
            if (pass && up == 1) {
                moment += pow((double)p[0] - centre[0] / count, 2) / count;
            } else if (pass) {
                moment += (pow((double)p[0] - centre[0] / count, 2) + pow((double)p[1] - centre[1] / count, 2)) / count;
            } else {
                count++, speed += w, square += w * w;
                centre[0] += p[0], centre[1] += p[1];
            }
        }
    double unit = pow(frame->spacing, frame->dimension), mass = frame->materials[0].density * unit / (to - from);
    /* A particle is as wide as a spacing, which adds s^2/12 along each axis. */
    double own = frame->spacing * frame->spacing / 12;
    double area = up == 1 ? 2 * sqrt(3 * (moment + own)) : 2 * M_PI * (moment + frame->spacing * frame->spacing / 6);
    return (jet_found){mass * speed, mass * square, count * unit / ((to - from) * area)};
}
