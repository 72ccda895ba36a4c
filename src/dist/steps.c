/* dist/steps.c - tables of values by step, and requests for values of other tasks.
 *
 * Locks: weir_steps.lock, then a rendezvous's own. Callbacks and aborts run under neither.
 */
#include "dist/steps_impl.h"
#include "dist/wire_type.h"

#include <inttypes.h>

#include "base/clock.h"
#include "base/mem.h"
#include "dist/checksum.h"
#include "dist/ids.h"
#include "dist/recv_tensor.h"
#include "observe/traffic.h"
#include "wire/messages.h"

/* ---- tables --------------------------------------------------------------------------------- */

static void destroy_table(weir_ref *ref)
{
    step_table *table = (step_table *)ref;
    weir_rendezvous_release(table->values);
    weir_vec_fini(&table->participants);
    weir_free(table);
}

static weir_str key_of(const int64_t *id)
{
    return (weir_str){(const char *)id, sizeof *id};
}

static step_table *find_or_add_table(weir_steps *steps, int64_t id) WEIR_REQUIRES(steps->lock)
{
    step_table *table = weir_map_get(&steps->tables, key_of(&id));
    if (table)
        return table;
    table = WEIR_NEW(step_table);
    weir_ref_init(&table->ref, destroy_table); /* the map's */
    table->steps = steps;
    table->id = id;
    table->values = weir_rendezvous_create();
    weir_map_put(&steps->tables, key_of(&id), table);
    return table;
}

/* Cancels the calls to other tasks and fails the receivers of a table. Takes |why| over. */
static void abort_table(step_table *table, weir_status why)
{
    WEIR_VEC(weir_cancel *) calls = {0};
    weir_mutex_lock(&table->steps->lock);
    for (size_t i = 0; i < table->participants.count; i++)
        weir_vec_push(&calls, weir_cancel_retain(table->participants.at[i]->calls));
    weir_mutex_unlock(&table->steps->lock);
    table->values->abort(table->values, weir_status_copy(why));
    for (size_t i = 0; i < calls.count; i++) {
        weir_cancel_fire(calls.at[i], weir_status_copy(why));
        weir_cancel_release(calls.at[i]);
    }
    weir_vec_fini(&calls);
    weir_status_free(why);
}

static step_table *begin_access(weir_steps *steps, int64_t id)
{
    weir_mutex_lock(&steps->lock);
    step_table *table = find_or_add_table(steps, id);
    table->access_count++;
    weir_ref_retain(&table->ref);
    weir_mutex_unlock(&steps->lock);
    return table;
}

/* Removes an |unused| table from the map unless it has receivers. True: the caller must release the
 * map's reference. */
static bool remove_if_unused(weir_steps *steps, step_table *table, bool unused)
    WEIR_REQUIRES(steps->lock)
{
    weir_map *tables = &steps->tables;
    bool gone = unused && table->access_count == 0 && weir_rendezvous_idle(table->values) &&
                weir_map_get(tables, key_of(&table->id)) == table;
    if (gone)
        weir_map_remove(tables, key_of(&table->id));
    return gone;
}

/* Removes a table without participants and receivers. */
static void end_access(step_table *table)
{
    weir_steps *steps = table->steps;
    weir_mutex_lock(&steps->lock);
    table->access_count--;
    bool gone = remove_if_unused(steps, table, !table->joined);
    weir_mutex_unlock(&steps->lock);
    if (gone)
        weir_ref_release(&table->ref); /* the map's */
    weir_ref_release(&table->ref);
}

/* ---- recent failures --------------------------------------------------------------------------
 */

static void remember_failure(weir_steps *steps, int64_t id, weir_status why)
{
    weir_mutex_lock(&steps->lock);
    failure *this_failure = &steps->failures[steps->next_failure++ % REMEMBERED_FAILURES];
    weir_status before = this_failure->why;
    *this_failure = (failure){id, weir_status_copy(why)};
    weir_mutex_unlock(&steps->lock);
    weir_status_free(before);
}

/* A step that starts again has not failed. */
static void forget_failures(weir_steps *steps, int64_t id) WEIR_REQUIRES(steps->lock)
{
    for (size_t i = 0; i < REMEMBERED_FAILURES; i++)
        if (steps->failures[i].step_id == id)
            steps->failures[i].step_id = 0;
}

static weir_status failure_of(weir_steps *steps, int64_t id)
{
    weir_status why = WEIR_OK;
    weir_mutex_lock(&steps->lock);
    for (size_t i = 0; i < REMEMBERED_FAILURES && !why; i++)
        if (steps->failures[i].step_id == id)
            why = weir_status_copy(steps->failures[i].why);
    weir_mutex_unlock(&steps->lock);
    return why;
}

/* Keys of edges have fields separated by semicolons; keys of collective ops' buffers do not. */
static bool is_buffer(weir_str key)
{
    return !memchr(key.at, ';', key.length);
}

/* ---- values of other tasks ------------------------------------------------------------------ */

static const char recv_tensor[] = "/tensorflow.WorkerService/RecvTensor";

/* A RecvTensor in progress. */
typedef struct recv_call {
    step_participant *from; /* retained */
    const weir_task *task;
    weir_received done;
    void *arg;
    int64_t start_us; /* 0: not recorded */
    weir_buf key;
    weir_recv_known known; /* this task's cached value of the key */
} recv_call;

static weir_status annotate(const recv_call *call, weir_status status)
{
    if (weir_cancel_fired(call->from->calls)) /* the step has ended: this error is derived */
        return weir_status_mark(status, WEIR_DERIVED);
    if (weir_status_code(status) != WEIR_UNAVAILABLE)
        return status;
    return weir_status_note(status,
                            "\nAdditional GRPC error information from remote target %s while "
                            "calling %s",
                            call->task->name, recv_tensor);
}

static void record_transfer(recv_call *call, size_t bytes)
{
    step_table *table = call->from->table;
    weir_transfers_add(table->steps->transfers, table->id, weir_view(&call->key), bytes,
                       call->start_us, weir_wall_us());
}

static void free_call(recv_call *call)
{
    weir_rendezvous_release(&call->from->base);
    weir_buf_fini(&call->key);
    weir_buf_fini(&call->known.tag);
    weir_tensor_release(&call->known.kept);
    weir_free(call);
}

/* Takes the value from the answer, or from this task's cache. |out_bytes|: received bytes. */
static weir_status take_value(recv_call *call, weir_rpc_message *answer, weir_tensor *out,
                              bool *out_dead, size_t *out_bytes)
{
    weir_known *known = call->from->table->steps->known;
    WEIR_TRY(weir_checksum_verify(weir_view(&call->key), call->task->name,
                                  weir_participant_has_link(call->from, call->task), answer));
    WEIR_TRY(weir_recv_answer_parse_known(answer, &call->known, out, out_dead));
    bool same = out->buffer && out->buffer == call->known.kept.buffer;
    bool by_shm = out->buffer && out->buffer->read_only;
    *out_bytes = same ? answer->head.length : weir_tensor_bytes(out);
    weir_traffic_in(weir_str_of(call->task->name), by_shm ? "shm" : "grpc", (int64_t)*out_bytes);
    weir_known_note(known, weir_view(&call->key), weir_view(&call->known.tag), out);
    return WEIR_OK;
}

static void answered(void *arg, weir_status status, weir_rpc_message *answer)
{
    recv_call *call = arg;
    weir_tensor tensor = {0};
    bool dead = false;
    size_t bytes = 0;
    if (!status)
        status = take_value(call, answer, &tensor, &dead, &bytes);
    weir_rpc_message_fini(answer);
    if (call->start_us)
        record_transfer(call, bytes);
    call->done(call->arg, status ? annotate(call, status) : WEIR_OK, tensor, dead);
    free_call(call);
}

void weir_participant_request(step_participant *participant, const weir_task *task, weir_str key,
                              weir_received done, void *arg)
{
    recv_call *r = WEIR_NEW(recv_call);
    weir_ref_retain(&participant->base.ref);
    *r = (recv_call){.from = participant, .task = task, .done = done, .arg = arg};
    weir_buf_add(&r->key, key.at, key.length);
    if (weir_transfers_enabled(participant->table->steps->transfers))
        r->start_us = weir_wall_us();
    weir_known_find(participant->table->steps->known, key, &r->known.tag, &r->known.kept);
    weir_msg_recv_tensor_request recv = {.step_id = participant->table->id,
                                         .rendezvous_key = key,
                                         .request_id = (int64_t)weir_new_id()};
    WEIR_BUF(room);
    weir_msg_any options = weir_wire_options_put(
        &(weir_wire_options){
            .type = weir_wire_type(), .tags = true, .tag = weir_view(&r->known.tag)},
        &room);
    recv.transport_options = &options;
    weir_rpc_message request = {0};
    weir_msg_recv_tensor_request_write(&recv, &request.head);
    weir_channel_call call = {.path = recv_tensor,
                              .request = &request,
                              .cancel = participant->calls,
                              .payload_offset = weir_recv_answer_payload,
                              .done = answered,
                              .arg = r};
    weir_channel_start(task->channel, &call);
}

/* ---- participants --------------------------------------------------------------------------- */

static weir_status participant_send(weir_rendezvous *rendezvous, weir_str key, weir_tensor tensor,
                                    bool dead)
{
    const step_participant *participant = (const step_participant *)rendezvous;
    weir_rendezvous *values = participant->table->values;
    const step_link *link = weir_participant_link_for(participant, key);
    return link ? weir_participant_send(participant, link, key, tensor, dead)
                : values->send(values, key, tensor, dead);
}

static void participant_recv(weir_rendezvous *rendezvous, weir_str key, weir_received done,
                             void *arg)
{
    step_participant *participant = (step_participant *)rendezvous;
    weir_rendezvous *values = participant->table->values;
    if (is_buffer(key)) {
        values->recv(values, key, done, arg);
        return;
    }
    const weir_task *task = weir_participant_source(participant, key);
    if (participant->cluster && !task)
        done(arg,
             weir_error(WEIR_INTERNAL, "No worker known as %.*s",
                        WEIR_STR_ARG(weir_key_device(key))),
             (weir_tensor){0}, false);
    else if (!task || !task->channel)
        values->recv(values, key, done, arg);
    else if (!weir_participant_recv(participant, task, key, done, arg))
        weir_participant_request(participant, task, key, done, arg);
}

/* A cancellation is never a root error, so it is flagged as derived. */
static void participant_abort(weir_rendezvous *rendezvous, weir_status why)
{
    weir_code code = weir_status_code(why);
    if (code == WEIR_CANCELLED || code == WEIR_ABORTED)
        why = weir_status_mark(why, WEIR_DERIVED);
    step_table *table = ((step_participant *)rendezvous)->table;
    remember_failure(table->steps, table->id, why);
    abort_table(table, why);
}

static void destroy_participant(weir_ref *ref)
{
    step_participant *participant = (step_participant *)ref;
    step_table *table = participant->table;
    weir_mutex_lock(&table->steps->lock);
    for (size_t i = 0; i < table->participants.count; i++)
        if (table->participants.at[i] == participant)
            table->participants.at[i--] = table->participants.at[--table->participants.count];
    weir_mutex_unlock(&table->steps->lock);
    weir_participant_unlink(participant);
    weir_cancel_release(participant->calls);
    weir_cluster_release(participant->cluster);
    weir_ref_release(&table->ref);
    weir_free(participant);
}

weir_cancel *weir_steps_calls(weir_rendezvous *rendezvous)
{
    return ((step_participant *)rendezvous)->calls;
}

weir_rendezvous *weir_steps_join(weir_steps *steps, int64_t id, weir_cluster *cluster,
                                 weir_cancel *cancel)
{
    step_participant *participant = WEIR_NEW(step_participant);
    weir_ref_init(&participant->base.ref, destroy_participant);
    participant->base.send = participant_send;
    participant->base.recv = participant_recv;
    participant->base.abort = participant_abort;
    participant->cluster = cluster ? weir_cluster_retain(cluster) : NULL;
    participant->calls = weir_cancel_create(cancel);
    weir_mutex_lock(&steps->lock);
    forget_failures(steps, id);
    participant->table = find_or_add_table(steps, id);
    participant->table->joined = true;
    weir_ref_retain(&participant->table->ref);
    weir_vec_push(&participant->table->participants, participant);
    weir_mutex_unlock(&steps->lock);
    return &participant->base;
}

/* ---- serving others ------------------------------------------------------------------------- */

void weir_steps_serve(weir_steps *steps, int64_t id, weir_str key, weir_received done, void *arg)
{
    weir_status why = is_buffer(key) ? failure_of(steps, id) : WEIR_OK;
    if (why) {
        done(arg, why, (weir_tensor){0}, false);
        return;
    }
    step_table *table = begin_access(steps, id);
    table->values->recv(table->values, key, done, arg);
    end_access(table);
}

void weir_steps_forget(weir_steps *steps, int64_t id, weir_str key, void *arg, weir_received done,
                       weir_status why)
{
    step_table *table = begin_access(steps, id);
    bool waited = weir_rendezvous_forget(table->values, key, arg);
    end_access(table);
    if (waited)
        done(arg, why, (weir_tensor){0}, false);
    else
        weir_status_free(why);
}

/* ---- ending --------------------------------------------------------------------------------- */

static void drop(step_table *table)
{
    abort_table(table, weir_status_mark(weir_error(WEIR_ABORTED, "Cleanup %" PRId64, table->id),
                                        WEIR_DERIVED));
    weir_ref_release(&table->ref); /* the map's */
}

void weir_steps_cleanup(weir_steps *steps, int64_t id)
{
    weir_mutex_lock(&steps->lock);
    step_table *table = weir_map_remove(&steps->tables, key_of(&id));
    weir_mutex_unlock(&steps->lock);
    if (table)
        drop(table);
}

bool weir_steps_retire(weir_rendezvous *rendezvous)
{
    step_table *table = ((step_participant *)rendezvous)->table;
    weir_steps *steps = table->steps;
    weir_mutex_lock(&steps->lock);
    bool gone = remove_if_unused(steps, table, table->participants.count == 1);
    weir_mutex_unlock(&steps->lock);
    if (gone)
        weir_ref_release(&table->ref); /* the map's */
    return gone;
}

void weir_steps_own(weir_steps *steps, int64_t id, const void *owner)
{
    weir_mutex_lock(&steps->lock);
    step_table *table = weir_map_get(&steps->tables, key_of(&id));
    if (table)
        table->owner = owner;
    weir_mutex_unlock(&steps->lock);
}

/* Frees the tables of |owner|; null: all. */
static void drop_all(weir_steps *steps, const void *owner)
{
    WEIR_VEC(step_table *) found = {0};
    size_t at = 0;
    void *arg;
    weir_mutex_lock(&steps->lock);
    while (weir_map_next(&steps->tables, &at, NULL, &arg))
        if (!owner || ((step_table *)arg)->owner == owner)
            weir_vec_push(&found, arg);
    for (size_t i = 0; i < found.count; i++)
        weir_map_remove(&steps->tables, key_of(&found.at[i]->id));
    weir_mutex_unlock(&steps->lock);
    for (size_t i = 0; i < found.count; i++)
        drop(found.at[i]);
    weir_vec_fini(&found);
}

void weir_steps_drop_owned(weir_steps *steps, const void *owner)
{
    drop_all(steps, owner);
    weir_known_forget(steps->known); /* values still needed are sent once more */
}

weir_transfers *weir_steps_transfers(weir_steps *steps)
{
    return steps->transfers;
}

size_t weir_steps_count(weir_steps *steps)
{
    weir_mutex_lock(&steps->lock);
    size_t count = steps->tables.count;
    weir_mutex_unlock(&steps->lock);
    return count;
}

weir_steps *weir_steps_create(void)
{
    weir_steps *steps = WEIR_NEW(weir_steps);
    steps->transfers = weir_transfers_create();
    steps->known = weir_known_create();
    weir_mutex_init(&steps->lock);
    return steps;
}

void weir_steps_destroy(weir_steps *steps)
{
    if (!steps)
        return;
    drop_all(steps, NULL);
    for (size_t i = 0; i < REMEMBERED_FAILURES; i++)
        weir_status_free(steps->failures[i].why);
    weir_map_fini(&steps->large);
    weir_map_fini(&steps->sent);
    weir_map_fini(&steps->tables);
    weir_transfers_destroy(steps->transfers);
    weir_known_destroy(steps->known);
    weir_mutex_fini(&steps->lock);
    weir_free(steps);
}

int64_t weir_steps_new_id(void)
{
    int64_t id;
    do
        id = (int64_t)(weir_new_id() >> 7);
    while (!id);
    return id;
}
