/* ops/device/channels.c - launches over channels-last images, and sums per channel. */
#include "math/reduce/reduce.h"
#include "ops/device/device_impl.h"

enum { GROUPS_A_UNIT = 4, GROUPS_MOST = 32 };

static int64_t common(int64_t a, int64_t b)
{
    return b ? common(b, a % b) : a;
}

int weir_device_quad(weir_elem elem, int64_t channels, uintptr_t bits)
{
    if (channels % 4 || bits % 16)
        return 1;
    return weir_elem_is_half(elem) && channels % 8 == 0 ? 8 : 4;
}

weir_images weir_device_images(const weir_call *call, weir_elem elem, int64_t count,
                               int64_t channels)
{
    uintptr_t bits = 0;
    for (int i = 0; i < call->site->in_count; i++)
        bits |= (uintptr_t)weir_in(call, i)->data;
    for (int i = 0; i < call->site->out_count; i++)
        bits |= (uintptr_t)weir_out(call, i)->data;
    int quad = weir_device_quad(elem, channels, bits);
    return (weir_images){.elem = elem,
                         .quad = quad,
                         .count = count / quad,
                         .width = channels / quad,
                         .channels = channels};
}

/* Number of groups such that every work item keeps its channels; 0: there is none. */
static int64_t groups_of(const weir_call *call, const weir_images *images)
{
    int64_t most = weir_unit_of(call)->info.units * GROUPS_A_UNIT;
    int64_t needed = (images->count + WEIR_GPU_LANES - 1) / WEIR_GPU_LANES;
    int64_t step = images->width ? images->width / common(images->width, WEIR_GPU_LANES) : 0;
    most = most < needed ? most : needed;
    if (step > most)
        return step > weir_unit_of(call)->info.units * GROUPS_MOST ? 0 : step;
    return step ? most / step * step : 0;
}

weir_status weir_device_sums_begin(const weir_call *call, const weir_images *images, int parts,
                                   weir_sums *out_sums)
{
    size_t wide = images->elem == WEIR_E_f64 ? sizeof(double) : sizeof(float);
    *out_sums = (weir_sums){.groups = groups_of(call, images)};
    out_sums->bytes = (size_t)(out_sums->groups * images->channels) * wide;
    return out_sums->groups
               ? weir_device_scratch(call, out_sums->bytes * (size_t)parts, &out_sums->buffer)
               : WEIR_OK;
}

weir_status weir_device_sums_join(const weir_call *call, const weir_images *images,
                                  const weir_sums *sums, int part, double factor, bool wide,
                                  void *result)
{
    int64_t items = (images->channels + 31) / 32 * WEIR_GPU_LANES;
    return WEIR_CHANNELS(call, images, wide ? "join_wide_rows" : "join_rows", items,
                         WEIR_GPU_AT(WEIR_SUMS_AT(sums, part)), WEIR_GPU_AT(result),
                         VALUE(sums->groups), VALUE(images->channels), VALUE(factor));
}

weir_status weir_device_channels(const weir_call *call, const weir_images *images,
                                 const char *kernel, int64_t items, const weir_gpu_arg *args,
                                 size_t count)
{
    weir_gpu_which which = {.text = WEIR_GPU_IN_CHANNELS,
                            .elem = images->elem,
                            .narrow = weir_device_narrow(call, items),
                            .quad = images->quad,
                            .kernel = kernel};
    return weir_gpu_unit_launch(weir_unit_of(call), &which, items, args, (int)count);
}

/* Fallback if no launch lets work items keep their channels. */
static weir_status reduce_channels(const weir_call *call, weir_elem elem, int64_t count,
                                   int64_t channels, bool wide, const void *x, void *result)
{
    weir_buffer *sums = NULL;
    if (!channels)
        return WEIR_OK;
    if (!wide)
        return weir_device_reduce(call, WEIR_R_sum, elem, 1, count / channels, channels, x, result);
    WEIR_TRY(weir_device_scratch(call, (size_t)(channels * weir_elem_size(elem)), &sums));
    weir_status status =
        weir_device_reduce(call, WEIR_R_sum, elem, 1, count / channels, channels, x, sums->data);
    if (!status)
        status = weir_device_convert(call, elem, WEIR_E_f32, channels, sums->data, result);
    weir_buffer_release(sums);
    return status;
}

weir_status weir_device_sum_channels(const weir_call *call, weir_elem elem, int64_t count,
                                     int64_t channels, bool wide, const void *x, void *result)
{
    weir_images images = weir_device_images(call, elem, count, channels);
    weir_sums sums;
    WEIR_TRY(weir_device_sums_begin(call, &images, 1, &sums));
    if (!sums.groups)
        return reduce_channels(call, elem, count, channels, wide, x, result);
    weir_status status =
        WEIR_CHANNELS(call, &images, "channel_sums", sums.groups * WEIR_GPU_LANES, WEIR_GPU_AT(x),
                      WEIR_GPU_AT(sums.buffer->data), VALUE(images.count), VALUE(images.width));
    if (!status)
        status = weir_device_sums_join(call, &images, &sums, 0, 1, wide, result);
    weir_buffer_release(sums.buffer);
    return status;
}
