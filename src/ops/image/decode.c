/* ops/image/decode.c - DecodePng, DecodeJpeg, DecodeGif, DecodeBmp, DecodeImage and
 * DecodeAndCropJpeg: image files to pixels. All but DecodeBmp accept any format that fits their
 * output.
 */
#include <inttypes.h>

#include "io/image.h"
#include "ops/common/strs.h"
#include "ops/image/image_impl.h"

/* The output that the attrs of an op request. */
typedef struct request {
    int64_t channels;
    weir_dtype dtype;         /* uint8, uint16 or float */
    bool frames;              /* the output has a dimension of frames */
    bool frames_only_if_many; /* ... if the format supports several */
    bool first_frame;         /* of an animation return only the first */
    weir_jpeg_decode jpeg;
} request;

static weir_status read_contents(weir_call *call, weir_str *out)
{
    const weir_tensor *tensor = weir_in(call, 0);
    if (tensor->shape.rank != 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "`contents` must be scalar but got shape%s",
                          WEIR_SHAPE_STR(&tensor->shape));
    *out = weir_str_at(tensor, 0);
    if (out->length == 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "Input is empty.");
    return WEIR_OK;
}

/* The number of output channels, for what the format has. */
static weir_status choose_channels(weir_image_kind kind, const request *request,
                                   const weir_image_info *info, int *out)
{
    *out = request->channels ? (int)request->channels : info->channels;
    if (kind == WEIR_IMAGE_JPEG && request->channels == 4)
        return weir_error(WEIR_INVALID_ARGUMENT, "JPEG does not support 4 channels");
    if (kind == WEIR_IMAGE_GIF && *out != 3)
        return weir_error(WEIR_INVALID_ARGUMENT, "channels must be 0, 3 for GIF, but got %d", *out);
    if (kind == WEIR_IMAGE_BMP && request->channels == 1)
        return weir_error(WEIR_INVALID_ARGUMENT, "`channels` must be 0, 3 or 4 for BMP, but got 1");
    return WEIR_OK;
}

/* Converts from the decoders' output, bytes or 16 bits for PNG, with scaling. */
static void stretch(const void *from, int bits, weir_tensor *out)
{
    int64_t count = weir_tensor_count(out);
    const uint8_t *bytes = from;
    const uint16_t *words = from;
    if (out->dtype == WEIR_UINT16) { /* bits is 8 */
        for (int64_t i = 0; i < count; i++)
            ((uint16_t *)out->data)[i] = (uint16_t)(bytes[i] * 256);
        return;
    }
    const float scale = 1.0f / (bits == 8 ? 255.0f : 65535.0f);
    for (int64_t i = 0; i < count; i++)
        ((float *)out->data)[i] = scale * (float)(bits == 8 ? bytes[i] : words[i]);
}

static weir_status decode_into(const weir_image_info *info, weir_str bytes,
                               const weir_image_want *want, weir_tensor *out)
{
    weir_dtype given = want->bits == 8 ? WEIR_UINT8 : WEIR_UINT16;
    if (out->dtype == given)
        return weir_image_decode(info, bytes, want, out->data);
    weir_tensor workspace;
    WEIR_TRY(weir_tensor_alloc(given, &out->shape, &workspace));
    weir_status status = weir_image_decode(info, bytes, want, workspace.data);
    if (!status)
        stretch(workspace.data, want->bits, out);
    weir_tensor_release(&workspace);
    return status;
}

static weir_shape shape_of(const request *request, const weir_image_info *info, int channels)
{
    bool many = info->kind == WEIR_IMAGE_GIF;
    bool with_frames = request->frames || (request->frames_only_if_many && many);
    if (with_frames)
        return (weir_shape){4, {info->frames, info->height, info->width, channels}};
    return (weir_shape){3, {info->height, info->width, channels}};
}

static weir_status decode(weir_call *call, weir_image_kind kind, weir_str bytes,
                          const request *request)
{
    weir_image_want want = {.jpeg = request->jpeg, .bits = 8};
    weir_image_info info;
    int channels;
    if (kind == WEIR_IMAGE_PNG && request->dtype != WEIR_UINT8)
        want.bits = 16;
    WEIR_TRY(weir_image_inspect(kind, bytes, &want, &info));
    WEIR_TRY(choose_channels(kind, request, &info, &channels));
    if (info.frames > 1 && !request->frames && !request->frames_only_if_many) {
        if (!request->first_frame)
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "Got %" PRId64
                              " frames, but animated gifs can only be decoded by tf.io.decode_gif "
                              "or tf.io.decode_image",
                              info.frames);
        info.frames = 1;
    }
    want.channels = channels;
    weir_shape shape = shape_of(request, &info, channels);
    WEIR_TRY(weir_call_alloc(call, 0, &shape));
    return decode_into(&info, bytes, &want, weir_out(call, 0));
}

/* Any format except BMP, which only DecodeBmp and DecodeImage accept. */
static weir_status decode_any(weir_call *call, const request *request, bool take_bmp)
{
    weir_str bytes;
    WEIR_TRY(read_contents(call, &bytes));
    weir_image_kind kind = weir_image_sniff(bytes);
    if (kind == WEIR_IMAGE_BMP && !take_bmp)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Trying to decode BMP format using a wrong op. Use `decode_bmp` or "
                          "`decode_image` instead. Op used: %s",
                          call->site->def->name);
    return decode(call, kind, bytes, request);
}

static weir_status check_channels(int64_t channels)
{
    if (channels == 0 || channels == 1 || channels == 3 || channels == 4)
        return WEIR_OK;
    return weir_error(WEIR_INVALID_ARGUMENT, "`channels` must be 0, 1, 3 or 4 but got %" PRId64,
                      channels);
}

/* [?, ?, channels] */
static weir_status infer_picture(weir_infer *infer)
{
    int64_t channels = infer->site->def->attr_count ? weir_site_int(infer->site, 0) : 0;
    if (channels < 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "channels must be non-negative, got %" PRId64,
                          channels);
    WEIR_TRY(weir_infer_rank(infer, 0, 0));
    infer->out[0] = (weir_shape){3, {-1, -1, channels ? channels : -1}};
    return WEIR_OK;
}

/* ---- PNG ------------------------------------------------------------------------------------- */

static weir_status decode_png(weir_call *call)
{
    request request = {.channels = weir_site_int(call->site, 0),
                       .dtype = weir_site_type(call->site, 1)};
    WEIR_TRY(check_channels(request.channels));
    return decode_any(call, &request, false);
}

const weir_op weir_op_decode_png = {
    .name = "DecodePng",
    .in = "contents: string",
    .out = "image: dtype",
    .attrs = "channels: int = 0; dtype: {uint8, uint16} = DT_UINT8",
    .infer = infer_picture,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", decode_png, WEIR_OWN_OUTPUTS | WEIR_EXPENSIVE}},
};

/* ---- JPEG ------------------------------------------------------------------------------------ */

enum { CHANNELS, RATIO, FANCY, RECOVER, FRACTION, DCT };

static weir_status read_jpeg(const weir_site *site, request *out)
{
    int64_t ratio = weir_site_int(site, RATIO);
    weir_str dct = weir_site_str(site, DCT);
    *out = (request){.channels = weir_site_int(site, CHANNELS), .dtype = WEIR_UINT8};
    WEIR_TRY(check_channels(out->channels));
    if (ratio != 1 && ratio != 2 && ratio != 4 && ratio != 8)
        return weir_error(WEIR_INVALID_ARGUMENT, "ratio must be 1, 2, 4, or 8, got %" PRId64,
                          ratio);
    if (dct.length && !weir_str_is(dct, "INTEGER_FAST") && !weir_str_is(dct, "INTEGER_ACCURATE"))
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "dct_method must be one of {'', 'INTEGER_FAST', 'INTEGER_ACCURATE'}");
    out->jpeg = (weir_jpeg_decode){
        .ratio = (int)ratio,
        .no_fancy_upscaling = !weir_site_bool(site, FANCY),
        .try_recover_truncated = weir_site_bool(site, RECOVER),
        .acceptable_fraction = weir_site_float(site, FRACTION),
        .dct = weir_str_is(dct, "INTEGER_ACCURATE") ? WEIR_JPEG_DCT_ACCURATE : WEIR_JPEG_DCT_FAST,
    };
    return WEIR_OK;
}

static weir_status decode_jpeg(weir_call *call)
{
    request request;
    WEIR_TRY(read_jpeg(call->site, &request));
    return decode_any(call, &request, false);
}

static weir_status decode_and_crop(weir_call *call)
{
    request request;
    weir_str bytes;
    WEIR_TRY(read_jpeg(call->site, &request));
    WEIR_TRY(read_contents(call, &bytes));
    weir_image_kind kind = weir_image_sniff(bytes);
    if (kind == WEIR_IMAGE_PNG || kind == WEIR_IMAGE_GIF || kind == WEIR_IMAGE_BMP)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "DecodeAndCropJpeg operation can run on JPEG only, but detected %s.",
                          kind == WEIR_IMAGE_PNG   ? "PNG"
                          : kind == WEIR_IMAGE_GIF ? "GIF"
                                                   : "BMP");
    const int32_t *window = weir_in(call, 1)->data;
    if (weir_tensor_count(weir_in(call, 1)) != 4)
        return weir_error(WEIR_INVALID_ARGUMENT, "crop_window must be 1-D with four elements: %s",
                          WEIR_SHAPE_STR(&weir_in(call, 1)->shape));
    request.jpeg.crop = true;
    request.jpeg.crop_y = window[0];
    request.jpeg.crop_x = window[1];
    request.jpeg.crop_h = window[2];
    request.jpeg.crop_w = window[3];
    return decode(call, WEIR_IMAGE_JPEG, bytes, &request);
}

static weir_status infer_crop(weir_infer *infer)
{
    WEIR_TRY(infer_picture(infer));
    WEIR_TRY(weir_infer_rank(infer, 1, 1));
    const weir_tensor *window = weir_infer_value(infer, 1);
    if (window && weir_tensor_count(window) == 4)
        for (int axis = 0; axis < 2; axis++) {
            int32_t side = ((const int32_t *)window->data)[2 + axis];
            infer->out[0].dims[axis] = side < 0 ? -1 : side;
        }
    return WEIR_OK;
}

#define JPEG_ATTRS                                                                                 \
    "channels: int = 0; ratio: int = 1; fancy_upscaling: bool = true; try_recover_truncated: "     \
    "bool = false; acceptable_fraction: float = 1.0; dct_method: string = \"\""

const weir_op weir_op_decode_jpeg = {
    .name = "DecodeJpeg",
    .in = "contents: string",
    .out = "image: uint8",
    .attrs = JPEG_ATTRS,
    .infer = infer_picture,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", decode_jpeg, WEIR_OWN_OUTPUTS | WEIR_EXPENSIVE}},
};

const weir_op weir_op_decode_and_crop_jpeg = {
    .name = "DecodeAndCropJpeg",
    .in = "contents: string; crop_window: int32",
    .out = "image: uint8",
    .attrs = JPEG_ATTRS,
    .infer = infer_crop,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", decode_and_crop, WEIR_OWN_OUTPUTS | WEIR_EXPENSIVE}},
};

/* ---- GIF, BMP, any format -------------------------------------------------------------------- */

static weir_status infer_gif(weir_infer *infer)
{
    WEIR_TRY(weir_infer_rank(infer, 0, 0));
    infer->out[0] = (weir_shape){4, {-1, -1, -1, 3}};
    return WEIR_OK;
}

static weir_status decode_gif(weir_call *call)
{
    request request = {.channels = 3, .dtype = WEIR_UINT8, .frames = true};
    return decode_any(call, &request, false);
}

const weir_op weir_op_decode_gif = {
    .name = "DecodeGif",
    .in = "contents: string",
    .out = "image: uint8",
    .infer = infer_gif,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", decode_gif, WEIR_OWN_OUTPUTS | WEIR_EXPENSIVE}},
};

static weir_status decode_bmp(weir_call *call)
{
    static const char *const names[] = {
        [WEIR_IMAGE_PNG] = "PNG", [WEIR_IMAGE_JPEG] = "JPEG", [WEIR_IMAGE_GIF] = "GIF"};
    static const char *const ops[] = {[WEIR_IMAGE_PNG] = "decode_png",
                                      [WEIR_IMAGE_JPEG] = "decode_jpeg",
                                      [WEIR_IMAGE_GIF] = "decode_gif"};
    request request = {.channels = weir_site_int(call->site, 0), .dtype = WEIR_UINT8};
    weir_str bytes;
    WEIR_TRY(check_channels(request.channels));
    WEIR_TRY(read_contents(call, &bytes));
    weir_image_kind kind = weir_image_sniff(bytes);
    if (kind == WEIR_IMAGE_PNG || kind == WEIR_IMAGE_JPEG || kind == WEIR_IMAGE_GIF)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Trying to decode %s format using DecodeBmp op. Use `%s` or "
                          "`decode_image` instead.",
                          names[kind], ops[kind]);
    return decode(call, kind, bytes, &request);
}

const weir_op weir_op_decode_bmp = {
    .name = "DecodeBmp",
    .in = "contents: string",
    .out = "image: uint8",
    .attrs = "channels: int = 0",
    .infer = infer_picture,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", decode_bmp, WEIR_OWN_OUTPUTS | WEIR_EXPENSIVE}},
};

static weir_status infer_image(weir_infer *infer)
{
    WEIR_TRY(infer_picture(infer));
    if (weir_site_bool(infer->site, 2))
        infer->out[0] = WEIR_UNKNOWN_SHAPE;
    return WEIR_OK;
}

static weir_status decode_image(weir_call *call)
{
    bool expand = weir_site_bool(call->site, 2);
    request request = {.channels = weir_site_int(call->site, 0),
                       .dtype = weir_site_type(call->site, 1),
                       .frames_only_if_many = expand,
                       .first_frame = !expand};
    WEIR_TRY(check_channels(request.channels));
    return decode_any(call, &request, true);
}

const weir_op weir_op_decode_image = {
    .name = "DecodeImage",
    .in = "contents: string",
    .out = "image: dtype",
    .attrs = "channels: int = 0; dtype: {uint8, uint16, float} = DT_UINT8; expand_animations: "
             "bool = true",
    .infer = infer_image,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", decode_image, WEIR_OWN_OUTPUTS | WEIR_EXPENSIVE}},
};

/* ---- ExtractJpegShape ------------------------------------------------------------------------ */

static weir_status infer_shape(weir_infer *infer)
{
    WEIR_TRY(weir_infer_rank(infer, 0, 0));
    infer->out[0] = weir_shape_vector(3);
    return WEIR_OK;
}

static weir_status extract_shape(weir_call *call)
{
    weir_str bytes;
    weir_image_info info;
    WEIR_TRY(read_contents(call, &bytes));
    WEIR_TRY(weir_image_inspect(WEIR_IMAGE_JPEG, bytes, NULL, &info));
    int64_t sides[] = {info.height, info.width, info.channels};
    weir_tensor *out = weir_out(call, 0);
    for (int i = 0; i < 3; i++)
        if (out->dtype == WEIR_INT32)
            ((int32_t *)out->data)[i] = (int32_t)sides[i];
        else
            ((int64_t *)out->data)[i] = sides[i];
    return WEIR_OK;
}

const weir_op weir_op_extract_jpeg_shape = {
    .name = "ExtractJpegShape",
    .in = "contents: string",
    .out = "image_shape: output_type",
    .attrs = "output_type: {int32, int64} = DT_INT32",
    .infer = infer_shape,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", extract_shape}},
};
