/* dist/master_step.c - partitions of graphs on other tasks: registering them, and driving their
 * steps.
 *
 * A step sends one RunGraph to each task that has a partition of it, while the own partition runs.
 * Values travel between the partitions by themselves. The first error stops the others; when all
 * have ended, their errors are merged, what the step left behind is cleaned up everywhere, and the
 * caller is told.
 */
#include "base/clock.h"
#include "base/word.h"
#include "dist/fanout.h"
#include "dist/ids.h"
#include "dist/master_remote.h"
#include "dist/options.h"
#include "dist/steps.h"
#include "dist/worker.h"
#include "wire/pb.h"

typedef struct remote_partition {
    const weir_task *task;
    weir_buf run_request; /* of RunGraph: what is the same in every step */
} remote_partition;

struct weir_remote_partitions {
    weir_master_remote *r;
    remote_partition *partitions;
    int count;
};

/* ---- registering ---------------------------------------------------------------------------- */

static void put_register(const weir_master_remote *remote, const weir_partition *partition,
                         int64_t graph_key, weir_buf *out)
{
    enum { HANDLE = 1, GRAPH = 2, OPTIONS = 4, DEBUG = 5, CALLED = 6, GRAPH_KEY = 7, CONFIG = 8 };
    weir_pb_put_str(out, HANDLE, remote->handle);
    weir_pb_put_bytes(out, GRAPH, partition->graph.at, partition->graph.length);
    weir_pb_put_bytes(out, OPTIONS, "", 0);
    weir_pb_put_bytes(out, DEBUG, "", 0);
    weir_pb_put_varint(out, CALLED, 1);
    weir_pb_put_varint_nz(out, GRAPH_KEY, (uint64_t)graph_key);
    weir_pb_put_bytes(out, CONFIG, remote->config.at, remote->config.length);
}

static weir_status read_registered(const weir_master_remote *remote, weir_str answer,
                                   remote_partition *out)
{
    enum { GRAPH = 1, SESSION = 8, ERRORS_IN_BODY = 9, CALLED = 10 };
    weir_str graph = {0};
    weir_pb reader = weir_pb_reader(answer);
    while (weir_pb_next(&reader))
        if (reader.field == 1 && reader.type == WEIR_PB_LEN)
            graph = reader.bytes;
    if (!weir_pb_ok(&reader) || !graph.length)
        return weir_error(WEIR_INTERNAL, "RegisterGraph of %s: unreadable answer", out->task->name);
    weir_pb_put_bytes(&out->run_request, GRAPH, graph.at, graph.length);
    weir_pb_put_str(&out->run_request, SESSION, remote->handle);
    weir_pb_put_varint(&out->run_request, ERRORS_IN_BODY, 1);
    weir_pb_put_varint(&out->run_request, CALLED, 1);
    return WEIR_OK;
}

static void unregister(weir_remote_partitions *partitions)
{
    for (int i = 0; i < partitions->count; i++)
        weir_buf_fini(&partitions->partitions[i].run_request);
    weir_free(partitions->partitions);
    weir_free(partitions);
}

static weir_status register_partitions(weir_remote *base, const weir_partitions *partitions,
                                       int64_t graph_key, weir_remote_partitions **out_partitions)
{
    weir_master_remote *remote = (weir_master_remote *)base;
    weir_fan_call *calls = WEIR_NEW_ARRAY(weir_fan_call, partitions->count);
    weir_remote_partitions *remote_partitions = WEIR_NEW(weir_remote_partitions);
    *remote_partitions = (weir_remote_partitions){
        remote, WEIR_NEW_ARRAY(remote_partition, partitions->count), partitions->count};
    for (int i = 0; i < partitions->count; i++) {
        remote_partitions->partitions[i].task =
            weir_cluster_find(remote->cluster, weir_str_of(partitions->at[i].task));
        calls[i].task = remote_partitions->partitions[i].task;
        put_register(remote, &partitions->at[i], graph_key, &calls[i].request.head);
    }
    weir_fan_options options = {.path = "/tensorflow.WorkerService/RegisterGraph"};
    weir_fan_out(calls, partitions->count, &options);
    weir_status status = WEIR_OK;
    for (int i = 0; i < partitions->count && !status; i++)
        if (!calls[i].status)
            status = read_registered(remote, weir_view(&calls[i].answer.head),
                                     &remote_partitions->partitions[i]);
    weir_status failed = weir_fan_end(calls, partitions->count);
    if (failed) {
        weir_status_free(status);
        status = failed;
    }
    weir_free(calls);
    if (status)
        unregister(remote_partitions);
    else
        *out_partitions = remote_partitions;
    return status;
}

/* ---- statuses ------------------------------------------------------------------------------- */

enum { MERGED_BYTES = 8192 }; /* as long as TensorFlow lets it get */

typedef struct step_errors {
    WEIR_VEC(weir_status) roots; /* in the order they came */
    weir_status derived;         /* the first that follows from another */
} step_errors;

/* Says where an error comes from, and keeps it. True when it is a root that stops the step. */
static bool add_error(step_errors *errors, weir_status status, const char *task)
{
    if (!status)
        return false;
    status = weir_status_prefix(status, "From %s:\n", task);
    if (!weir_status_is(status, WEIR_DERIVED)) {
        weir_vec_push(&errors->roots, status);
        return true;
    }
    if (errors->derived)
        weir_status_free(status);
    else
        errors->derived = status;
    return false;
}

static weir_status join_roots(const step_errors *errors)
{
    weir_buf text = {0};
    weir_code code = WEIR_CANCELLED;
    weir_buf_adds(&text, "\n=====================");
    for (size_t i = 0; i < errors->roots.count; i++) {
        weir_code c = weir_status_code(errors->roots.at[i]);
        if (code == WEIR_CANCELLED)
            code = c;
        weir_buf_addf(&text, "\n%s: %s", weir_code_name(c),
                      weir_status_message(errors->roots.at[i]));
    }
    weir_buf_adds(&text, "\n=====================\n");
    weir_status status =
        weir_error_text(code, text.at, text.length < MERGED_BYTES ? text.length : MERGED_BYTES);
    weir_buf_fini(&text);
    return status;
}

/* What the caller is told: the roots, or why the step was stopped. Empties |errors|. */
static weir_status merge(step_errors *errors, weir_cancel *cancel)
{
    weir_status status = errors->derived ? weir_cancel_status(cancel) : WEIR_OK;
    if (errors->roots.count) {
        weir_status_free(status);
        status =
            errors->roots.count == 1 ? weir_status_copy(errors->roots.at[0]) : join_roots(errors);
    } else if (errors->derived && !status) {
        status = weir_status_copy(errors->derived);
    }
    for (size_t i = 0; i < errors->roots.count; i++)
        weir_status_free(errors->roots.at[i]);
    weir_status_free(errors->derived);
    weir_vec_fini(&errors->roots);
    return status;
}

/* ---- steps ---------------------------------------------------------------------------------- */

typedef struct partition_run {
    weir_remote_step *step;
    const remote_partition *partition;
    bool clean; /* nothing is left of the step there; before the partition has ended */
} partition_run;

struct weir_remote_step {
    weir_remote_partitions *e;
    weir_run *run;
    weir_mutex lock;
    int pending WEIR_GUARDED_BY(lock); /* partitions at work, including the own one */
    step_errors errors WEIR_GUARDED_BY(lock);
    weir_buf metadata WEIR_GUARDED_BY(lock); /* fields of RunMetadata */
    int64_t graph_key;                       /* of collective ops; 0: none */
    bool traced; /* the tasks note what they receive from each other, until it is asked for */
    weir_run_metadata *run_metadata;
    void (*done)(void *arg, weir_status status);
    void *done_arg;
    partition_run calls[];
};

static void put_cleanup(int64_t step_id, weir_buf *out)
{
    weir_pb_put_varint(out, 1, (uint64_t)step_id);
}

static void ignored(void *arg, weir_status status, weir_rpc_message *answer)
{
    weir_status_free(status); /* a task that is gone has nothing left of a step */
    weir_rpc_message_fini(answer);
}

static void clean_up(const weir_remote_step *step)
{
    weir_master_remote *remote = step->e->r;
    weir_steps_cleanup(remote->server->steps, step->run->step_id);
    for (int i = 0; i < step->e->count; i++) {
        if (step->calls[i].clean)
            continue;
        weir_rpc_message request = {0};
        put_cleanup(step->run->step_id, &request.head);
        weir_channel_call call = {
            .path = "/tensorflow.WorkerService/CleanupGraph", .request = &request, .done = ignored};
        weir_channel_start(step->e->partitions[i].task->channel, &call);
    }
}

/* Every partition has ended, and has told what it knows. */
static void conclude(weir_remote_step *step)
{
    clean_up(step);
    if (step->run_metadata) /* what a task wrote wrongly is left out */
        weir_status_free(weir_run_metadata_read(weir_view(&step->metadata), step->run_metadata));
    weir_status merged = merge(&step->errors, step->run->cancel);
    if (step->graph_key && !merged)
        weir_task_collectives_retire(step->e->r->server->collectives, step->graph_key,
                                     step->run->step_id);
    void (*done)(void *arg, weir_status status) = step->done;
    void *arg = step->done_arg;
    weir_buf_fini(&step->metadata);
    weir_mutex_fini(&step->lock);
    weir_free(step);
    done(arg, merged);
}

/* ---- transfers, for traces ------------------------------------------------------------------ */

enum { METADATA_STATS = 1, METADATA_GRAPH = 3, TRANSFERS_TIMEOUT_MS = 5000 };
static const char logging_path[] = "/tensorflow.WorkerService/Logging";

static void enable_transfers(const weir_remote_step *step)
{
    weir_transfers_enable(weir_steps_transfers(step->e->r->server->steps), true);
    for (int i = 0; i < step->e->count; i++) {
        weir_rpc_message request = {0};
        weir_pb_put_varint(&request.head, 1, 1);
        weir_channel_call call = {.path = logging_path, .request = &request, .done = ignored};
        weir_channel_start(step->e->partitions[i].task->channel, &call);
    }
}

/* Each LabeledStepStats of a LoggingResponse has the StepStats of one step. */
static void add_transfers(weir_remote_step *remote_step, weir_str response)
{
    enum { STEP = 1, STEP_STATS = 2 };
    for (weir_pb reader = weir_pb_reader(response); weir_pb_next(&reader);) {
        if (reader.field != STEP || reader.type != WEIR_PB_LEN)
            continue;
        for (weir_pb step = weir_pb_reader(reader.bytes); weir_pb_next(&step);)
            if (step.field == STEP_STATS && step.type == WEIR_PB_LEN)
                weir_pb_put_bytes(&remote_step->metadata, METADATA_STATS, step.bytes.at,
                                  step.bytes.length);
    }
}

static void transfers_fetched(void *arg, weir_status status, weir_rpc_message *answer)
{
    weir_remote_step *step = ((partition_run *)arg)->step;
    weir_mutex_lock(&step->lock);
    if (!status)
        add_transfers(step, weir_view(&answer->head));
    bool last = --step->pending == 0;
    weir_mutex_unlock(&step->lock);
    weir_status_free(status); /* a trace that lacks something is still one */
    weir_rpc_message_fini(answer);
    if (last)
        conclude(step);
}

static void fetch_transfers(weir_remote_step *step)
{
    enum { FETCH = 3, TURN_OFF = 4 };
    weir_transfers *own = weir_steps_transfers(step->e->r->server->steps);
    weir_buf mine = {0};
    weir_transfers_enable(own, false);
    weir_transfers_take(own, step->run->step_id, 1, &mine);
    add_transfers(step, weir_view(&mine));
    weir_buf_fini(&mine);
    int count = step->e->count; /* the last answer may end the step while this loop runs */
    step->pending = count;
    for (int i = 0; i < count; i++) {
        weir_rpc_message request = {0};
        weir_pb_put_varint(&request.head, FETCH, (uint64_t)step->run->step_id);
        weir_pb_put_varint(&request.head, TURN_OFF, 1);
        weir_channel_call call = {.path = logging_path,
                                  .request = &request,
                                  .timeout_ms = TRANSFERS_TIMEOUT_MS,
                                  .done = transfers_fetched,
                                  .arg = &step->calls[i]};
        weir_channel_start(step->calls[i].partition->task->channel, &call);
    }
}

static void step_over(weir_remote_step *step)
{
    if (step->traced)
        fetch_transfers(step);
    else
        conclude(step);
}

/* ---- partitions that end
 * ------------------------------------------------------------------------- */

/* Who was stopped because the step was stopped has nothing to tell. */
static bool follows_from(weir_status status, weir_cancel *cancel)
{
    if (!weir_cancel_fired(cancel))
        return false;
    weir_status why = weir_cancel_status(cancel);
    weir_code code = weir_status_code(status);
    bool same = code == WEIR_CANCELLED || code == weir_status_code(why);
    weir_status_free(why);
    return same;
}

/* One partition has ended, with |status| (taken over). */
static void partition_ended(weir_remote_step *step, weir_status status, const char *task)
{
    if (status && follows_from(status, step->run->cancel))
        status = weir_status_mark(status, WEIR_DERIVED);
    weir_mutex_lock(&step->lock);
    bool stop = add_error(&step->errors, status, task);
    weir_mutex_unlock(&step->lock);
    if (stop) /* while this partition is still counted, so that the step is alive */
        weir_cancel_fire(step->run->cancel,
                         weir_status_mark(weir_error(WEIR_CANCELLED,
                                                     "another part of step %lld "
                                                     "failed",
                                                     (long long)step->run->step_id),
                                          WEIR_DERIVED));
    weir_mutex_lock(&step->lock);
    bool last = --step->pending == 0;
    weir_mutex_unlock(&step->lock);
    if (last)
        step_over(step);
}

/* What RunGraph answers: a status in its body, and what was asked for. */
static weir_status read_answer(partition_run *run, weir_str answer)
{
    enum { STATS = 2, GRAPH = 4, CODE = 5, MESSAGE = 6 };
    weir_remote_step *step = run->step;
    uint64_t code = 0;
    weir_str message = {0};
    weir_pb reader = weir_pb_reader(answer);
    while (weir_pb_next(&reader)) {
        if (reader.field == CODE && reader.type == WEIR_PB_VARINT) {
            code = reader.value;
        } else if (reader.field == RUN_GRAPH_CLEAN && reader.type == WEIR_PB_VARINT) {
            run->clean = reader.value != 0;
        } else if (reader.type == WEIR_PB_LEN && reader.field == MESSAGE) {
            message = reader.bytes;
        } else if (reader.type == WEIR_PB_LEN && (reader.field == STATS || reader.field == GRAPH)) {
            weir_mutex_lock(&step->lock);
            weir_pb_put_bytes(&step->metadata,
                              reader.field == STATS ? METADATA_STATS : METADATA_GRAPH,
                              reader.bytes.at, reader.bytes.length);
            weir_mutex_unlock(&step->lock);
        }
    }
    if (!weir_pb_ok(&reader))
        return weir_error(WEIR_INTERNAL, "RunGraph: unreadable answer");
    if (!code)
        return WEIR_OK;
    return weir_error_text(code <= WEIR_UNAUTHENTICATED ? (weir_code)code : WEIR_UNKNOWN,
                           message.at, message.length);
}

static void graph_ran(void *arg, weir_status status, weir_rpc_message *answer)
{
    partition_run *run = arg;
    if (!status)
        status = read_answer(run, weir_view(&answer->head));
    else
        status = weir_status_note(
            status,
            "\nAdditional GRPC error information from remote target %s while calling "
            "/tensorflow.WorkerService/RunGraph",
            run->partition->task->name);
    weir_rpc_message_fini(answer);
    partition_ended(run->step, status, run->partition->task->name);
}

static void put_run(const remote_partition *partition, int64_t step_id, weir_remote_ask ask,
                    weir_buf *out)
{
    enum { STEP = 2, OPTIONS = 5, REQUEST = 11, TIMELINE = 3, GRAPHS = 4 };
    weir_buf_reserve(out, partition->run_request.length + 32);
    weir_buf_add(out, partition->run_request.at, partition->run_request.length);
    weir_pb_put_varint(out, STEP, (uint64_t)step_id);
    size_t mark = weir_pb_begin(out, OPTIONS);
    weir_pb_put_varint_nz(out, TIMELINE, ask.stats);
    weir_pb_put_varint_nz(out, GRAPHS, ask.partition_graphs);
    weir_pb_end(out, mark);
    weir_pb_put_varint(out, REQUEST, weir_new_id());
}

static void value_came(void *arg, weir_str key, weir_rpc_message *message)
{
    const partition_run *run = arg;
    weir_steps_deliver(run->step->run->rendezvous, key, message);
}

/* Values travel with the call itself where it can carry them; else they are asked for, which also
 * notes when they travelled. */
static void start_partition(partition_run *partition_run, weir_rpc_message *request)
{
    weir_run *run = partition_run->step->run;
    const weir_task *task = partition_run->partition->task;
    weir_channel_call call = {.path = "/tensorflow.WorkerService/RunGraph",
                              .request = request,
                              .cancel = run->cancel,
                              .done = graph_ran,
                              .on_message = value_came,
                              .arg = partition_run};
    weir_stream *stream =
        partition_run->step->traced ? NULL : weir_channel_start_stream(task->channel, &call);
    if (stream) {
        weir_steps_link(run->rendezvous, task, stream, NULL);
    } else {
        call.on_message = NULL;
        weir_channel_start(task->channel, &call);
    }
}

static weir_remote_step *start(weir_remote_partitions *partitions, weir_run *run,
                               weir_remote_ask ask)
{
    weir_remote_step *step =
        weir_zalloc(sizeof *step + sizeof *step->calls * (size_t)partitions->count);
    weir_mutex_init(&step->lock);
    step->e = partitions;
    step->run = run;
    step->pending = partitions->count + 1;
    step->traced = ask.stats;
    step->graph_key = ask.graph_key;
    run->step_id = ask.step_id ? ask.step_id : weir_steps_new_id();
    run->rendezvous = weir_steps_join(partitions->r->server->steps, run->step_id,
                                      partitions->r->cluster, run->cancel);
    if (step->traced)
        enable_transfers(step);
    for (int i = 0; i < partitions->count; i++) {
        step->calls[i] = (partition_run){step, &partitions->partitions[i], false};
        weir_rpc_message request = {0};
        put_run(&partitions->partitions[i], run->step_id, ask, &request.head);
        start_partition(&step->calls[i], &request);
    }
    return step;
}

static void finish(weir_remote_step *s, weir_status own, weir_run_metadata *run_metadata,
                   void (*done)(void *arg, weir_status s), void *arg)
{
    s->run_metadata = run_metadata;
    s->done = done;
    s->done_arg = arg;
    partition_ended(s, own, weir_cluster_self(s->e->r->cluster)->name);
}

/* One of the tasks is listened to here, the others on the client I/O thread. */
static void wait(weir_remote_partitions *partitions, atomic_int *step_over)
{
    if (partitions->count) {
        weir_channel_receive_until(partitions->partitions[0].task->channel, step_over);
    } else {
        weir_channel_uncork();
        weir_word_wait(step_over, 0);
    }
}

static weir_status next_step(weir_remote *base, int64_t graph_key, weir_cancel *cancel,
                             int64_t *out_step_id)
{
    weir_master_remote *remote = (weir_master_remote *)base;
    return weir_task_collectives_step(remote->server->collectives, graph_key, cancel, out_step_id);
}

void weir_master_remote_init(weir_master_remote *remote)
{
    remote->base.next_step = next_step;
    remote->base.register_partitions = register_partitions;
    remote->base.unregister = unregister;
    remote->base.start = start;
    remote->base.finish = finish;
    remote->base.cork = weir_channel_cork;
    remote->base.wait = wait;
}
