/* weir/observe.h - activity and waits of this process: the data behind a task's page.
 *
 * Every step of every session of the process is recorded in ring buffers of fixed size, and so are
 * waits, bytes by peer, memory and counters; WEIR_OBSERVE=0 disables all of it. All functions are
 * thread-safe and never block a step. Times are in nanoseconds of CLOCK_MONOTONIC. Strings in the
 * structs have static lifetime.
 *
 *   weir_observed_step steps[100];
 *   int64_t seen = 0;
 *   for (;;) {
 *       size_t count = weir_observe_steps(seen, steps, 100);
 *       for (size_t i = 0; i < count; i++)
 *           show(&steps[i]);
 *       seen = count ? steps[count - 1].number : seen;
 *   }
 */
#ifndef WEIR_OBSERVE_H
#define WEIR_OBSERVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define WEIR_OBSERVE_API __attribute__((visibility("default")))

/* ---- steps --------------------------------------------------------------------------------------
 */

/* Breakdown of time. In a step, all but |between_ns| add up to its duration, except that sends may
 * overlap with other work on several threads. */
typedef struct weir_observed_time {
    int64_t compute_ns;  /* in ops other than the following */
    int64_t receive_ns;  /* idle, waiting for a value of another task */
    int64_t resource_ns; /* idle, waiting for a queue, an accumulator or an iterator */
    int64_t other_ns;    /* idle, waiting for another asynchronous op */
    int64_t send_ns;     /* in sends to other tasks */
    int64_t schedule_ns; /* a node was ready, but no thread had started it */
    int64_t between_ns;  /* before the step, with no other step running */
} weir_observed_time;

typedef struct weir_observed_step {
    int64_t number;  /* 1 for the first of the process */
    int64_t step_id; /* the same in all participating tasks */
    int64_t start_ns, end_ns;
    weir_observed_time time;
    const char *waited_for; /* cause of the longest wait: a task or a node; "": none */
    int64_t waited_ns;      /* duration of that wait */
    int32_t plan;           /* number of the plan in this process */
    bool failed;
} weir_observed_step;

/* Copies the steps after number |since|, oldest first, at most |room|, and returns how many. If
 * there are more than |room|, the newest are copied; the last 4096 are kept. */
WEIR_OBSERVE_API size_t weir_observe_steps(int64_t since, weir_observed_step *out, size_t room);

typedef struct weir_observed_totals {
    int64_t steps, failed; /* completed ones */
    int64_t in_flight;     /* running now */
    int64_t step_ns;       /* sum over all completed steps */
    weir_observed_time time;
} weir_observed_totals;

/* Totals over the life of the process. */
WEIR_OBSERVE_API weir_observed_totals weir_observe_totals(void);

/* The running steps and what each waits for since when, as a JSON array in the format of
 * /api/waits. The caller frees it with free(). */
WEIR_OBSERVE_API char *weir_observe_in_flight(void);

/* ---- waits and peers ----------------------------------------------------------------------------
 */

typedef struct weir_observed_wait {
    const char *kind;       /* "recv", "resource" or "other", as above */
    const char *waited_for; /* the task, or the node that created the resource */
    const char *op;         /* of that node; "" for a task */
    int64_t ns, count;      /* total, and number of waits */
} weir_observed_wait;

/* Copies at most |room| of the waits of steps, and returns how many. */
WEIR_OBSERVE_API size_t weir_observe_waits(weir_observed_wait *out, size_t room);

typedef struct weir_observed_peer {
    const char *task;                   /* "/job:ps/replica:0/task:0" */
    const char *transport;              /* "grpc", "shm" and so on */
    int64_t received_bytes, sent_bytes; /* of tensors */
    int64_t received_count, sent_count; /* tensors */
} weir_observed_peer;

/* Copies at most |room| of the tasks that tensors came from or went to, by transport, and returns
 * how many. */
WEIR_OBSERVE_API size_t weir_observe_peers(weir_observed_peer *out, size_t room);

/* ---- memory, host, counters ---------------------------------------------------------------------
 */

typedef struct weir_observed_memory {
    int64_t tensor_bytes; /* of live large tensors */
    int64_t peak_bytes;   /* their peak */
} weir_observed_memory;

/* Current and peak bytes of tensors over the life of the process. */
WEIR_OBSERVE_API weir_observed_memory weir_observe_memory(void);

/* Raw counters; all are monotonic, except memory and GPUs. */
typedef struct weir_observed_host {
    int64_t ns;          /* time of the sample */
    double cpu_seconds;  /* of all CPUs of the host */
    double memory_bytes; /* of the host, not available */
    double disk_read, disk_written;
    double wire_in, wire_out;                 /* bytes of all interfaces but loopback */
    double loopback;                          /* bytes */
    double own_cpu_seconds, own_memory_bytes; /* of this process */
    double gpus, gpu_busy; /* number of GPUs read, and the sum of their utilisations */
    double gpu_memory_bytes;
} weir_observed_host;

/* The newest sample of the host, taken every 100 ms from the first call on. False: there is none
 * yet. */
WEIR_OBSERVE_API bool weir_observe_host(weir_observed_host *out);

/* A counter by the name that a task's metrics page shows ("weir_plan_fallbacks_total"); -1 when
 * there is none. */
WEIR_OBSERVE_API int64_t weir_metric_value(const char *name);

/* The names of the counters by |index|, from 0; null after the last. */
WEIR_OBSERVE_API const char *weir_metric_name(int index);

#ifdef __cplusplus
}
#endif

#endif
