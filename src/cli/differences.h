/* What has changed between two scenes that dew has written down: a line of run.yaml is a value or a part. */
#ifndef CLI_DIFFERENCES_H
#define CLI_DIFFERENCES_H

/* Prints the lines that one has and the other has not, comments apart, to standard error; nothing where there are none.
 */
void differences_print(const char *before, const char *now);

#endif
