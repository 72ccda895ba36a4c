/* pass/simplify.c - removes nodes that return an input, and simplifies trivial arithmetic.
 *
 * A rule examines one node and returns the edge that can replace its output; rules that need
 * another op rewrite the node's users themselves. One row per rule.
 */
#include <stdio.h>

#include "pass/pass_impl.h"

/* ---- predicates ------------------------------------------------------------------------------ */

static bool known_equal(const weir_shape *a, const weir_shape *b)
{
    return weir_shape_known(a) && weir_shape_eq(a, b);
}

/* Every element of a constant equals |value|. */
static bool is_filled(const weir_tensor *tensor, double value)
{
    int64_t count = tensor ? weir_tensor_count(tensor) : 0;
    for (int64_t i = 0; i < count; i++) {
        double number;
        switch (tensor->dtype) {
        case WEIR_FLOAT:
            number = ((const float *)tensor->data)[i];
            break;
        case WEIR_DOUBLE:
            number = ((const double *)tensor->data)[i];
            break;
        case WEIR_HALF:
            number = weir_f16_f32(((const uint16_t *)tensor->data)[i]);
            break;
        case WEIR_BFLOAT16:
            number = weir_bf16_f32(((const uint16_t *)tensor->data)[i]);
            break;
        case WEIR_INT32:
            number = ((const int32_t *)tensor->data)[i];
            break;
        case WEIR_INT64:
            number = (double)((const int64_t *)tensor->data)[i];
            break;
        default:
            return false;
        }
        if (number != value)
            return false;
    }
    return count > 0;
}

/* Input |other| of a broadcasting op is the constant |value| everywhere and broadcasts nothing. */
static bool is_neutral(const weir_node *node, int other, double value)
{
    const weir_tensor *tensor = weir_pass_value(node->in[other]);
    if (!is_filled(tensor, value))
        return false;
    const weir_shape *x = weir_edge_shape(node->in[1 - other]);
    return tensor->shape.rank == 0 || known_equal(x, &node->out_shapes[0]) ||
           known_equal(x, weir_edge_shape(node->in[other]));
}

/* Reads a small constant of ints. */
static int ints_of(weir_edge edge, int64_t *out, int room)
{
    const weir_tensor *tensor = weir_pass_value(edge);
    int64_t count = 0;
    if (!tensor || weir_tensor_count(tensor) > room)
        return -1;
    weir_status status = weir_tensor_get_ints(tensor, out, room, &count);
    bool ok = !status;
    weir_status_free(status);
    return ok ? (int)count : -1;
}

static weir_edge none(void)
{
    return (weir_edge){0};
}

/* ---- rules that return an input -------------------------------------------------------------- */

static weir_edge first_input(const weir_node *node)
{
    return node->in[0];
}

static weir_edge only_input(const weir_node *node)
{
    return node->site.in_count == 1 ? node->in[0] : none();
}

static weir_edge one_part(const weir_node *node) /* ConcatV2 of one */
{
    return node->site.in_count == 2 ? node->in[0] : none();
}

static weir_edge same_type(const weir_node *node)
{
    return weir_edge_type(node->in[0]) == node->site.out_types[0] ? node->in[0] : none();
}

static weir_edge same_shape(const weir_node *node)
{
    return known_equal(weir_edge_shape(node->in[0]), &node->out_shapes[0]) ? node->in[0] : none();
}

static weir_edge identity_perm(const weir_node *node)
{
    int64_t perm[WEIR_MAX_RANK];
    int count = ints_of(node->in[1], perm, WEIR_MAX_RANK);
    for (int i = 0; i < count; i++)
        if (perm[i] != i)
            return none();
    return count >= 0 ? node->in[0] : none();
}

static weir_edge all_zeros(const weir_node *node) /* Pad by nothing */
{
    const weir_tensor *tensor = weir_pass_value(node->in[1]);
    return tensor && (weir_tensor_count(tensor) == 0 || is_filled(tensor, 0)) ? node->in[0]
                                                                              : none();
}

static weir_edge all_ones(const weir_node *node) /* Tile once */
{
    const weir_tensor *tensor = weir_pass_value(node->in[1]);
    return tensor && (weir_tensor_count(tensor) == 0 || is_filled(tensor, 1)) ? node->in[0]
                                                                              : none();
}

static weir_edge no_axes(const weir_node *node) /* a reduction over nothing */
{
    const weir_tensor *tensor = weir_pass_value(node->in[1]);
    return tensor && weir_tensor_count(tensor) == 0 ? node->in[0] : none();
}

static weir_edge add_zero(const weir_node *node)
{
    return is_neutral(node, 1, 0) ? node->in[0] : is_neutral(node, 0, 0) ? node->in[1] : none();
}

static weir_edge subtract_zero(const weir_node *node)
{
    return is_neutral(node, 1, 0) ? node->in[0] : none();
}

static weir_edge times_one(const weir_node *node)
{
    return is_neutral(node, 1, 1) ? node->in[0] : is_neutral(node, 0, 1) ? node->in[1] : none();
}

static weir_edge by_one(const weir_node *node) /* division, power */
{
    return is_neutral(node, 1, 1) ? node->in[0] : none();
}

static weir_edge twice(const weir_node *node) /* an involution */
{
    const weir_node *inner = node->in[0].node;
    return weir_node_is(inner, node->site.def->name) ? inner->in[0] : none();
}

typedef struct rule {
    const char *op;
    weir_edge (*stand_in)(const weir_node *node);
    bool copies; /* its output never aliases its input: variables may be written after it */
} rule;

static const rule rules[] = {
    {"Identity", first_input},
    {"StopGradient", first_input},
    {"PreventGradient", first_input},
    {"Snapshot", first_input, true},
    {"AddN", only_input},
    {"ConcatV2", one_part, true},
    {"Cast", same_type},
    {"Bitcast", same_type},
    {"Reshape", same_shape},
    {"BroadcastTo", same_shape},
    {"Squeeze", same_shape},
    {"Transpose", identity_perm},
    {"Pad", all_zeros, true},
    {"Tile", all_ones},
    {"Sum", no_axes, true},
    {"Prod", no_axes, true},
    {"Max", no_axes, true},
    {"Min", no_axes, true},
    {"Mean", no_axes, true},
    {"Add", add_zero, true},
    {"AddV2", add_zero, true},
    {"Sub", subtract_zero, true},
    {"Mul", times_one, true},
    {"RealDiv", by_one, true},
    {"Div", by_one, true},
    {"Pow", by_one, true},
    {"Neg", twice, true},
    {"LogicalNot", twice, true},
    {"Conj", twice, true},
};

static weir_edge stand_in(const weir_node *node)
{
    if (node->site.out_count != 1 || node->site.in_count == 0 ||
        weir_dtype_is_ref(weir_edge_type(node->in[0])))
        return none();
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        if (!weir_node_is(node, rules[i].op))
            continue;
        weir_edge edge = rules[i].stand_in(node);
        bool lost = edge.node && rules[i].copies && weir_pass_shares_variable(edge);
        return lost ? none() : edge;
    }
    return none();
}

/* ---- rules that change the op -----------------------------------------------------------------
 */

/* Replaces |node| by |op| of |in|: the new node takes its users and its control inputs. */
static weir_status become(weir_node *node, const char *op, const weir_edge *in, int in_count)
{
    weir_node *made;
    char suffix[32];
    snprintf(suffix, sizeof suffix, "/%s", op);
    weir_node_spec spec = {
        .op = op,
        .in = in,
        .in_count = in_count,
        .controls = node->controls.at,
        .control_count = (int)node->controls.count,
    };
    WEIR_TRY(weir_pass_add(node, "", suffix, &spec, &made));
    for (int i = 0; i < node->site.in_count; i++) /* keep the controls of constants */
        if (weir_pass_is_const(node->in[i].node))
            for (size_t k = 0; k < node->in[i].node->controls.count; k++)
                weir_graph_add_control(node->in[i].node->controls.at[k], made);
    weir_pass_move_waiting(node, made);
    weir_graph_replace((weir_edge){node, 0}, (weir_edge){made, 0});
    weir_graph_remove(node);
    return WEIR_OK;
}

/* a + -b is a - b, a - -b is a + b: bit-identical. Not if b may be a variable: what was read before
 * a write would be read after it. */
static bool negated(weir_edge edge, weir_edge *out)
{
    if (!weir_node_is(edge.node, "Neg") || edge.node->controls.count ||
        weir_pass_shares_variable(edge.node->in[0]))
        return false;
    *out = edge.node->in[0];
    return true;
}

static weir_status rewrite_sum(weir_node *node)
{
    weir_edge b;
    if (negated(node->in[1], &b))
        return become(node, "Sub", (weir_edge[]){node->in[0], b}, 2);
    if (negated(node->in[0], &b))
        return become(node, "Sub", (weir_edge[]){node->in[1], b}, 2);
    return WEIR_OK;
}

static weir_status rewrite_difference(weir_node *node)
{
    weir_edge b;
    return negated(node->in[1], &b) ? become(node, "AddV2", (weir_edge[]){node->in[0], b}, 2)
                                    : WEIR_OK;
}

static weir_status rewrite_power(weir_node *node)
{
    static const struct {
        double exponent;
        const char *op;
    } forms[] = {{2, "Square"}, {0.5, "Sqrt"}, {-1, "Reciprocal"}, {-0.5, "Rsqrt"}};
    if (!weir_dtype_is_float((weir_dtype)node->site.out_types[0]))
        return WEIR_OK;
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (is_neutral(node, 1, forms[i].exponent))
            return become(node, forms[i].op, node->in, 1);
    return WEIR_OK;
}

/* An Identity with control inputs that reads a variable's Identity. In TensorFlow both alias the
 * variable, so it sees intermediate writes, including those of other steps
 * (exec/read_after_write.c handles writes of this step): it is changed to read the variable
 * itself, and kept.
 */
static bool read_again(weir_node *node)
{
    if (weir_node_flow(node) != WEIR_FLOW_IDENTITY || !node->controls.count)
        return false;
    const weir_node *first = node->in[0].node;
    if (weir_node_flow(first) != WEIR_FLOW_IDENTITY ||
        !weir_dtype_is_ref(weir_edge_type(first->in[0])) ||
        strcmp(first->site.device, node->site.device) != 0)
        return false;
    weir_graph_set_input(node, 0, first->in[0]);
    return true;
}

static weir_status rewrite(weir_node *node)
{
    if (weir_node_is(node, "AddV2"))
        return rewrite_sum(node);
    if (weir_node_is(node, "Sub"))
        return rewrite_difference(node);
    if (weir_node_is(node, "Pow"))
        return rewrite_power(node);
    return WEIR_OK;
}

/* ---- the pass ---------------------------------------------------------------------------------
 */

weir_status weir_pass_simplify(weir_graph *graph, const weir_pass_env *env)
{
    size_t count;
    weir_node **order = weir_graph_order(graph, &count);
    weir_status status = WEIR_OK;
    for (size_t i = 0; i < count && !status; i++) {
        weir_node *node = order[i];
        if (node->removed || weir_pass_kept(env, node))
            continue;
        if (read_again(node))
            continue;
        weir_edge edge = stand_in(node);
        if (edge.node && weir_pass_bypass(env, node, edge))
            continue;
        if (!edge.node && weir_pass_pure(node))
            status = rewrite(node);
    }
    weir_free(order);
    return status;
}
