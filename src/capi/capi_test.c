/* capi/capi_test.c - the C API as a client uses it: tensors, graphs, sessions. */
#include <stdlib.h>

#include "capi/test_capi.h"
#include "weir/embed.h"

/* ---- statuses, buffers, tensors -------------------------------------------------------------- */

static void count_payload(const char *key, const char *value, void *capture)
{
    CHECK_STR(key, "k");
    CHECK_STR(value, "v");
    ++*(int *)capture;
}

TEST(status_holds_code_message_and_payloads)
{
    TF_Status *s = TF_NewStatus();
    int payloads = 0;
    CHECK_EQ(TF_GetCode(s), TF_OK);
    CHECK_STR(TF_Message(s), "");
    TF_SetStatus(s, TF_NOT_FOUND, "where is it");
    TF_SetStatus(s, TF_CANCELLED, TF_Message(s) + 6);
    CHECK_STR(TF_Message(s), "is it");
    TF_SetPayload(s, "k", "u");
    TF_SetPayload(s, "k", "v");
    TF_ForEachPayload(s, count_payload, &payloads);
    CHECK_EQ(payloads, 1);
    TF_SetStatusFromIOError(s, 2, "some/file");
    CHECK_EQ(TF_GetCode(s), TF_NOT_FOUND);
    CHECK(strstr(TF_Message(s), "some/file"));
    TF_DeleteStatus(s);
}

static void count_call(void *data, size_t length, void *arg)
{
    ++*(int *)arg;
}

TEST(tensors_take_over_or_copy)
{
    _Alignas(64) char bytes[128];
    int64_t dims[] = {2, 3};
    int calls = 0;
    TF_Tensor *t = TF_NewTensor(TF_FLOAT, dims, 2, bytes, 24, count_call, &calls);
    CHECK(TF_TensorData(t) == bytes);
    CHECK_EQ(calls, 0);
    CHECK_EQ(TF_Dim(t, 1), 3);
    CHECK_EQ(TF_Dim(t, 7), -1);
    CHECK_EQ(TF_TensorElementCount(t), 6);
    CHECK(!TF_TensorMaybeMove(t));
    TF_DeleteTensor(t);
    CHECK_EQ(calls, 1);

    t = TF_NewTensor(TF_FLOAT, dims, 2, bytes + 4, 24, count_call, &calls);
    CHECK(TF_TensorData(t) != bytes + 4 && TF_TensorIsAligned(t));
    CHECK_EQ(calls, 2);
    TF_DeleteTensor(t);

    CHECK(!TF_NewTensor(TF_FLOAT, dims, 2, bytes, 20, count_call, &calls));
    CHECK_EQ(calls, 3);
    CHECK(!TF_AllocateTensor(TF_FLOAT, dims, 2, 20));
    CHECK(!TF_AllocateTensor((TF_DataType)77, dims, 2, 999));
    CHECK(!TF_AllocateTensor(TF_FLOAT, (int64_t[]){-3}, 1, 999));
}

TEST(lent_memory_is_read_where_it_is)
{
    _Alignas(64) char bytes[128];
    int64_t dims[] = {2, 3};
    int calls = 0;
    TF_Tensor *t = weir_lend_tensor(TF_FLOAT, dims, 2, bytes + 4, 24, count_call, &calls);
    CHECK(TF_TensorData(t) == bytes + 4 && !TF_TensorMaybeMove(t));
    CHECK_EQ(calls, 0);
    TF_DeleteTensor(t);
    CHECK_EQ(calls, 1);

    t = weir_lend_tensor(TF_FLOAT, dims, 2, bytes + 2, 24, count_call, &calls);
    CHECK(TF_TensorData(t) != bytes + 2 && TF_TensorIsAligned(t));
    CHECK_EQ(calls, 2);
    TF_DeleteTensor(t);

    CHECK(!weir_lend_tensor(TF_FLOAT, dims, 2, bytes, 20, count_call, &calls));
    CHECK(!weir_lend_tensor(TF_STRING, dims, 2, bytes, 20, count_call, &calls));
    CHECK_EQ(calls, 4);
}

TEST(tensors_bitcast_to_the_same_size)
{
    TF_Tensor *from = scalar(1), *to = scalar(2);
    TF_TensorBitcastFrom(from, TF_INT32, to, NULL, 0, st());
    OK();
    CHECK_EQ(*(int32_t *)TF_TensorData(to), 0x3f800000);
    TF_TensorBitcastFrom(from, TF_DOUBLE, to, NULL, 0, st());
    FAILS(TF_INVALID_ARGUMENT, "not compatible");
    TF_DeleteTensor(from);
    TF_DeleteTensor(to);
}

TEST(strings_in_every_form)
{
    static const char text[] = "a string that is too long for the struct";
    TF_TString s;
    TF_StringInit(&s);
    CHECK_EQ(TF_StringGetSize(&s), 0);
    TF_StringCopy(&s, "short", 5);
    CHECK_EQ(TF_StringGetType(&s), TF_TSTR_SMALL);
    TF_StringCopy(&s, text, sizeof text - 1);
    CHECK_EQ(TF_StringGetType(&s), TF_TSTR_LARGE);
    CHECK_STR(TF_StringGetDataPointer(&s), text);
    TF_TString_AppendN(&s, "!", 1);
    CHECK_EQ(TF_StringGetSize(&s), sizeof text);
    TF_StringAssignView(&s, text, 8);
    CHECK_EQ(TF_StringGetType(&s), TF_TSTR_VIEW);
    CHECK_EQ(TF_StringGetCapacity(&s), 0);
    TF_TString_GetMutableDataPointer(&s)[0] = 'A';
    CHECK_STR(TF_StringGetDataPointer(&s), "A string");
    TF_StringDealloc(&s);
}

/* ---- graphs and attrs ------------------------------------------------------------------------ */

TEST(nodes_are_checked_when_finished)
{
    TF_Graph *g = TF_NewGraph();
    TF_Operation *a = constant(g, "a", scalar(1));
    CHECK(a && !TF_FinishOperation(TF_NewOperation(g, "NoSuchOp", "x"), st()));
    FAILS(TF_INVALID_ARGUMENT, "Op type not registered 'NoSuchOp'");
    CHECK(!TF_FinishOperation(TF_NewOperation(g, "NoOp", "a"), st()));
    FAILS(TF_INVALID_ARGUMENT, "Duplicate node name in graph: 'a'");
    CHECK(!op(g, "AddV2", "x", out(a, 0), none));
    FAILS(TF_INVALID_ARGUMENT, "1 inputs specified of 2 inputs in Op");
    CHECK(!op(g, "Neg", "x", out(a, 3), none));
    FAILS(TF_INVALID_ARGUMENT, "Attempt to add output 3 of a not in range [0, 1)");
    CHECK(!op(g, "AddV2", "x", out(a, 0), out(placeholder(g, "i", TF_INT32), 0)));
    FAILS(TF_INVALID_ARGUMENT, "Inconsistent values for attr 'T' DT_FLOAT vs. DT_INT32");
    CHECK(!op(g, "AddN", "x", out(a, 0), none));
    FAILS(TF_INVALID_ARGUMENT, "Single tensor passed to 'inputs', expected list");
    TF_DeleteGraph(g);
}

TEST(nodes_know_their_neighbours)
{
    TF_Graph *g = TF_NewGraph();
    TF_Operation *a = constant(g, "a", scalar(1)), *found;
    TF_OperationDescription *d = TF_NewOperation(g, "AddN", "sum");
    TF_Output inputs[] = {out(a, 0), out(a, 0)}, back[2];
    TF_Input uses[4];
    size_t pos = 0;
    int nodes = 0;
    TF_AddInputList(d, inputs, 2);
    TF_AddControlInput(d, a);
    TF_SetDevice(d, "/device:CPU:0");
    TF_ColocateWith(d, a);
    TF_Operation *sum = TF_FinishOperation(d, st());
    OK();
    CHECK_STR(TF_OperationName(sum), "sum");
    CHECK_STR(TF_OperationOpType(sum), "AddN");
    CHECK_STR(TF_OperationDevice(sum), "/device:CPU:0");
    CHECK_EQ(TF_OperationNumInputs(sum), 2);
    CHECK_EQ(TF_OperationInputListLength(sum, "inputs", st()), 2);
    CHECK_EQ(TF_OperationOutputListLength(sum, "sum", st()), 1);
    CHECK_EQ(TF_OperationInputListLength(sum, "zz", st()), -1);
    FAILS(TF_INVALID_ARGUMENT, "Input arg 'zz' not found");
    TF_OperationAllInputs(sum, back, 2);
    CHECK(back[1].oper == a && back[1].index == 0);
    CHECK(TF_OperationInput((TF_Input){sum, 0}).oper == a);
    CHECK_EQ(TF_OperationOutputNumConsumers(out(a, 0)), 2);
    CHECK_EQ(TF_OperationOutputConsumers(out(a, 0), uses, 4), 2);
    CHECK(uses[0].oper == sum && uses[1].oper == sum && uses[0].index != uses[1].index);
    CHECK_EQ(TF_OperationNumControlInputs(sum), 1);
    CHECK_EQ(TF_OperationGetControlOutputs(a, &found, 1), 1);
    CHECK(found == sum);
    CHECK(TF_GraphOperationByName(g, "sum") == sum && !TF_GraphOperationByName(g, "no"));
    while (TF_GraphNextOperation(g, &pos))
        nodes++;
    CHECK_EQ(nodes, 2);
    TF_DeleteGraph(g);
}

TEST(attrs_of_every_kind_come_back)
{
    TF_Graph *g = TF_NewGraph();
    TF_Operation *x = placeholder(g, "x", TF_FLOAT);
    int64_t ksize[] = {1, 2, 3, 1}, ints[4], dims[] = {2, -1}, got_dims[4];
    char text[16] = {0};
    TF_OperationDescription *d = TF_NewOperation(g, "MaxPool", "pool");
    TF_AddInput(d, out(x, 0));
    TF_SetAttrIntList(d, "ksize", ksize, 4);
    TF_SetAttrIntList(d, "strides", ksize, 4);
    TF_SetAttrString(d, "padding", "SAME", 4);
    TF_SetAttrFloat(d, "_f", 0.5f);
    TF_SetAttrBoolList(d, "_bs", (unsigned char[]){1, 0, 1}, 3);
    TF_SetAttrShapeList(d, "_shapes", (const int64_t *const[]){dims, NULL}, (int[]){2, -1}, 2);
    TF_SetAttrStringList(d, "_ss", (const void *const[]){"ab", "cde"}, (size_t[]){2, 3}, 2);
    TF_SetAttrFuncName(d, "_func", "f", 1);
    TF_Tensor *t = scalar(5), *back = NULL;
    TF_SetAttrTensor(d, "_t", t, st());
    *(float *)TF_TensorData(t) = 6; /* the attr keeps its value */
    TF_DeleteTensor(t);
    TF_Operation *pool = TF_FinishOperation(d, st());
    OK();

    TF_AttrMetadata m = TF_OperationGetAttrMetadata(pool, "ksize", st());
    CHECK(m.is_list && m.list_size == 4 && m.type == TF_ATTR_INT && m.total_size == -1);
    m = TF_OperationGetAttrMetadata(pool, "explicit_paddings", st());
    CHECK(m.is_list && m.list_size == 0 && m.type == TF_ATTR_INT);
    m = TF_OperationGetAttrMetadata(pool, "padding", st());
    CHECK(!m.is_list && m.list_size == -1 && m.type == TF_ATTR_STRING && m.total_size == 4);
    m = TF_OperationGetAttrMetadata(pool, "_ss", st());
    CHECK(m.list_size == 2 && m.total_size == 5);
    m = TF_OperationGetAttrMetadata(pool, "_shapes", st());
    CHECK(m.list_size == 2 && m.type == TF_ATTR_SHAPE && m.total_size == 2);
    CHECK_EQ(TF_OperationGetAttrMetadata(pool, "_func", st()).type, TF_ATTR_FUNC);
    TF_OperationGetAttrMetadata(pool, "zzz", st());
    FAILS(TF_INVALID_ARGUMENT, "Operation 'pool' has no attr named 'zzz'.");

    TF_OperationGetAttrIntList(pool, "ksize", ints, 4, st());
    CHECK_EQ(ints[2], 3);
    TF_OperationGetAttrString(pool, "padding", text, sizeof text, st());
    CHECK_STR(text, "SAME");
    float f = 0;
    TF_OperationGetAttrFloat(pool, "_f", &f, st());
    CHECK_NEAR(f, 0.5, 0);
    unsigned char bools[3] = {0};
    TF_OperationGetAttrBoolList(pool, "_bs", bools, 3, st());
    CHECK(bools[0] && !bools[1] && bools[2]);
    TF_OperationGetAttrTensor(pool, "_t", &back, st());
    CHECK_NEAR(value(back), 5, 0);
    TF_DeleteTensor(back);

    int64_t *shapes[2];
    int ranks[2];
    TF_OperationGetAttrShapeList(pool, "_shapes", shapes, ranks, 2, got_dims, 4, st());
    OK();
    CHECK(ranks[0] == 2 && ranks[1] == -1 && shapes[0][1] == -1);
    TF_OperationGetAttrShapeList(pool, "_shapes", shapes, ranks, 2, got_dims, 1, st());
    FAILS(TF_INVALID_ARGUMENT, "Not enough storage");
    void *strings[2];
    size_t lengths[2];
    TF_OperationGetAttrStringList(pool, "_ss", strings, lengths, 2, text, sizeof text, st());
    CHECK(lengths[1] == 3 && memcmp(strings[1], "cde", 3) == 0);
    TF_OperationGetAttrInt(pool, "padding", ints, st());
    FAILS(TF_INVALID_ARGUMENT, "AttrValue had value with type 'string' when 'int' expected");
    TF_OperationGetAttrIntList(pool, "padding", ints, 4, st());
    FAILS(TF_INVALID_ARGUMENT, "Value for 'padding' is not a list.");

    TF_Buffer *proto = TF_NewBuffer();
    TF_OperationGetAttrValueProto(pool, "ksize", proto, st());
    OK();
    TF_OperationToNodeDef(pool, proto, st());
    FAILS(TF_INVALID_ARGUMENT, "Passing non-empty TF_Buffer is invalid.");
    TF_DeleteBuffer(proto);
    TF_DeleteGraph(g);
}

TEST(shapes_are_merged)
{
    TF_Graph *g = TF_NewGraph();
    TF_Output x = out(placeholder(g, "x", TF_FLOAT), 0);
    int64_t dims[2];
    CHECK_EQ(TF_GraphGetTensorNumDims(g, x, st()), -1);
    OK();
    TF_GraphSetTensorShape(g, x, (int64_t[]){2, -1}, 2, st());
    TF_GraphSetTensorShape(g, x, (int64_t[]){-1, 3}, 2, st());
    OK();
    TF_GraphGetTensorShape(g, x, dims, 2, st());
    CHECK(dims[0] == 2 && dims[1] == 3);
    TF_GraphGetTensorShape(g, x, dims, 1, st());
    FAILS(TF_INVALID_ARGUMENT, "Expected rank is 1 but actual rank is 2");
    TF_GraphSetTensorShape(g, x, (int64_t[]){5, 3}, 2, st());
    FAILS(TF_INVALID_ARGUMENT, "Dimension 0 in both shapes must be equal, but are 2 and 5");
    TF_DeleteGraph(g);
}

TEST(graphs_go_out_and_in)
{
    TF_Graph *g = TF_NewGraph(), *h = TF_NewGraph();
    TF_Output x = out(placeholder(g, "x", TF_FLOAT), 0);
    op(g, "Neg", "y", x, none);
    TF_Buffer *def = TF_NewBuffer(), *versions = TF_NewBuffer(), *op_def = TF_NewBuffer();
    TF_GraphToGraphDef(g, def, st());
    OK();
    TF_Operation *outer = placeholder(h, "outer", TF_FLOAT);
    TF_ImportGraphDefOptions *o = TF_NewImportGraphDefOptions();
    TF_ImportGraphDefOptionsSetPrefix(o, "in");
    TF_ImportGraphDefOptionsAddInputMapping(o, "x", 0, out(outer, 0));
    TF_ImportGraphDefOptionsAddInputMapping(o, "zork", 0, out(outer, 0));
    TF_ImportGraphDefOptionsAddReturnOutput(o, "y", 0);
    TF_ImportGraphDefOptionsAddReturnOperation(o, "y");
    TF_ImportGraphDefResults *r = TF_GraphImportGraphDefWithResults(h, def, o, st());
    OK();
    int count, *indexes;
    TF_Output *outputs;
    TF_Operation **nodes;
    const char **names;
    TF_ImportGraphDefResultsReturnOutputs(r, &count, &outputs);
    CHECK_EQ(count, 1);
    CHECK_STR(TF_OperationName(outputs[0].oper), "in/y");
    CHECK(TF_OperationInput((TF_Input){outputs[0].oper, 0}).oper == outer);
    TF_ImportGraphDefResultsReturnOperations(r, &count, &nodes);
    CHECK(count == 1 && nodes[0] == outputs[0].oper);
    TF_ImportGraphDefResultsMissingUnusedInputMappings(r, &count, &names, &indexes);
    CHECK_EQ(count, 1);
    CHECK_STR(names[0], "zork");
    TF_DeleteImportGraphDefResults(r);
    TF_DeleteImportGraphDefOptions(o);

    o = TF_NewImportGraphDefOptions();
    TF_GraphImportGraphDef(g, def, o, st());
    FAILS(TF_INVALID_ARGUMENT, "Node name 'x' already exists in the Graph");
    TF_Buffer *bad = TF_NewBufferFromString("\x0a\x05hello", 7);
    TF_GraphImportGraphDef(g, bad, o, st());
    FAILS(TF_INVALID_ARGUMENT, "Invalid GraphDef");
    TF_GraphVersions(g, versions, st());
    CHECK(versions->length > 0);
    TF_GraphGetOpDef(g, "Neg", op_def, st());
    OK();
    TF_DeleteImportGraphDefOptions(o);
    TF_DeleteBuffer(bad);
    TF_DeleteBuffer(def);
    TF_DeleteBuffer(versions);
    TF_DeleteBuffer(op_def);
    TF_DeleteGraph(g);
    TF_DeleteGraph(h);
}

/* ---- sessions -------------------------------------------------------------------------------- */

TEST(sessions_answer_bad_calls)
{
    TF_Graph *g = TF_NewGraph();
    TF_Output x = out(placeholder(g, "x", TF_FLOAT), 0);
    TF_Output y = out(op(g, "Neg", "y", x, none), 0);
    TF_Session *s = session(g);
    TF_Tensor *result = (TF_Tensor *)1;
    TF_SessionRun(s, NULL, NULL, NULL, 0, &y, &result, 1, NULL, 0, NULL, st());
    FAILS(TF_INVALID_ARGUMENT, "You must feed a value for placeholder tensor 'x' with dtype float");
    CHECK(!result);
    run(s, x, 1, out(y.oper, 5));
    FAILS(TF_OUT_OF_RANGE, "Node 'y' (type: 'Neg', num of outputs: 1) does not have output 5");
    TF_SessionRun(s, NULL, NULL, NULL, 0, NULL, NULL, 0, NULL, 0, NULL, st());
    FAILS(TF_INVALID_ARGUMENT, "Must specify at least one target to fetch or execute.");
    TF_Buffer *bad = TF_NewBufferFromString("\xff\xff", 2);
    TF_SessionRun(s, bad, NULL, NULL, 0, &x, &result, 1, NULL, 0, NULL, st());
    FAILS(TF_INVALID_ARGUMENT, "Unparseable RunOptions proto");
    CHECK_NEAR(run(s, x, 2, y), -2, 0); /* the session still works */
    TF_CloseSession(s, st());
    run(s, x, 2, y);
    FAILS(TF_CANCELLED, "Session has been closed.");
    TF_DeleteBuffer(bad);
    TF_DeleteGraph(g); /* before its session */
    TF_DeleteSession(s, st());
    OK();
}

TEST(sessions_follow_a_growing_graph)
{
    TF_Graph *g = TF_NewGraph();
    TF_Output x = out(placeholder(g, "x", TF_FLOAT), 0);
    TF_Session *s = session(g), *other = session(g);
    TF_Output y = out(op(g, "Neg", "y", x, none), 0);
    CHECK_NEAR(run(s, x, 2, y), -2, 0);
    TF_Output z = out(op(g, "Square", "z", y, none), 0);
    CHECK_NEAR(run(s, x, 2, z), 4, 0);
    CHECK_NEAR(run(other, y, 3, z), 9, 0);
    TF_DeleteSession(other, st());
    end(s, g);
}

/* As in TensorFlow, a placeholder's shape does not restrict its feeds. */
TEST(feeds_may_have_other_shapes)
{
    TF_Graph *g = TF_NewGraph();
    TF_Output x = out(placeholder(g, "x", TF_FLOAT), 0);
    TF_GraphSetTensorShape(g, x, (int64_t[]){-1, 1}, 2, st());
    TF_Output y = out(op(g, "Shape", "y", x, none), 0);
    TF_Session *s = session(g);
    TF_Tensor *in = tensor(TF_FLOAT, (int64_t[]){3}, 1, (float[]){1, 2, 3}, 12), *result = NULL;
    TF_SessionRun(s, NULL, &x, &in, 1, &y, &result, 1, NULL, 0, NULL, st());
    OK();
    CHECK(result && TF_TensorElementCount(result) == 1);
    CHECK(result && *(int32_t *)TF_TensorData(result) == 3);
    TF_DeleteTensor(in);
    TF_DeleteTensor(result);
    end(s, g);
}

TEST(partial_runs)
{
    TF_Graph *g = TF_NewGraph();
    TF_Output a = out(placeholder(g, "a", TF_FLOAT), 0), b = out(placeholder(g, "b", TF_FLOAT), 0);
    TF_Output two = out(constant(g, "two", scalar(2)), 0);
    TF_Output plus2 = out(op(g, "AddV2", "plus2", a, two), 0);
    TF_Output plusb = out(op(g, "AddV2", "plusb", plus2, b), 0);
    TF_Session *s = session(g);
    const char *handle = NULL;
    TF_SessionPRunSetup(s, (TF_Output[]){a, b}, 2, (TF_Output[]){plus2, plusb}, 2, NULL, 0, &handle,
                        st());
    OK();
    TF_Tensor *one = scalar(1), *four = scalar(4), *result = NULL;
    TF_SessionPRun(s, handle, &a, &one, 1, &plus2, &result, 1, NULL, 0, st());
    OK();
    CHECK_NEAR(value(result), 3, 0);
    TF_DeleteTensor(result);
    TF_SessionPRun(s, handle, &b, &four, 1, &plusb, &result, 1, NULL, 0, st());
    OK();
    CHECK_NEAR(value(result), 7, 0);
    TF_DeleteTensor(result);
    TF_DeletePRunHandle(handle);
    TF_SessionPRun(s, "bogus", &b, &four, 1, &plusb, &result, 1, NULL, 0, st());
    FAILS(TF_INVALID_ARGUMENT, "Must run 'setup' before performing partial runs!");
    TF_DeleteTensor(one);
    TF_DeleteTensor(four);
    end(s, g);
}

TEST(sessions_by_names)
{
    TF_Graph *g = TF_NewGraph(), *more = TF_NewGraph();
    TF_Buffer *def = TF_NewBuffer();
    TF_Output x = out(placeholder(g, "x", TF_FLOAT), 0);
    op(g, "Neg", "y", x, none);
    TF_GraphToGraphDef(g, def, st());
    TF_SessionOptions *o = TF_NewSessionOptions();
    TF_DeprecatedSession *s = TF_NewDeprecatedSession(o, st());
    const char *in = "x:0", *fetch = "y:0", *target = "zork";
    TF_Tensor *two = scalar(2), *result = NULL;
    TF_Run(s, NULL, &in, &two, 1, &fetch, &result, 1, NULL, 0, NULL, st());
    FAILS(TF_INVALID_ARGUMENT, "Session was not created with a graph before Run()!");
    TF_ExtendGraph(s, def->data, def->length, st());
    TF_Run(s, NULL, &in, &two, 1, &fetch, &result, 1, NULL, 0, NULL, st());
    OK();
    CHECK_NEAR(value(result), -2, 0);
    TF_DeleteTensor(result);
    TF_Run(s, NULL, NULL, NULL, 0, NULL, NULL, 0, &target, 1, NULL, st());
    FAILS(TF_NOT_FOUND, "zork");
    TF_ExtendGraph(s, def->data, def->length, st());
    FAILS(TF_INVALID_ARGUMENT, "GraphDef argument to Extend includes node");
    TF_DeleteDeprecatedSession(s, st());
    TF_DeleteSessionOptions(o);
    TF_DeleteTensor(two);
    TF_DeleteBuffer(def);
    TF_DeleteGraph(g);
    TF_DeleteGraph(more);
}

TEST(options_and_devices)
{
    TF_Graph *g = TF_NewGraph();
    TF_SessionOptions *o = TF_NewSessionOptions();
    TF_SetConfig(o, "\xff\xff", 2, st());
    FAILS(TF_INVALID_ARGUMENT, "Unparseable ConfigProto");
    TF_Buffer *config = TF_CreateConfig(0, 1, 2);
    TF_SetConfig(o, config->data, config->length, st());
    OK();
    TF_Session *s = TF_NewSession(g, o, st());
    TF_DeviceList *list = TF_SessionListDevices(s, st());
    CHECK_EQ(TF_DeviceListCount(list), 2);
    CHECK_STR(TF_DeviceListName(list, 1, st()), "/job:localhost/replica:0/task:0/device:CPU:1");
    CHECK_STR(TF_DeviceListType(list, 0, st()), "CPU");
    CHECK_EQ(TF_DeviceListMemoryBytes(list, 0, st()), 268435456);
    TF_DeviceListName(list, 9, st());
    FAILS(TF_INVALID_ARGUMENT, "index out of bounds");
    TF_DeleteDeviceList(list);
    TF_SetTarget(o, "nowhere://");
    CHECK(!TF_NewSession(g, o, st()));
    FAILS(TF_NOT_FOUND, "No session factory registered");
    TF_DeleteBuffer(config);
    TF_DeleteSessionOptions(o);
    end(s, g);
}

TEST(saved_models_that_are_not_there)
{
    TF_SessionOptions *o = TF_NewSessionOptions();
    TF_Graph *g = TF_NewGraph();
    const char *tag = "serve";
    CHECK(!TF_LoadSessionFromSavedModel(o, NULL, "/no/such/folder", &tag, 1, g, NULL, st()));
    FAILS(TF_NOT_FOUND,
          "Could not find SavedModel .pb or .pbtxt at supplied export directory path");
    constant(g, "a", scalar(1));
    CHECK(!TF_LoadSessionFromSavedModel(o, NULL, "/no/such/folder", &tag, 1, g, NULL, st()));
    FAILS(TF_INVALID_ARGUMENT, "Graph is non-empty.");
    TF_DeleteSessionOptions(o);
    TF_DeleteGraph(g);
}

TEST_MAIN()
