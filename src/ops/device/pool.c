/* ops/device/pool.c - pools, biases, and the layers that pass/layers.c joins with them. */
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

weir_status weir_device_max_pool_grad(weir_call *call)
{
    const weir_tensor *x = weir_in(call, 0), *y = weir_in(call, 1), *dy = weir_in(call, 2);
    const weir_tensor *dx = weir_out(call, 0);
    weir_patches p;
    WEIR_TRY(plan_pool(call, &x->shape, &p));
    return WEIR_LAYER(call, weir_elem_of(x->dtype), "max_pool_grad", weir_tensor_count(dx), AT(x),
                      AT(y), AT(dy), AT(dx), VALUE(p));
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
    weir_buffer *sums;
    int64_t channels = weir_tensor_count(db), count = weir_tensor_count(dy);
    int64_t items = weir_device_channel_items(call, count, channels);
    bool apart = !items && channels;
    items = items ? items : count;
    WEIR_TRY(take_sums(call, elem, items + WEIR_GPU_LANES, &sums));
    weir_status status = WEIR_LAYER(call, elem, "relu_bias_grad", items, AT(dy), AT(y), AT(dx),
                                    WEIR_GPU_AT(sums->data), VALUE(count));
    if (!status && apart)
        status = sum_channels(call, elem, count, channels, dx->data, db->data);
    else if (!status && channels)
        status = join_sums(call, elem, items, channels, sums, db->data);
    weir_buffer_release(sums);
    return status;
}

weir_status weir_device_max_pool_relu_grad(weir_call *call)
{
    const weir_tensor *x = weir_in(call, 0), *y = weir_in(call, 1), *dy = weir_in(call, 2);
    const weir_tensor *dx = weir_out(call, 0), *db = weir_out(call, 1);
    weir_elem elem = weir_elem_of(x->dtype);
    weir_patches p;
    weir_buffer *sums;
    WEIR_TRY(plan_pool(call, &x->shape, &p));
    int64_t count = weir_tensor_count(dx), channels = p.channels;
    int64_t items = weir_device_channel_items(call, count, channels);
    bool apart = !items && channels;
    items = items ? items : count;
    WEIR_TRY(take_sums(call, elem, items + WEIR_GPU_LANES, &sums));
    weir_status status = WEIR_LAYER(call, elem, "max_pool_relu_grad", items, AT(x), AT(y), AT(dy),
                                    AT(dx), WEIR_GPU_AT(sums->data), VALUE(p));
    if (!status && apart)
        status = sum_channels(call, elem, count, channels, dx->data, db->data);
    else if (!status && channels)
        status = join_sums(call, elem, items, channels, sums, db->data);
    weir_buffer_release(sums);
    return status;
}
