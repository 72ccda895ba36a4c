/* session/remote_function.c - functions that run on devices of other tasks.
 *
 * A function is sent to its task as a graph with _Recv for arguments and _Send for results, in
 * TensorFlow's form: either side may be TensorFlow's.
 */
#include <inttypes.h>
#include <stdio.h>

#include "op/rendezvous.h"
#include "session/session_impl.h"
#include "wire/messages.h"

/* ---- targets --------------------------------------------------------------------------------- */

static bool is_own(const weir_local_session *session, const char *device)
{
    for (int i = 0; i < session->devices.count; i++)
        if (strcmp(session->devices.at[i].name, device) == 0)
            return true;
    return false;
}

bool weir_local_is_elsewhere(const weir_local_session *session, const char *device)
{
    size_t length = strlen(session->task);
    return session->calls &&
           !(strncmp(device, session->task, length) == 0 && device[length] == '/');
}

weir_status weir_local_find_target(const weir_local_session *session, weir_str target,
                                   const char *from, char *out_device)
{
    WEIR_MESSAGE_ARENA(arena);
    const char *text = weir_arena_strndup(&arena, target.at, target.length);
    weir_device_name device, own;
    WEIR_TRY(weir_device_name_parse(from, &device));
    weir_status status = weir_device_name_parse(text, &own);
    if (status || strlen(text) != target.length) {
        weir_status_free(status);
        return weir_error(WEIR_INVALID_ARGUMENT, "Could not parse %s into a device specification.",
                          text);
    }
    weir_device_name_override(&device, &own);
    weir_device_name_text(&device, out_device);
    if (is_own(session, out_device) || weir_local_is_elsewhere(session, out_device))
        return WEIR_OK;
    return session->calls
               ? weir_error(WEIR_INVALID_ARGUMENT, "%s is no device of this task", out_device)
               : weir_error(WEIR_INTERNAL,
                            "Currently don't support instantiating functions on device: %s",
                            out_device);
}

/* ---- the graph ------------------------------------------------------------------------------- */

typedef struct packing {
    weir_graph *graph;
    const char *device;
    weir_arena *arena;
    weir_remote_body *body;
} packing;

enum { EDGE_NAME_ROOM = 32 };

/* "arg_3" or "ret_3"; both sides use the same name and key. */
static weir_str name_edge(packing *packing, const char *kind, int64_t index, char *out_name)
{
    snprintf(out_name, EDGE_NAME_ROOM, "%s_%" PRId64, kind, index);
    WEIR_BUF(key);
    weir_str device = weir_str_of(packing->device);
    weir_rendezvous_key(&key, device, 1, device, weir_str_of(out_name));
    weir_rendezvous_frame(&key, 0, 0);
    return (weir_str){weir_arena_strndup(packing->arena, key.at, key.length), key.length};
}

/* A _Recv (|value| null), or a _Send of |*value|. */
static weir_status add_end(packing *packing, const char *name, weir_dtype dtype,
                           const weir_edge *value, weir_node **out_node)
{
    weir_named_attr attrs[] = {
        weir_a_type(value ? "T" : "tensor_type", dtype), weir_a_str("tensor_name", name),
        weir_a_str("send_device", packing->device),      weir_a_int("send_device_incarnation", 1),
        weir_a_str("recv_device", packing->device),      weir_a_bool("client_terminated", true)};
    weir_node_spec spec = {.name = weir_graph_unique_name(packing->graph, name),
                           .op = value ? "_Send" : "_Recv",
                           .in = value,
                           .in_count = value != NULL,
                           .attrs = attrs,
                           .attr_count = sizeof attrs / sizeof *attrs};
    return weir_graph_add(packing->graph, &spec, out_node);
}

static weir_status pack_arg(packing *packing, weir_node *arg)
{
    char name[EDGE_NAME_ROOM];
    int64_t index = weir_node_attr(arg, "index")->i;
    weir_node *recv;
    packing->body->arg_keys[index] = name_edge(packing, "arg", index, name);
    WEIR_TRY(add_end(packing, name, weir_dtype_base(arg->site.out_types[0]), NULL, &recv));
    weir_graph_replace((weir_edge){arg, 0}, (weir_edge){recv, 0});
    weir_graph_remove(arg);
    return WEIR_OK;
}

static weir_status pack_ret(packing *packing, weir_node *ret)
{
    char name[EDGE_NAME_ROOM];
    int64_t index = weir_node_attr(ret, "index")->i;
    weir_edge value = ret->in[0];
    weir_node *send;
    packing->body->ret_keys[index] = name_edge(packing, "ret", index, name);
    WEIR_TRY(add_end(packing, name, weir_dtype_base(ret->site.in_types[0]), &value, &send));
    weir_graph_remove(ret);
    return WEIR_OK;
}

/* The number of nodes of |flow|; a body has one for each index. */
static int count_ends(const weir_graph *graph, weir_flow flow)
{
    int count = 0;
    for (size_t i = 0; i < graph->nodes.count; i++)
        count += !graph->nodes.at[i]->removed && weir_node_flow(graph->nodes.at[i]) == flow;
    return count;
}

static weir_status replace_ends(packing *packing)
{
    weir_remote_body *body = packing->body;
    size_t count = packing->graph->nodes.count; /* added nodes are no _Arg or _Retval */
    body->arg_count = count_ends(packing->graph, WEIR_FLOW_ARG);
    body->ret_count = count_ends(packing->graph, WEIR_FLOW_RETVAL);
    body->arg_keys = WEIR_ARENA_ARRAY(packing->arena, weir_str, (size_t)body->arg_count);
    body->ret_keys = WEIR_ARENA_ARRAY(packing->arena, weir_str, (size_t)body->ret_count);
    for (size_t i = 0; i < count; i++) {
        weir_node *node = packing->graph->nodes.at[i];
        if (weir_node_flow(node) == WEIR_FLOW_ARG)
            WEIR_TRY(pack_arg(packing, node));
        else if (weir_node_flow(node) == WEIR_FLOW_RETVAL)
            WEIR_TRY(pack_ret(packing, node));
    }
    return WEIR_OK;
}

/* The whole function is on one device, regardless of its nodes' requests, as in TensorFlow. */
static weir_status pack(packing *packing, weir_buf *out)
{
    WEIR_TRY(replace_ends(packing));
    for (size_t i = 0; i < packing->graph->nodes.count; i++)
        packing->graph->nodes.at[i]->site.device = packing->device;
    const char *end = strstr(packing->device, "/device:");
    const char *task = weir_arena_strndup(packing->arena, packing->device,
                                          (size_t)(end ? end - packing->device : 0));
    weir_place_export_task(packing->graph, task, out);
    return WEIR_OK;
}

static weir_status instantiate(weir_local_session *session, const weir_func *func,
                               weir_graph **out_body)
{
    weir_mutex_lock(&session->lock);
    const weir_function *function =
        weir_graph_find_function(session->library, weir_str_of(func->name));
    weir_status status =
        function ? weir_function_instantiate(session->library, function, func->attrs,
                                             func->attr_count, out_body)
                 : weir_error(WEIR_NOT_FOUND, "Function %s is not defined.", func->name);
    weir_mutex_unlock(&session->lock);
    return status;
}

weir_status weir_local_send_function(weir_local_session *session, const weir_func *func,
                                     const char *device, weir_cancel *cancel,
                                     weir_remote_function **out)
{
    WEIR_MESSAGE_ARENA(arena);
    WEIR_BUF(graph_def);
    WEIR_OWNED(weir_graph) graph = NULL;
    WEIR_TRY(instantiate(session, func, &graph));
    weir_remote_body body = {.device = device};
    packing packing = {graph, device, &arena, &body};
    WEIR_TRY(pack(&packing, &graph_def));
    body.graph_def = weir_view(&graph_def);
    return session->calls->add(session->calls, &body, cancel, out);
}
