/* exec/plan.c - compiles a graph to arrays for steps. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/fingerprint.h"
#include "exec/plan_impl.h"
#include "exec/record_impl.h"
#include "exec/step_impl.h"
#include "graph/past.h"

/* How the executor runs an op: those not listed have KIND_KERNEL. */
static const uint8_t kinds[WEIR_FLOW_COUNT] = {
    [WEIR_FLOW_ARG] = KIND_ARG,
    [WEIR_FLOW_RETVAL] = KIND_RETVAL,
    [WEIR_FLOW_CONST] = KIND_CONST,
    [WEIR_FLOW_NO_OP] = KIND_NOOP,
    [WEIR_FLOW_IDENTITY] = KIND_FORWARD,
    [WEIR_FLOW_REF_IDENTITY] = KIND_FORWARD,
    [WEIR_FLOW_FORWARD] = KIND_FORWARD,
    [WEIR_FLOW_LOOP_COND] = KIND_FORWARD,
    [WEIR_FLOW_SWITCH] = KIND_SWITCH,
    [WEIR_FLOW_SWITCH_N] = KIND_SWITCH_N,
    [WEIR_FLOW_MERGE] = KIND_MERGE,
    [WEIR_FLOW_ENTER] = KIND_ENTER,
    [WEIR_FLOW_EXIT] = KIND_EXIT,
    [WEIR_FLOW_NEXT_ITERATION] = KIND_NEXT,
    [WEIR_FLOW_CONTROL_TRIGGER] = KIND_TRIGGER,
};

enum { MOST_VALUES = 1 << 20 }; /* maximum number of arguments or results */

static int kind_of(const weir_node *node)
{
    return kinds[weir_node_flow(node)];
}

typedef struct planning {
    weir_plan *p;
    weir_node **order;
    size_t count;
    int32_t *index; /* node id -> plan index */
    const weir_plan_env *env;
} planning;

/* ---- kernels -------------------------------------------------------------------------------- */

static weir_status find_kernel(const planning *pl, const weir_site *site,
                               const weir_kernel **out_kernel)
{
    if (site->memory && pl->env->kernels &&
        pl->env->kernels->find(site, out_kernel) == WEIR_DEVICE_KERNEL)
        return WEIR_OK;
    return weir_op_kernel(site, WEIR_CPU, out_kernel);
}

/* Copies a constant to its device once. */
static weir_status place_constant(const weir_site *site, weir_tensor *constant)
{
    weir_tensor there;
    if (weir_site_out_on_host(site, 0))
        return WEIR_OK;
    weir_memory_user = site->name;
    weir_status status = weir_tensor_copy_to(site->memory, constant, &there);
    weir_memory_user = NULL;
    WEIR_TRY(status);
    weir_tensor_release(constant);
    *constant = there;
    return WEIR_OK;
}

static weir_status bind_kernel(planning *pl, plan_node *node)
{
    WEIR_TRY(find_kernel(pl, node->site, &node->kernel));
    if (node->kernel->flags & WEIR_ASYNC) {
        node->kind = KIND_ASYNC;
        node->cause = weir_plan_node_cause(node->node);
    }
    if (weir_node_flow(node->node) == WEIR_FLOW_SEND)
        node->kind = KIND_SEND;
    if (!node->kernel->prepare)
        return WEIR_OK;
    weir_prepare prepare = {
        .site = node->site,
        .kernel = node->kernel,
        .resources =
            pl->env->resources ? weir_resources_at(pl->env->resources, node->site->device) : NULL,
        .own = pl->env->own,
        .runner = pl->env->runner,
        .runner_arg = pl->env->runner_arg};
    weir_status status = node->kernel->prepare(&prepare);
    node->state = prepare.state;
    return status ? weir_status_note(status, "\n\t [[{{node %s}}]]", node->site->name) : WEIR_OK;
}

static weir_status init_node(planning *pl, plan_node *node, weir_node *from)
{
    weir_plan *plan = pl->p;
    node->site = &from->site;
    node->node = from;
    node->kind = (uint8_t)kind_of(from);
    node->in_count = from->site.in_count;
    node->out_count = from->site.out_count;
    node->child_frame = -1;
    if (node->kind == KIND_KERNEL && !from->site.op)
        return weir_error(WEIR_INTERNAL, "function call '%s' was not lowered", from->site.name);
    if (node->kind == KIND_KERNEL)
        WEIR_TRY(bind_kernel(pl, node));
    if (node->kind == KIND_ARG || node->kind == KIND_RETVAL) {
        int64_t index = weir_node_attr(from, "index")->i;
        int32_t *count = node->kind == KIND_ARG ? &plan->arg_count : &plan->ret_count;
        if (index < 0 || index >= MOST_VALUES)
            return weir_error(WEIR_INVALID_ARGUMENT, "node '%s' has index %" PRId64,
                              from->site.name, index);
        node->index = (int32_t)index;
        if (node->index >= *count)
            *count = node->index + 1;
    }
    if (node->kind == KIND_CONST) {
        node->constant = weir_tensor_share(weir_node_attr(from, "value")->tensor);
        if (from->site.memory)
            WEIR_TRY(place_constant(&from->site, &node->constant));
        if (from->controls.count == 0)
            node->kind = KIND_SKIP;
    }
    plan->has_flow |= node->kind >= KIND_SWITCH && node->kind != KIND_SKIP;
    plan->has_async |= node->kind == KIND_ASYNC;
    plan->has_flow |= node->kind == KIND_ASYNC; /* a receive may yield a dead tensor */
    node->looked = weir_plan_node_looked(node);
    node->made = weir_node_is_made(from);
    node->is_dead_ok =
        node->kind == KIND_SEND || node->kind == KIND_TRIGGER || node->kind == KIND_MERGE;
    return WEIR_OK;
}

/* ---- frames --------------------------------------------------------------------------------- */

static int32_t find_frame(planning *pl, int32_t parent, weir_str name, int64_t parallel)
{
    weir_plan *plan = pl->p;
    for (int32_t i = 1; i < plan->frame_count; i++)
        if (plan->frames[i].parent == parent && weir_str_is(name, plan->frames[i].name))
            return i;
    plan->frames =
        weir_realloc(plan->frames, sizeof *plan->frames * (size_t)(plan->frame_count + 1));
    plan_frame *frame = &plan->frames[plan->frame_count];
    *frame = (plan_frame){.name = weir_arena_strndup(&plan->arena, name.at, name.length),
                          .name_hash = weir_murmur64(name),
                          .parent = parent,
                          .child_index = plan->frames[parent].child_count++,
                          .parallel_iterations = parallel < 1    ? 1
                                                 : parallel > 64 ? 64
                                                                 : (int32_t)parallel};
    return plan->frame_count++;
}

static int32_t out_frame(const weir_plan *plan, const plan_node *node)
{
    if (node->kind == KIND_ENTER)
        return node->child_frame;
    if (node->kind == KIND_EXIT)
        return plan->frames[node->frame].parent;
    return node->frame;
}

static weir_status join_frame(planning *pl, plan_node *node, const weir_node *source,
                              int32_t *frame)
{
    const plan_node *from = &pl->p->nodes[pl->index[source->id]];
    if (from->kind == KIND_SKIP || from->kind == KIND_NEXT)
        return WEIR_OK; /* constants are in every frame; back edges agree with the forward ones */
    int32_t f = out_frame(pl->p, from);
    if (f < 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "Exit node '%s' is outside of any loop",
                          source->site.name);
    if (*frame < 0)
        *frame = f;
    if (*frame != f)
        return weir_error(
            WEIR_INVALID_ARGUMENT,
            "{{node %s}} has inputs from different frames. The input {{node %s}} is in "
            "frame '%s'. Another input is in frame '%s'.",
            node->site->name, source->site.name, pl->p->frames[f].name, pl->p->frames[*frame].name);
    return WEIR_OK;
}

static weir_status place_in_frame(planning *pl, plan_node *plan_node)
{
    int32_t frame = -1;
    const weir_node *node = plan_node->node;
    for (int i = 0; i < plan_node->in_count; i++)
        WEIR_TRY(join_frame(pl, plan_node, node->in[i].node, &frame));
    for (size_t i = 0; i < node->controls.count; i++)
        WEIR_TRY(join_frame(pl, plan_node, node->controls.at[i], &frame));
    plan_node->frame = frame < 0 ? 0 : frame;
    if (plan_node->kind == KIND_EXIT && plan_node->frame == 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "{{node %s}} leaves a loop that it is not in",
                          plan_node->site->name);
    if (plan_node->kind != KIND_ENTER)
        return WEIR_OK;
    plan_node->constant_enter = weir_node_attr(node, "is_constant")->b;
    plan_node->child_frame = find_frame(pl, plan_node->frame, weir_node_attr(node, "frame_name")->s,
                                        weir_node_attr(node, "parallel_iterations")->i);
    pl->p->frames[plan_node->child_frame].enter_count++;
    return WEIR_OK;
}

/* ---- edges ---------------------------------------------------------------------------------- */

/* True when some node reads the variable of |ref| directly when it runs, instead of an Identity
 * that read it long before. */
static bool read_directly(const weir_edge ref)
{
    for (size_t i = 0; i < ref.node->uses.count; i++) {
        const weir_use *use = &ref.node->uses.at[i];
        if (use->input >= 0 && use->output == ref.index &&
            !weir_dtype_is_ref(use->node->site.in_types[use->input]) &&
            kind_of(use->node) == KIND_KERNEL)
            return true;
    }
    return false;
}

static bool writes_last(const plan_node *node)
{
    for (int i = 0; node->kind == KIND_KERNEL && node->has_refs && i < node->in_count; i++)
        if (weir_dtype_is_ref(node->site->in_types[i]) && read_directly(node->node->in[i]))
            return true;
    return false;
}

static bool names_state(const int16_t *types, int count)
{
    for (int i = 0; i < count; i++)
        if (weir_dtype_is_ref(types[i]) || types[i] == WEIR_RESOURCE || types[i] == WEIR_VARIANT)
            return true;
    return false;
}

/* Derived from the signature, to avoid a list of ops: ops that retain values are stateful, or have
 * a resource handle, or a shared name. Optimisers' rules and Weir's fused ops only read their
 * inputs. */
static bool may_keep(const plan_node *node)
{
    const weir_site *site = node->site;
    return site->op && !site->op->update && !(site->op->flags & WEIR_INTERNAL_OP) &&
           (site->def->flags & WEIR_STATEFUL || names_state(site->in_types, node->in_count) ||
            names_state(site->out_types, node->out_count) ||
            weir_opdef_attr(site->def, "shared_name") >= 0);
}

/* Counts inputs and assigns their slots. */
static void count_inputs(planning *pl, plan_node *node)
{
    weir_plan *plan = pl->p;
    plan_frame *frame = &plan->frames[node->frame];
    node->local = frame->node_count++;
    node->slot = frame->slot_count;
    node->slot_count = node->kind == KIND_MERGE ? 1 : node->in_count;
    frame->slot_count += node->slot_count;
    node->control_pending = (int32_t)node->node->controls.count;
    for (int i = 0; i < node->in_count; i++) {
        weir_edge edge = node->node->in[i];
        const plan_node *from = &plan->nodes[pl->index[edge.node->id]];
        node->has_refs |= weir_dtype_is_ref(from->site->out_types[edge.index]);
        if (from->kind != KIND_SKIP || node->kind == KIND_MERGE) {
            node->data_pending++;
            continue;
        }
        if (!node->constants)
            node->constants = WEIR_ARENA_ARRAY(&plan->arena, const weir_tensor *, node->in_count);
        node->has_constants = true;
        node->constants[i] = &from->constant;
    }
    node->writes_last = writes_last(node);
    node->may_keep = may_keep(node);
    const weir_op *op = node->site->op;
    node->same_shape = node->kind == KIND_KERNEL && !node->has_refs && node->out_count == 1 &&
                       node->in_count >= 1 && weir_op_keeps_shape(op) &&
                       op->inplace & WEIR_INPLACE(0, 0) &&
                       !(node->kernel->flags & (WEIR_OWN_OUTPUTS | WEIR_ON_DEVICE)) &&
                       node->site->in_types[0] == node->site->out_types[0];
    node->pending = node->kind == KIND_MERGE ? node->control_pending + 1
                                             : node->control_pending + node->data_pending;
}

/* A constant that a Merge reads must run after all: it has to notify the Merge. */
static void wake_constants(planning *pl)
{
    for (int32_t i = 0; i < pl->p->node_count; i++) {
        plan_node *node = &pl->p->nodes[i];
        bool needed = node->kind == KIND_SKIP && node->node->uses.count == 0;
        for (size_t u = 0; node->kind == KIND_SKIP && u < node->node->uses.count; u++) {
            const weir_use *use = &node->node->uses.at[u];
            needed |= use->input < 0 || kind_of(use->node) == KIND_MERGE;
        }
        if (needed)
            node->kind = KIND_CONST;
    }
}

static int by_output(const void *a, const void *b)
{
    const plan_use *use = a, *plan_use = b;
    return use->output != plan_use->output ? use->output - plan_use->output
                                           : use->node - plan_use->node;
}

static void list_uses(planning *pl, plan_node *n)
{
    weir_plan *plan = pl->p;
    const weir_node *node = n->node;
    plan_use *uses = WEIR_ARENA_ARRAY(&plan->arena, plan_use, node->uses.count);
    int32_t count = 0;
    for (size_t i = 0; i < node->uses.count && n->kind != KIND_SKIP; i++) {
        const weir_use *use = &node->uses.at[i];
        const plan_node *to = &plan->nodes[pl->index[use->node->id]];
        if (use->input >= 0 && to->constants && to->constants[use->input])
            continue;
        int32_t slot = use->input < 0           ? -1
                       : to->kind == KIND_MERGE ? use->input
                                                : to->slot + use->input;
        uses[count++] = (plan_use){pl->index[use->node->id], slot, use->output};
    }
    qsort(uses, (size_t)count, sizeof *uses, by_output);
    n->uses = uses;
    n->use_count = count;
    if (count == 1) {
        n->first_use = uses[0];
        n->uses = &n->first_use;
        n->direct = n->same_shape && n->in_count == 1 && !n->has_constants && n->frame == 0 &&
                    uses[0].slot >= 0 && plan->nodes[uses[0].node].kind != KIND_MERGE;
    }
    n->out_uses = WEIR_ARENA_ARRAY(&plan->arena, int32_t, n->out_count + 1);
    int32_t at = 0;
    while (at < count && uses[at].output < 0)
        at++;
    n->control_uses = at;
    for (int output = 0; output < n->out_count; output++) {
        n->out_uses[output] = at;
        while (at < count && uses[at].output == output)
            at++;
    }
    n->out_uses[n->out_count] = at;
}

/* Depth of a loop's node among those that forward a value at once: each forwards to deeper ones
 * only, so three are the maximum. 0: it runs normally. */
static int passing_depth(const plan_node *node)
{
    if (node->frame == 0 || node->has_constants || node->has_refs)
        return 0;
    if (node->kind == KIND_MERGE) /* and its value_index is not used */
        return node->out_uses[2] == node->out_uses[1] ? 1 : 0;
    if (node->kind == KIND_FORWARD)
        return weir_node_flow(node->node) == WEIR_FLOW_LOOP_COND ? 2 : 0;
    return node->kind == KIND_SWITCH ? 3 : 0;
}

static void find_passing(weir_plan *plan)
{
    for (int32_t i = 0; i < plan->node_count; i++) {
        plan_node *node = &plan->nodes[i];
        int depth = passing_depth(node);
        node->passes_on = depth > 0;
        for (int32_t use_index = 0; use_index < node->use_count && node->passes_on; use_index++) {
            int next = passing_depth(&plan->nodes[node->uses[use_index].node]);
            node->passes_on = next == 0 || next > depth;
        }
    }
}

/* Lengths of chains; consumers come later in the order. */
static void measure_chains(weir_plan *plan)
{
    for (int32_t i = plan->node_count; i-- > 0;) {
        plan_node *node = &plan->nodes[i];
        node->chain = node->kind == KIND_KERNEL;
        if (!node->chain || node->use_count != 1 || node->first_use.node <= i)
            continue;
        const plan_node *next = &plan->nodes[node->first_use.node];
        if (next->pending == 1)
            node->chain += next->chain;
    }
}

static void set_counts(weir_plan *plan)
{
    for (int32_t frame_index = 0; frame_index < plan->frame_count; frame_index++)
        plan->frames[frame_index].initial =
            WEIR_ARENA_ARRAY(&plan->arena, int32_t, plan->frames[frame_index].node_count);
    plan->roots = WEIR_ARENA_ARRAY(&plan->arena, int32_t, plan->node_count);
    for (int32_t i = 0; i < plan->node_count; i++) {
        plan_node *node = &plan->nodes[i];
        plan->frames[node->frame].initial[node->local] =
            node->kind == KIND_MERGE ? MERGE_INITIAL(node->control_pending, node->data_pending)
                                     : node->pending;
        if (node->pending == 0 && node->frame == 0 && node->kind != KIND_SKIP)
            plan->roots[plan->root_count++] = i;
    }
}

/* ---- the whole ------------------------------------------------------------------------------ */

static weir_status number_nodes(planning *pl)
{
    weir_plan *plan = pl->p;
    plan->node_count = (int32_t)pl->count;
    plan->nodes = weir_zalloc_aligned(sizeof(plan_node) * pl->count);
    for (size_t i = 0; i < pl->count; i++)
        pl->index[pl->order[i]->id] = (int32_t)i;
    size_t live = 0;
    for (size_t i = 0; i < plan->graph->nodes.count; i++)
        live += !plan->graph->nodes.at[i]->removed;
    if (live != pl->count)
        return weir_error(WEIR_INVALID_ARGUMENT, "the graph has a cycle that is not a loop");
    for (size_t i = 0; i < pl->count; i++)
        WEIR_TRY(init_node(pl, &plan->nodes[i], pl->order[i]));
    return WEIR_OK;
}

static weir_status build(planning *pl)
{
    weir_plan *plan = pl->p;
    WEIR_TRY(number_nodes(pl));
    wake_constants(pl);
    for (int32_t i = 0; i < plan->node_count; i++)
        WEIR_TRY(place_in_frame(pl, &plan->nodes[i]));
    for (int32_t i = 0; i < plan->node_count; i++)
        count_inputs(pl, &plan->nodes[i]);
    for (int32_t i = 0; i < plan->node_count; i++)
        list_uses(pl, &plan->nodes[i]);
    find_passing(plan);
    measure_chains(plan);
    set_counts(plan);
    plan->spare_iterations = WEIR_ARENA_ARRAY(&plan->arena, struct iteration *, plan->frame_count);
    return WEIR_OK;
}

static void destroy(weir_ref *ref)
{
    weir_plan *plan = (weir_plan *)ref;
    weir_plan_delist(plan);
    weir_plan_records_destroy(plan->records);
    weir_iterations_free(plan);
    for (int32_t i = 0; i < plan->node_count; i++) {
        plan_node *node = &plan->nodes[i];
        if (node->state && node->kernel && node->kernel->cleanup)
            node->kernel->cleanup(node->state);
        weir_tensor_release(&node->constant);
    }
    weir_free(plan->frames);
    weir_free_aligned(plan->nodes);
    weir_arena_fini(&plan->arena);
    weir_graph_destroy(plan->graph);
    weir_resources_release(plan->resources);
    weir_mutex_fini(&plan->lock);
    weir_free(plan);
}

weir_status weir_plan_create(weir_graph *graph, const weir_plan_env *env, weir_plan **out_plan)
{
    weir_plan *plan = WEIR_NEW(weir_plan);
    weir_ref_init(&plan->ref, destroy);
    weir_arena_init(&plan->arena);
    weir_mutex_init(&plan->lock);
    plan->graph = graph;
    plan->check_numerics = env->check_numerics;
    plan->resources = env->resources ? weir_resources_retain(env->resources) : NULL;
    plan->frames = WEIR_NEW(plan_frame);
    plan->frames[0] = (plan_frame){.name = "", .parent = -1, .parallel_iterations = 1};
    plan->frame_count = 1;
    planning pl = {.p = plan, .env = env};
    weir_status status = weir_plan_read_after_write(graph);
    pl.order = weir_graph_order(graph, &pl.count);
    pl.index = WEIR_NEW_ARRAY(int32_t, graph->nodes.count);
    if (!status)
        status = build(&pl);
    weir_free(pl.order);
    weir_free(pl.index);
    if (status) {
        weir_plan_release(plan);
        return status;
    }
    plan->records = env->kernels ? weir_plan_records_create(plan) : NULL;
    weir_plan_enlist(plan);
    *out_plan = plan;
    return WEIR_OK;
}

void weir_plan_retain(weir_plan *plan)
{
    weir_ref_retain(&plan->ref);
}

void weir_plan_release(weir_plan *plan)
{
    weir_ref_release((weir_ref *)plan);
}

int weir_plan_arg_count(const weir_plan *plan)
{
    return plan->arg_count;
}

int weir_plan_ret_count(const weir_plan *plan)
{
    return plan->ret_count;
}

bool weir_plan_brief(const weir_plan *plan)
{
    return atomic_load_explicit(&plan->brief, memory_order_relaxed);
}

const weir_graph *weir_plan_graph(const weir_plan *plan)
{
    return plan->graph;
}
