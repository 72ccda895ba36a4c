/* ops/array/extract_patches.c - ExtractImagePatches, ExtractVolumePatches: every window
 * concatenated along the channels.
 *
 * Images are treated as volumes with one plane.
 */
#include "base/arith.h"
#include "ops/common/elements.h"
#include "ops/common/grads.h"
#include "ops/common/infer_util.h"

/* One spatial axis: the windows along it. */
typedef struct axis {
    int64_t in, out, size, stride, rate, before;
} axis;

typedef struct windows {
    axis at[3];
    bool known; /* all of them */
} windows;

/* Windows along an axis of |in| elements, as convolutions count them. */
static weir_status make_axis(int64_t in, int64_t size, int64_t stride, int64_t rate, bool same,
                             axis *out)
{
    if (size < 1 || stride < 1 || rate < 1)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "ksizes, strides and rates must be positive, got %" PRId64 ", %" PRId64
                          " and %" PRId64,
                          size, stride, rate);
    int64_t span = (size - 1) * rate + 1;
    *out = (axis){.in = in, .out = -1, .size = size, .stride = stride, .rate = rate};
    if (in < 0)
        return WEIR_OK;
    out->out = same ? weir_ceil_div(in, stride) : (in - span + stride) / stride;
    if (out->out < 0)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Computed output size would be negative: %" PRId64
                          " [input_size: %" PRId64 ", effective_filter_size: %" PRId64
                          ", stride: %" PRId64 "]",
                          out->out, in, span, stride);
    int64_t pad = (out->out - 1) * stride + span - in;
    out->before = same && pad > 0 ? pad / 2 : 0;
    return WEIR_OK;
}

/* |rates| may be null. |rank| is 4 or 5; an image becomes a volume with one plane. */
static weir_status make_windows(const weir_shape *x, int rank, const weir_attr *sizes,
                                const weir_attr *strides, const weir_attr *rates, weir_str padding,
                                windows *windows)
{
    bool same = weir_str_is(padding, "SAME");
    if (sizes->count != rank || strides->count != rank || (rates && rates->count != rank))
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "ksizes, strides and rates must have %d values each", rank);
    if (sizes->is[0] != 1 || sizes->is[rank - 1] != 1 || strides->is[0] != 1 ||
        strides->is[rank - 1] != 1)
        return weir_error(WEIR_UNIMPLEMENTED, "Only support ksizes and strides across space.");
    windows->known = true;
    windows->at[0] = (axis){.in = 1, .out = 1, .size = 1, .stride = 1, .rate = 1};
    for (int dim = 1; dim < rank - 1; dim++) {
        axis *axis = &windows->at[dim - 1 + (5 - rank)];
        WEIR_TRY(make_axis(x->rank < 0 ? -1 : x->dims[dim], sizes->is[dim], strides->is[dim],
                           rates ? rates->is[dim] : 1, same, axis));
        windows->known &= axis->out >= 0;
    }
    return WEIR_OK;
}

enum { KSIZES, STRIDES };
enum { IMAGE_RATES = 2, IMAGE_PADDING = 4, VOLUME_PADDING = 3 };

static weir_status windows_of(const weir_site *site, const weir_shape *x, windows *windows)
{
    bool image = site->def->attr_count > IMAGE_PADDING;
    return make_windows(x, image ? 4 : 5, weir_site_list(site, KSIZES),
                        weir_site_list(site, STRIDES),
                        image ? weir_site_list(site, IMAGE_RATES) : NULL,
                        weir_site_str(site, image ? IMAGE_PADDING : VOLUME_PADDING), windows);
}

static weir_status infer(weir_infer *infer)
{
    int rank = infer->site->def->attr_count > IMAGE_PADDING ? 4 : 5;
    const weir_shape *x = infer->in[0];
    windows windows;
    WEIR_TRY(weir_infer_rank(infer, 0, rank));
    WEIR_TRY(windows_of(infer->site, x, &windows));
    weir_shape out = weir_shape_of_rank(rank);
    int64_t per_window = windows.at[0].size * windows.at[1].size * windows.at[2].size;
    if (x->rank >= 0) {
        out.dims[0] = x->dims[0];
        WEIR_TRY(weir_dim_mul(x->dims[rank - 1], per_window, &out.dims[rank - 1]));
    }
    for (int axis = 1; axis < rank - 1; axis++)
        out.dims[axis] = windows.at[axis - 1 + (5 - rank)].out;
    infer->out[0] = out;
    return WEIR_OK;
}

typedef struct patch_work {
    windows w;
    const weir_tensor *x;
    weir_tensor *y;
    int64_t channels;
} patch_work;

/* One element of a window: its channels, or zeros outside the volume. */
static void copy_element(const patch_work *work, char *dst, int64_t batch, const int64_t at[3])
{
    const axis *axes = work->w.at;
    int64_t row = batch;
    bool inside = true;
    for (int axis = 0; axis < 3; axis++) {
        inside &= at[axis] >= 0 && at[axis] < axes[axis].in;
        row = row * axes[axis].in + at[axis];
    }
    if (inside)
        weir_elements_copy(work->x->dtype, dst, weir_at(work->x, row * work->channels),
                           work->channels);
    else
        weir_elements_zero(work->x->dtype, dst, work->channels);
}

static void copy_window(const patch_work *work, char *dst, int64_t batch, const int64_t first[3])
{
    const axis *axes = work->w.at;
    int64_t bytes = work->channels * (int64_t)weir_dtype_size(work->x->dtype), at[3];
    for (int64_t i = 0; i < axes[0].size; i++)
        for (int64_t j = 0; j < axes[1].size; j++)
            for (int64_t k = 0; k < axes[2].size; k++, dst += bytes) {
                at[0] = first[0] + i * axes[0].rate;
                at[1] = first[1] + j * axes[1].rate;
                at[2] = first[2] + k * axes[2].rate;
                copy_element(work, dst, batch, at);
            }
}

static void copy_windows(void *ctx, int64_t begin, int64_t end)
{
    const patch_work *work = ctx;
    const axis *axes = work->w.at;
    int64_t depth = work->y->shape.dims[work->y->shape.rank - 1];
    for (int64_t n = begin; n < end; n++) {
        int64_t rest = n, first[3];
        for (int axis = 2; axis >= 0; axis--) {
            first[axis] = rest % axes[axis].out * axes[axis].stride - axes[axis].before;
            rest /= axes[axis].out;
        }
        copy_window(work, weir_at(work->y, n * depth), rest, first);
    }
}

static weir_status run(weir_call *call)
{
    patch_work work = {.x = weir_in(call, 0), .y = weir_out(call, 0)};
    const weir_shape *y = &work.y->shape;
    WEIR_TRY(windows_of(call->site, &work.x->shape, &work.w));
    work.channels = work.x->shape.dims[work.x->shape.rank - 1];
    if (weir_tensor_count(work.y) > 0)
        weir_par_for(&call->run->par, weir_shape_product(y, 0, y->rank - 1),
                     16384 / y->dims[y->rank - 1] + 1, copy_windows, &work);
    return WEIR_OK;
}

/* Extracting patches is a convolution with a filter that copies each element of a window to a
 * channel of its own, so dx is that convolution's gradient with respect to its input. */
static weir_status copying_filter(const int64_t *sizes, int64_t channels, weir_tensor *out)
{
    int64_t per_window = sizes[1] * sizes[2] * channels;
    weir_shape shape = {4, {sizes[1], sizes[2], channels, per_window}};
    WEIR_TRY(weir_tensor_alloc(WEIR_FLOAT, &shape, out));
    weir_tensor_zero(NULL, out);
    for (int64_t k = 0; k < per_window; k++)
        ((float *)out->data)[k * per_window + k] = 1;
    return WEIR_OK;
}

static weir_edge put_back(weir_grad *grad, weir_edge dy, weir_edge filter)
{
    if (weir_edge_dtype(dy) != WEIR_FLOAT)
        filter = weir_grad_op(grad, "Cast", WEIR_IN(filter),
                              WEIR_ATTRS(weir_a_type("DstT", weir_edge_dtype(dy))));
    weir_named_attr dilations = weir_grad_attr(grad, "rates");
    dilations.name = "dilations";
    return weir_grad_op(
        grad, "Conv2DBackpropInput",
        WEIR_IN(weir_grad_shape_of(grad, weir_grad_x(grad, 0)), filter, dy),
        WEIR_ATTRS(weir_grad_attr(grad, "strides"), weir_grad_attr(grad, "padding"), dilations));
}

static weir_status image_grad(weir_grad *grad)
{
    const weir_site *site = weir_grad_site(grad);
    const weir_shape *x = weir_edge_shape(weir_grad_node(grad)->in[0]);
    const weir_attr *sizes = weir_site_list(site, KSIZES);
    weir_tensor eye;
    if (x->rank != 4 || x->dims[3] < 0)
        return weir_error(WEIR_UNIMPLEMENTED,
                          "The gradient of ExtractImagePatches needs a known number of channels");
    WEIR_TRY(copying_filter(sizes->is, x->dims[3], &eye));
    weir_edge dy = weir_grad_dy(grad, 0), filter = weir_grad_const(grad, eye);
    if (!weir_dtype_is_complex(weir_edge_dtype(dy))) {
        weir_grad_set(grad, 0, put_back(grad, dy, filter));
        return WEIR_OK;
    }
    weir_dtype part = weir_edge_dtype(dy) == WEIR_COMPLEX64 ? WEIR_FLOAT : WEIR_DOUBLE;
    weir_named_attr as = weir_a_type("Tout", part);
    weir_edge re = weir_grad_op(grad, "Real", WEIR_IN(dy), WEIR_ATTRS(as));
    weir_edge im = weir_grad_op(grad, "Imag", WEIR_IN(dy), WEIR_ATTRS(as));
    as = weir_a_type("Tout", weir_edge_dtype(dy));
    weir_grad_set(grad, 0,
                  weir_grad_op(grad, "Complex",
                               WEIR_IN(put_back(grad, re, filter), put_back(grad, im, filter)),
                               WEIR_ATTRS(as)));
    return WEIR_OK;
}

const weir_op weir_op_extract_image_patches = {
    .name = "ExtractImagePatches",
    .in = "images: T",
    .out = "patches: T",
    .attrs = "ksizes: list(int) >= 4; strides: list(int) >= 4; rates: list(int) >= 4; "
             "T: {bfloat16, half, float, double, int8, int16, int32, int64, uint8, uint16, uint32, "
             "uint64, complex64, complex128, bool}; padding: {'SAME', 'VALID'}",
    .infer = infer,
    .grad = image_grad,
    .kernels = {{WEIR_CPU, "*", run}},
};

const weir_op weir_op_extract_volume_patches = {
    .name = "ExtractVolumePatches",
    .in = "input: T",
    .out = "patches: T",
    .attrs =
        "ksizes: list(int) >= 5; strides: list(int) >= 5; T: {float, double, int32, uint8, "
        "int16, int8, int64, bfloat16, uint16, half, uint32, uint64}; padding: {'SAME', 'VALID'}",
    .infer = infer,
    .kernels = {{WEIR_CPU, "*", run}},
};
