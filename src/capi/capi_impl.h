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
    size_t bytes; /* as the client specified; at least what the elements need */
};

/* Shared by its creator and its sessions. */
struct TF_Graph {
    weir_ref ref;
    weir_graph *graph;
    weir_mutex lock; /* guards |graph| */
    /* For graphs of TF_NewWhile: the loop's graph, and its inputs. */
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

/* Whether a session has planned a step since the node was added to the graph. With the graph's
 * lock. */
bool weir_capi_session_saw(const TF_Graph *graph, const weir_node *node);
WEIR_CHECKED weir_status weir_capi_list_devices(const TF_Session *session,
                                                TF_DeviceList **out_list);

/* How many elements of a list attr a client's array takes. */
static inline int weir_capi_at_most(const weir_attr *list, int max_values)
{
    return max_values < list->count ? max_values : list->count;
}
/* Copies a string attr to the client's |room| bytes, as much as fits. */
void weir_capi_copy_string(const weir_attr *attr, void *out, size_t room);
/* Copies the first |count| strings of a list to |storage|; INVALID_ARGUMENT if it is too small. */
WEIR_CHECKED weir_status weir_capi_copy_strings(const weir_attr *attr, int count, void **out_values,
                                                size_t *out_lengths, char *storage, size_t room);

/* A value that a step is fed with, sharing its buffer; strings of the client's are copied, since it
 * may free them after the call, but a step may retain its feeds. */
WEIR_CHECKED weir_status weir_capi_feed(const TF_Tensor *tensor, weir_tensor *out);
struct weir_fed;
/* The memory of |fed| as a tensor, which is lent unless its alignment requires a copy. False if
 * there is no such tensor; the memory is not released. */
bool weir_capi_lend(const struct weir_fed *fed, weir_tensor *out);

/* Cancels steps of this thread (weir/embed.h), or null; the caller releases it. */
weir_cancel *weir_capi_interrupt(void);

#endif
