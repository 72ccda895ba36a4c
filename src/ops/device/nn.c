/* ops/device/nn.c - products and softmax. */
#include "ops/common/elements.h"
#include "ops/device/device_impl.h"

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

/* The shape of an operand broadcast to the result's batch. */
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

static weir_status clear_all(const weir_call *call, const weir_tensor *tensor)
{
    size_t bytes = weir_tensor_bytes(tensor);
    weir_memory *memory = call->site->memory;
    return bytes ? memory->clear(memory, tensor->data, bytes) : WEIR_OK;
}

weir_status weir_device_cross_entropy(weir_call *call)
{
    const weir_tensor *loss = weir_out(call, 0), *grad = weir_out(call, 1);
    weir_tensor x, labels;
    int64_t rows, length;
    rows_of(grad, &rows, &length);
    if (!length) /* no classes: the loss is empty */
        return clear_all(call, loss);
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
    int32_t kind = weir_device_index_kind(labels->dtype);
    rows_of(x, &rows, &length);
    if (!length)
        return clear_all(call, loss);
    return WEIR_LAYER(call, weir_elem_of(x->dtype), "sparse_cross_entropy", rows * WEIR_GPU_LANES,
                      AT(x), AT(labels), AT(loss), AT(grad), VALUE(rows), VALUE(length),
                      VALUE(kind));
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
