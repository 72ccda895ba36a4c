/* base/quiet.c - blocks SIGPIPE and SIGXFSZ while a thread writes. */
#include "base/quiet.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <time.h>
#include <unistd.h>

#include "base/mutex.h"
#include "base/stop.h"

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

enum { PIECE = 4096 }; /* bytes that a writable pipe accepts at once */

static bool has_room(FILE *stream)
{
    struct pollfd one = {.fd = fileno(stream), .events = POLLOUT};
    return ppoll(&one, 1, &(struct timespec){0}, NULL) != 0;
}

static void put(FILE *stream, const char *bytes, size_t length)
{
    weir_quiet quiet;
    weir_quiet_begin(&quiet);
    if (length)
        fwrite(bytes, 1, length, stream);
    fflush(stream);
    clearerr(stream);
    weir_quiet_end(&quiet);
}

/* Writes as much as fits; one thread at a time, so that the free space does not shrink. */
static size_t put_some(FILE *stream, const char *bytes, size_t length)
{
    static weir_mutex turn = WEIR_MUTEX_INIT;
    size_t done = 0;
    weir_mutex_lock(&turn);
    while (done < length && has_room(stream)) {
        size_t piece = length - done < PIECE ? length - done : PIECE;
        put(stream, bytes + done, piece);
        done += piece;
    }
    weir_mutex_unlock(&turn);
    return done;
}

void weir_print(FILE *stream, const char *bytes, size_t length)
{
    enum { PAUSE_US = 5000 };
    for (;;) {
        size_t done = put_some(stream, bytes, length);
        bytes += done;
        length -= done;
        if (!length || weir_stopped())
            return;
        usleep(PAUSE_US);
    }
}

bool weir_print_now(FILE *stream, const char *bytes, size_t length)
{
    return put_some(stream, bytes, length) > 0;
}
