/* math/update/update.c - picks the loop. */
#include "math/update/update_impl.h"

#include <stddef.h>

weir_update_fn weir_update_find(weir_update_op op, weir_elem elem)
{
    if (elem < 0 || elem >= WEIR_ELEM_COUNT)
        return NULL;
    return WEIR_ISA_PICK(weir_update_loops)->at[op][elem];
}

bool weir_update_has_zero(weir_elem elem, const void *x, int64_t count)
{
    bool zero = false;
    switch (elem) {
#define CASE(name, T, W, class)                                                                    \
    case WEIR_E_##name:                                                                            \
        for (int64_t i = 0; i < count; i++)                                                        \
            zero |= ((const T *)x)[i] == 0;                                                        \
        break;
        WEIR_ELEMS_INT(CASE)
#undef CASE
    default:
        break;
    }
    return zero;
}
