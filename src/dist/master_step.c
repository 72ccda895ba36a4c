/* dist/master_step.c - partitions of graphs on other tasks: registering them, and running steps.
 *
 * A step sends one RunGraph to each task that has a partition, while the own partition runs. The
 * participants exchange values without the master. The first error cancels the others; when all
 * have ended, their errors are merged, the step is cleaned up on every task, and the caller is
 * notified.
 */
#include "base/clock.h"
#include "base/word.h"
#include "dist/fanout.h"
#include "dist/ids.h"
#include "dist/master_remote.h"
#include "dist/options.h"
#include "dist/recv_tensor.h"
#include "dist/steps.h"
#include "dist/worker.h"
#include "wire/messages.h"

typedef struct remote_partition {
    const weir_task *task;
    weir_buf run_request; /* the fields of RunGraph that are common to all steps */
} remote_partition;

struct weir_remote_partitions {
    weir_master_remote *remote;
    remote_partition *at;
    int count;
};

/* ---- registering ---------------------------------------------------------------------------- */

static void put_register(const weir_master_remote *remote, const weir_partition *partition,
                         int64_t graph_key, weir_buf *out)
{
    static const weir_msg_graph_options
        no_options; /* present, but empty, as with TensorFlow's masters */
    static const weir_msg_debug_options no_debugging;
    weir_msg_register_graph_request request = {.session_handle = weir_str_of(remote->handle),
                                               .graph_def = weir_view(&partition->graph),
                                               .graph_options = &no_options,
                                               .debug_options = &no_debugging,
                                               .create_worker_session_called = true,
                                               .collective_graph_key = graph_key};
    weir_msg_register_graph_request_write(&request, out);
    weir_message_put_bytes(out, WEIR_FIELD_register_graph_request_config_proto,
                           weir_view(&remote->config));
}

static weir_status read_registered(const weir_master_remote *remote, weir_str answer,
                                   remote_partition *out)
{
    WEIR_MESSAGE_ARENA(arena);
    weir_msg_register_graph_response response;
    WEIR_TRY_NOTE(
        weir_answer_parsed(weir_msg_register_graph_response_read(answer, &arena, &response),
                           "RegisterGraph"),
        " (from %s)", out->task->name);
    if (!response.graph_handle.length)
        return weir_error(WEIR_INTERNAL, "RegisterGraph of %s: no graph handle", out->task->name);
    weir_msg_run_graph_request request = {.graph_handle = response.graph_handle,
                                          .session_handle = weir_str_of(remote->handle),
                                          .store_errors_in_response_body = true,
                                          .create_worker_session_called = true};
    weir_msg_run_graph_request_write(&request, &out->run_request);
    return WEIR_OK;
}

static void unregister(weir_remote_partitions *partitions)
{
    for (int i = 0; i < partitions->count; i++)
        weir_buf_fini(&partitions->at[i].run_request);
    weir_free(partitions->at);
    weir_free(partitions);
}

/* Parses the answers; frees the calls. */
static weir_status read_all_registered(weir_remote_partitions *partitions, weir_fan_call *calls)
{
    weir_status status = WEIR_OK;
    for (int i = 0; i < partitions->count && !status; i++)
        if (!calls[i].status)
            status = read_registered(partitions->remote, weir_view(&calls[i].answer.head),
                                     &partitions->at[i]);
    weir_status failed = weir_fan_end(calls, partitions->count);
    if (!failed)
        return status;
    weir_status_free(status);
    return failed;
}

static weir_status register_partitions(weir_remote *base, const weir_partitions *partitions,
                                       int64_t graph_key, weir_remote_partitions **out_partitions)
{
    weir_master_remote *remote = (weir_master_remote *)base;
    int count = partitions->count;
    weir_fan_call *calls = WEIR_NEW_ARRAY(weir_fan_call, count);
    weir_remote_partitions *made = WEIR_NEW(weir_remote_partitions);
    *made = (weir_remote_partitions){remote, WEIR_NEW_ARRAY(remote_partition, count), count};
    for (int i = 0; i < count; i++) {
        weir_str task = weir_str_of(partitions->at[i].task);
        calls[i].task = made->at[i].task = weir_cluster_find(remote->cluster, task);
        put_register(remote, &partitions->at[i], graph_key, &calls[i].request.head);
    }
    weir_fan_options options = {.path = "/tensorflow.WorkerService/RegisterGraph"};
    weir_fan_out(calls, count, &options);
    weir_status status = read_all_registered(made, calls);
    weir_free(calls);
    if (status)
        unregister(made);
    else
        *out_partitions = made;
    return status;
}

/* ---- statuses ------------------------------------------------------------------------------- */

enum { MERGED_BYTES = 8192 }; /* TensorFlow's limit */

typedef struct step_errors {
    WEIR_VEC(weir_status) roots; /* in order of arrival */
    weir_status derived;         /* the first derived one */
} step_errors;

/* Adds an error, with its task's name. True for a root error, which cancels the step. */
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
    WEIR_BUF(text);
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
    return status;
}

/* The step's status: the root errors, or the cause of its cancellation. Empties |errors|. */
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
    bool clean; /* the task has no state left for the step; set before the partition has ended */
} partition_run;

struct weir_remote_step {
    weir_remote_partitions *partitions;
    weir_run *run;
    weir_mutex lock;
    int pending WEIR_GUARDED_BY(lock); /* running partitions, including the own one */
    step_errors errors WEIR_GUARDED_BY(lock);
    weir_buf metadata WEIR_GUARDED_BY(lock); /* fields of RunMetadata */
    int64_t graph_key;                       /* of collective ops; 0: none */
    bool traced; /* the tasks record their transfers until they are fetched */
    weir_run_metadata *run_metadata;
    void (*done)(void *arg, weir_status status);
    void *done_arg;
    partition_run calls[];
};

static void ignore(void *arg, weir_status status, weir_rpc_message *answer)
{
    weir_status_free(status); /* a task that is gone has no state left */
    weir_rpc_message_fini(answer);
}

static void clean_up(const weir_remote_step *step)
{
    weir_master_remote *remote = step->partitions->remote;
    weir_steps_cleanup(remote->server->steps, step->run->step_id);
    for (int i = 0; i < step->partitions->count; i++) {
        if (step->calls[i].clean)
            continue;
        weir_rpc_message request = {0};
        weir_msg_cleanup_graph_request_write(
            &(weir_msg_cleanup_graph_request){.step_id = step->run->step_id}, &request.head);
        weir_channel_call call = {
            .path = "/tensorflow.WorkerService/CleanupGraph", .request = &request, .done = ignore};
        weir_channel_start(step->partitions->at[i].task->channel, &call);
    }
}

/* Every partition has ended, and its transfers were fetched. */
static void conclude(weir_remote_step *step)
{
    clean_up(step);
    if (step->run_metadata) /* ignores malformed metadata of a task */
        weir_status_free(weir_run_metadata_read(weir_view(&step->metadata), step->run_metadata));
    weir_status merged = merge(&step->errors, step->run->cancel);
    weir_task_collectives *collectives = step->partitions->remote->server->collectives;
    if (step->graph_key && !merged)
        weir_task_collectives_retire(collectives, step->graph_key, step->run->step_id);
    else if (step->graph_key)
        weir_task_collectives_doubt(collectives, step->graph_key);
    void (*done)(void *arg, weir_status status) = step->done;
    void *arg = step->done_arg;
    weir_buf_fini(&step->metadata);
    weir_mutex_fini(&step->lock);
    weir_free(step);
    done(arg, merged);
}

/* ---- transfers, for traces ------------------------------------------------------------------ */

enum { TRANSFERS_TIMEOUT_MS = 5000 };
static const char logging_path[] = "/tensorflow.WorkerService/Logging";

static void enable_transfers(const weir_remote_step *step)
{
    weir_transfers_enable(weir_steps_transfers(step->partitions->remote->server->steps), true);
    for (int i = 0; i < step->partitions->count; i++) {
        weir_rpc_message request = {0};
        weir_msg_logging_request_write(&(weir_msg_logging_request){.enable_rpc_logging = true},
                                       &request.head);
        weir_channel_call call = {.path = logging_path, .request = &request, .done = ignore};
        weir_channel_start(step->partitions->at[i].task->channel, &call);
    }
}

static void add_stats(weir_remote_step *step, weir_str stats) WEIR_REQUIRES(step->lock)
{
    weir_message_put_bytes(&step->metadata, WEIR_FIELD_run_metadata_step_stats, stats);
}

/* The transfers recorded by another task; a trace may lack some. */
static void add_transfers(weir_remote_step *step, weir_str bytes) WEIR_REQUIRES(step->lock)
{
    WEIR_MESSAGE_ARENA(arena);
    weir_msg_logging_response response = {0};
    weir_status status = weir_msg_logging_response_read(bytes, &arena, &response);
    for (size_t i = 0; !status && i < response.step.count; i++)
        add_stats(step, response.step.at[i].step_stats);
    weir_status_free(status);
}

static void transfers_fetched(void *arg, weir_status status, weir_rpc_message *answer)
{
    weir_remote_step *step = ((partition_run *)arg)->step;
    weir_mutex_lock(&step->lock);
    if (!status)
        add_transfers(step, weir_view(&answer->head));
    bool last = --step->pending == 0;
    weir_mutex_unlock(&step->lock);
    weir_status_free(status); /* the trace lacks this task's transfers then */
    weir_rpc_message_fini(answer);
    if (last)
        conclude(step);
}

static void add_own_transfers(weir_remote_step *step)
{
    weir_transfers *own = weir_steps_transfers(step->partitions->remote->server->steps);
    WEIR_BUF(stats);
    weir_transfers_enable(own, false);
    weir_transfers_take(own, step->run->step_id, &stats);
    weir_mutex_lock(&step->lock);
    add_stats(step, weir_view(&stats));
    step->pending = step->partitions->count;
    weir_mutex_unlock(&step->lock);
}

static void fetch_transfers(weir_remote_step *step)
{
    int count = step->partitions->count; /* the last answer may free the step during this loop */
    add_own_transfers(step);
    for (int i = 0; i < count; i++) {
        weir_rpc_message request = {0};
        weir_msg_logging_request fetch = {.fetch_step_id = {&step->run->step_id, 1},
                                          .disable_rpc_logging = true};
        weir_msg_logging_request_write(&fetch, &request.head);
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

/* ---- the end of a partition --------------------------------------------------------------------
 */

/* Whether an error only reports that the step was cancelled. */
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
    if (stop) /* while this partition is still counted: that keeps the step alive */
        weir_cancel_fire(
            step->run->cancel,
            weir_status_mark(weir_error(WEIR_CANCELLED, "another partition of step %lld failed",
                                        (long long)step->run->step_id),
                             WEIR_DERIVED));
    weir_mutex_lock(&step->lock);
    bool last = --step->pending == 0;
    weir_mutex_unlock(&step->lock);
    if (last)
        step_over(step);
}

/* Parses a RunGraphResponse: its status, and its recorded data. */
static weir_status read_answer(partition_run *run, weir_str answer)
{
    weir_remote_step *step = run->step;
    WEIR_MESSAGE_ARENA(arena);
    weir_msg_run_graph_response response;
    WEIR_TRY(weir_answer_parsed(weir_msg_run_graph_response_read(answer, &arena, &response),
                                "RunGraph"));
    run->clean = response.clean;
    if (response.step_stats.at || response.partition_graph.count) {
        weir_mutex_lock(&step->lock);
        if (response.step_stats.at)
            add_stats(step, response.step_stats);
        for (size_t i = 0; i < response.partition_graph.count; i++)
            weir_message_put_bytes(&step->metadata, WEIR_FIELD_run_metadata_partition_graphs,
                                   response.partition_graph.at[i]);
        weir_mutex_unlock(&step->lock);
    }
    weir_code code = (weir_code)response.status_code;
    if (!code)
        return WEIR_OK;
    return weir_error_text(code, response.status_error_message.at,
                           response.status_error_message.length);
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
    weir_msg_executor_opts options = {.record_timeline = ask.stats,
                                      .record_partition_graphs = ask.partition_graphs};
    weir_msg_run_graph_request request = {
        .step_id = step_id, .exec_opts = &options, .request_id = (int64_t)weir_new_id()};
    weir_buf_reserve(out, partition->run_request.length + 32);
    weir_buf_add(out, partition->run_request.at, partition->run_request.length);
    weir_msg_run_graph_request_write(&request, out);
}

static void value_came(void *arg, weir_str key, weir_rpc_message *message)
{
    const partition_run *run = arg;
    weir_steps_deliver(run->step->run->rendezvous, key, message);
}

/* Values are sent over the call itself if it can be a stream. With tracing they are requested
 * instead, which records the transfers. */
static void start_partition(partition_run *remote_run, weir_rpc_message *request)
{
    weir_run *run = remote_run->step->run;
    const weir_task *task = remote_run->partition->task;
    weir_channel_call call = {.path = "/tensorflow.WorkerService/RunGraph",
                              .request = request,
                              .cancel = run->cancel,
                              .done = graph_ran,
                              .on_message = value_came,
                              .message_payload = weir_recv_answer_payload,
                              .arg = remote_run};
    weir_stream *stream =
        remote_run->step->traced ? NULL : weir_channel_start_stream(task->channel, &call);
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
    step->partitions = partitions;
    step->run = run;
    step->pending = partitions->count + 1;
    step->traced = ask.stats;
    step->graph_key = ask.graph_key;
    run->step_id = ask.step_id ? ask.step_id : weir_steps_new_id();
    run->rendezvous = weir_steps_join(partitions->remote->server->steps, run->step_id,
                                      partitions->remote->cluster, run->cancel);
    weir_steps_expect_links(run->rendezvous, partitions->count);
    if (step->traced)
        enable_transfers(step);
    for (int i = 0; i < partitions->count; i++) {
        step->calls[i] = (partition_run){step, &partitions->at[i], false};
        weir_rpc_message request = {0};
        put_run(&partitions->at[i], run->step_id, ask, &request.head);
        start_partition(&step->calls[i], &request);
    }
    return step;
}

static void finish(weir_remote_step *step, weir_status own, weir_run_metadata *run_metadata,
                   void (*done)(void *arg, weir_status status), void *arg)
{
    step->run_metadata = run_metadata;
    step->done = done;
    step->done_arg = arg;
    partition_ended(step, own, weir_cluster_self(step->partitions->remote->cluster)->name);
}

/* The task from which the thread that waits for a step receives: one with a partition, or, if there
 * are only collective ops, the only other one. If several answer, their answers need one thread
 * that reads all of them. Null: none. */
static const weir_task *pick_source(const weir_remote_partitions *partitions)
{
    if (partitions->count)
        return partitions->at[0].task;
    return partitions->remote->task_count == 1 ? partitions->remote->tasks[0] : NULL;
}

/* The client I/O thread receives from the other tasks. */
static void wait(weir_remote_partitions *partitions, atomic_int *over)
{
    const weir_task *source = pick_source(partitions);
    if (source) {
        weir_channel_receive_until(source->channel, over);
    } else {
        weir_channel_uncork();
        weir_word_wait(over, 0);
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
