/* cli/train/test.c - evaluates the model on the test split. */
#include <math.h>
#include <stdio.h>

#include "base/clock.h"
#include "cli/train/work_impl.h"

enum { TEST_BATCH = 500 };

/* Sums over the batches of a test. */
typedef struct sums {
    double loss, right;
    int64_t examples;
} sums;

static float scalar(TF_Tensor *tensor)
{
    float value = *(const float *)TF_TensorData(tensor);
    TF_DeleteTensor(tensor);
    return value;
}

static bool judge(work *work, TF_Tensor *x, TF_Tensor *y, sums *sum)
{
    const weir_model_graph *graph = &work->test_graph;
    TF_Tensor *fed[2] = {x, y}, *got[2] = {NULL, NULL};
    TF_Output fetches[2] = {graph->loss, graph->accuracy};
    int fetched = graph->accuracy.oper ? 2 : 1;
    TF_SessionRun(weir_trainer_session(work->t), NULL, graph->feeds, fed, graph->feed_count,
                  fetches, got, fetched, NULL, 0, NULL, work->status);
    if (TF_GetCode(work->status) != TF_OK)
        return false;
    double count = (double)TF_Dim(x, 0);
    sum->loss += count * (double)scalar(got[0]);
    if (fetched == 2)
        sum->right += count * (double)scalar(got[1]);
    sum->examples += TF_Dim(x, 0);
    return true;
}

static bool judge_all(work *work, weir_data *data, sums *sum)
{
    TF_Tensor *x, *y;
    bool labels = work->plan.input.label_type != 0, more = true;
    bool endless = strcmp(work->plan.data, "synthetic") == 0; /* the same batch repeatedly */
    while (more && weir_data_next(data, &x, labels ? &y : NULL, work->status)) {
        bool ok = judge(work, x, labels ? y : NULL, sum);
        TF_DeleteTensor(x);
        if (labels)
            TF_DeleteTensor(y);
        if (!ok)
            return false;
        more = !endless;
    }
    return TF_GetCode(work->status) == TF_OK;
}

static void tell(work *work, const sums *sum)
{
    train_event event = {
        .kind = TRAIN_TEST,
        .loss = sum->loss / (double)sum->examples,
        .accuracy = work->test_graph.accuracy.oper ? sum->right / (double)sum->examples : -1,
        .examples = sum->examples,
    };
    work_tell(work, &event);
    work_events_test(work, &event);
}

/* Excludes |ns| from the training time. */
static void leave_out(work *work, int64_t ns)
{
    if (work->ended_ns)
        return;
    work->paused_ns += ns;
    work->told_ns += ns;
}

static weir_data *open_split(work *work)
{
    weir_data_options options = {
        .source = work->plan.data,
        .split = "test",
        /* Losses that are sums are comparable with the training's only for equal batch sizes. */
        .batch = work->plan.examples > 0 && work->test_graph.accuracy.oper ? TEST_BATCH
                                                                           : work->plan.batch,
        .epochs = 1,
        .type = work->plan.input.type,
        .rank = work->plan.input.rank,
        .label_type = work->plan.input.label_type,
        .classes = work->plan.input.classes,
    };
    memcpy(options.dims, work->plan.input.dims, sizeof options.dims);
    return weir_data_open(&options, work->status);
}

static int failed(work *work)
{
    return work_fail(work, "the test data cannot be read", "--eval never trains without tests.");
}

int work_test_check(work *work)
{
    TF_Tensor *x = NULL, *y = NULL;
    weir_data *data = open_split(work);
    if (data)
        weir_data_next(data, &x, work->plan.input.label_type ? &y : NULL, work->status);
    TF_DeleteTensor(x);
    TF_DeleteTensor(y);
    weir_data_close(data);
    return TF_GetCode(work->status) == TF_OK ? WEIR_EXIT_OK : failed(work);
}

int work_test(work *work)
{
    sums sum = {0};
    int64_t began = weir_now_ns();
    weir_data *data = open_split(work);
    bool ok = data && judge_all(work, data, &sum);
    weir_data_close(data);
    leave_out(work, weir_now_ns() - began);
    work->tested_step = weir_trainer_at(work->t);
    if (!ok)
        return data ? work_fail(work, "the test failed", "--eval never trains without tests.")
                    : failed(work);
    if (sum.examples)
        tell(work, &sum);
    return WEIR_EXIT_OK;
}
