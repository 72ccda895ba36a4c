/* grad/call.c - calls of functions with a registered gradient function. */
#include "grad/grad_impl.h"
#include "grad/symbolic.h"

/* The function that |node| calls, in the form of an attr; false if |node| is not a call. */
static bool called_by(const weir_node *node, weir_arena *arena, weir_func *out)
{
    const weir_opdef *def = node->site.def;
    if (!node->function) {
        bool is_call = weir_node_flow(node) == WEIR_FLOW_CALL;
        if (is_call)
            *out = *weir_node_attr(node, "f")->func;
        return is_call;
    }
    weir_named_attr *attrs = WEIR_ARENA_ARRAY(arena, weir_named_attr, def->attr_count);
    for (int i = 0; i < def->attr_count; i++)
        attrs[i] = (weir_named_attr){def->attrs[i].name, node->site.attrs[i]};
    *out = (weir_func){node->function->def.name, def->attr_count, attrs};
    return true;
}

bool weir_call_has_gradient(const weir_node *node)
{
    weir_arena scratch;
    weir_arena_init(&scratch);
    weir_func func;
    bool has = called_by(node, &scratch, &func);
    if (has) {
        const weir_function *fn = weir_graph_find_function(node->graph, weir_str_of(func.name));
        has = fn && fn->gradient;
    }
    weir_arena_fini(&scratch);
    return has;
}

/* The gradient as a SymbolicGradient node, which finds the registered function. */
weir_status weir_call_gradient(weir_grad *grad)
{
    const weir_site *site = weir_grad_site(grad);
    weir_arena *arena = &grad->engine->arena;
    int count = site->in_count + site->out_count;
    weir_edge *in = WEIR_ARENA_ARRAY(arena, weir_edge, count);
    int32_t *in_types = WEIR_ARENA_ARRAY(arena, int32_t, count);
    weir_func func = {0};
    called_by(weir_grad_node(grad), arena, &func);
    for (int i = 0; i < site->in_count; i++) {
        in[i] = weir_grad_x(grad, i);
        in_types[i] = weir_dtype_base(site->in_types[i]);
    }
    for (int i = 0; i < site->out_count; i++) {
        in[site->in_count + i] = weir_grad_dy(grad, i);
        in_types[site->in_count + i] = weir_dtype_base(site->out_types[i]);
    }
    weir_node *node = weir_grad_node_add(grad, "SymbolicGradient", in, count,
                                         WEIR_ATTRS(weir_a_types("Tin", in_types, count),
                                                    weir_a_types("Tout", in_types, site->in_count),
                                                    weir_a_func("f", &func)));
    for (int i = 0; node && i < site->in_count; i++)
        weir_grad_set(grad, i, (weir_edge){node, i});
    return WEIR_OK;
}
