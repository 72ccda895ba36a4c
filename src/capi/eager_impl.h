/* capi/eager_impl.h - the TFE_ types.
 *
 * A context is a session over a growing graph: every distinct call (op, attrs, input types, device)
 * is one node with a placeholder per input, created on first use and fed from then on. So eager ops
 * share everything with graphs, including resources and functions.
 */
#ifndef WEIR_CAPI_EAGER_IMPL_H
#define WEIR_CAPI_EAGER_IMPL_H

#include "capi/build_impl.h"
#include "capi/capi_impl.h"
#include "tensorflow/c/eager/c_api.h"

struct TFE_ContextOptions {
    TF_SessionOptions *session;
    bool async;
    TFE_ContextDevicePlacementPolicy policy;
};

struct TFE_Context {
    TF_Graph *graph;
    TF_Session *session;
    TF_DeviceList *devices;
    bool async;
    TFE_ContextDevicePlacementPolicy policy;
    /* Under graph->lock: */
    weir_map calls;    /* key of a call -> weir_eager_call */
    uint64_t made;     /* number of calls so far, for names */
    bool collect;      /* run metadata is requested */
    weir_buf metadata; /* RunMetadata so far; messages merge by concatenation */
};

/* A value that handles share. */
struct TFE_TensorHandle {
    weir_ref ref; /* held by handles and ops */
    weir_tensor t;
    char *device; /* the full name of its device */
};

TFE_TensorHandle *weir_eager_handle(weir_tensor tensor,
                                    const char *device); /* takes over |tensor| */
/* The device of |ctx| that |name| (in any form) denotes; null: none. "" is the first. */
const char *weir_eager_find_device(const TFE_Context *ctx, const char *name);
extern const char weir_eager_host[]; /* the name of the first CPU */

struct TFE_Op {
    TFE_Context *ctx;
    char *name, *device;
    const weir_opdef *def;
    weir_attr_set set;
    WEIR_VEC(TFE_TensorHandle *) inputs; /* retained */
    WEIR_VEC(weir_input_group) groups;
    weir_cancel *cancel; /* retained; null: cannot be cancelled */
};

/* The signature of an op type or function of the context. */
WEIR_CHECKED weir_status weir_eager_find_def(TFE_Context *ctx, const char *name,
                                             const weir_opdef **out_def);
/* Sets the attrs inferred from the inputs. */
WEIR_CHECKED weir_status weir_eager_match(TFE_Op *op);

#endif
