/* math/train/half_complex.c - the rules for the 16-bit floats and for complex numbers. */
#include <complex.h>
#include <math.h>

#include "base/half.h"
#include "math/train/train_impl.h"

#define SAME(x) (x)

#define NAME(rule) rule##_f16
#define T uint16_t
#define V float
#define LOAD weir_f16_f32
#define STORE weir_f32_f16
#define SQRT sqrtf
#define ABS fabsf
#define EXP expf
#define POW powf
#define IS_COMPLEX 0
#include "math/train/rules.inc"

#define NAME(rule) rule##_bf16
#define T uint16_t
#define V float
#define LOAD weir_bf16_f32
#define STORE weir_f32_bf16
#define SQRT sqrtf
#define ABS fabsf
#define EXP expf
#define POW powf
#define IS_COMPLEX 0
#include "math/train/rules.inc"

#define NAME(rule) rule##_c64
#define T weir_c64
#define V weir_c64
#define LOAD SAME
#define STORE SAME
#define SQRT csqrtf
#define IS_COMPLEX 1
#include "math/train/rules.inc"

#define NAME(rule) rule##_c128
#define T weir_c128
#define V weir_c128
#define LOAD SAME
#define STORE SAME
#define SQRT csqrt
#define IS_COMPLEX 1
#include "math/train/rules.inc"

#define ROW(type, name) [WEIR_TRAIN_##name] = name##_##type,
#define ROW_IF_true(type, name) ROW(type, name)
#define ROW_IF_false(type, name)

const weir_train_rules weir_train_f16 = {{
#define WEIR_TRAIN(name, complex) ROW(f16, name)
#include "math/train/train.inc"
#undef WEIR_TRAIN
}};

const weir_train_rules weir_train_bf16 = {{
#define WEIR_TRAIN(name, complex) ROW(bf16, name)
#include "math/train/train.inc"
#undef WEIR_TRAIN
}};

const weir_train_rules weir_train_c64 = {{
#define WEIR_TRAIN(name, has) ROW_IF_##has(c64, name)
#include "math/train/train.inc"
#undef WEIR_TRAIN
}};

const weir_train_rules weir_train_c128 = {{
#define WEIR_TRAIN(name, has) ROW_IF_##has(c128, name)
#include "math/train/train.inc"
#undef WEIR_TRAIN
}};
