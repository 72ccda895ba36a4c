/* ops/array/space_to_batch.c - SpaceToBatch(ND), BatchToSpace(ND): spatial blocks moved into the
 * batch dimension and back.
 *
 * For every offset inside a block, the elements at that offset form one smaller image; the images
 * of all offsets follow one another in the batch. Padding goes around the space before it is
 * cut, crops come off after it is put together.
 */
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

static weir_status read_sizes(const weir_tensor *sizes, blocks *b)
{
    int64_t count = weir_tensor_count(sizes);
    if (count >= WEIR_MAX_RANK)
        return weir_error(WEIR_INVALID_ARGUMENT, "block_shape has %" PRId64 " entries", count);
    b->rank = (int)count;
    b->product = 1;
    for (int d = 0; d < b->rank; d++) {
        b->size[d] = weir_int_at(sizes, d);
        if (b->size[d] < 1)
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "All values in block_shape must be positive, got value, %" PRId64
                              " at index %d.",
                              b->size[d], d);
        WEIR_TRY(weir_dim_mul(b->product, b->size[d], &b->product));
    }
    return WEIR_OK;
}

static bool goes_to_batch(const weir_site *site)
{
    return weir_site_mode(site) == TO_BATCH_ND || weir_site_mode(site) == TO_BATCH;
}

static void set_square(const weir_site *site, blocks *b)
{
    int64_t size = weir_site_int(site, goes_to_batch(site) ? 2 : 1); /* attr block_size */
    *b = (blocks){.rank = 2, .size = {size, size}, .product = size * size};
}

static weir_status read_borders(const weir_tensor *borders, const char *name, blocks *b)
{
    for (int d = 0; d < b->rank; d++) {
        b->before[d] = weir_int_at(borders, 2 * d);
        b->after[d] = weir_int_at(borders, 2 * d + 1);
        if (b->before[d] < 0 || b->after[d] < 0)
            return weir_error(WEIR_INVALID_ARGUMENT, "%s must be non-negative", name);
    }
    return WEIR_OK;
}

static weir_status check_borders(weir_infer *i, int in, const char *name, int rank)
{
    const weir_shape *s = i->in[in];
    bool ok = s->rank < 0 || (s->rank == 2 && (s->dims[0] < 0 || s->dims[0] == rank) &&
                              (s->dims[1] < 0 || s->dims[1] == 2));
    if (!ok)
        return weir_error(WEIR_INVALID_ARGUMENT, "%s should have shape [%d, 2] instead of %s", name,
                          rank, WEIR_SHAPE_STR(s));
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

static weir_status to_batch_shape(const weir_shape *x, const blocks *b, bool borders_known,
                                  weir_shape *out)
{
    *out = *x;
    WEIR_TRY(weir_dim_mul(x->dims[0], b->product, &out->dims[0]));
    for (int d = 0; d < b->rank; d++) {
        int64_t padded;
        WEIR_TRY(weir_dim_add(x->dims[d + 1], b->before[d], &padded));
        WEIR_TRY(weir_dim_add(padded, b->after[d], &padded));
        out->dims[d + 1] = borders_known && padded >= 0 ? padded / b->size[d] : -1;
        if (borders_known && padded >= 0 && padded % b->size[d] != 0)
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "padded_shape[%d]=%" PRId64
                              " is not divisible by block_shape[%d]=%" PRId64,
                              d, padded, d, b->size[d]);
    }
    return WEIR_OK;
}

static weir_status to_space_shape(const weir_shape *x, const blocks *b, bool borders_known,
                                  weir_shape *out)
{
    *out = *x;
    if (x->dims[0] >= 0 && x->dims[0] % b->product != 0)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Input batch dimension (%" PRId64
                          ") is not divisible by product of block sizes (%" PRId64 ")",
                          x->dims[0], b->product);
    out->dims[0] = x->dims[0] >= 0 ? x->dims[0] / b->product : -1;
    for (int d = 0; d < b->rank; d++) {
        int64_t whole;
        WEIR_TRY(weir_dim_mul(x->dims[d + 1], b->size[d], &whole));
        out->dims[d + 1] = borders_known && whole >= 0 ? whole - b->before[d] - b->after[d] : -1;
        if (borders_known && whole >= 0 && out->dims[d + 1] < 0)
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "cropped_shape[%d]=%" PRId64 " must be non-negative", d,
                              out->dims[d + 1]);
    }
    return WEIR_OK;
}

static weir_status infer_with(weir_infer *i, blocks *b, int borders_in)
{
    bool to_batch = goes_to_batch(i->site);
    const char *name = to_batch ? "paddings" : "crops";
    const weir_tensor *borders = weir_infer_value(i, borders_in);
    WEIR_TRY(check_rank(i->in[0], b->rank));
    WEIR_TRY(check_borders(i, borders_in, name, b->rank));
    if (borders)
        WEIR_TRY(read_borders(borders, name, b));
    if (i->in[0]->rank < 0)
        return WEIR_OK;
    return to_batch ? to_batch_shape(i->in[0], b, borders != NULL, &i->out[0])
                    : to_space_shape(i->in[0], b, borders != NULL, &i->out[0]);
}

static weir_status infer_nd(weir_infer *i)
{
    const weir_tensor *sizes = weir_infer_value(i, 1);
    blocks b = {0};
    WEIR_TRY(weir_infer_rank(i, 1, 1));
    if (!sizes) {
        i->out[0] = i->in[0]->rank < 0 ? WEIR_UNKNOWN_SHAPE : weir_shape_of_rank(i->in[0]->rank);
        return WEIR_OK;
    }
    WEIR_TRY(read_sizes(sizes, &b));
    return infer_with(i, &b, 2);
}

static weir_status infer_square(weir_infer *i)
{
    blocks b;
    set_square(i->site, &b);
    WEIR_TRY(weir_infer_rank(i, 0, 4));
    return infer_with(i, &b, 1);
}

/* ---- running --------------------------------------------------------------------------------- */

/* The elements at one offset inside the blocks: where they lie in the batch form and in space. */
typedef struct share {
    weir_ndcopy nest; /* dst: batch form, src: space */
    int64_t batch_at, space_at;
} share;

static share share_of(const weir_shape *batch, const weir_shape *space, const blocks *b,
                      int64_t offset)
{
    int64_t bs[WEIR_MAX_RANK], ss[WEIR_MAX_RANK], within[WEIR_MAX_RANK], rest = offset;
    share s = {.nest = {.rank = space->rank}};
    weir_shape_strides(batch, bs);
    weir_shape_strides(space, ss);
    for (int d = b->rank - 1; d >= 0; d--) {
        within[d] = rest % b->size[d];
        rest /= b->size[d];
    }
    for (int d = 0; d < space->rank; d++)
        s.nest.dim[d] = (weir_nddim){space->dims[d], bs[d], ss[d]};
    s.batch_at = offset * space->dims[0] * bs[0];
    for (int d = 1; d <= b->rank; d++) {
        int64_t size = b->size[d - 1], before = b->before[d - 1], w = within[d - 1];
        int64_t first = before > w ? (before - w + size - 1) / size : 0; /* first block inside */
        int64_t at = first * size + w - before;                          /* its place in space */
        int64_t count = at < space->dims[d] ? (space->dims[d] - at + size - 1) / size : 0;
        s.nest.dim[d] = (weir_nddim){count, bs[d], ss[d] * size};
        s.batch_at += first * bs[d];
        s.space_at += at * ss[d];
    }
    return s;
}

static void to_batch(weir_call *call, const blocks *b)
{
    const weir_tensor *x = weir_in(call, 0);
    weir_tensor *y = weir_out(call, 0);
    weir_tensor_zero(&call->run->par, y);
    for (int64_t offset = 0; offset < b->product; offset++) {
        share s = share_of(&y->shape, &x->shape, b, offset);
        weir_ndcopy_run(&call->run->par, x->dtype, weir_at(y, s.batch_at), weir_at(x, s.space_at),
                        &s.nest);
    }
}

static void to_space(weir_call *call, const blocks *b)
{
    const weir_tensor *x = weir_in(call, 0);
    weir_tensor *y = weir_out(call, 0);
    for (int64_t offset = 0; offset < b->product; offset++) {
        share s = share_of(&x->shape, &y->shape, b, offset);
        for (int d = 0; d < s.nest.rank; d++)
            s.nest.dim[d] = (weir_nddim){s.nest.dim[d].count, s.nest.dim[d].src, s.nest.dim[d].dst};
        weir_ndcopy_run(&call->run->par, x->dtype, weir_at(y, s.space_at), weir_at(x, s.batch_at),
                        &s.nest);
    }
}

static weir_status move(weir_call *call, blocks *b, int borders_in)
{
    bool batchwards = goes_to_batch(call->site);
    if (weir_tensor_count(weir_out(call, 0)) == 0)
        return WEIR_OK;
    WEIR_TRY(read_borders(weir_in(call, borders_in), batchwards ? "paddings" : "crops", b));
    if (batchwards)
        to_batch(call, b);
    else
        to_space(call, b);
    return WEIR_OK;
}

static weir_status move_nd(weir_call *call)
{
    blocks b = {0};
    WEIR_TRY(read_sizes(weir_in(call, 1), &b));
    return move(call, &b, 2);
}

static weir_status move_square(weir_call *call)
{
    blocks b;
    set_square(call->site, &b);
    return move(call, &b, 1);
}

/* ---- the four ops: the gradient of each is its inverse ----------------------------------------
 */

static weir_status grad_nd(weir_grad *g)
{
    const char *op = goes_to_batch(weir_grad_site(g)) ? "BatchToSpaceND" : "SpaceToBatchND";
    weir_edge in[] = {weir_grad_dy(g, 0), weir_grad_x(g, 1), weir_grad_x(g, 2)};
    weir_grad_set(g, 0, weir_grad_op(g, op, in, 3, WEIR_NO_ATTRS));
    return WEIR_OK;
}

static weir_status grad_square(weir_grad *g)
{
    const char *op = goes_to_batch(weir_grad_site(g)) ? "BatchToSpace" : "SpaceToBatch";
    weir_grad_set(g, 0,
                  weir_grad_op(g, op, WEIR_IN(weir_grad_dy(g, 0), weir_grad_x(g, 1)),
                               WEIR_ATTRS(weir_grad_attr(g, "block_size"))));
    return WEIR_OK;
}

#define ND                                                                                         \
    .out = "output: T", .infer = infer_nd, .grad = grad_nd, .kernels = {{WEIR_CPU, "*", move_nd}}
WEIR_DEFINE_OP(space_to_batch_nd, "SpaceToBatchND", ND, .mode = TO_BATCH_ND,
               .in = "input: T; block_shape: Tblock_shape; paddings: Tpaddings",
               .attrs = "T: type; Tblock_shape: {int32, int64} = DT_INT32; "
                        "Tpaddings: {int32, int64} = DT_INT32");
WEIR_DEFINE_OP(batch_to_space_nd, "BatchToSpaceND", ND, .mode = TO_SPACE_ND,
               .in = "input: T; block_shape: Tblock_shape; crops: Tcrops",
               .attrs = "T: type; Tblock_shape: {int32, int64} = DT_INT32; "
                        "Tcrops: {int32, int64} = DT_INT32");

#define SQUARE                                                                                     \
    .out = "output: T", .infer = infer_square, .grad = grad_square,                                \
    .kernels = {{WEIR_CPU, "*", move_square}}
WEIR_DEFINE_OP(space_to_batch, "SpaceToBatch", SQUARE, .mode = TO_BATCH,
               .in = "input: T; paddings: Tpaddings",
               .attrs = "T: type; Tpaddings: {int32, int64} = DT_INT32; block_size: int >= 2");
WEIR_DEFINE_OP(batch_to_space, "BatchToSpace", SQUARE, .mode = TO_SPACE,
               .in = "input: T; crops: Tidx",
               .attrs = "T: type; block_size: int >= 2; Tidx: {int32, int64} = DT_INT32");
