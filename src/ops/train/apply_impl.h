/* ops/train/apply_impl.h - the kernel of all optimiser ops.
 *
 * The ops differ only in their signature and their rule (math/train). Which inputs
 * are slots, gradient, indices and scalars is derived from the signature once per
 * node.
 */
#ifndef WEIR_OPS_TRAIN_APPLY_IMPL_H
#define WEIR_OPS_TRAIN_APPLY_IMPL_H

#include "math/finite/finite.h"
#include "math/train/train.h"
#include "op/op.h"
#include "ops/common/elem_of.h"

/* The role of each input; -1 for none. */
typedef struct weir_apply_layout {
    int first_slot, slot_count, grad, indices;
    int scalar_count, scalars[WEIR_TRAIN_SCALARS];
    int flag; /* attr */
    /* Names of the arguments, for messages. */
    weir_str slot_names[WEIR_TRAIN_SLOTS], scalar_names[WEIR_TRAIN_SCALARS], grad_name;
} weir_apply_layout;

/* One update: the variables (locked meanwhile), their values and the work. */
typedef struct weir_apply weir_apply;
struct weir_apply {
    const weir_apply_layout *l;
    struct weir_var *vars[WEIR_TRAIN_SLOTS];
    weir_tensor *values[WEIR_TRAIN_SLOTS];
    const weir_tensor *grad, *indices; /* of the gradient at least type and shape */
    void (*update)(weir_call *call, weir_apply *apply); /* called after all checks */
    weir_train work;                                    /* from the first element on */
    weir_train_fn fn;
    size_t size;    /* of an element */
    bool narrow;    /* the gradient has 16-bit floats, the variables float; |update| widens it */
    bool unseen;    /* the indices are in device memory: not checked here */
    int64_t run;    /* elements in a row; sparse only */
    int64_t shards; /* sparse only */
    atomic_int *nonfinite; /* set to 1 when the variable has a NaN; null: not checked */
};

weir_status weir_apply_prepare(weir_prepare *preparation); /* stores the layout in state */
void weir_apply_cleanup(void *state);
weir_status weir_apply_infer(weir_infer *infer);
weir_status weir_apply_run(weir_call *call); /* by the rule in the op's .update */

/* For kernels of other forms. Derives the layout of ops whose attrs list the names of slots, then
 * of scalars, then of the gradient. */
WEIR_CHECKED weir_status weir_apply_layout_named(const weir_site *site, int64_t rule,
                                                 weir_range scalars, int slot_count,
                                                 const weir_attr *names, weir_apply_layout *out);
/* Finds, locks and checks the variables and calls a->update. |apply| has l, grad and update. */
weir_status weir_apply_to(weir_call *call, weir_train_rule rule, weir_apply *apply);
/* For _ApplyNarrow: its layout, and weir_apply_to by the rule in its attrs. */
weir_status weir_apply_narrow_prepare(weir_prepare *preparation);
WEIR_CHECKED weir_status weir_apply_narrow_to(weir_call *call, weir_apply *apply);
/* For _ApplyMany, likewise, for each of its variables. */
weir_status weir_apply_many_prepare(weir_prepare *preparation);
WEIR_CHECKED weir_status weir_apply_many_to(weir_call *call, weir_apply *apply);
void weir_apply_dense(weir_call *call, weir_apply *apply); /* .update for a dense gradient */
/* The work advanced by |elements| in every slot and |grad_elements| in the gradient. */
weir_train weir_apply_shifted(const weir_apply *apply, int64_t elements, int64_t grad_elements);
/* Checks |count| elements of the variable just written for NaN, if requested. */
static inline void weir_apply_look(const weir_apply *apply, const weir_train *train, int64_t count)
{
    if (apply->nonfinite && !weir_finite(weir_elem_of(apply->grad->dtype), train->slots[0], count))
        atomic_store_explicit(apply->nonfinite, 1, memory_order_relaxed);
}

#endif
