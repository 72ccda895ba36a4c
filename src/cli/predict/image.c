/* cli/predict/image.c - images as the input of a model. */
#include "io/image.h"
#include "cli/predict/input.h"
#include "io/file.h"
#include "math/pixels/pixels.h"
#include "tensor/tstring.h"

enum { LARGEST = 1 << 28 };

/* What the model wants of an image; 0 where it leaves that open. */
typedef struct frame {
    int64_t height, width;
    int channels;
} frame;

/* [batch, height, width, channels], [batch, height, width], or flat, when it is as the first image
 * has it. */
static frame frame_of(const weir_signature_tensor *want)
{
    frame f = {0};
    if (want->rank >= 3) {
        f.height = want->dims[want->rank - (want->rank == 3 ? 2 : 3)];
        f.width = want->dims[want->rank - (want->rank == 3 ? 1 : 2)];
        f.channels = want->rank == 3 ? 1 : (int)want->dims[want->rank - 1];
    }
    f.height = f.height > 0 ? f.height : 0;
    f.width = f.width > 0 ? f.width : 0;
    f.channels = f.channels >= 1 && f.channels <= 4 ? f.channels : 0;
    return f;
}

/* A flat input of as many numbers as the image has, in grey or in colour. */
static void guess_channels(const weir_signature_tensor *want, const weir_image_info *info, frame *f)
{
    int64_t pixels = info->height * info->width;
    if (want->rank == 2 && want->dims[1] == pixels)
        f->channels = 1;
    if (want->rank == 2 && want->dims[1] == pixels * 3)
        f->channels = 3;
}

static weir_status decode(weir_str bytes, const weir_image_info *info, const frame *f,
                          const predict_how *how, bool floats, float *out)
{
    int channels = info->kind == WEIR_IMAGE_GIF ? 3 : f->channels;
    size_t count = (size_t)(info->height * info->width);
    weir_tensor pixels;
    weir_shape shape = {3, {info->height, info->width, channels}};
    WEIR_TRY(weir_tensor_alloc(WEIR_UINT8, &shape, &pixels));
    weir_status s = weir_image_decode(
        info, bytes, &(weir_image_want){.channels = channels, .bits = 8}, pixels.data);
    if (!s && channels != f->channels && f->channels == 1) {
        weir_pixels_grey((int64_t)count, channels, pixels.data, pixels.data);
        channels = 1;
    }
    weir_resample r = {.pixels = pixels.data,
                       .height = info->height,
                       .width = info->width,
                       .channels = channels,
                       .window_height = info->height,
                       .window_width = info->width,
                       .out_height = f->height,
                       .out_width = f->width,
                       .out_channels = f->channels,
                       .scale = floats ? (float)how->scale : 1};
    if (!s) {
        void *room = weir_alloc(weir_resample_scratch_bytes(&r));
        weir_resample_run(&r, room, out);
        weir_free(room);
    }
    weir_tensor_release(&pixels);
    return s;
}

static weir_status look(const char *path, weir_buf *bytes, weir_image_info *info)
{
    weir_buf_fini(bytes); /* of the one before */
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

/* Makes room for all, when the first is known. */
static weir_status begin(const weir_signature_tensor *want, const weir_image_info *info, int count,
                         frame *f, weir_tensor *out)
{
    guess_channels(want, info, f);
    f->height = f->height ? f->height : info->height;
    f->width = f->width ? f->width : info->width;
    f->channels = f->channels ? f->channels : info->channels;
    weir_shape shape;
    int64_t dims[] = {count, f->height, f->width, f->channels};
    WEIR_TRY(weir_shape_make(dims, 4, &shape));
    return weir_tensor_alloc(WEIR_FLOAT, &shape, out);
}

static weir_status read_pixels(const weir_signature_tensor *want, const predict_how *how,
                               char *const *paths, int count, weir_tensor *out)
{
    frame f = frame_of(want);
    WEIR_BUF(bytes);
    weir_tensor all = {0};
    weir_status s = WEIR_OK;
    bool floats = weir_dtype_is_float((weir_dtype)want->type);
    for (int i = 0; !s && i < count; i++) {
        weir_image_info info;
        s = look(paths[i], &bytes, &info);
        if (!s && i == 0)
            s = begin(want, &info, count, &f, &all);
        if (!s)
            s = decode(weir_view(&bytes), &info, &f, how, floats,
                       (float *)all.data + (size_t)i * (size_t)(f.height * f.width * f.channels));
    }
    if (!s)
        return predict_fit(want, how, false, &all, out);
    weir_tensor_release(&all);
    return s;
}

/* Models that decode images themselves take the files as they are. */
static weir_status read_bytes(const weir_signature_tensor *want, const predict_how *how,
                              char *const *paths, int count, weir_tensor *out)
{
    weir_tensor all;
    weir_status s = WEIR_OK;
    WEIR_TRY(weir_tensor_alloc(WEIR_STRING, &(weir_shape){1, {count}}, &all));
    for (int i = 0; !s && i < count; i++) {
        WEIR_BUF(bytes);
        s = weir_file_read_all(paths[i], LARGEST, &bytes);
        if (!s)
            weir_tstring_set((weir_tstring *)all.data + i, bytes.at, bytes.length);
    }
    if (!s)
        return predict_fit(want, how, false, &all, out);
    weir_tensor_release(&all);
    return s;
}

weir_status predict_read_images(const weir_signature *s, const predict_how *how, char *const *paths,
                                int count, weir_tensor *out_tensors)
{
    WEIR_TRY(predict_only_input(s, "an image"));
    if (s->inputs[0].type == TF_STRING)
        return read_bytes(&s->inputs[0], how, paths, count, out_tensors);
    return read_pixels(&s->inputs[0], how, paths, count, out_tensors);
}
