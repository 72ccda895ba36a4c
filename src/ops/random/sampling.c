/* ops/random/sampling.c - RandomGamma, RandomPoisson, Multinomial and their stateless forms. */
#include "math/random/sample.h"

#include <inttypes.h>
#include <math.h>

#include "grad/grad.h"
#include "math/random/fill.h"
#include "op/op.h"
#include "ops/common/elem_of.h"
#include "ops/common/infer_util.h"
#include "ops/random/generator.h"

typedef void (*sampler)(const weir_par *par, const weir_sampling *what);

/* Output: the requested shape, then the shape of the parameters. */
static weir_status samples_infer(weir_infer *infer, int parameters)
{
    weir_shape shape;
    WEIR_TRY(weir_infer_new_shape(infer, 0, &shape));
    return weir_infer_concat(&shape, infer->in[parameters], &infer->out[0]);
}

/* |in| is the input with the parameters. */
static weir_status draw(weir_call *call, sampler sample, int in, weir_philox gen)
{
    const weir_tensor *x = weir_in(call, in);
    weir_tensor *y = weir_out(call, 0);
    int64_t parameters = weir_tensor_count(x), total = weir_tensor_count(y);
    weir_sampling what = {
        .gen = gen,
        .parameters = parameters,
        .samples = parameters ? total / parameters : 0,
        .in = weir_elem_of(x->dtype),
        .out = weir_elem_of(y->dtype),
        .x = x->data,
        .y = y->data,
    };
    if (total > 0)
        sample(&call->run->par, &what);
    return WEIR_OK;
}

static weir_status draw_stateful(weir_call *call, sampler sample)
{
    uint64_t total = (uint64_t)weir_tensor_count(weir_out(call, 0));
    return draw(call, sample, 1, weir_generator_take(call, total * WEIR_PHILOX_RESERVE));
}

static weir_status stateful_infer(weir_infer *infer)
{
    return samples_infer(infer, 1);
}

static weir_status random_gamma(weir_call *call)
{
    return draw_stateful(call, weir_random_gamma);
}
static weir_status random_poisson(weir_call *call)
{
    return draw_stateful(call, weir_random_poisson);
}

/* The gradient of alpha is RandomGammaGrad, summed over the samples of each alpha. */
static weir_status random_gamma_grad(weir_grad *grad)
{
    weir_edge shape = weir_grad_x(grad, 0), alpha = weir_grad_x(grad, 1), y = weir_grad_y(grad, 0);
    weir_edge dy = weir_grad_dy(grad, 0);
    weir_edge slope = weir_grad_op(grad, "RandomGammaGrad", WEIR_IN(alpha, y), WEIR_NO_ATTRS);
    weir_edge all = weir_grad_mul(grad, dy, slope);
    weir_edge zero = weir_grad_scalar(grad, WEIR_INT32, 0),
              one = weir_grad_scalar(grad, WEIR_INT32, 1);
    weir_edge rank = weir_grad_op(grad, "Size", WEIR_IN(shape), WEIR_NO_ATTRS);
    weir_edge axes = weir_grad_op(grad, "Range", WEIR_IN(zero, rank, one), WEIR_NO_ATTRS);
    weir_grad_set(grad, 1, weir_grad_op(grad, "Sum", WEIR_IN(all, axes), WEIR_NO_ATTRS));
    return WEIR_OK;
}

#define GENERATOR .prepare = weir_generator_prepare, .cleanup = weir_generator_cleanup

const weir_op weir_op_random_gamma = {
    .name = "RandomGamma",
    .in = "shape: S; alpha: T",
    .out = "output: T",
    .attrs = "seed: int = 0; seed2: int = 0; S: {int32, int64}; T: {half, float, double}",
    .flags = WEIR_STATEFUL,
    .infer = stateful_infer,
    .grad = random_gamma_grad,
    .kernels = {{WEIR_CPU, "*", random_gamma, GENERATOR}},
};

const weir_op weir_op_random_poisson = {
    .name = "RandomPoisson",
    .in = "shape: S; rate: dtype",
    .out = "output: dtype",
    .attrs = "seed: int = 0; seed2: int = 0; S: {int32, int64}; dtype: {half, float, double}",
    .flags = WEIR_STATEFUL,
    .deprecated_at = 25,
    .deprecation = "Replaced by RandomPoissonV2",
    .infer = stateful_infer,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", random_poisson, GENERATOR}},
};

const weir_op weir_op_random_poisson_v2 = {
    .name = "RandomPoissonV2",
    .in = "shape: S; rate: R",
    .out = "output: dtype",
    .attrs = "seed: int = 0; seed2: int = 0; S: {int32, int64}; "
             "R: {half, float, double, int32, int64} = DT_DOUBLE; "
             "dtype: {half, float, double, int32, int64} = DT_INT64",
    .flags = WEIR_STATEFUL,
    .infer = stateful_infer,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", random_poisson, GENERATOR}},
};

/* ---- stateless: the output has the requested shape, which ends with that of the parameters --- */

static weir_status stateless_infer(weir_infer *infer)
{
    WEIR_TRY(weir_infer_seed(infer, 1));
    return weir_infer_random_shape(infer);
}
static weir_status keyed_infer(weir_infer *infer)
{
    WEIR_TRY(weir_infer_key(infer, 1));
    return weir_infer_random_shape(infer);
}

static weir_status check_parameters(weir_call *call, int in)
{
    const weir_shape *y = &weir_out(call, 0)->shape, *x = &weir_in(call, in)->shape;
    bool ends = x->rank <= y->rank;
    for (int axis = 0; ends && axis < x->rank; axis++)
        ends = x->dims[axis] == y->dims[y->rank - x->rank + axis];
    if (ends)
        return WEIR_OK;
    return weir_error(WEIR_INVALID_ARGUMENT,
                      "Shape passed in must end with broadcasted shape: %s does not end with %s",
                      WEIR_SHAPE_STR(y), WEIR_SHAPE_STR(x));
}

static weir_status draw_seeded(weir_call *call, sampler sample)
{
    weir_philox gen;
    WEIR_TRY(check_parameters(call, 2));
    WEIR_TRY(weir_stateless_seed(weir_in(call, 1), &gen));
    return draw(call, sample, 2, gen);
}
static weir_status stateless_gamma_v2(weir_call *call)
{
    return draw_seeded(call, weir_random_gamma);
}
static weir_status stateless_poisson(weir_call *call)
{
    return draw_seeded(call, weir_random_poisson);
}
static weir_status stateless_gamma_v3(weir_call *call)
{
    weir_philox gen;
    WEIR_TRY(check_parameters(call, 4));
    WEIR_TRY(weir_stateless_key(call, 1, &gen));
    return draw(call, weir_random_gamma, 4, gen);
}

const weir_op weir_op_stateless_random_gamma_v2 = {
    .name = "StatelessRandomGammaV2",
    .in = "shape: T; seed: Tseed; alpha: dtype",
    .out = "output: dtype",
    .attrs = "dtype: {half, float, double}; T: {int32, int64}; Tseed: {int32, int64} = DT_INT64",
    .host = "seed; shape",
    .infer = stateless_infer,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", stateless_gamma_v2}},
};

const weir_op weir_op_stateless_random_gamma_v3 = {
    .name = "StatelessRandomGammaV3",
    .in = "shape: shape_dtype; key: uint64; counter: uint64; alg: int32; alpha: dtype",
    .out = "output: dtype",
    .attrs = "dtype: {half, float, double}; shape_dtype: {int32, int64} = DT_INT32",
    .host = "alg; shape",
    .infer = keyed_infer,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", stateless_gamma_v3}},
};

const weir_op weir_op_stateless_random_poisson = {
    .name = "StatelessRandomPoisson",
    .in = "shape: T; seed: Tseed; lam: Rtype",
    .out = "output: dtype",
    .attrs = "Rtype: {half, float, double, int32, int64}; "
             "dtype: {half, float, double, int32, int64}; T: {int32, int64}; "
             "Tseed: {int32, int64} = DT_INT64",
    .infer = stateless_infer,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", stateless_poisson}},
};

/* ---- multinomial ----------------------------------------------------------------------------- */

static weir_status multinomial_infer(weir_infer *infer)
{
    int64_t samples = -1;
    WEIR_TRY(weir_infer_rank(infer, 0, 2));
    WEIR_TRY(weir_infer_rank(infer, 1, 0));
    if (infer->in_count > 2)
        WEIR_TRY(weir_infer_seed(infer, 2));
    if (weir_infer_value_int(infer, 1, &samples) && samples < 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "num_samples should be nonnegative, got %" PRId64,
                          samples);
    infer->out[0] = weir_shape_matrix(infer->in[0]->rank < 0 ? -1 : infer->in[0]->dims[0], samples);
    return WEIR_OK;
}

static weir_status sample_classes(weir_call *call, weir_philox gen)
{
    const weir_tensor *x = weir_in(call, 0);
    weir_tensor *y = weir_out(call, 0), cdf;
    int64_t rows = x->shape.dims[0], classes = x->shape.dims[1];
    weir_shape shape = weir_shape_vector(classes);
    if (weir_tensor_count(y) == 0)
        return WEIR_OK;
    WEIR_TRY(weir_tensor_alloc(WEIR_DOUBLE, &shape, &cdf));
    weir_random_multinomial(&(weir_multinomial){
        .gen = gen,
        .rows = rows,
        .classes = classes,
        .samples = y->shape.dims[1],
        .in = weir_elem_of(x->dtype),
        .out = weir_elem_of(y->dtype),
        .logits = x->data,
        .y = y->data,
        .cdf = cdf.data,
    });
    weir_tensor_release(&cdf);
    return WEIR_OK;
}

static weir_status check_classes(weir_call *call)
{
    const weir_shape *shape = &weir_in(call, 0)->shape;
    if (shape->dims[1] <= 0 && weir_tensor_count(weir_out(call, 0)) > 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "num_classes should be positive, got %" PRId64,
                          shape->dims[1]);
    return WEIR_OK;
}

static weir_status multinomial(weir_call *call)
{
    WEIR_TRY(check_classes(call));
    const weir_shape *y = &weir_out(call, 0)->shape;
    /* A sample takes two 32-bit numbers; the reserve is generous and counts in blocks. */
    uint64_t per_row = ((uint64_t)y->dims[1] + 3) / 4 * 4 * 2;
    uint64_t reserve = (uint64_t)y->dims[0] * per_row * WEIR_PHILOX_RESERVE;
    if (weir_tensor_count(weir_out(call, 0)) == 0)
        return WEIR_OK;
    return sample_classes(call, weir_generator_take(call, reserve));
}

static weir_status stateless_multinomial(weir_call *call)
{
    weir_philox gen;
    WEIR_TRY(check_classes(call));
    WEIR_TRY(weir_stateless_seed(weir_in(call, 2), &gen));
    return sample_classes(call, gen);
}

#define LOGITS                                                                                     \
    "T: {float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64}"

const weir_op weir_op_multinomial = {
    .name = "Multinomial",
    .in = "logits: T; num_samples: int32",
    .out = "output: output_dtype",
    .attrs = "seed: int = 0; seed2: int = 0; " LOGITS "; output_dtype: {int32, int64} = DT_INT64",
    .host = "num_samples",
    .flags = WEIR_STATEFUL,
    .infer = multinomial_infer,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", multinomial, GENERATOR}},
};

const weir_op weir_op_stateless_multinomial = {
    .name = "StatelessMultinomial",
    .in = "logits: T; num_samples: int32; seed: Tseed",
    .out = "output: output_dtype",
    .attrs = LOGITS "; Tseed: {int32, int64} = DT_INT64; output_dtype: {int32, int64} = DT_INT64",
    .host = "num_samples; seed",
    .infer = multinomial_infer,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", stateless_multinomial}},
};
