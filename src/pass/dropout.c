/* pass/dropout.c - fuses dropout, without tensors of random numbers and booleans.
 *
 *   mask = RandomUniform(shape) >= rate
 *   SelectV2(mask, x * scale, 0)           _Dropout(x), which gives y and the mask as bits
 *   SelectV2(mask, dy, 0) * scale          _DropoutAgain(dy, bits), in the gradient
 *
 * The random numbers are generated in the fused op. The first use of the mask generates it; later
 * uses apply the stored bits.
 */
#include "pass/remap_impl.h"

/* One SelectV2 by the mask, and the adjacent product with a scalar, if any. */
typedef struct choice {
    weir_node *select;
    weir_node *product; /* null: none */
    weir_node *last;    /* of the two */
    weir_edge x;
    float scale;
} choice;

typedef struct mask {
    weir_node *random, *compare;
    float rate;
} mask;

static bool is_number(weir_edge edge, float *out)
{
    const weir_tensor *tensor = weir_pass_value(edge);
    if (!tensor || tensor->dtype != WEIR_FLOAT || tensor->shape.rank != 0)
        return false;
    *out = *(const float *)tensor->data;
    return true;
}

/* x * scale, with a finite scale, which keeps zeros. */
static bool is_scaling(const weir_pass_env *env, const weir_node *node, weir_edge *out_x,
                       float *out_scale)
{
    if (!node || !weir_node_is(node, "Mul") || weir_pass_kept(env, node) || node->controls.count)
        return false;
    for (int i = 0; i < 2; i++)
        if (is_number(node->in[1 - i], out_scale) && *out_scale > 0 &&
            *out_scale <= 0x1.fffffep127f) {
            *out_x = node->in[i];
            return true;
        }
    return false;
}

/* ---- matching -------------------------------------------------------------------------------- */

static bool find_mask(const weir_pass_env *env, weir_node *node, mask *out)
{
    if (!weir_node_is(node, "RandomUniform") || node->site.out_types[0] != WEIR_FLOAT ||
        weir_pass_kept(env, node))
        return false;
    weir_node *compare = weir_pass_only_reader(node, 0);
    if (!compare || !weir_node_is(compare, "GreaterEqual") || compare->in[0].node != node ||
        weir_pass_kept(env, compare) || !is_number(compare->in[1], &out->rate))
        return false;
    out->random = node;
    out->compare = compare;
    return weir_pass_may_join(node, compare);
}

/* The random numbers have |x|'s shape: statically, or computed by Shape(x). */
static bool has_shape_of(const weir_node *random, weir_edge x)
{
    const weir_shape *r = &random->out_shapes[0], *s = weir_edge_shape(x);
    if (weir_shape_known(r) && weir_shape_known(s))
        return weir_shape_eq(r, s);
    const weir_node *shape = random->in[0].node;
    return weir_node_is(shape, "Shape") && weir_edge_eq(shape->in[0], x);
}

/* Zeros: a scalar, or a tensor of |like|'s shape. */
static bool is_zero(weir_edge edge, weir_edge like)
{
    float value;
    if (weir_node_is(edge.node, "ZerosLike"))
        return weir_edge_eq(edge.node->in[0], like);
    return is_number(edge, &value) && value == 0;
}

static bool find_choice(const weir_pass_env *env, const mask *mask, weir_node *node, choice *out)
{
    if (!weir_node_is(node, "SelectV2") || node->in[0].node != mask->compare ||
        weir_pass_kept(env, node) || node->controls.count ||
        node->site.out_types[0] != WEIR_FLOAT || !is_zero(node->in[2], node->in[1]))
        return false;
    *out = (choice){.select = node, .last = node, .x = node->in[1], .scale = 1};
    weir_node *before = node->in[1].node, *after = weir_pass_only_reader(node, 0);
    weir_edge none;
    if (weir_pass_only_reader(before, 0) == node && is_scaling(env, before, &out->x, &out->scale)) {
        out->product = before;
        return weir_pass_may_join(before, node);
    }
    if (is_scaling(env, after, &none, &out->scale) && weir_pass_may_join(node, after))
        out->product = out->last = after;
    else
        out->scale = 1;
    return true;
}

/* ---- rewriting ------------------------------------------------------------------------------- */

/* Replaces the nodes of |choice| by |made|. */
static void replace(const weir_pass_env *env, const choice *choice, weir_node *made)
{
    weir_graph_replace((weir_edge){choice->last, 0}, (weir_edge){made, 0});
    weir_remap_take_place(choice->select, made);
    if (choice->product)
        weir_remap_take_place(choice->product, made);
    weir_node *first = choice->last == choice->select ? choice->product : choice->select;
    weir_node *zero = choice->select->in[2].node;
    weir_pass_remove(choice->last);
    if (first)
        weir_pass_remove(first);
    weir_remap_sweep(env, zero);
}

static weir_status draw(const weir_pass_env *env, const mask *mask, const choice *choice,
                        weir_node **out)
{
    weir_named_attr attrs[] = {
        weir_a_float("rate", mask->rate),
        weir_a_float("scale", choice->scale),
        weir_a_attr("seed", weir_node_attr(mask->random, "seed")),
        weir_a_attr("seed2", weir_node_attr(mask->random, "seed2")),
        weir_a_str("stream", mask->random->site.name),
    };
    WEIR_TRY(weir_pass_add(choice->select, "", "/dropout",
                           &(weir_node_spec){.op = "_Dropout",
                                             .in = &choice->x,
                                             .in_count = 1,
                                             .attrs = attrs,
                                             .attr_count = sizeof attrs / sizeof *attrs},
                           out));
    replace(env, choice, *out);
    weir_remap_take_place(mask->compare, *out);
    weir_remap_take_place(mask->random, *out);
    const weir_node *shape = mask->random->in[0].node; /* removed; its control inputs stay */
    for (size_t i = 0; i < shape->controls.count; i++)
        weir_graph_add_control(shape->controls.at[i], *out);
    return WEIR_OK;
}

static weir_status choose_again(const weir_pass_env *env, const choice *choice, weir_node *drawn)
{
    weir_node *made;
    weir_named_attr scale = weir_a_float("scale", choice->scale);
    weir_edge in[] = {choice->x, {drawn, 1}};
    WEIR_TRY(weir_pass_add(
        choice->select, "", "/dropout",
        &(weir_node_spec){
            .op = "_DropoutAgain", .in = in, .in_count = 2, .attrs = &scale, .attr_count = 1},
        &made));
    replace(env, choice, made);
    return WEIR_OK;
}

/* The uses of |mask| in topological order |place|; 0 if it has other readers. */
static int find_choices(const weir_pass_env *env, const mask *mask, const size_t *place,
                        choice *out, int room)
{
    int count = 0;
    for (size_t i = 0; i < mask->compare->uses.count; i++) {
        const weir_use *use = &mask->compare->uses.at[i];
        if (use->input < 0)
            continue;
        choice choice;
        if (count == room || !find_choice(env, mask, use->node, &choice) ||
            !has_shape_of(mask->random, choice.x))
            return 0;
        int at = count++;
        for (; at > 0 && place[out[at - 1].select->id] > place[choice.select->id]; at--)
            out[at] = out[at - 1];
        out[at] = choice;
    }
    return count;
}

enum { MOST_CHOICES = 8 };

static weir_status fuse(const weir_pass_env *env, const mask *mask, const size_t *place)
{
    choice found[MOST_CHOICES];
    int count = find_choices(env, mask, place, found, MOST_CHOICES);
    if (!count || !weir_pass_may_join(mask->compare, found[0].last) ||
        !weir_pass_may_join(mask->random, found[0].last))
        return WEIR_OK;
    weir_node *drawn;
    WEIR_TRY(draw(env, mask, &found[0], &drawn));
    for (int i = 1; i < count; i++)
        WEIR_TRY(choose_again(env, &found[i], drawn));
    weir_node *shape = mask->random->in[0].node, *rate = mask->compare->in[1].node;
    weir_pass_remove(mask->compare);
    weir_pass_remove(mask->random);
    weir_remap_sweep(env, shape);
    weir_remap_sweep(env, rate);
    return WEIR_OK;
}

weir_status weir_pass_dropout(weir_graph *graph, const weir_pass_env *env)
{
    size_t count, nodes = graph->nodes.count;
    weir_node **order = weir_graph_order(graph, &count);
    size_t *place = WEIR_NEW_ARRAY(size_t, nodes);
    for (size_t i = 0; i < count; i++)
        place[order[i]->id] = i;
    weir_status status = WEIR_OK;
    for (size_t i = 0; i < count && !status; i++) {
        mask mask;
        if (!order[i]->removed && find_mask(env, order[i], &mask))
            status = fuse(env, &mask, place);
    }
    weir_free(order);
    weir_free(place);
    return status;
}
