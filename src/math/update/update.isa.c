/* math/update/update.isa.c - one short loop per operation and element type. */
#include "base/half.h"
#include "math/update/update_impl.h"

#define INLINE static inline __attribute__((always_inline))

#define LOOPS "math/update/update_loops.inc"
#include "math/each_complex.inc"
#include "math/each_float.inc"
#include "math/each_half.inc"
#include "math/each_int.inc"

#define CLASS_BOOL 1
#define ELEM bool
#define VALUE bool
#define NAME(x) x##_b8
#define LOAD(element) (element)
#define STORE(value) (value)
#include LOOPS

const weir_update_loops WEIR_ISA_NAME(weir_update_loops) = {{
#define ROW(op, OP, name) [WEIR_UPDATE_##OP][WEIR_E_##name] = op##_##name,
#define ADD_SUB(name) ROW(add, ADD, name) ROW(sub, SUB, name)
#define RING(name, T, W, class) ADD_SUB(name) ROW(mul, MUL, name) ROW(div, DIV, name)
#define ALL(name, T, W, class) RING(name, T, W, class) ROW(min, MIN, name) ROW(max, MAX, name)
    WEIR_ELEMS_INT(ALL) WEIR_ELEMS_FLOAT(ALL) WEIR_ELEMS_HALF(ALL) WEIR_ELEMS_COMPLEX(RING)
        ADD_SUB(b8)}};
