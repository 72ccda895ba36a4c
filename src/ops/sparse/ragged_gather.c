/* ops/sparse/ragged_gather.c - RaggedGather: gathers rows of a ragged tensor. */
#include "ops/common/elements.h"
#include "ops/common/index.h"
#include "ops/common/infer_util.h"

/* Inputs: splits of every level, outermost first, then the values, then the indices. Outputs:
 * splits, then values. The indices may have several dims, which become levels of uniform
 * rows. */
static weir_status infer(weir_infer *infer)
{
    int levels = infer->in_count - 2;
    const weir_shape *indices = infer->in[infer->in_count - 1], *values = infer->in[levels];
    for (int k = 0; k < levels; k++)
        WEIR_TRY(weir_infer_rank(infer, k, 1));
    WEIR_TRY(weir_infer_rank_at_least(infer, levels, 1));
    if (indices->rank >= 0 && indices->rank - 1 + levels != infer->out_count - 1)
        return weir_error(
            WEIR_INVALID_ARGUMENT,
            "OUTPUT_RAGGED_RANK must be PARAMS_RAGGED_RANK + indices.rank - 1 = %d, got "
            "%d",
            indices->rank - 1 + levels, infer->out_count - 1);
    for (int k = 0; k < infer->out_count - 1; k++)
        infer->out[k] = weir_shape_vector(-1);
    infer->out[infer->out_count - 1] = *values;
    if (values->rank > 0)
        infer->out[infer->out_count - 1].dims[0] = -1;
    return WEIR_OK;
}

static weir_status check_splits(const weir_tensor *s, int64_t limit)
{
    int64_t count = weir_tensor_count(s);
    if (count == 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "Splits must have at least one value");
    for (int64_t n = 0; n < count; n++) {
        int64_t at = weir_int_at(s, n);
        if (at < 0 || (n > 0 && at < weir_int_at(s, n - 1)))
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "Ragged splits must be sorted and not negative");
        if (at > limit)
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "Ragged splits must not point past values: %" PRId64 " > %" PRId64,
                              at, limit);
    }
    return WEIR_OK;
}

typedef WEIR_VEC(int64_t) numbers;

/* The result under construction. */
typedef struct gathering {
    weir_call *call;
    int levels;
    numbers *splits; /* one list per level of params */
    numbers pieces;  /* begin and end of every run of values */
} gathering;

/* Adds rows [begin, end) of |level|, with all levels below. */
static void add_rows(gathering *gathering, int level, int64_t begin, int64_t end)
{
    for (; level < gathering->levels; level++) {
        const weir_tensor *s = weir_in(gathering->call, level);
        numbers *out = &gathering->splits[level];
        int64_t base = out->at[out->count - 1] - weir_int_at(s, begin);
        for (int64_t r = begin; r < end; r++)
            weir_vec_push(out, base + weir_int_at(s, r + 1));
        begin = weir_int_at(s, begin);
        end = weir_int_at(s, end);
    }
    weir_vec_push(&gathering->pieces, begin);
    weir_vec_push(&gathering->pieces, end);
}

/* Splits of the indices' own dims: all rows have the same length. */
static weir_status write_even_splits(weir_call *call, int k, int64_t rows, int64_t width)
{
    weir_shape shape = weir_shape_vector(rows + 1);
    WEIR_TRY(weir_call_alloc(call, k, &shape));
    for (int64_t row = 0; row <= rows; row++)
        weir_int_set(weir_out(call, k), row, row * width);
    return WEIR_OK;
}

static weir_status write_splits(weir_call *call, int k, const numbers *from)
{
    weir_shape shape = weir_shape_vector((int64_t)from->count);
    WEIR_TRY(weir_call_alloc(call, k, &shape));
    for (size_t n = 0; n < from->count; n++)
        weir_int_set(weir_out(call, k), (int64_t)n, from->at[n]);
    return WEIR_OK;
}

static weir_status write_values(weir_call *call, const weir_tensor *values, const numbers *pieces)
{
    int out = call->site->out_count - 1;
    int64_t run = weir_shape_product(&values->shape, 1, values->shape.rank), rows = 0, at = 0;
    for (size_t n = 0; n < pieces->count; n += 2)
        rows += pieces->at[n + 1] - pieces->at[n];
    weir_shape shape = values->shape;
    shape.dims[0] = rows;
    WEIR_TRY(weir_call_alloc(call, out, &shape));
    for (size_t n = 0; n < pieces->count; n += 2) {
        int64_t count = (pieces->at[n + 1] - pieces->at[n]) * run;
        weir_elements_copy(values->dtype, weir_at(weir_out(call, out), at),
                           weir_at(values, pieces->at[n] * run), count);
        at += count;
    }
    return WEIR_OK;
}

static weir_status check(weir_call *call, int levels)
{
    const weir_tensor *values = weir_in(call, levels), *indices = weir_in(call, levels + 1);
    for (int k = 0; k < levels; k++)
        WEIR_TRY(check_splits(weir_in(call, k), k + 1 < levels
                                                    ? weir_tensor_count(weir_in(call, k + 1)) - 1
                                                    : values->shape.dims[0]));
    return weir_index_check(indices, weir_tensor_count(weir_in(call, 0)) - 1);
}

static weir_status write(gathering *gathering, const weir_tensor *indices)
{
    int own = indices->shape.rank > 0 ? indices->shape.rank - 1 : 0; /* levels of the indices */
    int64_t rows = 1;
    for (int k = 0; k < own; k++) {
        rows *= indices->shape.dims[k];
        WEIR_TRY(write_even_splits(gathering->call, k, rows, indices->shape.dims[k + 1]));
    }
    for (int k = 0; k < gathering->levels; k++) /* not for a single row: its length is no level */
        if (indices->shape.rank > 0 || k > 0)
            WEIR_TRY(write_splits(gathering->call, own + k - (indices->shape.rank == 0),
                                  &gathering->splits[k]));
    return write_values(gathering->call, weir_in(gathering->call, gathering->levels),
                        &gathering->pieces);
}

static weir_status run(weir_call *call)
{
    gathering gathering = {.call = call, .levels = call->site->in_count - 2};
    const weir_tensor *indices = weir_in(call, gathering.levels + 1);
    int64_t count = weir_tensor_count(indices);
    WEIR_TRY(check(call, gathering.levels));
    gathering.splits = WEIR_NEW_ARRAY(numbers, gathering.levels);
    for (int k = 0; k < gathering.levels; k++)
        weir_vec_push(&gathering.splits[k], 0);
    for (int64_t n = 0; n < count; n++) {
        int64_t row = weir_index_at(indices, n);
        add_rows(&gathering, 0, row, row + 1);
    }
    weir_status status = write(&gathering, indices);
    for (int k = 0; k < gathering.levels; k++)
        weir_vec_fini(&gathering.splits[k]);
    weir_vec_fini(&gathering.pieces);
    weir_free(gathering.splits);
    return status;
}

const weir_op weir_op_ragged_gather = {
    .name = "RaggedGather",
    .in = "params_nested_splits: PARAMS_RAGGED_RANK * Tsplits; params_dense_values: Tvalues; "
          "indices: Tindices",
    .out = "output_nested_splits: OUTPUT_RAGGED_RANK * Tsplits; output_dense_values: Tvalues",
    .attrs = "Tvalues: type; Tindices: {int32, int64}; Tsplits: {int32, int64} = DT_INT64; "
             "PARAMS_RAGGED_RANK: int >= 1; OUTPUT_RAGGED_RANK: int >= 0",
    .infer = infer,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", run, WEIR_OWN_OUTPUTS}},
};
