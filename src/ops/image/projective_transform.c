/* ops/image/projective_transform.c - ImageProjectiveTransformV2, ImageProjectiveTransformV3: maps
 * each output pixel to an input position by a projective matrix of eight numbers.
 */
#include <math.h>

#include "base/arith.h"
#include "math/cast/cast.h"
#include "ops/common/elem_of.h"
#include "ops/common/infer_util.h"
#include "ops/declare.h"

enum { IMAGES, TRANSFORMS, OUTPUT_SHAPE, FILL_VALUE };
enum { DTYPE, INTERPOLATION, FILL_MODE };
enum { NUMBERS = 8 }; /* of a transform */

static weir_status infer(weir_infer *infer)
{
    weir_shape size;
    WEIR_TRY(weir_infer_rank(infer, IMAGES, 4));
    WEIR_TRY(weir_infer_rank(infer, TRANSFORMS, 2));
    WEIR_TRY(weir_infer_rank(infer, OUTPUT_SHAPE, 1));
    WEIR_TRY(weir_infer_value_as_shape(infer, OUTPUT_SHAPE, &size));
    if (size.rank >= 0 && size.rank != 2)
        return weir_error(WEIR_INVALID_ARGUMENT, "output_shape must have two elements");
    infer->out[0] = (weir_shape){
        .rank = 4,
        .dims = {weir_infer_dim(infer, IMAGES, 0), size.rank == 2 ? size.dims[0] : -1,
                 size.rank == 2 ? size.dims[1] : -1, weir_infer_dim(infer, IMAGES, 3)}};
    return WEIR_OK;
}

/* ---- coordinates outside of the picture ------------------------------------------------------ */

static float clamped(float at, int64_t length)
{
    return fminf(fmaxf(at, 0.0f), (float)length - 1.0f);
}

static float constant(float at, int64_t length)
{
    (void)length;
    return at;
}

static float reflect(float at, int64_t length)
{
    float twice = 2.0f * (float)length;
    if (length <= 1)
        return 0;
    if (at < 0) {
        if (at < twice)
            at = twice * (float)(int64_t)(-at / twice) + at;
        at = at < (float)-length ? at + twice : -at - 1.0f;
    } else if (at > (float)length - 1.0f) {
        at -= twice * (float)(int64_t)(at / twice);
        if (at >= (float)length)
            at = twice - at - 1.0f;
    }
    return clamped(at, length);
}

static float wrap(float at, int64_t length)
{
    float last = (float)length - 1.0f;
    if (length <= 1)
        return 0;
    if (at < 0)
        at += (float)length * (float)((int64_t)(-at / last) + 1);
    else if (at > last)
        at -= (float)length * (float)(int64_t)(at / last);
    return clamped(at, length);
}

typedef float map(float at, int64_t length);

static weir_status find_map(weir_str name, map **out)
{
    static const struct {
        const char *name;
        map *map;
    } maps[] = {{"CONSTANT", constant}, {"REFLECT", reflect}, {"WRAP", wrap}, {"NEAREST", clamped}};
    for (size_t i = 0; i < sizeof maps / sizeof *maps; i++)
        if (weir_str_is(name, maps[i].name)) {
            *out = maps[i].map;
            return WEIR_OK;
        }
    return weir_error(WEIR_INVALID_ARGUMENT,
                      "Invalid mode %.*s. Supported types: REFLECT, WRAP, CONSTANT, NEAREST",
                      WEIR_STR_ARG(name));
}

/* ---- pixels ---------------------------------------------------------------------------------- */

typedef struct picture {
    const double *pixels;
    int64_t height, width, channels;
    float fill;
    map *map;
    bool bilinear;
} picture;

static double pixel(const picture *picture, float row, float column, int64_t channel)
{
    if (!(row >= 0 && row < (float)picture->height && column >= 0 &&
          column < (float)picture->width))
        return picture->fill;
    return picture
        ->pixels[((int64_t)row * picture->width + (int64_t)column) * picture->channels + channel];
}

static double blend(float a, double x, float b, double y)
{
    return (double)(a * (float)x + b * (float)y); /* in float, whatever the type of the picture */
}

static double between(const picture *picture, float y, float x, int64_t channel)
{
    float top = floorf(y), left = floorf(x), bottom = top + 1, right = left + 1;
    double above = blend(right - x, pixel(picture, top, left, channel), x - left,
                         pixel(picture, top, right, channel));
    double below = blend(right - x, pixel(picture, bottom, left, channel), x - left,
                         pixel(picture, bottom, right, channel));
    return blend(bottom - y, above, y - top, below);
}

/* Computes all channels of the output pixel at |row|, |column|. */
static void take_pixel(const picture *picture, const float *t, int64_t row, int64_t column,
                       double *out)
{
    float x0 = (float)column, y0 = (float)row, projection = t[6] * x0 + t[7] * y0 + 1.0f;
    float x = (t[0] * x0 + t[1] * y0 + t[2]) / projection;
    float y = (t[3] * x0 + t[4] * y0 + t[5]) / projection;
    x = projection == 0 ? NAN : picture->map(x, picture->width);
    y = projection == 0 ? NAN : picture->map(y, picture->height);
    for (int64_t channel = 0; channel < picture->channels; channel++)
        out[channel] = projection == 0     ? picture->fill
                       : picture->bilinear ? between(picture, y, x, channel)
                                           : pixel(picture, roundf(y), roundf(x), channel);
}

static void transform(const picture *picture, const float *numbers, const weir_shape *size,
                      double *out)
{
    for (int64_t row = 0; row < size->dims[1]; row++)
        for (int64_t column = 0; column < size->dims[2]; column++, out += picture->channels)
            take_pixel(picture, numbers, row, column, out);
}

static weir_status check(weir_call *call)
{
    const weir_shape *images = &weir_in(call, IMAGES)->shape,
                     *numbers = &weir_in(call, TRANSFORMS)->shape;
    if (numbers->dims[1] != NUMBERS ||
        (numbers->dims[0] != 1 && numbers->dims[0] != images->dims[0]))
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Input transform should be num_images x 8 or 1 x 8");
    const weir_shape *size = &weir_out(call, 0)->shape;
    if (size->dims[1] <= 0 || size->dims[2] <= 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "new dimensions must be positive");
    return WEIR_OK;
}

static weir_status read_picture(weir_call *call, picture *out)
{
    const weir_shape *images = &weir_in(call, IMAGES)->shape;
    weir_str how = weir_site_str(call->site, INTERPOLATION);
    WEIR_TRY(find_map(weir_site_str(call->site, FILL_MODE), &out->map));
    out->bilinear = weir_str_is(how, "BILINEAR");
    if (!out->bilinear && !weir_str_is(how, "NEAREST"))
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Invalid interpolation %.*s. Supported types: NEAREST, BILINEAR",
                          WEIR_STR_ARG(how));
    out->height = images->dims[1];
    out->width = images->dims[2];
    out->channels = images->dims[3];
    if (call->site->in_count > FILL_VALUE)
        out->fill = *(const float *)weir_in(call, FILL_VALUE)->data;
    return WEIR_OK;
}

static weir_status run(weir_call *call)
{
    const weir_tensor *images = weir_in(call, IMAGES), *numbers = weir_in(call, TRANSFORMS);
    weir_tensor *y = weir_out(call, 0);
    weir_elem elem = weir_elem_of(images->dtype);
    picture picture = {0};
    WEIR_TRY(check(call));
    WEIR_TRY(read_picture(call, &picture));
    int64_t in_count = weir_tensor_count(images), out_count = weir_tensor_count(y);
    int64_t batch = images->shape.dims[0];
    WEIR_FREED double *pixels = WEIR_NEW_ARRAY(double, in_count + 1);
    WEIR_FREED double *made = WEIR_NEW_ARRAY(double, out_count + 1);
    weir_cast_run(NULL, elem, WEIR_E_f64, in_count, images->data, pixels);
    for (int64_t i = 0; i < batch; i++) {
        picture.pixels = pixels + i * (in_count / batch);
        transform(&picture,
                  (const float *)numbers->data + (numbers->shape.dims[0] == 1 ? 0 : i * NUMBERS),
                  &y->shape, made + i * (out_count / batch));
    }
    weir_cast_run(NULL, WEIR_E_f64, elem, out_count, made, y->data);
    return WEIR_OK;
}

#define TRANSFORM                                                                                  \
    .out = "transformed_images: dtype",                                                            \
    .attrs = "dtype: {uint8, int32, int64, half, bfloat16, float, double}; "                       \
             "interpolation: string; fill_mode: string = \"CONSTANT\"",                            \
    .infer = infer, .kernels = {{WEIR_CPU, "*", run, WEIR_EXPENSIVE}}

WEIR_DEFINE_OP(image_projective_transform_v2, "ImageProjectiveTransformV2", TRANSFORM,
               .in = "images: dtype; transforms: float; output_shape: int32",
               .host = "output_shape");
WEIR_DEFINE_OP(image_projective_transform_v3, "ImageProjectiveTransformV3", TRANSFORM,
               .in = "images: dtype; transforms: float; output_shape: int32; fill_value: float",
               .host = "output_shape; fill_value");
