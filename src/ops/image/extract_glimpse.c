/* ops/image/extract_glimpse.c - ExtractGlimpse and V2: a window of each image, at an offset in
 * pixels or normalised, relative to its corner or its centre. */
#include <inttypes.h>
#include <math.h>

#include "ops/declare.h"
#include "ops/image/image_impl.h"
#include "ops/random/generator.h"

enum { CENTERED, NORMALIZED, UNIFORM_NOISE, NOISE };
enum { V1, V2 }; /* modes */
typedef enum noise { NOISE_UNIFORM, NOISE_GAUSSIAN, NOISE_ZERO } noise;

static weir_status infer(weir_infer *infer)
{
    WEIR_TRY(weir_infer_rank(infer, 0, 4));
    WEIR_TRY(weir_infer_rank(infer, 1, 1));
    WEIR_TRY(weir_infer_rank(infer, 2, 2));
    int64_t batch, two;
    WEIR_TRY(
        weir_infer_merge_dim(weir_infer_dim(infer, 0, 0), weir_infer_dim(infer, 2, 0), &batch));
    WEIR_TRY(weir_infer_merge_dim(weir_infer_dim(infer, 2, 1), 2, &two));
    WEIR_TRY(weir_infer_merge_dim(weir_infer_dim(infer, 1, 0), 2, &two));
    weir_shape out = {4, {batch, -1, -1, weir_infer_dim(infer, 0, 3)}};
    const weir_tensor *size = weir_infer_value(infer, 1);
    for (int axis = 0; size && axis < 2; axis++) {
        int32_t side = ((const int32_t *)size->data)[axis];
        if (side <= 0)
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "Glimpse height and width must be positive, got %d", side);
        out.dims[1 + axis] = side;
    }
    infer->out[0] = out;
    return WEIR_OK;
}

/* Start of the window along one side. The first version always centres it on the offset. */
static int64_t start_of(const weir_site *site, float place, int64_t side, int64_t window, bool v2)
{
    bool centered = weir_site_bool(site, CENTERED), normalized = weir_site_bool(site, NORMALIZED);
    if (normalized)
        place *= (float)side;
    if (centered) {
        if (!v2 || normalized)
            place /= 2;
        place += (float)side / 2;
    }
    if (!v2 || (centered && normalized))
        place -= (float)window / 2;
    return place > -1e9f && place < 1e9f ? (int64_t)place : INT32_MIN;
}

static weir_status noise_of(const weir_site *site, noise *out)
{
    weir_str name = weir_site_str(site, NOISE);
    bool uniform = weir_site_bool(site, UNIFORM_NOISE);
    if (weir_str_is(name, "zero"))
        *out = NOISE_ZERO;
    else if (weir_str_is(name, "gaussian") || (weir_str_is(name, "uniform") && !uniform))
        *out = NOISE_GAUSSIAN;
    else if (weir_str_is(name, "uniform"))
        *out = NOISE_UNIFORM;
    else
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Noise should be one of 'uniform', 'gaussian', 'zero', got '%.*s'",
                          WEIR_STR_ARG(name));
    return WEIR_OK;
}

/* Noise follows the image: uniform over its range, or with its mean and deviation. */
typedef struct source {
    noise kind;
    float offset, scale;
    weir_philox gen;
    weir_philox_single random;
} source;

static void learn(source *source, const float *image, int64_t count)
{
    float least = INFINITY, most = -INFINITY;
    double sum = 0, squares = 0;
    for (int64_t i = 0; i < count; i++) {
        least = fminf(least, image[i]);
        most = fmaxf(most, image[i]);
        sum += image[i];
        squares += (double)image[i] * image[i];
    }
    double mean = sum / (double)count, spread = squares / (double)count - mean * mean;
    bool uniform = source->kind == NOISE_UNIFORM;
    source->offset = uniform ? least : (float)mean;
    source->scale = uniform ? most - least : (float)sqrt(spread > 0 ? spread : 0);
}

static float draw(source *source)
{
    if (source->kind == NOISE_ZERO)
        return 0;
    double u = weir_philox_f64(&source->random);
    if (source->kind == NOISE_GAUSSIAN)
        u = sqrt(-2 * log(1 - u)) *
            cos(2 * 3.14159265358979323846 * weir_philox_f64(&source->random));
    return source->offset + source->scale * (float)u;
}

static void copy_window(const float *image, const int64_t *dims, int64_t y0, int64_t x0,
                        source *source, const weir_shape *to, float *out)
{
    int64_t channels = dims[3];
    for (int64_t y = 0; y < to->dims[1]; y++)
        for (int64_t x = 0; x < to->dims[2]; x++, out += channels) {
            bool inside = y0 + y >= 0 && y0 + y < dims[1] && x0 + x >= 0 && x0 + x < dims[2];
            for (int64_t channel = 0; channel < channels; channel++)
                out[channel] = inside ? image[((y0 + y) * dims[2] + x0 + x) * channels + channel]
                                      : draw(source);
        }
}

static weir_status extract(weir_call *call)
{
    bool v2 = weir_site_mode(call->site) == V2;
    const weir_tensor *in = weir_in(call, 0);
    const float *offsets = weir_in(call, 2)->data;
    weir_tensor *out = weir_out(call, 0);
    const int64_t *dims = in->shape.dims;
    source source = {0};
    WEIR_TRY(noise_of(call->site, &source.kind));
    source.gen = weir_philox_seeded(weir_random_bits(), weir_random_bits());
    source.random = weir_philox_singles(&source.gen);
    int64_t from = dims[1] * dims[2] * dims[3];
    int64_t to = out->shape.dims[1] * out->shape.dims[2] * dims[3];
    for (int64_t n = 0; n < dims[0]; n++) {
        const float *image = (const float *)in->data + n * from;
        if (source.kind != NOISE_ZERO)
            learn(&source, image, from);
        int64_t y = start_of(call->site, offsets[2 * n], dims[1], out->shape.dims[1], v2);
        int64_t x = start_of(call->site, offsets[2 * n + 1], dims[2], out->shape.dims[2], v2);
        copy_window(image, dims, y, x, &source, &out->shape, (float *)out->data + n * to);
    }
    return WEIR_OK;
}

#define GLIMPSE                                                                                    \
    .in = "input: float; size: int32; offsets: float", .out = "glimpse: float",                    \
    .attrs = "centered: bool = true; normalized: bool = true; uniform_noise: bool = true; "        \
             "noise: string = \"uniform\"",                                                        \
    .flags = WEIR_NO_FOLD, .infer = infer, .no_grad = true, .kernels = {{WEIR_CPU, "*", extract}}
WEIR_DEFINE_OP(extract_glimpse, "ExtractGlimpse", GLIMPSE, .mode = V1);
WEIR_DEFINE_OP(extract_glimpse_v2, "ExtractGlimpseV2", GLIMPSE, .mode = V2);
