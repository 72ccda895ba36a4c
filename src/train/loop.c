/* train/loop.c - the training loop and its end. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/str.h"
#include "io/file.h"
#include "tensorflow/c/c_api_experimental.h"
#include "train/train_impl.h"

enum {
    DEFAULT_SAVE_SECONDS = 600,
    ASKED_MS = 1000, /* time for the other workers to request the cause of a failure */
};

int64_t weir_trainer_at(const weir_trainer *trainer)
{
    return trainer->at;
}

TF_Session *weir_trainer_session(weir_trainer *trainer)
{
    return trainer->session;
}

void weir_trainer_ask_stop(weir_trainer *trainer)
{
    trainer->stop_asked = true;
}

static bool is_over(const weir_trainer *trainer)
{
    return (trainer->votes.oper ? trainer->voted : trainer->stop_asked) ||
           (trainer->options.last_step > 0 && trainer->at >= trainer->options.last_step);
}

/* ---- one step ------------------------------------------------------------------------------- */

/* A worker that is asked to stop votes in its next step, and all end together. */
static bool votes(const weir_trainer *trainer, const weir_step_io *io)
{
    return trainer->votes.oper && !io->only_look;
}

/* Collects fetches: the caller's, the global step, the hooks', the votes. True if a hook requests a
 * trace. */
static bool gather_fetches(weir_trainer *trainer, const weir_step_io *io)
{
    bool trace = false;
    trainer->fetches.count = 0;
    for (int i = 0; i < io->fetch_count; i++)
        weir_vec_push(&trainer->fetches, io->fetches[i]);
    weir_vec_push(&trainer->fetches, trainer->step_output.oper && !io->only_look
                                         ? trainer->step_output
                                         : trainer->global_step->value);
    for (size_t i = 0; i < trainer->hooks.count && !io->only_look; i++) {
        hooked *hooked = &trainer->hooks.at[i];
        weir_wish wish = {0};
        if (hooked->hook.before_step)
            hooked->hook.before_step(hooked->hook.arg, trainer, &wish);
        for (int k = 0; k < wish.fetch_count; k++)
            weir_vec_push(&trainer->fetches, wish.fetches[k]);
        hooked->wished = wish.fetch_count;
        trace |= wish.trace;
    }
    if (votes(trainer, io))
        weir_vec_push(&trainer->fetches, trainer->votes);
    trainer->fetched.count = 0;
    while (trainer->fetched.count < trainer->fetches.count)
        weir_vec_push(&trainer->fetched, NULL);
    return trace;
}

/* Passes each hook its fetched tensors, then deletes them. */
static weir_status tell_hooks(weir_trainer *trainer, const weir_step_io *io, const TF_Buffer *trace)
{
    TF_Tensor **at = trainer->fetched.at + io->fetch_count + 1;
    TF_Status *status = TF_NewStatus();
    for (size_t i = 0; i < trainer->hooks.count && !io->only_look;
         at += trainer->hooks.at[i++].wished) {
        const weir_hook *hook = &trainer->hooks.at[i].hook;
        if (hook->got && TF_GetCode(status) == TF_OK)
            trainer->stop_asked |=
                hook->got(hook->arg, trainer, &(weir_outcome){at, trace}, status);
    }
    for (size_t i = (size_t)io->fetch_count + 1; i < trainer->fetched.count; i++)
        TF_DeleteTensor(trainer->fetched.at[i]);
    weir_status result = weir_capi_status(status);
    TF_DeleteStatus(status);
    return result;
}

static TF_Tensor *ballot(bool end)
{
    TF_Tensor *vote = TF_AllocateTensor(TF_FLOAT, (int64_t[]){1}, 1, sizeof(float));
    *(float *)TF_TensorData(vote) = end ? 1 : 0;
    return vote;
}

/* The caller's feeds, and the vote, which the caller deletes. */
static TF_Tensor *gather_feeds(weir_trainer *trainer, const weir_step_io *io)
{
    trainer->feeds.count = trainer->fed.count = 0;
    for (int i = 0; i < io->feed_count; i++) {
        weir_vec_push(&trainer->feeds, io->feeds[i]);
        weir_vec_push(&trainer->fed, io->feed_values[i]);
    }
    if (!votes(trainer, io))
        return NULL;
    TF_Tensor *vote = ballot(trainer->stop_asked);
    weir_vec_push(&trainer->feeds, trainer->vote);
    weir_vec_push(&trainer->fed, vote);
    return vote;
}

static weir_status run_fetches(weir_trainer *trainer, const weir_step_io *io, TF_Buffer *trace)
{
    TF_Status *status = TF_NewStatus();
    TF_Buffer *options = trace ? TF_CreateRunOptions(true) : NULL;
    TF_Tensor *vote = gather_feeds(trainer, io);
    TF_SessionRun(trainer->session, options, trainer->feeds.at, trainer->fed.at,
                  (int)trainer->feeds.count, trainer->fetches.at, trainer->fetched.at,
                  (int)trainer->fetches.count, NULL, 0, trace, status);
    weir_status result = weir_capi_status(status);
    TF_DeleteTensor(vote);
    TF_DeleteBuffer(options);
    TF_DeleteStatus(status);
    return result;
}

/* The votes are the last fetch, if workers vote. */
static void count_votes(weir_trainer *trainer, const weir_step_io *io)
{
    if (!votes(trainer, io))
        return;
    const TF_Tensor *sum = trainer->fetched.at[trainer->fetched.count - 1];
    trainer->voted = *(const float *)TF_TensorData(sum) > 0;
}

static weir_status run_step(weir_trainer *trainer, const weir_step_io *io)
{
    TF_Buffer *trace = gather_fetches(trainer, io) ? TF_NewBuffer() : NULL;
    weir_status status = run_fetches(trainer, io, trace);
    if (!status) {
        trainer->at = *(const int64_t *)TF_TensorData(trainer->fetched.at[io->fetch_count]);
        TF_DeleteTensor(trainer->fetched.at[io->fetch_count]);
        if (io->fetch_count)
            memcpy(io->fetched, trainer->fetched.at, sizeof *io->fetched * (size_t)io->fetch_count);
        count_votes(trainer, io);
        status = tell_hooks(trainer, io, trace);
    }
    TF_DeleteBuffer(trace);
    return status;
}

/* ---- checkpoints ---------------------------------------------------------------------------- */

/* Writes it and records it as the folder's latest. */
static weir_status write_checkpoint(weir_trainer *trainer, const char *prefix)
{
    const char *dir = trainer->options.checkpoint_dir;
    WEIR_TRY(weir_dir_create_all(dir));
    TF_Tensor *value = weir_build_string_tensor(&prefix, 1, true);
    weir_saver *saver = trainer->saver;
    weir_status status = weir_trainer_run_fed(trainer, saver->path, value, saver->save);
    while (status && weir_saver_make_room(saver, dir, prefix, (TF_Code)weir_status_code(status))) {
        weir_status_free(status);
        status = weir_trainer_run_fed(trainer, saver->path, value, saver->save);
    }
    weir_build_delete_tensor(value);
    return status ? status : weir_train_note(dir, prefix, saver->keep);
}

weir_status weir_trainer_save_now(weir_trainer *trainer, char *path, size_t path_bytes)
{
    if (!trainer->options.checkpoint_dir)
        return weir_error(WEIR_FAILED_PRECONDITION, "The trainer has no folder for checkpoints");
    WEIR_BUF(prefix);
    weir_buf_addf(&prefix, "%s/model.ckpt-%" PRId64, trainer->options.checkpoint_dir, trainer->at);
    weir_status status = write_checkpoint(trainer, prefix.at);
    if (!status) {
        trainer->saved_step = trainer->at;
        trainer->saved_ns = weir_now_ns();
        if (path)
            snprintf(path, path_bytes, "%s", prefix.at);
    }
    for (size_t i = 0; i < trainer->hooks.count && !status; i++)
        if (trainer->hooks.at[i].hook.saved)
            trainer->hooks.at[i].hook.saved(trainer->hooks.at[i].hook.arg, trainer, prefix.at);
    return status;
}

/* ---- after a step --------------------------------------------------------------------------- */

static bool save_is_due(const weir_trainer *trainer)
{
    const weir_trainer_options *options = &trainer->options;
    if (!options->checkpoint_dir || !weir_trainer_is_chief(trainer) ||
        trainer->at == trainer->saved_step)
        return false;
    if (options->save_steps > 0 && trainer->at - trainer->saved_step >= options->save_steps)
        return true;
    double seconds = options->save_seconds > 0 ? options->save_seconds
                     : options->save_steps > 0 ? 0
                                               : DEFAULT_SAVE_SECONDS;
    return seconds > 0 && (double)(weir_now_ns() - trainer->saved_ns) / 1e9 >= seconds;
}

static weir_status after_step(weir_trainer *trainer)
{
    for (size_t i = 0; i < trainer->hooks.count; i++) {
        const weir_hook *hook = &trainer->hooks.at[i].hook;
        trainer->stop_asked |= hook->after_step && hook->after_step(hook->arg, trainer);
    }
    return save_is_due(trainer) ? weir_trainer_save_now(trainer, NULL, 0) : WEIR_OK;
}

/* Replaces a lost session by a new one; *out_over if training is over by then. */
static weir_status recover(weir_trainer *trainer, weir_status why)
{
    weir_log(WEIR_LOG_WARNING, "a task was lost at step %lld; making a new session: %s",
             (long long)trainer->at, weir_status_message(why));
    weir_status_free(why);
    return weir_trainer_open(trainer);
}

/* A worker that has the cause of a failed all-reduce step stays until the others have requested it:
 * if it exited immediately, they would report it as the missing one. */
static void let_others_ask(const weir_trainer *trainer)
{
    if (trainer->votes.oper)
        weir_trainer_sleep(ASKED_MS);
}

/* Retries the step until it succeeds, fails permanently, or training is over. */
static weir_status step_until_done(weir_trainer *trainer, const weir_step_io *io, bool *out_ran)
{
    while (!is_over(trainer)) {
        weir_status status = run_step(trainer, io);
        if (!status) {
            *out_ran = true;
            return WEIR_OK;
        }
        status = weir_trainer_cause(trainer, status);
        if (weir_status_code(status) ==
            WEIR_OUT_OF_RANGE) { /* end of data, or the chief has ended */
            weir_status_free(status);
            trainer->stop_asked = true;
        } else if (weir_trainer_can_recover(status) && !trainer->votes.oper) {
            WEIR_TRY(recover(trainer, status));
        } else {
            let_others_ask(trainer);
            return status;
        }
    }
    return WEIR_OK;
}

static weir_status step_and_after(weir_trainer *trainer, const weir_step_io *io, bool *out_ran)
{
    WEIR_TRY(step_until_done(trainer, io, out_ran));
    if (!*out_ran || io->only_look)
        return WEIR_OK;
    weir_status status = after_step(trainer);
    return weir_trainer_can_recover(status) ? recover(trainer, status) : status;
}

bool weir_trainer_step(weir_trainer *trainer, const weir_step_io *io, TF_Status *status)
{
    bool ran = false;
    for (int i = 0; i < io->fetch_count; i++)
        io->fetched[i] = NULL;
    weir_status result = trainer->session && trainer->started
                             ? step_and_after(trainer, io, &ran)
                             : weir_error(WEIR_FAILED_PRECONDITION, "The trainer is not running");
    if (weir_capi_end(status, result))
        return ran;
    for (int i = 0; i < io->fetch_count; i++)
        if (io->fetched[i]) {
            TF_DeleteTensor(io->fetched[i]);
            io->fetched[i] = NULL;
        }
    return false;
}

void weir_trainer_save(weir_trainer *trainer, char *path, size_t path_bytes, TF_Status *status)
{
    weir_capi_end(status, trainer->session
                              ? weir_trainer_save_now(trainer, path, path_bytes)
                              : weir_error(WEIR_FAILED_PRECONDITION, "The trainer is not running"));
}

/* ---- the end -------------------------------------------------------------------------------- */

/* Wakes workers that still want one. */
static weir_status close_tokens(weir_trainer *trainer, bool again)
{
    weir_status status = weir_trainer_run_op(trainer, trainer->close_tokens);
    if (!again || weir_status_code(status) != WEIR_CANCELLED)
        return status;
    weir_status_free(status); /* the queue was closed, and the answer lost */
    return WEIR_OK;
}

static weir_status end_chief_once(weir_trainer *trainer, bool again)
{
    WEIR_TRY(close_tokens(trainer, again));
    if (!trainer->options.checkpoint_dir)
        return WEIR_OK;
    WEIR_TRY(weir_trainer_read_step(trainer));
    return trainer->at == trainer->saved_step ? WEIR_OK : weir_trainer_save_now(trainer, NULL, 0);
}

/* Whether a lost link can be the cause, and the state outlives the session. */
static bool lost_link(const weir_trainer *trainer, weir_status status)
{
    const weir_job *job = trainer->options.job;
    return job && *weir_job_target(job) && weir_status_code(status) == WEIR_UNAVAILABLE;
}

/* Calls |end_chief_once| by a new session; the last one was lost with a link. */
static weir_status end_chief_again(weir_trainer *trainer)
{
    enum { PAUSE_MS = 200 };
    weir_trainer_sleep(PAUSE_MS);
    WEIR_TRY(weir_trainer_reconnect(trainer));
    return end_chief_once(trainer, true);
}

/* The updater may find the token queue closed: this must not end the session, which saves. A link
 * that is lost now must not cost the last checkpoint. */
static weir_status end_chief(weir_trainer *trainer)
{
    enum { TRIES = 5 };
    pthread_mutex_lock(&trainer->lock);
    trainer->closing = true;
    pthread_mutex_unlock(&trainer->lock);
    weir_status status = weir_trainer_cause(trainer, end_chief_once(trainer, false));
    for (int i = 1; i < TRIES && lost_link(trainer, status); i++) {
        weir_log(WEIR_LOG_WARNING,
                 "a task cannot be reached at the end of training; trying again: %s",
                 weir_status_message(status));
        weir_status_free(status);
        status = end_chief_again(trainer);
    }
    return status;
}

void weir_trainer_stop(weir_trainer *trainer, TF_Status *status)
{
    TF_SetStatus(status, TF_OK, "");
    if (!trainer->session)
        return;
    for (size_t i = 0; i < trainer->hooks.count; i++)
        if (trainer->hooks.at[i].hook.stopping)
            trainer->hooks.at[i].hook.stopping(trainer->hooks.at[i].hook.arg, trainer);
    weir_status result = weir_trainer_is_chief(trainer) ? end_chief(trainer) : WEIR_OK;
    weir_status told = weir_trainer_run_op(trainer, trainer->tell_done);
    weir_status_free(told); /* a lost parameter server need not be notified */
    weir_trainer_close(trainer);
    weir_capi_end(status, result);
}
