/* cli/server_start.c - a thread that waits for the other tasks of the cluster. */
#include "cli/server_start.h"

#include <poll.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/cancel.h"
#include "base/mem.h"

struct start_watch {
    weir_server *server;
    int64_t timeout_ms;
    weir_cancel *cancel;
    pthread_t thread;
    int fd;
    weir_status missing; /* owned by the thread until it is joined */
};

static void *wait_for_peers(void *arg)
{
    start_watch *watch = arg;
    watch->missing = weir_server_wait_for_peers(watch->server, watch->timeout_ms, watch->cancel);
    if (watch->missing)
        eventfd_write(watch->fd, 1);
    return NULL;
}

static void free_watch(start_watch *watch)
{
    close(watch->fd);
    weir_cancel_release(watch->cancel);
    weir_free(watch);
}

start_watch *start_watch_begin(weir_server *server, int64_t timeout_ms, int *out_fd)
{
    *out_fd = -1;
    if (!timeout_ms)
        return NULL;
    start_watch *watch = WEIR_NEW(start_watch);
    *watch = (start_watch){.server = server,
                           .timeout_ms = timeout_ms,
                           .cancel = weir_cancel_create(NULL),
                           .fd = eventfd(0, EFD_CLOEXEC)};
    if (watch->fd < 0 || pthread_create(&watch->thread, NULL, wait_for_peers, watch) != 0) {
        free_watch(watch);
        return NULL;
    }
    *out_fd = watch->fd;
    return watch;
}

weir_status start_watch_end(start_watch *watch)
{
    if (!watch)
        return WEIR_OK;
    struct pollfd polled = {.fd = watch->fd, .events = POLLIN};
    bool gave_up = poll(&polled, 1, 0) > 0;
    weir_cancel_fire(watch->cancel, weir_error(WEIR_CANCELLED, "the server ends"));
    pthread_join(watch->thread, NULL);
    weir_status missing = watch->missing;
    free_watch(watch);
    if (gave_up)
        return missing;
    weir_status_free(missing); /* it ended before the time-out */
    return WEIR_OK;
}
