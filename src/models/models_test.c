/* models/models_test.c - every model trains, and is evaluated with its trained variables. */
#include "weir/models.h"

#include <stdlib.h>

#include "base/test.h"

static TF_Status *status;
#define CHECK_GOOD() CHECK_MSG(TF_GetCode(status) == TF_OK, "%s", TF_Message(status))

/* Reduced sizes that make each model fast to test. */
typedef struct trial {
    const char *name;
    weir_model_options options;
    int steps;
    bool large; /* millions of weights, whatever the image size */
} trial;

/* Large models are skipped under sanitizers. */
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
enum { LARGE_TOO = false };
#else
enum { LARGE_TOO = true };
#endif

static const trial trials[] = {
    {"logreg", {.batch = 10, .rate = 0.1}, 20},
    {"mnist_cnn", {.batch = 10}, 10},
    {"autoencoder_small", {.batch = 10}, 10},
    {"autoencoder_large", {.batch = 10}, 10},
    {"stn_small", {.batch = 8, .rate = 1e-3}, 10},
    {"stn_large", {.batch = 8, .rate = 1e-3}, 10},
    {"alexnet", {.batch = 2, .size = 67, .classes = 5, .rate = 1e-3}, 3, .large = true},
    {"overfeat", {.batch = 2, .size = 99, .classes = 5, .rate = 1e-3}, 3, .large = true},
    {"vgg_a", {.batch = 2, .size = 32, .classes = 5, .rate = 1e-3}, 3, .large = true},
    {"googlenet", {.batch = 4, .size = 64, .classes = 5}, 3},
    {"inception_v3", {.batch = 4, .size = 75, .classes = 5, .rate = 0.005}, 4},
    {"lstm_full", {.batch = 2, .size = 5, .classes = 100}, 5},
    {"lstm_sampled", {.batch = 2, .size = 5, .classes = 100}, 5},
    {"null", {.bytes = 1 << 20}, 5},
    {"null_sparse", {.bytes = 1 << 14}, 5}, /* one row in each table */
};

/* ---- data ----------------------------------------------------------------------------------- */

static uint32_t random_state;

static uint32_t next_random(void)
{
    random_state = random_state * 1664525u + 1013904223u;
    return random_state >> 8;
}

/* One batch for |feed|: numbers in [0, 1), or integers below |classes|. */
static TF_Tensor *made_up(TF_DataType type, int rank, const int64_t *dims, int64_t classes)
{
    size_t count = 1;
    for (int i = 0; i < rank; i++)
        count *= (size_t)dims[i];
    TF_Tensor *tensor = TF_AllocateTensor(type, dims, rank, count * TF_DataTypeSize(type));
    for (size_t i = 0; i < count; i++)
        if (type == TF_FLOAT)
            ((float *)TF_TensorData(tensor))[i] = (float)next_random() / (1 << 24);
        else
            ((int32_t *)TF_TensorData(tensor))[i] = (int32_t)(next_random() % (uint32_t)classes);
    return tensor;
}

static int make_feeds(const weir_model_input *in, int batch, TF_Tensor **out)
{
    int count = 0;
    int64_t dims[5] = {batch};
    memcpy(dims + 1, in->dims, sizeof in->dims);
    random_state = 1;
    if (in->type)
        out[count++] = made_up(in->type, in->rank + 1, dims, in->classes);
    if (in->label_type)
        out[count++] = made_up(in->label_type, in->label_rank + 1, dims, in->classes);
    return count;
}

/* ---- training ------------------------------------------------------------------------------- */

static float run(weir_trainer *trainer, const weir_model_graph *graph, TF_Output what,
                 TF_Tensor **feeds, bool only_look)
{
    TF_Tensor *value = NULL;
    weir_step_io io = {.feeds = graph->feeds,
                       .feed_values = feeds,
                       .feed_count = graph->feed_count,
                       .fetches = &what,
                       .fetched = &value,
                       .fetch_count = 1,
                       .only_look = only_look};
    bool ran = weir_trainer_step(trainer, &io, status);
    CHECK_GOOD();
    float number = ran ? *(float *)TF_TensorData(value) : NAN;
    TF_DeleteTensor(value);
    return number;
}

static void delete_feeds(TF_Tensor **feeds, int count)
{
    for (int i = 0; i < count; i++)
        TF_DeleteTensor(feeds[i]);
}

static void check_evaluation(weir_trainer *trainer, const weir_model_graph *graph,
                             const weir_model_input *in, float last)
{
    TF_Tensor *feeds[2];
    int count = make_feeds(in, in->batch + 1, feeds); /* any size will do */
    float loss = run(trainer, graph, graph->loss, feeds, true);
    CHECK_MSG(isfinite(loss), "loss %g beside %g of training", loss, last);
    if (graph->accuracy.oper) {
        float share = run(trainer, graph, graph->accuracy, feeds, true);
        CHECK_MSG(share >= 0 && share <= 1, "accuracy %g", share);
    }
    delete_feeds(feeds, count);
}

static void check_model(const trial *trial)
{
    const weir_model *model = weir_model_find(trial->name);
    weir_trainer *trainer = weir_trainer_new(&(weir_trainer_options){0});
    weir_model_graph train, test;
    weir_model_options look = trial->options;
    look.batch = -1;
    look.evaluate = true;
    weir_model_build(model, trainer, &trial->options, &train);
    weir_model_build(model, trainer, &look, &test);
    weir_trainer_start(trainer, status);
    CHECK_GOOD();
    weir_model_input in;
    weir_model_input_with(model, &trial->options, &in);
    TF_Tensor *feeds[2];
    CHECK_EQ(make_feeds(&in, in.batch, feeds), train.feed_count);
    float first = run(trainer, &train, train.loss, feeds, false), last = first;
    for (int i = 1; i < trial->steps; i++)
        last = run(trainer, &train, train.loss, feeds, false);
    CHECK_MSG(last < first, "%s: loss %g after %g", trial->name, last, first);
    CHECK_EQ(weir_trainer_at(trainer), trial->steps);
    check_evaluation(trainer, &test, &in, last);
    CHECK_EQ(weir_trainer_at(trainer), trial->steps);
    delete_feeds(feeds, train.feed_count);
    weir_trainer_delete(trainer);
}

TEST(every_model_has_a_trial)
{
    CHECK_EQ(weir_model_count(), (int)(sizeof trials / sizeof *trials));
    for (int i = 0; i < weir_model_count(); i++) {
        CHECK_STR(weir_model_name(weir_model_at(i)), trials[i].name);
        CHECK(strlen(weir_model_about(weir_model_at(i))) > 0);
    }
    CHECK(!weir_model_find("no such model"));
    CHECK(!weir_model_at(-1) && !weir_model_at(weir_model_count()));
}

TEST(every_model_learns)
{
    for (size_t i = 0; i < sizeof trials / sizeof *trials; i++)
        if (LARGE_TOO || !trials[i].large)
            check_model(&trials[i]);
}

static float first_loss(int64_t seed)
{
    const weir_model *model = weir_model_find("logreg");
    weir_trainer *trainer = weir_trainer_new(&(weir_trainer_options){0});
    weir_model_options options = {.batch = 5, .seed = seed};
    weir_model_graph graph;
    weir_model_build(model, trainer, &options, &graph);
    weir_trainer_start(trainer, status);
    CHECK_GOOD();
    weir_model_input in;
    weir_model_input_with(model, &options, &in);
    TF_Tensor *feeds[2];
    int count = make_feeds(&in, in.batch, feeds);
    float loss = run(trainer, &graph, graph.loss, feeds, true);
    delete_feeds(feeds, count);
    weir_trainer_delete(trainer);
    return loss;
}

TEST(seeds_decide_where_a_model_starts)
{
    float loss = first_loss(7);
    CHECK_NEAR(first_loss(7), loss, 0);
    CHECK(first_loss(0) != loss);
}

/* ---- sizes ---------------------------------------------------------------------------------- */

/* The number of elements of all variables of a graph. */
static int64_t numbers_in(TF_Graph *graph)
{
    int64_t sum = 0;
    size_t at = 0;
    for (TF_Operation *op; (op = TF_GraphNextOperation(graph, &at));) {
        int64_t dims[4], count = 1;
        if (strcmp(TF_OperationOpType(op), "VariableV2") != 0)
            continue;
        int rank = TF_GraphGetTensorNumDims(graph, (TF_Output){op, 0}, status);
        TF_GraphGetTensorShape(graph, (TF_Output){op, 0}, dims, rank, status);
        for (int i = 0; i < rank; i++)
            count *= dims[i];
        sum += count;
    }
    return sum;
}

/* As published, or as counted in the same architecture: OverFeat's 145 million, the 132.9 million
 * of VGG-11, GoogLeNet's 7 million without its auxiliary classifiers, and Inception-v3 as in Keras,
 * including moving averages. AlexNet's number is that of this variant. */
TEST(models_are_as_large_as_published)
{
    static const struct {
        const char *name;
        int64_t numbers;
    } sizes[] = {
        {"logreg", 7850},           {"mnist_cnn", 3274634},        {"alexnet", 49566504},
        {"overfeat", 145920872},    {"vgg_a", 132863336},          {"googlenet", 6998552},
        {"inception_v3", 23851784}, {"autoencoder_small", 314584},
    };
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        weir_trainer *t = weir_trainer_new(&(weir_trainer_options){0});
        weir_model_graph g;
        weir_model_options look = {.batch = -1, .evaluate = true};
        weir_model_build(weir_model_find(sizes[i].name), t, &look, &g);
        int64_t numbers = numbers_in(weir_build_graph(weir_trainer_builder(t)));
        CHECK_MSG(numbers == sizes[i].numbers, "%s has %" PRId64 " parameters, not %" PRId64,
                  sizes[i].name, numbers, sizes[i].numbers);
        weir_trainer_delete(t);
    }
}

/* ---- options -------------------------------------------------------------------------------- */

TEST(a_model_says_what_it_eats)
{
    weir_model_input in;
    const weir_model *m = weir_model_find("mnist_cnn");
    weir_model_input_of(m, &in);
    CHECK_EQ(in.rank, 3);
    CHECK_EQ(in.dims[0], 28);
    CHECK_EQ(in.classes, 10);
    CHECK_EQ(in.batch, 100);
    weir_model_input_with(m, &(weir_model_options){.batch = 5, .size = 32, .classes = 3}, &in);
    CHECK_EQ(in.batch, 5);
    CHECK_EQ(in.dims[1], 32);
    CHECK_EQ(in.dims[2], 1);
    CHECK_EQ(in.classes, 3);
}

TEST(an_optimiser_is_the_models_or_the_callers)
{
    weir_optimizer o;
    const weir_model *m = weir_model_find("logreg");
    weir_model_optimizer(m, &(weir_model_options){0}, &o);
    CHECK_EQ(o.kind, WEIR_GRADIENT_DESCENT);
    CHECK_NEAR(o.rate, 0.01, 1e-9);
    weir_optimizer adam = {WEIR_ADAM, .rate = 0.5f};
    weir_model_optimizer(m, &(weir_model_options){.optimizer = &adam, .rate = 0.25}, &o);
    CHECK_EQ(o.kind, WEIR_ADAM);
    CHECK_NEAR(o.rate, 0.25, 0);
}

TEST(what_is_wrong_is_said)
{
    static const weir_model_options bad[] = {{.batch = -2},    {.size = -1}, {.classes = -1},
                                             {.bytes = -1},    {.rate = -1}, {.seed = -1},
                                             {.size = 1 << 20}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        weir_trainer *t = weir_trainer_new(&(weir_trainer_options){0});
        weir_model_graph g;
        weir_model_build(weir_model_find("mnist_cnn"), t, &bad[i], &g);
        CHECK_EQ(TF_GetCode(weir_build_status(weir_trainer_builder(t))), TF_INVALID_ARGUMENT);
        CHECK(!g.loss.oper);
        weir_trainer_delete(t);
    }
}

int main(int argc, char **argv)
{
    status = TF_NewStatus();
    int result = weir_test_main(argc, argv);
    TF_DeleteStatus(status);
    return result;
}
