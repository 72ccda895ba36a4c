/* graph/while.c - a while loop from a condition and a body built as graphs. */
#include "graph/while.h"

#include "graph/paste.h"

typedef struct making {
    weir_graph *g;
    const weir_while *what;
    weir_node **merges, **branches;
    weir_edge *at_cond, *at_body, *results;
} making;

static weir_status add(const making *making, const char *op, const weir_edge *in, int in_count,
                       const weir_named_attr *attrs, int attr_count, weir_node **out)
{
    WEIR_BUF(name);
    weir_buf_addf(&name, "%s/%s", making->what->name, op);
    weir_node_spec spec = {
        .name = weir_graph_unique_name(making->g, name.at),
        .op = op,
        .in = in,
        .in_count = in_count,
        .attrs = attrs,
        .attr_count = attr_count,
    };
    return weir_graph_add(making->g, &spec, out);
}

static weir_status enter(making *making)
{
    const weir_while *loop = making->what;
    weir_named_attr attrs[] = {
        weir_a_str("frame_name", loop->name),
        weir_a_int("parallel_iterations",
                   loop->parallel_iterations ? loop->parallel_iterations : 10),
    };
    for (int i = 0; i < loop->count; i++) {
        weir_node *node;
        WEIR_TRY(add(making, "Enter", &loop->init[i], 1, attrs, 2, &node));
        making->at_cond[i] = (weir_edge){node, 0};
    }
    for (int i = 0; i < loop->count; i++) {
        weir_edge twice[] = {making->at_cond[i], making->at_cond[i]};
        WEIR_TRY(add(making, "Merge", twice, 2, NULL, 0, &making->merges[i]));
        making->merges[i]->out_shapes[0] = WEIR_UNKNOWN_SHAPE; /* the back edge may differ */
        making->at_cond[i] = (weir_edge){making->merges[i], 0};
    }
    return WEIR_OK;
}

static weir_status paste(const making *making, const char *part, const weir_graph *from,
                         const weir_edge *in, const weir_edge *replacements, weir_node *pivot,
                         const weir_edge *results, int result_count, weir_edge *out)
{
    WEIR_BUF(prefix);
    weir_buf_addf(&prefix, "%s/%s", making->what->name, part);
    weir_paste how = {
        .to = making->g,
        .from = from,
        .prefix = prefix.at,
        .pivot = pivot,
        .inputs = in,
        .replacements = replacements,
        .input_count = making->what->count,
        .results = results,
        .result_count = result_count,
    };
    return weir_graph_paste(&how, out, NULL);
}

static weir_status add_cond(making *making)
{
    const weir_while *loop = making->what;
    weir_edge again;
    WEIR_TRY(paste(making, "cond", loop->cond, loop->cond_in, making->at_cond, making->merges[0],
                   &loop->cond_out, 1, &again));
    if (weir_edge_dtype(again) != WEIR_BOOL)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "BuildWhileLoop: 'cond' argument must return a boolean output, got %s",
                          weir_dtype_name(weir_edge_dtype(again)));
    weir_node *cond;
    WEIR_TRY(add(making, "LoopCond", &again, 1, NULL, 0, &cond));
    for (int i = 0; i < loop->count; i++) {
        weir_edge in[] = {{making->merges[i], 0}, {cond, 0}};
        WEIR_TRY(add(making, "Switch", in, 2, NULL, 0, &making->branches[i]));
        making->at_body[i] = (weir_edge){making->branches[i], 1};
    }
    return WEIR_OK;
}

static bool has_bare_nodes(const weir_while *loop)
{
    int bare = 0;
    for (size_t i = 0; i < loop->body->nodes.count; i++) {
        const weir_node *node = loop->body->nodes.at[i];
        bare += !node->removed && node->site.in_count == 0 && node->controls.count == 0;
    }
    return bare > loop->count; /* the body's inputs are such nodes, too */
}

static weir_status add_body(making *making, weir_edge *out)
{
    const weir_while *loop = making->what;
    weir_node *pivot = NULL;
    if (has_bare_nodes(
            loop)) /* they must be dead in the last iteration, which the Switch itself is not */
        WEIR_TRY(add(making, "Identity", &making->at_body[0], 1, NULL, 0, &pivot));
    WEIR_TRY(paste(making, "body", loop->body, loop->body_in, making->at_body, pivot,
                   loop->body_out, loop->count, making->results));
    for (int i = 0; i < loop->count; i++) {
        weir_node *next;
        if (weir_edge_dtype(making->results[i]) != weir_edge_dtype(loop->init[i]))
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "loop variable %d of '%s' starts as %s, but the body makes it %s", i,
                              loop->name, weir_dtype_name(weir_edge_dtype(loop->init[i])),
                              weir_dtype_name(weir_edge_dtype(making->results[i])));
        WEIR_TRY(add(making, "NextIteration", &making->results[i], 1, NULL, 0, &next));
        weir_graph_set_input(making->merges[i], 1, (weir_edge){next, 0});
    }
    weir_graph_relax_handles(making->merges, loop->count);
    for (int i = 0; i < loop->count; i++) {
        weir_node *exit;
        WEIR_TRY(add(making, "Exit", &(weir_edge){making->branches[i], 0}, 1, NULL, 0, &exit));
        out[i] = (weir_edge){exit, 0};
    }
    return WEIR_OK;
}

weir_status weir_graph_add_while(weir_graph *graph, const weir_while *what, weir_edge *out)
{
    int count = what->count;
    making making = {
        .g = graph,
        .what = what,
        .merges = WEIR_NEW_ARRAY(weir_node *, count),
        .branches = WEIR_NEW_ARRAY(weir_node *, count),
        .at_cond = WEIR_NEW_ARRAY(weir_edge, count),
        .at_body = WEIR_NEW_ARRAY(weir_edge, count),
        .results = WEIR_NEW_ARRAY(weir_edge, count),
    };
    WEIR_FREED weir_edge *exits = WEIR_NEW_ARRAY(weir_edge, count);
    weir_status status = enter(&making);
    if (!status)
        status = add_cond(&making);
    if (!status)
        status = add_body(&making, exits);
    if (!status)
        memcpy(out, exits, sizeof *out * (size_t)count);
    weir_free(making.merges);
    weir_free(making.branches);
    weir_free(making.at_cond);
    weir_free(making.at_body);
    weir_free(making.results);
    return status;
}
