/* capi/capi.h - the internals of the C API's types, for rooms on top of it.
 *
 * TF_Operation is weir_node under another name; the functions here give access to other types.
 * Functions of other rooms return a weir_status; the API's functions convert it to the caller's
 * TF_Status by weir_capi_end.
 */
#ifndef WEIR_CAPI_CAPI_H
#define WEIR_CAPI_CAPI_H

#include "base/mutex.h"
#include "capi/status.h"
#include "graph/graph.h"
#include "session/session.h"
#include "tensorflow/c/c_api.h"

/* ---- tensors and buffers --------------------------------------------------------------------- */

TF_Tensor *weir_capi_tensor(weir_tensor tensor); /* takes over the reference */
const weir_tensor *weir_capi_tensor_of(const TF_Tensor *tensor);

/* Moves |bytes| into an empty buffer. INVALID_ARGUMENT when it is not empty; |bytes| is freed in
 * both cases. */
WEIR_CHECKED weir_status weir_capi_fill(TF_Buffer *out, weir_buf *bytes);
TF_Buffer *weir_capi_buffer(weir_buf *bytes); /* takes over |bytes|, which becomes empty */
static inline weir_str weir_capi_bytes(const TF_Buffer *buffer) /* of null: empty */
{
    return buffer ? (weir_str){buffer->data, buffer->length} : (weir_str){NULL, 0};
}

/* ---- libraries of ops ------------------------------------------------------------------------ */

/* Loads a library of ops and kernels, for good: TF_LoadLibrary without its handle. */
WEIR_CHECKED weir_status weir_capi_load_library(const char *file);

/* ---- graphs ---------------------------------------------------------------------------------- */

weir_graph *weir_capi_graph(const TF_Graph *graph);
weir_mutex *weir_capi_graph_lock(const TF_Graph *graph); /* see session/session.h */
static inline void weir_capi_lock(const TF_Graph *g) WEIR_ACQUIRE(weir_capi_graph_lock(g))
{
    weir_mutex_lock(weir_capi_graph_lock(g));
}
static inline void weir_capi_unlock(const TF_Graph *g) WEIR_RELEASE(weir_capi_graph_lock(g))
{
    weir_mutex_unlock(weir_capi_graph_lock(g));
}

static inline weir_node *weir_capi_node(const TF_Operation *op)
{
    return (weir_node *)op;
}
static inline TF_Operation *weir_capi_oper(const weir_node *node)
{
    return (TF_Operation *)node;
}
static inline weir_edge weir_capi_edge(TF_Output output)
{
    return (weir_edge){weir_capi_node(output.oper), output.index};
}
static inline TF_Output weir_capi_output(weir_edge edge)
{
    return (TF_Output){weir_capi_oper(edge.node), edge.node ? edge.index : 0};
}
/* Checks that an output exists: otherwise INVALID_ARGUMENT or OUT_OF_RANGE naming it. */
WEIR_CHECKED weir_status weir_capi_check_output(TF_Output output);

/* ---- sessions -------------------------------------------------------------------------------- */

/* A session on |graph|; |options| may be null. */
WEIR_CHECKED weir_status weir_capi_session_create(TF_Graph *graph, const TF_SessionOptions *options,
                                                  TF_Session **out_session);
void weir_capi_session_delete(TF_Session *session); /* takes null */
weir_session *weir_capi_session(const TF_Session *session);

/* The options of a step; a null or empty buffer gives the defaults. They are valid as long as the
 * buffer and |arena|. */
WEIR_CHECKED weir_status weir_capi_run_options(const TF_Buffer *buffer, weir_arena *arena,
                                               weir_run_options *out_options);
/* A step's metadata; |buffer| is empty. */
WEIR_CHECKED weir_status weir_capi_fill_metadata(TF_Buffer *buffer,
                                                 const weir_run_metadata *metadata);

/* Imports a model's graph into |graph|, creates its session and initialises it: variables restored,
 * initialiser run. |options| may be null. */
struct weir_meta_graph;
WEIR_CHECKED weir_status weir_capi_start_model(const struct weir_meta_graph *meta_graph,
                                               const char *dir, const TF_SessionOptions *options,
                                               const weir_run_options *run_options, TF_Graph *graph,
                                               TF_Session **out_session);

#endif
