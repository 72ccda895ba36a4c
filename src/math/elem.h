/* math/elem.h - the element types that loops are written for, as one list.
 *
 *   X(name, C type, working type, class)
 *
 * The working type is what arithmetic is done in: float for the 16-bit floats, which are bit
 * patterns in memory, and an unsigned type for integers, so that overflow wraps. tensor/ numbers
 * element types as TensorFlow does; loops index their tables by these smaller numbers.
 */
#ifndef WEIR_MATH_ELEM_H
#define WEIR_MATH_ELEM_H

#include <complex.h>
#include <stdbool.h>
#include <stdint.h>

/* Older C libraries define these for GCC only. */
#ifndef CMPLX
#define CMPLX(re, im) __builtin_complex((double)(re), (double)(im))
#endif
#ifndef CMPLXF
#define CMPLXF(re, im) __builtin_complex((float)(re), (float)(im))
#endif

/* A 16-byte element that is only moved. */
typedef struct weir_16_bytes {
    uint64_t half[2];
} weir_16_bytes;

typedef float _Complex weir_c64;
typedef double _Complex weir_c128;

#define WEIR_ELEMS_FLOAT(X) X(f32, float, float, FLOAT) X(f64, double, double, FLOAT)
#define WEIR_ELEMS_INT(X)                                                                          \
    X(i8, int8_t, uint32_t, INT)                                                                   \
    X(i16, int16_t, uint32_t, INT)                                                                 \
    X(i32, int32_t, uint32_t, INT)                                                                 \
    X(i64, int64_t, uint64_t, INT)                                                                 \
    X(u8, uint8_t, uint32_t, INT)                                                                  \
    X(u16, uint16_t, uint32_t, INT)                                                                \
    X(u32, uint32_t, uint32_t, INT)                                                                \
    X(u64, uint64_t, uint64_t, INT)
#define WEIR_ELEMS_COMPLEX(X)                                                                      \
    X(c64, weir_c64, weir_c64, COMPLEX) X(c128, weir_c128, weir_c128, COMPLEX)
#define WEIR_ELEMS_HALF(X) X(f16, uint16_t, float, HALF) X(bf16, uint16_t, float, HALF)
#define WEIR_ELEMS_BOOL(X) X(b8, bool, bool, BOOL)

#define WEIR_ELEMS(X)                                                                              \
    WEIR_ELEMS_HALF(X)                                                                             \
    WEIR_ELEMS_FLOAT(X) WEIR_ELEMS_INT(X) WEIR_ELEMS_COMPLEX(X) WEIR_ELEMS_BOOL(X)

typedef enum weir_elem {
#define WEIR_ELEM_ENUM(name, T, W, class) WEIR_E_##name,
    WEIR_ELEMS(WEIR_ELEM_ENUM)
#undef WEIR_ELEM_ENUM
        WEIR_ELEM_COUNT,
    WEIR_ELEM_NONE = -1 /* strings, handles and types without loops */
} weir_elem;

static inline int weir_elem_size(weir_elem elem)
{
    static const uint8_t sizes[WEIR_ELEM_COUNT] = {
#define WEIR_ELEM_SIZE(name, T, W, class) [WEIR_E_##name] = sizeof(T),
        WEIR_ELEMS(WEIR_ELEM_SIZE)
#undef WEIR_ELEM_SIZE
    };
    return sizes[elem];
}

static inline bool weir_elem_is_half(weir_elem elem)
{
    return elem == WEIR_E_f16 || elem == WEIR_E_bf16;
}

/* Elements of |elem| in one grain of a parallel loop: enough work to be worth waking another
 * thread. */
static inline int64_t weir_elem_grain(weir_elem elem)
{
    return 65536 / weir_elem_size(elem);
}

#endif
