/* capi/capi_impl.h - the C API's opaque types, for capi/ only. */
#ifndef WEIR_CAPI_CAPI_IMPL_H
#define WEIR_CAPI_CAPI_IMPL_H

#include "base/mutex.h"
#include "capi/capi.h"

typedef struct weir_payload {
    char *key, *value;
} weir_payload;

struct TSL_Status {
    TF_Code code;
    char *message; /* null for "" */
    WEIR_VEC(weir_payload) payloads;
};

struct TF_Tensor {
    weir_tensor t;
    size_t bytes; /* as the client gave them; at least what the elements need */
};

/* Shared by its creator and the sessions over it. */
struct TF_Graph {
    weir_ref ref;
    weir_graph *graph;
    weir_mutex lock; /* held by whoever reads or changes |graph| */
    /* Of the graphs that TF_NewWhile makes: where the loop goes, and what enters it. */
    struct TF_Graph *parent;
    TF_Output *parent_inputs; /* owned */
};

void weir_capi_graph_release(TF_Graph *graph);

struct TF_Function {
    weir_function *f; /* retained */
};

struct TF_SessionOptions {
    weir_buf config; /* a serialised ConfigProto */
    char *target;
};

struct TF_Session {
    weir_session *session;
    TF_Graph *graph;                /* retained */
    struct TF_Session *prev, *next; /* all sessions, for TF_Reset */
};

struct TF_DeviceList {
    weir_devices devices;
};

/* Whether a session over the graph has planned a step since the node was added. With the graph's
 * lock. */
bool weir_capi_session_saw(const TF_Graph *graph, const weir_node *node);
WEIR_CHECKED weir_status weir_capi_list_devices(const TF_Session *session,
                                                TF_DeviceList **out_list);

/* What ends a step of this thread (weir/embed.h), or null; the caller's to release. */
weir_cancel *weir_capi_interrupt(void);

#endif
