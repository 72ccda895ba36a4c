/* graph/instantiate.c - a function's body as a graph: _Arg nodes, its nodes, _Retval nodes.
 *
 * A definition comes from a client or a file: every name, index and attr in it may be wrong.
 */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "graph/graph_impl.h"
#include "wire/messages.h"

enum { MOST_VALUES = 1 << 16 }; /* of one argument */

typedef struct arg_range {
    int start, count; /* in arg_nodes */
} arg_range;

typedef struct body {
    const weir_function *f;
    weir_graph *g;
    const weir_named_attr *attrs; /* that instantiate it */
    int attr_count;
    weir_map args;     /* name -> its index + 1 in ranges */
    arg_range *ranges; /* by the definition's arguments */
    weir_node **arg_nodes;
    WEIR_VEC(const weir_function_node *) loops; /* Merge nodes made before what comes round */
} body;

/* Puts the value of a placeholder attr in its place; inside function attrs too. */
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

/* The attr that instantiates attr |index| of the definition. */
static weir_status instance_attr(const body *body, int index, weir_attr_kind kind, bool is_list,
                                 const weir_attr **out)
{
    const char *name = body->f->def.attrs[index].name;
    const weir_attr *attr = weir_named_attr_find(body->attrs, body->attr_count, name);
    if (!attr)
        return weir_error(WEIR_INVALID_ARGUMENT, "function '%s' needs attr '%s'", body->f->def.name,
                          name);
    if (attr->kind != kind || attr->is_list != is_list)
        return weir_error(WEIR_INVALID_ARGUMENT, "attr '%s' of function '%s' has another type",
                          name, body->f->def.name);
    *out = attr;
    return WEIR_OK;
}

static weir_status repeat_type(const body *body, int number_attr, weir_arena *arena, int32_t type,
                               const int32_t **types, int *count)
{
    const weir_attr *number;
    WEIR_TRY(instance_attr(body, number_attr, WEIR_ATTR_INT, false, &number));
    if (number->i < 0 || number->i > MOST_VALUES)
        return weir_error(
            WEIR_INVALID_ARGUMENT, "attr '%s' of function '%s' is %" PRId64 "; it must be 0 to %d",
            body->f->def.attrs[number_attr].name, body->f->def.name, number->i, MOST_VALUES);
    *count = (int)number->i;
    int32_t *all = WEIR_ARENA_ARRAY(arena, int32_t, *count);
    for (int i = 0; i < *count; i++)
        all[i] = type;
    *types = all;
    return WEIR_OK;
}

/* The types of one argument under the instantiation's attrs. */
static weir_status arg_types(const body *body, const weir_argdef *argdef, weir_arena *arena,
                             const int32_t **types, int *count)
{
    const weir_attr *attr;
    if (argdef->type_list_attr >= 0) {
        WEIR_TRY(instance_attr(body, argdef->type_list_attr, WEIR_ATTR_TYPE, true, &attr));
        *types = attr->types;
        *count = attr->count;
        return WEIR_OK;
    }
    int32_t *one = WEIR_ARENA_ARRAY(arena, int32_t, 1);
    *types = one;
    *count = 1;
    one[0] = argdef->dtype;
    if (argdef->type_attr >= 0) {
        WEIR_TRY(instance_attr(body, argdef->type_attr, WEIR_ATTR_TYPE, false, &attr));
        one[0] = attr->type;
    }
    return argdef->number_attr < 0
               ? WEIR_OK
               : repeat_type(body, argdef->number_attr, arena, one[0], types, count);
}

static weir_status add_args(body *body)
{
    int index = 0;
    WEIR_VEC(weir_node *) nodes = {0};
    weir_status status = WEIR_OK;
    body->ranges = WEIR_ARENA_ARRAY(&body->g->arena, arg_range, body->f->def.in_count);
    for (int i = 0; i < body->f->def.in_count && !status; i++) {
        const int32_t *types;
        int count = 0;
        status = arg_types(body, &body->f->def.in[i], &body->g->arena, &types, &count);
        body->ranges[i] = (arg_range){(int)nodes.count, count};
        if (!status)
            weir_map_put(&body->args, weir_str_of(body->f->def.in[i].name),
                         (void *)(intptr_t)(i + 1));
        for (int k = 0; k < count && !status; k++) {
            weir_named_attr attrs[] = {weir_a_type("T", types[k]), weir_a_int("index", index++)};
            weir_node *node;
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

/* ---- inputs ---------------------------------------------------------------------------------- */

static weir_status names_no_output(const body *body, const char *input)
{
    return weir_error(WEIR_INVALID_ARGUMENT, "input '%s' of function '%s' names no output", input,
                      body->f->def.name);
}

/* Of "name", "^name", "name:2" or "name:out:2". */
static weir_str name_in(const char *input)
{
    input += *input == '^';
    return (weir_str){input, strcspn(input, ":")};
}

/* |digits| as a number; -1: it is none, or too large for an index. */
static int read_index(const char *digits)
{
    char *end;
    long index = strtol(digits, &end, 10);
    bool fine = isdigit((unsigned char)*digits) && !*end && index <= INT32_MAX;
    return fine ? (int)index : -1;
}

static weir_status resolve_arg(const body *body, int arg, const char *input, weir_edge *out)
{
    const char *colon = strchr(input, ':');
    int index = colon ? read_index(colon + 1) : 0;
    if (index < 0 || index >= body->ranges[arg].count)
        return names_no_output(body, input);
    *out = (weir_edge){body->arg_nodes[body->ranges[arg].start + index], 0};
    return WEIR_OK;
}

/* |text|: "2", "out" or "out:2". */
static int find_output(const weir_node *node, const char *text)
{
    weir_str name = name_in(text);
    const char *second = text + name.length;
    int index = *second ? read_index(second + 1) : 0;
    if (isdigit((unsigned char)*text))
        return *second ? -1 : read_index(text);
    for (int i = 0; i < node->site.def->out_count; i++) {
        if (!weir_str_is(name, node->site.def->out[i].name))
            continue;
        weir_range range = weir_site_out(&node->site, i);
        return index >= 0 && index < range.count ? range.start + index : -1;
    }
    return -1;
}

/* "arg", "arg:k", "node:out:k", "node:out", "node:k", "^node". Missing: there is no such node yet.
 */
static weir_status resolve(const body *body, const char *input, weir_edge *out, bool *missing)
{
    weir_str name = name_in(input);
    intptr_t arg = (intptr_t)weir_map_get(&body->args, name);
    *missing = false;
    if (arg && *input == '^') {
        if (body->ranges[arg - 1].count)
            *out = (weir_edge){body->arg_nodes[body->ranges[arg - 1].start], 0};
        return body->ranges[arg - 1].count ? WEIR_OK : names_no_output(body, input);
    }
    if (arg)
        return resolve_arg(body, (int)arg - 1, input, out);
    weir_node *node = weir_graph_find(body->g, name);
    *missing = !node;
    if (!node)
        return WEIR_OK;
    *out = (weir_edge){node, 0};
    const char *colon = strchr(input, ':');
    if (*input == '^' || !colon)
        return WEIR_OK;
    out->index = find_output(node, colon + 1);
    return out->index < 0 || out->index >= node->site.out_count ? names_no_output(body, input)
                                                                : WEIR_OK;
}

/* Where a loop begins: its Merge comes before its back edge. */
static bool begins_loop(const body *body, const weir_function_node *fn)
{
    return weir_registry_flow(body->g->registry, fn->op) == WEIR_FLOW_MERGE;
}

/* Resolves an input; one of a Merge that is not there yet may be a loop's back edge, for which
 * an input that exists is a placeholder. */
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
            WEIR_TRY(resolve(body, fn->in[i], &edge, missing));
            controls[spec->control_count++] = edge.node;
        } else {
            WEIR_TRY(find_input(body, fn, i, open_loops, &in[spec->in_count++], missing));
        }
    }
    spec->in = in;
    spec->controls = controls;
    return WEIR_OK;
}

/* Adds one node if all its inputs are there. */
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

/* A back edge has the type of the Merge, and goes to an input that is there. */
static weir_status close_loop(body *body, const weir_function_node *fn, weir_node *node, int input)
{
    weir_edge edge;
    bool missing;
    WEIR_TRY(resolve(body, fn->in[input], &edge, &missing));
    if (missing)
        return weir_error(WEIR_INVALID_ARGUMENT, "input '%s' of node '%s' is not in function '%s'",
                          fn->in[input], fn->name, body->f->def.name);
    if (weir_dtype_base(weir_edge_type(edge)) != weir_dtype_base(node->site.in_types[input]))
        return weir_error(WEIR_INVALID_ARGUMENT, "input '%s' of node '%s' has another type",
                          fn->in[input], fn->name);
    weir_graph_set_input(node, input, edge);
    return WEIR_OK;
}

/* All nodes exist: back edges replace their placeholders. Controls follow the inputs. */
static weir_status close_loops(body *body)
{
    for (size_t i = 0; i < body->loops.count; i++) {
        const weir_function_node *fn = body->loops.at[i];
        weir_node *node = weir_graph_find(body->g, weir_str_of(fn->name));
        for (int k = 0, input = 0; k < fn->in_count && input < node->site.in_count; k++)
            if (fn->in[k][0] != '^')
                WEIR_TRY(close_loop(body, fn, node, input++));
    }
    return WEIR_OK;
}

/* ---- the order of nodes ---------------------------------------------------------------------- */

/* Nodes are added when all they read is there: those that read node i are
 * readers[first[i]] to readers[first[i + 1]]. */
typedef struct order {
    const body *body;
    int count, *pending, *first, *readers, *queue, queued;
    bool *done;
    weir_map names; /* name -> its index + 1 */
} order;

static void order_fini(order *order)
{
    weir_free(order->pending);
    weir_free(order->first);
    weir_free(order->readers);
    weir_free(order->queue);
    weir_free(order->done);
    weir_map_fini(&order->names);
}

/* The node that input |k| of node |i| reads; -1: an argument, or none of the function's. */
static int read_by(const order *order, int i, int k)
{
    weir_str name = name_in(order->body->f->nodes[i].in[k]);
    if (weir_map_get(&order->body->args, name))
        return -1;
    return (int)(intptr_t)weir_map_get(&order->names, name) - 1;
}

/* Calls visit for every edge between two nodes of the body. */
static void each_edge(order *order, void (*visit)(struct order *order, int from, int to))
{
    for (int i = 0; i < order->count; i++)
        for (int k = 0; k < order->body->f->nodes[i].in_count; k++) {
            int from = read_by(order, i, k);
            if (from >= 0)
                visit(order, from, i);
        }
}

static void count_edge(order *order, int from, int to)
{
    order->pending[to]++;
    order->first[from + 1]++;
}

/* Fills a node's place from its end: first[i] is the end of i's readers before, and their start
 * when all are there. */
static void put_edge(order *order, int from, int to)
{
    order->readers[--order->first[from + 1]] = to;
}

static void order_init(order *order)
{
    size_t count = (size_t)order->count;
    order->pending = WEIR_NEW_ARRAY(int, count + 1);
    order->first = WEIR_NEW_ARRAY(int, count + 2);
    order->queue = WEIR_NEW_ARRAY(int, count + 1);
    order->done = WEIR_NEW_ARRAY(bool, count + 1);
    for (int i = 0; i < order->count; i++)
        weir_map_put(&order->names, weir_str_of(order->body->f->nodes[i].name),
                     (void *)(intptr_t)(i + 1));
    each_edge(order, count_edge);
    for (int i = 0; i < order->count; i++)
        order->first[i + 1] += order->first[i];
    int edges = order->first[order->count];
    order->first[order->count + 1] = edges;
    order->readers = WEIR_NEW_ARRAY(int, (size_t)edges + 1);
    each_edge(order, put_edge);
    for (int i = 0; i < order->count; i++)
        if (!order->pending[i])
            order->queue[order->queued++] = i;
}

/* Node |i| is there: what waited for it alone can follow. */
static void note_done(order *order, int i)
{
    order->done[i] = true;
    for (int k = order->first[i + 1]; k < order->first[i + 2]; k++) {
        int reader = order->readers[k];
        if (--order->pending[reader] == 0 && !order->done[reader])
            order->queue[order->queued++] = reader;
    }
}

/* Tries node |i|; false when it is not there afterwards. */
static weir_status place_node(body *body, order *order, int i, bool open_loops, bool *placed)
{
    bool done = false;
    WEIR_TRY(try_node(body, &body->f->nodes[i], open_loops, &done));
    *placed |= done;
    if (done)
        note_done(order, i);
    return WEIR_OK;
}

/* Every Merge that waits for its back edge begins its loop. */
static weir_status begin_loops(body *body, order *order, bool *placed)
{
    for (int i = 0; i < order->count; i++)
        if (!order->done[i] && begins_loop(body, &body->f->nodes[i]))
            WEIR_TRY(place_node(body, order, i, true, placed));
    return WEIR_OK;
}

static weir_status add_in_order(body *body, order *order)
{
    bool placed = true;
    for (int at = 0; placed;) {
        placed = false;
        for (; at < order->queued; at++)
            if (!order->done[order->queue[at]])
                WEIR_TRY(place_node(body, order, order->queue[at], false, &placed));
        WEIR_TRY(begin_loops(body, order, &placed));
    }
    for (int i = 0; i < order->count; i++)
        if (!order->done[i])
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "function '%s' has a node with an unknown input, or a cycle: '%s'",
                              body->f->def.name, body->f->nodes[i].name);
    return close_loops(body);
}

static weir_status add_nodes(body *body)
{
    order order = {.body = body, .count = body->f->node_count};
    order_init(&order);
    weir_status status = add_in_order(body, &order);
    order_fini(&order);
    return status;
}

/* ---- results --------------------------------------------------------------------------------- */

static weir_status add_ret(body *body, int arg, int *index)
{
    const int32_t *types;
    int count;
    WEIR_TRY(arg_types(body, &body->f->def.out[arg], &body->g->arena, &types, &count));
    if (!count)
        return WEIR_OK;
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

weir_status weir_function_instantiate(const weir_graph *library, const weir_function *function,
                                      const weir_named_attr *attrs, int attr_count,
                                      weir_graph **out_body)
{
    WEIR_OWNED(weir_graph) graph = weir_graph_create(library->registry);
    for (size_t i = 0; i < library->function_list.count; i++)
        WEIR_TRY(weir_graph_add_function(graph, library->function_list.at[i]));
    body body = {.f = function, .g = graph, .attrs = attrs, .attr_count = attr_count};
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
