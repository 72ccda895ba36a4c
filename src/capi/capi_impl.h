/* capi/capi_impl.h - what is behind the C API's opaque types, and the few helpers all files share.
 *
 * TF_Operation is weir_node under another name; nothing else is. Functions of other rooms return a
 * weir_status; the API's functions end it in the caller's TF_Status by weir_capi_end.
 */
#ifndef WEIR_CAPI_CAPI_IMPL_H
#define WEIR_CAPI_CAPI_IMPL_H

#include <pthread.h>

#include "dist/client.h"
#include "graph/graph.h"
#include "session/session.h"
#include "tensorflow/c/c_api.h"

/* ---- status ---------------------------------------------------------------------------------- */

typedef struct weir_payload {
    char *key, *value;
} weir_payload;

struct TSL_Status {
    TF_Code code;
    char *message; /* null for "" */
    WEIR_VEC(weir_payload) payloads;
};

/* Takes |s| and writes it to |out|, success included. True on success. */
bool weir_capi_end(TF_Status *out, weir_status s);

/* ---- tensors and buffers --------------------------------------------------------------------- */

struct TF_Tensor {
    weir_tensor t;
    size_t bytes; /* as the client gave them; at least what the elements need */
};

TF_Tensor *weir_capi_tensor(weir_tensor t); /* takes over the reference */

/* Moves |bytes| into an empty buffer. INVALID_ARGUMENT when it holds something already; |bytes| is
 * given back in both cases. */
WEIR_CHECKED weir_status weir_capi_fill(TF_Buffer *out, weir_buf *bytes);
TF_Buffer *weir_capi_buffer(weir_buf *bytes); /* a new one, from |bytes|, which becomes empty */
static inline weir_str weir_capi_bytes(const TF_Buffer *b) /* of null: empty */
{
    return b ? (weir_str){b->data, b->length} : (weir_str){NULL, 0};
}

/* ---- graphs ---------------------------------------------------------------------------------- */

/* Shared by its creator and the sessions over it. */
struct TF_Graph {
    weir_ref ref;
    weir_graph *graph;
    pthread_mutex_t lock; /* held by whoever reads or changes |graph| */
    /* Of the graphs that TF_NewWhile makes: where the loop goes, and what enters it. */
    struct TF_Graph *parent;
    TF_Output *parent_inputs; /* owned */
};

void weir_capi_graph_release(TF_Graph *g);
static inline void weir_capi_lock(const TF_Graph *g)
{
    pthread_mutex_lock((pthread_mutex_t *)&g->lock);
}
static inline void weir_capi_unlock(const TF_Graph *g)
{
    pthread_mutex_unlock((pthread_mutex_t *)&g->lock);
}

static inline weir_node *weir_capi_node(const TF_Operation *op)
{
    return (weir_node *)op;
}
static inline TF_Operation *weir_capi_oper(const weir_node *n)
{
    return (TF_Operation *)n;
}
static inline weir_edge weir_capi_edge(TF_Output o)
{
    return (weir_edge){weir_capi_node(o.oper), o.index};
}
static inline TF_Output weir_capi_output(weir_edge e)
{
    return (TF_Output){weir_capi_oper(e.node), e.node ? e.index : 0};
}
/* An output that exists: otherwise INVALID_ARGUMENT or OUT_OF_RANGE naming it. */
WEIR_CHECKED weir_status weir_capi_check_output(TF_Output o);

/* ---- functions ------------------------------------------------------------------------------- */

struct TF_Function {
    weir_function *f; /* retained */
};

/* ---- sessions -------------------------------------------------------------------------------- */

struct TF_SessionOptions {
    weir_buf config; /* a serialised ConfigProto */
    char *target;
};

struct TF_Session {
    weir_session *s;                /* of this process; or null, and then */
    weir_grpc_session *client;      /* of a server */
    TF_Graph *graph;                /* retained */
    struct TF_Session *prev, *next; /* all sessions, for TF_Reset */
};

struct TF_DeviceList {
    int count;
    weir_device_info *at; /* owned, with its strings */
};

/* The session of |graph|; |opts| may be null. */
WEIR_CHECKED weir_status weir_capi_session_create(TF_Graph *graph, const TF_SessionOptions *opts,
                                                  TF_Session **out_session);
void weir_capi_session_delete(TF_Session *s); /* takes null */
WEIR_CHECKED weir_status weir_capi_run(TF_Session *session, const weir_request *request,
                                       weir_tensor *out_fetched);
TF_DeviceList *weir_capi_devices(const weir_session *s);
WEIR_CHECKED weir_status weir_capi_remote_devices(weir_grpc_session *c, TF_DeviceList **out_list);

#endif
