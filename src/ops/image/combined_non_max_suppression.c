/* ops/image/combined_non_max_suppression.c - CombinedNonMaxSuppression: non-maximum suppression per
 * class and image, then the best boxes over all classes. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/arith.h"
#include "ops/common/infer_util.h"
#include "ops/image/image_impl.h"

enum { BOXES, SCORES, PER_CLASS, TOTAL, OVERLAP, THRESHOLD }; /* inputs */
enum { OUT_BOXES, OUT_SCORES, OUT_CLASSES, OUT_VALID };       /* outputs */
enum { PAD_PER_CLASS, CLIP_BOXES };                           /* attrs */

static int64_t rows_wanted(bool pad_per_class, int64_t total, int64_t per_class, int64_t classes)
{
    int64_t all; /* of every class together; saturates when the product overflows */
    if (!pad_per_class || __builtin_mul_overflow(per_class, classes, &all))
        return total;
    return weir_min(all, total);
}

static weir_status check_sizes(weir_infer *infer, int64_t per_class, int64_t total)
{
    const weir_tensor *overlap = weir_infer_value(infer, OVERLAP);
    if (per_class <= 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "max_size_per_class must be positive");
    if (total <= 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "max_total_size must be > 0");
    float threshold = *(const float *)overlap->data;
    if (!(threshold >= 0 && threshold <= 1))
        return weir_error(WEIR_INVALID_ARGUMENT, "iou_threshold must be in [0, 1]");
    if (infer->in[BOXES]->dims[1] > INT32_MAX || infer->in[SCORES]->dims[2] > INT32_MAX)
        return weir_error(WEIR_INVALID_ARGUMENT, "too many boxes or classes: %s and %s",
                          WEIR_SHAPE_STR(infer->in[BOXES]), WEIR_SHAPE_STR(infer->in[SCORES]));
    return WEIR_OK;
}

static weir_status infer(weir_infer *infer)
{
    static const int ranks[] = {4, 3, 0, 0, 0, 0};
    int64_t batch, anchors, four, per_class = -1, total = -1;
    for (int k = 0; k < 6; k++)
        WEIR_TRY(weir_infer_rank(infer, k, ranks[k]));
    WEIR_TRY(weir_infer_merge_dim(weir_infer_dim(infer, BOXES, 0), weir_infer_dim(infer, SCORES, 0),
                                  &batch));
    WEIR_TRY(weir_infer_merge_dim(weir_infer_dim(infer, BOXES, 1), weir_infer_dim(infer, SCORES, 1),
                                  &anchors));
    WEIR_TRY(weir_infer_merge_dim(weir_infer_dim(infer, BOXES, 3), 4, &four));
    int64_t kinds = weir_infer_dim(infer, BOXES, 2), classes = weir_infer_dim(infer, SCORES, 2);
    if (kinds >= 0 && classes >= 0 && kinds != 1 && kinds != classes)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "third dimension of boxes must be either 1 or equal to the third "
                          "dimension of scores");
    bool have_class = weir_infer_value_int(infer, PER_CLASS, &per_class);
    bool have_total = weir_infer_value_int(infer, TOTAL, &total);
    bool pad = weir_site_bool(infer->site, PAD_PER_CLASS);
    if (weir_infer_running(infer))
        WEIR_TRY(check_sizes(infer, per_class, total));
    if (have_total && total <= 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "max_total_size should be > 0 ");
    if (pad && have_class && per_class <= 0)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "max_output_size_per_class must be > 0 if pad_per_class is set to true ");
    int64_t rows = -1;
    if (have_total && (!pad || (have_class && classes >= 0)))
        rows = rows_wanted(pad, total, per_class, classes);
    infer->out[OUT_BOXES] = (weir_shape){3, {batch, rows, 4}};
    infer->out[OUT_SCORES] = infer->out[OUT_CLASSES] = weir_shape_matrix(batch, rows);
    infer->out[OUT_VALID] = weir_shape_vector(batch);
    return WEIR_OK;
}

typedef struct found {
    int32_t box, class;
    float score;
} found;

/* Best first; ties by lower class and box. */
static int by_score(const void *a, const void *b)
{
    const found *left = a, *right = b;
    if (left->score != right->score)
        return left->score > right->score ? -1 : 1;
    if (left->class != right->class)
        return left->class < right->class ? -1 : 1;
    return left->box < right->box ? -1 : left->box > right->box;
}

typedef struct job {
    weir_call *call;
    int64_t anchors, kinds, classes, per_class, rows;
    float overlap, threshold;
    bool clip;
} job;

static const float *box_at(const job *job, int64_t picture, const found *found)
{
    const float *boxes = weir_in(job->call, BOXES)->data;
    int64_t kind = job->kinds > 1 ? found->class : 0;
    return boxes + ((picture * job->anchors + found->box) * job->kinds + kind) * 4;
}

/* Selects the boxes of a class into |out|, best first; |workspace| has room for every anchor. */
static int64_t pick_class(const job *job, int64_t picture, int32_t class, found *workspace,
                          found *out)
{
    const float *scores = (const float *)weir_in(job->call, SCORES)->data +
                          picture * job->anchors * job->classes + class;
    int64_t candidates = 0, picked = 0;
    for (int64_t a = 0; a < job->anchors; a++)
        if (scores[a * job->classes] > job->threshold)
            workspace[candidates++] = (found){(int32_t)a, class, scores[a * job->classes]};
    qsort(workspace, (size_t)candidates, sizeof *workspace, by_score);
    for (int64_t k = 0; k < candidates && picked < job->per_class; k++) {
        const float *box = box_at(job, picture, &workspace[k]);
        bool keep = true;
        for (int64_t p = picked - 1; keep && p >= 0; p--)
            keep = weir_box_overlap(box, box_at(job, picture, &out[p])) <= job->overlap;
        if (keep)
            out[picked++] = workspace[k];
    }
    return picked;
}

static void write_picture(const job *job, int64_t picture, const found *best, int64_t count)
{
    int64_t first = picture * job->rows;
    float *boxes = (float *)weir_out(job->call, OUT_BOXES)->data + 4 * first;
    float *scores = (float *)weir_out(job->call, OUT_SCORES)->data + first;
    float *classes = (float *)weir_out(job->call, OUT_CLASSES)->data + first;
    for (int64_t k = 0; k < job->rows; k++) {
        bool there = k < count;
        const float *box = there ? box_at(job, picture, &best[k]) : NULL;
        for (int axis = 0; axis < 4; axis++) {
            float value = there ? box[axis] : 0;
            boxes[4 * k + axis] = job->clip ? fmaxf(fminf(value, 1), 0) : value;
        }
        scores[k] = there ? best[k].score : 0;
        classes[k] = there ? (float)best[k].class : 0;
    }
    ((int32_t *)weir_out(job->call, OUT_VALID)->data)[picture] = (int32_t)count;
}

static weir_status one_picture(const job *job, int64_t picture)
{
    weir_tensor workspace;
    weir_shape size =
        weir_shape_matrix(job->anchors + job->per_class * job->classes, sizeof(found));
    WEIR_TRY(weir_tensor_alloc(WEIR_INT8, &size, &workspace));
    found *all = (found *)workspace.data + job->anchors;
    int64_t count = 0;
    for (int32_t c = 0; c < job->classes; c++)
        count += pick_class(job, picture, c, workspace.data, all + count);
    qsort(all, (size_t)count, sizeof *all, by_score);
    write_picture(job, picture, all, count < job->rows ? count : job->rows);
    weir_tensor_release(&workspace);
    return WEIR_OK;
}

static weir_status combined(weir_call *call)
{
    const weir_shape *boxes = &weir_in(call, BOXES)->shape, *scores = &weir_in(call, SCORES)->shape;
    int64_t per_class = *(const int32_t *)weir_in(call, PER_CLASS)->data;
    job job = {.call = call,
               .anchors = boxes->dims[1],
               .kinds = boxes->dims[2],
               .classes = scores->dims[2],
               .per_class = per_class < boxes->dims[1] ? per_class : boxes->dims[1],
               .rows = weir_out(call, OUT_SCORES)->shape.dims[1],
               .overlap = *(const float *)weir_in(call, OVERLAP)->data,
               .threshold = *(const float *)weir_in(call, THRESHOLD)->data,
               .clip = weir_site_bool(call->site, CLIP_BOXES)};
    for (int64_t picture = 0; picture < boxes->dims[0]; picture++)
        WEIR_TRY(one_picture(&job, picture));
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
