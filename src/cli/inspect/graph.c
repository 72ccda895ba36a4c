/* cli/inspect/graph.c - GraphDefs and MetaGraphDefs, binary or text, read without being imported:
 * a graph whose ops nobody knows can still be looked at. */
#include <ctype.h>
#include <stdlib.h>

#include "cli/inspect/inspect.h"
#include "model/graph_file.h"
#include "session/session.h"
#include "tensor/proto.h"
#include "wire/message.h"

enum { GRAPH_NODE = 1, GRAPH_LIBRARY = 2, GRAPH_VERSIONS = 4 };
enum { NODE_NAME = 1, NODE_OP = 2, NODE_INPUT = 3, NODE_ATTR = 5 };
enum { ATTR_TYPE = 6, ATTR_SHAPE = 7, ATTR_TENSOR = 8 };
enum { FUNCTION_SIGNATURE = 1, FUNCTION_NODE = 3 };

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
static void read_constant(weir_str tensor, node *n)
{
    weir_pb r = weir_pb_reader(tensor);
    weir_shape shape = WEIR_SCALAR;
    while (weir_pb_next(&r)) {
        if (r.field == 1)
            n->dtype = (int)weir_pb_int(&r);
        else if (r.field == 2)
            weir_status_free(weir_shape_parse(r.bytes, &shape));
    }
    n->elements = weir_shape_count(&shape) > 0 ? weir_shape_count(&shape) : 0;
    n->bytes = n->elements * (int64_t)weir_dtype_wire_size((weir_dtype)n->dtype);
    n->shape = shape;
}

static void read_attr(weir_str entry, node *n)
{
    weir_pb r = weir_pb_reader(entry);
    weir_str key = WEIR_STR(""), value = WEIR_STR("");
    while (weir_pb_next(&r))
        if (r.type == WEIR_PB_LEN)
            *(r.field == 1 ? &key : &value) = r.bytes;
    weir_pb v = weir_pb_reader(value);
    while (weir_pb_next(&v)) {
        bool is_dtype = weir_str_is(key, "dtype");
        if (v.field == ATTR_TYPE && (is_dtype || (weir_str_is(key, "T") && !n->dtype)))
            n->dtype = (int)weir_pb_int(&v);
        else if (v.field == ATTR_SHAPE && weir_str_is(key, "shape"))
            weir_status_free(weir_shape_parse(v.bytes, &n->shape));
        else if (v.field == ATTR_TENSOR && weir_str_is(key, "value"))
            read_constant(v.bytes, n);
    }
}

/* "^a", "a:1" and "a" to "a". */
static weir_str name_of_input(weir_str input)
{
    if (input.length && input.at[0] == '^')
        input = (weir_str){input.at + 1, input.length - 1};
    const char *colon = input.length ? memchr(input.at, ':', input.length) : NULL;
    return (weir_str){input.at, colon ? (size_t)(colon - input.at) : input.length};
}

static bool read_node(summary *s, weir_str proto, node *n)
{
    weir_pb r = weir_pb_reader(proto);
    *n = (node){.shape = WEIR_UNKNOWN_SHAPE};
    while (weir_pb_next(&r)) {
        if (r.type != WEIR_PB_LEN)
            continue;
        if (r.field == NODE_NAME)
            n->name = r.bytes;
        else if (r.field == NODE_OP)
            n->op = r.bytes;
        else if (r.field == NODE_ATTR)
            read_attr(r.bytes, n);
        else if (r.field == NODE_INPUT && s)
            weir_map_put(&s->used, name_of_input(r.bytes), s);
    }
    return weir_pb_ok(&r) && n->name.length && n->op.length;
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

static bool add_node(summary *s, weir_str proto)
{
    node n;
    if (!read_node(s, proto, &n))
        return false;
    count_op(s, n.op);
    if (is_variable(n.op)) {
        s->variables++;
        s->parameters += weir_shape_count(&n.shape) > 0 ? weir_shape_count(&n.shape) : 0;
    }
    if (weir_str_is(n.op, "Const")) {
        s->constants++;
        s->constant_bytes += n.bytes;
    }
    weir_vec_push(&s->nodes, n);
    return true;
}

static bool add_function(summary *s, weir_str proto)
{
    weir_pb r = weir_pb_reader(proto);
    node n;
    s->functions++;
    while (weir_pb_next(&r)) {
        if (r.field != FUNCTION_NODE || r.type != WEIR_PB_LEN)
            continue;
        if (!read_node(NULL, r.bytes, &n))
            return false;
        count_op(s, n.op);
        s->function_nodes++;
    }
    return weir_pb_ok(&r);
}

static bool add_library(summary *s, weir_str proto)
{
    weir_pb r = weir_pb_reader(proto);
    while (weir_pb_next(&r))
        if (r.field == 1 && r.type == WEIR_PB_LEN && !add_function(s, r.bytes))
            return false;
    return weir_pb_ok(&r);
}

static weir_status read_graph(summary *s, weir_str graph_def)
{
    weir_pb r = weir_pb_reader(graph_def);
    bool ok = true;
    while (ok && weir_pb_next(&r)) {
        if (r.type != WEIR_PB_LEN)
            continue;
        if (r.field == GRAPH_NODE)
            ok = add_node(s, r.bytes);
        else if (r.field == GRAPH_LIBRARY)
            ok = add_library(s, r.bytes);
        else if (r.field == GRAPH_VERSIONS) {
            weir_pb v = weir_pb_reader(r.bytes);
            while (weir_pb_next(&v))
                s->producer = v.field == 1 ? weir_pb_int(&v) : s->producer;
        }
    }
    if (ok && weir_pb_ok(&r))
        return WEIR_OK;
    return weir_error(WEIR_DATA_LOSS, "the GraphDef is damaged behind node %zu", s->nodes.count);
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

enum { META_INFO = 1, META_GRAPH = 2 };

/* The first field of |head|, which may be cut off anywhere behind it, as if it were whole. */
static bool first_field(weir_str head, uint32_t *out_field, weir_str *out_bytes)
{
    const uint8_t *at = (const uint8_t *)head.at, *end = at + head.length;
    uint64_t tag, length;
    if (!weir_varint_get(&at, end, &tag) || (tag & 7) != WEIR_PB_LEN ||
        !weir_varint_get(&at, end, &length))
        return false;
    size_t left = (size_t)(end - at);
    *out_field = (uint32_t)(tag >> 3);
    *out_bytes = (weir_str){(const char *)at, length < left ? (size_t)length : left};
    return length > 0;
}

/* A name of ops and nodes: printable. */
static bool is_name(weir_str s)
{
    for (size_t i = 0; i < s.length; i++)
        if ((unsigned char)s.at[i] <= ' ' || (unsigned char)s.at[i] >= 0x7f)
            return false;
    return s.length > 0;
}

/* A NodeDef begins with its name and its op; a MetaInfoDef with neither. */
static bool begins_like_node(weir_str proto)
{
    uint32_t field;
    weir_str name, op;
    if (!first_field(proto, &field, &name) || field != NODE_NAME || !is_name(name))
        return false;
    const char *next = name.at + name.length, *end = proto.at + proto.length;
    return next < end && first_field((weir_str){next, (size_t)(end - next)}, &field, &op) &&
           field == NODE_OP && is_name(op);
}

static bool binary_graph(const inspect_place *p)
{
    uint32_t field;
    weir_str first;
    if (!first_field(weir_view(&p->head), &field, &first))
        return false;
    return field == GRAPH_NODE && begins_like_node(first);
}

/* A MetaGraphDef's own description, then its graph. */
static bool binary_meta_graph(const inspect_place *p)
{
    uint32_t field;
    weir_str first;
    if (inspect_ends_in(p->path, ".meta"))
        return true;
    return first_field(weir_view(&p->head), &field, &first) && field == META_INFO &&
           !begins_like_node(first) && first_field(first, &field, &first) &&
           (field == 2 || field == 4);
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
    WEIR_BUF(bytes);
    weir_status s = read_message(p, "MetaGraphDef", &bytes);
    weir_pb r = weir_pb_reader(weir_view(&bytes));
    while (!s && weir_pb_next(&r))
        if (r.field == META_GRAPH && r.type == WEIR_PB_LEN)
            s = show_graph_def(o, r.bytes);
    if (!s && !weir_pb_ok(&r))
        s = weir_error(WEIR_DATA_LOSS, "the MetaGraphDef is damaged");
    return s;
}

const inspect_kind inspect_graph = {"graph", claims_graph, show_graph};
const inspect_kind inspect_meta_graph = {"meta_graph", claims_meta_graph, show_meta_graph};
