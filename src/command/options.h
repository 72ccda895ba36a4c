/* command/options.h - the reader of a command's words, for main and the makers of help. */
#ifndef WEIR_COMMAND_OPTIONS_H
#define WEIR_COMMAND_OPTIONS_H

#include "command/command.h"

extern const weir_option weir_option_help; /* every command has it */

bool weir_option_is_help(const char *word); /* "--help" or "-h" */

typedef enum weir_parsed { WEIR_PARSED, WEIR_PARSED_HELP, WEIR_PARSED_WRONG } weir_parsed;

/* Fills |args| from the words; "-h" prints the help, and what is wrong is complained of. The words
 * that are no options move to the front of |argv|, and *argc becomes their number. |path| is the
 * command as typed: "ckpt list". */
weir_parsed weir_options_read(const char *path, const weir_command *command, void *args, int *argc,
                              char **argv);

/* Fills |args| from the environment: --steps of "ckpt list" is WEIR_CKPT_LIST_STEPS. They are taken
 * out of the environment, so that a program that the command starts does not see them. False after
 * a complaint. Call it before weir_options_read, whose words win. */
bool weir_options_from_environment(const char *path, const weir_command *command, void *args);
/* Appends that name. */
void weir_option_variable(weir_buf *out, const char *path, const weir_option *option);

void weir_options_fini(const weir_command *command, void *args); /* frees what reading allocated */

/* Walks "a|b|c": moves *at behind the next name; false at the end. */
bool weir_choice_next(const char **at, weir_str *out);
/* Reads the option --output alone, if it is there and right: for what is said of a wrong call. */
void weir_options_read_output(const weir_command *command, void *args, int argc, char **argv);

#endif
