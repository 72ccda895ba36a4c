/* graph/lower_all.c - lowers every call and functional control flow node of a graph. */
#include "base/deadline.h"
#include "graph/lower.h"
#include "graph/paste.h"

/* ---- the whole graph ------------------------------------------------------------------------- */

/* The call stack that a node was copied from, innermost first. */
typedef struct origin {
    const char *functions[8];
    int count, depth;
    const struct origin *outer;
} origin;

static void note_function(origin *origin, const char *name)
{
    if (origin->count < 8)
        origin->functions[origin->count++] = name;
}

/* The functions that |node| calls. */
static origin calls_of(const weir_node *node)
{
    origin origin = {0};
    if (node->function)
        note_function(&origin, node->function->def.name);
    for (int i = 0; i < node->site.def->attr_count; i++) {
        const weir_attr *attr = &node->site.attrs[i];
        for (int k = 0; attr->kind == WEIR_ATTR_FUNC && k < (attr->is_list ? attr->count : 1); k++)
            note_function(&origin, attr->is_list ? attr->funcs[k].name : attr->func->name);
    }
    return origin;
}

static bool is_within(const origin *calls, const origin *at)
{
    for (; at; at = at->outer)
        for (int i = 0; i < calls->count; i++)
            for (int k = 0; k < at->count; k++)
                if (strcmp(calls->functions[i], at->functions[k]) == 0)
                    return true;
    return false;
}

/* Calls are inlined by default, conditionals and loops only if requested by an attr. */
static bool is_asked_for(const weir_node *node)
{
    const weir_attr *attr = weir_node_attr(node, "_lower_using_switch_merge");
    bool call = node->function || weir_node_attr(node, "f");
    return call || (attr && attr->kind == WEIR_ATTR_BOOL && attr->b);
}

/* A call of a function that is marked noinline. */
static bool is_kept_apart(const weir_node *node)
{
    const weir_function *function = node->function;
    if (weir_node_flow(node) == WEIR_FLOW_CALL)
        function = weir_graph_find_function(node->graph,
                                            weir_str_of(weir_node_attr(node, "f")->func->name));
    const weir_attr *attr =
        function ? weir_named_attr_find(function->attrs, function->attr_count, "_noinline") : NULL;
    return attr && attr->kind == WEIR_ATTR_BOOL && attr->b;
}

void weir_lower_prune(weir_graph *graph, size_t first)
{
    WEIR_FREED bool *needed = WEIR_NEW_ARRAY(bool, graph->nodes.count);
    WEIR_VEC(weir_node *) work = {0};
    for (size_t i = 0; i < graph->nodes.count; i++) {
        weir_node *node = graph->nodes.at[i];
        if (!node->removed &&
            (i < first || weir_node_has_effect(node) || weir_node_flow(node) == WEIR_FLOW_ARG))
            weir_vec_push(&work, node);
    }
    while (work.count) {
        weir_node *node = work.at[--work.count];
        if (needed[node->id])
            continue;
        needed[node->id] = true;
        for (int i = 0; i < node->site.in_count; i++)
            weir_vec_push(&work, node->in[i].node);
        for (size_t i = 0; i < node->controls.count; i++)
            weir_vec_push(&work, node->controls.at[i]);
    }
    for (size_t i = graph->nodes.count; i-- > first;)
        if (!needed[i] && !graph->nodes.at[i]->removed)
            weir_graph_remove(graph->nodes.at[i]);
    weir_vec_fini(&work);
}

/* True when |node|, within |at|, is not inlined. */
static bool stays(const weir_node *node, const origin *calls, const origin *at, bool unasked,
                  size_t grown)
{
    return (at && at->depth >= WEIR_LOWER_DEPTH) || grown > WEIR_LOWER_CALLS ||
           is_within(calls, at) || (!unasked && is_kept_apart(node));
}

weir_status weir_lower_all(weir_graph *graph, weir_lower_ready ready, bool unasked)
{
    WEIR_VEC(const origin *) origins = {0};
    size_t first = graph->nodes.count;
    weir_status status = WEIR_OK;
    for (size_t i = 0; i < graph->nodes.count && !status; i++) {
        weir_node *node = graph->nodes.at[i];
        if (node->removed || !weir_lower_serves(node) || !(unasked || is_asked_for(node)))
            continue;
        const origin *at = i < origins.count ? origins.at[i] : NULL;
        origin *calls = WEIR_ARENA_NEW(&graph->arena, origin);
        *calls = calls_of(node);
        if (stays(node, calls, at, unasked, graph->nodes.count - first)) {
            status = weir_lower_to_call(node);
            continue;
        }
        status = weir_deadline_check();
        if (status)
            break;
        calls->outer = at;
        calls->depth = at ? at->depth + 1 : 1;
        while (origins.count < graph->nodes.count)
            weir_vec_push(&origins, NULL);
        status = weir_lower(node, ready);
        while (origins.count < graph->nodes.count)
            weir_vec_push(&origins, calls);
    }
    weir_vec_fini(&origins);
    return status;
}
