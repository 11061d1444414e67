#include "dew/shape.h"

dew_shape_def dew_sphere(dew_vec3 centre, double radius)
{
    dew_shape_def def = dew_default_shape_def();
    def.kind = DEW_SHAPE_SPHERE;
    def.sphere.centre = centre;
    def.sphere.radius = radius;
    return def;
}

dew_shape_def dew_box(dew_vec3 min, dew_vec3 max)
{
    dew_shape_def def = dew_default_shape_def();
    def.kind = DEW_SHAPE_BOX;
    def.box.min = min;
    def.box.max = max;
    return def;
}

dew_shape_def dew_cylinder(dew_vec3 from, dew_vec3 to, double radius)
{
    dew_shape_def def = dew_default_shape_def();
    def.kind = DEW_SHAPE_CYLINDER;
    def.cylinder.from = from;
    def.cylinder.to = to;
    def.cylinder.radius = radius;
    return def;
}

dew_shape_def dew_plane(dew_vec3 point, dew_vec3 normal)
{
    dew_shape_def def = dew_default_shape_def();
    def.kind = DEW_SHAPE_PLANE;
    def.plane.point = point;
    def.plane.normal = normal;
    return def;
}
