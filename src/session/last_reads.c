/* session/last_reads.c - a step that waits for other steps reports the variables as they are then.
 *
 * Nothing orders the fetch of a variable and the other fetches of a step, so the order is ours. Of
 * a step that takes from a queue, an accumulator or the like, a variable is read when the step has
 * got what it waited for. The programs of synchronous replicas need it: they fetch the global step
 * together with the operation that takes a token, and one that gets the step of before the token
 * does a step more than there are tokens for.
 *
 * Only reads that nothing but the fetch depends on are put off, so no circle can arise and nobody
 * waits longer: a client gets all fetches of a step together. Variables that the step itself
 * changes stay as they are, and so does whatever lies in a branch or a loop.
 *
 * Replicas that go in step need none of it: where a round takes as many gradients as it hands out
 * tokens, all do the step too many and end it together. There the read stays first, as in
 * TensorFlow, so that the same number of steps is done and the last loss is the same.
 */
#include "graph/flow.h"
#include "session/session_impl.h"

typedef WEIR_VEC(weir_node *) node_list;

static bool is_one_of(const weir_node *n, const char *const *ops)
{
    for (; *ops; ops++)
        if (weir_node_is(n, *ops))
            return true;
    return false;
}

static bool awaits(const weir_node *n)
{
    for (int k = 0; n->site.op && k < WEIR_KERNELS_MAX; k++)
        if (n->site.op->kernels[k].flags & WEIR_AWAITS)
            return true;
    return false;
}

/* Marks what may be dead or run more than once: all that follows a Switch or the entry to a loop.
 */
static bool *mark_conditional(const weir_graph *g)
{
    bool *marks = WEIR_NEW_ARRAY(bool, g->nodes.count);
    node_list queue = {0};
    for (size_t i = 0; i < g->nodes.count; i++) {
        weir_node *n = g->nodes.at[i];
        if (n->removed || (!weir_flow_splits(n) && weir_node_flow(n) != WEIR_FLOW_ENTER))
            continue;
        marks[i] = true;
        weir_vec_push(&queue, n);
    }
    while (queue.count) {
        weir_node *n = queue.at[--queue.count];
        for (size_t i = 0; i < n->uses.count; i++) {
            weir_node *user = n->uses.at[i].node;
            if (marks[user->id])
                continue;
            marks[user->id] = true;
            weir_vec_push(&queue, user);
        }
    }
    weir_vec_fini(&queue);
    return marks;
}

static bool find_waits(const weir_graph *g, node_list *out)
{
    for (size_t i = 0; i < g->nodes.count; i++)
        if (!g->nodes.at[i]->removed && awaits(g->nodes.at[i]))
            weir_vec_push(out, g->nodes.at[i]);
    return out->count > 0;
}

static bool only_fetched(const weir_node *n)
{
    for (size_t i = 0; i < n->uses.count; i++)
        if (weir_node_flow(n->uses.at[i].node) != WEIR_FLOW_RETVAL)
            return false;
    return true;
}

/* Whether nothing in the step takes the variable's reference but to read it. */
static bool only_read(const weir_node *variable)
{
    for (size_t i = 0; i < variable->uses.count; i++) {
        const weir_use *u = &variable->uses.at[i];
        if (u->input >= 0 && weir_dtype_is_ref(u->node->site.in_types[u->input]))
            return false;
    }
    return true;
}

static bool is_variable(const weir_node *n)
{
    static const char *const ops[] = {"VariableV2", "Variable", NULL};
    return is_one_of(n, ops);
}

/* The same of a variable behind a handle. */
static bool handle_only_read(const weir_node *handle)
{
    static const char *const readers[] = {"ReadVariableOp", "ResourceGather", "ResourceGatherNd",
                                          "VariableShape", NULL};
    for (size_t i = 0; i < handle->uses.count; i++)
        if (handle->uses.at[i].input >= 0 && !is_one_of(handle->uses.at[i].node, readers))
            return false;
    return weir_node_is(handle, "VarHandleOp");
}

/* A fetch of the reference itself gets a node that reads it, where the variable is. */
static weir_status add_read(weir_graph *g, weir_node *fetch, weir_node **out_read)
{
    const weir_node *variable = fetch->in[0].node;
    weir_node_spec spec = {.name = weir_graph_unique_name(g, variable->site.name),
                           .op = "Identity",
                           .in = fetch->in,
                           .in_count = 1};
    WEIR_TRY(weir_graph_add(g, &spec, out_read));
    (*out_read)->site.device = variable->site.device;
    weir_graph_set_input(fetch, 0, (weir_edge){*out_read, 0});
    return WEIR_OK;
}

static bool reads_only(const weir_node *n)
{
    const weir_node *from = n->in[0].node;
    return weir_node_is(n, "ReadVariableOp") ? handle_only_read(from)
                                             : is_variable(from) && only_read(from);
}

/* The node that reads a variable for |fetch| alone; null: there is none. */
static weir_node *find_read(const weir_node *fetch)
{
    weir_node *n = fetch->in[0].node;
    if (!only_fetched(n))
        return NULL;
    while (weir_node_flow(n) == WEIR_FLOW_IDENTITY && !is_variable(n->in[0].node)) {
        n = n->in[0].node;
        if (n->uses.count != 1)
            return NULL;
    }
    bool is_read = weir_node_flow(n) == WEIR_FLOW_IDENTITY || weir_node_is(n, "ReadVariableOp");
    return is_read && reads_only(n) ? n : NULL;
}

/* True of a read that several fetches share, and of one that the program put last itself. */
static bool waits_already(const weir_node *read, const node_list *waits)
{
    size_t found = 0;
    for (size_t i = 0; i < waits->count; i++)
        for (size_t k = 0; k < read->controls.count; k++)
            found += read->controls.at[k] == waits->at[i];
    return found == waits->count;
}

/* What |read| gives is read again after |waits|, and that is what the fetches get. The first read
 * stays, for a variable without a value: its step fails before it waits. */
static weir_status put_off(weir_graph *g, weir_node *read, const node_list *waits)
{
    if (waits_already(read, waits))
        return WEIR_OK;
    weir_node *again;
    const char *name = weir_graph_unique_name(g, read->site.name);
    WEIR_TRY(weir_graph_copy_node(g, read, name, read->in, &again));
    weir_graph_replace((weir_edge){read, 0}, (weir_edge){again, 0});
    weir_graph_add_control(read, again);
    for (size_t i = 0; i < waits->count; i++)
        weir_graph_add_control(waits->at[i], again);
    return WEIR_OK;
}

static weir_status put_off_fetch(weir_graph *g, weir_node *fetch, const node_list *waits)
{
    weir_node *from = fetch->in[0].node, *read;
    if (is_variable(from)) {
        if (!only_read(from))
            return WEIR_OK;
        WEIR_TRY(add_read(g, fetch, &read));
    } else {
        read = find_read(fetch);
    }
    return read ? put_off(g, read, waits) : WEIR_OK;
}

static weir_status put_off_all(weir_graph *g, node_list *waits, const bool *conditional)
{
    size_t count = g->nodes.count, kept = 0; /* without what is added */
    for (size_t i = 0; i < waits->count; i++)
        if (!conditional[waits->at[i]->id])
            waits->at[kept++] = waits->at[i];
    waits->count = kept;
    for (size_t i = 0; kept && i < count; i++) {
        weir_node *fetch = g->nodes.at[i];
        if (!fetch->removed && weir_node_flow(fetch) == WEIR_FLOW_RETVAL && !conditional[i])
            WEIR_TRY(put_off_fetch(g, fetch, waits));
    }
    return WEIR_OK;
}

/* ---- replicas in step ------------------------------------------------------------------------ */

/* The only element of an int32 constant; -1: it is something else. */
static int64_t known_int(weir_edge e)
{
    bool is_const = weir_node_flow(e.node) == WEIR_FLOW_CONST;
    const weir_attr *value = is_const ? weir_node_attr(e.node, "value") : NULL;
    bool is_int =
        value && value->tensor->dtype == WEIR_INT32 && weir_tensor_count(value->tensor) == 1;
    return is_int ? *(const int32_t *)value->tensor->data : -1;
}

/* How many gradients a node takes at a time; -1: it takes none. */
static int64_t gradients_taken(const weir_node *n)
{
    static const char *const takes[] = {"AccumulatorTakeGradient",
                                        "ResourceAccumulatorTakeGradient",
                                        "SparseAccumulatorTakeGradient", NULL};
    return is_one_of(n, takes) ? known_int(n->in[1]) : -1;
}

/* How many tokens a node hands out at a time: equal elements for a queue. -1: it does not. */
static int64_t tokens_given(const weir_node *n)
{
    static const char *const gives[] = {"QueueEnqueueManyV2", "QueueEnqueueMany", NULL};
    if (!is_one_of(n, gives) || n->site.in_count != 2 || !weir_node_is(n->in[1].node, "Fill"))
        return -1;
    return known_int(n->in[1].node->in[0]);
}

bool weir_is_synchronous_training(const weir_graph *program)
{
    int64_t fewest = INT64_MAX, most = -1;
    for (size_t i = 0; i < program->nodes.count; i++) {
        const weir_node *n = program->nodes.at[i];
        int64_t taken = n->removed ? -1 : gradients_taken(n);
        int64_t given = n->removed ? -1 : tokens_given(n);
        fewest = taken >= 0 && taken < fewest ? taken : fewest;
        most = given > most ? given : most;
    }
    return fewest != INT64_MAX && most >= 0 && fewest >= most;
}

/* ---- the step -------------------------------------------------------------------------------- */

weir_status weir_read_variables_last(weir_graph *g)
{
    node_list waits = {0};
    weir_status s = WEIR_OK;
    if (find_waits(g, &waits)) {
        bool *conditional = mark_conditional(g);
        s = put_off_all(g, &waits, conditional);
        weir_free(conditional);
    }
    weir_vec_fini(&waits);
    return s;
}
