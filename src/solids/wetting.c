#include "solids/wetting.h"

#define COSINE_BIAS 0.02

real wetted_share(const fractions *f, real h, real spacing, real distance, real cosine)
{
    real sine = sqrt(fmax(1 - cosine * cosine, (real)1e-4));
    real l = (spacing / 2 + distance * cosine) / sine; /* along the solid to where the surface meets it */
    real beyond = fraction_beyond(f, distance / h);
    if (beyond < (real)1e-6) return 1;
    real g = fmin((real)0.5, fraction_beyond_two(f, fabs(l) / h, distance / h, 0) / beyond);
    return l > 0 ? 1 - g : g;
}

real wetting_ease(real cosine)
{
    real angle = acos(fmin(fmax(cosine, (real)-1), (real)1)) * (real)(180 / PI);
    return fmin(fmax((180 - angle) / 90, (real)0.4), (real)1);
}

real wetting_cosine(double cosine) { return (real)fmax(cosine - COSINE_BIAS * (1 - cosine), -1); }
