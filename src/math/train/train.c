/* math/train/train.c - picks the loop of a rule. */
#include <stddef.h>

#include "math/train/train_impl.h"

weir_train_fn weir_train_find(weir_train_rule rule, weir_elem elem)
{
    const weir_train_loops *loops = WEIR_ISA_PICK(weir_train_loops);
    switch (elem) {
    case WEIR_E_f32:
        return loops->f32.at[rule];
    case WEIR_E_f64:
        return loops->f64.at[rule];
    case WEIR_E_f16:
        return weir_train_f16.at[rule];
    case WEIR_E_bf16:
        return weir_train_bf16.at[rule];
    case WEIR_E_c64:
        return weir_train_c64.at[rule];
    case WEIR_E_c128:
        return weir_train_c128.at[rule];
    default:
        return NULL;
    }
}
