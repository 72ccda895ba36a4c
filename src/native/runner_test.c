/* native/runner_test.c - runners, savers and variables without a trainer. */
#include "weir/runner.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/test.h"
#include "io/file.h"
#include "weir/ops/math.h"
#include "weir/ops/state.h"
#include "weir/saver.h"

static char folder[64];

typedef struct place {
    TF_Graph *graph;
    weir_builder *b;
    weir_runner *r;
} place;

static place make_place(void)
{
    TF_Graph *graph = TF_NewGraph();
    return (place){graph, weir_build_new(graph), weir_runner_new(graph, NULL)};
}

static void end_place(place *place)
{
    weir_runner_delete(place->r);
    weir_build_delete(place->b);
    TF_DeleteGraph(place->graph);
}

#define CHECK_BUILT(p)                                                                             \
    CHECK_MSG(TF_GetCode(weir_build_status((p).b)) == TF_OK, "%s",                                 \
              TF_Message(weir_build_status((p).b)))
#define CHECK_RAN(p)                                                                               \
    CHECK_MSG(TF_GetCode(weir_runner_status((p).r)) == TF_OK, "%s",                                \
              TF_Message(weir_runner_status((p).r)))

TEST(feeds_stay_until_they_change)
{
    place p = make_place();
    TF_Output x = weir_build_placeholder(p.b, "x", TF_FLOAT, 0, NULL);
    TF_Output y = weir_build_placeholder(p.b, "y", TF_FLOAT, 0, NULL);
    TF_Output sum = weir_add_v2(p.b, "sum", x, y);
    weir_runner_feed(p.r, x, weir_make_tensor(TF_FLOAT, 0, NULL, &(float){3}));
    weir_runner_feed(p.r, y, weir_make_tensor(TF_FLOAT, 0, NULL, &(float){4}));
    CHECK(weir_runner_number(p.r, sum) == 7);
    weir_runner_feed(p.r, x, weir_make_tensor(TF_FLOAT, 0, NULL, &(float){5}));
    CHECK(weir_runner_number(p.r, sum) == 9);
    CHECK_RAN(p);
    weir_runner_feed(p.r, y, NULL);
    CHECK(isnan(weir_runner_number(p.r, sum)));
    CHECK_EQ(TF_GetCode(weir_runner_status(p.r)), TF_INVALID_ARGUMENT);
    TF_Output less = weir_neg(p.b, "less", x);
    CHECK(isnan(weir_runner_number(p.r, less))); /* the first error is sticky */
    weir_runner_forgive(p.r);
    CHECK(weir_runner_number(p.r, less) == -5);
    CHECK_RAN(p);
    weir_runner_do(p.r, NULL);
    CHECK_EQ(TF_GetCode(weir_runner_status(p.r)), TF_INVALID_ARGUMENT);
    end_place(&p);
}

TEST(variables_of_a_builder)
{
    place p = make_place();
    const float start[] = {1, 2};
    weir_build_push_scope(p.b, "a");
    weir_variable v = weir_build_variable(
        p.b, "b/v", weir_build_const(p.b, "start", TF_FLOAT, 1, (int64_t[]){2}, start));
    weir_build_pop_scope(p.b);
    CHECK_BUILT(p);
    CHECK_STR(TF_OperationName(v.value.oper), "a/b/v/read");
    TF_Output more = weir_assign_add(p.b, "more", v.ref, v.value, NULL);
    weir_runner_do(p.r, v.initialize);
    weir_runner_do(p.r, more.oper);
    TF_Tensor *value = weir_runner_get(p.r, v.value);
    CHECK_RAN(p);
    CHECK(value && ((const float *)TF_TensorData(value))[1] == 4);
    TF_DeleteTensor(value);
    TF_Output open = weir_build_placeholder(p.b, "open", TF_FLOAT, 1, (int64_t[]){-1});
    CHECK(!weir_build_variable(p.b, "w", open).ref.oper);
    CHECK_EQ(TF_GetCode(weir_build_status(p.b)), TF_INVALID_ARGUMENT);
    end_place(&p);
}

/* One variable of each kind, 2 and 3 at first. */
typedef struct kinds {
    place p;
    weir_variable old;
    TF_Output handle, read;
    TF_Operation *initialize;
} kinds;

static kinds make_kinds(void)
{
    kinds kinds = {.p = make_place()};
    weir_builder *builder = kinds.p.b;
    kinds.old = weir_build_variable(builder, "old", weir_build_float(builder, "two", 2));
    kinds.handle = weir_var_handle_op(builder, "new", TF_FLOAT, &(weir_dims){0},
                                      &(weir_var_handle_op_options){.shared_name = "shared"});
    TF_Operation *set = weir_assign_variable_op(builder, "set", kinds.handle,
                                                weir_build_float(builder, "three", 3), NULL);
    kinds.read = weir_read_variable_op(builder, "read", kinds.handle, TF_FLOAT);
    TF_Operation *both[] = {kinds.old.initialize, set};
    kinds.initialize = weir_build_group(builder, "init", both, 2);
    return kinds;
}

TEST(savers_keep_both_kinds_of_variables)
{
    kinds k = make_kinds();
    TF_Status *status = TF_NewStatus();
    char prefix[128], second[160];
    weir_saver *s = weir_saver_new(k.p.b, &(weir_saver_options){.keep = 2});
    CHECK_BUILT(k.p);
    CHECK(!weir_saver_restore_latest(s, weir_runner_session(k.p.r), folder, status));
    CHECK_EQ(TF_GetCode(status), TF_OK);
    weir_runner_do(k.p.r, k.initialize);
    snprintf(prefix, sizeof prefix, "%s/in/model", folder);
    for (int step = 1; step <= 3; step++) {
        weir_saver_save(s, weir_runner_session(k.p.r), prefix, step, status);
        CHECK_MSG(TF_GetCode(status) == TF_OK, "%s", TF_Message(status));
        weir_runner_do(k.p.r, weir_assign_add(k.p.b, "grow", k.old.ref, k.old.value, NULL).oper);
    }
    CHECK(weir_runner_number(k.p.r, k.old.value) == 16);
    snprintf(second, sizeof second, "%s-2", prefix);
    weir_saver_restore(s, weir_runner_session(k.p.r), second, status);
    CHECK_EQ(TF_GetCode(status), TF_OK);
    CHECK(weir_runner_number(k.p.r, k.old.value) == 4);
    CHECK(weir_runner_number(k.p.r, k.read) == 3);
    snprintf(second, sizeof second, "%s/in", folder);
    CHECK(weir_saver_restore_latest(s, weir_runner_session(k.p.r), second, status));
    CHECK(weir_runner_number(k.p.r, k.old.value) == 8);
    snprintf(second, sizeof second, "%s-1", prefix); /* deleted: two are kept */
    weir_saver_restore(s, weir_runner_session(k.p.r), second, status);
    CHECK_EQ(TF_GetCode(status), TF_NOT_FOUND);
    weir_saver_delete(s);
    TF_DeleteStatus(status);
    end_place(&k.p);
}

TEST(savers_of_some_variables_under_other_names)
{
    kinds k = make_kinds();
    TF_Status *status = TF_NewStatus();
    char prefix[128];
    snprintf(prefix, sizeof prefix, "%s/named", folder);
    weir_saver *s = weir_saver_new(
        k.p.b, &(weir_saver_options){.variables = &k.old.value, /* the value is accepted as well */
                                     .names = (const char *const[]){"other"},
                                     .count = 1});
    weir_runner_do(k.p.r, k.initialize);
    weir_saver_save(s, weir_runner_session(k.p.r), prefix, -1, status);
    CHECK_MSG(TF_GetCode(status) == TF_OK, "%s", TF_Message(status));
    weir_saver *by_own_name =
        weir_saver_new(k.p.b, &(weir_saver_options){.variables = &k.old.ref, .count = 1});
    weir_saver_restore(by_own_name, weir_runner_session(k.p.r), prefix, status);
    CHECK_EQ(TF_GetCode(status), TF_NOT_FOUND);
    weir_saver_delete(by_own_name);
    weir_saver_delete(s);
    s = weir_saver_new(k.p.b, &(weir_saver_options){.variables = &k.read, .count = 1});
    CHECK_EQ(TF_GetCode(weir_build_status(k.p.b)), TF_INVALID_ARGUMENT);
    weir_saver_save(s, weir_runner_session(k.p.r), prefix, -1, status);
    CHECK_EQ(TF_GetCode(status), TF_FAILED_PRECONDITION);
    weir_saver_delete(s);
    TF_DeleteStatus(status);
    end_place(&k.p);
}

int main(int argc, char **argv)
{
    strcpy(folder, "runner_test.XXXXXX");
    if (!mkdtemp(folder))
        return 1;
    int result = weir_test_main(argc, argv);
    weir_status_free(weir_dir_delete_all(folder));
    return result;
}
