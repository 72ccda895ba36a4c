/* ops/random/index_shuffle.c - RandomIndexShuffle: the image of an index under a random
 * permutation. */
#include <inttypes.h>

#include "math/random/permute.h"
#include "op/op.h"
#include "ops/common/elements.h"

/* Each input is a scalar, or one value per row; the seed has three numbers. */
static weir_status shuffle_infer(weir_infer *infer)
{
    const weir_shape *index = infer->in[0], *seed = infer->in[1], *max = infer->in[2];
    int64_t rows = -1, three;
    WEIR_TRY(weir_infer_rank_at_most(infer, 0, 1));
    WEIR_TRY(weir_infer_rank_at_least(infer, 1, 1));
    WEIR_TRY(weir_infer_rank_at_most(infer, 1, 2));
    WEIR_TRY(weir_infer_rank_at_most(infer, 2, 1));
    if (index->rank < 0 || seed->rank < 0 || max->rank < 0)
        return WEIR_OK;
    WEIR_TRY(weir_infer_merge_dim(seed->dims[seed->rank - 1], 3, &three));
    if (index->rank == 0 && seed->rank == 1 && max->rank == 0) {
        infer->out[0] = WEIR_SCALAR;
        return WEIR_OK;
    }
    if (index->rank == 1)
        WEIR_TRY(weir_infer_merge_dim(rows, index->dims[0], &rows));
    if (seed->rank == 2)
        WEIR_TRY(weir_infer_merge_dim(rows, seed->dims[0], &rows));
    if (max->rank == 1)
        WEIR_TRY(weir_infer_merge_dim(rows, max->dims[0], &rows));
    infer->out[0] = weir_shape_vector(rows);
    return WEIR_OK;
}

/* The value as an unsigned number, as the loop needs. */
static uint64_t value_at(const weir_tensor *tensor, int64_t row)
{
    return (uint64_t)weir_int_at(tensor, tensor->shape.rank == 0 ? 0 : row);
}

static weir_status index_shuffle(weir_call *call)
{
    const weir_tensor *index = weir_in(call, 0), *seed = weir_in(call, 1), *max = weir_in(call, 2);
    weir_tensor *y = weir_out(call, 0);
    int64_t rounds = weir_site_int(call->site, 0), count = weir_tensor_count(y);
    if (rounds < 4 || rounds % 2 || rounds > WEIR_PERMUTE_ROUNDS_MAX)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "rounds must be even, at least 4 and at most %d, not %" PRId64,
                          WEIR_PERMUTE_ROUNDS_MAX, rounds);
    for (int64_t r = 0; r < count; r++) {
        uint32_t key[3];
        for (int k = 0; k < 3; k++)
            key[k] = (uint32_t)weir_int_at(seed, (seed->shape.rank == 2 ? 3 * r : 0) + k);
        uint64_t at = value_at(index, r), top = value_at(max, r);
        if (at > top)
            return weir_error(WEIR_INVALID_ARGUMENT, "index %" PRIu64 " is not in [0, %" PRIu64 "]",
                              at, top);
        weir_int_set(y, r, (int64_t)weir_permute_index(at, key, top, (int)rounds));
    }
    return WEIR_OK;
}

const weir_op weir_op_random_index_shuffle = {
    .name = "RandomIndexShuffle",
    .in = "index: dtype; seed: Tseed; max_index: dtype",
    .out = "output: dtype",
    .attrs = "rounds: int = 4; dtype: {int32, uint32, int64, uint64}; "
             "Tseed: {int32, uint32, int64, uint64}",
    .infer = shuffle_infer,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", index_shuffle}},
};
