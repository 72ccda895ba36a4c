/* place/partition.c - edges between tasks become pairs; loops over tasks get their chains. */
#include "place/partition.h"

#include "place/place_impl.h"

typedef struct cutter {
    weir_graph *g;
    const weir_partition_options *o;
    weir_place_frames frames;
    weir_map devices; /* full name -> weir_place_device */
    weir_map made;    /* "source:index>task[frame]" -> the node that gives the value there */
    WEIR_VEC(weir_str) tasks; /* other than the own, in the order found */
} cutter;

static weir_str task_of(const char *device)
{
    const char *end = strstr(device, "/device:");
    return (weir_str){device, end ? (size_t)(end - device) : strlen(device)};
}

static weir_str task(const weir_node *n)
{
    return task_of(n->site.device);
}

static bool is_own(const cutter *c, weir_str t)
{
    return weir_str_is(t, c->o->own_task);
}

static bool same_task(const weir_node *a, const weir_node *b)
{
    return a->site.device == b->site.device || weir_str_eq(task(a), task(b));
}

/* Nodes whose edges a task's executor sees as being between devices. Ours runs all its devices. */
static bool apart(const cutter *c, const weir_node *a, const weir_node *b)
{
    if (strcmp(a->site.device, b->site.device) == 0)
        return false;
    return !same_task(a, b) || !is_own(c, task(a));
}

static void note_task(cutter *c, const weir_node *n)
{
    weir_str t = task(n);
    if (is_own(c, t))
        return;
    for (size_t i = 0; i < c->tasks.count; i++)
        if (weir_str_eq(c->tasks.at[i], t))
            return;
    weir_vec_push(&c->tasks, t);
}

static const char *new_name(cutter *c, const char *prefix, const char *base, const char *part)
{
    weir_buf name = {0};
    weir_buf_addf(&name, "%s%s%s_S%lld", prefix, base, part, atomic_fetch_add(c->o->next, 1));
    const char *unique = weir_graph_unique_name(c->g, name.at);
    weir_buf_fini(&name);
    return unique;
}

/* ---- moving control flow -------------------------------------------------------------------- */

static weir_node *first_user(const weir_node *n)
{
    for (size_t i = 0; i < n->uses.count; i++)
        if (n->uses.at[i].output >= 0)
            return n->uses.at[i].node;
    return NULL;
}

static void follow_inputs(weir_node *const *order, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        weir_flow flow = weir_node_flow(order[i]);
        if (flow == WEIR_FLOW_SWITCH || flow == WEIR_FLOW_EXIT)
            order[i]->site.device = order[i]->in[0].node->site.device;
    }
}

static void follow_users(weir_node *const *order, size_t count)
{
    for (size_t i = count; i-- > 0;) {
        weir_node *n = order[i];
        weir_flow flow = weir_node_flow(n);
        bool moves = flow == WEIR_FLOW_ENTER || flow == WEIR_FLOW_NEXT_ITERATION;
        weir_node *user = moves ? first_user(n) : NULL;
        if (user && !weir_dtype_is_ref(n->site.in_types[0]))
            n->site.device = user->site.device;
    }
}

static void move_flow(const weir_graph *g)
{
    size_t count;
    weir_node **order = weir_graph_order(g, &count);
    follow_inputs(order, count);
    follow_users(order, count);
    weir_free(order);
}

/* ---- loops over tasks ----------------------------------------------------------------------- */

static weir_place_frame *frame_of(const cutter *c, const weir_node *n)
{
    return (size_t)n->id < c->frames.of.count ? c->frames.of.at[n->id] : NULL;
}

/* The frame that an edge is in; null also when its ends do not agree, which no executor accepts. */
static weir_place_frame *edge_frame(const cutter *c, const weir_node *from, const weir_node *to)
{
    weir_place_frame *out = frame_of(c, from), *in = frame_of(c, to);
    if (out && weir_node_flow(from) == WEIR_FLOW_EXIT)
        out = out->parent;
    if (in && weir_node_flow(to) == WEIR_FLOW_ENTER)
        in = in->parent;
    return out == in ? in : NULL;
}

static weir_node *find_loop(const weir_place_frame *f, const char *device)
{
    for (size_t i = 0; i < f->control_loops.count; i++)
        if (strcmp(f->control_loops.at[i].device, device) == 0)
            return f->control_loops.at[i].merge;
    return NULL;
}

static void set_frame(cutter *c, const weir_node *n, weir_place_frame *f)
{
    while (c->frames.of.count <= (size_t)n->id)
        weir_vec_push(&c->frames.of, (weir_place_frame *)NULL);
    c->frames.of.at[n->id] = f;
}

typedef struct loop_building {
    cutter *c;
    weir_place_frame *f;
    const char *device;
    const char *base; /* the node's name that the chain is for */
} loop_building;

static weir_status add_link(loop_building *b, const char *op, const weir_edge *in, int in_count,
                            const weir_named_attr *attrs, int attr_count, weir_node **out)
{
    weir_node_spec spec = {.name = new_name(b->c, "_cloop", b->base, ""),
                           .op = op,
                           .in = in,
                           .in_count = in_count,
                           .attrs = attrs,
                           .attr_count = attr_count};
    WEIR_TRY(weir_place_add(b->c->g, b->device, &spec, out));
    set_frame(b->c, *out, b->f);
    return WEIR_OK;
}

/* Enter, Merge, Switch, NextIteration: the loop as a task sees it that does not own it. */
static weir_status chain(loop_building *b, weir_edge value, weir_node **out_merge)
{
    const weir_attr *parallel = weir_node_attr(b->f->enter, "parallel_iterations");
    weir_named_attr attrs[] = {
        {"frame_name", {.kind = WEIR_ATTR_STRING, .s = b->f->name}},
        weir_a_int("parallel_iterations", parallel ? parallel->i : 10),
    };
    weir_node *enter, *merge, *branch, *next;
    WEIR_TRY(add_link(b, "Enter", &value, 1, attrs, 2, &enter));
    weir_edge twice[] = {{enter, 0}, {enter, 0}};
    WEIR_TRY(add_link(b, "Merge", twice, 2, NULL, 0, &merge));
    weir_edge decide[] = {{merge, 0}, {b->f->cond, 0}};
    WEIR_TRY(add_link(b, "Switch", decide, 2, NULL, 0, &branch));
    weir_edge again = {branch, 1};
    WEIR_TRY(add_link(b, "NextIteration", &again, 1, NULL, 0, &next));
    weir_graph_set_input(merge, 1, (weir_edge){next, 0});
    *out_merge = merge;
    return WEIR_OK;
}

/* The Merge of the chain by which |device| goes round with |f|; outer loops get theirs first. */
static weir_status control_loop(cutter *c, weir_place_frame *f, const weir_node *to,
                                weir_node **out_merge)
{
    const char *device = to->site.device;
    *out_merge = find_loop(f, device);
    if (*out_merge)
        return WEIR_OK;
    if (!f->cond)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "A cross-device loop must have a pivot predicate: %.*s",
                          WEIR_STR_ARG(f->name));
    weir_node *start;
    if (f->parent) {
        WEIR_TRY(control_loop(c, f->parent, to, &start));
    } else {
        WEIR_TRY(weir_place_empty(c->g, device, new_name(c, "", to->site.name, ""), NULL, &start));
        set_frame(c, start, NULL);
    }
    loop_building b = {c, f, device, to->site.name};
    WEIR_TRY(chain(&b, (weir_edge){start, 0}, out_merge));
    weir_vec_push(&f->control_loops, ((__typeof__(*f->control_loops.at)){device, *out_merge}));
    return WEIR_OK;
}

static weir_status loop_for_edge(cutter *c, const weir_node *from, const weir_node *to)
{
    weir_place_frame *f = apart(c, from, to) ? edge_frame(c, from, to) : NULL;
    weir_node *merge;
    return f ? control_loop(c, f, to, &merge) : WEIR_OK;
}

static weir_status add_control_loops(cutter *c)
{
    size_t count = c->g->nodes.count; /* without the chains */
    for (size_t i = 0; i < count; i++) {
        weir_node *n = c->g->nodes.at[i];
        if (n->removed)
            continue;
        for (int k = 0; k < n->site.in_count; k++)
            WEIR_TRY(loop_for_edge(c, n->in[k].node, n));
        for (size_t k = 0; k < n->controls.count; k++)
            WEIR_TRY(loop_for_edge(c, n->controls.at[k], n));
    }
    return WEIR_OK;
}

/* ---- cutting -------------------------------------------------------------------------------- */

static uint64_t incarnation(const cutter *c, const char *device)
{
    const weir_place_device *d = weir_map_get(&c->devices, weir_str_of(device));
    return d ? d->incarnation : 0;
}

static bool is_ref(weir_edge e)
{
    return e.index >= 0 && weir_dtype_is_ref(weir_edge_type(e));
}

/* The Merge that starts what |to| receives along an edge; null outside of loops. */
static weir_node *starter(const cutter *c, const weir_node *from, const weir_node *to)
{
    weir_place_frame *f = edge_frame(c, from, to);
    return f ? find_loop(f, to->site.device) : NULL;
}

static weir_status send_over(cutter *c, weir_edge from, const weir_node *to, weir_node **out_node)
{
    const char *name = from.node->site.name;
    weir_buf edge = {0};
    weir_buf_addf(&edge, "edge_%lld_%s", atomic_fetch_add(c->o->next, 1), name);
    pair_spec spec = {.from = from,
                      .to_device = to->site.device,
                      .tensor_name = edge.at,
                      .incarnation = incarnation(c, from.node->site.device),
                      .ctrl_name = from.index < 0 ? new_name(c, "", name, "/ctrl") : NULL,
                      .send_name = new_name(c, "", name, ""),
                      .recv_name = new_name(c, "", name, "")};
    weir_node *send, *recv;
    weir_status s = weir_place_pair(c->g, &spec, &send, &recv);
    weir_buf_fini(&edge);
    WEIR_TRY(s);
    weir_node *start = starter(c, from.node, to);
    if (start)
        weir_graph_add_control(start, recv);
    *out_node = recv;
    if (from.index >= 0)
        return WEIR_OK;
    weir_edge value = {recv, 0};
    weir_node_spec identity = {
        .name = new_name(c, "", name, ""), .op = "Identity", .in = &value, .in_count = 1};
    return weir_place_add(c->g, to->site.device, &identity, out_node);
}

/* A constant is as good anywhere, and needs no message. */
static bool copies(weir_edge e)
{
    return e.index >= 0 && weir_node_flow(e.node) == WEIR_FLOW_CONST && e.node->controls.count == 0;
}

static weir_status copy_over(cutter *c, weir_edge from, const weir_node *to, weir_node **out_node)
{
    const char *name = new_name(c, "", from.node->site.name, "");
    WEIR_TRY(weir_graph_copy_node(c->g, from.node, name, NULL, out_node));
    (*out_node)->site.device = to->site.device;
    return WEIR_OK;
}

/* The node of |to|'s task that gives what |from| gives. */
static weir_status received(cutter *c, weir_edge from, const weir_node *to, weir_node **out_node)
{
    weir_buf key = {0};
    weir_str t = task(to);
    weir_buf_addf(&key, "%d:%d>%.*s", from.node->id, from.index, WEIR_STR_ARG(t));
    weir_str k = {key.at, key.length};
    *out_node = is_ref(from) ? NULL : weir_map_get(&c->made, k);
    weir_status s = WEIR_OK;
    if (!*out_node) {
        s = copies(from) ? copy_over(c, from, to, out_node) : send_over(c, from, to, out_node);
        if (!s && !is_ref(from))
            weir_map_put(&c->made, k, *out_node);
    }
    weir_buf_fini(&key);
    return s;
}

static bool is_among(const weir_node *n, weir_node *const *nodes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (nodes[i] == n)
            return true;
    return false;
}

/* A reference is read when everything else that its user needs is there, as the user would do;
 * several of them wait for no other. */
static void delay_reads(weir_node *user, weir_node *const *reads, size_t count)
{
    for (size_t r = 0; r < count; r++) {
        for (int i = 0; i < user->site.in_count; i++)
            if (!is_ref(user->in[i]) && !is_among(user->in[i].node, reads, count))
                weir_graph_add_control(user->in[i].node, reads[r]);
        for (size_t i = 0; i < user->controls.count; i++)
            weir_graph_add_control(user->controls.at[i], reads[r]);
    }
}

static weir_status cut_inputs(cutter *c, weir_node *n, weir_node **reads, size_t *read_count)
{
    for (int i = 0; i < n->site.in_count; i++) {
        weir_edge e = n->in[i];
        if (copies(e))
            continue;
        weir_node *start = apart(c, e.node, n) ? starter(c, e.node, n) : NULL;
        if (same_task(e.node, n)) {
            if (start) /* its task cuts the edge and moves this to the _Recv */
                weir_graph_add_control(start, n);
            continue;
        }
        weir_node *here;
        WEIR_TRY(received(c, e, n, &here));
        weir_graph_set_input(n, i, (weir_edge){here, 0});
        if (is_ref(e))
            reads[(*read_count)++] = here;
    }
    return WEIR_OK;
}

static weir_status cut_controls(cutter *c, weir_node *n)
{
    for (size_t i = 0; i < n->controls.count;) {
        weir_node *from = n->controls.at[i], *here;
        if (same_task(from, n)) {
            i++;
            continue;
        }
        WEIR_TRY(received(c, (weir_edge){from, -1}, n, &here));
        weir_graph_remove_control(from, n);
        weir_graph_add_control(here, n);
    }
    return WEIR_OK;
}

/* Something that |n| waits for in its own frame; null: nothing. */
static weir_node *waits_for(const weir_node *n)
{
    if (weir_node_flow(n) == WEIR_FLOW_MERGE)
        return NULL; /* it does not wait for all of them */
    for (int i = 0; i < n->site.in_count; i++)
        if (!copies(n->in[i]))
            return n->in[i].node;
    return n->controls.count ? n->controls.at[0] : NULL;
}

/* Our executor reads constants from any frame. Others want them in that of the user, where a
 * control edge from another input puts them. */
static weir_status cut_constants(cutter *c, weir_node *n)
{
    weir_place_frame *f = frame_of(c, n);
    if (f && weir_node_flow(n) == WEIR_FLOW_ENTER)
        f = f->parent;
    for (int i = 0; i < n->site.in_count; i++) {
        weir_edge e = n->in[i];
        bool here = same_task(e.node, n);
        if (!copies(e) || (here && (!f || is_own(c, task(n)))))
            continue;
        weir_node *copy, *after = f ? waits_for(n) : NULL;
        WEIR_TRY(f ? copy_over(c, e, n, &copy) : received(c, e, n, &copy));
        if (after)
            weir_graph_add_control(after, copy);
        weir_graph_set_input(n, i, (weir_edge){copy, 0});
    }
    return WEIR_OK;
}

static weir_status cut_node(cutter *c, weir_node *n)
{
    weir_node **reads = WEIR_NEW_ARRAY(weir_node *, n->site.in_count);
    size_t read_count = 0;
    weir_status s = cut_inputs(c, n, reads, &read_count);
    if (!s)
        s = cut_controls(c, n);
    if (!s)
        s = cut_constants(c, n);
    if (!s && read_count && weir_node_flow(n) != WEIR_FLOW_MERGE)
        delay_reads(n, reads, read_count);
    weir_free(reads);
    return s;
}

static weir_status cut_all(cutter *c)
{
    size_t count = c->g->nodes.count; /* without the pairs */
    for (size_t i = 0; i < count; i++)
        if (!c->g->nodes.at[i]->removed)
            WEIR_TRY(cut_node(c, c->g->nodes.at[i]));
    return WEIR_OK;
}

/* ---- parts ---------------------------------------------------------------------------------- */

/* No edge leads from a task to another any more: its nodes can go all at once. */
static void take_out(weir_graph *g, weir_str t)
{
    for (size_t i = 0; i < g->nodes.count; i++) {
        weir_node *n = g->nodes.at[i];
        if (n->removed || !weir_str_eq(task(n), t))
            continue;
        n->removed = true;
        weir_map_remove(&g->by_name, weir_str_of(n->site.name));
    }
}

static void make_partitions(cutter *c, weir_partitions *out)
{
    out->at = WEIR_NEW_ARRAY(weir_partition, c->tasks.count);
    out->count = (int)c->tasks.count;
    for (int i = 0; i < out->count; i++) {
        weir_str t = c->tasks.at[i];
        out->at[i].task = weir_strndup(t.at, t.length);
        out->at[i].node_count = weir_place_export_task(c->g, out->at[i].task, &out->at[i].graph);
    }
    for (int i = 0; i < out->count; i++)
        take_out(c->g, weir_str_of(out->at[i].task));
}

static weir_status partition(cutter *c, weir_partitions *out)
{
    move_flow(c->g);
    for (size_t i = 0; i < c->g->nodes.count; i++)
        if (!c->g->nodes.at[i]->removed)
            note_task(c, c->g->nodes.at[i]);
    if (!c->tasks.count)
        return WEIR_OK;
    for (int i = 0; i < c->o->device_count; i++)
        weir_map_put(&c->devices, weir_str_of(c->o->devices[i].name), (void *)&c->o->devices[i]);
    weir_place_find_frames(c->g, &c->frames);
    WEIR_TRY(add_control_loops(c));
    WEIR_TRY(cut_all(c));
    make_partitions(c, out);
    return WEIR_OK;
}

static bool all_own(const weir_graph *g, const char *own_task)
{
    for (size_t i = 0; i < g->nodes.count; i++)
        if (!g->nodes.at[i]->removed && !weir_str_is(task(g->nodes.at[i]), own_task))
            return false;
    return true;
}

weir_status weir_place_partition(weir_graph *g, const weir_partition_options *options,
                                 weir_partitions *out_partitions)
{
    *out_partitions = (weir_partitions){0};
    if (all_own(g, options->own_task))
        return WEIR_OK;
    cutter c = {.g = g, .o = options};
    weir_status s = partition(&c, out_partitions);
    weir_place_frames_fini(&c.frames);
    weir_map_fini(&c.devices);
    weir_map_fini(&c.made);
    weir_vec_fini(&c.tasks);
    return s;
}

void weir_partitions_fini(weir_partitions *p)
{
    for (int i = 0; i < p->count; i++) {
        weir_free(p->at[i].task);
        weir_buf_fini(&p->at[i].graph);
    }
    weir_free(p->at);
    *p = (weir_partitions){0};
}
