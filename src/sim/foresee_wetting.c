#include "sim/foresee_parts.h"

#include <math.h>

/* Energies of which no angle follows, for liquid spreads as far as it can. */
static void foresee_spreading(const dew_simulation *s, const dew_simulation_def *def, FILE *out)
{
    for (int k = 0; k < def->solid_count; k++)
        for (int m = 0; m < definition_liquid_count(def, &s->method->info); m++) {
            dew_solid_def one = definition_solid_of(&def->solids[k], m);
            double tension = def->materials[m].surface_tension,
                   spreading = one.solid_energy - tension - one.between_energy;
            if (!one.has_surface_energy || !(spreading > 1e-9 * tension)) continue;
            fprintf(out,
                    "solids.%s: gains %.3g J/m2 of each area that %s spreads over (solid - surface_tension - between): "
                    "the angle that comes out is 0 degrees\n",
                    one.name, spreading, def->materials[m].name);
        }
}

/* What an area of a solid gains as the liquid covers it, J/m2. */
static double gain_of(const dew_simulation *s, const dew_solid_def *one, int solid, int material)
{
    double tension = s->w.materials[material].surface_tension;
    return one->has_surface_energy ? one->solid_energy - one->between_energy
                                   : tension * solids_info_of(s->w.solids, solid, material, tension).cos_contact_angle;
}

/* Where two liquids meet on a solid: cos(theta) = (gain_a - gain_b)/gamma_ab in a, if the solid is the same before. */
static void foresee_pairs(const dew_simulation *s, const dew_simulation_def *def, FILE *out)
{
    int liquids =
        s->method->info.features & DEW_FEATURE_INTERFACES ? definition_liquid_count(def, &s->method->info) : 0;
    for (int k = 0; k < def->solid_count; k++)
        for (int a = 0; a < liquids; a++)
            for (int b = a + 1; b < liquids; b++) {
                dew_solid_def one = definition_solid_of(&def->solids[k], a),
                              other = definition_solid_of(&def->solids[k], b);
                const dew_material_def *first = &def->materials[a], *second = &def->materials[b];
                double gamma = world_tension_between(&s->w, a, b);
                double more = gain_of(s, &one, k, a) - gain_of(s, &other, k, b);
                if (one.has_surface_energy && other.has_surface_energy && one.solid_energy != other.solid_energy)
                    fprintf(out,
                            "solids.%s: dry it has %.3g J/m2 for %s and %.3g J/m2 for %s (solid): one solid has one "
                            "energy\n",
                            one.name, one.solid_energy, first->name, other.solid_energy, second->name);
                if (gamma > 0 && fabs(more) > (1 + 1e-9) * gamma)
                    fprintf(out,
                            "solids.%s: gains %.3g J/m2 where %s takes the place of %s, more than their tension of "
                            "%.3g N/m: the angle that comes out in %s is %d degrees\n",
                            one.name, fabs(more), more > 0 ? first->name : second->name,
                            more > 0 ? second->name : first->name, gamma, first->name, more > 0 ? 0 : 180);
            }
}

void foresee_wetting(const dew_simulation *s, const dew_simulation_def *def, FILE *out)
{
    foresee_spreading(s, def, out);
    foresee_pairs(s, def, out);
}
