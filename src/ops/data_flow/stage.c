/* ops/data_flow/stage.c - Stage, Unstage and queries of the staging area: a bounded FIFO of tuples
 * between steps. */
#include <inttypes.h>

#include "ops/data_flow/stage_impl.h"

typedef struct area {
    weir_resource base;
    weir_wait_point point;
    weir_stage_limits limits;
    /* Guarded by point.lock: */
    WEIR_VEC(weir_stage_tuple) items; /* oldest first */
    size_t bytes;
} area;

static const weir_resource_type area_type = {"N10tensorflow6BufferE", "staging area"};

static void drop_all(area *area)
{
    for (size_t i = 0; i < area->items.count; i++)
        weir_stage_tuple_fini(&area->items.at[i]);
    area->items.count = 0;
    area->bytes = 0;
}

static void destroy(weir_ref *ref)
{
    area *this_area = (area *)ref;
    drop_all(this_area);
    weir_vec_fini(&this_area->items);
    weir_wait_fini(&this_area->point);
    weir_free(this_area);
}

static weir_status create(void *arg, weir_resource **out)
{
    area *new_area = WEIR_NEW(area);
    weir_ref_init(&new_area->base.ref, destroy);
    new_area->base.type = &area_type;
    weir_wait_init(&new_area->point);
    new_area->limits = weir_stage_limits_of(arg);
    *out = &new_area->base;
    return WEIR_OK;
}

static weir_status prepare(weir_prepare *preparation)
{
    return weir_named_prepare(preparation, weir_opdef_attr(preparation->site->def, "container"),
                              weir_opdef_attr(preparation->site->def, "shared_name"),
                              WEIR_BY_NODE_NAME, &area_type);
}

static weir_status open_area(weir_call *call, area **out)
{
    weir_resource *found;
    WEIR_TRY(weir_named_open(call, create, (void *)call->site, &found));
    *out = (area *)found;
    return WEIR_OK;
}

/* ---- waiting calls --------------------------------------------------------------------------- */

enum { PUTS, GETS }; /* lanes */

static bool try_put(weir_call *call, void *object, weir_status *out_status)
{
    area *area = object;
    size_t bytes = weir_stage_bytes(call, 0);
    if (weir_stage_full(&area->limits, area->items.count, area->bytes, bytes, out_status))
        return *out_status != WEIR_OK;
    weir_vec_push(&area->items, weir_stage_tuple_of(call, 0));
    area->bytes += bytes;
    return true;
}

static weir_status give(weir_call *call, const weir_stage_tuple *tuple)
{
    if (tuple->count != call->site->out_count)
        return weir_error(WEIR_INVALID_ARGUMENT, "Tuple has %d tensors, but node %s expects %d",
                          tuple->count, call->site->name, call->site->out_count);
    for (int o = 0; o < tuple->count; o++)
        WEIR_TRY(weir_stage_give(call, o, &tuple->at[o]));
    return WEIR_OK;
}

static bool try_get(weir_call *call, void *object, weir_status *out_status)
{
    area *area = object;
    if (!area->items.count)
        return false;
    weir_stage_tuple tuple = area->items.at[0];
    area->items.count--;
    memmove(area->items.at, area->items.at + 1, sizeof tuple * area->items.count);
    area->bytes -= weir_stage_tuple_bytes(&tuple);
    *out_status = give(call, &tuple);
    weir_stage_tuple_fini(&tuple);
    return true;
}

static bool try_peek(weir_call *call, void *object, weir_status *out_status)
{
    area *area = object;
    int32_t index = *(const int32_t *)weir_in(call, 0)->data;
    if (index < 0) {
        *out_status = weir_error(WEIR_INVALID_ARGUMENT, "Index %d is negative", index);
        return true;
    }
    if ((size_t)index >= area->items.count)
        return false;
    *out_status = give(call, &area->items.at[index]);
    return true;
}

static void start(weir_call *call, weir_wait_try attempt, int lane)
{
    area *area;
    weir_status status = open_area(call, &area);
    if (status) {
        weir_call_finish(call, status);
        return;
    }
    weir_wait_start(&(weir_wait){.point = &area->point,
                                 .object = &area->base,
                                 .attempt = attempt,
                                 .lane = lane,
                                 .cancelled = "Staging operation was cancelled"},
                    call);
    weir_ref_release(&area->base.ref);
}

static void put(weir_call *call)
{
    start(call, try_put, PUTS);
}

static void get(weir_call *call)
{
    start(call, try_get, GETS);
}

static void peek(weir_call *call)
{
    if (weir_in(call, 0)->shape.rank != 0) {
        weir_call_finish(call, weir_error(WEIR_INVALID_ARGUMENT, "index must be scalar"));
        return;
    }
    start(call, try_peek, WEIR_NO_LANE);
}

static weir_status size(weir_call *call)
{
    area *area;
    WEIR_TRY(open_area(call, &area));
    weir_mutex_lock(&area->point.lock);
    *(int32_t *)weir_out(call, 0)->data = (int32_t)area->items.count;
    weir_mutex_unlock(&area->point.lock);
    weir_ref_release(&area->base.ref);
    return WEIR_OK;
}

static weir_status clear(weir_call *call)
{
    area *area;
    WEIR_TRY(open_area(call, &area));
    weir_mutex_lock(&area->point.lock);
    drop_all(area);
    weir_mutex_unlock(&area->point.lock);
    weir_wait_changed(&area->point);
    weir_ref_release(&area->base.ref);
    return WEIR_OK;
}

const weir_op weir_op_stage = {
    .name = "Stage",
    .in = "values: dtypes",
    .attrs = WEIR_STAGE_LIMITS "dtypes: list(type) >= 1; " WEIR_STAGE_NAMES,
    .flags = WEIR_STATEFUL,
    .infer = weir_infer_no_outputs,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", NULL, WEIR_STAGE_AWAITS, .start = put, WEIR_STAGE_NAMED}},
};

const weir_op weir_op_unstage = {
    .name = "Unstage",
    .out = "values: dtypes",
    .attrs = WEIR_STAGE_LIMITS "dtypes: list(type) >= 1; " WEIR_STAGE_NAMES,
    .flags = WEIR_STATEFUL,
    .infer = weir_infer_unknown,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", NULL, WEIR_STAGE_AWAITS, .start = get, WEIR_STAGE_NAMED}},
};

const weir_op weir_op_stage_peek = {
    .name = "StagePeek",
    .in = "index: int32",
    .out = "values: dtypes",
    .attrs = WEIR_STAGE_LIMITS "dtypes: list(type) >= 1; " WEIR_STAGE_NAMES,
    .host = "index",
    .flags = WEIR_STATEFUL,
    .infer = weir_infer_unknown,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", NULL, WEIR_STAGE_AWAITS, .start = peek, WEIR_STAGE_NAMED}},
};

const weir_op weir_op_stage_size = {
    .name = "StageSize",
    .out = "size: int32",
    .attrs = WEIR_STAGE_LIMITS "dtypes: list(type); " WEIR_STAGE_NAMES,
    .host = "size",
    .flags = WEIR_STATEFUL,
    .infer = weir_infer_scalar,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", size, WEIR_CHEAP, WEIR_STAGE_NAMED}},
};

const weir_op weir_op_stage_clear = {
    .name = "StageClear",
    .attrs = WEIR_STAGE_LIMITS "dtypes: list(type); " WEIR_STAGE_NAMES,
    .flags = WEIR_STATEFUL,
    .infer = weir_infer_no_outputs,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", clear, WEIR_CHEAP, WEIR_STAGE_NAMED}},
};
