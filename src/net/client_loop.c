/* net/client_loop.c - the client I/O thread, shared by all channels. Never exits. */
#include <sys/epoll.h>
#include <sys/eventfd.h>

#include "base/clock.h"
#include "net/channel_impl.h"

typedef struct posted_task {
    void (*fn)(void *);
    void *arg;
} posted_task;

enum { SPARE_BUFFERS = 4 };

static struct {
    int epoll, wake;
    weir_source on_wake;
    weir_shm_corks corks;
    bool woken; /* the thread only */
    uint8_t *buffer;
    weir_channel *keepalive; /* channels under keep-alive; the thread only */
    weir_mutex lock;
    WEIR_VEC(posted_task) tasks WEIR_GUARDED_BY(lock);
    uint8_t *spare[SPARE_BUFFERS] WEIR_GUARDED_BY(lock); /* for other reading threads; or null */
} loop = {.corks = {.lock = WEIR_MUTEX_INIT}, .lock = WEIR_MUTEX_INIT};
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void on_wake(weir_source *self, unsigned events)
{
    loop.woken = true;
}

static void run_tasks(void)
{
    eventfd_t count;
    eventfd_read(loop.wake, &count);
    loop.woken = false;
    weir_mutex_lock(&loop.lock);
    posted_task *list = loop.tasks.at;
    size_t total = loop.tasks.count;
    loop.tasks.at = NULL;
    loop.tasks.count = loop.tasks.room = 0;
    weir_mutex_unlock(&loop.lock);
    for (size_t i = 0; i < total; i++)
        list[i].fn(list[i].arg);
    weir_free(list);
}

static void tick_all(int64_t now)
{
    for (weir_channel *channel = loop.keepalive, *next; channel; channel = next) {
        next = channel->next; /* a tick may remove the channel */
        weir_channel_tick(channel, now);
    }
}

/* Milliseconds until the next tick, rounded up; -1: no channel needs one. */
static int time_to_tick(int64_t next_tick, int64_t now)
{
    int64_t left = next_tick > now ? next_tick - now : 0;
    return loop.keepalive ? (int)((left + 999999) / 1000000) : -1;
}

static void *run(void *arg)
{
    struct epoll_event events[64];
    const int64_t tick_ns = TICK_MS * 1000000LL;
    int64_t now = weir_now_ns(), next_tick = now + tick_ns;
    for (;;) {
        int count = epoll_wait(loop.epoll, events, 64, time_to_tick(next_tick, now));
        weir_shm_cork(&loop.corks);
        for (int i = 0; i < count; i++) {
            weir_source *source = events[i].data.ptr;
            source->ready(source, events[i].events);
        }
        weir_shm_uncork(&loop.corks);
        if (loop.woken)
            run_tasks(); /* last: they may free channels to which the events refer */
        now = weir_now_ns();
        if (loop.keepalive && now >= next_tick) {
            tick_all(now);
            next_tick = now + tick_ns;
        }
    }
    return arg;
}

static void start(void)
{
    loop.epoll = epoll_create1(EPOLL_CLOEXEC);
    loop.wake = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    loop.buffer = weir_alloc(H2_READ_BUFFER);
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = &loop.on_wake};
    loop.on_wake.ready = on_wake;
    epoll_ctl(loop.epoll, EPOLL_CTL_ADD, loop.wake, &event);
    pthread_t id;
    if (pthread_create(&id, NULL, run, NULL) == 0)
        pthread_detach(id);
}

void weir_client_post(void (*fn)(void *), void *arg)
{
    pthread_once(&once, start);
    weir_mutex_lock(&loop.lock);
    bool first = loop.tasks.count == 0;
    weir_vec_push(&loop.tasks, (posted_task){fn, arg});
    weir_mutex_unlock(&loop.lock);
    if (first)
        eventfd_write(loop.wake, 1);
}

int weir_client_epoll(void)
{
    pthread_once(&once, start);
    return loop.epoll;
}

uint8_t *weir_client_buffer(void)
{
    return loop.buffer;
}

uint8_t *weir_client_take_buffer(void)
{
    uint8_t *buffer = NULL;
    weir_mutex_lock(&loop.lock);
    for (int i = 0; i < SPARE_BUFFERS && !buffer; i++) {
        buffer = loop.spare[i];
        loop.spare[i] = NULL;
    }
    weir_mutex_unlock(&loop.lock);
    return buffer ? buffer : weir_alloc(H2_READ_BUFFER);
}

void weir_client_give_buffer(uint8_t *buffer)
{
    weir_mutex_lock(&loop.lock);
    for (int i = 0; i < SPARE_BUFFERS && buffer; i++)
        if (!loop.spare[i]) {
            loop.spare[i] = buffer;
            buffer = NULL;
        }
    weir_mutex_unlock(&loop.lock);
    weir_free(buffer);
}

void weir_client_keepalive_add(weir_channel *channel)
{
    channel->prev = NULL;
    channel->next = loop.keepalive;
    if (channel->next)
        channel->next->prev = channel;
    loop.keepalive = channel;
}

void weir_client_keepalive_remove(weir_channel *channel)
{
    if (channel->prev)
        channel->prev->next = channel->next;
    else
        loop.keepalive = channel->next;
    if (channel->next)
        channel->next->prev = channel->prev;
}
