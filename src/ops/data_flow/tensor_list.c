/* ops/data_flow/tensor_list.c - TensorList ops on single elements, and on whole lists. */
#include <inttypes.h>

#include "ops/common/infer_util.h"
#include "ops/data_flow/tensor_list_grad_impl.h"
#include "ops/data_flow/tensor_list_impl.h"
#include "ops/declare.h"

static weir_dtype element_type(const weir_call *call)
{
    return weir_site_type(call->site,
                          0); /* element_dtype is the first attr of every op that has it */
}

/* ---- creation -------------------------------------------------------------------------------- */

static weir_status empty(weir_call *call)
{
    weir_shape shape;
    int64_t most;
    WEIR_TRY(weir_list_scalar(call, 1, &most));
    WEIR_TRY(weir_list_shape(call, 0, &shape));
    weir_tensor_list *list = weir_list_create(element_type(call), &shape);
    list->max_elements = most;
    weir_list_output(call, 0, list);
    return WEIR_OK;
}

static weir_status reserve(weir_call *call)
{
    weir_shape shape;
    int64_t count;
    WEIR_TRY(weir_list_shape(call, 0, &shape));
    WEIR_TRY(weir_list_scalar(call, 1, &count));
    if (count < 0)
        return weir_error(
            WEIR_INVALID_ARGUMENT,
            "The num_elements to reserve must be a non negative number, but got %" PRId64, count);
    weir_tensor_list *list = weir_list_create(element_type(call), &shape);
    weir_list_output(call, 0, list);
    return weir_list_resize(list, count);
}

/* ---- at the end ------------------------------------------------------------------------------ */

static weir_status push_back(weir_call *call)
{
    const weir_tensor *tensor = weir_in(call, 1);
    const weir_tensor_list *before;
    WEIR_TRY(weir_list_input(call, 0, element_type(call), &before));
    if (!weir_shape_compatible(&before->element_shape, &tensor->shape))
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Tried to append a tensor with incompatible shape to a list. Op element "
                          "shape: %s list shape: %s",
                          WEIR_SHAPE_STR(&tensor->shape), WEIR_SHAPE_STR(&before->element_shape));
    if (before->max_elements >= 0 && (int64_t)before->items.count >= before->max_elements)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Tried to push item into a full list list size: %zu max_num_elements: "
                          "%" PRId64,
                          before->items.count, before->max_elements);
    weir_tensor_list *list;
    WEIR_TRY(weir_list_change(call, 0, 0, 0, &list));
    return weir_list_append(list, weir_tensor_share(tensor));
}

/* Appends row b of the tensor to list b. */
static weir_status push_back_batch(weir_call *call)
{
    const weir_tensor *lists = weir_in(call, 0), *tensor = weir_in(call, 1);
    if (tensor->shape.rank < 1)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Expected tensor to be at least a vector, but saw shape: %s",
                          WEIR_SHAPE_STR(&tensor->shape));
    if (lists->shape.rank != 1)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Expected input_handles to be a vector, but saw shape: %s",
                          WEIR_SHAPE_STR(&lists->shape));
    if (tensor->shape.dims[0] != lists->shape.dims[0])
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Expected tensor.shape[0] == input_handles.size, but saw %" PRId64
                          " vs. %" PRId64,
                          tensor->shape.dims[0], lists->shape.dims[0]);
    weir_shape row = weir_infer_sub(&tensor->shape, 1, WEIR_MAX_RANK);
    WEIR_TRY(weir_call_alloc(call, 0, &lists->shape));
    weir_variant **out = weir_out(call, 0)->data;
    for (int64_t b = 0; b < lists->shape.dims[0]; b++) {
        const weir_tensor_list *list = weir_list_of(((weir_variant **)lists->data)[b]);
        if (!list)
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "Input handle at index %" PRId64 " is not a list.", b);
        if (!weir_shape_compatible(&list->element_shape, &row))
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "Tried to append a tensor with incompatible shape to a list at index "
                              "%" PRId64 ". Op element shape: %s list shape: %s",
                              b, WEIR_SHAPE_STR(&row), WEIR_SHAPE_STR(&list->element_shape));
        if (list->dtype != tensor->dtype)
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "Invalid data type at index %" PRId64
                              "; op elements %s but list elements %s",
                              b, weir_dtype_name(tensor->dtype), weir_dtype_name(list->dtype));
        weir_tensor_list *longer;
        WEIR_TRY(weir_list_copy(list, &longer));
        out[b] = &longer->base;
        WEIR_TRY(
            weir_list_append(longer, weir_tensor_slice(tensor, b * weir_shape_count(&row), &row)));
    }
    return WEIR_OK;
}

static weir_status infer_batch(weir_infer *infer)
{
    int64_t rows = -1;
    if (!weir_infer_running(infer)) {
        WEIR_TRY(weir_infer_rank(infer, 0, 1));
        WEIR_TRY(weir_infer_rank_at_least(infer, 1, 1));
        WEIR_TRY(
            weir_infer_merge_dim(weir_infer_dim(infer, 0, 0), weir_infer_dim(infer, 1, 0), &rows));
    }
    infer->out[0] = weir_shape_vector(rows);
    return WEIR_OK;
}

/* Element |i|'s required shape, merged from the list, the op's input |in| and the element. */
static weir_status known_shape(weir_call *call, const weir_tensor_list *list, int in,
                               weir_shape *out)
{
    weir_shape asked;
    WEIR_TRY(weir_list_shape(call, in, &asked));
    return weir_list_merge(&list->element_shape, &asked, out);
}

/* An unset element has the common shape of the others. */
static weir_status get(weir_call *call, const weir_tensor_list *list, int64_t i, int shape_in,
                       weir_tensor *out)
{
    if (list->items.at[i].buffer)
        return weir_list_element(list, i, NULL, out);
    weir_shape shape;
    WEIR_TRY(known_shape(call, list, shape_in, &shape));
    for (size_t k = 0; k < list->items.count && !weir_shape_known(&shape); k++)
        if (list->items.at[k].buffer)
            WEIR_TRY(weir_list_merge(&shape, &list->items.at[k].shape, &shape));
    if (!weir_shape_known(&shape))
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Trying to read an uninitialized tensor but element_shape is not fully "
                          "defined: %s and no list element is set.",
                          WEIR_SHAPE_STR(&shape));
    return weir_list_element(list, i, &shape, out);
}

static weir_status pop_back(weir_call *call)
{
    const weir_tensor_list *before;
    WEIR_TRY(weir_list_input(call, 0, element_type(call), &before));
    if (before->items.count == 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "Trying to pop from an empty list.");
    weir_tensor tensor;
    WEIR_TRY(get(call, before, (int64_t)before->items.count - 1, 1, &tensor));
    weir_call_set(call, 1, tensor);
    weir_tensor_list *list;
    WEIR_TRY(weir_list_change(call, 0, 0, 0, &list));
    return weir_list_resize(list, (int64_t)list->items.count - 1);
}

/* ---- anywhere -------------------------------------------------------------------------------- */

static weir_status get_item(weir_call *call)
{
    const weir_tensor_list *list;
    int64_t i;
    WEIR_TRY(weir_list_input(call, 0, element_type(call), &list));
    WEIR_TRY(weir_list_scalar(call, 1, &i));
    if (i < 0 || i >= (int64_t)list->items.count)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Trying to access element %" PRId64 " in a list with %zu elements.", i,
                          list->items.count);
    weir_tensor tensor;
    WEIR_TRY(get(call, list, i, 2, &tensor));
    weir_call_set(call, 0, tensor);
    return WEIR_OK;
}

enum { RESIZE_IF_OUTSIDE = 1 };

static weir_status set_item(weir_call *call)
{
    const weir_tensor_list *before;
    const weir_tensor *tensor = weir_in(call, 2);
    int64_t i;
    WEIR_TRY(weir_list_input(call, 0, element_type(call), &before));
    WEIR_TRY(weir_list_scalar(call, 1, &i));
    int64_t count = (int64_t)before->items.count;
    if (i < 0 || (i >= count && !weir_site_bool(call->site, RESIZE_IF_OUTSIDE)))
        return weir_error(
            WEIR_INVALID_ARGUMENT,
            "Trying to modify element %" PRId64 " in a list with %" PRId64 " elements.", i, count);
    if (!weir_shape_compatible(&before->element_shape, &tensor->shape))
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Tried to set a tensor with incompatible shape at a list index. Item "
                          "element shape: %s list shape: %s",
                          WEIR_SHAPE_STR(&tensor->shape), WEIR_SHAPE_STR(&before->element_shape));
    weir_tensor_list *list;
    WEIR_TRY(weir_list_change(call, 0, 0, 0, &list));
    if (i >= count)
        WEIR_TRY(weir_list_resize(list, i + 1));
    weir_tensor_release(&list->items.at[i]);
    list->items.at[i] = weir_tensor_share(tensor);
    return WEIR_OK;
}

/* ---- whole lists ----------------------------------------------------------------------------- */

static weir_status length_of(weir_call *call)
{
    const weir_tensor_list *list;
    WEIR_TRY(weir_list_input(call, 0, 0, &list));
    const int32_t count = (int32_t)list->items.count;
    weir_call_set(call, 0, weir_tensor_scalar(WEIR_INT32, &count));
    return WEIR_OK;
}

static weir_status element_shape(weir_call *call)
{
    const weir_tensor_list *list;
    WEIR_TRY(weir_list_input(call, 0, 0, &list));
    const weir_shape *shape = &list->element_shape;
    weir_shape vector = weir_shape_vector(shape->rank);
    WEIR_TRY(weir_call_alloc(call, 0, shape->rank < 0 ? &WEIR_SCALAR : &vector));
    weir_tensor *out = weir_out(call, 0);
    for (int axis = 0; axis < (shape->rank < 0 ? 1 : shape->rank); axis++) {
        int64_t dim = shape->rank < 0 ? -1 : shape->dims[axis];
        if (out->dtype == WEIR_INT32)
            ((int32_t *)out->data)[axis] = (int32_t)dim;
        else
            ((int64_t *)out->data)[axis] = dim;
    }
    return WEIR_OK;
}

static weir_status resize(weir_call *call)
{
    int64_t size;
    WEIR_TRY(weir_list_scalar(call, 1, &size));
    if (size < 0)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "TensorListSlice expects size to be non-negative. Got: %" PRId64, size);
    weir_tensor_list *list;
    WEIR_TRY(weir_list_change(call, 0, 0, 0, &list));
    return weir_list_resize(list, size);
}

/* Concatenates the lists of variant tensors |a| and |b| element-wise. */
static weir_status concat_one(weir_variant *a, weir_variant *b, int64_t at, weir_dtype dtype,
                              weir_variant **out)
{
    weir_tensor_list *tensor_list = (weir_tensor_list *)a, *y = (weir_tensor_list *)b;
    if (!tensor_list || !y || tensor_list->base.type != y->base.type ||
        tensor_list->dtype != dtype || y->dtype != dtype)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "input_a and input_b must be lists of %s at index %" PRId64,
                          weir_dtype_name(dtype), at);
    if (!weir_shape_eq(&tensor_list->element_shape, &y->element_shape))
        return weir_error(
            WEIR_INVALID_ARGUMENT,
            "input_a and input_b TensorList element shapes are not identical at index "
            "%" PRId64 ".  Saw %s vs. %s",
            at, WEIR_SHAPE_STR(&tensor_list->element_shape), WEIR_SHAPE_STR(&y->element_shape));
    weir_tensor_list *list = weir_list_create(dtype, &tensor_list->element_shape);
    *out = &list->base;
    WEIR_TRY(weir_list_reserve(list, tensor_list->items.count + y->items.count));
    for (size_t i = 0; i < tensor_list->items.count; i++)
        WEIR_TRY(weir_list_append(list, weir_tensor_share(&tensor_list->items.at[i])));
    for (size_t i = 0; i < y->items.count; i++)
        WEIR_TRY(weir_list_append(list, weir_tensor_share(&y->items.at[i])));
    return WEIR_OK;
}

static weir_status concat_lists(weir_call *call)
{
    const weir_tensor *a = weir_in(call, 0), *b = weir_in(call, 1);
    if (!weir_shape_eq(&a->shape, &b->shape))
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "input_a and input_b must have the same shape, but got %s and %s",
                          WEIR_SHAPE_STR(&a->shape), WEIR_SHAPE_STR(&b->shape));
    WEIR_TRY(weir_call_alloc(call, 0, &a->shape));
    weir_variant **out = weir_out(call, 0)->data;
    for (int64_t i = 0; i < weir_tensor_count(a); i++)
        WEIR_TRY(concat_one(((weir_variant **)a->data)[i], ((weir_variant **)b->data)[i], i,
                            element_type(call), &out[i]));
    return WEIR_OK;
}

/* ---- inference ------------------------------------------------------------------------------- */

/* Infers the shape of output |out| from input |in|. */
static weir_status infer_by_shape(weir_infer *infer, int in, int out)
{
    if (!infer->in_handles || infer->in[in]->rank != 1)
        return WEIR_OK;
    return weir_infer_value_as_shape(infer, in, &infer->out[out]);
}

static weir_status infer_get(weir_infer *infer)
{
    return infer_by_shape(infer, 2, 0);
}

static weir_status infer_pop(weir_infer *infer)
{
    infer->out[0] = WEIR_SCALAR;
    return infer_by_shape(infer, 1, 1);
}

#define FLAGS (WEIR_OWN_OUTPUTS | WEIR_CHEAP)
#define DTYPE "element_dtype: type"
#define SHAPE_TYPE "; shape_type: {int32, int64}"

WEIR_DEFINE_OP(empty_tensor_list, "EmptyTensorList",
               .in = "element_shape: shape_type; max_num_elements: int32", .out = "handle: variant",
               .attrs = DTYPE SHAPE_TYPE, .infer = weir_infer_scalar,
               .kernels = {{WEIR_CPU, "*", empty, FLAGS}}, .no_grad = true,
               .host = "element_shape; max_num_elements");
WEIR_DEFINE_OP(tensor_list_reserve, "TensorListReserve",
               .in = "element_shape: shape_type; num_elements: int32", .out = "handle: variant",
               .attrs = DTYPE SHAPE_TYPE, .infer = weir_infer_scalar,
               .kernels = {{WEIR_CPU, "*", reserve, FLAGS}}, .no_grad = true,
               .host = "element_shape; num_elements");
WEIR_DEFINE_OP(tensor_list_push_back, "TensorListPushBack",
               .in = "input_handle: variant; tensor: element_dtype",
               .out = "output_handle: variant", .attrs = DTYPE, .infer = weir_infer_scalar,
               .kernels = {{WEIR_CPU, "*", push_back, FLAGS}}, .grad = weir_list_push_back_grad);
WEIR_DEFINE_OP(tensor_list_push_back_batch, "TensorListPushBackBatch",
               .in = "input_handles: variant; tensor: element_dtype",
               .out = "output_handles: variant", .attrs = DTYPE, .infer = infer_batch,
               .kernels = {{WEIR_CPU, "*", push_back_batch, FLAGS}}, .no_grad = true);
WEIR_DEFINE_OP(tensor_list_pop_back, "TensorListPopBack",
               .in = "input_handle: variant; element_shape: int32",
               .out = "output_handle: variant; tensor: element_dtype", .attrs = DTYPE,
               .infer = infer_pop, .kernels = {{WEIR_CPU, "*", pop_back, FLAGS}},
               .grad = weir_list_pop_back_grad, .host = "element_shape");
WEIR_DEFINE_OP(tensor_list_get_item, "TensorListGetItem",
               .in = "input_handle: variant; index: int32; element_shape: Tshape",
               .out = "item: element_dtype", .attrs = DTYPE "; Tshape: {int32, int64} = DT_INT32",
               .infer = infer_get, .kernels = {{WEIR_CPU, "*", get_item, FLAGS}},
               .grad = weir_list_get_item_grad, .host = "element_shape; index");
WEIR_DEFINE_OP(tensor_list_set_item, "TensorListSetItem",
               .in = "input_handle: variant; index: int32; item: element_dtype",
               .out = "output_handle: variant",
               .attrs = DTYPE "; resize_if_index_out_of_bounds: bool = false",
               .infer = weir_infer_scalar, .kernels = {{WEIR_CPU, "*", set_item, FLAGS}},
               .grad = weir_list_set_item_grad, .host = "index");
WEIR_DEFINE_OP(tensor_list_length, "TensorListLength", .in = "input_handle: variant",
               .out = "length: int32", .infer = weir_infer_scalar,
               .kernels = {{WEIR_CPU, "*", length_of, FLAGS}}, .no_grad = true, .host = "length");
WEIR_DEFINE_OP(tensor_list_element_shape, "TensorListElementShape", .in = "input_handle: variant",
               .out = "element_shape: shape_type", .attrs = "shape_type: {int32, int64}",
               .infer = weir_infer_unknown, .kernels = {{WEIR_CPU, "*", element_shape, FLAGS}},
               .no_grad = true, .host = "element_shape");
WEIR_DEFINE_OP(tensor_list_resize, "TensorListResize", .in = "input_handle: variant; size: int32",
               .out = "output_handle: variant", .infer = weir_infer_scalar,
               .kernels = {{WEIR_CPU, "*", resize, FLAGS}}, .grad = weir_list_resize_grad,
               .host = "size");
WEIR_DEFINE_OP(tensor_list_concat_lists, "TensorListConcatLists",
               .in = "input_a: variant; input_b: variant", .out = "output: variant", .attrs = DTYPE,
               .infer = weir_infer_same_shape, .kernels = {{WEIR_CPU, "*", concat_lists, FLAGS}},
               .no_grad = true);
