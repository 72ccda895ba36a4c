/* ops/data/rows.c - splits elements into rows and stacks rows into elements. */
#include "ops/data/data_impl.h"

weir_status weir_data_row(const weir_tensor *tensor, int64_t row, weir_tensor *out)
{
    weir_shape shape = {.rank = tensor->shape.rank - 1};
    for (int axis = 0; axis < shape.rank; axis++)
        shape.dims[axis] = tensor->shape.dims[axis + 1];
    int64_t count = weir_shape_count(&shape);
    const char *from =
        (const char *)tensor->data + row * count * (int64_t)weir_dtype_size(tensor->dtype);
    /* Copies: a row must not keep the whole tensor alive, and must be aligned. */
    WEIR_TRY(weir_tensor_alloc(tensor->dtype, &shape, out));
    weir_elements_copy(tensor->dtype, out->data, from, count);
    return WEIR_OK;
}

static weir_status check_same(weir_tensor *const *elements, int64_t count, int component)
{
    const weir_tensor *first = &elements[0][component];
    for (int64_t i = 1; i < count; i++) {
        const weir_tensor *tensor = &elements[i][component];
        if (tensor->dtype != first->dtype)
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "Cannot batch tensors with different types in component %d: %s and "
                              "%s.",
                              component, weir_dtype_name(first->dtype),
                              weir_dtype_name(tensor->dtype));
        if (!weir_shape_eq(&tensor->shape, &first->shape))
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "Cannot batch tensors with different shapes in component %d. First "
                              "element had shape %s and element %lld had shape %s.",
                              component, WEIR_SHAPE_STR(&first->shape), (long long)i,
                              WEIR_SHAPE_STR(&tensor->shape));
    }
    return WEIR_OK;
}

weir_status weir_data_stack(weir_tensor *const *elements, int64_t count, int component,
                            weir_tensor *out)
{
    const weir_tensor *first = &elements[0][component];
    WEIR_TRY(check_same(elements, count, component));
    if (first->shape.rank >= WEIR_MAX_RANK)
        return weir_error(WEIR_INVALID_ARGUMENT, "Cannot batch tensors of rank %d",
                          first->shape.rank);
    weir_shape shape = {.rank = first->shape.rank + 1, .dims = {count}};
    for (int axis = 0; axis < first->shape.rank; axis++)
        shape.dims[axis + 1] = first->shape.dims[axis];
    WEIR_TRY(weir_tensor_alloc(first->dtype, &shape, out));
    int64_t step = weir_tensor_count(first);
    size_t bytes = (size_t)step * weir_dtype_size(first->dtype);
    for (int64_t i = 0; i < count; i++)
        weir_elements_copy(first->dtype, (char *)out->data + (size_t)i * bytes,
                           elements[i][component].data, step);
    return WEIR_OK;
}

void weir_elements_fini(weir_element_list *list, int count)
{
    for (size_t i = 0; i < list->count; i++)
        weir_element_destroy(list->at[i], count);
    weir_vec_fini(list);
}

weir_status weir_elements_pull(weir_element_list *list, weir_iterator *it, int input, weir_run *run,
                               bool *out_end)
{
    int count = it->dataset->inputs[input]->count;
    weir_tensor *element = weir_element_create(count);
    weir_status status = weir_iterator_pull(it, input, run, element, out_end);
    if (status || *out_end)
        weir_element_destroy(element, count);
    else
        weir_vec_push(list, element);
    return status;
}
