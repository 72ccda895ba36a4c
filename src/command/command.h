/* command/command.h - what the subcommands share: their descriptions, and error messages.
 *
 * A subcommand is a constant, weir_command_<name>, in a file of its own, and a line in
 * commands.inc. It describes the command's arguments as data: the command line is parsed by it, and
 * --help, man pages, completions and docs/reference/cli.md are generated from it without running
 * anything.
 *
 *     typedef struct greet_args { const char *name; long times; bool loud; } greet_args;
 *
 *     static const weir_option options[] = {
 *         {"name", 'n', "NAME", "whom to greet", WEIR_TEXT(greet_args, name)},
 *         {"times", 0, "N", "how often", WEIR_NUMBER(greet_args, times)},
 *         {"loud", 'l', NULL, "in capitals", WEIR_FLAG(greet_args, loud)},
 *     };
 *     static int greet(void *args, int argc, char **argv) { const greet_args *a = args; ... }
 *
 *     const weir_command weir_command_greet = {
 *         .name = "greet",
 *         .summary = "say hello",
 *         .about = "Says hello to NAME.",
 *         WEIR_OPTIONS(options),
 *         WEIR_ARGS(greet_args, .name = "you", .times = 1),
 *         .run = greet,
 *     };
 */
#ifndef WEIR_COMMAND_COMMAND_H
#define WEIR_COMMAND_COMMAND_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"
#include "base/str.h"

enum { WEIR_EXIT_OK = 0, WEIR_EXIT_FAILED = 1, WEIR_EXIT_USAGE = 2, WEIR_EXIT_TRY_AGAIN = 138 };

/* The kind of a value or word, for shell completion. */
typedef enum weir_hint {
    WEIR_HINT_NONE,
    WEIR_HINT_FILE,
    WEIR_HINT_FOLDER,
    WEIR_HINT_OP,      /* an op of the catalogue */
    WEIR_HINT_MODEL,   /* a built-in model */
    WEIR_HINT_COMMAND, /* a command of weir */
} weir_hint;

typedef enum weir_option_kind {
    WEIR_OPTION_OTHER, /* handled by the command's .other; listed for the help */
    WEIR_OPTION_FLAG,
    WEIR_OPTION_TEXT,
    WEIR_OPTION_NUMBER, /* an integer from 1 to .most */
    WEIR_OPTION_INDEX,  /* an integer from 0 to .most */
    WEIR_OPTION_REAL,   /* above 0 */
    WEIR_OPTION_CHOICE, /* one of .choices; the value is its index */
    WEIR_OPTION_LIST,   /* text, repeatable: values in a weir_words */
} weir_option_kind;

/* The values of a repeatable option. */
typedef struct weir_words {
    const char **at; /* valid while the command runs */
    int count;
} weir_words;

typedef struct weir_option {
    const char *name; /* "steps" for --steps */
    char letter;      /* 's' for -s, or 0 */
    const char *arg;  /* name of its value in the help; null for a flag */
    const char *help; /* a phrase; its default is appended */
    weir_option_kind kind;
    size_t at;           /* offset of the value in the command's arguments */
    const char *choices; /* "table|json|csv" */
    long most;           /* of a number or index; 0: INT_MAX, so that it fits an int */
    weir_hint hint;
    bool hidden; /* internal to Weir; not in the help */
} weir_option;

/* .kind and .at of an option whose value is a field of |type|; a wrong type does not compile. */
#define WEIR_OPTION_AT(option_kind, type, field, want)                                             \
    .kind = option_kind,                                                                           \
    .at =                                                                                          \
        offsetof(type, field) +                                                                    \
        0 * sizeof(                                                                                \
                char[__builtin_types_compatible_p(__typeof__(((type *)0)->field), want) ? 1 : -1])
#define WEIR_FLAG(type, field) WEIR_OPTION_AT(WEIR_OPTION_FLAG, type, field, bool)
#define WEIR_TEXT(type, field) WEIR_OPTION_AT(WEIR_OPTION_TEXT, type, field, const char *)
#define WEIR_NUMBER(type, field) WEIR_OPTION_AT(WEIR_OPTION_NUMBER, type, field, long)
#define WEIR_INDEX(type, field) WEIR_OPTION_AT(WEIR_OPTION_INDEX, type, field, long)
#define WEIR_REAL(type, field) WEIR_OPTION_AT(WEIR_OPTION_REAL, type, field, double)
#define WEIR_LIST(type, field) WEIR_OPTION_AT(WEIR_OPTION_LIST, type, field, weir_words)
/* Of numbers that are kept as int64_t: steps, bytes, seeds. */
enum { WEIR_MOST_PORT = 65535 };
#define WEIR_LONG .most = LONG_MAX
#define WEIR_CHOICE(type, field, names)                                                            \
    WEIR_OPTION_AT(WEIR_OPTION_CHOICE, type, field, int), .choices = names

typedef struct weir_command weir_command;
struct weir_command {
    const char *name;    /* "ckpt" */
    const char *summary; /* a phrase for the list of commands */
    const char *words;   /* positional arguments: "MODEL [INPUT]"; null: none */
    int least, most;     /* their minimum and maximum number; most 0: unlimited */
    /* For the help: paragraphs, separated by empty lines. Lines that begin with two spaces are
     * examples, which the tests run in the order of docs/reference/cli.md; a trailing comment gives
     * the reason not to: " # needs several hosts" (the reasons are in tests/docs_test.py). */
    const char *about;
    const weir_option *options;
    size_t option_count;
    size_t args_bytes;    /* of the arguments, which start as a copy of */
    const void *defaults; /* these */
    weir_hint hint;       /* kind of the positional arguments */
    bool ends_at_word;    /* the first word and all after it belong to another program */
    bool hidden;          /* internal to Weir; not in the help */
    /* Subcommands, as in "weir ckpt list"; null at the end. */
    const weir_command *const *subs;
    /* |args| is filled in; returns the exit status. Null if only the subcommands run. */
    int (*run)(void *args, int argc, char **argv);
    /* After a usage error, which has been printed: ends output that always has an end (events).
     * |args| has what was parsed before the error, and --output wherever it is. May be null. */
    void (*wrong)(const void *args);
    /* Handles an option that is not in the table; false if unknown. */
    bool (*other)(void *args, weir_str name, const char *value);
};

#define WEIR_OPTIONS(array) .options = array, .option_count = sizeof array / sizeof *array
#define WEIR_ARGS(type, ...)                                                                       \
    .args_bytes = sizeof(type), .defaults = &(const type)                                          \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }

const weir_command *weir_command_find(const weir_command *in, const char *name); /* or null */
/* Appends "ckpt list", the command line of command |name| below the path |above|. */
void weir_command_path(weir_buf *path, const char *above, const char *name);
/* Runs the command below |root| named by the first words; the rest are its arguments. Returns the
 * exit status. */
int weir_command_main(const weir_command *root, int argc, char **argv);

/* Prints "weir: cause" and, on a second line, the remedy. Returns WEIR_EXIT_FAILED. */
int weir_cli_fail(const char *cure, const char *fmt, ...) WEIR_PRINTF(2, 3);
/* The same for a status, which is freed. */
int weir_cli_fail_status(const char *cure, weir_status status);
/* The same for the status of parsing arguments: INVALID_ARGUMENT is a usage error,
 * WEIR_EXIT_USAGE. */
int weir_cli_fail_call(const char *cure, weir_status status);
/* Checks an output folder before long work: creates |dir| if needed, and fails, naming |option|, if
 * no file can be written to it. */
int weir_cli_check_folder(const char *option, const char *dir);
/* The same for a usage error; |command| is as typed, "ckpt list". Returns WEIR_EXIT_USAGE. */
int weir_cli_misuse(const char *command, const char *fmt, ...) WEIR_PRINTF(2, 3);

/* The cause that one of these printed last, or null. Main thread only. */
const char *weir_cli_failure(void);

/* The name among |names| that |word| probably misspells, or null. */
const char *weir_cli_nearest(const char *word, const char *const *names, size_t count);

#endif
