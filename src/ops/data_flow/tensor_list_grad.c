/* ops/data_flow/tensor_list_grad.c - gradients of TensorList ops.
 *
 * The gradient of a list is a list of the gradients of its elements. */
#include "ops/data_flow/tensor_list_grad_impl.h"

#include "grad/grad.h"

static weir_named_attr dtype_attr(weir_grad *g)
{
    return weir_grad_attr(g, "element_dtype");
}

static weir_edge element_shape_of(weir_grad *g, weir_edge list)
{
    return weir_grad_op(g, "TensorListElementShape", WEIR_IN(list),
                        WEIR_ATTRS(weir_a_type("shape_type", WEIR_INT32)));
}

static weir_edge length_of(weir_grad *g, weir_edge list)
{
    return weir_grad_op(g, "TensorListLength", WEIR_IN(list), WEIR_NO_ATTRS);
}

static weir_edge zeros_like(weir_grad *g, weir_edge e)
{
    return weir_grad_op(g, "ZerosLike", WEIR_IN(e), WEIR_NO_ATTRS);
}

/* The shape of |t| without its first dimension. */
static weir_edge row_shape_of(weir_grad *g, weir_edge t)
{
    const int32_t one = 1, none = 0;
    weir_edge ones = weir_grad_const_int32(g, &one, 1), end = weir_grad_const_int32(g, &none, 1);
    return weir_grad_op(g, "StridedSlice", WEIR_IN(weir_grad_shape_of(g, t), ones, end, ones),
                        WEIR_ATTRS(weir_a_int("end_mask", 1)));
}

weir_status weir_list_push_back_grad(weir_grad *g)
{
    weir_edge in[] = {weir_grad_dy(g, 0), weir_grad_shape_of(g, weir_grad_x(g, 1))};
    weir_named_attr dtype = dtype_attr(g);
    weir_node *pop = weir_grad_node_add(g, "TensorListPopBack", in, 2, &dtype, 1);
    if (!pop)
        return WEIR_OK;
    weir_grad_set(g, 0, (weir_edge){pop, 0});
    weir_grad_set(g, 1, (weir_edge){pop, 1});
    return WEIR_OK;
}

weir_status weir_list_pop_back_grad(weir_grad *g)
{
    weir_edge list = weir_grad_x(g, 0), dlist;
    if (weir_grad_has_dy(g, 0))
        dlist = weir_grad_dy(g, 0);
    else
        dlist =
            weir_grad_op(g, "EmptyTensorList",
                         WEIR_IN(element_shape_of(g, list), weir_grad_scalar(g, WEIR_INT32, -1)),
                         WEIR_ATTRS(dtype_attr(g)));
    weir_edge item = weir_grad_has_dy(g, 1) ? weir_grad_dy(g, 1) : zeros_like(g, weir_grad_y(g, 1));
    weir_grad_set(g, 0, weir_grad_op(g, "TensorListPushBack", WEIR_IN(dlist, item), WEIR_NO_ATTRS));
    return WEIR_OK;
}

weir_status weir_list_get_item_grad(weir_grad *g)
{
    weir_edge list = weir_grad_x(g, 0);
    weir_edge zeros =
        weir_grad_op(g, "TensorListReserve", WEIR_IN(element_shape_of(g, list), length_of(g, list)),
                     WEIR_ATTRS(dtype_attr(g)));
    weir_grad_set(g, 0,
                  weir_grad_op(g, "TensorListSetItem",
                               WEIR_IN(zeros, weir_grad_x(g, 1), weir_grad_dy(g, 0)),
                               WEIR_NO_ATTRS));
    return WEIR_OK;
}

weir_status weir_list_set_item_grad(weir_grad *g)
{
    weir_edge dlist = weir_grad_dy(g, 0), index = weir_grad_x(g, 1), item = weir_grad_x(g, 2);
    weir_grad_set(g, 0,
                  weir_grad_op(g, "TensorListSetItem", WEIR_IN(dlist, index, zeros_like(g, item)),
                               WEIR_NO_ATTRS));
    weir_grad_set(g, 2,
                  weir_grad_op(g, "TensorListGetItem",
                               WEIR_IN(dlist, index, weir_grad_shape_of(g, item)),
                               WEIR_ATTRS(dtype_attr(g))));
    return WEIR_OK;
}

weir_status weir_list_resize_grad(weir_grad *g)
{
    weir_edge size = length_of(g, weir_grad_x(g, 0));
    weir_grad_set(
        g, 0,
        weir_grad_op(g, "TensorListResize", WEIR_IN(weir_grad_dy(g, 0), size), WEIR_NO_ATTRS));
    return WEIR_OK;
}

weir_status weir_list_stack_grad(weir_grad *g)
{
    weir_edge shape = element_shape_of(g, weir_grad_x(g, 0));
    weir_grad_set(
        g, 0,
        weir_grad_op(g, "TensorListFromTensor", WEIR_IN(weir_grad_dy(g, 0), shape), WEIR_NO_ATTRS));
    return WEIR_OK;
}

weir_status weir_list_gather_grad(weir_grad *g)
{
    weir_edge list = weir_grad_x(g, 0);
    weir_grad_set(g, 0,
                  weir_grad_op(g, "TensorListScatterV2",
                               WEIR_IN(weir_grad_dy(g, 0), weir_grad_x(g, 1),
                                       element_shape_of(g, list), length_of(g, list)),
                               WEIR_NO_ATTRS));
    return WEIR_OK;
}

weir_status weir_list_from_tensor_grad(weir_grad *g)
{
    weir_grad_set(g, 0,
                  weir_grad_op(g, "TensorListStack",
                               WEIR_IN(weir_grad_dy(g, 0), row_shape_of(g, weir_grad_x(g, 0))),
                               WEIR_ATTRS(dtype_attr(g))));
    return WEIR_OK;
}

weir_status weir_list_scatter_grad(weir_grad *g)
{
    weir_grad_set(g, 0,
                  weir_grad_op(g, "TensorListGather",
                               WEIR_IN(weir_grad_dy(g, 0), weir_grad_x(g, 1),
                                       row_shape_of(g, weir_grad_x(g, 0))),
                               WEIR_ATTRS(dtype_attr(g))));
    return WEIR_OK;
}

weir_status weir_list_scatter_into_grad(weir_grad *g)
{
    weir_edge dlist = weir_grad_dy(g, 0), t = weir_grad_x(g, 1), indices = weir_grad_x(g, 2);
    weir_grad_set(g, 0,
                  weir_grad_op(g, "TensorListScatterIntoExistingList",
                               WEIR_IN(dlist, zeros_like(g, t), indices), WEIR_NO_ATTRS));
    weir_grad_set(g, 1,
                  weir_grad_op(g, "TensorListGather", WEIR_IN(dlist, indices, row_shape_of(g, t)),
                               WEIR_ATTRS(dtype_attr(g))));
    return WEIR_OK;
}

weir_status weir_list_split_grad(weir_grad *g)
{
    weir_edge in[] = {weir_grad_dy(g, 0), weir_grad_x(g, 1), weir_grad_x(g, 2)};
    weir_named_attr dtype = dtype_attr(g);
    weir_grad_set(g, 0, weir_grad_first(g, "TensorListConcatV2", in, 3, &dtype, 1));
    return WEIR_OK;
}

weir_status weir_list_concat_grad(weir_grad *g)
{
    weir_edge shape = element_shape_of(g, weir_grad_x(g, 0));
    weir_grad_set(g, 0,
                  weir_grad_op(g, "TensorListSplit",
                               WEIR_IN(weir_grad_dy(g, 0), shape, weir_grad_y(g, 1)),
                               WEIR_NO_ATTRS));
    return WEIR_OK;
}
