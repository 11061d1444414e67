/* Default definitions, and what a definition gives to a method's parameters. */
#include "sim/simulation.h"

#include <string.h>

dew_material_def dew_default_material_def(void)
{
    return (dew_material_def){.name = "water",
                              .density = 1000,
                              .viscosity = 0.001,
                              .surface_tension = 0.072,
                              .conductivity = 0.6,
                              .heat_capacity = 4180,
                              .diffusivity = 1e-9,
                              .melting_point = NAN,
                              .poisson_ratio = 0.3};
}

dew_heat_boundary dew_default_heat_boundary(void) { return (dew_heat_boundary){.surroundings = 293.15}; }

dew_heat_source_def dew_default_heat_source_def(void)
{
    return (dew_heat_source_def){.shape = dew_default_shape_def(), .to = INFINITY};
}

dew_liquid_def dew_default_liquid_def(void)
{
    return (dew_liquid_def){.shape = dew_default_shape_def(), .fill = DEW_FILL_RELAXED, .temperature = NAN};
}

dew_solid_def dew_default_solid_def(void)
{
    return (dew_solid_def){.name = "solid",
                           .shape = dew_default_shape_def(),
                           .contact_angle = 90,
                           .is_visible = true,
                           .heat = dew_default_heat_boundary()};
}

dew_emitter_def dew_default_emitter_def(void)
{
    return (dew_emitter_def){.shape = dew_default_shape_def(), .to = INFINITY, .temperature = NAN};
}

dew_simulation_def dew_default_simulation_def(void)
{
    return (dew_simulation_def){.title = "",
                                .method = "pbf",
                                .dimension = 3,
                                .duration = 1,
                                .frame_rate = 60,
                                .gravity = {0, 0, -9.81},
                                .domain = {.contact_angle = 90, .heat = dew_default_heat_boundary()},
                                .heat = {.surface = dew_default_heat_boundary()}};
}

int definition_choice(const char *choices, const char *word)
{
    size_t length = strlen(word);
    for (int index = 0; *choices; index++) {
        size_t here = strcspn(choices, "|");
        if (here == length && strncmp(choices, word, here) == 0) return index;
        choices += here + (choices[here] == '|');
    }
    return -1;
}

void definition_parameters(const dew_simulation_def *def, const dew_method_info *info, double *values)
{
    for (int i = 0; i < info->parameter_count; i++) {
        const dew_parameter *parameter = &info->parameters[i];
        values[i] = parameter->default_value;
        for (int k = 0; k < def->parameter_count; k++) {
            const dew_parameter_value *given = &def->parameters[k];
            if (strcmp(given->name, parameter->name) != 0) continue;
            values[i] =
                parameter->choices && given->text ? definition_choice(parameter->choices, given->text) : given->number;
        }
    }
}
