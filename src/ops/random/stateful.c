/* ops/random/stateful.c - ops on a generator in a variable: an int64 vector of counter (two
 * numbers) and key. */
#include <inttypes.h>

#include "ops/common/elem_of.h"
#include "ops/common/elements.h"
#include "ops/common/infer_util.h"
#include "ops/declare.h"
#include "ops/random/generator.h"
#include "ops/state/state_impl.h"

enum { STATE_LENGTH = 3 };

static weir_status check_algorithm(int64_t algorithm)
{
    if (algorithm != WEIR_ALG_PHILOX && algorithm != WEIR_ALG_AUTO)
        return weir_error(WEIR_INVALID_ARGUMENT, "Unsupported algorithm id: %" PRId64, algorithm);
    return WEIR_OK;
}

static weir_status algorithm_of(const weir_tensor *tensor)
{
    if (weir_tensor_count(tensor) != 1)
        return weir_error(WEIR_INVALID_ARGUMENT, "algorithm must be of shape [], not %s",
                          WEIR_SHAPE_STR(&tensor->shape));
    return check_algorithm(weir_int_at(tensor, 0));
}

/* |skip| is 1 if the state starts with the algorithm. */
static weir_status check_state(const weir_tensor *value, int skip)
{
    if (value->shape.rank != 1 || value->shape.dims[0] < STATE_LENGTH + skip)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "For the Philox algorithm, the size of state must be at least %d; got %s",
                          STATE_LENGTH + skip, WEIR_SHAPE_STR(&value->shape));
    return skip ? check_algorithm(*(const int64_t *)value->data) : WEIR_OK;
}

/* Takes a position from the variable of input 0 and advances it by |outputs| reserves. */
static weir_status take(weir_call *call, int skip, uint64_t outputs, int64_t before[STATE_LENGTH],
                        weir_philox *out)
{
    weir_var *var;
    weir_tensor *value;
    WEIR_TRY(weir_state_var(call, 0, &var));
    weir_status status = weir_state_begin(var, WEIR_INT64, &value);
    if (status) {
        weir_var_release(var);
        return status;
    }
    status = check_state(value, skip);
    if (!status) {
        int64_t *state = (int64_t *)value->data + skip;
        memcpy(before, state, STATE_LENGTH * sizeof *before);
        *out = weir_philox_at((uint64_t)state[2], (const uint64_t *)state);
        weir_philox next = *out;
        weir_philox_skip(&next, outputs * WEIR_PHILOX_RESERVE);
        state[0] = (int64_t)(next.counter[0] | (uint64_t)next.counter[1] << 32);
        state[1] = (int64_t)(next.counter[2] | (uint64_t)next.counter[3] << 32);
    }
    weir_var_end(var);
    weir_var_release(var);
    return status;
}

weir_status weir_stateful_take(weir_call *call, uint64_t outputs, weir_philox *out)
{
    int64_t before[STATE_LENGTH];
    WEIR_TRY(algorithm_of(weir_in(call, 1)));
    return take(call, 0, outputs, before, out);
}

/* ---- filling --------------------------------------------------------------------------------- */

static weir_status fill_infer(weir_infer *infer)
{
    WEIR_TRY(weir_infer_rank(infer, 1, 0));
    return weir_infer_new_shape(infer, 2, &infer->out[0]);
}

static weir_status draw(weir_call *call, weir_philox *out)
{
    return weir_stateful_take(call, (uint64_t)weir_tensor_count(weir_out(call, 0)), out);
}

static weir_status fill(weir_call *call)
{
    weir_philox gen;
    WEIR_TRY(draw(call, &gen));
    weir_random_fill(call, gen);
    return WEIR_OK;
}

#define FILL                                                                                       \
    .in = "resource: resource; algorithm: int64; shape: shape_dtype", .out = "output: dtype",      \
    .flags = WEIR_STATEFUL, .infer = fill_infer, .no_grad = true
#define OF_FLOATS                                                                                  \
    FILL, .attrs = "dtype: type = DT_FLOAT; shape_dtype: type = DT_INT64",                         \
          .kernels = {{WEIR_CPU, "dtype: half, bfloat16, float, double", fill}}
WEIR_DEFINE_OP(stateful_uniform, "StatefulUniform", OF_FLOATS, .mode = WEIR_FILL_UNIFORM);
WEIR_DEFINE_OP(stateful_standard_normal_v2, "StatefulStandardNormalV2", OF_FLOATS,
               .mode = WEIR_FILL_NORMAL);
WEIR_DEFINE_OP(stateful_truncated_normal, "StatefulTruncatedNormal", OF_FLOATS,
               .mode = WEIR_FILL_TRUNCATED_NORMAL);
WEIR_DEFINE_OP(stateful_uniform_full_int, "StatefulUniformFullInt", FILL,
               .attrs = "dtype: type = DT_UINT64; shape_dtype: type = DT_INT64",
               .mode = WEIR_FILL_FULL_INTS,
               .kernels = {{WEIR_CPU, "dtype: int32, int64, uint32, uint64", fill}});

/* The first version: the state itself starts with the algorithm. */
static weir_status first_infer(weir_infer *infer)
{
    return weir_infer_new_shape(infer, 1, &infer->out[0]);
}

static weir_status first_fill(weir_call *call)
{
    int64_t before[STATE_LENGTH];
    weir_philox gen;
    WEIR_TRY(take(call, 1, (uint64_t)weir_tensor_count(weir_out(call, 0)), before, &gen));
    weir_random_fill(call, gen);
    return WEIR_OK;
}

WEIR_DEFINE_OP(stateful_standard_normal, "StatefulStandardNormal",
               .in = "resource: resource; shape: shape_dtype", .out = "output: dtype",
               .attrs = "dtype: type = DT_FLOAT; shape_dtype: type = DT_INT64",
               .flags = WEIR_STATEFUL, .deprecated_at = 29,
               .deprecation = "Use StatefulStandardNormalV2 instead", .infer = first_infer,
               .no_grad = true, .mode = WEIR_FILL_NORMAL,
               .kernels = {{WEIR_CPU, "dtype: half, bfloat16, float, double", first_fill}});

static weir_status ints_infer(weir_infer *infer)
{
    WEIR_TRY(weir_infer_rank(infer, 3, 0));
    WEIR_TRY(weir_infer_rank(infer, 4, 0));
    return fill_infer(infer);
}

static weir_status uniform_int(weir_call *call)
{
    weir_tensor *y = weir_out(call, 0);
    int64_t low = weir_int_at(weir_in(call, 3), 0), high = weir_int_at(weir_in(call, 4), 0);
    weir_philox gen;
    if (low >= high)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Need minval < maxval, got %" PRId64 " >= %" PRId64, low, high);
    WEIR_TRY(draw(call, &gen));
    weir_random_ints(&call->run->par, gen, weir_elem_of(y->dtype), low, high, weir_tensor_count(y),
                     y->data);
    return WEIR_OK;
}

const weir_op weir_op_stateful_uniform_int = {
    .name = "StatefulUniformInt",
    .in = "resource: resource; algorithm: int64; shape: shape_dtype; minval: dtype; maxval: dtype",
    .out = "output: dtype",
    .attrs = "dtype: type = DT_INT64; shape_dtype: type = DT_INT64",
    .flags = WEIR_STATEFUL,
    .infer = ints_infer,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "dtype: int32, int64", uniform_int}},
};

/* ---- skipping -------------------------------------------------------------------------------- */

static weir_status skip_infer(weir_infer *infer)
{
    WEIR_TRY(weir_infer_rank(infer, 1, 0));
    WEIR_TRY(weir_infer_rank(infer, 2, 0));
    if (infer->out_count)
        infer->out[0] = weir_shape_vector(-1);
    return WEIR_OK;
}

/* Returns the state before the skip, if the op has an output. */
static weir_status skip(weir_call *call)
{
    int64_t before[STATE_LENGTH];
    weir_philox gen;
    WEIR_TRY(algorithm_of(weir_in(call, 1)));
    WEIR_TRY(take(call, 0, (uint64_t)weir_int_at(weir_in(call, 2), 0), before, &gen));
    if (call->site->out_count == 0)
        return WEIR_OK;
    weir_shape shape = weir_shape_vector(STATE_LENGTH);
    WEIR_TRY(weir_call_alloc(call, 0, &shape));
    memcpy(weir_out(call, 0)->data, before, sizeof before);
    return WEIR_OK;
}

const weir_op weir_op_rng_skip = {
    .name = "RngSkip",
    .in = "resource: resource; algorithm: int64; delta: int64",
    .flags = WEIR_STATEFUL,
    .infer = skip_infer,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", skip, WEIR_OWN_OUTPUTS}},
};

const weir_op weir_op_rng_read_and_skip = {
    .name = "RngReadAndSkip",
    .in = "resource: resource; alg: int32; delta: uint64",
    .out = "value: int64",
    .flags = WEIR_STATEFUL,
    .infer = skip_infer,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", skip, WEIR_OWN_OUTPUTS}},
};
