/* math/reduce/reduce.isa.c - loops over float and double. */
#include "math/reduce/reduce_impl.h"

#define WEIR_REDUCE(name, class, value, combine, nothing, result)                                  \
    class(name, value, combine, nothing, result)
#define FLOAT(name, value, combine, nothing, result)                                               \
    WEIR_REDUCE_LOOPS(name##_f32, float, float, value, combine, nothing, result)                   \
    WEIR_REDUCE_LOOPS(name##_f64, double, double, value, combine, nothing, result)
#define INT(...)
#define COMPLEX(...)
#define BOOL(...)
#include "math/reduce/reduce.inc"
#undef FLOAT

const weir_reducers WEIR_ISA_NAME(weir_reducers) = {
    .f32 =
        {
#define WEIR_REDUCE(name, class, ...) class(name)
#define FLOAT(name) [WEIR_R_##name] = WEIR_REDUCER(name##_f32),
#include "math/reduce/reduce.inc"
#undef FLOAT
        },
    .f64 =
        {
#define WEIR_REDUCE(name, class, ...) class(name)
#define FLOAT(name) [WEIR_R_##name] = WEIR_REDUCER(name##_f64),
#include "math/reduce/reduce.inc"
        },
};
