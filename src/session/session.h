/* session/session.h - one process: passes, placement, plans and steps behind a session.
 *
 * A session runs steps of one graph. The graph may grow between and during steps; whoever changes
 * it holds |graph_lock|, which the session takes while it makes a plan. Thread-safe: many steps at
 * once.
 */
#ifndef WEIR_SESSION_SESSION_H
#define WEIR_SESSION_SESSION_H

#include <pthread.h>

#include "graph/graph.h"

typedef struct weir_session weir_session;
typedef struct weir_remote weir_remote; /* session/remote.h */

typedef struct weir_session_options {
    weir_str config;           /* a serialised ConfigProto; empty: defaults */
    const char *target;        /* "" or "local": this process */
    const char *task;          /* device names begin so; null: "/job:localhost/replica:0/task:0" */
    weir_resources *resources; /* what several sessions share; null: the session's own */
    weir_resources *own;       /* private objects of nodes that several parts have; null: none */
    const uint64_t *incarnations; /* of the devices, as many as there are; null: made up */
    int device_count;             /* of the own task; 0: as the config says */
    weir_remote *remote;          /* the other tasks; null: none. Must outlive the session */
    struct weir_collectives *collectives; /* of the task; null: the session's own. Retained */
} weir_session_options;

/* Checks that |config| parses: INVALID_ARGUMENT "Unparseable ConfigProto". */
WEIR_CHECKED weir_status weir_session_check_config(weir_str config);

/* How many CPU devices |config| asks for; 1 when it says nothing or cannot be parsed. */
int weir_session_config_devices(weir_str config);

/* The process's catalogue of ops. */
const weir_registry *weir_catalogue(void);

WEIR_CHECKED weir_status weir_session_create(weir_graph *graph, pthread_mutex_t *graph_lock,
                                             const weir_session_options *options,
                                             weir_session **out_session);
/* Places the whole graph, as TensorFlow's masters do before anything runs; what was placed before
 * stays where it is. The caller holds the graph's lock, if others may use the graph. */
WEIR_CHECKED weir_status weir_session_place(weir_session *s);
/* Cancels what runs; later runs are CANCELLED "Session has been closed." */
WEIR_CHECKED weir_status weir_session_close(weir_session *s);
bool weir_session_is_closed(weir_session *s);
void weir_session_destroy(weir_session *s); /* closes first; takes null */

typedef struct weir_request {
    const weir_edge *feeds;
    const weir_tensor *feed_values; /* shared during the call */
    int feed_count;
    const weir_edge *fetches;
    int fetch_count;
    weir_node *const *targets;
    int target_count;
    weir_str run_options;   /* a serialised RunOptions; empty: defaults */
    weir_buf *run_metadata; /* a serialised RunMetadata is appended; may be null */
    weir_cancel *cancel;    /* stops the step when fired; may be null */
    bool repeat; /* the caller runs it until it fails, and wants to hear of no other end */
} weir_request;

/* Runs one step. On success out_fetched has fetch_count tensors for the caller to release. */
WEIR_CHECKED weir_status weir_session_run(weir_session *s, const weir_request *request,
                                          weir_tensor *out_fetched);

/* The same without waiting, where a step like this is known to be brief: it runs on this thread as
 * far as it goes, and later on those that bring what it waits for. Calls |done| once; the request
 * and what it points to must last until then. False: nothing was started, weir_session_run is the
 * way.
 */
bool weir_session_start(weir_session *s, const weir_request *request, weir_tensor *out_fetched,
                        void (*done)(void *arg, weir_status s), void *arg);

/* Partial runs: setup names every edge that will be fed or fetched, in any order, by several runs.
 * The handle is the caller's to free (weir_free). */
WEIR_CHECKED weir_status weir_session_partial_setup(weir_session *s, const weir_request *request,
                                                    char **out_handle);
WEIR_CHECKED weir_status weir_session_partial_run(weir_session *s, const char *handle,
                                                  const weir_request *request,
                                                  weir_tensor *out_fetched);

typedef struct weir_device_info {
    const char *name; /* "/job:localhost/replica:0/task:0/device:CPU:0" */
    const char *type; /* "CPU" */
    int64_t memory_bytes;
    uint64_t incarnation;
} weir_device_info;
int weir_session_device_count(const weir_session *s);
weir_device_info weir_session_device(const weir_session *s, int i);
/* Empties containers of the session's resources (TF_Reset). */
void weir_session_reset(weir_session *s, const weir_str *containers, size_t count);

#endif
