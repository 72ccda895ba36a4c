/* place/partition.c - replaces edges between tasks by pairs; adds control loops. */
#include "place/partition.h"

#include "place/place_impl.h"

typedef struct cutter {
    weir_graph *g;
    const weir_partition_options *o;
    weir_place_frames frames;
    weir_map devices;         /* full name -> weir_place_device */
    weir_map made;            /* "source:index>task[frame]" -> the node with the value there */
    WEIR_VEC(weir_str) tasks; /* other tasks, in order of discovery */
} cutter;

static weir_str task_of(const char *device)
{
    const char *end = strstr(device, "/device:");
    return (weir_str){device, end ? (size_t)(end - device) : strlen(device)};
}

static weir_str task(const weir_node *node)
{
    return task_of(node->site.device);
}

static bool is_own(const cutter *cutter, weir_str text)
{
    return weir_str_is(text, cutter->o->own_task);
}

static bool same_task(const weir_node *a, const weir_node *b)
{
    return a->site.device == b->site.device || weir_str_eq(task(a), task(b));
}

/* Nodes between which a task's executor sees a device boundary. Ours runs all its devices. */
static bool apart(const cutter *cutter, const weir_node *a, const weir_node *b)
{
    if (strcmp(a->site.device, b->site.device) == 0)
        return false;
    return !same_task(a, b) || !is_own(cutter, task(a));
}

static void note_task(cutter *cutter, const weir_node *node)
{
    weir_str text = task(node);
    if (is_own(cutter, text))
        return;
    for (size_t i = 0; i < cutter->tasks.count; i++)
        if (weir_str_eq(cutter->tasks.at[i], text))
            return;
    weir_vec_push(&cutter->tasks, text);
}

static const char *new_name(cutter *cutter, const char *prefix, const char *base, const char *part)
{
    WEIR_BUF(name);
    weir_buf_addf(&name, "%s%s%s_S%lld", prefix, base, part, atomic_fetch_add(cutter->o->next, 1));
    return weir_graph_unique_name(cutter->g, name.at);
}

/* ---- moving control flow -------------------------------------------------------------------- */

static weir_node *first_user(const weir_node *node)
{
    for (size_t i = 0; i < node->uses.count; i++)
        if (node->uses.at[i].output >= 0)
            return node->uses.at[i].node;
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
        weir_node *node = order[i];
        weir_flow flow = weir_node_flow(node);
        bool moves = flow == WEIR_FLOW_ENTER || flow == WEIR_FLOW_NEXT_ITERATION;
        weir_node *user = moves ? first_user(node) : NULL;
        if (user && !weir_dtype_is_ref(node->site.in_types[0]))
            node->site.device = user->site.device;
    }
}

static void move_flow(const weir_graph *graph)
{
    size_t count;
    weir_node **order = weir_graph_order(graph, &count);
    follow_inputs(order, count);
    follow_users(order, count);
    weir_free(order);
}

/* ---- loops over tasks ----------------------------------------------------------------------- */

static weir_place_frame *frame_of(const cutter *cutter, const weir_node *node)
{
    return (size_t)node->id < cutter->frames.of.count ? cutter->frames.of.at[node->id] : NULL;
}

/* The frame of an edge; null also if its ends disagree, which no executor accepts. */
static weir_place_frame *edge_frame(const cutter *cutter, const weir_node *from,
                                    const weir_node *to)
{
    weir_place_frame *out = frame_of(cutter, from), *in = frame_of(cutter, to);
    if (out && weir_node_flow(from) == WEIR_FLOW_EXIT)
        out = out->parent;
    if (in && weir_node_flow(to) == WEIR_FLOW_ENTER)
        in = in->parent;
    return out == in ? in : NULL;
}

static weir_node *find_loop(const weir_place_frame *frame, const char *device)
{
    for (size_t i = 0; i < frame->control_loops.count; i++)
        if (strcmp(frame->control_loops.at[i].device, device) == 0)
            return frame->control_loops.at[i].merge;
    return NULL;
}

static void set_frame(cutter *cutter, const weir_node *node, weir_place_frame *frame)
{
    while (cutter->frames.of.count <= (size_t)node->id)
        weir_vec_push(&cutter->frames.of, (weir_place_frame *)NULL);
    cutter->frames.of.at[node->id] = frame;
}

typedef struct loop_building {
    cutter *c;
    weir_place_frame *f;
    const char *device;
    const char *base; /* the node that the chain is for */
} loop_building;

static weir_status add_link(loop_building *building, const char *op, const weir_edge *in,
                            int in_count, const weir_named_attr *attrs, int attr_count,
                            weir_node **out)
{
    weir_node_spec spec = {.name = new_name(building->c, "_cloop", building->base, ""),
                           .op = op,
                           .in = in,
                           .in_count = in_count,
                           .attrs = attrs,
                           .attr_count = attr_count};
    WEIR_TRY(weir_place_add(building->c->g, building->device, &spec, out));
    set_frame(building->c, *out, building->f);
    return WEIR_OK;
}

/* Enter, Merge, Switch, NextIteration: the control loop in a task that does not own the loop. */
static weir_status chain(loop_building *building, weir_edge value, weir_node **out_merge)
{
    const weir_attr *parallel = weir_node_attr(building->f->enter, "parallel_iterations");
    weir_named_attr attrs[] = {
        {"frame_name", {.kind = WEIR_ATTR_STRING, .s = building->f->name}},
        weir_a_int("parallel_iterations", parallel ? parallel->i : 10),
    };
    weir_node *enter, *merge, *branch, *next;
    WEIR_TRY(add_link(building, "Enter", &value, 1, attrs, 2, &enter));
    weir_edge twice[] = {{enter, 0}, {enter, 0}};
    WEIR_TRY(add_link(building, "Merge", twice, 2, NULL, 0, &merge));
    weir_edge decide[] = {{merge, 0}, {building->f->cond, 0}};
    WEIR_TRY(add_link(building, "Switch", decide, 2, NULL, 0, &branch));
    weir_edge again = {branch, 1};
    WEIR_TRY(add_link(building, "NextIteration", &again, 1, NULL, 0, &next));
    weir_graph_set_input(merge, 1, (weir_edge){next, 0});
    *out_merge = merge;
    return WEIR_OK;
}

/* The Merge of |device|'s control loop for |frame|; creates those of outer loops first. */
static weir_status control_loop(cutter *cutter, weir_place_frame *frame, const weir_node *to,
                                weir_node **out_merge)
{
    const char *device = to->site.device;
    *out_merge = find_loop(frame, device);
    if (*out_merge)
        return WEIR_OK;
    if (!frame->cond)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "A cross-device loop must have a pivot predicate: %.*s",
                          WEIR_STR_ARG(frame->name));
    weir_node *start;
    if (frame->parent) {
        WEIR_TRY(control_loop(cutter, frame->parent, to, &start));
    } else {
        WEIR_TRY(weir_place_empty(cutter->g, device, new_name(cutter, "", to->site.name, ""), NULL,
                                  &start));
        set_frame(cutter, start, NULL);
    }
    loop_building building = {cutter, frame, device, to->site.name};
    WEIR_TRY(chain(&building, (weir_edge){start, 0}, out_merge));
    weir_vec_push(&frame->control_loops,
                  ((__typeof__(*frame->control_loops.at)){device, *out_merge}));
    return WEIR_OK;
}

/* True when |device| has a back edge of |frame|. */
static bool goes_round(const cutter *cutter, const weir_place_frame *frame, const char *device)
{
    for (size_t i = 0; i < cutter->g->nodes.count; i++) {
        const weir_node *node = cutter->g->nodes.at[i];
        if (!node->removed && weir_node_flow(node) == WEIR_FLOW_MERGE &&
            frame_of(cutter, node) == frame && strcmp(node->site.device, device) == 0)
            return true;
    }
    return false;
}

/* A receiver in a loop needs a control loop; so does a sender, because all its values may be
 * invariants. */
static weir_status loop_for_edge(cutter *cutter, const weir_node *from, const weir_node *to)
{
    weir_place_frame *frame = apart(cutter, from, to) ? edge_frame(cutter, from, to) : NULL;
    weir_node *merge;
    if (!frame)
        return WEIR_OK;
    WEIR_TRY(control_loop(cutter, frame, to, &merge));
    return goes_round(cutter, frame, from->site.device) ? WEIR_OK
                                                        : control_loop(cutter, frame, from, &merge);
}

static weir_status add_control_loops(cutter *cutter)
{
    size_t count = cutter->g->nodes.count; /* excludes the chains */
    for (size_t i = 0; i < count; i++) {
        weir_node *node = cutter->g->nodes.at[i];
        if (node->removed)
            continue;
        for (int k = 0; k < node->site.in_count; k++)
            WEIR_TRY(loop_for_edge(cutter, node->in[k].node, node));
        for (size_t k = 0; k < node->controls.count; k++)
            WEIR_TRY(loop_for_edge(cutter, node->controls.at[k], node));
    }
    return WEIR_OK;
}

/* ---- cutting -------------------------------------------------------------------------------- */

static uint64_t incarnation(const cutter *cutter, const char *device)
{
    const weir_place_device *place_device = weir_map_get(&cutter->devices, weir_str_of(device));
    return place_device ? place_device->incarnation : 0;
}

static bool is_ref(weir_edge edge)
{
    return edge.index >= 0 && weir_dtype_is_ref(weir_edge_type(edge));
}

/* The Merge that triggers the receives of |to| along an edge; null outside of loops. */
static weir_node *starter(const cutter *cutter, const weir_node *from, const weir_node *to)
{
    weir_place_frame *frame = edge_frame(cutter, from, to);
    return frame ? find_loop(frame, to->site.device) : NULL;
}

/* Send and receive along an edge in a loop get control edges from both chains: to trigger the one,
 * and to keep the other's chain alive. */
static void follow_chains(const cutter *cutter, const weir_node *from, const weir_node *to,
                          weir_node *send, weir_node *recv)
{
    weir_place_frame *frame = edge_frame(cutter, from, to);
    weir_node *sends = frame ? find_loop(frame, from->site.device) : NULL;
    weir_node *start = starter(cutter, from, to);
    if (sends)
        weir_graph_add_control(sends, send);
    if (start)
        weir_graph_add_control(start, recv);
}

static weir_status send_over(cutter *cutter, weir_edge from, const weir_node *to,
                             weir_node **out_node)
{
    const char *name = from.node->site.name;
    WEIR_BUF(edge);
    weir_buf_addf(&edge, "edge_%lld_%s", atomic_fetch_add(cutter->o->next, 1), name);
    pair_spec spec = {.from = from,
                      .to_device = to->site.device,
                      .tensor_name = edge.at,
                      .incarnation = incarnation(cutter, from.node->site.device),
                      .ctrl_name = from.index < 0 ? new_name(cutter, "", name, "/ctrl") : NULL,
                      .send_name = new_name(cutter, "", name, ""),
                      .recv_name = new_name(cutter, "", name, "")};
    weir_node *send, *recv;
    WEIR_TRY(weir_place_pair(cutter->g, &spec, &send, &recv));
    follow_chains(cutter, from.node, to, send, recv);
    *out_node = recv;
    if (from.index >= 0)
        return WEIR_OK;
    weir_edge value = {recv, 0};
    weir_node_spec identity = {
        .name = new_name(cutter, "", name, ""), .op = "Identity", .in = &value, .in_count = 1};
    return weir_place_add(cutter->g, to->site.device, &identity, out_node);
}

/* Constants are copied: they need no message. */
static bool copies(weir_edge edge)
{
    return edge.index >= 0 && weir_node_flow(edge.node) == WEIR_FLOW_CONST &&
           edge.node->controls.count == 0;
}

static weir_status copy_over(cutter *cutter, weir_edge from, const weir_node *to,
                             weir_node **out_node)
{
    const char *name = new_name(cutter, "", from.node->site.name, "");
    WEIR_TRY(weir_graph_copy_node(cutter->g, from.node, name, NULL, out_node));
    (*out_node)->site.device = to->site.device;
    return WEIR_OK;
}

/* The node on |to|'s task with the value of |from|. */
static weir_status received(cutter *cutter, weir_edge from, const weir_node *to,
                            weir_node **out_node)
{
    WEIR_BUF(key);
    weir_str text = task(to);
    weir_buf_addf(&key, "%d:%d>%.*s", from.node->id, from.index, WEIR_STR_ARG(text));
    weir_str str = {key.at, key.length};
    *out_node = is_ref(from) ? NULL : weir_map_get(&cutter->made, str);
    weir_status status = WEIR_OK;
    if (!*out_node) {
        status = copies(from) ? copy_over(cutter, from, to, out_node)
                              : send_over(cutter, from, to, out_node);
        if (!status && !is_ref(from))
            weir_map_put(&cutter->made, str, *out_node);
    }
    return status;
}

static bool is_among(const weir_node *node, weir_node *const *nodes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (nodes[i] == node)
            return true;
    return false;
}

/* A reference is read when all other inputs of its user are available, as by the user itself;
 * several reads do not wait for each other. */
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

static weir_status cut_inputs(cutter *cutter, weir_node *node, weir_node **reads,
                              size_t *read_count)
{
    for (int i = 0; i < node->site.in_count; i++) {
        weir_edge edge = node->in[i];
        if (copies(edge))
            continue;
        weir_node *start = apart(cutter, edge.node, node) ? starter(cutter, edge.node, node) : NULL;
        if (same_task(edge.node, node)) {
            if (start) /* its task cuts this edge and moves it to the _Recv */
                weir_graph_add_control(start, node);
            continue;
        }
        weir_node *here;
        WEIR_TRY(received(cutter, edge, node, &here));
        weir_graph_set_input(node, i, (weir_edge){here, 0});
        if (is_ref(edge))
            reads[(*read_count)++] = here;
    }
    return WEIR_OK;
}

static weir_status cut_controls(cutter *cutter, weir_node *node)
{
    for (size_t i = 0; i < node->controls.count;) {
        weir_node *from = node->controls.at[i], *here;
        if (same_task(from, node)) {
            i++;
            continue;
        }
        WEIR_TRY(received(cutter, (weir_edge){from, -1}, node, &here));
        weir_graph_remove_control(from, node);
        weir_graph_add_control(here, node);
    }
    return WEIR_OK;
}

/* A producer that |node| waits for in its own frame; null: none. */
static weir_node *waits_for(const weir_node *node)
{
    if (weir_node_flow(node) == WEIR_FLOW_MERGE)
        return NULL; /* Merge does not wait for all inputs */
    for (int i = 0; i < node->site.in_count; i++)
        if (!copies(node->in[i]))
            return node->in[i].node;
    return node->controls.count ? node->controls.at[0] : NULL;
}

/* Our executor reads constants from any frame. Others need them in the user's frame, ensured by a
 * control edge from another input. */
static weir_status cut_constants(cutter *cutter, weir_node *node)
{
    weir_place_frame *frame = frame_of(cutter, node);
    if (frame && weir_node_flow(node) == WEIR_FLOW_ENTER)
        frame = frame->parent;
    for (int i = 0; i < node->site.in_count; i++) {
        weir_edge edge = node->in[i];
        bool here = same_task(edge.node, node);
        if (!copies(edge) || (here && (!frame || is_own(cutter, task(node)))))
            continue;
        weir_node *copy, *after = frame ? waits_for(node) : NULL;
        WEIR_TRY(frame ? copy_over(cutter, edge, node, &copy)
                       : received(cutter, edge, node, &copy));
        if (after)
            weir_graph_add_control(after, copy);
        weir_graph_set_input(node, i, (weir_edge){copy, 0});
    }
    return WEIR_OK;
}

static weir_status cut_node(cutter *cutter, weir_node *node)
{
    weir_node **reads = WEIR_NEW_ARRAY(weir_node *, node->site.in_count);
    size_t read_count = 0;
    weir_status status = cut_inputs(cutter, node, reads, &read_count);
    if (!status)
        status = cut_controls(cutter, node);
    if (!status)
        status = cut_constants(cutter, node);
    if (!status && read_count && weir_node_flow(node) != WEIR_FLOW_MERGE)
        delay_reads(node, reads, read_count);
    weir_free(reads);
    return status;
}

static weir_status cut_all(cutter *cutter)
{
    size_t count = cutter->g->nodes.count; /* excludes the pairs */
    for (size_t i = 0; i < count; i++)
        if (!cutter->g->nodes.at[i]->removed)
            WEIR_TRY(cut_node(cutter, cutter->g->nodes.at[i]));
    return WEIR_OK;
}

/* ---- partitions ------------------------------------------------------------------------------ */

/* No edges between tasks are left: removes the nodes of a task at once. */
static void take_out(weir_graph *graph, weir_str text)
{
    for (size_t i = 0; i < graph->nodes.count; i++) {
        weir_node *node = graph->nodes.at[i];
        if (node->removed || !weir_str_eq(task(node), text))
            continue;
        node->removed = true;
        weir_map_remove(&graph->by_name, weir_str_of(node->site.name));
    }
}

static void make_partitions(cutter *cutter, weir_partitions *out)
{
    out->at = WEIR_NEW_ARRAY(weir_partition, cutter->tasks.count);
    out->count = (int)cutter->tasks.count;
    for (int i = 0; i < out->count; i++) {
        weir_str text = cutter->tasks.at[i];
        out->at[i].task = weir_strndup(text.at, text.length);
        out->at[i].node_count =
            weir_place_export_task(cutter->g, out->at[i].task, &out->at[i].graph);
    }
    for (int i = 0; i < out->count; i++)
        take_out(cutter->g, weir_str_of(out->at[i].task));
}

static weir_status partition(cutter *cutter, weir_partitions *out)
{
    move_flow(cutter->g);
    for (size_t i = 0; i < cutter->g->nodes.count; i++)
        if (!cutter->g->nodes.at[i]->removed)
            note_task(cutter, cutter->g->nodes.at[i]);
    if (!cutter->tasks.count)
        return WEIR_OK;
    for (int i = 0; i < cutter->o->device_count; i++)
        weir_map_put(&cutter->devices, weir_str_of(cutter->o->devices[i].name),
                     (void *)&cutter->o->devices[i]);
    weir_place_find_frames(cutter->g, &cutter->frames);
    WEIR_TRY(add_control_loops(cutter));
    WEIR_TRY(cut_all(cutter));
    make_partitions(cutter, out);
    return WEIR_OK;
}

static bool all_own(const weir_graph *graph, const char *own_task)
{
    for (size_t i = 0; i < graph->nodes.count; i++)
        if (!graph->nodes.at[i]->removed && !weir_str_is(task(graph->nodes.at[i]), own_task))
            return false;
    return true;
}

weir_status weir_place_partition(weir_graph *graph, const weir_partition_options *options,
                                 weir_partitions *out_partitions)
{
    *out_partitions = (weir_partitions){0};
    if (all_own(graph, options->own_task))
        return WEIR_OK;
    cutter cutter = {.g = graph, .o = options};
    weir_status status = partition(&cutter, out_partitions);
    weir_place_frames_fini(&cutter.frames);
    weir_map_fini(&cutter.devices);
    weir_map_fini(&cutter.made);
    weir_vec_fini(&cutter.tasks);
    return status;
}

void weir_partitions_fini(weir_partitions *partitions)
{
    for (int i = 0; i < partitions->count; i++) {
        weir_free(partitions->at[i].task);
        weir_buf_fini(&partitions->at[i].graph);
    }
    weir_free(partitions->at);
    *partitions = (weir_partitions){0};
}
