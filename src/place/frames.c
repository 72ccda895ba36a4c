/* place/frames.c - which loop each node is in. */
#include "place/place_impl.h"

static bool leads_in(const weir_node *n)
{
    return weir_node_flow(n) == WEIR_FLOW_ENTER;
}

static bool leads_out(const weir_node *n)
{
    return weir_node_flow(n) == WEIR_FLOW_EXIT;
}

static bool goes_round(const weir_node *n)
{
    return weir_node_flow(n) == WEIR_FLOW_NEXT_ITERATION;
}

static weir_place_frame *enter(weir_place_frames *f, weir_node *n, weir_place_frame *parent)
{
    weir_str name = weir_node_attr(n, "frame_name")->s;
    for (size_t i = 0; i < f->all.count; i++)
        if (f->all.at[i]->parent == parent && weir_str_eq(f->all.at[i]->name, name))
            return f->all.at[i];
    weir_place_frame *made = WEIR_NEW(weir_place_frame);
    made->parent = parent;
    made->name = name;
    made->enter = n;
    weir_vec_push(&f->all, made);
    return made;
}

/* The frame that |from| gives its results to. */
static weir_place_frame *gives_to(const weir_place_frames *f, const weir_node *from)
{
    weir_place_frame *in = f->of.at[from->id];
    return in && leads_out(from) ? in->parent : in;
}

/* The frame of a node's inputs: that of any input which is in a loop, since all are in one. */
static weir_place_frame *inputs_frame(const weir_place_frames *f, const weir_node *n)
{
    weir_place_frame *found = NULL;
    for (int i = 0; i < n->site.in_count && !found; i++)
        if (!goes_round(n->in[i].node))
            found = gives_to(f, n->in[i].node);
    for (size_t i = 0; i < n->controls.count && !found; i++)
        found = gives_to(f, n->controls.at[i]);
    return found;
}

void weir_place_find_frames(const weir_graph *g, weir_place_frames *out_frames)
{
    weir_place_frames f = {0};
    for (size_t i = 0; i < g->nodes.count; i++)
        weir_vec_push(&f.of, (weir_place_frame *)NULL);
    size_t count;
    weir_node **order = weir_graph_order(g, &count);
    for (size_t i = 0; i < count; i++) {
        weir_node *n = order[i];
        weir_place_frame *in = inputs_frame(&f, n);
        f.of.at[n->id] = leads_in(n) ? enter(&f, n, in) : in;
        if (in && weir_node_flow(n) == WEIR_FLOW_LOOP_COND)
            in->cond = n;
    }
    weir_free(order);
    *out_frames = f;
}

void weir_place_frames_fini(weir_place_frames *f)
{
    for (size_t i = 0; i < f->all.count; i++) {
        weir_vec_fini(&f->all.at[i]->control_loops);
        weir_free(f->all.at[i]);
    }
    weir_vec_fini(&f->all);
    weir_vec_fini(&f->of);
}
