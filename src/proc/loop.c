/* proc/loop.c - poll, a signalfd, and a list of timers. */
#include "proc/loop.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"

typedef struct watch {
    int fd;
    void (*ready)(void *arg);
    void *arg;
} watch;

typedef struct child {
    pid_t pid;
    void (*ended)(void *arg, int wait_status);
    void *arg;
} child;

typedef struct timer {
    int64_t due_us;
    void (*passed)(void *arg);
    void *arg;
} timer;

struct run_loop {
    WEIR_VEC(watch) watches;
    WEIR_VEC(child) children;
    WEIR_VEC(timer) timers;
    int signals;
    sigset_t before; /* the mask that children get back */
    void (*taken)(void *arg, int signal_number);
    void *taken_arg;
    bool stopped;
};

run_loop *run_loop_create(void)
{
    static const int taken[] = {SIGCHLD, SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2};
    run_loop *l = WEIR_NEW(run_loop);
    sigset_t set;
    sigemptyset(&set);
    for (size_t i = 0; i < sizeof taken / sizeof *taken; i++)
        sigaddset(&set, taken[i]);
    sigprocmask(SIG_BLOCK, &set, &l->before);
    signal(SIGPIPE, SIG_IGN);
    l->signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
    return l;
}

void run_loop_destroy(run_loop *l)
{
    if (!l)
        return;
    close(l->signals);
    sigprocmask(SIG_SETMASK, &l->before, NULL);
    weir_vec_fini(&l->watches);
    weir_vec_fini(&l->children);
    weir_vec_fini(&l->timers);
    weir_free(l);
}

void run_loop_leave(const run_loop *l)
{
    signal(SIGPIPE, SIG_DFL);
    sigprocmask(SIG_SETMASK, &l->before, NULL);
}

void run_loop_watch(run_loop *l, int fd, void (*ready)(void *arg), void *arg)
{
    weir_vec_push(&l->watches, (watch){fd, ready, arg});
}

void run_loop_forget(run_loop *l, int fd)
{
    for (size_t i = 0; i < l->watches.count; i++)
        if (l->watches.at[i].fd == fd)
            l->watches.at[i--] = l->watches.at[--l->watches.count];
}

void run_loop_child(run_loop *l, pid_t pid, void (*ended)(void *arg, int wait_status), void *arg)
{
    weir_vec_push(&l->children, (child){pid, ended, arg});
}

void run_loop_after(run_loop *l, int ms, void (*passed)(void *arg), void *arg)
{
    weir_vec_push(&l->timers, (timer){weir_now_ns() / 1000 + ms * 1000LL, passed, arg});
}

void run_loop_forget_timers(run_loop *l, void *arg)
{
    for (size_t i = 0; i < l->timers.count; i++)
        if (l->timers.at[i].arg == arg)
            l->timers.at[i--] = l->timers.at[--l->timers.count];
}

void run_loop_signals(run_loop *l, void (*taken)(void *arg, int signal_number), void *arg)
{
    l->taken = taken;
    l->taken_arg = arg;
}

void run_loop_stop(run_loop *l)
{
    l->stopped = true;
}

static void reap(run_loop *l)
{
    for (size_t i = 0; i < l->children.count; i++) {
        int status;
        child c = l->children.at[i];
        if (waitpid(c.pid, &status, WNOHANG) != c.pid)
            continue;
        l->children.at[i] = l->children.at[--l->children.count];
        c.ended(c.arg, status);
        i = (size_t)-1; /* the list may have changed */
    }
}

static void take_signals(run_loop *l)
{
    struct signalfd_siginfo info;
    while (read(l->signals, &info, sizeof info) == sizeof info)
        if (info.ssi_signo != SIGCHLD && l->taken)
            l->taken(l->taken_arg, (int)info.ssi_signo);
    reap(l);
}

static void run_timers(run_loop *l)
{
    int64_t now = weir_now_ns() / 1000;
    for (size_t i = 0; i < l->timers.count; i++) {
        timer t = l->timers.at[i];
        if (t.due_us > now)
            continue;
        l->timers.at[i] = l->timers.at[--l->timers.count];
        t.passed(t.arg);
        i = (size_t)-1;
    }
}

static int next_timeout(const run_loop *l)
{
    int64_t now = weir_now_ns() / 1000, wait = -1;
    for (size_t i = 0; i < l->timers.count; i++) {
        int64_t left = l->timers.at[i].due_us - now;
        left = left < 0 ? 0 : left / 1000 + 1;
        wait = wait < 0 || left < wait ? left : wait;
    }
    return wait > 3600000 ? 3600000 : (int)wait;
}

/* Calls what is watched on |fd|, if it still is. */
static void call(run_loop *l, int fd)
{
    for (size_t i = 0; i < l->watches.count; i++)
        if (l->watches.at[i].fd == fd) {
            l->watches.at[i].ready(l->watches.at[i].arg);
            return;
        }
}

static void turn(run_loop *l)
{
    WEIR_VEC(struct pollfd) polled = {0};
    weir_vec_push(&polled, (struct pollfd){.fd = l->signals, .events = POLLIN});
    for (size_t i = 0; i < l->watches.count; i++)
        weir_vec_push(&polled, (struct pollfd){.fd = l->watches.at[i].fd, .events = POLLIN});
    int ready = poll(polled.at, polled.count, next_timeout(l));
    for (size_t i = 1; ready > 0 && i < polled.count && !l->stopped; i++)
        if (polled.at[i].revents)
            call(l, polled.at[i].fd);
    if (!l->stopped) { /* output first: a child's last lines come before its end */
        take_signals(l);
        run_timers(l);
    }
    weir_vec_fini(&polled);
}

void run_loop_run(run_loop *l)
{
    while (!l->stopped)
        turn(l);
}
