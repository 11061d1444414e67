/* Numbers as text. */
#ifndef IO_NUMBER_H
#define IO_NUMBER_H

#include <stdio.h>

/* The fewest digits that give the same number back; "nan". */
void number_print(FILE *out, double value);

#endif
