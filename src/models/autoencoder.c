/* models/autoencoder.c - digits squeezed through narrower layers and drawn again. */
#include <stdio.h>

#include "models/models_impl.h"
#include "weir/ops/math.h"

static TF_Output hidden(const building *m, const int *units, int count)
{
    TF_Output h = m->x;
    for (int i = 0; i < count; i++) {
        char name[16];
        snprintf(name, sizeof name, "h%d", i);
        h = weir_models_dense(m, h, units[i], name, WEIR_NN_SOFTPLUS, WEIR_MODELS_DEVIATION);
    }
    return h;
}

/* Half the sum of the squared errors of all pixels. */
static void build(const building *m, const int *units, int count)
{
    weir_builder *b = m->b;
    TF_Output drawn = weir_models_dense(m, hidden(m, units, count), m->input.dims[0], "out",
                                        WEIR_NN_LINEAR, WEIR_MODELS_DEVIATION);
    TF_Output axes =
        weir_build_const(b, "Const", TF_INT32, 1, &(int64_t){2}, (const int32_t[]){0, 1});
    TF_Output error = weir_sub(b, "sub", drawn, m->x);
    TF_Output sum = weir_sum(b, "Sum", weir_square(b, "Square", error), axes, NULL);
    m->out->logits = drawn;
    m->out->loss = weir_mul(b, "mul", weir_build_float(b, "mul/x", 0.5f), sum);
}

static void build_small(const building *m)
{
    build(m, (const int[]){200}, 1);
}

static void build_large(const building *m)
{
    build(m, (const int[]){512, 256, 512}, 3);
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
