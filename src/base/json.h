/* JSON, written to a stream piece by piece. The pieces may stand within HTML: no text of theirs ends a script. */
#ifndef BASE_JSON_H
#define BASE_JSON_H

#include <stdbool.h>
#include <stdio.h>

typedef struct json {
    FILE *stream;
    bool has_before; /* the object or array at hand has something in it: a comma comes next */
} json;

/* Every piece takes its key in an object, NULL in an array and at the top. */
void json_open(json *j, const char *key, char bracket); /* '{' or '[' */
void json_close(json *j, char bracket);                 /* '}' or ']' */
/* Any bytes; those that are no UTF-8 become U+FFFD. A text that is NULL: null. */
void json_text(json *j, const char *key, const char *text);
/* As many digits as are asked for; what is not finite: null. */
void json_number(json *j, const char *key, double value, int digits);
void json_bool(json *j, const char *key, bool value);

#endif
