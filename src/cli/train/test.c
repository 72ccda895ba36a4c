/* cli/train/test.c - the model judged on examples that it does not learn from. */
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

static float scalar(TF_Tensor *t)
{
    float value = *(const float *)TF_TensorData(t);
    TF_DeleteTensor(t);
    return value;
}

static bool judge(work *w, TF_Tensor *x, TF_Tensor *y, sums *sum)
{
    const weir_model_graph *g = &w->test_graph;
    TF_Tensor *fed[2] = {x, y}, *got[2] = {NULL, NULL};
    TF_Output fetches[2] = {g->loss, g->accuracy};
    int fetched = g->accuracy.oper ? 2 : 1;
    TF_SessionRun(weir_trainer_session(w->t), NULL, g->feeds, fed, g->feed_count, fetches, got,
                  fetched, NULL, 0, NULL, w->status);
    if (TF_GetCode(w->status) != TF_OK)
        return false;
    double count = (double)TF_Dim(x, 0);
    sum->loss += count * (double)scalar(got[0]);
    if (fetched == 2)
        sum->right += count * (double)scalar(got[1]);
    sum->examples += TF_Dim(x, 0);
    return true;
}

static bool judge_all(work *w, weir_data *data, sums *sum)
{
    TF_Tensor *x, *y;
    bool labels = w->plan.input.label_type != 0, more = true;
    bool endless = strcmp(w->plan.data, "synthetic") == 0; /* one batch, again and again */
    while (more && weir_data_next(data, &x, labels ? &y : NULL, w->status)) {
        bool ok = judge(w, x, labels ? y : NULL, sum);
        TF_DeleteTensor(x);
        if (labels)
            TF_DeleteTensor(y);
        if (!ok)
            return false;
        more = !endless;
    }
    return TF_GetCode(w->status) == TF_OK;
}

static void tell(work *w, const sums *sum)
{
    train_event e = {
        .kind = TRAIN_TEST,
        .loss = sum->loss / (double)sum->examples,
        .accuracy = w->test_graph.accuracy.oper ? sum->right / (double)sum->examples : -1,
        .examples = sum->examples,
    };
    work_tell(w, &e);
    work_events_test(w, &e);
}

/* Takes |ns| out of the time that was spent training. */
static void leave_out(work *w, int64_t ns)
{
    if (w->ended_ns)
        return;
    w->paused_ns += ns;
    w->told_ns += ns;
}

int work_test(work *w)
{
    weir_data_options o = {
        .source = w->plan.data,
        .split = "test",
        /* Losses that are sums compare with the training's for batches of one size only. */
        .batch = w->plan.examples > 0 && w->test_graph.accuracy.oper ? TEST_BATCH : w->plan.batch,
        .epochs = 1,
        .type = w->plan.input.type,
        .rank = w->plan.input.rank,
        .label_type = w->plan.input.label_type,
        .classes = w->plan.input.classes,
    };
    memcpy(o.dims, w->plan.input.dims, sizeof o.dims);
    sums sum = {0};
    int64_t began = weir_now_ns();
    weir_data *data = weir_data_open(&o, w->status);
    bool ok = data && judge_all(w, data, &sum);
    weir_data_close(data);
    leave_out(w, weir_now_ns() - began);
    w->tested_step = weir_trainer_at(w->t);
    if (!ok)
        return work_fail(w, "the test failed", "--eval never trains without tests.");
    if (sum.examples)
        tell(w, &sum);
    return WEIR_EXIT_OK;
}
