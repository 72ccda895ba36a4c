/* session/prepare.c - from feeds, fetches and targets to a plan.
 *
 * The subgraph that the fetches and targets need is copied into a graph of the plan's own, with an
 * _Arg for each feed and a _Retval for each fetch, so that the client may extend its graph while
 * steps run.
 */
#include <inttypes.h>
#include <stdio.h>

#include "base/deadline.h"
#include "base/room.h"
#include "session/session_impl.h"

typedef struct pruning {
    weir_local_session *s;
    const weir_request *q;
    weir_graph *from, *to;
    weir_node **copies; /* by id of |from| */
    weir_node **args;   /* by feed */
    bool *needed;       /* by id */
    int *first_feed;    /* by id: 1 + a feed of the node's, 0: not fed ... */
    int *next_feed;     /* ... by feed: 1 + another of the same node */
    bool loose;         /* feeds may have any shape */
} pruning;

/* ---- checking ------------------------------------------------------------------------------- */

static void edge_name(weir_edge edge, char *out, size_t room)
{
    snprintf(out, room, "%s:%d", edge.node->site.name, edge.index);
}

static weir_status check_edge(const weir_local_session *session, weir_edge edge, const char *what)
{
    if (!edge.node || edge.node->graph != session->base.graph)
        return weir_error(WEIR_INVALID_ARGUMENT, "%s is not in this session's graph", what);
    if (edge.index < 0 || edge.index >= edge.node->site.out_count)
        return weir_error(
            WEIR_OUT_OF_RANGE, "Node '%s' (type: '%s', num of outputs: %d) does not have output %d",
            edge.node->site.name, edge.node->site.def->name, edge.node->site.out_count, edge.index);
    return WEIR_OK;
}

static int fed_by(const pruning *pruning, weir_edge edge)
{
    for (int i = pruning->first_feed[edge.node->id]; i; i = pruning->next_feed[i - 1])
        if (pruning->q->feeds[i - 1].index == edge.index)
            return i - 1;
    return -1;
}

static weir_status enter_feed(pruning *pruning, int i)
{
    weir_edge edge = pruning->q->feeds[i];
    WEIR_TRY(check_edge(pruning->s, edge, "a feed"));
    if (fed_by(pruning, edge) >= 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "Endpoint \"%s:%d\" fed more than once.",
                          edge.node->site.name, edge.index);
    pruning->next_feed[i] = pruning->first_feed[edge.node->id];
    pruning->first_feed[edge.node->id] = i + 1;
    return WEIR_OK;
}

static weir_status check_request(pruning *pruning)
{
    const weir_request *request = pruning->q;
    for (int i = 0; i < request->feed_count; i++)
        WEIR_TRY(enter_feed(pruning, i));
    for (int i = 0; i < request->fetch_count; i++) {
        weir_edge edge = request->fetches[i];
        WEIR_TRY(check_edge(pruning->s, edge, "a fetch"));
        if (fed_by(pruning, edge) >= 0)
            return weir_error(WEIR_INVALID_ARGUMENT, "%s:%d is both fed and fetched.",
                              edge.node->site.name, edge.index);
    }
    for (int i = 0; i < request->target_count; i++)
        if (!request->targets[i] || request->targets[i]->graph != pruning->from)
            return weir_error(WEIR_INVALID_ARGUMENT, "a target is not in this session's graph");
    return WEIR_OK;
}

/* ---- pruning -------------------------------------------------------------------------------- */

/* A control edge from a fed placeholder becomes one from the feed: the node itself would fail. */
static int fed_placeholder(const pruning *pruning, weir_node *node)
{
    bool is_placeholder = weir_node_flow(node) == WEIR_FLOW_PLACEHOLDER;
    return is_placeholder ? fed_by(pruning, (weir_edge){node, 0}) : -1;
}

/* Marks all nodes that |first| depends on. */
static void mark(pruning *pruning, weir_node *first)
{
    if (pruning->needed[first->id])
        return;
    WEIR_VEC(weir_node *) queue = {0};
    pruning->needed[first->id] = true;
    weir_vec_push(&queue, first);
    while (queue.count) {
        weir_node *node = queue.at[--queue.count];
        for (int i = 0; i < node->site.in_count; i++) {
            weir_node *in = node->in[i].node;
            if (fed_by(pruning, node->in[i]) < 0 && !pruning->needed[in->id]) {
                pruning->needed[in->id] = true;
                weir_vec_push(&queue, in);
            }
        }
        for (size_t i = 0; i < node->controls.count; i++) {
            weir_node *control = node->controls.at[i];
            if (!pruning->needed[control->id] && fed_placeholder(pruning, control) < 0) {
                pruning->needed[control->id] = true;
                weir_vec_push(&queue, control);
            }
        }
    }
    weir_vec_fini(&queue);
}

static void mark_all(pruning *pruning)
{
    for (int i = 0; i < pruning->q->fetch_count; i++)
        if (fed_by(pruning, pruning->q->fetches[i]) < 0)
            mark(pruning, pruning->q->fetches[i].node);
    for (int i = 0; i < pruning->q->target_count; i++)
        mark(pruning, pruning->q->targets[i]);
}

static weir_status add_arg(pruning *pruning, int i)
{
    weir_edge edge = pruning->q->feeds[i];
    char name[32];
    snprintf(name, sizeof name, "_arg_%d", i);
    weir_named_attr attrs[] = {weir_a_type("T", weir_edge_dtype(edge)), weir_a_int("index", i)};
    WEIR_TRY(weir_graph_add(pruning->to,
                            &(weir_node_spec){.name = weir_graph_unique_name(pruning->to, name),
                                              .op = "_Arg",
                                              .attrs = attrs,
                                              .attr_count = 2},
                            &pruning->args[i]));
    pruning->args[i]->out_shapes[0] = pruning->loose ? WEIR_UNKNOWN_SHAPE : *weir_edge_shape(edge);
    if (pruning->args[i]->out_handles && edge.node->out_handles)
        pruning->args[i]->out_handles[0] = edge.node->out_handles[edge.index];
    return WEIR_OK;
}

static weir_status add_retval(pruning *pruning, int i, weir_edge edge)
{
    char name[32];
    snprintf(name, sizeof name, "_retval_%d", i);
    weir_named_attr attrs[] = {weir_a_type("T", weir_edge_dtype(edge)), weir_a_int("index", i)};
    weir_node *node;
    return weir_graph_add(pruning->to,
                          &(weir_node_spec){.name = weir_graph_unique_name(pruning->to, name),
                                            .op = "_Retval",
                                            .in = &edge,
                                            .in_count = 1,
                                            .attrs = attrs,
                                            .attr_count = 2},
                          &node);
}

static weir_edge copied(const pruning *pruning, weir_edge edge)
{
    int feed = fed_by(pruning, edge);
    return feed >= 0 ? (weir_edge){pruning->args[feed], 0}
                     : (weir_edge){pruning->copies[edge.node->id], edge.index};
}

/* Checks restrictions of steps that graphs do not have: unresolved attrs, and values instead of
 * references. */
static weir_status check_runs(const pruning *pruning, const weir_node *node)
{
    if (node->open)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Node '%s' has a placeholder for an attr: it can be part of a function, "
                          "and cannot run",
                          node->site.name);
    for (int i = 0; i < node->site.in_count; i++) {
        int feed = weir_dtype_is_ref(node->site.in_types[i]) ? fed_by(pruning, node->in[i]) : -1;
        if (feed >= 0)
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "Input %d of node %s was passed %s from %s:0 incompatible with "
                              "expected %s.",
                              i, node->site.name, weir_dtype_name(weir_edge_dtype(node->in[i])),
                              pruning->args[feed]->site.name,
                              weir_dtype_name(node->site.in_types[i]));
    }
    return WEIR_OK;
}

static weir_status copy_nodes(pruning *pruning)
{
    for (size_t i = 0; i < pruning->from->nodes.count; i++) {
        weir_node *node = pruning->from->nodes.at[i];
        if (!pruning->needed[i] || node->removed)
            continue;
        WEIR_TRY(check_runs(pruning, node));
        weir_edge *none = WEIR_NEW_ARRAY(weir_edge, node->site.in_count);
        weir_status status =
            weir_graph_copy_node(pruning->to, node, node->site.name, none, &pruning->copies[i]);
        weir_free(none);
        WEIR_TRY(status);
    }
    for (size_t i = 0; i < pruning->from->nodes.count; i++) {
        weir_node *node = pruning->from->nodes.at[i], *copy = pruning->copies[i];
        for (int k = 0; copy && k < node->site.in_count; k++)
            weir_graph_set_input(copy, k, copied(pruning, node->in[k]));
        for (size_t k = 0; copy && k < node->controls.count; k++) {
            int feed = fed_placeholder(pruning, node->controls.at[k]);
            weir_graph_add_control(
                feed >= 0 ? pruning->args[feed] : pruning->copies[node->controls.at[k]->id], copy);
        }
    }
    return WEIR_OK;
}

/* Infers every shape again with unknown feeds. Shapes in loops stay unknown. */
static void forget_shapes(weir_graph *graph)
{
    size_t count;
    weir_node **order = weir_graph_order(graph, &count);
    for (size_t i = 0; i < count; i++) {
        if (weir_node_flow(order[i]) == WEIR_FLOW_ARG)
            continue;
        for (int k = 0; k < order[i]->site.out_count; k++)
            order[i]->out_shapes[k] = WEIR_UNKNOWN_SHAPE;
        if (weir_node_flow(order[i]) != WEIR_FLOW_MERGE)
            weir_status_free(weir_node_infer(order[i]));
    }
    weir_free(order);
}

/* Some assignment of the session's graph gives the variable a value of another shape than declared.
 */
static bool changes_shape(const weir_node *variable)
{
    for (size_t i = 0; i < variable->uses.count; i++) {
        const weir_node *user = variable->uses.at[i].node;
        const weir_attr *checked = weir_node_attr(user, "validate_shape");
        if (variable->uses.at[i].input == 0 && checked && !checked->b &&
            !weir_shape_eq(weir_edge_shape(user->in[1]), &variable->out_shapes[0]))
            return true;
    }
    return false;
}

typedef WEIR_VEC(weir_node *) node_list;

static void forget_variables(const pruning *pruning, node_list *changed)
{
    for (size_t i = 0; i < pruning->from->nodes.count; i++) {
        const weir_node *node = pruning->from->nodes.at[i];
        bool variable = pruning->copies[i] && node->site.in_count == 0 &&
                        node->site.out_count == 1 && weir_dtype_is_ref(node->site.out_types[0]);
        if (!variable || !weir_shape_known(&node->out_shapes[0]) || !changes_shape(node))
            continue;
        pruning->copies[i]->out_shapes[0] = WEIR_UNKNOWN_SHAPE;
        weir_vec_push(changed, pruning->copies[i]);
    }
}

/* Shapes may have been inferred from the value that a feed replaces. Placeholders have none. */
static void forget_fed_values(const pruning *pruning, node_list *changed)
{
    for (int i = 0; i < pruning->q->feed_count; i++)
        if (weir_node_flow(pruning->q->feeds[i].node) != WEIR_FLOW_PLACEHOLDER)
            weir_vec_push(changed, pruning->args[i]);
}

/* Infers again what may depend on what this step, or another one, changes. */
static void forget_changes(const pruning *pruning)
{
    node_list changed = {0};
    forget_variables(pruning, &changed);
    forget_fed_values(pruning, &changed);
    weir_graph_infer_readers(changed.at, changed.count);
    weir_vec_fini(&changed);
}

static weir_status prune(pruning *pruning)
{
    for (size_t i = 0; i < pruning->from->function_list.count; i++)
        WEIR_TRY(weir_graph_add_function(pruning->to, pruning->from->function_list.at[i]));
    mark_all(pruning);
    for (int i = 0; i < pruning->q->feed_count; i++)
        WEIR_TRY(add_arg(pruning, i));
    WEIR_TRY(copy_nodes(pruning));
    if (pruning->loose)
        forget_shapes(pruning->to);
    forget_changes(pruning);
    for (int i = 0; i < pruning->q->fetch_count; i++)
        WEIR_TRY(add_retval(pruning, i, copied(pruning, pruning->q->fetches[i])));
    return WEIR_OK;
}

/* ---- plans ---------------------------------------------------------------------------------- */

void weir_local_add_library(weir_local_session *session, const weir_graph *graph)
{
    weir_mutex_lock(&session->lock);
    for (size_t i = 0; i < graph->function_list.count; i++)
        weir_status_free(weir_graph_add_function(session->library, graph->function_list.at[i]));
    weir_mutex_unlock(&session->lock);
}

void weir_prepared_free(prepared *prepared)
{
    if (!prepared)
        return;
    weir_plan_release(prepared->plan);
    if (prepared->registered)
        prepared->remote->unregister(prepared->registered);
    weir_buf_fini(&prepared->key);
    for (int i = 0; i < prepared->feed_count; i++)
        weir_free(prepared->feed_names[i]);
    for (int i = 0; i < prepared->fetch_count; i++)
        weir_free(prepared->fetch_names[i]);
    weir_free(prepared->feed_names);
    weir_free(prepared->fetch_names);
    weir_free(prepared->feed_types);
    weir_free(prepared->feed_shapes);
    weir_room_drop(&prepared->held);
    weir_free(prepared);
}

static void describe(prepared *prepared, const weir_request *request, bool loose)
{
    char name[512];
    prepared->feed_types = WEIR_NEW_ARRAY(weir_dtype, request->feed_count);
    prepared->feed_shapes = WEIR_NEW_ARRAY(weir_shape, request->feed_count);
    prepared->feed_names = WEIR_NEW_ARRAY(char *, request->feed_count);
    prepared->fetch_names = WEIR_NEW_ARRAY(char *, request->fetch_count);
    for (; prepared->feed_count < request->feed_count; prepared->feed_count++) {
        weir_edge edge = request->feeds[prepared->feed_count];
        edge_name(edge, name, sizeof name);
        prepared->feed_types[prepared->feed_count] = weir_edge_dtype(edge);
        prepared->feed_shapes[prepared->feed_count] =
            loose ? WEIR_UNKNOWN_SHAPE : *weir_edge_shape(edge);
        prepared->feed_names[prepared->feed_count] = weir_strdup(name);
    }
    for (; prepared->fetch_count < request->fetch_count; prepared->fetch_count++) {
        edge_name(request->fetches[prepared->fetch_count], name, sizeof name);
        prepared->fetch_names[prepared->fetch_count] = weir_strdup(name);
    }
}

/* A session keeps the plans of all its requests, which a client can vary without end. */
static weir_status hold_memory(const weir_graph *graph, prepared *prepared)
{
    enum { PLAN_BYTES = 4096, NODE_BYTES = 1024 };
    return weir_room_hold(&prepared->held, PLAN_BYTES + graph->nodes.count * NODE_BYTES,
                          "the plan of a step");
}

/* The plan for the own devices, and the other tasks' partitions. Takes over the graph. */
static weir_status make_partitions(plan_source source, prepared *out)
{
    weir_partitions partitions = {0};
    weir_local_session *session = source.s;
    source.partitions = &partitions;
    weir_status st = weir_local_make_plan(&source, &out->plan);
    out->remote = session->remote;
    if (!st && session->remote && (partitions.count || out->graph_key))
        st = session->remote->register_partitions(session->remote, &partitions, out->graph_key,
                                                  &out->registered);
    weir_partitions_fini(&partitions);
    return st;
}

/* The subgraph that the request needs, with the nodes to preserve in |keep|. */
static weir_status prune_for(weir_local_session *session, const weir_request *request, bool loose,
                             prepared *out, weir_graph *to, weir_node **keep)
    WEIR_REQUIRES(session->base.graph_lock)
{
    pruning pruning = {
        .s = session, .q = request, .from = session->base.graph, .to = to, .loose = loose};
    pruning.copies = WEIR_NEW_ARRAY(weir_node *, pruning.from->nodes.count);
    pruning.needed = WEIR_NEW_ARRAY(bool, pruning.from->nodes.count);
    pruning.first_feed = WEIR_NEW_ARRAY(int, pruning.from->nodes.count);
    pruning.next_feed = WEIR_NEW_ARRAY(int, request->feed_count);
    pruning.args = WEIR_NEW_ARRAY(weir_node *, request->feed_count);
    weir_status status = check_request(&pruning);
    if (!status) {
        describe(out, request, loose);
        status = prune(&pruning);
    }
    for (int i = 0; i < request->target_count && !status; i++)
        keep[i] = pruning.copies[request->targets[i]->id];
    weir_free(pruning.copies);
    weir_free(pruning.needed);
    weir_free(pruning.first_feed);
    weir_free(pruning.next_feed);
    weir_free(pruning.args);
    return status;
}

static weir_status make_plan(weir_local_session *session, const weir_request *request,
                             plan_kind kind, bool plain, prepared *out)
{
    weir_node **keep = WEIR_NEW_ARRAY(weir_node *, request->target_count);
    weir_graph *graph = weir_graph_create(session->base.graph->registry);
    weir_mutex_lock(session->base.graph_lock);
    weir_status status = prune_for(session, request, kind != PLAN_EXACT, out, graph, keep);
    session->base.seen = session->base.graph->nodes.count;
    bool read_last = kind != PLAN_PARTIAL && !weir_is_synchronous_training(session->base.graph);
    weir_mutex_unlock(session->base.graph_lock);
    if (!status)
        status = hold_memory(graph, out);
    if (status) {
        weir_graph_destroy(graph);
    } else {
        weir_local_add_library(session, graph);
        out->graph_key = weir_graph_collective_key(graph);
        status = make_partitions((plan_source){.s = session,
                                               .g = graph,
                                               .keep = keep,
                                               .keep_count = request->target_count,
                                               .read_last = read_last,
                                               .plain = plain},
                                 out);
    }
    weir_free(keep);
    return status;
}

static void add_edge(weir_buf *key, weir_edge edge)
{
    weir_buf_add(key, &edge.node, sizeof edge.node);
    weir_buf_add(key, &edge.index, sizeof edge.index);
}

static void make_key(const weir_request *request, plan_kind kind, weir_buf *key)
{
    weir_buf_addc(key, "=~."[kind]);
    for (int i = 0; i < request->feed_count; i++)
        add_edge(key, request->feeds[i]);
    weir_buf_addc(key, '>');
    for (int i = 0; i < request->fetch_count; i++)
        add_edge(key, request->fetches[i]);
    weir_buf_addc(key, '!');
    for (int i = 0; i < request->target_count; i++)
        weir_buf_add(key, &request->targets[i], sizeof request->targets[i]);
}

static prepared *find(weir_local_session *session, weir_str key)
{
    weir_mutex_lock(&session->lock);
    prepared *prepared = weir_map_get(&session->plans, key);
    weir_mutex_unlock(&session->lock);
    return prepared;
}

prepared *weir_local_find_plan(weir_local_session *session, const weir_request *request,
                               plan_kind kind)
{
    WEIR_BUF(key);
    make_key(request, kind, &key);
    prepared *prepared = find(session, weir_view(&key));
    return prepared;
}

static weir_status make(weir_local_session *session, const weir_request *request, plan_kind kind,
                        bool plain, prepared **out)
{
    prepared *new_prepared = WEIR_NEW(prepared);
    make_key(request, kind, &new_prepared->key);
    weir_status status = make_plan(session, request, kind, plain, new_prepared);
    if (status)
        weir_prepared_free(new_prepared);
    else
        *out = new_prepared;
    return status;
}

/* With passes, else without them, within the step's time limit. */
static weir_status make_in_time(weir_local_session *session, const weir_request *request,
                                plan_kind kind, prepared **out)
{
    int64_t asked = request->options ? request->options->timeout_ms : 0;
    weir_deadline deadline, closing;
    weir_deadline_begin(&deadline, asked > 0 ? asked : session->config.timeout_ms, request->cancel);
    weir_deadline_begin(&closing, 0, session->cancel);
    weir_status st = make(session, request, kind, false, out);
    if (st && weir_local_may_prepare_plainly(session, st))
        st = weir_local_prepared_plainly(st, make(session, request, kind, true, out));
    weir_deadline_end(&closing);
    weir_deadline_end(&deadline);
    return st;
}

weir_status weir_local_prepare(weir_local_session *session, const weir_request *request,
                               plan_kind kind, prepared **out_prepared)
{
    prepared *this_prepared = *out_prepared = weir_local_find_plan(session, request, kind);
    if (this_prepared)
        return WEIR_OK;
    WEIR_TRY(make_in_time(session, request, kind, &this_prepared));
    weir_str key = weir_view(&this_prepared->key);
    weir_mutex_lock(&session->lock);
    prepared *other = weir_map_get(&session->plans, key);
    if (!other) {
        weir_map_put(&session->plans, key, this_prepared);
        weir_vec_push(&session->plan_list, this_prepared);
    }
    weir_mutex_unlock(&session->lock);
    if (other) { /* another thread was first */
        weir_prepared_free(this_prepared);
        this_prepared = other;
    }
    *out_prepared = this_prepared;
    return WEIR_OK;
}
