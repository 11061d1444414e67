/* A drop of water that swings: made without a scene file, measured, written for ParaView.
 * cc drop.c $(pkg-config --cflags --libs dew-io) -o drop */
#include <dew/dew.h>
#include <dew/frames.h>

#include <stdio.h>
#include <stdlib.h>

static int fail(void)
{
    fprintf(stderr, "%s\n", dew_message());
    return 1;
}

int main(int argc, char **argv)
{
    const char *folder = argc > 1 ? argv[1] : "out";
    int frames = argc > 2 ? atoi(argv[2]) : 20;

    dew_material_def water = dew_default_material_def();
    water.surface_tension = 0.0728; /* N/m */
    dew_liquid_def liquid = dew_default_liquid_def();
    liquid.shape.kind = DEW_SHAPE_ELLIPSOID;
    liquid.shape.ellipsoid.semi_axes = (dew_vec3){1.1e-3, 1.1e-3, 0.83e-3};

    dew_simulation_def def = dew_default_simulation_def();
    def.materials = &water, def.material_count = 1;
    def.liquids = &liquid, def.liquid_count = 1;
    def.gravity = (dew_vec3){0, 0, 0};
    def.spacing = 0.15e-3;
    def.frame_rate = 1000;

    dew_simulation *drop;
    if (dew_simulation_create(&def, &drop) != DEW_OK) return fail();
    const char *fields[] = {"velocity"};
    dew_result result = DEW_OK;
    while (dew_simulation_frame(drop)->index < frames && result == DEW_OK) {
        result = dew_simulation_advance_frame(drop, NULL, NULL);
        if (result == DEW_OK) result = dew_frame_write(folder, dew_simulation_frame(drop), fields, 1);
        double extent[3];
        if (result == DEW_OK) result = dew_simulation_measure(drop, "extent", extent);
        if (result == DEW_OK) printf("%.3f ms: %.3f mm high\n", 1e3 * dew_simulation_time(drop), 1e3 * extent[2]);
    }
    dew_field velocity;
    if (dew_simulation_field(drop, "velocity", &velocity)) {
        const dew_real *v = velocity.data;
        printf("%d particles; the first one moves at (%g, %g, %g) m/s\n", velocity.count, (double)v[0], (double)v[1],
               (double)v[2]);
    }
    dew_simulation_destroy(drop);
    return result == DEW_OK ? 0 : fail();
}
