/* ops/nn/sampler.c - drawing candidates. */
#include "ops/nn/sampler.h"

#include <math.h>
#include <string.h>

#include "base/stop.h"

/* ---- trees of counts ------------------------------------------------------------------------- */

static weir_status tree_init(weir_candidate_sampler *sampler)
{
    sampler->leaves = 1;
    while (sampler->leaves < sampler->range)
        sampler->leaves *= 2;
    size_t bytes = sizeof *sampler->tree * 2 * (size_t)sampler->leaves;
    WEIR_TRY(weir_buffer_alloc(bytes, &sampler->counts));
    sampler->tree = sampler->counts->data;
    memset(sampler->tree, 0, bytes);
    for (int64_t i = 0; i < sampler->range; i++)
        sampler->tree[sampler->leaves + i] = 1;
    for (int64_t i = sampler->leaves - 1; i > 0; i--)
        sampler->tree[i] = sampler->tree[2 * i] + sampler->tree[2 * i + 1];
    return WEIR_OK;
}

static int64_t tree_pick(const weir_candidate_sampler *sampler, int32_t at)
{
    int64_t node = 1;
    while (node < sampler->leaves) {
        node *= 2;
        if (at >= sampler->tree[node]) {
            at -= sampler->tree[node];
            node++;
        }
    }
    return node - sampler->leaves;
}

void weir_candidate_sampler_learn(weir_candidate_sampler *sampler, const int64_t *classes,
                                  int64_t count)
{
    for (int64_t i = 0; sampler->kind == WEIR_SAMPLER_UNIGRAM && i < count; i++) {
        if (classes[i] < 0 || classes[i] >= sampler->range || sampler->tree[1] == INT32_MAX)
            continue;
        for (int64_t node = sampler->leaves + classes[i]; node > 0; node /= 2)
            sampler->tree[node]++;
    }
}

/* ---- alias tables ---------------------------------------------------------------------------- */

/* Walker's alias method: bucket i belongs to class i with share keep[i], otherwise to alt[i]. The
 * pairing order of heavy and light classes determines the samples, so it is part of the contract:
 * both stacks are popped from the top. */
static void alias_init(weir_candidate_sampler *sampler)
{
    int64_t count = sampler->range, lows = 0, highs = 0;
    double sum = 0, *share = WEIR_NEW_ARRAY(double, count);
    int32_t *low = WEIR_NEW_ARRAY(int32_t, count), *high = WEIR_NEW_ARRAY(int32_t, count);
    sampler->keep = WEIR_NEW_ARRAY(float, count);
    sampler->alt = WEIR_NEW_ARRAY(int32_t, count);
    for (int64_t i = 0; i < count; i++)
        sum += sampler->weights[i];
    sampler->total_weight = (float)sum;
    for (int64_t i = 0; i < count; i++) {
        share[i] = (double)(sampler->weights[i] * (float)count) / sum;
        sampler->alt[i] = (int32_t)i;
        if (share[i] < 1)
            low[lows++] = (int32_t)i;
        else
            high[highs++] = (int32_t)i;
    }
    while (lows && highs) {
        int32_t l = low[--lows], h = high[--highs];
        sampler->alt[l] = h;
        share[h] -= 1 - share[l];
        if (share[h] < 1)
            low[lows++] = h;
        else
            high[highs++] = h;
    }
    for (int64_t i = 0; i < count; i++)
        sampler->keep[i] = (float)share[i];
    while (highs) /* left over by rounding */
        sampler->keep[high[--highs]] = 1;
    while (lows)
        sampler->keep[low[--lows]] = 1;
    weir_free(share);
    weir_free(low);
    weir_free(high);
}

static int64_t alias_pick(const weir_candidate_sampler *sampler, weir_philox_single *single)
{
    float x = weir_philox_f32(single);
    uint32_t bucket = weir_philox_below_u32(single, (uint32_t)sampler->range);
    return x < sampler->keep[bucket] ? (int64_t)bucket : sampler->alt[bucket];
}

/* ---- the sampler ----------------------------------------------------------------------------- */

weir_status weir_candidate_sampler_init(weir_candidate_sampler *sampler, weir_sampler_kind kind,
                                        int64_t range, float *weights)
{
    *sampler = (weir_candidate_sampler){
        .kind = kind, .range = range, .log_range = log1p((double)range), .weights = weights};
    if (kind == WEIR_SAMPLER_UNIGRAM)
        return tree_init(sampler);
    if (kind == WEIR_SAMPLER_FIXED)
        alias_init(sampler);
    return WEIR_OK;
}

void weir_candidate_sampler_fini(weir_candidate_sampler *sampler)
{
    weir_buffer_release(sampler->counts);
    weir_free(sampler->weights);
    weir_free(sampler->keep);
    weir_free(sampler->alt);
}

static int64_t draw(const weir_candidate_sampler *sampler, weir_philox_single *single)
{
    switch (sampler->kind) {
    case WEIR_SAMPLER_UNIFORM:
        return (int64_t)weir_philox_below_u64(single, (uint64_t)sampler->range);
    case WEIR_SAMPLER_LOG_UNIFORM:
        return ((int64_t)exp(weir_philox_f64(single) * sampler->log_range) - 1) % sampler->range;
    case WEIR_SAMPLER_UNIGRAM:
        return tree_pick(sampler,
                         (int32_t)weir_philox_below_u32(single, (uint32_t)sampler->tree[1]));
    default:
        return alias_pick(sampler, single);
    }
}

static float probability(const weir_candidate_sampler *sampler, int64_t k)
{
    switch (sampler->kind) {
    case WEIR_SAMPLER_UNIFORM:
        return (float)(1.0 / (double)sampler->range);
    case WEIR_SAMPLER_LOG_UNIFORM:
        return (float)(log(((double)k + 2) / ((double)k + 1)) / sampler->log_range);
    case WEIR_SAMPLER_UNIGRAM:
        return k < 0 || k >= sampler->range
                   ? 0
                   : (float)sampler->tree[sampler->leaves + k] / (float)sampler->tree[1];
    default:
        return k < 0 || k >= sampler->range ? 0 : sampler->weights[k] / sampler->total_weight;
    }
}

static float expected(const weir_candidate_sampler *sampler, int64_t k, int64_t count,
                      int64_t tries)
{
    if (sampler->kind == WEIR_SAMPLER_ALL)
        return 1;
    float p = probability(sampler, k);
    return tries == count ? p * (float)count : -expm1f((float)tries * log1pf(-p));
}

/* A hash set of numbers without removal: open addressing, -1 is empty. */
typedef struct seen {
    int64_t *slots;
    uint64_t mask;
} seen;

static bool seen_add(seen *set, int64_t k)
{
    uint64_t at = (uint64_t)k * 0x9E3779B97F4A7C15ull;
    for (at ^= at >> 32;; at++) {
        int64_t *slot = &set->slots[at & set->mask];
        if (*slot == k)
            return false;
        if (*slot < 0) {
            *slot = k;
            return true;
        }
    }
}

/* Draws until there are |count| different classes, or the step is cancelled; returns the number of
 * draws. */
static int64_t draw_unique(const weir_candidate_sampler *sampler, weir_philox_single *single,
                           weir_sample *what)
{
    seen set = {.mask = 15};
    while (set.mask < 2 * (uint64_t)what->count)
        set.mask = 2 * set.mask + 1;
    set.slots = weir_alloc(sizeof(int64_t) * (set.mask + 1));
    memset(set.slots, -1, sizeof(int64_t) * (set.mask + 1));
    enum { LOOK_EVERY = 1024 };
    int64_t tries = 0;
    for (int64_t picked = 0; picked < what->count && tries < INT32_MAX; tries++) {
        if (tries % LOOK_EVERY == 0 && weir_stopped())
            break;
        int64_t k = draw(sampler, single);
        if (seen_add(&set, k))
            what->drawn[picked++] = k;
    }
    weir_free(set.slots);
    return tries;
}

void weir_candidate_sampler_draw(const weir_candidate_sampler *sampler, weir_philox gen,
                                 weir_sample *what)
{
    weir_philox_single single = weir_philox_singles(&gen);
    int64_t tries = what->count;
    memset(what->drawn, 0, sizeof(int64_t) * (size_t)what->count);
    if (sampler->kind == WEIR_SAMPLER_ALL)
        for (int64_t i = 0; i < what->count; i++)
            what->drawn[i] = i;
    else if (what->unique)
        tries = draw_unique(sampler, &single, what);
    else
        for (int64_t i = 0; i < what->count; i++)
            what->drawn[i] = draw(sampler, &single);
    for (int64_t i = 0; i < what->count; i++)
        what->drawn_expected[i] = expected(sampler, what->drawn[i], what->count, tries);
    for (int64_t i = 0; i < what->true_count; i++)
        what->true_expected[i] = expected(sampler, what->truth[i], what->count, tries);
}
