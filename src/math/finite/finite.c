/* math/finite/finite.c - the loop of a type. */
#include "math/finite/finite_impl.h"

bool weir_finite(weir_elem elem, const void *at, int64_t count)
{
    const weir_finite_loops *loops = WEIR_ISA_PICK(weir_finite_loops);
    switch (elem) {
    case WEIR_E_f32:
        return loops->of_32(at, count, UINT32_C(1) << 23);
    case WEIR_E_c64:
        return loops->of_32(at, count * 2, UINT32_C(1) << 23);
    case WEIR_E_f64:
        return loops->of_64(at, count, UINT64_C(1) << 52);
    case WEIR_E_c128:
        return loops->of_64(at, count * 2, UINT64_C(1) << 52);
    case WEIR_E_f16:
        return loops->of_16(at, count, 1 << 10);
    case WEIR_E_bf16:
        return loops->of_16(at, count, 1 << 7);
    default:
        return true;
    }
}
