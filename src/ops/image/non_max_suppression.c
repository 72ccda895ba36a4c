/* ops/image/non_max_suppression.c - NonMaxSuppression, V2 to V5 and WithOverlaps: selects the best
 * boxes with limited overlap. */
#include <math.h>
#include <stdlib.h>

#include "base/stop.h"
#include "ops/common/number_at.h"
#include "ops/declare.h"
#include "ops/image/image_impl.h"

typedef struct candidate {
    int32_t box;
    float score;
    int64_t checked; /* number of picks it was compared with */
} candidate;

typedef struct picks {
    int64_t boxes; /* number of boxes */
    int64_t most;  /* maximum number of picks */
    const weir_tensor *box, *scores;
    const weir_tensor *overlaps; /* instead of boxes: pairwise overlaps */
    float overlap_threshold, score_threshold, sigma;
    candidate *heap;
    int64_t heap_count;
    int32_t *picked;
    float *picked_scores;
    int64_t count;
} picks;

/* ---- a heap of candidates: highest score first, of equals the lower box ---------------------- */

static bool before(const candidate *a, const candidate *b)
{
    return a->score > b->score || (a->score == b->score && a->box < b->box);
}

static void swap(candidate *a, candidate *b)
{
    candidate candidate = *a;
    *a = *b;
    *b = candidate;
}

static void push(picks *picks, candidate candidate)
{
    int64_t i = picks->heap_count++;
    picks->heap[i] = candidate;
    for (; i && before(&picks->heap[i], &picks->heap[(i - 1) / 2]); i = (i - 1) / 2)
        swap(&picks->heap[i], &picks->heap[(i - 1) / 2]);
}

static candidate pop(picks *picks)
{
    candidate top = picks->heap[0];
    picks->heap[0] = picks->heap[--picks->heap_count];
    for (int64_t i = 0;;) {
        int64_t best = i;
        for (int64_t child = 2 * i + 1; child <= 2 * i + 2; child++)
            if (child < picks->heap_count && before(&picks->heap[child], &picks->heap[best]))
                best = child;
        if (best == i)
            return top;
        swap(&picks->heap[i], &picks->heap[best]);
        i = best;
    }
}

/* ---- overlap --------------------------------------------------------------------------------- */

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

static float similarity(const picks *picks, int64_t i, int64_t j)
{
    return picks->overlaps ? ((const float *)picks->overlaps->data)[i * picks->boxes + j]
                           : overlap_of(picks->box, i, j);
}

/* ---- choosing -------------------------------------------------------------------------------- */

/* Lowers the score of |candidate| by its overlap with picks not compared with yet. False if it is
 * suppressed. */
static bool survives(const picks *picks, candidate *candidate)
{
    float scale = picks->sigma > 0 ? -0.5f / picks->sigma : 0;
    for (int64_t j = picks->count - 1; j >= candidate->checked; j--) {
        float s = similarity(picks, candidate->box, picks->picked[j]);
        if (picks->sigma <= 0 && s > picks->overlap_threshold)
            return false;
        candidate->score *= expf(scale * s * s);
        if (candidate->score <= picks->score_threshold)
            return false;
    }
    candidate->checked = picks->count;
    return true;
}

static void choose(picks *picks)
{
    for (int64_t i = 0; i < picks->boxes; i++) {
        float score = (float)weir_number_at(picks->scores, i);
        if (score > picks->score_threshold)
            push(picks, (candidate){.box = (int32_t)i, .score = score});
    }
    while (picks->count < picks->most && picks->heap_count && !weir_stopped()) {
        candidate candidate = pop(picks);
        float score = candidate.score;
        if (!survives(picks, &candidate))
            continue;
        if (candidate.score == score) {
            picks->picked[picks->count] = candidate.box;
            picks->picked_scores[picks->count++] = candidate.score;
        } else if (candidate.score < score) {
            push(picks, candidate); /* pushed back with its lower score; a NaN is dropped */
        }
    }
}

/* ---- the ops --------------------------------------------------------------------------------- */

static weir_status read_threshold(weir_call *call, int in, float *out)
{
    if (weir_in(call, in)->shape.rank != 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "threshold must be 0-D, got shape %s",
                          WEIR_SHAPE_STR(&weir_in(call, in)->shape));
    *out = (float)weir_number_at(weir_in(call, in), 0);
    return WEIR_OK;
}

/* The inputs and outputs of an op. */
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

static weir_status read_picks(weir_call *call, const form *form, picks *picks)
{
    const weir_tensor *size = weir_in(call, 2);
    picks->scores = weir_in(call, 1);
    picks->boxes = weir_in(call, 0)->shape.dims[0];
    *(form->overlaps ? &picks->overlaps : &picks->box) = weir_in(call, 0);
    picks->most = *(const int32_t *)size->data;
    picks->score_threshold = -INFINITY;
    if (picks->most < 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "output size must be non-negative");
    if (form->overlap_in)
        WEIR_TRY(read_threshold(call, form->overlap_in, &picks->overlap_threshold));
    else
        picks->overlap_threshold = weir_site_float(call->site, 0);
    if (form->score_in)
        WEIR_TRY(read_threshold(call, form->score_in, &picks->score_threshold));
    if (form->sigma_in)
        WEIR_TRY(read_threshold(call, form->sigma_in, &picks->sigma));
    if (!form->overlaps && !(picks->overlap_threshold >= 0 && picks->overlap_threshold <= 1))
        return weir_error(WEIR_INVALID_ARGUMENT, "iou_threshold must be in [0, 1]");
    if (!(picks->sigma >= 0))
        return weir_error(WEIR_INVALID_ARGUMENT, "soft_nms_sigma_val must be >= 0.0");
    if (picks->boxes > INT32_MAX)
        return weir_error(WEIR_INVALID_ARGUMENT, "too many boxes: %lld", (long long)picks->boxes);
    return WEIR_OK;
}

static void put_score(weir_tensor *out, int64_t i, float value)
{
    if (out->dtype == WEIR_HALF)
        ((uint16_t *)out->data)[i] = weir_f32_f16(value);
    else
        ((float *)out->data)[i] = value;
}

static weir_status write_outputs(weir_call *call, const form *form, const picks *picks)
{
    bool pad = form->pad_attr >= 0 && weir_site_bool(call->site, form->pad_attr);
    weir_shape shape =
        weir_shape_vector(pad ? *(const int32_t *)weir_in(call, 2)->data : picks->count);
    WEIR_TRY(weir_call_alloc(call, 0, &shape));
    if (form->scores_out)
        WEIR_TRY(weir_call_alloc(call, 1, &shape));
    for (int64_t i = 0; i < shape.dims[0]; i++) {
        ((int32_t *)weir_out(call, 0)->data)[i] = i < picks->count ? picks->picked[i] : 0;
        if (form->scores_out)
            put_score(weir_out(call, 1), i, i < picks->count ? picks->picked_scores[i] : 0);
    }
    if (!form->valid_out)
        return WEIR_OK;
    int last = form->scores_out ? 2 : 1;
    WEIR_TRY(weir_call_alloc(call, last, &WEIR_SCALAR));
    *(int32_t *)weir_out(call, last)->data = (int32_t)picks->count;
    return WEIR_OK;
}

static weir_status suppress(weir_call *call)
{
    const form *form = &forms[weir_site_mode(call->site)];
    picks picks = {0};
    WEIR_TRY(read_picks(call, form, &picks));
    picks.most = picks.most < picks.boxes ? picks.most : picks.boxes;
    picks.heap = WEIR_NEW_ARRAY(candidate, picks.boxes);
    picks.picked = WEIR_NEW_ARRAY(int32_t, picks.most);
    picks.picked_scores = WEIR_NEW_ARRAY(float, picks.most);
    choose(&picks);
    weir_status status = write_outputs(call, form, &picks);
    weir_free(picks.heap);
    weir_free(picks.picked);
    weir_free(picks.picked_scores);
    return status;
}

static weir_status infer(weir_infer *infer)
{
    const form *form = &forms[weir_site_mode(infer->site)];
    int64_t count, columns;
    WEIR_TRY(weir_infer_rank(infer, 0, 2));
    WEIR_TRY(weir_infer_rank(infer, 1, 1));
    for (int in = 2; in < infer->in_count; in++)
        WEIR_TRY(weir_infer_rank(infer, in, 0));
    WEIR_TRY(
        weir_infer_merge_dim(weir_infer_dim(infer, 0, 0), weir_infer_dim(infer, 1, 0), &count));
    WEIR_TRY(
        weir_infer_merge_dim(weir_infer_dim(infer, 0, 1), form->overlaps ? count : 4, &columns));
    int64_t size = -1, out = -1;
    if (form->pad_attr >= 0 && weir_site_bool(infer->site, form->pad_attr) &&
        weir_infer_value_int(infer, 2, &size))
        out = size < 0 ? -1 : size;
    infer->out[0] = weir_shape_vector(out);
    if (form->scores_out)
        infer->out[1] = weir_shape_vector(out);
    if (form->valid_out)
        infer->out[form->scores_out ? 2 : 1] = WEIR_SCALAR;
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
               .out = "selected_indices: int32", .attrs = TWO_TYPES,
               .host = "iou_threshold; max_output_size");
WEIR_DEFINE_OP(non_max_suppression_v3, "NonMaxSuppressionV3", SUPPRESSION, .mode = V3,
               .in = "boxes: T; scores: T; max_output_size: int32; iou_threshold: T_threshold; "
                     "score_threshold: T_threshold",
               .out = "selected_indices: int32", .attrs = TWO_TYPES,
               .host = "iou_threshold; max_output_size; score_threshold");
WEIR_DEFINE_OP(non_max_suppression_v4, "NonMaxSuppressionV4", SUPPRESSION, .mode = V4,
               .in = "boxes: T; scores: T; max_output_size: int32; iou_threshold: T_threshold; "
                     "score_threshold: T_threshold",
               .out = "selected_indices: int32; valid_outputs: int32",
               .attrs = TWO_TYPES "; pad_to_max_output_size: bool = false",
               .host = "iou_threshold; max_output_size; score_threshold");
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
