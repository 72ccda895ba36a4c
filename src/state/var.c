/* state/var.c - variables: copy on write under one lock each. */
#include "state/var.h"

#include <assert.h>

#include "op/device.h"

const weir_resource_type weir_var_type = {"N10tensorflow3VarE", "variable"};
const weir_resource_type weir_legacy_var_type = {"N10tensorflow9LegacyVarE", "variable"};

static void destroy(weir_ref *ref)
{
    weir_var *var = (weir_var *)ref;
    weir_tensor_release(&var->value);
    weir_mutex_fini(&var->lock);
    weir_free(var);
}

weir_var *weir_var_create(const weir_resource_type *type, weir_dtype dtype, const weir_shape *shape)
{
    weir_var *var = WEIR_NEW(weir_var);
    weir_ref_init(&var->base.ref, destroy);
    var->base.type = type;
    var->dtype = dtype;
    var->shape = *shape;
    weir_mutex_init(&var->lock);
    return var;
}

bool weir_var_initialized(weir_var *var)
{
    weir_mutex_lock(&var->lock);
    bool has = var->value.buffer != NULL;
    weir_mutex_unlock(&var->lock);
    return has;
}

bool weir_var_read(weir_var *var, weir_tensor *out_tensor)
{
    weir_mutex_lock(&var->lock);
    bool has = var->value.buffer != NULL;
    if (has)
        *out_tensor = weir_tensor_share(&var->value);
    weir_mutex_unlock(&var->lock);
    return has;
}

/* Lock held. */
static weir_status move_value(weir_var *var, weir_memory *memory, weir_tensor *out_old)
    WEIR_REQUIRES(var->lock)
{
    const weir_buffer *buffer = var->value.buffer;
    weir_tensor there;
    if (!buffer || buffer->memory == memory || !weir_dtype_is_plain(var->value.dtype))
        return WEIR_OK;
    WEIR_TRY(weir_tensor_copy_to(memory, &var->value, &there));
    *out_old = var->value;
    var->value = there;
    atomic_store_explicit(&var->moved, true, memory_order_relaxed);
    return WEIR_OK;
}

weir_status weir_var_move(weir_var *var, weir_memory *memory)
{
    weir_tensor old = {0};
    weir_mutex_lock(&var->lock);
    weir_status status = move_value(var, memory, &old);
    weir_mutex_unlock(&var->lock);
    weir_tensor_release(&old);
    return status;
}

void weir_var_assign(weir_var *var, weir_tensor tensor)
{
    if (tensor.buffer && tensor.buffer->memory)
        atomic_store_explicit(&var->moved, true, memory_order_relaxed);
    weir_mutex_lock(&var->lock);
    weir_tensor old = var->value;
    var->value = tensor;
    weir_mutex_unlock(&var->lock);
    weir_tensor_release(&old); /* outside the lock: destructors may run */
}

weir_status weir_var_own(weir_var *var, weir_tensor **out_value)
{
    if (var->value.buffer)
        WEIR_TRY(weir_tensor_own(&var->value));
    *out_value = var->value.buffer ? &var->value : NULL;
    return WEIR_OK;
}

weir_status weir_var_begin(weir_var *var, weir_tensor **out_value)
{
    weir_mutex_lock(&var->lock);
    weir_status status = weir_var_own(var, out_value);
    if (status)
        weir_mutex_unlock(&var->lock);
    return status;
}

void weir_var_end(weir_var *var)
{
    weir_mutex_unlock(&var->lock);
}

enum { MOST_AT_ONCE = 16 };

/* The distinct ones in address order: the order that prevents
 * deadlocks. */
static int in_order(weir_var **vars, int count, weir_var *out[MOST_AT_ONCE])
{
    assert(count <= MOST_AT_ONCE);
    int total = 0;
    for (int i = 0; i < count; i++) {
        int at = 0;
        while (at < total && (uintptr_t)out[at] < (uintptr_t)vars[i])
            at++;
        if (at < total && out[at] == vars[i])
            continue;
        memmove(&out[at + 1], &out[at], (size_t)(total - at) * sizeof *out);
        out[at] = vars[i];
        total++;
    }
    return total;
}

void weir_vars_lock(weir_var **vars, int count)
{
    weir_var *order[MOST_AT_ONCE + 1];
    int total = in_order(vars, count, order);
    for (int i = 0; i < total; i++)
        weir_mutex_lock(&order[i]->lock);
}

void weir_vars_unlock(weir_var **vars, int count)
{
    weir_var *order[MOST_AT_ONCE + 1];
    int total = in_order(vars, count, order);
    for (int i = 0; i < total; i++)
        weir_mutex_unlock(&order[i]->lock);
}
