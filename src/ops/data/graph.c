/* ops/data/graph.c - DatasetToGraph, DatasetFromGraph: a dataset as the graph that makes it.
 *
 * A dataset keeps how it was made: op, attrs and inputs. The graph has a node for each, constants
 * for the inputs that are no datasets, the functions they call, and a _Retval behind the last.
 */
#include <inttypes.h>
#include <stdio.h>

#include "base/fingerprint.h"
#include "graph/graph.h"
#include "graph/proto.h"
#include "ops/common/strs.h"
#include "ops/data/data_impl.h"
#include "ops/declare.h"
#include "wire/messages.h"

struct weir_dataset_origin {
    weir_ref ref;
    weir_arena arena;
    const char *op;
    weir_named_attr *attrs;
    int attr_count, in_count;
    weir_tensor *in;
    weir_library *library; /* null: none */
};

static void destroy_origin(weir_ref *ref)
{
    weir_dataset_origin *o = (weir_dataset_origin *)ref;
    weir_element_destroy(o->in, o->in_count);
    weir_ref_release((weir_ref *)o->library);
    weir_arena_fini(&o->arena);
    weir_free(o);
}

weir_dataset_origin *weir_dataset_origin_of(const weir_call *c)
{
    const weir_site *site = c->site;
    weir_dataset_origin *o = WEIR_NEW(weir_dataset_origin);
    weir_ref_init(&o->ref, destroy_origin);
    weir_arena_init(&o->arena);
    o->op = weir_arena_strdup(&o->arena, site->def->name);
    o->attr_count = site->def->attr_count;
    o->attrs = WEIR_ARENA_ARRAY(&o->arena, weir_named_attr, o->attr_count);
    bool calls = false;
    for (int i = 0; i < o->attr_count; i++) {
        o->attrs[i].name = weir_arena_strdup(&o->arena, site->def->attrs[i].name);
        o->attrs[i].value = weir_attr_copy(&o->arena, &site->attrs[i]);
        calls |= site->attrs[i].kind == WEIR_ATTR_FUNC;
    }
    o->in_count = site->in_count;
    o->in = weir_element_create(o->in_count);
    for (int i = 0; i < o->in_count; i++)
        o->in[i] = weir_tensor_share(weir_in(c, i));
    if (calls && c->run->runner)
        o->library = c->run->runner->library(c->run->runner_arg);
    return o;
}

/* ---- to a graph ------------------------------------------------------------------------------ */

static weir_status add_dataset(weir_graph *g, const weir_dataset *d, weir_edge *out);

static weir_status add_constant(weir_graph *g, const weir_tensor *t, const weir_dataset *d,
                                weir_edge *out)
{
    if (t->dtype == WEIR_RESOURCE || t->dtype == WEIR_VARIANT)
        return weir_error(WEIR_FAILED_PRECONDITION,
                          "%sDataset cannot be made a graph: it depends on a %s", d->fns->name,
                          weir_dtype_name(t->dtype));
    weir_named_attr attrs[] = {weir_a_tensor("value", t), weir_a_type("dtype", t->dtype)};
    weir_node *n;
    WEIR_TRY(weir_graph_add(g,
                            &(weir_node_spec){.name = weir_graph_unique_name(g, "Const/_"),
                                              .op = "Const",
                                              .attrs = attrs,
                                              .attr_count = 2},
                            &n));
    *out = (weir_edge){n, 0};
    return WEIR_OK;
}

static weir_status add_inputs(weir_graph *g, const weir_dataset *d, weir_edge *in)
{
    const weir_dataset_origin *o = d->origin;
    for (int i = 0; i < o->in_count; i++) {
        weir_dataset *input;
        weir_status s = o->in[i].dtype == WEIR_VARIANT ? weir_dataset_of(&o->in[i], &input)
                                                       : weir_error(WEIR_NOT_FOUND, "no dataset");
        bool is_dataset = !s;
        weir_status_free(s);
        WEIR_TRY(is_dataset ? add_dataset(g, input, &in[i])
                            : add_constant(g, &o->in[i], d, &in[i]));
    }
    return WEIR_OK;
}

static weir_status add_functions(weir_graph *g, const weir_library *l)
{
    for (size_t i = 0; l && i < l->functions->function_list.count; i++)
        WEIR_TRY(weir_graph_add_function(g, l->functions->function_list.at[i]));
    return WEIR_OK;
}

static weir_status add_dataset(weir_graph *g, const weir_dataset *d, weir_edge *out)
{
    const weir_dataset_origin *o = d->origin;
    if (!o)
        return weir_error(WEIR_FAILED_PRECONDITION,
                          "%sDataset cannot be made a graph: no op made it", d->fns->name);
    WEIR_TRY(add_functions(g, o->library));
    weir_edge *in = WEIR_NEW_ARRAY(weir_edge, o->in_count);
    WEIR_BUF(name);
    weir_buf_addf(&name, "%s/_", o->op);
    weir_node *n;
    weir_status s = add_inputs(g, d, in);
    if (!s)
        s = weir_graph_add(g,
                           &(weir_node_spec){.name = weir_graph_unique_name(g, name.at),
                                             .op = o->op,
                                             .in = in,
                                             .in_count = o->in_count,
                                             .attrs = o->attrs,
                                             .attr_count = o->attr_count},
                           &n);
    weir_free(in);
    WEIR_TRY(s);
    *out = (weir_edge){n, 0};
    return WEIR_OK;
}

static weir_status build_graph(const weir_dataset *d, weir_graph *g, weir_buf *out)
{
    weir_edge made;
    weir_node *ret;
    weir_named_attr attrs[] = {weir_a_type("T", WEIR_VARIANT), weir_a_int("index", 0)};
    WEIR_TRY(add_dataset(g, d, &made));
    WEIR_TRY(weir_graph_add(g,
                            &(weir_node_spec){.name = "dataset",
                                              .op = "_Retval",
                                              .in = &made,
                                              .in_count = 1,
                                              .attrs = attrs,
                                              .attr_count = 2},
                            &ret));
    g->producer = WEIR_GRAPH_VERSION;
    weir_graph_export(g, out);
    return WEIR_OK;
}

/* What attr external_state_policy says, and what the older op's attr comes to. */
enum { POLICY_WARN = 0, POLICY_FAIL = 2 };

static int64_t policy_of(const weir_site *site)
{
    const weir_attr *policy = weir_data_attr(site, "external_state_policy");
    const weir_attr *allow = weir_data_attr(site, "allow_stateful");
    return policy ? policy->i : allow && allow->b ? POLICY_WARN : POLICY_FAIL;
}

static weir_status to_graph(weir_call *c)
{
    weir_dataset *d;
    WEIR_TRY(weir_dataset_of(weir_in(c, 0), &d));
    if (d->external && policy_of(c->site) == POLICY_FAIL)
        return weir_error(WEIR_FAILED_PRECONDITION,
                          "Failed to serialize dataset: it depends on external state");
    if (!c->run->runner)
        return weir_error(WEIR_FAILED_PRECONDITION, "No function library to serialize with");
    weir_library *l = c->run->runner->library(c->run->runner_arg);
    weir_graph *g = weir_graph_create(l->functions->registry);
    WEIR_BUF(bytes);
    weir_status s = build_graph(d, g, &bytes);
    if (!s)
        weir_call_set(c, 0, weir_tensor_string(weir_view(&bytes)));
    weir_graph_destroy(g);
    weir_ref_release(&l->ref);
    return s;
}

#define TO_GRAPH                                                                                   \
    .in = "input_dataset: variant", .out = "graph: string", .infer = weir_infer_scalar,            \
    .no_grad = true, .kernels = {{WEIR_CPU, "*", to_graph, WEIR_OWN_OUTPUTS}}

WEIR_DEFINE_OP(dataset_to_graph, "DatasetToGraph", TO_GRAPH,
               .attrs = "stateful_whitelist: list(string) >= 0 = []; allow_stateful: bool = false; "
                        "strip_device_assignment: bool = false");
WEIR_DEFINE_OP(dataset_to_graph_v2, "DatasetToGraphV2", TO_GRAPH,
               .attrs = "external_state_policy: int = 0; strip_device_assignment: bool = false");

/* ---- from a graph ---------------------------------------------------------------------------- */

static weir_status add_function(weir_graph *g, weir_str bytes)
{
    weir_function *f = NULL;
    WEIR_TRY(weir_function_import(bytes, &f));
    weir_status s = weir_graph_add_function(g, f);
    weir_function_release(f);
    return s;
}

/* Adds a graph whose _Retval tells what it gives as the function |name|. */
static weir_status add_as_function(weir_graph *g, const weir_msg_graph_def *graph, const char *name,
                                   weir_arena *arena)
{
    weir_msg_node_def *nodes = WEIR_ARENA_ARRAY(arena, weir_msg_node_def, graph->node.count + 1);
    weir_msg_function_def_ret_entry given = {.key = WEIR_STR("handle")};
    size_t count = 0;
    for (size_t i = 0; i < graph->node.count; i++) {
        const weir_msg_node_def *node = &graph->node.at[i];
        if (!weir_str_is(node->op, "_Retval"))
            nodes[count++] = *node;
        else if (node->input.count)
            given.value = node->input.at[0];
    }
    if (!given.value.length)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "The graph does not give a dataset: it has no _Retval node");
    weir_msg_op_def_arg_def handle = {.name = WEIR_STR("handle"), .type = WEIR_VARIANT};
    weir_msg_op_def signature = {
        .name = weir_str_of(name), .output_arg = {&handle, 1}, .is_stateful = true};
    WEIR_BUF(bytes);
    weir_msg_function_def_write(&(weir_msg_function_def){.signature = &signature,
                                                         .node_def = {nodes, count},
                                                         .ret = {&given, 1}},
                                &bytes);
    return add_function(g, weir_view(&bytes));
}

static weir_status add_whole(weir_graph *g, weir_str bytes, const char *name)
{
    WEIR_MESSAGE_ARENA(arena);
    weir_msg_graph_def graph;
    WEIR_TRY_NOTE(weir_msg_graph_def_read(bytes, &arena, &graph),
                  "The graph does not give a dataset: it is damaged");
    WEIR_TRY(add_as_function(g, &graph, name, &arena));
    for (size_t i = 0; graph.library && i < graph.library->function.count; i++)
        WEIR_TRY(add_function(g, graph.library->function.at[i]));
    return WEIR_OK;
}

static void destroy_library(weir_ref *ref)
{
    weir_library *l = (weir_library *)ref;
    weir_graph_destroy((weir_graph *)l->functions);
    weir_free(l);
}

/* The graph is a function, called once; equal graphs have equal names. */
static weir_status from_graph(weir_call *c, void *arg)
{
    (void)arg;
    const weir_tensor *t = weir_in(c, 0);
    if (t->shape.rank != 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "graph_def must be a scalar, not %s",
                          WEIR_SHAPE_STR(&t->shape));
    if (!c->run->runner)
        return weir_error(WEIR_FAILED_PRECONDITION, "No function library to call from");
    weir_str graph = weir_str_at(t, 0);
    char name[48];
    snprintf(name, sizeof name, "__dataset_graph_%016" PRIx64, weir_fingerprint64(graph));
    weir_library *known = c->run->runner->library(c->run->runner_arg);
    weir_graph *g = weir_graph_create(known->functions->registry);
    weir_ref_release(&known->ref);
    weir_library *l = WEIR_NEW(weir_library);
    weir_ref_init(&l->ref, destroy_library);
    l->functions = g;
    weir_data_function f = {.func = {.name = name}, .library = l};
    weir_dataset *d = NULL;
    weir_status s = add_whole(g, graph, name);
    if (!s)
        s = weir_data_function_dataset(&f, c->run, NULL, 0, &d);
    if (!s)
        weir_call_set(c, 0, weir_tensor_from_variant(&d->base));
    weir_ref_release(&l->ref);
    return s;
}

static void start_from_graph(weir_call *c)
{
    weir_data_start(c, true, from_graph, NULL);
}

const weir_op weir_op_dataset_from_graph = {
    .name = "DatasetFromGraph",
    .in = "graph_def: string",
    .out = "handle: variant",
    .flags = WEIR_NO_FOLD,
    .infer = weir_infer_scalar,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", NULL, WEIR_ASYNC | WEIR_OWN_OUTPUTS, .start = start_from_graph}},
};
