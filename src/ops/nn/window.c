/* ops/nn/window.c - reading and applying the attrs of sliding windows. */
#include "ops/nn/window.h"

#include <inttypes.h>

weir_format weir_format_of(weir_str text)
{
    weir_format f = {.spatial = (int)text.length - 2, .last = true};
    if (weir_str_is(text, "NCHW_VECT_C"))
        return (weir_format){2, false};
    f.last = text.length > 1 && text.at[1] != 'C';
    return f;
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

/* Copies a list of one number per dimension; ones where the op has no such list. */
static weir_status read_list(const weir_site *site, const char *name, const char *what, int rank,
                             int64_t *out)
{
    const weir_attr *a = find(site, name);
    for (int d = 0; d < rank; d++)
        out[d] = 1;
    if (!a)
        return WEIR_OK;
    if (a->count != rank)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "%s requires the %s attribute to contain %d values, but got: %d",
                          site->def->name, what, rank, a->count);
    memcpy(out, a->is, sizeof *out * (size_t)rank);
    return WEIR_OK;
}

weir_status weir_slide_check(const weir_site *site, const weir_slide *s)
{
    const int64_t *const lists[] = {s->size, s->stride, s->dilation};
    static const char *const names[] = {"ksize", "stride", "dilation"};
    for (int k = 0; k < 3; k++)
        for (int d = 0; d < weir_format_rank(s->format); d++)
            if (lists[k][d] <= 0 || lists[k][d] > INT32_MAX)
                return weir_error(WEIR_INVALID_ARGUMENT,
                                  "%s requires every %s to be > 0, but dimension %d has %" PRId64,
                                  site->def->name, names[k], d, lists[k][d]);
    return WEIR_OK;
}

static weir_status read_explicit(const weir_site *site, weir_slide *s)
{
    const weir_attr *a = find(site, "explicit_paddings");
    int rank = weir_format_rank(s->format), count = a ? a->count : 0;
    if (s->padding != WEIR_EXPLICIT) {
        if (count)
            return weir_error(WEIR_INVALID_ARGUMENT, "explicit_paddings attribute must be empty if "
                                                     "the padding attribute is not EXPLICIT");
        return WEIR_OK;
    }
    if (count != 2 * rank)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "explicit_paddings attribute must contain %d values, but got: %d",
                          2 * rank, count);
    int channel = weir_format_channel(s->format);
    for (int d = 0; d < rank; d++) {
        s->before[d] = a->is[2 * d];
        s->after[d] = a->is[2 * d + 1];
        if (s->before[d] < 0 || s->after[d] < 0 || s->before[d] > INT32_MAX ||
            s->after[d] > INT32_MAX)
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "All elements of explicit_paddings must be nonnegative");
        if ((d == 0 || d == channel) && (s->before[d] || s->after[d]))
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "Nonzero explicit padding in the batch or depth dimensions is not "
                              "supported");
    }
    return WEIR_OK;
}

weir_status weir_slide_read(const weir_site *site, bool building, weir_slide *out_slide)
{
    weir_slide s = {.format = {.spatial = 2, .last = true}, .building = building};
    const weir_attr *format = find(site, "data_format"), *padding = find(site, "padding");
    const weir_attr *strides = find(site, "strides");
    if (format)
        s.format = weir_format_of(format->s);
    else if (strides && strides->count == 5)
        s.format.spatial = 3;
    s.padding = padding_of(padding->s);
    int rank = weir_format_rank(s.format);
    WEIR_TRY(read_list(site, "strides", "stride", rank, s.stride));
    WEIR_TRY(read_list(site, "dilations", "dilation", rank, s.dilation));
    WEIR_TRY(read_list(site, "ksize", "ksize", rank, s.size));
    WEIR_TRY(read_explicit(site, &s));
    *out_slide = s;
    return WEIR_OK;
}

weir_status weir_slide_dim(const weir_slide *s, int dim, int64_t in, int64_t size,
                           int64_t *out_length, int64_t *out_before)
{
    *out_length = -1;
    *out_before = 0;
    int64_t stride = s->stride[dim], reach;
    if (stride <= 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "Stride must be > 0, but got %" PRId64, stride);
    if (in < 0 || (size < 0 && s->padding != WEIR_SAME))
        return WEIR_OK;
    if (__builtin_mul_overflow(size - 1, s->dilation[dim], &reach) || reach >= INT64_MAX / 4)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "a window of %" PRId64 " with dilation %" PRId64 " is too large", size,
                          s->dilation[dim]);
    reach++;
    if (s->padding == WEIR_SAME) {
        int64_t length = in / stride + (in % stride != 0);
        int64_t pad = size < 0 ? 0 : (length - 1) * stride + reach - in;
        *out_length = length;
        *out_before = pad > 0 ? pad / 2 : 0;
        return WEIR_OK;
    }
    int64_t padded = in + s->before[dim] + s->after[dim];
    int64_t length = (padded - reach + stride) / stride;
    if (s->building && padded < reach)
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
    *out_before = s->before[dim];
    return WEIR_OK;
}

weir_shape weir_shape_channels_last(const weir_shape *s, weir_format f)
{
    if (f.last || s->rank < 0)
        return *s;
    weir_shape out = *s;
    for (int d = 1; d + 1 < s->rank; d++)
        out.dims[d] = s->dims[d + 1];
    out.dims[s->rank - 1] = s->dims[1];
    return out;
}

/* to[j][i] = from[i][j], by squares that stay in the cache. */
static void turn(size_t size, int64_t rows, int64_t cols, const char *from, char *to)
{
    enum { SIDE = 16 };
    for (int64_t i0 = 0; i0 < rows; i0 += SIDE)
        for (int64_t j0 = 0; j0 < cols; j0 += SIDE)
            for (int64_t i = i0; i < rows && i < i0 + SIDE; i++)
                for (int64_t j = j0; j < cols && j < j0 + SIDE; j++)
                    memcpy(to + (size_t)(j * rows + i) * size, from + (size_t)(i * cols + j) * size,
                           size);
}

static void turn_images(const weir_tensor *t, int64_t rows, int64_t cols, weir_tensor *to)
{
    size_t size = weir_dtype_size(t->dtype), image = (size_t)(rows * cols) * size;
    for (int64_t n = 0; n < t->shape.dims[0]; n++)
        turn(size, rows, cols, (const char *)t->data + (size_t)n * image,
             (char *)to->data + (size_t)n * image);
}

weir_status weir_to_channels_last(const weir_tensor *t, weir_tensor *out_tensor)
{
    weir_shape shape = weir_shape_channels_last(&t->shape, (weir_format){t->shape.rank - 2, false});
    WEIR_TRY(weir_tensor_alloc(t->dtype, &shape, out_tensor));
    turn_images(t, t->shape.dims[1], weir_shape_product(&t->shape, 2, t->shape.rank), out_tensor);
    return WEIR_OK;
}

void weir_from_channels_last(const weir_tensor *t, weir_tensor *to)
{
    int last = t->shape.rank - 1;
    turn_images(t, weir_shape_product(&t->shape, 1, last), t->shape.dims[last], to);
}

weir_status weir_infer_image_sizes(weir_infer *i, int in, int rank, weir_shape *out_shape)
{
    WEIR_TRY(weir_infer_value_as_shape(i, in, out_shape));
    if (out_shape->rank >= 0 && out_shape->rank != rank)
        return weir_error(WEIR_INVALID_ARGUMENT, "%s: input %d must have %d elements, but has %d",
                          i->site->def->name, in, rank, out_shape->rank);
    if (out_shape->rank < 0) {
        out_shape->rank = rank;
        for (int d = 0; d < rank; d++)
            out_shape->dims[d] = -1;
    }
    return WEIR_OK;
}
