/* train/hooks.c - the built-in hooks: stop, log, NaN guard, summaries, profiler. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/str.h"
#include "io/file.h"
#include "train/train_impl.h"
#include "weir/events.h"
#include "weir/ops/summary.h"

enum { TAG_BYTES = 256 }; /* of a summary's node name; the tag may be longer */

/* ---- every so many steps -------------------------------------------------------------------- */

typedef struct pace {
    int64_t steps;   /* 0: never */
    int64_t last;    /* the global step when it was last due */
    int64_t last_ns; /* and the time of that */
    bool due;        /* due in the current step */
} pace;

static void start_pace(pace *pace, const weir_trainer *trainer)
{
    pace->last = trainer->at;
    pace->last_ns = weir_now_ns();
}

/* Whether the next step passes a multiple. */
static bool becomes_due(pace *pace, const weir_trainer *trainer)
{
    if (trainer->at < pace->last) /* a recovery went back */
        start_pace(pace, trainer);
    pace->due = pace->steps > 0 && (trainer->at + 1) / pace->steps != pace->last / pace->steps;
    return pace->due;
}

/* Ends the interval; returns its steps per second. */
static double speed(pace *pace, const weir_trainer *trainer)
{
    int64_t now = weir_now_ns();
    double seconds = (double)(now - pace->last_ns) / 1e9,
           steps = (double)(trainer->at - pace->last);
    pace->last = trainer->at;
    pace->last_ns = now;
    return seconds > 0 ? steps / seconds : 0;
}

/* ---- stop ----------------------------------------------------------------------------------- */

typedef struct stopper {
    int64_t steps_left; /* below 0: no limit by steps */
    double seconds;
    int64_t end_ns; /* 0: not set yet, or no limit by time */
} stopper;

static void stopper_begins(void *arg, weir_trainer *trainer)
{
    stopper *stopper = arg;
    if (stopper->seconds > 0 && !stopper->end_ns)
        stopper->end_ns = weir_now_ns() + (int64_t)(stopper->seconds * 1e9);
}

static bool stopper_after_step(void *arg, weir_trainer *trainer)
{
    stopper *stopper = arg;
    if (stopper->steps_left > 0)
        stopper->steps_left--;
    return stopper->steps_left == 0 || (stopper->end_ns && weir_now_ns() >= stopper->end_ns);
}

void weir_trainer_stop_after(weir_trainer *trainer, int64_t steps, double seconds)
{
    stopper *new_stopper = WEIR_NEW(stopper);
    *new_stopper = (stopper){.steps_left = steps > 0 ? steps : -1, .seconds = seconds};
    weir_trainer_add_hook(trainer, &(weir_hook){.arg = new_stopper,
                                                .session_made = stopper_begins,
                                                .after_step = stopper_after_step,
                                                .deleted = weir_free});
}

/* ---- log ------------------------------------------------------------------------------------ */

typedef struct logger {
    pace pace;
    WEIR_VEC(char *) names;
    WEIR_VEC(TF_Output) values;
} logger;

static void logger_begins(void *arg, weir_trainer *trainer)
{
    start_pace(&((logger *)arg)->pace, trainer);
}

static void logger_wishes(void *arg, weir_trainer *trainer, weir_wish *wish)
{
    logger *logger = arg;
    if (becomes_due(&logger->pace, trainer))
        *wish = (weir_wish){.fetches = logger->values.at, .fetch_count = (int)logger->values.count};
}

static bool logger_prints(void *arg, weir_trainer *trainer, const weir_outcome *outcome,
                          TF_Status *status)
{
    logger *logger = arg;
    if (!logger->pace.due)
        return false;
    WEIR_BUF(line);
    weir_buf_addf(&line, "step %lld:", (long long)trainer->at);
    for (size_t i = 0; i < logger->names.count; i++)
        weir_buf_addf(&line, " %s = %.6g,", logger->names.at[i],
                      weir_tensor_first_number(outcome->fetched[i]));
    line.at[--line.length] = 0; /* the comma, or the colon if nothing is logged */
    fprintf(stderr, "%s (%.4g steps/s)\n", line.at, speed(&logger->pace, trainer));
    return false;
}

static void logger_ends(void *arg)
{
    logger *logger = arg;
    for (size_t i = 0; i < logger->names.count; i++)
        weir_free(logger->names.at[i]);
    weir_vec_fini(&logger->names);
    weir_vec_fini(&logger->values);
    weir_free(logger);
}

void weir_trainer_log_every(weir_trainer *trainer, int64_t steps, const char *const *names,
                            const TF_Output *values, int count)
{
    logger *new_logger = WEIR_NEW(logger);
    new_logger->pace.steps = steps;
    for (int i = 0; i < count; i++) {
        weir_vec_push(&new_logger->names, weir_strdup(names[i]));
        weir_vec_push(&new_logger->values, values[i]);
    }
    weir_trainer_add_hook(trainer, &(weir_hook){.arg = new_logger,
                                                .session_made = logger_begins,
                                                .before_step = logger_wishes,
                                                .got = logger_prints,
                                                .deleted = logger_ends});
}

/* ---- NaN guard ------------------------------------------------------------------------------ */

typedef struct guard {
    TF_Output loss;
    bool stop;
} guard;

static void guard_wishes(void *arg, weir_trainer *trainer, weir_wish *wish)
{
    *wish = (weir_wish){.fetches = &((guard *)arg)->loss, .fetch_count = 1};
}

static bool guard_looks(void *arg, weir_trainer *trainer, const weir_outcome *outcome,
                        TF_Status *status)
{
    const guard *guard = arg;
    char message[128];
    if (!isnan(weir_tensor_first_number(outcome->fetched[0])))
        return false;
    snprintf(message, sizeof message, "NaN loss during training, at step %lld",
             (long long)trainer->at);
    if (guard->stop)
        fprintf(stderr, "%s\n", message);
    else
        TF_SetStatus(status, TF_INVALID_ARGUMENT, message);
    return guard->stop;
}

void weir_trainer_guard_nan(weir_trainer *trainer, TF_Output loss, bool stop)
{
    guard *new_guard = WEIR_NEW(guard);
    *new_guard = (guard){loss, stop};
    weir_trainer_add_hook(trainer, &(weir_hook){.arg = new_guard,
                                                .before_step = guard_wishes,
                                                .got = guard_looks,
                                                .deleted = weir_free});
}

/* ---- summaries ------------------------------------------------------------------------------ */

typedef struct summarizer {
    pace pace;
    char *dir;
    TF_Output merged; /* .oper null: the graph has no summaries */
    weir_event_writer *events;
} summarizer;

void weir_trainer_add_summary(weir_trainer *trainer, TF_Output summary)
{
    weir_vec_push(&trainer->summaries, summary);
}

/* Makes a valid node name from a tag, which may contain any characters. */
static const char *node_name(const char *tag, char *out, size_t bytes)
{
    snprintf(out, bytes, "%s%s", isalnum((unsigned char)*tag) || *tag == '.' ? "" : "s_", tag);
    for (char *at = out; *at; at++)
        if (!isalnum((unsigned char)*at) && !strchr("_./-", *at))
            *at = '_';
    return out;
}

void weir_trainer_scalar(weir_trainer *trainer, const char *tag, TF_Output value)
{
    char name[TAG_BYTES];
    TF_Output tags = weir_build_string(trainer->b, "tags", tag);
    weir_trainer_add_summary(
        trainer, weir_scalar_summary(trainer->b, node_name(tag, name, sizeof name), tags, value));
}

void weir_trainer_histogram(weir_trainer *trainer, const char *tag, TF_Output values)
{
    char name[TAG_BYTES];
    TF_Output tags = weir_build_string(trainer->b, "tag", tag);
    weir_trainer_add_summary(
        trainer,
        weir_histogram_summary(trainer->b, node_name(tag, name, sizeof name), tags, values));
}

void weir_trainer_image(weir_trainer *trainer, const char *tag, TF_Output images, int most)
{
    char name[TAG_BYTES];
    const weir_image_summary_options options = {.max_images = most};
    TF_Output tags = weir_build_string(trainer->b, "tag", tag);
    weir_trainer_add_summary(
        trainer,
        weir_image_summary(trainer->b, node_name(tag, name, sizeof name), tags, images, &options));
}

/* Only the chief writes. */
static void summarizer_starts(void *arg, weir_trainer *trainer)
{
    summarizer *summarizer = arg;
    if (!weir_trainer_is_chief(trainer) || weir_trainer_failed(trainer))
        return;
    if (trainer->summaries.count)
        summarizer->merged = weir_merge_summary(trainer->b, "MergeSummary", trainer->summaries.at,
                                                (int)trainer->summaries.count);
    TF_Status *status = TF_NewStatus();
    summarizer->events = weir_event_writer_new(summarizer->dir, NULL, status);
    weir_build_fail(trainer->b, TF_GetCode(status), TF_Message(status));
    TF_DeleteStatus(status);
    trainer->events = summarizer->events;
}

static void summarizer_begins(void *arg, weir_trainer *trainer)
{
    summarizer *summarizer = arg;
    start_pace(&summarizer->pace, trainer);
    if (!summarizer->events)
        return;
    weir_event_graph_of(summarizer->events, trainer->graph);
    weir_event_session(summarizer->events, trainer->at, WEIR_EVENT_SESSION_START, NULL);
}

static void summarizer_wishes(void *arg, weir_trainer *trainer, weir_wish *wish)
{
    summarizer *summarizer = arg;
    if (summarizer->events && becomes_due(&summarizer->pace, trainer) && summarizer->merged.oper)
        *wish = (weir_wish){.fetches = &summarizer->merged, .fetch_count = 1};
}

static bool summarizer_writes(void *arg, weir_trainer *trainer, const weir_outcome *outcome,
                              TF_Status *status)
{
    summarizer *summarizer = arg;
    if (!summarizer->events || !summarizer->pace.due)
        return false;
    if (summarizer->merged.oper)
        weir_event_add_summary(summarizer->events, trainer->at, outcome->fetched[0]);
    weir_event_scalar(summarizer->events, trainer->at, "global_step/sec",
                      (float)speed(&summarizer->pace, trainer));
    return false;
}

static void summarizer_notes(void *arg, weir_trainer *trainer, const char *checkpoint)
{
    summarizer *summarizer = arg;
    if (summarizer->events)
        weir_event_session(summarizer->events, trainer->at, WEIR_EVENT_CHECKPOINT, checkpoint);
}

static void summarizer_stops(void *arg, weir_trainer *trainer)
{
    summarizer *summarizer = arg;
    TF_Status *status = TF_NewStatus();
    if (summarizer->events) {
        weir_event_session(summarizer->events, trainer->at, WEIR_EVENT_SESSION_STOP, NULL);
        weir_event_writer_flush(summarizer->events, status);
    }
    TF_DeleteStatus(status); /* lost events do not fail a finished training */
}

static void summarizer_ends(void *arg)
{
    summarizer *summarizer = arg;
    if (summarizer->events)
        weir_event_writer_close(summarizer->events, NULL);
    weir_free(summarizer->dir);
    weir_free(summarizer);
}

void weir_trainer_write_summaries(weir_trainer *trainer, const char *dir, int64_t steps)
{
    summarizer *new_summarizer = WEIR_NEW(summarizer);
    new_summarizer->pace.steps = steps;
    new_summarizer->dir = weir_strdup(dir);
    weir_trainer_add_hook(trainer, &(weir_hook){.arg = new_summarizer,
                                                .starting = summarizer_starts,
                                                .session_made = summarizer_begins,
                                                .before_step = summarizer_wishes,
                                                .got = summarizer_writes,
                                                .saved = summarizer_notes,
                                                .stopping = summarizer_stops,
                                                .deleted = summarizer_ends});
}

/* ---- profiler ------------------------------------------------------------------------------- */

typedef struct profiler {
    pace pace;
    char *dir;
} profiler;

static void profiler_begins(void *arg, weir_trainer *trainer)
{
    profiler *profiler = arg;
    start_pace(&profiler->pace, trainer);
    weir_status_free(
        weir_dir_create_all(profiler->dir)); /* an error is reported when a trace is written */
}

static void profiler_wishes(void *arg, weir_trainer *trainer, weir_wish *wish)
{
    wish->trace = weir_trainer_is_chief(trainer) && becomes_due(&((profiler *)arg)->pace, trainer);
}

static bool profiler_writes(void *arg, weir_trainer *trainer, const weir_outcome *outcome,
                            TF_Status *status)
{
    profiler *profiler = arg;
    if (!profiler->pace.due || !outcome->trace)
        return false;
    WEIR_BUF(path);
    char tag[32];
    speed(&profiler->pace, trainer);
    snprintf(tag, sizeof tag, "step_%lld", (long long)trainer->at);
    weir_buf_addf(&path, "%s/timeline-%lld.json", profiler->dir, (long long)trainer->at);
    weir_trace_write(path.at, outcome->trace, status);
    if (trainer->events)
        weir_event_run(trainer->events, trainer->at, tag, outcome->trace);
    return false;
}

static void profiler_ends(void *arg)
{
    weir_free(((profiler *)arg)->dir);
    weir_free(arg);
}

void weir_trainer_profile(weir_trainer *trainer, const char *dir, int64_t steps)
{
    profiler *new_profiler = WEIR_NEW(profiler);
    new_profiler->pace.steps = steps;
    new_profiler->dir = weir_strdup(dir);
    weir_trainer_add_hook(trainer, &(weir_hook){.arg = new_profiler,
                                                .session_made = profiler_begins,
                                                .before_step = profiler_wishes,
                                                .got = profiler_writes,
                                                .deleted = profiler_ends});
}
