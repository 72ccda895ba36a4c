/* state/var.c - variables: copy on write under one lock each. */
#include "state/var.h"

#include <assert.h>

const weir_resource_type weir_var_type = {"N10tensorflow3VarE", "variable"};
const weir_resource_type weir_legacy_var_type = {"N10tensorflow9LegacyVarE", "variable"};

static void destroy(weir_ref *ref)
{
    weir_var *v = (weir_var *)ref;
    weir_tensor_release(&v->value);
    weir_mutex_fini(&v->lock);
    weir_free(v);
}

weir_var *weir_var_create(const weir_resource_type *type, weir_dtype dtype, const weir_shape *shape)
{
    weir_var *v = WEIR_NEW(weir_var);
    weir_ref_init(&v->base.ref, destroy);
    v->base.type = type;
    v->dtype = dtype;
    v->shape = *shape;
    weir_mutex_init(&v->lock);
    return v;
}

bool weir_var_initialized(weir_var *v)
{
    weir_mutex_lock(&v->lock);
    bool has = v->value.buffer != NULL;
    weir_mutex_unlock(&v->lock);
    return has;
}

bool weir_var_read(weir_var *v, weir_tensor *out_tensor)
{
    weir_mutex_lock(&v->lock);
    bool has = v->value.buffer != NULL;
    if (has)
        *out_tensor = weir_tensor_share(&v->value);
    weir_mutex_unlock(&v->lock);
    return has;
}

void weir_var_assign(weir_var *v, weir_tensor t)
{
    weir_mutex_lock(&v->lock);
    weir_tensor old = v->value;
    v->value = t;
    weir_mutex_unlock(&v->lock);
    weir_tensor_release(&old); /* outside the lock: elements may be anything */
}

weir_status weir_var_own(weir_var *v, weir_tensor **out_value)
{
    if (v->value.buffer)
        WEIR_TRY(weir_tensor_own(&v->value));
    *out_value = v->value.buffer ? &v->value : NULL;
    return WEIR_OK;
}

weir_status weir_var_begin(weir_var *v, weir_tensor **out_value)
{
    weir_mutex_lock(&v->lock);
    weir_status s = weir_var_own(v, out_value);
    if (s)
        weir_mutex_unlock(&v->lock);
    return s;
}

void weir_var_end(weir_var *v)
{
    weir_mutex_unlock(&v->lock);
}

enum { MOST_AT_ONCE = 16 };

/* The distinct ones in address order: the order that keeps two lockers from waiting for each other.
 */
static int in_order(weir_var **vars, int count, weir_var *out[MOST_AT_ONCE])
{
    assert(count <= MOST_AT_ONCE);
    int n = 0;
    for (int i = 0; i < count; i++) {
        int at = 0;
        while (at < n && (uintptr_t)out[at] < (uintptr_t)vars[i])
            at++;
        if (at < n && out[at] == vars[i])
            continue;
        memmove(&out[at + 1], &out[at], (size_t)(n - at) * sizeof *out);
        out[at] = vars[i];
        n++;
    }
    return n;
}

void weir_vars_lock(weir_var **vars, int count)
{
    weir_var *order[MOST_AT_ONCE + 1];
    int n = in_order(vars, count, order);
    for (int i = 0; i < n; i++)
        weir_mutex_lock(&order[i]->lock);
}

void weir_vars_unlock(weir_var **vars, int count)
{
    weir_var *order[MOST_AT_ONCE + 1];
    int n = in_order(vars, count, order);
    for (int i = 0; i < n; i++)
        weir_mutex_unlock(&order[i]->lock);
}
