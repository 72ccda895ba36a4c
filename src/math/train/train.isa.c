/* math/train/train.isa.c - the rules for float and double. */
#include <math.h>

#include "math/train/train_impl.h"

#define SAME(x) (x)

#define NAME(rule) rule##_f32
#define T float
#define V float
#define LOAD SAME
#define STORE SAME
#define SQRT sqrtf
#define ABS fabsf
#define EXP expf
#define POW powf
#define IS_COMPLEX 0
#include "math/train/rules.inc"

#define NAME(rule) rule##_f64
#define T double
#define V double
#define LOAD SAME
#define STORE SAME
#define SQRT sqrt
#define ABS fabs
#define EXP exp
#define POW pow
#define IS_COMPLEX 0
#include "math/train/rules.inc"

const weir_train_loops WEIR_ISA_NAME(weir_train_loops) = {
#define WEIR_TRAIN(name, complex) .f32.at[WEIR_TRAIN_##name] = name##_f32,
#include "math/train/train.inc"
#undef WEIR_TRAIN
#define WEIR_TRAIN(name, complex) .f64.at[WEIR_TRAIN_##name] = name##_f64,
#include "math/train/train.inc"
#undef WEIR_TRAIN
};
