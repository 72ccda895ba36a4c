/* models/models.c - the table of models, and the common part of building them. */
#include <string.h>

#include "models/models_impl.h"

static const weir_model *const models[] = {
#define WEIR_MODEL(name) &weir_model_##name,
#include "models/models.inc"
#undef WEIR_MODEL
};

enum { MODEL_COUNT = sizeof models / sizeof *models };

int weir_model_count(void)
{
    return MODEL_COUNT;
}

const weir_model *weir_model_at(int i)
{
    return i >= 0 && i < MODEL_COUNT ? models[i] : NULL;
}

const weir_model *weir_model_find(const char *name)
{
    for (int i = 0; i < MODEL_COUNT; i++)
        if (strcmp(models[i]->name, name) == 0)
            return models[i];
    return NULL;
}

const char *weir_model_name(const weir_model *model)
{
    return model->name;
}

const char *weir_model_about(const weir_model *model)
{
    return model->about;
}

/* ---- options -------------------------------------------------------------------------------- */

void weir_model_input_of(const weir_model *model, weir_model_input *out)
{
    *out = model->input;
}

/* Images are resized in height and width; integer sequences in length. */
static void resize(weir_model_input *in, int size)
{
    if (in->rank == 3)
        in->dims[0] = in->dims[1] = size;
    else if (in->rank == 1 && in->type == TF_INT32)
        in->dims[0] = size;
}

void weir_model_input_with(const weir_model *model, const weir_model_options *options,
                           weir_model_input *out)
{
    *out = model->input;
    if (options->size > 0)
        resize(out, options->size);
    if (options->classes > 0)
        out->classes = options->classes;
    if (options->batch)
        out->batch = options->batch;
}

void weir_model_optimizer(const weir_model *model, const weir_model_options *options,
                          weir_optimizer *out)
{
    *out = options->optimizer ? *options->optimizer : model->optimizer;
    if (options->rate > 0)
        out->rate = (float)options->rate;
}

enum { LARGEST_SIZE = 4096 }; /* limits the size of sequences' graphs and images' constants */

static const char *wrong(const weir_model_options *options)
{
    if (options->batch < -1)
        return "A batch holds at least one example, or any number (-1)";
    if (options->size < 0 || options->classes < 0 || options->bytes < 0 || options->seed < 0)
        return "A model's size, classes, bytes and seed cannot be below 0";
    if (options->size > LARGEST_SIZE || options->classes > INT32_MAX)
        return "A model's size goes up to 4096, its classes up to 2^31 - 1";
    if (options->rate < 0)
        return "A learning rate cannot be below 0";
    return NULL;
}

/* ---- building ------------------------------------------------------------------------------- */

static void add_feeds(building *building)
{
    int64_t dims[5] = {building->input.batch};
    memcpy(dims + 1, building->input.dims, sizeof building->input.dims);
    if (building->input.type) {
        building->x = weir_build_placeholder(building->b, "x", building->input.type,
                                             building->input.rank + 1, dims);
        building->out->feeds[building->out->feed_count++] = building->x;
    }
    if (building->input.label_type) {
        int rank = building->input.label_rank + 1;
        building->y =
            weir_build_placeholder(building->b, "y", building->input.label_type, rank, dims);
        building->out->feeds[building->out->feed_count++] = building->y;
    }
}

void weir_model_build(const weir_model *model, weir_trainer *trainer,
                      const weir_model_options *options, weir_model_graph *out)
{
    *out = (weir_model_graph){0};
    building in = {
        .net = {.trainer = trainer, .evaluate = options->evaluate, .seed = options->seed},
        .b = weir_trainer_builder(trainer),
        .o = options,
        .out = out};
    const char *what = wrong(options);
    if (what) {
        weir_build_fail(in.b, TF_INVALID_ARGUMENT, what);
        return;
    }
    weir_model_input_with(model, options, &in.input);
    add_feeds(&in);
    model->build(&in);
    if (options->evaluate)
        return;
    weir_optimizer optimizer;
    weir_model_optimizer(model, options, &optimizer);
    weir_trainer_minimize(trainer, out->loss, &optimizer);
}

/* ---- layers with the models' defaults -------------------------------------------------------- */

TF_Output weir_models_dense(const building *building, TF_Output x, int64_t units, const char *name,
                            weir_activation activation, double deviation)
{
    weir_initial initial = {WEIR_TRUNCATED_NORMAL, .b = deviation, .seed = WEIR_MODELS_SEED};
    weir_initial b = {WEIR_CONSTANT, .a = 0.1};
    return weir_nn_dense(
        &building->net, x,
        &(weir_nn_dense_options){
            .name = name, .units = units, .activation = activation, .w = &initial, .b = &b});
}

TF_Output weir_models_conv(const building *building, TF_Output x, int64_t filters, int size,
                           const char *name, int stride, weir_padding padding)
{
    weir_initial initial = {WEIR_TRUNCATED_NORMAL, .b = WEIR_MODELS_DEVIATION,
                            .seed = WEIR_MODELS_SEED};
    weir_initial b = {WEIR_CONSTANT, .a = 0.1};
    return weir_nn_conv(&building->net, x,
                        &(weir_nn_conv_options){.name = name,
                                                .filters = filters,
                                                .size = size,
                                                .stride = stride,
                                                .padding = padding,
                                                .activation = WEIR_NN_RELU,
                                                .w = &initial,
                                                .b = &b});
}

TF_Output weir_models_halve(const building *building, TF_Output x)
{
    return weir_nn_max_pool(&building->net, x, 2, 2, WEIR_NN_SAME);
}

void weir_models_classify_as(const building *building, TF_Output logits, TF_Output labels)
{
    building->out->logits = logits;
    building->out->loss = weir_nn_softmax_loss(&building->net, logits, labels);
    building->out->accuracy = weir_nn_accuracy(&building->net, logits, labels);
}

void weir_models_classify(const building *building, TF_Output logits)
{
    weir_models_classify_as(building, logits, building->y);
}
