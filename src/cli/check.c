/* cli/check.c - weir check: what Weir's Python package lacks of what programs need. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/env.h"
#include "base/mem.h"
#include "command/command.h"
#include "command/output.h"

typedef struct check_args {
    const char *python;
    int format;
} check_args;

/* The package does the work: it knows what it has. */
static char script[] =
    "import sys\n"
    "try:\n"
    "    from weir import check\n"
    "except ImportError as error:\n"
    "    sys.exit('weir: %s cannot import Weir\\'s package: %s\\n  Name the interpreter that has "
    "it by --python, or install it: weir help run-tensorflow-1-programs.'\n"
    "             % (sys.executable, error))\n"
    "sys.exit(check.main(sys.argv[1:]))\n";

static int check(void *args, int argc, char **argv)
{
    const check_args *check_args = args;
    const char *python = check_args->python ? check_args->python : weir_env_get()->python;
    WEIR_VEC(char *) words = {0};
    WEIR_FREED char *interpreter = weir_strdup(python ? python : "python3");
    weir_vec_push(&words, interpreter);
    weir_vec_push(&words, "-c");
    weir_vec_push(&words, script);
    weir_vec_push(&words, "-o");
    weir_vec_push(&words, check_args->format == WEIR_OUTPUT_JSON  ? "json"
                          : check_args->format == WEIR_OUTPUT_CSV ? "csv"
                                                                  : "table");
    for (int i = 0; i < argc; i++)
        weir_vec_push(&words, argv[i]);
    weir_vec_push(&words, NULL);
    fflush(stdout);
    execvp(words.at[0], words.at);
    int err = errno;
    weir_vec_fini(&words);
    return weir_cli_fail("Name a Python interpreter by --python or WEIR_PYTHON.",
                         "cannot start '%s': %s", interpreter, strerror(err));
}

static const weir_option options[] = {
    WEIR_OUTPUT_OPTION(check_args, format),
    {"python", 0, "PATH",
     "Python interpreter that has Weir's package (default: WEIR_PYTHON, python3)",
     WEIR_TEXT(check_args, python)},
};

const weir_command weir_command_check = {
    .name = "check",
    .summary = "list what Weir's Python package lacks for a program",
    .words = "PROGRAM...",
    .least = 1,
    .about = "Reads TensorFlow 1.x programs, and the files beside them that they import, without "
             "running them, and lists the names of TensorFlow that Weir's Python package does not "
             "have, what needs 'python -m weir --old', and the packages that are not installed. "
             "The exit status is 0 if nothing of TensorFlow is missing.",
    WEIR_OPTIONS(options),
    WEIR_ARGS(check_args),
    .hint = WEIR_HINT_FILE,
    .run = check,
};
