/* graph/function.c - reads, stores and compares FunctionDefs. */
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

/* Compares contents: the serialised messages may differ, because map entries are unordered. */
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
