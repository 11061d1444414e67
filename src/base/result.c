#include "base/result.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static _Thread_local char message[MESSAGE_SIZE];

const char *dew_message(void) { return message; }

dew_result(result_fail)(dew_result result, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    return result;
}

dew_result(result_within)(dew_result result, const char *format, ...)
{
    char inner[MESSAGE_SIZE];
    memcpy(inner, message, sizeof inner);
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    if (length >= 0 && length < MESSAGE_SIZE) snprintf(message + length, sizeof message - (size_t)length, "%s", inner);
    return result;
}

bool failures_add(failures *f, dew_result result)
{
    if (result == DEW_OK) return true;
    if (f->result == DEW_OK) f->result = result;
    size_t needed = f->length > 0;
    for (const char *c = message; *c; c++) needed += *c == '\n' && c[1] != ' ' ? 3 : 1;
    if (f->left_out > 0 || needed >= sizeof f->text - f->length) {
        f->left_out++;
        return false;
    }
    char *to = f->text + f->length;
    if (f->length > 0) *to++ = '\n';
    for (const char *c = message; *c; c++) {
        *to++ = *c;
        if (*c == '\n' && c[1] != ' ') *to++ = ' ', *to++ = ' ';
    }
    *to = 0;
    f->length = (size_t)(to - f->text);
    return false;
}

dew_result failures_end(const failures *f)
{
    if (f->result == DEW_OK || f->left_out == 0)
        return f->result == DEW_OK ? DEW_OK : result_fail(f->result, "%s", f->text);
    return result_fail(f->result, "%s\n... and %d more", f->text, f->left_out);
}
