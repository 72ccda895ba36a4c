/* ops/random/stateless.c - random numbers from explicit seeds (first version) or from a key and a
 * counter (second). */
#include <inttypes.h>

#include "ops/common/elem_of.h"
#include "ops/common/elements.h"
#include "ops/declare.h"
#include "ops/random/generator.h"

static weir_status seed_infer(weir_infer *infer)
{
    WEIR_TRY(weir_infer_seed(infer, 1));
    return weir_infer_random_shape(infer);
}
static weir_status key_infer(weir_infer *infer)
{
    WEIR_TRY(weir_infer_key(infer, 1));
    return weir_infer_random_shape(infer);
}

static weir_status fill_by_seed(weir_call *call)
{
    weir_philox gen;
    WEIR_TRY(weir_stateless_seed(weir_in(call, 1), &gen));
    weir_random_fill(call, gen);
    return WEIR_OK;
}
static weir_status fill_by_key(weir_call *call)
{
    weir_philox gen;
    WEIR_TRY(weir_stateless_key(call, 1, &gen));
    weir_random_fill(call, gen);
    return WEIR_OK;
}

#define FLOATS "dtype: {half, bfloat16, float, double} = DT_FLOAT; "
#define FULL_INTS "dtype: {int32, int64, uint32, uint64} = DT_UINT64; "
#define BY_SEED                                                                                    \
    .in = "shape: T; seed: Tseed", .out = "output: dtype", .infer = seed_infer, .no_grad = true,   \
    .kernels = {{WEIR_CPU, "*", fill_by_seed}}
#define SEED_ATTRS(types) "T: {int32, int64} = DT_INT32; Tseed: {" types "} = DT_INT64"
WEIR_DEFINE_OP(stateless_random_uniform, "StatelessRandomUniform", BY_SEED,
               .attrs = FLOATS SEED_ATTRS("int32, int64"), .mode = WEIR_FILL_UNIFORM,
               .host = "shape; seed");
WEIR_DEFINE_OP(stateless_random_normal, "StatelessRandomNormal", BY_SEED,
               .attrs = FLOATS SEED_ATTRS("int32, int64"), .mode = WEIR_FILL_NORMAL,
               .host = "shape; seed");
WEIR_DEFINE_OP(stateless_truncated_normal, "StatelessTruncatedNormal", BY_SEED,
               .attrs = FLOATS SEED_ATTRS("int32, int64"), .mode = WEIR_FILL_TRUNCATED_NORMAL,
               .host = "shape; seed");
WEIR_DEFINE_OP(stateless_random_uniform_full_int, "StatelessRandomUniformFullInt", BY_SEED,
               .attrs = FULL_INTS SEED_ATTRS("int32, int64, uint32, uint64"),
               .mode = WEIR_FILL_FULL_INTS, .host = "shape; seed");

#define BY_KEY                                                                                     \
    .in = "shape: Tshape; key: uint64; counter: uint64; alg: int32", .out = "output: dtype",       \
    .infer = key_infer, .no_grad = true, .kernels = {{WEIR_CPU, "*", fill_by_key}}
#define KEY_ATTRS "Tshape: {int32, int64} = DT_INT32"
WEIR_DEFINE_OP(stateless_random_uniform_v2, "StatelessRandomUniformV2", BY_KEY,
               .attrs = FLOATS KEY_ATTRS, .mode = WEIR_FILL_UNIFORM);
WEIR_DEFINE_OP(stateless_random_normal_v2, "StatelessRandomNormalV2", BY_KEY,
               .attrs = FLOATS KEY_ATTRS, .mode = WEIR_FILL_NORMAL);
WEIR_DEFINE_OP(stateless_truncated_normal_v2, "StatelessTruncatedNormalV2", BY_KEY,
               .attrs = FLOATS KEY_ATTRS, .mode = WEIR_FILL_TRUNCATED_NORMAL);
WEIR_DEFINE_OP(stateless_random_uniform_full_int_v2, "StatelessRandomUniformFullIntV2", BY_KEY,
               .attrs = FULL_INTS KEY_ATTRS, .mode = WEIR_FILL_FULL_INTS);

/* ---- integers in a range --------------------------------------------------------------------- */

static weir_status fill_ints(weir_call *call, int bounds, weir_philox gen)
{
    const weir_tensor *low_t = weir_in(call, bounds), *high_t = weir_in(call, bounds + 1);
    weir_tensor *y = weir_out(call, 0);
    if (low_t->shape.rank != 0 || high_t->shape.rank != 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "minval and maxval must be 0-D, got shapes %s, %s",
                          WEIR_SHAPE_STR(&low_t->shape), WEIR_SHAPE_STR(&high_t->shape));
    int64_t low = weir_int_at(low_t, 0), high = weir_int_at(high_t, 0),
            count = weir_tensor_count(y);
    bool ordered = y->dtype == WEIR_UINT64 ? (uint64_t)low < (uint64_t)high : low < high;
    if (!ordered)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Need minval < maxval, got %" PRId64 " >= %" PRId64, low, high);
    weir_random_ints(&call->run->par, gen, weir_elem_of(y->dtype), low, high, count, y->data);
    return WEIR_OK;
}

static weir_status ints_by_seed_infer(weir_infer *infer)
{
    WEIR_TRY(weir_infer_rank(infer, 2, 0));
    WEIR_TRY(weir_infer_rank(infer, 3, 0));
    return seed_infer(infer);
}
static weir_status ints_by_key_infer(weir_infer *infer)
{
    WEIR_TRY(weir_infer_rank(infer, 4, 0));
    WEIR_TRY(weir_infer_rank(infer, 5, 0));
    return key_infer(infer);
}

static weir_status ints_by_seed(weir_call *call)
{
    weir_philox gen;
    WEIR_TRY(weir_stateless_seed(weir_in(call, 1), &gen));
    return fill_ints(call, 2, gen);
}
static weir_status ints_by_key(weir_call *call)
{
    weir_philox gen;
    WEIR_TRY(weir_stateless_key(call, 1, &gen));
    return fill_ints(call, 4, gen);
}

const weir_op weir_op_stateless_random_uniform_int = {
    .name = "StatelessRandomUniformInt",
    .in = "shape: T; seed: Tseed; minval: dtype; maxval: dtype",
    .out = "output: dtype",
    .attrs = "dtype: {int32, int64}; T: {int32, int64}; Tseed: {int32, int64} = DT_INT64",
    .host = "shape; seed; minval; maxval",
    .infer = ints_by_seed_infer,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", ints_by_seed}},
};

const weir_op weir_op_stateless_random_uniform_int_v2 = {
    .name = "StatelessRandomUniformIntV2",
    .in = "shape: Tshape; key: uint64; counter: uint64; alg: int32; minval: dtype; maxval: dtype",
    .out = "output: dtype",
    .attrs = "dtype: {int32, int64, uint32, uint64}; Tshape: {int32, int64} = DT_INT32",
    .infer = ints_by_key_infer,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", ints_by_key}},
};

/* ---- from seeds to keys ---------------------------------------------------------------------- */

static weir_status key_counter_infer(weir_infer *infer)
{
    WEIR_TRY(weir_infer_seed(infer, 0));
    infer->out[0] = weir_shape_vector(1);
    infer->out[1] = weir_shape_vector(2);
    if (infer->out_count > 2)
        infer->out[2] = WEIR_SCALAR;
    return WEIR_OK;
}

static weir_status get_key_counter(weir_call *call)
{
    weir_philox gen;
    WEIR_TRY(weir_stateless_seed(weir_in(call, 0), &gen));
    uint64_t *key = weir_out(call, 0)->data, *counter = weir_out(call, 1)->data;
    key[0] = gen.key[0] | (uint64_t)gen.key[1] << 32;
    counter[0] = gen.counter[0] | (uint64_t)gen.counter[1] << 32;
    counter[1] = gen.counter[2] | (uint64_t)gen.counter[3] << 32;
    if (call->site->out_count > 2)
        *(int32_t *)weir_out(call, 2)->data = WEIR_ALG_PHILOX;
    return WEIR_OK;
}

static weir_status get_alg(weir_call *call)
{
    *(int32_t *)weir_out(call, 0)->data = WEIR_ALG_PHILOX;
    return WEIR_OK;
}

const weir_op weir_op_stateless_random_get_key_counter = {
    .name = "StatelessRandomGetKeyCounter",
    .in = "seed: Tseed",
    .out = "key: uint64; counter: uint64",
    .attrs = "Tseed: {int32, int64} = DT_INT64",
    .infer = key_counter_infer,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", get_key_counter, WEIR_CHEAP}},
};

const weir_op weir_op_stateless_random_get_key_counter_alg = {
    .name = "StatelessRandomGetKeyCounterAlg",
    .in = "seed: Tseed",
    .out = "key: uint64; counter: uint64; alg: int32",
    .attrs = "Tseed: {int32, int64} = DT_INT64",
    .infer = key_counter_infer,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", get_key_counter, WEIR_CHEAP}},
};

const weir_op weir_op_stateless_random_get_alg = {
    .name = "StatelessRandomGetAlg",
    .out = "alg: int32",
    .flags = WEIR_STATEFUL,
    .infer = weir_infer_scalar,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", get_alg, WEIR_CHEAP}},
};
