/* ops/image/non_max_suppression.c - NonMaxSuppression, V2 to V5 and WithOverlaps: the best boxes
 * that do not overlap better ones too much. */
#include <math.h>
#include <stdlib.h>

#include "ops/common/number_at.h"
#include "ops/declare.h"
#include "ops/image/image_impl.h"

typedef struct candidate {
    int32_t box;
    float score;
    int64_t checked; /* picks it has been compared with */
} candidate;

typedef struct picks {
    int64_t boxes; /* how many there are */
    int64_t most;  /* picks wanted */
    const weir_tensor *box, *scores;
    const weir_tensor *overlaps; /* instead of boxes: how much any two overlap */
    float overlap_threshold, score_threshold, sigma;
    candidate *heap;
    int64_t heap_count;
    int32_t *picked;
    float *picked_scores;
    int64_t count;
} picks;

/* ---- a heap of candidates: highest score first, of equals the lower box ---- */

static bool before(const candidate *a, const candidate *b)
{
    return a->score > b->score || (a->score == b->score && a->box < b->box);
}

static void swap(candidate *a, candidate *b)
{
    candidate t = *a;
    *a = *b;
    *b = t;
}

static void push(picks *p, candidate c)
{
    int64_t i = p->heap_count++;
    p->heap[i] = c;
    for (; i && before(&p->heap[i], &p->heap[(i - 1) / 2]); i = (i - 1) / 2)
        swap(&p->heap[i], &p->heap[(i - 1) / 2]);
}

static candidate pop(picks *p)
{
    candidate top = p->heap[0];
    p->heap[0] = p->heap[--p->heap_count];
    for (int64_t i = 0;;) {
        int64_t best = i;
        for (int64_t child = 2 * i + 1; child <= 2 * i + 2; child++)
            if (child < p->heap_count && before(&p->heap[child], &p->heap[best]))
                best = child;
        if (best == i)
            return top;
        swap(&p->heap[i], &p->heap[best]);
        i = best;
    }
}

/* ---- overlap ---- */

float weir_box_overlap(const float a[4], const float b[4])
{
    float ay0 = fminf(a[0], a[2]), ax0 = fminf(a[1], a[3]);
    float ay1 = fmaxf(a[0], a[2]), ax1 = fmaxf(a[1], a[3]);
    float by0 = fminf(b[0], b[2]), bx0 = fminf(b[1], b[3]);
    float by1 = fmaxf(b[0], b[2]), bx1 = fmaxf(b[1], b[3]);
    float area_a = (ay1 - ay0) * (ax1 - ax0), area_b = (by1 - by0) * (bx1 - bx0);
    if (area_a <= 0 || area_b <= 0)
        return 0;
    float h = fmaxf(fminf(ay1, by1) - fmaxf(ay0, by0), 0);
    float w = fmaxf(fminf(ax1, bx1) - fmaxf(ax0, bx0), 0);
    return h * w / (area_a + area_b - h * w);
}

static float overlap_of(const weir_tensor *boxes, int64_t i, int64_t j)
{
    float a[4], b[4];
    for (int k = 0; k < 4; k++) {
        a[k] = (float)weir_number_at(boxes, 4 * i + k);
        b[k] = (float)weir_number_at(boxes, 4 * j + k);
    }
    return weir_box_overlap(a, b);
}

static float similarity(const picks *p, int64_t i, int64_t j)
{
    return p->overlaps ? ((const float *)p->overlaps->data)[i * p->boxes + j]
                       : overlap_of(p->box, i, j);
}

/* ---- choosing ---- */

/* Lowers the score of |c| by its overlap with picks it was not compared with yet. False when it
 * is out for good. */
static bool survives(const picks *p, candidate *c)
{
    float scale = p->sigma > 0 ? -0.5f / p->sigma : 0;
    for (int64_t j = p->count - 1; j >= c->checked; j--) {
        float s = similarity(p, c->box, p->picked[j]);
        if (p->sigma <= 0 && s > p->overlap_threshold)
            return false;
        c->score *= expf(scale * s * s);
        if (c->score <= p->score_threshold)
            return false;
    }
    c->checked = p->count;
    return true;
}

static void choose(picks *p)
{
    for (int64_t i = 0; i < p->boxes; i++) {
        float score = (float)weir_number_at(p->scores, i);
        if (score > p->score_threshold)
            push(p, (candidate){.box = (int32_t)i, .score = score});
    }
    while (p->count < p->most && p->heap_count) {
        candidate c = pop(p);
        float score = c.score;
        if (!survives(p, &c))
            continue;
        if (c.score != score) {
            push(p, c); /* its turn comes again among the lower scores */
            continue;
        }
        p->picked[p->count] = c.box;
        p->picked_scores[p->count++] = c.score;
    }
}

/* ---- the ops ---- */

static weir_status read_threshold(weir_call *c, int in, float *out)
{
    if (weir_in(c, in)->shape.rank != 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "threshold must be 0-D, got shape %s",
                          WEIR_SHAPE_STR(&weir_in(c, in)->shape));
    *out = (float)weir_number_at(weir_in(c, in), 0);
    return WEIR_OK;
}

/* Which inputs an op has, and what it returns. */
typedef struct form {
    int overlap_in, score_in, sigma_in; /* 0: not an input */
    bool overlaps, scores_out, valid_out;
    int pad_attr; /* -1: none */
} form;

enum { V1, V2, V3, V4, V5, OVERLAPS }; /* modes */
static const form forms[] = {
    [V1] = {.pad_attr = -1},
    [V2] = {.overlap_in = 3, .pad_attr = -1},
    [V3] = {.overlap_in = 3, .score_in = 4, .pad_attr = -1},
    [V4] = {.overlap_in = 3, .score_in = 4, .valid_out = true, .pad_attr = 2},
    [V5] = {.overlap_in = 3,
            .score_in = 4,
            .sigma_in = 5,
            .scores_out = true,
            .valid_out = true,
            .pad_attr = 1},
    [OVERLAPS] = {.overlap_in = 3, .score_in = 4, .overlaps = true, .pad_attr = -1},
};

static weir_status read_picks(weir_call *c, const form *f, picks *p)
{
    const weir_tensor *size = weir_in(c, 2);
    p->scores = weir_in(c, 1);
    p->boxes = weir_in(c, 0)->shape.dims[0];
    *(f->overlaps ? &p->overlaps : &p->box) = weir_in(c, 0);
    p->most = *(const int32_t *)size->data;
    p->score_threshold = -INFINITY;
    if (p->most < 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "output size must be non-negative");
    if (f->overlap_in)
        WEIR_TRY(read_threshold(c, f->overlap_in, &p->overlap_threshold));
    else
        p->overlap_threshold = weir_site_float(c->site, 0);
    if (f->score_in)
        WEIR_TRY(read_threshold(c, f->score_in, &p->score_threshold));
    if (f->sigma_in)
        WEIR_TRY(read_threshold(c, f->sigma_in, &p->sigma));
    if (!f->overlaps && !(p->overlap_threshold >= 0 && p->overlap_threshold <= 1))
        return weir_error(WEIR_INVALID_ARGUMENT, "iou_threshold must be in [0, 1]");
    if (!(p->sigma >= 0))
        return weir_error(WEIR_INVALID_ARGUMENT, "soft_nms_sigma_val must be >= 0.0");
    if (p->boxes > INT32_MAX)
        return weir_error(WEIR_INVALID_ARGUMENT, "too many boxes: %lld", (long long)p->boxes);
    return WEIR_OK;
}

static void put_score(weir_tensor *out, int64_t i, float v)
{
    if (out->dtype == WEIR_HALF)
        ((uint16_t *)out->data)[i] = weir_float_to_half(v);
    else
        ((float *)out->data)[i] = v;
}

static weir_status give(weir_call *c, const form *f, const picks *p)
{
    bool pad = f->pad_attr >= 0 && weir_site_bool(c->site, f->pad_attr);
    weir_shape shape = weir_shape_vector(pad ? *(const int32_t *)weir_in(c, 2)->data : p->count);
    WEIR_TRY(weir_call_alloc(c, 0, &shape));
    if (f->scores_out)
        WEIR_TRY(weir_call_alloc(c, 1, &shape));
    for (int64_t i = 0; i < shape.dims[0]; i++) {
        ((int32_t *)weir_out(c, 0)->data)[i] = i < p->count ? p->picked[i] : 0;
        if (f->scores_out)
            put_score(weir_out(c, 1), i, i < p->count ? p->picked_scores[i] : 0);
    }
    if (!f->valid_out)
        return WEIR_OK;
    int last = f->scores_out ? 2 : 1;
    WEIR_TRY(weir_call_alloc(c, last, &WEIR_SCALAR));
    *(int32_t *)weir_out(c, last)->data = (int32_t)p->count;
    return WEIR_OK;
}

static weir_status suppress(weir_call *c)
{
    const form *f = &forms[weir_site_mode(c->site)];
    picks p = {0};
    WEIR_TRY(read_picks(c, f, &p));
    p.most = p.most < p.boxes ? p.most : p.boxes;
    p.heap = WEIR_NEW_ARRAY(candidate, p.boxes);
    p.picked = WEIR_NEW_ARRAY(int32_t, p.most);
    p.picked_scores = WEIR_NEW_ARRAY(float, p.most);
    choose(&p);
    weir_status status = give(c, f, &p);
    weir_free(p.heap);
    weir_free(p.picked);
    weir_free(p.picked_scores);
    return status;
}

static weir_status infer(weir_infer *i)
{
    const form *f = &forms[weir_site_mode(i->site)];
    int64_t count, columns;
    WEIR_TRY(weir_infer_rank(i, 0, 2));
    WEIR_TRY(weir_infer_rank(i, 1, 1));
    for (int in = 2; in < i->in_count; in++)
        WEIR_TRY(weir_infer_rank(i, in, 0));
    WEIR_TRY(weir_infer_merge_dim(weir_infer_dim(i, 0, 0), weir_infer_dim(i, 1, 0), &count));
    WEIR_TRY(weir_infer_merge_dim(weir_infer_dim(i, 0, 1), f->overlaps ? count : 4, &columns));
    int64_t size = -1, out = -1;
    if (f->pad_attr >= 0 && weir_site_bool(i->site, f->pad_attr) &&
        weir_infer_value_int(i, 2, &size))
        out = size < 0 ? -1 : size;
    i->out[0] = weir_shape_vector(out);
    if (f->scores_out)
        i->out[1] = weir_shape_vector(out);
    if (f->valid_out)
        i->out[f->scores_out ? 2 : 1] = WEIR_SCALAR;
    return WEIR_OK;
}

#define SUPPRESSION                                                                                \
    .infer = infer, .no_grad = true,                                                               \
    .kernels = {{WEIR_CPU, "*", suppress, WEIR_OWN_OUTPUTS | WEIR_EXPENSIVE}}
#define TWO_TYPES "T: {half, float} = DT_FLOAT; T_threshold: {half, float} = DT_FLOAT"
WEIR_DEFINE_OP(non_max_suppression, "NonMaxSuppression", SUPPRESSION, .mode = V1,
               .in = "boxes: float; scores: float; max_output_size: int32",
               .out = "selected_indices: int32", .attrs = "iou_threshold: float = 0.5");
WEIR_DEFINE_OP(non_max_suppression_v2, "NonMaxSuppressionV2", SUPPRESSION, .mode = V2,
               .in = "boxes: T; scores: T; max_output_size: int32; iou_threshold: T_threshold",
               .out = "selected_indices: int32", .attrs = TWO_TYPES);
WEIR_DEFINE_OP(non_max_suppression_v3, "NonMaxSuppressionV3", SUPPRESSION, .mode = V3,
               .in = "boxes: T; scores: T; max_output_size: int32; iou_threshold: T_threshold; "
                     "score_threshold: T_threshold",
               .out = "selected_indices: int32", .attrs = TWO_TYPES);
WEIR_DEFINE_OP(non_max_suppression_v4, "NonMaxSuppressionV4", SUPPRESSION, .mode = V4,
               .in = "boxes: T; scores: T; max_output_size: int32; iou_threshold: T_threshold; "
                     "score_threshold: T_threshold",
               .out = "selected_indices: int32; valid_outputs: int32",
               .attrs = TWO_TYPES "; pad_to_max_output_size: bool = false");
WEIR_DEFINE_OP(non_max_suppression_v5, "NonMaxSuppressionV5", SUPPRESSION, .mode = V5,
               .in = "boxes: T; scores: T; max_output_size: int32; iou_threshold: T; "
                     "score_threshold: T; soft_nms_sigma: T",
               .out = "selected_indices: int32; selected_scores: T; valid_outputs: int32",
               .attrs = "T: {half, float} = DT_FLOAT; pad_to_max_output_size: bool = false");
WEIR_DEFINE_OP(non_max_suppression_with_overlaps, "NonMaxSuppressionWithOverlaps", SUPPRESSION,
               .mode = OVERLAPS,
               .in = "overlaps: float; scores: float; max_output_size: int32; "
                     "overlap_threshold: float; score_threshold: float",
               .out = "selected_indices: int32");
