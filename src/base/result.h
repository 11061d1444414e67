/* Failing with a message. */
#ifndef BASE_RESULT_H
#define BASE_RESULT_H

#include "dew/result.h"

#include <stdbool.h>
#include <stddef.h>

/* Sets this thread's message (printf) and returns `result`: `return result_fail(DEW_INVALID, "...")`. */
__attribute__((format(printf, 2, 3))) dew_result result_fail(dew_result result, const char *format, ...);
/* Puts text before this thread's message, to say where a failure further down happened; returns `result`. */
__attribute__((format(printf, 2, 3))) dew_result result_within(dew_result result, const char *format, ...);

#ifdef __clang_analyzer__ /* which does not see that a failure is one */
void result_said(const char *format, ...);
#define result_fail(result, ...) (result_said(__VA_ARGS__), (result))
#define result_within(result, ...) (result_said(__VA_ARGS__), (result))
#endif

/* Several failures as one: begin with {0}, add each, end. A failure is a line of the message; lines that go on with it
 * are indented. What does not fit is counted. */
enum { MESSAGE_SIZE = 16384 };
typedef struct failures {
    dew_result result; /* of the first */
    int left_out;
    size_t length;
    char text[MESSAGE_SIZE - 64];
} failures;
/* Notes this thread's message if `result` is a failure; true if it is not. */
bool failures_add(failures *f, dew_result result);
/* DEW_OK when nothing has been added; else sets the message to all that has. */
dew_result failures_end(const failures *f);

#define RESULT_TRY(expression)                                                                                         \
    do {                                                                                                               \
        dew_result result_try_ = (expression);                                                                         \
        if (result_try_ != DEW_OK) return result_try_;                                                                 \
    } while (0)

#endif
