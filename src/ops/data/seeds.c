/* ops/data/seeds.c - seeds of datasets, and the ops that create seed generators and caches. */
#include "base/mutex.h"
#include "math/random/philox.h"
#include "ops/data/iterator_impl.h"
#include "ops/data/optional_impl.h"
#include "ops/declare.h"
#include "ops/random/generator.h"
#include "ops/state/named.h"

struct weir_seeder {
    weir_resource base;
    bool fresh; /* new seeds for each iterator */
    bool own;   /* owned by one dataset: no handle refers to it */
    int64_t seeds[2];
    weir_mutex lock;
    weir_philox stream WEIR_GUARDED_BY(lock);
    weir_philox_single single WEIR_GUARDED_BY(lock); /* draws from stream */
};

static const weir_resource_type seeder_type = {"N10tensorflow4data20SeedGeneratorManagerE",
                                               "seed generator"};

static void destroy(weir_ref *ref)
{
    weir_seeder *seeder = (weir_seeder *)ref;
    weir_mutex_fini(&seeder->lock);
    weir_free(seeder);
}

weir_seeder *weir_seeder_create(const int64_t seeds[2], bool fresh)
{
    weir_seeder *seeder = WEIR_NEW(weir_seeder);
    weir_ref_init(&seeder->base.ref, destroy);
    seeder->base.type = &seeder_type;
    seeder->fresh = fresh;
    memcpy(seeder->seeds, seeds, sizeof seeder->seeds);
    weir_mutex_init(&seeder->lock);
    seeder->stream = weir_philox_seeded((uint64_t)seeds[0], (uint64_t)seeds[1]);
    seeder->single = weir_philox_singles(&seeder->stream);
    return seeder;
}

void weir_seeder_next(weir_seeder *seeder, int64_t out_seeds[2])
{
    if (!seeder->fresh) {
        memcpy(out_seeds, seeder->seeds, sizeof seeder->seeds);
        return;
    }
    weir_mutex_lock(&seeder->lock);
    out_seeds[0] = weir_philox_u32(&seeder->single);
    out_seeds[1] = weir_philox_u32(&seeder->single);
    weir_mutex_unlock(&seeder->lock);
}

void weir_seeder_next_at(weir_seeder *seeder, weir_iterator *it, int64_t out_seeds[2])
{
    if (seeder->own && !it->place->state)
        it->place->state = &weir_seeder_create(seeder->seeds, seeder->fresh)->base.ref;
    weir_seeder_next(seeder->own ? (weir_seeder *)it->place->state : seeder, out_seeds);
}

weir_status weir_data_seeds(const weir_call *call, int64_t seeds[2])
{
    seeds[0] = seeds[1] = 0;
    WEIR_TRY(weir_data_int(call, "seed", &seeds[0]));
    WEIR_TRY(weir_data_int(call, "seed2", &seeds[1]));
    if (seeds[0] == 0 && seeds[1] == 0) {
        seeds[0] = (int64_t)weir_random_bits();
        seeds[1] = (int64_t)weir_random_bits();
    }
    return WEIR_OK;
}

/* A handle without a seed generator (DummySeedGenerator's) requests a new one. */
weir_status weir_seeder_of(weir_call *call, const int64_t seeds[2], bool fresh, weir_seeder **out)
{
    weir_range range = weir_data_range(call, "seed_generator");
    weir_handle *handle = range.count ? weir_tensor_handle(weir_in(call, range.start)) : NULL;
    weir_resource *found;
    if (handle && handle->object) {
        WEIR_TRY(weir_named_input(call, range.start, &seeder_type, &found));
        *out = (weir_seeder *)found;
        return WEIR_OK;
    }
    *out = weir_seeder_create(seeds, fresh);
    (*out)->own = true;
    return WEIR_OK;
}

/* ---- ops ------------------------------------------------------------------------------------- */

static weir_status make_seeder(weir_call *call)
{
    int64_t seeds[2];
    bool fresh = true;
    WEIR_TRY(weir_data_seeds(call, seeds));
    WEIR_TRY(weir_data_bool(call, "reshuffle", &fresh));
    weir_data_anonymous(call, &weir_seeder_create(seeds, fresh)->base);
    return WEIR_OK;
}

#define SEEDER                                                                                     \
    .out = "handle: resource; deleter: variant", .flags = WEIR_STATEFUL,                           \
    .infer = weir_infer_scalar, .no_grad = true,                                                   \
    .kernels = {{WEIR_CPU, "*", make_seeder, WEIR_OWN_OUTPUTS | WEIR_CHEAP}}

WEIR_DEFINE_OP(anonymous_seed_generator, "AnonymousSeedGenerator", SEEDER,
               .in = "seed: int64; seed2: int64; reshuffle: bool");
WEIR_DEFINE_OP(anonymous_random_seed_generator, "AnonymousRandomSeedGenerator", SEEDER,
               .in = "seed: int64; seed2: int64");

/* An empty handle: the dataset that gets it keeps its own state. */
static weir_status make_dummy(weir_call *call)
{
    weir_handle *handle =
        weir_handle_create(weir_call_device(call), weir_resources_default(call->run->resources),
                           call->site->def->name, "weir::Dummy");
    weir_call_set(call, 0, weir_tensor_from_handle(handle));
    if (call->site->out_count > 1)
        weir_optional_output(call, 1, NULL, 0);
    return WEIR_OK;
}

#define DUMMY                                                                                      \
    .flags = WEIR_STATEFUL, .infer = weir_infer_scalar, .no_grad = true,                           \
    .kernels = {{WEIR_CPU, "*", make_dummy, WEIR_OWN_OUTPUTS | WEIR_CHEAP}}

WEIR_DEFINE_OP(dummy_seed_generator, "DummySeedGenerator", DUMMY, .out = "handle: resource");
WEIR_DEFINE_OP(dummy_memory_cache, "DummyMemoryCache", DUMMY, .out = "handle: resource");
WEIR_DEFINE_OP(anonymous_memory_cache, "AnonymousMemoryCache", DUMMY,
               .out = "handle: resource; deleter: variant");
