/* math/update/update.c - selects the loop. */
#include "math/update/update_impl.h"

#include <stddef.h>

weir_update_fn weir_update_find(weir_update_op op, weir_elem elem)
{
    if (elem < 0 || elem >= WEIR_ELEM_COUNT)
        return NULL;
    return WEIR_ISA_PICK(weir_update_loops)->at[op][elem];
}

#define LOOPS "math/update/has_zero.inc"
#include "math/each_int.inc"

bool weir_update_has_zero(weir_elem elem, const void *x, int64_t count)
{
    static bool (*const fns[WEIR_ELEM_COUNT])(const void *x, int64_t count) = {
#define ROW(name, T, W, class) [WEIR_E_##name] = has_zero_##name,
        WEIR_ELEMS_INT(ROW)};
    return fns[elem] && fns[elem](x, count);
}
