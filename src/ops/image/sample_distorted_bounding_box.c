/* ops/image/sample_distorted_bounding_box.c - SampleDistortedBoundingBox, its V2 and
 * StatelessSampleDistortedBoundingBox: a random crop that contains enough of some box; and
 * RandomCrop. */
#include <inttypes.h>
#include <math.h>

#include "ops/common/number_at.h"
#include "ops/image/image_impl.h"
#include "ops/random/generator.h"

typedef struct rect {
    int x0, y0, x1, y1;
} rect;

static float area_of(rect rect)
{
    return rect.x0 < rect.x1 && rect.y0 < rect.y1
               ? (float)((rect.x1 - rect.x0) * (int64_t)(rect.y1 - rect.y0))
               : 0;
}

static rect common(rect a, rect b)
{
    return (rect){a.x0 > b.x0 ? a.x0 : b.x0, a.y0 > b.y0 ? a.y0 : b.y0, a.x1 < b.x1 ? a.x1 : b.x1,
                  a.y1 < b.y1 ? a.y1 : b.y1};
}

/* In [0, 1), from 23 bits. */
static float draw_float(weir_philox_single *random)
{
    union {
        uint32_t u;
        float f;
    } v = {127u << 23 | (weir_philox_u32(random) & 0x7fffff)};
    return v.f - 1.0f;
}

/* Uniform in [0, count): rejects numbers of the incomplete last run. */
static uint32_t draw_below(weir_philox_single *random, uint32_t count)
{
    if ((count & (count - 1)) == 0)
        return weir_philox_u32(random) & (count - 1);
    uint32_t skew = UINT32_MAX % count + 1, value;
    do
        value = weir_philox_u32(random);
    while (value < skew);
    return value % count;
}

/* The attrs and inputs of the op. */
typedef struct request {
    float least_area, most_area;     /* fractions of the image */
    float least_aspect, most_aspect; /* width over height */
    float covered;                   /* fraction of some box that must be inside */
    int64_t attempts;
    int w, h;                /* of the picture */
    const weir_tensor *seed; /* null: use the op's own stream */
} request;

/* A random crop of this aspect ratio; false if no allowed area fits. */
static bool draw_crop(const request *request, float aspect, weir_philox_single *random, rect *out)
{
    if (request->most_area <= 0 || aspect <= 0 || request->w <= 0 || request->h <= 0 ||
        request->least_area > request->most_area)
        return false;
    const float least = request->least_area * (float)request->w * (float)request->h;
    const float most = request->most_area * (float)request->w * (float)request->h;
    int height = (int)lrintf(sqrtf(least / aspect)), tallest = (int)lrintf(sqrtf(most / aspect));
    if (lrintf((float)tallest * aspect) > request->w) {
        const float hair = 0.0000001f;
        tallest = (int)(((float)request->w + 0.5 - hair) / aspect);
        tallest -= lrintf((float)tallest * aspect) > request->w;
    }
    tallest = tallest < request->h ? tallest : request->h;
    height = height < tallest ? height : tallest;
    if (height < tallest)
        height += (int)draw_below(random, (uint32_t)(tallest - height + 1));
    int width = (int)lrintf((float)height * aspect);
    float area = (float)(width * height);
    /* Rounding may have exceeded a bound: one row more, or less, corrects it. */
    for (int fix = 0; fix < 2; fix++) {
        if (fix == 0 ? area >= least : area <= most)
            continue;
        height += fix == 0 ? 1 : -1;
        width = (int)lrintf((float)height * aspect);
        area = (float)(width * height);
    }
    if (area < least || area > most || width > request->w || height > request->h || width <= 0 ||
        height <= 0)
        return false;
    int y = height < request->h ? (int)draw_below(random, (uint32_t)(request->h - height)) : 0;
    int x = width < request->w ? (int)draw_below(random, (uint32_t)(request->w - width)) : 0;
    *out = (rect){x, y, x + width, y + height};
    return true;
}

static bool covers_some(rect crop, const rect *boxes, int64_t count, float covered)
{
    if (area_of(crop) < 1)
        return false;
    for (int64_t i = 0; i < count; i++)
        if (area_of(boxes[i]) >= 1 &&
            area_of(common(crop, boxes[i])) / area_of(boxes[i]) >= covered)
            return true;
    return false;
}

static weir_status read_boxes(const weir_tensor *tensor, const request *request, rect *out)
{
    const float *v = tensor->data;
    for (int64_t i = 0; i < weir_tensor_count(tensor); i++)
        if (!(v[i] >= 0 && v[i] <= 1))
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "All bounding box coordinates must be in [0.0, 1.0]: %g",
                              (double)v[i]);
    for (int64_t b = 0; b < weir_tensor_count(tensor) / 4; b++, v += 4)
        out[b] = (rect){(int)(v[1] * (float)request->w), (int)(v[0] * (float)request->h),
                        (int)(v[3] * (float)request->w), (int)(v[2] * (float)request->h)};
    return WEIR_OK;
}

static void put_int(weir_tensor *tensor, int64_t i, int64_t value)
{
    switch (tensor->dtype) {
    case WEIR_UINT8:
    case WEIR_INT8:
        ((int8_t *)tensor->data)[i] = (int8_t)value;
        break;
    case WEIR_INT16:
        ((int16_t *)tensor->data)[i] = (int16_t)value;
        break;
    case WEIR_INT32:
        ((int32_t *)tensor->data)[i] = (int32_t)value;
        break;
    default:
        ((int64_t *)tensor->data)[i] = value;
    }
}

static void write_outputs(weir_call *call, const request *request, rect crop)
{
    int64_t begin[] = {crop.y0, crop.x0, 0}, size[] = {crop.y1 - crop.y0, crop.x1 - crop.x0, -1};
    for (int i = 0; i < 3; i++) {
        put_int(weir_out(call, 0), i, begin[i]);
        put_int(weir_out(call, 1), i, size[i]);
    }
    float *box = weir_out(call, 2)->data;
    box[0] = (float)crop.y0 / (float)request->h;
    box[1] = (float)crop.x0 / (float)request->w;
    box[2] = (float)crop.y1 / (float)request->h;
    box[3] = (float)crop.x1 / (float)request->w;
}

/* Reads the attrs from |first| on: aspect_ratio_range, area_range, max_attempts. */
static weir_status read_wish(weir_call *call, int first, request *request)
{
    const weir_attr *aspect = weir_site_list(call->site, first);
    const weir_attr *area = weir_site_list(call->site, first + 1);
    const weir_tensor *size = weir_in(call, 0);
    if (aspect->count != 2 || !(aspect->fs[0] > 0 && aspect->fs[1] > 0))
        return weir_error(WEIR_INVALID_ARGUMENT, "Aspect ratio range must be 2 positive numbers");
    if (area->count != 2 ||
        !(area->fs[0] > 0 && area->fs[0] <= 1 && area->fs[1] > 0 && area->fs[1] <= 1))
        return weir_error(WEIR_INVALID_ARGUMENT, "Area range must be 2 numbers in (0.0, 1.0]");
    request->least_aspect = aspect->fs[0];
    request->most_aspect = aspect->fs[1];
    request->least_area = area->fs[0];
    request->most_area = area->fs[1];
    request->attempts = weir_site_int(call->site, first + 2);
    if (request->attempts <= 0 || request->attempts > INT32_MAX)
        return weir_error(WEIR_INVALID_ARGUMENT, "Max attempts must be positive, got %" PRId64,
                          request->attempts);
    if (weir_tensor_count(size) != 3)
        return weir_error(WEIR_INVALID_ARGUMENT, "image_size must contain 3 elements %s",
                          WEIR_SHAPE_STR(&size->shape));
    double h = weir_number_at(size, 0), w = weir_number_at(size, 1);
    if (!(h > 0 && w > 0 && h < INT32_MAX && w < INT32_MAX && h * w < INT32_MAX))
        return weir_error(WEIR_INVALID_ARGUMENT, "image height and width must be >= 1, got %g, %g",
                          h, w);
    request->h = (int)h;
    request->w = (int)w;
    return WEIR_OK;
}

static weir_status sample(weir_call *call, request *request, int first)
{
    WEIR_TRY(read_wish(call, first, request));
    const weir_tensor *in = weir_in(call, 1);
    int64_t count = weir_tensor_count(in) / 4;
    bool whole = weir_site_bool(call->site, first + 3);
    if (count == 0 && !whole)
        return weir_error(
            WEIR_INVALID_ARGUMENT,
            "No bounding boxes provided as input. One must enable "
            "use_image_if_no_bounding_boxes if you request to not provide any bounding "
            "boxes.");
    rect all = {0, 0, request->w, request->h}, crop = all;
    WEIR_FREED rect *boxes = WEIR_NEW_ARRAY(rect, count + 1);
    boxes[0] = all;
    weir_status status = read_boxes(in, request, boxes);
    weir_philox gen;
    if (!request->seed)
        gen = weir_generator_take(call, (uint64_t)request->attempts);
    else if (!status)
        status = weir_stateless_seed(request->seed, &gen);
    weir_philox_single random = weir_philox_singles(&gen);
    bool found = false;
    for (int64_t i = 0; i < request->attempts && !found && !status; i++) {
        float aspect = draw_float(&random) * (request->most_aspect - request->least_aspect) +
                       request->least_aspect;
        found = draw_crop(request, aspect, &random, &crop) &&
                covers_some(crop, boxes, count ? count : 1, request->covered);
    }
    WEIR_TRY(status);
    write_outputs(call, request, found ? crop : all);
    return WEIR_OK;
}

static weir_status infer(weir_infer *infer)
{
    WEIR_TRY(weir_infer_rank(infer, 0, 1));
    WEIR_TRY(weir_infer_rank(infer, 1, 3));
    int64_t four;
    WEIR_TRY(weir_infer_merge_dim(weir_infer_dim(infer, 1, 2), 4, &four));
    if (infer->in_count > 2)
        WEIR_TRY(weir_infer_rank(infer, 2, 0));
    infer->out[0] = infer->out[1] = weir_shape_vector(3);
    infer->out[2] = (weir_shape){3, {1, 1, 4}};
    return WEIR_OK;
}

static weir_status infer_stateless(weir_infer *stateless)
{
    WEIR_TRY(weir_infer_seed(stateless, 3));
    return infer(stateless);
}

enum { T, SEED, SEED2, V1_COVERED, V1_ASPECT, V2_ASPECT = V1_COVERED, STATELESS_ASPECT = SEED2 };

static weir_status sample_v1(weir_call *call)
{
    request request = {.covered = weir_site_float(call->site, V1_COVERED)};
    return sample(call, &request, V1_ASPECT);
}

static weir_status sample_given(weir_call *call, const weir_tensor *seed, int first)
{
    request request = {.covered = *(const float *)weir_in(call, 2)->data, .seed = seed};
    if (!(request.covered >= 0))
        return weir_error(WEIR_INVALID_ARGUMENT, "Min object covered must be non-negative: %g",
                          (double)request.covered);
    return sample(call, &request, first);
}

static weir_status sample_v2(weir_call *call)
{
    return sample_given(call, NULL, V2_ASPECT);
}

static weir_status sample_stateless(weir_call *call)
{
    return sample_given(call, weir_in(call, 3), STATELESS_ASPECT);
}

#define RANGES                                                                                     \
    "aspect_ratio_range: list(float) = [0.75, 1.3300000429153442]; area_range: list(float) = "     \
    "[0.05000000074505806, 1.0]; max_attempts: int = 100; use_image_if_no_bounding_boxes: bool = " \
    "false"

const weir_op weir_op_sample_distorted_bounding_box = {
    .name = "SampleDistortedBoundingBox",
    .in = "image_size: T; bounding_boxes: float",
    .out = "begin: T; size: T; bboxes: float",
    .attrs = "T: {uint8, int8, int16, int32, int64}; seed: int = 0; seed2: int = 0; "
             "min_object_covered: float = 0.10000000149011612; " RANGES,
    .flags = WEIR_STATEFUL,
    .infer = infer,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", sample_v1, .prepare = weir_generator_prepare,
                 .cleanup = weir_generator_cleanup}},
};

const weir_op weir_op_sample_distorted_bounding_box_v2 = {
    .name = "SampleDistortedBoundingBoxV2",
    .in = "image_size: T; bounding_boxes: float; min_object_covered: float",
    .out = "begin: T; size: T; bboxes: float",
    .attrs = "T: {uint8, int8, int16, int32, int64}; seed: int = 0; seed2: int = 0; " RANGES,
    .flags = WEIR_STATEFUL,
    .infer = infer,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", sample_v2, .prepare = weir_generator_prepare,
                 .cleanup = weir_generator_cleanup}},
};

const weir_op weir_op_stateless_sample_distorted_bounding_box = {
    .name = "StatelessSampleDistortedBoundingBox",
    .in = "image_size: T; bounding_boxes: float; min_object_covered: float; seed: Tseed",
    .out = "begin: T; size: T; bboxes: float",
    .attrs = "T: {uint8, int8, int16, int32, int64}; Tseed: {int32, int64}; " RANGES,
    .infer = infer_stateless,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", sample_stateless}},
};

/* ---- RandomCrop ------------------------------------------------------------------------------ */

static weir_status infer_crop(weir_infer *infer)
{
    WEIR_TRY(weir_infer_rank(infer, 0, 3));
    WEIR_TRY(weir_infer_rank(infer, 1, 1));
    int64_t two;
    WEIR_TRY(weir_infer_merge_dim(weir_infer_dim(infer, 1, 0), 2, &two));
    weir_shape out = {3, {-1, -1, weir_infer_dim(infer, 0, 2)}};
    const weir_tensor *size = weir_infer_value(infer, 1);
    for (int axis = 0; size && axis < 2; axis++) {
        int64_t side = ((const int64_t *)size->data)[axis], limit = weir_infer_dim(infer, 0, axis);
        if (side < 0 || (limit >= 0 && side > limit))
            return weir_error(WEIR_FAILED_PRECONDITION,
                              "RandomCrop: cannot crop %" PRId64 " out of %" PRId64, side, limit);
        out.dims[axis] = side;
    }
    infer->out[0] = out;
    return WEIR_OK;
}

static weir_status random_crop(weir_call *call)
{
    const weir_tensor *in = weir_in(call, 0);
    weir_tensor *out = weir_out(call, 0);
    const int64_t *from = in->shape.dims, *to = out->shape.dims;
    weir_philox gen = weir_generator_take(call, 1);
    weir_philox_single random = weir_philox_singles(&gen);
    int64_t y = to[0] < from[0] ? weir_philox_u32(&random) % (from[0] - to[0] + 1) : 0;
    int64_t x = to[1] < from[1] ? weir_philox_u32(&random) % (from[1] - to[1] + 1) : 0;
    size_t pixel = (size_t)from[2] * weir_dtype_size(in->dtype);
    for (int64_t row = 0; row < to[0]; row++)
        memcpy((char *)out->data + (size_t)(row * to[1]) * pixel,
               (const char *)in->data + (size_t)((y + row) * from[1] + x) * pixel,
               (size_t)to[1] * pixel);
    return WEIR_OK;
}

const weir_op weir_op_random_crop = {
    .name = "RandomCrop",
    .in = "image: T; size: int64",
    .out = "output: T",
    .attrs = "T: {uint8, int8, int16, int32, int64, float, double}; seed: int = 0; seed2: int = 0",
    .flags = WEIR_STATEFUL,
    .deprecated_at = 8,
    .deprecation = "Random crop is now pure Python",
    .infer = infer_crop,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", random_crop, .prepare = weir_generator_prepare,
                 .cleanup = weir_generator_cleanup}},
};
