#include "scene/quantity.h"

#include <ctype.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <udunits2.h>

struct units {
    ut_system *system;
    locale_t plain; /* numbers are read with a point whatever the program's locale */
};

/* What udunits lacks of the field's usual symbols. */
static void add_symbol(ut_system *system, const char *symbol, const char *meaning)
{
    ut_unit *unit = ut_parse(system, meaning, UT_ASCII);
    if (unit) ut_map_symbol_to_unit(symbol, UT_ASCII, unit);
    ut_free(unit);
}

units *units_create(void)
{
    ut_set_error_message_handler(ut_ignore);
    units *u = calloc(1, sizeof *u);
    if (!u) return NULL;
    u->plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    u->system = ut_read_xml(NULL);
    if (!u->plain || !u->system) {
        units_destroy(u);
        return NULL;
    }
    add_symbol(u->system, "deg", "degree");
    add_symbol(u->system, "dyn", "dyne");
    add_symbol(u->system, "cP", "centipoise");
    return u;
}

void units_destroy(units *u)
{
    if (!u) return;
    if (u->system) ut_free_system(u->system);
    if (u->plain) freelocale(u->plain);
    free(u);
}

/* The end of a decimal number at the start of `text`, or NULL: strtod would take "inf", "nan" and hexadecimals too. */
static const char *number_end(const char *text)
{
    static const char digits[] = "0123456789";
    const char *begin = text + (*text == '+' || *text == '-'), *end = begin + strspn(begin, digits);
    bool has_point = *end == '.';
    end += has_point + strspn(end + has_point, digits);
    if (end == begin + has_point) return NULL;
    if (*end != 'e' && *end != 'E') return end;
    const char *exponent = end + 1 + (end[1] == '+' || end[1] == '-');
    return isdigit((unsigned char)*exponent) ? exponent + strspn(exponent, digits) : end;
}

bool looks_like_quantity(const char *text)
{
    while (isspace((unsigned char)*text)) text++;
    const char *p = number_end(text);
    if (!p) return false;
    while (isspace((unsigned char)*p)) p++;
    return !*p || isalnum((unsigned char)*p) || *p == '%' || *p == '_' || (unsigned char)*p >= 0x80;
}

/* The number at the start of `text` (up to `end`) times 10^shift, to the last bit: 0.09 mm is 9e-5 m. */
static double shifted(const units *u, const char *text, const char *end, int shift)
{
    enum { MAX_DIGITS = 80 };
    int digits = (int)strcspn(text, "eE");
    char number[MAX_DIGITS + 16];
    if (text + digits > end) digits = (int)(end - text);
    if (digits > MAX_DIGITS) return strtod_l(text, NULL, u->plain) * pow(10, shift);
    long exponent = text + digits < end ? strtol(text + digits + 1, NULL, 10) : 0;
    snprintf(number, sizeof number, "%.*se%ld", digits, text, exponent + shift);
    return strtod_l(number, NULL, u->plain);
}

static bool is_power_of_ten(double factor, int *power)
{
    if (!(factor > 0)) return false;
    *power = (int)lround(log10(factor));
    return fabs(factor / pow(10, *power) - 1) < 1e-14;
}

static quantity_status convert(const units *u, const char *text, const char *end, ut_unit *given, ut_unit *wanted,
                               double *value)
{
    cv_converter *converter = given && wanted ? ut_get_converter(given, wanted) : NULL;
    if (!converter) return QUANTITY_WRONG_UNIT;
    int power;
    double origin = cv_convert_double(converter, 0), one = cv_convert_double(converter, 1);
    if (origin == 0 && is_power_of_ten(one, &power))
        *value = shifted(u, text, end, power);
    else
        *value = cv_convert_double(converter, *value);
    cv_free(converter);
    return isfinite(*value) ? QUANTITY_OK : QUANTITY_NO_NUMBER;
}

quantity_status quantity_read(const units *u, const char *text, const char *wanted, double *value,
                              const char **unit_text)
{
    while (isspace((unsigned char)*text)) text++;
    const char *rest = number_end(text);
    if (unit_text) *unit_text = "";
    if (!rest) return QUANTITY_NO_NUMBER;
    *value = strtod_l(text, NULL, u->plain);
    if (!isfinite(*value)) return QUANTITY_NO_NUMBER;
    const char *end = rest;
    while (isspace((unsigned char)*rest)) rest++;
    if (!*rest) return QUANTITY_OK;
    if (unit_text) *unit_text = rest;
    char name[128]; /* udunits wants no blank behind a unit */
    size_t length = strlen(rest);
    while (length && isspace((unsigned char)rest[length - 1])) length--;
    if (length >= sizeof name) return QUANTITY_UNKNOWN_UNIT;
    memcpy(name, rest, length);
    name[length] = 0;
    ut_unit *given = ut_parse(u->system, name, UT_UTF8);
    if (!given) return QUANTITY_UNKNOWN_UNIT;
    ut_unit *target = wanted ? ut_parse(u->system, wanted, UT_UTF8) : NULL;
    /* To udunits an angle is a number: 90 % would be 0.9 radians. */
    bool is_share = strcmp(name, "%") == 0 || strcmp(name, "percent") == 0;
    quantity_status status = is_share && wanted && strcmp(wanted, "degree") == 0
                                 ? QUANTITY_WRONG_UNIT
                                 : convert(u, text, end, given, target, value);
    ut_free(given);
    ut_free(target);
    return status;
}
