/* Just enough of XML to read the headers that are written here: tags one after the other, their attributes. */
#ifndef IO_XML_H
#define IO_XML_H

#include <stdbool.h>
#include <stddef.h>

typedef struct xml_tag {
    char name[32];
    const char *begin, *end; /* the attributes' text */
    bool is_closing;         /* </name> */
} xml_tag;

/* The next tag of text[*at, size), `*at` set behind it; declarations and comments are passed over. False at the end or
 * where a tag does not end. */
bool xml_next(const char *text, size_t size, size_t *at, xml_tag *tag);
/* The value of an attribute; false if it is missing or longer than size - 1. */
bool xml_attribute(const xml_tag *tag, const char *name, char *value, size_t size);
/* A whole number or a real number as an attribute; false if it is missing or none. */
bool xml_integer(const xml_tag *tag, const char *name, long long *value);
bool xml_number(const xml_tag *tag, const char *name, double *value);

#endif
