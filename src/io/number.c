#include "io/number.h"

#include <math.h>
#include <stdlib.h>

void number_print(FILE *out, double value)
{
    char text[32];
    for (int digits = 6; digits <= 17; digits += digits == 6 ? 9 : 1) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        if (strtod(text, NULL) == value) break;
    }
    fputs(isnan(value) ? "nan" : text, out);
}
