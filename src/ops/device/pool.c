/* ops/device/pool.c - pools, biases, and the layer ops of pass/layers.c. */
#include "ops/nn/pool.h"
#include "math/binary/binary.h"
#include "ops/device/device_impl.h"

/* ---- pools ---- */

static weir_status plan_pool(weir_call *call, const weir_shape *in, weir_patches *out)
{
    weir_pool_plan plan;
    WEIR_TRY(weir_pool_plan_of_call(call, in, -1, &plan));
    const weir_window *window = &plan.window;
    *out = (weir_patches){.batch = window->batch, .channels = window->channels, .dilation = {1, 1}};
    for (int d = 0; d < 2; d++) {
        out->in[d] = window->in[d + 1];
        out->out[d] = window->out[d + 1];
        out->taps[d] = window->size[d + 1];
        out->stride[d] = window->stride[d + 1];
        out->pad[d] = window->pad[d + 1];
    }
    return WEIR_OK;
}

/* Plans the windows over tensors of |call|, in quads if |images| has them. */
static weir_status plan_images(weir_call *call, const weir_tensor *x, weir_patches *p,
                               weir_images *images)
{
    WEIR_TRY(plan_pool(call, &x->shape, p));
    *images = weir_device_images(call, weir_elem_of(x->dtype), weir_tensor_count(x), p->channels);
    p->channels = images->width;
    return WEIR_OK;
}

static int64_t outputs_of(const weir_patches *p)
{
    return p->batch * p->out[0] * p->out[1] * p->channels;
}

static weir_status pool(weir_call *call, const char *kernel)
{
    const weir_tensor *x = weir_in(call, 0), *y = weir_out(call, 0);
    weir_patches p;
    weir_images images;
    WEIR_TRY(plan_images(call, x, &p, &images));
    return WEIR_CHANNELS(call, &images, kernel, outputs_of(&p), AT(x), AT(y), VALUE(p));
}

weir_status weir_device_max_pool(weir_call *call)
{
    return pool(call, "max_pool");
}

weir_status weir_device_avg_pool(weir_call *call)
{
    return pool(call, "avg_pool");
}

weir_status weir_device_avg_pool_grad(weir_call *call)
{
    const weir_tensor *dy = weir_in(call, 1), *dx = weir_out(call, 0);
    weir_patches p;
    WEIR_TRY(plan_pool(call, &dx->shape, &p));
    weir_images images = {.elem = weir_elem_of(dx->dtype), .count = weir_tensor_count(dx)};
    images.quad =
        weir_device_quad(images.elem, p.channels, (uintptr_t)dy->data | (uintptr_t)dx->data);
    p.channels /= images.quad;
    int64_t items = p.batch * p.in[0] * p.in[1] * p.channels;
    return WEIR_CHANNELS(call, &images, "avg_pool_grad", items, AT(dy), AT(dx), VALUE(p));
}

enum { MOST_PLACES = 255 }; /* of a window whose maximum's position fits in a byte */

static weir_status find_places(weir_call *call, const weir_tensor *x, const weir_patches *p,
                               const weir_images *images, int32_t least, weir_buffer **out_places)
{
    int64_t count = outputs_of(p);
    WEIR_TRY(weir_device_scratch(call, (size_t)(images->quad * count), out_places));
    weir_status status = WEIR_CHANNELS(call, images, "max_pool_places", count, AT(x),
                                       WEIR_GPU_AT((*out_places)->data), VALUE(*p), VALUE(least));
    if (status)
        weir_buffer_release(*out_places);
    return status;
}

/* For windows too large for byte positions. */
static weir_status far_grad(weir_call *call, weir_patches p, weir_images images)
{
    const weir_tensor *x = weir_in(call, 0), *dy = weir_in(call, 2), *dx = weir_out(call, 0);
    images.quad = 1;
    p.channels = images.channels;
    return WEIR_CHANNELS(call, &images, "max_pool_far_grad", weir_tensor_count(dx), AT(x), AT(dy),
                         AT(dx), VALUE(p));
}

static weir_status near_grad(weir_call *call, const weir_patches *p, const weir_images *images,
                             const void *places)
{
    return WEIR_CHANNELS(call, images, "max_pool_grad", images->count, WEIR_GPU_AT(places),
                         AT(weir_in(call, 2)), AT(weir_out(call, 0)), VALUE(*p));
}

weir_status weir_device_max_pool_grad(weir_call *call)
{
    const weir_tensor *x = weir_in(call, 0);
    weir_patches p;
    weir_images images;
    weir_buffer *places;
    WEIR_TRY(plan_images(call, x, &p, &images));
    if (p.taps[0] * p.taps[1] > MOST_PLACES)
        return far_grad(call, p, images);
    WEIR_TRY(find_places(call, x, &p, &images, 0, &places));
    weir_status status = near_grad(call, &p, &images, places->data);
    weir_buffer_release(places);
    return status;
}

/* ---- biases ---- */

weir_status weir_device_add_bias(const weir_call *call, const weir_tensor *x,
                                 const weir_tensor *bias, const weir_tensor *y, bool relu)
{
    weir_images images = weir_device_images(call, weir_elem_of(x->dtype), weir_tensor_count(x),
                                            weir_tensor_count(bias));
    int32_t negative = relu;
    return WEIR_CHANNELS(call, &images, "add_bias", images.count, AT(x), AT(bias), AT(y),
                         VALUE(images.count), VALUE(images.width), VALUE(negative));
}

weir_status weir_device_bias_add(weir_call *call)
{
    return weir_device_add_bias(call, weir_in(call, 0), weir_in(call, 1), weir_out(call, 0), false);
}

weir_status weir_device_bias_add_grad(weir_call *call)
{
    const weir_tensor *dy = weir_in(call, 0), *db = weir_out(call, 0);
    return weir_device_sum_channels(call, weir_elem_of(dy->dtype), weir_tensor_count(dy),
                                    weir_tensor_count(db), false, dy->data, db->data);
}

/* ---- layers ---- */

/* Whether the bias sums have a wider type than the summed values. */
static bool is_wide(const weir_call *call)
{
    return weir_out(call, 0)->dtype != weir_out(call, 1)->dtype;
}

/* Computes the bias gradient by a separate launch. */
static weir_status sum_for_bias(weir_call *call)
{
    const weir_tensor *dx = weir_out(call, 0), *db = weir_out(call, 1);
    return weir_device_sum_channels(call, weir_elem_of(dx->dtype), weir_tensor_count(dx),
                                    weir_tensor_count(db), is_wide(call), dx->data, db->data);
}

/* The gradients of Relu and bias, if one launch cannot do both. */
static weir_status relu_grad_apart(weir_call *call, const void *dy, const weir_tensor *y)
{
    const weir_tensor *dx = weir_out(call, 0);
    WEIR_TRY(weir_device_binary(call, WEIR_B_relu_grad, weir_elem_of(dx->dtype),
                                weir_tensor_count(dx), dy, 1, y->data, 1, dx->data));
    return sum_for_bias(call);
}

static weir_status no_elements(weir_call *call)
{
    const weir_tensor *db = weir_out(call, 1);
    return call->site->memory->clear(call->site->memory, db->data, weir_tensor_bytes(db));
}

/* The same for a slice of dy, which is copied first. */
static weir_status sliced_apart(weir_call *call, int64_t first)
{
    const weir_tensor *dy = weir_in(call, 0), *y = weir_in(call, 1);
    int64_t width = y->shape.dims[y->shape.rank - 1], whole = dy->shape.dims[dy->shape.rank - 1];
    int unit = (int)weir_dtype_size(y->dtype);
    weir_memory *memory = call->site->memory;
    weir_buffer *slice;
    weir_memory_walk walk = {.rank = 2,
                             .dims = {weir_tensor_count(y) / width, width},
                             .to = {width, 1},
                             .from = {whole, 1}};
    WEIR_TRY(weir_device_scratch(call, weir_tensor_bytes(y), &slice));
    weir_status status =
        memory->walk(memory, unit, slice->data, (char *)dy->data + first * unit, &walk);
    if (!status)
        status = relu_grad_apart(call, slice->data, y);
    weir_buffer_release(slice);
    return status;
}

/* For the channels of dy from |first| on; a pixel has |whole| channels. */
static weir_status relu_bias_grad(weir_call *call, int64_t first, int64_t whole)
{
    const weir_tensor *dy = weir_in(call, 0), *y = weir_in(call, 1), *dx = weir_out(call, 0);
    const weir_tensor *db = weir_out(call, 1);
    int64_t channels = weir_tensor_count(db);
    bool narrow = first % 8 || whole % 8; /* not aligned to quads */
    weir_images images =
        weir_device_images(call, weir_elem_of(y->dtype), weir_tensor_count(y), channels);
    if (narrow && whole != channels)
        images = (weir_images){images.elem, 1, weir_tensor_count(y), channels, channels};
    int64_t step = whole / images.quad, offset = first / images.quad;
    weir_sums sums;
    if (!images.count)
        return no_elements(call);
    WEIR_TRY(weir_device_sums_begin(call, &images, 1, &sums));
    if (!sums.groups)
        return whole == channels ? relu_grad_apart(call, dy->data, y) : sliced_apart(call, first);
    weir_status status =
        WEIR_CHANNELS(call, &images, "relu_bias_grad", sums.groups * WEIR_GPU_LANES, AT(dy), AT(y),
                      AT(dx), WEIR_GPU_AT(sums.buffer->data), VALUE(images.count),
                      VALUE(images.width), VALUE(step), VALUE(offset));
    if (!status)
        status = weir_device_sums_join(call, &images, &sums, 0, 1, is_wide(call), db->data);
    weir_buffer_release(sums.buffer);
    return status;
}

weir_status weir_device_relu_bias_grad(weir_call *call)
{
    return relu_bias_grad(call, 0, weir_tensor_count(weir_out(call, 1)));
}

weir_status weir_device_slice_relu_bias_grad(weir_call *call)
{
    const weir_shape *dy = &weir_in(call, 0)->shape, *y = &weir_in(call, 1)->shape;
    int64_t first = weir_site_int(call->site, weir_opdef_attr(call->site->def, "first"));
    bool fits = dy->rank == y->rank && dy->rank > 0;
    for (int i = 0; fits && i < dy->rank; i++)
        fits = i < dy->rank - 1 ? dy->dims[i] == y->dims[i]
                                : first >= 0 && y->dims[i] <= dy->dims[i] - first;
    if (!fits)
        return weir_error(WEIR_INVALID_ARGUMENT, "%s: a gradient of %s for %s",
                          call->site->op->name, WEIR_SHAPE_STR(dy), WEIR_SHAPE_STR(y));
    return relu_bias_grad(call, first, dy->dims[dy->rank - 1]);
}

static weir_status pool_bias_grad(weir_call *call, const weir_patches *p, const weir_images *images,
                                  const void *places)
{
    const weir_tensor *dy = weir_in(call, 2), *dx = weir_out(call, 0), *db = weir_out(call, 1);
    weir_sums sums;
    WEIR_TRY(weir_device_sums_begin(call, images, 1, &sums));
    if (!sums.groups) {
        WEIR_TRY(near_grad(call, p, images, places));
        return sum_for_bias(call);
    }
    weir_status status = WEIR_CHANNELS(call, images, "max_pool_bias_grad",
                                       sums.groups * WEIR_GPU_LANES, WEIR_GPU_AT(places), AT(dy),
                                       AT(dx), WEIR_GPU_AT(sums.buffer->data), VALUE(*p));
    if (!status)
        status = weir_device_sums_join(call, images, &sums, 0, 1, is_wide(call), db->data);
    weir_buffer_release(sums.buffer);
    return status;
}

weir_status weir_device_max_pool_relu_grad(weir_call *call)
{
    const weir_tensor *x = weir_in(call, 0);
    weir_patches p;
    weir_images images;
    weir_buffer *places;
    WEIR_TRY(plan_images(call, x, &p, &images));
    if (!images.count)
        return no_elements(call);
    if (p.taps[0] * p.taps[1] > MOST_PLACES) {
        WEIR_TRY(far_grad(call, p, images));
        return relu_grad_apart(call, weir_out(call, 0)->data, x);
    }
    WEIR_TRY(find_places(call, x, &p, &images, 1, &places));
    weir_status status = pool_bias_grad(call, &p, &images, places->data);
    weir_buffer_release(places);
    return status;
}

/* ---- pools that store positions -------------------------------------------------------------- */

weir_status weir_device_max_pool_places(weir_call *call)
{
    const weir_tensor *x = weir_in(call, 0), *y = weir_out(call, 0), *places = weir_out(call, 1);
    int32_t least = weir_site_bool(call->site, weir_opdef_attr(call->site->def, "relu"));
    weir_patches p;
    weir_images images;
    WEIR_TRY(plan_images(call, x, &p, &images));
    return WEIR_CHANNELS(call, &images, "max_pool_kept", outputs_of(&p), AT(x), AT(y), AT(places),
                         VALUE(p), VALUE(least));
}

weir_status weir_device_places_grad(weir_call *call)
{
    const weir_tensor *x = weir_in(call, 0), *places = weir_in(call, 1), *dy = weir_in(call, 2);
    weir_patches p;
    weir_images images;
    WEIR_TRY(plan_images(call, x, &p, &images));
    if (weir_tensor_count(places) != outputs_of(&p) * images.quad ||
        !weir_shape_eq(&places->shape, &dy->shape) || p.taps[0] * p.taps[1] > MOST_PLACES)
        return weir_error(WEIR_INVALID_ARGUMENT, "_PlacesGrad: places of %s and a gradient of %s",
                          WEIR_SHAPE_STR(&places->shape), WEIR_SHAPE_STR(&dy->shape));
    bool sums = weir_site_bool(call->site, weir_opdef_attr(call->site->def, "sums"));
    if (!images.count)
        return sums ? no_elements(call) : WEIR_OK;
    return sums ? pool_bias_grad(call, &p, &images, places->data)
                : near_grad(call, &p, &images, places->data);
}
