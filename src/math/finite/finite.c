/* math/finite/finite.c - the loop of a type. */
#include "math/finite/finite_impl.h"

bool weir_finite(weir_elem elem, const void *at, int64_t count)
{
    const weir_finite_loops *loops = WEIR_ISA_PICK(weir_finite_loops);
    switch (elem) {
    case WEIR_E_f32:
        return loops->of_32(at, count, 0x7f800000);
    case WEIR_E_c64:
        return loops->of_32(at, count * 2, 0x7f800000);
    case WEIR_E_f64:
        return loops->of_64(at, count, INT64_C(0x7ff) << 52);
    case WEIR_E_c128:
        return loops->of_64(at, count * 2, INT64_C(0x7ff) << 52);
    case WEIR_E_f16:
        return loops->of_16(at, count, 0x7c00);
    case WEIR_E_bf16:
        return loops->of_16(at, count, 0x7f80);
    default:
        return true;
    }
}
