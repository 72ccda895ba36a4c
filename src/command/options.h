/* command/options.h - the parser of a command's words, for main and the help generators. */
#ifndef WEIR_COMMAND_OPTIONS_H
#define WEIR_COMMAND_OPTIONS_H

#include "command/command.h"

extern const weir_option weir_option_help; /* common to all commands */

bool weir_option_is_help(const char *word); /* "--help" or "-h" */

typedef enum weir_parsed { WEIR_PARSED, WEIR_PARSED_HELP, WEIR_PARSED_WRONG } weir_parsed;

/* Fills |args| from the words; "-h" prints the help, and errors are reported. Positional arguments
 * move to the front of |argv|, and *argc becomes their number. |path| is the command as typed:
 * "ckpt list". */
weir_parsed weir_options_read(const char *path, const weir_command *command, void *args, int *argc,
                              char **argv);

/* Fills |args| from the environment: --steps of "ckpt list" is WEIR_CKPT_LIST_STEPS. These
 * variables are removed from the environment, so that child processes do not see them. False after
 * an error message. Call it before weir_options_read, whose words have precedence. */
bool weir_options_from_environment(const char *path, const weir_command *command, void *args);
/* Appends that variable's name. */
void weir_option_variable(weir_buf *out, const char *path, const weir_option *option);

void weir_options_fini(const weir_command *command, void *args); /* frees what reading allocated */

/* Iterates over "a|b|c": moves *at past the next name; false at the end. */
bool weir_choice_next(const char **at, weir_str *out);
/* Parses the option --output alone, if present and valid: for reporting usage errors. */
void weir_options_read_output(const weir_command *command, void *args, int argc, char **argv);

#endif
