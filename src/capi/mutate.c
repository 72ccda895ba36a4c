/* capi/mutate.c - changes existing nodes of a graph.
 *
 * A change applies to steps that a session plans afterwards; existing plans are not changed, which
 * is logged.
 */
#include "base/log.h"
#include "capi/capi_impl.h"
#include "tensor/proto.h"
#include "wire/messages.h"

/* With the graph's lock. |what| was changed, as in "updating input tensor". */
static void touched(TF_Graph *graph, const weir_node *node, const char *what)
{
    graph->graph->version++;
    if (weir_capi_session_saw(graph, node))
        weir_log(WEIR_LOG_WARNING,
                 "Operation '%s' was changed by %s after it was run by a session. Steps that the "
                 "session ran before stay as they were: change nodes before they are run, or make "
                 "a new session.",
                 node->site.name, what);
}

/* ---- edges ----------------------------------------------------------------------------------- */

static weir_status update_edge(TF_Output new_src, TF_Input dst)
{
    WEIR_TRY(weir_capi_check_output(new_src));
    weir_node *to = weir_capi_node(dst.oper);
    weir_edge from = weir_capi_edge(new_src);
    if (dst.index < 0 || dst.index >= to->site.in_count)
        return weir_error(WEIR_OUT_OF_RANGE,
                          "Node '%s' (type: '%s', num of inputs: %d) does not have input %d",
                          to->site.name, to->site.def->name, to->site.in_count, dst.index);
    if (weir_edge_dtype(from) != weir_dtype_base(to->site.in_types[dst.index]))
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Input %d of node %s was passed %s from %s:%d incompatible with expected "
                          "%s.",
                          dst.index, to->site.name, weir_dtype_name(weir_edge_type(from)),
                          from.node->site.name, from.index,
                          weir_dtype_name(to->site.in_types[dst.index]));
    const weir_shape *is = weir_edge_shape(from);
    const weir_shape *was = weir_edge_shape(to->in[dst.index]);
    if (!weir_shape_compatible(is, was))
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Shape %s of the new source is not compatible with %s",
                          WEIR_SHAPE_STR(is), WEIR_SHAPE_STR(was));
    if (weir_dtype_is_ref(to->site.in_types[dst.index]) && !weir_dtype_is_ref(weir_edge_type(from)))
        return weir_error(WEIR_INVALID_ARGUMENT, "Input %d of node %s must be a reference",
                          dst.index, to->site.name);
    weir_edge old = to->in[dst.index];
    weir_graph_set_input(to, dst.index, from);
    weir_status status = weir_graph_infer_from(to);
    if (!status)
        return WEIR_OK;
    weir_graph_set_input(to, dst.index, old);
    weir_status_free(weir_graph_infer_from(to));
    return status;
}

void TF_UpdateEdge(TF_Graph *graph, TF_Output new_src, TF_Input dst, TF_Status *status)
{
    weir_capi_lock(graph);
    if (weir_capi_end(status, update_edge(new_src, dst)))
        touched(graph, weir_capi_node(dst.oper), "updating input tensor");
    weir_capi_unlock(graph);
}

void TF_AddOperationControlInput(TF_Graph *graph, TF_Operation *op, TF_Operation *input)
{
    weir_capi_lock(graph);
    weir_graph_add_control(weir_capi_node(input), weir_capi_node(op));
    touched(graph, weir_capi_node(op), "adding control input");
    weir_capi_unlock(graph);
}

void TF_RemoveAllControlInputs(TF_Graph *graph, TF_Operation *op)
{
    weir_node *node = weir_capi_node(op);
    weir_capi_lock(graph);
    while (node->controls.count)
        weir_graph_remove_control(node->controls.at[node->controls.count - 1], node);
    touched(graph, node, "removing control inputs");
    weir_capi_unlock(graph);
}

/* Loops of functions get their inputs on creation; there is nothing to add. */
void TF_AddWhileInputHack(TF_Graph *graph, TF_Output new_src, TF_Operation *dst, TF_Status *status)
{
    weir_capi_end(status,
                  weir_error(WEIR_UNIMPLEMENTED, "Inputs cannot be added to node '%s' of type %s",
                             weir_capi_node(dst)->site.name, weir_capi_node(dst)->site.def->name));
}

/* ---- attrs ----------------------------------------------------------------------------------- */

/* Rejects a value with which shape inference fails. */
static weir_status change_attr(weir_node *node, const char *name, const weir_attr *value)
{
    const weir_attr *now = weir_node_attr(node, name);
    weir_attr old = now ? *now : (weir_attr){0};
    WEIR_TRY(weir_graph_set_attr(node, name, value));
    if (weir_opdef_attr(node->site.def, name) < 0)
        return WEIR_OK;
    weir_status status = weir_graph_infer_from(node);
    if (!status)
        return WEIR_OK;
    weir_status_free(weir_graph_set_attr(node, name, &old));
    weir_status_free(weir_graph_infer_from(node));
    return status;
}

static weir_status set_attr(TF_Operation *op, const char *name, weir_str proto)
{
    weir_node *node = weir_capi_node(op);
    weir_arena scratch;
    weir_attr value;
    weir_arena_init(&scratch);
    weir_status status = weir_attr_import(&scratch, proto, &value);
    if (status) {
        weir_status_free(status);
        status = weir_error(WEIR_INVALID_ARGUMENT, "Unparseable AttrValue proto");
    } else {
        status = change_attr(node, name, &value);
    }
    weir_arena_fini(&scratch);
    return status;
}

void TF_SetAttr(TF_Graph *graph, TF_Operation *op, const char *attr_name,
                TF_Buffer *attr_value_proto, TF_Status *status)
{
    weir_capi_lock(graph);
    if (weir_capi_end(status, set_attr(op, attr_name, weir_capi_bytes(attr_value_proto))))
        touched(graph, weir_capi_node(op), "setting attribute");
    weir_capi_unlock(graph);
}

/* Attrs of the signature are reset to their default; others are removed. */
static weir_status clear_attr(weir_node *node, const char *name)
{
    int i = weir_opdef_attr(node->site.def, name);
    if (i >= 0) {
        if (!node->site.def->attrs[i].has_default)
            return weir_error(WEIR_INVALID_ARGUMENT, "Attr '%s' of node '%s' has no default", name,
                              node->site.name);
        return change_attr(node, name, &node->site.def->attrs[i].otherwise);
    }
    for (int k = 0; k < node->extra_count; k++)
        if (strcmp(node->extra[k].name, name) == 0) {
            node->extra[k] = node->extra[--node->extra_count];
            break;
        }
    return WEIR_OK;
}

void TF_ClearAttr(TF_Graph *graph, TF_Operation *op, const char *attr_name, TF_Status *status)
{
    weir_capi_lock(graph);
    if (weir_capi_end(status, clear_attr(weir_capi_node(op), attr_name)))
        touched(graph, weir_capi_node(op), "clearing attribute");
    weir_capi_unlock(graph);
}

void TF_SetRequestedDevice(TF_Graph *graph, TF_Operation *op, const char *device)
{
    weir_node *node = weir_capi_node(op);
    weir_capi_lock(graph);
    node->requested_device = weir_arena_strdup(&graph->graph->arena, device);
    node->site.device = node->requested_device;
    touched(graph, node, "setting device");
    weir_capi_unlock(graph);
}

/* Full types refine dtypes for compilers; they are not used here. */
void TF_SetFullType(TF_Graph *graph, TF_Operation *op, const TF_Buffer *full_type_proto)
{
}

/* Ops without a shape function are always allowed: their outputs are unknown. */
void TF_SetRequireShapeInferenceFns(TF_Graph *graph, bool require)
{
}

/* ---- handle shapes and types ----------------------------------------------------------------- */

typedef weir_msg_core_cpp_shape_inference_result_handle_data handle_data;
typedef weir_msg_core_cpp_shape_inference_result_handle_shape_and_type handle_shape_and_type;

static const weir_handle_info *handle_info(TF_Output output)
{
    const weir_node *node = weir_capi_node(output.oper);
    bool there = node->out_handles && output.index >= 0 && output.index < node->site.out_count;
    return there && node->out_handles[output.index].dtype ? &node->out_handles[output.index] : NULL;
}

TF_Buffer *TF_GetHandleShapeAndType(TF_Graph *graph, TF_Output output)
{
    WEIR_MESSAGE_ARENA(arena);
    weir_buf bytes = {0};
    weir_capi_lock(graph);
    const weir_handle_info *info = handle_info(output);
    if (info) {
        handle_shape_and_type entry = {.shape = weir_shape_to_proto(&info->shape, &arena),
                                       .dtype = info->dtype};
        handle_data data = {.is_set = true, .shape_and_type = {&entry, 1}};
        weir_msg_core_cpp_shape_inference_result_handle_data_write(&data, &bytes);
    }
    weir_capi_unlock(graph);
    return weir_capi_buffer(&bytes);
}

static weir_status set_handle(TF_Output output, weir_str proto)
{
    WEIR_MESSAGE_ARENA(arena);
    weir_handle_info info = {.shape = WEIR_UNKNOWN_SHAPE};
    handle_data data;
    WEIR_TRY(weir_capi_check_output(output));
    weir_status status =
        weir_msg_core_cpp_shape_inference_result_handle_data_read(proto, &arena, &data);
    if (status) {
        weir_status_free(status);
        return weir_error(WEIR_INVALID_ARGUMENT, "Couldn't deserialize HandleData proto");
    }
    const handle_shape_and_type *first = data.shape_and_type.at;
    if (data.shape_and_type.count && first->shape)
        WEIR_TRY(weir_shape_from_proto(first->shape, &info.shape));
    weir_node *node = weir_capi_node(output.oper);
    if (node->out_handles && data.shape_and_type.count && weir_dtype_valid(first->dtype)) {
        info.dtype = (weir_dtype)first->dtype;
        node->out_handles[output.index] = info;
    }
    return WEIR_OK;
}

void TF_SetHandleShapeAndType(TF_Graph *graph, TF_Output output, const void *proto,
                              size_t proto_len, TF_Status *status)
{
    weir_capi_lock(graph);
    weir_capi_end(status, set_handle(output, (weir_str){proto, proto_len}));
    graph->graph->version++;
    weir_capi_unlock(graph);
}
