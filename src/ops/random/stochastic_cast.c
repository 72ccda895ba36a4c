/* ops/random/stochastic_cast.c - StochasticCastToInt: rounds to one of the two adjacent integers
 * with probabilities that preserve the mean. */
#include <math.h>

#include "base/half.h"
#include "math/cast/cast.h"
#include "op/op.h"
#include "ops/common/elem_of.h"
#include "ops/common/elements.h"
#include "ops/common/number_at.h"
#include "ops/random/generator.h"

static weir_status infer(weir_infer *infer)
{
    WEIR_TRY(weir_infer_key(infer, 1));
    return weir_infer_same_shape(infer);
}

/* TensorFlow vectorizes this where possible, so the order of draws depends on the types: an element
 * draws its own block if it needs rounding, but floats converted to int32 share one block per
 * vector, whether or not they need it. */
typedef struct lanes {
    int vector; /* elements per vector; the remainder is computed one by one */
    int block;  /* elements per block */
    int count;  /* numbers in a block */
} lanes;

static lanes lanes_of(weir_dtype from, weir_dtype to)
{
    if (to == WEIR_INT32 && from == WEIR_FLOAT)
        return (lanes){8, 8, 4};
    if (to == WEIR_INT32 && from == WEIR_DOUBLE)
        return (lanes){8, 4, 2};
    return (lanes){1, 1, 1};
}

/* |value| rounded to |dtype|. */
static double rounded_to(weir_dtype dtype, double value)
{
    switch (dtype) {
    case WEIR_FLOAT:
        return (float)value;
    case WEIR_HALF:
        return weir_f16_f32(weir_f32_f16((float)value));
    case WEIR_BFLOAT16:
        return weir_bf16_f32(weir_f32_bf16((float)value));
    default:
        return value;
    }
}

/* Number |i| of a block, in [0, 1). */
static double number_of(weir_dtype dtype, const weir_philox_block *block, int i)
{
    uint32_t bits = block->u[i];
    switch (dtype) {
    case WEIR_DOUBLE:
        return weir_u32_f64(block->u[2 * i], block->u[2 * i + 1]);
    case WEIR_HALF:
        return weir_f16_f32((uint16_t)(0x3c00 | (bits & 0x3ff))) - 1;
    case WEIR_BFLOAT16:
        return weir_bf16_f32((uint16_t)(0x3f80 | (bits & 0x7f))) - 1;
    default:
        return weir_u32_f32(bits);
    }
}

typedef struct casting {
    weir_dtype from;
    double least, most; /* limits of the integer type, rounded to the float type */
    bool vector;        /* the element is computed in a vector */
} casting;

static bool is_drawn(const casting *casting, double value)
{
    return value > casting->least && value < casting->most && floor(value) != value;
}

/* Rounds away from zero if the random number is below the fraction. */
static double round_by(const casting *casting, double value, double drawn)
{
    weir_dtype dtype = casting->from;
    if (isnan(value))
        return 0;
    if (!is_drawn(casting, value))
        return fmin(fmax(value, casting->least), casting->most);
    if (value < 0)
        return floor(rounded_to(dtype, value + drawn));
    return floor(casting->vector ? rounded_to(dtype, value + rounded_to(dtype, 1 - drawn))
                                 : rounded_to(dtype, rounded_to(dtype, value + 1) - drawn));
}

static weir_status cast(weir_call *call)
{
    const weir_tensor *x = weir_in(call, 0);
    weir_tensor *y = weir_out(call, 0);
    weir_philox gen;
    WEIR_TRY(weir_stateless_key(call, 1, &gen));
    /* As in TensorFlow, the counter's first half is the key here, and the key its second half. */
    gen = weir_philox_seeded(*(const uint64_t *)weir_in(call, 2)->data,
                             *(const uint64_t *)weir_in(call, 1)->data);
    double most = ldexp(1, 8 * (int)weir_dtype_size(y->dtype) - 1);
    casting casting = {x->dtype, rounded_to(x->dtype, -most), rounded_to(x->dtype, most - 1),
                       false};
    lanes lanes = lanes_of(x->dtype, y->dtype);
    weir_elem elem = weir_elem_of(y->dtype);
    weir_philox_block block = {0};
    int64_t count = weir_tensor_count(x), whole = count - count % lanes.vector;
    for (int64_t i = 0; i < count; i++) {
        double value = weir_number_at(x, i);
        casting.vector = lanes.vector > 1 && i < whole;
        if (casting.vector ? i % lanes.block == 0 : is_drawn(&casting, value))
            block = weir_philox_next(&gen);
        int lane = casting.vector ? (int)(i % lanes.block % lanes.count) : 0;
        value = round_by(&casting, value, number_of(x->dtype, &block, lane));
        weir_cast_run(NULL, WEIR_E_f64, elem, 1, &value, weir_at(y, i));
    }
    return WEIR_OK;
}

const weir_op weir_op_stochastic_cast_to_int = {
    .name = "StochasticCastToInt",
    .in = "input: Tin; key: uint64; counter: uint64; alg: int32",
    .out = "output: Tout",
    .attrs = "Tin: {half, bfloat16, float, double}; Tout: {int8, int16, int32}",
    .infer = infer,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", cast}},
};
