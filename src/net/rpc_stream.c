/* net/rpc_stream.c - the messages of a call that is a stream: to its listener, in order.
 *
 * The serving thread calls the listener. A thread that blocks in a listener, or in a handler that
 * has not set its listener yet, is replaced, and the next one may read further messages of the same
 * call: they are queued in the call's inbox, for the thread that is calling the listener or will
 * set it.
 */
#include "base/room.h"
#include "net/limits.h"
#include "net/rpc_impl.h"

bool weir_rpc_is_stream(const weir_rpc *call)
{
    return call->send_message != NULL;
}

weir_ref *weir_rpc_take_listener(weir_rpc *call)
{
    weir_ref *arg = call->listener_arg;
    call->listener = NULL;
    call->listener_arg = NULL;
    call->deaf = true;
    return arg;
}

/* Its bytes here; a payload is a buffer, which counts itself against the limit of the process. */
static size_t letter_bytes(const weir_rpc_letter *letter)
{
    return sizeof *letter + letter->label.length + letter->message.head.length;
}

static size_t all_bytes(const weir_rpc_letter *letter)
{
    return sizeof *letter + letter->label.length + weir_rpc_message_bytes(&letter->message);
}

static void fini_letter(weir_rpc_letter *letter)
{
    weir_buf_fini(&letter->label);
    weir_rpc_message_fini(&letter->message);
}

void weir_rpc_streams_fini(weir_rpc *call)
{
    weir_ref_release(call->listener_arg);
    for (size_t i = call->inbox_at; i < call->inbox.count; i++) {
        weir_room_give(letter_bytes(&call->inbox.at[i]));
        fini_letter(&call->inbox.at[i]);
    }
    weir_vec_fini(&call->inbox);
}

static weir_rpc_delivery claim_listener(weir_rpc *call) WEIR_REQUIRES(call->stream_lock)
{
    weir_ref_retain(call->listener_arg);
    weir_ref_retain(&call->ref);
    call->delivering = true;
    return (weir_rpc_delivery){.call = call, .listener = call->listener, .arg = call->listener_arg};
}

static void call_listener(weir_rpc_delivery *to, weir_str label, weir_rpc_message *message)
{
    to->listener(to->arg, (weir_str){label.at ? label.at : "", label.length}, message);
    weir_ref_release(to->arg);
}

/* The next message of the inbox. False: there is none, or no listener any more; this thread has
 * stopped delivering. */
static bool take_letter(weir_rpc *call, weir_rpc_letter *out_letter, weir_rpc_delivery *out_to)
{
    weir_mutex_lock(call->stream_lock);
    bool more = call->listener && call->inbox_at < call->inbox.count;
    call->delivering = more;
    if (more) {
        *out_letter = call->inbox.at[call->inbox_at++];
        weir_room_give(letter_bytes(out_letter));
        call->inbox_bytes -= all_bytes(out_letter);
        weir_ref_retain(call->listener_arg);
        *out_to = (weir_rpc_delivery){call, call->listener, call->listener_arg};
        if (call->inbox_at == call->inbox.count)
            call->inbox.count = call->inbox_at = 0;
    }
    weir_mutex_unlock(call->stream_lock);
    return more;
}

static void deliver_inbox(weir_rpc *call)
{
    weir_rpc_letter letter;
    weir_rpc_delivery to;
    while (take_letter(call, &letter, &to)) {
        call_listener(&to, weir_view(&letter.label), &letter.message);
        fini_letter(&letter);
    }
}

void weir_rpc_listen_to(weir_rpc *call, weir_rpc_listener *listener, weir_ref *arg)
{
    weir_ref_retain(arg);
    weir_mutex_lock(call->stream_lock);
    bool deaf = call->deaf, waiting = !deaf && call->inbox.count > 0;
    if (!deaf) {
        call->listener = listener;
        call->listener_arg = arg;
        call->delivering = waiting;
    }
    weir_mutex_unlock(call->stream_lock);
    if (deaf)
        weir_ref_release(arg);
    if (waiting)
        deliver_inbox(call);
}

/* Queues a message. False: there are too many. */
static bool keep(weir_rpc *call, weir_str label, weir_rpc_message *message)
    WEIR_REQUIRES(call->stream_lock)
{
    size_t most = (size_t)weir_limits_get()->request_mib << 20;
    weir_rpc_letter letter = {.message = *message};
    weir_buf_add(&letter.label, label.at, label.length);
    size_t all = all_bytes(&letter);
    if (all > most || call->inbox_bytes > most - all || !weir_room_take(letter_bytes(&letter))) {
        weir_buf_fini(&letter.label);
        return false;
    }
    *message = (weir_rpc_message){0};
    weir_vec_push(&call->inbox, letter);
    call->inbox_bytes += all;
    return true;
}

/* The caller holds the lock under its transport's name for it. */
WEIR_UNCHECKED_LOCKING weir_rpc_delivery weir_rpc_claim(weir_rpc *call, weir_str label,
                                                        weir_rpc_message *message)
{
    if (call->listener && !call->delivering)
        return claim_listener(call);
    if (call->deaf || !weir_rpc_is_stream(call) || keep(call, label, message))
        return (weir_rpc_delivery){0};
    weir_ref_retain(&call->ref);
    return (weir_rpc_delivery){.call = call};
}

static weir_status too_many(void)
{
    return weir_error(WEIR_RESOURCE_EXHAUSTED,
                      "messages of a stream wait in more than %lld MiB (limit: request_mib), or in "
                      "more than the limit of memory leaves",
                      (long long)weir_limits_get()->request_mib);
}

void weir_rpc_deliver(weir_rpc_delivery *to, weir_str label, weir_rpc_message *message)
{
    if (!to->call)
        return;
    if (to->listener) {
        call_listener(to, label, message);
        deliver_inbox(to->call);
    } else {
        weir_cancel_fire(to->call->cancel, too_many());
    }
    weir_ref_release(&to->call->ref);
}

weir_status weir_rpc_send_message(weir_rpc *call, weir_str label, weir_rpc_message *message)
{
    size_t bytes = weir_rpc_message_bytes(message);
    bool sent = call->send_message(call, label, message);
    weir_rpc_message_fini(message);
    if (sent)
        return WEIR_OK;
    return weir_error(WEIR_RESOURCE_EXHAUSTED, "cannot buffer %zu bytes for sending", bytes);
}

size_t weir_rpc_message_limit(const weir_rpc *call)
{
    return call->message_limit;
}

weir_rpc *weir_rpc_retain(weir_rpc *call)
{
    weir_ref_retain(&call->ref);
    return call;
}

void weir_rpc_release(weir_rpc *call)
{
    weir_ref_release((weir_ref *)call);
}
