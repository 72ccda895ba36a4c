/* graph/while.c - a while loop from a condition and a body that were built as graphs. */
#include "graph/while.h"

#include "graph/paste.h"

typedef struct making {
    weir_graph *g;
    const weir_while *what;
    weir_node **merges, **branches;
    weir_edge *at_cond, *at_body, *results;
} making;

static weir_status add(const making *m, const char *op, const weir_edge *in, int in_count,
                       const weir_named_attr *attrs, int attr_count, weir_node **out)
{
    WEIR_BUF(name);
    weir_buf_addf(&name, "%s/%s", m->what->name, op);
    weir_node_spec spec = {
        .name = weir_graph_unique_name(m->g, name.at),
        .op = op,
        .in = in,
        .in_count = in_count,
        .attrs = attrs,
        .attr_count = attr_count,
    };
    return weir_graph_add(m->g, &spec, out);
}

static weir_status enter(making *m)
{
    const weir_while *w = m->what;
    weir_named_attr attrs[] = {
        weir_a_str("frame_name", w->name),
        weir_a_int("parallel_iterations", w->parallel_iterations ? w->parallel_iterations : 10),
    };
    for (int i = 0; i < w->count; i++) {
        weir_node *n;
        WEIR_TRY(add(m, "Enter", &w->init[i], 1, attrs, 2, &n));
        m->at_cond[i] = (weir_edge){n, 0};
    }
    for (int i = 0; i < w->count; i++) {
        weir_edge twice[] = {m->at_cond[i], m->at_cond[i]};
        WEIR_TRY(add(m, "Merge", twice, 2, NULL, 0, &m->merges[i]));
        m->merges[i]->out_shapes[0] = WEIR_UNKNOWN_SHAPE; /* what comes round may differ */
        m->at_cond[i] = (weir_edge){m->merges[i], 0};
    }
    return WEIR_OK;
}

static weir_status paste(const making *m, const char *part, const weir_graph *from,
                         const weir_edge *in, const weir_edge *replacements, weir_node *pivot,
                         const weir_edge *results, int result_count, weir_edge *out)
{
    WEIR_BUF(prefix);
    weir_buf_addf(&prefix, "%s/%s", m->what->name, part);
    weir_paste how = {
        .to = m->g,
        .from = from,
        .prefix = prefix.at,
        .pivot = pivot,
        .inputs = in,
        .replacements = replacements,
        .input_count = m->what->count,
        .results = results,
        .result_count = result_count,
    };
    return weir_graph_paste(&how, out, NULL);
}

static weir_status add_cond(making *m)
{
    const weir_while *w = m->what;
    weir_edge again;
    WEIR_TRY(
        paste(m, "cond", w->cond, w->cond_in, m->at_cond, m->merges[0], &w->cond_out, 1, &again));
    if (weir_edge_dtype(again) != WEIR_BOOL)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "BuildWhileLoop: 'cond' argument must return a boolean output, got %s",
                          weir_dtype_name(weir_edge_dtype(again)));
    weir_node *cond;
    WEIR_TRY(add(m, "LoopCond", &again, 1, NULL, 0, &cond));
    for (int i = 0; i < w->count; i++) {
        weir_edge in[] = {{m->merges[i], 0}, {cond, 0}};
        WEIR_TRY(add(m, "Switch", in, 2, NULL, 0, &m->branches[i]));
        m->at_body[i] = (weir_edge){m->branches[i], 1};
    }
    return WEIR_OK;
}

static bool has_bare_nodes(const weir_while *w)
{
    int bare = 0;
    for (size_t i = 0; i < w->body->nodes.count; i++) {
        const weir_node *n = w->body->nodes.at[i];
        bare += !n->removed && n->site.in_count == 0 && n->controls.count == 0;
    }
    return bare > w->count; /* the body's inputs are such nodes, too */
}

static weir_status add_body(making *m, weir_edge *out)
{
    const weir_while *w = m->what;
    weir_node *pivot = NULL;
    if (has_bare_nodes(w)) /* they must be dead in the last turn, which the Switch itself is not */
        WEIR_TRY(add(m, "Identity", &m->at_body[0], 1, NULL, 0, &pivot));
    WEIR_TRY(paste(m, "body", w->body, w->body_in, m->at_body, pivot, w->body_out, w->count,
                   m->results));
    for (int i = 0; i < w->count; i++) {
        weir_node *next;
        if (weir_edge_dtype(m->results[i]) != weir_edge_dtype(w->init[i]))
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "loop variable %d of '%s' starts as %s, but the body makes it %s", i,
                              w->name, weir_dtype_name(weir_edge_dtype(w->init[i])),
                              weir_dtype_name(weir_edge_dtype(m->results[i])));
        WEIR_TRY(add(m, "NextIteration", &m->results[i], 1, NULL, 0, &next));
        weir_graph_set_input(m->merges[i], 1, (weir_edge){next, 0});
    }
    for (int i = 0; i < w->count; i++) {
        weir_node *exit;
        WEIR_TRY(add(m, "Exit", &(weir_edge){m->branches[i], 0}, 1, NULL, 0, &exit));
        out[i] = (weir_edge){exit, 0};
    }
    return WEIR_OK;
}

weir_status weir_graph_add_while(weir_graph *g, const weir_while *what, weir_edge *out)
{
    int n = what->count;
    making m = {
        .g = g,
        .what = what,
        .merges = WEIR_NEW_ARRAY(weir_node *, n),
        .branches = WEIR_NEW_ARRAY(weir_node *, n),
        .at_cond = WEIR_NEW_ARRAY(weir_edge, n),
        .at_body = WEIR_NEW_ARRAY(weir_edge, n),
        .results = WEIR_NEW_ARRAY(weir_edge, n),
    };
    weir_edge *exits = WEIR_NEW_ARRAY(weir_edge, n);
    weir_status s = enter(&m);
    if (!s)
        s = add_cond(&m);
    if (!s)
        s = add_body(&m, exits);
    if (!s)
        memcpy(out, exits, sizeof *out * (size_t)n);
    weir_free(exits);
    weir_free(m.merges);
    weir_free(m.branches);
    weir_free(m.at_cond);
    weir_free(m.at_body);
    weir_free(m.results);
    return s;
}
