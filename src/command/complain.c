/* command/complain.c - error messages: the error, its place, and a hint. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/near.h"
#include "command/command.h"
#include "command/progress.h"
#include "io/file.h"

static char failure[1024]; /* the last error */

const char *weir_cli_failure(void)
{
    return *failure ? failure : NULL;
}

int weir_cli_fail(const char *cure, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    vsnprintf(failure, sizeof failure, fmt, args);
    va_end(args);
    va_start(args, fmt);
    weir_progress_erase();
    fflush(stdout);
    fputs("weir: ", stderr);
    vfprintf(stderr, fmt, args);
    fputc('\n', stderr);
    if (cure)
        fprintf(stderr, "  %s\n", cure);
    va_end(args);
    return WEIR_EXIT_FAILED;
}

int weir_cli_fail_status(const char *cure, weir_status status)
{
    int exit_status = weir_cli_fail(cure, "%s", weir_status_message(status));
    weir_status_free(status);
    return exit_status;
}

int weir_cli_fail_call(const char *cure, weir_status status)
{
    bool wrong = weir_status_code(status) == WEIR_INVALID_ARGUMENT;
    int code = weir_cli_fail_status(cure, status);
    return wrong ? WEIR_EXIT_USAGE : code;
}

int weir_cli_misuse(const char *command, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    vsnprintf(failure, sizeof failure, fmt, args);
    va_end(args);
    va_start(args, fmt);
    weir_progress_erase();
    fflush(stdout);
    fprintf(stderr, "weir %s: ", command);
    vfprintf(stderr, fmt, args);
    fprintf(stderr, "\n  'weir %s --help' explains how it is called.\n", command);
    va_end(args);
    return WEIR_EXIT_USAGE;
}

const char *weir_cli_nearest(const char *word, const char *const *names, size_t count)
{
    const char *best = NULL;
    int least = (int)strlen(word) / 3 + 2; /* more distant words are unrelated */
    for (size_t i = 0; i < count && strlen(word) < WEIR_NEAR_LENGTH; i++) {
        int d = strlen(names[i]) < WEIR_NEAR_LENGTH ? weir_edit_distance(word, names[i]) : least;
        if (d < least) {
            least = d;
            best = names[i];
        }
    }
    return best;
}

int weir_cli_check_folder(const char *option, const char *dir)
{
    char cure[80];
    weir_status status = weir_dir_create_all(dir);
    snprintf(cure, sizeof cure, "%s needs a folder that can be written.", option);
    if (status)
        return weir_cli_fail_status(cure, status);
    if (access(dir, W_OK | X_OK) != 0)
        return weir_cli_fail(cure, "%s: %s", dir, strerror(errno));
    return WEIR_EXIT_OK;
}
