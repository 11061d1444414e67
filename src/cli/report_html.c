#include "cli/report_html.h"

#include <ctype.h>
#include <string.h>

static void put_character(atomic_file *file, char c)
{
    switch (c) {
    case '&':
        atomic_print(file, "&amp;");
        break;
    case '<':
        atomic_print(file, "&lt;");
        break;
    case '>':
        atomic_print(file, "&gt;");
        break;
    case '"':
        atomic_print(file, "&quot;");
        break;
    case '\'':
        atomic_print(file, "&#39;");
        break;
    default:
        if ((unsigned char)c >= 0x20 || c == '\n' || c == '\t') atomic_write(file, &c, 1);
    }
}

void html_text(atomic_file *file, const char *text)
{
    for (; *text; text++) put_character(file, *text);
}

void html_slug(char *slug, size_t size, const char *text)
{
    size_t k = 0;
    for (; text[k] && k + 1 < size; k++) {
        char c = text[k];
        slug[k] = isalnum((unsigned char)c) || c == '_' ? c : '-';
    }
    slug[k] = '\0';
}

/* --- formulas --- */

typedef struct word_sign {
    const char *word, *sign;
} word_sign;

/* Words that stand for a sign: quantities, which are slanted like all variables, and signs that stand upright. */
static const word_sign greek[] = {{"alpha", "α"},   {"beta", "β"}, {"gamma", "γ"}, {"delta", "δ"}, {"Delta", "Δ"},
                                  {"epsilon", "ε"}, {"eta", "η"},  {"theta", "θ"}, {"kappa", "κ"}, {"lambda", "λ"},
                                  {"mu", "μ"},      {"nu", "ν"},   {"xi", "ξ"},    {"rho", "ρ"},   {"sigma", "σ"},
                                  {"tau", "τ"},     {"phi", "φ"},  {"psi", "ψ"},   {"omega", "ω"}, {"Omega", "Ω"}};
static const word_sign upright[] = {{"pi", "π"}, {"sqrt", "√"}, {"infinity", "∞"}, {"integral", "∫"}, {"d", "d"}};
static const word_sign marks[] = {{"<=", "≤"}, {">=", "≥"}, {"+-", "±"}, {"->", "→"}};

#define COUNT(table) (sizeof(table) / sizeof *(table))

/* The sign that the word of `length` letters stands for, or NULL. */
static const char *sign_of(const word_sign *table, size_t count, const char *word, size_t length)
{
    for (size_t i = 0; i < count; i++)
        if (strlen(table[i].word) == length && strncmp(table[i].word, word, length) == 0) return table[i].sign;
    return NULL;
}

/* How far an exponent or index goes: a group in parentheses, a signed number, a word. */
static size_t raised_length(const char *text)
{
    size_t k = 0;
    if (*text == '(') {
        for (int depth = 0; text[k]; k++) {
            depth += (text[k] == '(') - (text[k] == ')');
            if (depth == 0) return k + 1;
        }
        return k;
    }
    if (*text == '-' || *text == '+') k++;
    while (isalnum((unsigned char)text[k]) || (text[k] == '.' && isdigit((unsigned char)text[k + 1]))) k++;
    return k;
}

static void put_formula(atomic_file *file, const char *text, size_t length);

static size_t put_raised(atomic_file *file, const char *text, const char *tag)
{
    size_t length = raised_length(text), bare = length >= 2 && text[0] == '(' && text[length - 1] == ')';
    atomic_print(file, "<%s>", tag);
    put_formula(file, text + bare, length - 2 * bare);
    atomic_print(file, "</%s>", tag);
    return length;
}

/* A quantity is slanted; digits behind it are its index. Returns its length. */
static size_t put_variable(atomic_file *file, const char *text, size_t letters, size_t length)
{
    const char *letter = sign_of(greek, COUNT(greek), text, letters);
    size_t k = letters;
    while (k < length && isdigit((unsigned char)text[k])) k++;
    atomic_print(file, "<i>");
    if (letter)
        atomic_print(file, "%s", letter);
    else
        atomic_write(file, text, letters);
    atomic_print(file, "</i>");
    if (k > letters) atomic_print(file, "<sub>%.*s</sub>", (int)(k - letters), text + letters);
    return k;
}

static bool is_variable(const char *text, size_t letters)
{
    return letters == 1 || sign_of(greek, COUNT(greek), text, letters);
}

/* "a ball": the article, not a quantity. */
static bool is_article(const char *text, size_t letters, size_t length)
{
    return letters == 1 && *text == 'a' && length > 3 && text[1] == ' ' && isalpha((unsigned char)text[2]) &&
           isalpha((unsigned char)text[3]);
}

/* A word: a sign, a quantity, a differential such as "dphi", or a name. */
static size_t put_word(atomic_file *file, const char *text, size_t length)
{
    size_t k = 0;
    while (k < length && isalpha((unsigned char)text[k])) k++;
    const char *sign = sign_of(upright, COUNT(upright), text, k);
    if (sign)
        atomic_print(file, "%s", sign);
    else if (k > 1 && text[0] == 'd' && !is_variable(text, k) && is_variable(text + 1, k - 1)) {
        atomic_print(file, "d");
        return 1 + put_variable(file, text + 1, k - 1, length - 1);
    } else if (is_variable(text, k) && !is_article(text, k, length))
        return put_variable(file, text, k, length);
    else
        atomic_write(file, text, k);
    return k;
}

static void put_formula(atomic_file *file, const char *text, size_t length)
{
    for (size_t k = 0; k < length;) {
        char c = text[k];
        const char *mark = NULL;
        for (size_t i = 0; i < COUNT(marks) && k + 1 < length; i++)
            if (strncmp(text + k, marks[i].word, 2) == 0) mark = marks[i].sign;
        bool is_raised = (c == '^' || c == '_') && k > 0 && k + 1 < length && raised_length(text + k + 1) > 0;
        if (mark) {
            atomic_print(file, "%s", mark);
            k += 2;
        } else if (is_raised) {
            k += 1 + put_raised(file, text + k + 1, c == '^' ? "sup" : "sub");
        } else if (isalpha((unsigned char)c)) {
            k += put_word(file, text + k, length - k);
        } else {
            if (c == '*')
                atomic_print(file, "·");
            else if (c == '-' && (k == 0 || text[k - 1] == ' ' || text[k - 1] == '('))
                atomic_print(file, "−");
            else
                put_character(file, c);
            k++;
        }
    }
}

void html_equation(atomic_file *file, const char *text) { put_formula(file, text, strlen(text)); }
