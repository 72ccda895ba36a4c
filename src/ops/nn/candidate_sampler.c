/* ops/nn/candidate_sampler.c - the candidate samplers: classes drawn for sampled losses.
 *
 * A sampler's stream and learnt counts persist across steps: they are a resource of the session,
 * named after the node.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/mutex.h"
#include "io/file.h"
#include "ops/declare.h"
#include "ops/nn/sampler.h"
#include "ops/random/generator.h"

typedef struct source {
    weir_resource resource;
    weir_mutex lock;
    weir_philox next WEIR_GUARDED_BY(lock);
    weir_candidate_sampler sampler; /* its range is constant, the rest is guarded by the lock */
} source;

static const weir_resource_type source_type = {"weir.candidate_sampler", "candidate sampler"};

static const weir_attr *find(const weir_site *site, const char *name)
{
    int at = weir_opdef_attr(site->def, name);
    return at < 0 ? NULL : &site->attrs[at];
}

static int64_t int_of(const weir_site *site, const char *name)
{
    return find(site, name)->i;
}

/* ---- the weights of FixedUnigramCandidateSampler --------------------------------------------- */

typedef WEIR_VEC(float) floats;

typedef struct unigrams {
    int64_t shards, shard;
    float distortion;
    int64_t next; /* index of the next class, over all shards */
    floats weights;
} unigrams;

static void add_class(unigrams *unigrams, float weight)
{
    if (unigrams->next++ % unigrams->shards == unigrams->shard)
        weir_vec_push(&unigrams->weights, weight);
}

enum { VOCABULARY_MOST = 1 << 30 };

/* Lines of comma-separated columns, the last of which is the weight. */
static weir_status add_file(unigrams *unigrams, weir_str path)
{
    WEIR_BUF(bytes);
    WEIR_FREED char *name = weir_strndup(path.at, path.length);
    weir_status status = weir_file_read_all(name, VOCABULARY_MOST, &bytes);
    char *line = bytes.at, *end = bytes.at + bytes.length;
    while (!status && line < end) {
        char *stop = memchr(line, '\n', (size_t)(end - line));
        if (!stop)
            stop = end;
        char *last = line, *after;
        for (char *cursor = line; cursor < stop; cursor++)
            if (*cursor == ',')
                last = cursor + 1;
        float weight = strtof(last, &after);
        if (stop > line && after == last)
            status = weir_error(WEIR_INVALID_ARGUMENT, "Wrong vocabulary format at line: %.*s",
                                (int)(stop - line), line);
        else if (stop > line)
            add_class(unigrams, powf(weight, unigrams->distortion));
        line = stop + 1;
    }
    return status;
}

static weir_status read_weights(const weir_site *site, unigrams *unigrams)
{
    const weir_attr *file = find(site, "vocab_file"), *list = find(site, "unigrams");
    if ((file->s.length > 0) == (list->count > 0))
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Must provide either vocab_file or unigrams, and not both");
    if (unigrams->shard >= unigrams->shards)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "shard %" PRId64 " must be below num_shards %" PRId64, unigrams->shard,
                          unigrams->shards);
    for (int64_t i = int_of(site, "num_reserved_ids"); i > 0; i--)
        add_class(unigrams, 0);
    for (int i = 0; i < list->count; i++)
        add_class(unigrams, powf(list->fs[i], unigrams->distortion));
    return file->s.length > 0 ? add_file(unigrams, file->s) : WEIR_OK;
}

static weir_status fixed_weights(const weir_site *site, int64_t range, float **out_weights)
{
    unigrams unigrams = {.shards = int_of(site, "num_shards"),
                         .shard = int_of(site, "shard"),
                         .distortion = find(site, "distortion")->f};
    weir_status status = read_weights(site, &unigrams);
    if (!status && (int64_t)unigrams.weights.count != range)
        status = weir_error(WEIR_INVALID_ARGUMENT,
                            "range_max is %" PRId64 ", but there are weights for %zu classes",
                            range, unigrams.weights.count);
    if (status)
        weir_vec_fini(&unigrams.weights);
    else
        *out_weights = unigrams.weights.at;
    return status;
}

/* ---- the source ------------------------------------------------------------------------------ */

static void source_destroy(weir_ref *ref)
{
    source *self = (source *)ref;
    weir_candidate_sampler_fini(&self->sampler);
    weir_mutex_fini(&self->lock);
    weir_free(self);
}

static weir_status source_create(void *arg, weir_resource **out)
{
    const weir_site *site = arg;
    weir_sampler_kind kind = (weir_sampler_kind)weir_site_mode(site);
    int64_t range = int_of(site, kind == WEIR_SAMPLER_ALL ? "num_sampled" : "range_max");
    uint64_t seed = (uint64_t)int_of(site, "seed"), seed2 = (uint64_t)int_of(site, "seed2");
    float *weights = NULL;
    if (kind >= WEIR_SAMPLER_UNIGRAM && range >= INT32_MAX)
        return weir_error(WEIR_INVALID_ARGUMENT, "range_max %" PRId64 " is too large", range);
    if (kind == WEIR_SAMPLER_FIXED)
        WEIR_TRY(fixed_weights(site, range, &weights));
    if (!seed && !seed2) {
        seed = weir_random_bits();
        seed2 = weir_random_bits();
    }
    weir_candidate_sampler sampler;
    WEIR_TRY(weir_candidate_sampler_init(&sampler, kind, range, weights));
    source *new_source = WEIR_NEW(source);
    new_source->sampler = sampler;
    weir_ref_init(&new_source->resource.ref, source_destroy);
    new_source->resource.type = &source_type;
    weir_mutex_init(&new_source->lock);
    new_source->next = weir_philox_seeded(seed, seed2);
    *out = &new_source->resource;
    return WEIR_OK;
}

static weir_status prepare(weir_prepare *preparation)
{
    weir_resource *resource;
    static const char container[] = "candidate_samplers"; /* among the session's own resources */
    if (preparation->own)
        WEIR_TRY(weir_resources_find_or_create(
            preparation->own, weir_str_of(container), weir_str_of(preparation->site->name),
            &source_type, source_create, (void *)preparation->site, &resource));
    else
        WEIR_TRY(source_create((void *)preparation->site, &resource));
    preparation->state = resource;
    return WEIR_OK;
}

static void cleanup(void *state)
{
    weir_ref_release(state);
}

/* ---- the op ---------------------------------------------------------------------------------- */

static weir_status infer(weir_infer *infer)
{
    int64_t num_true = int_of(infer->site, "num_true"),
            num_sampled = int_of(infer->site, "num_sampled");
    WEIR_TRY(weir_infer_rank(infer, 0, 2));
    int64_t cols = weir_infer_dim(infer, 0, 1);
    if (cols >= 0 && cols != num_true)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "true_classes must have num_true columns, expected: %" PRId64
                          " was: %" PRId64,
                          num_true, cols);
    infer->out[0] = weir_shape_vector(num_sampled);
    infer->out[1] = weir_shape_matrix(weir_infer_dim(infer, 0, 0), num_true);
    infer->out[2] = weir_shape_vector(num_sampled);
    return WEIR_OK;
}

/* Random numbers reserved per candidate: sufficient even if many draws are rejected. */
enum { BLOCKS_PER_SAMPLE = 2048 / 4 };

static weir_status check_truth(const weir_tensor *truth, int64_t range)
{
    const int64_t *k = truth->data;
    for (int64_t i = 0; i < weir_tensor_count(truth); i++)
        if (k[i] < 0 || k[i] >= range)
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "`true_candidate` out of range [0, %" PRId64 "), received %" PRId64,
                              range, k[i]);
    return WEIR_OK;
}

static weir_status sample(weir_call *call)
{
    source *source = call->state;
    const weir_tensor *truth = weir_in(call, 0);
    weir_sample what = {
        .unique = find(call->site, "unique")->b,
        .count = int_of(call->site, "num_sampled"),
        .drawn = weir_out(call, 0)->data,
        .true_expected = weir_out(call, 1)->data,
        .drawn_expected = weir_out(call, 2)->data,
        .true_count = weir_tensor_count(truth),
        .truth = truth->data,
    };
    if (what.unique && what.count > source->sampler.range)
        return weir_error(WEIR_INVALID_ARGUMENT, "Sampler's range is too small.");
    WEIR_TRY(check_truth(truth, source->sampler.range));
    weir_mutex_lock(&source->lock);
    weir_philox gen = source->next;
    weir_philox_skip(&source->next, BLOCKS_PER_SAMPLE * (uint64_t)what.count);
    weir_candidate_sampler_draw(&source->sampler, gen, &what);
    weir_candidate_sampler_learn(&source->sampler, what.truth, what.true_count);
    weir_mutex_unlock(&source->lock);
    return WEIR_OK;
}

#define COUNTS "num_true: int >= 1; num_sampled: int >= 1; unique: bool; "
#define RANGE "range_max: int >= 1; "
#define SEEDS "seed: int = 0; seed2: int = 0"

#define SAMPLER                                                                                    \
    .in = "true_classes: int64",                                                                   \
    .out = "sampled_candidates: int64; true_expected_count: float; sampled_expected_count: float", \
    .flags = WEIR_STATEFUL, .infer = infer, .no_grad = true,                                       \
    .kernels = {{.devices = WEIR_CPU, .run = sample, .prepare = prepare, .cleanup = cleanup}}
WEIR_DEFINE_OP(all_candidate_sampler, "AllCandidateSampler", SAMPLER, .attrs = COUNTS SEEDS,
               .mode = WEIR_SAMPLER_ALL);
WEIR_DEFINE_OP(uniform_candidate_sampler, "UniformCandidateSampler", SAMPLER,
               .attrs = COUNTS RANGE SEEDS, .mode = WEIR_SAMPLER_UNIFORM);
WEIR_DEFINE_OP(log_uniform_candidate_sampler, "LogUniformCandidateSampler", SAMPLER,
               .attrs = COUNTS RANGE SEEDS, .mode = WEIR_SAMPLER_LOG_UNIFORM);
WEIR_DEFINE_OP(learned_unigram_candidate_sampler, "LearnedUnigramCandidateSampler", SAMPLER,
               .attrs = COUNTS RANGE SEEDS, .mode = WEIR_SAMPLER_UNIGRAM);
WEIR_DEFINE_OP(thread_unsafe_unigram_candidate_sampler, "ThreadUnsafeUnigramCandidateSampler",
               SAMPLER, .attrs = COUNTS RANGE SEEDS, .mode = WEIR_SAMPLER_UNIGRAM);
WEIR_DEFINE_OP(fixed_unigram_candidate_sampler, "FixedUnigramCandidateSampler", SAMPLER,
               .attrs = COUNTS RANGE "vocab_file: string = \"\"; distortion: float = 1.0; "
                                     "num_reserved_ids: int = 0; num_shards: int >= 1 = 1; "
                                     "shard: int >= 0 = 0; unigrams: list(float) = []; " SEEDS,
               .mode = WEIR_SAMPLER_FIXED);
