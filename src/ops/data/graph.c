/* ops/data/graph.c - DatasetToGraph, DatasetFromGraph: conversion between a dataset and the graph
 * that creates it.
 *
 * A dataset records its op, attrs and inputs. The graph has a node for each dataset, constants for
 * other inputs, the functions they call, and a _Retval at the end.
 */
#include <inttypes.h>
#include <stdio.h>

#include "base/fingerprint.h"
#include "base/stack.h"
#include "graph/graph.h"
#include "graph/proto.h"
#include "ops/common/strs.h"
#include "ops/data/data_impl.h"
#include "ops/declare.h"
#include "tensor/proto.h"
#include "wire/messages.h"

enum { FUNCTION_DEPTH = 16 }; /* call depth that a fingerprint covers */

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
    weir_dataset_origin *origin = (weir_dataset_origin *)ref;
    weir_element_destroy(origin->in, origin->in_count);
    weir_ref_release((weir_ref *)origin->library);
    weir_arena_fini(&origin->arena);
    weir_free(origin);
}

weir_dataset_origin *weir_dataset_origin_of(const weir_call *call)
{
    const weir_site *site = call->site;
    weir_dataset_origin *origin = WEIR_NEW(weir_dataset_origin);
    weir_ref_init(&origin->ref, destroy_origin);
    weir_arena_init(&origin->arena);
    origin->op = weir_arena_strdup(&origin->arena, site->def->name);
    origin->attr_count = site->def->attr_count;
    origin->attrs = WEIR_ARENA_ARRAY(&origin->arena, weir_named_attr, origin->attr_count);
    bool calls = false;
    for (int i = 0; i < origin->attr_count; i++) {
        origin->attrs[i].name = weir_arena_strdup(&origin->arena, site->def->attrs[i].name);
        origin->attrs[i].value = weir_attr_copy(&origin->arena, &site->attrs[i]);
        calls |= site->attrs[i].kind == WEIR_ATTR_FUNC;
    }
    origin->in_count = site->in_count;
    origin->in = weir_element_create(origin->in_count);
    for (int i = 0; i < origin->in_count; i++)
        origin->in[i] = weir_tensor_share(weir_in(call, i));
    if (calls && call->run->runner)
        origin->library = call->run->runner->library(call->run->runner_arg);
    return origin;
}

/* ---- to a graph ------------------------------------------------------------------------------ */

static weir_status add_dataset(weir_graph *graph, const weir_dataset *dataset, weir_edge *out);

static weir_status add_constant(weir_graph *graph, const weir_tensor *tensor,
                                const weir_dataset *dataset, weir_edge *out)
{
    if (tensor->dtype == WEIR_RESOURCE || tensor->dtype == WEIR_VARIANT)
        return weir_error(WEIR_FAILED_PRECONDITION,
                          "%sDataset cannot be made a graph: it depends on a %s",
                          dataset->fns->name, weir_dtype_name(tensor->dtype));
    weir_named_attr attrs[] = {weir_a_tensor("value", tensor), weir_a_type("dtype", tensor->dtype)};
    weir_node *node;
    WEIR_TRY(weir_graph_add(graph,
                            &(weir_node_spec){.name = weir_graph_unique_name(graph, "Const/_"),
                                              .op = "Const",
                                              .attrs = attrs,
                                              .attr_count = 2},
                            &node));
    *out = (weir_edge){node, 0};
    return WEIR_OK;
}

static weir_status add_inputs(weir_graph *graph, const weir_dataset *dataset, weir_edge *in)
{
    const weir_dataset_origin *origin = dataset->origin;
    for (int i = 0; i < origin->in_count; i++) {
        weir_dataset *input;
        weir_status status = origin->in[i].dtype == WEIR_VARIANT
                                 ? weir_dataset_of(&origin->in[i], &input)
                                 : weir_error(WEIR_NOT_FOUND, "no dataset");
        bool is_dataset = !status;
        weir_status_free(status);
        WEIR_TRY(is_dataset ? add_dataset(graph, input, &in[i])
                            : add_constant(graph, &origin->in[i], dataset, &in[i]));
    }
    return WEIR_OK;
}

static weir_status add_functions(weir_graph *graph, const weir_library *library)
{
    for (size_t i = 0; library && i < library->functions->function_list.count; i++)
        WEIR_TRY(weir_graph_add_function(graph, library->functions->function_list.at[i]));
    return WEIR_OK;
}

static weir_status add_dataset(weir_graph *graph, const weir_dataset *dataset, weir_edge *out)
{
    const weir_dataset_origin *origin = dataset->origin;
    WEIR_TRY(weir_stack_check("A dataset"));
    if (!origin)
        return weir_error(WEIR_FAILED_PRECONDITION,
                          "%sDataset cannot be made a graph: no op made it", dataset->fns->name);
    WEIR_TRY(add_functions(graph, origin->library));
    weir_edge *in = WEIR_NEW_ARRAY(weir_edge, origin->in_count);
    WEIR_BUF(name);
    weir_buf_addf(&name, "%s/_", origin->op);
    weir_node *node;
    weir_status status = add_inputs(graph, dataset, in);
    if (!status)
        status = weir_graph_add(graph,
                                &(weir_node_spec){.name = weir_graph_unique_name(graph, name.at),
                                                  .op = origin->op,
                                                  .in = in,
                                                  .in_count = origin->in_count,
                                                  .attrs = origin->attrs,
                                                  .attr_count = origin->attr_count},
                                &node);
    weir_free(in);
    WEIR_TRY(status);
    *out = (weir_edge){node, 0};
    return WEIR_OK;
}

static weir_status build_graph(const weir_dataset *dataset, weir_graph *graph, weir_buf *out)
{
    weir_edge made;
    weir_node *ret;
    weir_named_attr attrs[] = {weir_a_type("T", WEIR_VARIANT), weir_a_int("index", 0)};
    WEIR_TRY(add_dataset(graph, dataset, &made));
    WEIR_TRY(weir_graph_add(graph,
                            &(weir_node_spec){.name = "dataset",
                                              .op = "_Retval",
                                              .in = &made,
                                              .in_count = 1,
                                              .attrs = attrs,
                                              .attr_count = 2},
                            &ret));
    graph->producer = WEIR_GRAPH_VERSION;
    weir_graph_export(graph, out);
    return WEIR_OK;
}

/* The values of attr external_state_policy, and of the older op's attr. */
enum { POLICY_WARN = 0, POLICY_FAIL = 2 };

static int64_t policy_of(const weir_site *site)
{
    const weir_attr *policy = weir_data_attr(site, "external_state_policy");
    const weir_attr *allow = weir_data_attr(site, "allow_stateful");
    return policy ? policy->i : allow && allow->b ? POLICY_WARN : POLICY_FAIL;
}

static weir_status write_graph(weir_call *call, const weir_dataset *dataset, weir_buf *out)
{
    if (!call->run->runner)
        return weir_error(WEIR_FAILED_PRECONDITION, "No function library to serialize with");
    weir_library *library = call->run->runner->library(call->run->runner_arg);
    weir_graph *graph = weir_graph_create(library->functions->registry);
    weir_status status = build_graph(dataset, graph, out);
    weir_graph_destroy(graph);
    weir_ref_release(&library->ref);
    return status;
}

static weir_status to_graph(weir_call *call)
{
    weir_dataset *dataset;
    WEIR_TRY(weir_dataset_of(weir_in(call, 0), &dataset));
    if (dataset->external && policy_of(call->site) == POLICY_FAIL)
        return weir_error(WEIR_FAILED_PRECONDITION,
                          "Failed to serialize dataset: it depends on external state");
    WEIR_BUF(bytes);
    WEIR_TRY(write_graph(call, dataset, &bytes));
    weir_call_set(call, 0, weir_tensor_string(weir_view(&bytes)));
    return WEIR_OK;
}

#define TO_GRAPH                                                                                   \
    .in = "input_dataset: variant", .out = "graph: string", .infer = weir_infer_scalar,            \
    .no_grad = true, .kernels = {{WEIR_CPU, "*", to_graph, WEIR_OWN_OUTPUTS}}

WEIR_DEFINE_OP(dataset_to_graph, "DatasetToGraph", TO_GRAPH,
               .attrs = "stateful_whitelist: list(string) >= 0 = []; allow_stateful: bool = false; "
                        "strip_device_assignment: bool = false");
WEIR_DEFINE_OP(dataset_to_graph_v2, "DatasetToGraphV2", TO_GRAPH,
               .attrs = "external_state_policy: int = 0; strip_device_assignment: bool = false");

/* ---- fingerprints: of functions' contents, not of their names -------------------------------- */

static uint64_t mix(uint64_t a, uint64_t b)
{
    return weir_fingerprint64((weir_str){(const char *)(uint64_t[]){a, b}, 16});
}

static uint64_t hash_attr(const weir_graph *library, const weir_attr *attr, int depth);

/* Commutative, because clients write attrs in any order. */
static uint64_t hash_attrs(const weir_graph *library, const weir_named_attr *attrs, int count,
                           int depth)
{
    uint64_t sum = 0;
    for (int i = 0; i < count; i++)
        if (strcmp(attrs[i].name, "metadata") != 0)
            sum += mix(weir_fingerprint64(weir_str_of(attrs[i].name)),
                       hash_attr(library, &attrs[i].value, depth));
    return sum;
}

static uint64_t hash_function(const weir_graph *library, const char *name, int depth)
{
    const weir_function *function = library && depth < FUNCTION_DEPTH
                                        ? weir_graph_find_function(library, weir_str_of(name))
                                        : NULL;
    uint64_t hash = function ? (uint64_t)function->def.in_count : 0;
    for (int i = 0; function && i < function->node_count; i++) {
        const weir_function_node *node = &function->nodes[i];
        hash = mix(hash, weir_fingerprint64(weir_str_of(node->op)));
        hash = mix(hash, hash_attrs(library, node->attrs, node->attr_count, depth + 1));
    }
    return hash;
}

static uint64_t hash_attr(const weir_graph *library, const weir_attr *attr, int depth)
{
    if (attr->kind == WEIR_ATTR_FUNC && !attr->is_list)
        return hash_function(library, attr->func->name, depth);
    uint64_t hash = 0;
    for (int i = 0; attr->kind == WEIR_ATTR_FUNC && i < attr->count; i++)
        hash = mix(hash, hash_function(library, attr->funcs[i].name, depth));
    if (attr->kind == WEIR_ATTR_FUNC)
        return hash;
    WEIR_BUF(bytes);
    weir_named_attr_write(&bytes, 1, "", attr);
    return weir_fingerprint64(weir_view(&bytes));
}

static weir_status hash_dataset(const weir_dataset *dataset, uint64_t *out);

static weir_status hash_input(const weir_tensor *tensor, uint64_t *out)
{
    weir_dataset *input = NULL;
    if (tensor->dtype == WEIR_VARIANT) {
        WEIR_TRY(weir_dataset_of(tensor, &input));
        return hash_dataset(input, out);
    }
    WEIR_BUF(bytes);
    WEIR_TRY(weir_tensor_encode(tensor, &bytes));
    *out = weir_fingerprint64(weir_view(&bytes));
    return WEIR_OK;
}

static weir_status hash_dataset(const weir_dataset *dataset, uint64_t *out)
{
    const weir_dataset_origin *origin = dataset->origin;
    WEIR_TRY(weir_stack_check("A dataset"));
    if (!origin)
        return weir_error(WEIR_FAILED_PRECONDITION, "%sDataset has no fingerprint: no op made it",
                          dataset->fns->name);
    const weir_graph *library = origin->library ? origin->library->functions : NULL;
    uint64_t hash = weir_fingerprint64(weir_str_of(origin->op)), part;
    hash = mix(hash, hash_attrs(library, origin->attrs, origin->attr_count, 0));
    for (int i = 0; i < origin->in_count; i++) {
        WEIR_TRY(hash_input(&origin->in[i], &part));
        hash = mix(hash, part);
    }
    *out = hash;
    return WEIR_OK;
}

weir_status weir_dataset_fingerprint(const weir_dataset *dataset, uint64_t *out)
{
    return hash_dataset(dataset, out);
}

static weir_status fingerprint(weir_call *call)
{
    weir_dataset *dataset;
    WEIR_TRY(weir_dataset_of(weir_in(call, 0), &dataset));
    return hash_dataset(dataset, weir_out(call, 0)->data);
}

WEIR_DEFINE_OP(dataset_fingerprint, "DatasetFingerprint", .in = "input_dataset: variant",
               .out = "fingerprint: uint64", .flags = WEIR_NO_FOLD, .infer = weir_infer_scalar,
               .no_grad = true, .kernels = {{WEIR_CPU, "*", fingerprint, WEIR_CHEAP}});

/* ---- from a graph ---------------------------------------------------------------------------- */

static weir_status add_function(weir_graph *graph, weir_str bytes)
{
    weir_function *function = NULL;
    WEIR_TRY(weir_function_import(bytes, &function));
    weir_status status = weir_graph_add_function(graph, function);
    weir_function_release(function);
    return status;
}

/* Adds a graph whose _Retval is the result as the function |name|. */
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
    weir_library *library = (weir_library *)ref;
    weir_graph_destroy((weir_graph *)library->functions);
    weir_free(library);
}

/* Wraps the graph in a function, called once; equal graphs have equal names. */
static weir_status from_graph(weir_call *call, void *arg)
{
    (void)arg;
    const weir_tensor *tensor = weir_in(call, 0);
    if (tensor->shape.rank != 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "graph_def must be a scalar, not %s",
                          WEIR_SHAPE_STR(&tensor->shape));
    if (!call->run->runner)
        return weir_error(WEIR_FAILED_PRECONDITION, "No function library to call from");
    weir_str graph = weir_str_at(tensor, 0);
    char name[48];
    snprintf(name, sizeof name, "__dataset_graph_%016" PRIx64, weir_fingerprint64(graph));
    weir_library *known = call->run->runner->library(call->run->runner_arg);
    weir_graph *g = weir_graph_create(known->functions->registry);
    weir_ref_release(&known->ref);
    weir_library *library = WEIR_NEW(weir_library);
    weir_ref_init(&library->ref, destroy_library);
    library->functions = g;
    weir_data_function function = {.func = {.name = name}, .library = library};
    weir_dataset *dataset = NULL;
    weir_status status = add_whole(g, graph, name);
    if (!status)
        status = weir_data_function_dataset(&function, call->run, NULL, 0, &dataset);
    if (!status)
        weir_call_set(call, 0, weir_tensor_from_variant(&dataset->base));
    weir_ref_release(&library->ref);
    return status;
}

static void start_from_graph(weir_call *call)
{
    weir_data_start(call, true, from_graph, NULL);
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
