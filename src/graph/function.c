/* graph/function.c - FunctionDef: read, kept, and made into a graph again. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

#include "graph/graph_impl.h"
#include "graph/proto.h"

static const char *text(weir_arena *arena, weir_str from)
{
    return weir_arena_strndup(arena, from.at, from.length);
}

/* ---- reading -------------------------------------------------------------------------------- */

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
    weir_function *f = (weir_function *)ref;
    weir_arena_fini(&f->arena);
    weir_free(f);
}

void weir_function_release(weir_function *f)
{
    weir_ref_release((weir_ref *)f);
}

static weir_status read_nodes(weir_function *f, weir_msgs_node_def protos)
{
    f->nodes = WEIR_ARENA_ARRAY(&f->arena, weir_function_node, protos.count);
    for (size_t i = 0; i < protos.count; i++)
        WEIR_TRY(weir_nodedef_from_proto(&f->arena, &protos.at[i], &f->nodes[i]));
    f->node_count = (int)protos.count;
    return WEIR_OK;
}

static weir_status read_attrs(weir_function *f, weir_msgs_function_def_attr_entry protos)
{
    f->attrs = WEIR_ARENA_ARRAY(&f->arena, weir_named_attr, protos.count);
    for (size_t i = 0; i < protos.count; i++)
        WEIR_TRY(weir_named_attr_from_proto(&f->arena, protos.at[i].key, protos.at[i].value,
                                            &f->attrs[i]));
    f->attr_count = (int)protos.count;
    return WEIR_OK;
}

static weir_status read_returns(weir_function *f, weir_msgs_function_def_ret_entry protos)
{
    f->ret = WEIR_ARENA_ARRAY(&f->arena, const char *, f->def.out_count);
    for (int i = 0; i < f->def.out_count; i++) {
        const weir_msg_function_def_ret_entry *entry = WEIR_MAP_FIND(protos, f->def.out[i].name);
        if (!entry)
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "function '%s' does not say what it returns as '%s'", f->def.name,
                              f->def.out[i].name);
        f->ret[i] = text(&f->arena, entry->value);
    }
    return WEIR_OK;
}

static void read_controls(weir_function *f, weir_msgs_function_def_control_ret_entry protos)
{
    f->control_ret_names = WEIR_ARENA_ARRAY(&f->arena, const char *, protos.count);
    f->control_ret_nodes = WEIR_ARENA_ARRAY(&f->arena, const char *, protos.count);
    for (size_t i = 0; i < protos.count; i++) {
        f->control_ret_names[i] = text(&f->arena, protos.at[i].key);
        f->control_ret_nodes[i] = text(&f->arena, protos.at[i].value);
    }
    f->control_ret_count = (int)protos.count;
}

static weir_status read_body(weir_function *f)
{
    WEIR_MESSAGE_ARENA(scratch);
    weir_msg_function_def proto;
    WEIR_TRY(weir_msg_function_def_read(f->proto, &scratch, &proto));
    if (!proto.signature || !proto.signature->name.length)
        return weir_error(WEIR_INVALID_ARGUMENT, "Invalid FunctionDef: it has no name");
    WEIR_TRY(weir_opdef_from_proto(&f->arena, proto.signature, &f->def));
    WEIR_TRY(read_nodes(f, proto.node_def));
    WEIR_TRY(read_returns(f, proto.ret));
    WEIR_TRY(read_attrs(f, proto.attr));
    read_controls(f, proto.control_ret);
    return WEIR_OK;
}

weir_status weir_function_import(weir_str bytes, weir_function **out_function)
{
    weir_function *f = WEIR_NEW(weir_function);
    weir_ref_init(&f->ref, destroy);
    weir_arena_init(&f->arena);
    f->proto = (weir_str){text(&f->arena, bytes), bytes.length};
    weir_status s = read_body(f);
    if (s) {
        weir_function_release(f);
        return s;
    }
    *out_function = f;
    return WEIR_OK;
}

/* ---- comparing ------------------------------------------------------------------------------ */

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

/* ---- instantiation -------------------------------------------------------------------------- */

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
static weir_status substitute(body *b, weir_arena *arena, const weir_attr *a, weir_attr *out)
{
    *out = *a;
    if (a->kind == WEIR_ATTR_PLACEHOLDER) {
        char name[256];
        snprintf(name, sizeof name, "%.*s", WEIR_STR_ARG(a->s));
        const weir_attr *v = weir_named_attr_find(b->attrs, b->attr_count, name);
        if (!v)
            return weir_error(WEIR_INVALID_ARGUMENT, "function '%s' needs attr '%s'",
                              b->f->def.name, name);
        *out = *v;
        return WEIR_OK;
    }
    if (a->kind != WEIR_ATTR_FUNC)
        return WEIR_OK;
    int n = a->is_list ? a->count : 1;
    weir_func *funcs = WEIR_ARENA_ARRAY(arena, weir_func, n);
    for (int i = 0; i < n; i++) {
        funcs[i] = a->funcs[i];
        weir_named_attr *inner = WEIR_ARENA_ARRAY(arena, weir_named_attr, funcs[i].attr_count);
        for (int k = 0; k < funcs[i].attr_count; k++) {
            inner[k].name = funcs[i].attrs[k].name;
            WEIR_TRY(substitute(b, arena, &funcs[i].attrs[k].value, &inner[k].value));
        }
        funcs[i].attrs = inner;
    }
    out->funcs = funcs;
    return WEIR_OK;
}

/* The types of one argument under the instantiation's attrs. */
static weir_status arg_types(body *b, const weir_argdef *a, weir_arena *arena,
                             const int32_t **types, int *count)
{
    int32_t *one = WEIR_ARENA_ARRAY(arena, int32_t, 1);
    const weir_attr *v;
    *types = one;
    *count = 1;
    one[0] = a->dtype;
    int attr = a->type_attr >= 0 ? a->type_attr : a->type_list_attr;
    if (attr >= 0) {
        v = weir_named_attr_find(b->attrs, b->attr_count, b->f->def.attrs[attr].name);
        if (!v)
            return weir_error(WEIR_INVALID_ARGUMENT, "function '%s' needs attr '%s'",
                              b->f->def.name, b->f->def.attrs[attr].name);
        if (a->type_list_attr >= 0) {
            *types = v->types;
            *count = v->count;
        } else {
            one[0] = v->type;
        }
    }
    if (a->number_attr >= 0) {
        v = weir_named_attr_find(b->attrs, b->attr_count, b->f->def.attrs[a->number_attr].name);
        *count = v ? (int)v->i : 0;
        int32_t *all = WEIR_ARENA_ARRAY(arena, int32_t, *count);
        for (int i = 0; i < *count; i++)
            all[i] = one[0];
        *types = all;
    }
    return WEIR_OK;
}

static weir_status add_args(body *b)
{
    int index = 0;
    WEIR_VEC(weir_node *) nodes = {0};
    weir_status s = WEIR_OK;
    for (int i = 0; i < b->f->def.in_count && !s; i++) {
        const int32_t *types;
        int count;
        s = arg_types(b, &b->f->def.in[i], &b->g->arena, &types, &count);
        if (!s)
            weir_map_put(&b->args, weir_str_of(b->f->def.in[i].name),
                         (void *)(intptr_t)(nodes.count + 1));
        for (int k = 0; k < count && !s; k++) {
            weir_named_attr attrs[] = {weir_a_type("T", types[k]), weir_a_int("index", index++)};
            weir_node *n;
            s = weir_graph_add(
                b->g,
                &(weir_node_spec){.name = weir_graph_unique_name(b->g, b->f->def.in[i].name),
                                  .op = "_Arg",
                                  .attrs = attrs,
                                  .attr_count = 2},
                &n);
            weir_vec_push(&nodes, n);
        }
    }
    b->arg_nodes = WEIR_ARENA_ARRAY(&b->g->arena, weir_node *, nodes.count);
    if (nodes.count)
        memcpy(b->arg_nodes, nodes.at, nodes.count * sizeof *nodes.at);
    weir_vec_fini(&nodes);
    return s;
}

/* "arg", "arg:k", "node:out:k", "node:out". The node must be there already unless |later|. */
static weir_status resolve(body *b, const char *input, weir_edge *out, bool *missing)
{
    char name[1024];
    const char *colon = strchr(input, ':');
    size_t length = colon ? (size_t)(colon - input) : strlen(input);
    if (length >= sizeof name)
        return weir_error(WEIR_INVALID_ARGUMENT, "input name '%s' is too long", input);
    memcpy(name, input, length);
    name[length] = 0;
    *missing = false;
    intptr_t arg = (intptr_t)weir_map_get(&b->args, weir_str_of(name));
    if (arg) {
        int k = colon ? atoi(colon + 1) : 0;
        *out = (weir_edge){b->arg_nodes[arg - 1 + k], 0};
        return WEIR_OK;
    }
    weir_node *n = weir_graph_find(b->g, weir_str_of(name));
    if (!n) {
        *missing = true;
        return WEIR_OK;
    }
    if (!colon || isdigit((unsigned char)colon[1])) {
        *out = (weir_edge){n, colon ? atoi(colon + 1) : 0};
        return WEIR_OK;
    }
    const char *out_name = colon + 1, *second = strchr(out_name, ':');
    size_t out_length = second ? (size_t)(second - out_name) : strlen(out_name);
    for (int i = 0; i < n->site.def->out_count; i++)
        if (weir_str_is((weir_str){out_name, out_length}, n->site.def->out[i].name)) {
            *out =
                (weir_edge){n, weir_site_out(&n->site, i).start + (second ? atoi(second + 1) : 0)};
            return WEIR_OK;
        }
    return weir_error(WEIR_INVALID_ARGUMENT, "input '%s' of function '%s' names no output", input,
                      b->f->def.name);
}

/* Where a loop begins: its Merge comes before what goes round to it. */
static bool begins_loop(const body *b, const weir_function_node *fn)
{
    return weir_registry_flow(b->g->registry, fn->op) == WEIR_FLOW_MERGE;
}

/* Resolves an input; one of a Merge that is not there yet may be the way back of a loop, for which
 * an input that is there stands in. */
static weir_status find_input(body *b, const weir_function_node *fn, int i, bool open_loops,
                              weir_edge *out, bool *missing)
{
    WEIR_TRY(resolve(b, fn->in[i], out, missing));
    for (int k = 0; k < fn->in_count && *missing && open_loops && begins_loop(b, fn); k++)
        if (fn->in[k][0] != '^')
            WEIR_TRY(resolve(b, fn->in[k], out, missing));
    return WEIR_OK;
}

/* Adds one node if all its inputs are there. */
static weir_status try_node(body *b, const weir_function_node *fn, bool open_loops, bool *done)
{
    weir_arena scratch;
    weir_arena_init(&scratch);
    weir_edge *in = WEIR_ARENA_ARRAY(&scratch, weir_edge, fn->in_count);
    weir_node **controls = WEIR_ARENA_ARRAY(&scratch, weir_node *, fn->in_count);
    weir_named_attr *attrs = WEIR_ARENA_ARRAY(&scratch, weir_named_attr, fn->attr_count);
    int ins = 0, control_count = 0;
    bool missing = false;
    weir_status s = WEIR_OK;
    for (int i = 0; i < fn->in_count && !s && !missing; i++) {
        if (fn->in[i][0] == '^') {
            weir_edge e = {0};
            s = resolve(b, fn->in[i] + 1, &e, &missing);
            if (!missing)
                controls[control_count++] = e.node;
        } else {
            s = find_input(b, fn, i, open_loops, &in[ins++], &missing);
        }
    }
    for (int i = 0; i < fn->attr_count && !s && !missing; i++) {
        attrs[i].name = fn->attrs[i].name;
        s = substitute(b, &scratch, &fn->attrs[i].value, &attrs[i].value);
    }
    if (!s && !missing) {
        weir_node *n;
        s = weir_graph_add(b->g,
                           &(weir_node_spec){.name = fn->name,
                                             .op = fn->op,
                                             .in = in,
                                             .in_count = ins,
                                             .attrs = attrs,
                                             .attr_count = fn->attr_count,
                                             .controls = controls,
                                             .control_count = control_count,
                                             .device = fn->device},
                           &n);
        *done = true;
        if (open_loops && begins_loop(b, fn)) {
            weir_vec_push(&b->loops, fn);
            if (!s)
                n->out_shapes[0] = WEIR_UNKNOWN_SHAPE; /* what comes round may have another */
        }
    }
    weir_arena_fini(&scratch);
    return s;
}

/* Everything is there: what comes round goes where it belongs. */
static weir_status close_loops(body *b)
{
    for (size_t i = 0; i < b->loops.count; i++) {
        const weir_function_node *fn = b->loops.at[i];
        weir_node *n = weir_graph_find(b->g, weir_str_of(fn->name));
        for (int k = 0; k < n->site.in_count; k++) {
            weir_edge e;
            bool missing;
            WEIR_TRY(resolve(b, fn->in[k], &e, &missing));
            weir_graph_set_input(n, k, e);
        }
    }
    return WEIR_OK;
}

static weir_status add_nodes(body *b)
{
    bool *done = WEIR_NEW_ARRAY(bool, b->f->node_count);
    int left = b->f->node_count;
    bool open_loops = false; /* when nothing else can be added */
    weir_status s = WEIR_OK;
    while (left && !s) {
        int before = left;
        for (int i = 0; i < b->f->node_count && !s; i++) {
            if (done[i])
                continue;
            s = try_node(b, &b->f->nodes[i], open_loops, &done[i]);
            left -= done[i];
        }
        bool stuck = left == before;
        if (!s && stuck && open_loops)
            s = weir_error(WEIR_INVALID_ARGUMENT,
                           "function '%s' has a node with an unknown input, or "
                           "a cycle",
                           b->f->def.name);
        open_loops = stuck;
    }
    weir_free(done);
    return s ? s : close_loops(b);
}

static weir_status add_ret(body *b, int arg, int *index)
{
    const int32_t *types;
    int count;
    WEIR_TRY(arg_types(b, &b->f->def.out[arg], &b->g->arena, &types, &count));
    weir_edge first;
    bool missing;
    WEIR_TRY(resolve(b, b->f->ret[arg], &first, &missing));
    if (missing)
        return weir_error(WEIR_INVALID_ARGUMENT, "function '%s' returns unknown '%s'",
                          b->f->def.name, b->f->ret[arg]);
    for (int k = 0; k < count; k++) {
        weir_edge e = {first.node, first.index + k};
        weir_named_attr attrs[] = {weir_a_type("T", types[k]), weir_a_int("index", (*index)++)};
        weir_node *n;
        WEIR_TRY(weir_graph_add(
            b->g,
            &(weir_node_spec){.name = weir_graph_unique_name(b->g, b->f->def.out[arg].name),
                              .op = "_Retval",
                              .in = &e,
                              .in_count = 1,
                              .attrs = attrs,
                              .attr_count = 2},
            &n));
    }
    return WEIR_OK;
}

weir_status weir_function_instantiate(const weir_graph *library, const weir_function *f,
                                      const weir_named_attr *attrs, int attr_count,
                                      weir_graph **out_body)
{
    WEIR_OWNED(weir_graph) g = weir_graph_create(library->registry);
    for (size_t i = 0; i < library->function_list.count; i++)
        WEIR_TRY(weir_graph_add_function(g, library->function_list.at[i]));
    body b = {.f = f, .g = g, .attrs = attrs, .attr_count = attr_count};
    weir_status s = add_args(&b);
    if (!s)
        s = add_nodes(&b);
    int index = 0;
    for (int i = 0; i < f->def.out_count && !s; i++)
        s = add_ret(&b, i, &index);
    weir_map_fini(&b.args);
    weir_vec_fini(&b.loops);
    WEIR_TRY_NOTE(s, " [in function '%s']", f->def.name);
    *out_body = WEIR_TAKE(g);
    return WEIR_OK;
}
