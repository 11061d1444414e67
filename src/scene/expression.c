#include "scene/expression.h"

#include <muParserDLL.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_VARIABLES = 3, MAX_TEXT = 4096 };

struct expression {
    muParserHandle_t handle;
    int variable_count;
    double inputs[MAX_VARIABLES];
    char text[];
};

/* Without a handler muparser's C interface prints to the terminal. */
static void stay_silent(muParserHandle_t handle) { (void)handle; }

/* '=' assigns to a variable, which no function may do. */
static int find_assignment(const char *text)
{
    for (int k = 0; text[k]; k++) {
        if (text[k] != '=') continue;
        if (text[k + 1] == '=')
            k++;
        else if (k == 0 || !strchr("<>!", text[k - 1]))
            return k;
    }
    return -1;
}

__attribute__((format(printf, 3, 4))) static bool fail(expression_error *error, int position, const char *format, ...)
{
    va_list arguments;
    error->position = position;
    va_start(arguments, format);
    vsnprintf(error->text, sizeof error->text, format, arguments);
    va_end(arguments);
    return false;
}

static const char *variable_list(const char *variables)
{
    return strcmp(variables, "xyz") == 0  ? "x, y, z"
           : strcmp(variables, "xy") == 0 ? "x, y"
           : strcmp(variables, "Tc") == 0 ? "T, c"
                                          : variables;
}

/* The C interface hands out all texts in one buffer: each is copied before the next is asked for. */
static bool describe_error(const expression *e, const char *variables, expression_error *error)
{
    enum { UNKNOWN_NAME = 1 }; /* muparser's ecUNASSIGNABLE_TOKEN */
    char token[100], message[200];
    snprintf(token, sizeof token, "%s", mupGetErrorToken(e->handle));
    snprintf(message, sizeof message, "%s", mupGetErrorMsg(e->handle));
    int position = mupGetErrorPos(e->handle), size = (int)strlen(e->text);
    if (position >= size) position = size - 1;
    if (mupGetErrorCode(e->handle) == UNKNOWN_NAME && *token)
        return fail(error, position, "'%s' is neither a function nor one of %s, pi", token, variable_list(variables));
    char *where = strstr(message, " at position ");
    if (where) *where = 0;
    return fail(error, position, "%s", message);
}

static bool compile(expression *e, const char *variables, expression_error *error)
{
    e->handle = mupCreate(muBASETYPE_FLOAT);
    if (!e->handle) return fail(error, -1, "out of memory");
    mupSetErrorHandler(e->handle, stay_silent);
    mupDefineConst(e->handle, "pi", 3.14159265358979323846);
    for (int k = 0; k < e->variable_count; k++) mupDefineVar(e->handle, (char[2]){variables[k], 0}, &e->inputs[k]);
    mupSetExpr(e->handle, e->text);
    int results = 0;
    mupEvalMulti(e->handle, &results);
    if (mupError(e->handle)) return describe_error(e, variables, error);
    if (results != 1) return fail(error, -1, "gives several values, one is wanted");
    return true;
}

expression *expression_create(const char *text, const char *variables, expression_error *error)
{
    *error = (expression_error){.position = -1};
    size_t length = strlen(text);
    int assignment = find_assignment(text);
    if (length == 0)
        fail(error, -1, "there is nothing in it");
    else if (length > MAX_TEXT)
        fail(error, -1, "longer than %d characters", MAX_TEXT);
    else if (assignment >= 0)
        fail(error, assignment, "'=' has no place here (equality is '==')");
    if (*error->text) return NULL;
    expression *e = calloc(1, sizeof *e + length + 1);
    if (!e) return NULL;
    memcpy(e->text, text, length + 1);
    e->variable_count = (int)strlen(variables);
    if (!compile(e, variables, error)) {
        expression_destroy(e);
        return NULL;
    }
    return e;
}

void expression_destroy(expression *e)
{
    if (!e) return;
    if (e->handle) mupRelease(e->handle);
    free(e);
}

/* One value at a time: muparser's evaluation of blocks starts threads of its own for every call. */
static void evaluate(void *context, int count, const double *const *inputs, double *output)
{
    expression *e = context;
    for (int i = 0; i < count; i++) {
        for (int k = 0; k < e->variable_count; k++) e->inputs[k] = inputs[k][i];
        output[i] = mupEval(e->handle);
    }
}

dew_function expression_function(expression *e) { return (dew_function){evaluate, e}; }

bool expression_uses(dew_function f, char variable)
{
    if (f.evaluate != evaluate) return false;
    const expression *e = f.context;
    int count = mupGetExprVarNum(e->handle);
    for (int k = 0; k < count; k++) {
        const muChar_t *name;
        muFloat_t *value;
        mupGetExprVar(e->handle, (unsigned)k, &name, &value);
        if (name && name[0] == variable && !name[1]) return true;
    }
    return false;
}

const char *expression_text(dew_function f)
{
    return f.evaluate == evaluate ? ((const expression *)f.context)->text : NULL;
}
