/* ops/image/draw_bounding_boxes.c - DrawBoundingBoxes, with default or given colours. */
#include <inttypes.h>

#include "base/arith.h"
#include "ops/image/image_impl.h"

enum { DEPTH_MOST = 4 };

static const float own_colors[][DEPTH_MOST] = {
    {1, 1, 0, 1},       {0, 0, 1, 1},    {1, 0, 0, 1},    {0, 1, 0, 1}, {0.5f, 0, 0.5f, 1},
    {0.5f, 0.5f, 0, 1}, {0.5f, 0, 0, 1}, {0, 0, 0.5f, 1}, {0, 1, 1, 1}, {1, 0, 1, 1},
};
enum { OWN_COLORS = sizeof own_colors / sizeof *own_colors };

typedef struct canvas {
    float *pixels;
    int64_t h, w, depth;
} canvas;

static void fill(const canvas *canvas, int64_t y0, int64_t y1, int64_t x0, int64_t x1,
                 const float *color)
{
    for (int64_t y = y0; y <= y1; y++)
        for (int64_t x = x0; x <= x1; x++)
            for (int64_t c = 0; c < canvas->depth; c++)
                canvas->pixels[(y * canvas->w + x) * canvas->depth + c] = color[c];
}

/* Inverted boxes and boxes completely outside are not drawn. */
static void draw(const canvas *canvas, const float *box, const float *color)
{
    for (int i = 0; i < 4; i++)
        if (!(box[i] > -1e6f && box[i] < 1e6f))
            return;
    int64_t y0 = (int64_t)(box[0] * (float)(canvas->h - 1)),
            x0 = (int64_t)(box[1] * (float)(canvas->w - 1));
    int64_t y1 = (int64_t)(box[2] * (float)(canvas->h - 1)),
            x1 = (int64_t)(box[3] * (float)(canvas->w - 1));
    if (y0 > y1 || x0 > x1 || y0 >= canvas->h || y1 < 0 || x0 >= canvas->w || x1 < 0)
        return;
    int64_t top = weir_clamp(y0, 0, canvas->h - 1), bottom = weir_clamp(y1, 0, canvas->h - 1);
    int64_t left = weir_clamp(x0, 0, canvas->w - 1), right = weir_clamp(x1, 0, canvas->w - 1);
    if (y0 >= 0)
        fill(canvas, top, top, left, right, color);
    if (y1 < canvas->h)
        fill(canvas, bottom, bottom, left, right, color);
    if (x0 >= 0)
        fill(canvas, top, bottom, left, left, color);
    if (x1 < canvas->w)
        fill(canvas, top, bottom, right, right, color);
}

static weir_status check(weir_call *call)
{
    const weir_shape *image = &weir_in(call, 0)->shape, *boxes = &weir_in(call, 1)->shape;
    int64_t depth = image->dims[3];
    if (depth != 1 && depth != 3 && depth != 4)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Channel depth should be either 1 (GRY), 3 (RGB), or 4 (RGBA)");
    if (boxes->dims[2] != 4 || boxes->dims[0] != image->dims[0])
        return weir_error(WEIR_INVALID_ARGUMENT, "boxes of shape %s do not fit images of shape %s",
                          WEIR_SHAPE_STR(boxes), WEIR_SHAPE_STR(image));
    if (call->site->in_count > 2 && weir_tensor_count(weir_in(call, 2)) > 0 &&
        (weir_in(call, 2)->shape.rank != 2 || weir_in(call, 2)->shape.dims[1] < depth))
        return weir_error(WEIR_INVALID_ARGUMENT, "colors must be 2-D with %" PRId64 " columns: %s",
                          depth, WEIR_SHAPE_STR(&weir_in(call, 2)->shape));
    return WEIR_OK;
}

/* The colour of box |b|, cyclically; without given colours, grey images use white. */
static const float *color_of(weir_call *call, int64_t b, int64_t depth)
{
    static const float white[DEPTH_MOST] = {1, 1, 1, 1};
    const weir_tensor *given = call->site->in_count > 2 ? weir_in(call, 2) : NULL;
    if (given && weir_tensor_count(given) > 0)
        return (const float *)given->data + b % given->shape.dims[0] * given->shape.dims[1];
    return depth == 1 ? white : own_colors[b % OWN_COLORS];
}

static weir_status draw_all(weir_call *call)
{
    WEIR_TRY(check(call));
    const weir_tensor *in = weir_in(call, 0), *boxes = weir_in(call, 1);
    weir_tensor floats, workspace, *out = weir_out(call, 0);
    WEIR_TRY(weir_image_as_float(call, in, &floats));
    weir_status status = weir_image_float_buffer(out, &workspace);
    if (!status) {
        if (workspace.data != floats.data)
            memcpy(workspace.data, floats.data, weir_tensor_bytes(&workspace));
        const int64_t *dims = in->shape.dims;
        for (int64_t n = 0; n < dims[0]; n++) {
            canvas canvas = {(float *)workspace.data + n * dims[1] * dims[2] * dims[3], dims[1],
                             dims[2], dims[3]};
            for (int64_t b = 0; b < boxes->shape.dims[1]; b++)
                draw(&canvas, (const float *)boxes->data + (n * boxes->shape.dims[1] + b) * 4,
                     color_of(call, b, dims[3]));
        }
        weir_image_put(call, &workspace, out);
        weir_tensor_release(&workspace);
    }
    weir_tensor_release(&floats);
    return status;
}

static weir_status infer(weir_infer *infer)
{
    infer->out[0] = *infer->in[0];
    WEIR_TRY(weir_infer_rank(infer, 0, 4));
    return weir_infer_rank(infer, 1, 3);
}

const weir_op weir_op_draw_bounding_boxes = {
    .name = "DrawBoundingBoxes",
    .in = "images: T; boxes: float",
    .out = "output: T",
    .attrs = "T: {float, half} = DT_FLOAT",
    .infer = infer,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", draw_all}},
};

const weir_op weir_op_draw_bounding_boxes_v2 = {
    .name = "DrawBoundingBoxesV2",
    .in = "images: T; boxes: float; colors: float",
    .out = "output: T",
    .attrs = "T: {float, half} = DT_FLOAT",
    .infer = infer,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", draw_all}},
};
