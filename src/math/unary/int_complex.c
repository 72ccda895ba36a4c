/* math/unary/int_complex.c - loops over integers and complex numbers. */
#include "math/unary/unary_impl.h"

/* e^x - 1 keeping the real part's accuracy near 0:
 * e^a cos b - 1 = expm1(a) cos b - 2 sin^2(b/2). */
static inline double _Complex complex_expm1(double _Complex x)
{
    double a = creal(x), b = cimag(x), s = (sin)(b / 2);
    return CMPLX((expm1)(a) * (cos)(b)-2 * s * s, (exp)(a) * (sin)(b));
}

static inline double _Complex complex_rint(double _Complex x)
{
    return CMPLX((rint)(creal(x)), (rint)(cimag(x)));
}

#define LOOPS "math/unary/unary_loops.inc"
#include "math/each_complex.inc"
#include "math/each_int.inc"

const weir_unary_fn *const weir_unary_tables[WEIR_ELEM_COUNT] = {
    [WEIR_E_i8] = table_i8,     [WEIR_E_i16] = table_i16, [WEIR_E_i32] = table_i32,
    [WEIR_E_i64] = table_i64,   [WEIR_E_u8] = table_u8,   [WEIR_E_u16] = table_u16,
    [WEIR_E_u32] = table_u32,   [WEIR_E_u64] = table_u64, [WEIR_E_c64] = table_c64,
    [WEIR_E_c128] = table_c128,
};
