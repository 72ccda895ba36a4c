/* models/autoencoder.c - a deep autoencoder for digits. */
#include <stdio.h>

#include "models/models_impl.h"
#include "weir/ops/math.h"

static TF_Output hidden(const building *building, const int *units, int count)
{
    TF_Output h = building->x;
    for (int i = 0; i < count; i++) {
        char name[16];
        snprintf(name, sizeof name, "h%d", i);
        h = weir_models_dense(building, h, units[i], name, WEIR_NN_SOFTPLUS, WEIR_MODELS_DEVIATION);
    }
    return h;
}

/* Half the sum of squared errors over all pixels. */
static void build(const building *building, const int *units, int count)
{
    weir_builder *builder = building->b;
    TF_Output drawn =
        weir_models_dense(building, hidden(building, units, count), building->input.dims[0], "out",
                          WEIR_NN_LINEAR, WEIR_MODELS_DEVIATION);
    TF_Output axes =
        weir_build_const(builder, "Const", TF_INT32, 1, &(int64_t){2}, (const int32_t[]){0, 1});
    TF_Output error = weir_sub(builder, "sub", drawn, building->x);
    TF_Output sum = weir_sum(builder, "Sum", weir_square(builder, "Square", error), axes, NULL);
    building->out->logits = drawn;
    building->out->loss = weir_mul(builder, "mul", weir_build_float(builder, "mul/x", 0.5f), sum);
}

static void build_small(const building *building)
{
    build(building, (const int[]){200}, 1);
}

static void build_large(const building *building)
{
    build(building, (const int[]){512, 256, 512}, 3);
}

#define SAME_OF_BOTH                                                                               \
    .input = {TF_FLOAT, 1, {784}, .batch = 128}, .optimizer = {WEIR_ADAM, .rate = 1e-3f}

const weir_model weir_model_autoencoder_small = {
    .name = "autoencoder_small",
    .about = "784 -> 200 -> 784, softplus, squared error",
    SAME_OF_BOTH,
    .build = build_small,
};

const weir_model weir_model_autoencoder_large = {
    .name = "autoencoder_large",
    .about = "784 -> 512 -> 256 -> 512 -> 784, softplus, squared error",
    SAME_OF_BOTH,
    .build = build_large,
};
