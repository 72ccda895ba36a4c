/* pass/batch_updates_test.c - fused steps on small variables compute the same. */
#include "pass/small_graph.h"
#include "session/session.h"

enum { VARIABLES = 3 };

/* Momentum on some variables; |end| waits for all of them. */
typedef struct model {
    weir_edge grads[VARIABLES], values[2 * VARIABLES], steps[VARIABLES], init, end;
} model;

static weir_edge constant(const char *name, const weir_shape *shape, float start)
{
    weir_tensor t;
    CHECK_OK(weir_tensor_alloc(WEIR_FLOAT, shape, &t));
    for (int64_t i = 0; i < weir_tensor_count(&t); i++)
        ((float *)t.data)[i] = start + (float)i;
    weir_named_attr attrs[] = {weir_a_type("dtype", WEIR_FLOAT), weir_a_tensor("value", &t)};
    weir_edge e = add_with(name, "Const", NULL, 0, attrs, 2);
    weir_tensor_release(&t);
    return e;
}

static weir_edge variable(model *m, int k, const weir_shape *shape, bool resource)
{
    weir_named_attr attrs[] = {weir_a_type("dtype", WEIR_FLOAT), weir_a_shape("shape", shape),
                               weir_a_str("shared_name", numbered("slot", k))};
    weir_edge v =
        add_with(numbered("var", k), resource ? "VarHandleOp" : "VariableV2", NULL, 0, attrs, 3);
    weir_edge set[] = {v, constant(numbered("start", k), shape, (float)k)};
    weir_edge assign = add(numbered("set", k), resource ? "AssignVariableOp" : "Assign", set, 2);
    weir_graph_add_control(assign.node, m->init.node);
    m->values[k] = resource ? add_with(numbered("read", k), "ReadVariableOp", &v, 1, attrs, 1)
                            : add(numbered("read", k), "Identity", &v, 1);
    return v;
}

static model build(bool resource)
{
    g = weir_graph_create(weir_catalogue());
    model m = {.init = add("init", "NoOp", NULL, 0), .end = add("end", "NoOp", NULL, 0)};
    weir_edge rate = constant("rate", &WEIR_SCALAR, .5f);
    weir_edge momentum = constant("momentum", &WEIR_SCALAR, .25f);
    for (int k = 0; k < VARIABLES; k++) {
        weir_shape shape = {1, {3 + k}};
        m.grads[k] = fed(numbered("grad", k), &shape);
        weir_edge in[] = {variable(&m, 2 * k, &shape, resource),
                          variable(&m, 2 * k + 1, &shape, resource), rate, m.grads[k], momentum};
        m.steps[k] =
            add(numbered("step", k), resource ? "ResourceApplyMomentum" : "ApplyMomentum", in, 5);
        weir_graph_add_control(m.steps[k].node, m.end.node);
    }
    return m;
}

static int joined(void)
{
    return count_of("_ApplyMany") + count_of("_ResourceApplyMany");
}

TEST(small_steps_become_one)
{
    for (int resource = 0; resource < 2; resource++) {
        model m = build(resource);
        remap_with(g, (weir_pass_options){0});
        CHECK_EQ(joined(), 1);
        CHECK_EQ(count_of("ApplyMomentum") + count_of("ResourceApplyMomentum"), 0);
        CHECK_EQ(m.end.node->controls.count, 1);
        weir_graph_destroy(g);
    }
}

TEST(steps_that_lead_to_each_other_stay_apart)
{
    model m = build(false);
    weir_edge between = add("between", "NoOp", NULL, 0);
    weir_graph_add_control(m.steps[0].node, between.node);
    weir_graph_add_control(between.node, m.steps[2].node);
    remap_with(g, (weir_pass_options){0});
    CHECK_EQ(joined(), 1); /* the first and the second */
    CHECK_EQ(count_of("ApplyMomentum"), 1);
    weir_graph_destroy(g);
}

TEST(other_numbers_stay_apart)
{
    model m = build(false);
    for (int k = 1; k < VARIABLES; k++)
        weir_graph_set_input(m.steps[k].node, 2,
                             constant(numbered("own", k), &WEIR_SCALAR, (float)k));
    remap_with(g, (weir_pass_options){0});
    CHECK_EQ(joined(), 0);
    weir_graph_destroy(g);
}

TEST(results_are_those_of_the_parts)
{
    for (int resource = 0; resource < 2; resource++) {
        model m = build(resource);
        weir_mutex lock = WEIR_MUTEX_INIT;
        weir_session *session = NULL;
        CHECK_OK(weir_session_create(g, &lock, &(weir_session_options){.target = ""}, &session));
        weir_request q = {.targets = &m.init.node, .target_count = 1};
        CHECK_OK(weir_session_run(session, &q, NULL));
        weir_tensor grads[VARIABLES], out[2 * VARIABLES];
        for (int k = 0; k < VARIABLES; k++) {
            CHECK_OK(weir_tensor_alloc(WEIR_FLOAT, weir_edge_shape(m.grads[k]), &grads[k]));
            for (int i = 0; i < 3 + k; i++)
                ((float *)grads[k].data)[i] = (float)(4 * i + k);
        }
        q = (weir_request){.feeds = m.grads,
                           .feed_values = grads,
                           .feed_count = VARIABLES,
                           .targets = &m.end.node,
                           .target_count = 1};
        CHECK_OK(weir_session_run(session, &q, NULL));
        q = (weir_request){.fetches = m.values, .fetch_count = 2 * VARIABLES};
        CHECK_OK(weir_session_run(session, &q, out));
        for (int k = 0; k < VARIABLES; k++)
            for (int i = 0; i < 3 + k; i++) {
                float a = .25f * (float)(2 * k + 1 + i) + (float)(4 * i + k);
                CHECK_EQ(((float *)out[2 * k + 1].data)[i], a);
                CHECK_EQ(((float *)out[2 * k].data)[i], (float)(2 * k + i) - .5f * a);
            }
        for (int k = 0; k < 2 * VARIABLES; k++)
            weir_tensor_release(&out[k]);
        for (int k = 0; k < VARIABLES; k++)
            weir_tensor_release(&grads[k]);
        weir_session_destroy(session);
        weir_graph_destroy(g);
    }
}

TEST_MAIN()
