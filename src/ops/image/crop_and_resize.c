/* ops/image/crop_and_resize.c - CropAndResize: resizes crops to one size; its gradients. */
#include <inttypes.h>
#include <math.h>

#include "grad/grad.h"
#include "ops/common/elem_of.h"
#include "ops/common/infer_util.h"
#include "ops/image/image_impl.h"

/* ---- shared by the three ops ----------------------------------------------------------------- */

typedef struct crops {
    int64_t batch, h, w, channels; /* of the images */
    int64_t boxes, crop_h, crop_w;
    const float *box;     /* y1, x1, y2, x2 of each, normalised */
    const int32_t *index; /* its image */
    bool nearest;
    float outside; /* extrapolation value for positions outside the image */
} crops;

/* Maps a position of the crop to the image along one side; negative if outside. */
static float place_of(int64_t at, float from, float to, int64_t image, int64_t crop)
{
    float side = (float)(image - 1);
    float scale = crop > 1 ? (to - from) * side / (float)(crop - 1) : 0;
    float place = crop > 1 ? from * side + (float)at * scale : 0.5f * (from + to) * side;
    return place >= 0 && place <= side ? place : -1;
}

static weir_status check_boxes(const crops *crops)
{
    if (crops->h <= 0 || crops->w <= 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "image dimensions must be positive");
    if (crops->crop_h <= 0 || crops->crop_w <= 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "crop dimensions must be positive");
    for (int64_t box = 0; box < crops->boxes; box++)
        if (crops->index[box] < 0 || crops->index[box] >= crops->batch)
            return weir_error(WEIR_OUT_OF_RANGE,
                              "box_index has values outside [0, batch_size): box_index[%" PRId64
                              "] = %d, batch_size = %" PRId64,
                              box, crops->index[box], crops->batch);
    for (int64_t side = 0; side < 4 * crops->boxes; side++)
        if (!isfinite(crops->box[side]))
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "Boxes contains at least one element that is not finite");
    return WEIR_OK;
}

/* boxes [n,4] and box_ind [n] at inputs |boxes| and |boxes| + 1. */
static weir_status infer_boxes(weir_infer *infer, int boxes, int64_t *out_count)
{
    WEIR_TRY(weir_infer_rank(infer, boxes, 2));
    WEIR_TRY(weir_infer_rank(infer, boxes + 1, 1));
    int64_t four;
    WEIR_TRY(weir_infer_merge_dim(weir_infer_dim(infer, boxes, 1), 4, &four));
    return weir_infer_merge_dim(weir_infer_dim(infer, boxes, 0),
                                weir_infer_dim(infer, boxes + 1, 0), out_count);
}

/* The neighbouring pixels of a position, and its distance from the first. */
typedef struct corner {
    int64_t low, high;
    float weight; /* of high */
} corner;

static corner corner_of(float place)
{
    float low = floorf(place);
    return (corner){(int64_t)low, (int64_t)ceilf(place), place - low};
}

/* ---- CropAndResize --------------------------------------------------------------------------- */

typedef struct job {
    crops k;
    const float *image;
    float *out;
} job;

static void sample(const job *job, const float *image, float y, float x, float *out)
{
    const crops *crops = &job->k;
    int64_t count = crops->channels, row = crops->w * count;
    if (y < 0 || x < 0) {
        for (int64_t c = 0; c < count; c++)
            out[c] = crops->outside;
        return;
    }
    if (crops->nearest) {
        memcpy(out, image + (int64_t)roundf(y) * row + (int64_t)roundf(x) * count,
               (size_t)count * sizeof *out);
        return;
    }
    corner vertical = corner_of(y), horizontal = corner_of(x);
    const float *top = image + vertical.low * row, *bottom = image + vertical.high * row;
    for (int64_t c = 0; c < count; c++) {
        float tl = top[horizontal.low * count + c], tr = top[horizontal.high * count + c];
        float bl = bottom[horizontal.low * count + c], br = bottom[horizontal.high * count + c];
        float above = tl + (tr - tl) * horizontal.weight,
              below = bl + (br - bl) * horizontal.weight;
        out[c] = above + (below - above) * vertical.weight;
    }
}

static void crop_boxes(void *ctx, int64_t begin, int64_t end)
{
    const job *job = ctx;
    const crops *crops = &job->k;
    for (int64_t b = begin; b < end; b++) {
        const float *box = crops->box + 4 * b;
        const float *image = job->image + crops->index[b] * crops->h * crops->w * crops->channels;
        float *out = job->out + b * crops->crop_h * crops->crop_w * crops->channels;
        for (int64_t y = 0; y < crops->crop_h; y++) {
            float at_y = place_of(y, box[0], box[2], crops->h, crops->crop_h);
            for (int64_t x = 0; x < crops->crop_w; x++, out += crops->channels)
                sample(job, image, at_y, place_of(x, box[1], box[3], crops->w, crops->crop_w), out);
        }
    }
}

static weir_status infer_crops(weir_infer *infer)
{
    int64_t boxes, two;
    WEIR_TRY(weir_infer_rank(infer, 0, 4));
    WEIR_TRY(infer_boxes(infer, 1, &boxes));
    WEIR_TRY(weir_infer_rank(infer, 3, 1));
    WEIR_TRY(weir_infer_merge_dim(weir_infer_dim(infer, 3, 0), 2, &two));
    weir_shape out = {4, {boxes, -1, -1, weir_infer_dim(infer, 0, 3)}};
    const weir_tensor *size = weir_infer_value(infer, 3);
    for (int axis = 0; size && axis < 2; axis++) {
        out.dims[1 + axis] = ((const int32_t *)size->data)[axis];
        if (out.dims[1 + axis] < 0)
            return weir_error(WEIR_INVALID_ARGUMENT, "crop dimensions must be positive");
    }
    infer->out[0] = out;
    return WEIR_OK;
}

enum { T, METHOD, EXTRAPOLATION };

static crops crops_of(const weir_shape *image, const weir_shape *crop, const weir_tensor *boxes,
                      const weir_tensor *index)
{
    return (crops){.batch = image->dims[0],
                   .h = image->dims[1],
                   .w = image->dims[2],
                   .channels = image->dims[3],
                   .boxes = boxes->shape.dims[0],
                   .crop_h = crop->dims[1],
                   .crop_w = crop->dims[2],
                   .box = boxes->data,
                   .index = index->data};
}

static weir_status crop_and_resize(weir_call *call)
{
    job job = {crops_of(&weir_in(call, 0)->shape, &weir_out(call, 0)->shape, weir_in(call, 1),
                        weir_in(call, 2))};
    weir_tensor image;
    job.k.nearest = weir_str_is(weir_site_str(call->site, METHOD), "nearest");
    job.k.outside = weir_site_float(call->site, EXTRAPOLATION);
    WEIR_TRY(check_boxes(&job.k));
    WEIR_TRY(weir_image_as_float(call, weir_in(call, 0), &image));
    job.image = image.data;
    job.out = weir_out(call, 0)->data;
    weir_par_for(&call->run->par, job.k.boxes, 1, crop_boxes, &job);
    weir_tensor_release(&image);
    return WEIR_OK;
}

static weir_status crop_grad_fn(weir_grad *grad)
{
    weir_edge dy = weir_grad_dy(grad, 0), image = weir_grad_x(grad, 0),
              boxes = weir_grad_x(grad, 1);
    weir_edge index = weir_grad_x(grad, 2), size = weir_grad_shape_of(grad, image);
    weir_dtype dtype = weir_site_type(weir_grad_site(grad), T);
    /* Only these types have a gradient for the image. */
    if (dtype == WEIR_HALF || dtype == WEIR_FLOAT || dtype == WEIR_DOUBLE)
        weir_grad_set(
            grad, 0,
            weir_grad_op(grad, "CropAndResizeGradImage", WEIR_IN(dy, boxes, index, size),
                         WEIR_ATTRS(weir_a_type("T", dtype), weir_grad_attr(grad, "method"))));
    weir_grad_set(grad, 1,
                  weir_grad_op(grad, "CropAndResizeGradBoxes", WEIR_IN(dy, image, boxes, index),
                               WEIR_NO_ATTRS));
    return WEIR_OK;
}

const weir_op weir_op_crop_and_resize = {
    .name = "CropAndResize",
    .in = "image: T; boxes: float; box_ind: int32; crop_size: int32",
    .out = "crops: float",
    .attrs = "T: {uint8, uint16, int8, int16, int32, int64, half, float, double}; method: "
             "{'bilinear', 'nearest'} = \"bilinear\"; extrapolation_value: float = 0.0",
    .host = "crop_size",
    .infer = infer_crops,
    .grad = crop_grad_fn,
    .kernels = {{WEIR_CPU, "*", crop_and_resize}},
};

/* ---- CropAndResizeGradImage: each position adds to the pixels it came from ------------------- */

static void add_gradient(const crops *crops, float y, float x, const float *grad, double *image)
{
    int64_t count = crops->channels, row = crops->w * count;
    if (y < 0 || x < 0)
        return;
    if (crops->nearest) {
        double *to = image + (int64_t)roundf(y) * row + (int64_t)roundf(x) * count;
        for (int64_t c = 0; c < count; c++)
            to[c] += grad[c];
        return;
    }
    corner vertical = corner_of(y), horizontal = corner_of(x);
    double *top = image + vertical.low * row, *bottom = image + vertical.high * row;
    for (int64_t c = 0; c < count; c++) {
        float up = (1 - vertical.weight) * grad[c], down = vertical.weight * grad[c];
        top[horizontal.low * count + c] += (1 - horizontal.weight) * up;
        top[horizontal.high * count + c] += horizontal.weight * up;
        bottom[horizontal.low * count + c] += (1 - horizontal.weight) * down;
        bottom[horizontal.high * count + c] += horizontal.weight * down;
    }
}

static weir_status infer_grad_image(weir_infer *infer)
{
    int64_t boxes;
    WEIR_TRY(weir_infer_rank(infer, 0, 4));
    WEIR_TRY(infer_boxes(infer, 1, &boxes));
    WEIR_TRY(weir_infer_merge_dim(boxes, weir_infer_dim(infer, 0, 0), &boxes));
    WEIR_TRY(weir_infer_new_shape(infer, 3, &infer->out[0]));
    if (infer->out[0].rank >= 0 && infer->out[0].rank != 4)
        return weir_error(WEIR_INVALID_ARGUMENT, "image_size must have 4 elements, got %d",
                          infer->out[0].rank);
    return WEIR_OK;
}

static weir_status grad_image(weir_call *call)
{
    const weir_tensor *grads = weir_in(call, 0);
    weir_tensor *out = weir_out(call, 0), workspace;
    if (!out->buffer)
        return weir_error(WEIR_INVALID_ARGUMENT, "image_size must not have negative sides");
    crops crops = crops_of(&out->shape, &grads->shape, weir_in(call, 1), weir_in(call, 2));
    crops.nearest = weir_str_is(weir_site_str(call->site, METHOD), "nearest");
    if (grads->shape.dims[3] != crops.channels)
        return weir_error(WEIR_INVALID_ARGUMENT, "image_size and grads are incompatible: %s, %s",
                          WEIR_SHAPE_STR(&out->shape), WEIR_SHAPE_STR(&grads->shape));
    WEIR_TRY(check_boxes(&crops));
    WEIR_TRY(weir_image_sums(out, &workspace));
    const float *grad = grads->data;
    for (int64_t box_index = 0; box_index < crops.boxes; box_index++) {
        const float *box = crops.box + 4 * box_index;
        double *image =
            (double *)workspace.data + crops.index[box_index] * crops.h * crops.w * crops.channels;
        for (int64_t y = 0; y < crops.crop_h; y++)
            for (int64_t x = 0; x < crops.crop_w; x++, grad += crops.channels)
                add_gradient(&crops, place_of(y, box[0], box[2], crops.h, crops.crop_h),
                             place_of(x, box[1], box[3], crops.w, crops.crop_w), grad, image);
    }
    weir_image_put(call, &workspace, out);
    weir_tensor_release(&workspace);
    return WEIR_OK;
}

const weir_op weir_op_crop_and_resize_grad_image = {
    .name = "CropAndResizeGradImage",
    .in = "grads: float; boxes: float; box_ind: int32; image_size: int32",
    .out = "output: T",
    .attrs = "T: {float, half, double}; method: {'bilinear', 'nearest'} = \"bilinear\"",
    .host = "image_size",
    .infer = infer_grad_image,
    .kernels = {{WEIR_CPU, "*", grad_image}},
};

/* ---- CropAndResizeGradBoxes: how the crop changes when the box's sides move ------------------ */

static weir_status infer_grad_boxes(weir_infer *infer)
{
    int64_t boxes;
    WEIR_TRY(weir_infer_rank(infer, 0, 4));
    WEIR_TRY(weir_infer_rank(infer, 1, 4));
    WEIR_TRY(infer_boxes(infer, 2, &boxes));
    WEIR_TRY(weir_infer_merge_dim(boxes, weir_infer_dim(infer, 0, 0), &boxes));
    infer->out[0] = *infer->in[2];
    return WEIR_OK;
}

/* Adds the derivative by both ends of one side of the box, given the position's |slope|. */
static void add_side(float slope, int64_t at, int64_t image, int64_t crop, float *from, float *to)
{
    float side = (float)(image - 1);
    if (crop > 1) {
        float part = (float)at * side / (float)(crop - 1);
        *from += slope * (side - part);
        *to += slope * part;
    } else {
        *from += slope * 0.5f * side;
        *to += slope * 0.5f * side;
    }
}

static void add_place(const crops *crops, const float *box, int64_t y, int64_t x,
                      const float *image, const float *grad, float *out)
{
    float at_y = place_of(y, box[0], box[2], crops->h, crops->crop_h);
    float at_x = place_of(x, box[1], box[3], crops->w, crops->crop_w);
    if (at_y < 0 || at_x < 0)
        return;
    int64_t count = crops->channels, row = crops->w * count;
    corner vertical = corner_of(at_y), horizontal = corner_of(at_x);
    const float *top = image + vertical.low * row, *bottom = image + vertical.high * row;
    for (int64_t c = 0; c < count; c++) {
        float tl = top[horizontal.low * count + c], tr = top[horizontal.high * count + c];
        float bl = bottom[horizontal.low * count + c], br = bottom[horizontal.high * count + c];
        float down = (1 - horizontal.weight) * (bl - tl) + horizontal.weight * (br - tr);
        float right = (1 - vertical.weight) * (tr - tl) + vertical.weight * (br - bl);
        add_side(grad[c] * down, y, crops->h, crops->crop_h, &out[0], &out[2]);
        add_side(grad[c] * right, x, crops->w, crops->crop_w, &out[1], &out[3]);
    }
}

static weir_status grad_boxes(weir_call *call)
{
    const weir_tensor *grads = weir_in(call, 0);
    weir_tensor image, *out = weir_out(call, 0);
    crops crops =
        crops_of(&weir_in(call, 1)->shape, &grads->shape, weir_in(call, 2), weir_in(call, 3));
    if (grads->shape.dims[3] != crops.channels)
        return weir_error(WEIR_INVALID_ARGUMENT, "image, grads depth differ: %" PRId64 ", %" PRId64,
                          crops.channels, grads->shape.dims[3]);
    WEIR_TRY(check_boxes(&crops));
    WEIR_TRY(weir_image_as_float(call, weir_in(call, 1), &image));
    memset(out->data, 0, weir_tensor_bytes(out));
    const float *grad = grads->data;
    for (int64_t box = 0; box < crops.boxes; box++)
        for (int64_t y = 0; y < crops.crop_h; y++)
            for (int64_t x = 0; x < crops.crop_w; x++, grad += crops.channels)
                add_place(&crops, crops.box + 4 * box, y, x,
                          (const float *)image.data +
                              crops.index[box] * crops.h * crops.w * crops.channels,
                          grad, (float *)out->data + 4 * box);
    weir_tensor_release(&image);
    return WEIR_OK;
}

const weir_op weir_op_crop_and_resize_grad_boxes = {
    .name = "CropAndResizeGradBoxes",
    .in = "grads: float; image: T; boxes: float; box_ind: int32",
    .out = "output: float",
    .attrs = "T: {uint8, uint16, int8, int16, int32, int64, half, float, double}; method: "
             "{'bilinear'} = \"bilinear\"",
    .infer = infer_grad_boxes,
    .kernels = {{WEIR_CPU, "*", grad_boxes}},
};
