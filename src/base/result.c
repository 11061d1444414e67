#include "base/result.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MESSAGE_SIZE = 20480, SENTENCE_SIZE = FAILURE_TEXT - 8, PATH_SIZE = 256 };
static _Thread_local failures last;
static _Thread_local char message[MESSAGE_SIZE];

/* Prints into the array `text` what the caller has been given after `format`. */
#define FORMAT(text, format)                                                                                           \
    do {                                                                                                               \
        va_list arguments;                                                                                             \
        va_start(arguments, format);                                                                                   \
        vsnprintf(text, sizeof(text), format, arguments);                                                              \
        va_end(arguments);                                                                                             \
    } while (0)

const char *dew_message(void) { return message; }
int dew_failure_count(void) { return last.count; }
dew_failure dew_failure_at(int index) { return failures_at(&last, index); }

dew_failure failures_at(const failures *f, int index)
{
    if (index < 0 || index >= f->count) return (dew_failure){"", "", ""};
    return (dew_failure){f->text + f->entry[index].path, f->text + f->entry[index].sentence,
                         f->text + f->entry[index].advice};
}

static unsigned short store(failures *f, const char *text)
{
    size_t at = f->length, size = strlen(text) + 1;
    memcpy(f->text + at, text, size);
    f->length += size;
    return (unsigned short)at;
}

static void note(failures *f, const char *path, size_t subject, const char *advice, const char *sentence)
{
    size_t needed = strlen(path) + strlen(sentence) + strlen(advice) + 3;
    if (f->left_out > 0 || f->count == MOST_FAILURES || needed > sizeof f->text - f->length) {
        f->left_out++;
        return;
    }
    int k = f->count++;
    f->entry[k].path = store(f, path), f->entry[k].sentence = store(f, sentence);
    f->entry[k].advice = store(f, advice), f->entry[k].subject = (unsigned short)subject;
}

void failures_note(failures *f, const char *path, size_t subject, const char *advice, const char *format, ...)
{
    char sentence[SENTENCE_SIZE];
    FORMAT(sentence, format);
    if (f->result == DEW_OK) f->result = DEW_INVALID;
    note(f, path, subject, advice ? advice : "", sentence);
}

/* Prints behind a text what fits. */
__attribute__((format(printf, 3, 4))) static void append(char *text, size_t size, const char *format, ...)
{
    size_t length = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text + length, size - length, format, arguments);
    va_end(arguments);
}

bool failures_add(failures *f, dew_result result, const char *format, ...)
{
    if (result == DEW_OK) return true;
    if (f->result == DEW_OK) f->result = result;
    char outer[PATH_SIZE], path[PATH_SIZE];
    FORMAT(outer, format);
    for (int k = 0; k < last.count; k++) {
        dew_failure one = failures_at(&last, k);
        path[0] = 0;
        append(path, sizeof path, "%s%s%s", outer, *outer && *one.path && *one.path != '[' ? "." : "", one.path);
        note(f, path, last.entry[k].subject, one.advice, one.sentence);
    }
    f->left_out += last.left_out;
    return false;
}

bool failures_concern(const failures *f, const char *format, ...)
{
    char path[PATH_SIZE];
    FORMAT(path, format);
    for (int k = 0; k < f->count; k++) {
        const char *of = f->text + f->entry[k].path;
        if (strncmp(of, path, strlen(path)) == 0 && strchr(".[", of[strlen(path)])) return true;
    }
    return f->left_out > 0;
}

/* A failure is a line of the message; lines that go on with it are indented. */
static void compose(void)
{
    message[0] = 0;
    for (int k = 0; k < last.count; k++) {
        dew_failure one = failures_at(&last, k);
        size_t subject = *one.path ? last.entry[k].subject : 0;
        append(message, sizeof message, "%s%s%s", k ? "\n" : "", one.path, subject || !*one.path ? "" : ": ");
        const char *rest = one.sentence + subject;
        for (const char *end; last.count > 1 && (end = strchr(rest, '\n')); rest = end + 1)
            append(message, sizeof message, "%.*s%s", (int)(end - rest), rest, end[1] == ' ' ? "\n" : "\n  ");
        append(message, sizeof message, *one.advice ? "%s (%s)" : "%s", rest, one.advice);
    }
    if (last.left_out) append(message, sizeof message, "\n... and %d more", last.left_out);
}

static dew_result fail(dew_result result, const char *path, size_t subject, const char *sentence)
{
    last = (failures){.result = result};
    note(&last, path, subject, "", sentence);
    compose();
    return result;
}

dew_result(result_fail)(dew_result result, const char *format, ...)
{
    char sentence[SENTENCE_SIZE];
    FORMAT(sentence, format);
    return fail(result, "", 0, sentence);
}

dew_result(result_within)(dew_result result, const char *format, ...)
{
    char outer[SENTENCE_SIZE];
    FORMAT(outer, format);
    append(outer, sizeof outer, "%s", message);
    return fail(result, "", 0, outer);
}

dew_result(result_under)(dew_result result, const char *format, ...)
{
    char outer[PATH_SIZE];
    FORMAT(outer, format);
    failures under = {.result = DEW_OK};
    failures_add(&under, result, "%s", outer);
    return failures_end(&under);
}

dew_result failures_end(const failures *f)
{
    if (f->result == DEW_OK) return DEW_OK;
    last = *f;
    compose();
    return f->result;
}
