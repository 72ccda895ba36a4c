/* math/binary/int_complex.c - loops over integers, complex numbers and bool. */
#include "math/binary/binary_impl.h"

#define LOOPS "math/binary/binary_loops.inc"
#include "math/each_complex.inc"
#include "math/each_int.inc"

#define CLASS_BOOL 1
#define ELEM bool
#define WIDE bool
#define NAME(x) x##_b8
#include LOOPS

const weir_binary_fn *const weir_binary_tables[WEIR_ELEM_COUNT] = {
    [WEIR_E_i8] = table_i8,     [WEIR_E_i16] = table_i16, [WEIR_E_i32] = table_i32,
    [WEIR_E_i64] = table_i64,   [WEIR_E_u8] = table_u8,   [WEIR_E_u16] = table_u16,
    [WEIR_E_u32] = table_u32,   [WEIR_E_u64] = table_u64, [WEIR_E_c64] = table_c64,
    [WEIR_E_c128] = table_c128, [WEIR_E_b8] = table_b8,
};
