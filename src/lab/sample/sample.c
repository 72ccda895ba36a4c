/* lab/sample/sample.c - the thread that reads the sources, and what it read. */
#include "lab/sample/sample.h"

#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/mutex.h"
#include "lab/sample/sample_impl.h"

enum { TEXT = 32768 }; /* more of a file than this is not read */

typedef enum source_kind { MACHINE, PROCESSORS, GROUP, INTERFACE } source_kind;

typedef struct process {
    pid_t pid;
    clockid_t clock; /* of its processor time */
    int statm, io;   /* files; -1 when it has ended or does not let us look */
    double last[WEIR_QUANTITIES];
} process;

typedef struct source {
    source_kind kind;
    uint64_t set;  /* PROCESSORS */
    char name[32]; /* INTERFACE */
    int files[3];  /* MACHINE: stat, meminfo, diskstats; PROCESSORS: stat; INTERFACE: net/dev */
    WEIR_VEC(process) processes;
} source;

typedef struct row {
    int64_t ns;
    double *values; /* source by source, WEIR_QUANTITIES each */
} row;

struct weir_sampler {
    int period_ms;
    bool running;
    pthread_t thread;
    weir_mutex lock;
    weir_cond wake;
    bool stopping WEIR_GUARDED_BY(lock);
    WEIR_VEC(source) sources; /* complete before the thread starts; their processes: lock */
    WEIR_VEC(row) rows;       /* written by the thread, with the lock; read when it has stopped */
    char text[TEXT];
};

/* ---- sources -------------------------------------------------------------------------------- */

weir_sampler *weir_sampler_new(int period_ms)
{
    weir_sampler *s = WEIR_NEW(weir_sampler);
    s->period_ms = period_ms > 0 ? period_ms : 1;
    weir_mutex_init(&s->lock);
    weir_cond_init_monotonic(&s->wake);
    return s;
}

static int open_proc(const char *path)
{
    return open(path, O_RDONLY | O_CLOEXEC);
}

static int add_source(weir_sampler *s, source new)
{
    weir_vec_push(&s->sources, new);
    return (int)s->sources.count - 1;
}

int weir_sampler_machine(weir_sampler *s)
{
    return add_source(s, (source){.kind = MACHINE,
                                  .files = {open_proc("/proc/stat"), open_proc("/proc/meminfo"),
                                            open_proc("/proc/diskstats")}});
}

int weir_sampler_processors(weir_sampler *s, uint64_t set)
{
    return add_source(
        s, (source){.kind = PROCESSORS, .set = set, .files = {open_proc("/proc/stat"), -1, -1}});
}

int weir_sampler_group(weir_sampler *s)
{
    return add_source(s, (source){.kind = GROUP, .files = {-1, -1, -1}});
}

int weir_sampler_interface(weir_sampler *s, const char *name, pid_t pid)
{
    char path[64] = "/proc/self/net/dev";
    if (pid)
        snprintf(path, sizeof path, "/proc/%d/net/dev", (int)pid);
    source new = {.kind = INTERFACE, .files = {open_proc(path), -1, -1}};
    snprintf(new.name, sizeof new.name, "%s", name);
    return add_source(s, new);
}

void weir_sampler_add(weir_sampler *s, int group, pid_t pid)
{
    char path[64];
    process p = {.pid = pid};
    if (clock_getcpuclockid(pid, &p.clock) != 0)
        p.pid = 0;
    snprintf(path, sizeof path, "/proc/%d/statm", (int)pid);
    p.statm = open_proc(path);
    snprintf(path, sizeof path, "/proc/%d/io", (int)pid);
    p.io = open_proc(path);
    weir_mutex_lock(&s->lock);
    weir_vec_push(&s->sources.at[group].processes, p);
    weir_mutex_unlock(&s->lock);
}

/* ---- one sample ----------------------------------------------------------------------------- */

/* Files of /proc are made anew by each read from their start. */
static bool reread(weir_sampler *s, int file)
{
    size_t length = 0;
    ssize_t got = -1;
    while (file >= 0 && length < TEXT - 1 &&
           (got = pread(file, s->text + length, TEXT - 1 - length, (off_t)length)) > 0)
        length += (size_t)got;
    s->text[length] = 0;
    return length > 0;
}

static double ticks_per_second(void)
{
    return (double)sysconf(_SC_CLK_TCK);
}

static void read_machine(weir_sampler *s, const source *from, double *v)
{
    if (reread(s, from->files[0]))
        sample_parse_stat(s->text, 0, ticks_per_second(), &v[WEIR_CPU_SECONDS]);
    if (reread(s, from->files[1]))
        sample_parse_meminfo(s->text, &v[WEIR_MEMORY_BYTES]);
    if (reread(s, from->files[2]))
        sample_parse_diskstats(s->text, &v[WEIR_DISK_READ], &v[WEIR_DISK_WRITTEN]);
}

/* Counters of a process that has ended stay as they were last; its memory is gone. */
static void read_process(weir_sampler *s, process *p)
{
    struct timespec t;
    double pages = 0;
    if (p->pid && clock_gettime(p->clock, &t) == 0)
        p->last[WEIR_CPU_SECONDS] =
            fmax(p->last[WEIR_CPU_SECONDS], (double)t.tv_sec + (double)t.tv_nsec * 1e-9);
    if (reread(s, p->statm))
        sample_parse_statm(s->text, &pages);
    p->last[WEIR_MEMORY_BYTES] = pages * (double)sysconf(_SC_PAGESIZE);
    if (reread(s, p->io))
        sample_parse_io(s->text, &p->last[WEIR_DISK_READ], &p->last[WEIR_DISK_WRITTEN]);
}

static void read_group(weir_sampler *s, source *from, double *v)
{
    for (int q = WEIR_CPU_SECONDS; q <= WEIR_DISK_WRITTEN; q++)
        v[q] = 0;
    for (size_t i = 0; i < from->processes.count; i++) {
        process *p = &from->processes.at[i];
        read_process(s, p);
        for (int q = WEIR_CPU_SECONDS; q <= WEIR_DISK_WRITTEN; q++)
            v[q] += p->last[q];
    }
}

static void read_source(weir_sampler *s, source *from, double *v)
{
    for (int q = 0; q < WEIR_QUANTITIES; q++)
        v[q] = NAN;
    if (from->kind == MACHINE)
        read_machine(s, from, v);
    else if (from->kind == GROUP)
        read_group(s, from, v);
    else if (!reread(s, from->files[0]))
        return;
    else if (from->kind == PROCESSORS)
        sample_parse_stat(s->text, from->set, ticks_per_second(), &v[WEIR_CPU_SECONDS]);
    else
        sample_parse_net(s->text, from->name, &v[WEIR_NET_IN]);
}

static void take(weir_sampler *s) WEIR_REQUIRES(s->lock)
{
    row r = {.ns = weir_now_ns(),
             .values = weir_alloc(sizeof(double) * s->sources.count * WEIR_QUANTITIES)};
    for (size_t i = 0; i < s->sources.count; i++)
        read_source(s, &s->sources.at[i], r.values + i * WEIR_QUANTITIES);
    weir_vec_push(&s->rows, r);
}

/* ---- the thread ----------------------------------------------------------------------------- */

static void *sample(void *arg)
{
    weir_sampler *s = arg;
    int64_t next = weir_now_ns();
    weir_mutex_lock(&s->lock);
    while (!s->stopping) {
        int64_t now = weir_now_ns();
        next += (int64_t)s->period_ms * 1000000;
        next = next > now ? next : now; /* when late, not twice at once */
        struct timespec until = {next / 1000000000, next % 1000000000};
        while (!s->stopping && weir_cond_wait_until(&s->wake, &s->lock, &until))
            ;
        take(s);
    }
    weir_mutex_unlock(&s->lock);
    return NULL;
}

void weir_sampler_start(weir_sampler *s)
{
    sigset_t all, old;
    weir_mutex_lock(&s->lock);
    take(s);
    weir_mutex_unlock(&s->lock);
    sigfillset(&all); /* signals are the others' business */
    pthread_sigmask(SIG_SETMASK, &all, &old);
    s->running = pthread_create(&s->thread, NULL, sample, s) == 0;
    pthread_sigmask(SIG_SETMASK, &old, NULL);
}

void weir_sampler_stop(weir_sampler *s)
{
    if (!s->running)
        return;
    weir_mutex_lock(&s->lock);
    s->stopping = true;
    weir_cond_signal(&s->wake);
    weir_mutex_unlock(&s->lock);
    pthread_join(s->thread, NULL);
    s->running = false;
}

static void close_file(int fd)
{
    if (fd >= 0)
        close(fd);
}

void weir_sampler_destroy(weir_sampler *s)
{
    if (!s)
        return;
    weir_sampler_stop(s);
    for (size_t i = 0; i < s->sources.count; i++) {
        source *from = &s->sources.at[i];
        for (int k = 0; k < 3; k++)
            close_file(from->files[k]);
        for (size_t k = 0; k < from->processes.count; k++) {
            close_file(from->processes.at[k].statm);
            close_file(from->processes.at[k].io);
        }
        weir_vec_fini(&from->processes);
    }
    for (size_t i = 0; i < s->rows.count; i++)
        weir_free(s->rows.at[i].values);
    weir_vec_fini(&s->sources);
    weir_vec_fini(&s->rows);
    weir_cond_fini(&s->wake);
    weir_mutex_fini(&s->lock);
    weir_free(s);
}

/* ---- what was read -------------------------------------------------------------------------- */

int weir_sampler_count(const weir_sampler *s)
{
    return (int)s->rows.count;
}

int64_t weir_sampler_ns(const weir_sampler *s, int i)
{
    return s->rows.at[i].ns;
}

double weir_sampler_value(const weir_sampler *s, int source, weir_quantity q, int i)
{
    return s->rows.at[i].values[source * WEIR_QUANTITIES + q];
}

double weir_sampler_rate(const weir_sampler *s, int source, weir_quantity q, int i)
{
    if (i < 1)
        return NAN;
    double seconds = (double)(weir_sampler_ns(s, i) - weir_sampler_ns(s, i - 1)) * 1e-9;
    double growth = weir_sampler_value(s, source, q, i) - weir_sampler_value(s, source, q, i - 1);
    return seconds > 0 ? growth / seconds : NAN;
}

weir_summary weir_sampler_summary(const weir_sampler *s, int source, weir_quantity q,
                                  int64_t from_ns, int64_t to_ns)
{
    weir_summary sum = {NAN, NAN, NAN};
    int first = -1, last = -1, seen = 0;
    double added = 0;
    for (int i = 0; i < weir_sampler_count(s); i++) {
        double v = weir_sampler_value(s, source, q, i);
        if (weir_sampler_ns(s, i) < from_ns || weir_sampler_ns(s, i) > to_ns || isnan(v))
            continue;
        first = first < 0 ? i : first;
        double here = q == WEIR_MEMORY_BYTES ? v
                      : i > first            ? weir_sampler_rate(s, source, q, i)
                                             : NAN;
        sum.peak = fmax(sum.peak, here); /* fmax takes the number where the other is none */
        added += v;
        seen++;
        last = i;
    }
    if (q == WEIR_MEMORY_BYTES) {
        sum.mean = seen ? added / seen : NAN;
    } else if (last > first) {
        sum.total =
            weir_sampler_value(s, source, q, last) - weir_sampler_value(s, source, q, first);
        sum.mean =
            sum.total / ((double)(weir_sampler_ns(s, last) - weir_sampler_ns(s, first)) * 1e-9);
    }
    return sum;
}
