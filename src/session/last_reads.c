/* session/last_reads.c - a step that waits for other steps reads its fetched variables after the
 * wait.
 *
 * The fetch of a variable and the other fetches of a step are unordered, so Weir may choose the
 * order. In a step that dequeues from a queue, an accumulator or the like, a variable is read
 * after that has completed. Synchronous replicas need this: they fetch the global step together
 * with the op that dequeues a token, and one that reads the step from before the token runs a step
 * too many.
 *
 * Only reads that only fetches depend on are delayed, so this creates no cycles and no further
 * delay: a client gets all fetches of a step together. Variables that the step itself changes are
 * read after the change; reads in branches and loops are not moved.
 *
 * Fully synchronous replicas do not need this: where a round takes as many gradients as it enqueues
 * tokens, all run the extra step and end it together. There the read stays first, as in TensorFlow,
 * so that the number of steps and the last loss are the same.
 */
#include "graph/flow.h"
#include "session/session_impl.h"

typedef WEIR_VEC(weir_node *) node_list;

static bool is_one_of(const weir_node *node, const char *const *ops)
{
    for (; *ops; ops++)
        if (weir_node_is(node, *ops))
            return true;
    return false;
}

static bool awaits(const weir_node *node)
{
    return node->site.op && weir_op_has_kernel(node->site.op, WEIR_AWAITS);
}

/* Marks nodes that may be dead or run more than once: everything after a Switch or a loop's
 * Enter. */
static bool *mark_conditional(const weir_graph *graph)
{
    bool *marks = WEIR_NEW_ARRAY(bool, graph->nodes.count);
    node_list queue = {0};
    for (size_t i = 0; i < graph->nodes.count; i++) {
        weir_node *node = graph->nodes.at[i];
        if (node->removed || (!weir_flow_splits(node) && weir_node_flow(node) != WEIR_FLOW_ENTER))
            continue;
        marks[i] = true;
        weir_vec_push(&queue, node);
    }
    while (queue.count) {
        weir_node *node = queue.at[--queue.count];
        for (size_t i = 0; i < node->uses.count; i++) {
            weir_node *user = node->uses.at[i].node;
            if (marks[user->id])
                continue;
            marks[user->id] = true;
            weir_vec_push(&queue, user);
        }
    }
    weir_vec_fini(&queue);
    return marks;
}

static bool find_waits(const weir_graph *graph, node_list *out)
{
    for (size_t i = 0; i < graph->nodes.count; i++)
        if (!graph->nodes.at[i]->removed && awaits(graph->nodes.at[i]))
            weir_vec_push(out, graph->nodes.at[i]);
    return out->count > 0;
}

static bool only_fetched(const weir_node *node)
{
    for (size_t i = 0; i < node->uses.count; i++)
        if (weir_node_flow(node->uses.at[i].node) != WEIR_FLOW_RETVAL)
            return false;
    return true;
}

/* Whether all uses of the variable's reference in the step only read it. */
static bool only_read(const weir_node *variable)
{
    for (size_t i = 0; i < variable->uses.count; i++) {
        const weir_use *use = &variable->uses.at[i];
        if (use->input >= 0 && weir_dtype_is_ref(use->node->site.in_types[use->input]))
            return false;
    }
    return true;
}

static bool is_variable(const weir_node *node)
{
    static const char *const ops[] = {"VariableV2", "Variable", NULL};
    return is_one_of(node, ops);
}

/* The same for a variable behind a handle. */
static bool handle_only_read(const weir_node *handle)
{
    static const char *const readers[] = {"ReadVariableOp", "ResourceGather", "ResourceGatherNd",
                                          "VariableShape", NULL};
    for (size_t i = 0; i < handle->uses.count; i++)
        if (handle->uses.at[i].input >= 0 && !is_one_of(handle->uses.at[i].node, readers))
            return false;
    return weir_node_is(handle, "VarHandleOp");
}

/* A fetch of the reference itself gets a node that reads it, on the variable's device. */
static weir_status add_read(weir_graph *graph, weir_node *fetch, weir_edge reference,
                            weir_node **out_read)
{
    const weir_node *variable = reference.node;
    weir_node_spec spec = {.name = weir_graph_unique_name(graph, variable->site.name),
                           .op = "Identity",
                           .in = &reference,
                           .in_count = 1};
    WEIR_TRY(weir_graph_add(graph, &spec, out_read));
    (*out_read)->site.device = variable->site.device;
    weir_graph_set_input(fetch, 0, (weir_edge){*out_read, 0});
    return WEIR_OK;
}

static bool reads_only(const weir_node *node)
{
    const weir_node *from = node->in[0].node;
    return weir_node_is(node, "ReadVariableOp") ? handle_only_read(from)
                                                : is_variable(from) && only_read(from);
}

/* The node that reads a variable for |fetch| alone; null: none. */
static weir_node *find_read(const weir_node *fetch)
{
    weir_node *node = fetch->in[0].node;
    if (!only_fetched(node))
        return NULL;
    while (weir_node_flow(node) == WEIR_FLOW_IDENTITY && !is_variable(node->in[0].node)) {
        node = node->in[0].node;
        if (node->uses.count != 1)
            return NULL;
    }
    bool is_read =
        weir_node_flow(node) == WEIR_FLOW_IDENTITY || weir_node_is(node, "ReadVariableOp");
    return is_read && reads_only(node) ? node : NULL;
}

/* True for a read that several fetches share, and for one that the program itself put last. */
static bool waits_already(const weir_node *read, const node_list *waits)
{
    size_t found = 0;
    for (size_t i = 0; i < waits->count; i++)
        for (size_t k = 0; k < read->controls.count; k++)
            found += read->controls.at[k] == waits->at[i];
    return found == waits->count;
}

/* Reads the result of |read| again after |waits|, for the fetches. The first read stays, for
 * uninitialised variables: their step fails before it waits. */
static weir_status put_off(weir_graph *graph, weir_node *read, const node_list *waits)
{
    if (waits_already(read, waits))
        return WEIR_OK;
    weir_node *again;
    const char *name = weir_graph_unique_name(graph, read->site.name);
    WEIR_TRY(weir_graph_copy_node(graph, read, name, read->in, &again));
    weir_graph_replace((weir_edge){read, 0}, (weir_edge){again, 0});
    weir_graph_add_control(read, again);
    for (size_t i = 0; i < waits->count; i++)
        weir_graph_add_control(waits->at[i], again);
    return WEIR_OK;
}

static weir_status put_off_fetch(weir_graph *graph, weir_node *fetch, const node_list *waits)
{
    weir_node *from = fetch->in[0].node, *read;
    if (is_variable(from)) {
        if (!only_read(from))
            return WEIR_OK;
        WEIR_TRY(add_read(graph, fetch, fetch->in[0], &read));
    } else {
        read = find_read(fetch);
    }
    return read ? put_off(graph, read, waits) : WEIR_OK;
}

static weir_status put_off_all(weir_graph *graph, node_list *waits, const bool *conditional)
{
    size_t count = graph->nodes.count, kept = 0; /* without added nodes */
    for (size_t i = 0; i < waits->count; i++)
        if (!conditional[waits->at[i]->id])
            waits->at[kept++] = waits->at[i];
    waits->count = kept;
    for (size_t i = 0; kept && i < count; i++) {
        weir_node *fetch = graph->nodes.at[i];
        if (!fetch->removed && weir_node_flow(fetch) == WEIR_FLOW_RETVAL && !conditional[i])
            WEIR_TRY(put_off_fetch(graph, fetch, waits));
    }
    return WEIR_OK;
}

/* ---- synchronous replicas -------------------------------------------------------------------- */

/* The single element of an int32 constant; -1: not one. */
static int64_t known_int(weir_edge edge)
{
    bool is_const = weir_node_flow(edge.node) == WEIR_FLOW_CONST;
    const weir_attr *value = is_const ? weir_node_attr(edge.node, "value") : NULL;
    bool is_int =
        value && value->tensor->dtype == WEIR_INT32 && weir_tensor_count(value->tensor) == 1;
    return is_int ? *(const int32_t *)value->tensor->data : -1;
}

/* How many gradients a node takes at a time; -1: none. */
static int64_t gradients_taken(const weir_node *node)
{
    static const char *const takes[] = {"AccumulatorTakeGradient",
                                        "ResourceAccumulatorTakeGradient",
                                        "SparseAccumulatorTakeGradient", NULL};
    return is_one_of(node, takes) ? known_int(node->in[1]) : -1;
}

/* How many tokens a node enqueues at a time: equal elements for a queue. -1: none. */
static int64_t tokens_given(const weir_node *node)
{
    static const char *const gives[] = {"QueueEnqueueManyV2", "QueueEnqueueMany", NULL};
    if (!is_one_of(node, gives) || node->site.in_count != 2 ||
        !weir_node_is(node->in[1].node, "Fill"))
        return -1;
    return known_int(node->in[1].node->in[0]);
}

bool weir_is_synchronous_training(const weir_graph *program)
{
    int64_t fewest = INT64_MAX, most = -1;
    for (size_t i = 0; i < program->nodes.count; i++) {
        const weir_node *node = program->nodes.at[i];
        int64_t taken = node->removed ? -1 : gradients_taken(node);
        int64_t given = node->removed ? -1 : tokens_given(node);
        fewest = taken >= 0 && taken < fewest ? taken : fewest;
        most = given > most ? given : most;
    }
    return fewest != INT64_MAX && most >= 0 && fewest >= most;
}

/* ---- the step's own changes ------------------------------------------------------------------ */

/* Appends the users of |node|'s references to the list, except conditional ones. */
static void add_takers(const weir_node *node, const bool *conditional, node_list *out)
{
    for (size_t i = 0; i < node->uses.count; i++) {
        const weir_use *use = &node->uses.at[i];
        if (use->input >= 0 && weir_dtype_is_ref(use->node->site.in_types[use->input]) &&
            !conditional[use->node->id])
            weir_vec_push(out, use->node);
    }
}

static weir_status read_after(weir_graph *graph, weir_node *fetch, const node_list *changes)
{
    weir_node *read = fetch->in[0].node;
    if (is_variable(read))
        WEIR_TRY(add_read(graph, fetch, fetch->in[0], &read));
    else if (!only_fetched(read))
        WEIR_TRY(add_read(graph, fetch, read->in[0], &read));
    for (size_t i = 0; i < changes->count; i++)
        weir_graph_add_control(changes->at[i], read);
    return WEIR_OK;
}

/* A fetched variable is read after the nodes of the step that change it. In TensorFlow the fetch
 * shares the variable's memory, so a client sees what the step wrote: programs fetch the global
 * step together with the operation that increases it. */
static weir_status read_after_changes(weir_graph *graph, weir_node *fetch, const bool *conditional)
{
    weir_node *from = fetch->in[0].node;
    bool is_read = weir_node_flow(from) == WEIR_FLOW_IDENTITY && is_variable(from->in[0].node);
    if (!is_read && !is_variable(from))
        return WEIR_OK;
    node_list changes = {0};
    add_takers(is_read ? from->in[0].node : from, conditional, &changes);
    for (size_t at = 0; at < changes.count && changes.count < graph->nodes.count; at++)
        add_takers(changes.at[at], conditional, &changes);
    weir_status status = changes.count ? read_after(graph, fetch, &changes) : WEIR_OK;
    weir_vec_fini(&changes);
    return status;
}

static weir_status read_all_after_changes(weir_graph *graph, const bool *conditional)
{
    size_t count = graph->nodes.count; /* without added nodes */
    for (size_t i = 0; i < count; i++) {
        weir_node *fetch = graph->nodes.at[i];
        if (!fetch->removed && weir_node_flow(fetch) == WEIR_FLOW_RETVAL && !conditional[i])
            WEIR_TRY(read_after_changes(graph, fetch, conditional));
    }
    return WEIR_OK;
}

/* ---- the step -------------------------------------------------------------------------------- */

weir_status weir_read_variables_last(weir_graph *graph)
{
    node_list waits = {0};
    bool *conditional = mark_conditional(graph);
    weir_status status = read_all_after_changes(graph, conditional);
    weir_free(conditional);
    if (!status && find_waits(graph, &waits)) {
        conditional = mark_conditional(graph);
        status = put_off_all(graph, &waits, conditional);
        weir_free(conditional);
    }
    weir_vec_fini(&waits);
    return status;
}
