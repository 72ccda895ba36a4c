/* ops/flow/batch.c - Batch: rows of several steps as one tensor in one of them; BatchFunction: one
 * call of a function for the rows of several steps.
 */
#include <inttypes.h>

#include "base/arith.h"
#include "ops/flow/batcher.h"
#include "ops/flow/functions_impl.h"
#include "ops/state/named.h"

/* ---- attrs -------------------------------------------------------------------------------------
 */

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

/* The size that a batch of |rows| is padded to. */
static int64_t padded_rows(const weir_site *site, int64_t rows)
{
    const weir_attr *allowed = find(site, "allowed_batch_sizes");
    for (int k = 0; k < allowed->count; k++)
        if (allowed->is[k] >= rows)
            return allowed->is[k];
    return rows;
}

/* What .prepare leaves: where the batcher is, and the function. */
typedef struct node_state {
    weir_named *named;
    weir_functions *functions; /* null for Batch */
} node_state;

static void cleanup(void *state)
{
    node_state *s = state;
    weir_named_cleanup(s->named);
    weir_functions_cleanup(s->functions);
    weir_free(s);
}

static weir_status prepare(weir_prepare *p, bool function)
{
    int container = weir_opdef_attr(p->site->def, "container");
    int shared_name = weir_opdef_attr(p->site->def, "shared_name");
    node_state state = {0};
    WEIR_TRY(check_sizes(p->site));
    WEIR_TRY(weir_named_prepare(p, container, shared_name, WEIR_BY_NODE_NAME, &weir_batcher_type));
    state.named = p->state;
    p->state = NULL;
    weir_status s = function ? weir_functions_prepare(p) : WEIR_OK;
    if (s) {
        weir_named_cleanup(state.named);
        return s;
    }
    state.functions = p->state;
    p->state = WEIR_NEW(node_state);
    *(node_state *)p->state = state;
    return WEIR_OK;
}

static void submit(weir_call *c, int in_count, void (*process)(weir_call_batch *b))
{
    const weir_named *named = ((node_state *)c->state)->named;
    weir_call_batch_options options = options_of(c->site, in_count);
    weir_resource *found;
    options.process = process;
    weir_status s = weir_resources_find_or_create(c->run->resources, weir_str_of(named->container),
                                                  weir_str_of(named->name), &weir_batcher_type,
                                                  weir_batcher_create, &options, &found);
    if (s) {
        weir_call_finish(c, s);
        return;
    }
    weir_batcher_submit((weir_batcher *)found, c);
    weir_ref_release(&found->ref);
}

/* ---- Batch -------------------------------------------------------------------------------------
 */

static weir_status batch_infer(weir_infer *i)
{
    int count = i->in_count;
    for (int k = 0; k < count; k++) {
        i->out[k] = *i->in[k];
        if (i->out[k].rank == 0)
            return weir_error(WEIR_INVALID_ARGUMENT, "Shape must be at least rank 1 but is rank 0");
        if (i->out[k].rank > 0)
            i->out[k].dims[0] = -1;
    }
    i->out[count] = weir_shape_matrix(-1, 3);
    i->out[count + 1] = WEIR_SCALAR;
    return WEIR_OK;
}

/* Rows of (call, first row, row after the last). */
static weir_status make_index(const weir_call_batch *b, weir_tensor *out)
{
    weir_shape shape = weir_shape_matrix((int64_t)b->pieces.count, 3);
    int64_t at = 0;
    WEIR_TRY(weir_tensor_alloc(WEIR_INT64, &shape, out));
    int64_t *row = out->data;
    for (size_t k = 0; k < b->pieces.count; k++, row += 3) {
        row[0] = weir_call_batch_guid(&b->pieces.at[k]);
        row[1] = at;
        row[2] = at += b->pieces.at[k].rows;
    }
    return WEIR_OK;
}

/* The leader's call gets everything, the others nothing but their number. */
static weir_status fill_piece(const weir_call_batch *b, weir_call_batch_piece *p, int inputs,
                              bool leads)
{
    int64_t guid = weir_call_batch_guid(p);
    p->out[inputs + 1] = weir_tensor_scalar(WEIR_INT64, &guid);
    for (int i = 0; i < inputs; i++) {
        if (leads)
            WEIR_TRY(weir_call_batch_join(b, i, padded_rows(b->leader->site, b->rows), &p->out[i]));
        else
            WEIR_TRY(weir_rows_take(weir_call_batch_input(p, i), 0, 0, &p->out[i]));
    }
    if (leads)
        return make_index(b, &p->out[inputs]);
    weir_shape none = weir_shape_matrix(0, 3);
    return weir_tensor_alloc(WEIR_INT64, &none, &p->out[inputs]);
}

static void process_batch(weir_call_batch *b)
{
    weir_status s = WEIR_OK;
    int inputs = b->leader->site->in_count;
    for (size_t k = 0; !s && k < b->pieces.count; k++)
        s = fill_piece(b, &b->pieces.at[k], inputs, k == b->leader_piece);
    weir_call_batch_done(b, s);
}

static void start_batch(weir_call *c)
{
    submit(c, c->site->in_count, process_batch);
}

static weir_status prepare_batch(weir_prepare *p)
{
    return prepare(p, false);
}

/* ---- BatchFunction -----------------------------------------------------------------------------
 */

static weir_status check_result(const weir_call_batch *b, const weir_tensor *t, int64_t rows)
{
    if (t->shape.rank == 0)
        return weir_error(WEIR_FAILED_PRECONDITION, "Batched output tensor has 0 dimensions");
    if (t->shape.dims[0] != rows)
        return weir_error(WEIR_FAILED_PRECONDITION,
                          "Batched output tensor's 0th dimension does not equal the sum of the 0th "
                          "dimension sizes of the input tensors. 0th dimension size: %" PRId64
                          "; batch size: %" PRId64 "; padding: %" PRId64,
                          t->shape.dims[0], b->rows, rows - b->rows);
    return WEIR_OK;
}

static weir_status split_result(weir_call_batch *b, int output, const weir_tensor *t)
{
    int64_t at = 0;
    WEIR_TRY(check_result(b, t, padded_rows(b->leader->site, b->rows)));
    for (size_t k = 0; k < b->pieces.count; k++) {
        weir_call_batch_piece *p = &b->pieces.at[k];
        WEIR_TRY(weir_rows_take(t, at, p->rows, &p->out[output]));
        at += p->rows;
    }
    return WEIR_OK;
}

static void returned(void *arg, weir_status s, weir_tensor *rets, int count)
{
    weir_call_batch *b = arg;
    const weir_site *site = b->leader->site;
    bool given = !s;
    if (given && count != site->out_count)
        s = weir_error(WEIR_INTERNAL, "Wrong number of batched output tensors: %d instead of %d",
                       count, site->out_count);
    for (int o = 0; given && o < count; o++) {
        if (!s && rets[o].dtype != weir_dtype_base(site->out_types[o]))
            s = weir_error(WEIR_INVALID_ARGUMENT,
                           "Output %d of %s is %s, but its function gives %s", o, site->name,
                           weir_dtype_name(site->out_types[o]), weir_dtype_name(rets[o].dtype));
        if (!s)
            s = split_result(b, o, &rets[o]);
        weir_tensor_release(&rets[o]);
    }
    weir_call_batch_done(b, s);
}

static int batched_inputs(const weir_site *site)
{
    return weir_site_in(site, 0).count;
}

static void process_function(weir_call_batch *b)
{
    weir_call *c = b->leader;
    const weir_functions *f = ((node_state *)c->state)->functions;
    int batched = batched_inputs(c->site), count = c->site->in_count;
    weir_tensor *args = weir_functions_args(c, 0); /* the captured ones stay as they are */
    weir_status s = WEIR_OK;
    int made = 0;
    for (; !s && made < batched; made++) {
        args[made] = (weir_tensor){0};
        s = weir_call_batch_join(b, made, padded_rows(c->site, b->rows), &args[made]);
    }
    if (s)
        weir_call_batch_done(b, s);
    else
        f->runner->call(f->at[0], c->run, args, count, returned,
                        b); /* batch and call may be gone */
    for (int k = 0; k < made; k++)
        weir_tensor_release(&args[k]);
    weir_free(args);
}

static void start_function(weir_call *c)
{
    const weir_functions *f = ((node_state *)c->state)->functions;
    int wanted = f->runner->arg_count(f->at[0]);
    if (wanted != c->site->in_count) {
        weir_call_finish(c, weir_error(WEIR_INVALID_ARGUMENT,
                                       "Function takes %d argument(s) but %d argument(s) were "
                                       "passed",
                                       wanted, c->site->in_count));
        return;
    }
    submit(c, batched_inputs(c->site), process_function);
}

static weir_status prepare_function(weir_prepare *p)
{
    return prepare(p, true);
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
