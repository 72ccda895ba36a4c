/* models/models.c - the table of models, and what building any of them has in common. */
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

const char *weir_model_name(const weir_model *m)
{
    return m->name;
}

const char *weir_model_about(const weir_model *m)
{
    return m->about;
}

/* ---- options -------------------------------------------------------------------------------- */

void weir_model_input_of(const weir_model *m, weir_model_input *out)
{
    *out = m->input;
}

/* Images are resized in height and width; sequences, flat and of integers, in length. */
static void resize(weir_model_input *in, int size)
{
    if (in->rank == 3)
        in->dims[0] = in->dims[1] = size;
    else if (in->rank == 1 && in->type == TF_INT32)
        in->dims[0] = size;
}

void weir_model_input_with(const weir_model *m, const weir_model_options *o, weir_model_input *out)
{
    *out = m->input;
    if (o->size > 0)
        resize(out, o->size);
    if (o->classes > 0)
        out->classes = o->classes;
    if (o->batch)
        out->batch = o->batch;
}

void weir_model_optimizer(const weir_model *m, const weir_model_options *o, weir_optimizer *out)
{
    *out = o->optimizer ? *o->optimizer : m->optimizer;
    if (o->rate > 0)
        out->rate = (float)o->rate;
}

enum { LARGEST_SIZE = 4096 }; /* graphs grow with sequences, constants with images */

static const char *wrong(const weir_model_options *o)
{
    if (o->batch < -1)
        return "A batch holds at least one example, or any number (-1)";
    if (o->size < 0 || o->classes < 0 || o->bytes < 0 || o->seed < 0)
        return "A model's size, classes, bytes and seed cannot be below 0";
    if (o->size > LARGEST_SIZE || o->classes > INT32_MAX)
        return "A model's size goes up to 4096, its classes up to 2^31 - 1";
    if (o->rate < 0)
        return "A learning rate cannot be below 0";
    return NULL;
}

/* ---- building ------------------------------------------------------------------------------- */

static void add_feeds(building *m)
{
    int64_t dims[5] = {m->input.batch};
    memcpy(dims + 1, m->input.dims, sizeof m->input.dims);
    if (m->input.type) {
        m->x = weir_build_placeholder(m->b, "x", m->input.type, m->input.rank + 1, dims);
        m->out->feeds[m->out->feed_count++] = m->x;
    }
    if (m->input.label_type) {
        int rank = m->input.label_rank + 1;
        m->y = weir_build_placeholder(m->b, "y", m->input.label_type, rank, dims);
        m->out->feeds[m->out->feed_count++] = m->y;
    }
}

void weir_model_build(const weir_model *m, weir_trainer *t, const weir_model_options *o,
                      weir_model_graph *out)
{
    *out = (weir_model_graph){0};
    building in = {.net = {.trainer = t, .evaluate = o->evaluate, .seed = o->seed},
                   .b = weir_trainer_builder(t),
                   .o = o,
                   .out = out};
    const char *what = wrong(o);
    if (what) {
        weir_build_fail(in.b, TF_INVALID_ARGUMENT, what);
        return;
    }
    weir_model_input_with(m, o, &in.input);
    add_feeds(&in);
    m->build(&in);
    if (o->evaluate)
        return;
    weir_optimizer optimizer;
    weir_model_optimizer(m, o, &optimizer);
    weir_trainer_minimize(t, out->loss, &optimizer);
}

/* ---- layers as the models use them ---------------------------------------------------------- */

TF_Output weir_models_dense(const building *m, TF_Output x, int64_t units, const char *name,
                            weir_activation activation, double deviation)
{
    weir_initial w = {WEIR_TRUNCATED_NORMAL, .b = deviation, .seed = WEIR_MODELS_SEED};
    weir_initial b = {WEIR_CONSTANT, .a = 0.1};
    return weir_nn_dense(
        &m->net, x,
        &(weir_nn_dense_options){
            .name = name, .units = units, .activation = activation, .w = &w, .b = &b});
}

TF_Output weir_models_conv(const building *m, TF_Output x, int64_t filters, int size,
                           const char *name, int stride, weir_padding padding)
{
    weir_initial w = {WEIR_TRUNCATED_NORMAL, .b = WEIR_MODELS_DEVIATION, .seed = WEIR_MODELS_SEED};
    weir_initial b = {WEIR_CONSTANT, .a = 0.1};
    return weir_nn_conv(&m->net, x,
                        &(weir_nn_conv_options){.name = name,
                                                .filters = filters,
                                                .size = size,
                                                .stride = stride,
                                                .padding = padding,
                                                .activation = WEIR_NN_RELU,
                                                .w = &w,
                                                .b = &b});
}

TF_Output weir_models_halve(const building *m, TF_Output x)
{
    return weir_nn_max_pool(&m->net, x, 2, 2, WEIR_NN_SAME);
}

void weir_models_classify_as(const building *m, TF_Output logits, TF_Output labels)
{
    m->out->logits = logits;
    m->out->loss = weir_nn_softmax_loss(&m->net, logits, labels);
    m->out->accuracy = weir_nn_accuracy(&m->net, logits, labels);
}

void weir_models_classify(const building *m, TF_Output logits)
{
    weir_models_classify_as(m, logits, m->y);
}
