/* ops/random/uniform.c - RandomUniform, RandomStandardNormal, TruncatedNormal, RandomUniformInt and
 * NonDeterministicInts. */
#include <inttypes.h>

#include "ops/common/elem_of.h"
#include "ops/common/elements.h"
#include "ops/declare.h"
#include "ops/random/generator.h"

static weir_status fill(weir_call *call)
{
    uint64_t count = (uint64_t)weir_tensor_count(weir_out(call, 0));
    weir_random_fill(call, weir_generator_take(call, count * WEIR_PHILOX_RESERVE));
    return WEIR_OK;
}

#define STREAM .prepare = weir_generator_prepare, .cleanup = weir_generator_cleanup
#define FILL                                                                                       \
    .in = "shape: T", .out = "output: dtype",                                                      \
    .attrs = "seed: int = 0; seed2: int = 0; dtype: {half, bfloat16, float, double}; "             \
             "T: {int32, int64}",                                                                  \
    .flags = WEIR_STATEFUL, .infer = weir_infer_random_shape, .no_grad = true,                     \
    .kernels = {{WEIR_CPU, "*", fill, STREAM}}
WEIR_DEFINE_OP(random_uniform, "RandomUniform", FILL, .mode = WEIR_FILL_UNIFORM, .host = "shape");
WEIR_DEFINE_OP(random_standard_normal, "RandomStandardNormal", FILL, .mode = WEIR_FILL_NORMAL,
               .host = "shape");
WEIR_DEFINE_OP(truncated_normal, "TruncatedNormal", FILL, .mode = WEIR_FILL_TRUNCATED_NORMAL,
               .host = "shape");

static weir_status int_infer(weir_infer *infer)
{
    WEIR_TRY(weir_infer_rank(infer, 1, 0));
    WEIR_TRY(weir_infer_rank(infer, 2, 0));
    return weir_infer_random_shape(infer);
}

static weir_status random_uniform_int(weir_call *call)
{
    weir_tensor *y = weir_out(call, 0);
    int64_t low = weir_int_at(weir_in(call, 1), 0), high = weir_int_at(weir_in(call, 2), 0);
    int64_t count = weir_tensor_count(y);
    if (count == 0)
        return WEIR_OK;
    if (low >= high)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Need minval < maxval, got %" PRId64 " >= %" PRId64, low, high);
    weir_philox gen = weir_generator_take(call, (uint64_t)count * WEIR_PHILOX_RESERVE);
    weir_random_ints(&call->run->par, gen, weir_elem_of(y->dtype), low, high, count, y->data);
    return WEIR_OK;
}

const weir_op weir_op_random_uniform_int = {
    .name = "RandomUniformInt",
    .in = "shape: T; minval: Tout; maxval: Tout",
    .out = "output: Tout",
    .attrs = "seed: int = 0; seed2: int = 0; Tout: {int32, int64}; T: {int32, int64}",
    .host = "maxval; minval; shape",
    .flags = WEIR_STATEFUL,
    .infer = int_infer,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", random_uniform_int, STREAM}},
};

/* Full-range integers from the system's random source. */
static weir_status non_deterministic_ints(weir_call *call)
{
    weir_tensor *y = weir_out(call, 0);
    weir_philox gen = weir_philox_seeded(weir_random_bits(), weir_random_bits());
    weir_random_full_ints(&call->run->par, gen, weir_elem_of(y->dtype), weir_tensor_count(y),
                          y->data);
    return WEIR_OK;
}

const weir_op weir_op_non_deterministic_ints = {
    .name = "NonDeterministicInts",
    .in = "shape: shape_dtype",
    .out = "output: dtype",
    .attrs = "dtype: type = DT_INT64; shape_dtype: type = DT_INT64",
    .flags = WEIR_STATEFUL,
    .infer = weir_infer_random_shape,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "dtype: int32, int64, uint32, uint64", non_deterministic_ints}},
};
