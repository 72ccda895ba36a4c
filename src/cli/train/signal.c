/* cli/train/signal.c - SIGINT and SIGTERM. */
#include <signal.h>
#include <unistd.h>

#include "cli/train/work_impl.h"

static volatile sig_atomic_t caught, patience;

static void on_signal(int number)
{
    if (caught)
        _exit(128 + number); /* the second signal */
    caught = number;
    if (patience)
        alarm((unsigned)patience);
}

void work_catch_signals(int patience_s)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction act = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
    patience = patience_s;
    caught = 0;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        sigaction(numbers[i], &act, NULL);
}

int work_signal(void)
{
    return caught;
}
