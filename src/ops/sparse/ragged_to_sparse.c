/* ops/sparse/ragged_to_sparse.c - RaggedTensorToSparse. */
#include "ops/common/elements.h"
#include "ops/common/grads.h"
#include "ops/common/infer_util.h"
#include "ops/sparse/sparse.h"

static weir_status infer(weir_infer *infer)
{
    int levels = infer->in_count - 1;
    const weir_shape *values = infer->in[levels];
    for (int k = 0; k < levels; k++)
        WEIR_TRY(weir_infer_rank(infer, k, 1));
    WEIR_TRY(weir_infer_rank_at_least(infer, levels, 1));
    int64_t rank = values->rank < 0 ? -1 : values->rank + levels, count = weir_shape_count(values);
    infer->out[0] = weir_shape_matrix(count, rank);
    infer->out[1] = weir_shape_vector(count);
    infer->out[2] = weir_shape_vector(rank);
    return WEIR_OK;
}

/* Checks that splits begin with 0, are non-decreasing and end at the length of what they split. */
static weir_status check_splits(const weir_tensor *s, int64_t length)
{
    int64_t count = weir_tensor_count(s);
    if (count == 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "Ragged splits may not be empty.");
    if (weir_int_at(s, 0) != 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "First value of ragged splits must be 0.");
    for (int64_t n = 1; n < count; n++)
        if (weir_int_at(s, n) < weir_int_at(s, n - 1))
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "Ragged splits should be non decreasing, but we "
                              "got %" PRId64 " followed by %" PRId64,
                              weir_int_at(s, n - 1), weir_int_at(s, n));
    if (weir_int_at(s, count - 1) != length)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Final value of ragged splits must match the length of the corresponding "
                          "ragged values.");
    return WEIR_OK;
}

/* Iterates over the entries, with a coordinate per level. */
typedef struct walk {
    weir_call *call;
    int levels, rank;
    int64_t *at;                  /* next row of the index matrix */
    int64_t place[WEIR_MAX_RANK]; /* coordinates so far */
    int64_t longest[WEIR_MAX_RANK];
} walk;

static void write_value_row(walk *walk)
{
    const weir_shape *v = &weir_in(walk->call, walk->levels)->shape;
    int64_t run = weir_shape_product(v, 1, v->rank);
    for (int64_t n = 0; n < run; n++, walk->at += walk->rank) {
        int64_t rest = n;
        memcpy(walk->at, walk->place, sizeof *walk->at * (size_t)(walk->levels + 1));
        for (int axis = v->rank - 1; axis > 0; axis--) {
            walk->at[walk->levels + axis] = rest % v->dims[axis];
            rest /= v->dims[axis];
        }
    }
}

static void visit(walk *walk, int level, int64_t row)
{
    if (level == walk->levels) {
        write_value_row(walk);
        return;
    }
    const weir_tensor *splits = weir_in(walk->call, level);
    int64_t begin = weir_int_at(splits, row), end = weir_int_at(splits, row + 1);
    walk->longest[level + 1] =
        end - begin > walk->longest[level + 1] ? end - begin : walk->longest[level + 1];
    for (int64_t n = begin; n < end; n++) {
        walk->place[level + 1] = n - begin;
        visit(walk, level + 1, n);
    }
}

static weir_status run(weir_call *call)
{
    walk walk = {.call = call, .levels = call->site->in_count - 1};
    const weir_tensor *values = weir_in(call, walk.levels);
    walk.rank = walk.levels + values->shape.rank;
    if (walk.rank > WEIR_MAX_RANK)
        return weir_error(WEIR_INVALID_ARGUMENT, "Ragged tensor of more than %d dimensions",
                          WEIR_MAX_RANK);
    for (int k = 0; k < walk.levels; k++)
        WEIR_TRY(check_splits(weir_in(call, k), k + 1 < walk.levels
                                                    ? weir_tensor_count(weir_in(call, k + 1)) - 1
                                                    : values->shape.dims[0]));
    walk.at = weir_out(call, 0)->data;
    walk.longest[0] = weir_tensor_count(weir_in(call, 0)) - 1;
    for (walk.place[0] = 0; walk.place[0] < walk.longest[0]; walk.place[0]++)
        visit(&walk, 0, walk.place[0]);
    weir_elements_copy(values->dtype, weir_out(call, 1)->data, values->data,
                       weir_tensor_count(values));
    for (int axis = 1; axis < values->shape.rank; axis++)
        walk.longest[walk.levels + axis] = values->shape.dims[axis];
    memcpy(weir_out(call, 2)->data, walk.longest, sizeof(int64_t) * (size_t)walk.rank);
    return WEIR_OK;
}

/* The gradient of the values is only reshaped. */
static weir_status grad(weir_grad *grad)
{
    int values = weir_grad_site(grad)->in_count - 1;
    weir_grad_set(grad, values,
                  weir_grad_reshape(grad, weir_grad_dy(grad, 1),
                                    weir_grad_shape_of(grad, weir_grad_x(grad, values))));
    return WEIR_OK;
}

const weir_op weir_op_ragged_tensor_to_sparse = {
    .name = "RaggedTensorToSparse",
    .in = "rt_nested_splits: RAGGED_RANK * Tsplits; rt_dense_values: T",
    .out = "sparse_indices: int64; sparse_values: T; sparse_dense_shape: int64",
    .attrs = "RAGGED_RANK: int >= 1; T: type; Tsplits: {int32, int64} = DT_INT64",
    .infer = infer,
    .grad = grad,
    .kernels = {{WEIR_CPU, "*", run}},
};
