/* ops/data_flow/stage.c - Stage, Unstage and what asks about the staging area: a bounded line of
 * tuples between steps. */
#include <inttypes.h>

#include "ops/data_flow/stage_impl.h"

typedef struct area {
    weir_resource base;
    weir_wait_point point;
    weir_stage_limits limits;
    /* Under point.lock: */
    WEIR_VEC(weir_stage_tuple) items; /* oldest first */
    size_t bytes;
} area;

static const weir_resource_type area_type = {"N10tensorflow6BufferE", "staging area"};

static void drop_all(area *a)
{
    for (size_t i = 0; i < a->items.count; i++)
        weir_stage_tuple_fini(&a->items.at[i]);
    a->items.count = 0;
    a->bytes = 0;
}

static void destroy(weir_ref *ref)
{
    area *a = (area *)ref;
    drop_all(a);
    weir_vec_fini(&a->items);
    weir_wait_fini(&a->point);
    weir_free(a);
}

static weir_status create(void *arg, weir_resource **out)
{
    area *a = WEIR_NEW(area);
    weir_ref_init(&a->base.ref, destroy);
    a->base.type = &area_type;
    weir_wait_init(&a->point);
    a->limits = weir_stage_limits_of(arg);
    *out = &a->base;
    return WEIR_OK;
}

static weir_status prepare(weir_prepare *p)
{
    return weir_named_prepare(p, weir_opdef_attr(p->site->def, "container"),
                              weir_opdef_attr(p->site->def, "shared_name"), WEIR_BY_NODE_NAME,
                              &area_type);
}

static weir_status open_area(weir_call *c, area **out)
{
    weir_resource *found;
    WEIR_TRY(weir_named_open(c, create, (void *)c->site, &found));
    *out = (area *)found;
    return WEIR_OK;
}

/* ---- waiting calls --------------------------------------------------------------------------- */

enum { PUTS, GETS }; /* lanes */

static bool try_put(weir_call *c, void *object, weir_status *out_status)
{
    area *a = object;
    size_t bytes = weir_stage_bytes(c, 0);
    if (weir_stage_full(&a->limits, a->items.count, a->bytes, bytes, out_status))
        return *out_status != WEIR_OK;
    weir_vec_push(&a->items, weir_stage_tuple_of(c, 0));
    a->bytes += bytes;
    return true;
}

static weir_status give(weir_call *c, const weir_stage_tuple *t)
{
    if (t->count != c->site->out_count)
        return weir_error(WEIR_INVALID_ARGUMENT, "Tuple has %d tensors, but node %s expects %d",
                          t->count, c->site->name, c->site->out_count);
    for (int o = 0; o < t->count; o++)
        WEIR_TRY(weir_stage_give(c, o, &t->at[o]));
    return WEIR_OK;
}

static bool try_get(weir_call *c, void *object, weir_status *out_status)
{
    area *a = object;
    if (!a->items.count)
        return false;
    weir_stage_tuple t = a->items.at[0];
    a->items.count--;
    memmove(a->items.at, a->items.at + 1, sizeof t * a->items.count);
    a->bytes -= weir_stage_tuple_bytes(&t);
    *out_status = give(c, &t);
    weir_stage_tuple_fini(&t);
    return true;
}

static bool try_peek(weir_call *c, void *object, weir_status *out_status)
{
    area *a = object;
    int32_t index = *(const int32_t *)weir_in(c, 0)->data;
    if (index < 0) {
        *out_status = weir_error(WEIR_INVALID_ARGUMENT, "Index %d is negative", index);
        return true;
    }
    if ((size_t)index >= a->items.count)
        return false;
    *out_status = give(c, &a->items.at[index]);
    return true;
}

static void start(weir_call *c, weir_wait_try attempt, int lane)
{
    area *a;
    weir_status s = open_area(c, &a);
    if (s) {
        weir_call_finish(c, s);
        return;
    }
    weir_wait_start(&(weir_wait){.point = &a->point,
                                 .object = &a->base,
                                 .attempt = attempt,
                                 .lane = lane,
                                 .cancelled = "Staging operation was cancelled"},
                    c);
    weir_ref_release(&a->base.ref);
}

static void put(weir_call *c)
{
    start(c, try_put, PUTS);
}

static void get(weir_call *c)
{
    start(c, try_get, GETS);
}

static void peek(weir_call *c)
{
    if (weir_in(c, 0)->shape.rank != 0) {
        weir_call_finish(c, weir_error(WEIR_INVALID_ARGUMENT, "index must be scalar"));
        return;
    }
    start(c, try_peek, WEIR_NO_LANE);
}

static weir_status size(weir_call *c)
{
    area *a;
    WEIR_TRY(open_area(c, &a));
    pthread_mutex_lock(&a->point.lock);
    *(int32_t *)weir_out(c, 0)->data = (int32_t)a->items.count;
    pthread_mutex_unlock(&a->point.lock);
    weir_ref_release(&a->base.ref);
    return WEIR_OK;
}

static weir_status clear(weir_call *c)
{
    area *a;
    WEIR_TRY(open_area(c, &a));
    pthread_mutex_lock(&a->point.lock);
    drop_all(a);
    pthread_mutex_unlock(&a->point.lock);
    weir_wait_changed(&a->point);
    weir_ref_release(&a->base.ref);
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
    .flags = WEIR_STATEFUL,
    .infer = weir_infer_unknown,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", NULL, WEIR_STAGE_AWAITS, .start = peek, WEIR_STAGE_NAMED}},
};

const weir_op weir_op_stage_size = {
    .name = "StageSize",
    .out = "size: int32",
    .attrs = WEIR_STAGE_LIMITS "dtypes: list(type); " WEIR_STAGE_NAMES,
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
