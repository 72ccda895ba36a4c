/* base/quiet.c - SIGPIPE and SIGXFSZ held back while a thread writes. */
#include "base/quiet.h"

#include <errno.h>
#include <pthread.h>
#include <time.h>

static const int held[] = {SIGPIPE, SIGXFSZ};
enum { HELD = sizeof held / sizeof *held };

void weir_quiet_begin(weir_quiet *quiet)
{
    sigset_t set;
    sigemptyset(&set);
    for (int i = 0; i < HELD; i++)
        sigaddset(&set, held[i]);
    sigpending(&quiet->pending);
    pthread_sigmask(SIG_BLOCK, &set, &quiet->mask);
}

void weir_quiet_end(weir_quiet *quiet)
{
    int saved = errno;
    sigset_t now, raised;
    sigpending(&now);
    sigemptyset(&raised);
    bool any = false;
    for (int i = 0; i < HELD; i++)
        if (sigismember(&now, held[i]) && !sigismember(&quiet->pending, held[i])) {
            sigaddset(&raised, held[i]);
            any = true;
        }
    while (any && sigtimedwait(&raised, NULL, &(struct timespec){0}) > 0)
        ;
    pthread_sigmask(SIG_SETMASK, &quiet->mask, NULL);
    errno = saved;
}

void weir_print(FILE *stream, const char *bytes, size_t length)
{
    weir_quiet quiet;
    weir_quiet_begin(&quiet);
    if (length)
        fwrite(bytes, 1, length, stream);
    fflush(stream);
    clearerr(stream);
    weir_quiet_end(&quiet);
}
