/* dist/fanout.c - parallel calls. */
#include "dist/fanout.h"

#include <pthread.h>

#include "base/clock.h"
#include "base/log.h"

enum { FIRST_LOG_MS = 2000, NEXT_LOG_MS = 10000 };

typedef struct waiting {
    weir_fan_call *calls;
    int count;
    const weir_fan_options *o;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int pending; /* under lock */
} waiting;

static void call_done(void *arg, weir_status s, weir_rpc_message *answer)
{
    weir_fan_call *c = arg;
    waiting *w = c->private;
    if (s)
        s = weir_status_note(s,
                             "\nAdditional GRPC error information from remote target %s while "
                             "calling %s",
                             c->task->name, w->o->path);
    c->status = s;
    if (!s) {
        c->answer = *answer;
        *answer = (weir_rpc_message){0};
    }
    pthread_mutex_lock(&w->lock);
    c->done = true;
    if (--w->pending == 0)
        pthread_cond_signal(&w->changed);
    pthread_mutex_unlock(&w->lock);
}

static void log_missing(waiting *w, int64_t since_ns)
{
    double seconds = (double)(weir_now_ns() - since_ns) / 1e9;
    for (int i = 0; i < w->count; i++)
        if (!w->calls[i].done)
            weir_log(WEIR_LOG_WARNING,
                     "%s still waiting for response from worker: %s (%s), for %.0f s now",
                     w->o->waiting, w->calls[i].task->name, w->calls[i].task->address, seconds);
}

/* Lock held. */
static void wait_for_all(waiting *w)
{
    int64_t start = weir_now_ns();
    int64_t next_log = start + FIRST_LOG_MS * 1000000ll;
    while (w->pending) {
        if (!w->o->waiting) {
            pthread_cond_wait(&w->changed, &w->lock);
            continue;
        }
        struct timespec at = {next_log / 1000000000, next_log % 1000000000};
        pthread_cond_timedwait(&w->changed, &w->lock, &at);
        if (w->pending && weir_now_ns() >= next_log) {
            log_missing(w, start);
            next_log += NEXT_LOG_MS * 1000000ll;
        }
    }
}

void weir_fan_out(weir_fan_call *calls, int count, const weir_fan_options *options)
{
    waiting w = {.calls = calls, .count = count, .o = options, .pending = count};
    pthread_mutex_init(&w.lock, NULL);
    pthread_condattr_t attr;
    pthread_condattr_init(&attr);
    pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
    pthread_cond_init(&w.changed, &attr);
    pthread_condattr_destroy(&attr);
    for (int i = 0; i < count; i++) {
        calls[i].private = &w;
        weir_channel_call call = {.path = options->path,
                                  .request = &calls[i].request,
                                  .timeout_ms = options->timeout_ms,
                                  .wait_for_ready = options->wait_for_ready,
                                  .cancel = options->cancel,
                                  .done = call_done,
                                  .arg = &calls[i]};
        weir_channel_start(calls[i].task->channel, &call);
    }
    pthread_mutex_lock(&w.lock);
    wait_for_all(&w);
    pthread_mutex_unlock(&w.lock);
    pthread_cond_destroy(&w.changed);
    pthread_mutex_destroy(&w.lock);
}

weir_status weir_fan_end(weir_fan_call *calls, int count)
{
    weir_status first = WEIR_OK;
    for (int i = 0; i < count; i++) {
        if (!first)
            first = calls[i].status;
        else
            weir_status_free(calls[i].status);
        weir_rpc_message_fini(&calls[i].answer);
    }
    return first;
}
