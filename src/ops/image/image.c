/* ops/image/image.c - shared by the image ops. */
#include <inttypes.h>

#include "math/cast/cast.h"
#include "ops/common/elem_of.h"
#include "ops/image/image_impl.h"

weir_status weir_image_as_float(const weir_call *call, const weir_tensor *in,
                                weir_tensor *out_floats)
{
    if (in->dtype == WEIR_FLOAT) {
        *out_floats = weir_tensor_share(in);
        return WEIR_OK;
    }
    weir_tensor tensor;
    WEIR_TRY(weir_tensor_alloc(WEIR_FLOAT, &in->shape, &tensor));
    weir_cast_run(&call->run->par, weir_elem_of(in->dtype), WEIR_E_f32, weir_tensor_count(in),
                  in->data, tensor.data);
    *out_floats = tensor;
    return WEIR_OK;
}

void weir_image_put(const weir_call *call, const weir_tensor *from, weir_tensor *out)
{
    if (from->data != out->data)
        weir_cast_run(&call->run->par, weir_elem_of(from->dtype), weir_elem_of(out->dtype),
                      weir_tensor_count(out), from->data, out->data);
}

weir_status weir_image_sums(const weir_tensor *out, weir_tensor *out_sums)
{
    WEIR_TRY(weir_tensor_alloc(WEIR_DOUBLE, &out->shape, out_sums));
    memset(out_sums->data, 0, weir_tensor_bytes(out_sums));
    return WEIR_OK;
}

weir_status weir_image_float_buffer(const weir_tensor *out, weir_tensor *out_floats)
{
    if (out->dtype != WEIR_FLOAT)
        return weir_tensor_alloc(WEIR_FLOAT, &out->shape, out_floats);
    *out_floats = weir_tensor_share(out);
    return WEIR_OK;
}

weir_status weir_infer_resize(weir_infer *infer)
{
    WEIR_TRY(weir_infer_rank(infer, 0, 4));
    WEIR_TRY(weir_infer_rank(infer, 1, 1));
    int64_t two;
    WEIR_TRY(weir_infer_merge_dim(weir_infer_dim(infer, 1, 0), 2, &two));
    weir_shape out = {4, {weir_infer_dim(infer, 0, 0), -1, -1, weir_infer_dim(infer, 0, 3)}};
    const weir_tensor *size = weir_infer_value(infer, 1);
    for (int axis = 0; size && axis < 2; axis++)
        out.dims[1 + axis] = ((const int32_t *)size->data)[axis];
    if (size && (out.dims[1] < 0 || out.dims[2] < 0))
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "output dimensions must be positive, got %" PRId64 ", %" PRId64,
                          out.dims[1], out.dims[2]);
    infer->out[0] = out;
    return WEIR_OK;
}

weir_status weir_infer_resize_grad(weir_infer *infer)
{
    infer->out[0] = *infer->in[1];
    WEIR_TRY(weir_infer_rank(infer, 0, 4));
    return weir_infer_rank(infer, 1, 4);
}

static float scale_of(int64_t in, int64_t out, bool align_corners)
{
    return align_corners && out > 1 ? (float)(in - 1) / (float)(out - 1) : (float)in / (float)out;
}

weir_status weir_resize_setup(const weir_shape *in, const weir_shape *out, bool align_corners,
                              bool half_pixel, weir_resize *out_resize)
{
    const int64_t *a = in->dims, *b = out->dims;
    if (align_corners && half_pixel)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "If half_pixel_centers is True, align_corners must be False.");
    if (b[1] <= 0 || b[2] <= 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "output dimensions must be positive");
    if (a[1] <= 0 || a[2] <= 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "input image must be of non-zero size");
    if (a[3] <= 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "image must have at least one channel");
    if (a[1] >= INT32_MAX || a[2] >= INT32_MAX || b[1] >= INT32_MAX || b[2] >= INT32_MAX)
        return weir_error(WEIR_INVALID_ARGUMENT, "image sides must be below 2^31: %s, %s",
                          WEIR_SHAPE_STR(in), WEIR_SHAPE_STR(out));
    *out_resize = (weir_resize){
        .batch = a[0],
        .channels = a[3],
        .in_h = a[1],
        .in_w = a[2],
        .out_h = b[1],
        .out_w = b[2],
        .align_corners = align_corners,
        .half_pixel = half_pixel,
        .h_scale = scale_of(a[1], b[1], align_corners),
        .w_scale = scale_of(a[2], b[2], align_corners),
    };
    return WEIR_OK;
}

weir_status weir_resize_grad_setup(const weir_call *call, bool align_corners, bool half_pixel,
                                   weir_resize *out_resize)
{
    const weir_shape *grads = &weir_in(call, 0)->shape, *image = &weir_out(call, 0)->shape;
    WEIR_TRY(weir_resize_setup(image, grads, align_corners, half_pixel, out_resize));
    if (grads->dims[0] != image->dims[0] || grads->dims[3] != image->dims[3])
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "gradients %s and image %s differ in batch or channels",
                          WEIR_SHAPE_STR(grads), WEIR_SHAPE_STR(image));
    return WEIR_OK;
}
