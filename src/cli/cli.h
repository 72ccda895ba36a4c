/* cli/cli.h - what the subcommands share: options, and how to complain.
 *
 * A subcommand is a file with weir_cli_<name> and a line in commands.inc. It gets the words after
 * its own name and returns the exit status: 0, 1 when the work failed, 2 when it was called
 * wrongly.
 */
#ifndef WEIR_CLI_CLI_H
#define WEIR_CLI_CLI_H

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"
#include "base/str.h"

enum { WEIR_EXIT_OK = 0, WEIR_EXIT_FAILED = 1, WEIR_EXIT_USAGE = 2 };

typedef struct weir_command {
    const char *name, *args, *summary;
    int (*run)(int argc, char **argv);
} weir_command;

#define WEIR_COMMAND(name, args, summary) int weir_cli_##name(int argc, char **argv);
#include "cli/commands.inc"
#undef WEIR_COMMAND

/* An option of a subcommand; exactly one of the value pointers is set. */
typedef struct weir_option {
    const char *name; /* "steps" for --steps */
    char letter;      /* 's' for -s, or 0 */
    const char *arg;  /* what its value is called in the help; null for a flag */
    const char *help;
    bool *flag;
    long *number; /* a whole number of at least 1 */
    long *index;  /* a whole number of at least 0 */
    double *real; /* above 0 */
    const char **text;
} weir_option;

/* How a subcommand is called. */
typedef struct weir_usage {
    const char *command; /* "demo" */
    const char *about;   /* a paragraph for --help */
    const weir_option *options;
    size_t option_count;
    bool takes_words;  /* arguments that are no options are allowed */
    const char *words; /* what they are called in the help; null: "[NAME...]" */
    bool ends_at_word; /* the first word and all behind it are another program's */
    /* Takes an option that is not in the table; false when it knows none of that name. */
    bool (*other)(void *ctx, weir_str name, const char *value);
    void *ctx;
} weir_usage;

typedef enum weir_parsed { WEIR_PARSED, WEIR_PARSED_HELP, WEIR_PARSED_WRONG } weir_parsed;

/* Reads options; "-h" prints the help. The words that are none move to the front of |argv|, and
 * *argc becomes their number. */
weir_parsed weir_cli_parse(const weir_usage *usage, int *argc, char **argv);

/* Prints "weir: cause" and, on a second line, what to do about it. Returns WEIR_EXIT_FAILED. */
int weir_cli_fail(const char *cure, const char *fmt, ...) WEIR_PRINTF(2, 3);
/* The same for a status, which is freed. */
int weir_cli_fail_status(const char *cure, weir_status s);
/* The same for a wrong call; returns WEIR_EXIT_USAGE. */
int weir_cli_misuse(const char *command, const char *fmt, ...) WEIR_PRINTF(2, 3);

/* The name among |names| that |word| was probably meant to be, or null. */
const char *weir_cli_nearest(const char *word, const char *const *names, size_t count);

#endif
