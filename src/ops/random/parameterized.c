/* ops/random/parameterized.c - ParameterizedTruncatedNormal, StatelessParameterizedTruncatedNormal:
 * truncated normal samples, with parameters per index of the first dimension, or broadcast. */
#include <inttypes.h>
#include <string.h>

#include "base/arith.h"
#include "math/random/bounded.h"
#include "math/scratch.h"
#include "op/op.h"
#include "ops/common/elem_of.h"
#include "ops/common/number_at.h"
#include "ops/random/generator.h"

enum { BATCH = 100 }; /* samples per part of the stream if all have the same parameters */

static const char *const names[] = {"means", "stddevs", "minvals", "maxvals"};

static weir_status truncated_infer(weir_infer *infer)
{
    for (int k = 1; k < 5; k++)
        WEIR_TRY(weir_infer_rank_at_most(infer, k, 1));
    return weir_infer_random_shape(infer);
}

static weir_status check_lengths(weir_call *call, int64_t rows)
{
    for (int k = 0; k < 4; k++) {
        int64_t count = weir_tensor_count(weir_in(call, k + 1));
        if (count != 1 && count != rows)
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "Input %s should have length 1 or shape[0], got shape: %s", names[k],
                              WEIR_SHAPE_STR(&weir_in(call, k + 1)->shape));
    }
    return WEIR_OK;
}

static double parameter(weir_call *call, int k, int64_t row)
{
    const weir_tensor *tensor = weir_in(call, k);
    return weir_number_at(tensor, weir_tensor_count(tensor) == 1 ? 0 : row);
}

/* With scalar bounds all samples share parameters, if the others are scalars too. */
static bool shared(weir_call *call)
{
    return weir_tensor_count(weir_in(call, 1)) == 1 && weir_tensor_count(weir_in(call, 2)) == 1 &&
           weir_in(call, 3)->shape.rank == 0 && weir_in(call, 4)->shape.rank == 0;
}

static weir_status truncated_normal(weir_call *call)
{
    weir_tensor *y = weir_out(call, 0);
    int64_t count = weir_tensor_count(y);
    if (y->shape.rank < 1)
        return weir_error(WEIR_INVALID_ARGUMENT, "Shape tensor must not be empty, got [0]");
    int64_t rows = y->shape.dims[0], width = rows ? count / rows : 0;
    if (shared(call)) {
        width = BATCH;
        rows = weir_ceil_div(count, BATCH);
    } else {
        WEIR_TRY(check_lengths(call, rows));
    }
    uint64_t blocks = (uint64_t)rows * 2 * WEIR_BOUNDED_TRIES * ((uint64_t)width + 3) / 4;
    weir_philox gen = weir_generator_take(call, blocks);
    for (int64_t row = 0; row < rows; row++) {
        int64_t at = row * width, total = count - at < width ? count - at : width;
        weir_bounded with = {parameter(call, 1, row), parameter(call, 2, row),
                             parameter(call, 3, row), parameter(call, 4, row)};
        WEIR_TRY(weir_random_bounded(&gen, weir_elem_of(y->dtype), with, total,
                                     (char *)y->data + at * (int64_t)weir_dtype_size(y->dtype)));
    }
    return WEIR_OK;
}

const weir_op weir_op_parameterized_truncated_normal = {
    .name = "ParameterizedTruncatedNormal",
    .in = "shape: T; means: dtype; stdevs: dtype; minvals: dtype; maxvals: dtype",
    .out = "output: dtype",
    .attrs = "seed: int = 0; seed2: int = 0; dtype: {half, bfloat16, float, double}; "
             "T: {int32, int64}",
    .host = "shape",
    .flags = WEIR_STATEFUL,
    .infer = truncated_infer,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", truncated_normal, .prepare = weir_generator_prepare,
                 .cleanup = weir_generator_cleanup}},
};

/* ---- from explicit seeds: parameters are broadcast to the shape without its front --------------
 */

enum { SHAPE, SEED, MEANS, PARAMETERS = 4 };

static weir_status stateless_infer(weir_infer *infer)
{
    WEIR_TRY(weir_infer_rank(infer, SEED, 1));
    return weir_infer_random_shape(infer);
}

/* The broadcast shape of all parameters. */
static weir_status together(weir_call *call, weir_shape *out)
{
    *out = (weir_shape){0};
    for (int k = 0; k < PARAMETERS; k++)
        WEIR_TRY(weir_infer_broadcast_shapes(out, &weir_in(call, MEANS + k)->shape, out));
    const weir_shape *all = &weir_out(call, 0)->shape;
    weir_shape both;
    weir_status status = weir_infer_broadcast_shapes(all, out, &both);
    bool fits = !status && weir_shape_eq(&both, all);
    weir_status_free(status);
    return fits ? WEIR_OK
                : weir_error(WEIR_INVALID_ARGUMENT,
                             "Shape passed in must end with broadcasted shape.");
}

/* Parameter |k| for element |at| of a tensor of |shape|. */
static double spread_parameter(weir_call *call, int k, const weir_shape *shape, int64_t at)
{
    const weir_tensor *tensor = weir_in(call, MEANS + k);
    int64_t index = 0, step = 1;
    for (int axis = shape->rank - 1, own = tensor->shape.rank - 1; own >= 0; axis--, own--) {
        int64_t place = at % shape->dims[axis];
        at /= shape->dims[axis];
        index += tensor->shape.dims[own] == 1 ? 0 : place * step;
        step *= tensor->shape.dims[own];
    }
    return weir_number_at(tensor, index);
}

/* Samples of one parameter set are drawn consecutively, and stored with stride |stride|. */
static void scatter(const char *drawn, int64_t count, int64_t stride, size_t size, char *y)
{
    for (int64_t i = 0; i < count; i++)
        memcpy(y + (size_t)(i * stride) * size, drawn + (size_t)i * size, size);
}

/* Every parameter set draws its |samples| consecutively; |drawn| is their buffer. */
static weir_status draw_sets(weir_call *call, weir_philox *gen, int64_t sets, int64_t samples,
                             char *drawn)
{
    weir_tensor *y = weir_out(call, 0);
    size_t size = weir_dtype_size(y->dtype);
    for (int64_t i = 0; i < sets; i++) {
        weir_bounded with = {
            spread_parameter(call, 0, &y->shape, i), spread_parameter(call, 1, &y->shape, i),
            spread_parameter(call, 2, &y->shape, i), spread_parameter(call, 3, &y->shape, i)};
        WEIR_TRY(weir_random_bounded(gen, weir_elem_of(y->dtype), with, samples, drawn));
        scatter(drawn, samples, sets, size, (char *)y->data + (size_t)i * size);
    }
    return WEIR_OK;
}

static weir_status stateless_truncated(weir_call *call)
{
    const weir_tensor *y = weir_out(call, 0);
    weir_philox gen;
    weir_shape shape;
    WEIR_TRY(together(call, &shape));
    WEIR_TRY(weir_stateless_seed(weir_in(call, SEED), &gen));
    int64_t count = weir_tensor_count(y);
    int64_t sets = weir_shape_product(&y->shape, y->shape.rank - shape.rank, y->shape.rank);
    if (!count)
        return WEIR_OK;
    char *drawn = weir_scratch_alloc((size_t)(count / sets) * weir_dtype_size(y->dtype));
    weir_status status = draw_sets(call, &gen, sets, count / sets, drawn);
    weir_scratch_free(drawn);
    return status;
}

const weir_op weir_op_stateless_parameterized_truncated_normal = {
    .name = "StatelessParameterizedTruncatedNormal",
    .in = "shape: S; seed: Tseed; means: dtype; stddevs: dtype; minvals: dtype; maxvals: dtype",
    .out = "output: dtype",
    .attrs = "S: {int32, int64}; Tseed: {int32, int64} = DT_INT64; dtype: {half, float, double}",
    .host = "shape; seed",
    .infer = stateless_infer,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", stateless_truncated}},
};
