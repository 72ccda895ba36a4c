/* pass/hoist.c - hoists constants out of loops: they become loop invariants.
 *
 * A constant in a loop has a control input from its frame, and is dead when that is. As an
 * invariant it is always alive, so a user may read it only if another of its inputs is dead
 * whenever the constant would have been.
 */
#include "graph/paste.h"
#include "pass/pass_impl.h"

/* The iterations in which a node of a frame is alive. */
typedef enum gate {
    ALWAYS, /* an invariant: in every iteration */
    MERGED, /* after a Merge: in every iteration, including the last, which only evaluates the
               condition */
    BODY,   /* after the loop's Switch: not in the last iteration */
} gate;

typedef struct place {
    struct frame *frame; /* null: the root */
    gate gate;
    int branches; /* enclosing conditionals: it may be dead in any iteration */
} place;

typedef struct frame {
    struct frame *parent;
    weir_str name;
    int64_t parallel_iterations;
    place entry; /* of its inputs, in the parent */
} frame;

typedef struct hoisting {
    const weir_pass_env *env;
    weir_arena arena;
    WEIR_VEC(frame *) frames;
    place *places; /* by node id */
    bool *waits;   /* by node id: accesses state, or depends on a node that does */
    size_t count;
} hoisting;

static bool is(const weir_node *node, weir_flow flow)
{
    return weir_node_flow(node) == flow;
}

static frame *enter_frame(hoisting *hoisting, const weir_node *enter, frame *parent)
{
    weir_str name = weir_node_attr(enter, "frame_name")->s;
    for (size_t i = 0; i < hoisting->frames.count; i++)
        if (hoisting->frames.at[i]->parent == parent &&
            weir_str_eq(hoisting->frames.at[i]->name, name))
            return hoisting->frames.at[i];
    frame *new_frame = WEIR_ARENA_NEW(&hoisting->arena, frame);
    *new_frame = (frame){
        .parent = parent,
        .name = name,
        .parallel_iterations = weir_node_attr(enter, "parallel_iterations")->i,
        .entry = {.frame = parent},
    };
    weir_vec_push(&hoisting->frames, new_frame);
    return new_frame;
}

static int depth_of(const frame *frame)
{
    int depth = 0;
    for (; frame; frame = frame->parent)
        depth++;
    return depth;
}

static void take(place *this_place, place from)
{
    if (depth_of(from.frame) > depth_of(this_place->frame)) {
        *this_place = from;
    } else if (from.frame == this_place->frame) {
        this_place->gate = from.gate > this_place->gate ? from.gate : this_place->gate;
        this_place->branches =
            from.branches > this_place->branches ? from.branches : this_place->branches;
    }
}

/* The position of an output: after a Switch, it is not alive in all iterations. */
static place place_of(const hoisting *hoisting, const weir_node *producer)
{
    place place = hoisting->places[producer->id];
    if (!is(producer, WEIR_FLOW_SWITCH))
        return place;
    if (weir_flow_is_loop_switch(producer))
        place.gate = BODY;
    else
        place.branches++;
    return place;
}

static place gather(const hoisting *hoisting, const weir_node *node)
{
    place place = {0};
    for (int i = 0; i < node->site.in_count; i++)
        take(&place, place_of(hoisting, node->in[i].node));
    for (size_t i = 0; i < node->controls.count; i++)
        take(&place, hoisting->places[node->controls.at[i]->id]);
    return place;
}

static place locate(hoisting *hoisting, const weir_node *node)
{
    place this_place = gather(hoisting, node);
    if (is(node, WEIR_FLOW_ENTER)) {
        frame *frame = enter_frame(hoisting, node, this_place.frame);
        take(&frame->entry, this_place);
        return (place){.frame = frame, .gate = ALWAYS};
    }
    if (is(node, WEIR_FLOW_EXIT) && this_place.frame)
        return this_place.frame->entry;
    if (weir_flow_is_loop_merge(node))
        return (place){.frame = this_place.frame, .gate = MERGED};
    if (is(node, WEIR_FLOW_MERGE) && this_place.branches)
        this_place.branches--;
    return this_place;
}

/* Another input of |user| is dead whenever the constant is. */
static bool is_gated(const hoisting *hoisting, const weir_node *user, const weir_node *constant)
{
    place at = hoisting->places[constant->id];
    if (is(user, WEIR_FLOW_MERGE) || is(user, WEIR_FLOW_SWITCH) || is(user, WEIR_FLOW_ENTER) ||
        (size_t)user->id >= hoisting->count)
        return false;
    for (int i = 0; i < user->site.in_count; i++) {
        if ((size_t)user->in[i].node->id >= hoisting->count) /* already hoisted: an invariant */
            continue;
        place in = place_of(hoisting, user->in[i].node);
        if (in.frame == at.frame && in.gate >= at.gate && !weir_pass_is_const(user->in[i].node))
            return true;
    }
    return false;
}

/* The constant in the root frame, passed into |frame| by an Enter per level. */
static weir_status bring(const weir_node *constant, const frame *frame, weir_node **out)
{
    if (!frame) {
        weir_named_attr attrs[] = {weir_a_attr("value", weir_node_attr(constant, "value")),
                                   weir_a_attr("dtype", weir_node_attr(constant, "dtype"))};
        weir_node_spec spec = {.op = "Const", .attrs = attrs, .attr_count = 2};
        return weir_pass_add(constant, "", "/Const", &spec, out);
    }
    weir_node *outer;
    WEIR_TRY(bring(constant, frame->parent, &outer));
    weir_named_attr attrs[] = {
        {"frame_name", {.kind = WEIR_ATTR_STRING, .s = frame->name}},
        weir_a_bool("is_constant", true),
        weir_a_int("parallel_iterations", frame->parallel_iterations),
    };
    weir_node_spec spec = {.op = "Enter",
                           .in = &(weir_edge){outer, 0},
                           .in_count = 1,
                           .attrs = attrs,
                           .attr_count = 3};
    return weir_pass_add(constant, "", "/Enter", &spec, out);
}

/* Readers inherit the constant's control inputs, which may order writes to state. */
static void keep_order(const hoisting *hoisting, const weir_node *constant, weir_node *user)
{
    for (size_t i = 0; i < constant->controls.count; i++)
        if (hoisting->waits[constant->controls.at[i]->id])
            weir_graph_add_control(constant->controls.at[i], user);
}

static bool comes_after_state(const hoisting *hoisting, const weir_node *node)
{
    bool found = weir_node_sees_state(node);
    for (int i = 0; i < node->site.in_count && !found; i++)
        found = hoisting->waits[node->in[i].node->id];
    for (size_t i = 0; i < node->controls.count && !found; i++)
        found = hoisting->waits[node->controls.at[i]->id];
    return found;
}

/* What comes round a loop is known in the next turn only. */
static void find_waits(hoisting *hoisting, weir_node **order, size_t count)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < count; i++) {
            bool *waits = &hoisting->waits[order[i]->id];
            if (*waits || !comes_after_state(hoisting, order[i]))
                continue;
            changed = *waits = true;
        }
    }
}

static weir_status hoist(hoisting *hoisting, weir_node *constant)
{
    weir_node *inside = NULL;
    for (size_t i = 0; i < constant->uses.count;) {
        weir_use use = constant->uses.at[i];
        if (use.input < 0 || !is_gated(hoisting, use.node, constant)) {
            i++;
            continue;
        }
        if (!inside)
            WEIR_TRY(bring(constant, hoisting->places[constant->id].frame, &inside));
        keep_order(hoisting, constant, use.node);
        weir_graph_set_input(use.node, use.input, (weir_edge){inside, 0});
    }
    if (constant->uses.count == 0 && !weir_pass_kept(hoisting->env, constant))
        weir_graph_remove(constant);
    return WEIR_OK;
}

weir_status weir_pass_hoist(weir_graph *graph, const weir_pass_env *env)
{
    size_t count;
    weir_node **order = weir_graph_order(graph, &count);
    hoisting hoisting = {.env = env, .count = graph->nodes.count};
    hoisting.places = WEIR_NEW_ARRAY(place, graph->nodes.count);
    hoisting.waits = WEIR_NEW_ARRAY(bool, graph->nodes.count);
    weir_arena_init(&hoisting.arena);
    for (size_t i = 0; i < count; i++)
        hoisting.places[order[i]->id] = locate(&hoisting, order[i]);
    find_waits(&hoisting, order, count);
    weir_status status = WEIR_OK;
    for (size_t i = 0; i < count && !status; i++) {
        place place = hoisting.places[order[i]->id];
        if (weir_pass_is_const(order[i]) && place.frame && !place.branches)
            status = hoist(&hoisting, order[i]);
    }
    weir_vec_fini(&hoisting.frames);
    weir_arena_fini(&hoisting.arena);
    weir_free(hoisting.places);
    weir_free(hoisting.waits);
    weir_free(order);
    return status;
}
