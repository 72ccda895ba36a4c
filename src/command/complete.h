/* command/complete.h - what can follow the words of an unfinished command line. */
#ifndef WEIR_COMMAND_COMPLETE_H
#define WEIR_COMMAND_COMPLETE_H

#include "command/command.h"

/* Collects the candidates that begin with |prefix|. */
typedef struct weir_candidates {
    const char *prefix;
    weir_buf *out;
} weir_candidates;

/* Adds "word<tab>about" if |word| begins with the prefix. */
void weir_candidates_add(const weir_candidates *to, weir_str word, const char *about);

/* Adds the names behind a hint, which only the program knows: ops, models. */
typedef void weir_complete_names(weir_hint hint, const weir_candidates *to);

/* Appends to |out| what can follow |words|, the last of which may be unfinished: a candidate a
 * line, with a tab and a phrase behind it, or ":file" and ":dir" where the shell is to complete. */
void weir_complete(const weir_command *root, int count, char **words, weir_complete_names *names,
                   weir_buf *out);

#endif
