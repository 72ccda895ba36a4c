/* models/lstm.c - the language model LSTM-512-512, with full and with sampled softmax. */
#include "base/mem.h"
#include "models/models_impl.h"
#include "weir/ops/array.h"
#include "weir/ops/math.h"
#include "weir/ops/nn.h"

enum { UNITS = 512, SAMPLES = 512, SAMPLE_SEED = 5 };

static TF_Output drawn(const building *building, const char *name, int64_t rows, int64_t columns)
{
    return weir_nn_variable(
        &building->net,
        &(weir_variable_options){.name = name,
                                 .rank = 2,
                                 .dims = (const int64_t[]){rows, columns},
                                 .initial = {WEIR_TRUNCATED_NORMAL, .b = WEIR_MODELS_DEVIATION,
                                             .seed = WEIR_MODELS_SEED}});
}

static TF_Output zeros(const building *building, const char *name, int64_t count)
{
    return weir_nn_variable(&building->net,
                            &(weir_variable_options){.name = name, .rank = 1, .dims = &count});
}

/* The words of each step: |count| tensors of [batch, units]. */
static weir_outputs words(const building *building, int count)
{
    TF_Output table = drawn(building, "embedding", building->input.classes, UNITS);
    TF_Output all = weir_nn_embedding(&building->net, table, building->x);
    return weir_unpack(building->b, "unstack", all, count, &(weir_unpack_options){.axis = 1});
}

/* The cell's outputs of all steps, in the order of the labels: [batch * steps, units]. */
static TF_Output unroll(const building *building, int count)
{
    weir_outputs in = words(building, count);
    TF_Output *out = WEIR_NEW_ARRAY(TF_Output, count);
    weir_lstm cell = {.w = drawn(building, "lstm_w", 2 * UNITS, 4 * UNITS),
                      .b = zeros(building, "lstm_b", 4 * UNITS),
                      .forget = 1};
    cell.c = cell.h = weir_nn_zero_state(&building->net, weir_output_at(in, 0), UNITS);
    for (int i = 0; i < count; i++)
        out[i] = weir_nn_lstm_step(&building->net, &cell, weir_output_at(in, i));
    TF_Output all = weir_pack(building->b, "stack", out, count, &(weir_pack_options){.axis = 1});
    weir_free(out);
    TF_Output shape = weir_build_const(building->b, "Reshape/shape", TF_INT32, 1, &(int64_t){2},
                                       (const int32_t[]){-1, UNITS});
    return weir_reshape(building->b, "Reshape", all, shape);
}

static TF_Output all_logits(const building *building, TF_Output x, TF_Output w, TF_Output b)
{
    TF_Output product =
        weir_mat_mul(building->b, "MatMul", x, w, &(weir_mat_mul_options){.transpose_b = true});
    return weir_add_v2(building->b, "add", product, b);
}

/* Evaluation uses the full softmax in both cases. */
static void build(const building *building, bool sampled)
{
    TF_Output x = unroll(building, (int)building->input.dims[0]);
    TF_Output w = drawn(building, "softmax_w", building->input.classes, UNITS);
    TF_Output b = zeros(building, "softmax_b", building->input.classes);
    TF_Output flat =
        weir_build_const(building->b, "flat", TF_INT32, 1, &(int64_t){1}, (const int32_t[]){-1});
    TF_Output labels = weir_reshape(building->b, "Reshape", building->y, flat);
    if (!sampled || building->o->evaluate) {
        weir_models_classify_as(building, all_logits(building, x, w, b), labels);
        return;
    }
    building->out->loss = weir_nn_sampled_softmax_loss(
        &building->net, x, labels,
        &(weir_nn_sampled_softmax_options){
            .w = w,
            .b = b,
            .classes = building->input.classes,
            .samples = building->input.classes < SAMPLES ? (int)building->input.classes : SAMPLES,
            .seed = SAMPLE_SEED});
}

static void build_full(const building *building)
{
    build(building, false);
}

static void build_sampled(const building *building)
{
    build(building, true);
}

#define SAME_OF_BOTH                                                                               \
    .input = {TF_INT32,         1,          {20}, .label_type = TF_INT32, .label_rank = 1,         \
              .classes = 10000, .batch = 20},                                                      \
    .optimizer = {WEIR_GRADIENT_DESCENT, .rate = 0.1f}

const weir_model weir_model_lstm_full = {
    .name = "lstm_full",
    .about = "language model LSTM-512-512 over 20 words of 10000, softmax over all of them",
    SAME_OF_BOTH,
    .build = build_full,
};

const weir_model weir_model_lstm_sampled = {
    .name = "lstm_sampled",
    .about = "language model LSTM-512-512, softmax over a sample of 512 words",
    SAME_OF_BOTH,
    .build = build_sampled,
};
