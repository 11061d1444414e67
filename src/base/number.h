/* Numbers of snapshots and files: their types, and as text. */
#ifndef BASE_NUMBER_H
#define BASE_NUMBER_H

#include "dew/snapshot.h"

#include <stdio.h>

enum { NUMBER_TYPES = DEW_ITEM_UINT8 + 1 };
extern const char *const number_names[NUMBER_TYPES]; /* "float", "int32", ... */
size_t number_size(dew_item_type type);
/* Number k of an array. */
double number_at(dew_item_type type, const void *data, int64_t k);
/* As few digits as give the same number back: `fewest`, 6 or 15, or from 15 on; "nan". */
void number_print(FILE *out, double value, int fewest);

#endif
