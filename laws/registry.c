#include "law.h"

#include <string.h>

extern const law law_laplace, law_parasitic, law_relaxation, law_contact_angle, law_sessile, law_hydrostatic,
    law_oscillation, law_catenoid, law_pendant, law_robin_heat, law_heat_kept, law_marangoni_drop,
    law_thermocapillary_film, law_stefan, law_momentum, law_conservation, law_energy, law_capillary_wave, law_honey,
    law_galilei, law_thread, law_coalescence, law_dam_break, law_pool, law_capillary_rise, law_bridge, law_wedge,
    law_impact, law_poiseuille, law_couette, law_cavity, law_start_up, law_falling_film, law_spin_up, law_jet, law_drip,
    law_bubble, law_spreading, law_retention, law_flat_plate, law_coated_plate, law_shear_wave, law_elastic_shear,
    law_maxwell, law_yield, law_slab, law_filament, law_drawn_thread, law_floating_sphere, law_buoyancy,
    law_released_sphere, law_body_momentum, law_two_layer, law_liquid_angle, law_film_tension, law_two_liquid_drop,
    law_catheter;

extern const law law_trial_dam_break, law_trial_pool, law_trial_closed_box, law_trial_wave_on_pool, law_trial_rise,
    law_trial_tube, law_trial_ball_on_plate, law_trial_mercury, law_trial_rest_60, law_trial_cap_15, law_trial_cap_165,
    law_trial_impact, law_trial_inkjet, law_trial_cup, law_trial_glass, law_trial_jelly, law_trial_fibre,
    law_trial_bridge, law_trial_squeeze, law_trial_dumbbell, law_trial_coalescence, law_trial_honey,
    law_trial_moving_drop, law_trial_nozzle, law_trial_bubble;

const law *const law_registry[] = {
    /* statics */
    &law_laplace,
    &law_parasitic,
    &law_relaxation,
    &law_contact_angle,
    &law_sessile,
    &law_hydrostatic,
    &law_pool,
    &law_wedge,
    &law_floating_sphere,
    &law_two_layer,
    &law_liquid_angle,
    &law_film_tension,
    /* waves */
    &law_oscillation,
    &law_two_liquid_drop,
    &law_capillary_wave,
    &law_honey,
    &law_dam_break,
    &law_shear_wave,
    &law_elastic_shear,
    &law_maxwell,
    &law_yield,
    &law_buoyancy,
    &law_released_sphere,
    /* walls */
    &law_capillary_rise,
    &law_impact,
    &law_poiseuille,
    &law_couette,
    &law_cavity,
    &law_start_up,
    &law_flat_plate,
    &law_falling_film,
    &law_coated_plate,
    &law_spin_up,
    &law_spreading,
    &law_retention,
    &law_slab,
    /* threads */
    &law_catenoid,
    &law_thread,
    &law_coalescence,
    &law_bridge,
    &law_filament,
    &law_drawn_thread,
    /* jets */
    &law_pendant,
    &law_jet,
    &law_drip,
    &law_bubble,
    &law_catheter,
    /* heat */
    &law_robin_heat,
    &law_heat_kept,
    &law_marangoni_drop,
    &law_thermocapillary_film,
    &law_stefan,
    /* conservation */
    &law_momentum,
    &law_body_momentum,
    &law_conservation,
    &law_energy,
    &law_galilei,
    /* trials */
    &law_trial_dam_break,
    &law_trial_pool,
    &law_trial_closed_box,
    &law_trial_wave_on_pool,
    &law_trial_rise,
    &law_trial_tube,
    &law_trial_ball_on_plate,
    &law_trial_mercury,
    &law_trial_rest_60,
    &law_trial_cap_15,
    &law_trial_cap_165,
    &law_trial_impact,
    &law_trial_inkjet,
    &law_trial_cup,
    &law_trial_glass,
    &law_trial_jelly,
    &law_trial_fibre,
    &law_trial_bridge,
    &law_trial_squeeze,
    &law_trial_dumbbell,
    &law_trial_coalescence,
    &law_trial_honey,
    &law_trial_moving_drop,
    &law_trial_nozzle,
    &law_trial_bubble,
    NULL,
};

unsigned law_lacks(const law *l, const dew_method_info *method)
{
    return (l->features & ~method->features) | (method->features & l->either ? 0 : l->either);
}

const law *law_find(const char *name)
{
    for (int i = 0; law_registry[i]; i++)
        if (strcmp(law_registry[i]->name, name) == 0) return law_registry[i];
    return NULL;
}
