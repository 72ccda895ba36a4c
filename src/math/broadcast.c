/* math/broadcast.c - plans the iteration over broadcast operands. */
#include "math/broadcast.h"

/* Length of operand dimension |d|, counted from the result's first. */
static int64_t dim_at(int rank, const int64_t *dims, int result_rank, int d)
{
    int at = d - (result_rank - rank);
    return at < 0 ? 1 : dims[at];
}

/* True when dimension |d| can be merged with the one before: all operands are contiguous. */
static bool joins(const weir_bcast *bcast, int64_t dim, const int64_t *strides)
{
    int last = bcast->rank - 1;
    for (int o = 0; o < bcast->operands; o++)
        if (bcast->strides[o][last] != strides[o] * dim)
            return false;
    return true;
}

static void append(weir_bcast *bcast, int64_t dim, const int64_t *strides)
{
    if (bcast->rank > 0 && joins(bcast, dim, strides)) {
        bcast->dims[bcast->rank - 1] *= dim;
    } else {
        bcast->dims[bcast->rank++] = dim;
    }
    for (int o = 0; o < bcast->operands; o++)
        bcast->strides[o][bcast->rank - 1] = strides[o];
}

bool weir_bcast_init(weir_bcast *bcast, int operands, const int *ranks, const int64_t *const *dims)
{
    int rank = 0;
    for (int o = 0; o < operands; o++)
        rank = ranks[o] > rank ? ranks[o] : rank;
    *bcast = (weir_bcast){.operands = operands, .count = 1};
    int64_t full[WEIR_BCAST_RANK], strides[WEIR_BCAST_RANK][WEIR_BCAST_OPERANDS];
    int64_t step[WEIR_BCAST_OPERANDS] = {1, 1, 1};
    for (int d = rank - 1; d >= 0; d--) {
        full[d] = 1;
        for (int o = 0; o < operands; o++) {
            int64_t n = dim_at(ranks[o], dims[o], rank, d);
            if (n != 1 && full[d] != 1 && n != full[d])
                return false;
            full[d] = n != 1 ? n : full[d];
            strides[d][o] = n == 1 ? 0 : step[o];
            step[o] *= n;
        }
        bcast->count *= full[d];
    }
    for (int axis = 0; axis < rank; axis++)
        if (full[axis] != 1)
            append(bcast, full[axis], strides[axis]);
    if (bcast->rank == 0)
        append(bcast, 1, (int64_t[WEIR_BCAST_OPERANDS]){0});
    return true;
}

void weir_bcast_seek(const weir_bcast *bcast, int64_t row, int64_t *offsets, int64_t *index)
{
    for (int o = 0; o < bcast->operands; o++)
        offsets[o] = 0;
    for (int d = bcast->rank - 2; d >= 0 && bcast->count; d--) {
        index[d] = row % bcast->dims[d];
        row /= bcast->dims[d];
        for (int o = 0; o < bcast->operands; o++)
            offsets[o] += index[d] * bcast->strides[o][d];
    }
}
