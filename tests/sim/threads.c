/* threads.c - one thread at a time: who runs next, what the clock says, and who waits for what. */
#include <errno.h>
#include <execinfo.h>
#include <linux/futex.h>
#include <malloc.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "os.h"

enum { MOST_THREADS = 8192, CLOCK_STEP_NS = 40 };
static const int64_t STUCK_NS = 200 * SIM_SECOND; /* three times as long as any call may take */

typedef struct thread {
    int number;
    atomic_int baton; /* 1: may run */
    bool ending, ended, detached, joined, timed_out;
    int ready_at;       /* index into |ready|; -1: blocked */
    const void *object; /* what it waits for */
    const char *why;
    int64_t deadline;
    void *(*fn)(void *);
    void *arg, *result;
    pthread_t os;
    pthread_mutex_t *held; /* the last one it took, for reports */
} thread;

static struct {
    sim_options options;
    uint64_t state, digest;
    int64_t now, progress;
    thread *all[MOST_THREADS];
    int count, living;
    thread *ready[MOST_THREADS];
    int ready_count;
    thread *current;
    pthread_key_t ends;
    long departed;                /* the system's number of a thread that just ended; 0: none */
    unsigned short blocked[4096]; /* threads that wait for an object of this hash */
} sim;

int __real_pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
int __real_pthread_join(pthread_t, void **);
int __real_pthread_mutex_trylock(pthread_mutex_t *);
int __real_pthread_mutex_unlock(pthread_mutex_t *);
int __real_clock_gettime(clockid_t, struct timespec *);
long __real_syscall(long, ...);
int __real_sched_yield(void);

/* ---- the seed ---------------------------------------------------------------------------------
 */

uint64_t sim_random(uint64_t below)
{
    sim.state += 0x9e3779b97f4a7c15u;
    uint64_t z = sim.state;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    z ^= z >> 31;
    return below ? z % below : 0;
}

bool sim_one_in(uint64_t count)
{
    return count && sim_random(count) == 0;
}

int64_t sim_random_ns(int64_t least, int64_t most)
{
    return least + (int64_t)sim_random((uint64_t)(most - least) + 1);
}

void sim_event(uint64_t what)
{
    sim.digest = (sim.digest ^ what ^ (uint64_t)sim.now) * 0x100000001b3u;
}

uint64_t sim_digest(void)
{
    return sim.digest;
}

static void print(const char *format, va_list arguments)
{
    fprintf(stderr, "%12.6f ", (double)sim.now * 1e-9);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
}

void sim_note(const char *format, ...)
{
    va_list arguments;
    if (!sim.options.trace)
        return;
    va_start(arguments, format);
    print(format, arguments);
    va_end(arguments);
}

static void report_threads(void)
{
    for (int i = 0; i < sim.count; i++) {
        const thread *t = sim.all[i];
        if (!t->ended)
            fprintf(stderr, "  thread %d: %s%s", t->number, t->ready_at >= 0 ? "ready" : t->why,
                    t->deadline == SIM_NEVER ? "\n" : "");
        if (!t->ended && t->deadline != SIM_NEVER)
            fprintf(stderr, ", until %.6f\n", (double)t->deadline * 1e-9);
    }
}

_Noreturn void sim_fail(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print(format, arguments);
    va_end(arguments);
    if (sim.options.trace)
        report_threads();
    fprintf(stderr, "seed %llu failed\n", (unsigned long long)sim.options.seed);
    fflush(NULL);
    _exit(1);
}

static void on_crash(int signal)
{
    void *frames[64];
    fprintf(stderr, "seed %llu: signal %d\n", (unsigned long long)sim.options.seed, signal);
    backtrace_symbols_fd(frames, backtrace(frames, 64), 2);
    _exit(1);
}

/* ---- the baton --------------------------------------------------------------------------------
 */

static void give(thread *t)
{
    atomic_store(&t->baton, 1);
    __real_syscall(SYS_futex, &t->baton, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

/* A thread that ended frees its stack on its way out: nothing else happens before it is gone. */
static void await_departure(void)
{
    while (sim.departed && __real_syscall(SYS_tgkill, getpid(), sim.departed, 0) == 0)
        __real_sched_yield();
    sim.departed = 0;
}

static void await_baton(thread *t)
{
    while (!atomic_load(&t->baton))
        __real_syscall(SYS_futex, &t->baton, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0);
    atomic_store(&t->baton, 0);
    await_departure();
}

static unsigned short *blocked_on(const void *object)
{
    return &sim.blocked[((uintptr_t)object * 0x9e3779b97f4a7c15u) >> 52];
}

static void make_ready(thread *t)
{
    if (t->ready_at >= 0)
        return;
    if (t->object)
        --*blocked_on(t->object);
    t->ready_at = sim.ready_count;
    t->object = NULL;
    t->deadline = SIM_NEVER;
    sim.ready[sim.ready_count++] = t;
}

static void unready(thread *t)
{
    thread *last = sim.ready[--sim.ready_count];
    sim.ready[t->ready_at] = last;
    last->ready_at = t->ready_at;
    t->ready_at = -1;
}

static int64_t next_deadline(void)
{
    int64_t next = sim_network_next();
    for (int i = 0; i < sim.count; i++)
        if (sim.all[i]->ready_at < 0 && sim.all[i]->deadline < next)
            next = sim.all[i]->deadline;
    return next;
}

static void expire(void)
{
    for (int i = 0; i < sim.count; i++) {
        thread *t = sim.all[i];
        if (t->ready_at < 0 && t->deadline <= sim.now) {
            t->timed_out = true;
            make_ready(t);
        }
    }
}

/* Everybody waits: the clock moves to what happens next. */
static void advance(void)
{
    int64_t next = next_deadline();
    if (next == SIM_NEVER) {
        report_threads();
        sim_fail("every thread waits, and nothing can end that");
    }
    if (next > sim.options.end_ns || next > sim.progress + STUCK_NS) {
        report_threads();
        sim_fail("nothing has been done since %.3f: a call does not end",
                 (double)sim.progress * 1e-9);
    }
    if (next > sim.now)
        sim.now = next;
    sim_network_deliver(sim.now);
    expire();
}

static thread *choose(void)
{
    while (!sim.ready_count)
        advance();
    sim_network_deliver(sim.now);
    thread *chosen = sim.ready[sim_random((uint64_t)sim.ready_count)];
    sim_event((uint64_t)chosen->number);
    return chosen;
}

static void pass_on(void)
{
    thread *self = sim.current, *next = choose();
    if (next == self)
        return;
    sim.current = next;
    give(next);
    if (!self->ended)
        await_baton(self);
}

bool sim_block(const void *object, const char *why, int64_t deadline)
{
    thread *self = sim.current;
    unready(self);
    self->object = object;
    ++*blocked_on(object);
    self->why = why;
    self->deadline = deadline;
    self->timed_out = false;
    pass_on();
    return !self->timed_out;
}

void sim_wake(const void *object, int count)
{
    thread *found[MOST_THREADS];
    int total = 0;
    if (!*blocked_on(object))
        return;
    for (int i = 0; i < sim.count; i++)
        if (sim.all[i]->ready_at < 0 && !sim.all[i]->ended && sim.all[i]->object == object)
            found[total++] = sim.all[i];
    for (; total && count; count--) {
        int at = (int)sim_random((uint64_t)total);
        make_ready(found[at]);
        found[at] = found[--total];
    }
}

void sim_sleep(int64_t ns)
{
    sim_block(sim.current, "sleeps", sim.now + (ns > 0 ? ns : 0));
}

void sim_preempt(void)
{
    sim.now += CLOCK_STEP_NS;
    if (sim_one_in((uint64_t)sim.options.stall_one_in))
        sim_sleep(sim_random_ns(0, sim.options.stall_ns));
    else if (sim_one_in((uint64_t)sim.options.preempt_one_in))
        pass_on();
}

void sim_progress(void)
{
    sim.progress = sim.now;
}

int64_t sim_now(void)
{
    return sim.now;
}

const sim_options *sim_settings(void)
{
    return &sim.options;
}

int sim_threads(void)
{
    return sim.living;
}

/* ---- threads ----------------------------------------------------------------------------------
 */

static thread *add_thread(void)
{
    thread *t = calloc(1, sizeof *t);
    if (!t || sim.count == MOST_THREADS)
        sim_fail("more than %d threads", MOST_THREADS);
    static int number;
    t->number = number++;
    t->ready_at = -1;
    t->deadline = SIM_NEVER;
    sim.all[sim.count++] = t;
    sim.living++;
    make_ready(t);
    return t;
}

/* Forgets a thread that ended and that nobody can wait for. */
static void forget(thread *t)
{
    for (int i = 0; i < sim.count; i++)
        if (sim.all[i] == t)
            sim.all[i] = sim.all[--sim.count];
}

/* The last of a thread's destructors: what others free at its end is freed while it runs. */
static void end_thread(void *arg)
{
    thread *self = arg;
    if (!self->ending) { /* comes again, after the others */
        self->ending = true;
        pthread_setspecific(sim.ends, self);
        return;
    }
    self->ended = true;
    sim.living--;
    unready(self);
    sim_wake(self, -1);
    if (self->detached)
        forget(self);
    sim.departed = __real_syscall(SYS_gettid);
    pass_on();
}

static void *run_thread(void *arg)
{
    thread *self = arg;
    await_baton(self);
    pthread_setspecific(sim.ends, self);
    self->result = self->fn(self->arg);
    return NULL;
}

int __wrap_pthread_create(pthread_t *out_id, const pthread_attr_t *attributes, void *(*fn)(void *),
                          void *arg)
{
    pthread_attr_t small;
    thread *t = add_thread();
    t->fn = fn;
    t->arg = arg;
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, 1 << 20);
    int failed = __real_pthread_create(&t->os, &small, run_thread, t);
    pthread_attr_destroy(&small);
    if (failed)
        sim_fail("no more threads: %s", strerror(failed));
    *out_id = t->os;
    sim_preempt();
    return 0;
}

static thread *thread_of(pthread_t id)
{
    for (int i = sim.count; i-- > 0;)
        if (sim.all[i]->fn && !sim.all[i]->joined && pthread_equal(sim.all[i]->os, id))
            return sim.all[i];
    sim_fail("a thread that nobody started is waited for");
}

int __wrap_pthread_join(pthread_t id, void **out_result)
{
    thread *t = thread_of(id);
    while (!t->ended)
        sim_block(t, "waits for a thread to end", SIM_NEVER);
    t->joined = true;
    if (out_result)
        *out_result = t->result;
    forget(t);
    return __real_pthread_join(id, NULL);
}

int __real_pthread_detach(pthread_t id);
int __wrap_pthread_detach(pthread_t id)
{
    thread *t = thread_of(id);
    t->detached = true;
    if (t->ended)
        forget(t);
    return __real_pthread_detach(id);
}

void sim_begin(const sim_options *options)
{
    sim.options = *options;
    sim.state = options->seed * 0xd1342543de82ef95u + 1;
    sim.now = 1000 * SIM_SECOND;
    sim.options.end_ns += sim.now;
    sim_progress();
    sim.current = add_thread();
    pthread_key_create(&sim.ends, end_thread);
    mallopt(M_ARENA_MAX, 1);
    signal(SIGSEGV, on_crash);
    signal(SIGABRT, on_crash);
}

/* ---- mutexes, conditions, words ----------------------------------------------------------------
 */

int __wrap_pthread_mutex_lock(pthread_mutex_t *mutex)
{
    sim_preempt();
    while (__real_pthread_mutex_trylock(mutex))
        sim_block(mutex, "waits for a mutex", SIM_NEVER);
    sim.current->held = mutex;
    return 0;
}

int __wrap_pthread_mutex_trylock(pthread_mutex_t *mutex)
{
    sim_preempt();
    return __real_pthread_mutex_trylock(mutex);
}

int __wrap_pthread_mutex_unlock(pthread_mutex_t *mutex)
{
    __real_pthread_mutex_unlock(mutex);
    sim_wake(mutex, -1);
    sim_preempt();
    return 0;
}

/* Two locks in one: readers exclude each other too. */
int __wrap_pthread_rwlock_rdlock(pthread_rwlock_t *lock)
{
    sim_preempt();
    while (pthread_rwlock_tryrdlock(lock))
        sim_block(lock, "waits for a lock", SIM_NEVER);
    return 0;
}

int __wrap_pthread_rwlock_wrlock(pthread_rwlock_t *lock)
{
    sim_preempt();
    while (pthread_rwlock_trywrlock(lock))
        sim_block(lock, "waits for a lock", SIM_NEVER);
    return 0;
}

int __real_pthread_rwlock_unlock(pthread_rwlock_t *);
int __wrap_pthread_rwlock_unlock(pthread_rwlock_t *lock)
{
    __real_pthread_rwlock_unlock(lock);
    sim_wake(lock, -1);
    sim_preempt();
    return 0;
}

static int64_t ns_of(const struct timespec *time)
{
    return (int64_t)time->tv_sec * SIM_SECOND + time->tv_nsec;
}

static int wait_for(pthread_cond_t *cond, pthread_mutex_t *mutex, int64_t deadline)
{
    __real_pthread_mutex_unlock(mutex);
    sim_wake(mutex, -1);
    bool woken = sim_block(cond, "waits for a condition", deadline);
    while (__real_pthread_mutex_trylock(mutex))
        sim_block(mutex, "waits for a mutex", SIM_NEVER);
    return woken ? 0 : ETIMEDOUT;
}

int __wrap_pthread_cond_wait(pthread_cond_t *cond, pthread_mutex_t *mutex)
{
    return wait_for(cond, mutex, SIM_NEVER);
}

int __wrap_pthread_cond_timedwait(pthread_cond_t *cond, pthread_mutex_t *mutex,
                                  const struct timespec *deadline)
{
    return wait_for(cond, mutex, ns_of(deadline)); /* both clocks are the same here */
}

int __wrap_pthread_cond_signal(pthread_cond_t *cond)
{
    sim_wake(cond, 1);
    sim_preempt();
    return 0;
}

int __wrap_pthread_cond_broadcast(pthread_cond_t *cond)
{
    sim_wake(cond, -1);
    sim_preempt();
    return 0;
}

int __wrap_pthread_once(pthread_once_t *once, void (*fn)(void))
{
    enum { RUNNING = 0x53494d31, DONE = 0x53494d32 };
    while (*once == RUNNING)
        sim_block(once, "waits for another's initialisation", SIM_NEVER);
    if (*once == DONE)
        return 0;
    *once = RUNNING;
    fn();
    *once = DONE;
    sim_wake(once, -1);
    return 0;
}

static long futex_wait(const int *word, int value, const struct timespec *timeout)
{
    if (*(const volatile int *)word != value)
        return errno = EAGAIN, -1;
    bool woken = sim_block(word, "waits for a word to change",
                           timeout ? sim.now + ns_of(timeout) : SIM_NEVER);
    return woken ? 0 : (errno = ETIMEDOUT, -1);
}

long __wrap_syscall(long number, long a, long b, long c, long d, long e, long f)
{
    if (number != SYS_futex)
        return __real_syscall(number, a, b, c, d, e, f);
    sim_preempt();
    if ((b & FUTEX_CMD_MASK) == FUTEX_WAIT)
        return futex_wait((const int *)a, (int)c, (const struct timespec *)d);
    sim_wake((const void *)a, (int)c);
    return 0;
}

/* ---- the clock, and chance ----------------------------------------------------------------------
 */

int __wrap_clock_gettime(clockid_t clock, struct timespec *out_time)
{
    sim.now += CLOCK_STEP_NS;
    *out_time = (struct timespec){sim.now / SIM_SECOND, sim.now % SIM_SECOND};
    return 0;
}

int __wrap_nanosleep(const struct timespec *time, struct timespec *left)
{
    sim_sleep(ns_of(time));
    return 0;
}

int __wrap_usleep(unsigned us)
{
    sim_sleep((int64_t)us * 1000);
    return 0;
}

int __wrap_clock_nanosleep(clockid_t clock, int flags, const struct timespec *time,
                           struct timespec *left)
{
    sim_sleep(flags & TIMER_ABSTIME ? ns_of(time) - sim.now : ns_of(time));
    return 0;
}

int __wrap_sched_yield(void)
{
    sim.now += CLOCK_STEP_NS;
    pass_on();
    return 0;
}

ssize_t __wrap_getrandom(void *out, size_t bytes, unsigned flags)
{
    for (size_t i = 0; i < bytes; i++)
        ((unsigned char *)out)[i] = (unsigned char)sim_random(256);
    return (ssize_t)bytes;
}
