/* train/sync.c - synchronous updates: the mean of several workers' gradients.
 *
 * Every variable has an accumulator on its device, and there is one token queue on the device of
 * the global step, with the names of SyncReplicasOptimizer. A worker's step adds its gradients
 * to the accumulators, stamped with the step that it started from, and takes a token, whose
 * number is the step that it starts from next. The chief, in a separate thread, takes each
 * accumulator's mean when it has enough gradients, updates, increments the step, and enqueues a
 * token for every worker. Accumulators drop gradients of an older step: this makes slow workers
 * backups.
 *
 * A lost chief may have taken gradients without enqueuing their tokens, for which the workers then
 * wait. So a chief that finds initialised variables enqueues a token for each worker: at worst some
 * worker contributes an additional gradient.
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

static accumulator add_accumulator(weir_trainer *trainer, const variable *variable, bool sparse)
{
    WEIR_BUF(shared);
    const weir_dims dims = {sparse ? 0 : variable->rank, variable->dims};
    weir_buf_addf(&shared, "%s:0/grad_accum", variable->name);
    weir_build_push_device(trainer->b, variable->device);
    TF_Output handle =
        sparse ? weir_sparse_conditional_accumulator(
                     trainer->b, "sparse_conditional_accumulator", variable->type, &dims,
                     &(weir_sparse_conditional_accumulator_options){.shared_name = shared.at})
               : weir_resource_conditional_accumulator(
                     trainer->b, "conditional_accumulator", variable->type, &dims,
                     &(weir_resource_conditional_accumulator_options){.shared_name = shared.at});
    weir_build_pop_device(trainer->b);
    return (accumulator){handle, variable, sparse};
}

static TF_Operation *put_gradient(weir_trainer *trainer, const accumulator *accumulator,
                                  const variable *local_step, const weir_gradient *gradient)
{
    weir_builder *builder = trainer->b;
    TF_Operation *done;
    weir_build_push_device(builder, accumulator->v->device);
    if (!accumulator->sparse)
        done = weir_resource_accumulator_apply_gradient(
            builder, "ApplyGradient", accumulator->handle, local_step->value, gradient->values);
    else
        done = weir_sparse_accumulator_apply_gradient(
            builder, "ApplyGradient", accumulator->handle, local_step->value,
            weir_cast(builder, "indices", gradient->indices, TF_INT64, NULL), gradient->values,
            weir_cast(builder, "shape", gradient->shape, TF_INT64, NULL), true);
    weir_build_pop_device(builder);
    return done;
}

static weir_gradient take_mean(weir_trainer *trainer, const accumulator *accumulator, int required)
{
    weir_gradient mean = {0};
    weir_build_push_device(trainer->b, accumulator->v->device);
    TF_Output count = weir_build_int32(trainer->b, "num_required", required);
    if (!accumulator->sparse) {
        mean.values = weir_resource_accumulator_take_gradient(
            trainer->b, "TakeGradient", accumulator->handle, count, accumulator->v->type);
    } else {
        weir_sparse_accumulator_take_gradient_outputs taken = weir_sparse_accumulator_take_gradient(
            trainer->b, "TakeGradient", accumulator->handle, count, accumulator->v->type);
        mean = (weir_gradient){taken.values, taken.indices, taken.shape};
    }
    weir_build_pop_device(trainer->b);
    return mean;
}

static TF_Operation *set_step(weir_trainer *trainer, const accumulator *accumulator)
{
    weir_build_push_device(trainer->b, accumulator->v->device);
    TF_Operation *done = (accumulator->sparse ? weir_accumulator_set_global_step
                                              : weir_resource_accumulator_set_global_step)(
        trainer->b, "SetGlobalStep", accumulator->handle, trainer->global_step->value);
    weir_build_pop_device(trainer->b);
    return done;
}

/* ---- tokens --------------------------------------------------------------------------------- */

static TF_Output add_queue(weir_trainer *trainer)
{
    const TF_DataType type = TF_INT64;
    const int64_t *const scalar[] = {NULL};
    TF_OperationDescription *description =
        weir_build_begin(trainer->b, "FIFOQueueV2", "sync_token_q");
    if (description) {
        TF_SetAttrTypeList(description, "component_types", &type, 1);
        TF_SetAttrShapeList(description, "shapes", scalar, &(int){0}, 1);
        TF_SetAttrInt(description, "capacity", -1);
        TF_SetAttrString(description, "shared_name", "sync_token_q", strlen("sync_token_q"));
    }
    return weir_build_end(trainer->b, description);
}

static TF_Output take_token(weir_trainer *trainer, TF_Output queue)
{
    const TF_DataType type = TF_INT64;
    TF_OperationDescription *description =
        weir_build_begin(trainer->b, "QueueDequeueV2", "sync_token_q_Dequeue");
    if (description) {
        TF_AddInput(description, queue);
        TF_SetAttrTypeList(description, "component_types", &type, 1);
    }
    return weir_build_end(trainer->b, description);
}

static TF_Operation *put_tokens(weir_trainer *trainer, TF_Output queue, int count)
{
    if (count <= 0)
        return weir_build_group(trainer->b, "no_init_tokens", NULL, 0);
    const int64_t one = 1;
    TF_Output dims =
        weir_build_const(trainer->b, "Fill/dims", TF_INT32, 1, &one, &(int32_t){count});
    TF_Output tokens =
        weir_build_op(trainer->b, "Fill", "Fill", WEIR_INPUTS(dims, trainer->global_step->ref));
    TF_OperationDescription *description =
        weir_build_begin(trainer->b, "QueueEnqueueManyV2", "sync_token_q_EnqueueMany");
    if (description) {
        TF_AddInput(description, queue);
        TF_AddInputList(description, &tokens, 1);
    }
    return weir_build_end(trainer->b, description).oper;
}

/* ---- entry point ----------------------------------------------------------------------------- */

typedef struct syncing {
    weir_trainer *t;
    const updates *u;
    int count; /* number of variables */
    int workers, required;
    variable *local_step; /* the step of this worker's gradients */
    accumulator *accumulators;
} syncing;

static void add_local_step(syncing *syncing)
{
    weir_trainer *trainer = syncing->t;
    syncing->local_step = weir_trainer_add_variable(
        trainer, &(variable){.name = "sync_rep_local_step", .type = TF_INT64, .of_worker = true},
        trainer->placement.worker, &(weir_initial){0});
    trainer->worker_init =
        weir_trainer_assign(trainer, syncing->local_step, "Assign", trainer->global_step->value)
            .oper;
}

/* The worker's part of a step. */
static void add_worker_step(syncing *syncing, TF_Output queue)
{
    weir_trainer *trainer = syncing->t;
    TF_Operation **put = WEIR_NEW_ARRAY(TF_Operation *, syncing->count);
    for (int i = 0; i < syncing->count; i++)
        put[i] = put_gradient(trainer, &syncing->accumulators[i], syncing->local_step,
                              &syncing->u->gradients[i]);
    weir_build_push_device(trainer->b, trainer->global_step->device);
    weir_build_push_control(trainer->b,
                            weir_build_group(trainer->b, "gradients_put", put, syncing->count));
    TF_Output token = take_token(trainer, queue);
    weir_build_pop_control(trainer->b);
    weir_build_pop_device(trainer->b);
    trainer->step_output = weir_trainer_assign(trainer, syncing->local_step, "Assign", token);
    trainer->train = trainer->step_output.oper;
    weir_free(put);
}

/* The chief's part of a step. */
static void add_chief_step(syncing *syncing, TF_Output queue)
{
    weir_trainer *trainer = syncing->t;
    weir_gradient *means = WEIR_NEW_ARRAY(weir_gradient, syncing->count);
    TF_Operation **done = WEIR_NEW_ARRAY(TF_Operation *, syncing->count);
    for (int i = 0; i < syncing->count; i++)
        means[i] = take_mean(trainer, &syncing->accumulators[i], syncing->required);
    const updates by_means = {syncing->u->o, syncing->u->v, means, syncing->count};
    weir_trainer_apply(trainer, &by_means, done);
    TF_Output counted = weir_trainer_count_step(trainer, &by_means, done);
    weir_build_push_device(trainer->b, trainer->global_step->device);
    weir_build_push_control(trainer->b, counted.oper);
    trainer->chief_update =
        put_tokens(trainer, queue,
                   syncing->workers > syncing->required ? syncing->workers : syncing->required);
    weir_build_pop_control(trainer->b);
    weir_build_pop_device(trainer->b);
    weir_free(means);
    weir_free(done);
}

static void add_init(syncing *syncing, TF_Output queue)
{
    weir_trainer *trainer = syncing->t;
    TF_Operation **init = WEIR_NEW_ARRAY(TF_Operation *, syncing->count + 1);
    for (int i = 0; i < syncing->count; i++)
        init[i] = set_step(trainer, &syncing->accumulators[i]);
    init[syncing->count] = trainer->worker_init;
    trainer->chief_init =
        weir_build_group(trainer->b, "sync_replicas/group_deps", init, syncing->count + 1);
    weir_build_push_device(trainer->b, trainer->global_step->device);
    trainer->first_tokens = put_tokens(trainer, queue, syncing->required - syncing->workers);
    trainer->more_tokens = put_tokens(trainer, queue, syncing->workers);
    trainer->close_tokens =
        weir_build_op(trainer->b, "QueueCloseV2", "sync_token_q_Close", &queue, 1).oper;
    weir_build_pop_device(trainer->b);
    weir_free(init);
}

void weir_trainer_finish_sync(weir_trainer *trainer, const updates *updates)
{
    int workers = trainer->options.job ? weir_job_workers(trainer->options.job) : 1;
    int required = trainer->options.replicas_to_aggregate;
    syncing syncing = {.t = trainer,
                       .u = updates,
                       .count = updates->count,
                       .workers = workers,
                       .required = required > 0 ? required : workers};
    syncing.accumulators = WEIR_NEW_ARRAY(accumulator, updates->count);
    add_local_step(&syncing);
    weir_build_push_scope(trainer->b, "sync_replicas");
    for (int i = 0; i < updates->count; i++)
        syncing.accumulators[i] =
            add_accumulator(trainer, updates->v[i], updates->gradients[i].indices.oper != NULL);
    weir_build_pop_scope(trainer->b);
    weir_build_push_device(trainer->b, trainer->global_step->device);
    TF_Output queue = add_queue(trainer);
    weir_build_pop_device(trainer->b);
    if (!weir_trainer_failed(trainer)) {
        add_worker_step(&syncing, queue);
        add_chief_step(&syncing, queue);
        add_init(&syncing, queue);
    }
    weir_free(syncing.accumulators);
}
