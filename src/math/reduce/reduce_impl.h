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
    void (*finish)(int64_t count, int64_t n, void *acc);    /* n elements went into each */
    void (*empty)(int64_t count, void *acc);
} weir_reducer;

typedef struct weir_reducers {
    weir_reducer f32[WEIR_REDUCE_COUNT], f64[WEIR_REDUCE_COUNT];
} weir_reducers;

WEIR_ISA_DECLARE(const weir_reducers, weir_reducers);
extern const weir_reducer weir_reduce_others[WEIR_REDUCE_COUNT][WEIR_ELEM_COUNT];

#pragma GCC diagnostic ignored "-Wtype-limits"
#define LOWEST(T) ((T)-1 < 0 ? (T)((uint64_t)1 << (sizeof(T) * 8 - 1)) : (T)0)
#define HIGHEST(T) ((T)~LOWEST(T))
#define ABS2(x) (creal(x) * creal(x) + cimag(x) * cimag(x))

/* Lanes let the compiler keep a vector of partial results; they are joined in halves. */
enum { WEIR_REDUCE_LANES = 32 };

#define WEIR_REDUCE_LOOPS(id, E, W_, value, combine, nothing, result)                              \
    static inline E id##_join(E a, E b)                                                            \
    {                                                                                              \
        typedef E T;                                                                               \
        typedef W_ W;                                                                              \
        (void)sizeof(W);                                                                           \
        (void)sizeof(T);                                                                           \
        return combine;                                                                            \
    }                                                                                              \
    static inline E id##_value(E x)                                                                \
    {                                                                                              \
        typedef E T;                                                                               \
        typedef W_ W;                                                                              \
        (void)sizeof(W);                                                                           \
        (void)sizeof(T);                                                                           \
        return value;                                                                              \
    }                                                                                              \
    static void id##_row(int64_t count, const void *xs, void *out)                                 \
    {                                                                                              \
        const E *x = xs;                                                                           \
        E lanes[WEIR_REDUCE_LANES], acc;                                                           \
        int64_t i = WEIR_REDUCE_LANES;                                                             \
        if (count < WEIR_REDUCE_LANES) {                                                           \
            acc = id##_value(x[0]);                                                                \
            for (i = 1; i < count; i++)                                                            \
                acc = id##_join(acc, id##_value(x[i]));                                            \
            *(E *)out = acc;                                                                       \
            return;                                                                                \
        }                                                                                          \
        for (int k = 0; k < WEIR_REDUCE_LANES; k++)                                                \
            lanes[k] = id##_value(x[k]);                                                           \
        for (; i + WEIR_REDUCE_LANES <= count; i += WEIR_REDUCE_LANES)                             \
            for (int k = 0; k < WEIR_REDUCE_LANES; k++)                                            \
                lanes[k] = id##_join(lanes[k], id##_value(x[i + k]));                              \
        for (int k = 0; i < count; i++, k++)                                                       \
            lanes[k] = id##_join(lanes[k], id##_value(x[i]));                                      \
        for (int w = WEIR_REDUCE_LANES / 2; w; w /= 2)                                             \
            for (int k = 0; k < w; k++)                                                            \
                lanes[k] = id##_join(lanes[k], lanes[k + w]);                                      \
        *(E *)out = lanes[0];                                                                      \
    }                                                                                              \
    static void id##_load(int64_t count, const void *xs, void *accs)                               \
    {                                                                                              \
        const E *x = xs;                                                                           \
        E *acc = accs;                                                                             \
        for (int64_t i = 0; i < count; i++)                                                        \
            acc[i] = id##_value(x[i]);                                                             \
    }                                                                                              \
    static void id##_add(int64_t count, const void *xs, void *accs)                                \
    {                                                                                              \
        const E *x = xs;                                                                           \
        E *acc = accs;                                                                             \
        for (int64_t i = 0; i < count; i++)                                                        \
            acc[i] = id##_join(acc[i], id##_value(x[i]));                                          \
    }                                                                                              \
    static void id##_merge(int64_t count, const void *bs, void *accs)                              \
    {                                                                                              \
        const E *b = bs;                                                                           \
        E *acc = accs;                                                                             \
        for (int64_t i = 0; i < count; i++)                                                        \
            acc[i] = id##_join(acc[i], b[i]);                                                      \
    }                                                                                              \
    static void id##_finish(int64_t count, int64_t n, void *accs)                                  \
    {                                                                                              \
        typedef E T;                                                                               \
        T *acc = accs;                                                                             \
        (void)n;                                                                                   \
        for (int64_t i = 0; i < count; i++) {                                                      \
            T a = acc[i];                                                                          \
            acc[i] = result;                                                                       \
        }                                                                                          \
    }                                                                                              \
    static void id##_empty(int64_t count, void *accs)                                              \
    {                                                                                              \
        typedef E T;                                                                               \
        T *acc = accs;                                                                             \
        for (int64_t i = 0; i < count; i++)                                                        \
            acc[i] = nothing;                                                                      \
    }
#define WEIR_REDUCER(id)                                                                           \
    {                                                                                              \
        id##_row, id##_load, id##_add, id##_merge, id##_finish, id##_empty                         \
    }

#endif
