/* session/plan_test.c - a pass that breaks a graph is detected, and the step still yields the right
 * result. */
#include "base/metric.h"
#include "base/test.h"
#include "pass/pass.h"
#include "tensorflow/c/c_api.h"

/* ---- the program: y = x + 1 and, after that, v += y; then v is read ------------------------- */

typedef struct program {
    TF_Graph *graph;
    TF_Session *session;
    TF_Status *status;
    TF_Operation *init, *add;
    TF_Output x, y, v;
} program;

static TF_Output scalar(program *program, const char *name, float value)
{
    TF_Tensor *tensor = TF_AllocateTensor(TF_FLOAT, NULL, 0, sizeof value);
    *(float *)TF_TensorData(tensor) = value;
    TF_OperationDescription *description = TF_NewOperation(program->graph, "Const", name);
    TF_SetAttrTensor(description, "value", tensor, program->status);
    TF_SetAttrType(description, "dtype", TF_FLOAT);
    TF_DeleteTensor(tensor);
    return (TF_Output){TF_FinishOperation(description, program->status), 0};
}

static TF_Operation *op(program *program, const char *type, const char *name, const TF_Output *in,
                        int count, TF_Operation *after, const char *type_attr)
{
    TF_OperationDescription *description = TF_NewOperation(program->graph, type, name);
    for (int i = 0; i < count; i++)
        TF_AddInput(description, in[i]);
    if (after)
        TF_AddControlInput(description, after);
    if (type_attr)
        TF_SetAttrType(description, type_attr, TF_FLOAT);
    if (strcmp(type, "VarHandleOp") == 0)
        TF_SetAttrShape(description, "shape", NULL, 0);
    return TF_FinishOperation(description, program->status);
}

static program make(void)
{
    program program = {.graph = TF_NewGraph(), .status = TF_NewStatus()};
    TF_Output handle = {op(&program, "VarHandleOp", "v", NULL, 0, NULL, "dtype"), 0};
    TF_Output other = {op(&program, "VarHandleOp", "w", NULL, 0, NULL, "dtype"), 0};
    TF_Output ten = scalar(&program, "ten", 10), one = scalar(&program, "one", 1);
    TF_Operation *first =
        op(&program, "AssignVariableOp", "first", (TF_Output[]){other, one}, 2, NULL, "dtype");
    TF_Operation *before = op(&program, "ReadVariableOp", "read_other", &other, 1, NULL, "dtype");
    program.init =
        op(&program, "AssignVariableOp", "init", (TF_Output[]){handle, ten}, 2, first, "dtype");
    program.x = (TF_Output){op(&program, "Placeholder", "x", NULL, 0, NULL, "dtype"), 0};
    program.y =
        (TF_Output){op(&program, "AddV2", "y", (TF_Output[]){program.x, one}, 2, NULL, NULL), 0};
    program.add = op(&program, "AssignAddVariableOp", "add", (TF_Output[]){handle, program.y}, 2,
                     before, "dtype");
    program.v =
        (TF_Output){op(&program, "ReadVariableOp", "read", &handle, 1, program.add, "dtype"), 0};
    TF_Operation *twice = op(&program, "AssignAddVariableOp", "twice", (TF_Output[]){handle, one},
                             2, program.v.oper, "dtype");
    program.add = twice;
    TF_SessionOptions *options = TF_NewSessionOptions();
    program.session = TF_NewSession(program.graph, options, program.status);
    TF_DeleteSessionOptions(options);
    TF_SessionRun(program.session, NULL, NULL, NULL, 0, NULL, NULL, 0,
                  (const TF_Operation *[]){program.init}, 1, NULL, program.status);
    CHECK_EQ(TF_GetCode(program.status), TF_OK);
    return program;
}

/* y for x = 2, and v after 3 was added to 10 and before 1 is added to that. */
static void run(program *program, float want_y, float want_v)
{
    TF_Tensor *x = TF_AllocateTensor(TF_FLOAT, NULL, 0, sizeof(float)), *out[2] = {NULL};
    *(float *)TF_TensorData(x) = 2;
    TF_SessionRun(program->session, NULL, &program->x, &x, 1, (TF_Output[]){program->y, program->v},
                  out, 2, (const TF_Operation *[]){program->add}, 1, NULL, program->status);
    CHECK_EQ(TF_GetCode(program->status), TF_OK);
    CHECK(out[0] && *(float *)TF_TensorData(out[0]) == want_y);
    CHECK(out[1] && *(float *)TF_TensorData(out[1]) == want_v);
    for (int i = 0; i < 2; i++)
        TF_DeleteTensor(out[i]);
    TF_DeleteTensor(x);
}

static void end(program *program)
{
    TF_DeleteSession(program->session, program->status);
    TF_DeleteGraph(program->graph);
    TF_DeleteStatus(program->status);
}

/* ---- passes that break it ------------------------------------------------------------------- */

static weir_node *find(weir_graph *graph, const char *name)
{
    return weir_graph_find(graph, weir_str_of(name));
}

static weir_status make_cycle(weir_graph *graph)
{
    if (find(graph, "twice"))
        weir_graph_add_control(find(graph, "twice"), find(graph, "add"));
    return WEIR_OK;
}

static weir_status drop_edge(weir_graph *graph)
{
    if (find(graph, "twice"))
        weir_graph_remove_control(find(graph, "read"), find(graph, "twice"));
    return WEIR_OK;
}

/* A read of one variable need not precede a change of another. */
static weir_status drop_needless_edge(weir_graph *graph)
{
    if (find(graph, "twice"))
        weir_graph_remove_control(find(graph, "read_other"), find(graph, "add"));
    return WEIR_OK;
}

static weir_status change_type(weir_graph *graph)
{
    if (find(graph, "twice"))
        ((int16_t *)find(graph, "y")->site.out_types)[0] = WEIR_INT32;
    return WEIR_OK;
}

static weir_status give_up(weir_graph *graph)
{
    return find(graph, "twice") ? weir_error(WEIR_INTERNAL, "planted") : WEIR_OK;
}

static weir_status (*last_pass)(weir_graph *graph);

static weir_status run_last(weir_graph *graph, weir_pass_stage stage)
{
    return stage == WEIR_AFTER_PARTITION ? last_pass(graph) : WEIR_OK;
}

static void survive_with(weir_status (*planted)(weir_graph *g), int fallbacks)
{
    last_pass = planted;
    weir_pass_planted = planted ? run_last : NULL;
    int64_t before = weir_metric_get(WEIR_METRIC_PLAN_FALLBACKS);
    program program = make();
    run(&program, 3, 13);
    run(&program, 3, 17);
    CHECK_EQ(weir_metric_get(WEIR_METRIC_PLAN_FALLBACKS) - before, fallbacks);
    end(&program);
    weir_pass_planted = NULL;
}

static void survive(weir_status (*planted)(weir_graph *g))
{
    survive_with(planted, 1);
}

TEST(sound_graphs_are_optimised)
{
    survive_with(NULL, 0);
    survive_with(drop_needless_edge, 0);
}

TEST(cycle_of_a_pass_is_found)
{
    survive(make_cycle);
}

TEST(order_lost_by_a_pass_is_found)
{
    survive(drop_edge);
}

TEST(type_changed_by_a_pass_is_found)
{
    survive(change_type);
}

TEST(pass_that_fails_does_not_fail_the_step)
{
    survive(give_up);
}

TEST_MAIN()
