/* capi/fixed_step_test.c - steps that are run many times, over memory of the caller. */
#include <pthread.h>

#include "base/status.h"
#include "capi/test_capi.h"
#include "weir/embed.h"

static void count_call(void *data, size_t length, void *arg)
{
    ++*(int *)arg;
}

/* |count| floats, whose release counts in |calls|. */
static weir_fed floats(float *at, const int64_t *count, int *calls)
{
    return (weir_fed){.dtype = TF_FLOAT,
                      .num_dims = 1,
                      .dims = count,
                      .data = at,
                      .len = (size_t)*count * sizeof *at,
                      .release = count_call,
                      .arg = calls};
}

typedef struct program {
    TF_Graph *graph;
    TF_Output x, y, same; /* y = -x */
    TF_Session *session;
} program;

static program begin(void)
{
    program p = {.graph = TF_NewGraph()};
    p.x = out(placeholder(p.graph, "x", TF_FLOAT), 0);
    p.y = out(op(p.graph, "Neg", "y", p.x, none), 0);
    p.same = out(op(p.graph, "Identity", "same", p.x, none), 0);
    p.session = session(p.graph);
    OK();
    return p;
}

static weir_fixed_step *step_of(const program *p, TF_Output fetch)
{
    weir_fixed_step *step = weir_fixed_step_new(p->session, &p->x, 1, &fetch, 1, NULL, 0, st());
    OK();
    return step;
}

static TF_Tensor *fetched(weir_fixed_step *step, weir_fed *fed)
{
    TF_Tensor *result = (TF_Tensor *)1;
    weir_fixed_step_run(step, fed, &result, st());
    return result;
}

TEST(memory_is_returned_after_the_step)
{
    program p = begin();
    weir_fixed_step *step = step_of(&p, p.y);
    _Alignas(64) float at[4] = {1, 2, 3, 4};
    int calls = 0;
    for (int i = 0; i < 3; i++) {
        at[0] = (float)i;
        weir_fed fed = floats(at, &(int64_t){4}, &calls);
        TF_Tensor *result = fetched(step, &fed);
        OK();
        CHECK_NEAR(((float *)TF_TensorData(result))[0], -i, 0);
        CHECK_NEAR(((float *)TF_TensorData(result))[3], -4, 0);
        CHECK(fed.returned);
        TF_DeleteTensor(result);
    }
    CHECK_EQ(calls, 0);
    weir_fixed_step_delete(step);
    end(p.session, p.graph);
}

/* A PyFunc of one input, or none, that gives a float. */
static TF_Output function(TF_Graph *graph, const char *name, TF_Output input)
{
    TF_OperationDescription *d = TF_NewOperation(graph, "PyFunc", name);
    TF_AddInputList(d, &input, input.oper ? 1 : 0);
    TF_SetAttrString(d, "token", "f", 1);
    TF_SetAttrTypeList(d, "Tin", (TF_DataType[]){TF_FLOAT}, input.oper ? 1 : 0);
    TF_SetAttrTypeList(d, "Tout", (TF_DataType[]){TF_FLOAT}, 1);
    TF_Output made = out(TF_FinishOperation(d, st()), 0);
    OK();
    return made;
}

static TF_Tensor *kept;

static void keep(const char *token, TF_Tensor **in, int in_count, TF_Tensor **out, int out_count,
                 TF_Status *status)
{
    kept = in[0];
    in[0] = NULL;
    out[0] = scalar(1);
}

TEST(memory_in_use_after_the_step_is_released_later)
{
    program p = begin();
    weir_set_function_call(keep);
    weir_fixed_step *step = step_of(&p, function(p.graph, "keeps", p.x));
    _Alignas(64) float at[4] = {1, 2, 3, 4};
    int calls = 0;
    weir_fed fed = floats(at, &(int64_t){4}, &calls);
    TF_DeleteTensor(fetched(step, &fed));
    OK();
    CHECK_EQ(fed.returned, kept && TF_TensorData(kept) != at);
    CHECK_EQ(calls, 0);
    TF_DeleteTensor(kept);
    CHECK_EQ(calls, !fed.returned);
    weir_set_function_call(NULL);
    weir_fixed_step_delete(step);
    end(p.session, p.graph);
}

TEST(memory_is_copied_where_its_alignment_requires_it)
{
    program p = begin();
    weir_fixed_step *step = step_of(&p, p.same);
    _Alignas(64) char room[sizeof(float) + 1] = {0};
    int calls = 0;
    memcpy(room + 1, &(float){7}, sizeof(float));
    weir_fed fed = floats((float *)(void *)(room + 1), &(int64_t){1}, &calls);
    TF_Tensor *result = fetched(step, &fed);
    OK();
    CHECK(fed.returned);
    CHECK_NEAR(value(result), 7, 0);
    TF_DeleteTensor(result);
    CHECK_EQ(calls, 0);
    weir_fixed_step_delete(step);
    end(p.session, p.graph);
}

TEST(tensors_are_fed_too)
{
    program p = begin();
    weir_fixed_step *step = step_of(&p, p.y);
    weir_fed fed = {.tensor = scalar(3)};
    TF_Tensor *result = fetched(step, &fed);
    OK();
    CHECK_NEAR(value(result), -3, 0);
    TF_DeleteTensor(result);
    TF_DeleteTensor(fed.tensor);
    weir_fixed_step_delete(step);
    end(p.session, p.graph);
}

/* More feeds and fetches than fit without an allocation. */
TEST(steps_have_any_number_of_feeds_and_fetches)
{
    enum { MANY = 40 };
    TF_Graph *graph = TF_NewGraph();
    TF_Output x[MANY], y[MANY];
    TF_Tensor *results[MANY];
    weir_fed feeds[MANY];
    char name[16];
    for (int i = 0; i < MANY; i++) {
        snprintf(name, sizeof name, "x%d", i);
        x[i] = out(placeholder(graph, name, TF_FLOAT), 0);
        snprintf(name, sizeof name, "y%d", i);
        y[i] = out(op(graph, "Neg", name, x[i], none), 0);
        feeds[i] = (weir_fed){.tensor = scalar((float)i)};
    }
    TF_Session *s = session(graph);
    weir_fixed_step *step = weir_fixed_step_new(s, x, MANY, y, MANY, NULL, 0, st());
    OK();
    weir_fixed_step_run(step, feeds, results, st());
    OK();
    for (int i = 0; i < MANY; i++) {
        CHECK_NEAR(value(results[i]), -i, 0);
        TF_DeleteTensor(results[i]);
        TF_DeleteTensor(feeds[i].tensor);
    }
    weir_fixed_step_delete(step);
    end(s, graph);
}

TEST(bad_steps_are_refused)
{
    program p = begin();
    TF_Output far = out(p.y.oper, 5);
    CHECK(!weir_fixed_step_new(p.session, &p.x, 1, &far, 1, NULL, 0, st()));
    FAILS(TF_OUT_OF_RANGE, "does not have output 5");
    CHECK(!weir_fixed_step_new(p.session, &far, 1, &p.y, 1, NULL, 0, st()));
    FAILS(TF_OUT_OF_RANGE, "does not have output 5");
    CHECK(!weir_fixed_step_new(p.session, &p.x, 1, NULL, 0, NULL, 0, st()));
    FAILS(TF_INVALID_ARGUMENT, "Must specify at least one target to fetch or execute.");
    CHECK(
        !weir_fixed_step_new(p.session, NULL, 0, NULL, 0, (const TF_Operation *[]){NULL}, 1, st()));
    FAILS(TF_INVALID_ARGUMENT, "Target operation 0 is null");
    weir_fixed_step_delete(NULL);
    end(p.session, p.graph);
}

/* A run that fails gives the memory back, and the step works afterwards. */
TEST(failed_runs_return_the_memory)
{
    program p = begin();
    weir_fixed_step *step = step_of(&p, p.y);
    _Alignas(64) float at[4] = {1, 2, 3, 4};
    int calls = 0;
    weir_fed fed = floats(at, &(int64_t){4}, &calls);
    fed.dtype = TF_INT32;
    CHECK(!fetched(step, &fed));
    FAILS(TF_INVALID_ARGUMENT, "The value fed for tensor 'x:0' has type int32");
    CHECK(fed.returned);
    fed.dtype = TF_FLOAT;
    fed.len = 8;
    CHECK(!fetched(step, &fed));
    FAILS(TF_INVALID_ARGUMENT, "The memory of feed 0 is not a tensor");
    CHECK(fed.returned);
    fed.len = 16;
    TF_DeleteTensor(fetched(step, &fed));
    OK();
    TF_CloseSession(p.session, st());
    CHECK(!fetched(step, &fed));
    FAILS(TF_CANCELLED, "Session has been closed.");
    CHECK(fed.returned);
    CHECK_EQ(calls, 0);
    weir_fixed_step_delete(step);
    end(p.session, p.graph);
}

/* As for TF_SessionRun, a placeholder's shape does not restrict its feeds. */
TEST(feeds_may_have_other_shapes)
{
    program p = begin();
    TF_GraphSetTensorShape(p.graph, p.x, (int64_t[]){2}, 1, st());
    weir_fixed_step *step = step_of(&p, p.y);
    _Alignas(64) float at[4] = {1, 2, 3, 4};
    int calls = 0;
    for (int64_t count = 1; count <= 4; count++) {
        weir_fed fed = floats(at, &count, &calls);
        TF_Tensor *result = fetched(step, &fed);
        OK();
        CHECK_EQ(TF_TensorElementCount(result), count);
        TF_DeleteTensor(result);
    }
    weir_fixed_step_delete(step);
    end(p.session, p.graph);
}

static void *run_often(void *arg)
{
    weir_fixed_step *step = arg;
    TF_Status *own = TF_NewStatus();
    _Alignas(64) float at[4] = {1, 2, 3, 4};
    int calls = 0;
    for (int i = 0; i < 200; i++) {
        weir_fed fed = floats(at, &(int64_t){4}, &calls);
        TF_Tensor *result = NULL;
        at[1] = (float)i;
        weir_fixed_step_run(step, &fed, &result, own);
        CHECK_EQ(TF_GetCode(own), TF_OK);
        CHECK(result && ((float *)TF_TensorData(result))[1] == -(float)i);
        TF_DeleteTensor(result);
    }
    TF_DeleteStatus(own);
    return NULL;
}

TEST(threads_share_a_step_from_its_first_run)
{
    program p = begin();
    weir_fixed_step *step = step_of(&p, p.y);
    pthread_t threads[4];
    for (int i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, run_often, step);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    weir_fixed_step_delete(step);
    end(p.session, p.graph);
}

static weir_interrupt *interrupt;

static void fire(const char *token, TF_Tensor **in, int in_count, TF_Tensor **out, int out_count,
                 TF_Status *status)
{
    weir_interrupt_fire(interrupt);
    out[0] = scalar(1);
}

/* The step's own function fires the interrupt: the rest of the step does not run. */
TEST(interrupts_cancel_the_running_step_only)
{
    TF_Graph *graph = TF_NewGraph();
    TF_Output fires = function(graph, "fires", none);
    TF_Output x = out(placeholder(graph, "x", TF_FLOAT), 0);
    TF_Output y = out(op(graph, "Neg", "y", x, none), 0);
    TF_Session *s = session(graph);
    interrupt = weir_interrupt_new();
    weir_interrupt_use(interrupt);
    weir_set_function_call(fire);
    TF_Output after = out(op(graph, "Neg", "after", fires, none), 0);
    weir_fixed_step *first = weir_fixed_step_new(s, NULL, 0, &after, 1, NULL, 0, st());
    weir_fixed_step *then = weir_fixed_step_new(s, &x, 1, &y, 1, NULL, 0, st());
    for (int i = 0; i < 2; i++) {
        CHECK(!fetched(first, NULL));
        FAILS(TF_CANCELLED, "");
        weir_fed fed = {.tensor = scalar(2)};
        TF_Tensor *result = fetched(then, &fed);
        OK();
        TF_DeleteTensor(result);
        TF_DeleteTensor(fed.tensor);
    }
    weir_set_function_call(NULL);
    weir_interrupt_use(NULL);
    weir_interrupt_delete(interrupt);
    weir_fixed_step_delete(first);
    weir_fixed_step_delete(then);
    end(s, graph);
}

/* Runs of one step may have different callers, and one may be fired between its steps. */
TEST(interrupts_of_other_threads_and_other_times_have_no_effect)
{
    program p = begin();
    weir_fixed_step *step = step_of(&p, p.y);
    weir_interrupt *own = weir_interrupt_new();
    weir_fed fed = {.tensor = scalar(2)};
    for (int i = 0; i < 12; i++) {
        weir_interrupt_use(i % 3 == 1 ? NULL : own);
        TF_DeleteTensor(fetched(step, &fed));
        OK();
        if (i % 2)
            weir_interrupt_fire(own);
    }
    weir_interrupt_use(NULL);
    weir_interrupt_delete(own);
    TF_DeleteTensor(fetched(step, &fed));
    OK();
    TF_DeleteTensor(fed.tensor);
    weir_fixed_step_delete(step);
    end(p.session, p.graph);
}

/* A temporary variable that a step does not destroy ends with the step: the next one makes it. */
TEST(steps_leave_nothing_to_the_next)
{
    TF_Graph *graph = TF_NewGraph();
    TF_OperationDescription *d = TF_NewOperation(graph, "TemporaryVariable", "temporary");
    TF_SetAttrShape(d, "shape", NULL, 0);
    TF_SetAttrType(d, "dtype", TF_FLOAT);
    TF_SetAttrString(d, "var_name", "t", 1);
    TF_Output made = out(TF_FinishOperation(d, st()), 0);
    TF_Output two = out(constant(graph, "two", scalar(2)), 0);
    TF_Output assigned = out(op(graph, "Assign", "assign", made, two), 0);
    OK();
    TF_Session *s = session(graph);
    weir_fixed_step *step = weir_fixed_step_new(s, NULL, 0, &assigned, 1, NULL, 0, st());
    for (int i = 0; i < 3; i++) {
        TF_Tensor *result = fetched(step, NULL);
        OK();
        CHECK_NEAR(value(result), 2, 0);
        TF_DeleteTensor(result);
    }
    weir_fixed_step_delete(step);
    end(s, graph);
}

TEST_MAIN()
