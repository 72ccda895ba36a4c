/* ops/data_flow/stack.c - StackV2 and its ops: values that a loop keeps for its gradient.
 *
 * A push shares the value's buffer under one lock; nothing is copied.
 */
#include "base/mutex.h"
#include "grad/flow.h"
#include "ops/data_flow/step_impl.h"
#include "ops/declare.h"

typedef struct stack {
    weir_resource base;
    weir_mutex lock;
    WEIR_VEC(weir_tensor) items WEIR_GUARDED_BY(lock);
    bool closed WEIR_GUARDED_BY(lock);
    weir_dtype dtype;
    int64_t max_size; /* negative: no limit */
    char *name;
} stack;

static const weir_resource_type stack_type = {"N10tensorflow5StackE", "stack"};

static void stack_clear(stack *s)
{
    for (size_t i = 0; i < s->items.count; i++)
        weir_tensor_release(&s->items.at[i]);
    weir_vec_fini(&s->items);
}

static void stack_destroy(weir_ref *ref)
{
    stack *s = (stack *)ref;
    stack_clear(s);
    weir_mutex_fini(&s->lock);
    weir_free(s->name);
    weir_free(s);
}

enum { ELEM_TYPE, STACK_NAME };

static weir_status create(weir_call *c)
{
    int64_t max_size = -1;
    if (c->site->in_count) {
        const weir_tensor *size = weir_in(c, 0);
        if (size->shape.rank != 0)
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "Stack size must be a scalar, but had shape: %s",
                              WEIR_SHAPE_STR(&size->shape));
        max_size = *(const int32_t *)size->data;
    }
    stack *s = WEIR_NEW(stack);
    weir_ref_init(&s->base.ref, stack_destroy);
    s->base.type = &stack_type;
    weir_mutex_init(&s->lock);
    s->dtype = weir_site_type(c->site, ELEM_TYPE);
    s->max_size = max_size;
    s->name = weir_step_name(c, weir_site_str(c->site, STACK_NAME));
    weir_status status = weir_step_output(c, 0, &s->base, s->name);
    weir_ref_release(&s->base.ref);
    return status;
}

/* Fails when closed. */
static weir_status check_open(const stack *s) WEIR_REQUIRES(s->lock)
{
    return s->closed
               ? weir_error(WEIR_INVALID_ARGUMENT, "Stack[%s] has already been closed.", s->name)
               : WEIR_OK;
}

static weir_status push_locked(stack *s, const weir_tensor *t) WEIR_REQUIRES(s->lock)
{
    WEIR_TRY(check_open(s));
    if (s->max_size >= 0 && (int64_t)s->items.count >= s->max_size)
        return weir_error(WEIR_INVALID_ARGUMENT, "Stack[%s] overflowed its max_size (%lld)",
                          s->name, (long long)s->max_size);
    weir_vec_push(&s->items, weir_tensor_share(t));
    return WEIR_OK;
}

static weir_status push(weir_call *c)
{
    weir_resource *found;
    WEIR_TRY(weir_step_input(c, 0, &stack_type, &found));
    stack *s = (stack *)found;
    const weir_tensor *t = weir_in(c, 1);
    if (t->dtype != s->dtype)
        return weir_error(WEIR_INVALID_ARGUMENT, "Must have type %s but got %s",
                          weir_dtype_name(s->dtype), weir_dtype_name(t->dtype));
    weir_mutex_lock(&s->lock);
    weir_status status = push_locked(s, t);
    weir_mutex_unlock(&s->lock);
    WEIR_TRY(status);
    weir_call_forward(c, 1, 0, NULL);
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

static weir_status pop(weir_call *c)
{
    weir_resource *found;
    WEIR_TRY(weir_step_input(c, 0, &stack_type, &found));
    stack *s = (stack *)found;
    if (s->dtype != weir_dtype_base(c->site->out_types[0]))
        return weir_error(WEIR_INTERNAL,
                          "Output 0 of type %s does not match declared output type %s for node "
                          "{{node %s}}",
                          weir_dtype_name(s->dtype), weir_dtype_name(c->site->out_types[0]),
                          c->site->name);
    weir_tensor t = {0};
    weir_mutex_lock(&s->lock);
    weir_status status = pop_locked(s, &t);
    weir_mutex_unlock(&s->lock);
    WEIR_TRY(status);
    weir_call_set(c, 0, t);
    return WEIR_OK;
}

static weir_status close_stack(weir_call *c)
{
    weir_resource *found;
    WEIR_TRY(weir_step_input(c, 0, &stack_type, &found));
    stack *s = (stack *)found;
    weir_mutex_lock(&s->lock);
    s->closed = true;
    stack_clear(s);
    weir_mutex_unlock(&s->lock);
    return WEIR_OK;
}

static weir_status infer_create(weir_infer *i)
{
    i->out[0] = weir_shape_vector(2);
    return WEIR_OK;
}

static weir_status infer_push(weir_infer *i)
{
    i->out[0] = *i->in[1];
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

/* Only stacks with a resource for a handle are what gradients of loops are made of. */
WEIR_DEFINE_OP(stack_v2, "StackV2", STACK, .in = "max_size: int32", .out = "handle: resource",
               .flow = WEIR_FLOW_STACK);
WEIR_DEFINE_OP(stack_push_v2, "StackPushV2", PUSH, .in = "handle: resource; elem: T",
               .flags = WEIR_STATEFUL, .flow = WEIR_FLOW_STACK_PUSH, .grad = weir_grad_stack_push);
WEIR_DEFINE_OP(stack_pop_v2, "StackPopV2", POP, .in = "handle: resource", .flags = WEIR_STATEFUL,
               .flow = WEIR_FLOW_STACK_POP, .grad = weir_grad_stack_pop);

WEIR_DEFINE_HANDLE_OPS(stack_close, "StackClose", "handle", "", .infer = weir_infer_no_outputs,
                       .no_grad = true, .kernels = {{WEIR_CPU, "*", close_stack, WEIR_CHEAP}});
