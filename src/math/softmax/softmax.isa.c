/* math/softmax/softmax.isa.c - one row of softmax or cross-entropy. */
#include <math.h>
#include <string.h>

#include "math/softmax/softmax_impl.h"
#include "math/vec.h"

#define INLINE static inline __attribute__((always_inline))

#define T float
#define NAME(x) x##_f32
#define EXP weir_v_exp
#include "math/softmax/softmax.inc"
#undef T
#undef NAME
#undef EXP

#define T double
#define NAME(x) x##_f64
#define EXP exp
#include "math/softmax/softmax.inc"
