/* The energy of the surfaces of two liquids that meet. A mesh around each and one around both have the areas
 *
 *     A_1 = A_1air + A_12,    A_2 = A_2air + A_12,    A = A_1air + A_2air,
 *
 * so that A_12 = (A_1 + A_2 - A)/2; on a solid each has its own angle. */
#include "definition/definition.h"
#include "measure/part.h"
#include "measure/surface.h"

/* Of one liquid alone: its area, and the sum of cos(contact angle) x wetted area. */
typedef struct liquid_areas {
    double free, wetted;
} liquid_areas;

static dew_result find_areas(const measurement *m, int material, cut_frame *cut, liquid_areas *areas)
{
    measured_surface store = {0};
    const measured_surface *surface;
    const dew_frame *part, *whole = m->frame;
    measurement of;
    *areas = (liquid_areas){0, 0};
    RESULT_TRY(part_frame(whole, &(dew_part_def){.material = whole->materials[material].name}, cut, &part));
    RESULT_TRY(measurement_begin(&of, part, &store));
    of.cell = m->cell, of.reach = m->reach;
    dew_result result = of.count > 0 ? measure_surface(&of, &surface) : DEW_OK;
    if (result == DEW_OK && of.count > 0) {
        double tension = whole->materials[material].surface_tension;
        areas->free = surface->is_there ? surface->size.area[MESH_FREE] : NAN;
        for (int k = 0; k < dew_frame_solid_count(whole) && surface->is_there; k++)
            areas->wetted += solids_info_of(whole->solids, k, material, tension).cos_contact_angle * surface->wetted[k];
    }
    measured_surface_clear(&store);
    return result;
}

dew_result measure_mixed_energy(const measurement *m, const measured_surface *surface, double *energy)
{
    const dew_frame *f = m->frame;
    liquid_areas areas[2];
    for (int k = 0; k < 2; k++) {
        cut_frame cut = {0};
        dew_result result = find_areas(m, k, &cut, &areas[k]);
        cut_frame_clear(&cut);
        RESULT_TRY(result);
    }
    double between = (areas[0].free + areas[1].free - surface->size.area[MESH_FREE]) / 2;
    *energy = between * definition_tension_between(f->materials, f->interfaces, f->interface_count, 0, 1);
    for (int k = 0; k < 2; k++)
        *energy += f->materials[k].surface_tension * (areas[k].free - between - areas[k].wetted);
    return DEW_OK;
}
