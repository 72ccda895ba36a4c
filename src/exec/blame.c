/* exec/blame.c - finds which of the program's nodes made a NaN, if a pass has replaced several by
 * one.
 *
 * The parts that can be computed from the node's inputs become a plan with a node for each, whose
 * step is checked like any other. A part that cannot be recomputed (it changes a variable, or its
 * input has been overwritten) is reported if all parts before it were finite.
 */
#include <stdio.h>

#include "exec/step_impl.h"
#include "graph/flow.h"
#include "graph/past.h"

enum { MOST_PARTS = 1024 };

typedef struct parts {
    const weir_node *made;
    const weir_value *in;
    weir_graph *graph; /* of the parts only */
    weir_node **at, **copies;
    int count;
    weir_node **args; /* by input of |made|; null: no value */
    weir_tensor *values;
    int value_count;
} parts;

static weir_status add_args(parts *parts)
{
    for (int i = 0; i < parts->made->site.in_count; i++) {
        const weir_tensor *value = &parts->in[i].tensor;
        if (!value->buffer)
            continue;
        char name[32];
        snprintf(name, sizeof name, "_arg_%d", i);
        weir_named_attr attrs[] = {weir_a_type("T", value->dtype),
                                   weir_a_int("index", parts->value_count)};
        WEIR_TRY(weir_graph_add(
            parts->graph,
            &(weir_node_spec){.name = name, .op = "_Arg", .attrs = attrs, .attr_count = 2},
            &parts->args[i]));
        parts->values[parts->value_count++] = *value;
    }
    return WEIR_OK;
}

static bool is_pure(const weir_node *node)
{
    const weir_site *site = &node->site;
    if (!site->op || site->op->flags & WEIR_STATEFUL || weir_flow_is_control(node))
        return false;
    for (int i = 0; i < site->in_count; i++)
        if (weir_dtype_is_ref(site->in_types[i]) || site->in_types[i] == WEIR_RESOURCE)
            return false;
    for (int i = 0; i < site->out_count; i++)
        if (weir_dtype_is_ref(site->out_types[i]))
            return false;
    return true;
}

/* The source of the program's edge among the parts; a null node: none. */
static weir_status find_source(parts *parts, weir_edge edge, weir_edge *out)
{
    *out = (weir_edge){0};
    for (int i = 0; edge.node && i < parts->made->site.in_count; i++)
        if (parts->args[i] && weir_edge_eq(weir_edge_then(parts->made->in[i]), edge)) {
            *out = (weir_edge){parts->args[i], 0};
            return WEIR_OK;
        }
    for (int i = 0; i < parts->count; i++)
        if (parts->at[i] == edge.node && parts->copies[i]) {
            *out = (weir_edge){parts->copies[i], edge.index};
            return WEIR_OK;
        }
    if (!edge.node || weir_node_flow(edge.node) != WEIR_FLOW_CONST)
        return WEIR_OK;
    weir_node *copy;
    const char *name = weir_graph_unique_name(parts->graph, edge.node->site.name);
    WEIR_TRY(weir_graph_copy_node(parts->graph, edge.node, name, NULL, &copy));
    *out = (weir_edge){copy, 0};
    return WEIR_OK;
}

static weir_status copy_part(parts *parts, int part)
{
    weir_node *node = parts->at[part];
    if (!is_pure(node))
        return WEIR_OK;
    WEIR_FREED weir_edge *in = WEIR_NEW_ARRAY(weir_edge, node->site.in_count + 1);
    for (int i = 0; i < node->site.in_count; i++) {
        WEIR_TRY(find_source(parts, weir_node_input_then(node, i), &in[i]));
        if (!in[i].node)
            return WEIR_OK;
    }
    const char *name = weir_graph_unique_name(parts->graph, node->site.name);
    return weir_graph_copy_node(parts->graph, node, name, in, &parts->copies[part]);
}

/* Runs the parts; takes over their graph. |out| is the first of |copies| that made one. */
static weir_status run_parts(step *st, parts *parts, int *out_part)
{
    weir_plan *plan;
    const weir_site *found = NULL;
    weir_graph *graph = parts->graph;
    parts->graph = NULL;
    weir_plan_env env = {.resources = st->plan->resources, .check_numerics = true};
    WEIR_TRY(weir_plan_create(graph, &env, &plan));
    plan->numerics_found = &found;
    weir_run run = *st->run;
    run.collector = NULL;
    run.recorder = NULL;
    weir_status status = weir_step_run(
        &(weir_step_spec){.plan = plan, .run = &run, .args = parts->values, .max_runners = 1});
    for (int i = 0; i < parts->count && found; i++)
        if (parts->copies[i] && &parts->copies[i]->site == found)
            *out_part = i;
    weir_plan_release(plan);
    return status;
}

static weir_status compute(step *st, parts *parts, int *out_part)
{
    WEIR_TRY(add_args(parts));
    for (int i = 0; i < parts->count; i++)
        WEIR_TRY(copy_part(parts, i));
    return run_parts(st, parts, out_part);
}

/* All recomputed values are finite: picks the optimiser's op with that variable, or the first part
 * that may make one. */
static int guess(const parts *parts, int variable)
{
    weir_edge changed = variable >= 0 ? weir_edge_then(parts->made->in[variable]) : (weir_edge){0};
    for (int i = 0; i < parts->count && changed.node; i++)
        if (parts->at[i]->site.in_count &&
            weir_edge_eq(weir_node_input_then(parts->at[i], 0), changed) && !parts->copies[i])
            return i;
    for (int i = 0; i < parts->count; i++)
        if (!parts->copies[i] && !(parts->at[i]->site.def->flags & WEIR_KEEPS_FINITE) &&
            weir_node_flow(parts->at[i]) == WEIR_FLOW_NONE && parts->at[i]->site.in_count)
            return i;
    return parts->count - 1;
}

static const weir_site *find(step *st, parts *parts, int variable)
{
    const weir_node *made = parts->made;
    parts->at = WEIR_NEW_ARRAY(weir_node *, MOST_PARTS);
    parts->count = weir_node_parts(made, parts->at, MOST_PARTS);
    parts->copies = WEIR_NEW_ARRAY(weir_node *, parts->count + 1);
    parts->args = WEIR_NEW_ARRAY(weir_node *, made->site.in_count + 1);
    parts->values = WEIR_NEW_ARRAY(weir_tensor, made->site.in_count + 1);
    parts->graph = weir_graph_create(made->graph->registry);
    int part = -1;
    weir_status_free(compute(st, parts, &part)); /* a failed part counts as not computed */
    if (part < 0)
        part = guess(parts, variable);
    const weir_site *site = part < 0 ? &made->site : &parts->at[part]->site;
    weir_graph_destroy(parts->graph);
    weir_free(parts->values);
    weir_free(parts->args);
    weir_free(parts->copies);
    weir_free(parts->at);
    return site;
}

const weir_site *weir_step_blame(step *st, const plan_node *node, const weir_value *in,
                                 int variable)
{
    parts parts = {.made = node->node, .in = in};
    return node->made ? find(st, &parts, variable) : node->site;
}
