#include "base/json.h"
#include "base/words.h"

#include <math.h>

static void print_quoted(FILE *stream, const char *text)
{
    fputc('"', stream);
    for (const char *c = text; *c;) {
        int length = utf8_length(c);
        if (*c == '"' || *c == '\\')
            fprintf(stream, "\\%c", *c);
        else if ((unsigned char)*c < 0x20 || *c == '<' || length == 0)
            fprintf(stream, "\\u%04x", length ? (unsigned)*c : 0xfffdu);
        else
            fwrite(c, 1, (size_t)length, stream);
        c += length ? length : 1;
    }
    fputc('"', stream);
}

static void begin(json *j, const char *key, const char *comma)
{
    if (j->has_before) fputs(comma, j->stream);
    j->has_before = true;
    if (!key) return;
    print_quoted(j->stream, key);
    fputs(": ", j->stream);
}

void json_open(json *j, const char *key, char bracket)
{
    begin(j, key, key ? ", " : ",\n");
    fputc(bracket, j->stream);
    j->has_before = false;
}

void json_close(json *j, char bracket)
{
    fputc(bracket, j->stream);
    j->has_before = true;
}

void json_text(json *j, const char *key, const char *text)
{
    begin(j, key, ", ");
    if (text)
        print_quoted(j->stream, text);
    else
        fputs("null", j->stream);
}

void json_number(json *j, const char *key, double value, int digits)
{
    begin(j, key, ", ");
    if (isfinite(value))
        fprintf(j->stream, "%.*g", digits, value);
    else
        fputs("null", j->stream);
}

void json_bool(json *j, const char *key, bool value)
{
    begin(j, key, ", ");
    fputs(value ? "true" : "false", j->stream);
}
