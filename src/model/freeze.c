/* model/freeze.c - variables become constants.
 *
 * Calls are opened up first, in a copy, so that every use of a variable is in the graph itself:
 *
 *   VarHandleOp, VariableV2       Const
 *   ReadVariableOp                Identity
 *   ResourceGather                GatherV2 on axis 0
 *   Identity, Enter, Switch...    the same, of the variable's type where it was a resource
 */
#include "model/freeze.h"

#include "grad/symbolic.h"
#include "graph/lower.h"
#include "model/variables.h"
#include "tensor/proto.h"
#include "wire/pb.h"

static const int64_t graph_limit = 2000ll << 20; /* bytes: protocol buffers end at 2 GiB */

typedef struct freezing {
    const weir_freeze *what;
    weir_graph *copy; /* with calls opened up */
    weir_needed needed;
    weir_nodes variables; /* of the copy */
    weir_tensor *values;  /* one per variable */
} freezing;

/* ---- which variable an edge is --------------------------------------------------------------- */

static bool passes_on(const weir_node *n)
{
    static const char *const ops[] = {"Identity", "Enter",     "Switch",       "Merge",
                                      "Exit",     "IdentityN", "NextIteration"};
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
        if (weir_node_is(n, ops[i]))
            return true;
    return false;
}

/* The variable whose handle |e| is; null when it is none. A loop that hands a handle round leads
 * back to where it entered, by the first input. */
static const weir_node *handle_of(weir_edge e)
{
    enum { FAR = 10000 };
    for (int steps = 0; e.node && steps < FAR; steps++) {
        if (weir_variable_is_resource(e.node))
            return e.node;
        if (!passes_on(e.node))
            return NULL;
        e = e.node->in[weir_node_is(e.node, "IdentityN") ? e.index : 0];
    }
    return NULL;
}

static bool is_handle(const weir_node *n, int i)
{
    return weir_edge_dtype(n->in[i]) == WEIR_RESOURCE && handle_of(n->in[i]);
}

static bool has_handle(const weir_node *n)
{
    for (int i = 0; i < n->site.in_count; i++)
        if (is_handle(n, i))
            return true;
    return false;
}

/* What an input is once the variables are constants. */
static weir_dtype frozen_type(const weir_node *n, int i)
{
    return is_handle(n, i) ? weir_variable_dtype(handle_of(n->in[i])) : weir_edge_dtype(n->in[i]);
}

/* ---- nodes that become others ---------------------------------------------------------------- */

static void put_type_attr(weir_buf *out, const char *name, weir_dtype dtype)
{
    size_t attr = weir_pb_begin(out, 5);
    weir_pb_put_str(out, 1, name);
    size_t value = weir_pb_begin(out, 2);
    weir_pb_put_varint(out, 6, dtype);
    weir_pb_end(out, value);
    weir_pb_end(out, attr);
}

static void put_head(weir_buf *out, const char *name, const char *op)
{
    weir_pb_put_str(out, 1, name);
    weir_pb_put_str(out, 2, op);
}

static void put_inputs(weir_buf *out, const weir_node *n, int count)
{
    weir_buf text = {0};
    for (int i = 0; i < count; i++) {
        text.length = 0;
        weir_buf_addf(&text, n->in[i].index ? "%s:%d" : "%s", n->in[i].node->site.name,
                      n->in[i].index);
        weir_pb_put_bytes(out, 3, text.at, text.length);
    }
    weir_buf_fini(&text);
}

static void put_controls(weir_buf *out, const weir_node *n)
{
    weir_buf text = {0};
    for (size_t i = 0; i < n->controls.count; i++) {
        text.length = 0;
        weir_buf_addf(&text, "^%s", n->controls.at[i]->site.name);
        weir_pb_put_bytes(out, 3, text.at, text.length);
    }
    weir_buf_fini(&text);
}

/* Values of plain types, which all that can be in a variable have but strings; both encode. */
static void put_const(weir_buf *out, const char *name, const weir_tensor *t)
{
    put_head(out, name, "Const");
    put_type_attr(out, "dtype", t->dtype);
    size_t attr = weir_pb_begin(out, 5);
    weir_pb_put_str(out, 1, "value");
    size_t value = weir_pb_begin(out, 2);
    size_t tensor = weir_pb_begin(out, 8);
    weir_status_free(weir_tensor_encode(t, out));
    weir_pb_end(out, tensor);
    weir_pb_end(out, value);
    weir_pb_end(out, attr);
}

static void put_identity(weir_buf *out, const weir_node *n)
{
    put_head(out, n->site.name, "Identity");
    put_inputs(out, n, 1);
    put_controls(out, n);
    put_type_attr(out, "T", frozen_type(n, 0));
}

static void axis_name(weir_buf *out, const weir_node *n)
{
    weir_buf_addf(out, "%s/axis", n->site.name);
}

static void put_gather(weir_buf *out, const weir_node *n)
{
    weir_buf axis = {0};
    axis_name(&axis, n);
    put_head(out, n->site.name, "GatherV2");
    put_inputs(out, n, 2);
    weir_pb_put_bytes(out, 3, axis.at, axis.length);
    put_controls(out, n);
    put_type_attr(out, "Tparams", frozen_type(n, 0));
    put_type_attr(out, "Tindices", weir_edge_dtype(n->in[1]));
    put_type_attr(out, "Taxis", WEIR_INT32);
    const weir_attr *batch = weir_node_attr(n, "batch_dims");
    size_t attr = weir_pb_begin(out, 5);
    weir_pb_put_str(out, 1, "batch_dims");
    size_t value = weir_pb_begin(out, 2);
    weir_pb_put_varint(out, 3, batch ? (uint64_t)batch->i : 0);
    weir_pb_end(out, value);
    weir_pb_end(out, attr);
    weir_buf_fini(&axis);
}

/* The AttrValue of T: a type, or of IdentityN one per input. */
static void put_types(weir_buf *out, const weir_node *n)
{
    if (!weir_node_is(n, "IdentityN")) {
        weir_pb_put_varint(out, 6, frozen_type(n, 0));
        return;
    }
    size_t list = weir_pb_begin(out, 1);
    for (int i = 0; i < n->site.in_count; i++)
        weir_pb_put_varint(out, 6, frozen_type(n, i));
    weir_pb_end(out, list);
}

static void put_passing(weir_buf *out, const weir_node *n)
{
    weir_buf def = {0}, type = {0};
    weir_node_export(n, &def);
    put_types(&type, n);
    weir_node_def_put(out, (weir_str){def.at, def.length}, false, "T",
                      (weir_str){type.at, type.length});
    weir_buf_fini(&def);
    weir_buf_fini(&type);
}

static bool replace(void *arg, const weir_node *n, weir_buf *out)
{
    const freezing *f = arg;
    for (size_t i = 0; i < f->variables.count; i++)
        if (f->variables.at[i] == n) {
            put_const(out, n->site.name, &f->values[i]);
            return true;
        }
    if (!has_handle(n))
        return false;
    if (weir_node_is(n, "ReadVariableOp"))
        put_identity(out, n);
    else if (weir_node_is(n, "ResourceGather"))
        put_gather(out, n);
    else
        put_passing(out, n);
    return true;
}

/* Every use of a handle must be one that |replace| knows. */
static weir_status check_uses(const freezing *f)
{
    for (size_t i = 0; i < f->copy->nodes.count; i++) {
        const weir_node *n = f->copy->nodes.at[i];
        if (!n || n->removed || !weir_needed_has(&f->needed, n))
            continue;
        for (int k = 0; k < n->site.in_count; k++) {
            if (!is_handle(n, k))
                continue;
            bool known = passes_on(n) || (k == 0 && (weir_node_is(n, "ReadVariableOp") ||
                                                     weir_node_is(n, "ResourceGather")));
            if (!known)
                return weir_error(WEIR_UNIMPLEMENTED,
                                  "The graph cannot be frozen: node '%s' (%s) needs variable '%s' "
                                  "itself, not its value",
                                  n->site.name, n->site.def->name, handle_of(n->in[k])->site.name);
        }
    }
    return WEIR_OK;
}

/* The axes of gathers are nodes of their own. */
static void put_axes(const freezing *f, weir_buf *out)
{
    weir_tensor zero = weir_tensor_scalar(WEIR_INT32, &(int32_t){0});
    weir_buf name = {0};
    for (size_t i = 0; i < f->copy->nodes.count; i++) {
        const weir_node *n = f->copy->nodes.at[i];
        if (!n || n->removed || !weir_needed_has(&f->needed, n) ||
            !weir_node_is(n, "ResourceGather"))
            continue;
        name.length = 0;
        axis_name(&name, n);
        size_t mark = weir_pb_begin(out, 1);
        put_const(out, name.at, &zero);
        weir_pb_end(out, mark);
    }
    weir_buf_fini(&name);
    weir_tensor_release(&zero);
}

/* ---- the whole ------------------------------------------------------------------------------- */

/* The values of the copy's variables, read through the session's own graph. */
static weir_status read_values(freezing *f)
{
    const weir_freeze *what = f->what;
    int count = (int)f->variables.count;
    weir_edge *reads = WEIR_NEW_ARRAY(weir_edge, count);
    weir_status s = WEIR_OK;
    pthread_mutex_lock(what->graph_lock);
    for (int i = 0; i < count && !s; i++) {
        const char *name = f->variables.at[i]->site.name;
        weir_node *variable = weir_graph_find(what->graph, weir_str_of(name));
        s = variable ? weir_variable_read(variable, &reads[i])
                     : weir_error(WEIR_UNIMPLEMENTED,
                                  "Variable '%s' is inside a function and cannot be read", name);
    }
    pthread_mutex_unlock(what->graph_lock);
    if (!s && count && !what->session)
        s = weir_error(WEIR_INVALID_ARGUMENT,
                       "The graph has variables ('%s'), but no session was given to read them",
                       f->variables.at[0]->site.name);
    weir_request request = {.fetches = reads, .fetch_count = count};
    f->values = WEIR_NEW_ARRAY(weir_tensor, count);
    if (!s && count)
        s = weir_session_run(what->session, &request, f->values);
    weir_free(reads);
    return s;
}

static weir_status mark_outputs(freezing *f)
{
    for (int i = 0; i < f->what->output_count; i++) {
        const char *name = f->what->outputs[i].node->site.name;
        weir_node *n = weir_graph_find(f->copy, weir_str_of(name));
        if (!n)
            return weir_error(WEIR_NOT_FOUND, "Node '%s' is not in the graph", name);
        weir_needed_add(&f->needed, n);
    }
    weir_variables_gather(f->copy, &f->needed, &f->variables);
    return WEIR_OK;
}

static weir_status check_size(const freezing *f)
{
    int64_t bytes = 0;
    for (size_t i = 0; i < f->variables.count; i++)
        bytes += (int64_t)weir_tensor_bytes(&f->values[i]);
    if (bytes > graph_limit)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "The variables have %lld bytes; a GraphDef has at most %lld",
                          (long long)bytes, (long long)graph_limit);
    return WEIR_OK;
}

static weir_status copy_graph(freezing *f)
{
    WEIR_BUF(def);
    pthread_mutex_lock(f->what->graph_lock);
    weir_graph_export(f->what->graph, &def);
    pthread_mutex_unlock(f->what->graph_lock);
    WEIR_TRY(weir_graph_import(f->copy, weir_view(&def), NULL, NULL));
    return weir_lower_all(f->copy, weir_symbolic_ready, false);
}

static weir_status freeze(freezing *f, weir_buf *out)
{
    WEIR_TRY(copy_graph(f));
    WEIR_TRY(mark_outputs(f));
    WEIR_TRY(check_uses(f));
    WEIR_TRY(read_values(f));
    WEIR_TRY(check_size(f));
    put_axes(f, out);
    weir_graph_export_needed(f->copy, &f->needed, false, replace, f, out);
    return WEIR_OK;
}

static void freezing_fini(freezing *f)
{
    for (size_t i = 0; f->values && i < f->variables.count; i++)
        weir_tensor_release(&f->values[i]);
    weir_free(f->values);
    weir_vec_fini(&f->variables);
    weir_needed_fini(&f->needed);
    weir_graph_destroy(f->copy);
}

weir_status weir_freeze_graph(const weir_freeze *what, weir_buf *out_def)
{
    freezing f = {.what = what, .copy = weir_graph_create(what->graph->registry)};
    weir_status s = freeze(&f, out_def);
    freezing_fini(&f);
    return s;
}
