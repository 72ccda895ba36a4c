/* ops/array/space_to_batch.c - SpaceToBatch(ND), BatchToSpace(ND): moves spatial blocks into the
 * batch dimension and back.
 *
 * The elements at each offset inside a block form a smaller image; the images of all offsets
 * are consecutive in the batch. Padding is added before splitting, crops are removed after
 * merging.
 */
#include "base/arith.h"
#include "ops/common/elements.h"
#include "ops/common/grads.h"
#include "ops/common/infer_util.h"
#include "ops/common/ndcopy.h"
#include "ops/declare.h"

/* Modes: the direction, and whether the blocks are an input with an entry per spatial dimension or
 * squares whose side is an attr. */
enum { TO_BATCH_ND, TO_SPACE_ND, TO_BATCH, TO_SPACE };

/* Block sizes and borders of the spatial dims, which follow the batch. */
typedef struct blocks {
    int rank;
    int64_t size[WEIR_MAX_RANK], before[WEIR_MAX_RANK], after[WEIR_MAX_RANK];
    int64_t product;
} blocks;

/* ---- reading --------------------------------------------------------------------------------- */

static weir_status read_sizes(const weir_tensor *sizes, blocks *blocks)
{
    int64_t count = weir_tensor_count(sizes);
    if (count >= WEIR_MAX_RANK)
        return weir_error(WEIR_INVALID_ARGUMENT, "block_shape has %" PRId64 " entries", count);
    blocks->rank = (int)count;
    blocks->product = 1;
    for (int axis = 0; axis < blocks->rank; axis++) {
        blocks->size[axis] = weir_int_at(sizes, axis);
        if (blocks->size[axis] < 1)
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "All values in block_shape must be positive, got value, %" PRId64
                              " at index %d.",
                              blocks->size[axis], axis);
        WEIR_TRY(weir_dim_mul(blocks->product, blocks->size[axis], &blocks->product));
    }
    return WEIR_OK;
}

static bool goes_to_batch(const weir_site *site)
{
    return weir_site_mode(site) == TO_BATCH_ND || weir_site_mode(site) == TO_BATCH;
}

static weir_status set_square(const weir_site *site, blocks *out)
{
    int64_t size = weir_site_int(site, goes_to_batch(site) ? 2 : 1); /* attr block_size */
    *out = (blocks){.rank = 2, .size = {size, size}};
    return weir_dim_mul(size, size, &out->product);
}

static weir_status read_borders(const weir_tensor *borders, const char *name, blocks *blocks)
{
    for (int axis = 0; axis < blocks->rank; axis++) {
        blocks->before[axis] = weir_int_at(borders, 2 * axis);
        blocks->after[axis] = weir_int_at(borders, 2 * axis + 1);
        if (blocks->before[axis] < 0 || blocks->after[axis] < 0)
            return weir_error(WEIR_INVALID_ARGUMENT, "%s must be non-negative", name);
    }
    return WEIR_OK;
}

static weir_status check_borders(weir_infer *infer, int in, const char *name, int rank)
{
    const weir_shape *shape = infer->in[in];
    bool ok =
        shape->rank < 0 || (shape->rank == 2 && (shape->dims[0] < 0 || shape->dims[0] == rank) &&
                            (shape->dims[1] < 0 || shape->dims[1] == 2));
    if (!ok)
        return weir_error(WEIR_INVALID_ARGUMENT, "%s should have shape [%d, 2] instead of %s", name,
                          rank, WEIR_SHAPE_STR(shape));
    return WEIR_OK;
}

static weir_status check_rank(const weir_shape *x, int rank)
{
    if (x->rank >= 0 && x->rank < 1 + rank)
        return weir_error(WEIR_INVALID_ARGUMENT, "input rank should be >= %d instead of %d",
                          1 + rank, x->rank);
    return WEIR_OK;
}

/* ---- shapes ---------------------------------------------------------------------------------- */

static weir_status to_batch_shape(const weir_shape *x, const blocks *blocks, bool borders_known,
                                  weir_shape *out)
{
    *out = *x;
    WEIR_TRY(weir_dim_mul(x->dims[0], blocks->product, &out->dims[0]));
    for (int axis = 0; axis < blocks->rank; axis++) {
        int64_t padded;
        WEIR_TRY(weir_dim_add(x->dims[axis + 1], blocks->before[axis], &padded));
        WEIR_TRY(weir_dim_add(padded, blocks->after[axis], &padded));
        out->dims[axis + 1] = borders_known && padded >= 0 ? padded / blocks->size[axis] : -1;
        if (borders_known && padded >= 0 && padded % blocks->size[axis] != 0)
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "padded_shape[%d]=%" PRId64
                              " is not divisible by block_shape[%d]=%" PRId64,
                              axis, padded, axis, blocks->size[axis]);
    }
    return WEIR_OK;
}

static weir_status to_space_shape(const weir_shape *x, const blocks *blocks, bool borders_known,
                                  weir_shape *out)
{
    *out = *x;
    if (x->dims[0] >= 0 && x->dims[0] % blocks->product != 0)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Input batch dimension (%" PRId64
                          ") is not divisible by product of block sizes (%" PRId64 ")",
                          x->dims[0], blocks->product);
    out->dims[0] = x->dims[0] >= 0 ? x->dims[0] / blocks->product : -1;
    for (int axis = 0; axis < blocks->rank; axis++) {
        int64_t whole;
        int64_t before = blocks->before[axis], after = blocks->after[axis];
        WEIR_TRY(weir_dim_mul(x->dims[axis + 1], blocks->size[axis], &whole));
        bool known = borders_known && whole >= 0;
        if (known && (before > whole || after > whole - before))
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "cropped_shape[%d] must be non-negative: %" PRId64 " - %" PRId64
                              " - %" PRId64,
                              axis, whole, before, after);
        out->dims[axis + 1] = known ? whole - before - after : -1;
    }
    return WEIR_OK;
}

static weir_status infer_with(weir_infer *infer, blocks *blocks, int borders_in)
{
    bool to_batch = goes_to_batch(infer->site);
    const char *name = to_batch ? "paddings" : "crops";
    const weir_tensor *borders = weir_infer_value(infer, borders_in);
    WEIR_TRY(check_rank(infer->in[0], blocks->rank));
    WEIR_TRY(check_borders(infer, borders_in, name, blocks->rank));
    if (borders)
        WEIR_TRY(read_borders(borders, name, blocks));
    if (infer->in[0]->rank < 0)
        return WEIR_OK;
    return to_batch ? to_batch_shape(infer->in[0], blocks, borders != NULL, &infer->out[0])
                    : to_space_shape(infer->in[0], blocks, borders != NULL, &infer->out[0]);
}

static weir_status infer_nd(weir_infer *infer)
{
    const weir_tensor *sizes = weir_infer_value(infer, 1);
    blocks blocks = {0};
    WEIR_TRY(weir_infer_rank(infer, 1, 1));
    if (!sizes) {
        infer->out[0] =
            infer->in[0]->rank < 0 ? WEIR_UNKNOWN_SHAPE : weir_shape_of_rank(infer->in[0]->rank);
        return WEIR_OK;
    }
    WEIR_TRY(read_sizes(sizes, &blocks));
    return infer_with(infer, &blocks, 2);
}

static weir_status infer_square(weir_infer *infer)
{
    blocks blocks;
    WEIR_TRY(set_square(infer->site, &blocks));
    WEIR_TRY(weir_infer_rank(infer, 0, 4));
    return infer_with(infer, &blocks, 1);
}

/* ---- running --------------------------------------------------------------------------------- */

/* The elements at one offset inside the blocks, in both layouts. */
typedef struct share {
    weir_ndcopy nest; /* dst: batch form, src: space form */
    int64_t batch_at, space_at;
} share;

static share share_of(const weir_shape *batch, const weir_shape *space, const blocks *blocks,
                      int64_t offset)
{
    int64_t bs[WEIR_MAX_RANK], ss[WEIR_MAX_RANK], within[WEIR_MAX_RANK], rest = offset;
    share share = {.nest = {.rank = space->rank}};
    weir_shape_strides(batch, bs);
    weir_shape_strides(space, ss);
    for (int axis = blocks->rank - 1; axis >= 0; axis--) {
        within[axis] = rest % blocks->size[axis];
        rest /= blocks->size[axis];
    }
    for (int axis = 0; axis < space->rank; axis++)
        share.nest.dim[axis] = (weir_nddim){space->dims[axis], bs[axis], ss[axis]};
    share.batch_at = offset * space->dims[0] * bs[0];
    for (int axis = 1; axis <= blocks->rank; axis++) {
        int64_t size = blocks->size[axis - 1], before = blocks->before[axis - 1],
                w = within[axis - 1];
        int64_t first = before > w ? weir_ceil_div(before - w, size) : 0; /* first block inside */
        int64_t at = first * size + w - before;                           /* its index in space */
        int64_t count = at < space->dims[axis] ? weir_ceil_div(space->dims[axis] - at, size) : 0;
        share.nest.dim[axis] = (weir_nddim){count, bs[axis], ss[axis] * size};
        share.batch_at += first * bs[axis];
        share.space_at += at * ss[axis];
    }
    return share;
}

static void to_batch(weir_call *call, const blocks *blocks)
{
    const weir_tensor *x = weir_in(call, 0);
    weir_tensor *y = weir_out(call, 0);
    weir_tensor_zero(&call->run->par, y);
    for (int64_t offset = 0; offset < blocks->product; offset++) {
        share share = share_of(&y->shape, &x->shape, blocks, offset);
        weir_ndcopy_run(&call->run->par, x->dtype, weir_at(y, share.batch_at),
                        weir_at(x, share.space_at), &share.nest);
    }
}

static void to_space(weir_call *call, const blocks *blocks)
{
    const weir_tensor *x = weir_in(call, 0);
    weir_tensor *y = weir_out(call, 0);
    for (int64_t offset = 0; offset < blocks->product; offset++) {
        share share = share_of(&x->shape, &y->shape, blocks, offset);
        for (int axis = 0; axis < share.nest.rank; axis++)
            share.nest.dim[axis] = (weir_nddim){share.nest.dim[axis].count,
                                                share.nest.dim[axis].src, share.nest.dim[axis].dst};
        weir_ndcopy_run(&call->run->par, x->dtype, weir_at(y, share.space_at),
                        weir_at(x, share.batch_at), &share.nest);
    }
}

static weir_status move(weir_call *call, blocks *blocks, int borders_in)
{
    bool batchwards = goes_to_batch(call->site);
    if (weir_tensor_count(weir_out(call, 0)) == 0)
        return WEIR_OK;
    WEIR_TRY(read_borders(weir_in(call, borders_in), batchwards ? "paddings" : "crops", blocks));
    if (batchwards)
        to_batch(call, blocks);
    else
        to_space(call, blocks);
    return WEIR_OK;
}

static weir_status move_nd(weir_call *call)
{
    blocks blocks = {0};
    WEIR_TRY(read_sizes(weir_in(call, 1), &blocks));
    return move(call, &blocks, 2);
}

static weir_status move_square(weir_call *call)
{
    blocks blocks;
    WEIR_TRY(set_square(call->site, &blocks));
    return move(call, &blocks, 1);
}

/* ---- the four ops: the gradient of each is its inverse --------------------------------------- */

static weir_status grad_nd(weir_grad *grad)
{
    const char *op = goes_to_batch(weir_grad_site(grad)) ? "BatchToSpaceND" : "SpaceToBatchND";
    weir_edge in[] = {weir_grad_dy(grad, 0), weir_grad_x(grad, 1), weir_grad_x(grad, 2)};
    weir_grad_set(grad, 0, weir_grad_op(grad, op, in, 3, WEIR_NO_ATTRS));
    return WEIR_OK;
}

static weir_status grad_square(weir_grad *grad)
{
    const char *op = goes_to_batch(weir_grad_site(grad)) ? "BatchToSpace" : "SpaceToBatch";
    weir_grad_set(grad, 0,
                  weir_grad_op(grad, op, WEIR_IN(weir_grad_dy(grad, 0), weir_grad_x(grad, 1)),
                               WEIR_ATTRS(weir_grad_attr(grad, "block_size"))));
    return WEIR_OK;
}

#define ND                                                                                         \
    .out = "output: T", .infer = infer_nd, .grad = grad_nd, .kernels = {{WEIR_CPU, "*", move_nd}}
WEIR_DEFINE_OP(space_to_batch_nd, "SpaceToBatchND", ND, .mode = TO_BATCH_ND,
               .in = "input: T; block_shape: Tblock_shape; paddings: Tpaddings",
               .attrs = "T: type; Tblock_shape: {int32, int64} = DT_INT32; "
                        "Tpaddings: {int32, int64} = DT_INT32",
               .host = "block_shape; paddings");
WEIR_DEFINE_OP(batch_to_space_nd, "BatchToSpaceND", ND, .mode = TO_SPACE_ND,
               .in = "input: T; block_shape: Tblock_shape; crops: Tcrops",
               .attrs = "T: type; Tblock_shape: {int32, int64} = DT_INT32; "
                        "Tcrops: {int32, int64} = DT_INT32",
               .host = "block_shape; crops");

#define SQUARE                                                                                     \
    .out = "output: T", .infer = infer_square, .grad = grad_square,                                \
    .kernels = {{WEIR_CPU, "*", move_square}}
WEIR_DEFINE_OP(space_to_batch, "SpaceToBatch", SQUARE, .mode = TO_BATCH,
               .in = "input: T; paddings: Tpaddings",
               .attrs = "T: type; Tpaddings: {int32, int64} = DT_INT32; block_size: int >= 2",
               .host = "paddings");
WEIR_DEFINE_OP(batch_to_space, "BatchToSpace", SQUARE, .mode = TO_SPACE,
               .in = "input: T; crops: Tidx",
               .attrs = "T: type; block_size: int >= 2; Tidx: {int32, int64} = DT_INT32",
               .host = "crops");
