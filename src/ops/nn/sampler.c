/* ops/nn/sampler.c - drawing candidates. */
#include "ops/nn/sampler.h"

#include <math.h>
#include <string.h>

/* ---- trees of counts ---------------------------------------------------------------------------
 */

static void tree_init(weir_candidate_sampler *s)
{
    s->leaves = 1;
    while (s->leaves < s->range)
        s->leaves *= 2;
    s->tree = WEIR_NEW_ARRAY(int32_t, 2 * s->leaves);
    for (int64_t i = 0; i < s->range; i++)
        s->tree[s->leaves + i] = 1;
    for (int64_t i = s->leaves - 1; i > 0; i--)
        s->tree[i] = s->tree[2 * i] + s->tree[2 * i + 1];
}

static int64_t tree_pick(const weir_candidate_sampler *s, int32_t at)
{
    int64_t node = 1;
    while (node < s->leaves) {
        node *= 2;
        if (at >= s->tree[node]) {
            at -= s->tree[node];
            node++;
        }
    }
    return node - s->leaves;
}

void weir_candidate_sampler_learn(weir_candidate_sampler *s, const int64_t *classes, int64_t count)
{
    for (int64_t i = 0; s->kind == WEIR_SAMPLER_UNIGRAM && i < count; i++) {
        if (classes[i] < 0 || classes[i] >= s->range || s->tree[1] == INT32_MAX)
            continue;
        for (int64_t node = s->leaves + classes[i]; node > 0; node /= 2)
            s->tree[node]++;
    }
}

/* ---- alias tables ------------------------------------------------------------------------------
 */

/* Buckets of equal size: bucket i keeps share keep[i] for class i and gives the rest to alt[i].
 * The order in which heavy and light classes are paired decides what is drawn, so it is part of the
 * contract: both stacks are taken from the top. */
static void alias_init(weir_candidate_sampler *s)
{
    int64_t n = s->range, lows = 0, highs = 0;
    double sum = 0, *share = WEIR_NEW_ARRAY(double, n);
    int32_t *low = WEIR_NEW_ARRAY(int32_t, n), *high = WEIR_NEW_ARRAY(int32_t, n);
    s->keep = WEIR_NEW_ARRAY(float, n);
    s->alt = WEIR_NEW_ARRAY(int32_t, n);
    for (int64_t i = 0; i < n; i++)
        sum += s->weights[i];
    s->total_weight = (float)sum;
    for (int64_t i = 0; i < n; i++) {
        share[i] = (double)(s->weights[i] * (float)n) / sum;
        s->alt[i] = (int32_t)i;
        if (share[i] < 1)
            low[lows++] = (int32_t)i;
        else
            high[highs++] = (int32_t)i;
    }
    while (lows && highs) {
        int32_t l = low[--lows], h = high[--highs];
        s->alt[l] = h;
        share[h] -= 1 - share[l];
        if (share[h] < 1)
            low[lows++] = h;
        else
            high[highs++] = h;
    }
    for (int64_t i = 0; i < n; i++)
        s->keep[i] = (float)share[i];
    while (highs) /* what rounding left over */
        s->keep[high[--highs]] = 1;
    while (lows)
        s->keep[low[--lows]] = 1;
    weir_free(share);
    weir_free(low);
    weir_free(high);
}

static int64_t alias_pick(const weir_candidate_sampler *s, weir_philox_single *r)
{
    float x = weir_philox_f32(r);
    uint32_t bucket = weir_philox_below_u32(r, (uint32_t)s->range);
    return x < s->keep[bucket] ? (int64_t)bucket : s->alt[bucket];
}

/* ---- the sampler -------------------------------------------------------------------------------
 */

void weir_candidate_sampler_init(weir_candidate_sampler *s, weir_sampler_kind kind, int64_t range,
                                 float *weights)
{
    *s = (weir_candidate_sampler){
        .kind = kind, .range = range, .log_range = log1p((double)range), .weights = weights};
    if (kind == WEIR_SAMPLER_UNIGRAM)
        tree_init(s);
    if (kind == WEIR_SAMPLER_FIXED)
        alias_init(s);
}

void weir_candidate_sampler_fini(weir_candidate_sampler *s)
{
    weir_free(s->tree);
    weir_free(s->weights);
    weir_free(s->keep);
    weir_free(s->alt);
}

static int64_t draw(const weir_candidate_sampler *s, weir_philox_single *r)
{
    switch (s->kind) {
    case WEIR_SAMPLER_UNIFORM:
        return (int64_t)weir_philox_below_u64(r, (uint64_t)s->range);
    case WEIR_SAMPLER_LOG_UNIFORM:
        return ((int64_t)exp(weir_philox_f64(r) * s->log_range) - 1) % s->range;
    case WEIR_SAMPLER_UNIGRAM:
        return tree_pick(s, (int32_t)weir_philox_below_u32(r, (uint32_t)s->tree[1]));
    default:
        return alias_pick(s, r);
    }
}

static float probability(const weir_candidate_sampler *s, int64_t k)
{
    switch (s->kind) {
    case WEIR_SAMPLER_UNIFORM:
        return (float)(1.0 / (double)s->range);
    case WEIR_SAMPLER_LOG_UNIFORM:
        return (float)(log(((double)k + 2) / ((double)k + 1)) / s->log_range);
    case WEIR_SAMPLER_UNIGRAM:
        return k < 0 || k >= s->range ? 0 : (float)s->tree[s->leaves + k] / (float)s->tree[1];
    default:
        return k < 0 || k >= s->range ? 0 : s->weights[k] / s->total_weight;
    }
}

static float expected(const weir_candidate_sampler *s, int64_t k, int64_t count, int64_t tries)
{
    if (s->kind == WEIR_SAMPLER_ALL)
        return 1;
    float p = probability(s, k);
    return tries == count ? p * (float)count : -expm1f((float)tries * log1pf(-p));
}

/* A set of numbers that is never emptied: open addressing, -1 is free. */
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

/* Draws until |count| different classes were met; gives the number of draws. */
static int64_t draw_unique(const weir_candidate_sampler *s, weir_philox_single *r,
                           weir_sample *what)
{
    seen set = {.mask = 15};
    while (set.mask < 2 * (uint64_t)what->count)
        set.mask = 2 * set.mask + 1;
    set.slots = weir_alloc(sizeof(int64_t) * (set.mask + 1));
    memset(set.slots, -1, sizeof(int64_t) * (set.mask + 1));
    int64_t tries = 0;
    for (int64_t picked = 0; picked < what->count && tries < INT32_MAX; tries++) {
        int64_t k = draw(s, r);
        if (seen_add(&set, k))
            what->drawn[picked++] = k;
    }
    weir_free(set.slots);
    return tries;
}

void weir_candidate_sampler_draw(const weir_candidate_sampler *s, weir_philox gen,
                                 weir_sample *what)
{
    weir_philox_single r = weir_philox_singles(&gen);
    int64_t tries = what->count;
    memset(what->drawn, 0, sizeof(int64_t) * (size_t)what->count);
    if (s->kind == WEIR_SAMPLER_ALL)
        for (int64_t i = 0; i < what->count; i++)
            what->drawn[i] = i;
    else if (what->unique)
        tries = draw_unique(s, &r, what);
    else
        for (int64_t i = 0; i < what->count; i++)
            what->drawn[i] = draw(s, &r);
    for (int64_t i = 0; i < what->count; i++)
        what->drawn_expected[i] = expected(s, what->drawn[i], what->count, tries);
    for (int64_t i = 0; i < what->true_count; i++)
        what->true_expected[i] = expected(s, what->truth[i], what->count, tries);
}
