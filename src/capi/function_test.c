/* capi/function_test.c - functions, loops and gradients of graphs, by the C API. */
#include "capi/test_capi.h"

/* ---- functions, loops, gradients ------------------------------------------------------------- */

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

static char logged[1024];

static void note_line(const char *line)
{
    snprintf(logged, sizeof logged, "%s", line);
}

TEST(a_change_after_a_step_is_said_and_leaves_that_step_as_it_was)
{
    TF_Graph *g = TF_NewGraph();
    TF_Output a = out(constant(g, "a", scalar(3)), 0), b = out(constant(g, "b", scalar(4)), 0);
    TF_Output y = out(op(g, "Square", "y", a, none), 0);
    TF_Session *s = session(g);
    TF_RegisterLogListener(note_line);
    logged[0] = 0;
    CHECK_NEAR(run(s, none, 0, y), 9, 0);
    TF_Output z = out(op(g, "Square", "z", a, none), 0); /* which no step has seen */
    TF_UpdateEdge(g, b, (TF_Input){z.oper, 0}, st());
    CHECK_STR(logged, "");
    TF_UpdateEdge(g, b, (TF_Input){y.oper, 0}, st());
    OK();
    CHECK(strstr(logged, "Operation 'y' was changed by updating input tensor after it was run"));
    CHECK_NEAR(run(s, none, 0, y), 9, 0);
    CHECK_NEAR(run(s, none, 0, z), 16, 0);
    TF_RegisterLogListener(NULL);
    end(s, g);
}

static int rank_of(TF_Graph *g, TF_Output y)
{
    int rank = TF_GraphGetTensorNumDims(g, y, st());
    OK();
    return rank;
}

TEST(shapes_behind_a_changed_edge_follow_it_and_others_stay)
{
    TF_Graph *g = TF_NewGraph();
    int32_t one[] = {4, 1, 1}, other[] = {2, 2, 1};
    int64_t dims = 3, set = 7;
    TF_Tensor *first = tensor(TF_INT32, &dims, 1, one, sizeof one);
    TF_Tensor *second = tensor(TF_INT32, &dims, 1, other, sizeof other);
    TF_Output a = out(constant(g, "a", first), 0), b = out(constant(g, "b", second), 0);
    TF_Output x = out(placeholder(g, "x", TF_FLOAT), 0),
              to = out(op(g, "Identity", "to", a, none), 0);
    TF_Output y = out(op(g, "Reshape", "y", x, to), 0), z = out(op(g, "Neg", "z", y, none), 0);
    TF_Output free_one = out(op(g, "Square", "free", x, none), 0);
    TF_GraphSetTensorShape(g, free_one, &set, 1, st());
    OK();
    TF_UpdateEdge(g, b, (TF_Input){to.oper, 0}, st());
    OK();
    int64_t found[3] = {0};
    CHECK_EQ(rank_of(g, z), 3);
    TF_GraphGetTensorShape(g, z, found, 3, st());
    CHECK(found[0] == 2 && found[1] == 2 && found[2] == 1);
    CHECK_EQ(rank_of(g, free_one), 1);
    TF_DeleteGraph(g);
}

TEST_MAIN()
