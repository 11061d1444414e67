/* How the tables of definitions are written down: macros that each make a part of an entry. A file defines OF as the
 * structure of the table at hand; NUMBER(key, member, unit, min, max, default). */
#ifndef DEFINITION_ENTRIES_H
#define DEFINITION_ENTRIES_H

#include "definition/definition.h"

#include <stddef.h>

#define AT(name, member) .key = name, .offset = offsetof(OF, member)
#define NUMBER(name, member, of_unit, low, high, usual)                                                                \
    AT(name, member), .type = DEW_PROPERTY_NUMBER, .unit = of_unit, .min = low, .max = high, .value = {usual}
#define INTEGER(name, member, low, high, usual)                                                                        \
    AT(name, member), .type = DEW_PROPERTY_INTEGER, .unit = "1", .min = low, .max = high, .value = {usual}
#define FLAG(name, member, usual) AT(name, member), .type = DEW_PROPERTY_FLAG, .value = {usual}
#define WORD(name, member, list) AT(name, member), .type = DEW_PROPERTY_WORD, .words = list
#define VECTOR(name, member, of_unit) AT(name, member), .type = DEW_PROPERTY_VECTOR, .unit = of_unit
#define RECORD(name, member, of) AT(name, member), .type = DEW_PROPERTY_RECORD, .table = of
#define LIST(name, member, number, of)                                                                                 \
    AT(name, member), .type = DEW_PROPERTY_LIST, .count_offset = offsetof(OF, number), .table = of
#define EXPRESSION(name, of_type, of_unit, member, letters)                                                            \
    .key = name, .type = of_type, .unit = of_unit, FUNCTION(member, letters), .flags = DEW_PROPERTY_FUNCTION_ONLY
#define FUNCTION(member, letters) .function_offset = offsetof(OF, member), .variables = letters
#define REQUIRED .flags = DEW_PROPERTY_REQUIRED
#define ABOVE .flags = DEW_PROPERTY_ABOVE
#define HEAT .feature = DEW_FEATURE_HEAT
#define SOLUTE .feature = DEW_FEATURE_SOLUTE
#define SAYS .sentence =
#define TABLE(title, entries, structure, ...)                                                                          \
    {                                                                                                                  \
        .name = title, .properties = entries, .count = (int)(sizeof entries / sizeof entries[0]),                      \
        .size = sizeof(structure), __VA_ARGS__                                                                         \
    }

#endif
