/* state/var.h - a mutable tensor: behind VariableV2's references and behind resource variables.
 *
 * Readers share the buffer; a writer copies a shared buffer first (copy on write), so that a value
 * that was read never changes. Thread-safe.
 */
#ifndef WEIR_STATE_VAR_H
#define WEIR_STATE_VAR_H

#include <stdatomic.h>

#include "base/mutex.h"
#include "op/op.h"

typedef struct weir_var {
    weir_resource base;
    weir_mutex lock;
    weir_tensor value WEIR_GUARDED_BY(lock); /* empty until initialised */
    weir_dtype dtype;
    weir_shape shape;                     /* as declared; may be partly unknown */
    atomic_bool moved;                    /* the value is or was in a device's memory */
    bool nonfinite WEIR_GUARDED_BY(lock); /* an optimiser's check found a NaN or an infinity */
} weir_var;

extern const weir_resource_type weir_var_type;        /* resource variables */
extern const weir_resource_type weir_legacy_var_type; /* VariableV2 */

weir_var *weir_var_create(const weir_resource_type *type, weir_dtype dtype,
                          const weir_shape *shape);
static inline void weir_var_retain(weir_var *var)
{
    weir_ref_retain(&var->base.ref);
}
static inline void weir_var_release(weir_var *var)
{
    weir_ref_release((weir_ref *)var);
}

/* Moves the value to |memory|, if it is elsewhere; null: the host's. When a graph grew, its next
 * steps may run elsewhere. */
WEIR_CHECKED weir_status weir_var_move(weir_var *var, struct weir_memory *memory);
static inline weir_status weir_var_bring(weir_var *var, struct weir_memory *memory)
{
    return memory || atomic_load_explicit(&var->moved, memory_order_relaxed)
               ? weir_var_move(var, memory)
               : WEIR_OK;
}

bool weir_var_initialized(weir_var *var);
/* Shares the value; false when there is none yet. */
bool weir_var_read(weir_var *var, weir_tensor *out_tensor);
/* Replaces the value, taking over the reference in |tensor|. */
void weir_var_assign(weir_var *var, weir_tensor tensor);

/* Locks, and returns the value for changes in place, made unique first; null (and still locked)
 * when there is no value. On error nothing is locked. Pair with weir_var_end. */
WEIR_CHECKED weir_status weir_var_begin(weir_var *var,
                                        weir_tensor **out_value) WEIR_UNCHECKED_LOCKING;
void weir_var_end(weir_var *var) WEIR_UNCHECKED_LOCKING;
/* Several at once: locks each distinct variable once, in address order. Which locks are taken here
 * and above depends on values, which the analysis cannot follow. */
void weir_vars_lock(weir_var **vars, int count) WEIR_UNCHECKED_LOCKING;
void weir_vars_unlock(weir_var **vars, int count) WEIR_UNCHECKED_LOCKING;
/* With the lock held: the value made unique, or null. */
WEIR_CHECKED weir_status weir_var_own(weir_var *var, weir_tensor **out_value);

#endif
