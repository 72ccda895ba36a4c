/* ops/data_flow/tensor_list_many.c - conversion between lists and whole tensors. */
#include <inttypes.h>

#include "ops/data_flow/tensor_list_grad_impl.h"
#include "ops/data_flow/tensor_list_impl.h"
#include "ops/declare.h"

static weir_dtype element_type(const weir_call *call)
{
    return weir_site_type(call->site, 0);
}

/* Merges |shape| with those of the set elements among |indices| (null: all). */
static weir_status merge_elements(const weir_tensor_list *list, const int32_t *indices,
                                  int64_t count, weir_shape *shape)
{
    for (int64_t i = 0; i < count; i++) {
        const weir_tensor *tensor = &list->items.at[indices ? indices[i] : i];
        if (tensor->buffer)
            WEIR_TRY(weir_list_merge(shape, &tensor->shape, shape));
    }
    return WEIR_OK;
}

/* Concatenates elements; unset ones are zeros. */
static void copy_elements(const weir_tensor_list *list, const int32_t *indices, int64_t count,
                          weir_tensor *out)
{
    int64_t run = weir_shape_product(&out->shape, 1, out->shape.rank);
    size_t bytes = (size_t)run * weir_dtype_size(out->dtype);
    char *to = out->data;
    for (int64_t i = 0; i < count; i++, to += bytes) {
        const weir_tensor *tensor = &list->items.at[indices ? indices[i] : i];
        if (tensor->buffer)
            weir_elements_copy(out->dtype, to, tensor->data, run);
        else
            weir_elements_zero(out->dtype, to, run);
    }
}

static weir_status give_stacked(weir_call *call, const weir_tensor_list *list,
                                const int32_t *indices, int64_t count, const weir_shape *element)
{
    weir_shape lead = weir_shape_vector(count), shape;
    WEIR_TRY(weir_infer_concat(&lead, element, &shape));
    WEIR_TRY(weir_call_alloc(call, 0, &shape));
    copy_elements(list, indices, count, weir_out(call, 0));
    return WEIR_OK;
}

enum { STACK_COUNT = 1 };

static weir_status stack(weir_call *call)
{
    const weir_tensor_list *list;
    weir_shape asked, shape;
    WEIR_TRY(weir_list_input(call, 0, element_type(call), &list));
    WEIR_TRY(weir_list_shape(call, 1, &asked));
    int64_t want = weir_site_int(call->site, STACK_COUNT), count = (int64_t)list->items.count;
    if (want >= 0 && want != count)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Operation expected a list with %" PRId64
                          " elements but got a list with %" PRId64 " elements.",
                          want, count);
    WEIR_TRY(weir_list_merge(&asked, &list->element_shape, &shape));
    WEIR_TRY(merge_elements(list, NULL, count, &shape));
    if (!weir_shape_known(&shape))
        return weir_error(WEIR_INVALID_ARGUMENT,
                          count
                              ? "Tried to stack list which only contains uninitialized tensors and "
                                "has a non-fully-defined element_shape: %s"
                              : "Tried to stack elements of an empty list with non-fully-defined "
                                "element_shape: %s",
                          WEIR_SHAPE_STR(&shape));
    return give_stacked(call, list, NULL, count, &shape);
}

static weir_status gather(weir_call *call)
{
    const weir_tensor_list *list;
    weir_shape asked, shape;
    WEIR_TRY(weir_list_input(call, 0, element_type(call), &list));
    WEIR_TRY(weir_list_shape(call, 2, &asked));
    const weir_tensor *indices = weir_in(call, 1);
    int64_t count = weir_tensor_count(indices);
    const int32_t *at = indices->data;
    for (int64_t i = 0; i < count; i++)
        if (at[i] < 0 || at[i] >= (int64_t)list->items.count)
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "Trying to gather element %d in a list with %zu elements.", at[i],
                              list->items.count);
    WEIR_TRY(weir_list_merge(&asked, &list->element_shape, &shape));
    WEIR_TRY(merge_elements(list, at, count, &shape));
    if (!weir_shape_known(&shape))
        return weir_error(WEIR_INVALID_ARGUMENT,
                          count ? "Tried to gather uninitialized tensors from a list with "
                                  "non-fully-defined shape: %s"
                                : "Tried to gather 0-elements from a list with non-fully-defined "
                                  "shape: %s",
                          WEIR_SHAPE_STR(&shape));
    return give_stacked(call, list, at, count, &shape);
}

/* ---- from tensors ---------------------------------------------------------------------------- */

static weir_status check_rows(const weir_tensor *tensor)
{
    return tensor->shape.rank >= 1
               ? WEIR_OK
               : weir_error(WEIR_INVALID_ARGUMENT,
                            "Tensor must be at least a vector, but saw shape: %s",
                            WEIR_SHAPE_STR(&tensor->shape));
}

/* A new list, set as output 0, whose element shape must match the rows of |tensor|. */
static weir_status new_for_rows(weir_call *call, const weir_tensor *tensor, int shape_in,
                                weir_tensor_list **out_list)
{
    weir_shape element, row = weir_infer_sub(&tensor->shape, 1, WEIR_MAX_RANK);
    WEIR_TRY(check_rows(tensor));
    WEIR_TRY(weir_list_shape(call, shape_in, &element));
    if (!weir_shape_compatible(&element, &row))
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Specified a list with shape %s from a tensor with shape %s",
                          WEIR_SHAPE_STR(&element), WEIR_SHAPE_STR(&row));
    *out_list = weir_list_create(element_type(call), &element);
    weir_list_output(call, 0, *out_list);
    return WEIR_OK;
}

/* Sets element |i| to row |row| of |tensor|, aliasing its buffer. */
static void set_row(weir_tensor_list *list, int64_t i, const weir_tensor *tensor, int64_t row)
{
    weir_shape shape = weir_infer_sub(&tensor->shape, 1, WEIR_MAX_RANK);
    weir_tensor_release(&list->items.at[i]);
    list->items.at[i] = weir_tensor_slice(tensor, row * weir_shape_count(&shape), &shape);
}

static weir_status from_tensor(weir_call *call)
{
    const weir_tensor *tensor = weir_in(call, 0);
    weir_tensor_list *list;
    WEIR_TRY(new_for_rows(call, tensor, 1, &list));
    WEIR_TRY(weir_list_resize(list, tensor->shape.dims[0]));
    for (int64_t i = 0; i < tensor->shape.dims[0]; i++)
        set_row(list, i, tensor, i);
    return WEIR_OK;
}

/* Checks |indices| against the rows of |tensor|; returns the maximum. */
static weir_status check_indices(const weir_tensor *tensor, const weir_tensor *indices,
                                 int64_t *out_most)
{
    int64_t count = weir_tensor_count(indices);
    WEIR_TRY(check_rows(tensor));
    if (count != tensor->shape.dims[0])
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Invalid number of rows in input tensor. Expected: %" PRId64
                          " Actual: %" PRId64,
                          count, tensor->shape.dims[0]);
    *out_most = -1;
    for (int64_t i = 0; i < count; i++) {
        int32_t at = ((const int32_t *)indices->data)[i];
        if (at < 0)
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "Indices in TensorListScatter must all be non-negative.");
        *out_most = at > *out_most ? at : *out_most;
    }
    return WEIR_OK;
}

static void scatter_rows(weir_tensor_list *list, const weir_tensor *tensor,
                         const weir_tensor *indices)
{
    for (int64_t i = 0; i < tensor->shape.dims[0]; i++)
        set_row(list, ((const int32_t *)indices->data)[i], tensor, i);
}

/* TensorListScatter, and with an explicit size TensorListScatterV2. */
static weir_status scatter(weir_call *call)
{
    const weir_tensor *tensor = weir_in(call, 0), *indices = weir_in(call, 1);
    int64_t most, size = -1;
    WEIR_TRY(check_indices(tensor, indices, &most));
    if (call->site->in_count > 3)
        WEIR_TRY(weir_list_scalar(call, 3, &size));
    if (size < -1)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "TensorListScatter expects num_elements >= -1, found: %" PRId64, size);
    if (size >= 0 && most >= size)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "TensorListScatter: Trying to scatter at index %" PRId64
                          " in list with size %" PRId64,
                          most, size);
    weir_tensor_list *list;
    WEIR_TRY(new_for_rows(call, tensor, 2, &list));
    WEIR_TRY(weir_list_resize(list, size >= 0 ? size : most + 1));
    scatter_rows(list, tensor, indices);
    return WEIR_OK;
}

static weir_status scatter_into(weir_call *call)
{
    const weir_tensor *tensor = weir_in(call, 1), *indices = weir_in(call, 2);
    int64_t most;
    WEIR_TRY(check_indices(tensor, indices, &most));
    const weir_tensor_list *before;
    WEIR_TRY(weir_list_input(call, 0, element_type(call), &before));
    weir_shape row = weir_infer_sub(&tensor->shape, 1, WEIR_MAX_RANK);
    if (!weir_shape_compatible(&before->element_shape, &row))
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Specified a list with shape %s from a tensor with shape %s",
                          WEIR_SHAPE_STR(&before->element_shape), WEIR_SHAPE_STR(&row));
    weir_tensor_list *list;
    WEIR_TRY(weir_list_change(call, 0, 0, 0, &list));
    if (most >= (int64_t)list->items.count)
        WEIR_TRY(weir_list_resize(list, most + 1));
    scatter_rows(list, tensor, indices);
    return WEIR_OK;
}

/* ---- pieces along the first dimension -------------------------------------------------------- */

static weir_status check_lengths(const weir_tensor *tensor, const weir_tensor *lengths)
{
    if (lengths->shape.rank != 1)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Expected lengths to be a vector, received shape: %s",
                          WEIR_SHAPE_STR(&lengths->shape));
    int64_t at = 0, rows = tensor->shape.dims[0];
    for (int64_t i = 0; i < lengths->shape.dims[0]; i++) {
        int64_t length = ((const int64_t *)lengths->data)[i];
        if (length < 0)
            return weir_error(WEIR_INVALID_ARGUMENT, "Invalid value in lengths: %" PRId64, length);
        if (length > rows - at)
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "Attempting to slice [%" PRId64 ", %" PRId64
                              "] from tensor with length %" PRId64,
                              at, at + length, rows);
        at += length;
    }
    if (at != rows)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Unused values in tensor. Length of tensor: %" PRId64
                          " Values used: %" PRId64,
                          rows, at);
    return WEIR_OK;
}

static weir_status split(weir_call *call)
{
    const weir_tensor *tensor = weir_in(call, 0), *lengths = weir_in(call, 2);
    weir_shape element;
    WEIR_TRY(weir_list_shape(call, 1, &element));
    WEIR_TRY(check_rows(tensor));
    weir_shape part = tensor->shape, any = tensor->shape;
    any.dims[0] = -1;
    if (!weir_shape_compatible(&element, &any))
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "tensor shape %s is not compatible with element_shape %s",
                          WEIR_SHAPE_STR(&tensor->shape), WEIR_SHAPE_STR(&element));
    WEIR_TRY(check_lengths(tensor, lengths));
    weir_tensor_list *list = weir_list_create(element_type(call), &element);
    weir_list_output(call, 0, list);
    int64_t run = weir_shape_product(&part, 1, part.rank), at = 0;
    for (int64_t i = 0; i < lengths->shape.dims[0]; i++) {
        part.dims[0] = ((const int64_t *)lengths->data)[i];
        WEIR_TRY(weir_list_append(list, weir_tensor_slice(tensor, at * run, &part)));
        at += part.dims[0];
    }
    return WEIR_OK;
}

/* The common dims of a concatenation after the first dimension. */
static weir_status concat_rest(const weir_tensor_list *list, const weir_shape *element,
                               weir_shape *rest)
{
    *rest = element->rank < 0 ? WEIR_UNKNOWN_SHAPE : weir_infer_sub(element, 1, WEIR_MAX_RANK);
    for (size_t i = 0; i < list->items.count; i++) {
        const weir_tensor *tensor = &list->items.at[i];
        if (!tensor->buffer)
            continue;
        if (tensor->shape.rank < 1)
            return weir_error(
                WEIR_INVALID_ARGUMENT,
                "Concat saw a scalar shape at index %zu but requires at least vectors.", i);
        weir_shape mine = weir_infer_sub(&tensor->shape, 1, WEIR_MAX_RANK);
        WEIR_TRY(weir_list_merge(rest, &mine, rest));
    }
    if (!weir_shape_known(rest))
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "All except the first dimension must be fully defined when concating an "
                          "empty tensor list. element_shape: %s",
                          WEIR_SHAPE_STR(element));
    return WEIR_OK;
}

/* The declared first dimension, or the common one of all set elements; or -1. */
static int64_t common_length(const weir_tensor_list *list, const weir_shape *element)
{
    int64_t common = element->rank > 0 ? element->dims[0] : -1;
    bool any = common >= 0;
    for (size_t i = 0; i < list->items.count; i++) {
        const weir_tensor *tensor = &list->items.at[i];
        if (!tensor->buffer)
            continue;
        if (any && tensor->shape.dims[0] != common)
            return -1;
        common = tensor->shape.dims[0];
        any = true;
    }
    return common;
}

/* First dimension of element |i|: its own; if unset, the given one or that of the others. */
static weir_status concat_length(const weir_tensor_list *list, int64_t i, int64_t common,
                                 const weir_tensor *leading, int64_t *out)
{
    const weir_tensor *tensor = &list->items.at[i];
    int64_t given = leading ? weir_tensor_count(leading) : 0;
    if (tensor->buffer)
        *out = tensor->shape.dims[0];
    else if (i < given)
        *out = ((const int64_t *)leading->data)[i];
    else if (common >= 0)
        *out = common;
    else
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "List contains uninitialized tensor at index %" PRId64
                          " but leading_dims has only %" PRId64 " elements.",
                          i, given);
    return *out < 0 ? weir_error(WEIR_INVALID_ARGUMENT, "leading_dims[%" PRId64 "] is negative", i)
                    : WEIR_OK;
}

static weir_status concat_into(weir_call *call, const weir_tensor_list *list,
                               const weir_shape *element, const weir_tensor *leading)
{
    int64_t count = (int64_t)list->items.count, total = 0;
    weir_shape lengths = weir_shape_vector(count), rest, lead, shape;
    WEIR_TRY(concat_rest(list, element, &rest));
    WEIR_TRY(weir_call_alloc(call, 1, &lengths));
    int64_t *length = weir_out(call, 1)->data, common = common_length(list, element);
    for (int64_t i = 0; i < count; i++) {
        WEIR_TRY(concat_length(list, i, common, leading, &length[i]));
        total += length[i];
    }
    lead = weir_shape_vector(total);
    WEIR_TRY(weir_infer_concat(&lead, &rest, &shape));
    WEIR_TRY(weir_call_alloc(call, 0, &shape));
    weir_tensor *out = weir_out(call, 0);
    int64_t run = weir_shape_count(&rest), at = 0;
    for (int64_t i = 0; i < count; i++) {
        char *to = (char *)out->data + (size_t)(at * run) * weir_dtype_size(out->dtype);
        if (list->items.at[i].buffer)
            weir_elements_copy(out->dtype, to, list->items.at[i].data, length[i] * run);
        else
            weir_elements_zero(out->dtype, to, length[i] * run);
        at += length[i];
    }
    return WEIR_OK;
}

enum { CONCAT_SHAPE = 1 };

static weir_status concat(weir_call *call)
{
    const weir_tensor_list *list;
    weir_shape element;
    WEIR_TRY(weir_list_input(call, 0, element_type(call), &list));
    if (call->site->in_count > 1)
        WEIR_TRY(weir_list_shape(call, 1, &element));
    else
        element = *weir_site_shape(call->site, CONCAT_SHAPE);
    WEIR_TRY(weir_list_merge(&element, &list->element_shape, &element));
    return concat_into(call, list, &element, call->site->in_count > 1 ? weir_in(call, 2) : NULL);
}

/* ---- inference ------------------------------------------------------------------------------- */

/* |lead| followed by the shape in input |in|. */
static weir_status infer_stacked(weir_infer *infer, int in, int64_t lead)
{
    if (!infer->in_handles || infer->in[in]->rank != 1)
        return WEIR_OK;
    weir_shape element, first = weir_shape_vector(lead);
    WEIR_TRY(weir_infer_value_as_shape(infer, in, &element));
    return weir_infer_concat(&first, &element, &infer->out[0]);
}

static weir_status infer_stack(weir_infer *infer)
{
    return infer_stacked(infer, 1, weir_site_int(infer->site, STACK_COUNT));
}

static weir_status infer_gather(weir_infer *infer)
{
    return infer_stacked(infer, 2, infer->in[1]->rank == 1 ? infer->in[1]->dims[0] : -1);
}

static weir_status infer_concat(weir_infer *infer)
{
    infer->out[1] = weir_shape_vector(-1);
    return WEIR_OK;
}

#define DTYPE "element_dtype: type"
#define SHAPE_TYPE "; shape_type: {int32, int64}"

WEIR_DEFINE_OP(tensor_list_stack, "TensorListStack",
               .in = "input_handle: variant; element_shape: int32", .out = "tensor: element_dtype",
               .attrs = DTYPE "; num_elements: int = -1", .infer = infer_stack,
               .kernels = {{WEIR_CPU, WEIR_LIST_TYPES, stack, WEIR_OWN_OUTPUTS}},
               .grad = weir_list_stack_grad, .host = "element_shape");
WEIR_DEFINE_OP(tensor_list_gather, "TensorListGather",
               .in = "input_handle: variant; indices: int32; element_shape: int32",
               .out = "values: element_dtype", .attrs = DTYPE, .infer = infer_gather,
               .kernels = {{WEIR_CPU, WEIR_LIST_TYPES, gather, WEIR_OWN_OUTPUTS}},
               .grad = weir_list_gather_grad, .host = "indices; element_shape");
WEIR_DEFINE_OP(tensor_list_from_tensor, "TensorListFromTensor",
               .in = "tensor: element_dtype; element_shape: shape_type",
               .out = "output_handle: variant", .attrs = DTYPE SHAPE_TYPE,
               .infer = weir_infer_scalar,
               .kernels = {{WEIR_CPU, WEIR_LIST_TYPES, from_tensor, WEIR_OWN_OUTPUTS}},
               .grad = weir_list_from_tensor_grad, .host = "element_shape");
WEIR_DEFINE_OP(tensor_list_scatter, "TensorListScatter",
               .in = "tensor: element_dtype; indices: int32; element_shape: shape_type",
               .out = "output_handle: variant", .attrs = DTYPE SHAPE_TYPE,
               .infer = weir_infer_scalar,
               .kernels = {{WEIR_CPU, WEIR_LIST_TYPES, scatter, WEIR_OWN_OUTPUTS}},
               .grad = weir_list_scatter_grad, .host = "indices; element_shape");
WEIR_DEFINE_OP(
    tensor_list_scatter_v2, "TensorListScatterV2",
    .in = "tensor: element_dtype; indices: int32; element_shape: shape_type; num_elements: int32",
    .out = "output_handle: variant", .attrs = DTYPE SHAPE_TYPE, .infer = weir_infer_scalar,
    .kernels = {{WEIR_CPU, WEIR_LIST_TYPES, scatter, WEIR_OWN_OUTPUTS}},
    .grad = weir_list_scatter_grad);
WEIR_DEFINE_OP(tensor_list_scatter_into_existing_list, "TensorListScatterIntoExistingList",
               .in = "input_handle: variant; tensor: element_dtype; indices: int32",
               .out = "output_handle: variant", .attrs = DTYPE, .infer = weir_infer_scalar,
               .kernels = {{WEIR_CPU, WEIR_LIST_TYPES, scatter_into, WEIR_OWN_OUTPUTS}},
               .grad = weir_list_scatter_into_grad, .host = "indices");
WEIR_DEFINE_OP(tensor_list_split, "TensorListSplit",
               .in = "tensor: element_dtype; element_shape: shape_type; lengths: int64",
               .out = "output_handle: variant", .attrs = DTYPE SHAPE_TYPE,
               .infer = weir_infer_scalar,
               .kernels = {{WEIR_CPU, WEIR_LIST_TYPES, split, WEIR_OWN_OUTPUTS}},
               .grad = weir_list_split_grad, .host = "element_shape; lengths");
WEIR_DEFINE_OP(tensor_list_concat, "TensorListConcat", .in = "input_handle: variant",
               .out = "tensor: element_dtype; lengths: int64",
               .attrs = DTYPE "; element_shape: shape = unknown", .infer = infer_concat,
               .kernels = {{WEIR_CPU, WEIR_LIST_TYPES, concat, WEIR_OWN_OUTPUTS}},
               .grad = weir_list_concat_grad, .host = "lengths");
WEIR_DEFINE_OP(tensor_list_concat_v2, "TensorListConcatV2",
               .in = "input_handle: variant; element_shape: shape_type; leading_dims: int64",
               .out = "tensor: element_dtype; lengths: int64", .attrs = DTYPE SHAPE_TYPE,
               .infer = infer_concat,
               .kernels = {{WEIR_CPU, WEIR_LIST_TYPES, concat, WEIR_OWN_OUTPUTS}},
               .grad = weir_list_concat_grad, .host = "element_shape; leading_dims; lengths");
