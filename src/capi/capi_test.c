/* capi_test.c - the C API as a client uses it. */
#include <stdlib.h>

#include "base/test.h"
#include "tensorflow/c/c_api.h"
#include "tensorflow/c/c_api_experimental.h"
#include "tensorflow/c/eager/c_api_experimental.h"
#include "tensorflow/c/env.h"

static TF_Status *status; /* of every call; made on first use */

static TF_Status *st(void)
{
    if (!status)
        status = TF_NewStatus();
    return status;
}

#define OK() CHECK_MSG(TF_GetCode(st()) == TF_OK, "code %d: %s", TF_GetCode(st()), TF_Message(st()))
#define FAILS(code, text)                                                                          \
    CHECK_MSG(TF_GetCode(st()) == (code) && strstr(TF_Message(st()), (text)), "code %d: %s",       \
              TF_GetCode(st()), TF_Message(st()))

/* ---- helpers --------------------------------------------------------------------------------- */

static TF_Tensor *tensor(TF_DataType dtype, const int64_t *dims, int rank, const void *data,
                         size_t bytes)
{
    TF_Tensor *value = TF_AllocateTensor(dtype, dims, rank, bytes);
    memcpy(TF_TensorData(value), data, bytes);
    return value;
}

static TF_Tensor *scalar(float value)
{
    return tensor(TF_FLOAT, NULL, 0, &value, sizeof value);
}

static float value(const TF_Tensor *tensor)
{
    return tensor ? *(float *)TF_TensorData(tensor) : NAN;
}

static TF_Output out(TF_Operation *op, int index)
{
    return (TF_Output){op, index};
}

static TF_Operation *placeholder(TF_Graph *graph, const char *name, TF_DataType dtype)
{
    TF_OperationDescription *description = TF_NewOperation(graph, "Placeholder", name);
    TF_SetAttrType(description, "dtype", dtype);
    return TF_FinishOperation(description, st());
}

static TF_Operation *constant(TF_Graph *graph, const char *name, TF_Tensor *tensor)
{
    TF_OperationDescription *description = TF_NewOperation(graph, "Const", name);
    TF_SetAttrTensor(description, "value", tensor, st());
    TF_SetAttrType(description, "dtype", TF_TensorType(tensor));
    TF_DeleteTensor(tensor);
    return TF_FinishOperation(description, st());
}

static TF_Operation *op(TF_Graph *graph, const char *type, const char *name, TF_Output a,
                        TF_Output b)
{
    TF_OperationDescription *description = TF_NewOperation(graph, type, name);
    TF_AddInput(description, a);
    if (b.oper)
        TF_AddInput(description, b);
    return TF_FinishOperation(description, st());
}

static const TF_Output none = {NULL, 0};

static TF_Session *session(TF_Graph *graph)
{
    TF_SessionOptions *options = TF_NewSessionOptions();
    TF_Session *s = TF_NewSession(graph, options, st());
    TF_DeleteSessionOptions(options);
    return s;
}

/* Feeds one float and fetches one. */
static float run(TF_Session *session, TF_Output feed, float x, TF_Output fetch)
{
    TF_Tensor *in = scalar(x), *result = NULL;
    TF_SessionRun(session, NULL, &feed, &in, feed.oper ? 1 : 0, &fetch, &result, 1, NULL, 0, NULL,
                  st());
    float y = value(result);
    TF_DeleteTensor(in);
    TF_DeleteTensor(result);
    return y;
}

static void end(TF_Session *session, TF_Graph *graph)
{
    TF_DeleteSession(session, st());
    TF_DeleteGraph(graph);
}

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
    *(float *)TF_TensorData(t) = 6; /* the attr keeps what it was given */
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

/* ---- functions, loops, gradients ------------------------------------------------------------- */

static TF_Function *negate(void)
{
    TF_Graph *body = TF_NewGraph();
    TF_Output x = out(placeholder(body, "Feed/X", TF_FLOAT), 0);
    TF_Output y = out(op(body, "Neg", "neg", x, none), 0);
    TF_Function *function =
        TF_GraphToFunction(body, "Negate", 0, -1, NULL, 1, &x, 1, &y, NULL, NULL, "minus", st());
    OK();
    TF_GraphToFunction(body, "Bad", 0, 1, (const TF_Operation *[]){y.oper}, 0, NULL, 1, &y, NULL,
                       NULL, NULL, st());
    FAILS(TF_INVALID_ARGUMENT, "Input 0, 'Feed/X:0', of node 'neg' in function 'Bad'");
    TF_DeleteGraph(body);
    return function;
}

TEST(functions_are_made_of_graphs)
{
    TF_Function *f = negate(), *copies[2];
    TF_Buffer *def = TF_NewBuffer(), *attr = TF_NewBuffer();
    CHECK_STR(TF_FunctionName(f), "Negate");
    TF_FunctionGetAttrValueProto(f, "a", attr, st());
    FAILS(TF_INVALID_ARGUMENT, "Function 'Negate' has no attr named 'a'.");
    TF_FunctionSetAttrValueProto(f, "a", "\x18\x05", 2, st());
    TF_FunctionSetAttrValueProto(f, "a", "\x18\x07", 2, st());
    TF_FunctionGetAttrValueProto(f, "a", attr, st());
    OK();
    CHECK(attr->length == 2 && ((const char *)attr->data)[1] == 7);
    TF_FunctionToFunctionDef(f, def, st());
    TF_Function *again = TF_FunctionImportFunctionDef(def->data, def->length, st());
    OK();
    CHECK_STR(TF_FunctionName(again), "Negate");

    TF_Graph *g = TF_NewGraph();
    TF_GraphCopyFunction(g, f, NULL, st());
    TF_GraphCopyFunction(g, again, NULL, st());
    OK();
    CHECK_EQ(TF_GraphNumFunctions(g), 1);
    CHECK_EQ(TF_GraphGetFunctions(g, copies, 2, st()), 1);
    CHECK_STR(TF_FunctionName(copies[0]), "Negate");
    TF_Output x = out(placeholder(g, "x", TF_FLOAT), 0);
    TF_Operation *call = op(g, "Negate", "call", x, none);
    OK();
    TF_Session *s = session(g);
    CHECK_NEAR(run(s, x, 3, out(call, 0)), -3, 0);
    OK();
    end(s, g);
    TF_DeleteFunction(copies[0]);
    TF_DeleteFunction(again);
    TF_DeleteFunction(f);
    TF_DeleteBuffer(def);
    TF_DeleteBuffer(attr);
}

/* while (x < 100) x = x * x */
static TF_Output square_until_100(TF_Graph *graph, TF_Output x)
{
    TF_Output result = none;
    TF_WhileParams params = TF_NewWhile(graph, &x, 1, st());
    OK();
    TF_Operation *limit = constant(params.cond_graph, "limit", scalar(100));
    params.cond_output =
        out(op(params.cond_graph, "Less", "less", params.cond_inputs[0], out(limit, 0)), 0);
    params.body_outputs[0] =
        out(op(params.body_graph, "Mul", "mul", params.body_inputs[0], params.body_inputs[0]), 0);
    params.name = "loop";
    TF_FinishWhile(&params, st(), &result);
    OK();
    return result;
}

TEST(loops_run_and_have_gradients)
{
    TF_Graph *g = TF_NewGraph();
    TF_Output x = out(placeholder(g, "x", TF_FLOAT), 0), dx;
    TF_GraphSetTensorShape(g, x, NULL, 0, st());
    TF_Output y = square_until_100(g, x);
    TF_Session *s = session(g);
    CHECK_NEAR(run(s, x, 2, y), 256, 0);
    TF_AddGradients(g, &y, 1, &x, 1, NULL, st(), &dx);
    OK();
    CHECK_NEAR(run(s, x, 2, dx), 8 * 128, 0); /* y = x^8 */
    end(s, g);
}

TEST(loops_must_be_complete)
{
    TF_Graph *g = TF_NewGraph();
    TF_Output x = out(placeholder(g, "x", TF_FLOAT), 0), y;
    TF_NewWhile(g, &x, 0, st());
    FAILS(TF_INVALID_ARGUMENT, "TF_NewWhile() must be passed at least one input");
    TF_WhileParams w = TF_NewWhile(g, &x, 1, st());
    w.name = "loop";
    TF_FinishWhile(&w, st(), &y);
    FAILS(TF_INVALID_ARGUMENT, "TF_WhileParams `cond_output` field isn't set");
    TF_WhileParams given_up = TF_NewWhile(g, &x, 1, st());
    TF_AbortWhile(&given_up);
    TF_DeleteGraph(g);
}

TEST(gradients_name_what_they_miss)
{
    TF_Graph *g = TF_NewGraph();
    TF_Output x = out(placeholder(g, "x", TF_FLOAT), 0), z = out(placeholder(g, "z", TF_FLOAT), 0);
    TF_Output y = out(op(g, "Square", "y", x, none), 0), dx;
    TF_AddGradientsWithPrefix(g, "y", &y, 1, &x, 1, NULL, st(), &dx);
    FAILS(TF_INVALID_ARGUMENT, "prefix [y] conflicts with existing node in the graph named [y]");
    TF_AddGradients(g, &y, 1, &z, 1, NULL, st(), &dx);
    FAILS(TF_INVALID_ARGUMENT, "Cannot compute the partial derivative for node 'z'");
    TF_AddGradientsWithPrefix(g, "grad", &y, 1, &x, 1, &x, st(), &dx);
    OK();
    TF_Session *s = session(g);
    CHECK_NEAR(run(s, x, 3, dx), 18, 0); /* 2x, weighted by x */
    end(s, g);
}

TEST(constants_are_evaluated)
{
    TF_Graph *g = TF_NewGraph();
    TF_Output a = out(constant(g, "a", scalar(3)), 0), x = out(placeholder(g, "x", TF_FLOAT), 0);
    TF_Tensor *t;
    CHECK(TF_TryEvaluateConstant(g, out(op(g, "Square", "y", a, none), 0), &t, st()));
    CHECK_NEAR(value(t), 9, 0);
    TF_DeleteTensor(t);
    CHECK(!TF_TryEvaluateConstant(g, x, &t, st()));
    OK();
    CHECK(!t);
    TF_DeleteGraph(g);
}

TEST(edges_and_attrs_change)
{
    TF_Graph *g = TF_NewGraph();
    TF_Output a = out(constant(g, "a", scalar(3)), 0), b = out(constant(g, "b", scalar(4)), 0);
    TF_Output y = out(op(g, "Square", "y", a, none), 0);
    TF_Session *s = session(g);
    TF_UpdateEdge(g, b, (TF_Input){y.oper, 0}, st());
    OK();
    CHECK_NEAR(run(s, none, 0, y), 16, 0);
    TF_AddOperationControlInput(g, y.oper, a.oper);
    CHECK_EQ(TF_OperationNumControlInputs(y.oper), 1);
    TF_RemoveAllControlInputs(g, y.oper);
    CHECK_EQ(TF_OperationNumControlInputs(y.oper), 0);
    TF_SetRequestedDevice(g, y.oper, "/device:CPU:0");
    CHECK_STR(TF_OperationDevice(y.oper), "/device:CPU:0");
    end(s, g);
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
    CHECK_NEAR(run(s, x, 2, y), -2, 0); /* it goes on */
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

/* As in TensorFlow, what a placeholder says of its shape does not bind those who feed it. */
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
