/* model/freeze.c - replaces variables by constants.
 *
 * Calls are inlined first, in a copy, so that every use of a variable is in the graph itself:
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
#include "wire/messages.h"

static const int64_t graph_limit = 2000ll << 20; /* bytes: protocol buffers are limited to 2 GiB */

typedef struct freezing {
    const weir_freeze *what;
    weir_graph *copy; /* with calls inlined */
    weir_needed needed;
    weir_nodes variables; /* of the copy */
    weir_tensor *values;  /* one per variable */
} freezing;

/* ---- which variable an edge is --------------------------------------------------------------- */

static bool passes_on(const weir_node *node)
{
    static const char *const ops[] = {"Identity", "Enter",     "Switch",       "Merge",
                                      "Exit",     "IdentityN", "NextIteration"};
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
        if (weir_node_is(node, ops[i]))
            return true;
    return false;
}

/* The variable of the handle |edge|; null if it is not a handle. A loop variable is followed to its
 * Enter, by the first input. */
static const weir_node *handle_of(weir_edge edge)
{
    enum { FAR = 10000 };
    for (int steps = 0; edge.node && steps < FAR; steps++) {
        if (weir_variable_is_resource(edge.node))
            return edge.node;
        if (!passes_on(edge.node))
            return NULL;
        edge = edge.node->in[weir_node_is(edge.node, "IdentityN") ? edge.index : 0];
    }
    return NULL;
}

static bool is_handle(const weir_node *node, int i)
{
    return weir_edge_dtype(node->in[i]) == WEIR_RESOURCE && handle_of(node->in[i]);
}

static bool has_handle(const weir_node *node)
{
    for (int i = 0; i < node->site.in_count; i++)
        if (is_handle(node, i))
            return true;
    return false;
}

/* The type of an input after freezing. */
static weir_dtype frozen_type(const weir_node *node, int i)
{
    return is_handle(node, i) ? weir_variable_dtype(handle_of(node->in[i]))
                              : weir_edge_dtype(node->in[i]);
}

/* ---- replaced nodes -------------------------------------------------------------------------- */

static weir_msg_node_def_attr_entry attr(const char *name, weir_msg_attr_value value,
                                         weir_arena *arena)
{
    weir_msg_attr_value *kept = WEIR_ARENA_NEW(arena, weir_msg_attr_value);
    *kept = value;
    return (weir_msg_node_def_attr_entry){.key = weir_str_of(name), .value = kept};
}

static weir_msg_node_def_attr_entry type_attr(const char *name, weir_dtype dtype, weir_arena *arena)
{
    return attr(name,
                (weir_msg_attr_value){.which_value = WEIR_FIELD_attr_value_type, .type = dtype},
                arena);
}

/* Replaces the node's attrs by |count| others. */
static void set_attrs(weir_msg_node_def *def, const weir_msg_node_def_attr_entry *attrs,
                      size_t count, weir_arena *arena)
{
    weir_msg_node_def_attr_entry *kept =
        WEIR_ARENA_ARRAY(arena, weir_msg_node_def_attr_entry, count);
    memcpy(kept, attrs, sizeof *kept * count);
    def->attr = (weir_msgs_node_def_attr_entry){kept, count};
}

static weir_status make_const(weir_msg_node_def *def, const weir_tensor *value, weir_arena *arena)
{
    weir_buf bytes = {0};
    weir_status status = weir_tensor_encode(value, &bytes);
    weir_arena_defer(arena, weir_free, bytes.at);
    WEIR_TRY(status);
    weir_msg_node_def_attr_entry attrs[] = {
        type_attr("dtype", value->dtype, arena),
        attr("value",
             (weir_msg_attr_value){.which_value = WEIR_FIELD_attr_value_tensor,
                                   .tensor = weir_view(&bytes)},
             arena)};
    def->op = WEIR_STR("Const");
    def->input = (weir_strs){0};
    set_attrs(def, attrs, 2, arena);
    return WEIR_OK;
}

static weir_status make_identity(weir_msg_node_def *def, const weir_node *node, weir_arena *arena)
{
    weir_msg_node_def_attr_entry type = type_attr("T", frozen_type(node, 0), arena);
    def->op = WEIR_STR("Identity");
    set_attrs(def, &type, 1, arena);
    return WEIR_OK;
}

static weir_str axis_name(const weir_node *node, weir_arena *arena)
{
    WEIR_BUF(name);
    weir_buf_addf(&name, "%s/axis", node->site.name);
    return weir_str_of(weir_arena_strdup(arena, name.at));
}

/* The axis goes after the inputs of a ResourceGather, before its control inputs. */
static void add_axis(weir_msg_node_def *def, const weir_node *node, weir_arena *arena)
{
    size_t before = (size_t)node->site.in_count, count = def->input.count;
    weir_str *inputs = WEIR_ARENA_ARRAY(arena, weir_str, count + 1);
    memcpy(inputs, def->input.at, sizeof *inputs * before);
    inputs[before] = axis_name(node, arena);
    memcpy(inputs + before + 1, def->input.at + before, sizeof *inputs * (count - before));
    def->input = (weir_strs){inputs, count + 1};
}

static weir_status make_gather(weir_msg_node_def *def, const weir_node *node, weir_arena *arena)
{
    const weir_attr *batch = weir_node_attr(node, "batch_dims");
    weir_msg_node_def_attr_entry attrs[] = {
        type_attr("Tparams", frozen_type(node, 0), arena),
        type_attr("Tindices", weir_edge_dtype(node->in[1]), arena),
        type_attr("Taxis", WEIR_INT32, arena),
        attr("batch_dims",
             (weir_msg_attr_value){.which_value = WEIR_FIELD_attr_value_i,
                                   .i = batch ? batch->i : 0},
             arena)};
    def->op = WEIR_STR("GatherV2");
    add_axis(def, node, arena);
    set_attrs(def, attrs, 4, arena);
    return WEIR_OK;
}

/* The AttrValue of T: a type, or for IdentityN one per input. */
static weir_msg_attr_value types_of(const weir_node *node, weir_arena *arena)
{
    if (!weir_node_is(node, "IdentityN"))
        return (weir_msg_attr_value){.which_value = WEIR_FIELD_attr_value_type,
                                     .type = frozen_type(node, 0)};
    int32_t *types = WEIR_ARENA_ARRAY(arena, int32_t, node->site.in_count);
    for (int i = 0; i < node->site.in_count; i++)
        types[i] = frozen_type(node, i);
    weir_msg_attr_value_list_value *list = WEIR_ARENA_NEW(arena, weir_msg_attr_value_list_value);
    list->type = (weir_int32s){types, (size_t)node->site.in_count};
    return (weir_msg_attr_value){.which_value = WEIR_FIELD_attr_value_list, .list = list};
}

static weir_status retype(weir_msg_node_def *def, const weir_node *node, weir_arena *arena)
{
    set_attrs(def, def->attr.at, def->attr.count, arena); /* a modifiable copy */
    weir_msg_node_def_attr_entry *attrs = (weir_msg_node_def_attr_entry *)def->attr.at;
    for (size_t i = 0; i < def->attr.count; i++)
        if (weir_str_is(attrs[i].key, "T"))
            attrs[i] = attr("T", types_of(node, arena), arena);
    return WEIR_OK;
}

static weir_status replace(void *arg, const weir_node *node, weir_arena *arena,
                           weir_msg_node_def *def)
{
    const freezing *freezing = arg;
    for (size_t i = 0; i < freezing->variables.count; i++)
        if (freezing->variables.at[i] == node)
            return make_const(def, &freezing->values[i], arena);
    if (!has_handle(node))
        return WEIR_OK;
    if (weir_node_is(node, "ReadVariableOp"))
        return make_identity(def, node, arena);
    return weir_node_is(node, "ResourceGather") ? make_gather(def, node, arena)
                                                : retype(def, node, arena);
}

/* Checks that |replace| supports every use of a handle. */
static weir_status check_uses(const freezing *freezing)
{
    for (size_t i = 0; i < freezing->copy->nodes.count; i++) {
        const weir_node *node = freezing->copy->nodes.at[i];
        if (!node || node->removed || !weir_needed_has(&freezing->needed, node))
            continue;
        for (int k = 0; k < node->site.in_count; k++) {
            if (!is_handle(node, k))
                continue;
            bool known = passes_on(node) || (k == 0 && (weir_node_is(node, "ReadVariableOp") ||
                                                        weir_node_is(node, "ResourceGather")));
            if (!known)
                return weir_error(WEIR_UNIMPLEMENTED,
                                  "The graph cannot be frozen: node '%s' (%s) needs variable '%s' "
                                  "itself, not its value",
                                  node->site.name, node->site.def->name,
                                  handle_of(node->in[k])->site.name);
        }
    }
    return WEIR_OK;
}

/* Writes the axis of a gather as a node. */
static weir_status put_axis(const weir_node *gather, const weir_tensor *axis, weir_buf *out)
{
    WEIR_MESSAGE_ARENA(arena);
    weir_msg_node_def def = {.name = axis_name(gather, &arena)};
    WEIR_TRY(make_const(&def, axis, &arena));
    weir_msg_graph_def_write(&(weir_msg_graph_def){.node = {&def, 1}}, out);
    return WEIR_OK;
}

static weir_status put_axes(const freezing *freezing, weir_buf *out)
{
    weir_tensor zero = weir_tensor_scalar(WEIR_INT32, &(int32_t){0});
    weir_status status = WEIR_OK;
    for (size_t i = 0; i < freezing->copy->nodes.count && !status; i++) {
        const weir_node *node = freezing->copy->nodes.at[i];
        if (node && !node->removed && weir_needed_has(&freezing->needed, node) &&
            weir_node_is(node, "ResourceGather"))
            status = put_axis(node, &zero, out);
    }
    weir_tensor_release(&zero);
    return status;
}

/* ---- entry point ----------------------------------------------------------------------------- */

/* Reads the values of the copy's variables through the session's own graph. */
static weir_status read_values(freezing *freezing)
{
    const weir_freeze *what = freezing->what;
    int count = (int)freezing->variables.count;
    weir_edge *reads = WEIR_NEW_ARRAY(weir_edge, count);
    weir_status status = WEIR_OK;
    weir_mutex_lock(what->graph_lock);
    for (int i = 0; i < count && !status; i++) {
        const char *name = freezing->variables.at[i]->site.name;
        weir_node *variable = weir_graph_find(what->graph, weir_str_of(name));
        status = variable
                     ? weir_variable_read(variable, &reads[i])
                     : weir_error(WEIR_UNIMPLEMENTED,
                                  "Variable '%s' is inside a function and cannot be read", name);
    }
    weir_mutex_unlock(what->graph_lock);
    if (!status && count && !what->session)
        status = weir_error(WEIR_INVALID_ARGUMENT,
                            "The graph has variables ('%s'), but no session was given to read them",
                            freezing->variables.at[0]->site.name);
    weir_request request = {.fetches = reads, .fetch_count = count};
    freezing->values = WEIR_NEW_ARRAY(weir_tensor, count);
    if (!status && count)
        status = weir_session_run(what->session, &request, freezing->values);
    weir_free(reads);
    return status;
}

static weir_status mark_outputs(freezing *freezing)
{
    for (int i = 0; i < freezing->what->output_count; i++) {
        const char *name = freezing->what->outputs[i].node->site.name;
        weir_node *node = weir_graph_find(freezing->copy, weir_str_of(name));
        if (!node)
            return weir_error(WEIR_NOT_FOUND, "Node '%s' is not in the graph", name);
        weir_needed_add(&freezing->needed, node);
    }
    weir_variables_gather(freezing->copy, &freezing->needed, &freezing->variables);
    return WEIR_OK;
}

static weir_status check_size(const freezing *freezing)
{
    int64_t bytes = 0;
    for (size_t i = 0; i < freezing->variables.count; i++)
        bytes += (int64_t)weir_tensor_bytes(&freezing->values[i]);
    if (bytes > graph_limit)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "The variables have %lld bytes; a GraphDef has at most %lld",
                          (long long)bytes, (long long)graph_limit);
    return WEIR_OK;
}

static weir_status copy_graph(freezing *freezing)
{
    WEIR_BUF(def);
    weir_mutex_lock(freezing->what->graph_lock);
    weir_graph_export(freezing->what->graph, &def);
    weir_mutex_unlock(freezing->what->graph_lock);
    WEIR_TRY(weir_graph_import(freezing->copy, weir_view(&def), NULL, NULL));
    return weir_lower_all(freezing->copy, weir_symbolic_ready, false);
}

static weir_status freeze(freezing *freezing, weir_buf *out)
{
    WEIR_TRY(copy_graph(freezing));
    WEIR_TRY(mark_outputs(freezing));
    WEIR_TRY(check_uses(freezing));
    WEIR_TRY(read_values(freezing));
    WEIR_TRY(check_size(freezing));
    WEIR_TRY(put_axes(freezing, out));
    return weir_graph_export_needed(freezing->copy, &freezing->needed, false, replace, freezing,
                                    out);
}

static void freezing_fini(freezing *freezing)
{
    for (size_t i = 0; freezing->values && i < freezing->variables.count; i++)
        weir_tensor_release(&freezing->values[i]);
    weir_free(freezing->values);
    weir_vec_fini(&freezing->variables);
    weir_needed_fini(&freezing->needed);
    weir_graph_destroy(freezing->copy);
}

weir_status weir_freeze_graph(const weir_freeze *what, weir_buf *out_def)
{
    freezing freezing = {.what = what, .copy = weir_graph_create(what->graph->registry)};
    weir_status status = freeze(&freezing, out_def);
    freezing_fini(&freezing);
    return status;
}
