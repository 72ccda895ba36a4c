/* graph/paste.c - copies one graph's nodes into another. */
#include "graph/paste.h"

#include "graph/device_name.h"
#include "graph/flow.h"

/* How deep a node stands in conditionals and loops that are written as dataflow. */
typedef struct depth {
    int branches, loops;
} depth;

typedef struct pasting {
    const weir_paste *how;
    weir_node **copies; /* by id in how->from; null while not copied */
    depth *depths;      /* likewise */
    weir_node_list effects, conditional;
} pasting;

static bool is_skipped(const weir_paste *how, const weir_node *n)
{
    for (int i = 0; i < how->input_count; i++)
        if (how->inputs[i].node == n)
            return true;
    weir_flow flow = weir_node_flow(n);
    return flow == WEIR_FLOW_RETVAL || flow == WEIR_FLOW_ARG;
}

/* A null edge when the node has not been copied yet: the way back of a loop. */
static weir_edge mapped(const pasting *p, weir_edge e)
{
    for (int i = 0; i < p->how->input_count; i++)
        if (p->how->inputs[i].node == e.node && p->how->inputs[i].index == e.index)
            return p->how->replacements[i];
    return (weir_edge){p->copies[e.node->id], e.index};
}

bool weir_node_has_effect(const weir_node *n)
{
    return (n->site.def->flags & (WEIR_STATEFUL | WEIR_NO_EFFECT)) == WEIR_STATEFUL;
}

static const char *full_name(const weir_paste *how, const char *name)
{
    WEIR_BUF(b);
    weir_buf_addf(&b, "%s%s%s", how->prefix ? how->prefix : "", how->prefix ? "/" : "", name);
    const char *unique = weir_graph_unique_name(how->to, b.at);
    return unique;
}

/* Frames of different calls must not meet under one name. */
static weir_status rename_frame(const weir_paste *how, weir_node *n)
{
    const weir_attr *frame = weir_node_attr(n, "frame_name");
    if (!frame || !how->prefix)
        return WEIR_OK;
    WEIR_BUF(b);
    weir_buf_addf(&b, "%s/%.*s", how->prefix, WEIR_STR_ARG(frame->s));
    weir_attr renamed = {.kind = WEIR_ATTR_STRING, .s = {b.at, b.length}};
    return weir_graph_set_attr(n, "frame_name", &renamed);
}

/* ---- conditionals and loops ------------------------------------------------------------------ */

static void go_deeper(depth *d, const depth *other)
{
    d->branches = other->branches > d->branches ? other->branches : d->branches;
    d->loops = other->loops > d->loops ? other->loops : d->loops;
}

static void find_depth(pasting *p, const weir_node *n)
{
    depth d = {0};
    for (int i = 0; i < n->site.in_count; i++)
        go_deeper(&d, &p->depths[n->in[i].node->id]);
    for (size_t i = 0; i < n->controls.count; i++)
        go_deeper(&d, &p->depths[n->controls.at[i]->id]);
    weir_flow flow = weir_node_flow(n);
    d.branches += weir_flow_is_branch(n);
    d.branches -= flow == WEIR_FLOW_MERGE && !weir_flow_is_loop_merge(n) && d.branches;
    d.loops += flow == WEIR_FLOW_ENTER;
    d.loops -= flow == WEIR_FLOW_EXIT && d.loops;
    p->depths[n->id] = d;
}

/* What is on a branch may not run: a trigger waits for it either way. What is in a loop nobody
 * outside can wait for. */
static void add_effect(pasting *p, const weir_node *n, weir_node *copy)
{
    const depth *d = &p->depths[n->id];
    if (d->loops)
        return;
    if (d->branches)
        weir_vec_push(&p->conditional, copy);
    else
        weir_vec_push(&p->effects, copy);
}

static weir_status wait_for_branches(pasting *p)
{
    if (!p->conditional.count)
        return WEIR_OK;
    weir_node *trigger;
    weir_node_spec spec = {
        .name = full_name(p->how, "done"),
        .op = "ControlTrigger",
        .controls = p->conditional.at,
        .control_count = (int)p->conditional.count,
        .device = p->how->device,
    };
    WEIR_TRY(weir_graph_add(p->how->to, &spec, &trigger));
    weir_vec_push(&p->effects, trigger);
    return WEIR_OK;
}

/* ---- copies ---------------------------------------------------------------------------------- */

static void copy_controls(pasting *p, const weir_node *n, weir_node *copy)
{
    for (size_t i = 0; i < n->controls.count; i++) {
        weir_node *from = p->copies[n->controls.at[i]->id];
        if (!from)
            from = mapped(p, (weir_edge){n->controls.at[i], 0}).node;
        if (from)
            weir_graph_add_control(from, copy);
    }
    bool bare = copy->site.in_count == 0 && copy->controls.count == 0;
    bool acts = weir_node_has_effect(n) && !p->depths[n->id].loops;
    if (p->how->pivot && (bare || acts))
        weir_graph_add_control(p->how->pivot, copy);
}

/* Nodes are where the call is, as far as they do not ask for something else. */
static weir_status fill_device(const weir_paste *how, weir_node *n)
{
    if (!how->device || !*how->device)
        return WEIR_OK;
    const char *device = how->device;
    char text[WEIR_DEVICE_NAME_ROOM];
    if (*n->requested_device) {
        weir_device_name outer, own;
        WEIR_TRY(weir_device_name_parse(device, &outer));
        WEIR_TRY(weir_device_name_parse(n->requested_device, &own));
        if (*own.job) /* the call's task is one of another job */
            outer.replica = outer.task = WEIR_DEVICE_ANY;
        weir_device_name_override(&outer, &own);
        device = weir_device_name_text(&outer, text);
    }
    n->requested_device = n->site.device = weir_arena_strdup(&how->to->arena, device);
    return WEIR_OK;
}

static weir_status copy(pasting *p, const weir_node *n)
{
    const weir_paste *how = p->how;
    weir_edge *in = WEIR_NEW_ARRAY(weir_edge, n->site.in_count);
    weir_edge any = {0};
    bool back = false;
    for (int i = 0; i < n->site.in_count; i++) {
        in[i] = mapped(p, n->in[i]);
        any = in[i].node ? in[i] : any;
        back |= !in[i].node;
    }
    for (int i = 0; i < n->site.in_count; i++)
        in[i] = in[i].node ? in[i] : any; /* until the way back is there */
    weir_node *c = NULL;
    weir_status s = weir_graph_copy_node(how->to, n, full_name(how, n->site.name), in, &c);
    weir_free(in);
    WEIR_TRY(s);
    p->copies[n->id] = c;
    WEIR_TRY(fill_device(how, c));
    WEIR_TRY(rename_frame(how, c));
    copy_controls(p, n, c);
    if (weir_node_has_effect(n))
        add_effect(p, n, c);
    return back ? WEIR_OK : weir_node_infer(c);
}

static void close_loops(pasting *p)
{
    for (size_t i = 0; i < p->how->from->nodes.count; i++) {
        const weir_node *n = p->how->from->nodes.at[i];
        weir_node *c = p->copies[n->id];
        for (int k = 0; c && k < n->site.in_count; k++) {
            weir_edge e = mapped(p, n->in[k]);
            if (e.node && (e.node != c->in[k].node || e.index != c->in[k].index))
                weir_graph_set_input(c, k, e);
        }
    }
}

static weir_status paste(pasting *p, weir_edge *out_results)
{
    size_t count;
    weir_node **order = weir_graph_order(p->how->from, &count);
    weir_status s = WEIR_OK;
    for (size_t i = 0; i < count && !s; i++) {
        find_depth(p, order[i]);
        if (!is_skipped(p->how, order[i]))
            s = copy(p, order[i]);
    }
    weir_free(order);
    WEIR_TRY(s);
    WEIR_TRY(wait_for_branches(p));
    close_loops(p);
    for (int i = 0; i < p->how->result_count; i++) {
        out_results[i] = mapped(p, p->how->results[i]);
        if (!out_results[i].node)
            return weir_error(WEIR_INVALID_ARGUMENT, "'%s' is part of a cycle",
                              p->how->results[i].node->site.name);
    }
    return WEIR_OK;
}

weir_status weir_graph_paste(const weir_paste *how, weir_edge *out_results,
                             weir_node_list *out_effects)
{
    pasting p = {.how = how,
                 .copies = WEIR_NEW_ARRAY(weir_node *, how->from->nodes.count),
                 .depths = WEIR_NEW_ARRAY(depth, how->from->nodes.count)};
    weir_status s = paste(&p, out_results);
    for (size_t i = 0; i < p.effects.count && out_effects; i++)
        weir_vec_push(out_effects, p.effects.at[i]);
    weir_vec_fini(&p.effects);
    weir_vec_fini(&p.conditional);
    weir_free(p.depths);
    weir_free(p.copies);
    return s;
}
