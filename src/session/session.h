/* session/session.h - a session: steps of one graph, run in this process or elsewhere.
 *
 * A session has one of several implementations behind a table of functions: weir_session_create
 * creates one in this process, dist/client.h one on a server. The graph may grow between and during
 * steps; callers that change it hold |graph_lock|, which a session acquires while it reads the
 * graph. Thread-safe: many steps at once.
 */
#ifndef WEIR_SESSION_SESSION_H
#define WEIR_SESSION_SESSION_H

#include "base/mutex.h"
#include "graph/graph.h"
#include "session/devices.h"
#include "session/options.h"

typedef struct weir_session weir_session;
typedef struct weir_callable weir_callable;
typedef struct weir_remote weir_remote; /* session/remote.h */
typedef struct weir_remote_calls weir_remote_calls;

typedef struct weir_request {
    const weir_edge *feeds;
    const weir_tensor *feed_values; /* shared during the call */
    int feed_count;
    const weir_edge *fetches;
    int fetch_count;
    weir_node *const *targets;
    int target_count;
    const weir_run_options *options; /* null: defaults */
    weir_run_metadata *metadata;     /* the step's is added; null: not requested */
    weir_cancel *cancel;             /* cancels the step when fired; may be null */
    bool repeat; /* the caller repeats it until it fails, and needs only the failure */
} weir_request;

/* ---- any session ---------------------------------------------------------------------------- */

/* The functions below, for one implementation. */
typedef struct weir_session_fns {
    void (*destroy)(weir_session *session);
    weir_status (*close)(weir_session *session);
    weir_status (*extend)(weir_session *session); /* null: nothing to do */
    weir_status (*run)(weir_session *session, const weir_request *request,
                       weir_tensor *out_fetched);
    weir_status (*partial_setup)(weir_session *session, const weir_request *request,
                                 char **out_handle);
    weir_status (*partial_run)(weir_session *session, const char *handle,
                               const weir_request *request, weir_tensor *out_fetched);
    weir_status (*make_callable)(weir_session *session, const weir_request *request,
                                 weir_callable **out_callable);
    weir_status (*run_callable)(weir_callable *callable, const weir_request *call,
                                weir_tensor *out_fetched);
    weir_status (*release_callable)(weir_callable *callable);
    weir_status (*list_devices)(weir_session *session, weir_devices *out_devices);
    /* Null: the containers are not in this process. */
    void (*clear_containers)(weir_session *session, const weir_str *containers, size_t count);
} weir_session_fns;

/* The common fields of all implementations. */
struct weir_session {
    const weir_session_fns *fns;
    weir_graph *graph;
    weir_mutex *graph_lock;
    size_t seen; /* nodes of the graph when it was last planned or sent; under graph_lock */
};

struct weir_callable {
    weir_session *session; /* must outlive it */
};

/* Cancels running steps; later runs are CANCELLED "Session has been closed." */
WEIR_CHECKED weir_status weir_session_close(weir_session *session);
void weir_session_destroy(weir_session *session); /* closes first; takes null */

/* Publishes additions to the graph where it runs. Steps do so themselves. */
WEIR_CHECKED weir_status weir_session_extend(weir_session *session);

/* Runs one step. On success out_fetched has fetch_count tensors, which the caller releases. */
WEIR_CHECKED weir_status weir_session_run(weir_session *session, const weir_request *request,
                                          weir_tensor *out_fetched);

/* Partial runs: setup lists every edge that several runs will feed or fetch, in any order. The
 * caller frees the handle (weir_free). */
WEIR_CHECKED weir_status weir_session_partial_setup(weir_session *session,
                                                    const weir_request *request, char **out_handle);
WEIR_CHECKED weir_status weir_session_partial_run(weir_session *session, const char *handle,
                                                  const weir_request *request,
                                                  weir_tensor *out_fetched);

/* A step that is set up once, with the feeds, fetches, targets and options of |request|, and then
 * run without lookups: |call| has the values of the feeds in that order, metadata, a cancellation,
 * and options if they differ from those of |request|. */
WEIR_CHECKED weir_status weir_session_make_callable(weir_session *session,
                                                    const weir_request *request,
                                                    weir_callable **out_callable);
WEIR_CHECKED weir_status weir_callable_run(weir_callable *callable, const weir_request *call,
                                           weir_tensor *out_fetched);
/* Frees it, whatever the outcome; takes null. No run may be in progress. */
WEIR_CHECKED weir_status weir_callable_release(weir_callable *callable);

/* The devices that the session's steps may use. The caller must fini the list. */
WEIR_CHECKED weir_status weir_session_list_devices(weir_session *session,
                                                   weir_devices *out_devices);
/* Clears containers of the process's own resources (TF_Reset); a no-op elsewhere. */
void weir_session_clear_containers(weir_session *session, const weir_str *containers, size_t count);

/* ---- sessions in this process --------------------------------------------------------------- */

typedef struct weir_session_options {
    const weir_session_config *config; /* null: defaults */
    const char *target;                /* "" or "local" */
    const char *task;          /* prefix of device names; null: "/job:localhost/replica:0/task:0" */
    weir_resources *resources; /* shared by several sessions; null: the session's own */
    weir_resources *own;       /* private objects of nodes in several partitions; null: none */
    const weir_devices *devices; /* of the own task; copied. Null: by the config */
    weir_remote *remote;         /* the other tasks; null: none. Must outlive the session */
    weir_remote_calls *calls;    /* of functions there; null: none. Must outlive the session */
    struct weir_collectives *collectives; /* of the task; null: the session's own. Retained */
} weir_session_options;

/* The process's catalogue of ops. */
const weir_registry *weir_catalogue(void);
/* Adds |op|, which must never be freed (weir_registry_add). */
WEIR_CHECKED weir_status weir_catalogue_add(const weir_op *op);

WEIR_CHECKED weir_status weir_session_create(weir_graph *graph, weir_mutex *graph_lock,
                                             const weir_session_options *options,
                                             weir_session **out_session);

bool weir_session_is_local(const weir_session *session); /* one of these */

/* The following accept sessions in this process only. */

/* Places the whole graph, as TensorFlow's masters do before anything runs; earlier placements are
 * kept. The caller holds the graph's lock, if others may use the graph. */
WEIR_CHECKED weir_status weir_session_place_graph(weir_session *session);
bool weir_session_is_closed(weir_session *session);

/* weir_session_run without blocking, if such steps are known to be short: runs on this thread as
 * far as possible, and later on the threads that deliver its inputs. Calls |done| once; the request
 * and the objects that it refers to must stay valid until then. False: nothing was started; call
 * weir_session_run instead.
 */
bool weir_session_start_step(weir_session *session, const weir_request *request,
                             weir_tensor *out_fetched, void (*done)(void *arg, weir_status status),
                             void *arg);

#endif
