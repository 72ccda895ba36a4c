/* ops/data_flow/tensor_list_grad.c - gradients of TensorList ops.
 *
 * The gradient of a list is a list of the gradients of its elements. */
#include "ops/data_flow/tensor_list_grad_impl.h"

#include "grad/grad.h"

static weir_named_attr dtype_attr(weir_grad *grad)
{
    return weir_grad_attr(grad, "element_dtype");
}

static weir_edge element_shape_of(weir_grad *grad, weir_edge list)
{
    return weir_grad_op(grad, "TensorListElementShape", WEIR_IN(list),
                        WEIR_ATTRS(weir_a_type("shape_type", WEIR_INT32)));
}

static weir_edge length_of(weir_grad *grad, weir_edge list)
{
    return weir_grad_op(grad, "TensorListLength", WEIR_IN(list), WEIR_NO_ATTRS);
}

static weir_edge zeros_like(weir_grad *grad, weir_edge edge)
{
    return weir_grad_op(grad, "ZerosLike", WEIR_IN(edge), WEIR_NO_ATTRS);
}

/* The shape of |t| without its first dimension. */
static weir_edge row_shape_of(weir_grad *grad, weir_edge t)
{
    const int32_t one = 1, none = 0;
    weir_edge ones = weir_grad_const_int32(grad, &one, 1),
              end = weir_grad_const_int32(grad, &none, 1);
    return weir_grad_op(grad, "StridedSlice", WEIR_IN(weir_grad_shape_of(grad, t), ones, end, ones),
                        WEIR_ATTRS(weir_a_int("end_mask", 1)));
}

weir_status weir_list_push_back_grad(weir_grad *grad)
{
    weir_edge in[] = {weir_grad_dy(grad, 0), weir_grad_shape_of(grad, weir_grad_x(grad, 1))};
    weir_named_attr dtype = dtype_attr(grad);
    weir_node *pop = weir_grad_node_add(grad, "TensorListPopBack", in, 2, &dtype, 1);
    if (!pop)
        return WEIR_OK;
    weir_grad_set(grad, 0, (weir_edge){pop, 0});
    weir_grad_set(grad, 1, (weir_edge){pop, 1});
    return WEIR_OK;
}

weir_status weir_list_pop_back_grad(weir_grad *grad)
{
    weir_edge list = weir_grad_x(grad, 0), dlist;
    if (weir_grad_has_dy(grad, 0))
        dlist = weir_grad_dy(grad, 0);
    else
        dlist = weir_grad_op(
            grad, "EmptyTensorList",
            WEIR_IN(element_shape_of(grad, list), weir_grad_scalar(grad, WEIR_INT32, -1)),
            WEIR_ATTRS(dtype_attr(grad)));
    weir_edge item =
        weir_grad_has_dy(grad, 1) ? weir_grad_dy(grad, 1) : zeros_like(grad, weir_grad_y(grad, 1));
    weir_grad_set(grad, 0,
                  weir_grad_op(grad, "TensorListPushBack", WEIR_IN(dlist, item), WEIR_NO_ATTRS));
    return WEIR_OK;
}

weir_status weir_list_get_item_grad(weir_grad *grad)
{
    weir_edge list = weir_grad_x(grad, 0);
    weir_edge zeros = weir_grad_op(grad, "TensorListReserve",
                                   WEIR_IN(element_shape_of(grad, list), length_of(grad, list)),
                                   WEIR_ATTRS(dtype_attr(grad)));
    weir_grad_set(grad, 0,
                  weir_grad_op(grad, "TensorListSetItem",
                               WEIR_IN(zeros, weir_grad_x(grad, 1), weir_grad_dy(grad, 0)),
                               WEIR_NO_ATTRS));
    return WEIR_OK;
}

weir_status weir_list_set_item_grad(weir_grad *grad)
{
    weir_edge dlist = weir_grad_dy(grad, 0), index = weir_grad_x(grad, 1),
              item = weir_grad_x(grad, 2);
    weir_grad_set(grad, 0,
                  weir_grad_op(grad, "TensorListSetItem",
                               WEIR_IN(dlist, index, zeros_like(grad, item)), WEIR_NO_ATTRS));
    weir_grad_set(grad, 2,
                  weir_grad_op(grad, "TensorListGetItem",
                               WEIR_IN(dlist, index, weir_grad_shape_of(grad, item)),
                               WEIR_ATTRS(dtype_attr(grad))));
    return WEIR_OK;
}

weir_status weir_list_resize_grad(weir_grad *grad)
{
    weir_edge size = length_of(grad, weir_grad_x(grad, 0));
    weir_grad_set(grad, 0,
                  weir_grad_op(grad, "TensorListResize", WEIR_IN(weir_grad_dy(grad, 0), size),
                               WEIR_NO_ATTRS));
    return WEIR_OK;
}

weir_status weir_list_stack_grad(weir_grad *grad)
{
    weir_edge shape = element_shape_of(grad, weir_grad_x(grad, 0));
    weir_grad_set(grad, 0,
                  weir_grad_op(grad, "TensorListFromTensor", WEIR_IN(weir_grad_dy(grad, 0), shape),
                               WEIR_NO_ATTRS));
    return WEIR_OK;
}

weir_status weir_list_gather_grad(weir_grad *grad)
{
    weir_edge list = weir_grad_x(grad, 0);
    weir_grad_set(grad, 0,
                  weir_grad_op(grad, "TensorListScatterV2",
                               WEIR_IN(weir_grad_dy(grad, 0), weir_grad_x(grad, 1),
                                       element_shape_of(grad, list), length_of(grad, list)),
                               WEIR_NO_ATTRS));
    return WEIR_OK;
}

weir_status weir_list_from_tensor_grad(weir_grad *grad)
{
    weir_grad_set(
        grad, 0,
        weir_grad_op(grad, "TensorListStack",
                     WEIR_IN(weir_grad_dy(grad, 0), row_shape_of(grad, weir_grad_x(grad, 0))),
                     WEIR_ATTRS(dtype_attr(grad))));
    return WEIR_OK;
}

weir_status weir_list_scatter_grad(weir_grad *grad)
{
    weir_grad_set(grad, 0,
                  weir_grad_op(grad, "TensorListGather",
                               WEIR_IN(weir_grad_dy(grad, 0), weir_grad_x(grad, 1),
                                       row_shape_of(grad, weir_grad_x(grad, 0))),
                               WEIR_ATTRS(dtype_attr(grad))));
    return WEIR_OK;
}

weir_status weir_list_scatter_into_grad(weir_grad *grad)
{
    weir_edge dlist = weir_grad_dy(grad, 0), t = weir_grad_x(grad, 1),
              indices = weir_grad_x(grad, 2);
    weir_grad_set(grad, 0,
                  weir_grad_op(grad, "TensorListScatterIntoExistingList",
                               WEIR_IN(dlist, zeros_like(grad, t), indices), WEIR_NO_ATTRS));
    weir_grad_set(grad, 1,
                  weir_grad_op(grad, "TensorListGather",
                               WEIR_IN(dlist, indices, row_shape_of(grad, t)),
                               WEIR_ATTRS(dtype_attr(grad))));
    return WEIR_OK;
}

weir_status weir_list_split_grad(weir_grad *grad)
{
    weir_edge in[] = {weir_grad_dy(grad, 0), weir_grad_x(grad, 1), weir_grad_x(grad, 2)};
    weir_named_attr dtype = dtype_attr(grad);
    weir_grad_set(grad, 0, weir_grad_first(grad, "TensorListConcatV2", in, 3, &dtype, 1));
    return WEIR_OK;
}

weir_status weir_list_concat_grad(weir_grad *grad)
{
    weir_edge shape = element_shape_of(grad, weir_grad_x(grad, 0));
    weir_grad_set(grad, 0,
                  weir_grad_op(grad, "TensorListSplit",
                               WEIR_IN(weir_grad_dy(grad, 0), shape, weir_grad_y(grad, 1)),
                               WEIR_NO_ATTRS));
    return WEIR_OK;
}
