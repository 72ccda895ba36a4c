/* ops/nn/top_k.c - TopK, InTopK and NthElement: order statistics along the last dimension.
 *
 * Values of any real type are compared by an order-preserving 64-bit key; ties by lower
 * index.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/half.h"
#include "grad/grad.h"
#include "op/op.h"
#include "ops/common/elem_of.h"
#include "ops/common/infer_util.h"
#include "ops/math/types.h"

typedef struct ranked {
    uint64_t key;
    int64_t at;
} ranked;

static uint64_t key_of_double(double value)
{
    union {
        double d;
        uint64_t u;
    } x = {value == 0 ? 0.0 : value}; /* -0 equals 0 */
    return x.u >> 63 ? ~x.u : x.u | 1ull << 63;
}

static uint64_t key_of_int(int64_t value)
{
    return (uint64_t)value ^ 1ull << 63;
}

static uint64_t key_at(weir_elem elem, const void *ptr, int64_t i)
{
    switch (elem) {
    case WEIR_E_i8:
        return key_of_int(((const int8_t *)ptr)[i]);
    case WEIR_E_i16:
        return key_of_int(((const int16_t *)ptr)[i]);
    case WEIR_E_i32:
        return key_of_int(((const int32_t *)ptr)[i]);
    case WEIR_E_i64:
        return key_of_int(((const int64_t *)ptr)[i]);
    case WEIR_E_u8:
        return ((const uint8_t *)ptr)[i];
    case WEIR_E_u16:
        return ((const uint16_t *)ptr)[i];
    case WEIR_E_u32:
        return ((const uint32_t *)ptr)[i];
    case WEIR_E_u64:
        return ((const uint64_t *)ptr)[i];
    case WEIR_E_f32:
        return key_of_double(((const float *)ptr)[i]);
    case WEIR_E_f64:
        return key_of_double(((const double *)ptr)[i]);
    case WEIR_E_f16:
        return key_of_double(weir_f16_f32(((const uint16_t *)ptr)[i]));
    default:
        return key_of_double(weir_bf16_f32(((const uint16_t *)ptr)[i]));
    }
}

static bool before(const ranked *a, const ranked *b)
{
    return a->key != b->key ? a->key > b->key : a->at < b->at;
}

static int compare(const void *a, const void *b)
{
    return before(a, b) ? -1 : 1;
}

/* Restores the heap, whose root is the worst of the kept values. */
static void sift(ranked *heap, int64_t count, int64_t at)
{
    for (;;) {
        int64_t worst = at, left = 2 * at + 1, right = left + 1;
        if (left < count && before(&heap[worst], &heap[left]))
            worst = left;
        if (right < count && before(&heap[worst], &heap[right]))
            worst = right;
        if (worst == at)
            return;
        ranked ranked = heap[at];
        heap[at] = heap[worst];
        heap[worst] = ranked;
        at = worst;
    }
}

/* The best |k| of a row, sorted. */
static void best(weir_elem elem, const void *row, int64_t count, int64_t k, ranked *out)
{
    if (k == 0)
        return;
    for (int64_t i = 0; i < k; i++)
        out[i] = (ranked){key_at(elem, row, i), i};
    for (int64_t i = k / 2; i-- > 0;)
        sift(out, k, i);
    for (int64_t i = k; i < count; i++) {
        ranked ranked = {key_at(elem, row, i), i};
        if (before(&ranked, &out[0])) {
            out[0] = ranked;
            sift(out, k, 0);
        }
    }
    qsort(out, (size_t)k, sizeof *out, compare);
}

typedef struct top_job {
    weir_elem elem;
    int64_t cols, k;
    const char *x;
    char *values, *indices;
    weir_dtype index_type;
} top_job;

static void set_index(weir_dtype dtype, void *ptr, int64_t i, int64_t value)
{
    if (dtype == WEIR_INT16)
        ((int16_t *)ptr)[i] = (int16_t)value;
    else if (dtype == WEIR_INT32)
        ((int32_t *)ptr)[i] = (int32_t)value;
    else
        ((int64_t *)ptr)[i] = value;
}

static void top_rows(void *ctx, int64_t begin, int64_t end)
{
    const top_job *job = ctx;
    int size = weir_elem_size(job->elem);
    WEIR_FREED ranked *top = WEIR_NEW_ARRAY(ranked, job->k + 1);
    for (int64_t row = begin; row < end; row++) {
        const char *x = job->x + row * job->cols * size;
        best(job->elem, x, job->cols, job->k, top);
        for (int64_t i = 0; i < job->k; i++) {
            memcpy(job->values + (row * job->k + i) * size, x + top[i].at * size, (size_t)size);
            set_index(job->index_type, job->indices, row * job->k + i, top[i].at);
        }
    }
}

static weir_status infer_k(weir_infer *infer, int64_t k)
{
    if (infer->in[0]->rank == 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "input must be >= 1-D, got shape []");
    if (k < -1)
        return weir_error(WEIR_INVALID_ARGUMENT, "Need k >= 0, got %" PRId64, k);
    if (infer->in[0]->rank < 0)
        return WEIR_OK;
    int64_t cols = weir_infer_dim(infer, 0, -1);
    if (k >= 0 && cols >= 0 && cols < k && !weir_infer_running(infer))
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "input must have last dimension >= k = %" PRId64 " but is %" PRId64, k,
                          cols);
    if (k >= 0 && cols >= 0 && cols < k)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "input must have at least k columns. Had %" PRId64 ", needed %" PRId64,
                          cols, k);
    infer->out[0] = *infer->in[0];
    infer->out[0].dims[infer->out[0].rank - 1] = k;
    infer->out[1] = infer->out[0];
    return WEIR_OK;
}

static weir_status infer_top_k(weir_infer *infer)
{
    return infer_k(infer, weir_site_int(infer->site, 0));
}

static weir_status infer_top_k_v2(weir_infer *infer)
{
    if (infer->in[1]->rank > 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "k must be scalar, got shape %s",
                          WEIR_SHAPE_STR(infer->in[1]));
    const weir_tensor *tensor = weir_infer_value(infer, 1);
    if (!tensor)
        return infer_k(infer, -1);
    int64_t k = tensor->dtype == WEIR_INT16   ? *(const int16_t *)tensor->data
                : tensor->dtype == WEIR_INT32 ? *(const int32_t *)tensor->data
                                              : *(const int64_t *)tensor->data;
    if (k < 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "Need k >= 0, got %" PRId64, k);
    return infer_k(infer, k);
}

static weir_status top_k(weir_call *call)
{
    const weir_tensor *x = weir_in(call, 0), *values = weir_out(call, 0), *at = weir_out(call, 1);
    int last = x->shape.rank - 1;
    top_job job = {
        .elem = weir_elem_of(x->dtype),
        .cols = x->shape.dims[last],
        .k = values->shape.dims[last],
        .x = x->data,
        .values = values->data,
        .indices = at->data,
        .index_type = at->dtype,
    };
    if (job.index_type == WEIR_INT16 && job.cols > INT16_MAX)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "input has %" PRId64 " columns, more than int16 indices can tell",
                          job.cols);
    weir_par_for(&call->run->par, weir_shape_product(&x->shape, 0, last),
                 (1 << 13) / (job.cols + 1) + 1, top_rows, &job);
    return WEIR_OK;
}

static weir_edge reshape(weir_grad *grad, weir_edge x, weir_edge shape)
{
    return weir_grad_op(grad, "Reshape", WEIR_IN(x, shape), WEIR_NO_ATTRS);
}

static weir_edge last_dim(weir_grad *grad, weir_edge shape)
{
    weir_edge minus_one = weir_grad_const_int32(grad, (const int32_t[]){-1}, 1);
    weir_edge zero = weir_grad_const_int32(grad, (const int32_t[]){0}, 1);
    weir_edge one = weir_grad_const_int32(grad, (const int32_t[]){1}, 1);
    return weir_grad_op(grad, "StridedSlice", WEIR_IN(shape, minus_one, zero, one),
                        WEIR_ATTRS(weir_a_int("end_mask", 1), weir_a_int("shrink_axis_mask", 1)));
}

/* Scatters each value's gradient to the index of the value, by one flat scatter. */
static weir_status top_k_grad(weir_grad *grad)
{
    weir_edge x = weir_grad_x(grad, 0), dy = weir_grad_dy(grad, 0), at = weir_grad_y(grad, 1);
    weir_edge shape = weir_grad_shape_of(grad, x);
    weir_edge cols = last_dim(grad, shape), k = last_dim(grad, weir_grad_shape_of(grad, at));
    weir_edge zero = weir_grad_scalar(grad, WEIR_INT32, 0),
              minus = weir_grad_scalar(grad, WEIR_INT32, -1);
    weir_edge first_axis = weir_grad_const_int32(grad, (const int32_t[]){0}, 1);
    weir_edge flat = weir_grad_const_int32(grad, (const int32_t[]){-1}, 1);
    weir_edge count = weir_grad_op(grad, "Prod", WEIR_IN(shape, first_axis), WEIR_NO_ATTRS);
    weir_edge starts = weir_grad_op(grad, "Range", WEIR_IN(zero, count, cols), WEIR_NO_ATTRS);
    weir_edge column = weir_grad_op(grad, "ExpandDims", WEIR_IN(starts, minus), WEIR_NO_ATTRS);
    weir_edge at32 =
        weir_grad_op(grad, "Cast", WEIR_IN(at), WEIR_ATTRS(weir_a_type("DstT", WEIR_INT32)));
    weir_edge rows = weir_grad_op(grad, "Pack", WEIR_IN(minus, k), WEIR_NO_ATTRS);
    weir_edge places = weir_grad_add(grad, reshape(grad, at32, rows), column);
    weir_edge index = weir_grad_op(grad, "ExpandDims", WEIR_IN(reshape(grad, places, flat), minus),
                                   WEIR_NO_ATTRS);
    weir_edge size = weir_grad_op(grad, "ExpandDims", WEIR_IN(count, zero), WEIR_NO_ATTRS);
    weir_edge dx = weir_grad_op(grad, "ScatterNd", WEIR_IN(index, reshape(grad, dy, flat), size),
                                WEIR_NO_ATTRS);
    weir_grad_set(grad, 0, reshape(grad, dx, shape));
    return WEIR_OK;
}

const weir_op weir_op_top_k = {
    .name = "TopK",
    .in = "input: T",
    .out = "values: T; indices: int32",
    .attrs = "k: int >= 0; sorted: bool = true; T: {" REALS "}",
    .deprecated_at = 7,
    .deprecation = "Use TopKV2 instead",
    .infer = infer_top_k,
    .grad = top_k_grad,
    .kernels = {{WEIR_CPU, "*", top_k}},
};

const weir_op weir_op_top_k_v2 = {
    .name = "TopKV2",
    .in = "input: T; k: Tk",
    .out = "values: T; indices: index_type",
    .attrs = "sorted: bool = true; T: {" REALS "}; Tk: {int16, int32, int64} = DT_INT32; "
             "index_type: {int16, int32, int64} = DT_INT32",
    .host = "k",
    .infer = infer_top_k_v2,
    .grad = top_k_grad,
    .kernels = {{WEIR_CPU, "*", top_k}},
};

/* ---- InTopK ---------------------------------------------------------------------------------- */

static weir_status infer_in_top_k(weir_infer *infer)
{
    if (infer->in[0]->rank >= 0 && infer->in[0]->rank != 2)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "predictions must be 2-dimensional: Shape must be "
                          "rank 2 but is rank %d",
                          infer->in[0]->rank);
    if (infer->in[1]->rank >= 0 && infer->in[1]->rank != 1)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "targets must be 1-dimensional: Shape must be rank "
                          "1 but is rank %d",
                          infer->in[1]->rank);
    int64_t rows = weir_infer_dim(infer, 0, 0), targets = weir_infer_dim(infer, 1, 0);
    if (rows >= 0 && targets >= 0 && rows != targets)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "First dimension of predictions %" PRId64 " must match length of targets "
                          "%" PRId64 ": Dimensions must be equal, but are %" PRId64 " and %" PRId64,
                          rows, targets, rows, targets);
    infer->out[0] = weir_shape_vector(rows >= 0 ? rows : targets);
    return WEIR_OK;
}

static int64_t int_at(const weir_tensor *tensor, int64_t i)
{
    return tensor->dtype == WEIR_INT64 ? ((const int64_t *)tensor->data)[i]
                                       : ((const int32_t *)tensor->data)[i];
}

/* False also for a target out of range and for non-finite predictions. */
static bool is_among(const float *row, int64_t cols, int64_t target, int64_t k)
{
    if (target < 0 || target >= cols)
        return false;
    int64_t better = 0;
    for (int64_t column = 0; column < cols; column++) {
        if (!isfinite(row[column]))
            return false;
        better += row[column] > row[target];
    }
    return better < k;
}

static weir_status in_top_k(weir_call *call)
{
    const weir_tensor *x = weir_in(call, 0), *targets = weir_in(call, 1);
    bool *out = weir_out(call, 0)->data;
    if (call->site->in_count > 2 && weir_in(call, 2)->shape.rank != 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "k must be 0-D, got shape %s",
                          WEIR_SHAPE_STR(&weir_in(call, 2)->shape));
    int64_t k =
        call->site->in_count > 2 ? int_at(weir_in(call, 2), 0) : weir_site_int(call->site, 0);
    int64_t cols = x->shape.dims[1];
    for (int64_t r = 0; r < x->shape.dims[0]; r++)
        out[r] = is_among((const float *)x->data + r * cols, cols, int_at(targets, r), k);
    return WEIR_OK;
}

const weir_op weir_op_in_top_k = {
    .name = "InTopK",
    .in = "predictions: float; targets: T",
    .out = "precision: bool",
    .attrs = "k: int; T: {int32, int64} = DT_INT32",
    .infer = infer_in_top_k,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", in_top_k}},
};

const weir_op weir_op_in_top_k_v2 = {
    .name = "InTopKV2",
    .in = "predictions: float; targets: T; k: T",
    .out = "precision: bool",
    .attrs = "T: {int32, int64} = DT_INT32",
    .infer = infer_in_top_k,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", in_top_k}},
};

/* ---- NthElement ------------------------------------------------------------------------------ */

static weir_status infer_nth(weir_infer *infer)
{
    if (infer->in[0]->rank == 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "Input must be >= 1-D, got []: Shape must be at "
                                                 "least rank 1 but is rank 0");
    WEIR_TRY(weir_infer_rank(infer, 1, 0));
    int64_t count, cols = infer->in[0]->rank < 0 ? -1 : weir_infer_dim(infer, 0, -1);
    if (weir_infer_value_int(infer, 1, &count)) {
        if (count < 0)
            return weir_error(WEIR_INVALID_ARGUMENT, "n must be non-negative but is %" PRId64,
                              count);
        if (cols >= 0 && cols <= count)
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "Input must have last dimension > n = %" PRId64 " but is %" PRId64,
                              count, cols);
    }
    if (infer->in[0]->rank >= 0)
        infer->out[0] = weir_infer_sub(infer->in[0], 0, infer->in[0]->rank - 1);
    return WEIR_OK;
}

static weir_status nth_element(weir_call *call)
{
    const weir_tensor *x = weir_in(call, 0), *y = weir_out(call, 0);
    int64_t cols = x->shape.dims[x->shape.rank - 1], n = *(const int32_t *)weir_in(call, 1)->data;
    int64_t k = weir_site_bool(call->site, 0) ? n + 1 : cols - n;
    int size = weir_elem_size(weir_elem_of(x->dtype));
    WEIR_FREED ranked *top = WEIR_NEW_ARRAY(ranked, k + 1);
    for (int64_t row = 0; row < weir_tensor_count(y); row++) {
        const char *from = (const char *)x->data + row * cols * size;
        best(weir_elem_of(x->dtype), from, cols, k, top);
        memcpy((char *)y->data + row * size, from + top[k - 1].at * size, (size_t)size);
    }
    return WEIR_OK;
}

/* Divided evenly among the elements that equal the result. */
static weir_status nth_grad(weir_grad *grad)
{
    weir_edge x = weir_grad_x(grad, 0), last = weir_grad_scalar(grad, WEIR_INT32, -1);
    weir_edge y =
        weir_grad_op(grad, "ExpandDims", WEIR_IN(weir_grad_y(grad, 0), last), WEIR_NO_ATTRS);
    weir_edge dy =
        weir_grad_op(grad, "ExpandDims", WEIR_IN(weir_grad_dy(grad, 0), last), WEIR_NO_ATTRS);
    weir_edge equal = weir_grad_op(grad, "Equal", WEIR_IN(y, x), WEIR_NO_ATTRS);
    weir_edge hits =
        weir_grad_op(grad, "Cast", WEIR_IN(equal),
                     WEIR_ATTRS(weir_a_type("DstT", x.node ? weir_edge_dtype(x) : WEIR_FLOAT)));
    weir_edge axis = weir_grad_const_int32(grad, (const int32_t[]){-1}, 1);
    weir_edge count =
        weir_grad_op(grad, "Sum", WEIR_IN(hits, axis), WEIR_ATTRS(weir_a_bool("keep_dims", true)));
    weir_grad_set(grad, 0, weir_grad_mul(grad, weir_grad_div(grad, hits, count), dy));
    return WEIR_OK;
}

const weir_op weir_op_nth_element = {
    .name = "NthElement",
    .in = "input: T; n: int32",
    .out = "values: T",
    .attrs = "reverse: bool = false; T: {" REALS "}",
    .infer = infer_nth,
    .grad = nth_grad,
    .kernels = {{WEIR_CPU, "*", nth_element}},
};
