/* train/hooks_test.c - the built-in hooks of a trainer. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/test.h"
#include "io/file.h"
#include "weir/train.h"

static TF_Status *status;
static char folder[64];

typedef struct model {
    weir_trainer *t;
    TF_Output w, loss;
} model;

/* loss = w * w * w * ... diverges with a learning rate that is much too large. */
static model make(weir_trainer_options options, float rate)
{
    model model = {.t = weir_trainer_new(&options)};
    weir_builder *builder = weir_trainer_builder(model.t);
    model.w = weir_trainer_variable(
        model.t, &(weir_variable_options){.name = "w", .initial = {WEIR_CONSTANT, .a = 1}});
    model.loss = weir_build_op(builder, "Mul", "loss", WEIR_INPUTS(model.w, model.w));
    weir_trainer_minimize(model.t, model.loss, &(weir_optimizer){.rate = rate});
    return model;
}

static int64_t run(const model *model)
{
    weir_trainer_start(model->t, status);
    CHECK_MSG(TF_GetCode(status) == TF_OK, "%s", TF_Message(status));
    while (weir_trainer_step(model->t, &(weir_step_io){0}, status))
        ;
    return weir_trainer_at(model->t);
}

static void end(const model *model)
{
    TF_Status *ended = TF_NewStatus();
    weir_trainer_stop(model->t, ended);
    CHECK_EQ(TF_GetCode(ended), TF_OK);
    weir_trainer_delete(model->t);
    TF_DeleteStatus(ended);
}

static size_t files(const char *pattern)
{
    weir_paths found = {0};
    char whole[128];
    snprintf(whole, sizeof whole, "%s/%s", folder, pattern);
    weir_status_free(weir_glob(whole, &found));
    size_t count = found.count;
    weir_paths_fini(&found);
    return count;
}

TEST(training_ends_after_so_many_steps)
{
    model m = make((weir_trainer_options){0}, 0.1f);
    weir_trainer_stop_after(m.t, 7, 0);
    CHECK_EQ(run(&m), 7);
    end(&m);
    m = make((weir_trainer_options){0}, 0.1f);
    weir_trainer_stop_after(m.t, 0, 0.02);
    CHECK(run(&m) >= 1);
    CHECK_EQ(TF_GetCode(status), TF_OK);
    end(&m);
}

TEST(a_loss_that_is_nan_ends_it)
{
    model m = make((weir_trainer_options){.last_step = 1000}, 1e20f);
    weir_trainer_guard_nan(m.t, m.loss, false);
    CHECK(run(&m) < 20);
    CHECK_EQ(TF_GetCode(status), TF_INVALID_ARGUMENT);
    CHECK(strstr(TF_Message(status), "NaN loss") != NULL);
    end(&m);
    m = make((weir_trainer_options){.last_step = 1000}, 1e20f);
    weir_trainer_guard_nan(m.t, m.loss, true);
    CHECK(run(&m) < 20);
    CHECK_EQ(TF_GetCode(status), TF_OK);
    end(&m);
}

/* Counts the callbacks. */
typedef struct watcher {
    TF_Output wanted;
    int starting, wished, got, deleted;
    float last;
} watcher;

static void watcher_starts(void *arg, weir_trainer *trainer)
{
    ((watcher *)arg)->starting++;
}

static void watcher_wishes(void *arg, weir_trainer *trainer, weir_wish *wish)
{
    watcher *watcher = arg;
    watcher->wished++;
    if (watcher->wished % 2)
        *wish = (weir_wish){
            .fetches = &watcher->wanted, .fetch_count = 1, .trace = watcher->wished == 3};
}

static bool watcher_gets(void *arg, weir_trainer *trainer, const weir_outcome *outcome,
                         TF_Status *status)
{
    watcher *watcher = arg;
    watcher->got++;
    if (watcher->wished % 2)
        watcher->last = *(const float *)TF_TensorData(outcome->fetched[0]);
    CHECK((outcome->trace != NULL) == (watcher->wished == 3));
    if (outcome->trace)
        CHECK(outcome->trace->length > 0);
    return false;
}

static void watcher_ends(void *arg)
{
    ((watcher *)arg)->deleted++;
}

TEST(hooks_get_what_they_wish_for)
{
    model m = make((weir_trainer_options){.last_step = 5}, 0.25f); /* w halves with every step */
    watcher seen[2] = {{.wanted = m.w}, {.wanted = m.loss}};
    for (int i = 0; i < 2; i++)
        weir_trainer_add_hook(m.t, &(weir_hook){.arg = &seen[i],
                                                .starting = watcher_starts,
                                                .before_step = watcher_wishes,
                                                .got = watcher_gets,
                                                .deleted = watcher_ends});
    CHECK_EQ(run(&m), 5);
    TF_Tensor *w;
    const weir_step_io look = {.fetches = &m.w, .fetched = &w, .fetch_count = 1, .only_look = true};
    CHECK(!weir_trainer_step(m.t, &look, status)); /* stays over */
    end(&m);
    CHECK_EQ(seen[0].wished, 5);
    CHECK_EQ(seen[0].got, 5);
    CHECK(seen[0].starting == 1 && seen[1].deleted == 1);
    CHECK(seen[0].last == 0.03125f);          /* as the step leaves it, ... */
    CHECK(seen[1].last == 0.0625f * 0.0625f); /* ... which began with this w */
}

TEST(summaries_traces_and_logs_are_written)
{
    model m = make((weir_trainer_options){.last_step = 10, .checkpoint_dir = folder}, 0.1f);
    const char *const names[] = {"loss"};
    weir_trainer_scalar(m.t, "the loss (train)", m.loss);
    weir_trainer_histogram(m.t, "w", m.w);
    weir_trainer_write_summaries(m.t, folder, 5);
    weir_trainer_profile(m.t, folder, 4);
    weir_trainer_log_every(m.t, 10, names, &m.loss, 1);
    CHECK_EQ(run(&m), 10);
    CHECK_MSG(TF_GetCode(status) == TF_OK, "%s", TF_Message(status));
    end(&m);
    CHECK_EQ(files("events.out.tfevents.*"), 1);
    CHECK_EQ(files("timeline-*.json"), 2);
    CHECK_EQ(files("timeline-8.json"), 1);
}

int main(int argc, char **argv)
{
    strcpy(folder, "hooks_test.XXXXXX");
    status = TF_NewStatus();
    if (!mkdtemp(folder))
        return 1;
    int result = weir_test_main(argc, argv);
    weir_status_free(weir_dir_delete_all(folder));
    TF_DeleteStatus(status);
    return result;
}
