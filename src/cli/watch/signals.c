/* cli/watch/signals.c - a thread that waits for SIGUSR1 and SIGUSR2. */
#include "cli/watch/signals.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include "io/file.h"
#include "observe/account.h"
#include "observe/trace.h"

enum { TRACED_STEPS = 10, TRACE_MS = 60000 };

static sigset_t both(void)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    sigaddset(&set, SIGUSR2);
    return set;
}

static void print_waits(void)
{
    WEIR_BUF(text);
    weir_account_live(&text);
    fprintf(stderr, "steps in flight, and what they wait for: %s\n", text.at);
}

static void trace_steps(void)
{
    WEIR_BUF(events);
    WEIR_BUF(text);
    char path[64];
    weir_trace_next(TRACED_STEPS);
    int steps = weir_trace_take(TRACED_STEPS, TRACE_MS, &events);
    if (events.length)
        events.length--; /* the last comma */
    weir_buf_addf(&text, "{\"traceEvents\":[%.*s]}\n", (int)events.length,
                  events.length ? events.at : "");
    snprintf(path, sizeof path, "weir-trace-%d.json", (int)getpid());
    weir_status status = weir_file_write_all(path, text.at, text.length);
    if (status)
        fprintf(stderr, "trace: %s\n", weir_status_message(status));
    else
        fprintf(stderr, "trace: %d steps in %s\n", steps, path);
    weir_status_free(status);
}

static void *wait_for_signals(void *arg)
{
    sigset_t set = both();
    int number;
    while (sigwait(&set, &number) == 0) {
        if (number == SIGUSR1)
            print_waits();
        else
            trace_steps();
    }
    return arg;
}

void watch_signals_block(void)
{
    sigset_t set = both();
    pthread_sigmask(SIG_BLOCK, &set, NULL);
}

void watch_signals_start(void)
{
    pthread_t thread;
    if (pthread_create(&thread, NULL, wait_for_signals, NULL) == 0)
        pthread_detach(thread);
}
