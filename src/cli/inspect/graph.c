/* cli/inspect/graph.c - GraphDefs and MetaGraphDefs, binary or text, parsed without an import:
 * graphs with unknown ops are supported. */
#include <ctype.h>
#include <stdlib.h>

#include "base/arith.h"
#include "cli/inspect/inspect.h"
#include "model/graph_file.h"
#include "session/session.h"
#include "tensor/proto.h"
#include "wire/messages.h"

typedef struct node {
    weir_str name, op;
    int dtype; /* of attr "dtype", else "T"; 0 if absent */
    weir_shape shape;
    int64_t elements, bytes; /* of a constant */
} node;

typedef struct op_count {
    weir_str op;
    int64_t count;
} op_count;

typedef struct inspect_graph_summary summary;
struct inspect_graph_summary {
    WEIR_VEC(op_count) ops;
    weir_map by_op;       /* to 1 + index in |ops| */
    WEIR_VEC(node) nodes; /* of the graph itself, not of functions */
    weir_map used;        /* names of nodes used as inputs */
    int64_t functions, function_nodes;
    int64_t producer;
    inspect_variables variables;
    int64_t constants, constant_bytes;
};

void inspect_graph_free(summary *summary)
{
    if (!summary)
        return;
    weir_vec_fini(&summary->ops);
    weir_vec_fini(&summary->nodes);
    weir_vec_fini(&summary->variables);
    weir_map_fini(&summary->by_op);
    weir_map_fini(&summary->used);
    weir_free(summary);
}

/* ---- reading --------------------------------------------------------------------------------- */

/* Type, shape and stored size of a TensorProto. */
static void read_constant(weir_str bytes, node *node)
{
    WEIR_MESSAGE_ARENA(arena);
    weir_msg_tensor_proto tensor;
    weir_status damage = weir_msg_tensor_proto_read(bytes, &arena, &tensor);
    if (!damage)
        damage = weir_shape_from_proto(tensor.tensor_shape, &node->shape);
    node->dtype = damage ? 0 : tensor.dtype;
    node->elements = damage ? 0 : weir_max(weir_shape_count(&node->shape), 0);
    node->bytes = node->elements * (int64_t)weir_dtype_wire_size((weir_dtype)node->dtype);
    weir_status_free(damage);
}

static void read_attr(weir_str key, const weir_msg_attr_value *value, node *node)
{
    bool is_dtype = weir_str_is(key, "dtype") || (weir_str_is(key, "T") && !node->dtype);
    if (value->which_value == WEIR_FIELD_attr_value_type && is_dtype)
        node->dtype = value->type;
    else if (value->which_value == WEIR_FIELD_attr_value_shape && weir_str_is(key, "shape"))
        weir_status_free(weir_shape_from_proto(value->shape, &node->shape));
    else if (value->which_value == WEIR_FIELD_attr_value_tensor && weir_str_is(key, "value"))
        read_constant(value->tensor, node);
}

/* Strips "^a" and "a:1" to "a". */
static weir_str name_of_input(weir_str input)
{
    if (input.length && input.at[0] == '^')
        input = (weir_str){input.at + 1, input.length - 1};
    const char *colon = input.length ? memchr(input.at, ':', input.length) : NULL;
    return (weir_str){input.at, colon ? (size_t)(colon - input.at) : input.length};
}

static node read_node(const weir_msg_node_def *def)
{
    node node = {.name = def->name, .op = def->op, .shape = WEIR_UNKNOWN_SHAPE};
    for (size_t i = 0; i < def->attr.count; i++)
        if (def->attr.at[i].value)
            read_attr(def->attr.at[i].key, def->attr.at[i].value, &node);
    return node;
}

static void count_op(summary *summary, weir_str op)
{
    uintptr_t at = (uintptr_t)weir_map_get(&summary->by_op, op);
    if (!at) {
        weir_vec_push(&summary->ops, (op_count){op, 0});
        at = summary->ops.count;
        weir_map_put(&summary->by_op, op, (void *)at);
    }
    summary->ops.at[at - 1].count++;
}

static bool is_variable(weir_str op)
{
    return weir_str_is(op, "VarHandleOp") || weir_str_is(op, "VariableV2") ||
           weir_str_is(op, "Variable");
}

static void add_node(summary *summary, const weir_msg_node_def *def)
{
    node node = read_node(def);
    for (size_t i = 0; i < def->input.count; i++)
        weir_map_put(&summary->used, name_of_input(def->input.at[i]), summary);
    count_op(summary, node.op);
    if (is_variable(node.op)) {
        weir_tensor_info info = {node.name, (weir_dtype)node.dtype, node.shape};
        weir_vec_push(&summary->variables, ((inspect_variable){info, INSPECT_PARAMETER}));
    }
    if (weir_str_is(node.op, "Const")) {
        summary->constants++;
        summary->constant_bytes += node.bytes;
    }
    weir_vec_push(&summary->nodes, node);
}

static weir_status add_function(summary *summary, weir_str bytes)
{
    WEIR_MESSAGE_ARENA(arena);
    weir_msg_function_def function;
    WEIR_TRY(weir_file_damaged(weir_msg_function_def_read(bytes, &arena, &function)));
    summary->functions++;
    summary->function_nodes += (int64_t)function.node_def.count;
    for (size_t i = 0; i < function.node_def.count; i++)
        count_op(summary, function.node_def.at[i].op);
    return WEIR_OK;
}

static weir_status read_graph(summary *summary, weir_str graph_def)
{
    WEIR_MESSAGE_ARENA(arena);
    weir_msg_graph_def graph;
    weir_message_cut cut;
    WEIR_TRY(weir_file_damaged(weir_message_read_head(&weir_message_types[WEIR_INDEX_graph_def],
                                                      graph_def, &arena, &graph, &cut)));
    for (size_t i = 0; i < graph.node.count; i++)
        add_node(summary, &graph.node.at[i]);
    for (size_t i = 0; graph.library && i < graph.library->function.count; i++)
        WEIR_TRY(add_function(summary, graph.library->function.at[i]));
    summary->producer = graph.versions ? graph.versions->producer : 0;
    if (cut.field || cut.unfinished)
        return weir_error(WEIR_DATA_LOSS, "the GraphDef is damaged behind node %zu",
                          summary->nodes.count);
    return WEIR_OK;
}

/* ---- showing --------------------------------------------------------------------------------- */

static int by_count(const void *a, const void *b)
{
    const op_count *first = a, *second = b;
    if (first->count != second->count)
        return first->count < second->count ? 1 : -1;
    size_t length = first->op.length < second->op.length ? first->op.length : second->op.length;
    int order = memcmp(first->op.at, second->op.at, length);
    return order ? order
                 : (first->op.length > second->op.length) - (first->op.length < second->op.length);
}

/* Ops of the catalogue, and functions of the graph, which are called by name. */
static void show_ops(weir_output *output, summary *summary)
{
    const weir_registry *registry = weir_catalogue();
    if (summary->ops.count)
        qsort(summary->ops.at, summary->ops.count, sizeof *summary->ops.at, by_count);
    weir_output_table(output, "ops");
    for (size_t i = 0; i < summary->ops.count; i++) {
        weir_output_row(output);
        weir_output_str(output, "op", summary->ops.at[i].op);
        weir_output_int(output, "count", summary->ops.at[i].count);
        weir_output_bool(output, "in_weir",
                         weir_registry_find(registry, summary->ops.at[i].op) != NULL);
    }
}

static bool is_input(const node *node)
{
    return weir_str_is(node->op, "Placeholder") || weir_str_is(node->op, "PlaceholderV2");
}

/* Nodes whose outputs are unused, except those run for their side effects. */
static bool is_output(const summary *summary, const node *node)
{
    static const char *const acts[] = {"NoOp",
                                       "Assert",
                                       "SaveV2",
                                       "Save",
                                       "Const",
                                       "MergeV2Checkpoints",
                                       "VarIsInitializedOp",
                                       "Assign",
                                       "AssignVariableOp"};
    for (size_t i = 0; i < sizeof acts / sizeof *acts; i++)
        if (weir_str_is(node->op, acts[i]))
            return false;
    return !is_input(node) && !weir_map_get(&summary->used, node->name);
}

static void show_nodes(weir_output *output, const summary *summary, bool inputs)
{
    weir_output_table(output, inputs ? "inputs" : "outputs");
    for (size_t i = 0; i < summary->nodes.count; i++) {
        const node *node = &summary->nodes.at[i];
        if (!(inputs ? is_input(node) : is_output(summary, node)))
            continue;
        weir_output_row(output);
        weir_output_str(output, "name", node->name);
        weir_output_str(output, "op", node->op);
        if (node->dtype)
            inspect_dtype(output, "dtype", node->dtype);
        else
            weir_output_null(output, "dtype");
        if (inputs)
            weir_output_dims(output, "shape", node->shape.rank, node->shape.dims);
    }
}

weir_status inspect_graph_read(weir_str graph_def, summary **out_summary)
{
    *out_summary = WEIR_NEW(summary);
    weir_status status = read_graph(*out_summary, graph_def);
    inspect_roles_by_name(&(*out_summary)->variables);
    return status;
}

void inspect_graph_fields(const summary *summary, const inspect_variables *saved,
                          weir_output *output)
{
    weir_output_int(output, "nodes", (int64_t)summary->nodes.count);
    weir_output_int(output, "functions", summary->functions);
    weir_output_int(output, "function_nodes", summary->function_nodes);
    weir_output_int(output, "producer", summary->producer);
    const inspect_variables *variables = saved ? saved : &summary->variables;
    weir_output_int(output, "variables", inspect_count(variables, INSPECT_PARAMETER));
    inspect_role_fields(variables, output);
    weir_output_int(output, "constants", summary->constants);
    weir_output_bytes(output, "constant_bytes", summary->constant_bytes);
}

void inspect_graph_tables(summary *summary, weir_output *output)
{
    show_ops(output, summary);
    show_nodes(output, summary, true);
    show_nodes(output, summary, false);
}

/* ---- files ----------------------------------------------------------------------------------- */

/* Parses the first bytes of a message. False if they are not valid for it. */
static bool read_head(int index, weir_str head, weir_arena *arena, void *out_message,
                      weir_message_cut *out_cut)
{
    weir_status damage =
        weir_message_read_head(&weir_message_types[index], head, arena, out_message, out_cut);
    weir_status_free(damage);
    return !damage;
}

/* The available part of |field| if the first bytes of a message end inside it. */
static weir_str cut_field(weir_str head, const weir_message_cut *cut, uint32_t field)
{
    return cut->field == field ? (weir_str){head.at + cut->at, head.length - cut->at}
                               : WEIR_STR("");
}

/* A valid name of an op or node: printable. */
static bool is_name(weir_str text)
{
    for (size_t i = 0; i < text.length; i++)
        if ((unsigned char)text.at[i] <= ' ' || (unsigned char)text.at[i] >= 0x7f)
            return false;
    return text.length > 0;
}

static bool binary_graph(const inspect_place *place)
{
    WEIR_MESSAGE_ARENA(arena);
    weir_str head = weir_view(&place->head);
    weir_msg_graph_def graph;
    weir_msg_node_def first;
    weir_message_cut cut;
    if (!read_head(WEIR_INDEX_graph_def, head, &arena, &graph, &cut))
        return false;
    if (graph.node.count)
        first = graph.node.at[0];
    else if (!read_head(WEIR_INDEX_node_def, cut_field(head, &cut, WEIR_FIELD_graph_def_node),
                        &arena, &first, &cut))
        return false;
    return is_name(first.name) && is_name(first.op);
}

/* A MetaGraphDef's own description, then its graph. */
static bool binary_meta_graph(const inspect_place *place)
{
    WEIR_MESSAGE_ARENA(arena);
    weir_str head = weir_view(&place->head);
    weir_msg_meta_graph_def meta;
    weir_msg_meta_graph_def_meta_info_def info;
    weir_message_cut cut;
    if (inspect_ends_in(place->path, ".meta"))
        return true;
    if (!read_head(WEIR_INDEX_meta_graph_def, head, &arena, &meta, &cut))
        return false;
    if (meta.meta_info_def)
        info = *meta.meta_info_def;
    else if (!read_head(WEIR_INDEX_meta_graph_def_meta_info_def,
                        cut_field(head, &cut, WEIR_FIELD_meta_graph_def_meta_info_def), &arena,
                        &info, &cut))
        return false;
    return info.stripped_op_list.length || info.tags.count ||
           cut.field == WEIR_FIELD_meta_graph_def_meta_info_def_stripped_op_list;
}

/* Text whose first field, after comments, is a field of |message|. */
static bool text_of(const inspect_place *place, const char *message)
{
    weir_str head = weir_view(&place->head);
    size_t i = 0, count = 0;
    if (!weir_graph_looks_like_text(head))
        return false;
    while (i < head.length && (strchr(" \t\r\n", head.at[i]) || head.at[i] == '#'))
        if (head.at[i] != '#')
            i++;
        else
            while (i < head.length && head.at[i] != '\n')
                i++;
    while (i + count < head.length &&
           (isalnum((unsigned char)head.at[i + count]) || head.at[i + count] == '_'))
        count++;
    return count && weir_message_field_named(weir_message_find(weir_str_of(message)),
                                             (weir_str){head.at + i, count});
}

static bool claims_graph(const inspect_place *place)
{
    return place->exists && !place->is_dir && (binary_graph(place) || text_of(place, "GraphDef"));
}

static bool claims_meta_graph(const inspect_place *place)
{
    if (!place->exists || place->is_dir || binary_graph(place))
        return false;
    return text_of(place, "MetaGraphDef") || binary_meta_graph(place);
}

/* The file as a serialised message, from either form. */
static weir_status read_message(const inspect_place *place, const char *message, weir_buf *out)
{
    WEIR_BUF(bytes);
    WEIR_TRY(inspect_read(place, &bytes));
    weir_str view = {bytes.at ? bytes.at : "", bytes.length};
    if (!weir_graph_looks_like_text(view)) {
        *out = bytes;
        bytes = (weir_buf){0};
        return WEIR_OK;
    }
    return weir_message_parse(weir_message_find(weir_str_of(message)), view, out);
}

static weir_status show_graph_def(weir_output *output, weir_str graph_def)
{
    summary *summary = NULL;
    weir_status status = inspect_graph_read(graph_def, &summary);
    inspect_graph_fields(summary, NULL, output);
    inspect_graph_tables(summary, output);
    inspect_graph_free(summary);
    return status;
}

static weir_status show_graph(const inspect_place *place, weir_output *output)
{
    WEIR_BUF(bytes);
    WEIR_TRY(read_message(place, "GraphDef", &bytes));
    return show_graph_def(output, weir_view(&bytes));
}

static weir_status show_meta_graph(const inspect_place *place, weir_output *output)
{
    WEIR_BUF(file);
    WEIR_MESSAGE_ARENA(arena);
    weir_msg_meta_graph_def meta;
    weir_message_cut cut;
    WEIR_TRY(read_message(place, "MetaGraphDef", &file));
    weir_str bytes = weir_view(&file);
    WEIR_TRY(weir_file_damaged(weir_message_read_head(
        &weir_message_types[WEIR_INDEX_meta_graph_def], bytes, &arena, &meta, &cut)));
    WEIR_TRY(show_graph_def(
        output, meta.graph_def.at ? meta.graph_def
                                  : cut_field(bytes, &cut, WEIR_FIELD_meta_graph_def_graph_def)));
    if (cut.field || cut.unfinished)
        return weir_error(WEIR_DATA_LOSS, "the MetaGraphDef is damaged");
    return WEIR_OK;
}

const inspect_kind inspect_graph = {"graph", claims_graph, show_graph};
const inspect_kind inspect_meta_graph = {"meta_graph", claims_meta_graph, show_meta_graph};
