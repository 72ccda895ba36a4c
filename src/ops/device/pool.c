/* ops/device/pool.c - pools, biases, and the layers that pass/layers.c joins with them. */
#include "math/binary/binary.h"
#include "math/reduce/reduce.h"
#include "ops/device/device_impl.h"
#include "ops/nn/pool.h"

/* ---- sums of channels ---- */

static int64_t common(int64_t a, int64_t b)
{
    return b ? common(b, a % b) : a;
}

int64_t weir_device_channel_items(const weir_call *call, int64_t count, int64_t channels)
{
    enum { GROUPS_A_UNIT = 8 };
    int64_t most = weir_unit_of(call)->info.units * GROUPS_A_UNIT;
    int64_t needed = (count + WEIR_GPU_LANES - 1) / WEIR_GPU_LANES;
    int64_t step = channels ? channels / common(channels, WEIR_GPU_LANES) : 0;
    most = most < needed ? most : needed;
    if (!step || step > most)
        return 0;
    return most / step * step * WEIR_GPU_LANES;
}

/* Where work items put their sums: one each. */
static weir_status take_sums(const weir_call *call, weir_elem elem, int64_t items,
                             weir_buffer **out_sums)
{
    return weir_device_scratch(call, (size_t)(items * weir_elem_size(elem)), out_sums);
}

static weir_status join_sums(const weir_call *call, weir_elem elem, int64_t items, int64_t channels,
                             const weir_buffer *sums, void *result)
{
    return weir_device_reduce(call, WEIR_R_sum, elem, 1, items / channels, channels, sums->data,
                              result);
}

static weir_status sum_channels(weir_call *call, weir_elem elem, int64_t count, int64_t channels,
                                const void *x, void *result)
{
    weir_buffer *sums;
    int64_t items = weir_device_channel_items(call, count, channels);
    if (!items || weir_elem_is_half(elem)) /* the sums of 16-bit floats are rounded once */
        return weir_device_reduce(call, WEIR_R_sum, elem, 1, count / channels, channels, x, result);
    WEIR_TRY(take_sums(call, elem, items, &sums));
    weir_status status = WEIR_LAYER(call, elem, "channel_sums", items, WEIR_GPU_AT(x),
                                    WEIR_GPU_AT(sums->data), VALUE(count));
    if (!status)
        status = join_sums(call, elem, items, channels, sums, result);
    weir_buffer_release(sums);
    return status;
}

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

static weir_status pool(weir_call *call, const char *kernel)
{
    const weir_tensor *x = weir_in(call, 0), *y = weir_out(call, 0);
    weir_patches p;
    WEIR_TRY(plan_pool(call, &x->shape, &p));
    return WEIR_LAYER(call, weir_elem_of(x->dtype), kernel, weir_tensor_count(y), AT(x), AT(y),
                      VALUE(p));
}

weir_status weir_device_max_pool(weir_call *call)
{
    return pool(call, "max_pool");
}

weir_status weir_device_avg_pool(weir_call *call)
{
    return pool(call, "avg_pool");
}

enum { MOST_PLACES = 255 }; /* of a window whose largest element is known by a byte */

static weir_status find_places(weir_call *call, const weir_tensor *x, const weir_patches *p,
                               int32_t least, weir_buffer **out_places)
{
    int64_t count = p->batch * p->out[0] * p->out[1] * p->channels;
    WEIR_TRY(weir_device_scratch(call, (size_t)count, out_places));
    weir_status status =
        WEIR_LAYER(call, weir_elem_of(x->dtype), "max_pool_places", count, AT(x),
                   WEIR_GPU_AT((*out_places)->data), VALUE(*p), VALUE(least));
    if (status)
        weir_buffer_release(*out_places);
    return status;
}

weir_status weir_device_max_pool_grad(weir_call *call)
{
    const weir_tensor *x = weir_in(call, 0), *dy = weir_in(call, 2), *dx = weir_out(call, 0);
    weir_patches p;
    weir_buffer *places;
    WEIR_TRY(plan_pool(call, &x->shape, &p));
    weir_elem elem = weir_elem_of(x->dtype);
    int64_t count = weir_tensor_count(dx);
    if (p.taps[0] * p.taps[1] > MOST_PLACES)
        return WEIR_LAYER(call, elem, "max_pool_far_grad", count, AT(x), AT(dy), AT(dx), VALUE(p));
    WEIR_TRY(find_places(call, x, &p, 0, &places));
    weir_status status = WEIR_LAYER(call, elem, "max_pool_grad", count, WEIR_GPU_AT(places->data),
                                    AT(dy), AT(dx), VALUE(p));
    weir_buffer_release(places);
    return status;
}

weir_status weir_device_avg_pool_grad(weir_call *call)
{
    const weir_tensor *dy = weir_in(call, 1), *dx = weir_out(call, 0);
    weir_patches p;
    WEIR_TRY(plan_pool(call, &dx->shape, &p));
    return WEIR_LAYER(call, weir_elem_of(dy->dtype), "avg_pool_grad", weir_tensor_count(dx), AT(dy),
                      AT(dx), VALUE(p));
}

/* ---- biases ---- */

weir_status weir_device_bias_add(weir_call *call)
{
    const weir_tensor *x = weir_in(call, 0), *bias = weir_in(call, 1), *y = weir_out(call, 0);
    int64_t count = weir_tensor_count(x), length = weir_tensor_count(bias);
    int32_t relu = 0;
    return WEIR_LAYER(call, weir_elem_of(x->dtype), "add_bias", count, AT(x), AT(bias), AT(y),
                      VALUE(count), VALUE(length), VALUE(relu));
}

weir_status weir_device_bias_add_grad(weir_call *call)
{
    const weir_tensor *dy = weir_in(call, 0), *db = weir_out(call, 0);
    int64_t channels = weir_tensor_count(db);
    return channels ? sum_channels(call, weir_elem_of(dy->dtype), weir_tensor_count(dy), channels,
                                   dy->data, db->data)
                    : WEIR_OK;
}

/* ---- layers ---- */

weir_status weir_device_relu_bias_grad(weir_call *call)
{
    const weir_tensor *dy = weir_in(call, 0), *y = weir_in(call, 1), *dx = weir_out(call, 0);
    const weir_tensor *db = weir_out(call, 1);
    weir_elem elem = weir_elem_of(dy->dtype);
    int64_t channels = weir_tensor_count(db), count = weir_tensor_count(dy);
    int64_t items = weir_device_channel_items(call, count, channels);
    weir_buffer *sums;
    if (!items) {
        WEIR_TRY(weir_device_binary(call, WEIR_B_relu_grad, elem, count, dy->data, 1, y->data, 1,
                                    dx->data));
        return channels ? sum_channels(call, elem, count, channels, dx->data, db->data) : WEIR_OK;
    }
    WEIR_TRY(take_sums(call, elem, items, &sums));
    weir_status status = WEIR_LAYER(call, elem, "relu_bias_grad", items, AT(dy), AT(y), AT(dx),
                                    WEIR_GPU_AT(sums->data), VALUE(count));
    if (!status)
        status = join_sums(call, elem, items, channels, sums, db->data);
    weir_buffer_release(sums);
    return status;
}

/* Windows too large for bytes: the gradients one after the other. */
static weir_status relu_grad_apart(weir_call *call, const weir_patches *p)
{
    const weir_tensor *x = weir_in(call, 0), *dy = weir_in(call, 2), *dx = weir_out(call, 0);
    weir_elem elem = weir_elem_of(x->dtype);
    int64_t count = weir_tensor_count(dx);
    WEIR_TRY(WEIR_LAYER(call, elem, "max_pool_far_grad", count, AT(x), AT(dy), AT(dx), VALUE(*p)));
    WEIR_TRY(weir_device_binary(call, WEIR_B_relu_grad, elem, count, dx->data, 1, x->data, 1,
                                dx->data));
    return sum_channels(call, elem, count, p->channels, dx->data, weir_out(call, 1)->data);
}

static weir_status pool_bias_grad(weir_call *call, const weir_patches *p, const void *places)
{
    const weir_tensor *dy = weir_in(call, 2), *dx = weir_out(call, 0), *db = weir_out(call, 1);
    weir_elem elem = weir_elem_of(dx->dtype);
    int64_t count = weir_tensor_count(dx);
    int64_t items = weir_device_channel_items(call, count, p->channels);
    weir_buffer *sums;
    if (!items) {
        WEIR_TRY(WEIR_LAYER(call, elem, "max_pool_grad", count, WEIR_GPU_AT(places), AT(dy), AT(dx),
                            VALUE(*p)));
        return sum_channels(call, elem, count, p->channels, dx->data, db->data);
    }
    WEIR_TRY(take_sums(call, elem, items, &sums));
    weir_status status =
        WEIR_LAYER(call, elem, "max_pool_bias_grad", items, WEIR_GPU_AT(places), AT(dy), AT(dx),
                   WEIR_GPU_AT(sums->data), VALUE(*p));
    if (!status)
        status = join_sums(call, elem, items, p->channels, sums, db->data);
    weir_buffer_release(sums);
    return status;
}

weir_status weir_device_max_pool_relu_grad(weir_call *call)
{
    const weir_tensor *x = weir_in(call, 0);
    weir_patches p;
    weir_buffer *places;
    WEIR_TRY(plan_pool(call, &x->shape, &p));
    if (!weir_tensor_count(x))
        return call->site->memory->clear(call->site->memory, weir_out(call, 1)->data,
                                         weir_tensor_bytes(weir_out(call, 1)));
    if (p.taps[0] * p.taps[1] > MOST_PLACES)
        return relu_grad_apart(call, &p);
    WEIR_TRY(find_places(call, x, &p, 1, &places));
    weir_status status = pool_bias_grad(call, &p, places->data);
    weir_buffer_release(places);
    return status;
}
