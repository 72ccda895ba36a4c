/* exec/step_test.c - the executor with a handful of toy ops: order, loops, dead branches, failure,
 * asynchronous ops and many steps at once. */
#include "exec/step.h"

#include <pthread.h>

#include "base/clock.h"
#include "base/cpu.h"
#include "base/test.h"

/* ---- toy ops -------------------------------------------------------------------------------- */

static weir_status add_run(weir_call *c)
{
    *(float *)weir_out(c, 0)->data =
        *(const float *)weir_in(c, 0)->data + *(const float *)weir_in(c, 1)->data;
    return WEIR_OK;
}

static weir_status less_run(weir_call *c)
{
    *(bool *)weir_out(c, 0)->data =
        *(const float *)weir_in(c, 0)->data < *(const float *)weir_in(c, 1)->data;
    return WEIR_OK;
}

static weir_status sum_run(weir_call *c)
{
    float sum = 0;
    for (int i = 0; i < c->site->in_count; i++)
        sum += *(const float *)weir_in(c, i)->data;
    *(float *)weir_out(c, 0)->data = sum;
    return WEIR_OK;
}

/* x, x + 1, x + 2 ... */
static weir_status count_run(weir_call *c)
{
    for (int o = 0; o < c->site->out_count; o++)
        *(float *)weir_out(c, o)->data = *(const float *)weir_in(c, 0)->data + (float)o;
    return WEIR_OK;
}

static weir_status scalars(weir_infer *infer)
{
    for (int o = 0; o < infer->out_count; o++)
        infer->out[o] = WEIR_SCALAR;
    return WEIR_OK;
}

static weir_status fail_run(weir_call *c)
{
    return weir_error(WEIR_INVALID_ARGUMENT, "asked to fail");
}

static char order[8]; /* tags of Busy nodes as they began */
static int order_count;

static weir_status busy_run(weir_call *c)
{
    order[order_count++ % 8] = (char)weir_site_int(c->site, 0);
    for (int64_t end = weir_now_ns() + 10000; weir_now_ns() < end;)
        weir_cpu_relax();
    weir_call_forward(c, 0, 0, NULL);
    return WEIR_OK;
}

static void later_on_pool(void *arg)
{
    weir_call *c = arg;
    weir_call_forward(c, 0, 0, NULL);
    weir_call_finish(c, WEIR_OK);
}

static void later_start(weir_call *c)
{
    weir_pool_submit(weir_pool_shared(), later_on_pool, c);
}

static void hang_cancelled(void *arg)
{
    weir_call_finish(arg, weir_error(WEIR_CANCELLED, "woken"));
}

static void hang_start(weir_call *c)
{
    if (!weir_cancel_add(c->run->cancel, hang_cancelled, c))
        hang_cancelled(c);
}

static const weir_op op_arg = {.name = "_Arg",
                               .flow = WEIR_FLOW_ARG,
                               .out = "output: T",
                               .attrs = "T: type; index: int",
                               .flags = WEIR_STATEFUL};
static const weir_op op_retval = {.name = "_Retval",
                                  .flow = WEIR_FLOW_RETVAL,
                                  .in = "input: T",
                                  .attrs = "T: type; index: int",
                                  .flags = WEIR_STATEFUL};
static const weir_op op_const = {.name = "Const",
                                 .flow = WEIR_FLOW_CONST,
                                 .out = "output: dtype",
                                 .attrs = "value: tensor; dtype: type"};
static const weir_op op_switch = {.name = "Switch",
                                  .flow = WEIR_FLOW_SWITCH,
                                  .in = "data: T; pred: bool",
                                  .out = "output_false: T; output_true: T",
                                  .attrs = "T: type"};
static const weir_op op_merge = {.name = "Merge",
                                 .flow = WEIR_FLOW_MERGE,
                                 .in = "inputs: N * T",
                                 .out = "output: T; value_index: int32",
                                 .attrs = "T: type; N: int >= 1"};
static const weir_op op_enter = {
    .name = "Enter",
    .flow = WEIR_FLOW_ENTER,
    .in = "data: T",
    .out = "output: T",
    .attrs =
        "T: type; frame_name: string; is_constant: bool = false; parallel_iterations: int = 10"};
static const weir_op op_exit = {.name = "Exit",
                                .flow = WEIR_FLOW_EXIT,
                                .in = "data: T",
                                .out = "output: T",
                                .attrs = "T: type"};
static const weir_op op_next = {.name = "NextIteration",
                                .flow = WEIR_FLOW_NEXT_ITERATION,
                                .in = "data: T",
                                .out = "output: T",
                                .attrs = "T: type"};
static const weir_op op_cond = {
    .name = "LoopCond", .flow = WEIR_FLOW_LOOP_COND, .in = "input: bool", .out = "output: bool"};
static const weir_op op_add = {.name = "Add",
                               .in = "x: float; y: float",
                               .out = "z: float",
                               .infer = weir_infer_same_shape,
                               .inplace = WEIR_INPLACE(0, 0),
                               .kernels = {{WEIR_CPU, "*", add_run}}};
static const weir_op op_less = {.name = "Less",
                                .in = "x: float; y: float",
                                .out = "z: bool",
                                .infer = weir_infer_same_shape,
                                .kernels = {{WEIR_CPU, "*", less_run}}};
static const weir_op op_sum = {.name = "Sum",
                               .in = "x: N * float",
                               .out = "y: float",
                               .attrs = "N: int >= 1",
                               .infer = scalars,
                               .kernels = {{WEIR_CPU, "*", sum_run}}};
static const weir_op op_count = {.name = "Count",
                                 .in = "x: float",
                                 .out = "y: N * float",
                                 .attrs = "N: int >= 1",
                                 .infer = scalars,
                                 .kernels = {{WEIR_CPU, "*", count_run}}};
static const weir_op op_fail = {
    .name = "Fail", .in = "x: float", .out = "y: float", .kernels = {{WEIR_CPU, "*", fail_run}}};
static const weir_op op_later = {
    .name = "Later",
    .in = "x: float",
    .out = "y: float",
    .kernels = {{WEIR_CPU, "*", NULL, WEIR_ASYNC | WEIR_OWN_OUTPUTS, later_start}}};
static const weir_op op_busy = {.name = "Busy",
                                .in = "x: float",
                                .out = "y: float",
                                .attrs = "tag: int",
                                .kernels = {{WEIR_CPU, "*", busy_run, WEIR_OWN_OUTPUTS}}};
static const weir_op op_hang = {
    .name = "Hang",
    .in = "x: float",
    .out = "y: float",
    .kernels = {{WEIR_CPU, "*", NULL, WEIR_ASYNC | WEIR_OWN_OUTPUTS, hang_start}}};

static const weir_op *const toys[] = {
    &op_arg, &op_retval, &op_const, &op_switch, &op_merge, &op_enter, &op_exit, &op_next, &op_cond,
    &op_add, &op_less,   &op_fail,  &op_later,  &op_hang,  &op_busy,  &op_sum,  &op_count};

static weir_registry *registry(void)
{
    static weir_registry *r;
    if (!r)
        r = weir_registry_create(toys, sizeof toys / sizeof *toys);
    return r;
}

/* ---- building ------------------------------------------------------------------------------- */

static weir_node *add_node(weir_graph *g, const char *op, const weir_edge *in, int in_count,
                           const weir_named_attr *attrs, int attr_count)
{
    weir_node *n = NULL;
    CHECK_OK(weir_graph_add(g,
                            &(weir_node_spec){.name = weir_graph_unique_name(g, op),
                                              .op = op,
                                              .in = in,
                                              .in_count = in_count,
                                              .attrs = attrs,
                                              .attr_count = attr_count},
                            &n));
    return n;
}

static weir_edge arg(weir_graph *g, int index)
{
    weir_named_attr a[] = {weir_a_type("T", WEIR_FLOAT), weir_a_int("index", index)};
    return (weir_edge){add_node(g, "_Arg", NULL, 0, a, 2), 0};
}

static void ret(weir_graph *g, int index, weir_edge e)
{
    weir_named_attr a[] = {weir_a_int("index", index)};
    add_node(g, "_Retval", &e, 1, a, 1);
}

static weir_edge constant(weir_graph *g, float v)
{
    weir_tensor t = weir_tensor_scalar(WEIR_FLOAT, &v);
    weir_named_attr a[] = {weir_a_tensor("value", &t), weir_a_type("dtype", WEIR_FLOAT)};
    weir_node *n = add_node(g, "Const", NULL, 0, a, 2);
    weir_tensor_release(&t);
    return (weir_edge){n, 0};
}

static weir_edge op1(weir_graph *g, const char *op, weir_edge x)
{
    return (weir_edge){add_node(g, op, &x, 1, NULL, 0), 0};
}

static weir_edge op2(weir_graph *g, const char *op, weir_edge x, weir_edge y)
{
    return (weir_edge){add_node(g, op, (weir_edge[]){x, y}, 2, NULL, 0), 0};
}

static weir_edge enter(weir_graph *g, weir_edge x, const char *frame, bool invariant, int parallel)
{
    weir_named_attr a[] = {weir_a_str("frame_name", frame), weir_a_bool("is_constant", invariant),
                           weir_a_int("parallel_iterations", parallel)};
    return (weir_edge){add_node(g, "Enter", &x, 1, a, 3), 0};
}

typedef weir_edge (*body_fn)(weir_graph *g, weir_edge i, weir_edge one, const char *frame);

/* while (i < limit) i = body(i); */
static weir_edge loop_by(weir_graph *g, weir_edge step, weir_edge start, weir_edge limit,
                         const char *frame, int parallel, body_fn body)
{
    weir_edge one = enter(g, step, frame, true, parallel);
    weir_edge most = enter(g, limit, frame, true, parallel);
    weir_edge first = enter(g, start, frame, false, parallel);
    weir_edge merge = op2(g, "Merge", first, first);
    weir_edge go = op1(g, "LoopCond", op2(g, "Less", merge, most));
    weir_edge sw = op2(g, "Switch", merge, go);
    weir_edge next = body(g, (weir_edge){sw.node, 1}, one, frame);
    weir_graph_set_input(merge.node, 1, op1(g, "NextIteration", next));
    return op1(g, "Exit", (weir_edge){sw.node, 0});
}

static weir_edge loop(weir_graph *g, weir_edge start, weir_edge limit, const char *frame,
                      int parallel, body_fn body)
{
    return loop_by(g, constant(g, 1), start, limit, frame, parallel, body);
}

static weir_edge add_one(weir_graph *g, weir_edge i, weir_edge one, const char *frame)
{
    return op2(g, "Add", i, one);
}

static weir_edge add_one_later(weir_graph *g, weir_edge i, weir_edge one, const char *frame)
{
    return op1(g, "Later", op2(g, "Add", i, one));
}

/* Adds three ones by a loop inside. */
static weir_edge add_three(weir_graph *g, weir_edge i, weir_edge one, const char *frame)
{
    weir_edge three = op2(g, "Add", one, op2(g, "Add", one, one));
    return loop_by(g, one, i, op2(g, "Add", i, three), "inner", 2, add_one);
}

/* Adds one, and passes many branches whose direction is known by then. */
static weir_edge add_before_branches(weir_graph *g, weir_edge i, weir_edge one, const char *frame)
{
    enum { BRANCHES = 60000 };
    weir_edge small = op2(g, "Less", i, one);
    i = op2(g, "Add", i, one);
    weir_graph_add_control(small.node, i.node);
    for (int n = 0; n < BRANCHES; n++) {
        weir_edge sides = op2(g, "Switch", i, small);
        i = op2(g, "Merge", sides, (weir_edge){sides.node, 1});
    }
    return i;
}

static weir_plan *plan_of(weir_graph *g)
{
    weir_plan *p = NULL;
    CHECK_OK(weir_plan_create(g, &(weir_plan_env){0}, &p));
    return p;
}

static weir_status run(weir_plan *p, const float *args, int arg_count, weir_tensor *rets,
                       int runners)
{
    weir_tensor in[4] = {0};
    for (int i = 0; i < arg_count; i++)
        in[i] = weir_tensor_scalar(WEIR_FLOAT, &args[i]);
    weir_run r = {.cancel = weir_cancel_create(NULL), .par = {weir_pool_shared(), runners}};
    weir_step_spec spec = {.plan = p, .run = &r, .args = in, .rets = rets, .max_runners = runners};
    weir_status s = weir_step_run(&spec);
    weir_cancel_release(r.cancel);
    for (int i = 0; i < arg_count; i++)
        weir_tensor_release(&in[i]);
    return s;
}

static float take(weir_tensor *t)
{
    float v = t->buffer ? *(const float *)t->data : -1e30f;
    weir_tensor_release(t);
    return v;
}

/* ---- tests ---------------------------------------------------------------------------------- */

TEST(a_line_of_nodes)
{
    weir_graph *g = weir_graph_create(registry());
    weir_edge x = arg(g, 0);
    for (int i = 0; i < 100; i++)
        x = op2(g, "Add", x, constant(g, 1));
    ret(g, 0, x);
    weir_plan *p = plan_of(g);
    for (int i = 0; i < 3; i++) {
        weir_tensor out = {0};
        CHECK_OK(run(p, (float[]){(float)i}, 1, &out, 2));
        CHECK_EQ(take(&out), 100.0f + (float)i);
    }
    weir_plan_release(p);
}

TEST(in_place_leaves_what_others_read)
{
    weir_graph *g = weir_graph_create(registry());
    weir_edge x = op2(g, "Add", arg(g, 0), constant(g, 1));
    ret(g, 0, op2(g, "Add", x, constant(g, 10)));
    ret(g, 1, op2(g, "Add", x, x));
    ret(g, 2, x);
    weir_plan *p = plan_of(g);
    weir_tensor out[3] = {0};
    CHECK_OK(run(p, (float[]){1}, 1, out, 1));
    CHECK_EQ(take(&out[0]), 12.0f);
    CHECK_EQ(take(&out[1]), 4.0f);
    CHECK_EQ(take(&out[2]), 2.0f);
    weir_plan_release(p);
}

TEST(switch_and_merge)
{
    weir_graph *g = weir_graph_create(registry());
    weir_edge x = arg(g, 0), small = op2(g, "Less", x, constant(g, 5));
    weir_node *sw = op2(g, "Switch", x, small).node;
    weir_edge no = op2(g, "Add", (weir_edge){sw, 0}, constant(g, 100));
    weir_edge yes = op2(g, "Add", (weir_edge){sw, 1}, constant(g, 1000));
    weir_node *m = op2(g, "Merge", no, yes).node;
    ret(g, 0, (weir_edge){m, 0});
    ret(g, 1, (weir_edge){m, 1});
    ret(g, 2, no);
    weir_plan *p = plan_of(g);
    for (int i = 3; i < 7; i++) {
        weir_tensor out[3] = {0};
        CHECK_OK(run(p, (float[]){(float)i}, 1, out, 2));
        CHECK_EQ(take(&out[0]), (float)(i < 5 ? 1000 + i : 100 + i));
        CHECK_EQ(*(int32_t *)out[1].data, i < 5);
        CHECK_EQ(out[2].buffer != NULL, i >= 5); /* dead in the other branch */
        weir_tensor_release(&out[1]);
        weir_tensor_release(&out[2]);
    }
    weir_plan_release(p);
}

/* A node is dead, however many of its inputs are. */
TEST(many_dead_inputs)
{
    static const int counts[] = {1, 127, 128, 255, 256, 257, 600};
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
        weir_graph *g = weir_graph_create(registry());
        weir_edge x = arg(g, 0), small = op2(g, "Less", x, constant(g, 5)), parts[600];
        weir_node *sw = op2(g, "Switch", x, small).node, *after;
        for (int i = 0; i < counts[k]; i++)
            parts[i] = op2(g, "Add", (weir_edge){sw, 1}, constant(g, 1));
        weir_edge sum = {add_node(g, "Sum", parts, counts[k], NULL, 0), 0};
        ret(g, 0, op2(g, "Merge", (weir_edge){sw, 0}, sum));
        after = constant(g, 7).node;
        for (int i = 0; i < counts[k]; i++)
            weir_graph_add_control(parts[i].node, after);
        ret(g, 1, (weir_edge){after, 0});
        weir_plan *p = plan_of(g);
        for (int i = 4; i < 6; i++) {
            weir_tensor out[2] = {0};
            CHECK_OK(run(p, (float[]){(float)i}, 1, out, 2));
            CHECK_EQ(take(&out[0]), (float)(i < 5 ? counts[k] * (i + 1) : i));
            CHECK_EQ(out[1].buffer != NULL, i < 5);
            weir_tensor_release(&out[1]);
        }
        weir_plan_release(p);
    }
}

TEST(many_outputs)
{
    enum { OUTPUTS = 70000 };
    weir_graph *g = weir_graph_create(registry());
    weir_edge x = arg(g, 0);
    weir_named_attr n = weir_a_int("N", OUTPUTS);
    weir_node *all = add_node(g, "Count", &x, 1, &n, 1);
    static const int read[] = {0, 32767, 32768, 65536, OUTPUTS - 1};
    for (int i = 0; i < 5; i++)
        ret(g, i, op2(g, "Add", (weir_edge){all, read[i]}, constant(g, 1)));
    weir_plan *p = plan_of(g);
    weir_tensor out[5] = {0};
    CHECK_OK(run(p, (float[]){1}, 1, out, 2));
    for (int i = 0; i < 5; i++)
        CHECK_EQ(take(&out[i]), (float)(read[i] + 2));
    weir_plan_release(p);
}

static void check_loop(body_fn body, int parallel, float by)
{
    weir_graph *g = weir_graph_create(registry());
    ret(g, 0, loop(g, arg(g, 0), arg(g, 1), "frame", parallel, body));
    weir_plan *p = plan_of(g);
    static const float limits[] = {-1, 0, 1, 2, 17, 500};
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        weir_tensor out = {0};
        CHECK_OK(run(p, (float[]){0, limits[i]}, 2, &out, 2));
        float want = 0;
        while (want < limits[i])
            want += by;
        CHECK_EQ(take(&out), want);
    }
    weir_plan_release(p);
}

TEST(loops)
{
    check_loop(add_one, 1, 1);
    check_loop(add_one, 10, 1);
}

/* However many nodes forward a value, the stack depth is limited. */
TEST(a_loop_of_many_branches)
{
    weir_graph *g = weir_graph_create(registry());
    ret(g, 0, loop(g, arg(g, 0), arg(g, 1), "frame", 10, add_before_branches));
    weir_plan *p = plan_of(g);
    for (int runners = 1; runners <= 2; runners++) {
        weir_tensor out = {0};
        CHECK_OK(run(p, (float[]){0, 3}, 2, &out, runners));
        CHECK_EQ(take(&out), 3);
    }
    weir_plan_release(p);
}

TEST(loops_with_asynchronous_bodies)
{
    check_loop(add_one_later, 1, 1);
    check_loop(add_one_later, 10, 1);
}

TEST(loops_in_loops)
{
    check_loop(add_three, 1, 3);
    check_loop(add_three, 10, 3);
}

/* A loop on the branch that is not taken does not run, and nodes after it are dead. */
TEST(a_loop_on_a_dead_branch)
{
    weir_graph *g = weir_graph_create(registry());
    weir_edge x = arg(g, 0), small = op2(g, "Less", x, constant(g, 5));
    weir_node *sw = op2(g, "Switch", x, small).node;
    weir_edge looped = loop(g, (weir_edge){sw, 1}, constant(g, 9), "frame", 10, add_one);
    ret(g, 0, op2(g, "Merge", (weir_edge){sw, 0}, looped));
    weir_plan *p = plan_of(g);
    for (int i = 3; i < 7; i++) {
        weir_tensor out = {0};
        CHECK_OK(run(p, (float[]){(float)i}, 1, &out, 2));
        CHECK_EQ(take(&out), (float)(i < 5 ? 9 : i));
    }
    weir_plan_release(p);
}

TEST(a_failing_node_is_named_and_the_plan_goes_on)
{
    weir_graph *g = weir_graph_create(registry());
    weir_edge x = arg(g, 0), small = op2(g, "Less", x, constant(g, 5));
    weir_node *sw = op2(g, "Switch", x, small).node;
    ret(g, 0, op2(g, "Merge", (weir_edge){sw, 0}, op1(g, "Fail", (weir_edge){sw, 1})));
    ret(g, 1, loop(g, x, constant(g, 1000), "frame", 10, add_one_later));
    weir_plan *p = plan_of(g);
    for (int i = 0; i < 20; i++) {
        weir_tensor out[2] = {0};
        weir_status s = run(p, (float[]){(float)(i % 2 ? 1 : 7)}, 1, out, 2);
        if (i % 2) {
            CHECK_EQ(weir_status_code(s), WEIR_INVALID_ARGUMENT);
            CHECK(strstr(weir_status_message(s), "asked to fail\n\t [[{{node Fail}}]]"));
            weir_status_free(s);
        } else {
            CHECK_OK(s);
            CHECK_EQ(take(&out[0]), 7.0f);
            CHECK_EQ(take(&out[1]), 1000.0f);
        }
        weir_tensor_release(&out[0]);
        weir_tensor_release(&out[1]);
    }
    weir_plan_release(p);
}

typedef struct stopping {
    weir_cancel *cancel;
    weir_step_spec spec;
    weir_status status;
} stopping;

static void *run_stoppable(void *arg)
{
    stopping *st = arg;
    st->status = weir_step_run(&st->spec);
    return NULL;
}

TEST(a_step_that_waits_can_be_stopped)
{
    weir_graph *g = weir_graph_create(registry());
    ret(g, 0, op1(g, "Hang", arg(g, 0)));
    weir_plan *p = plan_of(g);
    for (int i = 0; i < 50; i++) {
        weir_tensor in = weir_tensor_scalar(WEIR_FLOAT, &(float){1}), out = {0};
        weir_run r = {.cancel = weir_cancel_create(NULL), .par = {weir_pool_shared(), 2}};
        stopping st = {.spec = {.plan = p, .run = &r, .args = &in, .rets = &out, .max_runners = 2}};
        pthread_t thread;
        pthread_create(&thread, NULL, run_stoppable, &st);
        weir_cancel_fire(r.cancel, weir_error(WEIR_DEADLINE_EXCEEDED, "too late"));
        pthread_join(thread, NULL);
        CHECK_EQ(weir_status_code(st.status), WEIR_DEADLINE_EXCEEDED);
        weir_status_free(st.status);
        weir_cancel_release(r.cancel);
        weir_tensor_release(&in);
        weir_tensor_release(&out);
    }
    weir_plan_release(p);
}

static void *many_steps(void *arg)
{
    for (int i = 0; i < 40; i++) {
        weir_tensor out = {0};
        CHECK_OK(run(arg, (float[]){0, (float)(i % 23)}, 2, &out, 2));
        CHECK_EQ(take(&out), (float)(i % 23));
    }
    return NULL;
}

TEST(many_steps_of_one_plan_at_once)
{
    weir_graph *g = weir_graph_create(registry());
    ret(g, 0, loop(g, arg(g, 0), arg(g, 1), "frame", 4, add_one_later));
    weir_plan *p = plan_of(g);
    pthread_t threads[4];
    for (int i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, many_steps, p);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    weir_plan_release(p);
}

static weir_edge busy(weir_graph *g, weir_edge x, char tag)
{
    weir_named_attr a[] = {weir_a_int("tag", tag)};
    return (weir_edge){add_node(g, "Busy", &x, 1, a, 1), 0};
}

/* Regardless of the order of becoming ready: the node with three successors starts before the one
 * with none. */
TEST(the_longest_way_goes_first)
{
    for (int k = 0; k < 2; k++) {
        weir_graph *g = weir_graph_create(registry());
        weir_edge start = busy(g, arg(g, 0), 'a'), alone = {0}, way = start;
        if (k)
            alone = busy(g, start, 'x');
        for (int i = 0; i < 4; i++)
            way = busy(g, way, 'b');
        if (!k)
            alone = busy(g, start, 'x');
        ret(g, 0, op2(g, "Add", way, alone));
        weir_plan *p = plan_of(g);
        for (int i = 0; i < 8; i++) {
            weir_tensor out = {0};
            order_count = 0;
            CHECK_OK(run(p, (float[]){1}, 1, &out, 2));
            CHECK_EQ(take(&out), 2);
        }
        CHECK_EQ(order_count, 6);
        CHECK(order[0] == 'a' && order[1] == 'b');
        weir_plan_release(p);
    }
}

TEST(bad_frames_are_refused)
{
    weir_graph *g = weir_graph_create(registry());
    weir_edge x = arg(g, 0);
    ret(g, 0, op2(g, "Add", x, enter(g, x, "frame", false, 1)));
    weir_plan *p = NULL;
    weir_status s = weir_plan_create(g, &(weir_plan_env){0}, &p);
    CHECK_EQ(weir_status_code(s), WEIR_INVALID_ARGUMENT);
    CHECK(strstr(weir_status_message(s), "different frames"));
    weir_status_free(s);
}

TEST_MAIN()
