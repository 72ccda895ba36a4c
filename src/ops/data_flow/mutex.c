/* ops/data_flow/mutex.c - MutexV2, MutexLock, ConsumeMutexLock: mutual exclusion between steps.
 *
 * A lock is a variant: the mutex is released with the last reference to it. */
#include "ops/state/named.h"
#include "state/wait.h"
#include "tensor/handle.h"

typedef struct mutex {
    weir_resource base;
    weir_wait_point point;
    bool held; /* under point.lock */
} mutex;

typedef struct held_lock {
    weir_variant base;
    mutex *of; /* retained */
} held_lock;

static const weir_resource_type mutex_type = {"N10tensorflow5MutexE", "mutex"};
static const weir_variant_type lock_type = {.name = "(anonymous namespace)::Mutex::LockReleaser"};

static void mutex_destroy(weir_ref *ref)
{
    mutex *this_mutex = (mutex *)ref;
    weir_wait_fini(&this_mutex->point);
    weir_free(this_mutex);
}

static void lock_destroy(weir_ref *ref)
{
    held_lock *lock = (held_lock *)ref;
    weir_mutex_lock(&lock->of->point.lock);
    lock->of->held = false;
    weir_mutex_unlock(&lock->of->point.lock);
    weir_wait_changed(&lock->of->point);
    weir_ref_release(&lock->of->base.ref);
    weir_free(lock);
}

static weir_status create(void *arg, weir_resource **out)
{
    mutex *new_mutex = WEIR_NEW(mutex);
    weir_ref_init(&new_mutex->base.ref, mutex_destroy);
    new_mutex->base.type = &mutex_type;
    weir_wait_init(&new_mutex->point);
    *out = &new_mutex->base;
    return WEIR_OK;
}

static weir_status prepare(weir_prepare *preparation)
{
    enum { CONTAINER, SHARED_NAME };
    return weir_named_prepare(preparation, CONTAINER, SHARED_NAME, WEIR_BY_NODE_NAME, &mutex_type);
}

static weir_status make(weir_call *call)
{
    weir_resource *found;
    WEIR_TRY(weir_named_open(call, create, NULL, &found));
    weir_ref_release(&found->ref);
    weir_named_output(call, 0);
    return WEIR_OK;
}

static bool try_lock(weir_call *call, void *object, weir_status *out_status)
{
    mutex *mutex = object;
    if (mutex->held)
        return false;
    mutex->held = true;
    held_lock *lock = WEIR_NEW(held_lock);
    weir_ref_init(&lock->base.ref, lock_destroy);
    lock->base.type = &lock_type;
    weir_ref_retain(&mutex->base.ref);
    lock->of = mutex;
    weir_call_set(call, 0, weir_tensor_from_variant(&lock->base));
    return true;
}

static void lock(weir_call *call)
{
    weir_resource *found;
    weir_status status = weir_named_input(call, 0, &mutex_type, &found);
    if (status) {
        weir_call_finish(call, status);
        return;
    }
    weir_wait_start(&(weir_wait){.point = &((mutex *)found)->point,
                                 .object = found,
                                 .attempt = try_lock,
                                 .cancelled = "Lock acquisition cancelled."},
                    call);
    weir_ref_release(&found->ref);
}

static weir_status consume(weir_call *call)
{
    const weir_variant *variant = weir_tensor_variant(weir_in(call, 0));
    if (!variant || variant->type != &lock_type)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Expected input to be a LockReleaser, but got '%s'",
                          variant ? variant->type->name : "nothing");
    return WEIR_OK;
}

const weir_op weir_op_mutex_v2 = {
    .name = "MutexV2",
    .out = "resource: resource",
    .attrs = "container: string = \"\"; shared_name: string = \"\"",
    .flags = WEIR_STATEFUL,
    .infer = weir_infer_scalar,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", make, WEIR_OWN_OUTPUTS | WEIR_CHEAP, .prepare = prepare,
                 .cleanup = weir_named_cleanup}},
};

const weir_op weir_op_mutex_lock = {
    .name = "MutexLock",
    .in = "mutex: resource",
    .out = "mutex_lock: variant",
    .flags = WEIR_STATEFUL,
    .infer = weir_infer_scalar,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", NULL, WEIR_ASYNC | WEIR_OWN_OUTPUTS, .start = lock}},
};

const weir_op weir_op_consume_mutex_lock = {
    .name = "ConsumeMutexLock",
    .in = "mutex_lock: variant",
    .flags = WEIR_STATEFUL,
    .infer = weir_infer_no_outputs,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", consume, WEIR_CHEAP}},
};
