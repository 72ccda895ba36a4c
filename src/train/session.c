/* train/session.c - a trainer's session: made, readied, lost and made again. */
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/log.h"
#include "train/train_impl.h"
#include "weir/runner.h"
#include "wire/messages.h"

enum {
    FIRST_POLL_MS = 10, /* between looks at whether the variables are ready; grows */
    LONGEST_POLL_MS = 250,
    REOPEN_MS = 100, /* before a session is made again */
    SAY_AFTER_S = 2, /* of waiting */
};

static void sleep_ms(int ms)
{
    nanosleep(&(struct timespec){ms / 1000, ms % 1000 * 1000000L}, NULL);
}

/* ---- running -------------------------------------------------------------------------------- */

/* RunOptions with what is left of the time to become ready; null: no limit. */
static TF_Buffer *limits(const weir_trainer *t)
{
    if (!t->ready_by_ns)
        return NULL;
    int64_t ms = (t->ready_by_ns - weir_now_ns()) / 1000000;
    WEIR_BUF(options);
    weir_msg_run_options_write(&(weir_msg_run_options){.timeout_in_ms = ms > 1 ? ms : 1}, &options);
    return TF_NewBufferFromString(options.at, options.length);
}

static weir_status run_limited(weir_trainer *t, const TF_Buffer *options, TF_Output feed,
                               TF_Tensor *value, TF_Operation *op)
{
    TF_Status *status = TF_NewStatus();
    TF_SessionRun(t->session, options, &feed, &value, value ? 1 : 0, NULL, NULL, 0,
                  (const TF_Operation *const *)&op, 1, NULL, status);
    weir_status s = weir_capi_status(status);
    TF_DeleteStatus(status);
    return s;
}

weir_status weir_trainer_run_fed(weir_trainer *t, TF_Output feed, TF_Tensor *value,
                                 TF_Operation *op)
{
    TF_Buffer *options = limits(t);
    weir_status s = run_limited(t, options, feed, value, op);
    TF_DeleteBuffer(options);
    return s;
}

weir_status weir_trainer_run_op(weir_trainer *t, TF_Operation *op)
{
    return op ? weir_trainer_run_fed(t, (TF_Output){0}, NULL, op) : WEIR_OK;
}

static weir_status fetch(weir_trainer *t, TF_Output what, TF_Tensor **out)
{
    TF_Status *status = TF_NewStatus();
    TF_Buffer *options = limits(t);
    TF_SessionRun(t->session, options, NULL, NULL, 0, &what, out, 1, NULL, 0, NULL, status);
    TF_DeleteBuffer(options);
    weir_status s = weir_capi_status(status);
    TF_DeleteStatus(status);
    return s;
}

weir_status weir_trainer_read_step(weir_trainer *t)
{
    TF_Tensor *value;
    WEIR_TRY(fetch(t, t->global_step->value, &value));
    t->at = *(const int64_t *)TF_TensorData(value);
    TF_DeleteTensor(value);
    return WEIR_OK;
}

/* ---- the chief's updates -------------------------------------------------------------------- */

/* Takes means and updates until the session ends. When it fails by itself, nobody would wake the
 * worker's step, which waits for a token: so the session ends with it. */
static void *update_forever(void *arg)
{
    weir_trainer *t = arg;
    TF_Status *status = TF_NewStatus();
    weir_run_until_failure(t->session, t->chief_update, status);
    weir_status s = weir_capi_status(status);
    pthread_mutex_lock(&t->lock);
    bool expected = t->closing;
    t->updater_status = s;
    pthread_mutex_unlock(&t->lock);
    if (!expected)
        TF_CloseSession(t->session, status);
    TF_DeleteStatus(status);
    return NULL;
}

static weir_status start_updater(weir_trainer *t)
{
    if (pthread_create(&t->updater, NULL, update_forever, t) != 0)
        return weir_error(WEIR_RESOURCE_EXHAUSTED, "There is no thread for the chief's updates");
    t->updating = true;
    return WEIR_OK;
}

weir_status weir_trainer_cause(weir_trainer *t, weir_status s)
{
    pthread_mutex_lock(&t->lock);
    weir_status own = t->updater_status;
    t->updater_status = WEIR_OK;
    pthread_mutex_unlock(&t->lock);
    if (!own)
        return s;
    if (!s || weir_status_code(s) != WEIR_CANCELLED) {
        weir_status_free(own);
        return s;
    }
    weir_status_free(s);
    return own;
}

void weir_trainer_close(weir_trainer *t)
{
    if (!t->session)
        return;
    TF_Status *ignored = TF_NewStatus();
    pthread_mutex_lock(&t->lock);
    t->closing = true;
    pthread_mutex_unlock(&t->lock);
    TF_CloseSession(t->session, ignored);
    if (t->updating)
        pthread_join(t->updater, NULL);
    t->updating = t->closing = false;
    weir_status_free(t->updater_status);
    t->updater_status = WEIR_OK;
    TF_DeleteSession(t->session, ignored);
    t->session = NULL;
    TF_DeleteStatus(ignored);
}

/* ---- readying ------------------------------------------------------------------------------- */

static weir_status is_ready(weir_trainer *t, bool *out_ready)
{
    TF_Tensor *value;
    WEIR_TRY(fetch(t, t->ready, &value));
    *out_ready = !memchr(TF_TensorData(value), 0, TF_TensorByteSize(value));
    TF_DeleteTensor(value);
    return WEIR_OK;
}

static weir_status check_patience(const weir_trainer *t)
{
    if (t->ready_by_ns && weir_now_ns() > t->ready_by_ns)
        return weir_error(WEIR_DEADLINE_EXCEEDED,
                          "The variables were not made ready by the chief within %g s",
                          t->options.give_up_seconds);
    return WEIR_OK;
}

/* A worker that is not the chief looks again and again. */
static weir_status wait_until_ready(weir_trainer *t, int64_t since_ns)
{
    bool ready = false, said = false;
    for (int ms = FIRST_POLL_MS;;
         ms = ms * 3 / 2 < LONGEST_POLL_MS ? ms * 3 / 2 : LONGEST_POLL_MS) {
        WEIR_TRY(is_ready(t, &ready));
        if (ready)
            return WEIR_OK;
        WEIR_TRY(check_patience(t));
        if (!said && weir_now_ns() - since_ns > SAY_AFTER_S * 1000000000LL) {
            weir_log(WEIR_LOG_WARNING,
                     "waiting for the chief to make the variables ready, for %d s", SAY_AFTER_S);
            said = true;
        }
        sleep_ms(ms);
    }
}

static weir_status restore(weir_trainer *t, const char *prefix)
{
    TF_Tensor *value = weir_build_string_tensor(&prefix, 1, true);
    weir_status s = weir_trainer_run_fed(t, t->saver->path, value, t->saver->restore);
    weir_build_delete_tensor(value);
    return s;
}

/* Whatever the variables were, they are those of the latest checkpoint afterwards, or new ones.
 * Only a session that is made again keeps them, when none was lost. */
static weir_status make_ready(weir_trainer *t)
{
    bool ready = false;
    if (t->started)
        WEIR_TRY(is_ready(t, &ready));
    if (ready)
        return WEIR_OK;
    char *latest = NULL;
    if (t->options.checkpoint_dir)
        WEIR_TRY(weir_train_latest(t->options.checkpoint_dir, &latest));
    weir_status s = latest ? restore(t, latest) : weir_trainer_run_op(t, t->initialize);
    weir_free(latest);
    return s;
}

static weir_status ready_chief(weir_trainer *t)
{
    bool succeeds = false; /* an earlier chief, or session, may have left workers waiting */
    if (t->chief_update)
        WEIR_TRY(is_ready(t, &succeeds));
    WEIR_TRY(make_ready(t));
    WEIR_TRY(weir_trainer_run_op(t, t->chief_init));
    WEIR_TRY(weir_trainer_run_op(t, succeeds ? t->more_tokens : t->first_tokens));
    WEIR_TRY(weir_trainer_read_step(t));
    if (t->options.checkpoint_dir && t->saved_step != t->at)
        WEIR_TRY(weir_trainer_save_now(t, NULL, 0));
    return t->chief_update ? start_updater(t) : WEIR_OK;
}

static weir_status ready_worker(weir_trainer *t, int64_t since_ns)
{
    WEIR_TRY(wait_until_ready(t, since_ns));
    WEIR_TRY(weir_trainer_run_op(t, t->worker_init));
    return weir_trainer_read_step(t);
}

/* ---- making --------------------------------------------------------------------------------- */

static weir_status make_session(weir_trainer *t)
{
    const weir_job *j = t->options.job;
    TF_Status *status = TF_NewStatus();
    TF_SessionOptions *options = TF_NewSessionOptions();
    if (j && *weir_job_target(j)) {
        TF_Buffer *config = weir_job_session_config(j);
        TF_SetTarget(options, weir_job_target(j));
        TF_SetConfig(options, config->data, config->length, status);
        TF_DeleteBuffer(config);
    }
    t->session = TF_NewSession(t->graph, options, status);
    TF_DeleteSessionOptions(options);
    weir_status s = weir_capi_status(status);
    TF_DeleteStatus(status);
    return s;
}

static weir_status open_once(weir_trainer *t, int64_t since_ns)
{
    weir_trainer_close(t);
    WEIR_TRY(make_session(t));
    return weir_trainer_is_chief(t) ? ready_chief(t) : ready_worker(t, since_ns);
}

bool weir_trainer_can_recover(weir_status s)
{
    return weir_status_code(s) == WEIR_ABORTED || weir_status_code(s) == WEIR_UNAVAILABLE;
}

weir_status weir_trainer_open(weir_trainer *t)
{
    int64_t since = weir_now_ns();
    weir_status s;
    if (t->options.give_up_seconds > 0)
        t->ready_by_ns = since + (int64_t)(t->options.give_up_seconds * 1e9);
    while (weir_trainer_can_recover(s = weir_trainer_cause(t, open_once(t, since)))) {
        weir_log(WEIR_LOG_WARNING, "a task is missing or lost its state; trying again: %s",
                 weir_status_message(s));
        weir_status_free(s);
        WEIR_TRY(check_patience(t));
        sleep_ms(REOPEN_MS);
    }
    t->ready_by_ns = 0;
    if (s)
        return s;
    for (size_t i = 0; i < t->hooks.count; i++)
        if (t->hooks.at[i].hook.session_made)
            t->hooks.at[i].hook.session_made(t->hooks.at[i].hook.arg, t);
    return WEIR_OK;
}
