/* ops/flow/while.c - While, StatelessWhile, For: calls functions until they say enough.
 *
 * A function may answer before its call returns or later on another thread. The loop must neither
 * recurse in the first case nor go on twice in the second: whoever comes second, the answer or the
 * return, drives the next turn.
 */
#include <stdatomic.h>

#include "ops/declare.h"
#include "ops/flow/functions_impl.h"

enum { COND, BODY }; /* order of the func attrs of While */

typedef struct loop loop;

struct loop {
    weir_call *call;
    int count;           /* values that go around */
    weir_tensor *values; /* owned */
    atomic_bool second;  /* set by the first of answer and return */
    /* While: */
    bool in_body;
    /* For: */
    bool counted;
    int32_t index, limit, delta;
    /* The last answer. */
    weir_status status;
    weir_tensor *answer;
    int answer_count;
    bool last; /* nothing more to call */
};

static void drive(loop *l);

static void loop_finish(loop *l)
{
    weir_call *c = l->call;
    weir_status s = l->status;
    for (int i = 0; s && i < l->count; i++)
        weir_tensor_release(&l->values[i]);
    weir_functions_return(c, s, l->values, l->count);
    weir_free(l->values);
    weir_free(l);
}

/* Keeps the answer for drive; the array is the runner's. */
static void answered(void *arg, weir_status s, weir_tensor *rets, int count)
{
    loop *l = arg;
    l->status = s;
    l->answer = NULL;
    l->answer_count = count;
    if (!s) {
        l->answer = WEIR_NEW_ARRAY(weir_tensor, count + 1);
        memcpy(l->answer, rets, sizeof *rets * (size_t)count);
    }
    if (atomic_exchange(&l->second, true))
        drive(l);
}

static void drop_answer(loop *l)
{
    for (int i = 0; l->answer && i < l->answer_count; i++)
        weir_tensor_release(&l->answer[i]);
    weir_free(l->answer);
    l->answer = NULL;
}

/* The values of the next turn. */
static void take_values(loop *l)
{
    if (l->answer_count != l->count) {
        l->status =
            weir_error(WEIR_INVALID_ARGUMENT, "%s loop body returned %d arguments. Expected: %d",
                       l->counted ? "For" : "While", l->answer_count, l->count);
        drop_answer(l);
        return;
    }
    for (int i = 0; i < l->count; i++) {
        weir_tensor_release(&l->values[i]);
        l->values[i] = l->answer[i];
    }
    weir_free(l->answer);
    l->answer = NULL;
}

static void take_condition(loop *l)
{
    bool more = false;
    if (l->answer_count != 1)
        l->status =
            weir_error(WEIR_INVALID_ARGUMENT,
                       "Expected a single scalar return value of the condition of %s, got %d "
                       "tensors.",
                       l->call->site->name, l->answer_count);
    else
        l->status = weir_truth_of(&l->answer[0], &more);
    drop_answer(l);
    l->last = !more;
}

/* Digests the last answer and says what comes next. */
static void advance(loop *l)
{
    if (l->counted || l->in_body)
        take_values(l);
    else
        take_condition(l);
    if (l->counted) {
        int64_t next = (int64_t)l->index + l->delta;
        l->last = l->delta > 0 ? next >= l->limit : next <= l->limit;
        l->index = (int32_t)next;
    } else {
        l->in_body = !l->in_body;
    }
}

static void call_next(loop *l)
{
    const weir_functions *f = l->call->state;
    weir_run *run = l->call->run;
    atomic_store(&l->second, false);
    if (!l->counted) {
        f->runner->call(f->at[l->in_body ? BODY : COND], run, l->values, l->count, answered, l);
        return;
    }
    weir_tensor *args = WEIR_NEW_ARRAY(weir_tensor, l->count + 1);
    args[0] = weir_tensor_scalar(WEIR_INT32, &l->index);
    memcpy(args + 1, l->values, sizeof *args * (size_t)l->count);
    weir_tensor index = args[0]; /* the loop may be gone after the call */
    f->runner->call(f->at[0], run, args, l->count + 1, answered, l);
    weir_tensor_release(&index);
    weir_free(args);
}

/* Entered with an answer; leaves when another is on its way, or at the end. */
static void drive(loop *l)
{
    do {
        if (!l->status)
            advance(l);
        if (l->status || l->last) {
            loop_finish(l);
            return;
        }
        call_next(l);
    } while (atomic_exchange(&l->second, true));
}

static loop *loop_create(weir_call *c, int from)
{
    loop *l = WEIR_NEW(loop);
    l->call = c;
    l->count = c->site->in_count - from;
    l->values = WEIR_NEW_ARRAY(weir_tensor, l->count + 1);
    for (int i = 0; i < l->count; i++)
        l->values[i] = weir_tensor_share(weir_in(c, from + i));
    return l;
}

/* Makes the first call; what follows is the same for every turn. */
static void begin(loop *l)
{
    call_next(l);
    if (atomic_exchange(&l->second, true))
        drive(l);
}

static void start_while(weir_call *c)
{
    begin(loop_create(c, 0));
}

static weir_status read_bound(weir_call *c, int in, int32_t *out)
{
    const weir_tensor *t = weir_in(c, in);
    if (t->shape.rank != 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "%s must be a scalar, but has shape %s",
                          c->site->def->in[in].name, WEIR_SHAPE_STR(&t->shape));
    *out = *(const int32_t *)t->data;
    return WEIR_OK;
}

static weir_status read_bounds(weir_call *c, int32_t bounds[3])
{
    for (int i = 0; i < 3; i++)
        WEIR_TRY(read_bound(c, i, &bounds[i]));
    int32_t start = bounds[0], limit = bounds[1], delta = bounds[2];
    if (delta == 0 || (delta < 0 && start < limit) || (delta > 0 && start > limit))
        return weir_error(WEIR_INVALID_ARGUMENT, "Invalid start/limit/delta: %d %d %d", start,
                          limit, delta);
    return WEIR_OK;
}

static void start_for(weir_call *c)
{
    int32_t bounds[3];
    weir_status s = read_bounds(c, bounds);
    if (s) {
        weir_call_finish(c, s);
        return;
    }
    loop *l = loop_create(c, 3);
    l->counted = true;
    l->index = bounds[0];
    l->limit = bounds[1];
    l->delta = bounds[2];
    if (bounds[0] == bounds[1])
        loop_finish(l);
    else
        begin(l);
}

/* Values keep their shapes unless the op says otherwise. */
static weir_status infer(weir_infer *i)
{
    int from = i->in_count - i->out_count, at = weir_opdef_attr(i->site->def, "output_shapes");
    bool given = at >= 0 && i->site->attrs[at].count == i->out_count;
    for (int o = 0; o < i->out_count; o++) {
        i->out[o] = given ? i->site->attrs[at].shapes[o] : at >= 0 ? *i->in[o] : WEIR_UNKNOWN_SHAPE;
        if (i->out_handles && i->in_handles[from + o])
            i->out_handles[o] = *i->in_handles[from + o];
    }
    return WEIR_OK;
}

#define WHILE                                                                                      \
    .in = "input: T", .out = "output: T",                                                          \
    .attrs = "T: list(type) >= 0; cond: func; body: func; output_shapes: list(shape) = []; "       \
             "parallel_iterations: int = 10",                                                      \
    .infer = infer, .flow = WEIR_FLOW_WHILE,                                                       \
    .kernels = {{WEIR_FUNCTIONS_KERNEL, .start = start_while}}

WEIR_DEFINE_OP(while, "While", WHILE, .flags = WEIR_STATEFUL);
WEIR_DEFINE_OP(stateless_while, "StatelessWhile", WHILE, .flags = WEIR_NO_FOLD);

const weir_op weir_op_for = {
    .name = "For",
    .in = "start: int32; limit: int32; delta: int32; input: T",
    .out = "output: T",
    .attrs = "T: list(type) >= 0; body: func",
    .flags = WEIR_NO_FOLD,
    .infer = infer,
    .kernels = {{WEIR_FUNCTIONS_KERNEL, .start = start_for}},
};
