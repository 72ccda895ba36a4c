/* pass/prepack.c - a matrix that many products of few rows multiply by, as the weights over the
 * steps of a recurrent network, is packed once into the panels that products read (_Panels), and
 * each of them is given these as well.
 *
 * Few rows do not pay for packing it by themselves, and reading it unpacked costs up to half of
 * their time. Whether all together pay for it, the products know (weir_pass_options).
 *
 * A matrix that is a variable's memory may change while the step runs: what comes after such a
 * change goes on reading it unpacked.
 */
#include "pass/remap_impl.h"

typedef struct packing {
    const weir_pass_env *env;
    bool *changed; /* by node id: comes after a change of the matrix at hand */
    weir_node **work;
    size_t nodes;
} packing;

/* A product whose b may be packed: of known sizes. */
static bool takes_panels(const weir_pass_env *env, const weir_node *n)
{
    if (n->removed || weir_pass_kept(env, n) ||
        !(weir_node_is(n, "MatMul") || (weir_node_is(n, "_MatMulBias") && n->site.in_count == 3)))
        return false;
    const weir_shape *a = weir_edge_shape(n->in[0]), *b = weir_edge_shape(n->in[1]);
    return a->rank == 2 && a->dims[0] > 0 && a->dims[1] > 0 && b->rank == 2 && b->dims[0] > 0 &&
           b->dims[1] > 0;
}

static int64_t rows_of(const weir_node *n)
{
    return weir_edge_shape(n->in[0])->dims[weir_pass_flag(n, "transpose_a")];
}

static bool pays(const packing *l, const weir_node *first, int64_t rows, int64_t products)
{
    const weir_shape *b = weir_edge_shape(first->in[1]);
    bool transposed = weir_pass_flag(first, "transpose_b");
    return l->env->options.prepack_pays(first->site.out_types[0], rows, b->dims[!transposed],
                                        b->dims[transposed], products);
}

/* Puts the users of |n| that are not marked on the list, and marks them. */
static void mark_users(packing *l, const weir_node *n, bool changing_only, size_t *count)
{
    for (size_t i = 0; i < n->uses.count; i++) {
        weir_node *user = n->uses.at[i].node;
        bool reads = weir_node_flow(user) == WEIR_FLOW_IDENTITY || weir_pass_pure(user);
        if (l->changed[user->id] || (changing_only && reads))
            continue;
        l->changed[user->id] = true;
        l->work[(*count)++] = user;
    }
}

/* Marks what comes after a change of the variable that |b| is read from. */
static void mark_changed(packing *l, const weir_node *b)
{
    while (b->site.in_count == 1 && weir_node_flow(b) == WEIR_FLOW_IDENTITY)
        b = b->in[0].node;
    memset(l->changed, 0, l->nodes * sizeof *l->changed);
    size_t count = 0;
    mark_users(l, b, true, &count);
    while (count) {
        const weir_node *n = l->work[--count];
        mark_users(l, n, false, &count);
    }
}

/* Whether |n| can take the panels of |first|'s b. */
static bool shares(const packing *l, const weir_node *first, const weir_node *n)
{
    return takes_panels(l->env, n) && !l->changed[n->id] && n->in[1].node == first->in[1].node &&
           n->in[1].index == first->in[1].index &&
           weir_pass_flag(n, "transpose_b") == weir_pass_flag(first, "transpose_b") &&
           strcmp(n->site.device, first->site.device) == 0;
}

static weir_status give_panels(weir_node *n, weir_node *panels)
{
    bool bias = weir_node_is(n, "_MatMulBias");
    static const char *const names[] = {"transpose_a", "transpose_b", "unary", "broadcast"};
    int attr_count = bias ? 4 : 2, in_count = n->site.in_count;
    weir_named_attr attrs[4];
    for (int i = 0; i < attr_count; i++)
        attrs[i] = weir_a_attr(names[i], weir_node_attr(n, names[i]));
    weir_edge in[4];
    memcpy(in, n->in, (size_t)in_count * sizeof *in);
    in[in_count++] = (weir_edge){panels, 0};
    weir_node *made;
    WEIR_TRY(weir_pass_add(n, "", "/panels",
                           &(weir_node_spec){.op = bias ? "_MatMulBias" : "_MatMulPanels",
                                             .in = in,
                                             .in_count = in_count,
                                             .attrs = attrs,
                                             .attr_count = attr_count},
                           &made));
    weir_graph_replace((weir_edge){n, 0}, (weir_edge){made, 0});
    weir_remap_take_place(n, made);
    weir_pass_remove(n);
    return WEIR_OK;
}

/* Packs |first|'s b if it pays for all that share it. */
static weir_status pack(packing *l, weir_node *first)
{
    const weir_node *b = first->in[1].node;
    if (!pays(l, first, rows_of(first), (int64_t)b->uses.count))
        return WEIR_OK; /* nor does it for those among them that share it */
    weir_node **sharing = WEIR_NEW_ARRAY(weir_node *, b->uses.count + 1), *panels;
    int64_t count = 0, rows = 0;
    mark_changed(l, b);
    for (size_t i = 0; i < b->uses.count; i++) {
        weir_node *n = b->uses.at[i].node;
        if (b->uses.at[i].input != 1 || !shares(l, first, n))
            continue;
        rows = rows_of(n) > rows ? rows_of(n) : rows;
        sharing[count++] = n;
    }
    weir_status s = WEIR_OK;
    if (count && pays(l, first, rows, count)) {
        weir_named_attr transpose = weir_a_attr("transpose", weir_node_attr(first, "transpose_b"));
        s = weir_pass_add(first, "", "/packed",
                          &(weir_node_spec){.op = "_Panels",
                                            .in = &first->in[1],
                                            .in_count = 1,
                                            .attrs = &transpose,
                                            .attr_count = 1},
                          &panels);
        for (int64_t i = 0; i < count && !s; i++)
            s = give_panels(sharing[i], panels);
    }
    weir_free(sharing);
    return s;
}

weir_status weir_pass_prepack(weir_graph *g, const weir_pass_env *env)
{
    size_t count = env->options.prepack_pays ? g->nodes.count : 0; /* those added need no look */
    packing l = {.env = env,
                 .nodes = 3 * count}; /* a product is replaced once, a matrix packed once */
    l.changed = WEIR_NEW_ARRAY(bool, l.nodes);
    l.work = WEIR_NEW_ARRAY(weir_node *, l.nodes);
    weir_status s = WEIR_OK;
    for (size_t i = 0; i < count && !s; i++)
        if (takes_panels(env, g->nodes.at[i]))
            s = pack(&l, g->nodes.at[i]);
    weir_free(l.changed);
    weir_free(l.work);
    return s;
}
