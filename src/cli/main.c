/* cli/main.c - the weir command: start-up and dispatch to subcommands. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/commands.h"
#include "command/command.h"
#include "proc/lines.h"

static const weir_command *const commands[] = {
#define WEIR_CLI(name) &weir_command_##name,
#include "cli/commands.inc"
#undef WEIR_CLI
    NULL};

const weir_command weir_command_root = {
    .name = "weir",
    .summary = "TensorFlow's dataflow runtime in C",
    .words = "COMMAND [ARGUMENT...]",
    .about = "Weir runs TensorFlow graphs. Its library, libweir.so, has TensorFlow's C API; "
             "this command trains models, inspects files and serves TensorFlow clients.",
    .subs = commands,
};

/* If a standard descriptor is closed, a later socket or file would get its number and receive the
 * output. */
static void open_standard_descriptors(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", O_RDWR) != fd)
            _exit(1); /* no way to report the error */
}

static void ignore(int number)
{
    (void)number;
}

/* Signals that request a report of running steps: commands without steps ignore them. Unlike
 * SIG_IGN, a handler is not inherited by programs that a command starts. */
static void ignore_report_signals(void)
{
    struct sigaction act = {.sa_handler = ignore, .sa_flags = SA_RESTART};
    sigaction(SIGUSR1, &act, NULL);
    sigaction(SIGUSR2, &act, NULL);
}

/* A command that succeeded, but whose results were not written, as on a full disk, has failed. A
 * reader that wants no more (| head) is no failure. */
static int check_output(int status)
{
    bool lost = ferror(stdout);
    int err = run_write_failure();
    if (fflush(stdout) != 0)
        err = errno;
    if (status != WEIR_EXIT_OK || (!lost && !err) || err == EPIPE)
        return status;
    return weir_cli_fail("Results are missing there: free some space, or write them elsewhere.",
                         "standard output: %s",
                         err ? strerror(err) : "not everything could be written");
}

int main(int argc, char **argv)
{
    open_standard_descriptors();
    ignore_report_signals();
    char version[] = "version";
    if (argc > 1 && strcmp(argv[1], "--version") == 0)
        argv[1] = version;
    return check_output(weir_command_main(&weir_command_root, argc - 1, argv + 1));
}
