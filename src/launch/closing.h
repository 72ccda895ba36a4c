/* launch/closing.h - the closing table of a job: the work of each task.
 *
 * A server that exits on the end of its standard input prints the two kinds of lines below on
 * standard output; the launcher collects them and prints one table on standard error.
 */
#ifndef WEIR_LAUNCH_CLOSING_H
#define WEIR_LAUNCH_CLOSING_H

#include <stdbool.h>
#include <stdint.h>

#include "base/mem.h"
#include "base/str.h"

/* Clients' steps, partition steps, examples fed; seconds: total, waited in steps, in steps. */
#define RUN_ACCOUNT_STEPS "account steps %lld %lld %lld %.6f %.6f %.6f"
/* Gradients accepted and dropped, and the task that sent them; nothing: the server's own. */
#define RUN_ACCOUNT_GRADIENTS "account gradients %lld %lld %s"

bool run_is_account(weir_str line);

typedef struct run_gradients {
    char *task; /* "/job:worker/replica:0/task:1", or "" */
    int64_t accepted, stale;
} run_gradients;

/* Of one task; summed over its restarted servers. Zeroed at first. */
typedef struct run_account {
    bool told; /* a server reported; one that was killed does not */
    int64_t steps, parts, examples;
    double seconds, waited_s, in_steps_s;
    WEIR_VEC(run_gradients) gradients;
} run_account;

void run_account_take(run_account *account, weir_str line);
void run_account_fini(run_account *account);

typedef struct run_closing run_closing;
run_closing *run_closing_begin(void);
/* |account| must outlive the table. */
void run_closing_add(run_closing *closing, const char *job, int index, const run_account *account);
/* Appends the table if any task ran a step, a warning for each worker that did almost nothing, and
 * frees. */
void run_closing_end(run_closing *closing, weir_buf *out);

#endif
