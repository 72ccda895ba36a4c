/* pass/fold.c - computes ahead what depends on constants only. */
#include <stdio.h>

#include "pass/pass_impl.h"

/* The new constant waits for what the folded node and its inputs waited for: in a loop that is what
 * puts it into the frame, in a branch what makes it dead. */
static void inherit_controls(const weir_node *n, weir_node *to, bool of_inputs)
{
    for (size_t i = 0; i < n->controls.count; i++)
        weir_graph_add_control(n->controls.at[i], to);
    for (int i = 0; i < n->site.in_count; i++) {
        weir_node *in = n->in[i].node;
        if (!of_inputs) {
            weir_graph_add_control(in, to);
            continue;
        }
        for (size_t k = 0; k < in->controls.count; k++)
            weir_graph_add_control(in->controls.at[k], to);
    }
}

static weir_status add_const(weir_node *n, int output, const weir_tensor *value, weir_node **out)
{
    char suffix[16] = "";
    if (output)
        snprintf(suffix, sizeof suffix, "-%d", output);
    weir_named_attr attrs[] = {weir_a_tensor("value", value), weir_a_type("dtype", value->dtype)};
    weir_node_spec spec = {.op = "Const", .attrs = attrs, .attr_count = 2};
    return weir_pass_add(n, "ConstantFolding/", suffix, &spec, out);
}

/* Puts constants in the place of |n|; empty tensors stand for outputs that nobody reads. */
static weir_status replace(const weir_pass_env *env, weir_node *n, const weir_tensor *values,
                           bool inputs_constant)
{
    weir_node *last = NULL;
    for (int i = 0; i < n->site.out_count; i++) {
        if (!values[i].buffer || !weir_pass_has_data_use(n, i))
            continue;
        weir_node *c;
        WEIR_TRY(add_const(n, i, &values[i], &c));
        inherit_controls(n, c, inputs_constant);
        weir_graph_replace((weir_edge){n, i}, (weir_edge){c, 0});
        last = c;
    }
    if (weir_pass_kept(env, n))
        return WEIR_OK;
    if (!last) /* only control edges leave it */
        return WEIR_OK;
    weir_pass_move_waiting(n, last);
    weir_graph_remove(n);
    return WEIR_OK;
}

static bool all_constant(const weir_node *n)
{
    for (int i = 0; i < n->site.in_count; i++)
        if (!weir_pass_is_const(n->in[i].node))
            return false;
    return n->site.in_count > 0;
}

static bool any_data_use(const weir_node *n)
{
    for (int i = 0; i < n->site.out_count; i++)
        if (weir_pass_has_data_use(n, i))
            return true;
    return false;
}

static bool storable(const weir_node *n)
{
    for (int i = 0; i < n->site.out_count; i++)
        if (n->site.out_types[i] == WEIR_RESOURCE || n->site.out_types[i] == WEIR_VARIANT)
            return false;
    return true;
}

/* What is known already to be too large is not even computed. */
static bool fits(const weir_pass_env *env, const weir_node *n)
{
    for (int i = 0; i < n->site.out_count; i++) {
        int64_t count = weir_shape_count(&n->out_shapes[i]);
        int64_t size = (int64_t)weir_dtype_size((weir_dtype)n->site.out_types[i]);
        if (count > 0 && count > env->options.fold_limit_bytes / size)
            return false;
    }
    return true;
}

static const weir_kernel *kernel_of(const weir_node *n)
{
    const weir_kernel *kernel = NULL;
    weir_status s = weir_op_kernel(&n->site, WEIR_CPU, &kernel);
    bool none = s || kernel->flags & WEIR_ASYNC || !kernel->run;
    weir_status_free(s);
    return none ? NULL : kernel;
}

static weir_status fold_node(const weir_pass_env *env, weir_node *n)
{
    const weir_kernel *kernel = kernel_of(n);
    if (!kernel)
        return WEIR_OK;
    int ins = n->site.in_count, outs = n->site.out_count;
    weir_value *in = WEIR_NEW_ARRAY(weir_value, ins), *out = WEIR_NEW_ARRAY(weir_value, outs);
    weir_tensor *values = WEIR_NEW_ARRAY(weir_tensor, outs);
    for (int i = 0; i < ins; i++)
        in[i].tensor = weir_tensor_share(weir_pass_value(n->in[i]));
    weir_status failed = weir_op_compute(&n->site, kernel, in, out);
    bool ok = !failed; /* the node stays as it is: the step reports the error, if it gets there */
    weir_status_free(failed);
    for (int i = 0; i < ins; i++)
        weir_tensor_release(&in[i].tensor);
    for (int i = 0; ok && i < outs; i++)
        values[i] = out[i].tensor;
    weir_status s = WEIR_OK;
    for (int i = 0; ok && i < outs; i++)
        ok = values[i].buffer &&
             (int64_t)weir_tensor_bytes(&values[i]) <= env->options.fold_limit_bytes;
    if (ok)
        s = replace(env, n, values, true);
    for (int i = 0; i < outs; i++)
        weir_tensor_release(&values[i]);
    weir_free(in);
    weir_free(out);
    weir_free(values);
    return s;
}

static weir_status fold_shape(const weir_pass_env *env, weir_node *n)
{
    weir_tensor value;
    if (weir_flow_splits(n->in[0].node)) /* a control edge would not tell the sides apart */
        return WEIR_OK;
    if (!weir_graph_constant((weir_edge){n, 0}, &value))
        return WEIR_OK;
    weir_status s = replace(env, n, &value, false);
    weir_tensor_release(&value);
    return s;
}

/* Shape, Size and Rank need only the shape of their input, not its value. */
static bool asks_for_shape(const weir_node *n)
{
    return n->site.def->flags & WEIR_SHAPE_ONLY && n->site.def->in[0].number_attr < 0;
}

weir_status weir_pass_fold(weir_graph *g, const weir_pass_env *env)
{
    size_t count;
    weir_node **order = weir_graph_order(g, &count);
    weir_status s = WEIR_OK;
    for (size_t i = 0; i < count && !s; i++) {
        weir_node *n = order[i];
        if (n->removed || !weir_pass_pure(n) || !any_data_use(n))
            continue;
        if (asks_for_shape(n))
            s = fold_shape(env, n);
        else if (all_constant(n) && storable(n) && fits(env, n))
            s = fold_node(env, n);
    }
    weir_free(order);
    return s;
}
