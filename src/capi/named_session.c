/* capi/named_session.c - TF_DeprecatedSession: a session with GraphDefs and names. */
#include <ctype.h>
#include <stdlib.h>

#include "capi/capi_impl.h"
#include "graph/proto.h"
#include "wire/messages.h"

struct TF_DeprecatedSession {
    TF_Graph *graph;
    TF_Session *session;
    bool extended; /* it has a graph */
};

TF_DeprecatedSession *TF_NewDeprecatedSession(const TF_SessionOptions *opts, TF_Status *status)
{
    TF_Graph *graph = TF_NewGraph();
    TF_Session *session = TF_NewSession(graph, opts, status);
    if (!session) {
        TF_DeleteGraph(graph);
        return NULL;
    }
    TF_DeprecatedSession *deprecated_session = WEIR_NEW(TF_DeprecatedSession);
    deprecated_session->graph = graph;
    deprecated_session->session = session;
    return deprecated_session;
}

void TF_CloseDeprecatedSession(TF_DeprecatedSession *session, TF_Status *status)
{
    TF_CloseSession(session->session, status);
}

void TF_DeleteDeprecatedSession(TF_DeprecatedSession *session, TF_Status *status)
{
    weir_capi_end(status, WEIR_OK);
    if (!session)
        return;
    weir_capi_session_delete(session->session);
    TF_DeleteGraph(session->graph);
    weir_free(session);
}

TF_DeviceList *TF_DeprecatedSessionListDevices(TF_DeprecatedSession *session, TF_Status *status)
{
    return TF_SessionListDevices(session->session, status);
}

/* ---- names ----------------------------------------------------------------------------------- */

/* "node", "node:2" or "^node"; index -1 for the last. */
static void parse_name(const char *text, weir_str *out_node, int *out_index)
{
    const char *colon = strrchr(text, ':');
    if (*text == '^') {
        *out_node = weir_str_of(text + 1);
        *out_index = -1;
    } else if (colon && isdigit((unsigned char)colon[1])) {
        *out_node = (weir_str){text, (size_t)(colon - text)};
        *out_index = atoi(colon + 1);
    } else {
        *out_node = weir_str_of(text);
        *out_index = 0;
    }
}

static weir_status find_outputs(TF_DeprecatedSession *session, const char *const *names, int count,
                                TF_Output *out)
{
    for (int i = 0; i < count; i++) {
        weir_str name;
        int index;
        parse_name(names[i], &name, &index);
        weir_node *node = weir_graph_find(session->graph->graph, name);
        if (!node)
            return weir_error(
                WEIR_INVALID_ARGUMENT,
                "Tensor %s, specified in either feed_devices or fetch_devices was not "
                "found in the Graph",
                names[i]);
        out[i] = (TF_Output){weir_capi_oper(node), index};
    }
    return WEIR_OK;
}

static weir_status find_targets(TF_DeprecatedSession *session, const char *const *names, int count,
                                const TF_Operation **out)
{
    for (int i = 0; i < count; i++) {
        out[i] = weir_capi_oper(weir_graph_find(session->graph->graph, weir_str_of(names[i])));
        if (!out[i])
            return weir_error(WEIR_NOT_FOUND, "PruneForTargets: Some target nodes not found: %s ",
                              names[i]);
    }
    return WEIR_OK;
}

/* The resolved names of a call. */
typedef struct named {
    TF_Output *in, *out;
    const TF_Operation **targets;
} named;

static weir_status resolve(TF_DeprecatedSession *session, const char **in, int ninputs,
                           const char **out, int noutputs, const char **targets, int ntargets,
                           named *named)
{
    if (!session->extended)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Session was not created with a graph before Run()!");
    weir_capi_lock(session->graph);
    weir_status status = find_outputs(session, in, ninputs, named->in);
    if (!status)
        status = find_outputs(session, out, noutputs, named->out);
    if (!status)
        status = find_targets(session, targets, ntargets, named->targets);
    weir_capi_unlock(session->graph);
    return status;
}

static named make_room(int ninputs, int noutputs, int ntargets)
{
    return (named){WEIR_NEW_ARRAY(TF_Output, ninputs), WEIR_NEW_ARRAY(TF_Output, noutputs),
                   WEIR_NEW_ARRAY(const TF_Operation *, ntargets)};
}

static void end(named *named)
{
    weir_free(named->in);
    weir_free(named->out);
    weir_free(named->targets);
}

/* ---- growing --------------------------------------------------------------------------------- */

typedef struct extension {
    weir_graph *graph;
    weir_arena arena;
    weir_map fresh;                 /* names that the GraphDef defines */
    WEIR_VEC(weir_input_map) links; /* inputs from earlier nodes */
} extension;

static weir_status collect_names(extension *extension, const weir_msg_graph_def *def)
{
    for (size_t i = 0; i < def->node.count; i++) {
        weir_str name = def->node.at[i].name;
        if (weir_graph_find(extension->graph, name))
            return weir_error(
                WEIR_INVALID_ARGUMENT,
                "GraphDef argument to Extend includes node '%.*s', which was created by "
                "a previous call to Create or Extend in this session.",
                WEIR_STR_ARG(name));
        weir_map_put(&extension->fresh, name, extension);
    }
    return WEIR_OK;
}

static void link_input(extension *extension, weir_str input)
{
    weir_str name;
    int index;
    parse_name(weir_arena_strndup(&extension->arena, input.at, input.length), &name, &index);
    weir_node *node =
        weir_map_get(&extension->fresh, name) ? NULL : weir_graph_find(extension->graph, name);
    if (node)
        weir_vec_push(&extension->links,
                      (weir_input_map){weir_arena_strndup(&extension->arena, name.at, name.length),
                                       index, (weir_edge){node, index}});
}

static void link_inputs(extension *extension, const weir_msg_graph_def *def)
{
    for (size_t i = 0; i < def->node.count; i++)
        for (size_t k = 0; k < def->node.at[i].input.count; k++)
            link_input(extension, def->node.at[i].input.at[k]);
}

static weir_status extend(weir_graph *graph, weir_str graph_def)
{
    extension extension = {.graph = graph};
    weir_arena_init(&extension.arena);
    weir_msg_graph_def def;
    weir_status status = weir_msg_graph_def_read(graph_def, &extension.arena, &def);
    if (status) {
        weir_status_free(status);
        status = weir_error(WEIR_INVALID_ARGUMENT, "Invalid GraphDef");
    } else {
        status = collect_names(&extension, &def);
    }
    if (!status)
        link_inputs(&extension, &def);
    weir_import how = {.input_map = extension.links.at,
                       .input_map_count = (int)extension.links.count};
    if (!status)
        status = weir_graph_import(graph, graph_def, &how, NULL);
    weir_vec_fini(&extension.links);
    weir_map_fini(&extension.fresh);
    weir_arena_fini(&extension.arena);
    return status;
}

void TF_ExtendGraph(TF_DeprecatedSession *session, const void *proto, size_t proto_len,
                    TF_Status *status)
{
    weir_capi_lock(session->graph);
    if (weir_capi_end(status, extend(session->graph->graph, (weir_str){proto, proto_len})))
        session->extended = true;
    weir_capi_unlock(session->graph);
}

/* ---- steps ----------------------------------------------------------------------------------- */

void TF_Run(TF_DeprecatedSession *session, const TF_Buffer *run_options, const char **input_names,
            TF_Tensor **inputs, int ninputs, const char **output_names, TF_Tensor **outputs,
            int noutputs, const char **target_oper_names, int ntargets, TF_Buffer *run_metadata,
            TF_Status *status)
{
    named named = make_room(ninputs, noutputs, ntargets);
    for (int i = 0; i < noutputs; i++)
        outputs[i] = NULL;
    if (weir_capi_end(status, resolve(session, input_names, ninputs, output_names, noutputs,
                                      target_oper_names, ntargets, &named)))
        TF_SessionRun(session->session, run_options, named.in, inputs, ninputs, named.out, outputs,
                      noutputs, named.targets, ntargets, run_metadata, status);
    end(&named);
}

void TF_PRunSetup(TF_DeprecatedSession *session, const char **input_names, int ninputs,
                  const char **output_names, int noutputs, const char **target_oper_names,
                  int ntargets, const char **handle, TF_Status *status)
{
    named named = make_room(ninputs, noutputs, ntargets);
    *handle = NULL;
    if (weir_capi_end(status, resolve(session, input_names, ninputs, output_names, noutputs,
                                      target_oper_names, ntargets, &named)))
        TF_SessionPRunSetup(session->session, named.in, ninputs, named.out, noutputs, named.targets,
                            ntargets, handle, status);
    end(&named);
}

void TF_PRun(TF_DeprecatedSession *session, const char *handle, const char **input_names,
             TF_Tensor **inputs, int ninputs, const char **output_names, TF_Tensor **outputs,
             int noutputs, const char **target_oper_names, int ntargets, TF_Status *status)
{
    named named = make_room(ninputs, noutputs, ntargets);
    for (int i = 0; i < noutputs; i++)
        outputs[i] = NULL;
    if (weir_capi_end(status, resolve(session, input_names, ninputs, output_names, noutputs,
                                      target_oper_names, ntargets, &named)))
        TF_SessionPRun(session->session, handle, named.in, inputs, ninputs, named.out, outputs,
                       noutputs, named.targets, ntargets, status);
    end(&named);
}
