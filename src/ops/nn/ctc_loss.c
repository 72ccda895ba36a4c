/* ops/nn/ctc_loss.c - CTCLoss: the negative log likelihood of a labelling under per-step class
 * scores, summed over all alignments, and its gradient.
 *
 * Forward and backward sums run over the labels with blanks before, between and after them, as
 * logarithms in double precision. The blank is the last class.
 */
#include <inttypes.h>
#include <math.h>
#include <stdatomic.h>

#include "base/arith.h"
#include "base/stop.h"
#include "grad/grad.h"
#include "ops/sparse/sparse.h"

enum { COLLAPSE_REPEATED, MERGE_REPEATED, IGNORE_LONGER }; /* attrs */

static weir_status infer(weir_infer *infer)
{
    static const int ranks[] = {3, 2, 1, 1};
    int64_t rows, batch;
    for (int k = 0; k < 4; k++)
        WEIR_TRY(weir_infer_rank(infer, k, ranks[k]));
    WEIR_TRY(weir_infer_merge_dim(weir_infer_dim(infer, 1, 0), weir_infer_dim(infer, 2, 0), &rows));
    WEIR_TRY(
        weir_infer_merge_dim(weir_infer_dim(infer, 0, 1), weir_infer_dim(infer, 3, 0), &batch));
    infer->out[0] = weir_shape_vector(batch);
    infer->out[1] = *infer->in[0];
    if (infer->out[1].rank == 3)
        infer->out[1].dims[1] = batch;
    else
        infer->out[1] = (weir_shape){.rank = 3, .dims = {-1, batch, -1}};
    return WEIR_OK;
}

/* ---- labels ---------------------------------------------------------------------------------- */

/* One sequence of a batch. */
typedef struct item {
    const int32_t *labels; /* as given */
    int64_t label_count;
    int32_t *path; /* labels with blanks around each; 2n + 1 of them */
    int64_t path_length;
    int64_t steps;
    double loss;
} item;

typedef struct batch {
    item *items;
    int64_t size, classes;
    bool merge_repeated, is_double;
    const void *x;
    void *dx;
} batch;

static double score(const batch *batch, int64_t i)
{
    return batch->is_double ? ((const double *)batch->x)[i] : (double)((const float *)batch->x)[i];
}

static void find_labels(const weir_sparse *labels, const int32_t *values, batch *batch)
{
    for (int64_t k = 0; k < labels->count; k++) {
        item *it = &batch->items[labels->indices[2 * k]];
        if (it->label_count++ == 0)
            it->labels = values + k;
    }
}

/* The effective labels, with blanks around them. A null label ends a sequence. */
static weir_status make_path(item *it, int64_t b, int64_t classes, bool collapse)
{
    int32_t blank = (int32_t)classes - 1;
    bool ended = false;
    it->path = WEIR_NEW_ARRAY(int32_t, 2 * it->label_count + 1);
    it->path[it->path_length++] = blank;
    for (int64_t k = 0; k < it->label_count; k++) {
        int32_t label = it->labels[k];
        if (k > 0 && collapse && label == it->labels[k - 1])
            continue;
        if (label >= blank) {
            ended = true;
            continue;
        }
        if (ended)
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "Saw a non-null label (index >= num_classes - 1) following a null "
                              "label, batch: %" PRId64 " num_classes: %" PRId64 " label: %d",
                              b, classes, label);
        if (label < 0)
            return weir_error(
                WEIR_INVALID_ARGUMENT,
                "All labels must be nonnegative integers, batch: %" PRId64 " label: %d", b, label);
        it->path[it->path_length++] = label;
        it->path[it->path_length++] = blank;
    }
    return WEIR_OK;
}

static weir_status read_item(const weir_site *site, const batch *batch, int64_t n)
{
    item *it = &batch->items[n];
    bool ignore = weir_site_bool(site, IGNORE_LONGER);
    if (it->label_count == 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "Labels length is zero in batch %" PRId64, n);
    WEIR_TRY(make_path(it, n, batch->classes, weir_site_bool(site, COLLAPSE_REPEATED)));
    if (it->label_count > it->steps && !ignore)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Not enough time for target transition sequence (required: %" PRId64
                          ", available: %" PRId64 ")%" PRId64
                          "You can turn this error into a warning by using the flag "
                          "ignore_longer_outputs_than_inputs",
                          it->label_count, it->steps, n);
    if (it->label_count > it->steps)
        it->steps = 0; /* no valid alignment: loss and gradient stay 0 */
    return WEIR_OK;
}

/* ---- sums over paths ------------------------------------------------------------------------- */

static double log_add(double a, double b)
{
    if (a == -INFINITY)
        return b;
    if (b == -INFINITY)
        return a;
    return a > b ? a + log1p(exp(b - a)) : b + log1p(exp(a - b));
}

/* The tables of one item; a column per step. */
typedef struct tables {
    double *prob;           /* [steps, classes]: softmax of the scores */
    double *alpha, *beta;   /* [steps, path_length]: log of the sums before and after a step */
    double *sums;           /* [classes] */
    int64_t steps, classes; /* of the item */
} tables;

static void softmax(const batch *batch, int64_t n, tables *tables)
{
    for (int64_t step = 0; step < tables->steps && !weir_stopped(); step++) {
        double *p = tables->prob + step * tables->classes, most = -INFINITY, sum = 0;
        int64_t at = (step * batch->size + n) * tables->classes;
        for (int64_t c = 0; c < tables->classes; c++)
            most = fmax(most, score(batch, at + c));
        for (int64_t c = 0; c < tables->classes; c++)
            sum += p[c] = exp(score(batch, at + c) - most);
        for (int64_t c = 0; c < tables->classes; c++)
            p[c] /= sum;
    }
}

/* Whether a path may skip the blank between positions |u| and |u| + 2. */
static bool may_skip(const batch *batch, const item *it, int64_t u, int64_t other)
{
    return it->path[u] != batch->classes - 1 &&
           !(batch->merge_repeated && it->path[u] == it->path[other]);
}
static bool may_stay(const batch *batch, const item *it, int64_t u)
{
    return batch->merge_repeated || it->path[u] == batch->classes - 1;
}

/* Positions reachable at step |s| from which the end is still reachable. */
static void reachable(const item *it, int64_t s, int64_t *begin, int64_t *end)
{
    int64_t first = it->path_length - 2 * (it->steps - s), last = 2 * (s + 1);
    *begin = weir_max(first, 0);
    *end = last < it->path_length ? last : it->path_length;
}

static void forward(const batch *batch, const item *it, tables *tables)
{
    int64_t length = it->path_length, begin, end;
    for (int64_t k = 0; k < tables->steps * length; k++)
        tables->alpha[k] = -INFINITY;
    for (int64_t u = 0; u < length && u < 2; u++)
        tables->alpha[u] = log(tables->prob[it->path[u]]);
    for (int64_t step = 1; step < tables->steps && !weir_stopped(); step++) {
        const double *before = tables->alpha + (step - 1) * length,
                     *p = tables->prob + step * tables->classes;
        reachable(it, step, &begin, &end);
        for (int64_t u = begin; u < end; u++) {
            double sum = may_stay(batch, it, u) ? before[u] : -INFINITY;
            if (u > 0)
                sum = log_add(sum, before[u - 1]);
            if (u > 1 && may_skip(batch, it, u, u - 2))
                sum = log_add(sum, before[u - 2]);
            tables->alpha[step * length + u] = log(p[it->path[u]]) + sum;
        }
    }
}

static void backward(const batch *batch, const item *it, tables *tables)
{
    int64_t length = it->path_length, begin, end;
    for (int64_t k = 0; k < tables->steps * length; k++)
        tables->beta[k] = -INFINITY;
    for (int64_t u = length > 1 ? length - 2 : 0; u < length; u++)
        tables->beta[(tables->steps - 1) * length + u] = 0;
    for (int64_t s = tables->steps - 2; s >= 0 && !weir_stopped(); s--) {
        const double *after = tables->beta + (s + 1) * length,
                     *p = tables->prob + (s + 1) * tables->classes;
        reachable(it, s, &begin, &end);
        for (int64_t u = begin; u < end; u++) {
            double sum = may_stay(batch, it, u) ? after[u] + log(p[it->path[u]]) : -INFINITY;
            if (u + 1 < length)
                sum = log_add(sum, after[u + 1] + log(p[it->path[u + 1]]));
            if (u + 2 < length && may_skip(batch, it, u, u + 2))
                sum = log_add(sum, after[u + 2] + log(p[it->path[u + 2]]));
            tables->beta[s * length + u] = sum;
        }
    }
}

static void put(const batch *batch, int64_t i, double value)
{
    if (batch->is_double)
        ((double *)batch->dx)[i] = value;
    else
        ((float *)batch->dx)[i] = (float)value;
}

/* d loss / d score = p(class) - p(class | labels), step by step. */
static void gradient(const batch *batch, const item *it, int64_t n, const tables *tables,
                     double total)
{
    for (int64_t step = 0; step < tables->steps && !weir_stopped(); step++) {
        const double *alpha = tables->alpha + step * it->path_length;
        const double *beta = tables->beta + step * it->path_length,
                     *p = tables->prob + step * tables->classes;
        for (int64_t c = 0; c < tables->classes; c++)
            tables->sums[c] = -INFINITY;
        for (int64_t u = 0; u < it->path_length; u++)
            tables->sums[it->path[u]] = log_add(tables->sums[it->path[u]], alpha[u] + beta[u]);
        for (int64_t c = 0; c < tables->classes; c++) {
            double given = total == -INFINITY ? 0 : exp(tables->sums[c] - total);
            put(batch, (step * batch->size + n) * tables->classes + c, p[c] - given);
        }
    }
}

static weir_status alloc_tables(const item *it, int64_t classes, tables *out_tables,
                                weir_buffer **out)
{
    size_t paths, probs, all;
    if (!weir_size_mul((size_t)it->steps, (size_t)it->path_length, &paths) ||
        !weir_size_mul((size_t)it->steps + 1, (size_t)classes, &probs) ||
        !weir_size_add(2 * paths, probs, &all) || !weir_size_mul(all, sizeof(double), &all))
        return weir_error(WEIR_RESOURCE_EXHAUSTED,
                          "CTC loss of %" PRId64 " steps, %" PRId64 " labels and %" PRId64
                          " classes is too large",
                          it->steps, it->label_count, classes);
    WEIR_TRY(weir_buffer_alloc(all, out));
    *out_tables = (tables){.prob = (*out)->data, .steps = it->steps, .classes = classes};
    out_tables->sums = out_tables->prob + it->steps * classes;
    out_tables->alpha = out_tables->sums + classes;
    out_tables->beta = out_tables->alpha + paths;
    return WEIR_OK;
}

static weir_status one_item(const batch *batch, int64_t n)
{
    item *it = &batch->items[n];
    tables tables;
    weir_buffer *workspace;
    if (it->steps == 0)
        return WEIR_OK;
    WEIR_TRY(alloc_tables(it, batch->classes, &tables, &workspace));
    softmax(batch, n, &tables);
    forward(batch, it, &tables);
    backward(batch, it, &tables);
    double total = -INFINITY;
    for (int64_t u = 0; u < it->path_length; u++)
        total = log_add(total, tables.alpha[u] + tables.beta[u]);
    gradient(batch, it, n, &tables, total);
    it->loss = -total;
    weir_buffer_release(workspace);
    return WEIR_OK;
}

/* ---- the op ---------------------------------------------------------------------------------- */

static weir_status check(const weir_call *call, int64_t steps, int64_t batch_size)
{
    const weir_tensor *indices = weir_in(call, 1), *lengths = weir_in(call, 3);
    if (steps == 0)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Max time or first dimension of input cannot be 0.");
    if (indices->shape.dims[1] != 2)
        return weir_error(WEIR_INVALID_ARGUMENT, "labels_indices must have 2 columns, not %" PRId64,
                          indices->shape.dims[1]);
    int64_t classes = weir_in(call, 0)->shape.dims[2];
    if (classes < 1 || classes >= INT32_MAX)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "num_classes must be at least 1 and below max int, not %" PRId64,
                          classes);
    if (batch_size == 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "batch_size must not be 0");
    for (int64_t b = 0; b < batch_size; b++) {
        int32_t length = ((const int32_t *)lengths->data)[b];
        if (length > steps)
            return weir_error(WEIR_INVALID_ARGUMENT, "sequence_length(%" PRId64 ") <= %" PRId64, b,
                              steps);
        if (length < 0)
            return weir_error(WEIR_INVALID_ARGUMENT, "seq_len(%" PRId64 ") < 0", b);
    }
    return WEIR_OK;
}

static weir_status read_labels(weir_call *call, batch *batch)
{
    const weir_tensor *indices = weir_in(call, 1), *lengths = weir_in(call, 3);
    int64_t dims[2] = {batch->size, 0}, count = indices->shape.dims[0];
    for (int64_t k = 0; k < count; k++) {
        int64_t at = ((const int64_t *)indices->data)[2 * k + 1];
        if (at >= dims[1] && at < INT64_MAX)
            dims[1] = at + 1;
    }
    weir_sparse labels = {.indices = indices->data, .dims = dims, .count = count, .rank = 2};
    weir_status status = weir_sparse_sorted(&labels);
    if (status)
        return weir_status_prefix(status, "label SparseTensor is not valid: ");
    find_labels(&labels, weir_in(call, 2)->data, batch);
    for (int64_t n = 0; n < batch->size; n++) {
        batch->items[n].steps = ((const int32_t *)lengths->data)[n];
        WEIR_TRY(read_item(call->site, batch, n));
    }
    return WEIR_OK;
}

typedef struct part {
    batch *b;
    _Atomic(weir_status) failed; /* the first failure */
} part;

static void some_items(void *ctx, int64_t begin, int64_t end)
{
    part *part = ctx;
    for (int64_t n = begin; n < end; n++) {
        weir_status status = one_item(part->b, n), none = WEIR_OK;
        if (status && !atomic_compare_exchange_strong(&part->failed, &none, status))
            weir_status_free(status);
    }
}

static weir_status ctc_loss(weir_call *call)
{
    const weir_tensor *x = weir_in(call, 0);
    weir_tensor *loss = weir_out(call, 0), *dx = weir_out(call, 1);
    int64_t steps = x->shape.dims[0], size = x->shape.dims[1];
    WEIR_TRY(check(call, steps, size));
    batch batch = {.items = WEIR_NEW_ARRAY(item, size),
                   .size = size,
                   .classes = x->shape.dims[2],
                   .merge_repeated = weir_site_bool(call->site, MERGE_REPEATED),
                   .is_double = x->dtype == WEIR_DOUBLE,
                   .x = x->data,
                   .dx = dx->data};
    part part = {.b = &batch};
    weir_status status = read_labels(call, &batch);
    if (!status) {
        memset(dx->data, 0, weir_tensor_bytes(dx));
        weir_par_for_long(&call->run->par, size, 1, some_items, &part);
        status = part.failed;
    }
    for (int64_t n = 0; n < size; n++) {
        if (batch.is_double)
            ((double *)loss->data)[n] = batch.items[n].loss;
        else
            ((float *)loss->data)[n] = (float)batch.items[n].loss;
        weir_free(batch.items[n].path);
    }
    weir_free(batch.items);
    return status;
}

static weir_status grad(weir_grad *grad)
{
    weir_edge minus_one = weir_grad_scalar(grad, WEIR_INT32, -1);
    weir_edge dy =
        weir_grad_op(grad, "ExpandDims", WEIR_IN(weir_grad_dy(grad, 0), minus_one), WEIR_NO_ATTRS);
    weir_grad_set(grad, 0,
                  weir_grad_op(grad, "Mul", WEIR_IN(dy, weir_grad_y(grad, 1)), WEIR_NO_ATTRS));
    return WEIR_OK;
}

#define FLAGS                                                                                      \
    "preprocess_collapse_repeated: bool = false; ctc_merge_repeated: bool = true; "                \
    "ignore_longer_outputs_than_inputs: bool = false"

const weir_op weir_op_ctc_loss = {
    .name = "CTCLoss",
    .in = "inputs: T; labels_indices: int64; labels_values: int32; sequence_length: int32",
    .out = "loss: T; gradient: T",
    .attrs = FLAGS "; T: {float, double} = DT_FLOAT",
    .infer = infer,
    .grad = grad,
    .kernels = {{WEIR_CPU, "*", ctc_loss}},
};

/* Runs on accelerators only, as in TensorFlow: functions name it as their alternative there. */
const weir_op weir_op_ctc_loss_v2 = {
    .name = "CTCLossV2",
    .in = "inputs: float; labels_indices: int64; labels_values: int32; sequence_length: int32",
    .out = "loss: float; gradient: float",
    .attrs = FLAGS,
    .infer = infer,
    .grad = grad,
};
