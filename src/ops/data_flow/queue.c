/* ops/data_flow/queue.c - FIFOQueue, PaddingFIFOQueue, RandomShuffleQueue, PriorityQueue: the ops
 * that create a queue. Ops that use one are in queue_use.c. */
#include <time.h>

#include "base/arith.h"
#include "math/random/philox.h"
#include "ops/declare.h"
#include "ops/state/named.h"
#include "state/queue.h"

enum { TYPES, SHAPES, CAPACITY, CONTAINER, SHARED_NAME };                  /* attrs ... */
enum { MIN_AFTER = 3, SEED, SEED2, RANDOM_CONTAINER, RANDOM_SHARED_NAME }; /* ... shuffling */

/* A stream of 32-bit numbers, drawn block by block. */
typedef struct stream {
    weir_philox philox;
    weir_philox_block block;
    int used;
} stream;

static uint32_t draw(void *arg)
{
    stream *stream = arg;
    if (stream->used == 4) {
        stream->block = weir_philox_next(&stream->philox);
        stream->used = 0;
    }
    return stream->block.u[stream->used++];
}

static stream *make_stream(const weir_site *site)
{
    uint64_t seed = (uint64_t)weir_site_int(site, SEED),
             seed2 = (uint64_t)weir_site_int(site, SEED2);
    if (!seed && !seed2) {
        struct timespec now;
        clock_gettime(CLOCK_REALTIME, &now);
        seed = (uint64_t)now.tv_nsec * 0x9E3779B97F4A7C15u;
        seed2 = (uint64_t)now.tv_sec ^ (uintptr_t)site;
    }
    stream *new_stream = WEIR_NEW(stream);
    new_stream->philox = weir_philox_seeded(seed, seed2);
    new_stream->used = 4;
    return new_stream;
}

/* A queue spec read from a node, with its own arrays. */
typedef struct wanted {
    weir_queue_spec spec;
    weir_dtype *dtypes;
    weir_shape *shapes;
    const weir_site *site;
} wanted;

static void wanted_fini(wanted *wanted)
{
    weir_free(wanted->dtypes);
    weir_free(wanted->shapes);
}

/* A priority queue has the priority before the components in its attrs. */
static void wanted_init(wanted *this_wanted, const weir_call *call, weir_queue_kind kind)
{
    const weir_attr *types = weir_site_list(call->site, TYPES),
                    *shapes = weir_site_list(call->site, SHAPES);
    int extra = kind == WEIR_QUEUE_PRIORITY, count = types->count + extra;
    *this_wanted = (wanted){.site = call->site};
    this_wanted->dtypes = WEIR_NEW_ARRAY(weir_dtype, count + 1);
    this_wanted->dtypes[0] = WEIR_INT64;
    for (int k = 0; k < types->count; k++)
        this_wanted->dtypes[k + extra] = (weir_dtype)types->types[k];
    if (shapes->count || extra) {
        this_wanted->shapes = WEIR_NEW_ARRAY(weir_shape, weir_max(shapes->count, count) + 1);
        for (int k = 0; k < shapes->count; k++)
            this_wanted->shapes[k + extra] = shapes->shapes[k];
    }
    this_wanted->spec = (weir_queue_spec){
        .kind = kind,
        .name = ((const weir_named *)call->state)->name,
        .count = count,
        .dtypes = this_wanted->dtypes,
        .shapes = this_wanted->shapes,
        .capacity = weir_site_int(call->site, CAPACITY),
        .min_after_dequeue = kind == WEIR_QUEUE_RANDOM ? weir_site_int(call->site, MIN_AFTER) : 0,
    };
}

static weir_status check_attrs(const weir_site *site, weir_queue_kind kind)
{
    const weir_attr *types = weir_site_list(site, TYPES), *shapes = weir_site_list(site, SHAPES);
    if (kind == WEIR_QUEUE_PADDING && types->count != shapes->count)
        return weir_error(
            WEIR_INVALID_ARGUMENT,
            "Shapes must be provided for all components, but received %d dtypes and %d "
            "shapes.",
            types->count, shapes->count);
    if ((shapes->count || kind == WEIR_QUEUE_PRIORITY) && types->count != shapes->count)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Different number of component types.  Types: %d, Shapes: %d",
                          types->count, shapes->count);
    for (int k = 0; k < shapes->count; k++) {
        const weir_shape *shape = &shapes->shapes[k];
        if (kind == WEIR_QUEUE_PADDING ? shape->rank < 0 : !weir_shape_known(shape))
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "Shape of component %d must be known, but is %s", k,
                              WEIR_SHAPE_STR(shape));
    }
    if (kind != WEIR_QUEUE_RANDOM)
        return WEIR_OK;
    int64_t capacity = weir_site_int(site, CAPACITY), keep = weir_site_int(site, MIN_AFTER);
    if (keep < 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "min_after_dequeue %lld must be >= 0",
                          (long long)keep);
    if (capacity >= 0 && keep >= capacity)
        return weir_error(WEIR_INVALID_ARGUMENT, "min_after_dequeue %lld must be < capacity %lld",
                          (long long)keep, (long long)capacity);
    return WEIR_OK;
}

static weir_status create(void *arg, weir_resource **out)
{
    wanted *wanted = arg;
    if (wanted->spec.kind == WEIR_QUEUE_RANDOM) {
        wanted->spec.random = draw;
        wanted->spec.random_arg = make_stream(wanted->site);
    }
    *out = (weir_resource *)weir_queue_create(&wanted->spec);
    return WEIR_OK;
}

static weir_status make(weir_call *call)
{
    wanted wanted;
    wanted_init(&wanted, call, (weir_queue_kind)weir_site_mode(call->site));
    weir_resource *found;
    weir_status status = weir_named_open(call, create, &wanted, &found);
    if (!status) {
        status = weir_queue_matches((weir_queue *)found, &wanted.spec, call->site->def->name);
        weir_ref_release(&found->ref);
    }
    wanted_fini(&wanted);
    WEIR_TRY(status);
    weir_named_output(call, 0);
    return WEIR_OK;
}

static weir_status prepare(weir_prepare *preparation)
{
    weir_queue_kind kind = (weir_queue_kind)weir_site_mode(preparation->site);
    WEIR_TRY(check_attrs(preparation->site, kind));
    bool random = kind == WEIR_QUEUE_RANDOM;
    return weir_named_prepare(preparation, random ? RANDOM_CONTAINER : CONTAINER,
                              random ? RANDOM_SHARED_NAME : SHARED_NAME, WEIR_BY_OWN_NAME,
                              &weir_queue_type);
}

static weir_status infer(weir_infer *infer)
{
    infer->out[0] = infer->site->out_types[0] == WEIR_RESOURCE ? WEIR_SCALAR : weir_shape_vector(2);
    return WEIR_OK;
}

#define COMMON_ATTRS                                                                               \
    "component_types: list(type) >= 1; shapes: list(shape) >= 0 = []; capacity: int = -1; "
#define NAME_ATTRS "container: string = \"\"; shared_name: string = \"\""
#define RANDOM_ATTRS "min_after_dequeue: int = 0; seed: int = 0; seed2: int = 0; "
#define PRIORITY_ATTRS                                                                             \
    "component_types: list(type) >= 0 = []; shapes: list(shape) >= 0; capacity: int = -1; "

#define QUEUE                                                                                      \
    .infer = infer, .no_grad = true,                                                               \
    .kernels = {{WEIR_CPU, "*", make, WEIR_OWN_OUTPUTS | WEIR_CHEAP, .prepare = prepare,           \
                 .cleanup = weir_named_cleanup}}

WEIR_DEFINE_HANDLE_MAKERS(fifo_queue, "FIFOQueue", "handle", QUEUE, .mode = WEIR_QUEUE_FIFO,
                          .attrs = COMMON_ATTRS NAME_ATTRS);
WEIR_DEFINE_HANDLE_MAKERS(padding_fifo_queue, "PaddingFIFOQueue", "handle", QUEUE,
                          .mode = WEIR_QUEUE_PADDING, .attrs = COMMON_ATTRS NAME_ATTRS);
WEIR_DEFINE_HANDLE_MAKERS(random_shuffle_queue, "RandomShuffleQueue", "handle", QUEUE,
                          .mode = WEIR_QUEUE_RANDOM, .attrs = COMMON_ATTRS RANDOM_ATTRS NAME_ATTRS);
WEIR_DEFINE_HANDLE_MAKERS(priority_queue, "PriorityQueue", "handle", QUEUE,
                          .mode = WEIR_QUEUE_PRIORITY, .attrs = PRIORITY_ATTRS NAME_ATTRS);
