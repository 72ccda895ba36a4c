/* math/update/update_impl.h - the table that each instruction set provides. */
#ifndef WEIR_MATH_UPDATE_IMPL_H
#define WEIR_MATH_UPDATE_IMPL_H

#include "math/isa.h"
#include "math/update/update.h"

typedef struct weir_update_loops {
    weir_update_fn at[WEIR_UPDATE_OPS][WEIR_ELEM_COUNT];
} weir_update_loops;

WEIR_ISA_DECLARE(const weir_update_loops, weir_update_loops);

#endif
