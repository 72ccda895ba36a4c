/* capi/named_session.c - TF_DeprecatedSession: a session that is given GraphDefs and names. */
#include <ctype.h>
#include <stdlib.h>

#include "capi/capi_impl.h"
#include "graph/proto.h"

struct TF_DeprecatedSession {
    TF_Graph *graph;
    TF_Session *session;
    bool extended; /* it was given a graph */
};

TF_DeprecatedSession *TF_NewDeprecatedSession(const TF_SessionOptions *opts, TF_Status *status)
{
    TF_Graph *graph = TF_NewGraph();
    TF_Session *session = TF_NewSession(graph, opts, status);
    if (!session) {
        TF_DeleteGraph(graph);
        return NULL;
    }
    TF_DeprecatedSession *s = WEIR_NEW(TF_DeprecatedSession);
    s->graph = graph;
    s->session = session;
    return s;
}

void TF_CloseDeprecatedSession(TF_DeprecatedSession *s, TF_Status *status)
{
    TF_CloseSession(s->session, status);
}

void TF_DeleteDeprecatedSession(TF_DeprecatedSession *s, TF_Status *status)
{
    weir_capi_end(status, WEIR_OK);
    if (!s)
        return;
    weir_capi_session_delete(s->session);
    TF_DeleteGraph(s->graph);
    weir_free(s);
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

static weir_status find_outputs(TF_DeprecatedSession *s, const char *const *names, int count,
                                TF_Output *out)
{
    for (int i = 0; i < count; i++) {
        weir_str name;
        int index;
        parse_name(names[i], &name, &index);
        weir_node *n = weir_graph_find(s->graph->graph, name);
        if (!n)
            return weir_error(
                WEIR_INVALID_ARGUMENT,
                "Tensor %s, specified in either feed_devices or fetch_devices was not "
                "found in the Graph",
                names[i]);
        out[i] = (TF_Output){weir_capi_oper(n), index};
    }
    return WEIR_OK;
}

static weir_status find_targets(TF_DeprecatedSession *s, const char *const *names, int count,
                                const TF_Operation **out)
{
    for (int i = 0; i < count; i++) {
        out[i] = weir_capi_oper(weir_graph_find(s->graph->graph, weir_str_of(names[i])));
        if (!out[i])
            return weir_error(WEIR_NOT_FOUND, "PruneForTargets: Some target nodes not found: %s ",
                              names[i]);
    }
    return WEIR_OK;
}

/* What a call names, found. */
typedef struct named {
    TF_Output *in, *out;
    const TF_Operation **targets;
} named;

static weir_status resolve(TF_DeprecatedSession *s, const char **in, int ninputs, const char **out,
                           int noutputs, const char **targets, int ntargets, named *n)
{
    if (!s->extended)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Session was not created with a graph before Run()!");
    weir_capi_lock(s->graph);
    weir_status status = find_outputs(s, in, ninputs, n->in);
    if (!status)
        status = find_outputs(s, out, noutputs, n->out);
    if (!status)
        status = find_targets(s, targets, ntargets, n->targets);
    weir_capi_unlock(s->graph);
    return status;
}

static named make_room(int ninputs, int noutputs, int ntargets)
{
    return (named){WEIR_NEW_ARRAY(TF_Output, ninputs), WEIR_NEW_ARRAY(TF_Output, noutputs),
                   WEIR_NEW_ARRAY(const TF_Operation *, ntargets)};
}

static void end(named *n)
{
    weir_free(n->in);
    weir_free(n->out);
    weir_free(n->targets);
}

/* ---- growing --------------------------------------------------------------------------------- */

typedef struct extension {
    weir_graph *graph;
    weir_arena arena;
    weir_map fresh;                 /* names that the GraphDef defines */
    WEIR_VEC(weir_input_map) links; /* inputs that come from what was there before */
} extension;

static weir_status collect_names(extension *x, const weir_msg_graph_def *def)
{
    for (size_t i = 0; i < def->node.count; i++) {
        weir_str name = def->node.at[i].name;
        if (weir_graph_find(x->graph, name))
            return weir_error(
                WEIR_INVALID_ARGUMENT,
                "GraphDef argument to Extend includes node '%.*s', which was created by "
                "a previous call to Create or Extend in this session.",
                WEIR_STR_ARG(name));
        weir_map_put(&x->fresh, name, x);
    }
    return WEIR_OK;
}

static void link_input(extension *x, weir_str input)
{
    weir_str name;
    int index;
    parse_name(weir_arena_strndup(&x->arena, input.at, input.length), &name, &index);
    weir_node *n = weir_map_get(&x->fresh, name) ? NULL : weir_graph_find(x->graph, name);
    if (n)
        weir_vec_push(&x->links,
                      (weir_input_map){weir_arena_strndup(&x->arena, name.at, name.length), index,
                                       (weir_edge){n, index}});
}

static void link_inputs(extension *x, const weir_msg_graph_def *def)
{
    for (size_t i = 0; i < def->node.count; i++)
        for (size_t k = 0; k < def->node.at[i].input.count; k++)
            link_input(x, def->node.at[i].input.at[k]);
}

static weir_status extend(weir_graph *graph, weir_str graph_def)
{
    extension x = {.graph = graph};
    weir_arena_init(&x.arena);
    weir_msg_graph_def def;
    weir_status s = weir_msg_graph_def_read(graph_def, &x.arena, &def);
    if (s) {
        weir_status_free(s);
        s = weir_error(WEIR_INVALID_ARGUMENT, "Invalid GraphDef");
    } else {
        s = collect_names(&x, &def);
    }
    if (!s)
        link_inputs(&x, &def);
    weir_import how = {.input_map = x.links.at, .input_map_count = (int)x.links.count};
    if (!s)
        s = weir_graph_import(graph, graph_def, &how, NULL);
    weir_vec_fini(&x.links);
    weir_map_fini(&x.fresh);
    weir_arena_fini(&x.arena);
    return s;
}

void TF_ExtendGraph(TF_DeprecatedSession *s, const void *proto, size_t proto_len, TF_Status *status)
{
    weir_capi_lock(s->graph);
    if (weir_capi_end(status, extend(s->graph->graph, (weir_str){proto, proto_len})))
        s->extended = true;
    weir_capi_unlock(s->graph);
}

/* ---- steps ----------------------------------------------------------------------------------- */

void TF_Run(TF_DeprecatedSession *s, const TF_Buffer *run_options, const char **input_names,
            TF_Tensor **inputs, int ninputs, const char **output_names, TF_Tensor **outputs,
            int noutputs, const char **target_oper_names, int ntargets, TF_Buffer *run_metadata,
            TF_Status *status)
{
    named n = make_room(ninputs, noutputs, ntargets);
    for (int i = 0; i < noutputs; i++)
        outputs[i] = NULL;
    if (weir_capi_end(status, resolve(s, input_names, ninputs, output_names, noutputs,
                                      target_oper_names, ntargets, &n)))
        TF_SessionRun(s->session, run_options, n.in, inputs, ninputs, n.out, outputs, noutputs,
                      n.targets, ntargets, run_metadata, status);
    end(&n);
}

void TF_PRunSetup(TF_DeprecatedSession *s, const char **input_names, int ninputs,
                  const char **output_names, int noutputs, const char **target_oper_names,
                  int ntargets, const char **handle, TF_Status *status)
{
    named n = make_room(ninputs, noutputs, ntargets);
    *handle = NULL;
    if (weir_capi_end(status, resolve(s, input_names, ninputs, output_names, noutputs,
                                      target_oper_names, ntargets, &n)))
        TF_SessionPRunSetup(s->session, n.in, ninputs, n.out, noutputs, n.targets, ntargets, handle,
                            status);
    end(&n);
}

void TF_PRun(TF_DeprecatedSession *s, const char *handle, const char **input_names,
             TF_Tensor **inputs, int ninputs, const char **output_names, TF_Tensor **outputs,
             int noutputs, const char **target_oper_names, int ntargets, TF_Status *status)
{
    named n = make_room(ninputs, noutputs, ntargets);
    for (int i = 0; i < noutputs; i++)
        outputs[i] = NULL;
    if (weir_capi_end(status, resolve(s, input_names, ninputs, output_names, noutputs,
                                      target_oper_names, ntargets, &n)))
        TF_SessionPRun(s->session, handle, n.in, inputs, ninputs, n.out, outputs, noutputs,
                       n.targets, ntargets, status);
    end(&n);
}
