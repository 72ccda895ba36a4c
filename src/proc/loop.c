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
    sigset_t before; /* the signal mask to restore in children */
    void (*taken)(void *arg, int signal_number);
    int64_t asked_ns; /* the time of the first signal to end; 0: none yet */
    void *taken_arg;
    bool minds_output; /* until its reader is lost */
    bool stopped;
};

run_loop *run_loop_create(void)
{
    static const int taken[] = {SIGCHLD, SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2};
    run_loop *loop = WEIR_NEW(run_loop);
    sigset_t set;
    sigemptyset(&set);
    for (size_t i = 0; i < sizeof taken / sizeof *taken; i++)
        sigaddset(&set, taken[i]);
    sigprocmask(SIG_BLOCK, &set, &loop->before);
    signal(SIGPIPE, SIG_IGN);
    loop->signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
    return loop;
}

void run_loop_destroy(run_loop *loop)
{
    if (!loop)
        return;
    close(loop->signals);
    sigprocmask(SIG_SETMASK, &loop->before, NULL);
    weir_vec_fini(&loop->watches);
    weir_vec_fini(&loop->children);
    weir_vec_fini(&loop->timers);
    weir_free(loop);
}

void run_loop_leave(const run_loop *loop)
{
    signal(SIGPIPE, SIG_DFL);
    sigprocmask(SIG_SETMASK, &loop->before, NULL);
}

void run_loop_watch(run_loop *loop, int fd, void (*ready)(void *arg), void *arg)
{
    weir_vec_push(&loop->watches, (watch){fd, ready, arg});
}

void run_loop_forget(run_loop *loop, int fd)
{
    for (size_t i = 0; i < loop->watches.count; i++)
        if (loop->watches.at[i].fd == fd)
            loop->watches.at[i--] = loop->watches.at[--loop->watches.count];
}

void run_loop_child(run_loop *loop, pid_t pid, void (*ended)(void *arg, int wait_status), void *arg)
{
    weir_vec_push(&loop->children, (child){pid, ended, arg});
}

void run_loop_after(run_loop *loop, int ms, void (*passed)(void *arg), void *arg)
{
    weir_vec_push(&loop->timers, (timer){weir_now_ns() / 1000 + ms * 1000LL, passed, arg});
}

void run_loop_forget_timers(run_loop *loop, void *arg)
{
    for (size_t i = 0; i < loop->timers.count; i++)
        if (loop->timers.at[i].arg == arg)
            loop->timers.at[i--] = loop->timers.at[--loop->timers.count];
}

void run_loop_signals(run_loop *loop, void (*taken)(void *arg, int signal_number), void *arg)
{
    loop->taken = taken;
    loop->taken_arg = arg;
}

void run_loop_mind_output(run_loop *loop)
{
    loop->minds_output = true;
}

void run_loop_stop(run_loop *loop)
{
    loop->stopped = true;
}

static void reap(run_loop *loop)
{
    for (size_t i = 0; i < loop->children.count; i++) {
        int status;
        child child = loop->children.at[i];
        if (waitpid(child.pid, &status, WNOHANG) != child.pid)
            continue;
        loop->children.at[i] = loop->children.at[--loop->children.count];
        child.ended(child.arg, status);
        i = (size_t)-1; /* the list may have changed */
    }
}

/* Whether a request to end belongs to the one just before. */
static bool repeats(run_loop *loop, int signal_number)
{
    int64_t now = weir_now_ns(), before = loop->asked_ns;
    if (signal_number != SIGINT && signal_number != SIGTERM && signal_number != SIGHUP)
        return false;
    loop->asked_ns = before ? before : now;
    return before && now - before < RUN_TOGETHER_MS * 1000000LL;
}

static void take_signals(run_loop *loop)
{
    struct signalfd_siginfo info;
    while (read(loop->signals, &info, sizeof info) == sizeof info)
        if (info.ssi_signo != SIGCHLD && loop->taken && !repeats(loop, (int)info.ssi_signo))
            loop->taken(loop->taken_arg, (int)info.ssi_signo);
    reap(loop);
}

static void run_timers(run_loop *loop)
{
    int64_t now = weir_now_ns() / 1000;
    for (size_t i = 0; i < loop->timers.count; i++) {
        timer timer = loop->timers.at[i];
        if (timer.due_us > now)
            continue;
        loop->timers.at[i] = loop->timers.at[--loop->timers.count];
        timer.passed(timer.arg);
        i = (size_t)-1;
    }
}

static int next_timeout(const run_loop *loop)
{
    int64_t now = weir_now_ns() / 1000, wait = -1;
    for (size_t i = 0; i < loop->timers.count; i++) {
        int64_t left = loop->timers.at[i].due_us - now;
        left = left < 0 ? 0 : left / 1000 + 1;
        wait = wait < 0 || left < wait ? left : wait;
    }
    return wait > 3600000 ? 3600000 : (int)wait;
}

/* Calls the callback of |fd|, if it is still watched. */
static void call(run_loop *loop, int fd)
{
    for (size_t i = 0; i < loop->watches.count; i++)
        if (loop->watches.at[i].fd == fd) {
            loop->watches.at[i].ready(loop->watches.at[i].arg);
            return;
        }
}

static void check_output(run_loop *loop, const struct pollfd *polled)
{
    if (!(polled->revents & POLLERR))
        return;
    loop->minds_output = false;
    if (loop->taken)
        loop->taken(loop->taken_arg, SIGPIPE);
}

static void turn(run_loop *loop)
{
    WEIR_VEC(struct pollfd) polled = {0};
    weir_vec_push(&polled, (struct pollfd){.fd = loop->signals, .events = POLLIN});
    weir_vec_push(&polled, (struct pollfd){.fd = loop->minds_output ? STDOUT_FILENO : -1});
    for (size_t i = 0; i < loop->watches.count; i++)
        weir_vec_push(&polled, (struct pollfd){.fd = loop->watches.at[i].fd, .events = POLLIN});
    int ready = poll(polled.at, polled.count, next_timeout(loop));
    if (ready > 0)
        check_output(loop, &polled.at[1]);
    for (size_t i = 2; ready > 0 && i < polled.count && !loop->stopped; i++)
        if (polled.at[i].revents)
            call(loop, polled.at[i].fd);
    if (!loop->stopped) { /* output first: a child's last lines are delivered before its end */
        take_signals(loop);
        run_timers(loop);
    }
    weir_vec_fini(&polled);
}

void run_loop_run(run_loop *loop)
{
    while (!loop->stopped)
        turn(loop);
}
