/* ops/array/mirror_pad.c - MirrorPad, MirrorPadGrad: padding by reflection. */
#include "math/update/update.h"
#include "ops/array/padding.h"
#include "ops/common/elem_of.h"
#include "ops/common/elements.h"
#include "ops/common/grads.h"
#include "ops/common/infer_util.h"
#include "ops/common/ndcopy.h"

enum { T, TPADDINGS, MODE };

/* Offset of the reflection from the edge: REFLECT excludes the edge itself. */
static int64_t mirror_gap(const weir_site *site)
{
    return weir_str_is(weir_site_str(site, MODE), "REFLECT") ? 1 : 0;
}

/* A border must not be wider than what it reflects. |inner| is the unpadded shape. */
static weir_status check_widths(weir_infer *infer, const weir_shape *inner)
{
    const weir_tensor *paddings = weir_infer_value(infer, 1);
    int64_t gap = mirror_gap(infer->site);
    for (int axis = 0; paddings && axis < inner->rank; axis++) {
        int64_t before = weir_int_at(paddings, 2 * axis),
                after = weir_int_at(paddings, 2 * axis + 1);
        int64_t border_copy = inner->dims[axis] - gap;
        if (inner->dims[axis] >= 0 && (before > border_copy || after > border_copy))
            return weir_error(WEIR_INVALID_ARGUMENT,
                              gap ? "paddings must be less than the dimension size: %" PRId64
                                    ", %" PRId64 " not less than %" PRId64
                                  : "paddings must be no greater than the dimension size: %" PRId64
                                    ", %" PRId64 " greater than %" PRId64,
                              before, after, inner->dims[axis]);
    }
    return WEIR_OK;
}

static weir_status pad_infer(weir_infer *infer)
{
    WEIR_TRY(weir_padding_infer(infer, false));
    return check_widths(infer, infer->in[0]);
}

static weir_status grad_infer(weir_infer *infer)
{
    WEIR_TRY(weir_padding_infer(infer, true));
    return check_widths(infer, &infer->out[0]);
}

/* One border of dim |d| and its source: both as views of a tensor of the padded shape. Dims before
 * |d| cover the unpadded part, dims after it the padded one. */
typedef struct band {
    weir_ndcopy nest; /* dst: the border, src: its mirror image; same strides, opposite along d */
    int64_t border, image; /* first elements of the two */
} band;

static band make_band(const weir_shape *padded, const weir_pad_widths *widths, int axis, bool after,
                      int64_t gap)
{
    int64_t strides[WEIR_MAX_RANK];
    band band = {.nest = {.rank = padded->rank}};
    weir_shape_strides(padded, strides);
    for (int k = 0; k < padded->rank; k++) {
        int64_t inside = padded->dims[k] - widths->before[k] - widths->after[k];
        band.nest.dim[k] =
            (weir_nddim){k < axis ? inside : padded->dims[k], strides[k], strides[k]};
        if (k < axis) {
            band.border += widths->before[k] * strides[k];
            band.image += widths->before[k] * strides[k];
        }
    }
    int64_t first = widths->before[axis], last = padded->dims[axis] - widths->after[axis] - 1;
    int64_t sign = after ? 1 : -1; /* the border runs outwards, its source inwards */
    band.nest.dim[axis] = (weir_nddim){after ? widths->after[axis] : widths->before[axis],
                                       sign * strides[axis], -sign * strides[axis]};
    band.border += (after ? last + 1 : first - 1) * strides[axis];
    band.image += (after ? last - gap : first + gap) * strides[axis];
    return band;
}

/* A view of the unpadded part of a padded tensor, and of the tensor itself. */
static weir_ndcopy inside(const weir_shape *padded, const weir_shape *inner,
                          const weir_pad_widths *widths, bool outwards, int64_t *out_at)
{
    int64_t ps[WEIR_MAX_RANK], is[WEIR_MAX_RANK];
    weir_ndcopy copy = {0};
    weir_shape_strides(padded, ps);
    weir_shape_strides(inner, is);
    *out_at = 0;
    for (int axis = 0; axis < padded->rank; axis++) {
        weir_ndcopy_add(&copy, inner->dims[axis], outwards ? ps[axis] : is[axis],
                        outwards ? is[axis] : ps[axis]);
        *out_at += widths->before[axis] * ps[axis];
    }
    return copy;
}

/* Copies the unpadded part first; then one border after another, last dim first, from elements
 * already written. */
static weir_status mirror_pad(weir_call *call)
{
    const weir_tensor *x = weir_in(call, 0);
    weir_tensor *y = weir_out(call, 0);
    weir_pad_widths widths = weir_pad_widths_of(weir_in(call, 1));
    int64_t at, gap = mirror_gap(call->site);
    weir_ndcopy copy = inside(&y->shape, &x->shape, &widths, true, &at);
    weir_ndcopy_run(&call->run->par, x->dtype, weir_at(y, at), x->data, &copy);
    for (int axis = widths.rank - 1; axis >= 0; axis--) {
        for (int after = 0; after < 2; after++) {
            band band = make_band(&y->shape, &widths, axis, after, gap);
            weir_ndcopy_run(&call->run->par, x->dtype, weir_at(y, band.border),
                            weir_at(y, band.image), &band.nest);
        }
    }
    return WEIR_OK;
}

/* image += border, through two dense copies in |border_copy| and |image_copy|. */
static void fold_band(weir_call *call, weir_tensor *dy, const band *band, void *border_copy,
                      void *image_copy)
{
    weir_ndcopy border = band->nest, image = band->nest, back = band->nest;
    int64_t count = 1;
    for (int k = band->nest.rank - 1; k >= 0; k--) {
        weir_nddim nddim = band->nest.dim[k];
        border.dim[k] = (weir_nddim){nddim.count, count, nddim.dst};
        image.dim[k] = (weir_nddim){nddim.count, count, nddim.src};
        back.dim[k] = (weir_nddim){nddim.count, nddim.src, count};
        count *= nddim.count;
    }
    weir_ndcopy_run(&call->run->par, dy->dtype, border_copy, weir_at(dy, band->border), &border);
    weir_ndcopy_run(&call->run->par, dy->dtype, image_copy, weir_at(dy, band->image), &image);
    weir_update_find(WEIR_UPDATE_ADD, weir_elem_of(dy->dtype))(image_copy, border_copy, count, 1);
    weir_ndcopy_run(&call->run->par, dy->dtype, weir_at(dy, band->image), image_copy, &back);
}

static weir_status mirror_pad_grad(weir_call *call)
{
    weir_tensor *dx = weir_out(call, 0), dy = {0}, border_copy = {0}, image_copy = {0};
    weir_pad_widths widths = weir_pad_widths_of(weir_in(call, 1));
    int64_t at, gap = mirror_gap(call->site);
    weir_status status = weir_tensor_clone(weir_in(call, 0), &dy);
    if (!status)
        status = weir_tensor_alloc(dy.dtype, &dy.shape, &border_copy);
    if (!status)
        status = weir_tensor_alloc(dy.dtype, &dy.shape, &image_copy);
    for (int axis = 0; !status && axis < widths.rank; axis++) {
        for (int after = 0; after < 2; after++) {
            band band = make_band(&dy.shape, &widths, axis, after, gap);
            fold_band(call, &dy, &band, border_copy.data, image_copy.data);
        }
    }
    if (!status) {
        weir_ndcopy copy = inside(&dy.shape, &dx->shape, &widths, false, &at);
        weir_ndcopy_run(&call->run->par, dy.dtype, dx->data, weir_at(&dy, at), &copy);
    }
    weir_tensor_release(&dy);
    weir_tensor_release(&border_copy);
    weir_tensor_release(&image_copy);
    return status;
}

static weir_status grad_by(weir_grad *grad, const char *op)
{
    weir_grad_set(grad, 0,
                  weir_grad_op(grad, op, WEIR_IN(weir_grad_dy(grad, 0), weir_grad_x(grad, 1)),
                               WEIR_ATTRS(weir_grad_attr(grad, "mode"))));
    return WEIR_OK;
}

static weir_status pad_grad(weir_grad *grad)
{
    return grad_by(grad, "MirrorPadGrad");
}

static weir_status grad_grad(weir_grad *grad)
{
    return grad_by(grad, "MirrorPad");
}

const weir_op weir_op_mirror_pad = {
    .name = "MirrorPad",
    .in = "input: T; paddings: Tpaddings",
    .out = "output: T",
    .attrs = "T: type; Tpaddings: {int32, int64} = DT_INT32; mode: {'REFLECT', 'SYMMETRIC'}",
    .host = "paddings",
    .infer = pad_infer,
    .grad = pad_grad,
    .kernels = {{WEIR_CPU, "*", mirror_pad}},
};

const weir_op weir_op_mirror_pad_grad = {
    .name = "MirrorPadGrad",
    .in = "input: T; paddings: Tpaddings",
    .out = "output: T",
    .attrs = "T: type; Tpaddings: {int32, int64} = DT_INT32; mode: {'REFLECT', 'SYMMETRIC'}",
    .host = "paddings",
    .infer = grad_infer,
    .grad = grad_grad,
    .kernels =
        {{WEIR_CPU,
          "T: bfloat16, half, float, double, int8, uint8, int16, uint16, int32, uint32, int64, "
          "uint64, complex64, complex128",
          mirror_pad_grad}},
};
