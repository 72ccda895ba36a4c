/* session/prepare.c - from feeds, fetches and targets to a plan.
 *
 * The part of the graph that the fetches and targets need is copied into a graph of the plan's own,
 * with an _Arg for each feed and a _Retval for each fetch, so that the client may go on building
 * while steps run.
 */
#include <inttypes.h>
#include <stdio.h>

#include "session/session_impl.h"

typedef struct pruning {
    weir_local_session *s;
    const weir_request *q;
    weir_graph *from, *to;
    weir_node **copies; /* by id of |from| */
    weir_node **args;   /* by feed */
    bool *needed;       /* by id */
    bool loose;         /* feeds may have any shape */
} pruning;

/* ---- checking ------------------------------------------------------------------------------- */

static void edge_name(weir_edge e, char *out, size_t room)
{
    snprintf(out, room, "%s:%d", e.node->site.name, e.index);
}

static weir_status check_edge(const weir_local_session *s, weir_edge e, const char *what)
{
    if (!e.node || e.node->graph != s->base.graph)
        return weir_error(WEIR_INVALID_ARGUMENT, "%s is not in this session's graph", what);
    if (e.index < 0 || e.index >= e.node->site.out_count)
        return weir_error(
            WEIR_OUT_OF_RANGE, "Node '%s' (type: '%s', num of outputs: %d) does not have output %d",
            e.node->site.name, e.node->site.def->name, e.node->site.out_count, e.index);
    return WEIR_OK;
}

static weir_status check_request(const weir_local_session *s, const weir_request *q)
{
    for (int i = 0; i < q->feed_count; i++) {
        WEIR_TRY(check_edge(s, q->feeds[i], "a feed"));
        for (int k = 0; k < i; k++)
            if (weir_edge_eq(q->feeds[i], q->feeds[k]))
                return weir_error(WEIR_INVALID_ARGUMENT, "Endpoint \"%s:%d\" fed more than once.",
                                  q->feeds[i].node->site.name, q->feeds[i].index);
    }
    for (int i = 0; i < q->fetch_count; i++) {
        WEIR_TRY(check_edge(s, q->fetches[i], "a fetch"));
        for (int k = 0; k < q->feed_count; k++)
            if (weir_edge_eq(q->fetches[i], q->feeds[k]))
                return weir_error(WEIR_INVALID_ARGUMENT, "%s:%d is both fed and fetched.",
                                  q->feeds[k].node->site.name, q->feeds[k].index);
    }
    for (int i = 0; i < q->target_count; i++)
        if (!q->targets[i] || q->targets[i]->graph != s->base.graph)
            return weir_error(WEIR_INVALID_ARGUMENT, "a target is not in this session's graph");
    return WEIR_OK;
}

/* ---- pruning -------------------------------------------------------------------------------- */

static int fed_by(const pruning *p, weir_edge e)
{
    for (int i = 0; i < p->q->feed_count; i++)
        if (weir_edge_eq(p->q->feeds[i], e))
            return i;
    return -1;
}

/* Who waits for a placeholder that is fed waits for the feed: the node itself could only fail. */
static int fed_placeholder(const pruning *p, weir_node *n)
{
    bool is_placeholder = weir_node_flow(n) == WEIR_FLOW_PLACEHOLDER;
    return is_placeholder ? fed_by(p, (weir_edge){n, 0}) : -1;
}

/* Marks everything that |first| needs. */
static void mark(pruning *p, weir_node *first)
{
    if (p->needed[first->id])
        return;
    WEIR_VEC(weir_node *) queue = {0};
    p->needed[first->id] = true;
    weir_vec_push(&queue, first);
    while (queue.count) {
        weir_node *n = queue.at[--queue.count];
        for (int i = 0; i < n->site.in_count; i++) {
            weir_node *in = n->in[i].node;
            if (fed_by(p, n->in[i]) < 0 && !p->needed[in->id]) {
                p->needed[in->id] = true;
                weir_vec_push(&queue, in);
            }
        }
        for (size_t i = 0; i < n->controls.count; i++) {
            weir_node *c = n->controls.at[i];
            if (!p->needed[c->id] && fed_placeholder(p, c) < 0) {
                p->needed[c->id] = true;
                weir_vec_push(&queue, c);
            }
        }
    }
    weir_vec_fini(&queue);
}

static void mark_all(pruning *p)
{
    for (int i = 0; i < p->q->fetch_count; i++)
        if (fed_by(p, p->q->fetches[i]) < 0)
            mark(p, p->q->fetches[i].node);
    for (int i = 0; i < p->q->target_count; i++)
        mark(p, p->q->targets[i]);
}

static weir_status add_arg(pruning *p, int i)
{
    weir_edge e = p->q->feeds[i];
    char name[32];
    snprintf(name, sizeof name, "_arg_%d", i);
    weir_named_attr attrs[] = {weir_a_type("T", weir_edge_dtype(e)), weir_a_int("index", i)};
    WEIR_TRY(weir_graph_add(p->to,
                            &(weir_node_spec){.name = weir_graph_unique_name(p->to, name),
                                              .op = "_Arg",
                                              .attrs = attrs,
                                              .attr_count = 2},
                            &p->args[i]));
    p->args[i]->out_shapes[0] = p->loose ? WEIR_UNKNOWN_SHAPE : *weir_edge_shape(e);
    if (p->args[i]->out_handles && e.node->out_handles)
        p->args[i]->out_handles[0] = e.node->out_handles[e.index];
    return WEIR_OK;
}

static weir_status add_retval(pruning *p, int i, weir_edge e)
{
    char name[32];
    snprintf(name, sizeof name, "_retval_%d", i);
    weir_named_attr attrs[] = {weir_a_type("T", weir_edge_dtype(e)), weir_a_int("index", i)};
    weir_node *n;
    return weir_graph_add(p->to,
                          &(weir_node_spec){.name = weir_graph_unique_name(p->to, name),
                                            .op = "_Retval",
                                            .in = &e,
                                            .in_count = 1,
                                            .attrs = attrs,
                                            .attr_count = 2},
                          &n);
}

static weir_edge copied(const pruning *p, weir_edge e)
{
    int feed = fed_by(p, e);
    return feed >= 0 ? (weir_edge){p->args[feed], 0} : (weir_edge){p->copies[e.node->id], e.index};
}

static weir_status copy_nodes(pruning *p)
{
    for (size_t i = 0; i < p->from->nodes.count; i++) {
        weir_node *n = p->from->nodes.at[i];
        if (!p->needed[i] || n->removed)
            continue;
        weir_edge *none = WEIR_NEW_ARRAY(weir_edge, n->site.in_count);
        weir_status s = weir_graph_copy_node(p->to, n, n->site.name, none, &p->copies[i]);
        weir_free(none);
        WEIR_TRY(s);
    }
    for (size_t i = 0; i < p->from->nodes.count; i++) {
        weir_node *n = p->from->nodes.at[i], *copy = p->copies[i];
        for (int k = 0; copy && k < n->site.in_count; k++)
            weir_graph_set_input(copy, k, copied(p, n->in[k]));
        for (size_t k = 0; copy && k < n->controls.count; k++) {
            int feed = fed_placeholder(p, n->controls.at[k]);
            weir_graph_add_control(feed >= 0 ? p->args[feed] : p->copies[n->controls.at[k]->id],
                                   copy);
        }
    }
    return WEIR_OK;
}

/* Infers every shape anew from feeds that are not known. What goes round a loop stays unknown. */
static void forget_shapes(weir_graph *g)
{
    size_t count;
    weir_node **order = weir_graph_order(g, &count);
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

static weir_status prune(pruning *p)
{
    for (size_t i = 0; i < p->from->function_list.count; i++)
        WEIR_TRY(weir_graph_add_function(p->to, p->from->function_list.at[i]));
    mark_all(p);
    for (int i = 0; i < p->q->feed_count; i++)
        WEIR_TRY(add_arg(p, i));
    WEIR_TRY(copy_nodes(p));
    if (p->loose)
        forget_shapes(p->to);
    for (int i = 0; i < p->q->fetch_count; i++)
        WEIR_TRY(add_retval(p, i, copied(p, p->q->fetches[i])));
    return WEIR_OK;
}

/* ---- plans ---------------------------------------------------------------------------------- */

void weir_local_add_library(weir_local_session *s, const weir_graph *g)
{
    weir_mutex_lock(&s->lock);
    for (size_t i = 0; i < g->function_list.count; i++)
        weir_status_free(weir_graph_add_function(s->library, g->function_list.at[i]));
    weir_mutex_unlock(&s->lock);
}

void weir_prepared_free(prepared *p)
{
    if (!p)
        return;
    weir_plan_release(p->plan);
    if (p->registered)
        p->remote->unregister(p->registered);
    weir_buf_fini(&p->key);
    for (int i = 0; i < p->feed_count; i++)
        weir_free(p->feed_names[i]);
    for (int i = 0; i < p->fetch_count; i++)
        weir_free(p->fetch_names[i]);
    weir_free(p->feed_names);
    weir_free(p->fetch_names);
    weir_free(p->feed_types);
    weir_free(p->feed_shapes);
    weir_free(p);
}

static void describe(prepared *p, const weir_request *q, bool loose)
{
    char name[512];
    p->feed_types = WEIR_NEW_ARRAY(weir_dtype, q->feed_count);
    p->feed_shapes = WEIR_NEW_ARRAY(weir_shape, q->feed_count);
    p->feed_names = WEIR_NEW_ARRAY(char *, q->feed_count);
    p->fetch_names = WEIR_NEW_ARRAY(char *, q->fetch_count);
    for (; p->feed_count < q->feed_count; p->feed_count++) {
        weir_edge e = q->feeds[p->feed_count];
        edge_name(e, name, sizeof name);
        p->feed_types[p->feed_count] = weir_edge_dtype(e);
        p->feed_shapes[p->feed_count] = loose ? WEIR_UNKNOWN_SHAPE : *weir_edge_shape(e);
        p->feed_names[p->feed_count] = weir_strdup(name);
    }
    for (; p->fetch_count < q->fetch_count; p->fetch_count++) {
        edge_name(q->fetches[p->fetch_count], name, sizeof name);
        p->fetch_names[p->fetch_count] = weir_strdup(name);
    }
}

/* The plan of what is here, and the other tasks' partitions with them. Takes over the graph. */
static weir_status make_partitions(plan_source m, prepared *out)
{
    weir_partitions partitions = {0};
    weir_local_session *s = m.s;
    m.partitions = &partitions;
    weir_status st = weir_local_make_plan(&m, &out->plan);
    out->remote = s->remote;
    if (!st && s->remote && (partitions.count || out->graph_key))
        st = s->remote->register_partitions(s->remote, &partitions, out->graph_key,
                                            &out->registered);
    weir_partitions_fini(&partitions);
    return st;
}

static weir_status make_plan(weir_local_session *s, const weir_request *q, plan_kind kind,
                             bool plain, prepared *out)
{
    weir_mutex_lock(s->base.graph_lock);
    pruning p = {.s = s,
                 .q = q,
                 .from = s->base.graph,
                 .to = weir_graph_create(s->base.graph->registry),
                 .loose = kind != PLAN_EXACT};
    weir_status st = check_request(s, q);
    if (!st) {
        describe(out, q, p.loose);
        p.copies = WEIR_NEW_ARRAY(weir_node *, p.from->nodes.count);
        p.needed = WEIR_NEW_ARRAY(bool, p.from->nodes.count);
        p.args = WEIR_NEW_ARRAY(weir_node *, q->feed_count);
        st = prune(&p);
    }
    weir_node **keep = WEIR_NEW_ARRAY(weir_node *, q->target_count);
    for (int i = 0; i < q->target_count && !st; i++)
        keep[i] = p.copies[q->targets[i]->id];
    bool read_last = kind != PLAN_PARTIAL && !weir_is_synchronous_training(s->base.graph);
    weir_mutex_unlock(s->base.graph_lock);
    weir_free(p.copies);
    weir_free(p.needed);
    weir_free(p.args);
    if (st) {
        weir_graph_destroy(p.to);
    } else {
        weir_local_add_library(s, p.to);
        out->graph_key = weir_graph_collective_key(p.to);
        st = make_partitions((plan_source){.s = s,
                                           .g = p.to,
                                           .keep = keep,
                                           .keep_count = q->target_count,
                                           .read_last = read_last,
                                           .plain = plain},
                             out);
    }
    weir_free(keep);
    return st;
}

static void add_edge(weir_buf *key, weir_edge e)
{
    weir_buf_add(key, &e.node, sizeof e.node);
    weir_buf_add(key, &e.index, sizeof e.index);
}

static void make_key(const weir_request *q, plan_kind kind, weir_buf *key)
{
    weir_buf_addc(key, "=~."[kind]);
    for (int i = 0; i < q->feed_count; i++)
        add_edge(key, q->feeds[i]);
    weir_buf_addc(key, '>');
    for (int i = 0; i < q->fetch_count; i++)
        add_edge(key, q->fetches[i]);
    weir_buf_addc(key, '!');
    for (int i = 0; i < q->target_count; i++)
        weir_buf_add(key, &q->targets[i], sizeof q->targets[i]);
}

static prepared *find(weir_local_session *s, weir_str key)
{
    weir_mutex_lock(&s->lock);
    prepared *p = weir_map_get(&s->plans, key);
    weir_mutex_unlock(&s->lock);
    return p;
}

prepared *weir_local_find_plan(weir_local_session *s, const weir_request *q, plan_kind kind)
{
    weir_buf key = {0};
    make_key(q, kind, &key);
    prepared *p = find(s, (weir_str){key.at, key.length});
    weir_buf_fini(&key);
    return p;
}

static weir_status make(weir_local_session *s, const weir_request *q, plan_kind kind, bool plain,
                        prepared **out)
{
    prepared *p = WEIR_NEW(prepared);
    make_key(q, kind, &p->key);
    weir_status status = make_plan(s, q, kind, plain, p);
    if (status)
        weir_prepared_free(p);
    else
        *out = p;
    return status;
}

weir_status weir_local_prepare(weir_local_session *s, const weir_request *q, plan_kind kind,
                               prepared **out_prepared)
{
    prepared *p = *out_prepared = weir_local_find_plan(s, q, kind);
    if (p)
        return WEIR_OK;
    weir_status st = make(s, q, kind, false, &p);
    if (st && weir_local_may_prepare_plainly(s, st))
        st = weir_local_prepared_plainly(st, make(s, q, kind, true, &p));
    WEIR_TRY(st);
    weir_str key = weir_view(&p->key);
    weir_mutex_lock(&s->lock);
    prepared *other = weir_map_get(&s->plans, key);
    if (!other) {
        weir_map_put(&s->plans, key, p);
        weir_vec_push(&s->plan_list, p);
    }
    weir_mutex_unlock(&s->lock);
    if (other) { /* another thread was first */
        weir_prepared_free(p);
        p = other;
    }
    *out_prepared = p;
    return WEIR_OK;
}
