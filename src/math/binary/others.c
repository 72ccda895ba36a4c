/* math/binary/others.c - loops over integers, complex numbers and bool. */
#include "math/binary/binary_impl.h"

#define INTS(LOOP, name, expr)                                                                     \
    LOOP(name##_i8, int8_t, int8_t, uint32_t, expr)                                                \
    LOOP(name##_i16, int16_t, int16_t, uint32_t, expr)                                             \
    LOOP(name##_i32, int32_t, int32_t, uint32_t, expr)                                             \
    LOOP(name##_i64, int64_t, int64_t, uint64_t, expr)                                             \
    LOOP(name##_u8, uint8_t, uint8_t, uint32_t, expr)                                              \
    LOOP(name##_u16, uint16_t, uint16_t, uint32_t, expr)                                           \
    LOOP(name##_u32, uint32_t, uint32_t, uint32_t, expr)                                           \
    LOOP(name##_u64, uint64_t, uint64_t, uint64_t, expr)
#define COMPLEXES(LOOP, name, expr)                                                                \
    LOOP(name##_c64, weir_c64, weir_c64, weir_c64, expr)                                           \
    LOOP(name##_c128, weir_c128, weir_c128, weir_c128, expr)
#define TO_BOOL(id, X, Z, W, expr) WEIR_LOOP2(id, X, bool, W, expr)

#define WEIR_BINARY(name, f, i, c) INTS(WEIR_LOOP2, name, i) COMPLEXES(WEIR_LOOP2, name, c)
#define WEIR_COMPARE(name, r, c) INTS(TO_BOOL, name, r) COMPLEXES(TO_BOOL, name, c)
#define WEIR_LOGICAL(name, b) WEIR_LOOP2(name##_b8, bool, bool, bool, b)
#include "math/binary/binary.inc"

#define AT(e) [WEIR_E_##e - WEIR_E_i8]
#define INT_ROW(name, has)                                                                         \
    AT(i8) = has ? name##_i8 : NULL, AT(i16) = has ? name##_i16 : NULL,                            \
    AT(i32) = has ? name##_i32 : NULL, AT(i64) = has ? name##_i64 : NULL,                          \
    AT(u8) = has ? name##_u8 : NULL, AT(u16) = has ? name##_u16 : NULL,                            \
    AT(u32) = has ? name##_u32 : NULL, AT(u64) = has ? name##_u64 : NULL
#define COMPLEX_ROW(name, has)                                                                     \
    AT(c64) = has ? name##_c64 : NULL, AT(c128) = has ? name##_c128 : NULL

/* Booleans compare as bytes: true is 1. */
const weir_binary_fn weir_binary_others[WEIR_BINARY_COUNT][WEIR_BINARY_OTHERS] = {
#define WEIR_BINARY(name, f, i, c)                                                                 \
    [WEIR_B_##name] = {INT_ROW(name, WEIR_HAS(#i)), COMPLEX_ROW(name, WEIR_HAS(#c))},
#define WEIR_COMPARE(name, r, c)                                                                   \
    [WEIR_B_##name] = {INT_ROW(name, true), COMPLEX_ROW(name, WEIR_HAS(#c)), AT(b8) = name##_u8},
#define WEIR_LOGICAL(name, b) [WEIR_B_##name] = {AT(b8) = name##_b8},
#include "math/binary/binary.inc"
};
