/* ops/flow/while.c - While, StatelessWhile, For: calls functions repeatedly.
 *
 * A function may complete before its call returns, or later on another thread. The loop must
 * neither recurse in the first case nor continue twice in the second: the second of the two events,
 * completion or return, starts the next iteration.
 */
#include <stdatomic.h>

#include "ops/declare.h"
#include "ops/flow/functions_impl.h"

enum { COND, BODY }; /* order of the func attrs of While */

typedef struct loop loop;

struct loop {
    weir_call *call;
    int count;           /* number of loop variables */
    weir_tensor *values; /* owned */
    atomic_bool second;  /* set by the first of completion and return */
    /* While: */
    bool in_body;
    /* For: */
    bool counted;
    int32_t index, limit, delta;
    /* Results of the last call. */
    weir_status status;
    weir_tensor *answer;
    int answer_count;
    bool last; /* no further calls */
};

static void drive(loop *loop);

static void loop_finish(loop *loop)
{
    weir_call *call = loop->call;
    weir_status status = loop->status;
    for (int i = 0; status && i < loop->count; i++)
        weir_tensor_release(&loop->values[i]);
    weir_functions_return(call, status, loop->values, loop->count);
    weir_free(loop->values);
    weir_free(loop);
}

/* Stores the results for drive; the array belongs to the runner. */
static void answered(void *arg, weir_status status, weir_tensor *rets, int count)
{
    loop *loop = arg;
    loop->status = status;
    loop->answer = NULL;
    loop->answer_count = count;
    if (!status) {
        loop->answer = WEIR_NEW_ARRAY(weir_tensor, count + 1);
        memcpy(loop->answer, rets, sizeof *rets * (size_t)count);
    }
    if (atomic_exchange(&loop->second, true))
        drive(loop);
}

static void drop_answer(loop *loop)
{
    for (int i = 0; loop->answer && i < loop->answer_count; i++)
        weir_tensor_release(&loop->answer[i]);
    weir_free(loop->answer);
    loop->answer = NULL;
}

/* Takes the values for the next iteration. */
static void take_values(loop *loop)
{
    if (loop->answer_count != loop->count) {
        loop->status =
            weir_error(WEIR_INVALID_ARGUMENT, "%s loop body returned %d arguments. Expected: %d",
                       loop->counted ? "For" : "While", loop->answer_count, loop->count);
        drop_answer(loop);
        return;
    }
    for (int i = 0; i < loop->count; i++) {
        weir_tensor_release(&loop->values[i]);
        loop->values[i] = loop->answer[i];
    }
    weir_free(loop->answer);
    loop->answer = NULL;
}

static void take_condition(loop *loop)
{
    bool more = false;
    if (loop->answer_count != 1)
        loop->status =
            weir_error(WEIR_INVALID_ARGUMENT,
                       "Expected a single scalar return value of the condition of %s, got %d "
                       "tensors.",
                       loop->call->site->name, loop->answer_count);
    else
        loop->status = weir_truth_of(&loop->answer[0], &more);
    drop_answer(loop);
    loop->last = !more;
}

/* Processes the results of the last call and chooses the next one. */
static void advance(loop *loop)
{
    if (loop->counted || loop->in_body)
        take_values(loop);
    else
        take_condition(loop);
    if (loop->counted) {
        int64_t next = (int64_t)loop->index + loop->delta;
        loop->last = loop->delta > 0 ? next >= loop->limit : next <= loop->limit;
        loop->index = (int32_t)next;
    } else {
        loop->in_body = !loop->in_body;
    }
}

static void call_next(loop *loop)
{
    const weir_functions *functions = loop->call->state;
    weir_run *run = loop->call->run;
    atomic_store(&loop->second, false);
    if (!loop->counted) {
        functions->runner->call(functions->at[loop->in_body ? BODY : COND], run, loop->values,
                                loop->count, answered, loop);
        return;
    }
    WEIR_FREED weir_tensor *args = WEIR_NEW_ARRAY(weir_tensor, loop->count + 1);
    args[0] = weir_tensor_scalar(WEIR_INT32, &loop->index);
    memcpy(args + 1, loop->values, sizeof *args * (size_t)loop->count);
    weir_tensor index = args[0]; /* the loop may be freed by the call */
    functions->runner->call(functions->at[0], run, args, loop->count + 1, answered, loop);
    weir_tensor_release(&index);
}

/* Runs after a completion; returns when another call is pending, or at the end. */
static void drive(loop *loop)
{
    do {
        if (!loop->status)
            advance(loop);
        if (loop->status || loop->last) {
            loop_finish(loop);
            return;
        }
        call_next(loop);
    } while (atomic_exchange(&loop->second, true));
}

static loop *loop_create(weir_call *call, int from)
{
    loop *new_loop = WEIR_NEW(loop);
    new_loop->call = call;
    new_loop->count = call->site->in_count - from;
    new_loop->values = WEIR_NEW_ARRAY(weir_tensor, new_loop->count + 1);
    for (int i = 0; i < new_loop->count; i++)
        new_loop->values[i] = weir_tensor_share(weir_in(call, from + i));
    return new_loop;
}

/* Makes the first call; all iterations are alike from then on. */
static void begin(loop *loop)
{
    call_next(loop);
    if (atomic_exchange(&loop->second, true))
        drive(loop);
}

static void start_while(weir_call *call)
{
    begin(loop_create(call, 0));
}

static weir_status read_bound(weir_call *call, int in, int32_t *out)
{
    const weir_tensor *tensor = weir_in(call, in);
    if (tensor->shape.rank != 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "%s must be a scalar, but has shape %s",
                          call->site->def->in[in].name, WEIR_SHAPE_STR(&tensor->shape));
    *out = *(const int32_t *)tensor->data;
    return WEIR_OK;
}

static weir_status read_bounds(weir_call *call, int32_t bounds[3])
{
    for (int i = 0; i < 3; i++)
        WEIR_TRY(read_bound(call, i, &bounds[i]));
    int32_t start = bounds[0], limit = bounds[1], delta = bounds[2];
    if (delta == 0 || (delta < 0 && start < limit) || (delta > 0 && start > limit))
        return weir_error(WEIR_INVALID_ARGUMENT, "Invalid start/limit/delta: %d %d %d", start,
                          limit, delta);
    return WEIR_OK;
}

static void start_for(weir_call *call)
{
    int32_t bounds[3];
    weir_status status = read_bounds(call, bounds);
    if (status) {
        weir_call_finish(call, status);
        return;
    }
    loop *loop = loop_create(call, 3);
    loop->counted = true;
    loop->index = bounds[0];
    loop->limit = bounds[1];
    loop->delta = bounds[2];
    if (bounds[0] == bounds[1])
        loop_finish(loop);
    else
        begin(loop);
}

/* Values keep their shapes unless the op specifies others. */
static weir_status infer(weir_infer *infer)
{
    int from = infer->in_count - infer->out_count,
        at = weir_opdef_attr(infer->site->def, "output_shapes");
    bool given = at >= 0 && infer->site->attrs[at].count == infer->out_count;
    for (int output = 0; output < infer->out_count; output++) {
        infer->out[output] = given     ? infer->site->attrs[at].shapes[output]
                             : at >= 0 ? *infer->in[output]
                                       : WEIR_UNKNOWN_SHAPE;
        if (infer->out_handles && infer->in_handles[from + output])
            infer->out_handles[output] = *infer->in_handles[from + output];
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

#define NAMED_WHILE                                                                                \
    .in = "input: T", .out = "output: T", .infer = infer, .flags = WEIR_STATEFUL,                  \
    .kernels = {{WEIR_FUNCTIONS_KERNEL, .start = start_while}}
WEIR_DEFINE_OP(xla_while, "XlaWhile", NAMED_WHILE,
               .attrs = "T: list(type) >= 0; cond: func; body: func");
WEIR_DEFINE_OP(risc_while, "RiscWhile", NAMED_WHILE,
               .attrs = "T: list(type) >= 0; cond: func; body: func; "
                        "output_shapes: list(shape) = []; parallel_iterations: int = 10");

const weir_op weir_op_for = {
    .name = "For",
    .in = "start: int32; limit: int32; delta: int32; input: T",
    .out = "output: T",
    .attrs = "T: list(type) >= 0; body: func",
    .host = "start; limit; delta",
    .flags = WEIR_NO_FOLD,
    .infer = infer,
    .kernels = {{WEIR_FUNCTIONS_KERNEL, .start = start_for}},
};
