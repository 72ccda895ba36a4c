/* models/mnist_cnn.c - the convolutional network for handwritten digits. */
#include "models/models_impl.h"

static void build(const building *building)
{
    TF_Output h = weir_models_conv(building, building->x, 32, 5, "c1", 1, WEIR_NN_SAME);
    h = weir_models_conv(building, weir_models_halve(building, h), 64, 5, "c2", 1, WEIR_NN_SAME);
    h = weir_nn_flatten(&building->net, weir_models_halve(building, h));
    h = weir_models_dense(building, h, 1024, "d1", WEIR_NN_RELU, WEIR_MODELS_DEVIATION);
    h = weir_nn_dropout(&building->net, h, 0.4, 3);
    weir_models_classify(building, weir_models_dense(building, h, building->input.classes, "out",
                                                     WEIR_NN_LINEAR, WEIR_MODELS_DEVIATION));
}

const weir_model weir_model_mnist_cnn = {
    .name = "mnist_cnn",
    .about = "32@5x5, pool, 64@5x5, pool, dense 1024, dropout 0.4, 10 classes",
    .input = {TF_FLOAT, 3, {28, 28, 1}, .label_type = TF_INT32, .classes = 10, .batch = 100},
    .optimizer = {WEIR_ADAM, .rate = 1e-3f},
    .build = build,
};
