/* duplicates.c - requests that arrive twice, as from a proxy or a client that asks again.
 *
 * Those that carry an id are sent once more under it, before or after the first. A server carries
 * out one of the two: which one is answered so, and which is refused or gets the same answer, is
 * its choice, but what is counted must be counted once.
 */
#include <string.h>

#include "net/channel.h"

#include "os.h"

static bool all_once;

void sim_send_once(bool once)
{
    all_once = once;
}

static bool is_sent_twice(const char *path)
{
    static const char *const methods[] = {"/RunStep", "/RunCallable", "/RunGraph", "/RecvTensor"};
    const char *name = strrchr(path, '/');
    size_t kept = 2; /* of these, sessions keep answers; the others end their step */
    size_t count = sim_settings()->keeps_answers ? kept : sizeof methods / sizeof *methods;
    for (size_t i = 0; i < count; i++)
        if (!all_once && !strcmp(name, methods[i]))
            return sim_one_in((uint64_t)sim_settings()->duplicate_one_in);
    return false;
}

static weir_rpc_message copy_of(const weir_rpc_message *message)
{
    weir_rpc_message copy = {.payload = message->payload,
                             .payload_at = message->payload_at,
                             .payload_bytes = message->payload_bytes};
    weir_buf_add(&copy.head, message->head.at, message->head.length);
    if (copy.payload)
        weir_buffer_retain(copy.payload);
    return copy;
}

static void ignore(void *arg, weir_status status, weir_rpc_message *answer)
{
    weir_status_free(status);
    weir_rpc_message_fini(answer);
}

void __real_weir_channel_start(weir_channel *, const weir_channel_call *);
weir_status __real_weir_channel_wait(weir_channel *, const weir_channel_call *, weir_rpc_message *);

static void send_copy(weir_channel *channel, const weir_channel_call *call)
{
    weir_rpc_message copy = copy_of(call->request);
    sim_note("sent twice: %s", call->path);
    __real_weir_channel_start(channel, &(weir_channel_call){.path = call->path,
                                                            .request = &copy,
                                                            .timeout_ms = call->timeout_ms,
                                                            .cancel = call->cancel,
                                                            .done = ignore});
}

void __wrap_weir_channel_start(weir_channel *channel, const weir_channel_call *call)
{
    if (is_sent_twice(call->path))
        send_copy(channel, call);
    __real_weir_channel_start(channel, call);
}

weir_status __wrap_weir_channel_wait(weir_channel *channel, const weir_channel_call *call,
                                     weir_rpc_message *out_answer)
{
    if (is_sent_twice(call->path))
        send_copy(channel, call);
    return __real_weir_channel_wait(channel, call, out_answer);
}
