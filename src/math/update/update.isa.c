/* math/update/update.isa.c - one short loop per operation and element type. */
#include "math/update/update_impl.h"

/* How an element is read into a value and written back. */
#define LOAD_SAME(e) (e)
#define STORE_SAME(v) (v)

#define LOOP(op, name, T, V, load, store, expr)                                                    \
    static void op##_##name(void *restrict y_, const void *restrict x_, int64_t count, int x_step) \
    {                                                                                              \
        T *restrict y = y_;                                                                        \
        const T *restrict x = x_;                                                                  \
        if (x_step) {                                                                              \
            for (int64_t i = 0; i < count; i++) {                                                  \
                V a = load(y[i]), b = load(x[i]);                                                  \
                y[i] = (T)store(expr);                                                             \
            }                                                                                      \
        } else {                                                                                   \
            V b = load(x[0]);                                                                      \
            for (int64_t i = 0; i < count; i++) {                                                  \
                V a = load(y[i]);                                                                  \
                y[i] = (T)store(expr);                                                             \
            }                                                                                      \
        }                                                                                          \
    }

/* Sums and products of integers go through uint64_t, so that overflow wraps. */
#define INT_LOOPS(name, T, NUM)                                                                    \
    LOOP(add, name, T, T, LOAD_SAME, STORE_SAME, (uint64_t)a + (uint64_t)b)                        \
    LOOP(sub, name, T, T, LOAD_SAME, STORE_SAME, (uint64_t)a - (uint64_t)b)                        \
    LOOP(mul, name, T, T, LOAD_SAME, STORE_SAME, (uint64_t)a *(uint64_t)b)                         \
    /* The lowest value over -1 has no result that fits: it wraps like the product. */             \
    LOOP(div, name, T, T, LOAD_SAME, STORE_SAME,                                                   \
         b == (T)-1 ? ((T)-1 < (T)1 ? (T)(0 - (uint64_t)a) : (T)(a == b)) : (T)(a / b))            \
    LOOP(min, name, T, T, LOAD_SAME, STORE_SAME, b < a ? b : a)                                    \
    LOOP(max, name, T, T, LOAD_SAME, STORE_SAME, a < b ? b : a)
#define RING_LOOPS(name, T, V, load, store)                                                        \
    LOOP(add, name, T, V, load, store, a + b)                                                      \
    LOOP(sub, name, T, V, load, store, a - b)                                                      \
    LOOP(mul, name, T, V, load, store, a *b)                                                       \
    LOOP(div, name, T, V, load, store, a / b)
#define ORDER_LOOPS(name, T, V, load, store)                                                       \
    LOOP(min, name, T, V, load, store, b < a ? b : a)                                              \
    LOOP(max, name, T, V, load, store, a < b ? b : a)
#define FLOAT_LOOPS(name, T, NUM)                                                                  \
    RING_LOOPS(name, T, T, LOAD_SAME, STORE_SAME)                                                  \
    ORDER_LOOPS(name, T, T, LOAD_SAME, STORE_SAME)
#define COMPLEX_LOOPS(name, T, NUM) RING_LOOPS(name, T, T, LOAD_SAME, STORE_SAME)

WEIR_NUM_INTS(INT_LOOPS)
WEIR_NUM_FLOATS(FLOAT_LOOPS)
WEIR_NUM_COMPLEX(COMPLEX_LOOPS)
RING_LOOPS(f16, uint16_t, float, weir_f16_load, weir_f16_store)
ORDER_LOOPS(f16, uint16_t, float, weir_f16_load, weir_f16_store)
RING_LOOPS(bf16, uint16_t, float, weir_bf16_load, weir_bf16_store)
ORDER_LOOPS(bf16, uint16_t, float, weir_bf16_load, weir_bf16_store)
LOOP(add, bool, bool, bool, LOAD_SAME, STORE_SAME, a | b)
LOOP(sub, bool, bool, bool, LOAD_SAME, STORE_SAME, a ^ b)

const weir_update_loops WEIR_ISA_NAME(weir_update_loops) = {{
#define ROW(name, NUM, op, OP) [WEIR_UPDATE_##OP][WEIR_NUM_##NUM] = op##_##name,
#define RING_ROWS(name, T, NUM)                                                                    \
    ROW(name, NUM, add, ADD) ROW(name, NUM, sub, SUB) ROW(name, NUM, mul, MUL)                     \
        ROW(name, NUM, div, DIV)
#define ALL_ROWS(name, T, NUM)                                                                     \
    RING_ROWS(name, T, NUM) ROW(name, NUM, min, MIN) ROW(name, NUM, max, MAX)
    WEIR_NUM_INTS(ALL_ROWS) WEIR_NUM_FLOATS(ALL_ROWS) WEIR_NUM_COMPLEX(RING_ROWS)
        ALL_ROWS(f16, uint16_t, F16) ALL_ROWS(bf16, uint16_t, BF16)
    ROW(bool, BOOL, add, ADD) ROW(bool, BOOL, sub, SUB)
}};
