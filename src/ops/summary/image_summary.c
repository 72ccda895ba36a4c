/* ops/summary/image_summary.c - ImageSummary: a batch of images as PNG. */
#include <math.h>

#include "base/arith.h"
#include "io/image.h"
#include "ops/common/number_at.h"
#include "ops/summary/summary.h"

enum { MAX_IMAGES, T, BAD_COLOR };

static weir_status check(const weir_tensor *tensor, const weir_tensor *bad)
{
    const int64_t *dims = tensor->shape.dims;
    if (tensor->shape.rank != 4 || (dims[3] != 1 && dims[3] != 3 && dims[3] != 4))
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Tensor must be 4-D with last dim 1, 3, or 4, not %s",
                          WEIR_SHAPE_STR(&tensor->shape));
    if (dims[0] >= INT32_MAX || dims[1] >= INT32_MAX || dims[2] >= INT32_MAX ||
        dims[1] * dims[2] >= (int64_t)INT32_MAX)
        return weir_error(WEIR_INVALID_ARGUMENT, "Tensor too large for summary %s",
                          WEIR_SHAPE_STR(&tensor->shape));
    if (bad->dtype != WEIR_UINT8 || bad->shape.rank != 1 || weir_tensor_count(bad) < dims[3])
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "expected depth <= bad_color.size, got depth = %lld, bad_color.size = "
                          "%lld",
                          (long long)dims[3], (long long)weir_tensor_count(bad));
    return WEIR_OK;
}

typedef struct scale {
    float factor, offset;
} scale;

/* Without negative values 0 is black and the maximum white; otherwise 0 is grey. */
static scale choose_scale(const weir_tensor *tensor, int64_t first, int64_t count)
{
    const double nothing = 1e-6;
    double low = INFINITY, high = -INFINITY;
    for (int64_t i = 0; i < count; i++) {
        double value = weir_number_at(tensor, first + i);
        if (!isfinite(value))
            continue;
        low = value < low ? value : low;
        high = value > high ? value : high;
    }
    if (low < 0) {
        double most = fabs(low) > fabs(high) ? fabs(low) : fabs(high);
        return (scale){most < nothing ? 0.0f : 127.0f / (float)most, 128.0f};
    }
    return (scale){high < nothing ? 0.0f : 255.0f / (float)high, 0.0f};
}

/* One value, with the rounding of the tensor's type. */
static uint8_t scaled(const weir_tensor *tensor, double value, scale scale)
{
    if (tensor->dtype == WEIR_DOUBLE)
        return (uint8_t)(int)(value * scale.factor + scale.offset);
    if (tensor->dtype == WEIR_FLOAT)
        return (uint8_t)(int)((float)value * scale.factor + scale.offset);
    float factor = weir_f16_f32(weir_f32_f16(scale.factor));
    float product = weir_f16_f32(weir_f32_f16((float)value * factor));
    return (uint8_t)(int)weir_f16_f32(weir_f32_f16(product + scale.offset));
}

/* Converts image |i| to bytes; a pixel with a non-finite value gets the bad colour. */
static void to_bytes(const weir_tensor *tensor, const uint8_t *bad, int64_t i, uint8_t *out)
{
    const int64_t *dims = tensor->shape.dims;
    int64_t depth = dims[3], pixels = dims[1] * dims[2], first = i * pixels * depth;
    scale scale = choose_scale(tensor, first, pixels * depth);
    for (int64_t p = 0; p < pixels; p++, out += depth) {
        bool finite = true;
        for (int64_t k = 0; k < depth; k++) {
            double value = weir_number_at(tensor, first + p * depth + k);
            finite &= isfinite(value) != 0;
            out[k] = isfinite(value) ? scaled(tensor, value, scale) : 0;
        }
        if (!finite)
            memcpy(out, bad, (size_t)depth);
    }
}

/* Adds image |i|; |room| is a buffer for its bytes. */
static weir_status add_image(weir_str tag, const weir_tensor *tensor, const weir_tensor *bad,
                             int64_t i, int64_t most, uint8_t *room, weir_buf *summary)
{
    const int64_t *dims = tensor->shape.dims;
    weir_pixels pixels = {room, dims[1], dims[2], (int)dims[3], 8};
    if (tensor->dtype == WEIR_UINT8)
        pixels.at = (const uint8_t *)tensor->data + i * dims[1] * dims[2] * dims[3];
    else
        to_bytes(tensor, bad->data, i, room);
    WEIR_BUF(png);
    WEIR_BUF(name);
    WEIR_TRY(weir_png_encode(&pixels, -1, &png));
    weir_summary_tag(tag, "image", i, most, &name);
    weir_msg_summary_image image = {.height = (int32_t)dims[1],
                                    .width = (int32_t)dims[2],
                                    .colorspace = (int32_t)dims[3],
                                    .encoded_image_string = weir_view(&png)};
    weir_summary_add(summary,
                     &(weir_msg_summary_value){.tag = weir_view(&name),
                                               .which_value = WEIR_FIELD_summary_value_image,
                                               .image = &image});
    return WEIR_OK;
}

weir_status weir_summary_add_images(weir_str tag, const weir_tensor *images,
                                    const weir_tensor *bad_color, int64_t most, weir_buf *summary)
{
    WEIR_TRY(check(images, bad_color));
    int64_t count = weir_min(images->shape.dims[0], most);
    weir_shape one = weir_shape_vector(weir_shape_product(&images->shape, 1, 4));
    weir_tensor room;
    WEIR_TRY(weir_tensor_alloc(WEIR_UINT8, &one, &room));
    weir_status status = WEIR_OK;
    for (int64_t i = 0; i < count && !status; i++)
        status = add_image(tag, images, bad_color, i, most, room.data, summary);
    weir_tensor_release(&room);
    return status;
}

static weir_status image_summary(weir_call *call)
{
    if (weir_in(call, 0)->shape.rank != 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "Tags must be a scalar");
    weir_buf summary = {0};
    weir_status status = weir_summary_add_images(weir_str_at(weir_in(call, 0), 0), weir_in(call, 1),
                                                 call->site->attrs[BAD_COLOR].tensor,
                                                 weir_site_int(call->site, MAX_IMAGES), &summary);
    weir_str_put_buf(weir_out(call, 0), 0, &summary);
    return status;
}

const weir_op weir_op_image_summary = {
    .name = "ImageSummary",
    .in = "tag: string; tensor: T",
    .out = "summary: string",
    .attrs = "max_images: int >= 1 = 3; T: {uint8, float, half, double} = DT_FLOAT; bad_color: "
             "tensor = uint8[255,0,0,255]",
    .infer = weir_infer_scalar,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", image_summary, WEIR_EXPENSIVE}},
};
