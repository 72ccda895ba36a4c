/* ops/device/conv.c - convolutions: by the vendor's library, or by im2col and matrix
 * products. */
#include <string.h>

#include "math/binary/binary.h"
#include "ops/device/device_impl.h"
#include "ops/nn/conv.h"

/* ---- convolutions: the matrix of patches, some images at a time, times the filter ---- */

typedef struct convolving {
    weir_patches p;
    weir_elem elem;
    int64_t out_c, filter_c, width, step; /* of a row of patches; images per product */
    int64_t image;                        /* bytes of an image's patch matrix */
    bool plain;                           /* a patch is one pixel: the image is the matrix */
    weir_buffer *rows;
} convolving;

enum { ROWS_BYTES = 1 << 30 };

static weir_status plan_patches(weir_call *call, const weir_shape *in, const weir_shape *filter,
                                convolving *out)
{
    weir_conv_plan plan;
    bool depthwise = strncmp(call->site->op->name, "Depthwise", 9) == 0;
    WEIR_TRY(weir_conv_plan_make(call->site, false, in, filter, depthwise, &plan));
    const weir_conv *conv = &plan.conv;
    *out = (convolving){.p = {.batch = conv->batch, .channels = conv->in_c},
                        .out_c = conv->out_c,
                        .filter_c = depthwise ? 1 : conv->filter_c};
    for (int d = 0; d < 2; d++) {
        out->p.in[d] = conv->in[d + 1];
        out->p.out[d] = conv->out[d + 1];
        out->p.taps[d] = conv->taps[d + 1];
        out->p.stride[d] = conv->stride[d + 1];
        out->p.dilation[d] = conv->dilation[d + 1];
        out->p.pad[d] = conv->pad[d + 1];
    }
    out->elem = weir_elem_of(weir_out(call, 0)->dtype);
    out->width = conv->taps[1] * conv->taps[2] * out->filter_c;
    out->plain = conv->taps[1] * conv->taps[2] == 1 && conv->stride[1] == 1 &&
                 conv->stride[2] == 1 && !conv->pad[1] && !conv->pad[2] &&
                 out->filter_c == conv->in_c && conv->in[1] == conv->out[1] &&
                 conv->in[2] == conv->out[2];
    out->image = conv->out[1] * conv->out[2] * out->width * weir_elem_size(out->elem);
    int64_t fit = out->image ? ROWS_BYTES / out->image : conv->batch;
    out->step = out->plain || fit > conv->batch ? conv->batch : fit < 1 ? 1 : fit;
    out->step = out->step < 1 ? 1 : out->step;
    return WEIR_OK;
}

/* The images from |first| on that one product covers. */
static weir_patches part_of(const convolving *c, int64_t first)
{
    weir_patches part = c->p;
    part.batch = c->p.batch - first < c->step ? c->p.batch - first : c->step;
    return part;
}

static void *at_image(const convolving *c, void *data, int64_t first, int64_t pixels,
                      int64_t channels)
{
    return (char *)data + first * pixels * channels * weir_elem_size(c->elem);
}
static void *input_at(const convolving *c, void *data, int64_t first)
{
    return at_image(c, data, first, c->p.in[0] * c->p.in[1], c->p.channels);
}
static void *output_at(const convolving *c, void *data, int64_t first)
{
    return at_image(c, data, first, c->p.out[0] * c->p.out[1], c->out_c);
}

static weir_status take_patches(weir_call *call, const convolving *c, const weir_patches *part,
                                void *image)
{
    weir_patches p = *part;
    weir_images images = {.elem = c->elem,
                          .quad = weir_device_quad(c->elem, p.channels, (uintptr_t)image)};
    p.channels /= images.quad;
    int64_t items = p.batch * p.out[0] * p.out[1] * p.taps[0] * p.taps[1] * p.channels;
    return WEIR_CHANNELS(call, &images, "image_rows", items, WEIR_GPU_AT(image),
                         WEIR_GPU_AT(c->rows->data), VALUE(p));
}

static weir_status conv_forward(weir_call *call, const convolving *c, void *x, const void *w,
                                void *y)
{
    for (int64_t first = 0; first < c->p.batch; first += c->step) {
        weir_patches part = part_of(c, first);
        void *image = input_at(c, x, first);
        if (!c->plain)
            WEIR_TRY(take_patches(call, c, &part, image));
        weir_gpu_product product = {.elem = (int)c->elem,
                                    .m = part.batch * part.out[0] * part.out[1],
                                    .n = c->out_c,
                                    .k = c->width,
                                    .batch = 1,
                                    .a = c->plain ? image : c->rows->data,
                                    .b = w,
                                    .c = output_at(c, y, first)};
        WEIR_TRY(weir_gpu_unit_product(weir_unit_of(call), &product));
    }
    return WEIR_OK;
}

static weir_status conv_grad_x(weir_call *call, const convolving *c, void *dy, const void *w,
                               void *dx)
{
    for (int64_t first = 0; first < c->p.batch; first += c->step) {
        weir_patches part = part_of(c, first);
        void *image = input_at(c, dx, first);
        weir_gpu_product product = {.elem = (int)c->elem,
                                    .m = part.batch * part.out[0] * part.out[1],
                                    .n = c->width,
                                    .k = c->out_c,
                                    .batch = 1,
                                    .b_transposed = true,
                                    .a = output_at(c, dy, first),
                                    .b = w,
                                    .c = c->plain ? image : c->rows->data};
        int64_t items = part.batch * part.in[0] * part.in[1] * part.channels;
        WEIR_TRY(weir_gpu_unit_product(weir_unit_of(call), &product));
        if (!c->plain)
            WEIR_TRY(WEIR_LAYER(call, c->elem, "image_of_patches", items,
                                WEIR_GPU_AT(c->rows->data), WEIR_GPU_AT(image), VALUE(part)));
    }
    return WEIR_OK;
}

static weir_status conv_grad_w(weir_call *call, const convolving *c, void *x, void *dy, void *dw,
                               void *spare)
{
    int64_t count = c->width * c->out_c;
    for (int64_t first = 0; first < c->p.batch; first += c->step) {
        weir_patches part = part_of(c, first);
        void *image = input_at(c, x, first);
        if (!c->plain)
            WEIR_TRY(take_patches(call, c, &part, image));
        weir_gpu_product product = {.elem = (int)c->elem,
                                    .m = c->width,
                                    .n = c->out_c,
                                    .k = part.batch * part.out[0] * part.out[1],
                                    .batch = 1,
                                    .a_transposed = true,
                                    .a = c->plain ? image : c->rows->data,
                                    .b = output_at(c, dy, first),
                                    .c = first ? spare : dw};
        WEIR_TRY(weir_gpu_unit_product(weir_unit_of(call), &product));
        if (first)
            WEIR_TRY(weir_device_binary(call, WEIR_B_add, c->elem, count, dw, 1, spare, 1, dw));
    }
    return WEIR_OK;
}

/* ---- grouped convolutions without a library -------------------------------------------------- */

static bool is_grouped(const convolving *c)
{
    return c->filter_c != c->p.channels;
}

static weir_status run_groups(weir_call *call, const convolving *c, const char *kernel,
                              int64_t items, const void *first, const void *second, void *result)
{
    return WEIR_LAYER(call, c->elem, kernel, items, WEIR_GPU_AT(first), WEIR_GPU_AT(second),
                      WEIR_GPU_AT(result), VALUE(c->p), VALUE(c->filter_c), VALUE(c->out_c));
}

/* ---- convolutions: the vendor's library, if it supports them --------------------------------- */

typedef struct epilogue {
    const void *bias; /* null: none */
    bool relu;
} epilogue;

/* Transposes a matrix of |rows| x |columns|: filters have their outputs last here and first
 * there. */
static weir_status exchange(weir_call *call, weir_elem elem, int64_t rows, int64_t columns,
                            const void *from, void *to)
{
    weir_memory_walk walk = {
        .rank = 2, .dims = {columns, rows}, .to = {rows, 1}, .from = {1, columns}};
    return call->site->memory->walk(call->site->memory, weir_elem_size(elem), to, from, &walk);
}

static weir_status run_library(weir_call *call, const convolving *c, weir_gpu_pass pass, void *x,
                               void *w, void *y, void *filter, epilogue then)
{
    const weir_patches *p = &c->p;
    weir_gpu_convolution work = {.elem = (int)c->elem,
                                 .pass = pass,
                                 .batch = p->batch,
                                 .channels = p->channels,
                                 .filter_c = c->filter_c,
                                 .out_c = c->out_c,
                                 .in = {p->in[0], p->in[1]},
                                 .out = {p->out[0], p->out[1]},
                                 .taps = {p->taps[0], p->taps[1]},
                                 .stride = {p->stride[0], p->stride[1]},
                                 .dilation = {p->dilation[0], p->dilation[1]},
                                 .pad = {p->pad[0], p->pad[1]},
                                 .relu = then.relu,
                                 .bias = then.bias,
                                 .x = x,
                                 .w = filter,
                                 .y = y};
    if (pass != WEIR_GPU_GRAD_W)
        WEIR_TRY(exchange(call, c->elem, c->width, c->out_c, w, filter));
    WEIR_TRY(weir_gpu_unit_convolve(weir_unit_of(call), &work));
    return pass == WEIR_GPU_GRAD_W ? exchange(call, c->elem, c->out_c, c->width, filter, w)
                                   : WEIR_OK;
}

/* True when it was computed (or failed permanently, with |out_status|). */
static bool try_library(weir_call *call, const convolving *c, weir_gpu_pass pass, void *x, void *w,
                        void *y, epilogue then, weir_status *out_status)
{
    weir_buffer *filter;
    if (!weir_unit_of(call)->driver->convolve || c->plain || !c->p.batch || !c->width ||
        !c->out_c || !c->p.out[0] || !c->p.out[1])
        return false;
    *out_status =
        weir_device_scratch(call, (size_t)(c->width * c->out_c * weir_elem_size(c->elem)), &filter);
    if (*out_status)
        return true;
    *out_status = run_library(call, c, pass, x, w, y, filter->data, then);
    weir_buffer_release(filter);
    if (weir_status_code(*out_status) != WEIR_UNIMPLEMENTED)
        return true;
    weir_status_free(*out_status);
    *out_status = WEIR_OK;
    return false;
}

static weir_status take_rows(weir_call *call, convolving *c)
{
    return c->plain ? WEIR_OK : weir_device_scratch(call, (size_t)(c->step * c->image), &c->rows);
}

static weir_status convolve(weir_call *call, const weir_tensor *x, const weir_tensor *w,
                            convolving *c, void *y)
{
    if (is_grouped(c))
        return run_groups(call, c, "group_conv", c->p.batch * c->p.out[0] * c->p.out[1] * c->out_c,
                          x->data, w->data, y);
    WEIR_TRY(take_rows(call, c));
    weir_status status = conv_forward(call, c, x->data, w->data, y);
    weir_buffer_release(c->rows);
    return status;
}

weir_status weir_device_conv(weir_call *call)
{
    const weir_tensor *x = weir_in(call, 0), *w = weir_in(call, 1);
    convolving c = {0};
    WEIR_TRY(plan_patches(call, &x->shape, &w->shape, &c));
    void *y = weir_out(call, 0)->data;
    weir_status status = WEIR_OK;
    if (try_library(call, &c, WEIR_GPU_FORWARD, x->data, w->data, y, (epilogue){0}, &status))
        return status;
    return convolve(call, x, w, &c, y);
}

/* A 1x1 filter: a matrix product, with the bias if the library supports that. */
static weir_status multiply(weir_call *call, const convolving *c, const weir_tensor *x,
                            const weir_tensor *w, void *y, epilogue then)
{
    weir_gpu_product product = {.elem = (int)c->elem,
                                .m = c->p.batch * c->p.out[0] * c->p.out[1],
                                .n = c->out_c,
                                .k = c->width,
                                .batch = 1,
                                .a = x->data,
                                .b = w->data,
                                .c = y,
                                .bias = then.bias,
                                .relu = then.relu};
    return weir_gpu_unit_product(weir_unit_of(call), &product);
}

weir_status weir_device_conv_bias(weir_call *call)
{
    const weir_tensor *x = weir_in(call, 0), *w = weir_in(call, 1), *bias = weir_in(call, 2);
    const weir_tensor *y = weir_out(call, 0);
    convolving c = {0};
    bool relu = weir_site_bool(call->site, weir_opdef_attr(call->site->def, "relu"));
    epilogue then = {bias->data, relu};
    WEIR_TRY(plan_patches(call, &x->shape, &w->shape, &c));
    if (weir_tensor_count(bias) != c.out_c)
        return weir_error(WEIR_INVALID_ARGUMENT, "_ConvBias: a bias of %s for a filter of %s",
                          WEIR_SHAPE_STR(&bias->shape), WEIR_SHAPE_STR(&w->shape));
    weir_status status = c.plain ? multiply(call, &c, x, w, y->data, then) : WEIR_OK;
    if (c.plain && weir_status_code(status) != WEIR_UNIMPLEMENTED)
        return status;
    weir_status_free(status);
    status = WEIR_OK;
    if (try_library(call, &c, WEIR_GPU_FORWARD, x->data, w->data, y->data, then, &status))
        return status;
    if (!try_library(call, &c, WEIR_GPU_FORWARD, x->data, w->data, y->data, (epilogue){0}, &status))
        status = convolve(call, x, w, &c, y->data);
    return status ? status : weir_device_add_bias(call, y, bias, y, relu);
}

weir_status weir_device_conv_grad_x(weir_call *call)
{
    const weir_tensor *w = weir_in(call, 1), *dy = weir_in(call, 2), *dx = weir_out(call, 0);
    convolving c = {0};
    WEIR_TRY(plan_patches(call, &dx->shape, &w->shape, &c));
    weir_status status = WEIR_OK;
    if (try_library(call, &c, WEIR_GPU_GRAD_X, dx->data, w->data, dy->data, (epilogue){0}, &status))
        return status;
    if (is_grouped(&c))
        return run_groups(call, &c, "group_conv_grad_x", weir_tensor_count(dx), dy->data, w->data,
                          dx->data);
    WEIR_TRY(take_rows(call, &c));
    status = conv_grad_x(call, &c, dy->data, w->data, dx->data);
    weir_buffer_release(c.rows);
    return status;
}

/* With so many channels im2col and a product are faster than the library's filter gradient,
 * although the matrix is written first. */
static bool is_deep(const convolving *c)
{
    enum { DEEP_IN = 512, DEEP_OUT = 1024, LEAST_PIXELS = 8192 };
    int64_t pixels = c->p.batch * c->p.out[0] * c->p.out[1];
    return c->elem == WEIR_E_f32 && !is_grouped(c) && c->filter_c >= DEEP_IN &&
           c->out_c >= DEEP_OUT && pixels >= LEAST_PIXELS;
}

weir_status weir_device_conv_grad_w(weir_call *call)
{
    const weir_tensor *x = weir_in(call, 0), *dy = weir_in(call, 2), *dw = weir_out(call, 0);
    convolving c = {0};
    weir_buffer *spare = NULL;
    WEIR_TRY(plan_patches(call, &x->shape, &dw->shape, &c));
    weir_status status = WEIR_OK;
    if (!is_deep(&c) &&
        try_library(call, &c, WEIR_GPU_GRAD_W, x->data, dw->data, dy->data, (epilogue){0}, &status))
        return status;
    if (is_grouped(&c))
        return run_groups(call, &c, "group_conv_grad_w", weir_tensor_count(dw), x->data, dy->data,
                          dw->data);
    status = weir_device_scratch(call, weir_tensor_bytes(dw), &spare);
    if (!status)
        status = take_rows(call, &c);
    if (!status && c.p.batch == 0)
        status = call->site->memory->clear(call->site->memory, dw->data, weir_tensor_bytes(dw));
    if (!status)
        status = conv_grad_w(call, &c, x->data, dy->data, dw->data, spare->data);
    weir_buffer_release(c.rows);
    weir_buffer_release(spare);
    return status;
}
