/* math/update/update.isa.c - one short loop per operation and element type. */
#include "math/half.h"
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

/* Sums and products of integers are unsigned, so that overflow wraps. */
#define INT_LOOPS(name, T, W, class)                                                               \
    LOOP(add, name, T, T, LOAD_SAME, STORE_SAME, (W)a + (W)b)                                      \
    LOOP(sub, name, T, T, LOAD_SAME, STORE_SAME, (W)a - (W)b)                                      \
    LOOP(mul, name, T, T, LOAD_SAME, STORE_SAME, (W)a *(W)b)                                       \
    /* The lowest value over -1 has no result that fits: it wraps like the product. */             \
    LOOP(div, name, T, T, LOAD_SAME, STORE_SAME,                                                   \
         b == (T)-1 ? ((T)-1 < (T)1 ? (T)(0 - (W)a) : (T)(a == b)) : (T)(a / b))                   \
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
#define FLOAT_LOOPS(name, T, W, class)                                                             \
    RING_LOOPS(name, T, T, LOAD_SAME, STORE_SAME)                                                  \
    ORDER_LOOPS(name, T, T, LOAD_SAME, STORE_SAME)
#define COMPLEX_LOOPS(name, T, W, class) RING_LOOPS(name, T, T, LOAD_SAME, STORE_SAME)

WEIR_ELEMS_INT(INT_LOOPS)
WEIR_ELEMS_FLOAT(FLOAT_LOOPS)
WEIR_ELEMS_COMPLEX(COMPLEX_LOOPS)
RING_LOOPS(f16, uint16_t, float, weir_f16_f32, weir_f32_f16)
ORDER_LOOPS(f16, uint16_t, float, weir_f16_f32, weir_f32_f16)
RING_LOOPS(bf16, uint16_t, float, weir_bf16_f32, weir_f32_bf16)
ORDER_LOOPS(bf16, uint16_t, float, weir_bf16_f32, weir_f32_bf16)
LOOP(add, b8, bool, bool, LOAD_SAME, STORE_SAME, a | b)
LOOP(sub, b8, bool, bool, LOAD_SAME, STORE_SAME, a ^ b)

const weir_update_loops WEIR_ISA_NAME(weir_update_loops) = {{
#define ROW(op, OP, name) [WEIR_UPDATE_##OP][WEIR_E_##name] = op##_##name,
#define RING_ROWS(name, T, W, class)                                                               \
    ROW(add, ADD, name) ROW(sub, SUB, name) ROW(mul, MUL, name) ROW(div, DIV, name)
#define ALL_ROWS(name, T, W, class)                                                                \
    RING_ROWS(name, T, W, class) ROW(min, MIN, name) ROW(max, MAX, name)
    WEIR_ELEMS_INT(ALL_ROWS) WEIR_ELEMS_FLOAT(ALL_ROWS) WEIR_ELEMS_HALF(ALL_ROWS)
        WEIR_ELEMS_COMPLEX(RING_ROWS) ROW(add, ADD, b8) ROW(sub, SUB, b8)}};
