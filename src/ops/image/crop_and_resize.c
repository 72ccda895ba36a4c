/* ops/image/crop_and_resize.c - CropAndResize: boxes of pictures at one size, and its gradients. */
#include <inttypes.h>
#include <math.h>

#include "grad/grad.h"
#include "ops/common/elem_of.h"
#include "ops/image/image_impl.h"

/* ---- what the three ops have in common ---- */

typedef struct crops {
    int64_t batch, h, w, channels; /* of the images */
    int64_t boxes, crop_h, crop_w;
    const float *box;     /* y1, x1, y2, x2 of each, in parts of the image */
    const int32_t *index; /* its image */
    bool nearest;
    float outside; /* what a place outside of the image shows */
} crops;

/* Where along one side of the image a place of the crop lies; outside is negative. */
static float place_of(int64_t at, float from, float to, int64_t image, int64_t crop)
{
    float side = (float)(image - 1);
    float scale = crop > 1 ? (to - from) * side / (float)(crop - 1) : 0;
    float place = crop > 1 ? from * side + (float)at * scale : 0.5f * (from + to) * side;
    return place >= 0 && place <= side ? place : -1;
}

static weir_status check_boxes(const crops *k)
{
    if (k->h <= 0 || k->w <= 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "image dimensions must be positive");
    if (k->crop_h <= 0 || k->crop_w <= 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "crop dimensions must be positive");
    for (int64_t b = 0; b < k->boxes; b++)
        if (k->index[b] < 0 || k->index[b] >= k->batch)
            return weir_error(WEIR_OUT_OF_RANGE,
                              "box_index has values outside [0, batch_size): box_index[%" PRId64
                              "] = %d, batch_size = %" PRId64,
                              b, k->index[b], k->batch);
    for (int64_t side = 0; side < 4 * k->boxes; side++)
        if (!isfinite(k->box[side]))
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "Boxes contains at least one element that is not finite");
    return WEIR_OK;
}

/* boxes [n,4] and box_ind [n] at inputs |boxes| and |boxes| + 1. */
static weir_status infer_boxes(weir_infer *i, int boxes, int64_t *out_count)
{
    WEIR_TRY(weir_infer_rank(i, boxes, 2));
    WEIR_TRY(weir_infer_rank(i, boxes + 1, 1));
    int64_t four;
    WEIR_TRY(weir_infer_merge_dim(weir_infer_dim(i, boxes, 1), 4, &four));
    return weir_infer_merge_dim(weir_infer_dim(i, boxes, 0), weir_infer_dim(i, boxes + 1, 0),
                                out_count);
}

/* The four pixels around a place, and how far it is from the first. */
typedef struct corner {
    int64_t low, high;
    float weight; /* of high */
} corner;

static corner corner_of(float place)
{
    float low = floorf(place);
    return (corner){(int64_t)low, (int64_t)ceilf(place), place - low};
}

/* ---- CropAndResize ---- */

typedef struct job {
    crops k;
    const float *image;
    float *out;
} job;

static void sample(const job *j, const float *image, float y, float x, float *out)
{
    const crops *k = &j->k;
    int64_t n = k->channels, row = k->w * n;
    if (y < 0 || x < 0) {
        for (int64_t c = 0; c < n; c++)
            out[c] = k->outside;
        return;
    }
    if (k->nearest) {
        memcpy(out, image + (int64_t)roundf(y) * row + (int64_t)roundf(x) * n,
               (size_t)n * sizeof *out);
        return;
    }
    corner v = corner_of(y), h = corner_of(x);
    const float *top = image + v.low * row, *bottom = image + v.high * row;
    for (int64_t c = 0; c < n; c++) {
        float tl = top[h.low * n + c], tr = top[h.high * n + c];
        float bl = bottom[h.low * n + c], br = bottom[h.high * n + c];
        float above = tl + (tr - tl) * h.weight, below = bl + (br - bl) * h.weight;
        out[c] = above + (below - above) * v.weight;
    }
}

static void crop_boxes(void *ctx, int64_t begin, int64_t end)
{
    const job *j = ctx;
    const crops *k = &j->k;
    for (int64_t b = begin; b < end; b++) {
        const float *box = k->box + 4 * b;
        const float *image = j->image + k->index[b] * k->h * k->w * k->channels;
        float *out = j->out + b * k->crop_h * k->crop_w * k->channels;
        for (int64_t y = 0; y < k->crop_h; y++) {
            float at_y = place_of(y, box[0], box[2], k->h, k->crop_h);
            for (int64_t x = 0; x < k->crop_w; x++, out += k->channels)
                sample(j, image, at_y, place_of(x, box[1], box[3], k->w, k->crop_w), out);
        }
    }
}

static weir_status infer_crops(weir_infer *i)
{
    int64_t boxes, two;
    WEIR_TRY(weir_infer_rank(i, 0, 4));
    WEIR_TRY(infer_boxes(i, 1, &boxes));
    WEIR_TRY(weir_infer_rank(i, 3, 1));
    WEIR_TRY(weir_infer_merge_dim(weir_infer_dim(i, 3, 0), 2, &two));
    weir_shape out = {4, {boxes, -1, -1, weir_infer_dim(i, 0, 3)}};
    const weir_tensor *size = weir_infer_value(i, 3);
    for (int d = 0; size && d < 2; d++) {
        out.dims[1 + d] = ((const int32_t *)size->data)[d];
        if (out.dims[1 + d] < 0)
            return weir_error(WEIR_INVALID_ARGUMENT, "crop dimensions must be positive");
    }
    i->out[0] = out;
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

static weir_status crop_and_resize(weir_call *c)
{
    job j = {crops_of(&weir_in(c, 0)->shape, &weir_out(c, 0)->shape, weir_in(c, 1), weir_in(c, 2))};
    weir_tensor image;
    j.k.nearest = weir_str_is(weir_site_str(c->site, METHOD), "nearest");
    j.k.outside = weir_site_float(c->site, EXTRAPOLATION);
    WEIR_TRY(check_boxes(&j.k));
    WEIR_TRY(weir_image_as_float(c, weir_in(c, 0), &image));
    j.image = image.data;
    j.out = weir_out(c, 0)->data;
    weir_par_for(&c->run->par, j.k.boxes, 1, crop_boxes, &j);
    weir_tensor_release(&image);
    return WEIR_OK;
}

static weir_status crop_grad_fn(weir_grad *grad)
{
    weir_edge dy = weir_grad_dy(grad, 0), image = weir_grad_x(grad, 0),
              boxes = weir_grad_x(grad, 1);
    weir_edge index = weir_grad_x(grad, 2), size = weir_grad_shape_of(grad, image);
    weir_dtype dtype = weir_site_type(weir_grad_site(grad), T);
    /* Only these have a gradient for the image. */
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
    .infer = infer_crops,
    .grad = crop_grad_fn,
    .kernels = {{WEIR_CPU, "*", crop_and_resize}},
};

/* ---- CropAndResizeGradImage: each place gives back to the pixels it came from ---- */

static void give_back(const crops *k, float y, float x, const float *grad, double *image)
{
    int64_t n = k->channels, row = k->w * n;
    if (y < 0 || x < 0)
        return;
    if (k->nearest) {
        double *to = image + (int64_t)roundf(y) * row + (int64_t)roundf(x) * n;
        for (int64_t c = 0; c < n; c++)
            to[c] += grad[c];
        return;
    }
    corner v = corner_of(y), h = corner_of(x);
    double *top = image + v.low * row, *bottom = image + v.high * row;
    for (int64_t c = 0; c < n; c++) {
        float up = (1 - v.weight) * grad[c], down = v.weight * grad[c];
        top[h.low * n + c] += (1 - h.weight) * up;
        top[h.high * n + c] += h.weight * up;
        bottom[h.low * n + c] += (1 - h.weight) * down;
        bottom[h.high * n + c] += h.weight * down;
    }
}

static weir_status infer_grad_image(weir_infer *i)
{
    int64_t boxes;
    WEIR_TRY(weir_infer_rank(i, 0, 4));
    WEIR_TRY(infer_boxes(i, 1, &boxes));
    WEIR_TRY(weir_infer_merge_dim(boxes, weir_infer_dim(i, 0, 0), &boxes));
    WEIR_TRY(weir_infer_value_as_shape(i, 3, &i->out[0]));
    if (i->out[0].rank >= 0 && i->out[0].rank != 4)
        return weir_error(WEIR_INVALID_ARGUMENT, "image_size must have 4 elements, got %d",
                          i->out[0].rank);
    return WEIR_OK;
}

static weir_status grad_image(weir_call *c)
{
    const weir_tensor *grads = weir_in(c, 0);
    weir_tensor *out = weir_out(c, 0), room;
    if (!out->buffer)
        return weir_error(WEIR_INVALID_ARGUMENT, "image_size must not have negative sides");
    crops k = crops_of(&out->shape, &grads->shape, weir_in(c, 1), weir_in(c, 2));
    k.nearest = weir_str_is(weir_site_str(c->site, METHOD), "nearest");
    if (grads->shape.dims[3] != k.channels)
        return weir_error(WEIR_INVALID_ARGUMENT, "image_size and grads are incompatible: %s, %s",
                          WEIR_SHAPE_STR(&out->shape), WEIR_SHAPE_STR(&grads->shape));
    WEIR_TRY(check_boxes(&k));
    WEIR_TRY(weir_image_sums(out, &room));
    const float *grad = grads->data;
    for (int64_t b = 0; b < k.boxes; b++) {
        const float *box = k.box + 4 * b;
        double *image = (double *)room.data + k.index[b] * k.h * k.w * k.channels;
        for (int64_t y = 0; y < k.crop_h; y++)
            for (int64_t x = 0; x < k.crop_w; x++, grad += k.channels)
                give_back(&k, place_of(y, box[0], box[2], k.h, k.crop_h),
                          place_of(x, box[1], box[3], k.w, k.crop_w), grad, image);
    }
    weir_image_put(c, &room, out);
    weir_tensor_release(&room);
    return WEIR_OK;
}

const weir_op weir_op_crop_and_resize_grad_image = {
    .name = "CropAndResizeGradImage",
    .in = "grads: float; boxes: float; box_ind: int32; image_size: int32",
    .out = "output: T",
    .attrs = "T: {float, half, double}; method: {'bilinear', 'nearest'} = \"bilinear\"",
    .infer = infer_grad_image,
    .kernels = {{WEIR_CPU, "*", grad_image}},
};

/* ---- CropAndResizeGradBoxes: how the crop changes when the box's sides move ---- */

static weir_status infer_grad_boxes(weir_infer *i)
{
    int64_t boxes;
    WEIR_TRY(weir_infer_rank(i, 0, 4));
    WEIR_TRY(weir_infer_rank(i, 1, 4));
    WEIR_TRY(infer_boxes(i, 2, &boxes));
    WEIR_TRY(weir_infer_merge_dim(boxes, weir_infer_dim(i, 0, 0), &boxes));
    i->out[0] = *i->in[2];
    return WEIR_OK;
}

/* Adds what a move of one side of the box does: |slope| times how the place follows its ends. */
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

static void add_place(const crops *k, const float *box, int64_t y, int64_t x, const float *image,
                      const float *grad, float *out)
{
    float at_y = place_of(y, box[0], box[2], k->h, k->crop_h);
    float at_x = place_of(x, box[1], box[3], k->w, k->crop_w);
    if (at_y < 0 || at_x < 0)
        return;
    int64_t n = k->channels, row = k->w * n;
    corner v = corner_of(at_y), h = corner_of(at_x);
    const float *top = image + v.low * row, *bottom = image + v.high * row;
    for (int64_t c = 0; c < n; c++) {
        float tl = top[h.low * n + c], tr = top[h.high * n + c];
        float bl = bottom[h.low * n + c], br = bottom[h.high * n + c];
        float down = (1 - h.weight) * (bl - tl) + h.weight * (br - tr);
        float right = (1 - v.weight) * (tr - tl) + v.weight * (br - bl);
        add_side(grad[c] * down, y, k->h, k->crop_h, &out[0], &out[2]);
        add_side(grad[c] * right, x, k->w, k->crop_w, &out[1], &out[3]);
    }
}

static weir_status grad_boxes(weir_call *c)
{
    const weir_tensor *grads = weir_in(c, 0);
    weir_tensor image, *out = weir_out(c, 0);
    crops k = crops_of(&weir_in(c, 1)->shape, &grads->shape, weir_in(c, 2), weir_in(c, 3));
    if (grads->shape.dims[3] != k.channels)
        return weir_error(WEIR_INVALID_ARGUMENT, "image, grads depth differ: %" PRId64 ", %" PRId64,
                          k.channels, grads->shape.dims[3]);
    WEIR_TRY(check_boxes(&k));
    WEIR_TRY(weir_image_as_float(c, weir_in(c, 1), &image));
    memset(out->data, 0, weir_tensor_bytes(out));
    const float *grad = grads->data;
    for (int64_t b = 0; b < k.boxes; b++)
        for (int64_t y = 0; y < k.crop_h; y++)
            for (int64_t x = 0; x < k.crop_w; x++, grad += k.channels)
                add_place(&k, k.box + 4 * b, y, x,
                          (const float *)image.data + k.index[b] * k.h * k.w * k.channels, grad,
                          (float *)out->data + 4 * b);
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
