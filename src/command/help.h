/* command/help.h - what the table of commands says, in words: for terminals, man and
 * docs/reference/cli.md.
 */
#ifndef WEIR_COMMAND_HELP_H
#define WEIR_COMMAND_HELP_H

#include "command/command.h"

/* |path| is the command as typed behind "weir", "" for weir itself. */
void weir_help_print(const char *path, const weir_command *command); /* to standard output */
/* Complains of a word that is no command below |command|; returns WEIR_EXIT_USAGE. */
int weir_help_unknown(const char *path, const weir_command *command, const char *word);
/* Lists the commands below |command| on standard error, as none was chosen; returns
 * WEIR_EXIT_USAGE. */
int weir_help_choose(const char *path, const weir_command *command);

/* A page in troff, and all of docs/reference/cli.md from the commands below |root|; they append to
 * |buf|. */
void weir_help_man(weir_buf *buf, const char *path, const weir_command *command);
void weir_help_markdown(weir_buf *buf, const weir_command *root);

/* ---- parts of which these are made ----------------------------------------------------------- */

/* .about in pieces. Moves *at behind the next one; false at the end. */
typedef struct weir_about {
    weir_str text; /* a paragraph, whose line ends are spaces, or lines to be left as they are */
    bool literal;
} weir_about;
bool weir_about_next(const char **at, weir_about *out);

/* "[OPTION...] MODEL [INPUT]": what follows the command's name. */
void weir_help_usage(weir_buf *buf, const weir_command *command);
/* The help of |option| and, in brackets, its choices and its default. */
void weir_help_option(weir_buf *buf, const weir_command *command, const weir_option *option);
/* The value of |option| as it is called: its .arg, else its choices. Null for a flag. */
const char *weir_help_value(const weir_option *option);
/* "weir" or "weir-ckpt-list": the page of a path. */
void weir_help_page(weir_buf *buf, const char *path);

#endif
