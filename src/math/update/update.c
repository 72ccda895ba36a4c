/* math/update/update.c - picks the loop. */
#include "math/update/update_impl.h"

weir_update_fn weir_update_find(weir_update_op op, int num)
{
    if (num < 0 || num >= WEIR_UPDATE_NUMS)
        return NULL;
    return WEIR_ISA_PICK(weir_update_loops)->at[op][num];
}

bool weir_update_has_zero(int num, const void *x, int64_t count)
{
    bool zero = false;
    switch (num) {
#define CASE(name, T, NUM)                                                                         \
    case WEIR_NUM_##NUM:                                                                           \
        for (int64_t i = 0; i < count; i++)                                                        \
            zero |= ((const T *)x)[i] == 0;                                                        \
        break;
        WEIR_NUM_INTS(CASE)
#undef CASE
    default:
        break;
    }
    return zero;
}
