/* pass/stack.c - small loops that need nothing of each other run side by side.
 *
 * A loop over a few elements waits for each op's result before it starts the next; several of them
 * in one (ops/internal/stacked_elements.c) fill that time. Nodes get levels such that edges lead to
 * higher ones only: loops of one level need nothing of each other, and merging them makes no cycle.
 * A loop may rise as far as its users leave room.
 *
 * Merged nodes are all computed or none, and at once, so graphs with branches or loops and graphs
 * in which a node may wait for another stay as they are.
 */
#include "pass/pass_impl.h"

/* As ops/internal/elements.h has them. */
enum { TILE_BYTES = 4096, MOST_INPUTS = 32, NUMBERS = 4 };
enum { FEWEST_OPS = 8 /* that are worth a copy in and out */ };

typedef struct stacking {
    weir_node **order;
    size_t count;
    int32_t *level; /* by node id; those of new nodes too */
} stacking;

/* What is to be one loop. */
typedef struct group {
    weir_node *at[MOST_INPUTS];
    int count, inputs;
    int32_t level, ceiling; /* where they may be */
    int64_t bytes;          /* of a result */
} group;

/* An op that waits, for a queue or another task, may wait for what another loop leads to: the two
 * must not become one. */
static bool has_flow(const stacking *s)
{
    for (size_t i = 0; i < s->count; i++)
        if (weir_pass_may_wait(s->order[i]) || weir_flow_is_control(s->order[i]))
            return true;
    return false;
}

static void set_levels(stacking *s)
{
    for (size_t i = 0; i < s->count; i++) {
        const weir_node *n = s->order[i];
        int32_t below = -1;
        for (int k = 0; k < n->site.in_count; k++)
            if (s->level[n->in[k].node->id] > below)
                below = s->level[n->in[k].node->id];
        for (size_t k = 0; k < n->controls.count; k++)
            if (s->level[n->controls.at[k]->id] > below)
                below = s->level[n->controls.at[k]->id];
        s->level[n->id] = below + 1;
    }
}

static int32_t ceiling_of(const stacking *s, const weir_node *n)
{
    int32_t above = INT32_MAX;
    for (size_t i = 0; i < n->uses.count; i++)
        if (s->level[n->uses.at[i].node->id] < above)
            above = s->level[n->uses.at[i].node->id];
    return above - 1;
}

static const weir_attr *program_of(const weir_node *n)
{
    return weir_node_attr(n, "program");
}

static int64_t result_bytes(const weir_node *n)
{
    return weir_shape_count(&n->out_shapes[0]) *
           (int64_t)weir_dtype_size((weir_dtype)n->site.out_types[0]);
}

static bool is_small_loop(const weir_node *n)
{
    return !n->removed && weir_node_is(n, "_Elements") &&
           program_of(n)->count >= FEWEST_OPS * NUMBERS && result_bytes(n) <= TILE_BYTES / 2 &&
           n->site.in_count <= MOST_INPUTS / 2;
}

/* Most of the ops are the same, at the end. */
static bool alike(const weir_node *a, const weir_node *b)
{
    const weir_attr *x = program_of(a), *y = program_of(b);
    int less = x->count < y->count ? x->count : y->count, more = x->count + y->count - less;
    int same = 0;
    while (same < less && x->is[x->count - 1 - same] == y->is[y->count - 1 - same])
        same++;
    return same >= FEWEST_OPS * NUMBERS && same >= more - more / 4;
}

/* Takes |n| in if it goes with the first, and lowers what is free. */
static void consider(const stacking *s, group *g, weir_node *n)
{
    const weir_node *first = g->at[0];
    if (!is_small_loop(n) || n->site.out_types[0] != first->site.out_types[0] ||
        result_bytes(n) != g->bytes || strcmp(n->site.device, first->site.device) != 0 ||
        g->inputs + n->site.in_count > MOST_INPUTS || (g->count + 1) * g->bytes > TILE_BYTES)
        return;
    int32_t level = s->level[n->id], ceiling = ceiling_of(s, n);
    level = level > g->level ? level : g->level;
    ceiling = ceiling < g->ceiling ? ceiling : g->ceiling;
    if (level > ceiling || !alike(n, first))
        return;
    g->at[g->count++] = n;
    g->inputs += n->site.in_count;
    g->level = level;
    g->ceiling = ceiling;
}

/* Inputs, programs and their sizes, one behind the other. */
static void list_parts(const group *g, weir_edge *in, int64_t *sizes, int64_t *numbers)
{
    for (int k = 0; k < g->count; k++) {
        const weir_node *n = g->at[k];
        const weir_attr *program = program_of(n);
        memcpy(in, n->in, sizeof *in * (size_t)n->site.in_count);
        memcpy(numbers, program->is, sizeof *numbers * (size_t)program->count);
        sizes[2 * k] = program->count / NUMBERS;
        sizes[2 * k + 1] = n->site.in_count;
        in += n->site.in_count;
        numbers += program->count;
    }
}

static weir_status add_stack(const group *g, weir_node **out_node)
{
    weir_edge in[MOST_INPUTS];
    int64_t sizes[2 * MOST_INPUTS];
    int count = 0;
    for (int k = 0; k < g->count; k++)
        count += program_of(g->at[k])->count;
    int64_t *numbers = WEIR_NEW_ARRAY(int64_t, count);
    list_parts(g, in, sizes, numbers);
    weir_named_attr attrs[] = {weir_a_ints("program", numbers, count),
                               weir_a_ints("sizes", sizes, 2 * g->count),
                               weir_a_int("K", g->count)};
    weir_status s = weir_pass_add(g->at[0], "", "/stack",
                                  &(weir_node_spec){.op = "_StackedElements",
                                                    .in = in,
                                                    .in_count = g->inputs,
                                                    .attrs = attrs,
                                                    .attr_count = 3},
                                  out_node);
    weir_free(numbers);
    return s;
}

static weir_status merge(stacking *s, const group *g)
{
    weir_node *made;
    WEIR_TRY(add_stack(g, &made));
    s->level[made->id] = g->level;
    for (int k = 0; k < g->count; k++) {
        weir_node *n = g->at[k];
        for (size_t i = 0; i < n->controls.count; i++)
            weir_graph_add_control(n->controls.at[i], made);
        weir_graph_replace((weir_edge){n, 0}, (weir_edge){made, k});
        weir_pass_move_waiting(n, made);
        weir_pass_remove(n);
    }
    return WEIR_OK;
}

static weir_status stack_all(stacking *s)
{
    for (size_t i = 0; i < s->count; i++) {
        weir_node *n = s->order[i];
        if (!is_small_loop(n))
            continue;
        group g = {.at = {n},
                   .count = 1,
                   .inputs = n->site.in_count,
                   .level = s->level[n->id],
                   .ceiling = ceiling_of(s, n),
                   .bytes = result_bytes(n)};
        for (size_t k = i + 1; k < s->count; k++)
            consider(s, &g, s->order[k]);
        if (g.count > 1)
            WEIR_TRY(merge(s, &g));
    }
    return WEIR_OK;
}

weir_status weir_pass_stack(weir_graph *g, const weir_pass_env *env)
{
    stacking s = {.level = WEIR_NEW_ARRAY(int32_t, 2 * g->nodes.count + 1)};
    s.order = weir_graph_order(g, &s.count);
    weir_status status = WEIR_OK;
    if (!has_flow(&s)) {
        set_levels(&s);
        status = stack_all(&s);
    }
    weir_free(s.order);
    weir_free(s.level);
    return status;
}
