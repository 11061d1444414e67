/* A film that runs down a slope.
 *
 * Physics. A layer of depth H on a plane at an angle alpha that holds it runs down so that at each height the shear
 * bears the weight of what is above, none at the free surface (Nusselt 1916):
 *
 *     u(y) = g sin(alpha) (2 H y - y^2)/(2 nu),  at the surface g sin(alpha) H^2/(2 nu).
 *
 * Set-up. Periodic along and across; gravity is tilted by 30 degrees. The liquid starts with half of the profile; what
 * is missing dies as exp(-pi^2 nu t/(4 H^2)).
 *
 * Measurement. From 1.6 H^2/nu on: mean velocity of the particles within one and a half spacings of the surface,
 * against theory at their heights; profile, mean velocity, and the impulse that the plane gets. */
#include "../law.h"
#include "../shear_flow.h"

#include <math.h>

static const law_target targets[] = {
    {"surface speed", "m/s", LAW_RELATIVE, {0.05, 0.05, 0.05}, "of the uppermost spacing and a half"},
    SHEAR_TARGETS(0.05, "mean velocity", "force on the plane"),
};

static const law_option options[] = {
    {"across", "1", {10, 16, 24}, "spacings in the film", LAW_SPACINGS},
    SHEAR_OPTIONS,
};

extern const law law_falling_film;

static double speed(const shear_flow *f, double y, double time)
{
    (void)time;
    return f->drive * y * (2 * f->size - y) / (2 * f->viscosity);
}

static double pull(const shear_flow *f, double time)
{
    (void)time;
    return f->density * f->drive * f->size * f->area;
}

static dew_result measure(const dew_method_info *method, law_resolution resolution, const law_settings *settings,
                          int dimension, double part, double share, law_results *results)
{
    int across = (int)law_option_value(&law_falling_film, settings, resolution, "across");
    law_space space;
    dew_simulation_def def = law_definition(method, settings, &space);
    shear_flow f = {
        .dimension = dimension, .speed = speed, .pull = pull, .from = 0.75, .flux = "flux", .surface = "surface speed"};
    shear_liquid(&law_falling_film, settings, resolution, &space, &f);
    f.drive = 2 * f.viscosity * f.scale / (f.size * f.size);
    shear_layer(&def, &space, &f, across, false, 0.5);
    def.gravity = law_place(dimension, f.drive, 0, -f.drive * sqrt(3)); /* 30 degrees */
    def.duration = 2.2 * f.size * f.size / f.viscosity;
    return shear_run(&law_falling_film, settings, resolution, &def, &f, dimension == 2 ? "2D" : "3D", part, share,
                     results);
}

const law law_falling_film = {
    .name = "falling_film",
    .title = "A film that runs down a slope (Nusselt 1916)",
    .physics = "A film on a slope runs as fast as its viscosity lets it: the plane holds the lowest layer, each layer "
               "above slides "
               "on the one below, and at the free surface, where nothing drags, it is fastest.",
    .equation = "u_s = g sin(alpha) H^2/(2 nu)",
    .group = LAW_WALLS,
    .features = DEW_FEATURE_3D | DEW_FEATURE_NO_SLIP | DEW_FEATURE_PERIODIC,
    .targets = targets,
    .target_count = sizeof targets / sizeof *targets,
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .measure = measure,
};
