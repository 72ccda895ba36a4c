/* pass/stack.c - merges small independent loops, to run interleaved.
 *
 * A loop over a few elements is bound by the latency of dependent ops; several interleaved ones
 * (ops/internal/stacked_elements.c) hide it. Nodes get levels such that edges lead to higher levels
 * only: loops of one level are independent, and merging them creates no cycle. A loop may be raised
 * up to the level below its users.
 *
 * Merged nodes run together or not at all, so graphs with branches or loops, and graphs with ops
 * that may block, are left unchanged.
 */
#include "pass/pass_impl.h"

/* Same values as in ops/internal/elements.h. */
enum { TILE_BYTES = 4096, MOST_INPUTS = 32, NUMBERS = 4 };
enum { FEWEST_OPS = 8 /* for which copying in and out pays off */ };

typedef struct stacking {
    weir_node **order;
    size_t count;
    int32_t *level; /* by node id; including new nodes */
} stacking;

/* Loops to merge. */
typedef struct group {
    weir_node *at[MOST_INPUTS];
    int count, inputs;
    int32_t level, ceiling; /* the range of possible levels */
    int64_t bytes;          /* of a result */
} group;

/* An op that waits for a queue or another task may depend on a descendant of another loop: these
 * two must not be merged. */
static bool has_flow(const stacking *stacking)
{
    for (size_t i = 0; i < stacking->count; i++)
        if (weir_pass_may_wait(stacking->order[i]) || weir_flow_is_control(stacking->order[i]))
            return true;
    return false;
}

static void set_levels(stacking *stacking)
{
    for (size_t i = 0; i < stacking->count; i++) {
        const weir_node *node = stacking->order[i];
        int32_t below = -1;
        for (int k = 0; k < node->site.in_count; k++)
            if (stacking->level[node->in[k].node->id] > below)
                below = stacking->level[node->in[k].node->id];
        for (size_t k = 0; k < node->controls.count; k++)
            if (stacking->level[node->controls.at[k]->id] > below)
                below = stacking->level[node->controls.at[k]->id];
        stacking->level[node->id] = below + 1;
    }
}

static int32_t ceiling_of(const stacking *stacking, const weir_node *node)
{
    int32_t above = INT32_MAX;
    for (size_t i = 0; i < node->uses.count; i++)
        if (stacking->level[node->uses.at[i].node->id] < above)
            above = stacking->level[node->uses.at[i].node->id];
    return above - 1;
}

static const weir_attr *program_of(const weir_node *node)
{
    return weir_node_attr(node, "program");
}

static int64_t result_bytes(const weir_node *node)
{
    return weir_shape_count(&node->out_shapes[0]) *
           (int64_t)weir_dtype_size((weir_dtype)node->site.out_types[0]);
}

static bool is_small_loop(const weir_node *node)
{
    return !node->removed && weir_node_is(node, "_Elements") &&
           program_of(node)->count >= FEWEST_OPS * NUMBERS &&
           result_bytes(node) <= TILE_BYTES / 2 && node->site.in_count <= MOST_INPUTS / 2;
}

/* True when most ops at the end are equal. */
static bool alike(const weir_node *a, const weir_node *b)
{
    const weir_attr *attr = program_of(a), *y = program_of(b);
    int less = attr->count < y->count ? attr->count : y->count,
        more = attr->count + y->count - less;
    int same = 0;
    while (same < less && attr->is[attr->count - 1 - same] == y->is[y->count - 1 - same])
        same++;
    return same >= FEWEST_OPS * NUMBERS && same >= more - more / 4;
}

/* Adds |node| if it matches the first, and lowers the free capacity. */
static void consider(const stacking *stacking, group *group, weir_node *node)
{
    const weir_node *first = group->at[0];
    if (!is_small_loop(node) || node->site.out_types[0] != first->site.out_types[0] ||
        result_bytes(node) != group->bytes || strcmp(node->site.device, first->site.device) != 0 ||
        group->inputs + node->site.in_count > MOST_INPUTS ||
        (group->count + 1) * group->bytes > TILE_BYTES)
        return;
    int32_t level = stacking->level[node->id], ceiling = ceiling_of(stacking, node);
    level = level > group->level ? level : group->level;
    ceiling = ceiling < group->ceiling ? ceiling : group->ceiling;
    if (level > ceiling || !alike(node, first))
        return;
    group->at[group->count++] = node;
    group->inputs += node->site.in_count;
    group->level = level;
    group->ceiling = ceiling;
}

/* Lists inputs, programs and their sizes, consecutively. */
static void list_parts(const group *group, weir_edge *in, int64_t *sizes, int64_t *numbers)
{
    for (int k = 0; k < group->count; k++) {
        const weir_node *node = group->at[k];
        const weir_attr *program = program_of(node);
        memcpy(in, node->in, sizeof *in * (size_t)node->site.in_count);
        memcpy(numbers, program->is, sizeof *numbers * (size_t)program->count);
        sizes[2 * k] = program->count / NUMBERS;
        sizes[2 * k + 1] = node->site.in_count;
        in += node->site.in_count;
        numbers += program->count;
    }
}

static weir_status add_stack(const group *group, weir_node **out_node)
{
    weir_edge in[MOST_INPUTS];
    int64_t sizes[2 * MOST_INPUTS];
    int count = 0;
    for (int k = 0; k < group->count; k++)
        count += program_of(group->at[k])->count;
    int64_t *numbers = WEIR_NEW_ARRAY(int64_t, count);
    list_parts(group, in, sizes, numbers);
    weir_named_attr attrs[] = {weir_a_ints("program", numbers, count),
                               weir_a_ints("sizes", sizes, 2 * group->count),
                               weir_a_int("K", group->count)};
    weir_status status = weir_pass_add(group->at[0], "", "/stack",
                                       &(weir_node_spec){.op = "_StackedElements",
                                                         .in = in,
                                                         .in_count = group->inputs,
                                                         .attrs = attrs,
                                                         .attr_count = 3},
                                       out_node);
    weir_free(numbers);
    return status;
}

static weir_status merge(stacking *stacking, const group *group)
{
    weir_node *made;
    WEIR_TRY(add_stack(group, &made));
    stacking->level[made->id] = group->level;
    for (int k = 0; k < group->count; k++) {
        weir_node *node = group->at[k];
        for (size_t i = 0; i < node->controls.count; i++)
            weir_graph_add_control(node->controls.at[i], made);
        weir_graph_replace((weir_edge){node, 0}, (weir_edge){made, k});
        weir_pass_move_waiting(node, made);
        weir_pass_remove(node);
    }
    return WEIR_OK;
}

static weir_status stack_all(stacking *stacking)
{
    for (size_t i = 0; i < stacking->count; i++) {
        weir_node *node = stacking->order[i];
        if (!is_small_loop(node))
            continue;
        group group = {.at = {node},
                       .count = 1,
                       .inputs = node->site.in_count,
                       .level = stacking->level[node->id],
                       .ceiling = ceiling_of(stacking, node),
                       .bytes = result_bytes(node)};
        for (size_t k = i + 1; k < stacking->count; k++)
            consider(stacking, &group, stacking->order[k]);
        if (group.count > 1)
            WEIR_TRY(merge(stacking, &group));
    }
    return WEIR_OK;
}

weir_status weir_pass_stack(weir_graph *graph, const weir_pass_env *env)
{
    stacking stacking = {.level = WEIR_NEW_ARRAY(int32_t, 2 * graph->nodes.count + 1)};
    stacking.order = weir_graph_order(graph, &stacking.count);
    weir_status status = WEIR_OK;
    if (!has_flow(&stacking)) {
        set_levels(&stacking);
        status = stack_all(&stacking);
    }
    weir_free(stacking.order);
    weir_free(stacking.level);
    return status;
}
