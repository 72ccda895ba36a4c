/* capi/numerics_test.c - sessions that name the first op that makes a NaN or an infinity. */
#include "exec/numerics.h"

#include "capi/test_capi.h"
#include "observe/account.h"
#include "observe/marks.h"

/* What was said last; "" when nothing was since |before|. */
static const char *said(int64_t before)
{
    static weir_mark mark;
    return weir_mark_list(before, &mark, 1) ? mark.text : "";
}

/* Feeds |x| to root -> minus -> times, and says what was said of it. */
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
