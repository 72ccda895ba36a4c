/* graph/function.c - FunctionDef: read, kept, and made into a graph again. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

#include "graph/graph_impl.h"
#include "graph/proto.h"
#include "wire/messages.h"

static const char *text(weir_arena *arena, weir_str from)
{
    return weir_arena_strndup(arena, from.at, from.length);
}

/* ---- reading --------------------------------------------------------------------------------- */

static const char **texts(weir_arena *arena, weir_strs from)
{
    const char **all = WEIR_ARENA_ARRAY(arena, const char *, from.count);
    for (size_t i = 0; i < from.count; i++)
        all[i] = text(arena, from.at[i]);
    return all;
}

weir_status weir_nodedef_from_proto(weir_arena *arena, const weir_msg_node_def *proto,
                                    weir_function_node *out_node)
{
    weir_function_node node = {.name = text(arena, proto->name),
                               .op = text(arena, proto->op),
                               .device = text(arena, proto->device),
                               .in_count = (int)proto->input.count,
                               .in = texts(arena, proto->input),
                               .attr_count = (int)proto->attr.count,
                               .attrs =
                                   WEIR_ARENA_ARRAY(arena, weir_named_attr, proto->attr.count)};
    for (size_t i = 0; i < proto->attr.count; i++)
        WEIR_TRY_NOTE(weir_named_attr_from_proto(arena, proto->attr.at[i].key,
                                                 proto->attr.at[i].value, &node.attrs[i]),
                      "; NodeDef: {{node %s}}", node.name);
    *out_node = node;
    return WEIR_OK;
}

weir_status weir_nodedef_read(weir_arena *arena, weir_str bytes, weir_function_node *out_node)
{
    WEIR_MESSAGE_ARENA(scratch);
    weir_msg_node_def proto;
    WEIR_TRY(weir_msg_node_def_read(bytes, &scratch, &proto));
    return weir_nodedef_from_proto(arena, &proto, out_node);
}

static void destroy(weir_ref *ref)
{
    weir_function *function = (weir_function *)ref;
    weir_arena_fini(&function->arena);
    weir_free(function);
}

void weir_function_release(weir_function *function)
{
    weir_ref_release((weir_ref *)function);
}

static weir_status read_nodes(weir_function *function, weir_msgs_node_def protos)
{
    function->nodes = WEIR_ARENA_ARRAY(&function->arena, weir_function_node, protos.count);
    for (size_t i = 0; i < protos.count; i++)
        WEIR_TRY(weir_nodedef_from_proto(&function->arena, &protos.at[i], &function->nodes[i]));
    function->node_count = (int)protos.count;
    return WEIR_OK;
}

static weir_status read_attrs(weir_function *function, weir_msgs_function_def_attr_entry protos)
{
    function->attrs = WEIR_ARENA_ARRAY(&function->arena, weir_named_attr, protos.count);
    for (size_t i = 0; i < protos.count; i++)
        WEIR_TRY(weir_named_attr_from_proto(&function->arena, protos.at[i].key, protos.at[i].value,
                                            &function->attrs[i]));
    function->attr_count = (int)protos.count;
    return WEIR_OK;
}

static weir_status read_returns(weir_function *function, weir_msgs_function_def_ret_entry protos)
{
    function->ret = WEIR_ARENA_ARRAY(&function->arena, const char *, function->def.out_count);
    for (int i = 0; i < function->def.out_count; i++) {
        const weir_msg_function_def_ret_entry *entry =
            WEIR_MAP_FIND(protos, function->def.out[i].name);
        if (!entry)
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "function '%s' does not say what it returns as '%s'",
                              function->def.name, function->def.out[i].name);
        function->ret[i] = text(&function->arena, entry->value);
    }
    return WEIR_OK;
}

static void read_controls(weir_function *function, weir_msgs_function_def_control_ret_entry protos)
{
    function->control_ret_names = WEIR_ARENA_ARRAY(&function->arena, const char *, protos.count);
    function->control_ret_nodes = WEIR_ARENA_ARRAY(&function->arena, const char *, protos.count);
    for (size_t i = 0; i < protos.count; i++) {
        function->control_ret_names[i] = text(&function->arena, protos.at[i].key);
        function->control_ret_nodes[i] = text(&function->arena, protos.at[i].value);
    }
    function->control_ret_count = (int)protos.count;
}

static weir_status read_body(weir_function *function)
{
    WEIR_MESSAGE_ARENA(scratch);
    weir_msg_function_def proto;
    WEIR_TRY(weir_msg_function_def_read(function->proto, &scratch, &proto));
    if (!proto.signature || !proto.signature->name.length)
        return weir_error(WEIR_INVALID_ARGUMENT, "Invalid FunctionDef: it has no name");
    WEIR_TRY(weir_opdef_from_proto(&function->arena, proto.signature, &function->def));
    WEIR_TRY(read_nodes(function, proto.node_def));
    WEIR_TRY(read_returns(function, proto.ret));
    WEIR_TRY(read_attrs(function, proto.attr));
    read_controls(function, proto.control_ret);
    return WEIR_OK;
}

weir_status weir_function_import(weir_str bytes, weir_function **out_function)
{
    weir_function *function = WEIR_NEW(weir_function);
    weir_ref_init(&function->ref, destroy);
    weir_arena_init(&function->arena);
    function->proto = (weir_str){text(&function->arena, bytes), bytes.length};
    weir_status status = read_body(function);
    if (status) {
        weir_function_release(function);
        return status;
    }
    *out_function = function;
    return WEIR_OK;
}

/* ---- comparing ------------------------------------------------------------------------------- */

static bool attrs_eq(const weir_named_attr *a, const weir_named_attr *b, int count)
{
    for (int i = 0; i < count; i++) {
        const weir_attr *other = weir_named_attr_find(b, count, a[i].name);
        if (!other || !weir_attr_eq(&a[i].value, other))
            return false;
    }
    return true;
}

static bool texts_eq(const char *const *a, const char *const *b, int count)
{
    for (int i = 0; i < count; i++)
        if (strcmp(a[i], b[i]) != 0)
            return false;
    return true;
}

static bool nodes_eq(const weir_function_node *a, const weir_function_node *b)
{
    return strcmp(a->name, b->name) == 0 && strcmp(a->op, b->op) == 0 &&
           strcmp(a->device, b->device) == 0 && a->in_count == b->in_count &&
           a->attr_count == b->attr_count &&
           texts_eq((const char *const *)a->in, (const char *const *)b->in, a->in_count) &&
           attrs_eq(a->attrs, b->attrs, a->attr_count);
}

/* The messages may differ, since the entries of their maps come in any order. */
bool weir_function_eq(const weir_function *a, const weir_function *b)
{
    if (a == b || weir_str_eq(a->proto, b->proto))
        return true;
    if (strcmp(a->def.name, b->def.name) != 0 || a->def.in_count != b->def.in_count ||
        a->def.out_count != b->def.out_count || a->def.attr_count != b->def.attr_count ||
        a->node_count != b->node_count || a->attr_count != b->attr_count ||
        a->control_ret_count != b->control_ret_count)
        return false;
    for (int i = 0; i < a->node_count; i++) {
        const weir_function_node *other = NULL;
        for (int k = 0; k < b->node_count && !other; k++)
            if (strcmp(a->nodes[i].name, b->nodes[(i + k) % b->node_count].name) == 0)
                other = &b->nodes[(i + k) % b->node_count];
        if (!other || !nodes_eq(&a->nodes[i], other))
            return false;
    }
    return texts_eq((const char *const *)a->ret, (const char *const *)b->ret, a->def.out_count) &&
           attrs_eq(a->attrs, b->attrs, a->attr_count);
}

/* ---- instantiation --------------------------------------------------------------------------- */

typedef struct body {
    const weir_function *f;
    weir_graph *g;
    const weir_named_attr *attrs; /* that instantiate it */
    int attr_count;
    weir_map args; /* name -> first _Arg node's index + 1 into arg_nodes */
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

/* The types of one argument under the instantiation's attrs. */
static weir_status arg_types(body *body, const weir_argdef *argdef, weir_arena *arena,
                             const int32_t **types, int *count)
{
    int32_t *one = WEIR_ARENA_ARRAY(arena, int32_t, 1);
    const weir_attr *v;
    *types = one;
    *count = 1;
    one[0] = argdef->dtype;
    int attr = argdef->type_attr >= 0 ? argdef->type_attr : argdef->type_list_attr;
    if (attr >= 0) {
        v = weir_named_attr_find(body->attrs, body->attr_count, body->f->def.attrs[attr].name);
        if (!v)
            return weir_error(WEIR_INVALID_ARGUMENT, "function '%s' needs attr '%s'",
                              body->f->def.name, body->f->def.attrs[attr].name);
        if (argdef->type_list_attr >= 0) {
            *types = v->types;
            *count = v->count;
        } else {
            one[0] = v->type;
        }
    }
    if (argdef->number_attr >= 0) {
        v = weir_named_attr_find(body->attrs, body->attr_count,
                                 body->f->def.attrs[argdef->number_attr].name);
        *count = v ? (int)v->i : 0;
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
    for (int i = 0; i < body->f->def.in_count && !status; i++) {
        const int32_t *types;
        int count;
        status = arg_types(body, &body->f->def.in[i], &body->g->arena, &types, &count);
        if (!status)
            weir_map_put(&body->args, weir_str_of(body->f->def.in[i].name),
                         (void *)(intptr_t)(nodes.count + 1));
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

/* "arg", "arg:k", "node:out:k", "node:out". The node must be there already unless |later|. */
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
    if (arg) {
        int k = colon ? atoi(colon + 1) : 0;
        *out = (weir_edge){body->arg_nodes[arg - 1 + k], 0};
        return WEIR_OK;
    }
    weir_node *node = weir_graph_find(body->g, weir_str_of(name));
    if (!node) {
        *missing = true;
        return WEIR_OK;
    }
    if (!colon || isdigit((unsigned char)colon[1])) {
        *out = (weir_edge){node, colon ? atoi(colon + 1) : 0};
        return WEIR_OK;
    }
    const char *out_name = colon + 1, *second = strchr(out_name, ':');
    size_t out_length = second ? (size_t)(second - out_name) : strlen(out_name);
    for (int i = 0; i < node->site.def->out_count; i++)
        if (weir_str_is((weir_str){out_name, out_length}, node->site.def->out[i].name)) {
            *out = (weir_edge){node, weir_site_out(&node->site, i).start +
                                         (second ? atoi(second + 1) : 0)};
            return WEIR_OK;
        }
    return weir_error(WEIR_INVALID_ARGUMENT, "input '%s' of function '%s' names no output", input,
                      body->f->def.name);
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

/* Adds one node if all its inputs are there. */
static weir_status try_node(body *body, const weir_function_node *fn, bool open_loops, bool *done)
{
    WEIR_MESSAGE_ARENA(scratch);
    weir_named_attr *attrs = WEIR_ARENA_ARRAY(&scratch, weir_named_attr, fn->attr_count);
    weir_node_spec spec = {.name = fn->name,
                           .op = fn->op,
                           .attrs = attrs,
                           .attr_count = fn->attr_count,
                           .device = fn->device};
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

/* All nodes exist: back edges replace their placeholders. */
static weir_status close_loops(body *body)
{
    for (size_t i = 0; i < body->loops.count; i++) {
        const weir_function_node *fn = body->loops.at[i];
        weir_node *node = weir_graph_find(body->g, weir_str_of(fn->name));
        for (int k = 0; k < node->site.in_count; k++) {
            weir_edge edge;
            bool missing;
            WEIR_TRY(resolve(body, fn->in[k], &edge, &missing));
            weir_graph_set_input(node, k, edge);
        }
    }
    return WEIR_OK;
}

static weir_status add_nodes(body *body)
{
    WEIR_FREED bool *done = WEIR_NEW_ARRAY(bool, body->f->node_count);
    int left = body->f->node_count;
    bool open_loops = false; /* when nothing else can be added */
    weir_status status = WEIR_OK;
    while (left && !status) {
        int before = left;
        for (int i = 0; i < body->f->node_count && !status; i++) {
            if (done[i])
                continue;
            status = try_node(body, &body->f->nodes[i], open_loops, &done[i]);
            left -= done[i];
        }
        bool stuck = left == before;
        if (!status && stuck && open_loops)
            status = weir_error(WEIR_INVALID_ARGUMENT,
                                "function '%s' has a node with an unknown input, or "
                                "a cycle",
                                body->f->def.name);
        open_loops = stuck;
    }
    return status ? status : close_loops(body);
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
