/* ops/device/nn.c - products, convolutions, pools, biases, softmax. */
#include "math/binary/binary.h"
#include "math/reduce/reduce.h"
#include "ops/common/elements.h"
#include "ops/device/device_impl.h"
#include "ops/nn/conv.h"
#include "ops/nn/pool.h"

/* ---- products ---- */

weir_status weir_device_mat_mul(weir_call *call)
{
    const weir_tensor *a = weir_in(call, 0), *b = weir_in(call, 1), *c = weir_out(call, 0);
    bool ta = weir_site_bool(call->site, 0), tb = weir_site_bool(call->site, 1);
    weir_gpu_product product = {.elem = (int)weir_elem_of(c->dtype),
                                .m = a->shape.dims[ta],
                                .n = b->shape.dims[1 - tb],
                                .k = a->shape.dims[1 - ta],
                                .batch = 1,
                                .a_transposed = ta,
                                .b_transposed = tb,
                                .a = a->data,
                                .b = b->data,
                                .c = c->data};
    return weir_gpu_unit_product(weir_unit_of(call), &product);
}

/* The shape of an operand with the result's batch. */
static weir_shape with_batch(const weir_shape *batch, const weir_shape *matrix)
{
    weir_shape shape = *batch;
    shape.dims[shape.rank - 2] = matrix->dims[matrix->rank - 2];
    shape.dims[shape.rank - 1] = matrix->dims[matrix->rank - 1];
    return shape;
}

weir_status weir_device_batch_mat_mul(weir_call *call)
{
    const weir_tensor *c = weir_out(call, 0);
    weir_tensor a, b;
    weir_shape shape = with_batch(&c->shape, &weir_in(call, 0)->shape);
    bool ta = weir_site_bool(call->site, weir_opdef_attr(call->site->def, "adj_x"));
    bool tb = weir_site_bool(call->site, weir_opdef_attr(call->site->def, "adj_y"));
    WEIR_TRY(weir_device_expand(call, weir_in(call, 0), &shape, &a));
    shape = with_batch(&c->shape, &weir_in(call, 1)->shape);
    weir_status status = weir_device_expand(call, weir_in(call, 1), &shape, &b);
    if (status) {
        weir_tensor_release(&a);
        return status;
    }
    int last = c->shape.rank - 1;
    int64_t m = c->shape.dims[last - 1], n = c->shape.dims[last];
    int64_t k = a.shape.dims[ta ? last - 1 : last];
    weir_gpu_product product = {.elem = (int)weir_elem_of(c->dtype),
                                .m = m,
                                .n = n,
                                .k = k,
                                .batch = weir_shape_product(&c->shape, 0, last - 1),
                                .a_transposed = ta,
                                .b_transposed = tb,
                                .a = a.data,
                                .b = b.data,
                                .c = c->data,
                                .a_step = m * k,
                                .b_step = k * n,
                                .c_step = m * n};
    status = weir_gpu_unit_product(weir_unit_of(call), &product);
    weir_tensor_release(&a);
    weir_tensor_release(&b);
    return status;
}

/* ---- convolutions: the matrix of patches, some images at a time, times the filter ---- */

typedef struct patches { /* as in layers.cl */
    int64_t batch, channels, in[2], out[2], taps[2], stride[2], dilation[2], pad[2];
} patches;

typedef struct convolving {
    patches p;
    weir_elem elem;
    int64_t out_c, width, step; /* of a row of patches; images at a time */
    int64_t image;              /* bytes of an image's patches */
    bool plain;                 /* a patch is a pixel: the image is the matrix */
    weir_buffer *rows;
} convolving;

enum { ROWS_BYTES = 1 << 28 };

static weir_status plan_patches(weir_call *call, const weir_shape *in, const weir_shape *filter,
                                convolving *out)
{
    weir_conv_plan plan;
    WEIR_TRY(weir_conv_plan_make(call->site, false, in, filter, false, &plan));
    const weir_conv *conv = &plan.conv;
    if (conv->filter_c != conv->in_c)
        return weir_error(WEIR_UNIMPLEMENTED, "%s with groups of channels on a device",
                          call->site->op->name);
    *out = (convolving){.p = {.batch = conv->batch, .channels = conv->in_c}, .out_c = conv->out_c};
    for (int d = 0; d < 2; d++) {
        out->p.in[d] = conv->in[d + 1];
        out->p.out[d] = conv->out[d + 1];
        out->p.taps[d] = conv->taps[d + 1];
        out->p.stride[d] = conv->stride[d + 1];
        out->p.dilation[d] = conv->dilation[d + 1];
        out->p.pad[d] = conv->pad[d + 1];
    }
    out->elem = weir_elem_of(weir_out(call, 0)->dtype);
    out->width = conv->taps[1] * conv->taps[2] * conv->in_c;
    out->plain = conv->taps[1] * conv->taps[2] == 1 && conv->stride[1] == 1 &&
                 conv->stride[2] == 1 && !conv->pad[1] && !conv->pad[2] &&
                 conv->in[1] == conv->out[1] && conv->in[2] == conv->out[2];
    out->image = conv->out[1] * conv->out[2] * out->width * weir_elem_size(out->elem);
    int64_t fit = out->image ? ROWS_BYTES / out->image : conv->batch;
    out->step = out->plain || fit > conv->batch ? conv->batch : fit < 1 ? 1 : fit;
    out->step = out->step < 1 ? 1 : out->step;
    return WEIR_OK;
}

/* The images from |first| on that one turn takes. */
static patches part_of(const convolving *c, int64_t first)
{
    patches part = c->p;
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

static weir_status take_patches(weir_call *call, const convolving *c, const patches *part,
                                void *image)
{
    int64_t items = part->batch * part->out[0] * part->out[1] * c->width;
    return WEIR_LAYER(call, c->elem, "patches_of_image", items, WEIR_GPU_AT(image),
                      WEIR_GPU_AT(c->rows->data), VALUE(*part));
}

static weir_status conv_forward(weir_call *call, const convolving *c, void *x, const void *w,
                                void *y)
{
    for (int64_t first = 0; first < c->p.batch; first += c->step) {
        patches part = part_of(c, first);
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
        patches part = part_of(c, first);
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
        patches part = part_of(c, first);
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

/* ---- convolutions: the maker's library, where it serves ---- */

/* A matrix of |rows| x |columns| with its dimensions exchanged: filters have their outputs last
 * here and first there. */
static weir_status exchange(weir_call *call, weir_elem elem, int64_t rows, int64_t columns,
                            const void *from, void *to)
{
    weir_memory_walk walk = {
        .rank = 2, .dims = {columns, rows}, .to = {rows, 1}, .from = {1, columns}};
    return call->site->memory->walk(call->site->memory, weir_elem_size(elem), to, from, &walk);
}

static weir_status run_library(weir_call *call, const convolving *c, weir_gpu_pass pass, void *x,
                               void *w, void *y, void *filter)
{
    const patches *p = &c->p;
    weir_gpu_convolution work = {.elem = (int)c->elem,
                                 .pass = pass,
                                 .batch = p->batch,
                                 .channels = p->channels,
                                 .out_c = c->out_c,
                                 .in = {p->in[0], p->in[1]},
                                 .out = {p->out[0], p->out[1]},
                                 .taps = {p->taps[0], p->taps[1]},
                                 .stride = {p->stride[0], p->stride[1]},
                                 .dilation = {p->dilation[0], p->dilation[1]},
                                 .pad = {p->pad[0], p->pad[1]},
                                 .x = x,
                                 .w = filter,
                                 .y = y};
    if (pass != WEIR_GPU_GRAD_W)
        WEIR_TRY(exchange(call, c->elem, c->width, c->out_c, w, filter));
    WEIR_TRY(weir_gpu_unit_convolve(weir_unit_of(call), &work));
    return pass == WEIR_GPU_GRAD_W ? exchange(call, c->elem, c->out_c, c->width, filter, w)
                                   : WEIR_OK;
}

/* True when it was computed (or failed for good, with |out_status|). */
static bool try_library(weir_call *call, const convolving *c, weir_gpu_pass pass, void *x, void *w,
                        void *y, weir_status *out_status)
{
    weir_buffer *filter;
    if (!weir_unit_of(call)->driver->convolve || c->plain || !c->p.batch)
        return false;
    size_t bytes = (size_t)(c->width * c->out_c * weir_elem_size(c->elem));
    *out_status = weir_device_scratch(call, bytes, &filter);
    if (*out_status)
        return true;
    *out_status = run_library(call, c, pass, x, w, y, filter->data);
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

weir_status weir_device_conv(weir_call *call)
{
    const weir_tensor *x = weir_in(call, 0), *w = weir_in(call, 1);
    convolving c = {0};
    WEIR_TRY(plan_patches(call, &x->shape, &w->shape, &c));
    void *y = weir_out(call, 0)->data;
    weir_status status = WEIR_OK;
    if (try_library(call, &c, WEIR_GPU_FORWARD, x->data, w->data, y, &status))
        return status;
    WEIR_TRY(take_rows(call, &c));
    status = conv_forward(call, &c, x->data, w->data, y);
    weir_buffer_release(c.rows);
    return status;
}

weir_status weir_device_conv_grad_x(weir_call *call)
{
    const weir_tensor *w = weir_in(call, 1), *dy = weir_in(call, 2), *dx = weir_out(call, 0);
    convolving c = {0};
    WEIR_TRY(plan_patches(call, &dx->shape, &w->shape, &c));
    weir_status status = WEIR_OK;
    if (try_library(call, &c, WEIR_GPU_GRAD_X, dx->data, w->data, dy->data, &status))
        return status;
    WEIR_TRY(take_rows(call, &c));
    status = conv_grad_x(call, &c, dy->data, w->data, dx->data);
    weir_buffer_release(c.rows);
    return status;
}

weir_status weir_device_conv_grad_w(weir_call *call)
{
    const weir_tensor *x = weir_in(call, 0), *dy = weir_in(call, 2), *dw = weir_out(call, 0);
    convolving c = {0};
    weir_buffer *spare = NULL;
    WEIR_TRY(plan_patches(call, &x->shape, &dw->shape, &c));
    weir_status status = WEIR_OK;
    if (try_library(call, &c, WEIR_GPU_GRAD_W, x->data, dw->data, dy->data, &status))
        return status;
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

/* ---- pools ---- */

static weir_status plan_pool(weir_call *call, const weir_shape *in, patches *out)
{
    weir_pool_plan plan;
    WEIR_TRY(weir_pool_plan_of_call(call, in, -1, &plan));
    const weir_window *window = &plan.window;
    *out = (patches){.batch = window->batch, .channels = window->channels, .dilation = {1, 1}};
    for (int d = 0; d < 2; d++) {
        out->in[d] = window->in[d + 1];
        out->out[d] = window->out[d + 1];
        out->taps[d] = window->size[d + 1];
        out->stride[d] = window->stride[d + 1];
        out->pad[d] = window->pad[d + 1];
    }
    return WEIR_OK;
}

static weir_status pool(weir_call *call, const char *kernel)
{
    const weir_tensor *x = weir_in(call, 0), *y = weir_out(call, 0);
    patches p;
    WEIR_TRY(plan_pool(call, &x->shape, &p));
    return WEIR_LAYER(call, weir_elem_of(x->dtype), kernel, weir_tensor_count(y), AT(x), AT(y),
                      VALUE(p));
}

weir_status weir_device_max_pool(weir_call *call)
{
    return pool(call, "max_pool");
}

weir_status weir_device_avg_pool(weir_call *call)
{
    return pool(call, "avg_pool");
}

weir_status weir_device_max_pool_grad(weir_call *call)
{
    const weir_tensor *x = weir_in(call, 0), *dy = weir_in(call, 2), *dx = weir_out(call, 0);
    patches p;
    WEIR_TRY(plan_pool(call, &x->shape, &p));
    return WEIR_LAYER(call, weir_elem_of(x->dtype), "max_pool_grad", weir_tensor_count(dx), AT(x),
                      AT(dy), AT(dx), VALUE(p));
}

weir_status weir_device_avg_pool_grad(weir_call *call)
{
    const weir_tensor *dy = weir_in(call, 1), *dx = weir_out(call, 0);
    patches p;
    WEIR_TRY(plan_pool(call, &dx->shape, &p));
    return WEIR_LAYER(call, weir_elem_of(dy->dtype), "avg_pool_grad", weir_tensor_count(dx), AT(dy),
                      AT(dx), VALUE(p));
}

/* ---- biases ---- */

weir_status weir_device_bias_add(weir_call *call)
{
    const weir_tensor *x = weir_in(call, 0), *bias = weir_in(call, 1), *y = weir_out(call, 0);
    int64_t count = weir_tensor_count(x), inner = 1, length = weir_tensor_count(bias);
    return WEIR_LAYER(call, weir_elem_of(x->dtype), "add_rows", count, AT(x), AT(bias), AT(y),
                      VALUE(count), VALUE(inner), VALUE(length));
}

weir_status weir_device_bias_add_grad(weir_call *call)
{
    const weir_tensor *dy = weir_in(call, 0), *db = weir_out(call, 0);
    int64_t channels = weir_tensor_count(db), count = weir_tensor_count(dy);
    if (!channels)
        return WEIR_OK;
    return weir_device_reduce(call, WEIR_R_sum, weir_elem_of(dy->dtype), 1, count / channels,
                              channels, dy->data, db->data);
}

/* ---- softmax ---- */

static void rows_of(const weir_tensor *x, int64_t *rows, int64_t *length)
{
    *length = x->shape.rank ? x->shape.dims[x->shape.rank - 1] : 1;
    *rows = *length ? weir_tensor_count(x) / *length : 0;
}

weir_status weir_device_softmax(weir_call *call)
{
    const weir_tensor *x = weir_in(call, 0), *y = weir_out(call, 0);
    int64_t rows, length;
    int32_t logs = strcmp(call->site->op->name, "LogSoftmax") == 0;
    rows_of(x, &rows, &length);
    return WEIR_LAYER(call, weir_elem_of(x->dtype), "softmax", rows * WEIR_GPU_LANES, AT(x), AT(y),
                      VALUE(rows), VALUE(length), VALUE(logs));
}

weir_status weir_device_cross_entropy(weir_call *call)
{
    const weir_tensor *loss = weir_out(call, 0), *grad = weir_out(call, 1);
    weir_tensor x, labels;
    int64_t rows, length;
    rows_of(grad, &rows, &length);
    WEIR_TRY(weir_device_expand(call, weir_in(call, 0), &grad->shape, &x));
    weir_status status = weir_device_expand(call, weir_in(call, 1), &grad->shape, &labels);
    if (!status) {
        status = WEIR_LAYER(call, weir_elem_of(grad->dtype), "cross_entropy", rows * WEIR_GPU_LANES,
                            AT(&x), AT(&labels), AT(loss), AT(grad), VALUE(rows), VALUE(length));
        weir_tensor_release(&labels);
    }
    weir_tensor_release(&x);
    return status;
}

weir_status weir_device_sparse_cross_entropy(weir_call *call)
{
    const weir_tensor *x = weir_in(call, 0), *labels = weir_in(call, 1);
    const weir_tensor *loss = weir_out(call, 0), *grad = weir_out(call, 1);
    int64_t rows, length;
    int32_t wide = labels->dtype == WEIR_INT64;
    rows_of(x, &rows, &length);
    return WEIR_LAYER(call, weir_elem_of(x->dtype), "sparse_cross_entropy", rows * WEIR_GPU_LANES,
                      AT(x), AT(labels), AT(loss), AT(grad), VALUE(rows), VALUE(length),
                      VALUE(wide));
}

/* ---- others ---- */

weir_status weir_device_leaky_relu(weir_call *call)
{
    const weir_tensor *x = weir_in(call, 0), *y = weir_out(call, 0);
    int64_t count = weir_tensor_count(x);
    float alpha = weir_site_float(call->site, weir_opdef_attr(call->site->def, "alpha"));
    return WEIR_LAYER(call, weir_elem_of(x->dtype), "leaky_relu", count, AT(x), AT(y), VALUE(count),
                      VALUE(alpha));
}

weir_status weir_device_leaky_relu_grad(weir_call *call)
{
    const weir_tensor *dy = weir_in(call, 0), *x = weir_in(call, 1), *dx = weir_out(call, 0);
    int64_t count = weir_tensor_count(x);
    float alpha = weir_site_float(call->site, weir_opdef_attr(call->site->def, "alpha"));
    return WEIR_LAYER(call, weir_elem_of(x->dtype), "leaky_relu_grad", count, AT(dy), AT(x), AT(dx),
                      VALUE(count), VALUE(alpha));
}

weir_status weir_device_l2_loss(weir_call *call)
{
    const weir_tensor *x = weir_in(call, 0), *y = weir_out(call, 0);
    int64_t count = weir_tensor_count(x);
    return WEIR_LAYER(call, weir_elem_of(x->dtype), "half_square_sum", 1, AT(x), AT(y),
                      VALUE(count));
}
