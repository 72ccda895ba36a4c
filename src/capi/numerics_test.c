/* capi/numerics_test.c - sessions that name the first op that makes a NaN or an infinity. */
#include "exec/numerics.h"

#include <float.h>
#include <math.h>

#include "capi/test_capi.h"
#include "observe/account.h"
#include "observe/marks.h"
#include "wire/messages.h"

/* The latest report; "" if there is none since |before|. */
static const char *said(int64_t before)
{
    static weir_mark mark;
    return weir_mark_list(before, &mark, 1) ? mark.text : "";
}

/* Feeds |x| to root -> minus -> times, and returns the report. */
static const char *check(float x)
{
    int64_t before = weir_mark_count("numerics");
    TF_Graph *graph = TF_NewGraph();
    TF_Output in = out(placeholder(graph, "in", TF_FLOAT), 0);
    TF_Output first = out(op(graph, "Neg", "minus", in, none), 0);
    TF_Output root = out(op(graph, "Sqrt", "root", first, none), 0);
    TF_Output times = out(op(graph, "Square", "times", root, none), 0);
    TF_Session *s = session(graph);
    weir_numerics_check(true);
    run(s, in, x, times);
    OK();
    weir_numerics_check(false);
    end(s, graph);
    return said(before);
}

TEST(the_op_that_made_a_nan_is_named)
{
    CHECK_STR(check(-4), "");
    const char *text = check(4);
    CHECK_MSG(strstr(text, "node root (Sqrt) on ") && strstr(text, "in step "), "%s", text);
}

TEST(what_was_fed_is_nobodys_fault)
{
    CHECK_STR(check(NAN), "");
    CHECK_STR(check(INFINITY), "");
}

/* A session that enables the check by its ConfigProto; |text| is the executor_type. */
static const char *check_session(const char *text)
{
    WEIR_BUF(config);
    int64_t before = weir_mark_count("numerics");
    weir_msg_config_proto_experimental experimental = {.executor_type = weir_str_of(text)};
    weir_msg_config_proto_write(&(weir_msg_config_proto){.experimental = &experimental}, &config);
    TF_SessionOptions *options = TF_NewSessionOptions();
    TF_SetConfig(options, config.at, config.length, st());
    OK();
    TF_Graph *graph = TF_NewGraph();
    TF_Output in = out(placeholder(graph, "in", TF_FLOAT), 0);
    TF_Output root = out(op(graph, "Sqrt", "root", in, none), 0);
    TF_Session *s = TF_NewSession(graph, options, st());
    OK();
    run(s, in, -1, root);
    OK();
    end(s, graph);
    TF_DeleteSessionOptions(options);
    return said(before);
}

TEST(one_session_may_ask_for_it_and_each_is_told)
{
    for (int i = 0; i < 2; i++) {
        CHECK_STR(check_session("DEFAULT"), "");
        CHECK(strstr(check_session("CHECK_NUMERICS"), "node root (Sqrt) on "));
    }
}

/* ---- several ops in one loop -------------------------------------------------------------------
 */

enum { LINKS = 12, WIDTH = 7 };

static TF_Output vector(TF_Graph *graph, const char *name)
{
    TF_OperationDescription *description = TF_NewOperation(graph, "Placeholder", name);
    TF_SetAttrType(description, "dtype", TF_FLOAT);
    TF_SetAttrShape(description, "shape", (int64_t[]){WIDTH}, 1);
    return out(TF_FinishOperation(description, st()), 0);
}

static TF_Tensor *filled(float with)
{
    float data[WIDTH];
    for (int i = 0; i < WIDTH; i++)
        data[i] = with;
    return tensor(TF_FLOAT, (int64_t[]){WIDTH}, 1, data, sizeof data);
}

/* The report when link |bad| of a chain of element-wise ops, which are fused into one loop, takes
 * the logarithm of 0: before links that keep infinities, or that hide them. */
static const char *check_chain(int bad, const char *after)
{
    char name[32];
    int64_t before = weir_mark_count("numerics");
    TF_Graph *graph = TF_NewGraph();
    TF_Output feeds[] = {vector(graph, "x"), vector(graph, "gate")}, y = feeds[0];
    for (int i = 0; i < LINKS; i++) {
        snprintf(name, sizeof name, "gated%d", i);
        TF_Output gated = out(op(graph, "Mul", name, y, feeds[1]), 0);
        snprintf(name, sizeof name, "link%d", i);
        y = i == bad ? out(op(graph, "Log", name, gated, none), 0)
                     : out(op(graph, i < bad ? "Exp" : after, name, y, none), 0);
    }
    TF_Session *s = session(graph);
    TF_Tensor *in[] = {filled(-1), filled(0)}, *result = NULL;
    weir_numerics_check(true);
    TF_SessionRun(s, NULL, feeds, in, 2, &y, &result, 1, NULL, 0, NULL, st());
    OK();
    weir_numerics_check(false);
    TF_DeleteTensor(result);
    TF_DeleteTensor(in[0]);
    TF_DeleteTensor(in[1]);
    end(s, graph);
    return said(before);
}

TEST(the_op_within_a_loop_is_named_even_when_the_loop_hides_it)
{
    static const char *const after[] = {"Neg", "Square", "Sigmoid", "Tanh", "Relu"};
    for (int bad = 0; bad < LINKS; bad++)
        for (size_t i = 0; i < sizeof after / sizeof *after; i++) {
            char wanted[48];
            /* exp(exp(exp(...))) of itself passes the largest float at the sixth. */
            int first = bad < 5 ? bad : 5;
            snprintf(wanted, sizeof wanted, "node link%d (%s) on ", first,
                     bad < 5        ? "Log"
                     : first == bad ? "Log"
                                    : "Exp");
            const char *text = check_chain(bad, after[i]);
            CHECK_MSG(strstr(text, wanted), "%d, %s: '%s' without '%s'", bad, after[i], text,
                      wanted);
        }
}

/* ---- optimisers ---------------------------------------------------------------------------------
 */

static TF_Output variable(TF_Graph *graph, const char *name)
{
    TF_OperationDescription *description = TF_NewOperation(graph, "VariableV2", name);
    TF_SetAttrType(description, "dtype", TF_FLOAT);
    TF_SetAttrShape(description, "shape", (int64_t[]){1, 1}, 2);
    return out(TF_FinishOperation(description, st()), 0);
}

static TF_Output matrix(TF_Graph *graph, const char *name, float with)
{
    return out(constant(graph, name, tensor(TF_FLOAT, (int64_t[]){1, 1}, 2, &with, sizeof with)),
               0);
}

static TF_Operation *descend(TF_Graph *graph, const char *name, TF_Output var, TF_Output rate,
                             TF_Output gradient)
{
    TF_OperationDescription *description = TF_NewOperation(graph, "ApplyGradientDescent", name);
    TF_AddInput(description, var);
    TF_AddInput(description, rate);
    TF_AddInput(description, gradient);
    return TF_FinishOperation(description, st());
}

/* Two variables are updated by |rate| times |x| times |y|; one of the products is 1. */
static const char *check_update(float rate, float x, float y)
{
    int64_t before = weir_mark_count("numerics");
    TF_Graph *graph = TF_NewGraph();
    TF_Output v[] = {variable(graph, "v"), variable(graph, "w")};
    TF_Output one = matrix(graph, "one", 1);
    TF_Output in = out(placeholder(graph, "in", TF_FLOAT), 0);
    TF_Output by = out(placeholder(graph, "rate", TF_FLOAT), 0);
    TF_Output scaled = out(op(graph, "Mul", "scaled", matrix(graph, "y", y), in), 0);
    const TF_Operation *assigns[2], *steps[2];
    TF_Output gradients[2] = {out(op(graph, "MatMul", "small", one, one), 0),
                              out(op(graph, "MatMul", "large", scaled, scaled), 0)};
    for (int i = 0; i < 2; i++) {
        assigns[i] = op(graph, "Assign", i ? "set_w" : "set_v", v[i], one);
        steps[i] = descend(graph, i ? "step_w" : "step_v", v[i], by, gradients[i]);
    }
    TF_Session *s = session(graph);
    TF_SessionRun(s, NULL, NULL, NULL, 0, NULL, NULL, 0, assigns, 2, NULL, st());
    OK();
    weir_numerics_check(true);
    TF_Tensor *values[] = {scalar(x), scalar(rate)};
    TF_Output feeds[] = {in, by};
    TF_SessionRun(s, NULL, feeds, values, 2, NULL, NULL, 0, steps, 2, NULL, st());
    OK();
    weir_numerics_check(false);
    TF_DeleteTensor(values[0]);
    TF_DeleteTensor(values[1]);
    end(s, graph);
    return said(before);
}

TEST(the_optimisers_op_and_the_product_before_it_are_told_apart)
{
    CHECK_STR(check_update(0.1f, 1, 2), "");
    const char *text = check_update(0.1f, 1e15f, 1e15f);
    CHECK_MSG(strstr(text, "node large (MatMul) on "), "%s", text);
    text = check_update(1e30f, 1e3f, 1e3f);
    CHECK_MSG(strstr(text, "node step_w (ApplyGradientDescent) on "), "%s", text);
}

/* Ops that are not checked, because finite inputs yield finite results. */
TEST(ops_that_keep_numbers_finite_do_at_the_ends_of_the_range)
{
    static const char *const names[] = {
        "Neg",  "Abs",  "Sign", "Floor", "Ceil",     "Rint",     "Round",
        "Sin",  "Cos",  "Atan", "Tanh",  "Asinh",    "Erf",      "Sigmoid",
        "Erfc", "Relu", "Elu",  "Relu6", "Softplus", "Softsign",
    };
    static const float inputs[] = {FLT_MAX, -FLT_MAX, FLT_MIN, -FLT_MIN, FLT_TRUE_MIN, -1.0f,
                                   1.0f,    0.0f,     -0.0f,   89.0f,    -104.0f,      1e20f};
    TF_Graph *graph = TF_NewGraph();
    TF_Output in = out(placeholder(graph, "in", TF_FLOAT), 0);
    TF_Output results[sizeof names / sizeof *names];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        results[i] = out(op(graph, names[i], names[i], in, none), 0);
    TF_Session *s = session(graph);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        for (size_t k = 0; k < sizeof inputs / sizeof *inputs; k++) {
            float y = run(s, in, inputs[k], results[i]);
            OK();
            CHECK_MSG(isfinite(y), "%s of %g is %g", names[i], inputs[k], y);
        }
    end(s, graph);
}

TEST(elements_of_every_float_type_are_looked_at)
{
    static const struct {
        weir_dtype dtype;
        uint64_t fine, bad;
    } cases[] = {{WEIR_FLOAT, 0x7f7fffff, 0xff800000},
                 {WEIR_DOUBLE, 0x7fefffffffffffff, 0x7ff8000000000000},
                 {WEIR_HALF, 0x7bff, 0xfc00},
                 {WEIR_BFLOAT16, 0x7f7f, 0x7fc0},
                 {WEIR_INT32, 0x7f800000, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        weir_tensor tensor;
        weir_shape shape = {.rank = 1, .dims = {37}};
        CHECK_OK(weir_tensor_alloc(cases[i].dtype, &shape, &tensor));
        size_t size = weir_tensor_bytes(&tensor) / 37;
        for (int k = 0; k < 37; k++)
            memcpy((char *)tensor.data + size * (size_t)k, &cases[i].fine, size);
        CHECK(weir_tensor_finite(&tensor));
        memcpy((char *)tensor.data + size * 36, &cases[i].bad, size);
        CHECK(weir_tensor_finite(&tensor) == (cases[i].dtype == WEIR_INT32));
        weir_tensor_release(&tensor);
    }
}

TEST(steps_of_sessions_are_accounted_for)
{
    weir_account_totals before = weir_account_get_totals();
    check(-1);
    weir_account_totals after = weir_account_get_totals();
    CHECK(after.steps == before.steps + 1 && after.live == 0 && after.step_ns > before.step_ns);
}

TEST_MAIN()
