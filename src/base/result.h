/* Failing with a message. */
#ifndef BASE_RESULT_H
#define BASE_RESULT_H

#include "dew/result.h"

/* Sets this thread's message (printf) and returns `result`: `return result_fail(DEW_INVALID, "...")`. */
__attribute__((format(printf, 2, 3))) dew_result result_fail(dew_result result, const char *format, ...);
/* Puts text before this thread's message, to say where a failure further down happened; returns `result`. */
__attribute__((format(printf, 2, 3))) dew_result result_within(dew_result result, const char *format, ...);

#define RESULT_TRY(expression)                                                                                         \
    do {                                                                                                               \
        dew_result result_try_ = (expression);                                                                         \
        if (result_try_ != DEW_OK) return result_try_;                                                                 \
    } while (0)

#endif
