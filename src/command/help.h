/* command/help.h - help text generated from the table of commands: for terminals, man and
 * docs/reference/cli.md.
 */
#ifndef WEIR_COMMAND_HELP_H
#define WEIR_COMMAND_HELP_H

#include "command/command.h"

/* |path| is the command as typed after "weir", "" for weir itself. */
void weir_help_print(const char *path, const weir_command *command); /* to standard output */
/* Reports a word that is not a subcommand of |command|; returns WEIR_EXIT_USAGE. */
int weir_help_unknown(const char *path, const weir_command *command, const char *word);
/* Lists the subcommands of |command| on standard error, as none was chosen; returns
 * WEIR_EXIT_USAGE. */
int weir_help_choose(const char *path, const weir_command *command);

/* A man page in troff, and all of docs/reference/cli.md from the commands below |root|; they append
 * to |buf|. */
void weir_help_man(weir_buf *buf, const char *path, const weir_command *command);
void weir_help_markdown(weir_buf *buf, const weir_command *root);

/* ---- parts of which these are made ----------------------------------------------------------- */

/* .about in pieces. Moves *at past the next one; false at the end. */
typedef struct weir_about {
    weir_str text; /* a paragraph, with line ends replaced by spaces, or verbatim lines */
    bool literal;
} weir_about;
bool weir_about_next(const char **at, weir_about *out);

/* "[OPTION...] MODEL [INPUT]": what follows the command's name. */
void weir_help_usage(weir_buf *buf, const weir_command *command);
/* The help of |option| and, in brackets, its choices and its default. */
void weir_help_option(weir_buf *buf, const weir_command *command, const weir_option *option);
/* The placeholder of |option|'s value: its .arg, else its choices. Null for a flag. */
const char *weir_help_value(const weir_option *option);
/* "weir" or "weir-ckpt-list": the man page of a path. */
void weir_help_page(weir_buf *buf, const char *path);

#endif
