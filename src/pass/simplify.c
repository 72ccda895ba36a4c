/* pass/simplify.c - removes nodes that give back an input, and shortens trivial arithmetic.
 *
 * A rule looks at one node and names the edge that can stand in for its output; rules that need a
 * different op in its place rewrite the node's users themselves. One row per rule.
 */
#include <stdio.h>

#include "pass/pass_impl.h"

/* ---- what rules ask ---------------------------------------------------------------------------
 */

static bool known_equal(const weir_shape *a, const weir_shape *b)
{
    return weir_shape_known(a) && weir_shape_eq(a, b);
}

/* Every element of a constant equals |value|. */
static bool is_filled(const weir_tensor *t, double value)
{
    int64_t n = t ? weir_tensor_count(t) : 0;
    for (int64_t i = 0; i < n; i++) {
        double v;
        switch (t->dtype) {
        case WEIR_FLOAT:
            v = ((const float *)t->data)[i];
            break;
        case WEIR_DOUBLE:
            v = ((const double *)t->data)[i];
            break;
        case WEIR_HALF:
            v = weir_f16_f32(((const uint16_t *)t->data)[i]);
            break;
        case WEIR_BFLOAT16:
            v = weir_bf16_f32(((const uint16_t *)t->data)[i]);
            break;
        case WEIR_INT32:
            v = ((const int32_t *)t->data)[i];
            break;
        case WEIR_INT64:
            v = (double)((const int64_t *)t->data)[i];
            break;
        default:
            return false;
        }
        if (v != value)
            return false;
    }
    return n > 0;
}

/* Input |other| of a broadcasting op is the constant |value| everywhere and stretches nothing. */
static bool is_neutral(const weir_node *n, int other, double value)
{
    const weir_tensor *t = weir_pass_value(n->in[other]);
    if (!is_filled(t, value))
        return false;
    const weir_shape *x = weir_edge_shape(n->in[1 - other]);
    return t->shape.rank == 0 || known_equal(x, &n->out_shapes[0]) ||
           known_equal(x, weir_edge_shape(n->in[other]));
}

/* Reads a small constant of ints. */
static int ints_of(weir_edge e, int64_t *out, int room)
{
    const weir_tensor *t = weir_pass_value(e);
    int64_t count = 0;
    if (!t || weir_tensor_count(t) > room)
        return -1;
    weir_status s = weir_tensor_get_ints(t, out, room, &count);
    bool ok = !s;
    weir_status_free(s);
    return ok ? (int)count : -1;
}

static weir_edge none(void)
{
    return (weir_edge){0};
}

/* ---- rules that give back an input ------------------------------------------------------------
 */

static weir_edge first_input(const weir_node *n)
{
    return n->in[0];
}

static weir_edge only_input(const weir_node *n)
{
    return n->site.in_count == 1 ? n->in[0] : none();
}

static weir_edge one_part(const weir_node *n) /* ConcatV2 of one */
{
    return n->site.in_count == 2 ? n->in[0] : none();
}

static weir_edge same_type(const weir_node *n)
{
    return weir_edge_type(n->in[0]) == n->site.out_types[0] ? n->in[0] : none();
}

static weir_edge same_shape(const weir_node *n)
{
    return known_equal(weir_edge_shape(n->in[0]), &n->out_shapes[0]) ? n->in[0] : none();
}

static weir_edge identity_perm(const weir_node *n)
{
    int64_t perm[WEIR_MAX_RANK];
    int count = ints_of(n->in[1], perm, WEIR_MAX_RANK);
    for (int i = 0; i < count; i++)
        if (perm[i] != i)
            return none();
    return count >= 0 ? n->in[0] : none();
}

static weir_edge all_zeros(const weir_node *n) /* Pad by nothing */
{
    const weir_tensor *t = weir_pass_value(n->in[1]);
    return t && (weir_tensor_count(t) == 0 || is_filled(t, 0)) ? n->in[0] : none();
}

static weir_edge all_ones(const weir_node *n) /* Tile once */
{
    const weir_tensor *t = weir_pass_value(n->in[1]);
    return t && (weir_tensor_count(t) == 0 || is_filled(t, 1)) ? n->in[0] : none();
}

static weir_edge no_axes(const weir_node *n) /* a reduction over nothing */
{
    const weir_tensor *t = weir_pass_value(n->in[1]);
    return t && weir_tensor_count(t) == 0 ? n->in[0] : none();
}

static weir_edge add_zero(const weir_node *n)
{
    return is_neutral(n, 1, 0) ? n->in[0] : is_neutral(n, 0, 0) ? n->in[1] : none();
}

static weir_edge subtract_zero(const weir_node *n)
{
    return is_neutral(n, 1, 0) ? n->in[0] : none();
}

static weir_edge times_one(const weir_node *n)
{
    return is_neutral(n, 1, 1) ? n->in[0] : is_neutral(n, 0, 1) ? n->in[1] : none();
}

static weir_edge by_one(const weir_node *n) /* division, power */
{
    return is_neutral(n, 1, 1) ? n->in[0] : none();
}

static weir_edge twice(const weir_node *n) /* an op that undoes itself */
{
    const weir_node *inner = n->in[0].node;
    return weir_node_is(inner, n->site.def->name) ? inner->in[0] : none();
}

typedef struct rule {
    const char *op;
    weir_edge (*stand_in)(const weir_node *n);
} rule;

static const rule rules[] = {
    {"Identity", first_input},
    {"StopGradient", first_input},
    {"PreventGradient", first_input},
    {"Snapshot", first_input},
    {"AddN", only_input},
    {"ConcatV2", one_part},
    {"Cast", same_type},
    {"Bitcast", same_type},
    {"Reshape", same_shape},
    {"BroadcastTo", same_shape},
    {"Squeeze", same_shape},
    {"Transpose", identity_perm},
    {"Pad", all_zeros},
    {"Tile", all_ones},
    {"Sum", no_axes},
    {"Prod", no_axes},
    {"Max", no_axes},
    {"Min", no_axes},
    {"Mean", no_axes},
    {"Add", add_zero},
    {"AddV2", add_zero},
    {"Sub", subtract_zero},
    {"Mul", times_one},
    {"RealDiv", by_one},
    {"Div", by_one},
    {"Pow", by_one},
    {"Neg", twice},
    {"LogicalNot", twice},
    {"Conj", twice},
};

static weir_edge stand_in(const weir_node *n)
{
    if (n->site.out_count != 1 || n->site.in_count == 0 ||
        weir_dtype_is_ref(weir_edge_type(n->in[0])))
        return none();
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        if (weir_node_is(n, rules[i].op))
            return rules[i].stand_in(n);
    return none();
}

/* ---- rules that change the op -----------------------------------------------------------------
 */

/* |n| becomes |op| of |in|: a new node takes its users and what it waited for. */
static weir_status become(weir_node *n, const char *op, const weir_edge *in, int in_count)
{
    weir_node *made;
    char suffix[32];
    snprintf(suffix, sizeof suffix, "/%s", op);
    weir_node_spec spec = {
        .op = op,
        .in = in,
        .in_count = in_count,
        .controls = n->controls.at,
        .control_count = (int)n->controls.count,
    };
    WEIR_TRY(weir_pass_add(n, "", suffix, &spec, &made));
    for (int i = 0; i < n->site.in_count; i++) /* a dropped constant's controls stay */
        if (weir_pass_is_const(n->in[i].node))
            for (size_t k = 0; k < n->in[i].node->controls.count; k++)
                weir_graph_add_control(n->in[i].node->controls.at[k], made);
    weir_pass_move_waiting(n, made);
    weir_graph_replace((weir_edge){n, 0}, (weir_edge){made, 0});
    weir_graph_remove(n);
    return WEIR_OK;
}

/* a + -b is a - b, a - -b is a + b: the same bits. */
static bool negated(weir_edge e, weir_edge *out)
{
    if (!weir_node_is(e.node, "Neg") || e.node->controls.count)
        return false;
    *out = e.node->in[0];
    return true;
}

static weir_status rewrite_sum(weir_node *n)
{
    weir_edge b;
    if (negated(n->in[1], &b))
        return become(n, "Sub", (weir_edge[]){n->in[0], b}, 2);
    if (negated(n->in[0], &b))
        return become(n, "Sub", (weir_edge[]){n->in[1], b}, 2);
    return WEIR_OK;
}

static weir_status rewrite_difference(weir_node *n)
{
    weir_edge b;
    return negated(n->in[1], &b) ? become(n, "AddV2", (weir_edge[]){n->in[0], b}, 2) : WEIR_OK;
}

static weir_status rewrite_power(weir_node *n)
{
    static const struct {
        double exponent;
        const char *op;
    } forms[] = {{2, "Square"}, {0.5, "Sqrt"}, {-1, "Reciprocal"}, {-0.5, "Rsqrt"}};
    if (!weir_dtype_is_float((weir_dtype)n->site.out_types[0]))
        return WEIR_OK;
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (is_neutral(n, 1, forms[i].exponent))
            return become(n, forms[i].op, n->in, 1);
    return WEIR_OK;
}

/* IdentityN is what a call leaves behind; nobody waits for a set of values as such. */
static bool pass_through(weir_node *n)
{
    if (weir_node_flow(n) != WEIR_FLOW_IDENTITY_N || n->controls.count)
        return false;
    for (size_t i = 0; i < n->uses.count; i++)
        if (n->uses.at[i].input < 0)
            return false;
    for (int i = 0; i < n->site.in_count; i++)
        if (n->site.out_types[i] != weir_edge_type(n->in[i]))
            return false;
    for (int i = 0; i < n->site.in_count; i++)
        weir_graph_replace((weir_edge){n, i}, n->in[i]);
    weir_graph_remove(n);
    return true;
}

/* An Identity that waits for something and then looks at what a variable's Identity gave. In
 * TensorFlow both share the variable's memory, so it sees what was written meanwhile, be it by
 * another step (exec/late_reads.c knows of this step's): it reads the variable itself, and stays.
 */
static bool read_again(weir_node *n)
{
    if (weir_node_flow(n) != WEIR_FLOW_IDENTITY || !n->controls.count)
        return false;
    const weir_node *first = n->in[0].node;
    if (weir_node_flow(first) != WEIR_FLOW_IDENTITY ||
        !weir_dtype_is_ref(weir_edge_type(first->in[0])) ||
        strcmp(first->site.device, n->site.device) != 0)
        return false;
    weir_graph_set_input(n, 0, first->in[0]);
    return true;
}

static weir_status rewrite(weir_node *n)
{
    if (weir_node_is(n, "AddV2"))
        return rewrite_sum(n);
    if (weir_node_is(n, "Sub"))
        return rewrite_difference(n);
    if (weir_node_is(n, "Pow"))
        return rewrite_power(n);
    return WEIR_OK;
}

/* ---- the pass ---------------------------------------------------------------------------------
 */

weir_status weir_pass_simplify(weir_graph *g, const weir_pass_env *env)
{
    size_t count;
    weir_node **order = weir_graph_order(g, &count);
    weir_status s = WEIR_OK;
    for (size_t i = 0; i < count && !s; i++) {
        weir_node *n = order[i];
        if (n->removed || weir_pass_kept(env, n))
            continue;
        if (pass_through(n) || read_again(n))
            continue;
        weir_edge e = stand_in(n);
        if (e.node && weir_pass_bypass(env, n, e))
            continue;
        if (!e.node && weir_pass_pure(n))
            s = rewrite(n);
    }
    weir_free(order);
    return s;
}
