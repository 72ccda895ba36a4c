/* models/stn.c - a spatial transformer (Jaderberg et al., 2015) before a convolutional network. */
#include <stdlib.h>

#include "base/mem.h"
#include "models/models_impl.h"

typedef struct sampler {
    const building *m;
    weir_builder *b;
    int64_t height, width, channels;
    TF_Output flat;   /* the pixels of the whole batch: [batch * height * width, channels] */
    TF_Output base;   /* where each image begins among them: [batch, 1] */
    TF_Output xs, ys; /* where to look: [batch, height * width] */
    TF_Output x0, y0; /* the pixels left of and above that */
} sampler;

static TF_Output op2(weir_builder *b, const char *op, TF_Output x, TF_Output y)
{
    return weir_build_op(b, op, op, WEIR_INPUTS(x, y));
}

static TF_Output with(weir_builder *b, const char *op, TF_Output x, float number)
{
    return op2(b, op, x, weir_build_float(b, "number", number));
}

static TF_Output reshape(weir_builder *b, TF_Output x, const int32_t *dims, int64_t rank)
{
    return op2(b, "Reshape", x, weir_build_const(b, "shape", TF_INT32, 1, &rank, dims));
}

/* ---- where to look -------------------------------------------------------------------------- */

/* |i| of |count| equal steps from -1 to 1. */
static float at_step(int64_t i, int64_t count)
{
    return i == count - 1 ? 1.0f : -1.0f + 2.0f / (float)(count - 1) * (float)i;
}

/* Coordinates x, y and 1 of every pixel: [1, 3, height * width]. */
static TF_Output grid(const sampler *s)
{
    int64_t count = s->height * s->width, dims[] = {1, 3, count};
    float *points = WEIR_NEW_ARRAY(float, 3 * count);
    for (int64_t i = 0; i < count; i++) {
        points[i] = at_step(i % s->width, s->width);
        points[count + i] = at_step(i / s->width, s->height);
        points[2 * count + i] = 1;
    }
    TF_Output g = weir_build_const(s->b, "grid", TF_FLOAT, 3, dims, points);
    weir_free(points);
    return g;
}

/* From [-1, 1] to pixels of a side. */
static TF_Output in_pixels(const sampler *s, TF_Output where, int64_t side)
{
    TF_Output scaled = with(s->b, "Mul", with(s->b, "AddV2", where, 1), (float)(side - 1));
    return with(s->b, "RealDiv", scaled, 2);
}

static void find_points(sampler *s, TF_Output theta)
{
    TF_Output matrices = reshape(s->b, theta, (int32_t[]){-1, 2, 3}, 3);
    TF_Output points = op2(s->b, "BatchMatMulV2", matrices, grid(s));
    TF_OperationDescription *d = weir_build_begin(s->b, "Unpack", "points");
    if (d) {
        TF_AddInput(d, points);
        TF_SetAttrInt(d, "num", 2);
        TF_SetAttrInt(d, "axis", 1);
    }
    TF_Output x = weir_build_end(s->b, d), y = {x.oper, 1};
    s->xs = in_pixels(s, x, s->width);
    s->ys = in_pixels(s, y, s->height);
    s->x0 = weir_build_op(s->b, "Floor", "Floor", &s->xs, 1);
    s->y0 = weir_build_op(s->b, "Floor", "Floor", &s->ys, 1);
}

/* ---- what is there -------------------------------------------------------------------------- */

static TF_Output first_pixels(const sampler *s, TF_Output images)
{
    weir_builder *b = s->b;
    TF_Output shape = weir_build_op(b, "Shape", "Shape", &images, 1);
    TF_Output zero = weir_build_int32(b, "zero", 0), one = weir_build_int32(b, "one", 1);
    TF_Output batch = weir_build_op(b, "GatherV2", "batch", WEIR_INPUTS(shape, zero, zero));
    TF_Output numbers = weir_build_op(b, "Range", "range", WEIR_INPUTS(zero, batch, one));
    TF_Output pixels = weir_build_int32(b, "pixels", (int32_t)(s->height * s->width));
    return reshape(b, op2(b, "Mul", numbers, pixels), (int32_t[]){-1, 1}, 2);
}

static TF_Output whole(const sampler *s, TF_Output where, int64_t side)
{
    TF_Output low = weir_build_float(s->b, "low", 0);
    TF_Output high = weir_build_float(s->b, "high", (float)side - 1);
    TF_Output inside = op2(s->b, "Maximum", op2(s->b, "Minimum", where, high), low);
    TF_OperationDescription *d = weir_build_begin(s->b, "Cast", "Cast");
    if (d) {
        TF_AddInput(d, inside);
        TF_SetAttrType(d, "DstT", TF_INT32);
    }
    return weir_build_end(s->b, d);
}

/* 1 at the pixel, 0 one pixel away. */
static TF_Output nearness(const sampler *s, TF_Output where, TF_Output pixel)
{
    TF_Output away = op2(s->b, "Sub", where, pixel);
    TF_Output distance = weir_build_op(s->b, "Abs", "Abs", &away, 1);
    return op2(s->b, "Sub", weir_build_float(s->b, "one", 1), distance);
}

/* What one of the four pixels around each point adds. */
static TF_Output corner(const sampler *s, float dx, float dy)
{
    weir_builder *b = s->b;
    TF_Output x = with(b, "AddV2", s->x0, dx), y = with(b, "AddV2", s->y0, dy);
    TF_Output weight = op2(b, "Mul", nearness(s, s->xs, x), nearness(s, s->ys, y));
    TF_Output width = weir_build_int32(b, "width", (int32_t)s->width);
    TF_Output row = op2(b, "Mul", whole(s, y, s->height), width);
    TF_Output at = op2(b, "AddV2", op2(b, "AddV2", s->base, row), whole(s, x, s->width));
    TF_Output axis = weir_build_int32(b, "axis", 0);
    TF_Output pixels = weir_build_op(b, "GatherV2", "pixels", WEIR_INPUTS(s->flat, at, axis));
    TF_Output each =
        op2(b, "ExpandDims", weight, weir_build_int32(b, "last", 2)); /* over the channels */
    return op2(b, "Mul", each, pixels);
}

static TF_Output transform(const building *m, TF_Output images, TF_Output theta)
{
    const int64_t *dims = m->input.dims;
    sampler s = {.m = m, .b = m->b, .height = dims[0], .width = dims[1], .channels = dims[2]};
    weir_build_push_scope(m->b, "transform");
    s.flat = reshape(m->b, images, (int32_t[]){-1, (int32_t)s.channels}, 2);
    s.base = first_pixels(&s, images);
    find_points(&s, theta);
    TF_Output sum = corner(&s, 0, 0);
    for (int i = 1; i < 4; i++)
        sum = op2(m->b, "AddV2", sum, corner(&s, (float)(i / 2), (float)(i % 2)));
    int32_t shape[] = {-1, (int32_t)s.height, (int32_t)s.width, (int32_t)s.channels};
    TF_Output out = reshape(m->b, sum, shape, 4);
    weir_build_pop_scope(m->b);
    return out;
}

/* ---- the network ---------------------------------------------------------------------------- */

/* The six numbers of each image's transformation, the identity's at first. */
static TF_Output localize(const building *m)
{
    weir_builder *b = m->b;
    TF_Output h = weir_models_dense(m, weir_nn_flatten(&m->net, m->x), 20, "loc1", WEIR_NN_TANH,
                                    WEIR_MODELS_DEVIATION);
    TF_Output w = weir_nn_variable(
        &m->net,
        &(weir_variable_options){.name = "loc2/w", .rank = 2, .dims = (const int64_t[]){20, 6}});
    static const float identity[] = {1, 0, 0, 0, 1, 0};
    TF_Output bias = weir_nn_variable(
        &m->net, &(weir_variable_options){.name = "loc2/b",
                                          .rank = 1,
                                          .dims = &(int64_t){6},
                                          .initial = {WEIR_VALUES, .values = identity}});
    weir_build_push_scope(b, "loc2");
    TF_Output sum = op2(b, "AddV2", op2(b, "MatMul", h, w), bias);
    TF_Output theta = weir_nn_activate(&m->net, sum, WEIR_NN_TANH);
    weir_build_pop_scope(b);
    return theta;
}

static void finish(const building *m, TF_Output h)
{
    h = weir_models_dense(m, weir_nn_flatten(&m->net, h), 1024, "fc", WEIR_NN_RELU,
                          WEIR_MODELS_DEVIATION);
    h = weir_nn_dropout(&m->net, h, 0.2, 3);
    weir_models_classify(
        m, weir_models_dense(m, h, m->input.classes, "out", WEIR_NN_LINEAR, WEIR_MODELS_DEVIATION));
}

static void build_small(const building *m)
{
    TF_Output h = transform(m, m->x, localize(m));
    h = weir_models_conv(m, h, 16, 3, "c1", 2, WEIR_NN_SAME);
    finish(m, weir_models_conv(m, h, 16, 3, "c2", 2, WEIR_NN_SAME));
}

static void build_large(const building *m)
{
    TF_Output h = transform(m, m->x, localize(m));
    static const char *const names[] = {"c1", "c2", "c3"};
    for (int i = 0; i < 3; i++)
        h = weir_models_halve(m, weir_models_conv(m, h, 16, 3, names[i], 1, WEIR_NN_SAME));
    finish(m, h);
}

#define SAME_OF_BOTH                                                                               \
    .input = {TF_FLOAT, 3, {40, 40, 1}, .label_type = TF_INT32, .classes = 10, .batch = 100},      \
    .optimizer = {WEIR_ADAM, .rate = 1e-4f}

const weir_model weir_model_stn_small = {
    .name = "stn_small",
    .about = "spatial transformer, two convolutions with stride 2, dense 1024, dropout 0.2",
    SAME_OF_BOTH,
    .build = build_small,
};

const weir_model weir_model_stn_large = {
    .name = "stn_large",
    .about = "spatial transformer, three convolutions with pools, dense 1024, dropout 0.2",
    SAME_OF_BOTH,
    .build = build_large,
};
