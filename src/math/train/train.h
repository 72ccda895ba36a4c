/* math/train/train.h - one step of an optimiser over arrays, in place.
 *
 * slots[0] is the variable, the others are the rule's accumulators; grad has the same length.
 * Scalars are in the order of the op's signature. The 16-bit floats are computed in float and
 * rounded once per step. Slots must not overlap. Single-threaded: callers split the work.
 *
 * Rules (W variable, g gradient, everything element by element), as TensorFlow defines them:
 *   gradient_descent  W -= alpha g
 *   momentum          A = A momentum + g; W -= lr A, or W -= lr g + lr momentum A (flag: Nesterov)
 *   adam              M, V: decaying means of g and g^2; W -= alpha M / (sqrt V + epsilon)
 *   ...               see rules.inc, which is the definition.
 */
#ifndef WEIR_MATH_TRAIN_H
#define WEIR_MATH_TRAIN_H

#include <stddef.h>

#include "math/elem.h"

enum { WEIR_TRAIN_SLOTS = 4, WEIR_TRAIN_SCALARS = 6 };

typedef enum weir_train_rule {
#define WEIR_TRAIN(name, complex) WEIR_TRAIN_##name,
#include "math/train/train.inc"
#undef WEIR_TRAIN
    WEIR_TRAIN_RULES,
} weir_train_rule;

typedef struct weir_train {
    void *slots[WEIR_TRAIN_SLOTS];
    const void *grad;
    const void *scalars[WEIR_TRAIN_SCALARS]; /* of the same element type, unless a rule says so */
    bool flag;                               /* use_nesterov, update_slots, multiply_linear_by_lr */
} weir_train;

/* Updates |count| elements from the pointers of |train| on. */
typedef void (*weir_train_fn)(const weir_train *train, int64_t count);

/* Null when the rule is not defined for the type. */
weir_train_fn weir_train_find(weir_train_rule rule, weir_elem elem);

/* Runs |fn| over |count| elements of |unit| bytes in |slots| slots, tile by tile; the next tile is
 * prefetched for writing. */
void weir_train_run(weir_train_fn fn, const weir_train *train, int slots, size_t unit,
                    int64_t count);

#endif
