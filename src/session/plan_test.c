/* session/plan_test.c - a pass that breaks a graph is found out, and the step gives the right
 * answer all the same. */
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

static TF_Output scalar(program *p, const char *name, float value)
{
    TF_Tensor *tensor = TF_AllocateTensor(TF_FLOAT, NULL, 0, sizeof value);
    *(float *)TF_TensorData(tensor) = value;
    TF_OperationDescription *d = TF_NewOperation(p->graph, "Const", name);
    TF_SetAttrTensor(d, "value", tensor, p->status);
    TF_SetAttrType(d, "dtype", TF_FLOAT);
    TF_DeleteTensor(tensor);
    return (TF_Output){TF_FinishOperation(d, p->status), 0};
}

static TF_Operation *op(program *p, const char *type, const char *name, const TF_Output *in,
                        int count, TF_Operation *after, const char *type_attr)
{
    TF_OperationDescription *d = TF_NewOperation(p->graph, type, name);
    for (int i = 0; i < count; i++)
        TF_AddInput(d, in[i]);
    if (after)
        TF_AddControlInput(d, after);
    if (type_attr)
        TF_SetAttrType(d, type_attr, TF_FLOAT);
    if (strcmp(type, "VarHandleOp") == 0)
        TF_SetAttrShape(d, "shape", NULL, 0);
    return TF_FinishOperation(d, p->status);
}

static program make(void)
{
    program p = {.graph = TF_NewGraph(), .status = TF_NewStatus()};
    TF_Output handle = {op(&p, "VarHandleOp", "v", NULL, 0, NULL, "dtype"), 0};
    TF_Output ten = scalar(&p, "ten", 10), one = scalar(&p, "one", 1);
    p.init = op(&p, "AssignVariableOp", "init", (TF_Output[]){handle, ten}, 2, NULL, "dtype");
    p.x = (TF_Output){op(&p, "Placeholder", "x", NULL, 0, NULL, "dtype"), 0};
    p.y = (TF_Output){op(&p, "AddV2", "y", (TF_Output[]){p.x, one}, 2, NULL, NULL), 0};
    p.add = op(&p, "AssignAddVariableOp", "add", (TF_Output[]){handle, p.y}, 2, NULL, "dtype");
    p.v = (TF_Output){op(&p, "ReadVariableOp", "read", &handle, 1, p.add, "dtype"), 0};
    TF_Operation *twice =
        op(&p, "AssignAddVariableOp", "twice", (TF_Output[]){handle, one}, 2, p.v.oper, "dtype");
    p.add = twice;
    p.session = TF_NewSession(p.graph, TF_NewSessionOptions(), p.status);
    TF_SessionRun(p.session, NULL, NULL, NULL, 0, NULL, NULL, 0, (const TF_Operation *[]){p.init},
                  1, NULL, p.status);
    CHECK_EQ(TF_GetCode(p.status), TF_OK);
    return p;
}

/* y for x = 2, and v after 3 was added to 10 and before 1 is added to that. */
static void run(program *p, float want_y, float want_v)
{
    TF_Tensor *x = TF_AllocateTensor(TF_FLOAT, NULL, 0, sizeof(float)), *out[2] = {NULL};
    *(float *)TF_TensorData(x) = 2;
    TF_SessionRun(p->session, NULL, &p->x, &x, 1, (TF_Output[]){p->y, p->v}, out, 2,
                  (const TF_Operation *[]){p->add}, 1, NULL, p->status);
    CHECK_EQ(TF_GetCode(p->status), TF_OK);
    CHECK(out[0] && *(float *)TF_TensorData(out[0]) == want_y);
    CHECK(out[1] && *(float *)TF_TensorData(out[1]) == want_v);
    for (int i = 0; i < 2; i++)
        TF_DeleteTensor(out[i]);
    TF_DeleteTensor(x);
}

static void end(program *p)
{
    TF_DeleteSession(p->session, p->status);
    TF_DeleteGraph(p->graph);
    TF_DeleteStatus(p->status);
}

/* ---- passes that break it ------------------------------------------------------------------- */

static weir_node *find(weir_graph *g, const char *name)
{
    return weir_graph_find(g, weir_str_of(name));
}

static weir_status make_cycle(weir_graph *g)
{
    if (find(g, "twice"))
        weir_graph_add_control(find(g, "twice"), find(g, "add"));
    return WEIR_OK;
}

static weir_status drop_edge(weir_graph *g)
{
    if (find(g, "twice"))
        weir_graph_remove_control(find(g, "read"), find(g, "twice"));
    return WEIR_OK;
}

static weir_status change_type(weir_graph *g)
{
    if (find(g, "twice"))
        ((int16_t *)find(g, "y")->site.out_types)[0] = WEIR_INT32;
    return WEIR_OK;
}

static weir_status give_up(weir_graph *g)
{
    return find(g, "twice") ? weir_error(WEIR_INTERNAL, "planted") : WEIR_OK;
}

static void survive(weir_status (*planted)(weir_graph *g))
{
    weir_pass_planted = planted;
    int64_t before = weir_metric_get(WEIR_METRIC_PLAN_FALLBACKS);
    program p = make();
    run(&p, 3, 13);
    run(&p, 3, 17);
    CHECK_EQ(weir_metric_get(WEIR_METRIC_PLAN_FALLBACKS) - before, planted ? 1 : 0);
    end(&p);
    weir_pass_planted = NULL;
}

TEST(sound_graphs_are_optimised)
{
    survive(NULL);
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
