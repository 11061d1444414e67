/* Texts as HTML. */
#ifndef CLI_REPORT_HTML_H
#define CLI_REPORT_HTML_H

#include "io/atomic.h"

/* Everything that is not our own markup goes through one of these. */
void html_text(atomic_file *file, const char *text);
/* A formula in plain text ("omega^2 = 8 gamma/(rho R^3)") with Greek letters, roots, exponents and indices. */
void html_equation(atomic_file *file, const char *text);
/* Letters, digits, '_' and '-' of the text, others as '-': for names of files and anchors. */
void html_slug(char *slug, size_t size, const char *text);

extern const char html_style[]; /* CSS of the report's page */

#endif
