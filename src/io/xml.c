#include "io/xml.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *find(const char *from, const char *end, const char *what)
{
    return from < end ? memmem(from, (size_t)(end - from), what, strlen(what)) : NULL;
}

bool xml_next(const char *text, size_t size, size_t *at, xml_tag *tag)
{
    const char *end = text + size, *begin = find(text + *at, end, "<");
    while (begin && begin + 1 < end && (begin[1] == '?' || begin[1] == '!')) {
        const char *close = find(begin, end, begin[1] == '?' ? "?>" : "-->");
        begin = close ? find(close, end, "<") : NULL;
    }
    const char *close = begin ? find(begin, end, ">") : NULL;
    if (!close) return false;
    begin++;
    *tag = (xml_tag){.is_closing = *begin == '/'};
    if (tag->is_closing) begin++;
    size_t length = 0;
    while (begin + length < close && !strchr(" \t\r\n/", begin[length])) length++;
    if (length >= sizeof tag->name) length = sizeof tag->name - 1;
    memcpy(tag->name, begin, length);
    tag->begin = begin + length, tag->end = close;
    *at = (size_t)(close + 1 - text);
    return true;
}

bool xml_attribute(const xml_tag *tag, const char *name, char *value, size_t size)
{
    char pattern[64] = " ";
    if (strlen(name) > sizeof pattern - 4) return false;
    strcat(strcat(pattern, name), "=\"");
    const char *at = find(tag->begin, tag->end, pattern);
    if (!at) return false;
    at += strlen(pattern);
    const char *close = find(at, tag->end, "\"");
    return close && snprintf(value, size, "%.*s", (int)(close - at), at) < (int)size;
}

bool xml_integer(const xml_tag *tag, const char *name, long long *value)
{
    char text[32], *end;
    if (!xml_attribute(tag, name, text, sizeof text)) return false;
    *value = strtoll(text, &end, 10);
    return end != text && *end == 0;
}

bool xml_number(const xml_tag *tag, const char *name, double *value)
{
    char text[64], *end;
    if (!xml_attribute(tag, name, text, sizeof text)) return false;
    *value = strtod(text, &end);
    return end != text && *end == 0;
}
