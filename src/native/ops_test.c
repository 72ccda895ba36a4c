/* native/ops_test.c - functions of weir/ops.h: inputs, attrs, options and outputs of every kind. */
#include "weir/ops.h"

#include <string.h>

#include "base/test.h"

typedef struct place {
    TF_Graph *graph;
    weir_builder *b;
} place;

static place make_place(void)
{
    TF_Graph *graph = TF_NewGraph();
    return (place){graph, weir_build_new(graph)};
}

static void end_place(place *place)
{
    CHECK_MSG(TF_GetCode(weir_build_status(place->b)) == TF_OK, "%s",
              TF_Message(weir_build_status(place->b)));
    weir_build_delete(place->b);
    TF_DeleteGraph(place->graph);
}

static TF_Output floats(place *place, int rank, const int64_t *dims)
{
    return weir_build_placeholder(place->b, "x", TF_FLOAT, rank, dims);
}

static TF_Status *status;

static bool get_bool(TF_Operation *op, const char *attr)
{
    unsigned char value = 7;
    TF_OperationGetAttrBool(op, attr, &value, status);
    return value;
}

static int64_t get_int(TF_Operation *op, const char *attr)
{
    int64_t value = -77;
    TF_OperationGetAttrInt(op, attr, &value, status);
    return value;
}

static float get_float(TF_Operation *op, const char *attr)
{
    float value = -77;
    TF_OperationGetAttrFloat(op, attr, &value, status);
    return value;
}

TEST(options_start_as_the_defaults)
{
    place p = make_place();
    TF_Output x = floats(&p, 2, (int64_t[]){3, 3});
    TF_Operation *plain = weir_mat_mul(p.b, "y", x, x, NULL).oper;
    CHECK(!get_bool(plain, "transpose_b"));
    TF_Operation *turned =
        weir_mat_mul(p.b, "z", x, x, &(weir_mat_mul_options){.transpose_b = true}).oper;
    CHECK(get_bool(turned, "transpose_b") && !get_bool(turned, "transpose_a"));
    TF_Operation *zeros = weir_leaky_relu(p.b, "l", x, &(weir_leaky_relu_options){0}).oper;
    CHECK(get_float(zeros, "alpha") == 0.2f);
    TF_Operation *half =
        weir_leaky_relu(p.b, "m", x, &(weir_leaky_relu_options){.alpha = .5f}).oper;
    CHECK(get_float(half, "alpha") == 0.5f);
    TF_Operation *none =
        weir_leaky_relu(p.b, "n", x, &(weir_leaky_relu_options){.alpha = WEIR_ZERO}).oper;
    CHECK(get_float(none, "alpha") == 0);
    end_place(&p);
}

TEST(what_is_true_by_default_has_its_opposite)
{
    place p = make_place();
    TF_Output x = floats(&p, 1, (int64_t[]){8}), k = weir_build_int32(p.b, "k", 3);
    weir_top_k_v2_outputs top = weir_top_k_v2(p.b, "top", x, k, NULL);
    CHECK(get_bool(top.values.oper, "sorted"));
    CHECK_EQ(top.indices.index, 1);
    CHECK_EQ(TF_OperationOutputType(top.indices), TF_INT32);
    top = weir_top_k_v2(p.b, "any", x, k,
                        &(weir_top_k_v2_options){.not_sorted = true, .index_type = TF_INT64});
    CHECK(!get_bool(top.values.oper, "sorted"));
    CHECK_EQ(TF_OperationOutputType(top.indices), TF_INT64);
    end_place(&p);
}

TEST(lists_go_in_and_come_out)
{
    place p = make_place();
    TF_Output x = floats(&p, 2, (int64_t[]){4, 6}), axis = weir_build_int32(p.b, "axis", 1);
    weir_outputs parts = weir_split(p.b, "parts", axis, x, 3);
    CHECK_EQ(parts.count, 3);
    TF_Output pair[] = {weir_output_at(parts, 2), weir_output_at(parts, 0)};
    TF_Output joined = weir_concat_v2(p.b, "joined", pair, 2, axis);
    int64_t dims[2];
    TF_GraphGetTensorShape(p.graph, joined, dims, 2, status);
    CHECK_EQ(dims[1], 4);
    const TF_DataType types[] = {TF_FLOAT, TF_INT32};
    const weir_dims shapes[] = {{1, (int64_t[]){2}}, {0, NULL}};
    TF_Output queue = weir_fifo_queue_v2(
        p.b, "q", types, 2,
        &(weir_fifo_queue_v2_options){.shapes = shapes, .shapes_count = 2, .capacity = 5});
    CHECK_EQ(get_int(queue.oper, "capacity"), 5);
    weir_outputs got = weir_queue_dequeue_v2(p.b, "get", queue, types, 2, NULL);
    CHECK_EQ(got.count, 2);
    CHECK_EQ(TF_OperationOutputType(weir_output_at(got, 1)), TF_INT32);
    end_place(&p);
}

TEST(attrs_of_every_kind)
{
    place p = make_place();
    TF_Output image = floats(&p, 4, (int64_t[]){1, 8, 8, 2});
    TF_Output filter = weir_build_placeholder(p.b, "f", TF_FLOAT, 4, (int64_t[]){3, 3, 2, 4});
    TF_Output y = weir_conv2d(p.b, "y", image, filter, (int64_t[]){1, 2, 2, 1}, 4, "SAME", NULL);
    int64_t dims[4];
    TF_GraphGetTensorShape(p.graph, y, dims, 4, status);
    CHECK_EQ(dims[1], 4);
    TF_Output v = weir_variable_v2(p.b, "v", &(weir_dims){2, (int64_t[]){3, -1}}, TF_DOUBLE, NULL);
    CHECK_EQ(TF_GraphGetTensorNumDims(p.graph, v, status), 2);
    TF_Output wide = weir_cast(p.b, "wide", image, TF_DOUBLE, NULL);
    CHECK_EQ(TF_OperationOutputType(wide), TF_DOUBLE);
    TF_Tensor *seven = TF_AllocateTensor(TF_INT32, NULL, 0, 4);
    memcpy(TF_TensorData(seven), &(int32_t){7}, 4);
    CHECK(weir_const(p.b, "seven", seven, TF_INT32).oper != NULL);
    TF_DeleteTensor(seven);
    CHECK(weir_no_op(p.b, "nothing") != NULL);
    end_place(&p);
}

TEST(a_missing_input_is_the_builders_failure)
{
    place p = make_place();
    CHECK(!weir_abs(p.b, "y", (TF_Output){0}).oper);
    CHECK_EQ(TF_GetCode(weir_build_status(p.b)), TF_INVALID_ARGUMENT);
    CHECK_EQ(weir_split(p.b, "s", (TF_Output){0}, (TF_Output){0}, 3).count, 0);
    weir_build_delete(p.b);
    TF_DeleteGraph(p.graph);
}

int main(int argc, char **argv)
{
    status = TF_NewStatus();
    int failed = weir_test_main(argc, argv);
    TF_DeleteStatus(status);
    return failed;
}
