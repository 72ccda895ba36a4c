/* observe/account.h - the steps of this process: when each ran, and how its time was spent.
 *
 * The executor fills in an entry while a step runs and submits it at the end. Thread-safe.
 */
#ifndef WEIR_OBSERVE_ACCOUNT_H
#define WEIR_OBSERVE_ACCOUNT_H

#include "base/str.h"

enum { WEIR_STEPS_KEPT = 4096, WEIR_CAUSES = 1024 };

/* ---- causes of waits ----------------------------------------------------------------------------
 */

typedef enum weir_wait {
    WEIR_WAIT_RECV,     /* a value of another task */
    WEIR_WAIT_RESOURCE, /* a queue, an accumulator, an iterator */
    WEIR_WAIT_OTHER,    /* another asynchronous op: a function, a collective op */
    WEIR_WAITS
} weir_wait;
extern const char *const weir_wait_names[WEIR_WAITS];

typedef struct weir_cause {
    weir_wait kind;
    const char *name; /* the task, or the resource's node */
    const char *op;   /* of that node; "" for a task */
    int64_t ns, count;
} weir_cause;

/* The number of a cause; allocated if new. 0 stands for all when there are too many. */
int weir_cause_number(weir_wait kind, weir_str name, weir_str op);
int weir_cause_count(void);
weir_cause weir_cause_get(int number);
void weir_cause_add(int number, int64_t ns);

/* ---- steps --------------------------------------------------------------------------------------
 */

typedef struct weir_step_entry {
    int64_t number; /* 1 for the first of the process */
    int64_t step_id;
    int64_t start_ns, end_ns;
    int64_t between_ns;          /* idle time of the process before it */
    int64_t wait_ns[WEIR_WAITS]; /* time without runnable nodes */
    int64_t send_ns;             /* in sends, on any of its threads */
    int64_t schedule_ns; /* between a node becoming ready and running, with no thread at work */
    int64_t cause_ns;    /* its longest wait ... */
    int32_t cause;       /* ... and the cause; -1: none */
    int32_t plan;
    bool failed;
} weir_step_entry;

/* A running step; the executor's step embeds it. */
typedef struct weir_live_step weir_live_step;
struct weir_live_step {
    weir_live_step *next, *prev;
    weir_step_entry entry;
    /* Appends its pending waits, as JSON objects followed by commas; called under the account's
     * lock. */
    void (*describe)(const weir_live_step *self, weir_buf *out);
};

bool weir_account_on(void); /* WEIR_OBSERVE is not 0 */
void weir_account_begin(weir_live_step *live);
/* Ends it, and stores its entry. */
void weir_account_end(weir_live_step *live);

typedef struct weir_account_totals {
    int64_t steps, failed, live;
    int64_t step_ns, between_ns, wait_ns[WEIR_WAITS], send_ns, schedule_ns;
    /* Histogram of durations: |buckets[i]| took at most weir_step_bounds[i] seconds. */
    int64_t buckets[16];
} weir_account_totals;
extern const double weir_step_bounds[16];

weir_account_totals weir_account_get_totals(void);
/* Copies the entries after number |since|, oldest first, at most |room|; the newest if there are
 * more. Returns their number. */
size_t weir_account_steps(int64_t since, weir_step_entry *out, size_t room);
/* Appends a JSON array of the steps in flight. */
void weir_account_live(weir_buf *out);

#endif
