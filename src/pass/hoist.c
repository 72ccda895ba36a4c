/* pass/hoist.c - constants inside loops become invariants, made once instead of every iteration.
 *
 * A constant in a loop is started by a control edge from something in its frame, and is dead when
 * that is. As an invariant it is always alive, so a user may read it there only if another of its
 * inputs is dead whenever the constant would have been.
 */
#include "pass/pass_impl.h"

/* In which iterations a node of a frame is alive. */
typedef enum gate {
    ALWAYS, /* an invariant: in every iteration */
    MERGED, /* comes from a Merge: in every iteration, also the last, which only evaluates the
             * condition */
    BODY,   /* behind the loop's Switch: not in the last iteration */
} gate;

typedef struct place {
    struct frame *frame; /* null: the root */
    gate gate;
    int branches; /* conditionals it stands in: it may be dead in any iteration */
} place;

typedef struct frame {
    struct frame *parent;
    weir_str name;
    int64_t parallel_iterations;
    place entry; /* of what enters it, in the parent */
} frame;

typedef struct hoisting {
    const weir_pass_env *env;
    weir_arena arena;
    WEIR_VEC(frame *) frames;
    place *places; /* by node id */
    size_t count;
} hoisting;

static bool is(const weir_node *n, weir_flow flow)
{
    return weir_node_flow(n) == flow;
}

static frame *enter_frame(hoisting *h, const weir_node *enter, frame *parent)
{
    weir_str name = weir_node_attr(enter, "frame_name")->s;
    for (size_t i = 0; i < h->frames.count; i++)
        if (h->frames.at[i]->parent == parent && weir_str_eq(h->frames.at[i]->name, name))
            return h->frames.at[i];
    frame *f = WEIR_ARENA_NEW(&h->arena, frame);
    *f = (frame){
        .parent = parent,
        .name = name,
        .parallel_iterations = weir_node_attr(enter, "parallel_iterations")->i,
        .entry = {.frame = parent},
    };
    weir_vec_push(&h->frames, f);
    return f;
}

static int depth_of(const frame *f)
{
    int depth = 0;
    for (; f; f = f->parent)
        depth++;
    return depth;
}

static void take(place *p, place from)
{
    if (depth_of(from.frame) > depth_of(p->frame)) {
        *p = from;
    } else if (from.frame == p->frame) {
        p->gate = from.gate > p->gate ? from.gate : p->gate;
        p->branches = from.branches > p->branches ? from.branches : p->branches;
    }
}

/* Where an output stands: behind a Switch, not all iterations get there. */
static place place_of(const hoisting *h, const weir_node *producer)
{
    place p = h->places[producer->id];
    if (!is(producer, WEIR_FLOW_SWITCH))
        return p;
    if (weir_flow_is_loop_switch(producer))
        p.gate = BODY;
    else
        p.branches++;
    return p;
}

static place gather(const hoisting *h, const weir_node *n)
{
    place p = {0};
    for (int i = 0; i < n->site.in_count; i++)
        take(&p, place_of(h, n->in[i].node));
    for (size_t i = 0; i < n->controls.count; i++)
        take(&p, h->places[n->controls.at[i]->id]);
    return p;
}

static place locate(hoisting *h, const weir_node *n)
{
    place p = gather(h, n);
    if (is(n, WEIR_FLOW_ENTER)) {
        frame *f = enter_frame(h, n, p.frame);
        take(&f->entry, p);
        return (place){.frame = f, .gate = ALWAYS};
    }
    if (is(n, WEIR_FLOW_EXIT) && p.frame)
        return p.frame->entry;
    if (weir_flow_is_loop_merge(n))
        return (place){.frame = p.frame, .gate = MERGED};
    if (is(n, WEIR_FLOW_MERGE) && p.branches)
        p.branches--;
    return p;
}

/* |u| reads the constant beside something that is dead when the constant is. */
static bool is_gated(const hoisting *h, const weir_node *u, const weir_node *c)
{
    place at = h->places[c->id];
    if (is(u, WEIR_FLOW_MERGE) || is(u, WEIR_FLOW_SWITCH) || is(u, WEIR_FLOW_ENTER) ||
        (size_t)u->id >= h->count)
        return false;
    for (int i = 0; i < u->site.in_count; i++) {
        if ((size_t)u->in[i].node->id >= h->count) /* hoisted before: an invariant */
            continue;
        place in = place_of(h, u->in[i].node);
        if (in.frame == at.frame && in.gate >= at.gate && !weir_pass_is_const(u->in[i].node))
            return true;
    }
    return false;
}

/* The constant in the root frame, brought into |f| through every frame on the way. */
static weir_status bring(const weir_node *c, const frame *f, weir_node **out)
{
    if (!f) {
        weir_named_attr attrs[] = {weir_a_attr("value", weir_node_attr(c, "value")),
                                   weir_a_attr("dtype", weir_node_attr(c, "dtype"))};
        weir_node_spec spec = {.op = "Const", .attrs = attrs, .attr_count = 2};
        return weir_pass_add(c, "", "/Const", &spec, out);
    }
    weir_node *outer;
    WEIR_TRY(bring(c, f->parent, &outer));
    weir_named_attr attrs[] = {
        {"frame_name", {.kind = WEIR_ATTR_STRING, .s = f->name}},
        weir_a_bool("is_constant", true),
        weir_a_int("parallel_iterations", f->parallel_iterations),
    };
    weir_node_spec spec = {.op = "Enter",
                           .in = &(weir_edge){outer, 0},
                           .in_count = 1,
                           .attrs = attrs,
                           .attr_count = 3};
    return weir_pass_add(c, "", "/Enter", &spec, out);
}

static weir_status hoist(hoisting *h, weir_node *c)
{
    weir_node *inside = NULL;
    for (size_t i = 0; i < c->uses.count;) {
        weir_use u = c->uses.at[i];
        if (u.input < 0 || !is_gated(h, u.node, c)) {
            i++;
            continue;
        }
        if (!inside)
            WEIR_TRY(bring(c, h->places[c->id].frame, &inside));
        weir_graph_set_input(u.node, u.input, (weir_edge){inside, 0});
    }
    if (c->uses.count == 0 && !weir_pass_kept(h->env, c))
        weir_graph_remove(c);
    return WEIR_OK;
}

weir_status weir_pass_hoist(weir_graph *g, const weir_pass_env *env)
{
    size_t count;
    weir_node **order = weir_graph_order(g, &count);
    hoisting h = {.env = env, .count = g->nodes.count};
    h.places = WEIR_NEW_ARRAY(place, g->nodes.count);
    weir_arena_init(&h.arena);
    for (size_t i = 0; i < count; i++)
        h.places[order[i]->id] = locate(&h, order[i]);
    weir_status s = WEIR_OK;
    for (size_t i = 0; i < count && !s; i++) {
        place p = h.places[order[i]->id];
        if (weir_pass_is_const(order[i]) && p.frame && !p.branches)
            s = hoist(&h, order[i]);
    }
    weir_vec_fini(&h.frames);
    weir_arena_fini(&h.arena);
    weir_free(h.places);
    weir_free(order);
    return s;
}
