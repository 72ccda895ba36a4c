/* observe/host.c - the thread that reads /proc, and a ring buffer of samples. */
#include "observe/host.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/env.h"
#include "base/mem.h"
#include "base/mutex.h"
#include "observe/gpus.h"
#include "observe/sample_impl.h"

enum { TEXT = 1 << 16, CORES_EVERY = 10, GPUS_EVERY = 5, FIRST_MS = 20 };

typedef enum host_file { STAT, MEMINFO, DISKSTATS, NET, STATM, IO, FILES } host_file;
static const char *const paths[FILES] = {"/proc/stat",       "/proc/meminfo",
                                         "/proc/diskstats",  "/proc/self/net/dev",
                                         "/proc/self/statm", "/proc/self/io"};

static struct host {
    int files[FILES];
    char *text;
    weir_mutex lock;
    weir_host_sample *ring WEIR_GUARDED_BY(lock); /* number n is at n % WEIR_HOST_KEPT */
    int64_t count WEIR_GUARDED_BY(lock);
    double busy[WEIR_HOST_CORES]; /* of the thread: at |cores_ns| */
    int64_t cores_ns;
    weir_gpu_use gpus; /* of the thread: the latest */
    float cores[WEIR_HOST_CORES] WEIR_GUARDED_BY(lock);
    int core_count WEIR_GUARDED_BY(lock);
} host = {.lock = WEIR_MUTEX_INIT};

static pthread_once_t once = PTHREAD_ONCE_INIT;

static const char *reread(host_file which)
{
    ssize_t got = host.files[which] < 0 ? -1 : pread(host.files[which], host.text, TEXT - 1, 0);
    if (got <= 0)
        return NULL;
    host.text[got] = 0;
    return host.text;
}

static double ticks_per_second(void)
{
    return (double)sysconf(_SC_CLK_TCK);
}

/* The load of each processor since the last call. |text| is that of /proc/stat. */
static void read_cores(const char *text, int64_t now)
{
    double busy[WEIR_HOST_CORES];
    int count = sample_parse_cores(text, ticks_per_second(), busy, WEIR_HOST_CORES);
    double seconds = (double)(now - host.cores_ns) * 1e-9;
    weir_mutex_lock(&host.lock);
    for (int i = 0; i < count && host.cores_ns; i++) {
        double share = (busy[i] - host.busy[i]) / seconds;
        host.cores[i] = (float)(share < 0 ? 0 : share > 1 ? 1 : share);
    }
    host.core_count = host.cores_ns ? count : 0;
    weir_mutex_unlock(&host.lock);
    memcpy(host.busy, busy, sizeof *busy * (size_t)count);
    host.cores_ns = now;
}

static void read_own(weir_host_sample *sample)
{
    struct timespec time;
    double pages;
    const char *text;
    if (clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time) == 0)
        sample->own_cpu_s = (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
    if ((text = reread(STATM)) && sample_parse_statm(text, &pages))
        sample->own_memory_bytes = pages * (double)sysconf(_SC_PAGESIZE);
    if ((text = reread(IO)))
        sample_parse_io(text, &sample->own_read, &sample->own_written);
}

static weir_host_sample take(bool cores)
{
    weir_host_sample sample = {.ns = weir_now_ns()};
    const char *text;
    if ((text = reread(STAT))) {
        sample_parse_stat(text, 0, ticks_per_second(), &sample.cpu_s);
        if (cores)
            read_cores(text, sample.ns);
    }
    if ((text = reread(MEMINFO)))
        sample_parse_meminfo(text, &sample.memory_bytes);
    if ((text = reread(DISKSTATS)))
        sample_parse_diskstats(text, &sample.disk_read, &sample.disk_written);
    if ((text = reread(NET)))
        sample_parse_nets(text, &sample.wire_in, &sample.wire_out, &sample.loop_in);
    read_own(&sample);
    sample.gpus = host.gpus.count;
    sample.gpu_busy = host.gpus.busy;
    sample.gpu_memory_bytes = host.gpus.memory_bytes;
    sample.gpu_watts = (float)host.gpus.watts;
    sample.gpu_celsius = (float)host.gpus.celsius;
    return sample;
}

static void sleep_until(int64_t ns)
{
    struct timespec until = {ns / 1000000000, ns % 1000000000};
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
}

/* Slow set-up, on the thread, after the process has started. */
static void prepare(void)
{
    sleep_until(weir_now_ns() + FIRST_MS * 1000000LL);
    for (int i = 0; i < FILES; i++)
        host.files[i] = open(paths[i], O_RDONLY | O_CLOEXEC);
    host.text = weir_alloc(TEXT);
    weir_gpus_open();
    weir_mutex_lock(&host.lock);
    host.ring = weir_zalloc(sizeof *host.ring * WEIR_HOST_KEPT);
    weir_mutex_unlock(&host.lock);
}

static void *run(void *arg)
{
    prepare();
    int64_t next = weir_now_ns();
    for (int64_t i = 0;; i++) {
        if (i % GPUS_EVERY == 0)
            host.gpus = weir_gpus_read();
        weir_host_sample sample = take(i % CORES_EVERY == 0);
        weir_mutex_lock(&host.lock);
        sample.number = ++host.count;
        host.ring[host.count % WEIR_HOST_KEPT] = sample;
        weir_mutex_unlock(&host.lock);
        int64_t now = weir_now_ns();
        next += WEIR_HOST_PERIOD_MS * 1000000LL;
        next = next > now ? next : now + WEIR_HOST_PERIOD_MS * 1000000LL;
        sleep_until(next);
    }
    return arg;
}

static void start(void)
{
    sigset_t all, old;
    pthread_t thread;
    sigfillset(&all); /* other threads handle signals */
    pthread_sigmask(SIG_SETMASK, &all, &old);
    if (pthread_create(&thread, NULL, run, NULL) == 0)
        pthread_detach(thread);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
}

void weir_host_start(void)
{
    if (!weir_env_get()->no_observe)
        pthread_once(&once, start);
}

size_t weir_host_list(int64_t since, int every, weir_host_sample *out, size_t room)
{
    size_t count = 0;
    every = every < 1 ? 1 : every;
    weir_mutex_lock(&host.lock);
    int64_t kept = WEIR_HOST_KEPT;
    if (room < (size_t)(kept / every))
        kept = (int64_t)room * every;
    int64_t first = host.count - since > kept ? host.count - kept : since;
    first = first < 0 ? 0 : first;
    for (int64_t number = first + 1; number <= host.count && count < room; number++)
        if (number % every == 0)
            out[count++] = host.ring[number % WEIR_HOST_KEPT];
    weir_mutex_unlock(&host.lock);
    return count;
}

bool weir_host_last(weir_host_sample *out)
{
    weir_mutex_lock(&host.lock);
    bool any = host.count > 0;
    if (any)
        *out = host.ring[host.count % WEIR_HOST_KEPT];
    weir_mutex_unlock(&host.lock);
    return any;
}

int weir_host_cores(float *out, int room)
{
    weir_mutex_lock(&host.lock);
    int count = host.core_count < room ? host.core_count : room;
    memcpy(out, host.cores, sizeof *out * (size_t)count);
    weir_mutex_unlock(&host.lock);
    return count;
}
