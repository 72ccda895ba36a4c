/* ops/data_flow/tensor_list_proto.c - serialised lists: elements as tensors, the rest as
 * metadata.
 *
 *   varint                  number of unset elements
 *   varint x that           their indices, ascending
 *   varint                  dtype of the elements
 *   varint                  maximum number of elements; -1 as 2^64 - 1
 *   a TensorShapeProto      shape of the elements, to the end
 */
#include <inttypes.h>

#include "ops/data_flow/tensor_list_impl.h"
#include "tensor/proto.h"
#include "wire/varint.h"

weir_status weir_list_encode(const weir_variant *variant, weir_buf *metadata,
                             weir_tensor **out_tensors, int *out_count)
{
    const weir_tensor_list *list = (const weir_tensor_list *)variant;
    weir_tensor *tensors = WEIR_NEW_ARRAY(weir_tensor, list->items.count);
    int count = 0;
    for (size_t i = 0; i < list->items.count; i++)
        if (list->items.at[i].buffer)
            tensors[count++] = weir_tensor_share(&list->items.at[i]);
    weir_varint_put(metadata, list->items.count - (size_t)count);
    for (size_t i = 0; i < list->items.count; i++)
        if (!list->items.at[i].buffer)
            weir_varint_put(metadata, i);
    weir_varint_put(metadata, list->dtype);
    weir_varint_put(metadata, (uint64_t)list->max_elements);
    weir_shape_encode(&list->element_shape, metadata);
    *out_tensors = tensors;
    *out_count = count;
    return WEIR_OK;
}

static weir_status broken(const char *what, uint64_t value)
{
    return weir_error(WEIR_INVALID_ARGUMENT, "a TensorList's metadata says %s %" PRIu64, what,
                      value);
}

/* Unset elements are at the indices in |metadata|; the others are |tensors|, in order. */
static weir_status place_items(weir_tensor_list *list, weir_str *metadata,
                               const weir_tensor *tensors, int count)
{
    uint64_t holes = 0, next = 0;
    if (!weir_varint_take(metadata, &holes) || holes > metadata->length)
        return broken("that elements are not set:", holes);
    WEIR_TRY(weir_list_resize(list, count + (int64_t)holes));
    for (uint64_t i = 0; i < holes; i++) {
        uint64_t at = 0;
        if (!weir_varint_take(metadata, &at) || at < next || at - i > (uint64_t)count)
            return broken("in no order that element", at);
        while (next < at)
            list->items.at[next++] = weir_tensor_share(tensors++);
        next = at + 1;
    }
    while (next < list->items.count)
        list->items.at[next++] = weir_tensor_share(tensors++);
    return WEIR_OK;
}

static weir_status read_kind(weir_tensor_list *list, weir_str metadata)
{
    uint64_t dtype = 0, most = 0;
    if (!weir_varint_take(&metadata, &dtype) || dtype > INT32_MAX || !weir_dtype_valid((int)dtype))
        return broken("elements of type", dtype);
    if (!weir_varint_take(&metadata, &most))
        return broken("no limit but", most);
    list->dtype = (weir_dtype)dtype;
    list->max_elements = (int32_t)most; /* serialised from an int */
    for (size_t i = 0; i < list->items.count; i++)
        if (list->items.at[i].buffer && list->items.at[i].dtype != list->dtype)
            return weir_error(WEIR_INVALID_ARGUMENT, "a TensorList of %s holds a tensor of %s",
                              weir_dtype_name(list->dtype),
                              weir_dtype_name(list->items.at[i].dtype));
    return weir_shape_parse(metadata, &list->element_shape);
}

weir_status weir_list_decode(weir_str metadata, const weir_tensor *tensors, int count,
                             weir_variant **out_variant)
{
    weir_tensor_list *list = weir_list_create(WEIR_FLOAT, &WEIR_UNKNOWN_SHAPE);
    weir_status status = place_items(list, &metadata, tensors, count);
    if (!status)
        status = read_kind(list, metadata);
    if (status)
        weir_ref_release(&list->base.ref);
    else
        *out_variant = &list->base;
    return status;
}
