/* cli/predict/image.c - images as the input of a model. */
#include "io/image.h"
#include "cli/predict/input.h"
#include "io/file.h"
#include "math/pixels/pixels.h"
#include "tensor/tstring.h"

enum { LARGEST = 1 << 28 };

/* The model's required image format; 0 for open dims. */
typedef struct frame {
    int64_t height, width;
    int channels;
} frame;

/* [batch, height, width, channels], [batch, height, width], or flat, with the first image's
 * format. */
static frame frame_of(const weir_signature_tensor *want)
{
    frame frame = {0};
    if (want->rank >= 3) {
        frame.height = want->dims[want->rank - (want->rank == 3 ? 2 : 3)];
        frame.width = want->dims[want->rank - (want->rank == 3 ? 1 : 2)];
        frame.channels = want->rank == 3 ? 1 : (int)want->dims[want->rank - 1];
    }
    frame.height = frame.height > 0 ? frame.height : 0;
    frame.width = frame.width > 0 ? frame.width : 0;
    frame.channels = frame.channels >= 1 && frame.channels <= 4 ? frame.channels : 0;
    return frame;
}

/* A flat input with as many numbers as the image, in grey or in colour. */
static void guess_channels(const weir_signature_tensor *want, const weir_image_info *info,
                           frame *frame)
{
    int64_t pixels = info->height * info->width;
    if (want->rank == 2 && want->dims[1] == pixels)
        frame->channels = 1;
    if (want->rank == 2 && want->dims[1] == pixels * 3)
        frame->channels = 3;
}

static weir_status decode(weir_str bytes, const weir_image_info *info, const frame *frame,
                          const predict_how *how, bool floats, float *out)
{
    int channels = info->kind == WEIR_IMAGE_GIF ? 3 : frame->channels;
    size_t count = (size_t)(info->height * info->width);
    weir_tensor pixels;
    weir_shape shape = {3, {info->height, info->width, channels}};
    WEIR_TRY(weir_tensor_alloc(WEIR_UINT8, &shape, &pixels));
    weir_status status = weir_image_decode(
        info, bytes, &(weir_image_want){.channels = channels, .bits = 8}, pixels.data);
    if (!status && channels != frame->channels && frame->channels == 1) {
        weir_pixels_grey((int64_t)count, channels, pixels.data, pixels.data);
        channels = 1;
    }
    weir_resample resample = {.pixels = pixels.data,
                              .height = info->height,
                              .width = info->width,
                              .channels = channels,
                              .window_height = info->height,
                              .window_width = info->width,
                              .out_height = frame->height,
                              .out_width = frame->width,
                              .out_channels = frame->channels,
                              .scale = floats ? (float)how->scale : 1};
    if (!status) {
        WEIR_FREED void *room = weir_alloc(weir_resample_scratch_bytes(&resample));
        weir_resample_run(&resample, room, out);
    }
    weir_tensor_release(&pixels);
    return status;
}

static weir_status look(const char *path, weir_buf *bytes, weir_image_info *info)
{
    weir_buf_fini(bytes); /* of the previous one */
    WEIR_TRY(weir_file_read_all(path, LARGEST, bytes));
    weir_str view = weir_view(bytes);
    weir_image_kind kind = weir_image_sniff(view);
    if (kind == WEIR_IMAGE_UNKNOWN)
        return weir_error(WEIR_INVALID_ARGUMENT, "%s: not an image, and several files have to be",
                          path);
    WEIR_TRY(weir_image_inspect(kind, view, NULL, info));
    if (info->frames != 1)
        return weir_error(WEIR_INVALID_ARGUMENT, "%s: it has %lld frames", path,
                          (long long)info->frames);
    return WEIR_OK;
}

/* Allocates the batch once the first image is known. */
static weir_status begin(const weir_signature_tensor *want, const weir_image_info *info, int count,
                         frame *frame, weir_tensor *out)
{
    guess_channels(want, info, frame);
    frame->height = frame->height ? frame->height : info->height;
    frame->width = frame->width ? frame->width : info->width;
    frame->channels = frame->channels ? frame->channels : info->channels;
    weir_shape shape;
    int64_t dims[] = {count, frame->height, frame->width, frame->channels};
    WEIR_TRY(weir_shape_make(dims, 4, &shape));
    return weir_tensor_alloc(WEIR_FLOAT, &shape, out);
}

static weir_status read_pixels(const weir_signature_tensor *want, const predict_how *how,
                               char *const *paths, int count, weir_tensor *out)
{
    frame frame = frame_of(want);
    WEIR_BUF(bytes);
    weir_tensor all = {0};
    weir_status status = WEIR_OK;
    bool floats = weir_dtype_is_float((weir_dtype)want->type);
    for (int i = 0; !status && i < count; i++) {
        weir_image_info info;
        status = look(paths[i], &bytes, &info);
        if (!status && i == 0)
            status = begin(want, &info, count, &frame, &all);
        if (!status)
            status = decode(weir_view(&bytes), &info, &frame, how, floats,
                            (float *)all.data +
                                (size_t)i * (size_t)(frame.height * frame.width * frame.channels));
    }
    if (!status)
        return predict_fit(want, how, false, &all, out);
    weir_tensor_release(&all);
    return status;
}

/* Models that decode images themselves get the file contents. */
static weir_status read_bytes(const weir_signature_tensor *want, const predict_how *how,
                              char *const *paths, int count, weir_tensor *out)
{
    weir_tensor all;
    weir_status status = WEIR_OK;
    WEIR_TRY(weir_tensor_alloc(WEIR_STRING, &(weir_shape){1, {count}}, &all));
    for (int i = 0; !status && i < count; i++) {
        WEIR_BUF(bytes);
        status = weir_file_read_all(paths[i], LARGEST, &bytes);
        if (!status)
            weir_tstring_set((weir_tstring *)all.data + i, bytes.at, bytes.length);
    }
    if (!status)
        return predict_fit(want, how, false, &all, out);
    weir_tensor_release(&all);
    return status;
}

weir_status predict_read_images(const weir_signature *signature, const predict_how *how,
                                char *const *paths, int count, weir_tensor *out_tensors)
{
    WEIR_TRY(predict_only_input(signature, "an image"));
    if (signature->inputs[0].type == TF_STRING)
        return read_bytes(&signature->inputs[0], how, paths, count, out_tensors);
    return read_pixels(&signature->inputs[0], how, paths, count, out_tensors);
}
