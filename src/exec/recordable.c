/* exec/recordable.c - whether a plan's work on a device is the same in each step of a kind.
 *
 * Host values are traced from their sources: an argument, a device, or a host variable that the
 * plan only reads; these differ from step to step. Values that host nodes read must depend on none
 * of them, or only on arguments that become part of the kind.
 */
#include <stdio.h>

#include "exec/record_impl.h"
#include "op/device.h"

/* Sources of a host value. */
enum { FROM_NOTHING = 0, FROM_ARGS = 1, FROM_DEVICE = 2, FROM_VARIABLE = 4 };

typedef struct following {
    const weir_plan *plan;
    uint8_t *from; /* by node id, for all of its outputs */
    bool *keyed;   /* by node id: the arguments it depends on are part of the kind */
    plan_recordable *found;
    char *why; /* 256 bytes; "": recordable so far */
} following;

static void refuse(following *f, const weir_node *node, const char *why)
{
    if (!*f->why)
        snprintf(f->why, 256, "node %s (%s) %s", node->site.name, node->site.def->name, why);
}

static bool is_op(const weir_node *node, const char *name)
{
    return strcmp(node->site.def->name, name) == 0;
}

/* Reshapes input 0, sharing its buffer. */
static bool is_view(const weir_node *node)
{
    return is_op(node, "Reshape") || is_op(node, "ExpandDims") || is_op(node, "Squeeze");
}

/* Forwards its input, in any memory. */
static bool passes_on(const plan_node *node)
{
    return is_view(node->node) || node->kind == KIND_FORWARD || node->kind == KIND_SWITCH ||
           node->kind == KIND_MERGE || node->kind == KIND_ENTER || node->kind == KIND_EXIT ||
           node->kind == KIND_NEXT || weir_node_flow(node->node) == WEIR_FLOW_IDENTITY_N;
}

/* Whether input |i| is read on the host, rather than forwarded. */
static bool looks_at(const plan_node *node, int i)
{
    const weir_site *site = node->site;
    if (weir_dtype_is_ref(site->in_types[i]) || site->def->flags & WEIR_SHAPE_ONLY)
        return false;
    if (node->kind == KIND_SWITCH || is_view(node->node))
        return i == 1;
    if (passes_on(node))
        return false;
    return !site->memory || weir_site_in_on_host(site, i);
}

/* Reads a variable in host memory. */
static bool reads_host(const plan_node *node)
{
    return !node->site->memory &&
           (is_op(node->node, "VariableV2") || is_op(node->node, "Variable") ||
            is_op(node->node, "ReadVariableOp"));
}

static int source_of(const following *f, const plan_node *node, int i)
{
    return f->from[node->node->in[i].node->id];
}

/* The sources of its outputs in host memory. */
static int outputs_from(const following *f, const plan_node *node)
{
    int from = FROM_NOTHING;
    if (node->kind == KIND_ARG)
        return FROM_ARGS;
    if (is_op(node->node, "_CopyOut"))
        return FROM_DEVICE;
    if (reads_host(node))
        return FROM_VARIABLE;
    int count = is_view(node->node) ? 1 : node->in_count;
    for (int i = 0; passes_on(node) && i < count; i++)
        from |= source_of(f, node, i);
    return from;
}

static void follow(following *f)
{
    bool changed = true;
    while (changed) { /* loops have back edges */
        changed = false;
        for (int32_t i = 0; i < f->plan->node_count; i++) {
            const plan_node *node = &f->plan->nodes[i];
            uint8_t from = (uint8_t)outputs_from(f, node);
            changed |= from != f->from[node->node->id];
            f->from[node->node->id] = from;
        }
    }
}

/* Makes the arguments that a node depends on part of the kind. */
static void key_by(following *f, const weir_node *from)
{
    WEIR_VEC(const weir_node *) left = {0};
    weir_vec_push(&left, from);
    while (left.count) {
        from = left.at[--left.count];
        if (f->keyed[from->id] || !f->from[from->id])
            continue;
        f->keyed[from->id] = true;
        if (weir_node_flow(from) == WEIR_FLOW_ARG)
            f->found->by_value[weir_node_attr(from, "index")->i] = true;
        for (int i = 0; i < from->site.in_count; i++)
            weir_vec_push(&left, from->in[i].node);
    }
    weir_vec_fini(&left);
}

int weir_plan_fed(const weir_node *copy)
{
    const weir_node *from = copy->in[0].node;
    while (weir_node_flow(from) == WEIR_FLOW_IDENTITY ||
           weir_node_flow(from) == WEIR_FLOW_FORWARD || weir_node_flow(from) == WEIR_FLOW_ENTER ||
           is_view(from))
        from = from->in[0].node;
    return weir_node_flow(from) == WEIR_FLOW_ARG ? (int)weir_node_attr(from, "index")->i : -1;
}

static void check_inputs(following *f, const plan_node *node)
{
    if (is_op(node->node, "_CopyIn") && weir_plan_fed(node->node) >= 0)
        return;
    for (int i = 0; i < node->in_count; i++) {
        int from = source_of(f, node, i);
        bool result = node->kind == KIND_RETVAL;
        if (!from || !(looks_at(node, i) || result))
            continue;
        if (from & FROM_DEVICE && !result)
            refuse(f, node->node, "looks at a value of the device");
        else if (from == FROM_VARIABLE && is_op(node->node, "_CopyIn"))
            continue; /* copied again when it has changed */
        else if (from & FROM_VARIABLE)
            refuse(f, node->node, "looks at a variable in host memory");
        else if (from == (FROM_DEVICE | FROM_ARGS))
            refuse(f, node->node, "gives a value of the device or an argument");
        else if (from & FROM_ARGS)
            key_by(f, node->node->in[i].node);
    }
}

static bool calls_functions(const weir_site *site)
{
    for (int i = 0; i < site->def->attr_count; i++)
        if (site->def->attrs[i].kind == WEIR_ATTR_FUNC)
            return true;
    return !site->op || site->op->flow >= WEIR_FLOW_CALL;
}

/* Host state changes from step to step, except for the stacks of loops. */
static bool keeps_state(const plan_node *node)
{
    weir_flow flow = weir_node_flow(node->node);
    bool refs = false; /* which it may modify */
    for (int i = 0; i < node->in_count; i++)
        refs |= weir_dtype_is_ref(node->site->in_types[i]);
    if (node->site->memory || reads_host(node) || is_op(node->node, "VarHandleOp") ||
        (flow >= WEIR_FLOW_STACK && flow <= WEIR_FLOW_STACK_POP))
        return false;
    return refs || node->site->def->flags & WEIR_STATEFUL;
}

static void check_node(following *f, const plan_node *node)
{
    weir_memory *memory = node->site->memory;
    if (node->kind == KIND_SKIP || node->kind == KIND_ARG)
        return;
    if (node->kind == KIND_ASYNC || node->kind == KIND_SEND)
        refuse(f, node->node, "waits for others");
    if (node->kind == KIND_KERNEL && calls_functions(node->site))
        refuse(f, node->node, "calls functions");
    if (node->kind == KIND_KERNEL && keeps_state(node))
        refuse(f, node->node, "keeps state in host memory");
    if (is_op(node->node, "_CopyAcross") || (memory && f->found->memory != memory))
        refuse(f, node->node, "is on a second device");
    check_inputs(f, node);
}

static weir_memory *first_memory(const weir_plan *plan)
{
    for (int32_t i = 0; i < plan->node_count; i++)
        if (plan->nodes[i].kind == KIND_KERNEL && plan->nodes[i].site->memory)
            return plan->nodes[i].site->memory;
    return NULL;
}

plan_recordable *weir_plan_recordable(const weir_plan *plan, char *why)
{
    weir_memory *memory = first_memory(plan);
    *why = 0;
    if (!memory || !memory->record_begin)
        return NULL;
    plan_recordable *found = WEIR_NEW(plan_recordable);
    *found = (plan_recordable){memory, WEIR_NEW_ARRAY(bool, plan->arg_count + 1)};
    size_t nodes = plan->graph->nodes.count + 1;
    following f = {.plan = plan,
                   .from = WEIR_NEW_ARRAY(uint8_t, nodes),
                   .keyed = WEIR_NEW_ARRAY(bool, nodes),
                   .found = found,
                   .why = why};
    follow(&f);
    for (int32_t i = 0; i < plan->node_count && !*why; i++)
        check_node(&f, &plan->nodes[i]);
    weir_free(f.from);
    weir_free(f.keyed);
    if (!*why)
        return found;
    weir_free(found->by_value);
    weir_free(found);
    return NULL;
}

bool weir_recordable_key(const plan_recordable *what, const step *st, weir_buf *key)
{
    enum { MOST_BYTES = 4096 };
    for (int i = 0; i < st->plan->arg_count; i++) {
        const weir_tensor *arg = &st->args[i];
        bool by_value = what->by_value[i];
        if (!weir_dtype_is_plain(arg->dtype) || (arg->buffer && arg->buffer->memory))
            return false;
        weir_buf_add(key, &arg->dtype, sizeof arg->dtype);
        weir_buf_add(key, &arg->shape.rank, sizeof arg->shape.rank);
        weir_buf_add(key, arg->shape.dims, sizeof *arg->shape.dims * (size_t)arg->shape.rank);
        if (by_value && weir_tensor_bytes(arg) > MOST_BYTES)
            return false;
        if (by_value)
            weir_buf_add(key, arg->data, weir_tensor_bytes(arg));
        if (key->length > MOST_BYTES)
            return false;
    }
    return true;
}
