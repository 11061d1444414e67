#include "nozzle.h"

#include <math.h>

void nozzle_define(dew_simulation_def *def, law_space *space, nozzle *n, double radius, double speed, double hanging)
{
    double length = 2 * radius, wall = 3 * def->spacing;
    n->parts[0] = dew_cylinder((dew_vec3){0, 0, 0}, (dew_vec3){0, 0, length + wall}, radius + wall);
    n->parts[1] = dew_cylinder((dew_vec3){0, 0, -length}, (dew_vec3){0, 0, length + 0.5 * def->spacing},
                               radius); /* room for the row that comes in */
    space->solids[0].name = "nozzle";
    space->solids[0].shape = dew_default_shape_def();
    space->solids[0].shape.kind = DEW_SHAPE_DIFFERENCE;
    space->solids[0].shape.combination.children = n->parts;
    space->solids[0].shape.combination.count = 2;
    def->solid_count = 1;
    n->filling[0] = dew_cylinder((dew_vec3){0, 0, 0}, (dew_vec3){0, 0, length}, radius);
    n->filling[1] = dew_sphere((dew_vec3){0}, radius * hanging);
    space->liquids[0].shape = n->filling[0];
    if (hanging > 0) {
        space->liquids[0].shape = dew_default_shape_def();
        space->liquids[0].shape.kind = DEW_SHAPE_UNION;
        space->liquids[0].shape.combination.children = n->filling;
        space->liquids[0].shape.combination.count = 2;
    }
    space->liquids[0].velocity = (dew_vec3){0, 0, -speed};
    n->emitter = dew_default_emitter_def();
    n->emitter.shape = dew_default_shape_def();
    n->emitter.shape.kind = DEW_SHAPE_DISC;
    n->emitter.shape.disc.centre = (dew_vec3){0, 0, length};
    n->emitter.shape.disc.normal = (dew_vec3){0, 0, -1};
    n->emitter.shape.disc.radius = radius;
    n->emitter.velocity = (dew_vec3){0, 0, -speed};
    def->emitters = &n->emitter;
    def->emitter_count = 1;
}

jet_found jet_measure(const dew_frame *frame, double from, double to)
{
    dew_field x, v;
    jet_found none = {NAN, NAN, NAN};
    if (!dew_frame_field(frame, "position", &x) || !dew_frame_field(frame, "velocity", &v)) return none;
    double count = 0, speed = 0, square = 0, moment = 0, centre[2] = {0};
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < x.count; i++) {
            const dew_real *p = (const dew_real *)x.data + (size_t)i * x.stride;
            double z = p[2], w = -(double)((const dew_real *)v.data)[(size_t)i * v.stride + 2];
            if (z <= from || z >= to) continue;
            if (pass) {
                moment += (pow((double)p[0] - centre[0] / count, 2) + pow((double)p[1] - centre[1] / count, 2)) / count;
            } else {
                count++, speed += w, square += w * w;
                centre[0] += p[0], centre[1] += p[1];
            }
        }
    double unit = pow(frame->spacing, 3), mass = frame->materials[0].density * unit / (to - from);
    /* A particle is as wide as a spacing, which adds s^2/12 along each axis. */
    double area = 2 * M_PI * (moment + frame->spacing * frame->spacing / 6);
    return (jet_found){mass * speed, mass * square, count * unit / ((to - from) * area)};
}
