/* observe/sample.c - the thread that reads the sources, and what it read. */
#include "observe/sample.h"

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
#include "observe/sample_impl.h"

enum { TEXT = 32768 }; /* more of a file than this is not read */

typedef enum source_kind { MACHINE, GROUP, INTERFACE } source_kind;

typedef struct process {
    pid_t pid;
    clockid_t clock; /* of its processor time */
    int statm, io;   /* files; -1 when it has ended or does not let us look */
    double last[WEIR_QUANTITIES];
} process;

typedef struct source {
    source_kind kind;
    char name[32]; /* INTERFACE */
    int files[3];  /* MACHINE: stat, meminfo, diskstats; INTERFACE: net/dev */
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

/* ---- sources --------------------------------------------------------------------------------- */

weir_sampler *weir_sampler_new(int period_ms)
{
    weir_sampler *sampler = WEIR_NEW(weir_sampler);
    sampler->period_ms = period_ms > 0 ? period_ms : 1;
    weir_mutex_init(&sampler->lock);
    weir_cond_init_monotonic(&sampler->wake);
    return sampler;
}

static int open_proc(const char *path)
{
    return open(path, O_RDONLY | O_CLOEXEC);
}

static int add_source(weir_sampler *sampler, source new)
{
    weir_vec_push(&sampler->sources, new);
    return (int)sampler->sources.count - 1;
}

int weir_sampler_machine(weir_sampler *sampler)
{
    return add_source(sampler,
                      (source){.kind = MACHINE,
                               .files = {open_proc("/proc/stat"), open_proc("/proc/meminfo"),
                                         open_proc("/proc/diskstats")}});
}

int weir_sampler_group(weir_sampler *sampler)
{
    return add_source(sampler, (source){.kind = GROUP, .files = {-1, -1, -1}});
}

int weir_sampler_interface(weir_sampler *sampler, const char *name, pid_t pid)
{
    char path[64] = "/proc/self/net/dev";
    if (pid)
        snprintf(path, sizeof path, "/proc/%d/net/dev", (int)pid);
    source new = {.kind = INTERFACE, .files = {open_proc(path), -1, -1}};
    snprintf(new.name, sizeof new.name, "%s", name);
    return add_source(sampler, new);
}

void weir_sampler_add(weir_sampler *sampler, int group, pid_t pid)
{
    char path[64];
    process process = {.pid = pid};
    if (clock_getcpuclockid(pid, &process.clock) != 0)
        process.pid = 0;
    snprintf(path, sizeof path, "/proc/%d/statm", (int)pid);
    process.statm = open_proc(path);
    snprintf(path, sizeof path, "/proc/%d/io", (int)pid);
    process.io = open_proc(path);
    weir_mutex_lock(&sampler->lock);
    weir_vec_push(&sampler->sources.at[group].processes, process);
    weir_mutex_unlock(&sampler->lock);
}

/* ---- one sample ------------------------------------------------------------------------------ */

/* Files of /proc are made anew by each read from their start. */
static bool reread(weir_sampler *sampler, int file)
{
    size_t length = 0;
    ssize_t got = -1;
    while (file >= 0 && length < TEXT - 1 &&
           (got = pread(file, sampler->text + length, TEXT - 1 - length, (off_t)length)) > 0)
        length += (size_t)got;
    sampler->text[length] = 0;
    return length > 0;
}

static double ticks_per_second(void)
{
    return (double)sysconf(_SC_CLK_TCK);
}

static void read_machine(weir_sampler *sampler, const source *from, double *v)
{
    if (reread(sampler, from->files[0]))
        sample_parse_stat(sampler->text, 0, ticks_per_second(), &v[WEIR_CPU_SECONDS]);
    if (reread(sampler, from->files[1]))
        sample_parse_meminfo(sampler->text, &v[WEIR_MEMORY_BYTES]);
    if (reread(sampler, from->files[2]))
        sample_parse_diskstats(sampler->text, &v[WEIR_DISK_READ], &v[WEIR_DISK_WRITTEN]);
}

/* Counters of a process that has ended stay as they were last; its memory is gone. */
static void read_process(weir_sampler *sampler, process *process)
{
    struct timespec time;
    double pages = 0;
    if (process->pid && clock_gettime(process->clock, &time) == 0)
        process->last[WEIR_CPU_SECONDS] = fmax(process->last[WEIR_CPU_SECONDS],
                                               (double)time.tv_sec + (double)time.tv_nsec * 1e-9);
    if (reread(sampler, process->statm))
        sample_parse_statm(sampler->text, &pages);
    process->last[WEIR_MEMORY_BYTES] = pages * (double)sysconf(_SC_PAGESIZE);
    if (reread(sampler, process->io))
        sample_parse_io(sampler->text, &process->last[WEIR_DISK_READ],
                        &process->last[WEIR_DISK_WRITTEN]);
}

static void read_group(weir_sampler *sampler, source *from, double *v)
{
    for (int q = WEIR_CPU_SECONDS; q <= WEIR_DISK_WRITTEN; q++)
        v[q] = 0;
    for (size_t i = 0; i < from->processes.count; i++) {
        process *process = &from->processes.at[i];
        read_process(sampler, process);
        for (int q = WEIR_CPU_SECONDS; q <= WEIR_DISK_WRITTEN; q++)
            v[q] += process->last[q];
    }
}

static void read_source(weir_sampler *sampler, source *from, double *v)
{
    for (int q = 0; q < WEIR_QUANTITIES; q++)
        v[q] = NAN;
    if (from->kind == MACHINE)
        read_machine(sampler, from, v);
    else if (from->kind == GROUP)
        read_group(sampler, from, v);
    else if (reread(sampler, from->files[0]))
        sample_parse_net(sampler->text, from->name, &v[WEIR_NET_IN]);
}

static void take(weir_sampler *s) WEIR_REQUIRES(s->lock)
{
    row row = {.ns = weir_now_ns(),
               .values = weir_alloc(sizeof(double) * s->sources.count * WEIR_QUANTITIES)};
    for (size_t i = 0; i < s->sources.count; i++)
        read_source(s, &s->sources.at[i], row.values + i * WEIR_QUANTITIES);
    weir_vec_push(&s->rows, row);
}

/* ---- the thread ------------------------------------------------------------------------------ */

static void *sample(void *arg)
{
    weir_sampler *sampler = arg;
    int64_t next = weir_now_ns();
    weir_mutex_lock(&sampler->lock);
    while (!sampler->stopping) {
        int64_t now = weir_now_ns();
        next += (int64_t)sampler->period_ms * 1000000;
        next = next > now ? next : now; /* when late, not twice at once */
        struct timespec until = {next / 1000000000, next % 1000000000};
        while (!sampler->stopping && weir_cond_wait_until(&sampler->wake, &sampler->lock, &until))
            ;
        take(sampler);
    }
    weir_mutex_unlock(&sampler->lock);
    return NULL;
}

void weir_sampler_start(weir_sampler *sampler)
{
    sigset_t all, old;
    weir_mutex_lock(&sampler->lock);
    take(sampler);
    weir_mutex_unlock(&sampler->lock);
    sigfillset(&all); /* signals are the others' business */
    pthread_sigmask(SIG_SETMASK, &all, &old);
    sampler->running = pthread_create(&sampler->thread, NULL, sample, sampler) == 0;
    pthread_sigmask(SIG_SETMASK, &old, NULL);
}

void weir_sampler_stop(weir_sampler *sampler)
{
    if (!sampler->running)
        return;
    weir_mutex_lock(&sampler->lock);
    sampler->stopping = true;
    weir_cond_signal(&sampler->wake);
    weir_mutex_unlock(&sampler->lock);
    pthread_join(sampler->thread, NULL);
    sampler->running = false;
}

static void close_file(int fd)
{
    if (fd >= 0)
        close(fd);
}

void weir_sampler_destroy(weir_sampler *sampler)
{
    if (!sampler)
        return;
    weir_sampler_stop(sampler);
    for (size_t i = 0; i < sampler->sources.count; i++) {
        source *from = &sampler->sources.at[i];
        for (int k = 0; k < 3; k++)
            close_file(from->files[k]);
        for (size_t k = 0; k < from->processes.count; k++) {
            close_file(from->processes.at[k].statm);
            close_file(from->processes.at[k].io);
        }
        weir_vec_fini(&from->processes);
    }
    for (size_t i = 0; i < sampler->rows.count; i++)
        weir_free(sampler->rows.at[i].values);
    weir_vec_fini(&sampler->sources);
    weir_vec_fini(&sampler->rows);
    weir_cond_fini(&sampler->wake);
    weir_mutex_fini(&sampler->lock);
    weir_free(sampler);
}

/* ---- what was read --------------------------------------------------------------------------- */

int weir_sampler_count(const weir_sampler *sampler)
{
    return (int)sampler->rows.count;
}

int64_t weir_sampler_ns(const weir_sampler *sampler, int i)
{
    return sampler->rows.at[i].ns;
}

double weir_sampler_value(const weir_sampler *sampler, int source, weir_quantity quantity, int i)
{
    return sampler->rows.at[i].values[source * WEIR_QUANTITIES + quantity];
}

double weir_sampler_rate(const weir_sampler *sampler, int source, weir_quantity quantity, int i)
{
    if (i < 1)
        return NAN;
    double seconds = (double)(weir_sampler_ns(sampler, i) - weir_sampler_ns(sampler, i - 1)) * 1e-9;
    double growth = weir_sampler_value(sampler, source, quantity, i) -
                    weir_sampler_value(sampler, source, quantity, i - 1);
    return seconds > 0 ? growth / seconds : NAN;
}

weir_summary weir_sampler_summary(const weir_sampler *sampler, int source, weir_quantity quantity,
                                  int64_t from_ns, int64_t to_ns)
{
    weir_summary sum = {NAN, NAN, NAN};
    int first = -1, last = -1, seen = 0;
    double added = 0;
    for (int i = 0; i < weir_sampler_count(sampler); i++) {
        double value = weir_sampler_value(sampler, source, quantity, i);
        if (weir_sampler_ns(sampler, i) < from_ns || weir_sampler_ns(sampler, i) > to_ns ||
            isnan(value))
            continue;
        first = first < 0 ? i : first;
        double here = quantity == WEIR_MEMORY_BYTES ? value
                      : i > first ? weir_sampler_rate(sampler, source, quantity, i)
                                  : NAN;
        sum.peak = fmax(sum.peak, here); /* fmax takes the number where the other is none */
        added += value;
        seen++;
        last = i;
    }
    if (quantity == WEIR_MEMORY_BYTES) {
        sum.mean = seen ? added / seen : NAN;
    } else if (last > first) {
        sum.total = weir_sampler_value(sampler, source, quantity, last) -
                    weir_sampler_value(sampler, source, quantity, first);
        sum.mean =
            sum.total /
            ((double)(weir_sampler_ns(sampler, last) - weir_sampler_ns(sampler, first)) * 1e-9);
    }
    return sum;
}
