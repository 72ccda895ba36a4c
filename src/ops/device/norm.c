/* ops/device/norm.c - batch normalisation and local response normalisation. */
#include "ops/device/device_impl.h"

static const weir_attr *find(const weir_site *site, const char *name)
{
    return &site->attrs[weir_opdef_attr(site->def, name)];
}

/* A batch as rows of channels. */
typedef struct batch {
    int64_t count, rows, channels;
    float epsilon;
    weir_elem elem;
} batch;

static batch batch_of(const weir_call *call, const weir_tensor *x)
{
    batch b = {.count = weir_tensor_count(x),
               .channels = x->shape.dims[3],
               .epsilon = find(call->site, "epsilon")->f,
               .elem = weir_elem_of(x->dtype)};
    b.rows = b.channels ? b.count / b.channels : 0;
    return b;
}

static weir_status find_moments(const weir_call *call, const weir_images *images,
                                const weir_sums *sums, const weir_tensor *x,
                                const weir_tensor *mean, const weir_tensor *variance)
{
    double share = (double)images->width / (double)images->count;
    int64_t items = sums->groups * WEIR_GPU_LANES;
    WEIR_TRY(WEIR_CHANNELS(call, images, "channel_sums", items, AT(x),
                           WEIR_GPU_AT(sums->buffer->data), VALUE(images->count),
                           VALUE(images->width)));
    WEIR_TRY(weir_device_sums_join(call, images, sums, 0, share, true, mean->data));
    WEIR_TRY(WEIR_CHANNELS(call, images, "channel_squares", items, AT(x), AT(mean),
                           WEIR_GPU_AT(sums->buffer->data), VALUE(images->count),
                           VALUE(images->width)));
    return weir_device_sums_join(call, images, sums, 0, share, true, variance->data);
}

static weir_status moments(const weir_call *call, const batch *b, const weir_tensor *x,
                           const weir_tensor *mean, const weir_tensor *variance)
{
    weir_images images = weir_device_images(call, b->elem, b->count, b->channels);
    weir_sums sums;
    WEIR_TRY(weir_device_sums_begin(call, &images, 1, &sums));
    if (!sums.groups)
        return b->count ? weir_error(WEIR_UNIMPLEMENTED, "%s of %lld channels on a device",
                                     call->site->op->name, (long long)b->channels)
                        : WEIR_OK;
    weir_status status = find_moments(call, &images, &sums, x, mean, variance);
    weir_buffer_release(sums.buffer);
    return status;
}

static weir_status train(weir_call *call, const batch *b, const weir_tensor *x)
{
    float factor = find(call->site, "exponential_avg_factor")->f;
    const weir_tensor *mean = weir_out(call, 3), *variance = weir_out(call, 4);
    bool has = weir_tensor_count(weir_in(call, 3)) == b->channels;
    if (factor != 1 && !has)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "When exponential_avg_factor != 1, mean must have the same number of "
                          "elements as the channels of x, got %lld and %lld",
                          (long long)weir_tensor_count(weir_in(call, 3)), (long long)b->channels);
    WEIR_TRY(moments(call, b, x, mean, variance));
    return WEIR_LAYER(call, b->elem, "running_moments", b->channels,
                      AT(has ? weir_in(call, 3) : mean), AT(has ? weir_in(call, 4) : variance),
                      AT(mean), AT(variance), AT(weir_out(call, 1)), AT(weir_out(call, 2)),
                      VALUE(b->channels), VALUE(b->rows), VALUE(factor));
}

/* Inference: forwards the given statistics. */
static weir_status pass_on(weir_call *call)
{
    weir_memory *memory = call->site->memory;
    for (int o = 1; o < 5; o++)
        WEIR_TRY(memory->copy(memory, weir_out(call, o)->data, weir_in(call, o & 1 ? 3 : 4)->data,
                              weir_tensor_bytes(weir_out(call, o))));
    return WEIR_OK;
}

weir_status weir_device_batch_norm(weir_call *call)
{
    const weir_tensor *x = weir_in(call, 0), *y = weir_out(call, 0);
    batch b = batch_of(call, x);
    bool training = find(call->site, "is_training")->b;
    weir_memory *memory = call->site->memory;
    if (call->site->out_count > 5)
        WEIR_TRY(
            memory->clear(memory, weir_out(call, 5)->data, weir_tensor_bytes(weir_out(call, 5))));
    WEIR_TRY(training ? train(call, &b, x) : pass_on(call));
    const weir_tensor *mean = training ? weir_out(call, 3) : weir_in(call, 3);
    const weir_tensor *variance = training ? weir_out(call, 4) : weir_in(call, 4);
    weir_images images = weir_device_images(call, b.elem, b.count, b.channels);
    return WEIR_CHANNELS(call, &images, "batch_normalize", images.count, AT(x),
                         AT(weir_in(call, 1)), AT(weir_in(call, 2)), AT(mean), AT(variance), AT(y),
                         VALUE(images.count), VALUE(images.width), VALUE(b.epsilon));
}

/* The sums of dy, and of dy (x - mean). */
static weir_status sum_products(weir_call *call, const batch *b, void *results, void *products)
{
    const weir_tensor *dy = weir_in(call, 0), *x = weir_in(call, 1), *mean = weir_in(call, 3);
    weir_images images = weir_device_images(call, b->elem, b->count, b->channels);
    weir_sums sums;
    WEIR_TRY(weir_device_sums_begin(call, &images, 2, &sums));
    if (!sums.groups)
        return b->count ? weir_error(WEIR_UNIMPLEMENTED, "%s of %lld channels on a device",
                                     call->site->op->name, (long long)b->channels)
                        : WEIR_OK;
    weir_status status = WEIR_CHANNELS(
        call, &images, "channel_products", sums.groups * WEIR_GPU_LANES, AT(dy), AT(x), AT(mean),
        WEIR_GPU_AT(WEIR_SUMS_AT(&sums, 0)), WEIR_GPU_AT(WEIR_SUMS_AT(&sums, 1)),
        VALUE(images.count), VALUE(images.width));
    if (!status)
        status = weir_device_sums_join(call, &images, &sums, 0, 1, true, results);
    if (!status)
        status = weir_device_sums_join(call, &images, &sums, 1, 1, true, products);
    weir_buffer_release(sums.buffer);
    return status;
}

static weir_status differentiate(weir_call *call, const batch *b, void *products)
{
    const weir_tensor *dy = weir_in(call, 0), *x = weir_in(call, 1), *scale = weir_in(call, 2);
    const weir_tensor *mean = weir_in(call, 3), *variance = weir_in(call, 4);
    const weir_tensor *sums = weir_out(call, 2); /* the gradient of the offset */
    int32_t training = find(call->site, "is_training")->b;
    WEIR_TRY(sum_products(call, b, sums->data, products));
    weir_images images = weir_device_images(call, b->elem, b->count, b->channels);
    WEIR_TRY(WEIR_CHANNELS(call, &images, "normalize_grad", images.count, AT(dy), AT(x), AT(scale),
                           AT(mean), AT(variance), AT(sums), WEIR_GPU_AT(products),
                           AT(weir_out(call, 0)), VALUE(images.count), VALUE(images.width),
                           VALUE(b->epsilon), VALUE(training)));
    return WEIR_LAYER(call, b->elem, "normalize_scale_grad", b->channels, WEIR_GPU_AT(products),
                      AT(variance), AT(weir_out(call, 1)), VALUE(b->channels), VALUE(b->epsilon));
}

weir_status weir_device_batch_norm_grad(weir_call *call)
{
    batch b = batch_of(call, weir_in(call, 1));
    weir_buffer *products;
    WEIR_TRY(weir_device_scratch(call, (size_t)b.channels * sizeof(float), &products));
    weir_status status = differentiate(call, &b, products->data);
    weir_buffer_release(products);
    return status;
}

/* ---- neighbouring channels ---- */

enum { LRN_REACH = 16 }; /* same as in channels.cl */

typedef struct response {
    int64_t count, channels, radius;
    float bias, alpha, beta;
} response;

static response response_of(const weir_call *call, const weir_tensor *x)
{
    return (response){.count = weir_tensor_count(x),
                      .channels = x->shape.dims[3],
                      .radius = find(call->site, "depth_radius")->i,
                      .bias = find(call->site, "bias")->f,
                      .alpha = find(call->site, "alpha")->f,
                      .beta = find(call->site, "beta")->f};
}

weir_status weir_device_lrn(weir_call *call)
{
    const weir_tensor *x = weir_in(call, 0), *y = weir_out(call, 0);
    response r = response_of(call, x);
    weir_images images = weir_device_images(call, weir_elem_of(x->dtype), r.count, r.channels);
    if (r.radius > LRN_REACH)
        return WEIR_LAYER(call, images.elem, "lrn_far", r.count, AT(x), AT(y), VALUE(r.count),
                          VALUE(r.channels), VALUE(r.radius), VALUE(r.bias), VALUE(r.alpha),
                          VALUE(r.beta));
    return WEIR_CHANNELS(call, &images, "lrn", images.count, AT(x), AT(y), VALUE(images.count),
                         VALUE(images.width), VALUE(r.radius), VALUE(r.bias), VALUE(r.alpha),
                         VALUE(r.beta));
}

weir_status weir_device_lrn_grad(weir_call *call)
{
    const weir_tensor *dy = weir_in(call, 0), *x = weir_in(call, 1), *y = weir_in(call, 2);
    const weir_tensor *dx = weir_out(call, 0);
    response r = response_of(call, x);
    weir_images images = weir_device_images(call, weir_elem_of(x->dtype), r.count, r.channels);
    if (r.radius > LRN_REACH)
        return WEIR_LAYER(call, images.elem, "lrn_far_grad", r.count, AT(dy), AT(x), AT(y), AT(dx),
                          VALUE(r.count), VALUE(r.channels), VALUE(r.radius), VALUE(r.bias),
                          VALUE(r.alpha), VALUE(r.beta));
    return WEIR_CHANNELS(call, &images, "lrn_grad", images.count, AT(dy), AT(x), AT(y), AT(dx),
                         VALUE(images.count), VALUE(images.width), VALUE(r.radius), VALUE(r.bias),
                         VALUE(r.alpha), VALUE(r.beta));
}
