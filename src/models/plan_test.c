/* models/plan_test.c - the contents of the plan of a training step. */
#include <stdlib.h>

#include "base/str.h"
#include "base/test.h"
#include "models/zero_feeds.h"
#include "wire/messages.h"

static TF_Status *status;
#define CHECK_GOOD() CHECK_MSG(TF_GetCode(status) == TF_OK, "%s", TF_Message(status))

static int nodes_of(weir_str graph, const char *op)
{
    WEIR_MESSAGE_ARENA(arena);
    weir_msg_graph_def def;
    CHECK_OK(weir_msg_graph_def_read(graph, &arena, &def));
    int count = 0;
    for (size_t i = 0; i < def.node.count; i++)
        count += weir_str_is(def.node.at[i].op, op);
    return count;
}

/* The number of nodes of type |op| in the graphs of |metadata|. */
static int count_of(const TF_Buffer *metadata, const char *op)
{
    WEIR_MESSAGE_ARENA(arena);
    weir_msg_run_metadata read;
    CHECK_OK(
        weir_msg_run_metadata_read((weir_str){metadata->data, metadata->length}, &arena, &read));
    int count = 0;
    for (size_t i = 0; i < read.partition_graphs.count; i++)
        count += nodes_of(read.partition_graphs.at[i], op);
    return count;
}

static void run(TF_Session *session, const TF_Operation *target, const weir_model_graph *graph,
                TF_Tensor **feeds, int count, TF_Buffer *metadata)
{
    WEIR_BUF(bytes);
    weir_msg_run_options_write(&(weir_msg_run_options){.output_partition_graphs = true}, &bytes);
    TF_Buffer *options = TF_NewBufferFromString(bytes.at, bytes.length);
    TF_SessionRun(session, metadata ? options : NULL, graph->feeds, feeds, count, NULL, NULL, 0,
                  &target, 1, metadata, status);
    CHECK_GOOD();
    TF_DeleteBuffer(options);
}

/* The plan of one training step of |name|. */
static TF_Buffer *plan_of(const char *name)
{
    const weir_model *model = weir_model_find(name);
    weir_model_options how = {.batch = 2};
    weir_model_input in;
    weir_model_input_with(model, &how, &in);
    weir_trainer *trainer = weir_trainer_new(&(weir_trainer_options){0});
    weir_model_graph graph;
    TF_Operation *init, *step;
    weir_model_build(model, trainer, &how, &graph);
    weir_trainer_end_graph(trainer, &init, &step, status);
    CHECK_GOOD();
    TF_SessionOptions *options = TF_NewSessionOptions();
    TF_Session *session =
        TF_NewSession(weir_build_graph(weir_trainer_builder(trainer)), options, status);
    CHECK_GOOD();
    TF_Tensor *feeds[2];
    int count = make_feeds(&in, in.batch, feeds);
    TF_Buffer *metadata = TF_NewBuffer();
    run(session, init, &graph, NULL, 0, NULL);
    run(session, step, &graph, feeds, count, metadata);
    for (int i = 0; i < count; i++)
        TF_DeleteTensor(feeds[i]);
    TF_DeleteSession(session, status);
    TF_DeleteSessionOptions(options);
    weir_trainer_delete(trainer);
    return metadata;
}

/* Two convolutions, two dense layers: the first layer needs no gradient of its input. */
TEST(nothing_computes_the_gradient_by_the_first_input)
{
    status = TF_NewStatus();
    TF_Buffer *plan = plan_of("mnist_cnn");
    CHECK_EQ(count_of(plan, "Conv2DBackpropFilter"), 2);
    CHECK_EQ(count_of(plan, "Conv2DBackpropInput"), 1);
    TF_DeleteBuffer(plan);
    plan = plan_of("logreg");
    /* Forward, with its bias or without, and by the weights, with their update. */
    CHECK_EQ(count_of(plan, "MatMul") + count_of(plan, "_MatMulBias") +
                 count_of(plan, "_MatMulApply"),
             2);
    TF_DeleteBuffer(plan);
}

TEST(dropout_keeps_no_random_numbers)
{
    TF_Buffer *plan = plan_of("mnist_cnn");
    CHECK_EQ(count_of(plan, "_Dropout"), 1);
    CHECK_EQ(count_of(plan, "_DropoutAgain"), 1);
    CHECK_EQ(count_of(plan, "RandomUniform"), 0);
    CHECK_EQ(count_of(plan, "GreaterEqual") + count_of(plan, "ZerosLike"), 0);
    TF_DeleteBuffer(plan);
    TF_DeleteStatus(status);
}

TEST_MAIN()
