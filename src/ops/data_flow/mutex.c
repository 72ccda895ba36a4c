/* ops/data_flow/mutex.c - MutexV2, MutexLock, ConsumeMutexLock: one step at a time.
 *
 * A lock is a variant: the mutex is free again when the last copy of it goes. */
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
    mutex *m = (mutex *)ref;
    weir_wait_fini(&m->point);
    weir_free(m);
}

static void lock_destroy(weir_ref *ref)
{
    held_lock *l = (held_lock *)ref;
    pthread_mutex_lock(&l->of->point.lock);
    l->of->held = false;
    pthread_mutex_unlock(&l->of->point.lock);
    weir_wait_changed(&l->of->point);
    weir_ref_release(&l->of->base.ref);
    weir_free(l);
}

static weir_status create(void *arg, weir_resource **out)
{
    mutex *m = WEIR_NEW(mutex);
    weir_ref_init(&m->base.ref, mutex_destroy);
    m->base.type = &mutex_type;
    weir_wait_init(&m->point);
    *out = &m->base;
    return WEIR_OK;
}

static weir_status prepare(weir_prepare *p)
{
    enum { CONTAINER, SHARED_NAME };
    return weir_named_prepare(p, CONTAINER, SHARED_NAME, WEIR_BY_NODE_NAME, &mutex_type);
}

static weir_status make(weir_call *c)
{
    weir_resource *found;
    WEIR_TRY(weir_named_open(c, create, NULL, &found));
    weir_ref_release(&found->ref);
    weir_named_output(c, 0);
    return WEIR_OK;
}

static bool try_lock(weir_call *c, void *object, weir_status *out_status)
{
    mutex *m = object;
    if (m->held)
        return false;
    m->held = true;
    held_lock *l = WEIR_NEW(held_lock);
    weir_ref_init(&l->base.ref, lock_destroy);
    l->base.type = &lock_type;
    weir_ref_retain(&m->base.ref);
    l->of = m;
    weir_call_set(c, 0, weir_tensor_from_variant(&l->base));
    return true;
}

static void lock(weir_call *c)
{
    weir_resource *found;
    weir_status s = weir_named_input(c, 0, &mutex_type, &found);
    if (s) {
        weir_call_finish(c, s);
        return;
    }
    weir_wait_start(&(weir_wait){.point = &((mutex *)found)->point,
                                 .object = found,
                                 .attempt = try_lock,
                                 .cancelled = "Lock acquisition cancelled."},
                    c);
    weir_ref_release(&found->ref);
}

static weir_status consume(weir_call *c)
{
    const weir_variant *v = weir_tensor_variant(weir_in(c, 0));
    if (!v || v->type != &lock_type)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Expected input to be a LockReleaser, but got '%s'",
                          v ? v->type->name : "nothing");
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
