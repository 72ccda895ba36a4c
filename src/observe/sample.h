/* observe/sample.h - samples the use of processes, processors and network interfaces.
 *
 * A sampler has sources; one thread reads all of them from /proc periodically and stores the
 * values. Times are of the monotonic clock, which every process of the machine shares, so that
 * samples and steps (lab/sample/step_log.h) share one time axis. Reading a source takes
 * microseconds.
 *
 *   weir_sampler *s = weir_sampler_new(100);
 *   int ps = weir_sampler_group(s), lo = weir_sampler_interface(s, "lo", 0);
 *   weir_sampler_start(s);
 *   weir_sampler_add(s, ps, pid);
 *   ...
 *   weir_sampler_stop(s);
 *   for (int i = 0; i < weir_sampler_count(s); i++)
 *       plot(weir_sampler_ns(s, i), weir_sampler_rate(s, ps, WEIR_CPU_SECONDS, i));
 *
 * Sources are added before the start, processes at any time. Values are read after the stop.
 */
#ifndef WEIR_OBSERVE_SAMPLE_H
#define WEIR_OBSERVE_SAMPLE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/status.h"

typedef struct weir_sampler weir_sampler;

/* The sources of each: m machine, c processors, g group, i interface. All but memory are
 * monotonic. */
typedef enum weir_quantity {
    WEIR_CPU_SECONDS,  /* mcg: busy time of all threads or processors */
    WEIR_MEMORY_BYTES, /* mg: resident; of the machine: not available to others */
    WEIR_DISK_READ,    /* mg: bytes read from disks */
    WEIR_DISK_WRITTEN, /* mg */
    WEIR_NET_IN,       /* i: bytes */
    WEIR_NET_OUT,      /* i */
    WEIR_PACKETS_IN,   /* i */
    WEIR_PACKETS_OUT,  /* i */
    WEIR_QUANTITIES
} weir_quantity;

weir_sampler *weir_sampler_new(int period_ms);
void weir_sampler_destroy(weir_sampler *sampler); /* stops it; takes null */
WEIR_OWNABLE(weir_sampler);

/* Each returns the source's number. */
int weir_sampler_machine(weir_sampler *sampler);
int weir_sampler_group(weir_sampler *sampler); /* processes, none yet */
/* An interface of |pid|'s network namespace; 0: this process's. One that does not exist, or no
 * longer, has no values. */
int weir_sampler_interface(weir_sampler *sampler, const char *name, pid_t pid);

/* Counts |pid|, including its threads, in |group|. When it exits its counters are kept. */
void weir_sampler_add(weir_sampler *sampler, int group, pid_t pid);

void weir_sampler_start(weir_sampler *sampler); /* takes the first sample */
void weir_sampler_stop(weir_sampler *sampler);  /* takes the last one; later calls are no-ops */

int weir_sampler_count(const weir_sampler *sampler);
int64_t weir_sampler_ns(const weir_sampler *sampler, int i); /* when sample |i| was taken */
/* As read; NaN if the source has no such value. */
double weir_sampler_value(const weir_sampler *sampler, int source, weir_quantity quantity, int i);
/* Growth per second from sample i - 1 to |i|; NaN for the first. */
double weir_sampler_rate(const weir_sampler *sampler, int source, weir_quantity quantity, int i);

typedef struct weir_summary {
    double total; /* growth over the samples; not for memory */
    double mean;  /* of the rates, weighted by time; for memory: of the values */
    double peak;  /* of the rates; for memory: of the values */
} weir_summary;

/* Over the samples within [from_ns, to_ns]; NaN if there are too few. */
weir_summary weir_sampler_summary(const weir_sampler *sampler, int source, weir_quantity quantity,
                                  int64_t from_ns, int64_t to_ns);

#endif
