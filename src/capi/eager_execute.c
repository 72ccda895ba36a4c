/* capi/eager_execute.c - TFE_Execute: finds or creates a call's node, and runs it. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "capi/eager_impl.h"
#include "dist/options.h"
#include "tensorflow/c/c_api_experimental.h"
#include "wire/messages.h"

/* The node of a call, and the placeholders that feed it. Allocated in the graph's arena. */
typedef struct weir_eager_call {
    weir_node *node;
    weir_edge feeds[]; /* one per input */
} weir_eager_call;

/* ---- keys of calls --------------------------------------------------------------------------- */

static int by_name(const void *a, const void *b)
{
    return strcmp(((const weir_named_attr *)a)->name, ((const weir_named_attr *)b)->name);
}

/* Op, device, input types and attrs as one key. */
static void write_key(const TFE_Op *op, weir_buf *out)
{
    size_t count = op->set.attrs.count;
    weir_named_attr *sorted = WEIR_NEW_ARRAY(weir_named_attr, count);
    if (count)
        memcpy(sorted, op->set.attrs.at, sizeof *sorted * count);
    qsort(sorted, count, sizeof *sorted, by_name);
    weir_buf_addf(out, "%s;%s;", op->name, op->device);
    for (size_t i = 0; i < op->inputs.count; i++)
        weir_buf_addf(out, "%d,", (int)op->inputs.at[i]->t.dtype);
    for (size_t i = 0; i < count; i++) {
        weir_buf_addf(out, ";%s=", sorted[i].name);
        weir_attr_export(&sorted[i].value, out);
    }
    weir_free(sorted);
}

/* An unnamed resource is a new one every time, so its node cannot be reused. */
static bool always_new(const TFE_Op *op)
{
    const weir_attr *name = weir_attr_set_find(&op->set, "shared_name");
    bool makes = op->def->out_count == 1 && op->def->out[0].dtype == WEIR_RESOURCE &&
                 weir_opdef_attr(op->def, "shared_name") >= 0;
    return makes && !(name && name->kind == WEIR_ATTR_STRING && name->s.length);
}

/* ---- creating nodes -------------------------------------------------------------------------- */

static weir_status add_placeholder(TFE_Op *op, int i, weir_edge *out)
{
    TFE_Context *ctx = op->ctx;
    char name[48];
    snprintf(name, sizeof name, "call_%" PRIu64 "/in_%d", ctx->made, i);
    weir_named_attr dtype = weir_a_type("dtype", op->inputs.at[i]->t.dtype);
    weir_node *node;
    WEIR_TRY(weir_graph_add(
        ctx->graph->graph,
        &(weir_node_spec){.name = name, .op = "Placeholder", .attrs = &dtype, .attr_count = 1},
        &node));
    *out = (weir_edge){node, 0};
    return WEIR_OK;
}

static weir_status check_no_refs(const weir_node *node)
{
    bool ref = false;
    for (int i = 0; i < node->site.in_count; i++)
        ref |= weir_dtype_is_ref(node->site.in_types[i]);
    for (int i = 0; i < node->site.out_count; i++)
        ref |= weir_dtype_is_ref(node->site.out_types[i]);
    return ref ? weir_error(WEIR_INVALID_ARGUMENT,
                            "Op %s works on references, which eager execution does not have",
                            node->site.def->name)
               : WEIR_OK;
}

static weir_status add_node(TFE_Op *op, weir_eager_call *call)
{
    char name[48];
    snprintf(name, sizeof name, "call_%" PRIu64, op->ctx->made++);
    weir_node_spec spec = {
        .name = name,
        .op = op->name,
        .in = call->feeds,
        .in_count = (int)op->inputs.count,
        .attrs = op->set.attrs.at,
        .attr_count = (int)op->set.attrs.count,
        .device = op->device,
        .from_outside = true,
    };
    WEIR_TRY(weir_graph_add(op->ctx->graph->graph, &spec, &call->node));
    return check_no_refs(call->node);
}

static weir_status make_call(TFE_Op *op, weir_eager_call **out)
{
    size_t count = op->inputs.count;
    weir_eager_call *call = weir_arena_zalloc(&op->ctx->graph->graph->arena,
                                              sizeof *call + count * sizeof call->feeds[0]);
    weir_status status = WEIR_OK;
    for (size_t i = 0; i < count && !status; i++)
        status = add_placeholder(op, (int)i, &call->feeds[i]);
    if (!status)
        status = add_node(op, call);
    else
        op->ctx->made++;
    if (!status)
        *out = call;
    return status;
}

/* With the graph's lock. */
static weir_status find_call(TFE_Op *op, weir_eager_call **out)
{
    WEIR_BUF(key);
    write_key(op, &key);
    if (always_new(op))
        weir_buf_addf(&key, ";%" PRIu64, op->ctx->made);
    weir_str text = {key.at, key.length};
    weir_status status = WEIR_OK;
    *out = weir_map_get(&op->ctx->calls, text);
    if (!*out) {
        status = make_call(op, out);
        if (!status)
            weir_map_put(&op->ctx->calls, text, *out);
    }
    return status;
}

/* ---- running --------------------------------------------------------------------------------- */

static weir_status run(TFE_Op *op, const weir_eager_call *call, bool collect, weir_tensor *out)
{
    int in = (int)op->inputs.count, outs = call->node->site.out_count;
    weir_tensor *values = WEIR_NEW_ARRAY(weir_tensor, in);
    weir_edge *fetches = WEIR_NEW_ARRAY(weir_edge, outs);
    weir_node *target = call->node;
    weir_run_metadata metadata = {0};
    weir_run_options traced = {.trace_level = WEIR_run_options_trace_level_FULL_TRACE};
    for (int i = 0; i < in; i++)
        values[i] = op->inputs.at[i]->t;
    for (int i = 0; i < outs; i++)
        fetches[i] = (weir_edge){call->node, i};
    weir_request request = {.feeds = call->feeds,
                            .feed_values = values,
                            .feed_count = in,
                            .fetches = fetches,
                            .fetch_count = outs,
                            .targets = &target,
                            .target_count = outs ? 0 : 1,
                            .cancel = op->cancel};
    if (collect) {
        request.options = &traced;
        request.metadata = &metadata;
    }
    weir_status status = weir_session_run(op->ctx->session->session, &request, out);
    if (collect) {
        weir_capi_lock(op->ctx->graph);
        weir_run_metadata_write(&metadata, &op->ctx->metadata);
        weir_capi_unlock(op->ctx->graph);
        weir_run_metadata_fini(&metadata);
    }
    weir_free(values);
    weir_free(fetches);
    return status;
}

static weir_status execute(TFE_Op *op, TFE_TensorHandle **retvals, int *num_retvals)
{
    weir_eager_call *call = NULL;
    WEIR_TRY(weir_eager_match(op));
    weir_capi_lock(op->ctx->graph);
    weir_status status = find_call(op, &call);
    bool collect = op->ctx->collect;
    weir_capi_unlock(op->ctx->graph);
    WEIR_TRY(status);
    int count = call->node->site.out_count;
    if (*num_retvals < count)
        return weir_error(WEIR_INVALID_ARGUMENT, "Expecting %d outputs, but *num_retvals is %d",
                          count, *num_retvals);
    weir_tensor *out = WEIR_NEW_ARRAY(weir_tensor, count);
    status = run(op, call, collect, out);
    const char *device = *op->device ? op->device : weir_eager_host;
    for (int i = 0; i < count && !status; i++)
        retvals[i] = weir_eager_handle(out[i], device);
    if (!status)
        *num_retvals = count;
    weir_free(out);
    return status;
}

void TFE_Execute(TFE_Op *op, TFE_TensorHandle **retvals, int *num_retvals, TF_Status *status)
{
    weir_capi_end(status, execute(op, retvals, num_retvals));
}

/* A removed function must not be found under its old calls. */
void TFE_ContextRemoveFunction(TFE_Context *ctx, const char *name, TF_Status *status)
{
    TFE_ContextClearCaches(ctx);
    TF_GraphRemoveFunction(ctx->graph, name, status);
}
