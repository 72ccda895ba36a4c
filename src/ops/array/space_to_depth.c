/* ops/array/space_to_depth.c - SpaceToDepth, DepthToSpace: moves blocks of an image into its
 * channels and back. */
#include "ops/common/elements.h"
#include "ops/common/grads.h"
#include "ops/common/infer_util.h"
#include "ops/common/ndcopy.h"

enum { T, BLOCK_SIZE, DATA_FORMAT };

static bool channels_first(const weir_site *site)
{
    return weir_str_is(weir_site_str(site, DATA_FORMAT), "NCHW");
}

/* Indices of batch, height, width and channels. */
typedef struct axes {
    int h, w, c;
} axes;

static axes axes_of(const weir_site *site)
{
    return channels_first(site) ? (axes){2, 3, 1} : (axes){1, 2, 3};
}

static weir_status check(weir_infer *infer)
{
    if (weir_str_is(weir_site_str(infer->site, DATA_FORMAT), "NCHW_VECT_C"))
        return weir_error(WEIR_UNIMPLEMENTED, "NCHW_VECT_C is not supported on this device");
    int64_t block = weir_site_int(infer->site, BLOCK_SIZE);
    if (block > INT32_MAX) /* its square must fit */
        return weir_error(WEIR_INVALID_ARGUMENT, "block_size %" PRId64 " is too large", block);
    return weir_infer_rank(infer, 0, 4);
}

static weir_status divide(const char *what, int64_t dim, int64_t by, int64_t *out)
{
    if (dim >= 0 && dim % by != 0)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "%s %" PRId64 " should be divisible by block_size: %" PRId64, what, dim,
                          by);
    *out = dim < 0 ? -1 : dim / by;
    return WEIR_OK;
}

static weir_status to_depth_infer(weir_infer *infer)
{
    axes axes = axes_of(infer->site);
    int64_t block = weir_site_int(infer->site, BLOCK_SIZE);
    weir_shape out = weir_shape_of_rank(4);
    WEIR_TRY(check(infer));
    if (infer->in[0]->rank == 4) {
        const int64_t *x = infer->in[0]->dims;
        out.dims[0] = x[0];
        WEIR_TRY(divide("Image height", x[axes.h], block, &out.dims[axes.h]));
        WEIR_TRY(divide("Image width", x[axes.w], block, &out.dims[axes.w]));
        WEIR_TRY(weir_dim_mul(x[axes.c], block * block, &out.dims[axes.c]));
    }
    infer->out[0] = out;
    return WEIR_OK;
}

static weir_status to_space_infer(weir_infer *infer)
{
    axes axes = axes_of(infer->site);
    int64_t block = weir_site_int(infer->site, BLOCK_SIZE);
    weir_shape out = weir_shape_of_rank(4);
    WEIR_TRY(check(infer));
    if (infer->in[0]->rank == 4) {
        const int64_t *x = infer->in[0]->dims;
        out.dims[0] = x[0];
        WEIR_TRY(weir_dim_mul(x[axes.h], block, &out.dims[axes.h]));
        WEIR_TRY(weir_dim_mul(x[axes.w], block, &out.dims[axes.w]));
        WEIR_TRY(divide("Input depth dimension", x[axes.c], block * block, &out.dims[axes.c]));
    }
    infer->out[0] = out;
    return WEIR_OK;
}

/* Both forms as [batch, y, dy, x, dx, c]: in depth the channels are [dy, dx, c]. The nest writes
 * the deep form, or with |back| the wide one. */
static weir_ndcopy nest(const weir_shape *deep, const weir_shape *wide, axes axes, int64_t block,
                        bool back)
{
    int64_t ds[WEIR_MAX_RANK], ws[WEIR_MAX_RANK], channels = wide->dims[axes.c];
    weir_ndcopy copy = {0};
    weir_shape_strides(deep, ds);
    weir_shape_strides(wide, ws);
    weir_ndcopy_add(&copy, deep->dims[0], ds[0], ws[0]);
    weir_ndcopy_add(&copy, deep->dims[axes.h], ds[axes.h], ws[axes.h] * block);
    weir_ndcopy_add(&copy, deep->dims[axes.w], ds[axes.w], ws[axes.w] * block);
    weir_ndcopy_add(&copy, block, ds[axes.c] * channels * block, ws[axes.h]);
    weir_ndcopy_add(&copy, block, ds[axes.c] * channels, ws[axes.w]);
    weir_ndcopy_add(&copy, channels, ds[axes.c], ws[axes.c]);
    for (int axis = 0; back && axis < copy.rank; axis++)
        copy.dim[axis] = (weir_nddim){copy.dim[axis].count, copy.dim[axis].src, copy.dim[axis].dst};
    return copy;
}

static weir_status shuffle(weir_call *call, bool to_depth)
{
    const weir_tensor *x = weir_in(call, 0);
    weir_tensor *y = weir_out(call, 0);
    weir_ndcopy copy = nest(to_depth ? &y->shape : &x->shape, to_depth ? &x->shape : &y->shape,
                            axes_of(call->site), weir_site_int(call->site, BLOCK_SIZE), !to_depth);
    weir_ndcopy_run(&call->run->par, x->dtype, y->data, x->data, &copy);
    return WEIR_OK;
}

static weir_status space_to_depth(weir_call *call)
{
    return shuffle(call, true);
}

static weir_status depth_to_space(weir_call *call)
{
    if (channels_first(
            call->site)) /* the same error as TensorFlow's CPU kernel, which is for NHWC */
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "No OpKernel was registered to support Op 'DepthToSpace' used by "
                          "{{node %s}} with data_format NCHW",
                          call->site->name);
    return shuffle(call, false);
}

static weir_status grad_by(weir_grad *grad, const char *op)
{
    weir_grad_set(grad, 0,
                  weir_grad_op(grad, op, WEIR_IN(weir_grad_dy(grad, 0)),
                               WEIR_ATTRS(weir_grad_attr(grad, "block_size"),
                                          weir_grad_attr(grad, "data_format"))));
    return WEIR_OK;
}

static weir_status to_depth_grad(weir_grad *grad)
{
    return grad_by(grad, "DepthToSpace");
}

static weir_status to_space_grad(weir_grad *grad)
{
    return grad_by(grad, "SpaceToDepth");
}

const weir_op weir_op_space_to_depth = {
    .name = "SpaceToDepth",
    .in = "input: T",
    .out = "output: T",
    .attrs =
        "T: type; block_size: int >= 2; data_format: {'NHWC', 'NCHW', 'NCHW_VECT_C'} = \"NHWC\"",
    .infer = to_depth_infer,
    .grad = to_depth_grad,
    .kernels = {{WEIR_CPU, "*", space_to_depth}},
};

const weir_op weir_op_depth_to_space = {
    .name = "DepthToSpace",
    .in = "input: T",
    .out = "output: T",
    .attrs =
        "T: type; block_size: int >= 2; data_format: {'NHWC', 'NCHW', 'NCHW_VECT_C'} = \"NHWC\"",
    .infer = to_space_infer,
    .grad = to_space_grad,
    .kernels = {{WEIR_CPU, "*", depth_to_space}},
};
