#include "base/result.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MESSAGE_SIZE = 4096 };
static _Thread_local char message[MESSAGE_SIZE];

const char *dew_message(void) { return message; }

dew_result result_fail(dew_result result, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    return result;
}

dew_result result_within(dew_result result, const char *format, ...)
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
