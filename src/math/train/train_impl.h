/* math/train/train_impl.h - the tables behind weir_train_find. */
#ifndef WEIR_MATH_TRAIN_IMPL_H
#define WEIR_MATH_TRAIN_IMPL_H

#include "math/isa.h"
#include "math/train/train.h"

/* Rules of one element type. */
typedef struct weir_train_rules {
    weir_train_fn at[WEIR_TRAIN_RULES];
} weir_train_rules;

typedef struct weir_train_loops {
    weir_train_rules f32, f64;
} weir_train_loops;

/* float and double are built per instruction set, the rest once. */
WEIR_ISA_DECLARE(const weir_train_loops, weir_train_loops);
extern const weir_train_rules weir_train_f16, weir_train_bf16, weir_train_c64, weir_train_c128;

#endif
