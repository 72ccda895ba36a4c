/* ops/data_flow/tensor_array_grad.c - gradients of the ops over tensor arrays. */
#include "ops/data_flow/tensor_array_grad_impl.h"

#include "grad/grad.h"

/* The gradient's array and the flow that orders what is done to it. */
typedef struct other {
    weir_edge handle, flow;
} other;

/* Names the computation that asks: what |name| has up to its last part that starts with
 * "gradients", or its first part. So two computations over one array do not mix. */
static weir_str source_of(const char *name)
{
    size_t end = strcspn(name, "/"), at = 0;
    for (size_t length = strlen(name); at < length;) {
        size_t part = strcspn(name + at, "/");
        if (strncmp(name + at, "gradients", 9) == 0)
            end = at + part;
        at += part + 1;
    }
    return (weir_str){name, end};
}

static other open_grad(weir_grad *g, weir_edge flow)
{
    other o = {0};
    if (!flow.node)
        return o;
    weir_edge in[] = {weir_grad_x(g, 0), flow};
    weir_edge named = weir_grad_has_dy(g, 0) ? weir_grad_dy(g, 0) : flow;
    weir_str source = source_of(named.node ? named.node->site.name : "gradients");
    weir_named_attr attr = {"source", {.kind = WEIR_ATTR_STRING, .s = source}};
    weir_node *grad = weir_grad_node_add(g, "TensorArrayGradV3", in, 2, &attr, 1);
    if (!grad)
        return o;
    weir_node *id = weir_grad_node_add(g, "Identity", WEIR_IN(flow), WEIR_NO_ATTRS);
    if (!id)
        return o;
    weir_graph_add_control(grad, id);
    return (other){{grad, 0}, {id, 0}};
}

weir_status weir_ta_read_grad(weir_grad *g)
{
    other o = open_grad(g, weir_grad_x(g, 2));
    weir_grad_set(g, 2,
                  weir_grad_op(g, "TensorArrayWriteV3",
                               WEIR_IN(o.handle, weir_grad_x(g, 1), weir_grad_dy(g, 0), o.flow),
                               WEIR_NO_ATTRS));
    return WEIR_OK;
}

weir_status weir_ta_write_grad(weir_grad *g)
{
    other o = open_grad(g, weir_grad_dy(g, 0));
    weir_dtype dtype = weir_site_type(weir_grad_site(g), 0);
    weir_grad_set(g, 2,
                  weir_grad_op(g, "TensorArrayReadV3", WEIR_IN(o.handle, weir_grad_x(g, 1), o.flow),
                               WEIR_ATTRS(weir_a_type("dtype", dtype))));
    weir_grad_set(g, 3, weir_grad_dy(g, 0));
    return WEIR_OK;
}

weir_status weir_ta_gather_grad(weir_grad *g)
{
    other o = open_grad(g, weir_grad_x(g, 2));
    weir_grad_set(g, 2,
                  weir_grad_op(g, "TensorArrayScatterV3",
                               WEIR_IN(o.handle, weir_grad_x(g, 1), weir_grad_dy(g, 0), o.flow),
                               WEIR_NO_ATTRS));
    return WEIR_OK;
}

weir_status weir_ta_scatter_grad(weir_grad *g)
{
    other o = open_grad(g, weir_grad_dy(g, 0));
    weir_dtype dtype = weir_site_type(weir_grad_site(g), 0);
    weir_grad_set(g, 2,
                  weir_grad_op(g, "TensorArrayGatherV3",
                               WEIR_IN(o.handle, weir_grad_x(g, 1), o.flow),
                               WEIR_ATTRS(weir_a_type("dtype", dtype))));
    weir_grad_set(g, 3, weir_grad_dy(g, 0));
    return WEIR_OK;
}

weir_status weir_ta_concat_grad(weir_grad *g)
{
    other o = open_grad(g, weir_grad_x(g, 1));
    weir_grad_set(g, 1,
                  weir_grad_op(g, "TensorArraySplitV3",
                               WEIR_IN(o.handle, weir_grad_dy(g, 0), weir_grad_y(g, 1), o.flow),
                               WEIR_NO_ATTRS));
    return WEIR_OK;
}

weir_status weir_ta_split_grad(weir_grad *g)
{
    other o = open_grad(g, weir_grad_dy(g, 0));
    weir_dtype dtype = weir_site_type(weir_grad_site(g), 0);
    weir_grad_set(g, 1,
                  weir_grad_op(g, "TensorArrayConcatV3", WEIR_IN(o.handle, o.flow),
                               WEIR_ATTRS(weir_a_type("dtype", dtype))));
    weir_grad_set(g, 3, weir_grad_dy(g, 0));
    return WEIR_OK;
}
