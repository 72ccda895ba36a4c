/* ops/nn/ctc_decoder.c - CTCGreedyDecoder and CTCBeamSearchDecoder: the most likely labellings from
 * class scores per step, as sparse tensors. Sums are logarithms in double precision.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/arith.h"
#include "base/stop.h"
#include "ops/common/infer_util.h"

enum { MERGE_REPEATED, BLANK_INDEX };                             /* attrs of the greedy decoder */
enum { BEAM_WIDTH, TOP_PATHS, BEAM_MERGE_REPEATED };              /* of the beam search */
enum { GREEDY_INDICES, GREEDY_VALUES, GREEDY_SHAPE, GREEDY_LOG }; /* its outputs */

typedef WEIR_VEC(int32_t) labels;

/* ---- shared by both -------------------------------------------------------------------------- */

static weir_status infer_paths(weir_infer *infer, int paths)
{
    WEIR_TRY(weir_infer_rank(infer, 0, 3));
    WEIR_TRY(weir_infer_rank(infer, 1, 1));
    int64_t batch = weir_infer_dim(infer, 0, 1);
    if (!weir_infer_running(infer)) /* at run time the kernel reports it */
        WEIR_TRY(weir_infer_merge_dim(batch, weir_infer_dim(infer, 1, 0), &batch));
    for (int k = 0; k < paths; k++) {
        infer->out[k] = weir_shape_matrix(-1, 2);
        infer->out[paths + k] = weir_shape_vector(-1);
        infer->out[2 * paths + k] = weir_shape_vector(2);
    }
    infer->out[3 * paths] = weir_shape_matrix(batch, paths);
    return WEIR_OK;
}

static weir_status check(const weir_call *call)
{
    const weir_shape *x = &weir_in(call, 0)->shape;
    const weir_tensor *lengths = weir_in(call, 1);
    int64_t steps = x->dims[0], batch = x->dims[1];
    if (weir_tensor_count(weir_in(call, 0)) == 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "inputs must not be empty");
    if (lengths->shape.dims[0] != batch)
        return weir_error(WEIR_FAILED_PRECONDITION,
                          "len(sequence_length) != batch_size.  len(sequence_length):  %" PRId64
                          " batch_size: %" PRId64,
                          lengths->shape.dims[0], batch);
    if (x->dims[2] >= INT32_MAX)
        return weir_error(WEIR_INVALID_ARGUMENT, "num_classes cannot exceed max int");
    for (int64_t batch_index = 0; batch_index < batch; batch_index++)
        if (((const int32_t *)lengths->data)[batch_index] > steps)
            return weir_error(WEIR_FAILED_PRECONDITION, "sequence_length(%" PRId64 ") <= %" PRId64,
                              batch_index, steps);
    return WEIR_OK;
}

static double number_at(const weir_tensor *tensor, int64_t i)
{
    return tensor->dtype == WEIR_DOUBLE ? ((const double *)tensor->data)[i]
                                        : (double)((const float *)tensor->data)[i];
}
static void set_number(weir_tensor *tensor, int64_t i, double value)
{
    if (tensor->dtype == WEIR_DOUBLE)
        ((double *)tensor->data)[i] = value;
    else
        ((float *)tensor->data)[i] = (float)value;
}

/* Writes path |path| of |paths|: sequences[i * paths + path] for every sequence i of the batch. */
static weir_status store(weir_call *call, const labels *sequences, int64_t batch, int paths,
                         int path)
{
    int64_t count = 0, longest = 0, at = 0;
    for (int64_t batch_index = 0; batch_index < batch; batch_index++) {
        int64_t length = (int64_t)sequences[batch_index * paths + path].count;
        count += length;
        longest = weir_max(longest, length);
    }
    WEIR_TRY(weir_call_alloc(call, path, &(weir_shape){.rank = 2, .dims = {count, 2}}));
    WEIR_TRY(weir_call_alloc(call, paths + path, &(weir_shape){.rank = 1, .dims = {count}}));
    int64_t *indices = weir_out(call, path)->data, *values = weir_out(call, paths + path)->data;
    int64_t *shape = weir_out(call, 2 * paths + path)->data;
    for (int64_t batch_index = 0; batch_index < batch; batch_index++) {
        const labels *labels = &sequences[batch_index * paths + path];
        for (size_t k = 0; k < labels->count; k++, at++) {
            indices[2 * at] = batch_index;
            indices[2 * at + 1] = (int64_t)k;
            values[at] = labels->at[k];
        }
    }
    shape[0] = batch;
    shape[1] = longest;
    return WEIR_OK;
}

static void labels_free(labels *sequences, int64_t count)
{
    for (int64_t k = 0; k < count; k++)
        weir_vec_fini(&sequences[k]);
    weir_free(sequences);
}

/* ---- the greedy decoder ---------------------------------------------------------------------- */

static weir_status greedy_infer(weir_infer *infer)
{
    return infer_paths(infer, 1);
}

/* The best class of each step; returns the sum of their scores. */
static double best_path(const weir_tensor *x, int64_t b, int64_t steps, int64_t blank, bool merge,
                        labels *out)
{
    int64_t batch = x->shape.dims[1], classes = x->shape.dims[2], before = -1;
    double sum = 0;
    for (int64_t t = 0; t < steps; t++) {
        int64_t row = (t * batch + b) * classes, best = 0;
        for (int64_t c = 1; c < classes; c++)
            if (number_at(x, row + c) > number_at(x, row + best))
                best = c;
        sum += number_at(x, row + best);
        if (best != blank && !(merge && best == before))
            weir_vec_push(out, (int32_t)best);
        before = best;
    }
    return sum;
}

static weir_status greedy(weir_call *call)
{
    const weir_tensor *x = weir_in(call, 0);
    const int32_t *lengths = weir_in(call, 1)->data;
    WEIR_TRY(check(call));
    int64_t batch = x->shape.dims[1], classes = x->shape.dims[2];
    int64_t blank = weir_site_int(call->site, BLANK_INDEX);
    if (blank < -classes || blank >= classes)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "blank_index expected to be between %" PRId64 " and %" PRId64
                          " but was %" PRId64,
                          -classes, classes - 1, blank);
    labels *sequences = WEIR_NEW_ARRAY(labels, batch);
    for (int64_t batch_index = 0; batch_index < batch; batch_index++) {
        double sum =
            best_path(x, batch_index, lengths[batch_index], blank < 0 ? blank + classes : blank,
                      weir_site_bool(call->site, MERGE_REPEATED), &sequences[batch_index]);
        set_number(weir_out(call, GREEDY_LOG), batch_index, -sum);
    }
    weir_status status = store(call, sequences, batch, 1, 0);
    labels_free(sequences, batch);
    return status;
}

/* ---- the beam search ------------------------------------------------------------------------- */

/* Log probabilities; |blank| and |label| are the parts of |total| by the last step. */
typedef struct chance {
    double total, blank, label;
} chance;

static const chance NO_CHANCE = {-INFINITY, -INFINITY, -INFINITY};

typedef struct node {
    struct node *parent;
    struct node *child, *sibling; /* children, newest first */
    int32_t label;
    chance before, now; /* this step */
} node;

typedef struct beam {
    weir_arena arena;
    node **leaves; /* a min-heap by probability */
    int64_t count, width;
    node **sorted;   /* buffer for the leaves of the previous step */
    node **children; /* by label, of the node being extended; null otherwise */
    double *row;     /* log probabilities of a step */
    int64_t classes;
} beam;

static double log_add(double a, double b)
{
    if (a == -INFINITY)
        return b;
    if (b == -INFINITY)
        return a;
    return a > b ? a + log1p(exp(b - a)) : b + log1p(exp(a - b));
}

static void sift_down(beam *beam)
{
    for (int64_t at = 0, next; (next = 2 * at + 1) < beam->count; at = next) {
        if (next + 1 < beam->count &&
            beam->leaves[next + 1]->now.total < beam->leaves[next]->now.total)
            next++;
        if (beam->leaves[at]->now.total <= beam->leaves[next]->now.total)
            return;
        node *node = beam->leaves[at];
        beam->leaves[at] = beam->leaves[next];
        beam->leaves[next] = node;
    }
}

/* Adds |node| to the leaves; if there are |width| already, replaces the worst one if |node| is
 * better. */
static void push(beam *beam, node *node)
{
    if (beam->count == beam->width) {
        if (node->now.total > beam->leaves[0]->now.total) {
            beam->leaves[0] = node;
            sift_down(beam);
        }
        return;
    }
    int64_t at = beam->count++;
    for (int64_t up; at > 0; at = up) {
        up = (at - 1) / 2;
        if (beam->leaves[up]->now.total <= node->now.total)
            break;
        beam->leaves[at] = beam->leaves[up];
    }
    beam->leaves[at] = node;
}

static int by_total(const void *a, const void *b)
{
    double x = (*(node *const *)a)->now.total, y = (*(node *const *)b)->now.total;
    return x > y ? -1 : x < y;
}

static node *add_child(beam *beam, node *parent, int32_t label)
{
    node *new_node = WEIR_ARENA_NEW(&beam->arena, node);
    *new_node =
        (node){.parent = parent, .sibling = parent->child, .label = label, .before = NO_CHANCE};
    parent->child = new_node;
    return new_node;
}

static bool is_candidate(const beam *beam, double total)
{
    return total > -INFINITY && (beam->count < beam->width || total > beam->leaves[0]->now.total);
}

/* Extends the leaves of the previous step by a repeated label or a blank. */
static void stay(beam *beam, node *node)
{
    if (node->parent) {
        if (node->parent->now.total != -INFINITY) {
            const chance *from = &node->parent->before;
            double previous = node->label == node->parent->label ? from->blank : from->total;
            node->now.label = log_add(node->now.label, previous);
        }
        node->now.label += beam->row[node->label];
    }
    node->now.blank = node->before.total + beam->row[beam->classes - 1];
    node->now.total = log_add(node->now.blank, node->now.label);
    push(beam, node);
}

static void grow(beam *beam, node *parent)
{
    node *old = parent->child;
    for (node *node = old; node; node = node->sibling)
        beam->children[node->label] = node;
    for (int32_t label = 0; label < beam->classes - 1; label++) {
        double previous = label == parent->label ? parent->before.blank : parent->before.total;
        double total = beam->row[label] + previous;
        node *node = beam->children[label];
        if (node && node->now.total != -INFINITY)
            continue; /* already in the beam */
        if (!is_candidate(beam, total)) {
            if (node)
                node->before = NO_CHANCE;
            continue;
        }
        if (!node)
            node = add_child(beam, parent, label);
        node->now = (chance){.total = total, .blank = -INFINITY, .label = total};
        if (beam->count == beam->width)
            beam->leaves[0]->now = NO_CHANCE;
        push(beam, node);
    }
    for (node *node = old; node; node = node->sibling)
        beam->children[node->label] = NULL;
}

static void step(beam *beam)
{
    int64_t count = beam->count;
    memcpy(beam->sorted, beam->leaves, sizeof *beam->leaves * (size_t)count);
    qsort(beam->sorted, (size_t)count, sizeof *beam->sorted, by_total);
    beam->count = 0;
    for (int64_t k = 0; k < count; k++)
        beam->sorted[k]->before = beam->sorted[k]->now;
    for (int64_t k = 0; k < count; k++)
        stay(beam, beam->sorted[k]);
    for (int64_t k = 0; k < count && !weir_stopped(); k++)
        if (is_candidate(beam, beam->sorted[k]->before.total))
            grow(beam, beam->sorted[k]);
}

/* The log probabilities of a step's scores. */
static void read_row(beam *beam, const weir_tensor *x, int64_t row)
{
    double most = -INFINITY, sum = 0;
    for (int64_t c = 0; c < beam->classes; c++)
        most = fmax(most, number_at(x, row * beam->classes + c));
    for (int64_t c = 0; c < beam->classes; c++)
        sum += exp(number_at(x, row * beam->classes + c) - most);
    for (int64_t c = 0; c < beam->classes; c++)
        beam->row[c] = number_at(x, row * beam->classes + c) - (most + log(sum));
}

static void labels_of(const node *node, bool merge, labels *out)
{
    int32_t before = -1;
    for (; node->parent; node = node->parent) {
        if (!merge || node->label != before)
            weir_vec_push(out, node->label);
        before = node->label;
    }
    for (size_t a = 0, b = out->count; a + 1 < b; a++) {
        int32_t label = out->at[a];
        out->at[a] = out->at[--b];
        out->at[b] = label;
    }
}

/* Decodes sequence |b|; writes its |paths| best labellings. */
static weir_status decode(beam *beam, weir_call *call, int64_t b, int paths, labels *out)
{
    const weir_tensor *x = weir_in(call, 0);
    int32_t steps = ((const int32_t *)weir_in(call, 1)->data)[b];
    weir_arena_init(&beam->arena);
    node *root = WEIR_ARENA_NEW(&beam->arena, node);
    *root = (node){.label = -1, .before = NO_CHANCE, .now = {0, 0, -INFINITY}};
    beam->count = 0;
    push(beam, root);
    for (int32_t t = 0; t < steps && !weir_stopped(); t++) {
        read_row(beam, x, t * x->shape.dims[1] + b);
        step(beam);
    }
    weir_status status = WEIR_OK;
    if (beam->count < paths)
        status =
            weir_error(WEIR_INVALID_ARGUMENT, "Less leaves in the beam search than requested.");
    qsort(beam->leaves, (size_t)beam->count, sizeof *beam->leaves, by_total);
    for (int k = 0; !status && k < paths; k++) {
        labels_of(beam->leaves[k], weir_site_bool(call->site, BEAM_MERGE_REPEATED), &out[k]);
        set_number(weir_out(call, 3 * paths), b * paths + k, beam->leaves[k]->now.total);
    }
    weir_arena_fini(&beam->arena);
    return status;
}

static weir_status beam_infer(weir_infer *infer)
{
    return infer_paths(infer, (int)weir_site_int(infer->site, TOP_PATHS));
}

static weir_status beam_search(weir_call *call)
{
    const weir_tensor *x = weir_in(call, 0);
    int paths = (int)weir_site_int(call->site, TOP_PATHS);
    int64_t width = weir_site_int(call->site, BEAM_WIDTH);
    WEIR_TRY(check(call));
    if (paths > width)
        return weir_error(WEIR_INVALID_ARGUMENT, "requested more paths than the beam width.");
    int64_t batch = x->shape.dims[1], classes = x->shape.dims[2];
    weir_tensor workspace; /* two lists of leaves, a list of children and a row of scores */
    if (width > INT32_MAX)
        return weir_error(WEIR_INVALID_ARGUMENT, "beam_width %" PRId64 " is too large", width);
    weir_shape size = weir_shape_vector(2 * (width + classes));
    WEIR_TRY(weir_tensor_alloc(WEIR_DOUBLE, &size, &workspace));
    _Static_assert(sizeof(node *) == sizeof(double), "both fit one element of the workspace");
    beam beam = {.leaves = workspace.data, .width = width, .classes = classes};
    beam.sorted = beam.leaves + width;
    beam.children = beam.sorted + width;
    beam.row = (double *)(beam.children + classes);
    memset(beam.children, 0, sizeof *beam.children * (size_t)classes);
    labels *sequences = WEIR_NEW_ARRAY(labels, batch * paths);
    weir_status status = WEIR_OK;
    for (int64_t batch_index = 0; !status && batch_index < batch; batch_index++)
        status = decode(&beam, call, batch_index, paths, sequences + batch_index * paths);
    for (int k = 0; !status && k < paths; k++)
        status = store(call, sequences, batch, paths, k);
    labels_free(sequences, batch * paths);
    weir_tensor_release(&workspace);
    return status;
}

const weir_op weir_op_ctc_greedy_decoder = {
    .name = "CTCGreedyDecoder",
    .in = "inputs: T; sequence_length: int32",
    .out =
        "decoded_indices: int64; decoded_values: int64; decoded_shape: int64; log_probability: T",
    .attrs = "merge_repeated: bool = false; blank_index: int = -1; T: {float, double} = DT_FLOAT",
    .infer = greedy_infer,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", greedy}},
};

const weir_op weir_op_ctc_beam_search_decoder = {
    .name = "CTCBeamSearchDecoder",
    .in = "inputs: T; sequence_length: int32",
    .out = "decoded_indices: top_paths * int64; decoded_values: top_paths * int64; "
           "decoded_shape: top_paths * int64; log_probability: T",
    .attrs = "beam_width: int >= 1; top_paths: int >= 1; merge_repeated: bool = true; "
             "T: {float, double} = DT_FLOAT",
    .infer = beam_infer,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", beam_search}},
};
