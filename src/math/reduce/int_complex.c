/* math/reduce/int_complex.c - loops over integers, complex numbers and bool. */
#include "math/reduce/reduce_impl.h"

/* The product, without C's special handling of infinities. */
static inline double _Complex multiply(double _Complex x, double _Complex y)
{
    return CMPLX(creal(x) * creal(y) - cimag(x) * cimag(y),
                 creal(x) * cimag(y) + cimag(x) * creal(y));
}

static inline float _Complex multiplyf(float _Complex x, float _Complex y)
{
    return (float _Complex)CMPLX(creal(x) * creal(y) - cimag(x) * cimag(y),
                                 creal(x) * cimag(y) + cimag(x) * creal(y));
}
#define CMUL(x, y) _Generic((x), weir_c64 : multiplyf, weir_c128 : multiply)(x, y)

#define LOOPS "math/reduce/reduce_loops.inc"
#include "math/each_complex.inc"
#include "math/each_int.inc"

#define ELEM bool
#define WIDE bool
#define NAME(x) x##_b8
#include LOOPS

const weir_reducer *const weir_reduce_tables[WEIR_ELEM_COUNT] = {
    [WEIR_E_i8] = table_i8,     [WEIR_E_i16] = table_i16, [WEIR_E_i32] = table_i32,
    [WEIR_E_i64] = table_i64,   [WEIR_E_u8] = table_u8,   [WEIR_E_u16] = table_u16,
    [WEIR_E_u32] = table_u32,   [WEIR_E_u64] = table_u64, [WEIR_E_c64] = table_c64,
    [WEIR_E_c128] = table_c128, [WEIR_E_b8] = table_b8,
};
