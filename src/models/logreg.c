/* models/logreg.c - logistic regression on the pixels of a digit. */
#include "models/models_impl.h"
#include "weir/ops/math.h"
#include "weir/ops/nn.h"

static TF_Output drawn(const building *building, const char *name, int rank, const int64_t *dims,
                       int64_t seed)
{
    return weir_nn_variable(
        &building->net,
        &(weir_variable_options){.name = name,
                                 .rank = rank,
                                 .dims = dims,
                                 .initial = {WEIR_NORMAL, .a = 0, .b = 1, .seed = seed}});
}

static void build(const building *building)
{
    int64_t dims[] = {building->input.dims[0], building->input.classes};
    TF_Output w = drawn(building, "w", 2, dims, 1), b = drawn(building, "b", 1, dims + 1, 2);
    TF_Output product = weir_mat_mul(building->b, "MatMul", building->x, w, NULL);
    weir_models_classify(building, weir_add_v2(building->b, "add", product, b));
}

const weir_model weir_model_logreg = {
    .name = "logreg",
    .about = "logistic regression, 784 -> 10, weights from N(0, 1)",
    .input = {TF_FLOAT, 1, {784}, .label_type = TF_INT32, .classes = 10, .batch = 100},
    .optimizer = {WEIR_GRADIENT_DESCENT, .rate = 0.01f},
    .build = build,
};
