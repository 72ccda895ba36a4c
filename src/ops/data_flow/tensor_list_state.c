/* ops/data_flow/tensor_list_state.c - the contents of tensor lists, and access by ops. */
#include <inttypes.h>

#include "base/room.h"
#include "math/update/update.h"
#include "ops/common/elem_of.h"
#include "ops/common/variants.h"
#include "ops/data_flow/tensor_list_impl.h"

static weir_status add_lists(const weir_variant *a, const weir_variant *b, weir_variant **out_sum);
static weir_status zero_list(const weir_variant *variant, weir_variant **out_zero);

const weir_variant_type weir_variant_tensor_list = {.name = "tensorflow::TensorList",
                                                    .encode = weir_list_encode,
                                                    .decode = weir_list_decode,
                                                    .add = add_lists,
                                                    .zero = zero_list};

static void destroy(weir_ref *ref)
{
    weir_tensor_list *list = (weir_tensor_list *)ref;
    for (size_t i = 0; i < list->items.count; i++)
        weir_tensor_release(&list->items.at[i]);
    weir_vec_fini(&list->items);
    weir_room_drop(&list->held);
    weir_free(list);
}

weir_tensor_list *weir_list_create(weir_dtype dtype, const weir_shape *element_shape)
{
    weir_tensor_list *list = WEIR_NEW(weir_tensor_list);
    weir_ref_init(&list->base.ref, destroy);
    list->base.type = &weir_variant_tensor_list;
    list->dtype = dtype;
    list->element_shape = *element_shape;
    list->max_elements = -1;
    return list;
}

weir_status weir_list_reserve(weir_tensor_list *list, size_t count)
{
    if (count <= list->items.room)
        return WEIR_OK;
    size_t room = 2 * list->items.room < count ? count : 2 * list->items.room;
    room = room < 8 ? 8 : room;
    size_t bytes = sizeof *list + room * sizeof *list->items.at;
    WEIR_TRY(weir_room_hold(&list->held, bytes, "a list of tensors"));
    list->items.at = weir_realloc(list->items.at, room * sizeof *list->items.at);
    list->items.room = room;
    return WEIR_OK;
}

weir_status weir_list_append(weir_tensor_list *list, weir_tensor tensor)
{
    weir_status status = weir_list_reserve(list, list->items.count + 1);
    if (status)
        weir_tensor_release(&tensor);
    else
        list->items.at[list->items.count++] = tensor;
    return status;
}

weir_status weir_list_copy(const weir_tensor_list *from, weir_tensor_list **out_list)
{
    weir_tensor_list *list = weir_list_create(from->dtype, &from->element_shape);
    list->max_elements = from->max_elements;
    weir_status status = weir_list_reserve(list, from->items.count);
    if (status) {
        weir_ref_release(&list->base.ref);
        return status;
    }
    for (size_t i = 0; i < from->items.count; i++)
        list->items.at[list->items.count++] = weir_tensor_share(&from->items.at[i]);
    *out_list = list;
    return WEIR_OK;
}

weir_tensor_list *weir_list_of(weir_variant *variant)
{
    return variant && variant->type == &weir_variant_tensor_list ? (weir_tensor_list *)variant
                                                                 : NULL;
}

weir_status weir_list_resize(weir_tensor_list *list, int64_t count)
{
    if (count > WEIR_LIST_LIMIT)
        return weir_error(WEIR_RESOURCE_EXHAUSTED, "A list of %" PRId64 " elements is too long",
                          count);
    while ((int64_t)list->items.count > count)
        weir_tensor_release(&list->items.at[--list->items.count]);
    if (count > 0)
        WEIR_TRY(weir_list_reserve(list, (size_t)count));
    while ((int64_t)list->items.count < count)
        list->items.at[list->items.count++] = (weir_tensor){0};
    return WEIR_OK;
}

weir_status weir_list_merge(const weir_shape *a, const weir_shape *b, weir_shape *out)
{
    if (a->rank >= 0 && b->rank >= 0 && a->rank != b->rank)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "PartialTensorShape: Incompatible ranks during merge: %d vs. %d", a->rank,
                          b->rank);
    if (!weir_shape_compatible(a, b))
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "PartialTensorShape: Incompatible shapes during merge: %s vs. %s",
                          WEIR_SHAPE_STR(a), WEIR_SHAPE_STR(b));
    return weir_infer_merge(a, b, out);
}

weir_status weir_list_element(const weir_tensor_list *list, int64_t i, const weir_shape *shape,
                              weir_tensor *out)
{
    const weir_tensor *tensor = &list->items.at[i];
    if (tensor->buffer) {
        *out = weir_tensor_share(tensor);
        return WEIR_OK;
    }
    WEIR_TRY(weir_tensor_alloc(list->dtype, shape, out));
    weir_elements_zero(out->dtype, out->data, weir_tensor_count(out));
    return WEIR_OK;
}

/* ---- arithmetic, element by element ---------------------------------------------------------- */

static weir_status add_tensors(const weir_tensor *a, const weir_tensor *b, weir_tensor *out)
{
    if (!a->buffer || !b->buffer) { /* unset counts as zeros */
        *out = weir_tensor_share(a->buffer ? a : b);
        return WEIR_OK;
    }
    weir_update_fn add = weir_update_find(WEIR_UPDATE_ADD, weir_elem_of(a->dtype));
    if (!add || !weir_shape_eq(&a->shape, &b->shape))
        return weir_error(
            WEIR_INVALID_ARGUMENT,
            "Trying to add two tensors with incompatible element shapes or types: %s of "
            "%s and %s of %s",
            weir_dtype_name(a->dtype), WEIR_SHAPE_STR(&a->shape), weir_dtype_name(b->dtype),
            WEIR_SHAPE_STR(&b->shape));
    WEIR_TRY(weir_tensor_clone(a, out));
    add(out->data, b->data, weir_tensor_count(b), 1);
    return WEIR_OK;
}

static weir_status add_into(weir_tensor_list *sum, const weir_tensor_list *list,
                            const weir_tensor_list *tensor_list)
{
    if (list->items.count != tensor_list->items.count)
        return weir_error(
            WEIR_INVALID_ARGUMENT,
            "Trying to add two lists of tensors of different lengths. One is %zu and the "
            "other is %zu",
            list->items.count, tensor_list->items.count);
    WEIR_TRY(
        weir_list_merge(&list->element_shape, &tensor_list->element_shape, &sum->element_shape));
    for (size_t i = 0; i < list->items.count; i++) {
        weir_tensor tensor;
        WEIR_TRY(add_tensors(&list->items.at[i], &tensor_list->items.at[i], &tensor));
        WEIR_TRY(weir_list_append(sum, tensor));
    }
    return WEIR_OK;
}

static weir_status add_lists(const weir_variant *a, const weir_variant *b, weir_variant **out_sum)
{
    const weir_tensor_list *list = (const weir_tensor_list *)a,
                           *tensor_list = (const weir_tensor_list *)b;
    if (list->dtype != tensor_list->dtype)
        return weir_error(
            WEIR_INVALID_ARGUMENT,
            "Trying to add two lists of tensors of different dtypes. One is %s and the "
            "other is %s",
            weir_dtype_name(list->dtype), weir_dtype_name(tensor_list->dtype));
    weir_tensor_list *sum = weir_list_create(list->dtype, &list->element_shape);
    weir_status status = add_into(sum, list, tensor_list);
    if (status)
        weir_ref_release(&sum->base.ref);
    else
        *out_sum = &sum->base;
    return status;
}

static weir_status zero_list(const weir_variant *variant, weir_variant **out_zero)
{
    const weir_tensor_list *tensor_list = (const weir_tensor_list *)variant;
    weir_tensor_list *list = weir_list_create(tensor_list->dtype, &tensor_list->element_shape);
    weir_status status = WEIR_OK;
    for (size_t i = 0; !status && i < tensor_list->items.count; i++) {
        weir_tensor tensor = {0};
        if (tensor_list->items.at[i].buffer)
            status =
                weir_tensor_alloc(tensor_list->dtype, &tensor_list->items.at[i].shape, &tensor);
        if (!status && tensor.buffer)
            weir_elements_zero(tensor.dtype, tensor.data, weir_tensor_count(&tensor));
        if (!status)
            status = weir_list_append(list, tensor);
    }
    if (status)
        weir_ref_release(&list->base.ref);
    else
        *out_zero = &list->base;
    return status;
}

/* ---- inputs and outputs ---------------------------------------------------------------------- */

weir_status weir_list_input(weir_call *call, int in, weir_dtype dtype,
                            const weir_tensor_list **out_list)
{
    const weir_tensor *tensor = weir_in(call, in);
    if (tensor->shape.rank != 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "Input list must be a scalar saw: %s",
                          WEIR_SHAPE_STR(&tensor->shape));
    weir_variant *variant = weir_tensor_variant(tensor);
    if (!variant || variant->type != &weir_variant_tensor_list)
        return weir_error(WEIR_INVALID_ARGUMENT, "Input handle is not a list. Saw: '%s'",
                          variant ? variant->type->name : "nothing");
    weir_tensor_list *list = (weir_tensor_list *)variant;
    if (dtype && list->dtype != dtype)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Invalid data types; op elements %s but list elements %s",
                          weir_dtype_name(dtype), weir_dtype_name(list->dtype));
    *out_list = list;
    return WEIR_OK;
}

weir_status weir_list_change(weir_call *call, int in, int out, weir_dtype dtype,
                             weir_tensor_list **out_list)
{
    const weir_tensor_list *list;
    WEIR_TRY(weir_list_input(call, in, dtype, &list));
    if (weir_call_may_reuse(call, in) && weir_ref_unique(&list->base.ref)) {
        weir_call_forward(call, in, out, NULL);
        *out_list = (weir_tensor_list *)list;
        return WEIR_OK;
    }
    WEIR_TRY(weir_list_copy(list, out_list));
    weir_list_output(call, out, *out_list);
    return WEIR_OK;
}

void weir_list_output(weir_call *call, int out, weir_tensor_list *list)
{
    weir_call_set(call, out, weir_tensor_from_variant(&list->base));
}

weir_status weir_list_shape(weir_call *call, int in, weir_shape *out_shape)
{
    const weir_tensor *tensor = weir_in(call, in);
    int64_t dims[WEIR_MAX_RANK], count;
    if (tensor->shape.rank > 1)
        return weir_error(WEIR_INVALID_ARGUMENT, "Shape must be at most rank 1 but is rank %d",
                          tensor->shape.rank);
    WEIR_TRY(weir_tensor_get_ints(tensor, dims, WEIR_MAX_RANK, &count));
    if (tensor->shape.rank == 1)
        return weir_shape_make(dims, count, out_shape);
    if (dims[0] != -1)
        return weir_error(
            WEIR_INVALID_ARGUMENT,
            "The only valid scalar shape tensor is the fully unknown shape specified as "
            "-1.");
    *out_shape = WEIR_UNKNOWN_SHAPE;
    return WEIR_OK;
}

weir_status weir_list_scalar(weir_call *call, int in, int64_t *out)
{
    const weir_tensor *tensor = weir_in(call, in);
    if (tensor->shape.rank != 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "%s expected to be a scalar but got shape: %s",
                          call->site->def->in[in].name, WEIR_SHAPE_STR(&tensor->shape));
    *out = *(const int32_t *)tensor->data;
    return WEIR_OK;
}
