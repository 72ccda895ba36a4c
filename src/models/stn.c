/* models/stn.c - a spatial transformer (Jaderberg et al., 2015) before a convolutional network. */
#include "base/mem.h"
#include "models/models_impl.h"
#include "weir/ops/array.h"
#include "weir/ops/math.h"
#include "weir/ops/nn.h"

typedef struct sampler {
    weir_builder *b;
    int64_t height, width, channels;
    TF_Output flat;   /* the pixels of the whole batch: [batch * height * width, channels] */
    TF_Output base;   /* where each image begins among them: [batch, 1] */
    TF_Output xs, ys; /* where to look: [batch, height * width] */
    TF_Output x0, y0; /* the pixels left of and above that */
} sampler;

static TF_Output reshape(weir_builder *b, TF_Output x, const int32_t *dims, int64_t rank)
{
    return weir_reshape(b, "Reshape", x, weir_build_const(b, "shape", TF_INT32, 1, &rank, dims));
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
    TF_Output moved = weir_add_v2(s->b, "add", where, weir_build_float(s->b, "one", 1));
    TF_Output scale = weir_build_float(s->b, "scale", (float)(side - 1));
    TF_Output scaled = weir_mul(s->b, "mul", moved, scale);
    return weir_real_div(s->b, "truediv", scaled, weir_build_float(s->b, "two", 2));
}

static void find_points(sampler *s, TF_Output theta)
{
    TF_Output matrices = reshape(s->b, theta, (int32_t[]){-1, 2, 3}, 3);
    TF_Output points = weir_batch_mat_mul_v2(s->b, "MatMul", matrices, grid(s), NULL);
    weir_outputs each = weir_unpack(s->b, "points", points, 2, &(weir_unpack_options){.axis = 1});
    s->xs = in_pixels(s, weir_output_at(each, 0), s->width);
    s->ys = in_pixels(s, weir_output_at(each, 1), s->height);
    s->x0 = weir_floor(s->b, "Floor", s->xs);
    s->y0 = weir_floor(s->b, "Floor", s->ys);
}

/* ---- what is there -------------------------------------------------------------------------- */

static TF_Output first_pixels(const sampler *s, TF_Output images)
{
    weir_builder *b = s->b;
    TF_Output zero = weir_build_int32(b, "zero", 0), one = weir_build_int32(b, "one", 1);
    TF_Output shape = weir_shape(b, "Shape", images, NULL);
    TF_Output batch = weir_gather_v2(b, "batch", shape, zero, zero, NULL);
    TF_Output pixels = weir_build_int32(b, "pixels", (int32_t)(s->height * s->width));
    TF_Output first = weir_mul(b, "mul", weir_range(b, "range", zero, batch, one), pixels);
    return reshape(b, first, (int32_t[]){-1, 1}, 2);
}

/* The nearest pixel inside, as an integer. */
static TF_Output whole(const sampler *s, TF_Output where, int64_t side)
{
    TF_Output low = weir_build_float(s->b, "low", 0);
    TF_Output high = weir_build_float(s->b, "high", (float)side - 1);
    TF_Output inside =
        weir_maximum(s->b, "clip_by_value", weir_minimum(s->b, "Minimum", where, high), low);
    return weir_cast(s->b, "Cast", inside, TF_INT32, NULL);
}

/* 1 at the pixel, 0 one pixel away. */
static TF_Output nearness(const sampler *s, TF_Output where, TF_Output pixel)
{
    TF_Output distance = weir_abs(s->b, "Abs", weir_sub(s->b, "sub", where, pixel));
    return weir_sub(s->b, "sub", weir_build_float(s->b, "one", 1), distance);
}

/* What one of the four pixels around each point adds. */
static TF_Output corner(const sampler *s, float dx, float dy)
{
    weir_builder *b = s->b;
    TF_Output x = weir_add_v2(b, "add", s->x0, weir_build_float(b, "dx", dx));
    TF_Output y = weir_add_v2(b, "add", s->y0, weir_build_float(b, "dy", dy));
    TF_Output weight = weir_mul(b, "mul", nearness(s, s->xs, x), nearness(s, s->ys, y));
    TF_Output width = weir_build_int32(b, "width", (int32_t)s->width);
    TF_Output row = weir_mul(b, "mul", whole(s, y, s->height), width);
    TF_Output line = weir_add_v2(b, "add", s->base, row);
    TF_Output at = weir_add_v2(b, "add", line, whole(s, x, s->width));
    TF_Output axis = weir_build_int32(b, "axis", 0), last = weir_build_int32(b, "last", 2);
    TF_Output pixels = weir_gather_v2(b, "pixels", s->flat, at, axis, NULL);
    return weir_mul(b, "mul", weir_expand_dims(b, "ExpandDims", weight, last), pixels);
}

static TF_Output transform(const building *m, TF_Output images, TF_Output theta)
{
    const int64_t *dims = m->input.dims;
    sampler s = {.b = m->b, .height = dims[0], .width = dims[1], .channels = dims[2]};
    weir_build_push_scope(m->b, "transform");
    s.flat = reshape(m->b, images, (int32_t[]){-1, (int32_t)s.channels}, 2);
    s.base = first_pixels(&s, images);
    find_points(&s, theta);
    TF_Output sum = corner(&s, 0, 0);
    for (int i = 1; i < 4; i++)
        sum = weir_add_v2(m->b, "add", sum, corner(&s, (float)(i / 2), (float)(i % 2)));
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
    TF_Output sum = weir_add_v2(b, "add", weir_mat_mul(b, "MatMul", h, w, NULL), bias);
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
