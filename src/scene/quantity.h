/* Numbers with units, by udunits2. */
#ifndef SCENE_QUANTITY_H
#define SCENE_QUANTITY_H

#include <stdbool.h>

typedef struct units units;

/* Reads the library's table of units; NULL where it is missing or there is no memory. */
units *units_create(void);
void units_destroy(units *u); /* accepts NULL */

typedef enum quantity_status {
    QUANTITY_OK,
    QUANTITY_NO_NUMBER,    /* does not start with a finite number */
    QUANTITY_UNKNOWN_UNIT, /* what follows the number is no unit */
    QUANTITY_WRONG_UNIT,   /* a unit of something else */
} quantity_status;

/* Reads "0.1 mm" for a wanted unit "m" as 0.0001; without a unit the number counts in the wanted one. *unit_text (may
 * be NULL) is where the unit stands in `text`, "" if there is none. Wanted NULL: the quantity has no unit that is known
 * beforehand, none may be given. */
quantity_status quantity_read(const units *u, const char *text, const char *wanted, double *value,
                              const char **unit_text);
/* Whether a text starts as a quantity does, rather than as an expression: a number, then nothing or a unit's letter. */
bool looks_like_quantity(const char *text);

#endif
