/* capi/eager_test.c - the catalogue, files and threads, eager ops. */
#include <stdlib.h>

#include "capi/test_capi.h"
#include "tensorflow/c/eager/c_api_experimental.h"
#include "tensorflow/c/env.h"

/* ---- the catalogue, files, eager ops --------------------------------------------------------- */

TEST(catalogue_and_api_defs)
{
    static const char text[] =
        "op {\n graph_op_name: \"Neg\"\n visibility: HIDDEN\n endpoint { name: \"minus\" }\n"
        " in_arg { name: \"x\" rename_to: 'arg' }\n description: <<END\nTwo\nlines\nEND\n}\n";
    TF_Buffer *ops = TF_GetAllOpList();
    CHECK(ops->length > 1000);
    TF_ApiDefMap *map = TF_NewApiDefMap(ops, st());
    OK();
    TF_ApiDefMapPut(map, text, sizeof text - 1, st());
    OK();
    TF_Buffer *def = TF_ApiDefMapGet(map, "Neg", 3, st());
    CHECK(def && memmem(def->data, def->length, "Two\nlines", 9));
    CHECK(def && memmem(def->data, def->length, "minus", 5));
    CHECK(!TF_ApiDefMapGet(map, "Zork", 4, st()));
    TF_ApiDefMapPut(map, "op {", 4, st());
    FAILS(TF_INVALID_ARGUMENT, "line 1");
    TF_Buffer *kernels = TF_GetRegisteredKernelsForOp("Neg", st());
    CHECK(memmem(kernels->data, kernels->length, "CPU", 3));
    CHECK(memmem(kernels->data, kernels->length, "GPU", 3));
    CHECK(TF_OpIsStateful("VarHandleOp", st()) && !TF_OpIsStateful("Neg", st()));
    CHECK_STR(TF_GetNumberAttrForOpListInput("AddN", 0, st()), "N");
    TF_DeleteBuffer(kernels);
    TF_DeleteBuffer(def);
    TF_DeleteBuffer(ops);
    TF_DeleteApiDefMap(map);
}

static void add_one(void *arg)
{
    ++*(int *)arg;
}

TEST(files_and_threads)
{
    char *name = TF_GetTempFileName("txt");
    TF_WritableFileHandle *file;
    TF_FileStatistics stats;
    TF_NewWritableFile(name, &file, st());
    TF_AppendWritableFile(file, "abc", 3, st());
    TF_CloseWritableFile(file, st());
    TF_FileStat(name, &stats, st());
    OK();
    CHECK(stats.length == 3 && !stats.is_directory);
    TF_DeleteFile(name, st());
    TF_FileStat(name, &stats, st());
    FAILS(TF_NOT_FOUND, name);
    free(name);
    TF_ThreadOptions options;
    int count = 0;
    TF_DefaultThreadOptions(&options);
    TF_JoinThread(TF_StartThread(&options, "one", add_one, &count));
    CHECK_EQ(count, 1);
    CHECK(TF_NowMicros() > 0);
}

static float eager(TFE_Context *ctx, const char *type, TFE_TensorHandle *a, TFE_TensorHandle *b)
{
    TFE_Op *call = TFE_NewOp(ctx, type, st());
    TFE_TensorHandle *result = NULL;
    int count = 1;
    TFE_OpAddInput(call, a, st());
    if (b)
        TFE_OpAddInput(call, b, st());
    TFE_Execute(call, &result, &count, st());
    TFE_DeleteOp(call);
    if (TF_GetCode(st()) != TF_OK)
        return NAN;
    TF_Tensor *tensor = TFE_TensorHandleResolve(result, st());
    float number = value(tensor);
    TF_DeleteTensor(tensor);
    TFE_DeleteTensorHandle(result);
    return number;
}

TEST(eager_ops_run_at_once)
{
    TFE_ContextOptions *o = TFE_NewContextOptions();
    TFE_Context *ctx = TFE_NewContext(o, st());
    OK();
    TFE_DeleteContextOptions(o);
    TF_Tensor *t = scalar(3);
    TFE_TensorHandle *h = TFE_NewTensorHandle(t, st());
    CHECK_EQ(TFE_TensorHandleNumDims(h, st()), 0);
    CHECK_STR(TFE_TensorHandleDeviceName(h, st()), "/job:localhost/replica:0/task:0/device:CPU:0");
    CHECK_NEAR(eager(ctx, "Square", h, NULL), 9, 0);
    CHECK_NEAR(eager(ctx, "AddV2", h, h), 6, 0);
    eager(ctx, "AddV2", h, NULL);
    FAILS(TF_INVALID_ARGUMENT, "1 inputs specified of 2 inputs in Op");
    CHECK(!TFE_NewOp(ctx, "Zork", st()));
    FAILS(TF_NOT_FOUND,
          "'Zork' is neither a type of a primitive operation nor a name of a function");
    TF_Function *f = negate();
    TFE_ContextAddFunction(ctx, f, st());
    CHECK(TFE_ContextHasFunction(ctx, "Negate"));
    CHECK_NEAR(eager(ctx, "Negate", h, NULL), -3, 0);
    OK();
    TF_DeleteFunction(f);
    TFE_DeleteTensorHandle(h);
    TF_DeleteTensor(t);
    TFE_DeleteContext(ctx);
}

TEST(eager_calls_are_cancelled)
{
    TFE_ContextOptions *o = TFE_NewContextOptions();
    TFE_Context *ctx = TFE_NewContext(o, st());
    TFE_CancellationManager *m = TFE_NewCancellationManager();
    int calls = 0, count = 1;
    float v = 3;
    TFE_CancelCallback callback = {add_one, &calls};
    TFE_CancellationToken kept = TFE_CancellationManagerGetToken(m);
    TFE_CancellationToken dropped = TFE_CancellationManagerGetToken(m);
    CHECK(TFE_CancellationManagerRegisterCallback(m, kept, &callback, "kept"));
    CHECK(TFE_CancellationManagerRegisterCallback(m, dropped, &callback, "dropped"));
    CHECK(TFE_CancellationManagerDeregisterCallback(m, dropped));
    TFE_CancellationManagerStartCancel(m);
    CHECK(TFE_CancellationManagerIsCancelled(m) && !TFE_CancellationManagerIsCancelling(m));
    CHECK_EQ(calls, 1);
    CHECK(!TFE_CancellationManagerRegisterCallback(m, dropped, &callback, "late"));

    TFE_TensorHandle *h = TFE_NewTensorHandleFromScalar(TF_FLOAT, &v, sizeof v, st()), *y = NULL;
    TFE_Op *call = TFE_NewOp(ctx, "Neg", st());
    TFE_OpAddInput(call, h, st());
    TFE_OpSetCancellationManager(call, m, st());
    TFE_Execute(call, &y, &count, st());
    CHECK_EQ(TF_GetCode(st()), TF_CANCELLED);
    TFE_DeleteOp(call);
    TFE_DeleteTensorHandle(h);
    TFE_DeleteCancellationManager(m);
    TFE_DeleteContext(ctx);
    TFE_DeleteContextOptions(o);
}

TEST(eager_variables_keep_their_values)
{
    TFE_ContextOptions *o = TFE_NewContextOptions();
    TFE_Context *ctx = TFE_NewContext(o, st());
    TFE_DeleteContextOptions(o);
    TFE_TensorHandle *vars[2];
    for (int i = 0; i < 2; i++) {
        int count = 1;
        TFE_Op *make = TFE_NewOp(ctx, "VarHandleOp", st());
        TFE_OpSetAttrType(make, "dtype", TF_FLOAT);
        TFE_OpSetAttrShape(make, "shape", NULL, 0, st());
        TFE_Execute(make, &vars[i], &count, st());
        OK();
        TFE_DeleteOp(make);
        TF_Tensor *t = scalar(10 + i);
        TFE_TensorHandle *v = TFE_NewTensorHandle(t, st());
        TFE_Op *assign = TFE_NewOp(ctx, "AssignVariableOp", st());
        TFE_OpAddInput(assign, vars[i], st());
        TFE_OpAddInput(assign, v, st());
        TFE_OpSetAttrType(assign, "dtype", TF_FLOAT);
        count = 0;
        TFE_Execute(assign, NULL, &count, st());
        OK();
        TFE_DeleteOp(assign);
        TFE_DeleteTensorHandle(v);
        TF_DeleteTensor(t);
    }
    for (int i = 0; i < 2; i++) {
        int count = 1;
        TFE_TensorHandle *v = NULL;
        TFE_Op *read = TFE_NewOp(ctx, "ReadVariableOp", st());
        TFE_OpAddInput(read, vars[i], st());
        TFE_OpSetAttrType(read, "dtype", TF_FLOAT);
        TFE_Execute(read, &v, &count, st());
        OK();
        TF_Tensor *t = TFE_TensorHandleResolve(v, st());
        CHECK_NEAR(value(t), 10 + i, 0);
        TF_DeleteTensor(t);
        TFE_DeleteTensorHandle(v);
        TFE_DeleteTensorHandle(vars[i]);
        TFE_DeleteOp(read);
    }
    TFE_DeleteContext(ctx);
}

/* ---- many threads ---------------------------------------------------------------------------- */

typedef struct shared {
    TF_Graph *graph;
    TF_Session *session;
    TFE_Context *context;
    TF_Output x;
    int index;
    float sum;
} shared;

/* Adds nodes to the one graph and runs them in the one session, with a status of its own. */
static void grow_and_run(void *arg)
{
    shared *shared = arg;
    TF_Status *mine = TF_NewStatus();
    for (int i = 0; i < 20; i++) {
        char name[32];
        snprintf(name, sizeof name, "node_%d_%d", shared->index, i);
        TF_OperationDescription *description = TF_NewOperation(shared->graph, "Neg", name);
        TF_AddInput(description, shared->x);
        TF_Output y = out(TF_FinishOperation(description, mine), 0);
        TF_Tensor *in = scalar((float)i), *result = NULL;
        TF_SessionRun(shared->session, NULL, &shared->x, &in, 1, &y, &result, 1, NULL, 0, NULL,
                      mine);
        shared->sum += value(result);
        TF_DeleteTensor(in);
        TF_DeleteTensor(result);
    }
    TF_DeleteStatus(mine);
}

static void run_eagerly(void *arg)
{
    shared *shared = arg;
    TF_Status *mine = TF_NewStatus();
    for (int i = 0; i < 20; i++) {
        float number = (float)i;
        TFE_TensorHandle *handle =
                             TFE_NewTensorHandleFromScalar(TF_FLOAT, &number, sizeof number, mine),
                         *tensor_handle = NULL;
        TFE_Op *call = TFE_NewOp(shared->context, shared->index % 2 ? "Neg" : "Identity", mine);
        int count = 1;
        TFE_OpAddInput(call, handle, mine);
        TFE_Execute(call, &tensor_handle, &count, mine);
        TF_Tensor *tensor = TFE_TensorHandleResolve(tensor_handle, mine);
        shared->sum += value(tensor);
        TF_DeleteTensor(tensor);
        TFE_DeleteTensorHandle(tensor_handle);
        TFE_DeleteTensorHandle(handle);
        TFE_DeleteOp(call);
    }
    TF_DeleteStatus(mine);
}

enum { THREADS = 4 };

static void in_threads(void (*work)(void *), const shared *common, float sums[THREADS])
{
    TF_Thread *threads[THREADS];
    shared of[THREADS];
    TF_ThreadOptions options;
    TF_DefaultThreadOptions(&options);
    for (int i = 0; i < THREADS; i++) {
        of[i] = *common;
        of[i].index = i;
        threads[i] = TF_StartThread(&options, "worker", work, &of[i]);
    }
    for (int i = 0; i < THREADS; i++) {
        TF_JoinThread(threads[i]);
        sums[i] = of[i].sum;
    }
}

TEST(threads_share_a_graph_and_a_session)
{
    shared common = {.graph = TF_NewGraph()};
    float sums[THREADS];
    common.x = out(placeholder(common.graph, "x", TF_FLOAT), 0);
    common.session = session(common.graph);
    in_threads(grow_and_run, &common, sums);
    for (int i = 0; i < THREADS; i++)
        CHECK_NEAR(sums[i], -190, 0);
    end(common.session, common.graph);
}

TEST(threads_share_an_eager_context)
{
    TFE_ContextOptions *o = TFE_NewContextOptions();
    shared common = {.context = TFE_NewContext(o, st())};
    float sums[THREADS];
    in_threads(run_eagerly, &common, sums);
    for (int i = 0; i < THREADS; i++)
        CHECK_NEAR(sums[i], i % 2 ? -190 : 190, 0);
    TFE_DeleteContext(common.context);
    TFE_DeleteContextOptions(o);
}

TEST_MAIN()
