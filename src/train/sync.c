/* train/sync.c - updates by the mean of several workers' gradients.
 *
 * Every variable has an accumulator beside it and there is one queue of tokens beside the global
 * step, all of them found by the names that SyncReplicasOptimizer gives them. A worker's step puts
 * its gradients into the accumulators, stamped with the step that it began from, and takes a token,
 * whose number is the step that it begins from next. The chief, in a thread of its own, takes each
 * accumulator's mean when it has enough, updates, counts the step, and puts in a token for every
 * worker. Gradients of an older step are dropped by the accumulators: that is what makes slow
 * workers backups.
 *
 * A chief that is lost may have taken gradients and not put their tokens, for which the workers
 * then wait. So a chief that finds the variables of another puts a token for each worker: at worst
 * some worker gives a gradient more than it would have.
 */
#include <stdio.h>

#include "base/str.h"
#include "train/train_impl.h"
#include "weir/ops/data_flow.h"
#include "weir/ops/math.h"

typedef struct accumulator {
    TF_Output handle;
    const variable *v;
    bool sparse; /* TensorFlow keeps these behind references, not resources */
} accumulator;

static accumulator add_accumulator(weir_trainer *t, const variable *v, bool sparse)
{
    weir_buf shared = {0};
    const weir_dims dims = {sparse ? 0 : v->rank, v->dims};
    weir_buf_addf(&shared, "%s:0/grad_accum", v->name);
    weir_build_push_device(t->b, v->device);
    TF_Output handle =
        sparse ? weir_sparse_conditional_accumulator(
                     t->b, "sparse_conditional_accumulator", v->type, &dims,
                     &(weir_sparse_conditional_accumulator_options){.shared_name = shared.at})
               : weir_resource_conditional_accumulator(
                     t->b, "conditional_accumulator", v->type, &dims,
                     &(weir_resource_conditional_accumulator_options){.shared_name = shared.at});
    weir_build_pop_device(t->b);
    weir_buf_fini(&shared);
    return (accumulator){handle, v, sparse};
}

static TF_Operation *put_gradient(weir_trainer *t, const accumulator *a, const variable *local_step,
                                  const weir_gradient *g)
{
    weir_builder *b = t->b;
    TF_Operation *done;
    weir_build_push_device(b, a->v->device);
    if (!a->sparse)
        done = weir_resource_accumulator_apply_gradient(b, "ApplyGradient", a->handle,
                                                        local_step->value, g->values);
    else
        done = weir_sparse_accumulator_apply_gradient(
            b, "ApplyGradient", a->handle, local_step->value,
            weir_cast(b, "indices", g->indices, TF_INT64, NULL), g->values,
            weir_cast(b, "shape", g->shape, TF_INT64, NULL), true);
    weir_build_pop_device(b);
    return done;
}

static weir_gradient take_mean(weir_trainer *t, const accumulator *a, int required)
{
    weir_gradient mean = {0};
    weir_build_push_device(t->b, a->v->device);
    TF_Output count = weir_build_int32(t->b, "num_required", required);
    if (!a->sparse) {
        mean.values = weir_resource_accumulator_take_gradient(t->b, "TakeGradient", a->handle,
                                                              count, a->v->type);
    } else {
        weir_sparse_accumulator_take_gradient_outputs taken = weir_sparse_accumulator_take_gradient(
            t->b, "TakeGradient", a->handle, count, a->v->type);
        mean = (weir_gradient){taken.values, taken.indices, taken.shape};
    }
    weir_build_pop_device(t->b);
    return mean;
}

static TF_Operation *set_step(weir_trainer *t, const accumulator *a)
{
    weir_build_push_device(t->b, a->v->device);
    TF_Operation *done =
        (a->sparse ? weir_accumulator_set_global_step : weir_resource_accumulator_set_global_step)(
            t->b, "SetGlobalStep", a->handle, t->global_step->value);
    weir_build_pop_device(t->b);
    return done;
}

/* ---- tokens --------------------------------------------------------------------------------- */

static TF_Output add_queue(weir_trainer *t)
{
    const TF_DataType type = TF_INT64;
    const int64_t *const scalar[] = {NULL};
    TF_OperationDescription *d = weir_build_begin(t->b, "FIFOQueueV2", "sync_token_q");
    if (d) {
        TF_SetAttrTypeList(d, "component_types", &type, 1);
        TF_SetAttrShapeList(d, "shapes", scalar, &(int){0}, 1);
        TF_SetAttrInt(d, "capacity", -1);
        TF_SetAttrString(d, "shared_name", "sync_token_q", strlen("sync_token_q"));
    }
    return weir_build_end(t->b, d);
}

static TF_Output take_token(weir_trainer *t, TF_Output queue)
{
    const TF_DataType type = TF_INT64;
    TF_OperationDescription *d = weir_build_begin(t->b, "QueueDequeueV2", "sync_token_q_Dequeue");
    if (d) {
        TF_AddInput(d, queue);
        TF_SetAttrTypeList(d, "component_types", &type, 1);
    }
    return weir_build_end(t->b, d);
}

static TF_Operation *put_tokens(weir_trainer *t, TF_Output queue, int count)
{
    if (count <= 0)
        return weir_build_group(t->b, "no_init_tokens", NULL, 0);
    const int64_t one = 1;
    TF_Output dims = weir_build_const(t->b, "Fill/dims", TF_INT32, 1, &one, &(int32_t){count});
    TF_Output tokens = weir_build_op(t->b, "Fill", "Fill", WEIR_INPUTS(dims, t->global_step->ref));
    TF_OperationDescription *d =
        weir_build_begin(t->b, "QueueEnqueueManyV2", "sync_token_q_EnqueueMany");
    if (d) {
        TF_AddInput(d, queue);
        TF_AddInputList(d, &tokens, 1);
    }
    return weir_build_end(t->b, d).oper;
}

/* ---- the whole ------------------------------------------------------------------------------ */

typedef struct syncing {
    weir_trainer *t;
    const updates *u;
    int count; /* of the variables */
    int workers, required;
    variable *local_step; /* which step this worker's gradients belong to */
    accumulator *accumulators;
} syncing;

static void add_local_step(syncing *s)
{
    weir_trainer *t = s->t;
    s->local_step = weir_trainer_add_variable(
        t, &(variable){.name = "sync_rep_local_step", .type = TF_INT64, .of_worker = true},
        t->placement.worker, &(weir_initial){0});
    t->worker_init = weir_trainer_assign(t, s->local_step, "Assign", t->global_step->value).oper;
}

/* The worker's part of a step. */
static void add_worker_step(syncing *s, TF_Output queue)
{
    weir_trainer *t = s->t;
    TF_Operation **put = WEIR_NEW_ARRAY(TF_Operation *, s->count);
    for (int i = 0; i < s->count; i++)
        put[i] = put_gradient(t, &s->accumulators[i], s->local_step, &s->u->gradients[i]);
    weir_build_push_device(t->b, t->global_step->device);
    weir_build_push_control(t->b, weir_build_group(t->b, "gradients_put", put, s->count));
    TF_Output token = take_token(t, queue);
    weir_build_pop_control(t->b);
    weir_build_pop_device(t->b);
    t->step_output = weir_trainer_assign(t, s->local_step, "Assign", token);
    t->train = t->step_output.oper;
    weir_free(put);
}

/* The chief's part of a step. */
static void add_chief_step(syncing *s, TF_Output queue)
{
    weir_trainer *t = s->t;
    weir_gradient *means = WEIR_NEW_ARRAY(weir_gradient, s->count);
    TF_Operation **done = WEIR_NEW_ARRAY(TF_Operation *, s->count);
    for (int i = 0; i < s->count; i++)
        means[i] = take_mean(t, &s->accumulators[i], s->required);
    const updates by_means = {s->u->o, s->u->v, means, s->count};
    weir_trainer_apply(t, &by_means, done);
    TF_Output counted = weir_trainer_count_step(t, &by_means, done);
    weir_build_push_device(t->b, t->global_step->device);
    weir_build_push_control(t->b, counted.oper);
    t->chief_update = put_tokens(t, queue, s->workers > s->required ? s->workers : s->required);
    weir_build_pop_control(t->b);
    weir_build_pop_device(t->b);
    weir_free(means);
    weir_free(done);
}

static void add_init(syncing *s, TF_Output queue)
{
    weir_trainer *t = s->t;
    TF_Operation **init = WEIR_NEW_ARRAY(TF_Operation *, s->count + 1);
    for (int i = 0; i < s->count; i++)
        init[i] = set_step(t, &s->accumulators[i]);
    init[s->count] = t->worker_init;
    t->chief_init = weir_build_group(t->b, "sync_replicas/group_deps", init, s->count + 1);
    weir_build_push_device(t->b, t->global_step->device);
    t->first_tokens = put_tokens(t, queue, s->required - s->workers);
    t->more_tokens = put_tokens(t, queue, s->workers);
    t->close_tokens = weir_build_op(t->b, "QueueCloseV2", "sync_token_q_Close", &queue, 1).oper;
    weir_build_pop_device(t->b);
    weir_free(init);
}

void weir_trainer_finish_sync(weir_trainer *t, const updates *u)
{
    int workers = t->options.job ? weir_job_workers(t->options.job) : 1;
    int required = t->options.replicas_to_aggregate;
    syncing s = {.t = t,
                 .u = u,
                 .count = u->count,
                 .workers = workers,
                 .required = required > 0 ? required : workers};
    s.accumulators = WEIR_NEW_ARRAY(accumulator, u->count);
    add_local_step(&s);
    weir_build_push_scope(t->b, "sync_replicas");
    for (int i = 0; i < u->count; i++)
        s.accumulators[i] = add_accumulator(t, u->v[i], u->gradients[i].indices.oper != NULL);
    weir_build_pop_scope(t->b);
    weir_build_push_device(t->b, t->global_step->device);
    TF_Output queue = add_queue(t);
    weir_build_pop_device(t->b);
    if (!weir_trainer_failed(t)) {
        add_worker_step(&s, queue);
        add_chief_step(&s, queue);
        add_init(&s, queue);
    }
    weir_free(s.accumulators);
}
