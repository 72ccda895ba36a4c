/* exec/numerics.c - checks kernels' results, and reports the first NaN. */
#include "exec/numerics.h"

#include <inttypes.h>
#include <stdatomic.h>

#include "base/env.h"
#include "base/log.h"
#include "exec/step_impl.h"
#include "math/finite/finite.h"
#include "observe/marks.h"
#include "state/var.h"

static atomic_int wanted = -1; /* unset: by the environment */
static atomic_bool reported;

void weir_numerics_check(bool on)
{
    atomic_store(&wanted, on);
    atomic_store(&reported, false);
}

bool weir_numerics_checked(void)
{
    int on = atomic_load_explicit(&wanted, memory_order_relaxed);
    return on < 0 ? weir_env_get()->check_numerics : on;
}

/* ---- elements -----------------------------------------------------------------------------------
 */

/* WEIR_ELEM_NONE for types that are always finite. */
static weir_elem elem_of(int type)
{
    switch (weir_dtype_base(type)) {
    case WEIR_FLOAT:
        return WEIR_E_f32;
    case WEIR_DOUBLE:
        return WEIR_E_f64;
    case WEIR_HALF:
        return WEIR_E_f16;
    case WEIR_BFLOAT16:
        return WEIR_E_bf16;
    case WEIR_COMPLEX64:
        return WEIR_E_c64;
    case WEIR_COMPLEX128:
        return WEIR_E_c128;
    default:
        return WEIR_ELEM_NONE;
    }
}

typedef struct looking {
    const weir_tensor *tensor;
    weir_elem elem;
    atomic_bool bad;
} looking;

static void look_at_part(void *ctx, int64_t begin, int64_t end)
{
    looking *looking = ctx;
    const char *from = looking->tensor->data;
    from += (size_t)begin * weir_dtype_size(looking->tensor->dtype);
    if (!weir_finite(looking->elem, from, end - begin))
        atomic_store_explicit(&looking->bad, true, memory_order_relaxed);
}

enum { GRAIN = 1 << 17 }; /* minimum number of elements per thread */

/* Values in device memory count as finite. */
static bool is_finite(const weir_par *par, const weir_tensor *tensor)
{
    if (!tensor->buffer || tensor->buffer->memory)
        return true;
    weir_elem elem = elem_of(tensor->dtype);
    if (elem == WEIR_ELEM_NONE)
        return true;
    int64_t count = weir_tensor_count(tensor);
    if (!par || count < 2 * GRAIN)
        return weir_finite(elem, tensor->data, count);
    looking looking = {.tensor = tensor, .elem = elem};
    weir_par_for(par, count, GRAIN, look_at_part, &looking);
    return !looking.bad;
}

bool weir_tensor_finite(const weir_tensor *tensor)
{
    return is_finite(NULL, tensor);
}

/* ---- steps --------------------------------------------------------------------------------------
 */

static bool has_float(const int16_t *types, int count)
{
    for (int i = 0; i < count; i++)
        if (elem_of(types[i]) != WEIR_ELEM_NONE)
            return true;
    return false;
}

/* An op that accepts every type, including strings, does not compute. */
static bool moves_only(const weir_opdef *def)
{
    for (int i = 0; i < def->out_count; i++) {
        int type = def->out[i].type_attr;
        if (type < 0 || def->attrs[type].allowed.kind != WEIR_ATTR_NONE)
            return false;
    }
    return def->out_count > 0;
}

static bool has_complex(const int16_t *types, int count)
{
    for (int i = 0; i < count; i++)
        if (weir_dtype_is_complex(weir_dtype_base(types[i])))
            return true;
    return false;
}

static bool keeps_finite(const weir_site *site)
{
    return site->def->flags & WEIR_KEEPS_FINITE && !has_complex(site->in_types, site->in_count);
}

/* An op without float arguments forwards values of variables, files or generators. */
bool weir_plan_node_looked(const plan_node *node)
{
    const weir_site *site = node->site;
    return node->kind == KIND_KERNEL && !site->memory && !keeps_finite(site) &&
           has_float(site->in_types, site->in_count) && !moves_only(site->def) &&
           (has_float(site->out_types, site->out_count) || site->op->flags & WEIR_STATEFUL);
}

/* Once per process, or per plan of a session that requested the check itself. */
static atomic_bool *told_of(const weir_plan *plan)
{
    return plan->check_numerics ? &((weir_plan *)plan)->numerics_told : &reported;
}

bool weir_step_is_checked(const weir_plan *plan)
{
    return (plan->check_numerics || weir_numerics_checked()) &&
           !atomic_load_explicit(told_of(plan), memory_order_relaxed);
}

void weir_step_check_brought(step *st, const weir_value *values, int count)
{
    for (int i = 0; i < count && !atomic_load_explicit(&st->tainted, memory_order_relaxed); i++)
        if (!is_finite(&st->run->par, &values[i].tensor))
            atomic_store(&st->tainted, true);
}

/* A variable that an op returns after changing it. Optimisers report themselves whether they made
 * one, so their variables are not read again. */
static bool is_variable_finite(const weir_par *par, const plan_node *node, weir_var *var)
{
    weir_tensor value;
    if (node->site->op->update || node->site->op->flags & WEIR_INTERNAL_OP ||
        !weir_var_read(var, &value))
        return true;
    bool finite = is_finite(par, &value);
    weir_tensor_release(&value);
    return finite;
}

static bool are_outputs_finite(step *st, const plan_node *node, const weir_value *out)
{
    bool finite = true;
    for (int i = 0; i < node->out_count && finite; i++)
        finite = out[i].var ? is_variable_finite(&st->run->par, node, out[i].var)
                            : is_finite(&st->run->par, &out[i].tensor);
    return finite;
}

static void tell(const weir_site *site, int64_t step_id)
{
    weir_mark_add("numerics", "node %s (%s) on %s made a NaN or an infinity in step %" PRId64,
                  site->name, site->def->name, site->device, step_id);
    weir_log(WEIR_LOG_WARNING,
             "check-numerics: node %s (%s) on %s was the first to make a NaN or an infinity, in "
             "step %" PRId64,
             site->name, site->def->name, site->device, step_id);
}

/* Arguments are checked only now: most steps do not need it. */
static bool came_from_outside(const step *st, const plan_node *node, const weir_value *in)
{
    for (int i = 0; i < node->slot_count; i++)
        if (!is_finite(NULL, &in[i].tensor))
            return true;
    for (int i = 0; st->args && i < st->plan->arg_count; i++)
        if (!is_finite(NULL, &st->args[i]))
            return true;
    return false;
}

/* A node runs after its inputs' nodes, so the first one that writes a NaN made it, unless one came
 * from outside in this step. */
static void went_wrong(step *st, const plan_node *node, const weir_value *in, int variable)
{
    if (came_from_outside(st, node, in)) {
        atomic_store(&st->tainted, true);
        return;
    }
    if (atomic_exchange(told_of(st->plan), true))
        return;
    if (st->plan->numerics_found)
        *st->plan->numerics_found = node->site;
    else
        tell(weir_step_blame(st, node, in, variable), st->run->step_id);
}

enum { MOST_HELD = 4 }; /* inputs whose buffers an op may reuse */

/* Retains the inputs of a node that replaces several, so that it does not reuse their buffers: to
 * find the faulty one, each is recomputed. Returns the number of inputs retained. */
static int hold_inputs(const plan_node *node, const weir_value *in, weir_buffer **held)
{
    int count = !node->made || !node->site->op->inplace ? 0
                : node->in_count < MOST_HELD            ? node->in_count
                                                        : MOST_HELD;
    for (int i = 0; i < count; i++)
        if ((held[i] = in[i].tensor.buffer))
            weir_buffer_retain(held[i]);
    return count;
}

weir_status weir_step_run_looked(step *st, const plan_node *node, weir_call *call)
{
    atomic_int variable = 0;
    if (atomic_load_explicit(&st->tainted, memory_order_relaxed)) {
        call->nonfinite = &variable; /* for variables, which store the result */
        return weir_call_run(call, node->kernel);
    }
    weir_buffer *held[MOST_HELD];
    int holds = hold_inputs(node, call->in, held);
    call->nonfinite = &variable;
    weir_status status = weir_call_run(call, node->kernel);
    call->nonfinite = NULL;
    if (!status && !call->out_dead && (variable || !are_outputs_finite(st, node, call->out)))
        went_wrong(st, node, call->in, variable - 1);
    for (int i = 0; i < holds; i++)
        if (held[i])
            weir_buffer_release(held[i]);
    return status;
}
