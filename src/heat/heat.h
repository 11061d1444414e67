/* What is common to methods that follow temperatures: how heat enters through surfaces, sources that move, properties
 * that depend on temperature, and the field of temperatures itself. Conduction is the method's. */
#ifndef HEAT_HEAT_H
#define HEAT_HEAT_H

#include "base/real.h"
#include "base/result.h"
#include "dew/definition.h"
#include "particles/particles.h"

typedef struct heat heat;
enum { HEAT_FIELDS = 2 };
extern const field_info heat_fields[HEAT_FIELDS];

/* Copies what it needs of the definition (functions stay the definition's) and adds the field "temperature" (K) to the
 * particles, and "melted" (share of the mass) where a material has a melting point. *h is NULL, and nothing is added,
 * where the definition has no heat. A source that cannot be made is noted in `all`. Fails for want of memory only. */
dew_result heat_create(heat **h, const dew_simulation_def *def, particles *p, failures *all);
void heat_destroy(heat *h); /* accepts NULL */

/* The temperatures of the particles, K. */
real *heat_temperatures(const heat *h, const particles *p);
/* Their melted shares: 1 liquid, 0 solid. NULL where nothing melts. */
real *heat_melted(const heat *h, const particles *p);
/* Shares the heat that `temperature` (K) and *melted stand for between them anew: below the melting point all is solid,
 * above it all is liquid, and at it `latent` (latent heat over heat capacity, K) is taken up or given off. Returns the
 * temperature. Nothing is lost. */
static inline double heat_melt(double melting_point, double latent, double temperature, real *melted)
{
    double excess = temperature - melting_point + latent * (double)*melted;
    if (!(latent > 0)) {
        *melted = excess > 0 ? 1 : excess < 0 ? 0 : *melted;
        return temperature;
    }
    *melted = (real)fmin(fmax(excess / latent, 0), 1);
    return melting_point + excess - latent * (double)*melted;
}
/* Gives the particles from slot `begin` on the temperature of `liquid` (NULL: `temperature`, K). DEW_INVALID where an
 * expression gives none. */
dew_result heat_begin(const heat *h, particles *p, int begin, const dew_liquid_def *liquid, double temperature);

/* Of the free surface (solid -1), or where the liquid touches a solid; numbered as in solids.h, walls at the end. */
dew_heat_boundary heat_boundary(const heat *h, int solid);

/* Sources that act now. heat_place says when that is, from one thread; then heat_add_sources may be called from any:
 * to flux[i] (W/m2) and power[i] (W/m3) is added what sources bring at points[i]; either may be NULL. */
void heat_place(heat *h, double time);
bool heat_has_power(const heat *h); /* whether any source that acts heats the liquid within */
void heat_add_sources(const heat *h, int count, const real4 *points, real *flux, real *power);

/* out[i] = f(temperature[i], concentration[i]), from one thread; NULL: 293.15 K, 0 kg/m3. DEW_FAILED where a value is
 * not finite or below 0: `what` is it, in `unit`. */
dew_result heat_evaluate(dew_function f, const char *what, const char *unit, int count, const real *temperature,
                         const real *concentration, real *out);

/* values[i] = f(x, y, z) of the particles from slot `begin` on. DEW_INVALID where one is not finite or below 0: `what`
 * is it, in `unit`. */
dew_result heat_fill(dew_function f, const particles *p, int begin, real *values, const char *what, const char *unit);

#endif
