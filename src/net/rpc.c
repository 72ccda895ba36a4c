/* net/rpc.c - calls: from received bytes to a handler's thread, and back.
 *
 * A call has two owners: the stream on its connection, and the handler. Whoever lets go last frees
 * it. The answer is given to the loop's thread, which alone touches connections.
 */
#include "net/rpc.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/timer.h"
#include "net/rpc_impl.h"

/* ---- the handler's side --------------------------------------------------------------------- */

weir_str weir_rpc_request(const weir_rpc *call)
{
    return (weir_str){call->body.at ? call->body.at + GRPC_PREFIX : "",
                      call->body.length > GRPC_PREFIX ? call->body.length - GRPC_PREFIX : 0};
}

weir_cancel *weir_rpc_cancel(weir_rpc *call)
{
    return call->cancel;
}

static void destroy_call(weir_ref *ref)
{
    weir_rpc *call = (weir_rpc *)ref;
    weir_buf_fini(&call->path);
    weir_buf_fini(&call->body);
    weir_buf_fini(&call->answer);
    weir_status_free(call->status);
    weir_cancel_release(call->cancel);
    weir_free(call);
}

weir_rpc *weir_rpc_create(weir_rpc_server *server, int32_t stream)
{
    weir_rpc *call = WEIR_NEW(weir_rpc);
    weir_ref_init(&call->ref, destroy_call);
    call->server = server;
    call->stream = stream;
    call->cancel = weir_cancel_create(NULL);
    return call;
}

static void answer(weir_rpc *call)
{
    if (call->timer)
        weir_timer_remove(call->timer);
    weir_rpc_post_answer(call); /* passes the handler's reference on */
}

void weir_rpc_reply(weir_rpc *call, weir_buf *message)
{
    uint32_t n = (uint32_t)message->length;
    uint8_t prefix[GRPC_PREFIX] = {0, (uint8_t)(n >> 24), (uint8_t)(n >> 16), (uint8_t)(n >> 8),
                                   (uint8_t)n};
    memcpy(call->prefix, prefix, GRPC_PREFIX);
    call->answer = *message;
    *message = (weir_buf){0};
    answer(call);
}

void weir_rpc_fail(weir_rpc *call, weir_status s)
{
    call->status = s;
    answer(call);
}

static void deadline_passed(void *arg)
{
    weir_rpc *call = arg;
    weir_cancel_fire(call->cancel, weir_error(WEIR_DEADLINE_EXCEEDED, "Deadline Exceeded"));
}

/* ---- threads for handlers ------------------------------------------------------------------- */

static void *serve(void *arg)
{
    weir_rpc_server *s = arg;
    pthread_mutex_lock(&s->lock);
    for (;;) {
        while (!s->waiting.count && !s->ending) {
            s->idle++;
            struct timespec until;
            clock_gettime(CLOCK_REALTIME, &until);
            until.tv_sec += IDLE_SECONDS;
            int waited = pthread_cond_timedwait(&s->work, &s->lock, &until);
            s->idle--;
            if (waited == ETIMEDOUT && !s->waiting.count)
                goto leave;
        }
        if (!s->waiting.count)
            goto leave;
        weir_rpc *call = s->waiting.at[0];
        memmove(s->waiting.at, s->waiting.at + 1, --s->waiting.count * sizeof *s->waiting.at);
        pthread_mutex_unlock(&s->lock);
        call->method->handle(call, s->ctx);
        pthread_mutex_lock(&s->lock);
    }
leave:
    s->threads--;
    pthread_cond_broadcast(&s->left);
    pthread_mutex_unlock(&s->lock);
    return NULL;
}

/* Hands a complete call to a thread: an idle one, or a new one. */
void weir_rpc_dispatch(weir_rpc *call)
{
    weir_rpc_server *s = call->server;
    weir_ref_retain(&call->ref); /* the handler's */
    if (call->timeout_ms > 0)
        call->timer =
            weir_timer_add(weir_now_ns() + call->timeout_ms * 1000000, deadline_passed, call);
    pthread_mutex_lock(&s->lock);
    weir_vec_push(&s->waiting, call);
    bool more = (int)s->waiting.count > s->idle && s->threads < MOST_THREADS;
    if (more) {
        pthread_t id;
        if (pthread_create(&id, NULL, serve, s) == 0) {
            pthread_detach(id);
            s->threads++;
        }
    }
    pthread_cond_signal(&s->work);
    pthread_mutex_unlock(&s->lock);
}

const weir_rpc_method *weir_rpc_find(const weir_rpc_server *s, weir_str path)
{
    for (size_t i = 0; i < s->method_count; i++)
        if (weir_str_is(path, s->methods[i].path))
            return &s->methods[i];
    return NULL;
}

void weir_rpc_stop_threads(weir_rpc_server *s)
{
    pthread_mutex_lock(&s->lock);
    s->ending = true;
    pthread_cond_broadcast(&s->work);
    while (s->threads)
        pthread_cond_wait(&s->left, &s->lock);
    pthread_mutex_unlock(&s->lock);
}
