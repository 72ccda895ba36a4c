/* mutants.c - defects to plant: functions of Weir that misbehave now and then.
 *
 * `sim --mutant NAME` runs with one of them. Each breaks something that the scenarios must notice:
 * tests/sim_test.py checks that they do. Without the option these functions only pass on.
 */
#include <stdio.h>
#include <string.h>

#include "base/cancel.h"
#include "dist/ids.h"
#include "dist/steps.h"
#include "net/channel.h"
#include "net/channel_impl.h"
#include "net/rpc.h"
#include "ops/collective/watch.h"
#include "wire/messages.h"

#include "cluster.h"

static const char *planted = "";

const sim_mutant sim_mutants[] = {
    {"lost-message", "a value of a stream is not sent"},
    {"lost-answer", "an error is answered as success"},
    {"lost-cancel", "a cancellation does not reach who waits"},
    {"no-keepalive", "nobody notices a peer that has gone silent"},
    {"lost-call", "calls of a connection that was lost do not end"},
    {"lost-delivery", "a value that arrived is not handed on"},
    {"forgotten-ids", "a request that comes twice is carried out twice"},
    {"no-watch", "who has given a value does not notice that its receiver is gone"},
};
const int sim_mutant_count = sizeof sim_mutants / sizeof *sim_mutants;

bool sim_plant(const char *name)
{
    for (int i = 0; i < sim_mutant_count; i++)
        if (!strcmp(sim_mutants[i].name, name))
            planted = sim_mutants[i].name;
    return *planted;
}

static bool is_planted(const char *name, uint64_t one_in)
{
    return !strcmp(planted, name) && sim_one_in(one_in);
}

weir_status __real_weir_rpc_send_message(weir_rpc *, weir_str, weir_rpc_message *);
weir_status __wrap_weir_rpc_send_message(weir_rpc *call, weir_str label, weir_rpc_message *message)
{
    if (is_planted("lost-message", 20)) {
        weir_rpc_message_fini(message);
        return WEIR_OK;
    }
    return __real_weir_rpc_send_message(call, label, message);
}

void __real_weir_rpc_fail(weir_rpc *, weir_status);
void __wrap_weir_rpc_fail(weir_rpc *call, weir_status status)
{
    weir_rpc_message empty = {0};
    if (!is_planted("lost-answer", 2)) {
        __real_weir_rpc_fail(call, status);
        return;
    }
    weir_status_free(status);
    weir_rpc_reply_message(call, &empty);
}

/* Clients ask for errors of steps in the answer's body. */
void __real_weir_message_write(const weir_message_type *, const void *, weir_buf *);
void __wrap_weir_message_write(const weir_message_type *type, const void *message, weir_buf *out)
{
    const weir_msg_run_step_response *answer = message;
    if (type == &weir_message_types[WEIR_INDEX_run_step_response] && answer->status_code &&
        is_planted("lost-answer", 2))
        return;
    __real_weir_message_write(type, message, out);
}

void __real_weir_cancel_fire(weir_cancel *, weir_status);
void __wrap_weir_cancel_fire(weir_cancel *cancel, weir_status why)
{
    if (is_planted("lost-cancel", 3))
        weir_status_free(why);
    else
        __real_weir_cancel_fire(cancel, why);
}

void __real_weir_channel_end_all(weir_channel *, call_list *, weir_status);
void __wrap_weir_channel_end_all(weir_channel *channel, call_list *from, weir_status status)
{
    if (is_planted("lost-call", 2))
        weir_status_free(status);
    else
        __real_weir_channel_end_all(channel, from, status);
}

void __real_weir_steps_deliver(weir_rendezvous *, weir_str, weir_rpc_message *);
void __wrap_weir_steps_deliver(weir_rendezvous *participant, weir_str key,
                               weir_rpc_message *message)
{
    if (is_planted("lost-delivery", 50))
        weir_rpc_message_fini(message);
    else
        __real_weir_steps_deliver(participant, key, message);
}

void __real_weir_client_keepalive_add(weir_channel *);
void __real_weir_client_keepalive_remove(weir_channel *);
void __wrap_weir_client_keepalive_add(weir_channel *channel)
{
    if (strcmp(planted, "no-keepalive"))
        __real_weir_client_keepalive_add(channel);
}
void __wrap_weir_client_keepalive_remove(weir_channel *channel)
{
    if (strcmp(planted, "no-keepalive"))
        __real_weir_client_keepalive_remove(channel);
}

bool __real_weir_seen_ids_add(weir_seen_ids *, int64_t);
bool __wrap_weir_seen_ids_add(weir_seen_ids *ids, int64_t id)
{
    return __real_weir_seen_ids_add(ids, id) || !strcmp(planted, "forgotten-ids");
}

void __real_weir_watch_look(weir_watch *, weir_exchange *);
void __wrap_weir_watch_look(weir_watch *watch, weir_exchange *exchange)
{
    if (strcmp(planted, "no-watch"))
        __real_weir_watch_look(watch, exchange);
}
