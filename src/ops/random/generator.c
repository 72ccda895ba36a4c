/* ops/random/generator.c - named streams; seeds and keys read from tensors. */
#include "ops/random/generator.h"

#include <inttypes.h>
#include <sys/random.h>

#include "base/clock.h"
#include "base/mutex.h"
#include "ops/common/elem_of.h"
#include "ops/common/infer_util.h"

typedef struct generator {
    weir_resource resource;
    weir_mutex lock;
    weir_philox next WEIR_GUARDED_BY(lock);
} generator;

static const weir_resource_type generator_type = {"weir.generator", "random generator"};

uint64_t weir_random_bits(void)
{
    uint64_t bits;
    if (getrandom(&bits, sizeof bits, 0) != (ssize_t)sizeof bits)
        bits = (uint64_t)weir_now_ns() * 0x9E3779B97F4A7C15ull;
    return bits;
}

static void generator_destroy(weir_ref *ref)
{
    generator *self = (generator *)ref;
    weir_mutex_fini(&self->lock);
    weir_free(self);
}

static uint64_t seed_of(const weir_site *site, const char *attr)
{
    return (uint64_t)weir_site_int(site, weir_opdef_attr(site->def, attr));
}

static weir_status generator_create(void *arg, weir_resource **out)
{
    const weir_site *site = arg;
    uint64_t seed = seed_of(site, "seed"), seed2 = seed_of(site, "seed2");
    if (!seed && !seed2) {
        seed = weir_random_bits();
        seed2 = weir_random_bits();
    }
    generator *new_generator = WEIR_NEW(generator);
    weir_ref_init(&new_generator->resource.ref, generator_destroy);
    new_generator->resource.type = &generator_type;
    weir_mutex_init(&new_generator->lock);
    new_generator->next = weir_philox_seeded(seed, seed2);
    *out = &new_generator->resource;
    return WEIR_OK;
}

/* The name of the stream: the node's, or that of the node it replaces. */
static weir_str stream_name(const weir_site *site)
{
    int attr = weir_opdef_attr(site->def, "stream");
    return attr < 0 ? weir_str_of(site->name) : weir_site_str(site, attr);
}

/* The stream of this node. Nodes in different functions may have the same name, so the seeds are
 * part of the resource's name. */
static weir_status find_stream(weir_prepare *preparation, weir_resource **out)
{
    static const char container[] =
        "generators"; /* among the session's own resources, which clients cannot name */
    WEIR_BUF(name);
    weir_str own = stream_name(preparation->site);
    weir_buf_addf(&name, "%.*s;%" PRIu64 ";%" PRIu64, (int)own.length, own.at,
                  seed_of(preparation->site, "seed"), seed_of(preparation->site, "seed2"));
    return weir_resources_find_or_create(preparation->own, weir_str_of(container), weir_view(&name),
                                         &generator_type, generator_create,
                                         (void *)preparation->site, out);
}

weir_status weir_generator_prepare(weir_prepare *preparation)
{
    weir_resource *resource;
    if (preparation->own)
        WEIR_TRY(find_stream(preparation, &resource));
    else
        WEIR_TRY(generator_create((void *)preparation->site, &resource));
    preparation->state = resource;
    return WEIR_OK;
}

void weir_generator_cleanup(void *state)
{
    weir_ref_release(state);
}

static weir_philox take(generator *generator, uint64_t blocks)
{
    weir_mutex_lock(&generator->lock);
    weir_philox start = generator->next;
    weir_philox_skip(&generator->next, blocks);
    weir_mutex_unlock(&generator->lock);
    return start;
}

weir_philox weir_generator_take(weir_call *call, uint64_t blocks)
{
    return take(call->state, blocks);
}

void weir_generator_draw(void *stream, uint64_t blocks, uint64_t out_start[3])
{
    weir_philox start = take(stream, blocks);
    out_start[0] = start.key[0] | (uint64_t)start.key[1] << 32;
    out_start[1] = start.counter[0] | (uint64_t)start.counter[1] << 32;
    out_start[2] = start.counter[2] | (uint64_t)start.counter[3] << 32;
}

weir_status weir_stateless_seed(const weir_tensor *seed, weir_philox *out)
{
    uint64_t s[2];
    if (seed->shape.rank != 1 || seed->shape.dims[0] != 2)
        return weir_error(WEIR_INVALID_ARGUMENT, "seed must have shape [2], not %s",
                          WEIR_SHAPE_STR(&seed->shape));
    for (int k = 0; k < 2; k++) {
        switch (seed->dtype) {
        case WEIR_INT32: /* sign-extended */
            s[k] = (uint64_t)(int64_t)((const int32_t *)seed->data)[k];
            break;
        case WEIR_UINT32:
            s[k] = ((const uint32_t *)seed->data)[k];
            break;
        default:
            s[k] = ((const uint64_t *)seed->data)[k];
        }
    }
    *out = weir_philox_scrambled(s[0], s[1]);
    return WEIR_OK;
}

weir_status weir_stateless_key(weir_call *call, int in, weir_philox *out)
{
    const weir_tensor *key = weir_in(call, in), *counter = weir_in(call, in + 1);
    const weir_tensor *alg = weir_in(call, in + 2);
    if (key->shape.rank != 1 || key->shape.dims[0] != 1)
        return weir_error(WEIR_INVALID_ARGUMENT, "key must have shape [1], not %s",
                          WEIR_SHAPE_STR(&key->shape));
    if (alg->shape.rank != 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "algorithm must be of shape [], not %s",
                          WEIR_SHAPE_STR(&alg->shape));
    int32_t algorithm = *(const int32_t *)alg->data;
    if (algorithm != WEIR_ALG_PHILOX && algorithm != WEIR_ALG_AUTO)
        return weir_error(WEIR_INVALID_ARGUMENT, "Unsupported algorithm id: %d", algorithm);
    if (counter->shape.rank != 1 || counter->shape.dims[0] < 2)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "counter must be a vector with length at least 2 for the Philox "
                          "algorithm, not %s",
                          WEIR_SHAPE_STR(&counter->shape));
    *out = weir_philox_at(*(const uint64_t *)key->data, counter->data);
    return WEIR_OK;
}

weir_status weir_infer_seed(weir_infer *infer, int in)
{
    int64_t two;
    WEIR_TRY(weir_infer_rank(infer, in, 1));
    return weir_infer_merge_dim(weir_infer_dim(infer, in, 0), 2, &two);
}

weir_status weir_infer_key(weir_infer *infer, int in)
{
    int64_t one;
    WEIR_TRY(weir_infer_rank(infer, in, 1));
    WEIR_TRY(weir_infer_rank(infer, in + 1, 1));
    WEIR_TRY(weir_infer_rank(infer, in + 2, 0));
    return weir_infer_merge_dim(weir_infer_dim(infer, in, 0), 1, &one);
}

weir_status weir_infer_random_shape(weir_infer *infer)
{
    return weir_infer_new_shape(infer, 0, &infer->out[0]);
}

void weir_random_fill(weir_call *call, weir_philox gen)
{
    static void (*const fills[])(const weir_par *, weir_philox, weir_elem, int64_t, void *) = {
        [WEIR_FILL_UNIFORM] = weir_random_uniform,
        [WEIR_FILL_NORMAL] = weir_random_normal,
        [WEIR_FILL_TRUNCATED_NORMAL] = weir_random_truncated_normal,
        [WEIR_FILL_FULL_INTS] = weir_random_full_ints,
    };
    weir_tensor *y = weir_out(call, 0);
    fills[weir_site_mode(call->site)](&call->run->par, gen, weir_elem_of(y->dtype),
                                      weir_tensor_count(y), y->data);
}
