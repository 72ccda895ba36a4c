/* ops/device/arrays.c - fills, padding, gathers of rows. */
#include "ops/common/elements.h"
#include "ops/device/device_impl.h"

weir_status weir_device_zeros(weir_call *call)
{
    const weir_tensor *y = weir_out(call, 0);
    return call->site->memory->clear(call->site->memory, y->data, weir_tensor_bytes(y));
}

weir_status weir_device_ones(weir_call *call)
{
    const weir_tensor *y = weir_out(call, 0);
    static const float one = 1;
    static const double wide = 1;
    static const uint16_t half = 0x3c00, bfloat = 0x3f80;
    int64_t count = weir_tensor_count(y);
    const void *value = y->dtype == WEIR_HALF       ? (const void *)&half
                        : y->dtype == WEIR_BFLOAT16 ? (const void *)&bfloat
                        : y->dtype == WEIR_DOUBLE   ? (const void *)&wide
                                                    : (const void *)&one;
    weir_gpu_arg args[] = {AT(y), VALUE(count), {.at = value, .bytes = weir_dtype_size(y->dtype)}};
    weir_gpu_which which = {
        .family = WEIR_GPU_MOVE, .elem = weir_elem_of(y->dtype), .kernel = "move_fill"};
    return weir_gpu_unit_launch(weir_unit_of(call), &which, count, args, 3);
}

weir_status weir_device_fill(weir_call *call)
{
    const weir_tensor *y = weir_out(call, 0), *x = weir_in(call, 1);
    int64_t count = weir_tensor_count(y);
    if (x->buffer && !x->buffer->memory) { /* the value is in host memory */
        weir_gpu_arg args[] = {
            AT(y), VALUE(count), {.at = x->data, .bytes = weir_dtype_size(y->dtype)}};
        weir_gpu_which which = {
            .family = WEIR_GPU_MOVE, .elem = weir_elem_of(y->dtype), .kernel = "move_fill"};
        return weir_gpu_unit_launch(weir_unit_of(call), &which, count, args, 3);
    }
    return WEIR_LAYER(call, weir_elem_of(y->dtype), "repeat", count, AT(x), AT(y), VALUE(count));
}

weir_status weir_device_pad(weir_call *call)
{
    const weir_tensor *x = weir_in(call, 0), *paddings = weir_in(call, 1), *y = weir_out(call, 0);
    weir_memory *memory = call->site->memory;
    int64_t xs[WEIR_MAX_RANK], ys[WEIR_MAX_RANK], at = 0;
    weir_ndcopy copy = {0};
    WEIR_TRY(memory->clear(memory, y->data, weir_tensor_bytes(y)));
    weir_shape_strides(&x->shape, xs);
    weir_shape_strides(&y->shape, ys);
    for (int axis = 0; axis < x->shape.rank; axis++) {
        at += weir_int_at(paddings, 2 * axis) * ys[axis];
        weir_ndcopy_add(&copy, x->shape.dims[axis], ys[axis], xs[axis]);
    }
    weir_memory_scope scope = {.memory = memory};
    weir_memory_current = &scope;
    weir_ndcopy_run(NULL, x->dtype, (char *)y->data + at * (int64_t)weir_dtype_size(x->dtype),
                    x->data, &copy);
    weir_memory_current = NULL;
    return scope.failed;
}

weir_status weir_device_gather(weir_call *call)
{
    const weir_tensor *x = weir_in(call, 0), *indices = weir_in(call, 1), *y = weir_out(call, 0);
    int64_t axis = call->site->in_count > 2 ? weir_int_at(weir_in(call, 2), 0) : 0;
    int attr = weir_opdef_attr(call->site->def, "batch_dims");
    int64_t dims = attr < 0 ? 0 : weir_site_int(call->site, attr);
    int at = (int)(axis < 0 ? axis + x->shape.rank : axis);
    int first = (int)(dims < 0 ? dims + indices->shape.rank : dims);
    int64_t batch = weir_shape_product(&x->shape, 0, first);
    int64_t outer = weir_shape_product(&x->shape, first, at), limit = x->shape.dims[at];
    int64_t count = weir_shape_product(&indices->shape, first, indices->shape.rank);
    int64_t run = weir_shape_product(&x->shape, at + 1, x->shape.rank);
    int32_t kind = weir_device_index_kind(indices->dtype);
    return WEIR_LAYER(call, weir_elem_of(x->dtype), "gather_rows", weir_tensor_count(y), AT(x),
                      AT(indices), AT(y), VALUE(batch), VALUE(outer), VALUE(limit), VALUE(count),
                      VALUE(run), VALUE(kind));
}

weir_status weir_device_one_hot(weir_call *call)
{
    const weir_tensor *indices = weir_in(call, 0), *y = weir_out(call, 0);
    const weir_tensor *on = weir_in(call, 2), *off = weir_in(call, 3);
    int64_t axis = weir_site_int(call->site, 0);
    int at = (int)(axis < 0 ? axis + y->shape.rank : axis);
    int64_t outer = weir_shape_product(&y->shape, 0, at), depth = y->shape.dims[at];
    int64_t inner = weir_shape_product(&y->shape, at + 1, y->shape.rank);
    int32_t kind = weir_device_index_kind(indices->dtype);
    return WEIR_LAYER(call, weir_elem_of(y->dtype), "one_hot", weir_tensor_count(y), AT(indices),
                      AT(on), AT(off), AT(y), VALUE(outer), VALUE(depth), VALUE(inner),
                      VALUE(kind));
}
