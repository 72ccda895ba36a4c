/* train/session.c - a trainer's session: creation, initialisation, recovery. */
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/log.h"
#include "train/train_impl.h"
#include "weir/runner.h"
#include "wire/messages.h"

enum {
    FIRST_POLL_MS = 10, /* initial polling interval for initialised variables; grows */
    LONGEST_POLL_MS = 250,
    REOPEN_MS = 100, /* delay before a session is recreated */
    SAY_AFTER_S = 2, /* waiting time before a message */
};

void weir_trainer_sleep(int ms)
{
    nanosleep(&(struct timespec){ms / 1000, ms % 1000 * 1000000L}, NULL);
}

/* ---- running -------------------------------------------------------------------------------- */

/* RunOptions with the remaining time to become ready; null: no limit. */
static TF_Buffer *limits(const weir_trainer *trainer)
{
    if (!trainer->ready_by_ns)
        return NULL;
    int64_t ms = (trainer->ready_by_ns - weir_now_ns()) / 1000000;
    WEIR_BUF(options);
    weir_msg_run_options_write(&(weir_msg_run_options){.timeout_in_ms = ms > 1 ? ms : 1}, &options);
    return TF_NewBufferFromString(options.at, options.length);
}

static weir_status run_limited(weir_trainer *trainer, const TF_Buffer *options, TF_Output feed,
                               TF_Tensor *value, TF_Operation *op)
{
    TF_Status *status = TF_NewStatus();
    TF_SessionRun(trainer->session, options, &feed, &value, value ? 1 : 0, NULL, NULL, 0,
                  (const TF_Operation *const *)&op, 1, NULL, status);
    weir_status result = weir_capi_status(status);
    TF_DeleteStatus(status);
    return result;
}

weir_status weir_trainer_run_fed(weir_trainer *trainer, TF_Output feed, TF_Tensor *value,
                                 TF_Operation *op)
{
    TF_Buffer *options = limits(trainer);
    weir_status status = run_limited(trainer, options, feed, value, op);
    TF_DeleteBuffer(options);
    return status;
}

weir_status weir_trainer_run_op(weir_trainer *trainer, TF_Operation *op)
{
    return op ? weir_trainer_run_fed(trainer, (TF_Output){0}, NULL, op) : WEIR_OK;
}

static weir_status fetch(weir_trainer *trainer, TF_Output what, TF_Tensor **out)
{
    TF_Status *status = TF_NewStatus();
    TF_Buffer *options = limits(trainer);
    TF_SessionRun(trainer->session, options, NULL, NULL, 0, &what, out, 1, NULL, 0, NULL, status);
    TF_DeleteBuffer(options);
    weir_status result = weir_capi_status(status);
    TF_DeleteStatus(status);
    return result;
}

weir_status weir_trainer_read_step(weir_trainer *trainer)
{
    TF_Tensor *value;
    WEIR_TRY(fetch(trainer, trainer->global_step->value, &value));
    trainer->at = *(const int64_t *)TF_TensorData(value);
    TF_DeleteTensor(value);
    return WEIR_OK;
}

/* ---- the chief's updates -------------------------------------------------------------------- */

/* Takes means and updates until the session ends. If it fails by itself, nothing would wake the
 * worker's step, which waits for a token: so it closes the session. */
static void *update_forever(void *arg)
{
    weir_trainer *trainer = arg;
    TF_Status *status = TF_NewStatus();
    weir_run_until_failure(trainer->session, trainer->chief_update, status);
    weir_status result = weir_capi_status(status);
    pthread_mutex_lock(&trainer->lock);
    bool expected = trainer->closing;
    trainer->updater_status = result;
    pthread_mutex_unlock(&trainer->lock);
    if (!expected)
        TF_CloseSession(trainer->session, status);
    TF_DeleteStatus(status);
    return NULL;
}

static weir_status start_updater(weir_trainer *trainer)
{
    if (pthread_create(&trainer->updater, NULL, update_forever, trainer) != 0)
        return weir_error(WEIR_RESOURCE_EXHAUSTED, "There is no thread for the chief's updates");
    trainer->updating = true;
    return WEIR_OK;
}

weir_status weir_trainer_cause(weir_trainer *trainer, weir_status status)
{
    pthread_mutex_lock(&trainer->lock);
    weir_status own = trainer->updater_status;
    trainer->updater_status = WEIR_OK;
    pthread_mutex_unlock(&trainer->lock);
    if (!own)
        return status;
    if (!status || weir_status_code(status) != WEIR_CANCELLED) {
        weir_status_free(own);
        return status;
    }
    weir_status_free(status);
    return own;
}

void weir_trainer_close(weir_trainer *trainer)
{
    if (!trainer->session)
        return;
    TF_Status *ignored = TF_NewStatus();
    pthread_mutex_lock(&trainer->lock);
    trainer->closing = true;
    pthread_mutex_unlock(&trainer->lock);
    TF_CloseSession(trainer->session, ignored);
    if (trainer->updating)
        pthread_join(trainer->updater, NULL);
    trainer->updating = trainer->closing = false;
    weir_status_free(trainer->updater_status);
    trainer->updater_status = WEIR_OK;
    TF_DeleteSession(trainer->session, ignored);
    trainer->session = NULL;
    TF_DeleteStatus(ignored);
}

/* ---- initialisation -------------------------------------------------------------------------- */

static weir_status is_ready(weir_trainer *trainer, bool *out_ready)
{
    TF_Tensor *value;
    WEIR_TRY(fetch(trainer, trainer->ready, &value));
    *out_ready = !memchr(TF_TensorData(value), 0, TF_TensorByteSize(value));
    TF_DeleteTensor(value);
    return WEIR_OK;
}

static weir_status check_patience(const weir_trainer *trainer)
{
    if (trainer->ready_by_ns && weir_now_ns() > trainer->ready_by_ns)
        return weir_error(WEIR_DEADLINE_EXCEEDED,
                          "The variables were not made ready by the chief within %g s",
                          trainer->options.give_up_seconds);
    return WEIR_OK;
}

/* Workers other than the chief poll. */
static weir_status wait_until_ready(weir_trainer *trainer, int64_t since_ns)
{
    bool ready = false, said = false;
    for (int ms = FIRST_POLL_MS;;
         ms = ms * 3 / 2 < LONGEST_POLL_MS ? ms * 3 / 2 : LONGEST_POLL_MS) {
        WEIR_TRY(is_ready(trainer, &ready));
        if (ready)
            return WEIR_OK;
        WEIR_TRY(check_patience(trainer));
        if (!said && weir_now_ns() - since_ns > SAY_AFTER_S * 1000000000LL) {
            weir_log(WEIR_LOG_WARNING,
                     "waiting for the chief to make the variables ready, for %d s", SAY_AFTER_S);
            said = true;
        }
        weir_trainer_sleep(ms);
    }
}

static weir_status restore(weir_trainer *trainer, const char *prefix)
{
    TF_Tensor *value = weir_build_string_tensor(&prefix, 1, true);
    weir_status status =
        weir_trainer_run_fed(trainer, trainer->saver->path, value, trainer->saver->restore);
    weir_build_delete_tensor(value);
    return status;
}

/* Afterwards the variables are those of the latest checkpoint, or newly initialised. Only a
 * recreated session keeps them, if none was lost. */
static weir_status make_ready(weir_trainer *trainer)
{
    bool ready = false;
    if (trainer->started)
        WEIR_TRY(is_ready(trainer, &ready));
    if (ready)
        return WEIR_OK;
    char *latest = NULL;
    if (trainer->options.checkpoint_dir)
        WEIR_TRY(weir_train_latest(trainer->options.checkpoint_dir, &latest));
    weir_status status =
        latest ? restore(trainer, latest) : weir_trainer_run_op(trainer, trainer->initialize);
    weir_free(latest);
    return status;
}

static weir_status ready_chief(weir_trainer *trainer)
{
    bool succeeds = false; /* an earlier chief or session may have left workers waiting */
    if (trainer->chief_update)
        WEIR_TRY(is_ready(trainer, &succeeds));
    WEIR_TRY(make_ready(trainer));
    WEIR_TRY(weir_trainer_run_op(trainer, trainer->chief_init));
    WEIR_TRY(weir_trainer_run_op(trainer, succeeds ? trainer->more_tokens : trainer->first_tokens));
    WEIR_TRY(weir_trainer_run_op(trainer, trainer->share));
    WEIR_TRY(weir_trainer_read_step(trainer));
    if (trainer->options.checkpoint_dir && trainer->saved_step != trainer->at)
        WEIR_TRY(weir_trainer_save_now(trainer, NULL, 0));
    return trainer->chief_update ? start_updater(trainer) : WEIR_OK;
}

static weir_status ready_worker(weir_trainer *trainer, int64_t since_ns)
{
    if (trainer->share) {
        WEIR_TRY(weir_trainer_run_op(trainer, trainer->share));
        return weir_trainer_read_step(trainer);
    }
    WEIR_TRY(wait_until_ready(trainer, since_ns));
    WEIR_TRY(weir_trainer_run_op(trainer, trainer->worker_init));
    return weir_trainer_read_step(trainer);
}

/* ---- creation -------------------------------------------------------------------------------- */

static weir_status make_session(weir_trainer *trainer)
{
    const weir_job *job = trainer->options.job;
    TF_Status *status = TF_NewStatus();
    TF_SessionOptions *options = TF_NewSessionOptions();
    if (job && *weir_job_target(job)) {
        TF_Buffer *config = weir_job_session_config(job);
        TF_SetTarget(options, weir_job_target(job));
        TF_SetConfig(options, config->data, config->length, status);
        TF_DeleteBuffer(config);
    }
    trainer->session = TF_NewSession(trainer->graph, options, status);
    TF_DeleteSessionOptions(options);
    weir_status result = weir_capi_status(status);
    TF_DeleteStatus(status);
    return result;
}

weir_status weir_trainer_reconnect(weir_trainer *trainer)
{
    weir_trainer_close(trainer);
    return make_session(trainer);
}

static weir_status open_once(weir_trainer *trainer, int64_t since_ns)
{
    weir_trainer_close(trainer);
    WEIR_TRY(make_session(trainer));
    return weir_trainer_is_chief(trainer) ? ready_chief(trainer) : ready_worker(trainer, since_ns);
}

bool weir_trainer_can_recover(weir_status status)
{
    return weir_status_code(status) == WEIR_ABORTED || weir_status_code(status) == WEIR_UNAVAILABLE;
}

/* A collective group that knew an earlier run of this task ends with its leader, which is
 * restarted, too. */
static bool can_open_again(const weir_trainer *trainer, weir_status status)
{
    return weir_trainer_can_recover(status) ||
           (trainer->share && weir_status_code(status) == WEIR_FAILED_PRECONDITION);
}

weir_status weir_trainer_open(weir_trainer *trainer)
{
    int64_t since = weir_now_ns();
    weir_status status;
    if (trainer->options.give_up_seconds > 0)
        trainer->ready_by_ns = since + (int64_t)(trainer->options.give_up_seconds * 1e9);
    while (
        can_open_again(trainer, status = weir_trainer_cause(trainer, open_once(trainer, since)))) {
        weir_log(WEIR_LOG_WARNING, "a task is missing or lost its state; trying again: %s",
                 weir_status_message(status));
        weir_status_free(status);
        WEIR_TRY(check_patience(trainer));
        weir_trainer_sleep(REOPEN_MS);
    }
    trainer->ready_by_ns = 0;
    if (status)
        return status;
    for (size_t i = 0; i < trainer->hooks.count; i++)
        if (trainer->hooks.at[i].hook.session_made)
            trainer->hooks.at[i].hook.session_made(trainer->hooks.at[i].hook.arg, trainer);
    return WEIR_OK;
}
