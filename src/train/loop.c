/* train/loop.c - steps, and the end of them. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/str.h"
#include "io/file.h"
#include "tensorflow/c/c_api_experimental.h"
#include "train/train_impl.h"

enum { DEFAULT_SAVE_SECONDS = 600 };

int64_t weir_trainer_at(const weir_trainer *t)
{
    return t->at;
}

TF_Session *weir_trainer_session(weir_trainer *t)
{
    return t->session;
}

void weir_trainer_ask_stop(weir_trainer *t)
{
    t->stop_asked = true;
}

static bool is_over(const weir_trainer *t)
{
    return t->stop_asked || (t->options.last_step > 0 && t->at >= t->options.last_step);
}

/* ---- one step ------------------------------------------------------------------------------- */

/* The caller's fetches, the global step, then what hooks wish for. True when one wants a trace. */
static bool gather_fetches(weir_trainer *t, const weir_step_io *io)
{
    bool trace = false;
    t->fetches.count = 0;
    for (int i = 0; i < io->fetch_count; i++)
        weir_vec_push(&t->fetches, io->fetches[i]);
    weir_vec_push(&t->fetches,
                  t->step_output.oper && !io->only_look ? t->step_output : t->global_step->value);
    for (size_t i = 0; i < t->hooks.count && !io->only_look; i++) {
        hooked *h = &t->hooks.at[i];
        weir_wish wish = {0};
        if (h->hook.before_step)
            h->hook.before_step(h->hook.arg, t, &wish);
        for (int k = 0; k < wish.fetch_count; k++)
            weir_vec_push(&t->fetches, wish.fetches[k]);
        h->wished = wish.fetch_count;
        trace |= wish.trace;
    }
    t->fetched.count = 0;
    while (t->fetched.count < t->fetches.count)
        weir_vec_push(&t->fetched, NULL);
    return trace;
}

/* Each hook sees what it wished for; the tensors end here. */
static weir_status tell_hooks(weir_trainer *t, const weir_step_io *io, const TF_Buffer *trace)
{
    TF_Tensor **at = t->fetched.at + io->fetch_count + 1;
    TF_Status *status = TF_NewStatus();
    for (size_t i = 0; i < t->hooks.count && !io->only_look; at += t->hooks.at[i++].wished) {
        const weir_hook *h = &t->hooks.at[i].hook;
        if (h->got && TF_GetCode(status) == TF_OK)
            t->stop_asked |= h->got(h->arg, t, &(weir_outcome){at, trace}, status);
    }
    for (size_t i = (size_t)io->fetch_count + 1; i < t->fetched.count; i++)
        TF_DeleteTensor(t->fetched.at[i]);
    weir_status s = weir_capi_status(status);
    TF_DeleteStatus(status);
    return s;
}

static weir_status run_fetches(weir_trainer *t, const weir_step_io *io, TF_Buffer *trace)
{
    TF_Status *status = TF_NewStatus();
    TF_Buffer *options = trace ? TF_CreateRunOptions(true) : NULL;
    TF_SessionRun(t->session, options, io->feeds, io->feed_values, io->feed_count, t->fetches.at,
                  t->fetched.at, (int)t->fetches.count, NULL, 0, trace, status);
    weir_status s = weir_capi_status(status);
    TF_DeleteBuffer(options);
    TF_DeleteStatus(status);
    return s;
}

static weir_status run_step(weir_trainer *t, const weir_step_io *io)
{
    TF_Buffer *trace = gather_fetches(t, io) ? TF_NewBuffer() : NULL;
    weir_status s = run_fetches(t, io, trace);
    if (!s) {
        t->at = *(const int64_t *)TF_TensorData(t->fetched.at[io->fetch_count]);
        TF_DeleteTensor(t->fetched.at[io->fetch_count]);
        if (io->fetch_count)
            memcpy(io->fetched, t->fetched.at, sizeof *io->fetched * (size_t)io->fetch_count);
        s = tell_hooks(t, io, trace);
    }
    TF_DeleteBuffer(trace);
    return s;
}

/* ---- checkpoints ---------------------------------------------------------------------------- */

/* Writes it and makes it the folder's latest. */
static weir_status write_checkpoint(weir_trainer *t, const char *prefix)
{
    const char *dir = t->options.checkpoint_dir;
    WEIR_TRY(weir_dir_create_all(dir));
    TF_Tensor *value = weir_build_string_tensor(&prefix, 1, true);
    weir_status s = weir_trainer_run_fed(t, t->saver->path, value, t->saver->save);
    weir_build_delete_tensor(value);
    return s ? s : weir_train_note(dir, prefix, t->saver->keep);
}

weir_status weir_trainer_save_now(weir_trainer *t, char *path, size_t path_bytes)
{
    if (!t->options.checkpoint_dir)
        return weir_error(WEIR_FAILED_PRECONDITION, "The trainer has no folder for checkpoints");
    weir_buf prefix = {0};
    weir_buf_addf(&prefix, "%s/model.ckpt-%" PRId64, t->options.checkpoint_dir, t->at);
    weir_status s = write_checkpoint(t, prefix.at);
    if (!s) {
        t->saved_step = t->at;
        t->saved_ns = weir_now_ns();
        if (path)
            snprintf(path, path_bytes, "%s", prefix.at);
    }
    for (size_t i = 0; i < t->hooks.count && !s; i++)
        if (t->hooks.at[i].hook.saved)
            t->hooks.at[i].hook.saved(t->hooks.at[i].hook.arg, t, prefix.at);
    weir_buf_fini(&prefix);
    return s;
}

/* ---- after a step --------------------------------------------------------------------------- */

static bool save_is_due(const weir_trainer *t)
{
    const weir_trainer_options *o = &t->options;
    if (!o->checkpoint_dir || !weir_trainer_is_chief(t) || t->at == t->saved_step)
        return false;
    if (o->save_steps > 0 && t->at - t->saved_step >= o->save_steps)
        return true;
    double seconds = o->save_seconds > 0 ? o->save_seconds
                     : o->save_steps > 0 ? 0
                                         : DEFAULT_SAVE_SECONDS;
    return seconds > 0 && (double)(weir_now_ns() - t->saved_ns) / 1e9 >= seconds;
}

static weir_status after_step(weir_trainer *t)
{
    for (size_t i = 0; i < t->hooks.count; i++) {
        const weir_hook *h = &t->hooks.at[i].hook;
        t->stop_asked |= h->after_step && h->after_step(h->arg, t);
    }
    return save_is_due(t) ? weir_trainer_save_now(t, NULL, 0) : WEIR_OK;
}

/* A new session in place of the lost one; *out_over when training is over by then. */
static weir_status recover(weir_trainer *t, weir_status why)
{
    weir_log(WEIR_LOG_WARNING, "a task was lost at step %lld; making a new session: %s",
             (long long)t->at, weir_status_message(why));
    weir_status_free(why);
    return weir_trainer_open(t);
}

/* Runs the step until it succeeds, fails for good, or training is over. */
static weir_status step_until_done(weir_trainer *t, const weir_step_io *io, bool *out_ran)
{
    while (!is_over(t)) {
        weir_status s = run_step(t, io);
        if (!s) {
            *out_ran = true;
            return WEIR_OK;
        }
        s = weir_trainer_cause(t, s);
        if (weir_status_code(s) == WEIR_OUT_OF_RANGE) { /* no more data, or the chief has ended */
            weir_status_free(s);
            t->stop_asked = true;
        } else if (weir_trainer_can_recover(s)) {
            WEIR_TRY(recover(t, s));
        } else {
            return s;
        }
    }
    return WEIR_OK;
}

static weir_status step_and_after(weir_trainer *t, const weir_step_io *io, bool *out_ran)
{
    WEIR_TRY(step_until_done(t, io, out_ran));
    if (!*out_ran || io->only_look)
        return WEIR_OK;
    weir_status s = after_step(t);
    return weir_trainer_can_recover(s) ? recover(t, s) : s;
}

bool weir_trainer_step(weir_trainer *t, const weir_step_io *io, TF_Status *status)
{
    bool ran = false;
    for (int i = 0; i < io->fetch_count; i++)
        io->fetched[i] = NULL;
    weir_status s = t->session && t->started
                        ? step_and_after(t, io, &ran)
                        : weir_error(WEIR_FAILED_PRECONDITION, "The trainer is not running");
    if (weir_capi_end(status, s))
        return ran;
    for (int i = 0; i < io->fetch_count; i++)
        if (io->fetched[i]) {
            TF_DeleteTensor(io->fetched[i]);
            io->fetched[i] = NULL;
        }
    return false;
}

void weir_trainer_save(weir_trainer *t, char *path, size_t path_bytes, TF_Status *status)
{
    weir_capi_end(status, t->session
                              ? weir_trainer_save_now(t, path, path_bytes)
                              : weir_error(WEIR_FAILED_PRECONDITION, "The trainer is not running"));
}

/* ---- the end -------------------------------------------------------------------------------- */

static weir_status end_chief(weir_trainer *t)
{
    WEIR_TRY(weir_trainer_run_op(t, t->close_tokens)); /* wakes workers that still want one */
    if (!t->options.checkpoint_dir)
        return WEIR_OK;
    WEIR_TRY(weir_trainer_read_step(t));
    return t->at == t->saved_step ? WEIR_OK : weir_trainer_save_now(t, NULL, 0);
}

void weir_trainer_stop(weir_trainer *t, TF_Status *status)
{
    TF_SetStatus(status, TF_OK, "");
    if (!t->session)
        return;
    for (size_t i = 0; i < t->hooks.count; i++)
        if (t->hooks.at[i].hook.stopping)
            t->hooks.at[i].hook.stopping(t->hooks.at[i].hook.arg, t);
    weir_status s = weir_trainer_is_chief(t) ? end_chief(t) : WEIR_OK;
    weir_status told = weir_trainer_run_op(t, t->tell_done);
    weir_status_free(told); /* a parameter server that is gone need not be told */
    weir_trainer_close(t);
    weir_capi_end(status, s);
}
