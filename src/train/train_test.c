/* train/train_test.c - trainers of one process, and the graphs of cluster trainers. */
#include "weir/train.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/test.h"
#include "io/checkpoint.h"
#include "io/file.h"
#include "train/balance.h"

static TF_Status *status;

static bool good(void)
{
    return TF_GetCode(status) == TF_OK;
}
#define CHECK_GOOD() CHECK_MSG(good(), "%s", TF_Message(status))

/* ---- builders ------------------------------------------------------------------------------- */

TEST(builders_name_and_place_nodes)
{
    TF_Graph *graph = TF_NewGraph();
    weir_builder *b = weir_build_new(graph);
    weir_build_push_scope(b, "a");
    weir_build_push_scope(b, "b");
    weir_build_push_device(b, "/job:ps/task:1");
    TF_Output one = weir_build_float(b, "one", 1), other = weir_build_float(b, "one", 1);
    CHECK_STR(TF_OperationName(one.oper), "a/b/one");
    CHECK_STR(TF_OperationName(other.oper), "a/b/one_1");
    CHECK_STR(TF_OperationDevice(one.oper), "/job:ps/task:1");
    weir_build_pop_device(b);
    weir_build_pop_scope(b);
    weir_build_push_control(b, one.oper);
    TF_Output sum = weir_build_op(b, "AddV2", "sum", WEIR_INPUTS(one, other));
    weir_build_pop_control(b);
    CHECK_STR(TF_OperationName(sum.oper), "a/sum");
    CHECK_EQ(TF_OperationNumControlInputs(sum.oper), 1);
    weir_build_delete(b); /* the other scope goes with it */
    TF_DeleteGraph(graph);
}

TEST(the_first_failure_stays)
{
    TF_Graph *graph = TF_NewGraph();
    weir_builder *b = weir_build_new(graph);
    TF_Output one = weir_build_float(b, "one", 1), word = weir_build_string(b, "word", "w");
    TF_Output bad = weir_build_op(b, "Sub", "bad", WEIR_INPUTS(one, word));
    CHECK(!bad.oper);
    CHECK_EQ(TF_GetCode(weir_build_status(b)), TF_INVALID_ARGUMENT);
    CHECK(!weir_build_op(b, "Neg", "after", &bad, 1).oper);
    CHECK(!weir_build_float(b, "more", 1).oper);
    CHECK(strstr(TF_Message(weir_build_status(b)), "bad") != NULL);
    weir_build_delete(b);
    TF_DeleteGraph(graph);
}

/* ---- gradients ------------------------------------------------------------------------------ */

TEST(gradients_of_gathers_are_sparse)
{
    TF_Graph *graph = TF_NewGraph();
    weir_builder *b = weir_build_new(graph);
    TF_Output x = weir_build_placeholder(b, "x", TF_FLOAT, 2, (int64_t[]){5, 2});
    TF_Output unused = weir_build_float(b, "unused", 1), axis = weir_build_int32(b, "axis", 0);
    TF_Output ids = weir_build_const(b, "ids", TF_INT32, 1, (int64_t[]){2}, (int32_t[]){1, 1});
    TF_Output rows = weir_build_op(b, "GatherV2", "rows", WEIR_INPUTS(x, ids, axis));
    TF_Output y = weir_build_op(b, "L2Loss", "y", &rows, 1);
    weir_gradient dx[2];
    weir_build_gradients(b, &y, 1, WEIR_INPUTS(x, unused), dx);
    CHECK(dx[0].values.oper && dx[0].indices.oper && dx[0].shape.oper);
    CHECK(!dx[1].values.oper && !dx[1].indices.oper);
    TF_Output two[] = {rows, weir_build_op(b, "Mul", "mul", WEIR_INPUTS(x, x))};
    weir_build_gradients(b, two, 2, &x, 1, dx); /* a dense part makes the whole dense */
    CHECK(dx[0].values.oper && !dx[0].indices.oper);
    CHECK_EQ(TF_GetCode(weir_build_status(b)), TF_OK);
    weir_build_delete(b);
    TF_DeleteGraph(graph);
}

static TF_Code code_of(weir_trainer *trainer)
{
    return TF_GetCode(weir_build_status(weir_trainer_builder(trainer)));
}

TEST(a_step_in_two_parts)
{
    weir_trainer *t = weir_trainer_new(&(weir_trainer_options){.last_step = 2});
    weir_builder *b = weir_trainer_builder(t);
    TF_Output w = weir_trainer_variable(
        t, &(weir_variable_options){.name = "w", .initial = {WEIR_CONSTANT, .a = 3}});
    TF_Output loss = weir_build_op(b, "Mul", "loss", WEIR_INPUTS(w, w));
    weir_trained pair;
    CHECK_EQ(weir_trainer_gradients(t, loss, &pair, 1), 1);
    CHECK(pair.variable.oper == w.oper);
    TF_Output tenth = weir_build_float(b, "tenth", 0.1f);
    pair.gradient.values =
        weir_build_op(b, "Mul", "less", WEIR_INPUTS(pair.gradient.values, tenth));
    weir_trainer_apply_gradients(t, &pair, 1, &(weir_optimizer){.rate = 1});
    weir_trainer_start(t, status);
    CHECK_GOOD();
    TF_Tensor *value;
    float seen = 0;
    const weir_step_io io = {.fetches = &loss, .fetched = &value, .fetch_count = 1};
    while (weir_trainer_step(t, &io, status)) {
        seen = *(const float *)TF_TensorData(value);
        TF_DeleteTensor(value);
    }
    CHECK_GOOD();
    CHECK_EQ(weir_trainer_at(t), 2);
    CHECK(seen > 5.75f && seen < 5.77f); /* (3 - 0.6)^2 */
    weir_trainer_delete(t);
}

/* Five rows in partitions of two, two and one; ids of two dims. */
TEST(rows_of_pieces_are_those_of_the_whole)
{
    weir_trainer *t = weir_trainer_new(&(weir_trainer_options){0});
    weir_builder *b = weir_trainer_builder(t);
    const int32_t asked[] = {4, 0, 2, 2, 3, 1};
    TF_Output whole = weir_trainer_variable(
        t, &(weir_variable_options){.name = "w",
                                    .rank = 2,
                                    .dims = (int64_t[]){5, 2},
                                    .initial = {WEIR_NORMAL, .b = 1, .seed = 3},
                                    .partitions = 3});
    TF_Output ids = weir_build_placeholder(b, "ids", TF_INT32, 2, (int64_t[]){-1, 2});
    TF_Output rows = weir_trainer_gather(t, "rows", whole, ids), fetches[] = {whole, rows};
    TF_Output loss = weir_build_op(b, "L2Loss", "loss", &rows, 1);
    weir_trained pairs[3];
    CHECK_EQ(weir_trainer_gradients(t, loss, pairs, 3), 3);
    for (int i = 0; i < 3; i++)
        CHECK(pairs[i].gradient.indices.oper != NULL);
    weir_trainer_start(t, status);
    CHECK_GOOD();
    TF_Tensor *fed = TF_AllocateTensor(TF_INT32, (int64_t[]){3, 2}, 2, sizeof asked), *got[2];
    memcpy(TF_TensorData(fed), asked, sizeof asked);
    const weir_step_io io = {&ids, &fed, 1, fetches, got, 2, .only_look = true};
    CHECK(weir_trainer_step(t, &io, status));
    CHECK_GOOD();
    CHECK_EQ(TF_NumDims(got[1]), 3);
    for (int i = 0; i < 12; i++)
        CHECK(((float *)TF_TensorData(got[1]))[i] ==
              ((float *)TF_TensorData(got[0]))[2 * asked[i / 2] + i % 2]);
    TF_DeleteTensor(got[0]);
    TF_DeleteTensor(got[1]);
    ((int32_t *)TF_TensorData(fed))[1] = 5;
    CHECK(!weir_trainer_step(t, &io, status));
    CHECK_EQ(TF_GetCode(status), TF_INVALID_ARGUMENT);
    TF_DeleteTensor(fed);
    weir_trainer_delete(t);
}

TEST(wrong_settings_are_refused)
{
    const weir_schedule schedules[] = {
        {WEIR_EXPONENTIAL_DECAY, .rate = 1},
        {WEIR_PIECEWISE_CONSTANT},
        {WEIR_PIECEWISE_CONSTANT, .boundaries = (int64_t[]){3, 3}, .values = (float[3]){0},
         .boundary_count = 2},
        {(weir_schedule_kind)77},
    };
    for (size_t i = 0; i < sizeof schedules / sizeof *schedules; i++) {
        weir_trainer *t = weir_trainer_new(&(weir_trainer_options){0});
        TF_Output step = weir_trainer_global_step(t);
        CHECK(!weir_build_schedule(weir_trainer_builder(t), &schedules[i], step).oper);
        CHECK_EQ(code_of(t), TF_INVALID_ARGUMENT);
        weir_trainer_delete(t);
    }
    weir_trainer *t = weir_trainer_new(&(weir_trainer_options){0});
    weir_trainer_average(t, &(weir_average){.decay = 1});
    CHECK_EQ(code_of(t), TF_INVALID_ARGUMENT);
    weir_trainer_delete(t);
}

TEST(optimisers_have_names)
{
    weir_optimizer_kind kind = WEIR_ADAM;
    CHECK(weir_optimizer_find("ftrl", &kind) && kind == WEIR_FTRL);
    CHECK(!weir_optimizer_find("none", &kind));
    CHECK(weir_optimizer_name((weir_optimizer_kind)99) == NULL);
}

/* ---- jobs ----------------------------------------------------------------------------------- */

static weir_job *job(const char *name, const char *index, const char *ps, const char *workers)
{
    char *argv[] = {"program",       "--steps",     "7",          "--job_name", (char *)name,
                    "--task_index",  (char *)index, "--ps_hosts", (char *)ps,   "--worker_hosts",
                    (char *)workers, NULL};
    int argc = 11;
    weir_job *j = weir_job_from_args(&argc, argv, status);
    CHECK_EQ(j ? argc : 3, 3);
    CHECK_STR(argv[1], "--steps");
    return j;
}

TEST(jobs_come_from_flags)
{
    weir_job *j = job("worker", "1", "a:1,b:2", "c:3,d:4,e:5");
    CHECK_GOOD();
    CHECK_STR(weir_job_name(j), "worker");
    CHECK_EQ(weir_job_index(j), 1);
    CHECK_EQ(weir_job_count(j, "ps"), 2);
    CHECK_EQ(weir_job_workers(j), 3);
    CHECK(!weir_job_is_chief(j) && !weir_job_is_ps(j));
    weir_job_delete(j);
    CHECK(!job("worker", "3", "a:1", "c:3"));
    CHECK_EQ(TF_GetCode(status), TF_INVALID_ARGUMENT);
    CHECK(!job("worker", "x", "a:1", "c:3"));
    CHECK_EQ(TF_GetCode(status), TF_INVALID_ARGUMENT);
    char *alone[] = {"program", NULL};
    int argc = 1;
    j = weir_job_from_args(&argc, alone, status);
    CHECK_GOOD();
    CHECK(weir_job_is_chief(j));
    CHECK_EQ(weir_job_workers(j), 1);
    CHECK_STR(weir_job_target(j), "");
    weir_job_delete(j);
}

static const char *device_of(weir_trainer *trainer, const char *node)
{
    TF_Operation *op =
        TF_GraphOperationByName(weir_build_graph(weir_trainer_builder(trainer)), node);
    return op ? TF_OperationDevice(op) : "(absent)";
}

static TF_Output variable(weir_trainer *trainer, const char *name, int64_t rows, int partitions)
{
    const int64_t dims[] = {rows, 2};
    return weir_trainer_variable(trainer,
                                 &(weir_variable_options){.name = name,
                                                          .rank = 2,
                                                          .dims = dims,
                                                          .initial = {WEIR_UNIFORM, -1, 1, 7},
                                                          .partitions = partitions});
}

TEST(variables_go_round_the_servers)
{
    weir_job *j = job("worker", "0", "a:1,b:2", "c:3");
    weir_trainer *t = weir_trainer_new(&(weir_trainer_options){.job = j});
    variable(t, "v0", 2, 0);
    variable(t, "v1", 5, 3);
    TF_Output x = weir_build_float(weir_trainer_builder(t), "x", 1);
    CHECK_STR(device_of(t, "v0"), "/job:ps/task:0");
    CHECK_STR(device_of(t, "v0/read"), "/job:ps/task:0");
    CHECK_STR(device_of(t, "v0/Assign"), "/job:ps/task:0");
    CHECK_STR(device_of(t, "v1/part_0"), "/job:ps/task:1");
    CHECK_STR(device_of(t, "v1/part_1"), "/job:ps/task:0");
    CHECK_STR(device_of(t, "v1/part_2"), "/job:ps/task:1");
    CHECK_STR(TF_OperationDevice(x.oper), "/job:worker/task:0");
    weir_trainer_delete(t);
    weir_job_delete(j);
}

TEST(greedy_placement_goes_by_size)
{
    weir_job *j = job("worker", "0", "a:1,b:2", "c:3");
    weir_trainer *t = weir_trainer_new(&(weir_trainer_options){.job = j, .balance = WEIR_GREEDY});
    variable(t, "large", 100, 0);
    variable(t, "small", 10, 0);
    variable(t, "middle", 80, 0);
    variable(t, "last", 50, 0);
    CHECK_STR(device_of(t, "large"), "/job:ps/task:0");
    CHECK_STR(device_of(t, "small"), "/job:ps/task:1");
    CHECK_STR(device_of(t, "middle"), "/job:ps/task:1");
    CHECK_STR(device_of(t, "last"), "/job:ps/task:1");
    weir_trainer_delete(t);
    weir_job_delete(j);
}

TEST(large_variables_are_cut_over_the_servers_on_request)
{
    weir_job *j = job("worker", "0", "a:1,b:2", "c:3");
    weir_trainer *t = weir_trainer_new(
        &(weir_trainer_options){.job = j, .balance = WEIR_GREEDY, .cut_bytes = 400});
    variable(t, "whole", 50, 0);   /* 400 bytes */
    variable(t, "large", 101, 0);  /* 808 bytes, over two servers */
    variable(t, "chosen", 200, 1); /* the program wants one */
    const int64_t dims[] = {1, 500};
    weir_trainer_variable(
        t, &(weir_variable_options){.name = "row", .rank = 2, .dims = dims, .initial = {0}});
    CHECK_STR(device_of(t, "whole"), "/job:ps/task:0");
    CHECK_STR(device_of(t, "large/part_0"), "/job:ps/task:1");
    CHECK_STR(device_of(t, "large/part_1"), "/job:ps/task:0");
    CHECK_STR(device_of(t, "large/part_2"), "(absent)");
    CHECK_STR(device_of(t, "chosen"), "/job:ps/task:1");
    CHECK_STR(device_of(t, "row"), "/job:ps/task:0");
    WEIR_BUF(text);
    CHECK(weir_trainer_balance(t, &text));
    CHECK_STR(text.at, "variables on the parameter servers, MB: 0.0028, 0.00201; the largest share "
                       "is 1.16 of the mean");
    weir_trainer_delete(t);
    weir_job_delete(j);
}

TEST(partitions_that_the_trainer_cut_start_with_different_numbers)
{
    weir_job *j = job("worker", "0", "a:1,b:2", "c:3");
    weir_trainer *t = weir_trainer_new(&(weir_trainer_options){.job = j, .cut_bytes = 8});
    variable(t, "v", 4, 0);
    int64_t seeds[2] = {0};
    const char *const names[] = {"v/part_0/Initializer/random", "v/part_1/Initializer/random"};
    for (int i = 0; i < 2; i++) {
        TF_Operation *op =
            TF_GraphOperationByName(weir_build_graph(weir_trainer_builder(t)), names[i]);
        CHECK(op != NULL);
        if (op)
            TF_OperationGetAttrInt(op, "seed2", &seeds[i], status);
    }
    CHECK(seeds[0] != seeds[1]);
    weir_trainer_delete(t);
    weir_job_delete(j);
}

TEST(synchronous_state_has_the_names_that_python_gives_it)
{
    weir_job *j = job("worker", "1", "a:1", "c:3,d:4");
    weir_trainer *t = weir_trainer_new(&(weir_trainer_options){.job = j, .update = WEIR_SYNC});
    weir_builder *b = weir_trainer_builder(t);
    TF_Output v = variable(t, "v", 2, 0);
    const int64_t two = 2;
    TF_Output axes = weir_build_const(b, "axes", TF_INT32, 1, &two, (int32_t[]){0, 1});
    weir_trainer_minimize(t, weir_build_op(b, "Sum", "loss", WEIR_INPUTS(v, axes)),
                          &(weir_optimizer){WEIR_GRADIENT_DESCENT, .rate = 1});
    CHECK_STR(TF_Message(weir_build_status(b)), "");
    TF_Operation *a =
        TF_GraphOperationByName(weir_build_graph(b), "sync_replicas/conditional_accumulator");
    char name[32] = {0};
    TF_OperationGetAttrString(a, "shared_name", name, sizeof name, status);
    CHECK_STR(name, "v:0/grad_accum");
    CHECK_STR(device_of(t, "sync_replicas/conditional_accumulator"), "/job:ps/task:0");
    CHECK_STR(device_of(t, "sync_token_q"), "/job:ps/task:0");
    CHECK_STR(device_of(t, "sync_rep_local_step"), "/job:worker/task:1");
    weir_trainer_delete(t);
    weir_job_delete(j);
}

/* ---- training alone ------------------------------------------------------------------------- */

typedef struct line {
    weir_trainer *t;
    TF_Output loss, w;
} line;

/* The squared distance of a variable of four rows from three. */
static line make_line(const weir_trainer_options *options, const weir_optimizer *optimizer,
                      int partitions)
{
    line line = {.t = weir_trainer_new(options)};
    weir_builder *builder = weir_trainer_builder(line.t);
    const int64_t two = 2;
    line.w = variable(line.t, "w", 5, partitions);
    TF_Output far = weir_build_op(builder, "Sub", "far",
                                  WEIR_INPUTS(line.w, weir_build_float(builder, "three", 3)));
    TF_Output axes = weir_build_const(builder, "axes", TF_INT32, 1, &two, (int32_t[]){0, 1});
    line.loss =
        weir_build_op(builder, "Mean", "loss",
                      WEIR_INPUTS(weir_build_op(builder, "Square", "square", &far, 1), axes));
    weir_trainer_minimize(line.t, line.loss, optimizer);
    weir_trainer_start(line.t, status);
    CHECK_GOOD();
    return line;
}

static float step(line *line)
{
    TF_Tensor *loss;
    if (!weir_trainer_step(
            line->t, &(weir_step_io){.fetches = &line->loss, .fetched = &loss, .fetch_count = 1},
            status))
        return -1;
    float value = *(float *)TF_TensorData(loss);
    TF_DeleteTensor(loss);
    return value;
}

static void end(line *line)
{
    weir_trainer_stop(line->t, status);
    CHECK_GOOD();
    weir_trainer_delete(line->t);
}

TEST(every_optimiser_brings_the_loss_down)
{
    static const weir_optimizer all[] = {
        {WEIR_GRADIENT_DESCENT, .rate = 1},
        {WEIR_MOMENTUM, .rate = 0.5f, .momentum = 0.5f, .nesterov = true},
        {WEIR_ADAGRAD, .rate = 0.5f},
        {WEIR_ADAM, .rate = 0.1f},
        {WEIR_RMSPROP, .rate = 0.05f},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        for (int sync = 0; sync < 2; sync++) {
            line l = make_line(
                &(weir_trainer_options){.update = sync ? WEIR_SYNC : WEIR_ASYNC, .last_step = 30},
                &all[i], i % 2 ? 2 : 0);
            float first = step(&l), last = 0, loss;
            while ((loss = step(&l)) >= 0)
                last = loss;
            CHECK_GOOD();
            CHECK_EQ(weir_trainer_at(l.t), 30);
            CHECK_MSG(last < first / 2, "optimiser %zu, sync %d: %g then %g", i, sync, first, last);
            end(&l);
        }
}

static int steps_seen, sessions_seen, saves_seen;

static bool count_step(void *arg, weir_trainer *trainer)
{
    steps_seen++;
    return weir_trainer_at(trainer) >= *(int *)arg;
}
static void count_session(void *arg, weir_trainer *trainer)
{
    sessions_seen++;
}
static void count_save(void *arg, weir_trainer *trainer, const char *path)
{
    saves_seen++;
}

static char *folder(void)
{
    static char path[64];
    strcpy(path, "/tmp/weir_train_XXXXXX");
    CHECK(mkdtemp(path) != NULL);
    return path;
}

static float first_value(line *line)
{
    TF_Tensor *w;
    CHECK(weir_trainer_step(
        line->t,
        &(weir_step_io){.fetches = &line->w, .fetched = &w, .fetch_count = 1, .only_look = true},
        status));
    float value = ((float *)TF_TensorData(w))[9];
    TF_DeleteTensor(w);
    return value;
}

TEST(training_goes_on_from_a_checkpoint_cut_otherwise)
{
    char *dir = folder();
    int stop_at = 6;
    weir_hook hook = {.arg = &stop_at,
                      .session_made = count_session,
                      .after_step = count_step,
                      .saved = count_save};
    weir_trainer_options options = {.checkpoint_dir = dir, .save_steps = 2, .keep = 2};
    options.hooks = &hook;
    options.hook_count = 1;
    weir_optimizer adam = {WEIR_ADAM, .rate = 0.1f};
    line l = make_line(&options, &adam, 2);
    while (step(&l) >= 0)
        ;
    CHECK_EQ(steps_seen, 6);
    CHECK_EQ(sessions_seen, 1);
    CHECK_EQ(saves_seen, 4); /* at 0, 2, 4, 6 */
    weir_trainer_stop(l.t, status);
    CHECK_GOOD();
    weir_trainer_delete(l.t);

    weir_checkpoint_state state = {0};
    CHECK_OK(weir_checkpoint_state_read(dir, &state));
    CHECK_EQ(state.all.count, 2);
    weir_checkpoint *c;
    weir_tensor_info info;
    CHECK_OK(weir_checkpoint_open(state.latest, &c));
    CHECK(weir_checkpoint_find(c, WEIR_STR("w/Adam"), &info));
    CHECK_EQ(info.shape.dims[0], 5);
    CHECK(!weir_checkpoint_find(c, WEIR_STR("w/part_0"), &info));
    weir_tensor whole;
    CHECK_OK(weir_checkpoint_read(c, WEIR_STR("w"), NULL, &whole));
    weir_checkpoint_destroy(c);
    weir_checkpoint_state_fini(&state);

    stop_at = 100;
    line more = make_line(&options, &adam, 3);
    CHECK_EQ(weir_trainer_at(more.t), 6);
    CHECK_NEAR(first_value(&more), ((float *)whole.data)[9], 0);
    step(&more);
    CHECK_EQ(weir_trainer_at(more.t), 7);
    end(&more);
    weir_tensor_release(&whole);
    weir_status_free(weir_dir_delete_all(dir));
}

TEST(a_server_that_is_not_there_is_not_waited_for_for_ever)
{
    weir_job *j = job("worker", "0", "127.0.0.1:1", "127.0.0.1:0");
    weir_job_start(j, status);
    CHECK_GOOD();
    weir_trainer *t = weir_trainer_new(&(weir_trainer_options){.job = j, .give_up_seconds = 0.3});
    variable(t, "v", 2, 0);
    weir_trainer_start(t, status);
    CHECK_EQ(TF_GetCode(status), TF_DEADLINE_EXCEEDED);
    weir_trainer_delete(t);
    weir_job_delete(j);
}

TEST(what_is_wrong_is_said)
{
    weir_trainer *t = weir_trainer_new(&(weir_trainer_options){0});
    TF_Output none = weir_build_float(weir_trainer_builder(t), "x", 1);
    weir_trainer_minimize(t, none, &(weir_optimizer){0});
    weir_trainer_start(t, status);
    CHECK_EQ(TF_GetCode(status), TF_INVALID_ARGUMENT);
    CHECK(!weir_trainer_step(t, &(weir_step_io){0}, status));
    CHECK_EQ(TF_GetCode(status), TF_FAILED_PRECONDITION);
    weir_trainer_delete(t);

    t = weir_trainer_new(&(weir_trainer_options){0});
    CHECK(!variable(t, "cut", 2, 3).oper);
    CHECK(strstr(TF_Message(weir_build_status(weir_trainer_builder(t))), "more pieces") != NULL);
    weir_trainer_delete(t);

    weir_job *ps = job("ps", "0", "a:1", "c:3");
    t = weir_trainer_new(&(weir_trainer_options){.job = ps});
    weir_trainer_start(t, status);
    CHECK_EQ(TF_GetCode(status), TF_FAILED_PRECONDITION);
    weir_trainer_delete(t);
    weir_job_serve(ps, status);
    CHECK_EQ(TF_GetCode(status), TF_FAILED_PRECONDITION);
    weir_job_delete(ps);
}

int main(int argc, char **argv)
{
    status = TF_NewStatus();
    int result = weir_test_main(argc, argv);
    TF_DeleteStatus(status);
    return result;
}
