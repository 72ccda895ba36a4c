/* exec/plan.c - from a graph to arrays that a step can run over. */
#include <stdlib.h>

#include "base/fingerprint.h"
#include "exec/plan_impl.h"
#include "exec/step_impl.h"

/* How the executor runs an op: those not listed by their kernels (KIND_KERNEL). */
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

static int kind_of(const weir_node *n)
{
    return kinds[weir_node_flow(n)];
}

typedef struct planning {
    weir_plan *p;
    weir_node **order;
    size_t count;
    int32_t *index; /* node id -> plan index */
    const weir_plan_env *env;
} planning;

/* ---- kernels -------------------------------------------------------------------------------- */

static weir_status bind_kernel(planning *pl, plan_node *n)
{
    WEIR_TRY(weir_op_kernel(n->site, WEIR_CPU, &n->kernel));
    if (n->kernel->flags & WEIR_ASYNC)
        n->kind = KIND_ASYNC;
    if (weir_node_flow(n->node) == WEIR_FLOW_SEND)
        n->kind = KIND_SEND;
    if (!n->kernel->prepare)
        return WEIR_OK;
    weir_prepare prepare = {.site = n->site,
                            .resources = pl->env->resources,
                            .own = pl->env->own,
                            .runner = pl->env->runner,
                            .runner_arg = pl->env->runner_arg};
    weir_status s = n->kernel->prepare(&prepare);
    n->state = prepare.state;
    return s ? weir_status_note(s, "\n\t [[{{node %s}}]]", n->site->name) : WEIR_OK;
}

static weir_status init_node(planning *pl, plan_node *n, weir_node *from)
{
    weir_plan *p = pl->p;
    n->site = &from->site;
    n->node = from;
    n->kind = (uint8_t)kind_of(from);
    n->in_count = from->site.in_count;
    n->out_count = from->site.out_count;
    n->child_frame = -1;
    if (n->kind == KIND_KERNEL && !from->site.op)
        return weir_error(WEIR_INTERNAL, "function call '%s' was not lowered", from->site.name);
    if (n->kind == KIND_KERNEL)
        WEIR_TRY(bind_kernel(pl, n));
    if (n->kind == KIND_ARG || n->kind == KIND_RETVAL) {
        n->index = (int32_t)weir_node_attr(from, "index")->i;
        int32_t *count = n->kind == KIND_ARG ? &p->arg_count : &p->ret_count;
        if (n->index < 0)
            return weir_error(WEIR_INVALID_ARGUMENT, "node '%s' has index %d", from->site.name,
                              n->index);
        if (n->index >= *count)
            *count = n->index + 1;
    }
    if (n->kind == KIND_CONST) {
        n->constant = weir_tensor_share(weir_node_attr(from, "value")->tensor);
        if (from->controls.count == 0)
            n->kind = KIND_SKIP;
    }
    p->has_flow |= n->kind >= KIND_SWITCH && n->kind != KIND_SKIP;
    p->has_async |= n->kind == KIND_ASYNC;
    p->has_flow |= n->kind == KIND_ASYNC; /* a receive may bring a dead tensor */
    n->is_dead_ok = n->kind == KIND_SEND || n->kind == KIND_TRIGGER || n->kind == KIND_MERGE;
    return WEIR_OK;
}

/* ---- frames --------------------------------------------------------------------------------- */

static int32_t find_frame(planning *pl, int32_t parent, weir_str name, int64_t parallel)
{
    weir_plan *p = pl->p;
    for (int32_t i = 1; i < p->frame_count; i++)
        if (p->frames[i].parent == parent && weir_str_is(name, p->frames[i].name))
            return i;
    p->frames = weir_realloc(p->frames, sizeof *p->frames * (size_t)(p->frame_count + 1));
    plan_frame *f = &p->frames[p->frame_count];
    *f = (plan_frame){.name = weir_arena_strndup(&p->arena, name.at, name.length),
                      .name_hash = weir_murmur64(name),
                      .parent = parent,
                      .child_index = p->frames[parent].child_count++,
                      .parallel_iterations = parallel < 1    ? 1
                                             : parallel > 64 ? 64
                                                             : (int32_t)parallel};
    return p->frame_count++;
}

static int32_t out_frame(const weir_plan *p, const plan_node *n)
{
    if (n->kind == KIND_ENTER)
        return n->child_frame;
    if (n->kind == KIND_EXIT)
        return p->frames[n->frame].parent;
    return n->frame;
}

static weir_status join_frame(planning *pl, plan_node *n, const weir_node *source, int32_t *frame)
{
    const plan_node *from = &pl->p->nodes[pl->index[source->id]];
    if (from->kind == KIND_SKIP || from->kind == KIND_NEXT)
        return WEIR_OK; /* constants are everywhere; back edges agree with the forward ones */
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
            n->site->name, source->site.name, pl->p->frames[f].name, pl->p->frames[*frame].name);
    return WEIR_OK;
}

static weir_status place_in_frame(planning *pl, plan_node *n)
{
    int32_t frame = -1;
    const weir_node *node = n->node;
    for (int i = 0; i < n->in_count; i++)
        WEIR_TRY(join_frame(pl, n, node->in[i].node, &frame));
    for (size_t i = 0; i < node->controls.count; i++)
        WEIR_TRY(join_frame(pl, n, node->controls.at[i], &frame));
    n->frame = frame < 0 ? 0 : frame;
    if (n->kind == KIND_EXIT && n->frame == 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "{{node %s}} leaves a loop that it is not in",
                          n->site->name);
    if (n->kind != KIND_ENTER)
        return WEIR_OK;
    n->constant_enter = weir_node_attr(node, "is_constant")->b;
    n->child_frame = find_frame(pl, n->frame, weir_node_attr(node, "frame_name")->s,
                                weir_node_attr(node, "parallel_iterations")->i);
    pl->p->frames[n->child_frame].enter_count++;
    return WEIR_OK;
}

/* ---- edges ---------------------------------------------------------------------------------- */

/* True when some node reads the variable behind |ref| as it runs, instead of through an Identity
 * that read it long before. */
static bool read_directly(const weir_edge ref)
{
    for (size_t i = 0; i < ref.node->uses.count; i++) {
        const weir_use *u = &ref.node->uses.at[i];
        if (u->input >= 0 && u->output == ref.index &&
            !weir_dtype_is_ref(u->node->site.in_types[u->input]) && kind_of(u->node) == KIND_KERNEL)
            return true;
    }
    return false;
}

static bool writes_last(const plan_node *n)
{
    for (int i = 0; n->kind == KIND_KERNEL && n->has_refs && i < n->in_count; i++)
        if (weir_dtype_is_ref(n->site->in_types[i]) && read_directly(n->node->in[i]))
            return true;
    return false;
}

/* Where inputs wait and how many there are. */
static void count_inputs(planning *pl, plan_node *n)
{
    weir_plan *p = pl->p;
    plan_frame *f = &p->frames[n->frame];
    n->local = f->node_count++;
    n->slot = f->slot_count;
    f->slot_count += n->kind == KIND_MERGE ? 1 : n->in_count;
    n->control_pending = (int32_t)n->node->controls.count;
    for (int i = 0; i < n->in_count; i++) {
        weir_edge e = n->node->in[i];
        const plan_node *from = &p->nodes[pl->index[e.node->id]];
        n->has_refs |= weir_dtype_is_ref(from->site->out_types[e.index]);
        if (from->kind != KIND_SKIP || n->kind == KIND_MERGE) {
            n->data_pending++;
            continue;
        }
        if (!n->constants)
            n->constants = WEIR_ARENA_ARRAY(&p->arena, const weir_tensor *, n->in_count);
        n->has_constants = true;
        n->constants[i] = &from->constant;
    }
    n->writes_last = writes_last(n);
    const weir_op *op = n->site->op;
    n->same_shape = n->kind == KIND_KERNEL && !n->has_refs && n->out_count == 1 &&
                    n->in_count >= 1 && weir_op_keeps_shape(op) &&
                    op->inplace & WEIR_INPLACE(0, 0) && !(n->kernel->flags & WEIR_OWN_OUTPUTS) &&
                    n->site->in_types[0] == n->site->out_types[0];
    n->pending =
        n->kind == KIND_MERGE ? n->control_pending + 1 : n->control_pending + n->data_pending;
}

/* A constant that a Merge reads must run after all: Merge needs to be told. */
static void wake_constants(planning *pl)
{
    for (int32_t i = 0; i < pl->p->node_count; i++) {
        plan_node *n = &pl->p->nodes[i];
        bool needed = n->kind == KIND_SKIP && n->node->uses.count == 0;
        for (size_t u = 0; n->kind == KIND_SKIP && u < n->node->uses.count; u++) {
            const weir_use *use = &n->node->uses.at[u];
            needed |= use->input < 0 || kind_of(use->node) == KIND_MERGE;
        }
        if (needed)
            n->kind = KIND_CONST;
    }
}

static int by_output(const void *a, const void *b)
{
    const plan_use *x = a, *y = b;
    return x->output != y->output ? x->output - y->output : x->node - y->node;
}

static void list_uses(planning *pl, plan_node *n)
{
    weir_plan *p = pl->p;
    const weir_node *node = n->node;
    plan_use *uses = WEIR_ARENA_ARRAY(&p->arena, plan_use, node->uses.count);
    int32_t count = 0;
    for (size_t i = 0; i < node->uses.count && n->kind != KIND_SKIP; i++) {
        const weir_use *u = &node->uses.at[i];
        const plan_node *to = &p->nodes[pl->index[u->node->id]];
        if (u->input >= 0 && to->constants && to->constants[u->input])
            continue;
        int32_t slot = u->input < 0 ? -1 : to->kind == KIND_MERGE ? to->slot : to->slot + u->input;
        uses[count++] =
            (plan_use){pl->index[u->node->id], slot, (int16_t)u->input, (int16_t)u->output};
    }
    qsort(uses, (size_t)count, sizeof *uses, by_output);
    n->uses = uses;
    n->use_count = count;
    if (count == 1) {
        n->first_use = uses[0];
        n->uses = &n->first_use;
        n->direct = n->same_shape && n->in_count == 1 && !n->has_constants && n->frame == 0 &&
                    uses[0].slot >= 0 && p->nodes[uses[0].node].kind != KIND_MERGE;
    }
    n->out_uses = WEIR_ARENA_ARRAY(&p->arena, int32_t, n->out_count + 1);
    int32_t at = 0;
    while (at < count && uses[at].output < 0)
        at++;
    n->control_uses = at;
    for (int o = 0; o < n->out_count; o++) {
        n->out_uses[o] = at;
        while (at < count && uses[at].output == o)
            at++;
    }
    n->out_uses[n->out_count] = at;
}

/* How deep a node of a loop may stand among those that pass a value on at once: each passes to
 * deeper ones only, so that three are the most. 0: it is run like others. */
static int passing_depth(const plan_node *n)
{
    if (n->frame == 0 || n->has_constants || n->has_refs)
        return 0;
    if (n->kind == KIND_MERGE) /* and nobody asks which input it took */
        return n->out_uses[2] == n->out_uses[1] ? 1 : 0;
    if (n->kind == KIND_FORWARD)
        return weir_node_flow(n->node) == WEIR_FLOW_LOOP_COND ? 2 : 0;
    return n->kind == KIND_SWITCH ? 3 : 0;
}

static void find_passing(weir_plan *p)
{
    for (int32_t i = 0; i < p->node_count; i++) {
        plan_node *n = &p->nodes[i];
        int depth = passing_depth(n);
        n->passes_on = depth > 0;
        for (int32_t u = 0; u < n->use_count && n->passes_on; u++) {
            int next = passing_depth(&p->nodes[n->uses[u].node]);
            n->passes_on = next == 0 || next > depth;
        }
    }
}

/* How far each node leads on without meeting another; users come later in the order. */
static void measure_chains(weir_plan *p)
{
    for (int32_t i = p->node_count; i-- > 0;) {
        plan_node *n = &p->nodes[i];
        n->chain = n->kind == KIND_KERNEL;
        if (!n->chain || n->use_count != 1 || n->first_use.node <= i)
            continue;
        const plan_node *next = &p->nodes[n->first_use.node];
        if (next->pending == 1)
            n->chain += next->chain;
    }
}

static void set_counts(weir_plan *p)
{
    for (int32_t f = 0; f < p->frame_count; f++)
        p->frames[f].initial = WEIR_ARENA_ARRAY(&p->arena, int32_t, p->frames[f].node_count);
    p->roots = WEIR_ARENA_ARRAY(&p->arena, int32_t, p->node_count);
    for (int32_t i = 0; i < p->node_count; i++) {
        plan_node *n = &p->nodes[i];
        p->frames[n->frame].initial[n->local] =
            n->kind == KIND_MERGE ? MERGE_INITIAL(n->control_pending, n->data_pending) : n->pending;
        if (n->pending == 0 && n->frame == 0 && n->kind != KIND_SKIP)
            p->roots[p->root_count++] = i;
    }
}

/* ---- the whole ------------------------------------------------------------------------------ */

static weir_status number_nodes(planning *pl)
{
    weir_plan *p = pl->p;
    p->node_count = (int32_t)pl->count;
    p->nodes = weir_zalloc_aligned(sizeof(plan_node) * pl->count);
    for (size_t i = 0; i < pl->count; i++)
        pl->index[pl->order[i]->id] = (int32_t)i;
    size_t live = 0;
    for (size_t i = 0; i < p->graph->nodes.count; i++)
        live += !p->graph->nodes.at[i]->removed;
    if (live != pl->count)
        return weir_error(WEIR_INVALID_ARGUMENT, "the graph has a cycle that is not a loop");
    for (size_t i = 0; i < pl->count; i++)
        WEIR_TRY(init_node(pl, &p->nodes[i], pl->order[i]));
    return WEIR_OK;
}

static weir_status build(planning *pl)
{
    weir_plan *p = pl->p;
    WEIR_TRY(number_nodes(pl));
    wake_constants(pl);
    for (int32_t i = 0; i < p->node_count; i++)
        WEIR_TRY(place_in_frame(pl, &p->nodes[i]));
    for (int32_t i = 0; i < p->node_count; i++)
        count_inputs(pl, &p->nodes[i]);
    for (int32_t i = 0; i < p->node_count; i++)
        list_uses(pl, &p->nodes[i]);
    find_passing(p);
    measure_chains(p);
    set_counts(p);
    p->spare_iterations = WEIR_ARENA_ARRAY(&p->arena, struct iteration *, p->frame_count);
    return WEIR_OK;
}

static void destroy(weir_ref *ref)
{
    weir_plan *p = (weir_plan *)ref;
    weir_iterations_free(p);
    for (int32_t i = 0; i < p->node_count; i++) {
        plan_node *n = &p->nodes[i];
        if (n->state && n->kernel && n->kernel->cleanup)
            n->kernel->cleanup(n->state);
        weir_tensor_release(&n->constant);
    }
    weir_free(p->frames);
    weir_free_aligned(p->nodes);
    weir_arena_fini(&p->arena);
    weir_graph_destroy(p->graph);
    weir_resources_release(p->resources);
    weir_mutex_fini(&p->lock);
    weir_free(p);
}

weir_status weir_plan_create(weir_graph *graph, const weir_plan_env *env, weir_plan **out_plan)
{
    weir_plan *p = WEIR_NEW(weir_plan);
    weir_ref_init(&p->ref, destroy);
    weir_arena_init(&p->arena);
    weir_mutex_init(&p->lock);
    p->graph = graph;
    p->resources = env->resources ? weir_resources_retain(env->resources) : NULL;
    p->frames = WEIR_NEW(plan_frame);
    p->frames[0] = (plan_frame){.name = "", .parent = -1, .parallel_iterations = 1};
    p->frame_count = 1;
    planning pl = {.p = p, .env = env};
    weir_status s = weir_plan_read_after_write(graph);
    pl.order = weir_graph_order(graph, &pl.count);
    pl.index = WEIR_NEW_ARRAY(int32_t, graph->nodes.count);
    if (!s)
        s = build(&pl);
    weir_free(pl.order);
    weir_free(pl.index);
    if (s) {
        weir_plan_release(p);
        return s;
    }
    *out_plan = p;
    return WEIR_OK;
}

void weir_plan_retain(weir_plan *p)
{
    weir_ref_retain(&p->ref);
}

void weir_plan_release(weir_plan *p)
{
    weir_ref_release((weir_ref *)p);
}

int weir_plan_arg_count(const weir_plan *p)
{
    return p->arg_count;
}

int weir_plan_ret_count(const weir_plan *p)
{
    return p->ret_count;
}

bool weir_plan_brief(const weir_plan *p)
{
    return atomic_load_explicit(&p->brief, memory_order_relaxed);
}

const weir_graph *weir_plan_graph(const weir_plan *p)
{
    return p->graph;
}
