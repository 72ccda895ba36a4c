/* ops/array/mirror_pad.c - MirrorPad, MirrorPadGrad: a border that reflects what is inside. */
#include "math/update/update.h"
#include "ops/array/padding.h"
#include "ops/common/elem_of.h"
#include "ops/common/elements.h"
#include "ops/common/grads.h"
#include "ops/common/infer_util.h"
#include "ops/common/ndcopy.h"

enum { T, TPADDINGS, MODE };

/* How far from the edge the reflection starts: REFLECT leaves the edge itself out. */
static int64_t mirror_gap(const weir_site *site)
{
    return weir_str_is(weir_site_str(site, MODE), "REFLECT") ? 1 : 0;
}

/* A border may not be wider than what it reflects. |inner| is the shape inside it. */
static weir_status check_widths(weir_infer *i, const weir_shape *inner)
{
    const weir_tensor *paddings = weir_infer_value(i, 1);
    int64_t gap = mirror_gap(i->site);
    for (int d = 0; paddings && d < inner->rank; d++) {
        int64_t before = weir_int_at(paddings, 2 * d), after = weir_int_at(paddings, 2 * d + 1);
        int64_t room = inner->dims[d] - gap;
        if (inner->dims[d] >= 0 && (before > room || after > room))
            return weir_error(WEIR_INVALID_ARGUMENT,
                              gap ? "paddings must be less than the dimension size: %" PRId64
                                    ", %" PRId64 " not less than %" PRId64
                                  : "paddings must be no greater than the dimension size: %" PRId64
                                    ", %" PRId64 " greater than %" PRId64,
                              before, after, inner->dims[d]);
    }
    return WEIR_OK;
}

static weir_status pad_infer(weir_infer *i)
{
    WEIR_TRY(weir_padding_infer(i, false));
    return check_widths(i, i->in[0]);
}

static weir_status grad_infer(weir_infer *i)
{
    WEIR_TRY(weir_padding_infer(i, true));
    return check_widths(i, &i->out[0]);
}

/* One border of dim |d| and what it reflects: both as views of a tensor of the padded shape. Dims
 * before |d| are taken inside their borders, dims after it whole. */
typedef struct band {
    weir_ndcopy nest; /* dst: the border, src: its mirror image; same strides, opposite along d */
    int64_t border, image; /* first elements of the two */
} band;

static band make_band(const weir_shape *padded, const weir_pad_widths *p, int d, bool after,
                      int64_t gap)
{
    int64_t strides[WEIR_MAX_RANK];
    band b = {.nest = {.rank = padded->rank}};
    weir_shape_strides(padded, strides);
    for (int k = 0; k < padded->rank; k++) {
        int64_t inside = padded->dims[k] - p->before[k] - p->after[k];
        b.nest.dim[k] = (weir_nddim){k < d ? inside : padded->dims[k], strides[k], strides[k]};
        if (k < d) {
            b.border += p->before[k] * strides[k];
            b.image += p->before[k] * strides[k];
        }
    }
    int64_t first = p->before[d], last = padded->dims[d] - p->after[d] - 1;
    int64_t sign = after ? 1 : -1; /* the border is walked outwards, its image inwards */
    b.nest.dim[d] =
        (weir_nddim){after ? p->after[d] : p->before[d], sign * strides[d], -sign * strides[d]};
    b.border += (after ? last + 1 : first - 1) * strides[d];
    b.image += (after ? last - gap : first + gap) * strides[d];
    return b;
}

/* The inside of a padded tensor against the tensor itself. */
static weir_ndcopy inside(const weir_shape *padded, const weir_shape *inner,
                          const weir_pad_widths *p, bool outwards, int64_t *out_at)
{
    int64_t ps[WEIR_MAX_RANK], is[WEIR_MAX_RANK];
    weir_ndcopy c = {0};
    weir_shape_strides(padded, ps);
    weir_shape_strides(inner, is);
    *out_at = 0;
    for (int d = 0; d < padded->rank; d++) {
        weir_ndcopy_add(&c, inner->dims[d], outwards ? ps[d] : is[d], outwards ? is[d] : ps[d]);
        *out_at += p->before[d] * ps[d];
    }
    return c;
}

/* The inside first; then border after border, last dim first, from what is already there. */
static weir_status mirror_pad(weir_call *call)
{
    const weir_tensor *x = weir_in(call, 0);
    weir_tensor *y = weir_out(call, 0);
    weir_pad_widths p = weir_pad_widths_of(weir_in(call, 1));
    int64_t at, gap = mirror_gap(call->site);
    weir_ndcopy c = inside(&y->shape, &x->shape, &p, true, &at);
    weir_ndcopy_run(&call->run->par, x->dtype, weir_at(y, at), x->data, &c);
    for (int d = p.rank - 1; d >= 0; d--) {
        for (int after = 0; after < 2; after++) {
            band b = make_band(&y->shape, &p, d, after, gap);
            weir_ndcopy_run(&call->run->par, x->dtype, weir_at(y, b.border), weir_at(y, b.image),
                            &b.nest);
        }
    }
    return WEIR_OK;
}

/* image += border, by way of two dense copies in |room| and |room2|. */
static void fold_band(weir_call *call, weir_tensor *dy, const band *b, void *room, void *room2)
{
    weir_ndcopy border = b->nest, image = b->nest, back = b->nest;
    int64_t count = 1;
    for (int k = b->nest.rank - 1; k >= 0; k--) {
        weir_nddim d = b->nest.dim[k];
        border.dim[k] = (weir_nddim){d.count, count, d.dst};
        image.dim[k] = (weir_nddim){d.count, count, d.src};
        back.dim[k] = (weir_nddim){d.count, d.src, count};
        count *= d.count;
    }
    weir_ndcopy_run(&call->run->par, dy->dtype, room, weir_at(dy, b->border), &border);
    weir_ndcopy_run(&call->run->par, dy->dtype, room2, weir_at(dy, b->image), &image);
    weir_update_find(WEIR_UPDATE_ADD, weir_elem_of(dy->dtype))(room2, room, count, 1);
    weir_ndcopy_run(&call->run->par, dy->dtype, weir_at(dy, b->image), room2, &back);
}

static weir_status mirror_pad_grad(weir_call *call)
{
    weir_tensor *dx = weir_out(call, 0), dy = {0}, room = {0}, room2 = {0};
    weir_pad_widths p = weir_pad_widths_of(weir_in(call, 1));
    int64_t at, gap = mirror_gap(call->site);
    weir_status s = weir_tensor_clone(weir_in(call, 0), &dy);
    if (!s)
        s = weir_tensor_alloc(dy.dtype, &dy.shape, &room);
    if (!s)
        s = weir_tensor_alloc(dy.dtype, &dy.shape, &room2);
    for (int d = 0; !s && d < p.rank; d++) {
        for (int after = 0; after < 2; after++) {
            band b = make_band(&dy.shape, &p, d, after, gap);
            fold_band(call, &dy, &b, room.data, room2.data);
        }
    }
    if (!s) {
        weir_ndcopy c = inside(&dy.shape, &dx->shape, &p, false, &at);
        weir_ndcopy_run(&call->run->par, dy.dtype, dx->data, weir_at(&dy, at), &c);
    }
    weir_tensor_release(&dy);
    weir_tensor_release(&room);
    weir_tensor_release(&room2);
    return s;
}

static weir_status grad_by(weir_grad *g, const char *op)
{
    weir_grad_set(g, 0,
                  weir_grad_op(g, op, WEIR_IN(weir_grad_dy(g, 0), weir_grad_x(g, 1)),
                               WEIR_ATTRS(weir_grad_attr(g, "mode"))));
    return WEIR_OK;
}

static weir_status pad_grad(weir_grad *g)
{
    return grad_by(g, "MirrorPadGrad");
}

static weir_status grad_grad(weir_grad *g)
{
    return grad_by(g, "MirrorPad");
}

const weir_op weir_op_mirror_pad = {
    .name = "MirrorPad",
    .in = "input: T; paddings: Tpaddings",
    .out = "output: T",
    .attrs = "T: type; Tpaddings: {int32, int64} = DT_INT32; mode: {'REFLECT', 'SYMMETRIC'}",
    .infer = pad_infer,
    .grad = pad_grad,
    .kernels = {{WEIR_CPU, "*", mirror_pad}},
};

const weir_op weir_op_mirror_pad_grad = {
    .name = "MirrorPadGrad",
    .in = "input: T; paddings: Tpaddings",
    .out = "output: T",
    .attrs = "T: type; Tpaddings: {int32, int64} = DT_INT32; mode: {'REFLECT', 'SYMMETRIC'}",
    .infer = grad_infer,
    .grad = grad_grad,
    .kernels =
        {{WEIR_CPU,
          "T: bfloat16, half, float, double, int8, uint8, int16, uint16, int32, uint32, int64, "
          "uint64, complex64, complex128",
          mirror_pad_grad}},
};
