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
    TF_Output base;   /* offset of each image among them: [batch, 1] */
    TF_Output xs, ys; /* sampling positions: [batch, height * width] */
    TF_Output x0, y0; /* the pixels to the left of and above them */
} sampler;

static TF_Output reshape(weir_builder *builder, TF_Output x, const int32_t *dims, int64_t rank)
{
    return weir_reshape(builder, "Reshape", x,
                        weir_build_const(builder, "shape", TF_INT32, 1, &rank, dims));
}

/* ---- sampling grid --------------------------------------------------------------------------- */

/* Step |i| of |count| equal steps from -1 to 1. */
static float at_step(int64_t i, int64_t count)
{
    return i == count - 1 ? 1.0f : -1.0f + 2.0f / (float)(count - 1) * (float)i;
}

/* Coordinates x, y and 1 of every pixel: [1, 3, height * width]. */
static TF_Output grid(const sampler *sampler)
{
    int64_t count = sampler->height * sampler->width, dims[] = {1, 3, count};
    float *points = WEIR_NEW_ARRAY(float, 3 * count);
    for (int64_t i = 0; i < count; i++) {
        points[i] = at_step(i % sampler->width, sampler->width);
        points[count + i] = at_step(i / sampler->width, sampler->height);
        points[2 * count + i] = 1;
    }
    TF_Output g = weir_build_const(sampler->b, "grid", TF_FLOAT, 3, dims, points);
    weir_free(points);
    return g;
}

/* Maps [-1, 1] to pixels of a side. */
static TF_Output in_pixels(const sampler *sampler, TF_Output where, int64_t side)
{
    TF_Output moved = weir_add_v2(sampler->b, "add", where, weir_build_float(sampler->b, "one", 1));
    TF_Output scale = weir_build_float(sampler->b, "scale", (float)(side - 1));
    TF_Output scaled = weir_mul(sampler->b, "mul", moved, scale);
    return weir_real_div(sampler->b, "truediv", scaled, weir_build_float(sampler->b, "two", 2));
}

static void find_points(sampler *sampler, TF_Output theta)
{
    TF_Output matrices = reshape(sampler->b, theta, (int32_t[]){-1, 2, 3}, 3);
    TF_Output points = weir_batch_mat_mul_v2(sampler->b, "MatMul", matrices, grid(sampler), NULL);
    weir_outputs each =
        weir_unpack(sampler->b, "points", points, 2, &(weir_unpack_options){.axis = 1});
    sampler->xs = in_pixels(sampler, weir_output_at(each, 0), sampler->width);
    sampler->ys = in_pixels(sampler, weir_output_at(each, 1), sampler->height);
    sampler->x0 = weir_floor(sampler->b, "Floor", sampler->xs);
    sampler->y0 = weir_floor(sampler->b, "Floor", sampler->ys);
}

/* ---- interpolation --------------------------------------------------------------------------- */

static TF_Output first_pixels(const sampler *sampler, TF_Output images)
{
    weir_builder *builder = sampler->b;
    TF_Output zero = weir_build_int32(builder, "zero", 0),
              one = weir_build_int32(builder, "one", 1);
    TF_Output shape = weir_shape(builder, "Shape", images, NULL);
    TF_Output batch = weir_gather_v2(builder, "batch", shape, zero, zero, NULL);
    TF_Output pixels =
        weir_build_int32(builder, "pixels", (int32_t)(sampler->height * sampler->width));
    TF_Output first =
        weir_mul(builder, "mul", weir_range(builder, "range", zero, batch, one), pixels);
    return reshape(builder, first, (int32_t[]){-1, 1}, 2);
}

/* The nearest pixel inside the image, as an integer. */
static TF_Output whole(const sampler *sampler, TF_Output where, int64_t side)
{
    TF_Output low = weir_build_float(sampler->b, "low", 0);
    TF_Output high = weir_build_float(sampler->b, "high", (float)side - 1);
    TF_Output inside = weir_maximum(sampler->b, "clip_by_value",
                                    weir_minimum(sampler->b, "Minimum", where, high), low);
    return weir_cast(sampler->b, "Cast", inside, TF_INT32, NULL);
}

/* Bilinear weight: 1 at the pixel, 0 one pixel away. */
static TF_Output nearness(const sampler *sampler, TF_Output where, TF_Output pixel)
{
    TF_Output distance = weir_abs(sampler->b, "Abs", weir_sub(sampler->b, "sub", where, pixel));
    return weir_sub(sampler->b, "sub", weir_build_float(sampler->b, "one", 1), distance);
}

/* The contribution of one of the four pixels around each position. */
static TF_Output corner(const sampler *sampler, float dx, float dy)
{
    weir_builder *builder = sampler->b;
    TF_Output x = weir_add_v2(builder, "add", sampler->x0, weir_build_float(builder, "dx", dx));
    TF_Output y = weir_add_v2(builder, "add", sampler->y0, weir_build_float(builder, "dy", dy));
    TF_Output weight = weir_mul(builder, "mul", nearness(sampler, sampler->xs, x),
                                nearness(sampler, sampler->ys, y));
    TF_Output width = weir_build_int32(builder, "width", (int32_t)sampler->width);
    TF_Output row = weir_mul(builder, "mul", whole(sampler, y, sampler->height), width);
    TF_Output line = weir_add_v2(builder, "add", sampler->base, row);
    TF_Output at = weir_add_v2(builder, "add", line, whole(sampler, x, sampler->width));
    TF_Output axis = weir_build_int32(builder, "axis", 0),
              last = weir_build_int32(builder, "last", 2);
    TF_Output pixels = weir_gather_v2(builder, "pixels", sampler->flat, at, axis, NULL);
    return weir_mul(builder, "mul", weir_expand_dims(builder, "ExpandDims", weight, last), pixels);
}

static TF_Output transform(const building *building, TF_Output images, TF_Output theta)
{
    const int64_t *dims = building->input.dims;
    sampler sampler = {.b = building->b, .height = dims[0], .width = dims[1], .channels = dims[2]};
    weir_build_push_scope(building->b, "transform");
    sampler.flat = reshape(building->b, images, (int32_t[]){-1, (int32_t)sampler.channels}, 2);
    sampler.base = first_pixels(&sampler, images);
    find_points(&sampler, theta);
    TF_Output sum = corner(&sampler, 0, 0);
    for (int i = 1; i < 4; i++)
        sum =
            weir_add_v2(building->b, "add", sum, corner(&sampler, (float)(i / 2), (float)(i % 2)));
    int32_t shape[] = {-1, (int32_t)sampler.height, (int32_t)sampler.width,
                       (int32_t)sampler.channels};
    TF_Output out = reshape(building->b, sum, shape, 4);
    weir_build_pop_scope(building->b);
    return out;
}

/* ---- the network ---------------------------------------------------------------------------- */

/* The six parameters of each image's affine transformation, initially the identity. */
static TF_Output localize(const building *building)
{
    weir_builder *builder = building->b;
    TF_Output h = weir_models_dense(building, weir_nn_flatten(&building->net, building->x), 20,
                                    "loc1", WEIR_NN_TANH, WEIR_MODELS_DEVIATION);
    TF_Output w = weir_nn_variable(
        &building->net,
        &(weir_variable_options){.name = "loc2/w", .rank = 2, .dims = (const int64_t[]){20, 6}});
    static const float identity[] = {1, 0, 0, 0, 1, 0};
    TF_Output bias = weir_nn_variable(
        &building->net, &(weir_variable_options){.name = "loc2/b",
                                                 .rank = 1,
                                                 .dims = &(int64_t){6},
                                                 .initial = {WEIR_VALUES, .values = identity}});
    weir_build_push_scope(builder, "loc2");
    TF_Output sum = weir_add_v2(builder, "add", weir_mat_mul(builder, "MatMul", h, w, NULL), bias);
    TF_Output theta = weir_nn_activate(&building->net, sum, WEIR_NN_TANH);
    weir_build_pop_scope(builder);
    return theta;
}

static void finish(const building *building, TF_Output h)
{
    h = weir_models_dense(building, weir_nn_flatten(&building->net, h), 1024, "fc", WEIR_NN_RELU,
                          WEIR_MODELS_DEVIATION);
    h = weir_nn_dropout(&building->net, h, 0.2, 3);
    weir_models_classify(building, weir_models_dense(building, h, building->input.classes, "out",
                                                     WEIR_NN_LINEAR, WEIR_MODELS_DEVIATION));
}

static void build_small(const building *building)
{
    TF_Output h = transform(building, building->x, localize(building));
    h = weir_models_conv(building, h, 16, 3, "c1", 2, WEIR_NN_SAME);
    finish(building, weir_models_conv(building, h, 16, 3, "c2", 2, WEIR_NN_SAME));
}

static void build_large(const building *building)
{
    TF_Output h = transform(building, building->x, localize(building));
    static const char *const names[] = {"c1", "c2", "c3"};
    for (int i = 0; i < 3; i++)
        h = weir_models_halve(building,
                              weir_models_conv(building, h, 16, 3, names[i], 1, WEIR_NN_SAME));
    finish(building, h);
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
