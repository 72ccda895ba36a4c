/* graph/build.c - builds a node: checks its signature, completes attrs, resolves types, shapes. */
#include <alloca.h>
#include <inttypes.h>

#include "base/arith.h"
#include "base/room.h"
#include "graph/graph_impl.h"

/* ---- attrs ----------------------------------------------------------------------------------- */

static bool allowed(const weir_attr *list, const weir_attr *value, int i)
{
    if (list->kind == WEIR_ATTR_NONE)
        return true;
    for (int k = 0; k < list->count; k++) {
        if (list->kind == WEIR_ATTR_TYPE &&
            list->types[k] == (value->is_list ? value->types[i] : value->type))
            return true;
        if (list->kind == WEIR_ATTR_STRING &&
            weir_str_eq(list->ss[k], value->is_list ? value->ss[i] : value->s))
            return true;
    }
    return false;
}

static const char *const kind_names[] = {"nothing", "string", "int",    "float", "bool",
                                         "type",    "shape",  "tensor", "func",  "placeholder"};

static weir_status not_allowed(const weir_site *site, const weir_attrdef *def,
                               const weir_attr *value)
{
    WEIR_BUF(is);
    WEIR_BUF(list);
    if (def->kind == WEIR_ATTR_TYPE && !value->is_list) {
        weir_buf_adds(&is, weir_dtype_name(value->type));
        for (int i = 0; i < def->allowed.count; i++)
            weir_buf_addf(&list, "%s%s", i ? ", " : "", weir_dtype_name(def->allowed.types[i]));
    } else {
        weir_attr_text(value, &is);
        weir_attr_text(&def->allowed, &list);
    }
    weir_status status =
        weir_error(WEIR_INVALID_ARGUMENT,
                   "Value for attr '%s' of %s is not in the list of allowed values: %s\n\t"
                   "; Op<name=%s>; NodeDef: {{node %s}}",
                   def->name, is.at, list.at, site->def->name, site->name);
    return status;
}

weir_status weir_attr_check(const weir_site *site, const weir_attrdef *def, const weir_attr *value)
{
    bool empty = value->is_list && value->count == 0;
    if (value->kind == WEIR_ATTR_PLACEHOLDER)
        return WEIR_OK;
    if (value->is_list != def->is_list || (!empty && value->kind != def->kind))
        return weir_error(
            WEIR_INVALID_ARGUMENT,
            "AttrValue had value with type '%s%s%s' when '%s%s%s' expected\n\t for attr "
            "'%s'; NodeDef: {{node %s}}; Op<name=%s>",
            value->is_list ? "list(" : "", kind_names[value->kind], value->is_list ? ")" : "",
            def->is_list ? "list(" : "", kind_names[def->kind], def->is_list ? ")" : "", def->name,
            site->name, site->def->name);
    int count = value->is_list ? value->count : 1;
    for (int i = 0; i < count; i++) {
        if (def->kind == WEIR_ATTR_TYPE) {
            int type = value->is_list ? value->types[i] : value->type;
            if (!weir_dtype_valid(type) || weir_dtype_is_ref(type))
                return weir_error(WEIR_INVALID_ARGUMENT,
                                  "Attr '%s' of node '%s' has invalid type %d", def->name,
                                  site->name, type);
        }
        if (!allowed(&def->allowed, value, i))
            return not_allowed(site, def, value);
    }
    int64_t size = value->is_list ? value->count : value->i;
    if (def->has_min && size < def->min)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "%s '%s' of %" PRId64 " must be at least minimum %" PRId64
                          "; NodeDef: {{node %s}}; Op<name=%s>",
                          def->is_list ? "Length for attr" : "Value for attr", def->name, size,
                          def->min, site->name, site->def->name);
    return WEIR_OK;
}

/* ---- attrs inferred from the inputs ---------------------------------------------------------- */

typedef struct making {
    weir_graph *g;
    const weir_node_spec *spec;
    weir_node *n;
    weir_attr *attrs;
    bool *set;
} making;

static int edge_type(const making *making, int input)
{
    return weir_edge_type(making->spec->in[input]);
}

static void set_type(making *making, int attr, int type)
{
    if (making->set[attr])
        return;
    making->attrs[attr] = (weir_attr){.kind = WEIR_ATTR_TYPE, .type = weir_dtype_base(type)};
    making->set[attr] = true;
}

static void set_number(making *making, int attr, int64_t count)
{
    if (making->set[attr])
        return;
    making->attrs[attr] = (weir_attr){.kind = WEIR_ATTR_INT, .i = count};
    making->set[attr] = true;
}

static void set_types(making *making, int attr, int first, int count)
{
    if (making->set[attr])
        return;
    int32_t *types = WEIR_ARENA_ARRAY(&making->g->arena, int32_t, count);
    for (int i = 0; i < count; i++)
        types[i] = weir_dtype_base(edge_type(making, first + i));
    making->attrs[attr] =
        (weir_attr){.kind = WEIR_ATTR_TYPE, .is_list = true, .count = count, .types = types};
    making->set[attr] = true;
}

/* The number of inputs of argument |argdef| if its attr determines it; -1 otherwise. It is bounded,
 * because a client may give any number: sums must not overflow. */
static int64_t known_size(const making *making, const weir_argdef *argdef)
{
    if (argdef->number_attr >= 0)
        return making->set[argdef->number_attr]
                   ? weir_clamp(making->attrs[argdef->number_attr].i, -1, INT32_MAX)
                   : -1;
    if (argdef->type_list_attr >= 0)
        return making->set[argdef->type_list_attr] ? making->attrs[argdef->type_list_attr].count
                                                   : -1;
    return 1;
}

/* Infers omitted attrs from the inputs: the one list of unknown length (or lists that share a
 * length) gets the remaining inputs. */
static void infer_attrs(making *making)
{
    const weir_opdef *def = making->n->site.def;
    int64_t fixed = 0, open = 0;
    for (int i = 0; i < def->in_count; i++) {
        int64_t size = known_size(making, &def->in[i]);
        if (size < 0)
            open++;
        else
            fixed += size;
    }
    int64_t rest = making->spec->in_count - fixed, at = 0;
    for (int i = 0; i < def->in_count; i++) {
        const weir_argdef *argdef = &def->in[i];
        int64_t size = known_size(making, argdef);
        if (size < 0)
            size = open ? rest / open : 0;
        if (size < 0 || at + size > making->spec->in_count)
            return;
        if (argdef->number_attr >= 0)
            set_number(making, argdef->number_attr, size);
        if (argdef->type_list_attr >= 0)
            set_types(making, argdef->type_list_attr, (int)at, (int)size);
        if (argdef->type_attr >= 0 && size > 0)
            set_type(making, argdef->type_attr, edge_type(making, (int)at));
        at += size;
    }
}

/* A placeholder attr, which the caller of a function substitutes; only in function bodies. */
static weir_status take_placeholder(making *making, const char *name, const weir_attr *value)
{
    if (value->kind != WEIR_ATTR_PLACEHOLDER)
        return WEIR_OK;
    making->n->open = true;
    if (making->spec->may_be_open)
        return WEIR_OK;
    return weir_error(WEIR_INVALID_ARGUMENT,
                      "Attr '%s' of node '%s' is the placeholder '%.*s', which has a meaning in "
                      "functions only",
                      name, making->n->site.name, WEIR_STR_ARG(value->s));
}

static weir_status take_attrs(making *making)
{
    const weir_opdef *def = making->n->site.def;
    weir_arena *arena = &making->g->arena;
    making->n->extra = WEIR_ARENA_ARRAY(arena, weir_named_attr, making->spec->attr_count);
    for (int i = 0; i < making->spec->attr_count; i++) {
        const weir_named_attr *given = &making->spec->attrs[i];
        int k = weir_opdef_attr(def, given->name);
        if (k < 0 && given->name[0] != '_')
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "NodeDef mentions attr '%s' not in Op<name=%s>; NodeDef: {{node %s}}",
                              given->name, def->name, making->n->site.name);
        if (k < 0) {
            making->n->extra[making->n->extra_count++] = (weir_named_attr){
                weir_arena_strdup(arena, given->name), weir_attr_copy(arena, &given->value)};
            continue;
        }
        WEIR_TRY(take_placeholder(making, def->attrs[k].name, &given->value));
        WEIR_TRY(weir_attr_check(&making->n->site, &def->attrs[k], &given->value));
        making->attrs[k] = weir_attr_copy(arena, &given->value);
        if (making->attrs[k].is_list && making->attrs[k].count == 0)
            making->attrs[k].kind = def->attrs[k].kind;
        making->set[k] = true;
    }
    return WEIR_OK;
}

static weir_status complete_attrs(making *making)
{
    const weir_opdef *def = making->n->site.def;
    making->attrs = WEIR_ARENA_ARRAY(&making->g->arena, weir_attr, def->attr_count);
    making->set = alloca(sizeof(bool) * (size_t)(def->attr_count + 1));
    memset(making->set, 0, (size_t)def->attr_count + 1);
    making->n->site.attrs = making->attrs;
    WEIR_TRY(take_attrs(making));
    infer_attrs(making);
    for (int i = 0; i < def->attr_count; i++) {
        if (!making->set[i] && !def->attrs[i].has_default)
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "NodeDef missing attr '%s' from Op<name=%s>; NodeDef: {{node %s}}",
                              def->attrs[i].name, def->name, making->n->site.name);
        if (!making->set[i])
            making->attrs[i] = weir_attr_copy(&making->g->arena, &def->attrs[i].otherwise);
        WEIR_TRY(weir_attr_check(&making->n->site, &def->attrs[i], &making->attrs[i]));
    }
    return WEIR_OK;
}

/* ---- types ----------------------------------------------------------------------------------- */

/* Types and numbers of arguments must be known, even if other attrs are placeholders. */
static weir_status check_known(const making *making, const weir_argdef *argdef)
{
    const int attrs[] = {argdef->number_attr, argdef->type_list_attr, argdef->type_attr};
    for (size_t i = 0; i < sizeof attrs / sizeof *attrs; i++)
        if (attrs[i] >= 0 && making->attrs[attrs[i]].kind == WEIR_ATTR_PLACEHOLDER)
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "AttrValue had value with type 'placeholder' when argument '%s' of "
                              "node '%s' needs attr '%s'",
                              argdef->name, making->n->site.name,
                              making->n->site.def->attrs[attrs[i]].name);
    return WEIR_OK;
}

/* The flat types of all arguments. */
static weir_status flatten(const making *making, const weir_argdef *args, int count,
                           const int16_t **out, int *out_count)
{
    const weir_attr *attrs = making->attrs;
    int64_t total = 0;
    for (int pass = 0; pass < 2; pass++) {
        int16_t *types = pass ? WEIR_ARENA_ARRAY(&making->g->arena, int16_t, total) : NULL;
        int64_t at = 0;
        for (int i = 0; i < count; i++) {
            const weir_argdef *argdef = &args[i];
            WEIR_TRY(check_known(making, argdef));
            int64_t n = argdef->number_attr >= 0      ? attrs[argdef->number_attr].i
                        : argdef->type_list_attr >= 0 ? attrs[argdef->type_list_attr].count
                                                      : 1;
            if (n < 0 || n > 1 << 20)
                return weir_error(WEIR_INVALID_ARGUMENT,
                                  "Argument '%s' of node '%s' repeats %" PRId64 " times",
                                  argdef->name, making->n->site.name, n);
            for (int64_t k = 0; pass && k < n; k++) {
                int t = argdef->type_list_attr >= 0 ? attrs[argdef->type_list_attr].types[k]
                        : argdef->type_attr >= 0    ? attrs[argdef->type_attr].type
                                                    : argdef->dtype;
                types[at + k] = (int16_t)(argdef->is_ref ? t + WEIR_REF_OFFSET : t);
            }
            at += n;
        }
        total = at;
        *out = types;
    }
    *out_count = (int)total;
    return WEIR_OK;
}

static bool same_types(const int16_t *a, const int16_t *b, int a_count, int b_count)
{
    return a_count == b_count && memcmp(a, b, (size_t)a_count * sizeof *a) == 0;
}

weir_status weir_node_check_signature(weir_node *node)
{
    making making = {.g = node->graph, .n = node, .attrs = (weir_attr *)node->site.attrs};
    const weir_opdef *def = node->site.def;
    const int16_t *in, *out;
    int in_count, out_count;
    WEIR_TRY(flatten(&making, def->in, def->in_count, &in, &in_count));
    WEIR_TRY(flatten(&making, def->out, def->out_count, &out, &out_count));
    if (same_types(in, node->site.in_types, in_count, node->site.in_count) &&
        same_types(out, node->site.out_types, out_count, node->site.out_count))
        return WEIR_OK;
    return weir_error(WEIR_INVALID_ARGUMENT,
                      "Types and numbers of inputs and outputs of node '%s' cannot change",
                      node->site.name);
}

static weir_status check_inputs(const making *making)
{
    const weir_site *site = &making->n->site;
    if (making->spec->in_count != site->in_count)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "NodeDef expected inputs of %d but %d were given; Op<name=%s>; NodeDef: "
                          "{{node %s}}",
                          site->in_count, making->spec->in_count, site->def->name, site->name);
    for (int i = 0; i < site->in_count; i++) {
        weir_edge edge = making->spec->in[i];
        if (!edge.node || edge.index < 0 || edge.index >= edge.node->site.out_count)
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "Node '%s' (type: '%s', num of outputs: %d) does not have output %d",
                              edge.node ? edge.node->site.name : "",
                              edge.node ? edge.node->site.def->name : "",
                              edge.node ? edge.node->site.out_count : 0, edge.index);
        int want = site->in_types[i], have = weir_edge_type(edge);
        bool fine = weir_dtype_is_ref(want) ? have == want : weir_dtype_base(have) == want;
        if (!fine)
            return weir_error(
                WEIR_INVALID_ARGUMENT,
                "Input %d of node %s was passed %s from %s:%d incompatible with expected "
                "%s.",
                i, site->name, weir_dtype_name(have), edge.node->site.name, edge.index,
                weir_dtype_name(want));
    }
    return WEIR_OK;
}

/* Internal ops: only passes and sessions create them, in the form that their kernels expect. */
static bool is_made_inside(const weir_op *op)
{
    return op->flags & WEIR_INTERNAL_OP || op->flow == WEIR_FLOW_ARG ||
           op->flow == WEIR_FLOW_RETVAL;
}

static weir_status find_op(weir_graph *graph, weir_node *node, const char *op, bool from_outside)
{
    node->site.op = weir_registry_find(graph->registry, weir_str_of(op));
    if (node->site.op && from_outside && is_made_inside(node->site.op))
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Op type '%s' is internal: it cannot be part of a graph or function that "
                          "is given to Weir",
                          op);
    if (node->site.op) {
        node->site.def = weir_registry_def(graph->registry, node->site.op);
        return WEIR_OK;
    }
    node->function = weir_graph_find_function(graph, weir_str_of(op));
    if (!node->function)
        return weir_error(
            WEIR_NOT_FOUND,
            "Op type not registered '%s' in binary running on this machine. Make sure "
            "the Op and Kernel are registered in the binary running in this process. "
            "(`weir ops` lists what is.)",
            op);
    node->site.def = &node->function->def;
    return WEIR_OK;
}

/* ---- memory: a few bytes of a message can describe a large node -------------------------------
 */

enum {
    COUNTED_AT_ONCE = 64 * 1024,
    FEW_OUTPUTS = 1024,
    OUTPUT_BYTES = 1024, /* of an output: in a graph, in its optimised copy and in a step */
};

static weir_status room_for_outputs(const weir_node *node)
{
    if (node->site.out_count <= FEW_OUTPUTS)
        return WEIR_OK;
    WEIR_BUF(what);
    weir_buf_addf(&what, "node '%s' with %d outputs", node->site.name, node->site.out_count);
    return weir_room_for((size_t)node->site.out_count * OUTPUT_BYTES, what.at);
}

/* Counts what the arena grew by. */
static weir_status count_memory(weir_graph *graph)
{
    size_t more = graph->arena.bytes - graph->counted_bytes;
    if (more < COUNTED_AT_ONCE)
        return WEIR_OK;
    if (!weir_room_take(more))
        return weir_error(
            WEIR_RESOURCE_EXHAUSTED,
            "OOM when adding a node to a graph of %zu: it needs %zu bytes, of a limit "
            "of %zu bytes %zu are in use",
            graph->nodes.count, more, weir_room_limit(), weir_room_used());
    graph->counted_bytes += more;
    return WEIR_OK;
}

static weir_status make_node(making *making)
{
    weir_graph *graph = making->g;
    const weir_node_spec *spec = making->spec;
    weir_node *node = making->n;
    node->graph = graph;
    node->site.name = weir_arena_strdup(&graph->arena, spec->name);
    WEIR_TRY(find_op(graph, node, spec->op, spec->from_outside));
    WEIR_TRY(complete_attrs(making));
    WEIR_TRY(flatten(making, node->site.def->in, node->site.def->in_count, &node->site.in_types,
                     &node->site.in_count));
    WEIR_TRY(flatten(making, node->site.def->out, node->site.def->out_count, &node->site.out_types,
                     &node->site.out_count));
    WEIR_TRY(room_for_outputs(node));
    WEIR_TRY(check_inputs(making));
    node->requested_device = node->site.device =
        weir_arena_strdup(&graph->arena, spec->device ? spec->device : "");
    node->in = WEIR_ARENA_ARRAY(&graph->arena, weir_edge, node->site.in_count);
    node->out_shapes = WEIR_ARENA_ARRAY(&graph->arena, weir_shape, node->site.out_count);
    bool handles = false;
    for (int i = 0; i < node->site.out_count; i++) {
        node->out_shapes[i].rank = -1;
        handles |=
            node->site.out_types[i] == WEIR_RESOURCE || node->site.out_types[i] == WEIR_VARIANT;
    }
    if (handles)
        node->out_handles = WEIR_ARENA_ARRAY(&graph->arena, weir_handle_info, node->site.out_count);
    return WEIR_OK;
}

/* Adds a finished node to the graph. */
static void join(weir_graph *graph, weir_node *node, const weir_node_spec *spec)
{
    node->id = (int32_t)graph->nodes.count;
    weir_vec_push(&graph->nodes, node);
    weir_map_put(&graph->by_name, weir_str_of(node->site.name), node);
    for (int i = 0; i < node->site.in_count; i++) {
        node->in[i] = spec->in[i];
        weir_graph_add_use(node->in[i], node, i);
    }
    for (int i = 0; i < spec->control_count; i++)
        weir_graph_add_control(spec->controls[i], node);
    graph->version++;
}

weir_status weir_graph_add(weir_graph *graph, const weir_node_spec *spec, weir_node **out_node)
{
    if (weir_graph_find(graph, weir_str_of(spec->name)))
        return weir_error(WEIR_INVALID_ARGUMENT, "Duplicate node name in graph: '%s'", spec->name);
    making making = {.g = graph, .spec = spec, .n = WEIR_ARENA_NEW(&graph->arena, weir_node)};
    WEIR_TRY(make_node(&making));
    WEIR_TRY(count_memory(graph));
    join(graph, making.n, spec);
    weir_status status = weir_node_infer(making.n);
    if (status && spec->any_shapes) {
        weir_status_free(status);
        status = WEIR_OK;
        for (int output = 0; output < making.n->site.out_count; output++)
            making.n->out_shapes[output] = WEIR_UNKNOWN_SHAPE;
    }
    if (status) {
        weir_graph_truncate(graph, (size_t)making.n->id);
        return status;
    }
    *out_node = making.n;
    return WEIR_OK;
}

static void *copy_bytes(weir_arena *arena, const void *from, size_t bytes)
{
    return from ? memcpy(weir_arena_alloc(arena, bytes), from, bytes) : NULL;
}

static void copy_attrs(weir_arena *arena, const weir_node *node, weir_node *copy)
{
    weir_attr *attrs = WEIR_ARENA_ARRAY(arena, weir_attr, node->site.def->attr_count);
    for (int i = 0; i < node->site.def->attr_count; i++)
        attrs[i] = weir_attr_copy(arena, &node->site.attrs[i]);
    copy->site.attrs = attrs;
    copy->extra_count = node->extra_count;
    copy->extra = WEIR_ARENA_ARRAY(arena, weir_named_attr, node->extra_count);
    for (int i = 0; i < node->extra_count; i++)
        copy->extra[i] = (weir_named_attr){weir_arena_strdup(arena, node->extra[i].name),
                                           weir_attr_copy(arena, &node->extra[i].value)};
}

weir_status weir_graph_copy_node(weir_graph *to, const weir_node *node, const char *name,
                                 const weir_edge *in, weir_node **out_node)
{
    weir_arena *arena = &to->arena;
    size_t ins = (size_t)node->site.in_count, outs = (size_t)node->site.out_count;
    weir_node *copy = WEIR_ARENA_NEW(arena, weir_node);
    copy->graph = to;
    copy->function = node->function;
    copy->placed = node->placed;
    copy->open = node->open;
    copy->site = node->site;
    copy->site.name = weir_arena_strdup(arena, name);
    copy->site.in_types = copy_bytes(arena, node->site.in_types, ins * sizeof(int16_t));
    copy->site.out_types = copy_bytes(arena, node->site.out_types, outs * sizeof(int16_t));
    copy->site.device = weir_arena_strdup(arena, node->site.device);
    copy->requested_device = weir_arena_strdup(arena, node->requested_device);
    copy_attrs(arena, node, copy);
    copy->in = WEIR_ARENA_ARRAY(arena, weir_edge, ins);
    copy->out_shapes = copy_bytes(arena, node->out_shapes, outs * sizeof(weir_shape));
    copy->out_handles = copy_bytes(arena, node->out_handles, outs * sizeof(weir_handle_info));
    WEIR_TRY(count_memory(to));
    copy->id = (int32_t)to->nodes.count;
    weir_vec_push(&to->nodes, copy);
    weir_map_put(&to->by_name, weir_str_of(copy->site.name), copy);
    for (int i = 0; i < node->site.in_count; i++)
        if (in[i].node) {
            copy->in[i] = in[i];
            weir_graph_add_use(in[i], copy, i);
        }
    to->version++;
    *out_node = copy;
    return WEIR_OK;
}
