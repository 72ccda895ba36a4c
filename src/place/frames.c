/* place/frames.c - finds the loop frame of each node. */
#include "place/place_impl.h"

static bool leads_in(const weir_node *node)
{
    return weir_node_flow(node) == WEIR_FLOW_ENTER;
}

static bool leads_out(const weir_node *node)
{
    return weir_node_flow(node) == WEIR_FLOW_EXIT;
}

static bool goes_round(const weir_node *node)
{
    return weir_node_flow(node) == WEIR_FLOW_NEXT_ITERATION;
}

static weir_place_frame *enter(weir_place_frames *frames, weir_node *node, weir_place_frame *parent)
{
    weir_str name = weir_node_attr(node, "frame_name")->s;
    for (size_t i = 0; i < frames->all.count; i++)
        if (frames->all.at[i]->parent == parent && weir_str_eq(frames->all.at[i]->name, name))
            return frames->all.at[i];
    weir_place_frame *made = WEIR_NEW(weir_place_frame);
    made->parent = parent;
    made->name = name;
    made->enter = node;
    weir_vec_push(&frames->all, made);
    return made;
}

/* The frame of |from|'s outputs. */
static weir_place_frame *gives_to(const weir_place_frames *frames, const weir_node *from)
{
    weir_place_frame *in = frames->of.at[from->id];
    return in && leads_out(from) ? in->parent : in;
}

/* The frame of a node's inputs: that of any input in a loop, since all are in the same. */
static weir_place_frame *inputs_frame(const weir_place_frames *frames, const weir_node *node)
{
    weir_place_frame *found = NULL;
    for (int i = 0; i < node->site.in_count && !found; i++)
        if (!goes_round(node->in[i].node))
            found = gives_to(frames, node->in[i].node);
    for (size_t i = 0; i < node->controls.count && !found; i++)
        found = gives_to(frames, node->controls.at[i]);
    return found;
}

void weir_place_find_frames(const weir_graph *graph, weir_place_frames *out_frames)
{
    weir_place_frames frames = {0};
    for (size_t i = 0; i < graph->nodes.count; i++)
        weir_vec_push(&frames.of, (weir_place_frame *)NULL);
    size_t count;
    weir_node **order = weir_graph_order(graph, &count);
    for (size_t i = 0; i < count; i++) {
        weir_node *node = order[i];
        weir_place_frame *in = inputs_frame(&frames, node);
        frames.of.at[node->id] = leads_in(node) ? enter(&frames, node, in) : in;
        if (in && weir_node_flow(node) == WEIR_FLOW_LOOP_COND)
            in->cond = node;
    }
    weir_free(order);
    *out_frames = frames;
}

void weir_place_frames_fini(weir_place_frames *frames)
{
    for (size_t i = 0; i < frames->all.count; i++) {
        weir_vec_fini(&frames->all.at[i]->control_loops);
        weir_free(frames->all.at[i]);
    }
    weir_vec_fini(&frames->all);
    weir_vec_fini(&frames->of);
}
