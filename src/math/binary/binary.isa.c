/* math/binary/binary.isa.c - loops over float and double. */
#include "math/binary/binary_impl.h"

#define WEIR_BINARY(name, f, i, c)                                                                 \
    WEIR_LOOP2(name##_f32, float, float, float, f) WEIR_LOOP2(name##_f64, double, double, double, f)
#define WEIR_COMPARE(name, r, c)                                                                   \
    WEIR_LOOP2(name##_f32, float, bool, float, r) WEIR_LOOP2(name##_f64, double, bool, double, r)
#include "math/binary/binary.inc"

const weir_binary_floats WEIR_ISA_NAME(weir_binary_floats) = {
    .f32 =
        {
#define WEIR_BINARY(name, f, i, c) [WEIR_B_##name] = WEIR_HAS(#f) ? name##_f32 : NULL,
#define WEIR_COMPARE(name, r, c) [WEIR_B_##name] = name##_f32,
#include "math/binary/binary.inc"
        },
    .f64 =
        {
#define WEIR_BINARY(name, f, i, c) [WEIR_B_##name] = WEIR_HAS(#f) ? name##_f64 : NULL,
#define WEIR_COMPARE(name, r, c) [WEIR_B_##name] = name##_f64,
#include "math/binary/binary.inc"
        },
};
