/* ops/random/binomial.c - StatelessRandomBinomial, and StatefulRandomBinomial with a generator in a
 * variable. */
#include "math/broadcast.h"
#include "math/cast/cast.h"
#include "math/random/sample.h"
#include "op/op.h"
#include "ops/common/elem_of.h"
#include "ops/common/elements.h"
#include "ops/common/infer_util.h"
#include "ops/common/number_at.h"
#include "ops/random/generator.h"

static weir_status binomial_infer(weir_infer *infer)
{
    WEIR_TRY(weir_infer_seed(infer, 1));
    return weir_infer_random_shape(infer);
}

static weir_status stateful_infer(weir_infer *infer)
{
    WEIR_TRY(weir_infer_rank(infer, 1, 0));
    WEIR_TRY(weir_infer_rank(infer, 2, 1));
    return weir_infer_new_shape(infer, 2, &infer->out[0]);
}

/* The parameters: inputs 2 and 3 of the stateless op, 3 and 4 of the other. */
typedef struct trials {
    const weir_tensor *counts, *probs;
    weir_bcast bcast;
    int64_t samples; /* of each pair */
} trials;

/* The requested shape must end with the broadcast shape of counts and probs. */
static weir_status check_shape(const weir_shape *y, trials *trials)
{
    weir_shape both;
    WEIR_TRY(weir_infer_broadcast_shapes(&trials->counts->shape, &trials->probs->shape, &both));
    bool ends = both.rank <= y->rank;
    for (int axis = 0; ends && axis < both.rank; axis++)
        ends = both.dims[axis] == y->dims[y->rank - both.rank + axis];
    if (!ends)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Shape passed in must end with broadcasted shape.");
    trials->samples = weir_shape_product(y, 0, y->rank - both.rank);
    return WEIR_OK;
}

static weir_status read_trials(weir_call *call, int first, trials *out)
{
    const weir_tensor *counts = weir_in(call, first), *probs = weir_in(call, first + 1);
    out->counts = counts;
    out->probs = probs;
    if (!weir_bcast_init(&out->bcast, 2, (int[]){counts->shape.rank, probs->shape.rank},
                         (const int64_t *[]){counts->shape.dims, probs->shape.dims}))
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "counts and probs must have compatible batch dimensions: %s vs. %s",
                          WEIR_SHAPE_STR(&counts->shape), WEIR_SHAPE_STR(&probs->shape));
    return check_shape(&weir_out(call, 0)->shape, out);
}

static void store(weir_tensor *y, int64_t at, double value)
{
    weir_cast_run(NULL, WEIR_E_f64, weir_elem_of(y->dtype), 1, &value, weir_at(y, at));
}

static void draw(weir_tensor *y, trials *trials, const weir_philox *gen)
{
    weir_bcast *bcast = &trials->bcast;
    int64_t at[WEIR_BCAST_OPERANDS], index[WEIR_BCAST_RANK], samples = trials->samples;
    weir_bcast_seek(bcast, 0, at, index);
    int last = bcast->rank - 1;
    for (int64_t k = 0; k < bcast->count; k++) {
        int64_t column = k % bcast->dims[last];
        double count = weir_number_at(trials->counts, at[0] + column * bcast->strides[0][last]);
        double prob = weir_number_at(trials->probs, at[1] + column * bcast->strides[1][last]);
        for (int64_t sample = 0; sample < samples; sample++)
            store(y, sample * bcast->count + k,
                  weir_random_binomial(gen, k * samples + sample, count, prob));
        if (column + 1 == bcast->dims[last])
            weir_bcast_next(bcast, at, index);
    }
}

static weir_status binomial(weir_call *call)
{
    trials trials;
    weir_philox gen;
    WEIR_TRY(read_trials(call, 2, &trials));
    WEIR_TRY(weir_stateless_seed(weir_in(call, 1), &gen));
    draw(weir_out(call, 0), &trials, &gen);
    return WEIR_OK;
}

/* TensorFlow's reserve in the stream: 100 draws of two numbers per sample, four numbers per
 * block. */
static weir_status stateful_binomial(weir_call *call)
{
    trials trials;
    weir_philox gen;
    WEIR_TRY(read_trials(call, 3, &trials));
    uint64_t blocks = (uint64_t)trials.bcast.count * 200 * (uint64_t)(trials.samples + 3) / 4;
    WEIR_TRY(weir_stateful_take(call, blocks, &gen));
    draw(weir_out(call, 0), &trials, &gen);
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

const weir_op weir_op_stateful_random_binomial = {
    .name = "StatefulRandomBinomial",
    .in = "resource: resource; algorithm: int64; shape: S; counts: T; probs: T",
    .out = "output: dtype",
    .attrs = "S: {int32, int64}; T: {half, float, double, int32, int64} = DT_DOUBLE; "
             "dtype: {half, float, double, int32, int64} = DT_INT64",
    .flags = WEIR_STATEFUL,
    .infer = stateful_infer,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "T: half, float, double", stateful_binomial}},
};
