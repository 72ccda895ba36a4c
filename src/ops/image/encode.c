/* ops/image/encode.c - EncodePng, EncodeJpeg, EncodeJpegVariableQuality: pixels into files. */
#include <inttypes.h>

#include "io/image.h"
#include "ops/common/strs.h"
#include "ops/image/image_impl.h"

/* ---- PNG: any number of leading dimensions --------------------------------------------------- */

static weir_status infer_png(weir_infer *infer)
{
    WEIR_TRY(weir_infer_rank_at_least(infer, 0, 3));
    infer->out[0] = weir_infer_sub(infer->in[0], 0, infer->in[0]->rank - 3);
    return WEIR_OK;
}

static weir_status encode_png(weir_call *call)
{
    const weir_tensor *in = weir_in(call, 0);
    const int64_t *dims = in->shape.dims + in->shape.rank - 3;
    int64_t compression = weir_site_int(call->site, 0);
    if (compression < -1 || compression > 9)
        return weir_error(WEIR_INVALID_ARGUMENT, "compression should be in [-1,9], got %" PRId64,
                          compression);
    if (dims[2] < 1 || dims[2] > 4)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "image must have 1, 2, 3, or 4 channels, got %" PRId64, dims[2]);
    int bits = in->dtype == WEIR_UINT8 ? 8 : 16;
    int64_t one = dims[0] * dims[1] * dims[2] * (bits / 8);
    for (int64_t i = 0; i < weir_tensor_count(weir_out(call, 0)); i++) {
        weir_pixels pixels = {(const char *)in->data + i * one, dims[0], dims[1], (int)dims[2],
                              bits};
        weir_buf png = {0};
        weir_status status = weir_png_encode(&pixels, (int)compression, &png);
        weir_str_put_buf(weir_out(call, 0), i, &png);
        WEIR_TRY(status);
    }
    return WEIR_OK;
}

const weir_op weir_op_encode_png = {
    .name = "EncodePng",
    .in = "image: T",
    .out = "contents: string",
    .attrs = "compression: int = -1; T: {uint8, uint16} = DT_UINT8",
    .infer = infer_png,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", encode_png, WEIR_EXPENSIVE}},
};

/* ---- JPEG ------------------------------------------------------------------------------------ */

static weir_status infer_jpeg(weir_infer *infer)
{
    WEIR_TRY(weir_infer_rank(infer, 0, 3));
    return weir_infer_scalar(infer);
}

static weir_status write_jpeg(weir_call *call, weir_jpeg_encode *how)
{
    const weir_tensor *in = weir_in(call, 0);
    const int64_t *dims = in->shape.dims;
    if (how->quality < 0 || how->quality > 100)
        return weir_error(WEIR_INVALID_ARGUMENT, "quality must be in [0,100], got %d",
                          how->quality);
    weir_pixels pixels = {in->data, dims[0], dims[1], (int)dims[2], 8};
    weir_buf jpeg = {0};
    weir_status status = weir_jpeg_write(&pixels, how, &jpeg);
    weir_str_put_buf(weir_out(call, 0), 0, &jpeg);
    return status;
}

/* |format|: "grayscale" needs one channel, "rgb" three, "" accepts either. */
static weir_status check_format(const weir_shape *shape, weir_str format, bool *out_gray)
{
    int64_t channels = shape->dims[2];
    if (format.length == 0 && channels != 1 && channels != 3)
        return weir_error(WEIR_INVALID_ARGUMENT, "image must have 1 or 3 channels, got %s",
                          WEIR_SHAPE_STR(shape));
    *out_gray = format.length ? weir_str_is(format, "grayscale") : channels == 1;
    int64_t need = *out_gray ? 1 : 3;
    if (channels != need)
        return weir_error(WEIR_INVALID_ARGUMENT, "format %.*s expects %" PRId64 " channels, got %s",
                          WEIR_STR_ARG(format), need, WEIR_SHAPE_STR(shape));
    return WEIR_OK;
}

enum { FORMAT, QUALITY, PROGRESSIVE, OPTIMIZE, DOWNSAMPLING, UNIT, X_DENSITY, Y_DENSITY, XMP };

static weir_status encode_jpeg(weir_call *call)
{
    const weir_site *site = call->site;
    weir_jpeg_encode how = {
        .quality = (int)weir_site_int(site, QUALITY),
        .progressive = weir_site_bool(site, PROGRESSIVE),
        .optimize_size = weir_site_bool(site, OPTIMIZE),
        .chroma_downsampling = weir_site_bool(site, DOWNSAMPLING),
        .density_in_cm = weir_str_is(weir_site_str(site, UNIT), "cm"),
        .x_density = (int)weir_site_int(site, X_DENSITY),
        .y_density = (int)weir_site_int(site, Y_DENSITY),
        .xmp_metadata = weir_site_str(site, XMP),
    };
    WEIR_TRY(check_format(&weir_in(call, 0)->shape, weir_site_str(site, FORMAT), &how.gray));
    return write_jpeg(call, &how);
}

const weir_op weir_op_encode_jpeg = {
    .name = "EncodeJpeg",
    .in = "image: uint8",
    .out = "contents: string",
    .attrs = "format: {'', 'grayscale', 'rgb'} = \"\"; quality: int = 95; progressive: bool = "
             "false; optimize_size: bool = false; chroma_downsampling: bool = true; density_unit: "
             "{'in', 'cm'} = \"in\"; x_density: int = 300; y_density: int = 300; xmp_metadata: "
             "string = \"\"",
    .infer = infer_jpeg,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", encode_jpeg, WEIR_EXPENSIVE}},
};

static weir_status infer_variable(weir_infer *infer)
{
    WEIR_TRY(weir_infer_rank(infer, 1, 0));
    return infer_jpeg(infer);
}

static weir_status encode_variable(weir_call *call)
{
    weir_jpeg_encode how = {
        .quality = *(const int32_t *)weir_in(call, 1)->data,
        .chroma_downsampling = true,
        .x_density = 300,
        .y_density = 300,
    };
    WEIR_TRY(check_format(&weir_in(call, 0)->shape, WEIR_STR(""), &how.gray));
    return write_jpeg(call, &how);
}

const weir_op weir_op_encode_jpeg_variable_quality = {
    .name = "EncodeJpegVariableQuality",
    .in = "images: uint8; quality: int32",
    .out = "contents: string",
    .infer = infer_variable,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", encode_variable, WEIR_EXPENSIVE}},
};
