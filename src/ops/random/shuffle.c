/* ops/random/shuffle.c - RandomShuffle and StatelessShuffle: rows in random order. */
#include "grad/grad.h"
#include "op/op.h"
#include "ops/random/generator.h"

/* Fisher-Yates from the front, one number per position. */
static void permute(weir_philox *gen, int64_t *order, int64_t count)
{
    weir_philox_single single = weir_philox_singles(gen);
    for (int64_t i = 0; i < count; i++)
        order[i] = i;
    for (int64_t i = 0; i + 1 < count; i++) {
        int64_t j = i + weir_philox_u32(&single) % (uint32_t)(count - i), t = order[i];
        order[i] = order[j];
        order[j] = t;
    }
}

static bool trivial(const weir_tensor *x)
{
    return weir_tensor_count(x) <= 1 || x->shape.dims[0] <= 1;
}

static weir_status shuffle_rows(weir_call *call, weir_philox gen)
{
    const weir_tensor *x = weir_in(call, 0);
    int64_t rows = x->shape.dims[0], width = weir_tensor_count(x) / rows;
    weir_shape shape = weir_shape_vector(rows);
    weir_tensor order;
    WEIR_TRY(weir_call_alloc(call, 0, &x->shape));
    WEIR_TRY(weir_tensor_alloc(WEIR_INT64, &shape, &order));
    permute(&gen, order.data, rows);
    size_t row_bytes = (size_t)width * weir_dtype_size(x->dtype);
    for (int64_t i = 0; i < rows; i++)
        weir_elements_copy(x->dtype, (char *)weir_out(call, 0)->data + (size_t)i * row_bytes,
                           (const char *)x->data + (size_t)((int64_t *)order.data)[i] * row_bytes,
                           width);
    weir_tensor_release(&order);
    return WEIR_OK;
}

static weir_status random_shuffle(weir_call *call)
{
    const weir_tensor *x = weir_in(call, 0);
    if (trivial(x)) {
        weir_call_forward(call, 0, 0, NULL);
        return WEIR_OK;
    }
    uint64_t samples = (uint64_t)x->shape.dims[0] - 1;
    return shuffle_rows(call, weir_generator_take(call, (samples + 3) / 4));
}

const weir_op weir_op_random_shuffle = {
    .name = "RandomShuffle",
    .in = "value: T",
    .out = "output: T",
    .attrs = "seed: int = 0; seed2: int = 0; T: type",
    .flags = WEIR_STATEFUL,
    .infer = weir_infer_same_shape,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", random_shuffle, WEIR_OWN_OUTPUTS, .prepare = weir_generator_prepare,
                 .cleanup = weir_generator_cleanup}},
};

static weir_status stateless_infer(weir_infer *infer)
{
    WEIR_TRY(weir_infer_key(infer, 1));
    return weir_infer_same_shape(infer);
}

static weir_status stateless_shuffle(weir_call *call)
{
    weir_philox gen;
    WEIR_TRY(weir_stateless_key(call, 1, &gen));
    if (trivial(weir_in(call, 0))) {
        weir_call_forward(call, 0, 0, NULL);
        return WEIR_OK;
    }
    return shuffle_rows(call, gen);
}

const weir_op weir_op_stateless_shuffle = {
    .name = "StatelessShuffle",
    .in = "value: T; key: uint64; counter: uint64; alg: int32",
    .out = "output: T",
    .attrs = "T: type",
    .infer = stateless_infer,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", stateless_shuffle, WEIR_OWN_OUTPUTS}},
};
