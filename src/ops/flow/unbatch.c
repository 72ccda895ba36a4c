/* ops/flow/unbatch.c - Unbatch: returns to every step its rows of a tensor that Batch concatenated;
 * UnbatchGrad: the step with the whole batch collects the gradients of the others.
 *
 * Values for other steps are stored under their ids until those steps take them.
 */
#include <inttypes.h>

#include "base/arith.h"
#include "base/clock.h"
#include "base/timer.h"
#include "ops/common/infer_util.h"
#include "ops/flow/batcher.h"
#include "ops/state/named.h"
#include "state/wait.h"

typedef struct entry {
    int64_t id;
    weir_tensor tensor; /* empty: not present yet */
    bool wanted;        /* its step has arrived */
    int64_t deadline;   /* of weir_now_ns */
} entry;

typedef struct meeting {
    weir_resource resource;
    weir_wait_point point;
    WEIR_VEC(entry) entries; /* under point.lock */
    bool timed;              /* guarded by point.lock: a timer for deadlines is set */
} meeting;

static const weir_resource_type unbatch_type = {"N10tensorflow15UnbatchResourceE", "unbatcher"};
static const weir_resource_type grad_type = {"N10tensorflow19UnbatchGradResourceE",
                                             "unbatch gradient"};

static void meeting_destroy(weir_ref *self)
{
    meeting *this_meeting = (meeting *)self;
    for (size_t k = 0; k < this_meeting->entries.count; k++)
        weir_tensor_release(&this_meeting->entries.at[k].tensor);
    weir_vec_fini(&this_meeting->entries);
    weir_wait_fini(&this_meeting->point);
    weir_free(this_meeting);
}

static weir_status create(void *type, weir_resource **out)
{
    meeting *new_meeting = WEIR_NEW(meeting);
    weir_ref_init(&new_meeting->resource.ref, meeting_destroy);
    new_meeting->resource.type = type;
    weir_wait_init(&new_meeting->point);
    *out = &new_meeting->resource;
    return WEIR_OK;
}

static entry *find(const meeting *meeting, int64_t id)
{
    for (size_t k = 0; k < meeting->entries.count; k++)
        if (meeting->entries.at[k].id == id)
            return &meeting->entries.at[k];
    return NULL;
}

static void drop(meeting *meeting, entry *entry)
{
    weir_tensor_release(&entry->tensor);
    *entry = meeting->entries.at[--meeting->entries.count];
}

/* The entry of |id|, created if missing. */
static entry *find_or_add(meeting *meeting, int64_t id, int64_t deadline)
{
    entry *this_entry = find(meeting, id);
    if (this_entry)
        return this_entry;
    weir_vec_push(&meeting->entries, (entry){.id = id, .deadline = deadline});
    return &meeting->entries.at[meeting->entries.count - 1];
}

static weir_status read_id(const weir_tensor *tensor, const char *text, int64_t *out)
{
    if (tensor->shape.rank != 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "%s Got shape %s.", text,
                          WEIR_SHAPE_STR(&tensor->shape));
    *out = *(const int64_t *)tensor->data;
    return WEIR_OK;
}

/* ---- Unbatch -----------------------------------------------------------------------------------
 */

enum { DATA, INDEX, ID };

static weir_status unbatch_infer(weir_infer *infer)
{
    infer->out[0] = *infer->in[DATA];
    if (infer->out[0].rank == 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "Shape must be at least rank 1 but is rank 0");
    if (infer->out[0].rank > 0)
        infer->out[0].dims[0] = -1;
    return WEIR_OK;
}

static bool try_take(weir_call *call, void *object, weir_status *out_status)
{
    meeting *meeting = object;
    entry *entry = find(meeting, *(const int64_t *)weir_in(call, ID)->data);
    if (entry && entry->tensor.buffer) {
        weir_tensor taken = {0};
        weir_tensor_move(&taken, &entry->tensor);
        weir_call_set(call, 0, taken);
    } else if (!entry || weir_now_ns() >= entry->deadline) {
        *out_status = weir_error(WEIR_DEADLINE_EXCEEDED,
                                 "Batched data did not arrive within timeout window.");
    } else {
        return false;
    }
    if (entry)
        drop(meeting, entry);
    return true;
}

static void look_at_deadlines(void *arg);

/* Sets a timer for the earliest deadline. Lock held. */
static void set_timer(meeting *meeting)
{
    int64_t at = INT64_MAX;
    for (size_t k = 0; k < meeting->entries.count; k++)
        if (meeting->entries.at[k].deadline < at)
            at = meeting->entries.at[k].deadline;
    if (meeting->timed || at == INT64_MAX)
        return;
    meeting->timed = true;
    weir_ref_retain(&meeting->resource.ref);
    weir_timer_add(at, look_at_deadlines, meeting);
}

static void look_at_deadlines(void *arg)
{
    meeting *meeting = arg;
    weir_wait_changed(&meeting->point); /* callers past their deadline give up */
    weir_mutex_lock(&meeting->point.lock);
    int64_t now = weir_now_ns();
    for (size_t k = meeting->entries.count; k-- > 0;)
        if (meeting->entries.at[k].deadline <= now)
            drop(meeting, &meeting->entries.at[k]);
    meeting->timed = false;
    set_timer(meeting);
    weir_mutex_unlock(&meeting->point.lock);
    weir_ref_release(&meeting->resource.ref);
}

static weir_status check_index(const weir_tensor *data, const weir_tensor *index)
{
    if (index->shape.rank != 2 || data->shape.rank < 1 ||
        index->shape.dims[0] > data->shape.dims[0])
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Wrong shape for index tensor. Expected 0th dimension size to be no "
                          "greater than that of the data, %s; Got: %s.",
                          WEIR_SHAPE_STR(&data->shape), WEIR_SHAPE_STR(&index->shape));
    if (index->shape.dims[1] != 3)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Wrong shape for index tensor. Expected 1st dimension size to be 3 ; "
                          "Got: %" PRId64 ".",
                          index->shape.dims[1]);
    const int64_t *row = index->data;
    int64_t rows = data->shape.dims[0];
    for (int64_t k = 0; k < index->shape.dims[0]; k++, row += 3)
        if (row[1] < 0 || row[2] < row[1] || row[2] > rows)
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "Rows [%" PRId64 ", %" PRId64 ") of the index are not in the %" PRId64
                              " rows of the data",
                              row[1], row[2], rows);
    return WEIR_OK;
}

/* Stores the rows of |data| for their steps. Lock held. */
static weir_status leave_rows(meeting *meeting, const weir_tensor *data, const weir_tensor *index,
                              int64_t deadline)
{
    const int64_t *row = index->data;
    for (int64_t k = 0; k < index->shape.dims[0]; k++, row += 3) {
        entry *entry = find_or_add(meeting, row[0], deadline);
        if (entry->tensor.buffer)
            return weir_error(WEIR_ALREADY_EXISTS, "Multiple tensors returned for same batch key.");
        WEIR_TRY(weir_rows_take(data, row[1], row[2] - row[1], &entry->tensor));
    }
    return WEIR_OK;
}

static weir_status arrive(weir_call *call, meeting *meeting)
{
    int64_t id, timeout = weir_site_int(call->site, 0);
    const weir_tensor *data = weir_in(call, DATA), *index = weir_in(call, INDEX);
    WEIR_TRY(check_index(data, index));
    WEIR_TRY(read_id(weir_in(call, ID), "Input id should be scalar;", &id));
    int64_t room = (INT64_MAX - weir_now_ns()) / 1000;
    int64_t deadline = weir_now_ns() + weir_min(timeout, room - 1) * 1000;
    weir_mutex_lock(&meeting->point.lock);
    entry *entry = find_or_add(meeting, id, deadline);
    weir_status status = WEIR_OK;
    if (entry->wanted)
        status = weir_error(WEIR_ALREADY_EXISTS, "Multiple session runs with the same batch key.");
    entry->wanted = true;
    if (!status)
        status = leave_rows(meeting, data, index, deadline);
    set_timer(meeting);
    weir_mutex_unlock(&meeting->point.lock);
    return status;
}

static weir_resource *open_meeting(weir_call *call, const weir_resource_type *type)
{
    weir_resource *found;
    weir_status status = weir_named_open(call, create, (void *)type, &found);
    if (!status)
        return found;
    weir_call_finish(call, status);
    return NULL;
}

static void start_unbatch(weir_call *call)
{
    weir_resource *found = open_meeting(call, &unbatch_type);
    if (!found)
        return;
    meeting *this_meeting = (meeting *)found;
    weir_status status = arrive(call, this_meeting);
    if (status) {
        weir_call_finish(call, status);
    } else {
        weir_wait_start(&(weir_wait){.point = &this_meeting->point,
                                     .object = found,
                                     .attempt = try_take,
                                     .lane = WEIR_NO_LANE,
                                     .cancelled = "Unbatch was cancelled"},
                        call);
        weir_wait_changed(&this_meeting->point);
    }
    weir_ref_release(&found->ref);
}

/* ---- UnbatchGrad -------------------------------------------------------------------------------
 */

enum { G_DATA, G_INDEX, G_GRAD, G_ID };

static weir_status grad_infer(weir_infer *infer)
{
    if (infer->in[G_GRAD]->rank >= 0)
        infer->out[0] = weir_shape_of_rank(infer->in[G_GRAD]->rank);
    return WEIR_OK;
}

/* Takes the gradients of all steps of the batch, once all are present. */
static bool try_gather(weir_call *call, void *object, weir_status *out_status)
{
    meeting *meeting = object;
    const weir_tensor *index = weir_in(call, G_INDEX);
    const int64_t *row = index->data;
    int64_t count = index->shape.dims[0];
    for (int64_t k = 0; k < count; k++)
        if (!find(meeting, row[3 * k]))
            return false;
    const weir_tensor **parts = WEIR_NEW_ARRAY(const weir_tensor *, count);
    weir_tensor whole = {0};
    for (int64_t k = 0; k < count; k++)
        parts[k] = &find(meeting, row[3 * k])->tensor;
    *out_status = weir_rows_join(parts, (size_t)count, 0, &whole);
    weir_free(parts);
    for (int64_t k = 0; k < count; k++) {
        entry *entry = find(meeting, row[3 * k]);
        if (entry)
            drop(meeting, entry);
    }
    if (!*out_status)
        weir_call_set(call, 0, whole);
    return true;
}

static weir_status check_grad(const weir_call *call, int64_t *out_id)
{
    const weir_tensor *data = weir_in(call, G_DATA), *index = weir_in(call, G_INDEX);
    const weir_tensor *grad = weir_in(call, G_GRAD);
    WEIR_TRY(read_id(weir_in(call, G_ID), "Expected `id` to be scalar.", out_id));
    if (grad->shape.rank == 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "grad must have at least one dimension");
    if (weir_tensor_count(data) == 0)
        return WEIR_OK;
    if (weir_tensor_count(index) == 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "batch_index is empty while the tensor isn't.");
    if (index->shape.rank != 2 || index->shape.dims[1] != 3)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "batch_index should contain 3 elements a row. Received shape %s",
                          WEIR_SHAPE_STR(&index->shape));
    return WEIR_OK;
}

static weir_status bring_grad(weir_call *call, meeting *meeting)
{
    int64_t id;
    WEIR_TRY(check_grad(call, &id));
    weir_mutex_lock(&meeting->point.lock);
    weir_status status = WEIR_OK;
    if (find(meeting, id))
        status = weir_error(WEIR_INVALID_ARGUMENT, "Two runs with the same batch key.");
    else
        find_or_add(meeting, id, INT64_MAX)->tensor = weir_tensor_share(weir_in(call, G_GRAD));
    weir_mutex_unlock(&meeting->point.lock);
    return status;
}

static void start_grad(weir_call *call)
{
    weir_resource *found = open_meeting(call, &grad_type);
    if (!found)
        return;
    meeting *this_meeting = (meeting *)found;
    weir_status status = bring_grad(call, this_meeting);
    if (status || weir_tensor_count(weir_in(call, G_DATA)) == 0) {
        weir_tensor none = {0};
        if (!status)
            status = weir_rows_take(weir_in(call, G_GRAD), 0, 0, &none);
        if (!status)
            weir_call_set(call, 0, none);
        weir_call_finish(call, status);
        weir_wait_changed(&this_meeting->point);
    } else {
        weir_wait_start(&(weir_wait){.point = &this_meeting->point,
                                     .object = found,
                                     .attempt = try_gather,
                                     .lane = WEIR_NO_LANE,
                                     .cancelled = "UnbatchGrad was cancelled"},
                        call);
        weir_wait_changed(&this_meeting->point);
    }
    weir_ref_release(&found->ref);
}

static weir_status prepare_unbatch(weir_prepare *preparation)
{
    return weir_named_prepare(preparation, 1, 2, WEIR_BY_NODE_NAME, &unbatch_type);
}
static weir_status prepare_grad(weir_prepare *preparation)
{
    return weir_named_prepare(preparation, 0, 1, WEIR_BY_NODE_NAME, &grad_type);
}

#define NAMES "container: string = \"\"; shared_name: string = \"\"; "

const weir_op weir_op_unbatch = {
    .name = "Unbatch",
    .in = "batched_tensor: T; batch_index: int64; id: int64",
    .out = "unbatched_tensor: T",
    .attrs = "timeout_micros: int; " NAMES "T: type",
    .flags = WEIR_NO_FOLD,
    .infer = unbatch_infer,
    .kernels = {{WEIR_CPU, "*", NULL, WEIR_ASYNC | WEIR_OWN_OUTPUTS, .start = start_unbatch,
                 .prepare = prepare_unbatch, .cleanup = weir_named_cleanup}},
};

const weir_op weir_op_unbatch_grad = {
    .name = "UnbatchGrad",
    .in = "original_input: T; batch_index: int64; grad: T; id: int64",
    .out = "batched_grad: T",
    .attrs = NAMES "T: type",
    .flags = WEIR_NO_FOLD,
    .infer = grad_infer,
    .kernels = {{WEIR_CPU, "*", NULL, WEIR_ASYNC | WEIR_OWN_OUTPUTS, .start = start_grad,
                 .prepare = prepare_grad, .cleanup = weir_named_cleanup}},
};
