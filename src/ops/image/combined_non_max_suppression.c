/* ops/image/combined_non_max_suppression.c - CombinedNonMaxSuppression: the best boxes of every
 * class of a picture that do not overlap better ones too much, and of those the best over all. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "ops/common/infer_util.h"
#include "ops/image/image_impl.h"

enum { BOXES, SCORES, PER_CLASS, TOTAL, OVERLAP, THRESHOLD }; /* inputs */
enum { OUT_BOXES, OUT_SCORES, OUT_CLASSES, OUT_VALID };       /* outputs */
enum { PAD_PER_CLASS, CLIP_BOXES };                           /* attrs */

static int64_t rows_wanted(bool pad_per_class, int64_t total, int64_t per_class, int64_t classes)
{
    int64_t all; /* of every class together; too many to count is more than enough */
    if (!pad_per_class || __builtin_mul_overflow(per_class, classes, &all))
        return total;
    return all < total ? all : total;
}

static weir_status check_sizes(weir_infer *i, int64_t per_class, int64_t total)
{
    const weir_tensor *overlap = weir_infer_value(i, OVERLAP);
    if (per_class <= 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "max_size_per_class must be positive");
    if (total <= 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "max_total_size must be > 0");
    float threshold = *(const float *)overlap->data;
    if (!(threshold >= 0 && threshold <= 1))
        return weir_error(WEIR_INVALID_ARGUMENT, "iou_threshold must be in [0, 1]");
    if (i->in[BOXES]->dims[1] > INT32_MAX || i->in[SCORES]->dims[2] > INT32_MAX)
        return weir_error(WEIR_INVALID_ARGUMENT, "too many boxes or classes: %s and %s",
                          WEIR_SHAPE_STR(i->in[BOXES]), WEIR_SHAPE_STR(i->in[SCORES]));
    return WEIR_OK;
}

static weir_status infer(weir_infer *i)
{
    static const int ranks[] = {4, 3, 0, 0, 0, 0};
    int64_t batch, anchors, four, per_class = -1, total = -1;
    for (int k = 0; k < 6; k++)
        WEIR_TRY(weir_infer_rank(i, k, ranks[k]));
    WEIR_TRY(
        weir_infer_merge_dim(weir_infer_dim(i, BOXES, 0), weir_infer_dim(i, SCORES, 0), &batch));
    WEIR_TRY(
        weir_infer_merge_dim(weir_infer_dim(i, BOXES, 1), weir_infer_dim(i, SCORES, 1), &anchors));
    WEIR_TRY(weir_infer_merge_dim(weir_infer_dim(i, BOXES, 3), 4, &four));
    int64_t kinds = weir_infer_dim(i, BOXES, 2), classes = weir_infer_dim(i, SCORES, 2);
    if (kinds >= 0 && classes >= 0 && kinds != 1 && kinds != classes)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "third dimension of boxes must be either 1 or equal to the third "
                          "dimension of scores");
    bool have_class = weir_infer_value_int(i, PER_CLASS, &per_class);
    bool have_total = weir_infer_value_int(i, TOTAL, &total);
    bool pad = weir_site_bool(i->site, PAD_PER_CLASS);
    if (weir_infer_running(i))
        WEIR_TRY(check_sizes(i, per_class, total));
    if (have_total && total <= 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "max_total_size should be > 0 ");
    if (pad && have_class && per_class <= 0)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "max_output_size_per_class must be > 0 if pad_per_class is set to true ");
    int64_t rows = -1;
    if (have_total && (!pad || (have_class && classes >= 0)))
        rows = rows_wanted(pad, total, per_class, classes);
    i->out[OUT_BOXES] = (weir_shape){3, {batch, rows, 4}};
    i->out[OUT_SCORES] = i->out[OUT_CLASSES] = weir_shape_matrix(batch, rows);
    i->out[OUT_VALID] = weir_shape_vector(batch);
    return WEIR_OK;
}

typedef struct found {
    int32_t box, class;
    float score;
} found;

/* Best first; of equals the lower class and box. */
static int by_score(const void *a, const void *b)
{
    const found *x = a, *y = b;
    if (x->score != y->score)
        return x->score > y->score ? -1 : 1;
    if (x->class != y->class)
        return x->class < y->class ? -1 : 1;
    return x->box < y->box ? -1 : x->box > y->box;
}

typedef struct job {
    weir_call *call;
    int64_t anchors, kinds, classes, per_class, rows;
    float overlap, threshold;
    bool clip;
} job;

static const float *box_at(const job *j, int64_t picture, const found *f)
{
    const float *boxes = weir_in(j->call, BOXES)->data;
    int64_t kind = j->kinds > 1 ? f->class : 0;
    return boxes + ((picture * j->anchors + f->box) * j->kinds + kind) * 4;
}

/* Leaves the picks of a class at |out|, best first; |room| holds every anchor. */
static int64_t pick_class(const job *j, int64_t picture, int32_t class, found *room, found *out)
{
    const float *scores =
        (const float *)weir_in(j->call, SCORES)->data + picture * j->anchors * j->classes + class;
    int64_t candidates = 0, picked = 0;
    for (int64_t a = 0; a < j->anchors; a++)
        if (scores[a * j->classes] > j->threshold)
            room[candidates++] = (found){(int32_t)a, class, scores[a * j->classes]};
    qsort(room, (size_t)candidates, sizeof *room, by_score);
    for (int64_t k = 0; k < candidates && picked < j->per_class; k++) {
        const float *box = box_at(j, picture, &room[k]);
        bool keep = true;
        for (int64_t p = picked - 1; keep && p >= 0; p--)
            keep = weir_box_overlap(box, box_at(j, picture, &out[p])) <= j->overlap;
        if (keep)
            out[picked++] = room[k];
    }
    return picked;
}

static void write_picture(const job *j, int64_t picture, const found *best, int64_t count)
{
    int64_t first = picture * j->rows;
    float *boxes = (float *)weir_out(j->call, OUT_BOXES)->data + 4 * first;
    float *scores = (float *)weir_out(j->call, OUT_SCORES)->data + first;
    float *classes = (float *)weir_out(j->call, OUT_CLASSES)->data + first;
    for (int64_t k = 0; k < j->rows; k++) {
        bool there = k < count;
        const float *box = there ? box_at(j, picture, &best[k]) : NULL;
        for (int d = 0; d < 4; d++) {
            float v = there ? box[d] : 0;
            boxes[4 * k + d] = j->clip ? fmaxf(fminf(v, 1), 0) : v;
        }
        scores[k] = there ? best[k].score : 0;
        classes[k] = there ? (float)best[k].class : 0;
    }
    ((int32_t *)weir_out(j->call, OUT_VALID)->data)[picture] = (int32_t)count;
}

static weir_status one_picture(const job *j, int64_t picture)
{
    weir_tensor room;
    weir_shape size = weir_shape_matrix(j->anchors + j->per_class * j->classes, sizeof(found));
    WEIR_TRY(weir_tensor_alloc(WEIR_INT8, &size, &room));
    found *all = (found *)room.data + j->anchors;
    int64_t count = 0;
    for (int32_t c = 0; c < j->classes; c++)
        count += pick_class(j, picture, c, room.data, all + count);
    qsort(all, (size_t)count, sizeof *all, by_score);
    write_picture(j, picture, all, count < j->rows ? count : j->rows);
    weir_tensor_release(&room);
    return WEIR_OK;
}

static weir_status combined(weir_call *call)
{
    const weir_shape *boxes = &weir_in(call, BOXES)->shape, *scores = &weir_in(call, SCORES)->shape;
    int64_t per_class = *(const int32_t *)weir_in(call, PER_CLASS)->data;
    job j = {.call = call,
             .anchors = boxes->dims[1],
             .kinds = boxes->dims[2],
             .classes = scores->dims[2],
             .per_class = per_class < boxes->dims[1] ? per_class : boxes->dims[1],
             .rows = weir_out(call, OUT_SCORES)->shape.dims[1],
             .overlap = *(const float *)weir_in(call, OVERLAP)->data,
             .threshold = *(const float *)weir_in(call, THRESHOLD)->data,
             .clip = weir_site_bool(call->site, CLIP_BOXES)};
    for (int64_t picture = 0; picture < boxes->dims[0]; picture++)
        WEIR_TRY(one_picture(&j, picture));
    return WEIR_OK;
}

const weir_op weir_op_combined_non_max_suppression = {
    .name = "CombinedNonMaxSuppression",
    .in = "boxes: float; scores: float; max_output_size_per_class: int32; max_total_size: int32; "
          "iou_threshold: float; score_threshold: float",
    .out = "nmsed_boxes: float; nmsed_scores: float; nmsed_classes: float; "
           "valid_detections: int32",
    .attrs = "pad_per_class: bool = false; clip_boxes: bool = true",
    .infer = infer,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", combined}},
};
