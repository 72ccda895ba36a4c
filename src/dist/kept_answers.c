/* dist/kept_answers.c - a short list of requests, the oldest first. */
#include "dist/kept_answers.h"

#include "base/clock.h"
#include "base/mem.h"
#include "base/mutex.h"
#include "base/timer.h"

enum {
    MOST_ANSWERS = 256,
    MOST_WAITING = 16, /* pending retries of one answer */
};

typedef struct kept_answer {
    weir_kept_key key;
    bool ended, too_large;
    weir_status status;
    weir_buf message;
    WEIR_VEC(weir_rpc *) waiting;
} kept_answer;

struct weir_kept_answers {
    weir_mutex lock;
    size_t most_bytes;
    size_t bytes WEIR_GUARDED_BY(lock);
    WEIR_VEC(kept_answer) all WEIR_GUARDED_BY(lock);
};

weir_kept_answers *weir_kept_answers_create(size_t most_bytes)
{
    weir_kept_answers *kept = WEIR_NEW(weir_kept_answers);
    weir_mutex_init(&kept->lock);
    kept->most_bytes = most_bytes;
    return kept;
}

static void free_answer(kept_answer *answer)
{
    weir_status_free(answer->status);
    weir_buf_fini(&answer->message);
    weir_vec_fini(&answer->waiting);
}

void weir_kept_answers_destroy(weir_kept_answers *kept)
{
    if (!kept)
        return;
    for (size_t i = 0; i < kept->all.count; i++)
        free_answer(&kept->all.at[i]);
    weir_vec_fini(&kept->all);
    weir_mutex_fini(&kept->lock);
    weir_free(kept);
}

static kept_answer *find(weir_kept_answers *kept, weir_kept_key key) WEIR_REQUIRES(kept->lock)
{
    for (size_t i = kept->all.count; i-- > 0;)
        if (kept->all.at[i].key.id == key.id && kept->all.at[i].key.method == key.method)
            return &kept->all.at[i];
    return NULL;
}

static weir_status not_kept(void)
{
    return weir_error(WEIR_ABORTED,
                      "The same request was received twice. It was carried out once; its "
                      "answer is not kept.");
}

/* The answer for one more caller. */
static weir_status copy_answer(const kept_answer *answer, weir_buf *out)
{
    if (answer->too_large)
        return not_kept();
    weir_buf_add(out, answer->message.at, answer->message.length);
    return answer->status ? weir_status_copy(answer->status) : WEIR_OK;
}

bool weir_kept_answers_begin(weir_kept_answers *kept, weir_kept_key key, weir_rpc *call)
{
    weir_buf message = {0};
    weir_status status = WEIR_OK;
    weir_mutex_lock(&kept->lock);
    kept_answer *answer = find(kept, key);
    bool is_new = !answer, waits = answer && !answer->ended && answer->waiting.count < MOST_WAITING;
    if (is_new)
        weir_vec_push(&kept->all, (kept_answer){.key = key});
    else if (waits)
        weir_vec_push(&answer->waiting, call);
    else
        status = answer->ended ? copy_answer(answer, &message) : not_kept();
    weir_mutex_unlock(&kept->lock);
    if (!is_new && !waits)
        weir_rpc_answer(call, status, &message);
    return is_new;
}

/* Evicts the oldest ended ones until the rest is within the limits. */
static void forget_oldest(weir_kept_answers *kept) WEIR_REQUIRES(kept->lock)
{
    for (size_t i = 0; i < kept->all.count;) {
        kept_answer *answer = &kept->all.at[i];
        if (kept->all.count <= MOST_ANSWERS && kept->bytes <= kept->most_bytes)
            return;
        if (!answer->ended) {
            i++;
            continue;
        }
        kept->bytes -= answer->message.length;
        free_answer(answer);
        memmove(answer, answer + 1, sizeof *answer * (kept->all.count-- - i - 1));
    }
}

void weir_kept_answers_end(weir_kept_answers *kept, weir_kept_key key, weir_rpc *call,
                           weir_status status, weir_buf *message)
{
    weir_mutex_lock(&kept->lock);
    kept_answer *answer = find(kept, key); /* it has not ended, so it was not evicted */
    kept_answer said = {
        .waiting = {answer->waiting.at, answer->waiting.count, answer->waiting.room}};
    answer->waiting.at = NULL;
    answer->waiting.count = answer->waiting.room = 0;
    answer->ended = true;
    answer->too_large = message->length > kept->most_bytes;
    answer->status = status ? weir_status_copy(status) : WEIR_OK;
    if (!answer->too_large)
        weir_buf_add(&answer->message, message->at, message->length);
    kept->bytes += answer->message.length;
    forget_oldest(kept);
    weir_mutex_unlock(&kept->lock);
    for (size_t i = 0; i < said.waiting.count; i++) {
        weir_buf copy = {0};
        weir_buf_add(&copy, message->at, message->length);
        weir_rpc_answer(said.waiting.at[i], status ? weir_status_copy(status) : WEIR_OK, &copy);
    }
    free_answer(&said);
    weir_rpc_answer(call, status, message);
}

/* ---- steps that outlive their connection ----------------------------------------------------- */

/* The calls that this ends free |detached|. */
static void fire(weir_detached *detached, weir_status why)
{
    weir_cancel *cancel = weir_cancel_retain(detached->cancel);
    weir_cancel_fire(cancel, why);
    weir_cancel_release(cancel);
}

static void on_cancelled(void *arg)
{
    weir_detached *detached = arg;
    if (!weir_peer_gone_for(weir_rpc_peer(detached->call)))
        fire(detached, weir_cancel_status(weir_rpc_cancel(detached->call)));
}

static void out_of_time(void *arg)
{
    fire(arg, weir_error(WEIR_DEADLINE_EXCEEDED, "Deadline Exceeded"));
}

weir_cancel *weir_detached_begin(weir_detached *detached, weir_rpc *call)
{
    int64_t timeout_ms = weir_rpc_timeout_ms(call);
    *detached = (weir_detached){.call = call, .cancel = weir_cancel_create(NULL)};
    detached->token = weir_cancel_add(weir_rpc_cancel(call), on_cancelled, detached);
    if (!detached->token)
        on_cancelled(detached);
    if (timeout_ms)
        detached->timer =
            weir_timer_add(weir_now_ns() + timeout_ms * 1000000, out_of_time, detached);
    return detached->cancel;
}

void weir_detached_end(weir_detached *detached)
{
    if (!detached->cancel)
        return;
    if (detached->token)
        weir_cancel_remove(weir_rpc_cancel(detached->call), detached->token);
    if (detached->timer)
        weir_timer_remove(detached->timer);
    weir_cancel_release(detached->cancel);
    detached->cancel = NULL;
}
