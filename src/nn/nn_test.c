/* nn/nn_test.c - layers: results, shared variables, errors. */
#include "weir/nn.h"

#include "base/test.h"

static TF_Status *status;
#define CHECK_GOOD() CHECK_MSG(TF_GetCode(status) == TF_OK, "%s", TF_Message(status))

enum { MOST = 64 };

static weir_net new_net(void)
{
    return (weir_net){.trainer = weir_trainer_new(&(weir_trainer_options){0})};
}

static const char *failure(const weir_net *net)
{
    return TF_Message(weir_build_status(weir_trainer_builder(net->trainer)));
}

static TF_Output floats(const weir_net *net, int rank, const int64_t *dims, const float *values)
{
    return weir_build_const(weir_trainer_builder(net->trainer), "x", TF_FLOAT, rank, dims, values);
}
#define FLOATS(n, dims, ...)                                                                       \
    floats(n, (int)(sizeof dims / sizeof *dims), dims, (float[]){__VA_ARGS__})

/* The first elements of |what| after one step. */
static const float *look(const weir_net *net, TF_Output what, bool train)
{
    static float values[MOST];
    TF_Tensor *tensor = NULL;
    weir_step_io io = {.fetches = &what, .fetched = &tensor, .fetch_count = 1, .only_look = !train};
    weir_trainer_step(net->trainer, &io, status);
    CHECK_GOOD();
    memset(values, 0, sizeof values);
    if (tensor)
        memcpy(values, TF_TensorData(tensor),
               TF_TensorByteSize(tensor) < sizeof values ? TF_TensorByteSize(tensor)
                                                         : sizeof values);
    TF_DeleteTensor(tensor);
    return values;
}

static void start(const weir_net *net)
{
    weir_trainer_start(net->trainer, status);
    CHECK_GOOD();
}

/* ---- results --------------------------------------------------------------------------------- */

TEST(dense_layers_multiply_and_add)
{
    weir_net n = new_net();
    weir_initial two = {WEIR_CONSTANT, .a = 2}, one = {WEIR_CONSTANT, .a = 1};
    TF_Output x = FLOATS(&n, ((int64_t[]){2, 3}), 1, 2, 3, -1, -2, -3);
    TF_Output y = weir_nn_dense(
        &n, x,
        &(weir_nn_dense_options){
            .name = "d", .units = 2, .activation = WEIR_NN_RELU, .w = &two, .b = &one});
    CHECK_STR(TF_OperationName(y.oper), "d/Relu");
    start(&n);
    const float *got = look(&n, y, false);
    CHECK_NEAR(got[0], 13, 1e-6);
    CHECK_NEAR(got[2], 0, 0);
    weir_trainer_delete(n.trainer);
}

TEST(pools_and_means_cover_images)
{
    weir_net n = new_net();
    TF_Output x = FLOATS(&n, ((int64_t[]){1, 2, 2, 1}), 1, 2, 3, 6);
    TF_Output max = weir_nn_max_pool(&n, x, 2, 2, WEIR_NN_VALID);
    TF_Output mean = weir_nn_avg_pool(&n, x, 2, 2, WEIR_NN_SAME), all = weir_nn_mean_pool(&n, x);
    TF_Output flat = weir_nn_flatten(&n, x);
    int64_t dims[2];
    CHECK(weir_nn_dims(&n, flat, 2, dims));
    CHECK_EQ(dims[1], 4);
    CHECK(weir_nn_dims(&n, all, 2, dims));
    start(&n);
    CHECK_NEAR(*look(&n, max, false), 6, 0);
    CHECK_NEAR(*look(&n, mean, false), 3, 0);
    CHECK_NEAR(*look(&n, all, false), 3, 0);
    weir_trainer_delete(n.trainer);
}

TEST(dropout_drops_its_share_only_in_training)
{
    enum { COUNT = MOST };
    weir_net n = new_net(), still = n;
    still.evaluate = true;
    float ones[COUNT];
    for (int i = 0; i < COUNT; i++)
        ones[i] = 1;
    TF_Output x = floats(&n, 1, &(int64_t){COUNT}, ones);
    TF_Output y = weir_nn_dropout(&n, x, 0.25, 7);
    CHECK(weir_nn_dropout(&still, x, 0.25, 7).oper == x.oper);
    CHECK(weir_nn_dropout(&n, x, 0, 7).oper == x.oper);
    start(&n);
    const float *got = look(&n, y, false);
    int dropped = 0;
    for (int i = 0; i < COUNT; i++) {
        dropped += got[i] == 0;
        CHECK(got[i] == 0 || fabsf(got[i] - 4 / 3.0f) < 1e-6f);
    }
    CHECK_MSG(dropped > 4 && dropped < 32, "%d of %d", dropped, COUNT);
    weir_trainer_delete(n.trainer);
}

TEST(batch_norm_goes_by_the_batch_and_then_by_its_averages)
{
    weir_net n = new_net(), still = n;
    still.evaluate = true;
    int64_t dims[] = {4, 1, 1, 1};
    TF_Output x = FLOATS(&n, dims, 2, 4, 6, 8); /* mean 5, variance 5, unbiased 20 / 3 */
    weir_nn_batch_norm_options o = {.name = "bn", .decay = 0.5, .epsilon = 1e-7};
    TF_Output y = weir_nn_batch_norm(&n, x, &o), later = weir_nn_batch_norm(&still, x, &o);
    TF_Output loss = weir_build_op(weir_trainer_builder(n.trainer), "L2Loss", "loss", &y, 1);
    weir_trainer_minimize(n.trainer, loss, &(weir_optimizer){.rate = 0}); /* keeps the value */
    start(&n);
    const float *got = look(&n, y, false);
    CHECK_NEAR(got[0], -3 / sqrtf(5), 1e-4);
    CHECK_NEAR(*look(&n, later, false), 2, 1e-4); /* mean 0, variance 1: not trained yet */
    look(&n, loss, true);                         /* mean 2.5, variance (1 + 20 / 3) / 2 */
    CHECK_NEAR(*look(&n, later, false), -0.5f / sqrtf(23.0f / 6), 1e-4);
    weir_trainer_delete(n.trainer);
}

TEST(local_responses_are_normalised)
{
    weir_net n = new_net();
    TF_Output x = FLOATS(&n, ((int64_t[]){1, 1, 1, 2}), 3, 4);
    weir_nn_lrn_options o = {.radius = 1, .bias = 0, .alpha = 1, .beta = 0.5f};
    TF_Output y = weir_nn_lrn(&n, x, &o);
    start(&n);
    CHECK_NEAR(look(&n, y, false)[1], 0.8, 1e-5);
    weir_trainer_delete(n.trainer);
}

TEST(cells_remember)
{
    weir_net n = new_net();
    TF_Output x = FLOATS(&n, ((int64_t[]){1, 2}), 1, -1);
    weir_lstm cell = weir_nn_lstm(&n, "cell", x, 3);
    TF_Output first = weir_nn_lstm_step(&n, &cell, x), second = weir_nn_lstm_step(&n, &cell, x);
    int64_t dims[2];
    CHECK(weir_nn_dims(&n, second, 2, dims));
    CHECK_EQ(dims[1], 3);
    start(&n);
    float h = look(&n, first, false)[0];
    CHECK(h != 0 && fabsf(h) < 1);
    CHECK(look(&n, second, false)[0] != h);
    weir_trainer_delete(n.trainer);
}

TEST(accuracy_is_the_share_that_is_right)
{
    weir_net n = new_net();
    weir_builder *b = weir_trainer_builder(n.trainer);
    TF_Output logits = FLOATS(&n, ((int64_t[]){4, 2}), 1, 0, 0, 1, 1, 0, 1, 0);
    int64_t count = 4;
    TF_Output labels = weir_build_const(b, "y", TF_INT32, 1, &count, (int32_t[]){0, 1, 1, 0});
    TF_Output share = weir_nn_accuracy(&n, logits, labels);
    TF_Output loss = weir_nn_softmax_loss(&n, logits, labels);
    start(&n);
    CHECK_NEAR(*look(&n, share, false), 0.75, 0);
    CHECK_NEAR(*look(&n, loss, false), (3 * log(1 + exp(-1)) + log(1 + exp(1))) / 4, 1e-6);
    weir_trainer_delete(n.trainer);
}

/* With every class in the sample, the sampled loss equals the full one after the correction. */
TEST(sampled_softmax_sees_each_class_once)
{
    enum { CLASSES = 5 };
    weir_net n = new_net();
    weir_builder *b = weir_trainer_builder(n.trainer);
    int64_t rows = 3, dims[] = {CLASSES, 2};
    weir_initial drawn = {WEIR_NORMAL, .b = 1, .seed = 4}, zeros = {0};
    TF_Output w = weir_nn_variable(
        &n, &(weir_variable_options){.name = "w", .rank = 2, .dims = dims, .initial = drawn});
    TF_Output bias = weir_nn_variable(
        &n, &(weir_variable_options){.name = "b", .rank = 1, .dims = dims, .initial = zeros});
    TF_Output x = FLOATS(&n, ((int64_t[]){3, 2}), 1, 2, -1, 0.5f, 0, 1);
    TF_Output labels = weir_build_const(b, "y", TF_INT32, 1, &rows, (int32_t[]){0, 4, 2});
    TF_Output loss = weir_nn_sampled_softmax_loss(
        &n, x, labels,
        &(weir_nn_sampled_softmax_options){
            .w = w, .b = bias, .classes = CLASSES, .samples = CLASSES, .seed = 5});
    weir_trainer_minimize(n.trainer, loss, &(weir_optimizer){.rate = 0.1f});
    start(&n);
    float first = *look(&n, loss, true), last = first;
    CHECK(first > 0 && isfinite(first));
    for (int i = 0; i < 20; i++)
        last = *look(&n, loss, true);
    CHECK(last < first);
    weir_trainer_delete(n.trainer);
}

/* ---- shared variables and errors ------------------------------------------------------------- */

TEST(a_layer_built_again_shares_its_variables)
{
    weir_net n = new_net();
    TF_Output x = FLOATS(&n, ((int64_t[]){1, 2}), 1, 1);
    weir_nn_dense_options o = {.name = "d", .units = 3};
    TF_Output y = weir_nn_dense(&n, x, &o), again = weir_nn_dense(&n, x, &o);
    start(&n);
    float first = *look(&n, y, false);
    CHECK(first != 0);
    CHECK_NEAR(*look(&n, again, false), first, 0);
    weir_trainer_delete(n.trainer);
}

TEST(layers_say_what_does_not_fit)
{
    static const int64_t matrix[] = {1, 2}, image[] = {1, 1, 1, 2};
    for (int i = 0; i < 9; i++) {
        weir_net n = new_net();
        TF_Output flat = FLOATS(&n, matrix, 1, 1), x = FLOATS(&n, image, 1, 1), none = {0};
        switch (i) {
        case 0:
            weir_nn_dense(&n, x, &(weir_nn_dense_options){.name = "d", .units = 1});
            break;
        case 1:
            weir_nn_dense(&n, flat, &(weir_nn_dense_options){.units = 1});
            break;
        case 2:
            weir_nn_dense(&n, flat, &(weir_nn_dense_options){.name = "d"});
            break;
        case 3:
            weir_nn_conv(&n, flat, &(weir_nn_conv_options){.name = "c", .filters = 1, .size = 1});
            break;
        case 4:
            weir_nn_conv(&n, x, &(weir_nn_conv_options){.name = "c", .filters = 1});
            break;
        case 5:
            weir_nn_dropout(&n, x, 1, 0);
            break;
        case 6:
            weir_nn_max_pool(&n, none, 2, 2, WEIR_NN_SAME);
            break;
        case 7:
            weir_nn_accuracy(&n, none, none);
            break;
        default:
            weir_nn_activate(&n, x, (weir_activation)99);
            break;
        }
        CHECK_MSG(strlen(failure(&n)) > 0, "case %d", i);
        CHECK(!weir_nn_flatten(&n, x).oper);
        weir_trainer_delete(n.trainer);
    }
}

int main(int argc, char **argv)
{
    status = TF_NewStatus();
    int result = weir_test_main(argc, argv);
    TF_DeleteStatus(status);
    return result;
}
