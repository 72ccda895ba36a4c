/* pass/fold.c - constant folding. */
#include <stdio.h>

#include "base/deadline.h"
#include "pass/pass_impl.h"

/* The new constant inherits the control inputs of the folded node and its inputs: they put it into
 * its loop's frame, or make it dead with its branch. */
static void inherit_controls(const weir_node *node, weir_node *to, bool of_inputs)
{
    for (size_t i = 0; i < node->controls.count; i++)
        weir_graph_add_control(node->controls.at[i], to);
    for (int i = 0; i < node->site.in_count; i++) {
        weir_node *in = node->in[i].node;
        if (!of_inputs) {
            weir_graph_add_control(in, to);
            continue;
        }
        for (size_t k = 0; k < in->controls.count; k++)
            weir_graph_add_control(in->controls.at[k], to);
    }
}

static weir_status add_const(weir_node *node, int output, const weir_tensor *value, weir_node **out)
{
    char suffix[16] = "";
    if (output)
        snprintf(suffix, sizeof suffix, "-%d", output);
    weir_named_attr attrs[] = {weir_a_tensor("value", value), weir_a_type("dtype", value->dtype)};
    weir_node_spec spec = {.op = "Const", .attrs = attrs, .attr_count = 2};
    return weir_pass_add(node, "ConstantFolding/", suffix, &spec, out);
}

/* Replaces |node| by constants; empty tensors mark outputs without readers. */
static weir_status replace(const weir_pass_env *env, weir_node *node, const weir_tensor *values,
                           bool inputs_constant)
{
    weir_node *last = NULL;
    for (int i = 0; i < node->site.out_count; i++) {
        if (!values[i].buffer || !weir_pass_has_data_use(node, i))
            continue;
        weir_node *constant;
        WEIR_TRY(add_const(node, i, &values[i], &constant));
        inherit_controls(node, constant, inputs_constant);
        weir_graph_replace((weir_edge){node, i}, (weir_edge){constant, 0});
        last = constant;
    }
    if (weir_pass_kept(env, node))
        return WEIR_OK;
    if (!last) /* only control edges leave it */
        return WEIR_OK;
    weir_pass_move_waiting(node, last);
    weir_graph_remove(node);
    return WEIR_OK;
}

static bool all_constant(const weir_node *node)
{
    for (int i = 0; i < node->site.in_count; i++)
        if (!weir_pass_is_const(node->in[i].node))
            return false;
    return node->site.in_count > 0;
}

static bool any_data_use(const weir_node *node)
{
    for (int i = 0; i < node->site.out_count; i++)
        if (weir_pass_has_data_use(node, i))
            return true;
    return false;
}

static bool storable(const weir_node *node)
{
    for (int i = 0; i < node->site.out_count; i++)
        if (node->site.out_types[i] == WEIR_RESOURCE || node->site.out_types[i] == WEIR_VARIANT)
            return false;
    return true;
}

/* Skips results that are known to be too large. */
static bool fits(const weir_pass_env *env, const weir_node *node)
{
    for (int i = 0; i < node->site.out_count; i++) {
        int64_t count = weir_shape_count(&node->out_shapes[i]);
        int64_t size = (int64_t)weir_dtype_size((weir_dtype)node->site.out_types[i]);
        if (count > 0 && count > env->options.fold_limit_bytes / size)
            return false;
    }
    return true;
}

static const weir_kernel *kernel_of(const weir_node *node)
{
    const weir_kernel *kernel = NULL;
    weir_status status = weir_op_kernel(&node->site, WEIR_CPU, &kernel);
    bool none = status || kernel->flags & WEIR_ASYNC || !kernel->run;
    weir_status_free(status);
    return none ? NULL : kernel;
}

static weir_status fold_node(const weir_pass_env *env, weir_node *node)
{
    const weir_kernel *kernel = kernel_of(node);
    if (!kernel)
        return WEIR_OK;
    int ins = node->site.in_count, outs = node->site.out_count;
    weir_value *in = WEIR_NEW_ARRAY(weir_value, ins), *out = WEIR_NEW_ARRAY(weir_value, outs);
    weir_tensor *values = WEIR_NEW_ARRAY(weir_tensor, outs);
    for (int i = 0; i < ins; i++)
        in[i].tensor = weir_tensor_share(weir_pass_value(node->in[i]));
    weir_status failed = weir_op_compute(&node->site, kernel, in, out);
    bool ok = !failed; /* the node is kept: a step that runs it reports the error */
    weir_status_free(failed);
    for (int i = 0; i < ins; i++)
        weir_tensor_release(&in[i].tensor);
    for (int i = 0; ok && i < outs; i++)
        values[i] = out[i].tensor;
    weir_status status = WEIR_OK;
    for (int i = 0; ok && i < outs; i++)
        ok = values[i].buffer &&
             (int64_t)weir_tensor_bytes(&values[i]) <= env->options.fold_limit_bytes &&
             (!env->options.may_fold || env->options.may_fold(&values[i]));
    if (ok)
        status = replace(env, node, values, true);
    for (int i = 0; i < outs; i++)
        weir_tensor_release(&values[i]);
    weir_free(in);
    weir_free(out);
    weir_free(values);
    return status;
}

static weir_status fold_shape(const weir_pass_env *env, weir_node *node)
{
    weir_tensor value;
    if (weir_flow_splits(node->in[0].node)) /* a control edge would not distinguish the outputs */
        return WEIR_OK;
    if (!weir_graph_constant((weir_edge){node, 0}, &value))
        return WEIR_OK;
    weir_status status = replace(env, node, &value, false);
    weir_tensor_release(&value);
    return status;
}

/* Shape, Size and Rank depend only on the shape of their input. */
static bool asks_for_shape(const weir_node *node)
{
    return node->site.def->flags & WEIR_SHAPE_ONLY && node->site.def->in[0].number_attr < 0;
}

weir_status weir_pass_fold(weir_graph *graph, const weir_pass_env *env)
{
    size_t count;
    weir_node **order = weir_graph_order(graph, &count);
    weir_status status = WEIR_OK;
    for (size_t i = 0; i < count && !status; i++) {
        weir_node *node = order[i];
        if (node->removed || !weir_pass_pure(node) || !any_data_use(node))
            continue;
        status = weir_deadline_check();
        if (status)
            break;
        if (asks_for_shape(node))
            status = fold_shape(env, node);
        else if (all_constant(node) && storable(node) && fits(env, node))
            status = fold_node(env, node);
    }
    weir_free(order);
    return status;
}
