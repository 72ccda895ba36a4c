/* command/complete.h - completion of an unfinished command line. */
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

/* Adds the names of a hint that only the program knows: ops, models. */
typedef void weir_complete_names(weir_hint hint, const weir_candidates *to);

/* Appends to |out| the completions of |words|, the last of which may be unfinished: a candidate a
 * line, followed by a tab and a phrase, or ":file" and ":dir" for completion by the shell. */
void weir_complete(const weir_command *root, int count, char **words, weir_complete_names *names,
                   weir_buf *out);

#endif
