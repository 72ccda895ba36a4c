/* dist/fanout.c - calls one method on several tasks in parallel. */
#include "dist/fanout.h"

#include "base/mutex.h"

#include "base/clock.h"
#include "base/log.h"
#include "dist/probe.h"

enum { FIRST_LOG_MS = 2000, NEXT_LOG_MS = 10000 };

typedef struct fan_wait {
    weir_fan_call *calls;
    int count;
    const weir_fan_options *o;
    weir_mutex lock;
    weir_cond changed;
    int pending WEIR_GUARDED_BY(lock);
} fan_wait;

static void call_done(void *arg, weir_status status, weir_rpc_message *answer)
{
    weir_fan_call *call = arg;
    fan_wait *waiting = call->private;
    if (status)
        status = weir_status_note(status,
                                  "\nAdditional GRPC error information from remote target %s while "
                                  "calling %s",
                                  call->task->name, waiting->o->path);
    call->status = status;
    if (!status) {
        call->answer = *answer;
        *answer = (weir_rpc_message){0};
    }
    weir_mutex_lock(&waiting->lock);
    call->done = true;
    if (--waiting->pending == 0)
        weir_cond_signal(&waiting->changed);
    weir_mutex_unlock(&waiting->lock);
}

void weir_fan_reason(const weir_task *task, weir_buf *out)
{
    WEIR_BUF(who);
    weir_channel_reason(task->channel, out);
    bool known = out->length && (memmem(out->at, out->length, "refused", 7) ||
                                 memmem(out->at, out->length, "DNS", 3));
    if (!known)
        weir_probe(task->address, &who);
    if (who.length)
        weir_buf_addf(out, "%s%s", out->length ? "; " : "", who.at);
}

static void log_task(const fan_wait *waiting, const weir_task *task, double seconds)
{
    WEIR_BUF(why);
    weir_fan_reason(task, &why);
    weir_log(WEIR_LOG_WARNING,
             "%s still waiting for response from worker: %s (%s), for %.0f s now%s%s",
             waiting->o->waiting, task->name, task->address, seconds, why.length ? ": " : "",
             why.length ? why.at : "");
}

/* Without the lock, which the answers of other tasks need: finding a reason takes a while. Stops
 * when there is nothing to wait for any more. */
static void log_missing(fan_wait *waiting, int64_t since_ns) WEIR_REQUIRES(waiting->lock)
{
    double seconds = (double)(weir_now_ns() - since_ns) / 1e9;
    for (int i = 0; i < waiting->count && waiting->pending; i++) {
        if (waiting->calls[i].done)
            continue;
        const weir_task *task = waiting->calls[i].task;
        weir_mutex_unlock(&waiting->lock);
        log_task(waiting, task, seconds);
        weir_mutex_lock(&waiting->lock);
    }
}

static void wait_for_all(fan_wait *waiting) WEIR_REQUIRES(waiting->lock)
{
    int64_t start = weir_now_ns();
    int64_t next_log = start + FIRST_LOG_MS * 1000000ll;
    while (waiting->pending) {
        if (!waiting->o->waiting) {
            weir_cond_wait(&waiting->changed, &waiting->lock);
            continue;
        }
        struct timespec at = {next_log / 1000000000, next_log % 1000000000};
        weir_cond_wait_until(&waiting->changed, &waiting->lock, &at);
        if (waiting->pending && weir_now_ns() >= next_log) {
            log_missing(waiting, start);
            next_log += NEXT_LOG_MS * 1000000ll;
        }
    }
}

void weir_fan_out(weir_fan_call *calls, int count, const weir_fan_options *options)
{
    fan_wait waiting = {.calls = calls, .count = count, .o = options, .pending = count};
    weir_mutex_init(&waiting.lock);
    weir_cond_init_monotonic(&waiting.changed);
    for (int i = 0; i < count; i++) {
        calls[i].private = &waiting;
        weir_channel_call call = {.path = options->path,
                                  .request = &calls[i].request,
                                  .timeout_ms = options->timeout_ms,
                                  .wait_for_ready = options->wait_for_ready,
                                  .repeatable = options->repeatable,
                                  .cancel = options->cancel,
                                  .done = call_done,
                                  .arg = &calls[i]};
        weir_channel_start(calls[i].task->channel, &call);
    }
    weir_mutex_lock(&waiting.lock);
    wait_for_all(&waiting);
    weir_mutex_unlock(&waiting.lock);
    weir_cond_fini(&waiting.changed);
    weir_mutex_fini(&waiting.lock);
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
