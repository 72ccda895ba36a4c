/* ops/random/binomial.c - StatelessRandomBinomial. */
#include "math/broadcast.h"
#include "math/cast/cast.h"
#include "math/random/sample.h"
#include "op/op.h"
#include "ops/common/elem_of.h"
#include "ops/common/elements.h"
#include "ops/common/number_at.h"
#include "ops/random/generator.h"

static weir_status binomial_infer(weir_infer *infer)
{
    WEIR_TRY(weir_infer_seed(infer, 1));
    return weir_infer_random_shape(infer);
}

/* The requested shape ends with that of counts and probs together. */
static weir_status check_shape(weir_call *call, int64_t *out_samples)
{
    const weir_shape *y = &weir_out(call, 0)->shape;
    weir_shape both;
    WEIR_TRY(
        weir_infer_broadcast_shapes(&weir_in(call, 2)->shape, &weir_in(call, 3)->shape, &both));
    bool ends = both.rank <= y->rank;
    for (int axis = 0; ends && axis < both.rank; axis++)
        ends = both.dims[axis] == y->dims[y->rank - both.rank + axis];
    if (!ends)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Shape passed in must end with broadcasted shape.");
    *out_samples = weir_shape_product(y, 0, y->rank - both.rank);
    return WEIR_OK;
}

static void store(weir_tensor *y, int64_t at, double value)
{
    weir_cast_run(NULL, WEIR_E_f64, weir_elem_of(y->dtype), 1, &value, weir_at(y, at));
}

static weir_status binomial(weir_call *call)
{
    const weir_tensor *counts = weir_in(call, 2), *probs = weir_in(call, 3);
    weir_tensor *y = weir_out(call, 0);
    weir_bcast bcast;
    weir_philox gen;
    int64_t samples, at[WEIR_BCAST_OPERANDS], index[WEIR_BCAST_RANK];
    if (!weir_bcast_init(&bcast, 2, (int[]){counts->shape.rank, probs->shape.rank},
                         (const int64_t *[]){counts->shape.dims, probs->shape.dims}))
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "counts and probs must have compatible batch dimensions: %s vs. %s",
                          WEIR_SHAPE_STR(&counts->shape), WEIR_SHAPE_STR(&probs->shape));
    WEIR_TRY(check_shape(call, &samples));
    WEIR_TRY(weir_stateless_seed(weir_in(call, 1), &gen));
    weir_bcast_seek(&bcast, 0, at, index);
    int last = bcast.rank - 1;
    for (int64_t k = 0; k < bcast.count; k++) {
        int64_t column = k % bcast.dims[last];
        double count = weir_number_at(counts, at[0] + column * bcast.strides[0][last]);
        double prob = weir_number_at(probs, at[1] + column * bcast.strides[1][last]);
        for (int64_t sample = 0; sample < samples; sample++)
            store(y, sample * bcast.count + k,
                  weir_random_binomial(&gen, k * samples + sample, count, prob));
        if (column + 1 == bcast.dims[last])
            weir_bcast_next(&bcast, at, index);
    }
    return WEIR_OK;
}

const weir_op weir_op_stateless_random_binomial = {
    .name = "StatelessRandomBinomial",
    .in = "shape: S; seed: Tseed; counts: T; probs: T",
    .out = "output: dtype",
    .attrs = "S: {int32, int64}; Tseed: {int32, int64} = DT_INT64; "
             "T: {half, float, double, int32, int64} = DT_DOUBLE; "
             "dtype: {half, float, double, int32, int64} = DT_INT64",
    .infer = binomial_infer,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", binomial}},
};
