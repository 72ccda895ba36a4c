/* ops/array/edit_distance.c - EditDistance: Levenshtein distance of sequences in sparse tensors. */
#include <math.h>

#include "base/arith.h"
#include "base/stop.h"
#include "ops/common/compare.h"
#include "ops/common/elements.h"
#include "ops/common/infer_util.h"
#include "ops/common/ndcopy.h"

enum { NORMALIZE };

/* A sparse tensor: inputs first, first + 1, first + 2 of the op. */
typedef struct sparse {
    const int64_t *indices;
    const weir_tensor *values;
    const int64_t *shape;
    int64_t count;
    int rank;
} sparse;

static sparse sparse_at(const weir_call *call, int first)
{
    return (sparse){weir_in(call, first)->data, weir_in(call, first + 1),
                    weir_in(call, first + 2)->data, weir_in(call, first)->shape.dims[0],
                    (int)weir_in(call, first)->shape.dims[1]};
}

static weir_status check_sparse(weir_infer *infer, int first, const char *name)
{
    const weir_shape *indices = infer->in[first], *values = infer->in[first + 1],
                     *shape = infer->in[first + 2];
    if (indices->rank >= 0 && indices->rank != 2)
        return weir_error(WEIR_INVALID_ARGUMENT, "%s_indices should be a matrix, but got shape %s",
                          name, WEIR_SHAPE_STR(indices));
    if (values->rank >= 0 && values->rank != 1)
        return weir_error(WEIR_INVALID_ARGUMENT, "%s_values should be a vector, but got shape %s",
                          name, WEIR_SHAPE_STR(values));
    if (shape->rank >= 0 && shape->rank != 1)
        return weir_error(WEIR_INVALID_ARGUMENT, "%s_shape should be a vector, but got shape %s",
                          name, WEIR_SHAPE_STR(shape));
    if (!weir_infer_running(infer))
        return WEIR_OK;
    if (indices->dims[0] != values->dims[0])
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Expected %s_indices.rows == %s_values.elements, but saw: %" PRId64
                          " vs. %" PRId64,
                          name, name, indices->dims[0], values->dims[0]);
    if (shape->dims[0] != indices->dims[1])
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Expected %s_shape.elements == %s_indices.cols, but saw: %" PRId64
                          " vs. %" PRId64,
                          name, name, shape->dims[0], indices->dims[1]);
    return WEIR_OK;
}

/* The larger of both shapes, without the last dim, along which the sequences run. */
static weir_status infer(weir_infer *infer)
{
    const weir_tensor *a = weir_infer_value(infer, 2), *b = weir_infer_value(infer, 5);
    WEIR_TRY(check_sparse(infer, 0, "hypothesis"));
    WEIR_TRY(check_sparse(infer, 3, "truth"));
    if (!a || !b)
        return WEIR_OK;
    int64_t rank = weir_tensor_count(a);
    if (rank != weir_tensor_count(b) || rank < 2 || rank > WEIR_MAX_RANK)
        return weir_error(
            WEIR_INVALID_ARGUMENT,
            "Expected hypothesis_shape.elements == truth_shape.elements >= 2, but saw: "
            "%" PRId64 " and %" PRId64,
            rank, weir_tensor_count(b));
    infer->out[0].rank = (int)rank - 1;
    for (int axis = 0; axis < rank - 1; axis++) {
        int64_t x = weir_int_at(a, axis), y = weir_int_at(b, axis);
        infer->out[0].dims[axis] = weir_max(x, y);
    }
    if (!weir_infer_running(infer))
        return WEIR_OK;
    WEIR_TRY(weir_shape_check(&infer->out[0]));
    if (weir_shape_count(&infer->out[0]) == 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "Got output shape %s which has 0 elements",
                          WEIR_SHAPE_STR(&infer->out[0]));
    return WEIR_OK;
}

/* Entries that share all coordinates but the last, from |begin| on. */
static int64_t group_end(const sparse *sparse, int64_t begin)
{
    int64_t end = begin + 1;
    size_t bytes = sizeof(int64_t) * (size_t)(sparse->rank - 1);
    while (end < sparse->count && memcmp(sparse->indices + end * sparse->rank,
                                         sparse->indices + begin * sparse->rank, bytes) == 0)
        end++;
    return end;
}

/* Compares two groups; groups past the end of a tensor sort last. */
static int order(const sparse *a, int64_t i, const sparse *b, int64_t j)
{
    if (i >= a->count || j >= b->count)
        return i < a->count ? -1 : 1;
    for (int axis = 0; axis < a->rank - 1; axis++) {
        int64_t x = a->indices[i * a->rank + axis], y = b->indices[j * b->rank + axis];
        if (x != y)
            return x < y ? -1 : 1;
    }
    return 0;
}

/* Dynamic programming with one row of the table. */
static int64_t distance(const sparse *hypothesis, int64_t h0, int64_t h1, const sparse *truth,
                        int64_t t0, int64_t t1)
{
    int64_t count = t1 - t0, *row = WEIR_NEW_ARRAY(int64_t, count + 1);
    for (int64_t j = 0; j <= count; j++)
        row[j] = j;
    for (int64_t i = h0; i < h1 && !weir_stopped(); i++) {
        int64_t corner = row[0]++; /* the table entry diagonally above */
        for (int64_t j = 1; j <= count; j++) {
            bool same =
                weir_elements_equal(hypothesis->values->dtype, weir_at(hypothesis->values, i),
                                    weir_at(truth->values, t0 + j - 1));
            int64_t best = corner + !same;
            corner = row[j];
            best = row[j] + 1 < best ? row[j] + 1 : best;
            row[j] = row[j - 1] + 1 < best ? row[j - 1] + 1 : best;
        }
    }
    int64_t result = row[count];
    weir_free(row);
    return result;
}

/* Rows outside the result's bounds may still map to an element of it; they are stored there. */
static weir_status store(weir_tensor *y, const sparse *sparse, int64_t entry, float value)
{
    uint64_t at = 0;
    for (int axis = 0; axis < y->shape.rank; axis++)
        at = at * (uint64_t)y->shape.dims[axis] +
             (uint64_t)sparse->indices[entry * sparse->rank + axis];
    int64_t count = weir_tensor_count(y);
    if (at >= (uint64_t)count)
        return weir_error(WEIR_INTERNAL,
                          "Got an inner product %" PRId64
                          " which would require writing to outside of the buffer for the output "
                          "tensor (max elements %" PRId64 ")",
                          (int64_t)at, count);
    ((float *)y->data)[at] = value;
    return WEIR_OK;
}

static float scaled(int64_t d, int64_t truth, bool normalize)
{
    if (!normalize)
        return (float)d;
    return truth ? (float)d / (float)truth : d ? INFINITY : 0;
}

static weir_status run(weir_call *call)
{
    sparse hypothesis = sparse_at(call, 0), truth = sparse_at(call, 3);
    weir_tensor *y = weir_out(call, 0);
    bool normalize = weir_site_bool(call->site, NORMALIZE);
    weir_tensor_zero(&call->run->par, y);
    for (int64_t i = 0, j = 0; i < hypothesis.count || j < truth.count;) {
        int first = order(&hypothesis, i, &truth, j);
        int64_t i_end = first <= 0 ? group_end(&hypothesis, i) : i,
                j_end = first >= 0 ? group_end(&truth, j) : j;
        float value =
            scaled(distance(&hypothesis, i, i_end, &truth, j, j_end), j_end - j, normalize);
        WEIR_TRY(first <= 0 ? store(y, &hypothesis, i, value) : store(y, &truth, j, value));
        i = i_end;
        j = j_end;
    }
    return WEIR_OK;
}

const weir_op weir_op_edit_distance = {
    .name = "EditDistance",
    .in = "hypothesis_indices: int64; hypothesis_values: T; hypothesis_shape: int64; "
          "truth_indices: int64; truth_values: T; truth_shape: int64",
    .out = "output: float",
    .attrs = "normalize: bool = true; T: type",
    .infer = infer,
    .no_grad = true,
    .kernels = {{WEIR_CPU,
                 "T: float, double, int32, uint8, int16, int8, complex64, int64, bfloat16, uint16, "
                 "complex128, half, uint32, uint64, bool, string",
                 run}},
};
