/* ops/nn/window.c - parses and applies the attrs of sliding windows. */
#include "ops/nn/window.h"

#include "ops/common/infer_util.h"

#include <inttypes.h>

weir_format weir_format_of(weir_str text)
{
    weir_format format = {.spatial = (int)text.length - 2, .last = true};
    if (weir_str_is(text, "NCHW_VECT_C"))
        return (weir_format){2, false};
    format.last = text.length > 1 && text.at[1] != 'C';
    return format;
}

static const weir_attr *find(const weir_site *site, const char *name)
{
    int at = weir_opdef_attr(site->def, name);
    return at < 0 ? NULL : &site->attrs[at];
}

static weir_window_padding padding_of(weir_str text)
{
    return weir_str_is(text, "SAME")       ? WEIR_SAME
           : weir_str_is(text, "EXPLICIT") ? WEIR_EXPLICIT
                                           : WEIR_VALID;
}

/* Copies a list with one number per dimension; ones if the op has no such list. */
static weir_status read_list(const weir_site *site, const char *name, const char *what, int rank,
                             int64_t *out)
{
    const weir_attr *attr = find(site, name);
    for (int axis = 0; axis < rank; axis++)
        out[axis] = 1;
    if (!attr)
        return WEIR_OK;
    if (attr->count != rank)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "%s requires the %s attribute to contain %d values, but got: %d",
                          site->def->name, what, rank, attr->count);
    memcpy(out, attr->is, sizeof *out * (size_t)rank);
    return WEIR_OK;
}

weir_status weir_slide_check(const weir_site *site, const weir_slide *slide)
{
    const int64_t *const lists[] = {slide->size, slide->stride, slide->dilation};
    static const char *const names[] = {"ksize", "stride", "dilation"};
    for (int k = 0; k < 3; k++)
        for (int axis = 0; axis < weir_format_rank(slide->format); axis++)
            if (lists[k][axis] <= 0 || lists[k][axis] > INT32_MAX)
                return weir_error(WEIR_INVALID_ARGUMENT,
                                  "%s requires every %s to be > 0, but dimension %d has %" PRId64,
                                  site->def->name, names[k], axis, lists[k][axis]);
    return WEIR_OK;
}

static weir_status read_explicit(const weir_site *site, weir_slide *slide)
{
    const weir_attr *attr = find(site, "explicit_paddings");
    int rank = weir_format_rank(slide->format), count = attr ? attr->count : 0;
    if (slide->padding != WEIR_EXPLICIT) {
        if (count)
            return weir_error(WEIR_INVALID_ARGUMENT, "explicit_paddings attribute must be empty if "
                                                     "the padding attribute is not EXPLICIT");
        return WEIR_OK;
    }
    if (count != 2 * rank)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "explicit_paddings attribute must contain %d values, but got: %d",
                          2 * rank, count);
    int channel = weir_format_channel(slide->format);
    for (int axis = 0; axis < rank; axis++) {
        slide->before[axis] = attr->is[2 * axis];
        slide->after[axis] = attr->is[2 * axis + 1];
        if (slide->before[axis] < 0 || slide->after[axis] < 0 || slide->before[axis] > INT32_MAX ||
            slide->after[axis] > INT32_MAX)
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "All elements of explicit_paddings must be nonnegative");
        if ((axis == 0 || axis == channel) && (slide->before[axis] || slide->after[axis]))
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "Nonzero explicit padding in the batch or depth dimensions is not "
                              "supported");
    }
    return WEIR_OK;
}

weir_status weir_slide_read(const weir_site *site, bool building, weir_slide *out_slide)
{
    weir_slide slide = {.format = {.spatial = 2, .last = true}, .building = building};
    const weir_attr *format = find(site, "data_format"), *padding = find(site, "padding");
    const weir_attr *strides = find(site, "strides");
    if (format)
        slide.format = weir_format_of(format->s);
    else if (strides && strides->count == 5)
        slide.format.spatial = 3;
    slide.padding = padding_of(padding->s);
    int rank = weir_format_rank(slide.format);
    WEIR_TRY(read_list(site, "strides", "stride", rank, slide.stride));
    WEIR_TRY(read_list(site, "dilations", "dilation", rank, slide.dilation));
    WEIR_TRY(read_list(site, "ksize", "ksize", rank, slide.size));
    WEIR_TRY(read_explicit(site, &slide));
    *out_slide = slide;
    return WEIR_OK;
}

weir_status weir_slide_dim(const weir_slide *slide, int dim, int64_t in, int64_t size,
                           int64_t *out_length, int64_t *out_before)
{
    *out_length = -1;
    *out_before = 0;
    int64_t stride = slide->stride[dim], reach;
    if (stride <= 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "Stride must be > 0, but got %" PRId64, stride);
    if (in < 0 || (size < 0 && slide->padding != WEIR_SAME))
        return WEIR_OK;
    if (__builtin_mul_overflow(size - 1, slide->dilation[dim], &reach) || reach >= INT64_MAX / 4)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "a window of %" PRId64 " with dilation %" PRId64 " is too large", size,
                          slide->dilation[dim]);
    reach++;
    if (slide->padding == WEIR_SAME) {
        int64_t length = in / stride + (in % stride != 0);
        int64_t pad = size < 0 ? 0 : (length - 1) * stride + reach - in;
        *out_length = length;
        *out_before = pad > 0 ? pad / 2 : 0;
        return WEIR_OK;
    }
    int64_t padded = in + slide->before[dim] + slide->after[dim];
    int64_t length = (padded - reach + stride) / stride;
    if (slide->building && padded < reach)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Negative dimension size caused by subtracting %" PRId64 " from %" PRId64,
                          reach, padded);
    if (length < 0)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Computed output size would be negative: %" PRId64
                          " [input_size: %" PRId64 ", effective_filter_size: %" PRId64
                          ", stride: %" PRId64 "]",
                          length, in, reach, stride);
    *out_length = length;
    *out_before = slide->before[dim];
    return WEIR_OK;
}

weir_shape weir_shape_channels_last(const weir_shape *shape, weir_format format)
{
    if (format.last || shape->rank < 0)
        return *shape;
    weir_shape out = *shape;
    for (int axis = 1; axis + 1 < shape->rank; axis++)
        out.dims[axis] = shape->dims[axis + 1];
    out.dims[shape->rank - 1] = shape->dims[1];
    return out;
}

/* to[j][i] = from[i][j], in square blocks that fit in the cache. */
static void transpose(size_t size, int64_t rows, int64_t cols, const char *from, char *to)
{
    enum { SIDE = 16 };
    for (int64_t i0 = 0; i0 < rows; i0 += SIDE)
        for (int64_t j0 = 0; j0 < cols; j0 += SIDE)
            for (int64_t i = i0; i < rows && i < i0 + SIDE; i++)
                for (int64_t j = j0; j < cols && j < j0 + SIDE; j++)
                    memcpy(to + (size_t)(j * rows + i) * size, from + (size_t)(i * cols + j) * size,
                           size);
}

static void turn_images(const weir_tensor *tensor, int64_t rows, int64_t cols, weir_tensor *to)
{
    size_t size = weir_dtype_size(tensor->dtype), image = (size_t)(rows * cols) * size;
    for (int64_t n = 0; n < tensor->shape.dims[0]; n++)
        transpose(size, rows, cols, (const char *)tensor->data + (size_t)n * image,
                  (char *)to->data + (size_t)n * image);
}

weir_status weir_to_channels_last(const weir_tensor *tensor, weir_tensor *out_tensor)
{
    weir_shape shape =
        weir_shape_channels_last(&tensor->shape, (weir_format){tensor->shape.rank - 2, false});
    WEIR_TRY(weir_tensor_alloc(tensor->dtype, &shape, out_tensor));
    turn_images(tensor, tensor->shape.dims[1],
                weir_shape_product(&tensor->shape, 2, tensor->shape.rank), out_tensor);
    return WEIR_OK;
}

void weir_from_channels_last(const weir_tensor *tensor, weir_tensor *to)
{
    int last = tensor->shape.rank - 1;
    turn_images(tensor, weir_shape_product(&tensor->shape, 1, last), tensor->shape.dims[last], to);
}

weir_status weir_infer_image_sizes(weir_infer *infer, int in, int rank, weir_shape *out_shape)
{
    WEIR_TRY(weir_infer_new_shape(infer, in, out_shape));
    if (out_shape->rank >= 0 && out_shape->rank != rank)
        return weir_error(WEIR_INVALID_ARGUMENT, "%s: input %d must have %d elements, but has %d",
                          infer->site->def->name, in, rank, out_shape->rank);
    if (out_shape->rank < 0) {
        out_shape->rank = rank;
        for (int axis = 0; axis < rank; axis++)
            out_shape->dims[axis] = -1;
    }
    return WEIR_OK;
}
