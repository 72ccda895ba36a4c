/* ops/data_flow/stack.c - StackV2 and its ops: values that a loop saves for its gradient.
 *
 * A push shares the value's buffer under one lock; nothing is copied.
 */
#include "base/mutex.h"
#include "base/room.h"
#include "grad/flow.h"
#include "ops/data_flow/step_impl.h"
#include "ops/declare.h"

typedef struct stack {
    weir_resource base;
    weir_mutex lock;
    WEIR_VEC(weir_tensor) items WEIR_GUARDED_BY(lock);
    size_t held WEIR_GUARDED_BY(lock); /* bytes of |items| in base/room.h */
    bool closed WEIR_GUARDED_BY(lock);
    weir_dtype dtype;
    int64_t max_size; /* negative: no limit */
    char *name;
} stack;

static const weir_resource_type stack_type = {"N10tensorflow5StackE", "stack"};

static void stack_clear(stack *stack)
{
    for (size_t i = 0; i < stack->items.count; i++)
        weir_tensor_release(&stack->items.at[i]);
    weir_vec_fini(&stack->items);
    weir_room_drop(&stack->held);
}

static void stack_destroy(weir_ref *ref)
{
    stack *this_stack = (stack *)ref;
    stack_clear(this_stack);
    weir_mutex_fini(&this_stack->lock);
    weir_free(this_stack->name);
    weir_free(this_stack);
}

enum { ELEM_TYPE, STACK_NAME };

static weir_status create(weir_call *call)
{
    int64_t max_size = -1;
    if (call->site->in_count) {
        const weir_tensor *size = weir_in(call, 0);
        if (size->shape.rank != 0)
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "Stack size must be a scalar, but had shape: %s",
                              WEIR_SHAPE_STR(&size->shape));
        max_size = *(const int32_t *)size->data;
    }
    stack *new_stack = WEIR_NEW(stack);
    weir_ref_init(&new_stack->base.ref, stack_destroy);
    new_stack->base.type = &stack_type;
    weir_mutex_init(&new_stack->lock);
    new_stack->dtype = weir_site_type(call->site, ELEM_TYPE);
    new_stack->max_size = max_size;
    new_stack->name = weir_step_name(call, weir_site_str(call->site, STACK_NAME));
    weir_status status = weir_step_output(call, 0, &new_stack->base, new_stack->name);
    weir_ref_release(&new_stack->base.ref);
    return status;
}

/* Fails when closed. */
static weir_status check_open(const stack *s) WEIR_REQUIRES(s->lock)
{
    return s->closed
               ? weir_error(WEIR_INVALID_ARGUMENT, "Stack[%s] has already been closed.", s->name)
               : WEIR_OK;
}

static weir_status push_locked(stack *s, const weir_tensor *tensor) WEIR_REQUIRES(s->lock)
{
    WEIR_TRY(check_open(s));
    if (s->max_size >= 0 && (int64_t)s->items.count >= s->max_size)
        return weir_error(WEIR_INVALID_ARGUMENT, "Stack[%s] overflowed its max_size (%lld)",
                          s->name, (long long)s->max_size);
    WEIR_TRY(weir_room_hold(&s->held, (s->items.count + 1) * sizeof *s->items.at, "a stack"));
    weir_vec_push(&s->items, weir_tensor_share(tensor));
    return WEIR_OK;
}

static weir_status push(weir_call *call)
{
    weir_resource *found;
    WEIR_TRY(weir_step_input(call, 0, &stack_type, &found));
    stack *this_stack = (stack *)found;
    const weir_tensor *tensor = weir_in(call, 1);
    if (tensor->dtype != this_stack->dtype)
        return weir_error(WEIR_INVALID_ARGUMENT, "Must have type %s but got %s",
                          weir_dtype_name(this_stack->dtype), weir_dtype_name(tensor->dtype));
    weir_mutex_lock(&this_stack->lock);
    weir_status status = push_locked(this_stack, tensor);
    weir_mutex_unlock(&this_stack->lock);
    WEIR_TRY(status);
    weir_call_forward(call, 1, 0, NULL);
    return WEIR_OK;
}

static weir_status pop_locked(stack *s, weir_tensor *out) WEIR_REQUIRES(s->lock)
{
    WEIR_TRY(check_open(s));
    if (!s->items.count)
        return weir_error(WEIR_INVALID_ARGUMENT, "Stack[%s] is empty when calling Pop().", s->name);
    *out = s->items.at[--s->items.count];
    return WEIR_OK;
}

static weir_status pop(weir_call *call)
{
    weir_resource *found;
    WEIR_TRY(weir_step_input(call, 0, &stack_type, &found));
    stack *this_stack = (stack *)found;
    if (this_stack->dtype != weir_dtype_base(call->site->out_types[0]))
        return weir_error(WEIR_INTERNAL,
                          "Output 0 of type %s does not match declared output type %s for node "
                          "{{node %s}}",
                          weir_dtype_name(this_stack->dtype),
                          weir_dtype_name(call->site->out_types[0]), call->site->name);
    weir_tensor tensor = {0};
    weir_mutex_lock(&this_stack->lock);
    weir_status status = pop_locked(this_stack, &tensor);
    weir_mutex_unlock(&this_stack->lock);
    WEIR_TRY(status);
    weir_call_set(call, 0, tensor);
    return WEIR_OK;
}

static weir_status close_stack(weir_call *call)
{
    weir_resource *found;
    WEIR_TRY(weir_step_input(call, 0, &stack_type, &found));
    stack *this_stack = (stack *)found;
    weir_mutex_lock(&this_stack->lock);
    this_stack->closed = true;
    stack_clear(this_stack);
    weir_mutex_unlock(&this_stack->lock);
    return WEIR_OK;
}

static weir_status infer_create(weir_infer *infer)
{
    infer->out[0] = weir_shape_vector(2);
    return WEIR_OK;
}

static weir_status infer_push(weir_infer *infer)
{
    infer->out[0] = *infer->in[1];
    return WEIR_OK;
}

#define FLAGS (WEIR_OWN_OUTPUTS | WEIR_CHEAP)
#define STACK                                                                                      \
    .attrs = "elem_type: type; stack_name: string = \"\"", .flags = WEIR_STATEFUL,                 \
    .infer = infer_create, .no_grad = true, .kernels = {{WEIR_CPU, "*", create, FLAGS}}
#define PUSH                                                                                       \
    .out = "output: T", .attrs = "T: type; swap_memory: bool = false", .infer = infer_push,        \
    .kernels = {{WEIR_CPU, "*", push, FLAGS}}
#define POP                                                                                        \
    .out = "elem: elem_type", .attrs = "elem_type: type", .infer = weir_infer_unknown,             \
    .kernels = {{WEIR_CPU, "*", pop, FLAGS}}

WEIR_DEFINE_OP(stack, "Stack", STACK, .out = "handle: Ref(string)");
WEIR_DEFINE_OP(stack_push, "StackPush", PUSH, .in = "handle: Ref(string); elem: T",
               .flags = WEIR_NO_FOLD, .no_grad = true);
WEIR_DEFINE_OP(stack_pop, "StackPop", POP, .in = "handle: Ref(string)", .flags = WEIR_NO_FOLD,
               .no_grad = true);

/* Only stacks with a resource handle are used by gradients of loops. */
WEIR_DEFINE_OP(stack_v2, "StackV2", STACK, .in = "max_size: int32", .out = "handle: resource",
               .flow = WEIR_FLOW_STACK, .host = "max_size");
WEIR_DEFINE_OP(stack_push_v2, "StackPushV2", PUSH, .in = "handle: resource; elem: T",
               .flags = WEIR_STATEFUL, .flow = WEIR_FLOW_STACK_PUSH, .grad = weir_grad_stack_push);
WEIR_DEFINE_OP(stack_pop_v2, "StackPopV2", POP, .in = "handle: resource", .flags = WEIR_STATEFUL,
               .flow = WEIR_FLOW_STACK_POP, .grad = weir_grad_stack_pop);

WEIR_DEFINE_HANDLE_OPS(stack_close, "StackClose", "handle", "", .infer = weir_infer_no_outputs,
                       .no_grad = true, .kernels = {{WEIR_CPU, "*", close_stack, WEIR_CHEAP}});
