/* Failing with a message. */
#ifndef BASE_RESULT_H
#define BASE_RESULT_H

#include "dew/result.h"

#include <stdbool.h>
#include <stddef.h>

/* Sets this thread's failure (printf) and returns `result`: `return result_fail(DEW_INVALID, "...")`. */
__attribute__((format(printf, 2, 3))) dew_result result_fail(dew_result result, const char *format, ...);
/* Puts text before this thread's message, to say where a failure further down happened; returns `result`. */
__attribute__((format(printf, 2, 3))) dew_result result_within(dew_result result, const char *format, ...);
/* Puts a path before that of what this thread's failure is about: "liquids[2].shape" before "sphere.radius". */
__attribute__((format(printf, 2, 3))) dew_result result_under(dew_result result, const char *format, ...);

#ifdef __clang_analyzer__ /* which does not see that a failure is one */
void result_said(const char *format, ...);
#define result_fail(result, ...) (result_said(__VA_ARGS__), (result))
#define result_within(result, ...) (result_said(__VA_ARGS__), (result))
#define result_under(result, ...) (result_said(__VA_ARGS__), (result))
#endif

/* Several failures as one: begin with {0}, add each, end. What does not fit is counted. */
enum { FAILURE_TEXT = 16384, MOST_FAILURES = 200 };
typedef struct failures {
    dew_result result; /* of the first */
    int count, left_out;
    size_t length;
    struct {
        unsigned short path, sentence, advice; /* where they begin in `text` */
        unsigned short subject;                /* see failures_note */
    } entry[MOST_FAILURES];
    char text[FAILURE_TEXT];
} failures;
/* Notes that what stands at `path` ("liquids[2].shape.sphere.radius", "": the whole) is wrong, in a sentence. `advice`,
 * what would be right, may be NULL. `subject`: as many letters at the sentence's beginning name the end of the path,
 * for which messages say the whole path; 0: the sentence has another subject. */
__attribute__((format(printf, 5, 6))) void failures_note(failures *f, const char *path, size_t subject,
                                                         const char *advice, const char *format, ...);
/* Notes this thread's failure if `result` is one, under a path; true if it is not. */
__attribute__((format(printf, 3, 4))) bool failures_add(failures *f, dew_result result, const char *path, ...);
/* Whether any failure is about what stands at a path or within; true also when some are left out, for who knows. */
__attribute__((format(printf, 2, 3))) bool failures_concern(const failures *f, const char *path, ...);
dew_failure failures_at(const failures *f, int index);
/* DEW_OK when nothing has been noted; else this thread's failure becomes all that has. */
dew_result failures_end(const failures *f);

#define RESULT_TRY(expression)                                                                                         \
    do {                                                                                                               \
        dew_result result_try_ = (expression);                                                                         \
        if (result_try_ != DEW_OK) return result_try_;                                                                 \
    } while (0)

#endif
