#include "base/number.h"

#include <math.h>
#include <stdlib.h>

const char *const number_names[NUMBER_TYPES] = {"float", "double", "int32", "int64", "uint8"};

size_t number_size(dew_item_type type)
{
    static const size_t sizes[NUMBER_TYPES] = {4, 8, 4, 8, 1};
    return sizes[type];
}

double number_at(dew_item_type type, const void *data, int64_t k)
{
    switch (type) {
    case DEW_ITEM_FLOAT:
        return ((const float *)data)[k];
    case DEW_ITEM_DOUBLE:
        return ((const double *)data)[k];
    case DEW_ITEM_INT32:
        return ((const int32_t *)data)[k];
    case DEW_ITEM_INT64:
        return (double)((const int64_t *)data)[k];
    default:
        return ((const uint8_t *)data)[k];
    }
}

void number_print(FILE *out, double value, int fewest)
{
    char text[32];
    for (int digits = fewest; digits <= 17; digits += digits == 6 ? 9 : 1) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        if (strtod(text, NULL) == value) break;
    }
    fputs(isnan(value) ? "nan" : text, out);
}
