/* pass/updates.c - fuses an optimiser's step with the product that computes its gradient
 * (_MatMulApply).
 *
 * The rows of the product are used as they are computed, and the gradient needs no memory. It is
 * fused if only the step reads it and it is not fetched.
 *
 * Gradients are often grouped by control edges, so that no variable is written before all its
 * readers have run; the fused op would then delay the layers below. If its factors do not alias a
 * variable, the control edges are moved to the factors. Graphs in which a node may be dead are left
 * unchanged.
 */
#include "pass/updates_impl.h"

/* Same as in the op: wider gradients are computed as a whole, without a benefit. */
enum { WIDEST_BYTES = 5461, MOST_INPUTS = WEIR_UPDATE_INPUTS };

int weir_update_grad(const weir_node *node)
{
    for (int i = 0; i < node->site.def->in_count; i++) {
        const char *name = node->site.def->in[i].name;
        if (strcmp(name, "grad") == 0 || strcmp(name, "delta") == 0)
            return i;
    }
    return -1;
}

bool weir_update_is_slot(const weir_node *node, int in)
{
    return weir_dtype_is_ref(node->site.in_types[in]) || node->site.in_types[in] == WEIR_RESOURCE;
}

bool weir_update_is_plain(const weir_node *step, int grad)
{
    for (int i = 0; i < step->site.in_count; i++)
        if (!weir_update_is_slot(step, i) && step->site.in_types[i] != step->site.in_types[grad])
            return false;
    return step->site.in_count <= MOST_INPUTS && weir_update_is_slot(step, 0);
}

/* Whether |step| is the only reader of the product, whose factors are no variables; if other nodes
 * wait for it, its factors do not share a variable's memory either. */
static bool is_read_by(const weir_node *product, const weir_node *step)
{
    bool awaited = false;
    for (size_t i = 0; i < product->uses.count; i++) {
        if (product->uses.at[i].input >= 0 && product->uses.at[i].node != step)
            return false;
        awaited |= product->uses.at[i].node != step;
    }
    for (int i = 0; i < 2; i++)
        if (awaited ? weir_pass_shares_variable(product->in[i])
                    : weir_dtype_is_ref(weir_edge_type(product->in[i])))
            return false;
    return strcmp(product->site.device, step->site.device) == 0;
}

static weir_node *product_of(const weir_pass_env *env, weir_node *step)
{
    int grad =
        step->removed || !step->site.op || !step->site.op->update ? -1 : weir_update_grad(step);
    if (grad < 0 || weir_pass_kept(env, step) || !weir_update_is_plain(step, grad))
        return NULL;
    weir_node *producer = step->in[grad].node;
    int type = step->site.in_types[grad];
    const weir_shape *shape = producer->out_shapes;
    if (!weir_node_is(producer, "MatMul") || weir_pass_kept(env, producer) ||
        !is_read_by(producer, step) || (type != WEIR_FLOAT && type != WEIR_DOUBLE) ||
        shape->rank != 2 || shape->dims[1] <= 0 ||
        shape->dims[1] > WIDEST_BYTES / (int64_t)weir_dtype_size((weir_dtype)type))
        return NULL;
    return producer;
}

bool weir_update_flag(const weir_node *step)
{
    static const char *const names[] = {"use_nesterov", "update_slots", "multiply_linear_by_lr"};
    const weir_attr *flag = NULL;
    for (size_t i = 0; i < sizeof names / sizeof *names && !flag; i++)
        flag = weir_node_attr(step, names[i]);
    return flag && flag->b;
}

static weir_status add_joined(weir_node *step, const weir_node *product, weir_node **out_node)
{
    weir_edge in[MOST_INPUTS + 1];
    weir_str names[MOST_INPUTS];
    int count = 0, slots = 0, grad = weir_update_grad(step);
    for (int i = 0; i < step->site.in_count; i++)
        if (i != grad) {
            slots += weir_update_is_slot(step, i);
            names[count] = weir_str_of(step->site.def->in[i].name);
            in[count++] = step->in[i];
        }
    names[count] = weir_str_of(step->site.def->in[grad].name);
    in[count] = product->in[0];
    in[count + 1] = product->in[1];
    weir_named_attr attrs[] = {
        weir_a_attr("transpose_a", weir_node_attr(product, "transpose_a")),
        weir_a_attr("transpose_b", weir_node_attr(product, "transpose_b")),
        weir_a_int("rule", step->site.op->update - 1),
        weir_a_bool("flag", weir_update_flag(step)),
        weir_a_strs("names", names, count + 1),
        weir_a_int("S", slots),
        weir_a_int("N", count - slots),
        weir_a_type("T", step->site.in_types[grad]),
    };
    bool reference = weir_dtype_is_ref(step->site.in_types[0]);
    return weir_pass_add(
        step, "", "/product",
        &(weir_node_spec){.op = reference ? "_MatMulApply" : "_MatMulResourceApply",
                          .in = in,
                          .in_count = count + 2,
                          .attrs = attrs,
                          .attr_count = sizeof attrs / sizeof *attrs},
        out_node);
}

static weir_status join(weir_node *step, weir_node *product)
{
    weir_node *made;
    WEIR_TRY(add_joined(step, product, &made));
    for (size_t i = 0; i < product->controls.count; i++)
        weir_graph_add_control(product->controls.at[i], made);
    if (step->site.out_count)
        weir_graph_replace((weir_edge){step, 0}, (weir_edge){made, 0});
    weir_remap_take_place(step, made);
    weir_graph_remove_control(product, made);
    weir_pass_remove(step);
    weir_remap_pass_waiting_on(product);
    weir_pass_remove(product);
    return WEIR_OK;
}

weir_status weir_pass_updates(weir_graph *graph, const weir_pass_env *env)
{
    size_t count = graph->nodes.count; /* excludes nodes added here */
    for (size_t i = 0; i < count; i++)
        if (!graph->nodes.at[i]->removed && weir_flow_splits(graph->nodes.at[i]))
            return WEIR_OK;
    weir_status status = WEIR_OK;
    for (size_t i = 0; i < count && !status; i++) {
        weir_node *product = product_of(env, graph->nodes.at[i]);
        if (product)
            status = join(graph->nodes.at[i], product);
    }
    return status;
}
