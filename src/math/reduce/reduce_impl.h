/* math/reduce/reduce_impl.h - the loops behind reduce.c. */
#ifndef WEIR_MATH_REDUCE_IMPL_H
#define WEIR_MATH_REDUCE_IMPL_H

#include <tgmath.h>

#include "math/isa.h"
#include "math/reduce/reduce.h"

/* Partial results have the element type. Counts are at least 1. */
typedef struct weir_reducer {
    void (*row)(int64_t count, const void *x, void *acc);   /* *acc = all of x */
    void (*load)(int64_t count, const void *x, void *acc);  /* acc[i] = x[i] */
    void (*add)(int64_t count, const void *x, void *acc);   /* acc[i] = acc[i] with x[i] */
    void (*merge)(int64_t count, const void *b, void *acc); /* acc[i] = acc[i] with b[i] */
    void (*finish)(int64_t count, int64_t n, void *acc);    /* each of n elements */
    void (*empty)(int64_t count, void *acc);
} weir_reducer;

/* Tables of WEIR_REDUCE_COUNT reducers. */
typedef struct weir_reducers {
    const weir_reducer *f32, *f64;
} weir_reducers;

WEIR_ISA_DECLARE(const weir_reducers, weir_reducers);
/* Tables for integers, complex numbers and bool; null for the other types. */
extern const weir_reducer *const weir_reduce_tables[WEIR_ELEM_COUNT];

#pragma GCC diagnostic ignored "-Wtype-limits"
#define LOWEST(T) ((T)-1 < 0 ? (T)((uint64_t)1 << (sizeof(T) * 8 - 1)) : (T)0)
#define HIGHEST(T) ((T)~LOWEST(T))
#define ABS2(x) (creal(x) * creal(x) + cimag(x) * cimag(x))

/* Partial results of a row, which the compiler keeps in vectors; halves are combined at the end. */
enum { WEIR_REDUCE_LANES = 32 };

#define INLINE static inline __attribute__((always_inline))

#endif
