/* Results and messages. Every function of dew that can fail returns a dew_result; the text that explains the last
 * failure on the calling thread is dew_message(). */
#ifndef DEW_RESULT_H
#define DEW_RESULT_H

/* What the libraries show; linkable from C++ too. */
#ifdef __cplusplus
#define DEW_API extern "C" __attribute__((visibility("default")))
#else
#define DEW_API __attribute__((visibility("default")))
#endif

typedef enum dew_result {
    DEW_OK = 0,
    DEW_FAILED,    /* the run failed: a NaN, a runaway particle, a solver that does not converge */
    DEW_INVALID,   /* the input is wrong: a definition, a scene, a mesh, an argument */
    DEW_IO,        /* a file could not be read or written */
    DEW_NO_MEMORY, /* an allocation failed */
} dew_result;

/* The message of the last failure on this thread: one or more lines, never NULL, valid until the next failure on this
 * thread. Empty when nothing has failed. */
DEW_API const char *dew_message(void);

/* The mistakes that the last failure on this thread is made of, for programs: a definition may have several. */
typedef struct dew_failure {
    const char *path;     /* what it is about: "liquids[2].shape.sphere.radius"; "" where that has no name */
    const char *sentence; /* what is wrong */
    const char *advice;   /* what would be right; may be "" */
} dew_failure;
DEW_API int dew_failure_count(void);
DEW_API dew_failure dew_failure_at(int index);

#endif
