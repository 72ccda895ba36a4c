/* graph/import_read.c - the parts of a GraphDef. */
#include "graph/import_impl.h"
#include "graph/proto.h"
#include "wire/messages.h"

static void set_gradient(weir_importing *im, const weir_msg_gradient_def *proto)
{
    weir_function *function = weir_map_get(&im->graph->functions, proto->function_name);
    if (function)
        function->gradient = weir_arena_strndup(&function->arena, proto->gradient_func.at,
                                                proto->gradient_func.length);
}

static weir_status add_function(weir_importing *im, weir_str proto)
{
    weir_function *function;
    WEIR_TRY(weir_function_import(proto, &function));
    weir_status status = weir_graph_add_function(im->graph, function);
    weir_function_release(function);
    return status;
}

static weir_status read_library(weir_importing *im, const weir_msg_function_def_library *proto)
{
    for (size_t i = 0; i < proto->function.count; i++)
        WEIR_TRY(add_function(im, proto->function.at[i]));
    for (size_t i = 0; i < proto->gradient.count; i++)
        set_gradient(im, &proto->gradient.at[i]);
    return WEIR_OK;
}

static weir_status read_versions(weir_importing *im, const weir_msg_version_def *proto)
{
    im->producer = proto->producer;
    if (proto->min_consumer > WEIR_GRAPH_VERSION)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "GraphDef min consumer version %d above current version %d for weir. "
                          "Please upgrade.",
                          proto->min_consumer, WEIR_GRAPH_VERSION);
    for (size_t i = 0; i < proto->bad_consumers.count; i++)
        if (proto->bad_consumers.at[i] == WEIR_GRAPH_VERSION)
            return weir_error(WEIR_INVALID_ARGUMENT, "GraphDef disallows consumer version %d",
                              WEIR_GRAPH_VERSION);
    return WEIR_OK;
}

static weir_status read_nodes(weir_importing *im, weir_msgs_node_def protos)
{
    im->count = (int)protos.count;
    im->defs = WEIR_ARENA_ARRAY(&im->arena, weir_function_node, im->count);
    im->made = WEIR_ARENA_ARRAY(&im->arena, weir_node *, im->count);
    im->names = WEIR_ARENA_ARRAY(&im->arena, const char *, im->count);
    im->inputs = WEIR_ARENA_ARRAY(&im->arena, weir_import_input *, im->count);
    for (int i = 0; i < im->count; i++)
        WEIR_TRY(weir_nodedef_from_proto(&im->arena, &protos.at[i], &im->defs[i]));
    return WEIR_OK;
}

weir_status weir_import_read(weir_importing *im, weir_str graph_def)
{
    WEIR_MESSAGE_ARENA(scratch);
    weir_msg_graph_def proto;
    weir_status status = weir_msg_graph_def_read(graph_def, &scratch, &proto);
    if (status)
        return weir_status_prefix(status, "Invalid GraphDef; ");
    if (proto.library)
        WEIR_TRY(read_library(im, proto.library));
    if (proto.versions)
        WEIR_TRY(read_versions(im, proto.versions));
    return read_nodes(im, proto.node);
}
