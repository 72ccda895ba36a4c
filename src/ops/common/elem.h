/* ops/common/elem.h - from a tensor's dtype to the element types of math/. */
#ifndef WEIR_OPS_COMMON_ELEM_H
#define WEIR_OPS_COMMON_ELEM_H

#include "math/elem.h"
#include "tensor/dtype.h"

/* WEIR_ELEM_NONE for types that no loop is written for. */
static inline weir_elem weir_elem_of(weir_dtype t)
{
    static const int8_t elems[WEIR_DTYPE_COUNT] = {
        [WEIR_HALF] = WEIR_E_f16 + 1,      [WEIR_BFLOAT16] = WEIR_E_bf16 + 1,
        [WEIR_FLOAT] = WEIR_E_f32 + 1,     [WEIR_DOUBLE] = WEIR_E_f64 + 1,
        [WEIR_INT8] = WEIR_E_i8 + 1,       [WEIR_INT16] = WEIR_E_i16 + 1,
        [WEIR_INT32] = WEIR_E_i32 + 1,     [WEIR_INT64] = WEIR_E_i64 + 1,
        [WEIR_UINT8] = WEIR_E_u8 + 1,      [WEIR_UINT16] = WEIR_E_u16 + 1,
        [WEIR_UINT32] = WEIR_E_u32 + 1,    [WEIR_UINT64] = WEIR_E_u64 + 1,
        [WEIR_COMPLEX64] = WEIR_E_c64 + 1, [WEIR_COMPLEX128] = WEIR_E_c128 + 1,
        [WEIR_BOOL] = WEIR_E_b8 + 1,
    };
    return (weir_elem)(elems[t] - 1); /* 0, unset, becomes WEIR_ELEM_NONE */
}

#endif
