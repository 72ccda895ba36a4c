/* ops/data_flow/tensor_array_state.c - the contents of a tensor array. */
#include <inttypes.h>

#include "base/room.h"
#include "math/update/update.h"
#include "op/device.h"
#include "ops/common/elem_of.h"
#include "ops/data_flow/tensor_array_impl.h"
#include "ops/device/device.h"

const weir_resource_type weir_tensor_array_type = {"N10tensorflow11TensorArrayE", "TensorArray"};

static void destroy(weir_ref *ref)
{
    weir_tensor_array *ta = (weir_tensor_array *)ref;
    for (size_t i = 0; i < ta->elements.count; i++)
        weir_tensor_release(&ta->elements.at[i].tensor);
    weir_vec_fini(&ta->elements);
    weir_room_drop(&ta->held);
    for (size_t i = 0; i < ta->grads.count; i++) {
        weir_free(ta->grads.at[i].source);
        weir_ref_release(&ta->grads.at[i].array->base.ref);
    }
    weir_vec_fini(&ta->grads);
    weir_mutex_fini(&ta->lock);
    weir_free(ta->name);
    weir_free(ta);
}

static void grow(weir_tensor_array *ta, int64_t size)
{
    while ((int64_t)ta->elements.count < size)
        weir_vec_push(&ta->elements, (weir_ta_element){.shape = {.rank = -1}});
    size_t bytes = ta->elements.room * sizeof *ta->elements.at;
    weir_room_add(bytes - ta->held); /* the caller has checked that there is room */
    ta->held = bytes;
}

weir_status weir_ta_room(int64_t size)
{
    WEIR_BUF(what);
    weir_buf_addf(&what, "a TensorArray of %" PRId64 " elements", size);
    return weir_room_for(2 * (size_t)size * sizeof(weir_ta_element), what.at);
}

weir_tensor_array *weir_ta_create(const weir_ta_spec *spec)
{
    weir_tensor_array *ta = WEIR_NEW(weir_tensor_array);
    weir_ref_init(&ta->base.ref, destroy);
    ta->base.type = &weir_tensor_array_type;
    ta->name = spec->name;
    ta->dtype = spec->dtype;
    ta->dynamic_size = spec->dynamic_size;
    ta->clear_after_read = spec->clear_after_read;
    ta->same_shapes = spec->same_shapes;
    ta->is_grad = spec->is_grad;
    ta->element_shape = spec->element_shape;
    ta->pieces = -1;
    weir_mutex_init(&ta->lock);
    grow(ta, spec->size);
    return ta;
}

weir_status weir_ta_check_open(const weir_tensor_array *ta)
{
    return ta->closed ? weir_error(WEIR_INVALID_ARGUMENT, "TensorArray %s has already been closed.",
                                   ta->name)
                      : WEIR_OK;
}

weir_status weir_ta_narrow(weir_tensor_array *ta, const weir_shape *shape)
{
    weir_shape merged;
    weir_status status = weir_infer_merge(&ta->element_shape, shape, &merged);
    if (!status) {
        ta->element_shape = merged;
        return WEIR_OK;
    }
    weir_status_free(status);
    return weir_error(WEIR_INVALID_ARGUMENT,
                      "PartialTensorShape: Incompatible shapes during merge: %s vs. %s",
                      WEIR_SHAPE_STR(&ta->element_shape), WEIR_SHAPE_STR(shape));
}

/* Grows a dynamic array; fails when |index| is outside a fixed one. */
static weir_status make_room(weir_tensor_array *ta, int64_t index)
{
    enum { MOST = 1 << 26 }; /* elements: a bad index cannot exhaust memory */
    int64_t count = (int64_t)ta->elements.count;
    if (index < 0 || (index >= count && !ta->dynamic_size))
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "TensorArray %s: Tried to write to index %" PRId64
                          " but array is not resizeable and size is: %" PRId64,
                          ta->name, index, count);
    if (index >= MOST)
        return weir_error(WEIR_RESOURCE_EXHAUSTED,
                          "TensorArray %s: index %" PRId64 " is beyond the most elements, %d",
                          ta->name, index, MOST);
    if (index >= count)
        WEIR_TRY(weir_ta_room(index + 1));
    grow(ta, index + 1);
    return WEIR_OK;
}

static weir_status check_value(weir_tensor_array *ta, int64_t index, const weir_tensor *tensor)
{
    if (tensor->dtype != ta->dtype)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "TensorArray %s: Could not write to TensorArray index %" PRId64
                          " because the value dtype is %s but TensorArray dtype is %s.",
                          ta->name, index, weir_dtype_name(tensor->dtype),
                          weir_dtype_name(ta->dtype));
    if (!weir_shape_compatible(&ta->element_shape, &tensor->shape))
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "TensorArray %s: Could not write to TensorArray index %" PRId64
                          " because the value shape is %s which is incompatible with the "
                          "TensorArray's inferred element shape: %s (consider setting "
                          "infer_shape=False).",
                          ta->name, index, WEIR_SHAPE_STR(&tensor->shape),
                          WEIR_SHAPE_STR(&ta->element_shape));
    if (ta->same_shapes)
        ta->element_shape = tensor->shape;
    return WEIR_OK;
}

static weir_status cannot_write(const weir_tensor_array *ta, int64_t index, const char *why)
{
    return weir_error(WEIR_INVALID_ARGUMENT,
                      "TensorArray %s: Could not write to TensorArray index %" PRId64
                      " because it has already been %s.",
                      ta->name, index, why);
}

static weir_status add_on_device(weir_ta_element *element, const weir_tensor *tensor)
{
    weir_memory *memory = element->tensor.buffer->memory;
    weir_tensor sum;
    WEIR_TRY(weir_tensor_alloc_in(memory, tensor->dtype, &tensor->shape, &sum));
    weir_status status =
        weir_device_add_to(memory, weir_elem_of(tensor->dtype), weir_tensor_count(tensor),
                           element->tensor.data, tensor->data, sum.data);
    if (status) {
        weir_tensor_release(&sum);
        return status;
    }
    weir_tensor_release(&element->tensor);
    element->tensor = sum;
    return WEIR_OK;
}

/* Accumulates |tensor| into an element that already has a value. */
static weir_status aggregate(weir_tensor_array *ta, int64_t index, const weir_tensor *tensor)
{
    weir_ta_element *element = &ta->elements.at[index];
    if (!weir_shape_eq(&element->tensor.shape, &tensor->shape))
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "TensorArray %s: Could not aggregate to TensorArray index %" PRId64
                          " because the existing shape is %s but the new input shape is %s.",
                          ta->name, index, WEIR_SHAPE_STR(&element->tensor.shape),
                          WEIR_SHAPE_STR(&tensor->shape));
    weir_update_fn add = weir_update_find(WEIR_UPDATE_ADD, weir_elem_of(tensor->dtype));
    if (!add)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "TensorArray %s: Could not aggregate elements of type %s", ta->name,
                          weir_dtype_name(tensor->dtype));
    if (element->tensor.buffer->memory && element->tensor.buffer->memory == tensor->buffer->memory)
        return add_on_device(element, tensor);
    WEIR_TRY(weir_tensor_own(&element->tensor));
    add(element->tensor.data, tensor->data, weir_tensor_count(tensor), 1);
    return WEIR_OK;
}

static weir_status put(weir_tensor_array *ta, int64_t index, weir_tensor *tensor)
{
    WEIR_TRY(make_room(ta, index));
    WEIR_TRY(check_value(ta, index, tensor));
    weir_ta_element *element = &ta->elements.at[index];
    if (element->read)
        return cannot_write(ta, index, "read");
    if (element->written && !ta->is_grad)
        return cannot_write(ta, index, "written to");
    if (element->tensor.buffer)
        return aggregate(ta, index, tensor);
    element->tensor = weir_tensor_share(tensor);
    element->shape = tensor->shape;
    element->written = true;
    return WEIR_OK;
}

weir_status weir_ta_write(weir_tensor_array *ta, int64_t index, weir_tensor tensor)
{
    weir_status status = put(ta, index, &tensor);
    weir_tensor_release(&tensor);
    return status;
}

/* The value of an unwritten element: zeros, if its shape is known. */
static weir_status read_zeros(weir_tensor_array *ta, int64_t index, weir_memory *memory,
                              weir_tensor *out)
{
    const weir_ta_element *element = &ta->elements.at[index];
    const weir_shape *shape = element->shape.rank >= 0 ? &element->shape : &ta->element_shape;
    if (!weir_shape_known(shape))
        return weir_error(
            WEIR_INVALID_ARGUMENT,
            "TensorArray %s: Could not read from TensorArray index %" PRId64
            ".  Furthermore, the element shape is not fully defined: %s.  It is possible you are "
            "working with a resizeable TensorArray and stop_gradients is not allowing the "
            "gradients "
            "to be written.  If you set the full element_shape property on the forward "
            "TensorArray, "
            "the proper all-zeros tensor will be returned instead of incurring this error.",
            ta->name, index, WEIR_SHAPE_STR(shape));
    WEIR_TRY(weir_tensor_alloc_in(memory, ta->dtype, shape, out));
    weir_elements_zero(ta->dtype, out->data, weir_tensor_count(out));
    return WEIR_OK;
}

static weir_tensor take(weir_tensor *tensor)
{
    weir_tensor moved = *tensor;
    *tensor = (weir_tensor){0};
    return moved;
}

/* Rows of a tensor may be unaligned; device libraries need the alignment of allocations. */
static weir_status align(weir_memory *memory, weir_tensor *tensor)
{
    enum { ALIGNMENT = 256 };
    weir_memory *lies = tensor->buffer ? tensor->buffer->memory : NULL;
    if (lies == memory && (!memory || (uintptr_t)tensor->data % ALIGNMENT == 0))
        return WEIR_OK;
    weir_tensor moved;
    WEIR_TRY(weir_tensor_copy_to(memory, tensor, &moved));
    weir_tensor_release(tensor);
    *tensor = moved;
    return WEIR_OK;
}

weir_status weir_ta_read(weir_tensor_array *ta, int64_t index, weir_memory *memory,
                         weir_tensor *out)
{
    if (index < 0 || index >= (int64_t)ta->elements.count)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Tried to read from index %" PRId64 " but array size is: %zu", index,
                          ta->elements.count);
    weir_ta_element *element = &ta->elements.at[index];
    if (element->cleared)
        return weir_error(
            WEIR_INVALID_ARGUMENT,
            "TensorArray %s: Could not read index %" PRId64
            " twice because it was cleared after a previous read (perhaps try setting "
            "clear_after_read = false?).",
            ta->name, index);
    weir_tensor tensor;
    if (!element->tensor.buffer)
        WEIR_TRY(read_zeros(ta, index, memory, &tensor));
    else if (ta->clear_after_read)
        tensor = take(&element->tensor);
    else
        tensor = weir_tensor_share(&element->tensor);
    element->cleared = ta->clear_after_read;
    element->read = true;
    weir_status status = align(memory, &tensor);
    if (status)
        weir_tensor_release(&tensor);
    else
        *out = tensor;
    return status;
}

static weir_shape with_prefix(const weir_shape *prefix, const weir_shape *shape)
{
    weir_shape both;
    weir_status status = weir_infer_concat(prefix, shape, &both);
    if (!status)
        return both;
    weir_status_free(status);
    return WEIR_UNKNOWN_SHAPE;
}

static weir_tensor_array *make_grad(weir_tensor_array *ta, weir_str source,
                                    const weir_shape *prefix)
{
    weir_buf name = {0};
    weir_buf_addf(&name, "%s@%.*s", ta->name, WEIR_STR_ARG(source));
    weir_tensor_array *grad = weir_ta_create(&(weir_ta_spec){
        .name = weir_buf_take(&name),
        .dtype = ta->dtype,
        .element_shape = with_prefix(prefix, &ta->element_shape),
        .size = (int64_t)ta->elements.count,
        .clear_after_read = true,
        .same_shapes = ta->same_shapes,
        .is_grad = true,
    });
    grad->pieces = ta->pieces;
    for (size_t i = 0; i < ta->elements.count; i++)
        if (ta->elements.at[i].written)
            grad->elements.at[i].shape = with_prefix(prefix, &ta->elements.at[i].shape);
    return grad;
}

weir_status weir_ta_grad_of(weir_tensor_array *ta, weir_str source, const weir_shape *prefix,
                            weir_tensor_array **out_grad)
{
    weir_mutex_lock(&ta->lock);
    weir_status status = weir_ta_check_open(ta);
    weir_tensor_array *grad = NULL;
    for (size_t i = 0; !status && !grad && i < ta->grads.count; i++)
        if (weir_str_is(source, ta->grads.at[i].source))
            grad = ta->grads.at[i].array;
    if (!status && !grad) {
        grad = make_grad(ta, source, prefix);
        weir_vec_push(&ta->grads, (weir_ta_grad){weir_strndup(source.at, source.length), grad});
    }
    if (!status) {
        weir_ref_retain(&grad->base.ref);
        *out_grad = grad;
    }
    weir_mutex_unlock(&ta->lock);
    return status;
}
