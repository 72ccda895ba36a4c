/* net/client_loop.c - the thread of all channels. It starts with the first and never ends. */
#include <sys/epoll.h>
#include <sys/eventfd.h>

#include "base/clock.h"
#include "net/channel_impl.h"

typedef struct task {
    void (*fn)(void *);
    void *arg;
} task;

static struct {
    int epoll, wake;
    weir_source on_wake;
    bool woken; /* the thread only */
    uint8_t *buffer;
    weir_channel *watched; /* the thread only */
    pthread_mutex_t lock;
    WEIR_VEC(task) tasks; /* under lock */
} loop = {.lock = PTHREAD_MUTEX_INITIALIZER};
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
    pthread_mutex_lock(&loop.lock);
    task *list = loop.tasks.at;
    size_t total = loop.tasks.count;
    loop.tasks.at = NULL;
    loop.tasks.count = loop.tasks.room = 0;
    pthread_mutex_unlock(&loop.lock);
    for (size_t i = 0; i < total; i++)
        list[i].fn(list[i].arg);
    weir_free(list);
}

static void tick_all(int64_t now)
{
    for (weir_channel *channel = loop.watched, *next; channel; channel = next) {
        next = channel->next; /* a tick may take the channel out */
        weir_channel_tick(channel, now);
    }
}

static void *run(void *arg)
{
    struct epoll_event events[64];
    const int64_t tick_ns = TICK_MS * 1000000LL;
    int64_t next_tick = weir_now_ns() + tick_ns;
    for (;;) {
        int count = epoll_wait(loop.epoll, events, 64, loop.watched ? TICK_MS : -1);
        weir_shm_cork();
        for (int i = 0; i < count; i++) {
            weir_source *source = events[i].data.ptr;
            source->ready(source, events[i].events);
        }
        weir_shm_uncork();
        if (loop.woken)
            run_tasks(); /* last: they may end channels that the events named */
        int64_t now = loop.watched ? weir_now_ns() : 0;
        if (now >= next_tick) {
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
    pthread_mutex_lock(&loop.lock);
    bool first = loop.tasks.count == 0;
    weir_vec_push(&loop.tasks, (task){fn, arg});
    pthread_mutex_unlock(&loop.lock);
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

void weir_client_keepalive_add(weir_channel *channel)
{
    channel->prev = NULL;
    channel->next = loop.watched;
    if (channel->next)
        channel->next->prev = channel;
    loop.watched = channel;
}

void weir_client_keepalive_remove(weir_channel *channel)
{
    if (channel->prev)
        channel->prev->next = channel->next;
    else
        loop.watched = channel->next;
    if (channel->next)
        channel->next->prev = channel->prev;
}
