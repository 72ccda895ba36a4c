/* cli/train/signal.c - SIGINT, SIGTERM and SIGHUP end a task; SIGUSR1 and SIGUSR2 query it. */
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include "base/clock.h"
#include "cli/server_signals.h"
#include "cli/train/work_impl.h"
#include "proc/loop.h"

static volatile sig_atomic_t caught, patience;
static volatile int64_t caught_ns;

static void on_signal(int number)
{
    if (caught && weir_now_ns() - caught_ns < RUN_TOGETHER_MS * 1000000LL)
        return;
    if (caught)
        _exit(128 + number); /* the second signal */
    caught_ns = weir_now_ns();
    caught = number;
    if (patience)
        alarm((unsigned)patience);
}

void work_handle_signals(void (*handler)(int number))
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction act = {.sa_handler = handler, .sa_flags = SA_RESTART};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        sigaction(numbers[i], &act, NULL);
}

void work_catch_signals(int patience_s)
{
    patience = patience_s;
    caught = 0;
    work_handle_signals(on_signal);
}

int work_signal(void)
{
    return caught;
}

double work_signal_age_s(void)
{
    return caught ? (double)(weir_now_ns() - caught_ns) / 1e9 : 0;
}

static void *answer(void *asking)
{
    for (int number;;)
        if (sigwait(asking, &number) == 0)
            weir_server_signal(number);
    return NULL;
}

/* A separate thread handles them, because a hanging step is what they are used for. */
void train_answer_signals(void)
{
    static sigset_t asking;
    pthread_t thread;
    sigemptyset(&asking);
    sigaddset(&asking, SIGUSR1);
    sigaddset(&asking, SIGUSR2);
    pthread_sigmask(SIG_BLOCK, &asking, NULL); /* inherited by later threads */
    if (pthread_create(&thread, NULL, answer, &asking) == 0)
        pthread_detach(thread);
}
