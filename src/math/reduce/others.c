/* math/reduce/others.c - loops over integers, complex numbers and bool. */
#include "math/reduce/reduce_impl.h"

#define CMUL(x, y)                                                                                 \
    (__typeof__(x))CMPLX(creal(x) * creal(y) - cimag(x) * cimag(y),                                \
                         creal(x) * cimag(y) + cimag(x) * creal(y))

#define WEIR_REDUCE(name, class, value, combine, nothing, result)                                  \
    class(name, value, combine, nothing, result)
#define FLOAT(...)
#define LOOPS(e, C, W, name, ...) WEIR_REDUCE_LOOPS(name##_##e, C, W, __VA_ARGS__)
#define INT(...)                                                                                   \
    LOOPS(i8, int8_t, uint32_t, __VA_ARGS__)                                                       \
    LOOPS(i16, int16_t, uint32_t, __VA_ARGS__)                                                     \
    LOOPS(i32, int32_t, uint32_t, __VA_ARGS__)                                                     \
    LOOPS(i64, int64_t, uint64_t, __VA_ARGS__)                                                     \
    LOOPS(u8, uint8_t, uint32_t, __VA_ARGS__)                                                      \
    LOOPS(u16, uint16_t, uint32_t, __VA_ARGS__)                                                    \
    LOOPS(u32, uint32_t, uint32_t, __VA_ARGS__)                                                    \
    LOOPS(u64, uint64_t, uint64_t, __VA_ARGS__)
#define COMPLEX(...)                                                                               \
    LOOPS(c64, weir_c64, weir_c64, __VA_ARGS__)                                                    \
    LOOPS(c128, weir_c128, weir_c128, __VA_ARGS__)
#define BOOL(...) LOOPS(b8, bool, bool, __VA_ARGS__)
#include "math/reduce/reduce.inc"
#undef INT
#undef COMPLEX
#undef BOOL

#define AT(name, e) [WEIR_R_##name][WEIR_E_##e] = WEIR_REDUCER(name##_##e),
const weir_reducer weir_reduce_others[WEIR_REDUCE_COUNT][WEIR_ELEM_COUNT] = {
#define WEIR_REDUCE(name, class, ...) class(name)
#define INT(name)                                                                                  \
    AT(name, i8)                                                                                   \
    AT(name, i16) AT(name, i32) AT(name, i64) AT(name, u8) AT(name, u16) AT(name, u32) AT(name, u64)
#define COMPLEX(name) AT(name, c64) AT(name, c128)
#define BOOL(name) AT(name, b8)
#include "math/reduce/reduce.inc"
};
