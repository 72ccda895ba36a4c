/* graph/instantiate.c - instantiates a function's body as a graph. */
#include <ctype.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "graph/graph_impl.h"
#include "graph/proto.h"
#include "graph/reach.h"
#include "wire/messages.h"

enum { MOST_ARGS = 65536 }; /* values of one argument */

typedef struct body {
    const weir_function *f;
    weir_graph *g;
    const weir_named_attr *attrs; /* attrs of the instantiation */
    int attr_count;
    weir_map args;              /* name -> its index in the signature + 1 */
    int *arg_first, *arg_count; /* of each, in arg_nodes */
    weir_node **arg_nodes;
    WEIR_VEC(const weir_function_node *) loops; /* Merge nodes created before their back edge */
} body;

/* Substitutes the value of a placeholder attr, also inside function attrs. */
static weir_status substitute(body *body, weir_arena *arena, const weir_attr *attr, weir_attr *out)
{
    *out = *attr;
    if (attr->kind == WEIR_ATTR_PLACEHOLDER) {
        char name[256];
        snprintf(name, sizeof name, "%.*s", WEIR_STR_ARG(attr->s));
        const weir_attr *v = weir_named_attr_find(body->attrs, body->attr_count, name);
        if (!v)
            return weir_error(WEIR_INVALID_ARGUMENT, "function '%s' needs attr '%s'",
                              body->f->def.name, name);
        *out = *v;
        return WEIR_OK;
    }
    if (attr->kind != WEIR_ATTR_FUNC)
        return WEIR_OK;
    int count = attr->is_list ? attr->count : 1;
    weir_func *funcs = WEIR_ARENA_ARRAY(arena, weir_func, count);
    for (int i = 0; i < count; i++) {
        funcs[i] = attr->funcs[i];
        weir_named_attr *inner = WEIR_ARENA_ARRAY(arena, weir_named_attr, funcs[i].attr_count);
        for (int k = 0; k < funcs[i].attr_count; k++) {
            inner[k].name = funcs[i].attrs[k].name;
            WEIR_TRY(substitute(body, arena, &funcs[i].attrs[k].value, &inner[k].value));
        }
        funcs[i].attrs = inner;
    }
    out->funcs = funcs;
    return WEIR_OK;
}

/* The instantiation's value for an attr of the signature. */
static weir_status attr_of(const body *body, int attr, weir_attr_kind kind, bool is_list,
                           const weir_attr **out_value)
{
    const char *name = body->f->def.attrs[attr].name;
    const weir_attr *value = weir_named_attr_find(body->attrs, body->attr_count, name);
    if (!value)
        return weir_error(WEIR_INVALID_ARGUMENT, "function '%s' needs attr '%s'", body->f->def.name,
                          name);
    if (value->kind != kind || value->is_list != is_list)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "attr '%s' of function '%s' has a value of another kind", name,
                          body->f->def.name);
    *out_value = value;
    return WEIR_OK;
}

static weir_status check_count(const body *body, int64_t count)
{
    if (count >= 0 && count <= MOST_ARGS)
        return WEIR_OK;
    return weir_error(WEIR_INVALID_ARGUMENT,
                      "an argument of function '%s' has %" PRId64 " values, not 0 to %d",
                      body->f->def.name, count, MOST_ARGS);
}

/* The types of one argument under the instantiation's attrs. */
static weir_status arg_types(body *body, const weir_argdef *argdef, weir_arena *arena,
                             const int32_t **types, int *count)
{
    int32_t *one = WEIR_ARENA_ARRAY(arena, int32_t, 1);
    const weir_attr *v;
    *types = one;
    *count = 1;
    one[0] = argdef->dtype;
    if (argdef->type_attr >= 0) {
        WEIR_TRY(attr_of(body, argdef->type_attr, WEIR_ATTR_TYPE, false, &v));
        one[0] = v->type;
    }
    if (argdef->type_list_attr >= 0) {
        WEIR_TRY(attr_of(body, argdef->type_list_attr, WEIR_ATTR_TYPE, true, &v));
        *types = v->types;
        *count = v->count;
    }
    if (argdef->number_attr >= 0) {
        WEIR_TRY(attr_of(body, argdef->number_attr, WEIR_ATTR_INT, false, &v));
        WEIR_TRY(check_count(body, v->i));
        *count = (int)v->i;
        int32_t *all = WEIR_ARENA_ARRAY(arena, int32_t, *count);
        for (int i = 0; i < *count; i++)
            all[i] = one[0];
        *types = all;
    }
    return WEIR_OK;
}

static weir_status add_args(body *body)
{
    int index = 0;
    WEIR_VEC(weir_node *) nodes = {0};
    weir_status status = WEIR_OK;
    body->arg_first = WEIR_ARENA_ARRAY(&body->g->arena, int, body->f->def.in_count);
    body->arg_count = WEIR_ARENA_ARRAY(&body->g->arena, int, body->f->def.in_count);
    for (int i = 0; i < body->f->def.in_count && !status; i++) {
        const int32_t *types;
        int count;
        status = arg_types(body, &body->f->def.in[i], &body->g->arena, &types, &count);
        if (status)
            break;
        weir_map_put(&body->args, weir_str_of(body->f->def.in[i].name), (void *)(intptr_t)(i + 1));
        body->arg_first[i] = (int)nodes.count;
        body->arg_count[i] = count;
        for (int k = 0; k < count && !status; k++) {
            weir_named_attr attrs[] = {weir_a_type("T", types[k]), weir_a_int("index", index++)};
            weir_node *node = NULL;
            status = weir_graph_add(
                body->g,
                &(weir_node_spec){.name = weir_graph_unique_name(body->g, body->f->def.in[i].name),
                                  .op = "_Arg",
                                  .attrs = attrs,
                                  .attr_count = 2},
                &node);
            weir_vec_push(&nodes, node);
        }
    }
    body->arg_nodes = WEIR_ARENA_ARRAY(&body->g->arena, weir_node *, nodes.count);
    if (nodes.count)
        memcpy(body->arg_nodes, nodes.at, nodes.count * sizeof *nodes.at);
    weir_vec_fini(&nodes);
    return status;
}

static weir_status names_no_output(const body *body, const char *input)
{
    return weir_error(WEIR_INVALID_ARGUMENT, "input '%s' of function '%s' names no output", input,
                      body->f->def.name);
}

/* The number at the start of |text|, 0 without one; -1: not an index. */
static int index_of(const char *text)
{
    long value = strtol(text, NULL, 10);
    return value < 0 || value > INT_MAX ? -1 : (int)value;
}

/* Value |k| of an argument. */
static weir_status resolve_arg(const body *body, int arg, int k, const char *input, weir_edge *out)
{
    if (k < 0 || k >= body->arg_count[arg])
        return names_no_output(body, input);
    *out = (weir_edge){body->arg_nodes[body->arg_first[arg] + k], 0};
    return WEIR_OK;
}

/* "arg", "arg:k", "node:out:k", "node:out". The node must exist unless |later|. */
static weir_status resolve(body *body, const char *input, weir_edge *out, bool *missing)
{
    char name[1024];
    const char *colon = strchr(input, ':');
    size_t length = colon ? (size_t)(colon - input) : strlen(input);
    if (length >= sizeof name)
        return weir_error(WEIR_INVALID_ARGUMENT, "input name '%s' is too long", input);
    memcpy(name, input, length);
    name[length] = 0;
    *missing = false;
    intptr_t arg = (intptr_t)weir_map_get(&body->args, weir_str_of(name));
    if (arg)
        return resolve_arg(body, (int)arg - 1, colon ? index_of(colon + 1) : 0, input, out);
    weir_node *node = weir_graph_find(body->g, weir_str_of(name));
    if (!node) {
        *missing = true;
        return WEIR_OK;
    }
    if (!colon || isdigit((unsigned char)colon[1])) {
        *out = (weir_edge){node, colon ? index_of(colon + 1) : 0};
        return WEIR_OK;
    }
    const char *out_name = colon + 1, *second = strchr(out_name, ':');
    size_t out_length = second ? (size_t)(second - out_name) : strlen(out_name);
    for (int i = 0; i < node->site.def->out_count; i++)
        if (weir_str_is((weir_str){out_name, out_length}, node->site.def->out[i].name)) {
            int k = second ? index_of(second + 1) : 0, start = weir_site_out(&node->site, i).start;
            if (k < 0 || k > INT_MAX - start)
                return names_no_output(body, input);
            *out = (weir_edge){node, start + k};
            return WEIR_OK;
        }
    return names_no_output(body, input);
}

/* True for the Merge of a loop: it is created before its back edge. */
static bool begins_loop(const body *body, const weir_function_node *fn)
{
    return weir_registry_flow(body->g->registry, fn->op) == WEIR_FLOW_MERGE;
}

/* Resolves an input. A missing input of a Merge may be a loop's back edge, for which an existing
 * input stands in. */
static weir_status find_input(body *body, const weir_function_node *fn, int i, bool open_loops,
                              weir_edge *out, bool *missing)
{
    WEIR_TRY(resolve(body, fn->in[i], out, missing));
    for (int k = 0; k < fn->in_count && *missing && open_loops && begins_loop(body, fn); k++)
        if (fn->in[k][0] != '^')
            WEIR_TRY(resolve(body, fn->in[k], out, missing));
    return WEIR_OK;
}

/* Resolves the inputs of |fn| into |spec|. */
static weir_status find_inputs(body *body, const weir_function_node *fn, bool open_loops,
                               weir_arena *arena, weir_node_spec *spec, bool *missing)
{
    weir_edge *in = WEIR_ARENA_ARRAY(arena, weir_edge, fn->in_count);
    weir_node **controls = WEIR_ARENA_ARRAY(arena, weir_node *, fn->in_count);
    *missing = false;
    for (int i = 0; i < fn->in_count && !*missing; i++) {
        weir_edge edge = {0};
        if (fn->in[i][0] == '^') {
            WEIR_TRY(resolve(body, fn->in[i] + 1, &edge, missing));
            controls[spec->control_count++] = edge.node;
        } else {
            WEIR_TRY(find_input(body, fn, i, open_loops, &in[spec->in_count++], missing));
        }
    }
    spec->in = in;
    spec->controls = controls;
    return WEIR_OK;
}

/* Adds one node if all its inputs exist. */
static weir_status try_node(body *body, const weir_function_node *fn, bool open_loops, bool *done)
{
    WEIR_MESSAGE_ARENA(scratch);
    weir_named_attr *attrs = WEIR_ARENA_ARRAY(&scratch, weir_named_attr, fn->attr_count);
    weir_node_spec spec = {.name = fn->name,
                           .op = fn->op,
                           .attrs = attrs,
                           .attr_count = fn->attr_count,
                           .device = fn->device,
                           .from_outside = true};
    weir_node *node;
    bool missing;
    WEIR_TRY(find_inputs(body, fn, open_loops, &scratch, &spec, &missing));
    if (missing)
        return WEIR_OK;
    for (int i = 0; i < fn->attr_count; i++) {
        attrs[i].name = fn->attrs[i].name;
        WEIR_TRY(substitute(body, &scratch, &fn->attrs[i].value, &attrs[i].value));
    }
    WEIR_TRY(weir_graph_add(body->g, &spec, &node));
    *done = true;
    if (open_loops && begins_loop(body, fn)) {
        weir_vec_push(&body->loops, fn);
        node->out_shapes[0] = WEIR_UNKNOWN_SHAPE; /* the back edge may have another shape */
    }
    return WEIR_OK;
}

/* Checks an edge that was not passed to weir_graph_add. */
static weir_status check_back_edge(const body *body, const weir_node *node, int k, weir_edge edge,
                                   const char *input)
{
    if (edge.index < 0 || edge.index >= edge.node->site.out_count)
        return names_no_output(body, input);
    weir_dtype is = weir_dtype_base(edge.node->site.out_types[edge.index]);
    if (is == weir_dtype_base(node->site.in_types[k]))
        return WEIR_OK;
    return weir_error(WEIR_INVALID_ARGUMENT,
                      "input '%s' of node '%s' in function '%s' is of another type than the loop",
                      input, node->site.name, body->f->def.name);
}

/* Replaces the stand-ins by back edges once all nodes exist. */
static weir_status close_loop(body *body, const weir_function_node *fn)
{
    weir_node *node = weir_graph_find(body->g, weir_str_of(fn->name));
    for (int i = 0, k = 0; i < fn->in_count; i++) {
        weir_edge edge = {0};
        bool missing;
        if (fn->in[i][0] == '^')
            continue;
        WEIR_TRY(resolve(body, fn->in[i], &edge, &missing));
        if (missing)
            return weir_error(WEIR_INVALID_ARGUMENT, "function '%s' has no node for input '%s'",
                              body->f->def.name, fn->in[i]);
        WEIR_TRY(check_back_edge(body, node, k, edge, fn->in[i]));
        weir_graph_set_input(node, k++, edge);
    }
    return WEIR_OK;
}

/* Adds the nodes of |order| whose inputs exist; keeps the rest, in order. */
static weir_status add_some(body *body, int *order, int *count, bool open_loops)
{
    int left = 0;
    for (int i = 0; i < *count; i++) {
        bool done = false;
        WEIR_TRY(try_node(body, &body->f->nodes[order[i]], open_loops, &done));
        if (!done)
            order[left++] = order[i];
    }
    *count = left;
    return WEIR_OK;
}

/* Bodies may be in any order: the nodes left over from a first pass in the given order are sorted
 * once, so that the number of passes is independent of the size. Loops take two more passes per
 * level. */
static weir_status add_nodes(body *body)
{
    int left = body->f->node_count;
    WEIR_FREED int *order = WEIR_NEW_ARRAY(int, left);
    for (int i = 0; i < left; i++)
        order[i] = i;
    WEIR_TRY(add_some(body, order, &left, false));
    if (left)
        weir_function_sort(body->f, body->g->registry, order, left);
    bool open_loops = false; /* set when nothing else can be added */
    while (left) {
        int before = left;
        WEIR_TRY(add_some(body, order, &left, open_loops));
        bool stuck = left == before;
        if (stuck && open_loops)
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "function '%s' has a node with an unknown input, or a cycle",
                              body->f->def.name);
        open_loops = stuck;
    }
    for (size_t i = 0; i < body->loops.count; i++)
        WEIR_TRY(close_loop(body, body->loops.at[i]));
    return WEIR_OK;
}

static weir_status add_ret(body *body, int arg, int *index)
{
    const int32_t *types;
    int count;
    WEIR_TRY(arg_types(body, &body->f->def.out[arg], &body->g->arena, &types, &count));
    weir_edge first;
    bool missing;
    WEIR_TRY(resolve(body, body->f->ret[arg], &first, &missing));
    if (missing)
        return weir_error(WEIR_INVALID_ARGUMENT, "function '%s' returns unknown '%s'",
                          body->f->def.name, body->f->ret[arg]);
    for (int k = 0; k < count; k++) {
        weir_edge edge = {first.node, first.index + k};
        weir_named_attr attrs[] = {weir_a_type("T", types[k]), weir_a_int("index", (*index)++)};
        weir_node *node;
        WEIR_TRY(weir_graph_add(
            body->g,
            &(weir_node_spec){.name = weir_graph_unique_name(body->g, body->f->def.out[arg].name),
                              .op = "_Retval",
                              .in = &edge,
                              .in_count = 1,
                              .attrs = attrs,
                              .attr_count = 2},
            &node));
    }
    return WEIR_OK;
}

/* Adds only the functions reachable from the body: a library may be large. */
static weir_status add_library(body *body, const weir_graph *library)
{
    weir_reach reach = {.library = library};
    weir_status status = WEIR_OK;
    weir_reach_name(&reach, body->f->def.name);
    weir_reach_body(&reach, body->f);
    for (int i = 0; i < body->attr_count; i++)
        weir_reach_attr(&reach, &body->attrs[i].value);
    weir_reach_all(&reach);
    for (size_t i = 0; i < reach.found.count && !status; i++)
        status = weir_graph_add_function(body->g, (weir_function *)reach.found.at[i]);
    weir_reach_fini(&reach);
    return status;
}

weir_status weir_function_instantiate(const weir_graph *library, const weir_function *function,
                                      const weir_named_attr *attrs, int attr_count,
                                      weir_graph **out_body)
{
    WEIR_OWNED(weir_graph) graph = weir_graph_create(library->registry);
    body body = {.f = function, .g = graph, .attrs = attrs, .attr_count = attr_count};
    WEIR_TRY(add_library(&body, library));
    weir_status status = add_args(&body);
    if (!status)
        status = add_nodes(&body);
    int index = 0;
    for (int i = 0; i < function->def.out_count && !status; i++)
        status = add_ret(&body, i, &index);
    weir_map_fini(&body.args);
    weir_vec_fini(&body.loops);
    WEIR_TRY_NOTE(status, " [in function '%s']", function->def.name);
    *out_body = WEIR_TAKE(graph);
    return WEIR_OK;
}
