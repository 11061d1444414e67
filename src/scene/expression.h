/* Expressions as functions over blocks of values, by muparser. One handle an expression; an expression is used from one
 * thread at a time, as dew promises of functions. */
#ifndef SCENE_EXPRESSION_H
#define SCENE_EXPRESSION_H

#include "dew/types.h"

#include <stdbool.h>

typedef struct expression expression;

typedef struct expression_error {
    char text[256];
    int position; /* character of the text at which it is wrong, from 0; -1: the whole */
} expression_error;

/* Compiles `text` in the variables named (one letter each: "xyz", "t", "T"); pi is known. NULL: see *error. */
expression *expression_create(const char *text, const char *variables, expression_error *error);
void expression_destroy(expression *e); /* accepts NULL */
dew_function expression_function(expression *e);
/* Whether a function is an expression in which the variable occurs. */
bool expression_uses(dew_function f, char variable);
/* The text of a function that is an expression; NULL of any other. */
const char *expression_text(dew_function f);

#endif
