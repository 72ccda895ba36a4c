/* cli/inspect/graph.c - GraphDefs and MetaGraphDefs, binary or text, read without being imported:
 * a graph whose ops nobody knows can still be looked at. */
#include <ctype.h>
#include <stdlib.h>

#include "base/arith.h"
#include "cli/inspect/inspect.h"
#include "model/graph_file.h"
#include "session/session.h"
#include "tensor/proto.h"

typedef struct node {
    weir_str name, op;
    int dtype; /* of attr "dtype", else "T"; 0 when it has none */
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
    weir_map by_op;       /* to 1 + an index of |ops| */
    WEIR_VEC(node) nodes; /* of the graph itself, not of functions */
    weir_map used;        /* names of nodes that others take */
    int64_t functions, function_nodes;
    int64_t producer;
    int64_t variables, parameters, constants, constant_bytes;
};

void inspect_graph_free(summary *s)
{
    if (!s)
        return;
    weir_vec_fini(&s->ops);
    weir_vec_fini(&s->nodes);
    weir_map_fini(&s->by_op);
    weir_map_fini(&s->used);
    weir_free(s);
}

/* ---- reading ------------------------------------------------------------------------------------
 */

/* Type, shape and stored bytes of a TensorProto. */
static void read_constant(weir_str bytes, node *n)
{
    WEIR_MESSAGE_ARENA(arena);
    weir_msg_tensor_proto tensor;
    weir_status damage = weir_msg_tensor_proto_read(bytes, &arena, &tensor);
    if (!damage)
        damage = weir_shape_from_proto(tensor.tensor_shape, &n->shape);
    n->dtype = damage ? 0 : tensor.dtype;
    n->elements = damage ? 0 : weir_max(weir_shape_count(&n->shape), 0);
    n->bytes = n->elements * (int64_t)weir_dtype_wire_size((weir_dtype)n->dtype);
    weir_status_free(damage);
}

static void read_attr(weir_str key, const weir_msg_attr_value *value, node *n)
{
    bool is_dtype = weir_str_is(key, "dtype") || (weir_str_is(key, "T") && !n->dtype);
    if (value->which_value == WEIR_FIELD_attr_value_type && is_dtype)
        n->dtype = value->type;
    else if (value->which_value == WEIR_FIELD_attr_value_shape && weir_str_is(key, "shape"))
        weir_status_free(weir_shape_from_proto(value->shape, &n->shape));
    else if (value->which_value == WEIR_FIELD_attr_value_tensor && weir_str_is(key, "value"))
        read_constant(value->tensor, n);
}

/* "^a", "a:1" and "a" to "a". */
static weir_str name_of_input(weir_str input)
{
    if (input.length && input.at[0] == '^')
        input = (weir_str){input.at + 1, input.length - 1};
    const char *colon = input.length ? memchr(input.at, ':', input.length) : NULL;
    return (weir_str){input.at, colon ? (size_t)(colon - input.at) : input.length};
}

static node read_node(const weir_msg_node_def *def)
{
    node n = {.name = def->name, .op = def->op, .shape = WEIR_UNKNOWN_SHAPE};
    for (size_t i = 0; i < def->attr.count; i++)
        if (def->attr.at[i].value)
            read_attr(def->attr.at[i].key, def->attr.at[i].value, &n);
    return n;
}

static void count_op(summary *s, weir_str op)
{
    uintptr_t at = (uintptr_t)weir_map_get(&s->by_op, op);
    if (!at) {
        weir_vec_push(&s->ops, (op_count){op, 0});
        at = s->ops.count;
        weir_map_put(&s->by_op, op, (void *)at);
    }
    s->ops.at[at - 1].count++;
}

static bool is_variable(weir_str op)
{
    return weir_str_is(op, "VarHandleOp") || weir_str_is(op, "VariableV2") ||
           weir_str_is(op, "Variable");
}

static void add_node(summary *s, const weir_msg_node_def *def)
{
    node n = read_node(def);
    for (size_t i = 0; i < def->input.count; i++)
        weir_map_put(&s->used, name_of_input(def->input.at[i]), s);
    count_op(s, n.op);
    if (is_variable(n.op)) {
        s->variables++;
        s->parameters += weir_max(weir_shape_count(&n.shape), 0);
    }
    if (weir_str_is(n.op, "Const")) {
        s->constants++;
        s->constant_bytes += n.bytes;
    }
    weir_vec_push(&s->nodes, n);
}

static weir_status add_function(summary *s, weir_str bytes)
{
    WEIR_MESSAGE_ARENA(arena);
    weir_msg_function_def function;
    WEIR_TRY(weir_file_damaged(weir_msg_function_def_read(bytes, &arena, &function)));
    s->functions++;
    s->function_nodes += (int64_t)function.node_def.count;
    for (size_t i = 0; i < function.node_def.count; i++)
        count_op(s, function.node_def.at[i].op);
    return WEIR_OK;
}

static weir_status read_graph(summary *s, weir_str graph_def)
{
    WEIR_MESSAGE_ARENA(arena);
    weir_msg_graph_def graph;
    weir_message_cut cut;
    WEIR_TRY(weir_file_damaged(weir_message_read_head(&weir_message_types[WEIR_INDEX_graph_def],
                                                      graph_def, &arena, &graph, &cut)));
    for (size_t i = 0; i < graph.node.count; i++)
        add_node(s, &graph.node.at[i]);
    for (size_t i = 0; graph.library && i < graph.library->function.count; i++)
        WEIR_TRY(add_function(s, graph.library->function.at[i]));
    s->producer = graph.versions ? graph.versions->producer : 0;
    if (cut.field || cut.unfinished)
        return weir_error(WEIR_DATA_LOSS, "the GraphDef is damaged behind node %zu",
                          s->nodes.count);
    return WEIR_OK;
}

/* ---- showing ------------------------------------------------------------------------------------
 */

static int by_count(const void *a, const void *b)
{
    const op_count *x = a, *y = b;
    if (x->count != y->count)
        return x->count < y->count ? 1 : -1;
    size_t n = x->op.length < y->op.length ? x->op.length : y->op.length;
    int order = memcmp(x->op.at, y->op.at, n);
    return order ? order : (x->op.length > y->op.length) - (x->op.length < y->op.length);
}

/* Ops of the catalogue, and functions of the graph itself, which are called by their name. */
static void show_ops(weir_output *o, summary *s)
{
    const weir_registry *r = weir_catalogue();
    if (s->ops.count)
        qsort(s->ops.at, s->ops.count, sizeof *s->ops.at, by_count);
    weir_output_table(o, "ops");
    for (size_t i = 0; i < s->ops.count; i++) {
        weir_output_row(o);
        weir_output_str(o, "op", s->ops.at[i].op);
        weir_output_int(o, "count", s->ops.at[i].count);
        weir_output_bool(o, "in_weir", weir_registry_find(r, s->ops.at[i].op) != NULL);
    }
}

static bool is_input(const node *n)
{
    return weir_str_is(n->op, "Placeholder") || weir_str_is(n->op, "PlaceholderV2");
}

/* Nodes that nobody takes, but for those that only act. */
static bool is_output(const summary *s, const node *n)
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
        if (weir_str_is(n->op, acts[i]))
            return false;
    return !is_input(n) && !weir_map_get(&s->used, n->name);
}

static void show_nodes(weir_output *o, const summary *s, bool inputs)
{
    weir_output_table(o, inputs ? "inputs" : "outputs");
    for (size_t i = 0; i < s->nodes.count; i++) {
        const node *n = &s->nodes.at[i];
        if (!(inputs ? is_input(n) : is_output(s, n)))
            continue;
        weir_output_row(o);
        weir_output_str(o, "name", n->name);
        weir_output_str(o, "op", n->op);
        if (n->dtype)
            inspect_dtype(o, "dtype", n->dtype);
        else
            weir_output_null(o, "dtype");
        if (inputs)
            weir_output_dims(o, "shape", n->shape.rank, n->shape.dims);
    }
}

weir_status inspect_graph_read(weir_str graph_def, summary **out_summary)
{
    *out_summary = WEIR_NEW(summary);
    return read_graph(*out_summary, graph_def);
}

void inspect_graph_fields(const summary *s, weir_output *o)
{
    weir_output_int(o, "nodes", (int64_t)s->nodes.count);
    weir_output_int(o, "functions", s->functions);
    weir_output_int(o, "function_nodes", s->function_nodes);
    weir_output_int(o, "producer", s->producer);
    weir_output_int(o, "variables", s->variables);
    weir_output_int(o, "parameters", s->parameters);
    weir_output_int(o, "constants", s->constants);
    weir_output_bytes(o, "constant_bytes", s->constant_bytes);
}

void inspect_graph_tables(summary *s, weir_output *o)
{
    show_ops(o, s);
    show_nodes(o, s, true);
    show_nodes(o, s, false);
}

/* ---- files --------------------------------------------------------------------------------------
 */

/* Reads the first bytes of a message. False when they are no such message's. */
static bool read_head(int index, weir_str head, weir_arena *arena, void *out_message,
                      weir_message_cut *out_cut)
{
    weir_status damage =
        weir_message_read_head(&weir_message_types[index], head, arena, out_message, out_cut);
    weir_status_free(damage);
    return !damage;
}

/* What is there of |field| when the first bytes of a message end inside it. */
static weir_str cut_field(weir_str head, const weir_message_cut *cut, uint32_t field)
{
    return cut->field == field ? (weir_str){head.at + cut->at, head.length - cut->at}
                               : WEIR_STR("");
}

/* A name of ops and nodes: printable. */
static bool is_name(weir_str s)
{
    for (size_t i = 0; i < s.length; i++)
        if ((unsigned char)s.at[i] <= ' ' || (unsigned char)s.at[i] >= 0x7f)
            return false;
    return s.length > 0;
}

static bool binary_graph(const inspect_place *p)
{
    WEIR_MESSAGE_ARENA(arena);
    weir_str head = weir_view(&p->head);
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
static bool binary_meta_graph(const inspect_place *p)
{
    WEIR_MESSAGE_ARENA(arena);
    weir_str head = weir_view(&p->head);
    weir_msg_meta_graph_def meta;
    weir_msg_meta_graph_def_meta_info_def info;
    weir_message_cut cut;
    if (inspect_ends_in(p->path, ".meta"))
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

/* Text whose first field, behind comments, is one of |message|'s. */
static bool text_of(const inspect_place *p, const char *message)
{
    weir_str head = weir_view(&p->head);
    size_t i = 0, n = 0;
    if (!weir_graph_looks_like_text(head))
        return false;
    while (i < head.length && (strchr(" \t\r\n", head.at[i]) || head.at[i] == '#'))
        if (head.at[i] != '#')
            i++;
        else
            while (i < head.length && head.at[i] != '\n')
                i++;
    while (i + n < head.length && (isalnum((unsigned char)head.at[i + n]) || head.at[i + n] == '_'))
        n++;
    return n && weir_message_field_named(weir_message_find(weir_str_of(message)),
                                         (weir_str){head.at + i, n});
}

static bool claims_graph(const inspect_place *p)
{
    return p->exists && !p->is_dir && (binary_graph(p) || text_of(p, "GraphDef"));
}

static bool claims_meta_graph(const inspect_place *p)
{
    if (!p->exists || p->is_dir || binary_graph(p))
        return false;
    return text_of(p, "MetaGraphDef") || binary_meta_graph(p);
}

/* The file as a serialised message, whichever form it has. */
static weir_status read_message(const inspect_place *p, const char *message, weir_buf *out)
{
    WEIR_BUF(bytes);
    WEIR_TRY(inspect_read(p, &bytes));
    weir_str view = {bytes.at ? bytes.at : "", bytes.length};
    if (!weir_graph_looks_like_text(view)) {
        *out = bytes;
        bytes = (weir_buf){0};
        return WEIR_OK;
    }
    return weir_message_parse(weir_message_find(weir_str_of(message)), view, out);
}

static weir_status show_graph_def(weir_output *o, weir_str graph_def)
{
    summary *g = NULL;
    weir_status s = inspect_graph_read(graph_def, &g);
    inspect_graph_fields(g, o);
    inspect_graph_tables(g, o);
    inspect_graph_free(g);
    return s;
}

static weir_status show_graph(const inspect_place *p, weir_output *o)
{
    WEIR_BUF(bytes);
    WEIR_TRY(read_message(p, "GraphDef", &bytes));
    return show_graph_def(o, weir_view(&bytes));
}

static weir_status show_meta_graph(const inspect_place *p, weir_output *o)
{
    WEIR_BUF(file);
    WEIR_MESSAGE_ARENA(arena);
    weir_msg_meta_graph_def meta;
    weir_message_cut cut;
    WEIR_TRY(read_message(p, "MetaGraphDef", &file));
    weir_str bytes = weir_view(&file);
    WEIR_TRY(weir_file_damaged(weir_message_read_head(
        &weir_message_types[WEIR_INDEX_meta_graph_def], bytes, &arena, &meta, &cut)));
    WEIR_TRY(show_graph_def(o, meta.graph_def.at
                                   ? meta.graph_def
                                   : cut_field(bytes, &cut, WEIR_FIELD_meta_graph_def_graph_def)));
    if (cut.field || cut.unfinished)
        return weir_error(WEIR_DATA_LOSS, "the MetaGraphDef is damaged");
    return WEIR_OK;
}

const inspect_kind inspect_graph = {"graph", claims_graph, show_graph};
const inspect_kind inspect_meta_graph = {"meta_graph", claims_meta_graph, show_meta_graph};
