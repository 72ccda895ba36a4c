/* dist/links.c - values sent over the stream of a RunGraph.
 *
 * A gRPC link carries small values, many in one packet. A larger value stays at its producer, which
 * sends a notice instead: an empty message, unlike any value. The receiver then requests the value
 * by RecvTensor. A value that was large is usually large in the next step too, so from then on it
 * is requested at once, as if there were no link; if that request arrives before the value exists,
 * it is answered and no notice is sent. If the value turns out to be small and is sent over the
 * link first, the reply to the request is ignored. An unchanged value stays, too: the receiver may
 * have cached it (dist/known.h), and then says so in its request.
 */
#include <assert.h>

#include "base/mem.h"
#include "dist/checksum.h"
#include "dist/recv_tensor.h"
#include "dist/steps_impl.h"
#include "dist/wire_type.h"
#include "observe/traffic.h"

enum {
    MAX_LARGE_KEYS = 4096, /* maximum; keys of loops are new in every iteration */
    ASKED_FROM = 64 << 10, /* minimum size of a value that stays because the receiver may have it */
};

/* ---- finding links -------------------------------------------------------------------------- */

weir_str weir_key_device(weir_str key)
{
    const char *end = memchr(key.at, ';', key.length);
    return (weir_str){key.at, end ? (size_t)(end - key.at) : key.length};
}

const weir_task *weir_participant_source(const step_participant *participant, weir_str key)
{
    return participant->cluster ? weir_cluster_find(participant->cluster, weir_key_device(key))
                                : NULL;
}

/* A link that is counted does not change: messages arrive on the first while others are added. */
static int link_count(const step_participant *participant)
{
    return atomic_load_explicit(&((step_participant *)participant)->link_count,
                                memory_order_acquire);
}

static const step_link *find_link(const step_participant *participant, const weir_task *task)
{
    for (int i = 0, count = link_count(participant); i < count; i++)
        if (participant->links[i].task == task)
            return &participant->links[i];
    return NULL;
}

bool weir_participant_has_link(const step_participant *participant, const weir_task *task)
{
    return find_link(participant, task) != NULL;
}

const step_link *weir_participant_link_for(const step_participant *participant, weir_str key)
{
    const char *end = key.at + key.length;
    const char *one = memchr(key.at, ';', key.length);
    const char *two = one ? memchr(one + 1, ';', (size_t)(end - one - 1)) : NULL;
    for (int i = 0, count = link_count(participant); two && i < count; i++) {
        const step_link *link = &participant->links[i];
        if (link->name_length < (size_t)(end - two - 1) &&
            memcmp(two + 1, link->task->name, link->name_length) == 0 &&
            two[1 + link->name_length] == '/')
            return link;
    }
    return NULL;
}

static size_t message_limit(const step_link *link)
{
    return link->stream ? weir_stream_message_limit(link->stream)
                        : weir_rpc_message_limit(link->call);
}

void weir_steps_expect_links(weir_rendezvous *rendezvous, int most)
{
    step_participant *this_participant = (step_participant *)rendezvous;
    assert(!this_participant->links);
    this_participant->links = WEIR_NEW_ARRAY(step_link, most);
    this_participant->link_room = most;
}

void weir_steps_link(weir_rendezvous *rendezvous, const weir_task *task, weir_stream *stream,
                     weir_rpc *call)
{
    step_participant *this_participant = (step_participant *)rendezvous;
    int count = link_count(this_participant);
    assert(count < this_participant->link_room);
    if (call)
        weir_rpc_retain(call);
    this_participant->links[count] = (step_link){task, strlen(task->name), stream, call};
    atomic_store_explicit(&this_participant->link_count, count + 1, memory_order_release);
}

/* All streams of a step use one transport, judging by the first. */
static bool by_shm(const step_participant *participant)
{
    return link_count(participant) && message_limit(&participant->links[0]) == SIZE_MAX;
}

/* ---- sending -------------------------------------------------------------------------------- */

/* True when a value's tag has the hash of the last one sent under its key: the receiver may have
 * cached it, and must request it (dist/known.h). */
static bool is_as_before(weir_steps *steps, weir_str key, const weir_tensor *tensor)
{
    WEIR_BUF(tag);
    if (weir_tensor_bytes(tensor) < ASKED_FROM || !weir_known_tag(tensor, weir_wire_type(), &tag))
        return false;
    uintptr_t hash = (uintptr_t)weir_hash_bytes(tag.at, tag.length, 1) | 1;
    weir_mutex_lock(&steps->lock);
    if (steps->sent.count >= MAX_LARGE_KEYS && !weir_map_get(&steps->sent, key))
        weir_map_fini(&steps->sent);
    bool same = (uintptr_t)weir_map_put(&steps->sent, key, (void *)hash) == hash;
    weir_mutex_unlock(&steps->lock);
    return same;
}

weir_status weir_participant_send(const step_participant *participant, const step_link *link,
                                  weir_str key, weir_tensor tensor, bool dead)
{
    weir_rendezvous *values = participant->table->values;
    size_t most = message_limit(link);
    if (most < SIZE_MAX && weir_rendezvous_awaits(values, key))
        return values->send(values, key, tensor, dead);
    weir_rpc_message message = {0};
    bool stays = !dead && most < SIZE_MAX &&
                 (weir_tensor_bytes(&tensor) > most ||
                  is_as_before(participant->table->steps, key, &tensor));
    if (stays) {
        WEIR_TRY(values->send(values, key, tensor, dead));
    } else {
        weir_status status = weir_recv_answer_encode(&tensor, dead, &message);
        weir_tensor_release(&tensor);
        WEIR_TRY(status);
        weir_checksum_seal(key, &message);
    }
    weir_traffic_out(weir_str_of(link->task->name), most == SIZE_MAX ? "shm" : "grpc",
                     (int64_t)(message.head.length + message.payload_bytes));
    return link->stream ? weir_stream_send(link->stream, key, &message)
                        : weir_rpc_send_message(link->call, key, &message);
}

/* ---- large values --------------------------------------------------------------------------- */

/* A RecvTensor for a value that may also arrive on the link; owned by |requests|. */
typedef struct value_request {
    step_participant *participant; /* retained while it is open */
    bool open, failed;
    bool announced; /* a notice arrived: the value exists, so a failure matters */
    size_t length;
    char key[];
} value_request;

/* True for errors of an unnecessary request, or of the end of the step. */
static bool is_harmless(weir_status status)
{
    weir_code code = weir_status_code(status);
    return code == WEIR_ABORTED || code == WEIR_CANCELLED || code == WEIR_UNAVAILABLE ||
           weir_status_is(status, WEIR_DERIVED);
}

static void answered(void *arg, weir_status status, weir_tensor tensor, bool dead)
{
    value_request *request = arg;
    step_participant *participant = request->participant;
    weir_rendezvous *values = participant->table->values;
    if (!status)
        status = values->send(values, (weir_str){request->key, request->length}, tensor, dead);
    else
        weir_tensor_release(&tensor);
    weir_mutex_lock(&participant->table->steps->lock);
    request->open = false;
    request->failed = status != WEIR_OK;
    bool matters = status && (request->announced || !is_harmless(status));
    weir_mutex_unlock(&participant->table->steps->lock);
    if (matters)
        participant->base.abort(&participant->base, status);
    else
        weir_status_free(status);
    weir_rendezvous_release(&participant->base);
}

/* Adds a request for |key|, unless there is one; |announced|: because of a notice. Null: nothing to
 * send. */
static value_request *begin_request(step_participant *participant, weir_str key, bool announced)
{
    weir_mutex_lock(&participant->table->steps->lock);
    value_request *request = weir_map_get(&participant->requests, key);
    bool again = request && !request->open && request->failed && announced;
    if (request)
        request->announced |= announced;
    if (!request) {
        request = weir_alloc(sizeof *request + key.length);
        *request = (value_request){
            .participant = participant, .announced = announced, .length = key.length};
        memcpy(request->key, key.at, key.length);
        weir_map_put(&participant->requests, key, request);
        again = true;
    }
    if (again) {
        request->open = true;
        request->failed = false;
        weir_ref_retain(&participant->base.ref);
    }
    weir_mutex_unlock(&participant->table->steps->lock);
    return again ? request : NULL;
}

static void request_value(step_participant *participant, const weir_task *task, weir_str key,
                          bool announced)
{
    value_request *request = begin_request(participant, key, announced);
    if (request)
        weir_participant_request(participant, task, key, answered, request);
}

static void note_large(step_participant *participant, weir_str key)
{
    weir_steps *steps = participant->table->steps;
    weir_mutex_lock(&steps->lock);
    if (steps->large.count >= MAX_LARGE_KEYS)
        weir_map_fini(&steps->large);
    weir_map_put(&steps->large, key, steps);
    weir_mutex_unlock(&steps->lock);
}

static bool was_large(step_participant *participant, weir_str key)
{
    weir_steps *steps = participant->table->steps;
    weir_mutex_lock(&steps->lock);
    bool was = weir_map_get(&steps->large, key) != NULL;
    weir_mutex_unlock(&steps->lock);
    return was;
}

/* The value arrived on the link: it is not requested in the next step. */
static void note_small(step_participant *participant, weir_str key)
{
    weir_steps *steps = participant->table->steps;
    weir_mutex_lock(&steps->lock);
    if (participant->requests.count && weir_map_get(&participant->requests, key))
        weir_map_remove(&steps->large, key);
    weir_mutex_unlock(&steps->lock);
}

/* ---- receiving ------------------------------------------------------------------------------ */

bool weir_participant_recv(step_participant *participant, const weir_task *task, weir_str key,
                           weir_received done, void *arg)
{
    const step_link *link = find_link(participant, task);
    if (!link)
        return false;
    bool request_now = message_limit(link) < SIZE_MAX && was_large(participant, key);
    if (request_now) /* first: a received value may end the step */
        request_value(participant, task, key, false);
    weir_rendezvous *values = participant->table->values;
    values->recv(values, key, done, arg);
    return true;
}

/* The producer has a value that is too large for the link. */
static void on_large_notice(step_participant *participant, weir_str key)
{
    const weir_task *task = weir_participant_source(participant, key);
    if (!task || !task->channel) {
        participant->base.abort(&participant->base,
                                weir_error(WEIR_INTERNAL,
                                           "large-value notice from an unknown task: %.*s",
                                           WEIR_STR_ARG(key)));
        return;
    }
    note_large(participant, key);
    request_value(participant, task, key, true);
}

/* The sender on a link is always Weir's. */
static weir_status verify(const step_participant *participant, weir_str key,
                          const weir_rpc_message *message)
{
    const weir_task *task = weir_participant_source(participant, key);
    return weir_checksum_verify(key, task ? task->name : "another task", true, message);
}

void weir_steps_deliver(weir_rendezvous *rendezvous, weir_str key, weir_rpc_message *message)
{
    step_participant *this_participant = (step_participant *)rendezvous;
    weir_rendezvous *values = this_participant->table->values;
    weir_tensor tensor = {0};
    bool dead = false;
    weir_parsed_key
        parsed; /* other keys are of collective ops, whose values do not come this way */
    weir_status status = weir_rendezvous_parse(key, &parsed);
    if (status) {
        rendezvous->abort(rendezvous, status);
        return;
    }
    if (!message->head.length && !message->payload) {
        on_large_notice(this_participant, key);
        return;
    }
    note_small(this_participant, key);
    weir_traffic_in(weir_key_device(key), by_shm(this_participant) ? "shm" : "grpc",
                    (int64_t)(message->head.length + message->payload_bytes));
    status = verify(this_participant, key, message);
    if (!status)
        status = weir_recv_answer_parse(message, &tensor, &dead);
    weir_rpc_message_fini(message);
    if (!status)
        status = values->send(values, key, tensor, dead);
    if (status)
        rendezvous->abort(rendezvous, status);
}

void weir_participant_unlink(step_participant *participant)
{
    size_t at = 0;
    void *arg;
    while (weir_map_next(&participant->requests, &at, NULL, &arg))
        weir_free(arg);
    weir_map_fini(&participant->requests);
    for (int i = 0; i < link_count(participant); i++) {
        weir_stream_release(participant->links[i].stream);
        weir_rpc_release(participant->links[i].call);
    }
    weir_free(participant->links);
}
