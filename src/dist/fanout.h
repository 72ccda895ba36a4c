/* dist/fanout.h - calls one method on several tasks concurrently, and waits for all. */
#ifndef WEIR_DIST_FANOUT_H
#define WEIR_DIST_FANOUT_H

#include "dist/cluster.h"

typedef struct weir_fan_call {
    const weir_task *task;    /* with a channel */
    weir_rpc_message request; /* taken over */
    weir_status status;       /* out: the caller's to free; an error names task and method */
    weir_rpc_message answer;  /* out: the caller's to fini */
    bool done;                /* private from here on */
    void *private;
} weir_fan_call;

typedef struct weir_fan_options {
    const char *path;
    int64_t timeout_ms;  /* 0: none */
    bool wait_for_ready; /* waits for unreachable tasks */
    bool repeatable;     /* retried when the connection is lost */
    weir_cancel *cancel; /* may be null */
    /* The waiting operation, for a warning after two seconds and then every ten. Null: none. */
    const char *waiting;
} weir_fan_options;

/* Returns when every call has ended. */
void weir_fan_out(weir_fan_call *calls, int count, const weir_fan_options *options);
/* The cause why |task| does not answer, as far as known: the connection's last error, and what else
 * listens at its address. Takes up to a second. */
void weir_fan_reason(const weir_task *task, weir_buf *out);
/* Frees the calls' statuses and answers. Returns the first error. */
WEIR_CHECKED weir_status weir_fan_end(weir_fan_call *calls, int count);

#endif
