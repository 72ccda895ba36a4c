/* weir/observe.h - what this process did and waits for: the data behind a task's page.
 *
 * Every step of every session of the process is accounted for while it runs, in rings of fixed
 * size, and so are waits, bytes by peer, memory and counters; WEIR_OBSERVE=0 switches it off, and
 * then there are none. All functions are thread-safe and never hold up a step. Times are in
 * nanoseconds of CLOCK_MONOTONIC. Texts that a struct points to live as long as the process.
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

/* Where time went. In a step, all but |between_ns| add up to its duration, except that sends may
 * overlap with other work on several threads. */
typedef struct weir_observed_time {
    int64_t compute_ns;  /* in ops that are none of the following */
    int64_t receive_ns;  /* nothing to do but wait for a value of another task */
    int64_t resource_ns; /* the same for a queue, an accumulator or an iterator */
    int64_t other_ns;    /* the same for another op that ends later */
    int64_t send_ns;     /* in sends to other tasks */
    int64_t schedule_ns; /* something was ready, and no thread was at it yet */
    int64_t between_ns;  /* before the step, and no other step ran */
} weir_observed_time;

typedef struct weir_observed_step {
    int64_t number;  /* 1 for the first of the process */
    int64_t step_id; /* the same in all tasks that have a part in the step */
    int64_t start_ns, end_ns;
    weir_observed_time time;
    const char *waited_for; /* the longest of its waits: a task or a node; "": it did not wait */
    int64_t waited_ns;      /* how long that was */
    int32_t plan;           /* which of the process's plans it ran */
    bool failed;
} weir_observed_step;

/* Copies the steps after number |since|, oldest first, at most |room|, and gives how many. Of more
 * than |room| the newest are copied; the last 4096 are kept. */
WEIR_OBSERVE_API size_t weir_observe_steps(int64_t since, weir_observed_step *out, size_t room);

typedef struct weir_observed_totals {
    int64_t steps, failed; /* that ended */
    int64_t in_flight;     /* that run now */
    int64_t step_ns;       /* added up over all that ended */
    weir_observed_time time;
} weir_observed_totals;

/* Sums over the life of the process. */
WEIR_OBSERVE_API weir_observed_totals weir_observe_totals(void);

/* The steps in flight and what each waits for since when, as a JSON array like that of /api/waits.
 * The caller frees it with free(). */
WEIR_OBSERVE_API char *weir_observe_in_flight(void);

/* ---- waits and peers ----------------------------------------------------------------------------
 */

typedef struct weir_observed_wait {
    const char *kind;       /* "recv", "resource" or "other", as above */
    const char *waited_for; /* the task, or the node that made the resource */
    const char *op;         /* of that node; "" for a task */
    int64_t ns, count;      /* in all, and how often */
} weir_observed_wait;

/* Copies at most |room| of what steps have waited for, and gives how many. */
WEIR_OBSERVE_API size_t weir_observe_waits(weir_observed_wait *out, size_t room);

typedef struct weir_observed_peer {
    const char *task;                   /* "/job:ps/replica:0/task:0" */
    const char *transport;              /* "grpc", "shm" and so on */
    int64_t received_bytes, sent_bytes; /* of tensors */
    int64_t received_count, sent_count; /* tensors */
} weir_observed_peer;

/* Copies at most |room| of the tasks that tensors came from or went to, by transport, and gives how
 * many. */
WEIR_OBSERVE_API size_t weir_observe_peers(weir_observed_peer *out, size_t room);

/* ---- memory, host, counters ---------------------------------------------------------------------
 */

typedef struct weir_observed_memory {
    int64_t tensor_bytes; /* of large tensors that live */
    int64_t peak_bytes;   /* the most that these have had */
} weir_observed_memory;

/* The bytes of tensors now, and at their peak, over the life of the process. */
WEIR_OBSERVE_API weir_observed_memory weir_observe_memory(void);

/* Counters as read; they only grow, but for memory and GPUs. */
typedef struct weir_observed_host {
    int64_t ns;          /* when */
    double cpu_seconds;  /* of all processors of the host */
    double memory_bytes; /* of the host, not available */
    double disk_read, disk_written;
    double wire_in, wire_out;                 /* bytes of all interfaces but loopback */
    double loopback;                          /* bytes */
    double own_cpu_seconds, own_memory_bytes; /* of this process */
    double gpus, gpu_busy; /* how many answer, and their shares of time at work added up */
    double gpu_memory_bytes;
} weir_observed_host;

/* The newest sample of the host, which is taken every 100 ms from the first call on. False: there
 * is none yet. */
WEIR_OBSERVE_API bool weir_observe_host(weir_observed_host *out);

/* The counter of that name, as the metrics page of a task shows it ("weir_plan_fallbacks_total");
 * -1 when there is none. */
WEIR_OBSERVE_API int64_t weir_metric_value(const char *name);

/* The names of the counters, one after the other from |index| 0 on; null behind the last. */
WEIR_OBSERVE_API const char *weir_metric_name(int index);

#ifdef __cplusplus
}
#endif

#endif
