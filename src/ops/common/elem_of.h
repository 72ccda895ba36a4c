/* ops/common/elem_of.h - maps dtypes to the element types of loops. */
#ifndef WEIR_OPS_COMMON_ELEM_OF_H
#define WEIR_OPS_COMMON_ELEM_OF_H

#include "math/elem.h"
#include "tensor/dtype.h"

/* WEIR_ELEM_NONE for types without loops. Quantised types are not numbers here. */
static inline weir_elem weir_elem_of(weir_dtype dtype)
{
    static const int8_t map[WEIR_DTYPE_COUNT] = {
        [WEIR_HALF] = WEIR_E_f16 + 1,      [WEIR_BFLOAT16] = WEIR_E_bf16 + 1,
        [WEIR_FLOAT] = WEIR_E_f32 + 1,     [WEIR_DOUBLE] = WEIR_E_f64 + 1,
        [WEIR_INT8] = WEIR_E_i8 + 1,       [WEIR_INT16] = WEIR_E_i16 + 1,
        [WEIR_INT32] = WEIR_E_i32 + 1,     [WEIR_INT64] = WEIR_E_i64 + 1,
        [WEIR_UINT8] = WEIR_E_u8 + 1,      [WEIR_UINT16] = WEIR_E_u16 + 1,
        [WEIR_UINT32] = WEIR_E_u32 + 1,    [WEIR_UINT64] = WEIR_E_u64 + 1,
        [WEIR_COMPLEX64] = WEIR_E_c64 + 1, [WEIR_COMPLEX128] = WEIR_E_c128 + 1,
        [WEIR_BOOL] = WEIR_E_b8 + 1,
    };
    return (weir_elem)(map[dtype < WEIR_DTYPE_COUNT ? dtype : 0] - 1); /* a reference dtype: none */
}

/* The same, with quantised types as their storage integers: for ops that only compare or move
 * elements. */
static inline weir_elem weir_stored_elem_of(weir_dtype dtype)
{
    switch (dtype) {
    case WEIR_QINT8:
        return WEIR_E_i8;
    case WEIR_QUINT8:
        return WEIR_E_u8;
    case WEIR_QINT16:
        return WEIR_E_i16;
    case WEIR_QUINT16:
        return WEIR_E_u16;
    case WEIR_QINT32:
        return WEIR_E_i32;
    default:
        return weir_elem_of(dtype);
    }
}

#endif
