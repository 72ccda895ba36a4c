/* ops/flow/batch.c - Batch: concatenates rows of several steps in one of them; BatchFunction: one
 * function call for the rows of several steps.
 */
#include <inttypes.h>

#include "base/arith.h"
#include "ops/flow/batcher.h"
#include "ops/flow/functions_impl.h"
#include "ops/state/named.h"

/* ---- attrs ----------------------------------------------------------------------------------- */

static const weir_attr *find(const weir_site *site, const char *name)
{
    int at = weir_opdef_attr(site->def, name);
    return at < 0 ? NULL : &site->attrs[at];
}

static bool may_split(const weir_site *site)
{
    const weir_attr *split = find(site, "enable_large_batch_splitting");
    return split && split->b;
}

static weir_status check_sizes(const weir_site *site)
{
    const weir_attr *allowed = find(site, "allowed_batch_sizes");
    int64_t most = find(site, "max_batch_size")->i;
    if (most < 1 || most > INT32_MAX)
        return weir_error(WEIR_INVALID_ARGUMENT, "max_batch_size must be positive; was %" PRId64,
                          most);
    for (int k = 0; k < allowed->count; k++) {
        if (allowed->is[k] < 1 || (k > 0 && allowed->is[k] <= allowed->is[k - 1]))
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "allowed_batch_sizes entries must be monotonically increasing");
        if (k == allowed->count - 1 && allowed->is[k] != most && !may_split(site))
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "final entry in allowed_batch_sizes must equal max_batch_size when "
                              "enable_large_batch_splitting is False");
        if (allowed->is[k] > most)
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "allowed_batch_sizes entry %" PRId64
                              " is larger than max_batch_size %" PRId64,
                              allowed->is[k], most);
    }
    return WEIR_OK;
}

static weir_call_batch_options options_of(const weir_site *site, int in_count)
{
    const weir_attr *allowed = find(site, "allowed_batch_sizes");
    int64_t most = find(site, "max_batch_size")->i, threads = find(site, "num_batch_threads")->i;
    int64_t queued = find(site, "max_enqueued_batches")->i;
    int64_t timeout = find(site, "batch_timeout_micros")->i;
    bool split = may_split(site);
    return (weir_call_batch_options){
        .threads = threads > 0 ? threads : 1,
        .max_rows = most,
        .batch_rows = split && allowed->count ? allowed->is[allowed->count - 1] : most,
        .timeout_us = weir_max(timeout, 0),
        .most_queued = queued > 0 ? queued : 1,
        .split = split,
        .in_count = in_count,
        .out_count = site->out_count,
    };
}

/* The size to which a batch of |rows| is padded. */
static int64_t padded_rows(const weir_site *site, int64_t rows)
{
    const weir_attr *allowed = find(site, "allowed_batch_sizes");
    for (int k = 0; k < allowed->count; k++)
        if (allowed->is[k] >= rows)
            return allowed->is[k];
    return rows;
}

/* Stored by .prepare: the batcher's name, and the function. */
typedef struct node_state {
    weir_named *named;
    weir_functions *functions; /* null for Batch */
} node_state;

static void cleanup(void *state)
{
    node_state *node_state = state;
    weir_named_cleanup(node_state->named);
    weir_functions_cleanup(node_state->functions);
    weir_free(node_state);
}

static weir_status prepare(weir_prepare *preparation, bool function)
{
    int container = weir_opdef_attr(preparation->site->def, "container");
    int shared_name = weir_opdef_attr(preparation->site->def, "shared_name");
    node_state state = {0};
    WEIR_TRY(check_sizes(preparation->site));
    WEIR_TRY(weir_named_prepare(preparation, container, shared_name, WEIR_BY_NODE_NAME,
                                &weir_batcher_type));
    state.named = preparation->state;
    preparation->state = NULL;
    weir_status status = function ? weir_functions_prepare(preparation) : WEIR_OK;
    if (status) {
        weir_named_cleanup(state.named);
        return status;
    }
    state.functions = preparation->state;
    preparation->state = WEIR_NEW(node_state);
    *(node_state *)preparation->state = state;
    return WEIR_OK;
}

static void submit(weir_call *call, int in_count, void (*process)(weir_call_batch *b))
{
    const weir_named *named = ((node_state *)call->state)->named;
    weir_call_batch_options options = options_of(call->site, in_count);
    weir_resource *found;
    options.process = process;
    weir_status status = weir_resources_find_or_create(
        weir_call_resources(call), weir_str_of(named->container), weir_str_of(named->name),
        &weir_batcher_type, weir_batcher_create, &options, &found);
    if (status) {
        weir_call_finish(call, status);
        return;
    }
    weir_batcher_submit((weir_batcher *)found, call);
    weir_ref_release(&found->ref);
}

/* ---- Batch ----------------------------------------------------------------------------------- */

static weir_status batch_infer(weir_infer *infer)
{
    int count = infer->in_count;
    for (int k = 0; k < count; k++) {
        infer->out[k] = *infer->in[k];
        if (infer->out[k].rank == 0)
            return weir_error(WEIR_INVALID_ARGUMENT, "Shape must be at least rank 1 but is rank 0");
        if (infer->out[k].rank > 0)
            infer->out[k].dims[0] = -1;
    }
    infer->out[count] = weir_shape_matrix(-1, 3);
    infer->out[count + 1] = WEIR_SCALAR;
    return WEIR_OK;
}

/* Rows of (call, first row, row after the last). */
static weir_status make_index(const weir_call_batch *batch, weir_tensor *out)
{
    weir_shape shape = weir_shape_matrix((int64_t)batch->pieces.count, 3);
    int64_t at = 0;
    WEIR_TRY(weir_tensor_alloc(WEIR_INT64, &shape, out));
    int64_t *row = out->data;
    for (size_t k = 0; k < batch->pieces.count; k++, row += 3) {
        row[0] = weir_call_batch_guid(&batch->pieces.at[k]);
        row[1] = at;
        row[2] = at += batch->pieces.at[k].rows;
    }
    return WEIR_OK;
}

/* The leader's call gets the whole batch, the others only their id. */
static weir_status fill_piece(const weir_call_batch *batch, weir_call_batch_piece *piece,
                              int inputs, bool leads)
{
    int64_t guid = weir_call_batch_guid(piece);
    piece->out[inputs + 1] = weir_tensor_scalar(WEIR_INT64, &guid);
    for (int i = 0; i < inputs; i++) {
        if (leads)
            WEIR_TRY(weir_call_batch_join(batch, i, padded_rows(batch->leader->site, batch->rows),
                                          &piece->out[i]));
        else
            WEIR_TRY(weir_rows_take(weir_call_batch_input(piece, i), 0, 0, &piece->out[i]));
    }
    if (leads)
        return make_index(batch, &piece->out[inputs]);
    weir_shape none = weir_shape_matrix(0, 3);
    return weir_tensor_alloc(WEIR_INT64, &none, &piece->out[inputs]);
}

static void process_batch(weir_call_batch *batch)
{
    weir_status status = WEIR_OK;
    int inputs = batch->leader->site->in_count;
    for (size_t k = 0; !status && k < batch->pieces.count; k++)
        status = fill_piece(batch, &batch->pieces.at[k], inputs, k == batch->leader_piece);
    weir_call_batch_done(batch, status);
}

static void start_batch(weir_call *call)
{
    submit(call, call->site->in_count, process_batch);
}

static weir_status prepare_batch(weir_prepare *preparation)
{
    return prepare(preparation, false);
}

/* ---- BatchFunction --------------------------------------------------------------------------- */

static weir_status check_result(const weir_call_batch *batch, const weir_tensor *tensor,
                                int64_t rows)
{
    if (tensor->shape.rank == 0)
        return weir_error(WEIR_FAILED_PRECONDITION, "Batched output tensor has 0 dimensions");
    if (tensor->shape.dims[0] != rows)
        return weir_error(WEIR_FAILED_PRECONDITION,
                          "Batched output tensor's 0th dimension does not equal the sum of the 0th "
                          "dimension sizes of the input tensors. 0th dimension size: %" PRId64
                          "; batch size: %" PRId64 "; padding: %" PRId64,
                          tensor->shape.dims[0], batch->rows, rows - batch->rows);
    return WEIR_OK;
}

static weir_status split_result(weir_call_batch *batch, int output, const weir_tensor *tensor)
{
    int64_t at = 0;
    WEIR_TRY(check_result(batch, tensor, padded_rows(batch->leader->site, batch->rows)));
    for (size_t k = 0; k < batch->pieces.count; k++) {
        weir_call_batch_piece *piece = &batch->pieces.at[k];
        WEIR_TRY(weir_rows_take(tensor, at, piece->rows, &piece->out[output]));
        at += piece->rows;
    }
    return WEIR_OK;
}

static void returned(void *arg, weir_status status, weir_tensor *rets, int count)
{
    weir_call_batch *batch = arg;
    const weir_site *site = batch->leader->site;
    bool given = !status;
    if (given && count != site->out_count)
        status =
            weir_error(WEIR_INTERNAL, "Wrong number of batched output tensors: %d instead of %d",
                       count, site->out_count);
    for (int o = 0; given && o < count; o++) {
        if (!status && rets[o].dtype != weir_dtype_base(site->out_types[o]))
            status = weir_error(
                WEIR_INVALID_ARGUMENT, "Output %d of %s is %s, but its function gives %s", o,
                site->name, weir_dtype_name(site->out_types[o]), weir_dtype_name(rets[o].dtype));
        if (!status)
            status = split_result(batch, o, &rets[o]);
        weir_tensor_release(&rets[o]);
    }
    weir_call_batch_done(batch, status);
}

static int batched_inputs(const weir_site *site)
{
    return weir_site_in(site, 0).count;
}

static void process_function(weir_call_batch *batch)
{
    weir_call *call = batch->leader;
    const weir_functions *functions = ((node_state *)call->state)->functions;
    int batched = batched_inputs(call->site), count = call->site->in_count;
    weir_tensor *args = weir_functions_args(call, 0); /* the captured ones are not batched */
    weir_status status = WEIR_OK;
    int made = 0;
    for (; !status && made < batched; made++) {
        args[made] = (weir_tensor){0};
        status =
            weir_call_batch_join(batch, made, padded_rows(call->site, batch->rows), &args[made]);
    }
    if (status)
        weir_call_batch_done(batch, status);
    else
        functions->runner->call(functions->at[0], call->run, args, count, returned,
                                batch); /* batch and call may be freed by now */
    for (int k = 0; k < made; k++)
        weir_tensor_release(&args[k]);
    weir_free(args);
}

static void start_function(weir_call *call)
{
    const weir_functions *functions = ((node_state *)call->state)->functions;
    int wanted = functions->runner->arg_count(functions->at[0]); /* < 0: the call says why not */
    if (wanted >= 0 && wanted != call->site->in_count) {
        weir_call_finish(call, weir_error(WEIR_INVALID_ARGUMENT,
                                          "Function takes %d argument(s) but %d argument(s) were "
                                          "passed",
                                          wanted, call->site->in_count));
        return;
    }
    submit(call, batched_inputs(call->site), process_function);
}

static weir_status prepare_function(weir_prepare *preparation)
{
    return prepare(preparation, true);
}

#define NAMES                                                                                      \
    "container: string = \"\"; shared_name: string = \"\"; batching_queue: string = \"\"; "

const weir_op weir_op_batch = {
    .name = "Batch",
    .in = "in_tensors: T",
    .out = "batched_tensors: T; batch_index: int64; id: int64",
    .attrs = "num_batch_threads: int; max_batch_size: int; max_enqueued_batches: int = 10; "
             "batch_timeout_micros: int; allowed_batch_sizes: list(int) = []; "
             "grad_timeout_micros: int; " NAMES "T: list(type) >= 1",
    .flags = WEIR_DISTRIBUTED | WEIR_NO_FOLD,
    .infer = batch_infer,
    .kernels = {{WEIR_CPU, "*", NULL, WEIR_ASYNC | WEIR_OWN_OUTPUTS, .start = start_batch,
                 .prepare = prepare_batch, .cleanup = cleanup}},
};

const weir_op weir_op_batch_function = {
    .name = "BatchFunction",
    .in = "in_tensors: Tin; captured_tensors: Tcaptured",
    .out = "out_tensors: Tout",
    .attrs =
        "f: func; num_batch_threads: int; max_batch_size: int; batch_timeout_micros: int; "
        "max_enqueued_batches: int = 10; allowed_batch_sizes: list(int) = []; " NAMES
        "low_priority_max_batch_size: int = 0; low_priority_batch_timeout_micros: int = 0; "
        "low_priority_allowed_batch_sizes: list(int) = []; low_priority_max_enqueued_batches: int "
        "= 0; mixed_priority_policy: {'low_priority_padding_with_max_batch_size', "
        "'low_priority_padding_with_next_allowed_batch_size', 'priority_isolation', "
        "'priority_merge'} = \"low_priority_padding_with_max_batch_size\"; "
        "batch_padding_policy: {'PAD_UP', 'BATCH_DOWN', 'MINIMIZE_TPU_COST_PER_REQUEST'} = "
        "\"PAD_UP\"; Tin: list(type) >= 1; Tcaptured: list(type) >= 0; Tout: list(type) >= 1; "
        "enable_large_batch_splitting: bool = false",
    .flags = WEIR_DISTRIBUTED | WEIR_NO_FOLD,
    .infer = weir_infer_unknown,
    .kernels = {{WEIR_CPU, "*", NULL, WEIR_ASYNC | WEIR_OWN_OUTPUTS, .start = start_function,
                 .prepare = prepare_function, .cleanup = cleanup}},
};
