/* ops/sparse/count.c - DenseCountSparseOutput, SparseCountSparseOutput, RaggedCountSparseOutput:
 * counts of values per row, or sums of their weights, as a sparse tensor.
 */
#include <stdlib.h>

#include "base/arith.h"
#include "math/update/update.h"
#include "ops/common/elem_of.h"
#include "ops/common/elements.h"
#include "ops/common/infer_util.h"
#include "ops/declare.h"
#include "ops/sparse/sparse.h"

enum { T, MIN, MAX, BINARY };                /* attrs */
enum { OUT_INDICES, OUT_VALUES, OUT_SHAPE }; /* outputs */

/* One counted value: its row, and its index among all values. */
typedef struct seen {
    int64_t row, value, number;
} seen;

typedef struct tally {
    weir_call *call;
    const weir_tensor *values, *weights; /* weights may be empty: every value counts 1 */
    bool vector;                         /* the result has no dimension for rows */
    int64_t rows, most;                  /* the largest counted value, or 0 */
    WEIR_VEC(seen) seen;
} tally;

static int by_row_and_value(const void *a, const void *b)
{
    const seen *seen = a, *this_seen = b;
    if (seen->row != this_seen->row)
        return seen->row < this_seen->row ? -1 : 1;
    if (seen->value != this_seen->value)
        return seen->value < this_seen->value ? -1 : 1;
    return seen->number < this_seen->number ? -1 : 1;
}

static weir_status check_values(const tally *tally, const char *what)
{
    for (int64_t i = 0; i < weir_tensor_count(tally->values); i++)
        if (weir_int_at(tally->values, i) < 0)
            return weir_error(WEIR_INVALID_ARGUMENT, "Input values must all be non-negative");
    if (weir_tensor_count(tally->weights) &&
        !weir_shape_eq(&tally->weights->shape, &tally->values->shape))
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Weights and %s must have the same shape. Weight shape: %s; %s shape: %s",
                          what, WEIR_SHAPE_STR(&tally->weights->shape), what,
                          WEIR_SHAPE_STR(&tally->values->shape));
    return WEIR_OK;
}

static void note(tally *tally, int64_t row, int64_t number)
{
    int64_t value = weir_int_at(tally->values, number),
            limit = weir_site_int(tally->call->site, MAX);
    if (limit >= 0 && value >= limit)
        return;
    tally->most = weir_max(value, tally->most);
    weir_vec_push(&tally->seen, (seen){row, value, number});
}

static void set_number(weir_tensor *out, int64_t at, int64_t number)
{
    if (out->dtype == WEIR_FLOAT)
        ((float *)out->data)[at] = (float)number;
    else if (out->dtype == WEIR_DOUBLE)
        ((double *)out->data)[at] = (double)number;
    else
        weir_int_set(out, at, number);
}

/* Sets entry |at| of the result from the occurrences [from, to). */
static void store_sum(const tally *tally, size_t from, size_t to, int64_t at)
{
    weir_tensor *out = weir_out(tally->call, OUT_VALUES);
    bool binary = weir_site_bool(tally->call->site, BINARY);
    if (binary || weir_tensor_count(tally->weights) == 0) {
        set_number(out, at, binary ? 1 : (int64_t)(to - from));
        return;
    }
    weir_update_fn add = weir_update_find(WEIR_UPDATE_ADD, weir_elem_of(out->dtype));
    set_number(out, at, 0);
    for (size_t i = from; i < to; i++)
        add(weir_at(out, at), weir_at(tally->weights, tally->seen.at[i].number), 1, 1);
}

static size_t group_end(const tally *tally, size_t from)
{
    size_t to = from + 1;
    while (to < tally->seen.count && tally->seen.at[to].row == tally->seen.at[from].row &&
           tally->seen.at[to].value == tally->seen.at[from].value)
        to++;
    return to;
}

static weir_status store(tally *tally)
{
    int64_t entries = 0, least = weir_site_int(tally->call->site, MIN),
            limit = weir_site_int(tally->call->site, MAX);
    int64_t width = limit >= 0 ? limit : tally->most + 1 > least ? tally->most + 1 : least;
    int64_t dims[] = {tally->vector ? width : tally->rows, width};
    int rank = tally->vector ? 1 : 2;
    if (tally->seen.count)
        qsort(tally->seen.at, tally->seen.count, sizeof(seen), by_row_and_value);
    for (size_t from = 0; from < tally->seen.count; from = group_end(tally, from))
        entries++;
    WEIR_TRY(weir_sparse_alloc(tally->call, OUT_INDICES, OUT_VALUES, entries, rank));
    WEIR_TRY(weir_sparse_alloc_shape(tally->call, OUT_SHAPE, dims, rank));
    int64_t *index = weir_out(tally->call, OUT_INDICES)->data, at = 0;
    for (size_t from = 0, to; from < tally->seen.count; from = to) {
        to = group_end(tally, from);
        if (!tally->vector)
            *index++ = tally->seen.at[from].row;
        *index++ = tally->seen.at[from].value;
        store_sum(tally, from, to, at++);
    }
    return WEIR_OK;
}

static weir_status finish(tally *tally, weir_status status)
{
    if (!status)
        status = store(tally);
    weir_vec_fini(&tally->seen);
    return status;
}

static void infer_rank(weir_infer *infer, int64_t rank)
{
    infer->out[OUT_INDICES] = weir_shape_matrix(-1, rank);
    infer->out[OUT_VALUES] = weir_shape_vector(-1);
    infer->out[OUT_SHAPE] = weir_shape_vector(rank);
}

/* ---- dense ----------------------------------------------------------------------------------- */

static weir_status dense_infer(weir_infer *infer)
{
    weir_shape both = *infer->in[0];
    if (weir_shape_count(infer->in[1]) != 0 && !weir_infer_running(infer))
        WEIR_TRY(weir_infer_merge(infer->in[1], infer->in[0], &both));
    infer_rank(infer, both.rank);
    return WEIR_OK;
}

static weir_status count_dense(weir_call *call)
{
    tally tally = {.call = call, .values = weir_in(call, 0), .weights = weir_in(call, 1)};
    const weir_shape *shape = &tally.values->shape;
    if (shape->rank != 1 && shape->rank != 2)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Input must be a 1 or 2-dimensional tensor. Got: %s",
                          WEIR_SHAPE_STR(shape));
    WEIR_TRY(check_values(&tally, "data"));
    tally.vector = shape->rank == 1;
    tally.rows = tally.vector ? 1 : shape->dims[0];
    if (tally.rows == 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "Invalid input: Shapes dimension cannot be 0.");
    int64_t count = weir_tensor_count(tally.values), width = count / tally.rows;
    for (int64_t i = 0; i < count; i++)
        note(&tally, i / width, i);
    return finish(&tally, WEIR_OK);
}

/* ---- sparse ---------------------------------------------------------------------------------- */

static weir_status sparse_infer(weir_infer *infer)
{
    WEIR_TRY(weir_infer_rank(infer, 0, 2));
    infer_rank(infer, infer->in[0]->rank < 0 ? -1 : infer->in[0]->dims[1]);
    return WEIR_OK;
}

static weir_status check_sparse(const weir_call *call)
{
    const weir_tensor *indices = weir_in(call, 0), *values = weir_in(call, 1),
                      *shape = weir_in(call, 2);
    if (values->shape.rank != 1)
        return weir_error(WEIR_INVALID_ARGUMENT, "Input values must be a vector. Got: %s",
                          WEIR_SHAPE_STR(&values->shape));
    if (shape->shape.rank != 1)
        return weir_error(WEIR_INVALID_ARGUMENT, "Input shape must be a vector. Got: %s",
                          WEIR_SHAPE_STR(&shape->shape));
    if (values->shape.dims[0] != indices->shape.dims[0])
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Number of values must match first dimension of indices.Got %" PRId64
                          " values, indices shape: %s",
                          values->shape.dims[0], WEIR_SHAPE_STR(&indices->shape));
    if (shape->shape.dims[0] != indices->shape.dims[1])
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Number of dimensions must match second dimension of indices.Got %" PRId64
                          " dimensions, indices shape: %s",
                          shape->shape.dims[0], WEIR_SHAPE_STR(&indices->shape));
    if (weir_tensor_count(shape) == 0)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "The shape argument requires at least one element.");
    return WEIR_OK;
}

static weir_status check_indices(const weir_call *call)
{
    const int64_t *at = weir_in(call, 0)->data, *dims = weir_in(call, 2)->data;
    int64_t count = weir_in(call, 0)->shape.dims[0], rank = weir_in(call, 0)->shape.dims[1];
    for (int64_t i = 0; i < count; i++)
        for (int64_t axis = 0; axis < rank; axis++)
            if (at[i * rank + axis] < 0 || at[i * rank + axis] >= dims[axis])
                return weir_error(WEIR_INVALID_ARGUMENT,
                                  "Invalid index value at %" PRId64 ": dimension %" PRId64
                                  " has value %" PRId64 " which is not in [0, %" PRId64 ")",
                                  i, axis, at[i * rank + axis], dims[axis]);
    return WEIR_OK;
}

static weir_status count_sparse(weir_call *call)
{
    tally tally = {.call = call, .values = weir_in(call, 1), .weights = weir_in(call, 3)};
    WEIR_TRY(check_sparse(call));
    WEIR_TRY(check_indices(call));
    WEIR_TRY(check_values(&tally, "values"));
    const int64_t *at = weir_in(call, 0)->data, *dims = weir_in(call, 2)->data;
    int64_t count = weir_tensor_count(tally.values), rank = weir_in(call, 0)->shape.dims[1];
    tally.vector = rank == 1;
    tally.rows = tally.vector ? 1 : dims[0];
    if (tally.rows <= 0 || tally.rows >= INT32_MAX)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Cannot allocate %" PRId64 " batches, is the dense shape too wide?",
                          tally.rows);
    for (int64_t i = 0; i < count; i++)
        note(&tally, tally.vector ? 0 : at[i * rank], i);
    return finish(&tally, WEIR_OK);
}

/* ---- ragged ---------------------------------------------------------------------------------- */

static weir_status ragged_infer(weir_infer *infer)
{
    infer_rank(infer, infer->in[1]->rank < 0 ? -1 : infer->in[1]->rank + 1);
    return WEIR_OK;
}

static weir_status count_ragged(weir_call *call)
{
    tally tally = {.call = call, .values = weir_in(call, 1), .weights = weir_in(call, 2)};
    const int64_t *split = weir_in(call, 0)->data;
    int64_t count = weir_tensor_count(tally.values), row = 0;
    tally.rows = weir_tensor_count(weir_in(call, 0)) - 1;
    if (tally.rows <= 0)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Must provide at least 2 elements for the splits argument");
    if (split[0] != 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "Splits must start with 0, not with %" PRId64,
                          split[0]);
    if (split[tally.rows] != count)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Splits must end with the number of values, got %" PRId64
                          " instead of %" PRId64,
                          split[tally.rows], count);
    WEIR_TRY(check_values(&tally, "values"));
    for (int64_t i = 0; i < count; i++) {
        while (i >= split[row + 1]) /* the last one is |count| */
            row++;
        note(&tally, row, i);
    }
    return finish(&tally, WEIR_OK);
}

#define COUNT                                                                                      \
    .out = "output_indices: int64; output_values: output_type; output_dense_shape: int64",         \
    .attrs = "T: {int32, int64}; minlength: int >= -1 = -1; maxlength: int >= -1 = -1; "           \
             "binary_output: bool; output_type: {int32, int64, float, double}",                    \
    .no_grad = true

WEIR_DEFINE_OP(dense_count_sparse_output, "DenseCountSparseOutput", COUNT,
               .in = "values: T; weights: output_type", .infer = dense_infer,
               .kernels = {{WEIR_CPU, "*", count_dense, WEIR_OWN_OUTPUTS}});
WEIR_DEFINE_OP(sparse_count_sparse_output, "SparseCountSparseOutput", COUNT,
               .in = "indices: int64; values: T; dense_shape: int64; weights: output_type",
               .infer = sparse_infer, .kernels = {{WEIR_CPU, "*", count_sparse, WEIR_OWN_OUTPUTS}});
WEIR_DEFINE_OP(ragged_count_sparse_output, "RaggedCountSparseOutput", COUNT,
               .in = "splits: int64; values: T; weights: output_type", .infer = ragged_infer,
               .kernels = {{WEIR_CPU, "*", count_ragged, WEIR_OWN_OUTPUTS}});
