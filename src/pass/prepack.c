/* pass/prepack.c - prepacks a matrix shared by many products of few rows, such as the weights over
 * the steps of a recurrent network: it is packed into panels once (_Panels), and the panels are an
 * additional input of the products.
 *
 * For a single product of few rows packing does not pay off, and reading unpacked costs up to half
 * of its time. weir_pass_options.prepack_pays decides for all of them together.
 *
 * A matrix that aliases a variable may be overwritten during the step: products after such a write
 * keep reading it unpacked.
 */
#include "pass/remap_impl.h"

typedef struct packing {
    const weir_pass_env *env;
    bool *changed; /* by node id: after a write to the current matrix */
    weir_node **work;
    size_t nodes;
} packing;

/* A product of known sizes whose b may be prepacked. */
static bool takes_panels(const weir_pass_env *env, const weir_node *node)
{
    if (node->removed || weir_pass_kept(env, node) ||
        !(weir_node_is(node, "MatMul") ||
          (weir_node_is(node, "_MatMulBias") && node->site.in_count == 3)))
        return false;
    const weir_shape *a = weir_edge_shape(node->in[0]), *b = weir_edge_shape(node->in[1]);
    return a->rank == 2 && a->dims[0] > 0 && a->dims[1] > 0 && b->rank == 2 && b->dims[0] > 0 &&
           b->dims[1] > 0;
}

static int64_t rows_of(const weir_node *node)
{
    return weir_edge_shape(node->in[0])->dims[weir_pass_flag(node, "transpose_a")];
}

static bool pays(const packing *packing, const weir_node *first, int64_t rows, int64_t products)
{
    const weir_shape *b = weir_edge_shape(first->in[1]);
    bool transposed = weir_pass_flag(first, "transpose_b");
    return packing->env->options.prepack_pays(first->site.out_types[0], rows, b->dims[!transposed],
                                              b->dims[transposed], products);
}

/* Appends unmarked users of |node| to the list, and marks them. */
static void mark_users(packing *packing, const weir_node *node, bool changing_only, size_t *count)
{
    for (size_t i = 0; i < node->uses.count; i++) {
        weir_node *user = node->uses.at[i].node;
        bool reads = weir_node_flow(user) == WEIR_FLOW_IDENTITY || weir_pass_pure(user);
        if (packing->changed[user->id] || (changing_only && reads))
            continue;
        packing->changed[user->id] = true;
        packing->work[(*count)++] = user;
    }
}

/* Marks the descendants of writes to the variable that |b| is read from. */
static void mark_changed(packing *packing, const weir_node *b)
{
    while (b->site.in_count == 1 && weir_node_flow(b) == WEIR_FLOW_IDENTITY)
        b = b->in[0].node;
    memset(packing->changed, 0, packing->nodes * sizeof *packing->changed);
    size_t count = 0;
    mark_users(packing, b, true, &count);
    while (count) {
        const weir_node *node = packing->work[--count];
        mark_users(packing, node, false, &count);
    }
}

/* Whether |node| can use the panels of |first|'s b. */
static bool shares(const packing *packing, const weir_node *first, const weir_node *node)
{
    return takes_panels(packing->env, node) && !packing->changed[node->id] &&
           node->in[1].node == first->in[1].node && node->in[1].index == first->in[1].index &&
           weir_pass_flag(node, "transpose_b") == weir_pass_flag(first, "transpose_b") &&
           strcmp(node->site.device, first->site.device) == 0;
}

static weir_status give_panels(weir_node *node, weir_node *panels)
{
    bool bias = weir_node_is(node, "_MatMulBias");
    static const char *const names[] = {"transpose_a", "transpose_b", "unary", "broadcast"};
    int attr_count = bias ? 4 : 2, in_count = node->site.in_count;
    weir_named_attr attrs[4];
    for (int i = 0; i < attr_count; i++)
        attrs[i] = weir_a_attr(names[i], weir_node_attr(node, names[i]));
    weir_edge in[4];
    memcpy(in, node->in, (size_t)in_count * sizeof *in);
    in[in_count++] = (weir_edge){panels, 0};
    weir_node *made;
    WEIR_TRY(weir_pass_add(node, "", "/panels",
                           &(weir_node_spec){.op = bias ? "_MatMulBias" : "_MatMulPanels",
                                             .in = in,
                                             .in_count = in_count,
                                             .attrs = attrs,
                                             .attr_count = attr_count},
                           &made));
    weir_graph_replace((weir_edge){node, 0}, (weir_edge){made, 0});
    weir_remap_take_place(node, made);
    weir_pass_remove(node);
    return WEIR_OK;
}

/* Packs |first|'s b if that pays off for all products that share it. */
static weir_status pack(packing *packing, weir_node *first)
{
    const weir_node *b = first->in[1].node;
    if (!pays(packing, first, rows_of(first), (int64_t)b->uses.count))
        return WEIR_OK; /* nor for a subset of them */
    weir_node **sharing = WEIR_NEW_ARRAY(weir_node *, b->uses.count + 1), *panels;
    int64_t count = 0, rows = 0;
    mark_changed(packing, b);
    for (size_t i = 0; i < b->uses.count; i++) {
        weir_node *node = b->uses.at[i].node;
        if (b->uses.at[i].input != 1 || !shares(packing, first, node))
            continue;
        rows = rows_of(node) > rows ? rows_of(node) : rows;
        sharing[count++] = node;
    }
    weir_status status = WEIR_OK;
    if (count && pays(packing, first, rows, count)) {
        weir_named_attr transpose = weir_a_attr("transpose", weir_node_attr(first, "transpose_b"));
        status = weir_pass_add(first, "", "/packed",
                               &(weir_node_spec){.op = "_Panels",
                                                 .in = &first->in[1],
                                                 .in_count = 1,
                                                 .attrs = &transpose,
                                                 .attr_count = 1},
                               &panels);
        for (int64_t i = 0; i < count && !status; i++)
            status = give_panels(sharing[i], panels);
    }
    weir_free(sharing);
    return status;
}

weir_status weir_pass_prepack(weir_graph *graph, const weir_pass_env *env)
{
    size_t count = env->options.prepack_pays ? graph->nodes.count : 0; /* excludes added nodes */
    packing packing = {.env = env,
                       .nodes = 3 * count}; /* a product is replaced once, a matrix packed once */
    packing.changed = WEIR_NEW_ARRAY(bool, packing.nodes);
    packing.work = WEIR_NEW_ARRAY(weir_node *, packing.nodes);
    weir_status status = WEIR_OK;
    for (size_t i = 0; i < count && !status; i++)
        if (takes_panels(env, graph->nodes.at[i]))
            status = pack(&packing, graph->nodes.at[i]);
    weir_free(packing.changed);
    weir_free(packing.work);
    return status;
}
