/* train/hooks.c - the hooks that are ready: stop, log, NaN guard, summaries, profiler. */
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

enum { TAG_BYTES = 256 }; /* of a summary's node name; the tag itself may be longer */

/* ---- every so many steps -------------------------------------------------------------------- */

typedef struct pace {
    int64_t steps;   /* 0: never */
    int64_t last;    /* the global step when it was due last */
    int64_t last_ns; /* and when that was */
    bool due;        /* by the step that runs */
} pace;

static void start_pace(pace *p, const weir_trainer *t)
{
    p->last = t->at;
    p->last_ns = weir_now_ns();
}

/* Whether the next step passes a multiple. */
static bool becomes_due(pace *p, const weir_trainer *t)
{
    if (t->at < p->last) /* a recovery went back */
        start_pace(p, t);
    p->due = p->steps > 0 && (t->at + 1) / p->steps != p->last / p->steps;
    return p->due;
}

/* Ends the interval: steps per second over it. */
static double speed(pace *p, const weir_trainer *t)
{
    int64_t now = weir_now_ns();
    double seconds = (double)(now - p->last_ns) / 1e9, steps = (double)(t->at - p->last);
    p->last = t->at;
    p->last_ns = now;
    return seconds > 0 ? steps / seconds : 0;
}

/* ---- stop ----------------------------------------------------------------------------------- */

typedef struct stopper {
    int64_t steps_left; /* below 0: not by steps */
    double seconds;
    int64_t end_ns; /* 0: not yet, or not by time */
} stopper;

static void stopper_begins(void *arg, weir_trainer *t)
{
    stopper *s = arg;
    if (s->seconds > 0 && !s->end_ns)
        s->end_ns = weir_now_ns() + (int64_t)(s->seconds * 1e9);
}

static bool stopper_after_step(void *arg, weir_trainer *t)
{
    stopper *s = arg;
    if (s->steps_left > 0)
        s->steps_left--;
    return s->steps_left == 0 || (s->end_ns && weir_now_ns() >= s->end_ns);
}

void weir_trainer_stop_after(weir_trainer *t, int64_t steps, double seconds)
{
    stopper *s = WEIR_NEW(stopper);
    *s = (stopper){.steps_left = steps > 0 ? steps : -1, .seconds = seconds};
    weir_trainer_add_hook(t, &(weir_hook){.arg = s,
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

static void logger_begins(void *arg, weir_trainer *t)
{
    start_pace(&((logger *)arg)->pace, t);
}

static void logger_wishes(void *arg, weir_trainer *t, weir_wish *wish)
{
    logger *l = arg;
    if (becomes_due(&l->pace, t))
        *wish = (weir_wish){.fetches = l->values.at, .fetch_count = (int)l->values.count};
}

static bool logger_prints(void *arg, weir_trainer *t, const weir_outcome *outcome,
                          TF_Status *status)
{
    logger *l = arg;
    if (!l->pace.due)
        return false;
    weir_buf line = {0};
    weir_buf_addf(&line, "step %lld:", (long long)t->at);
    for (size_t i = 0; i < l->names.count; i++)
        weir_buf_addf(&line, " %s = %.6g,", l->names.at[i],
                      weir_tensor_first_number(outcome->fetched[i]));
    line.at[--line.length] = 0; /* the comma, or the colon when there is nothing to say */
    fprintf(stderr, "%s (%.4g steps/s)\n", line.at, speed(&l->pace, t));
    weir_buf_fini(&line);
    return false;
}

static void logger_ends(void *arg)
{
    logger *l = arg;
    for (size_t i = 0; i < l->names.count; i++)
        weir_free(l->names.at[i]);
    weir_vec_fini(&l->names);
    weir_vec_fini(&l->values);
    weir_free(l);
}

void weir_trainer_log_every(weir_trainer *t, int64_t steps, const char *const *names,
                            const TF_Output *values, int count)
{
    logger *l = WEIR_NEW(logger);
    l->pace.steps = steps;
    for (int i = 0; i < count; i++) {
        weir_vec_push(&l->names, weir_strdup(names[i]));
        weir_vec_push(&l->values, values[i]);
    }
    weir_trainer_add_hook(t, &(weir_hook){.arg = l,
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

static void guard_wishes(void *arg, weir_trainer *t, weir_wish *wish)
{
    *wish = (weir_wish){.fetches = &((guard *)arg)->loss, .fetch_count = 1};
}

static bool guard_looks(void *arg, weir_trainer *t, const weir_outcome *outcome, TF_Status *status)
{
    const guard *g = arg;
    char message[128];
    if (!isnan(weir_tensor_first_number(outcome->fetched[0])))
        return false;
    snprintf(message, sizeof message, "NaN loss during training, at step %lld", (long long)t->at);
    if (g->stop)
        fprintf(stderr, "%s\n", message);
    else
        TF_SetStatus(status, TF_INVALID_ARGUMENT, message);
    return g->stop;
}

void weir_trainer_guard_nan(weir_trainer *t, TF_Output loss, bool stop)
{
    guard *g = WEIR_NEW(guard);
    *g = (guard){loss, stop};
    weir_trainer_add_hook(
        t, &(weir_hook){
               .arg = g, .before_step = guard_wishes, .got = guard_looks, .deleted = weir_free});
}

/* ---- summaries ------------------------------------------------------------------------------ */

typedef struct summarizer {
    pace pace;
    char *dir;
    TF_Output merged; /* .oper null: the graph has no summaries */
    weir_event_writer *events;
} summarizer;

void weir_trainer_add_summary(weir_trainer *t, TF_Output summary)
{
    weir_vec_push(&t->summaries, summary);
}

/* A node's name from a tag, which may have any letters. */
static const char *node_name(const char *tag, char *out, size_t bytes)
{
    snprintf(out, bytes, "%s%s", isalnum((unsigned char)*tag) || *tag == '.' ? "" : "s_", tag);
    for (char *at = out; *at; at++)
        if (!isalnum((unsigned char)*at) && !strchr("_./-", *at))
            *at = '_';
    return out;
}

void weir_trainer_scalar(weir_trainer *t, const char *tag, TF_Output value)
{
    char name[TAG_BYTES];
    TF_Output tags = weir_build_string(t->b, "tags", tag);
    weir_trainer_add_summary(
        t, weir_scalar_summary(t->b, node_name(tag, name, sizeof name), tags, value));
}

void weir_trainer_histogram(weir_trainer *t, const char *tag, TF_Output values)
{
    char name[TAG_BYTES];
    TF_Output tags = weir_build_string(t->b, "tag", tag);
    weir_trainer_add_summary(
        t, weir_histogram_summary(t->b, node_name(tag, name, sizeof name), tags, values));
}

void weir_trainer_image(weir_trainer *t, const char *tag, TF_Output images, int most)
{
    char name[TAG_BYTES];
    const weir_image_summary_options options = {.max_images = most};
    TF_Output tags = weir_build_string(t->b, "tag", tag);
    weir_trainer_add_summary(
        t, weir_image_summary(t->b, node_name(tag, name, sizeof name), tags, images, &options));
}

/* Only the chief writes. */
static void summarizer_starts(void *arg, weir_trainer *t)
{
    summarizer *s = arg;
    if (!weir_trainer_is_chief(t) || weir_trainer_failed(t))
        return;
    if (t->summaries.count)
        s->merged =
            weir_merge_summary(t->b, "MergeSummary", t->summaries.at, (int)t->summaries.count);
    TF_Status *status = TF_NewStatus();
    s->events = weir_event_writer_new(s->dir, NULL, status);
    weir_build_fail(t->b, TF_GetCode(status), TF_Message(status));
    TF_DeleteStatus(status);
    t->events = s->events;
}

static void summarizer_begins(void *arg, weir_trainer *t)
{
    summarizer *s = arg;
    start_pace(&s->pace, t);
    if (!s->events)
        return;
    weir_event_graph_of(s->events, t->graph);
    weir_event_session(s->events, t->at, WEIR_EVENT_SESSION_START, NULL);
}

static void summarizer_wishes(void *arg, weir_trainer *t, weir_wish *wish)
{
    summarizer *s = arg;
    if (s->events && becomes_due(&s->pace, t) && s->merged.oper)
        *wish = (weir_wish){.fetches = &s->merged, .fetch_count = 1};
}

static bool summarizer_writes(void *arg, weir_trainer *t, const weir_outcome *outcome,
                              TF_Status *status)
{
    summarizer *s = arg;
    if (!s->events || !s->pace.due)
        return false;
    if (s->merged.oper)
        weir_event_add_summary(s->events, t->at, outcome->fetched[0]);
    weir_event_scalar(s->events, t->at, "global_step/sec", (float)speed(&s->pace, t));
    return false;
}

static void summarizer_notes(void *arg, weir_trainer *t, const char *checkpoint)
{
    summarizer *s = arg;
    if (s->events)
        weir_event_session(s->events, t->at, WEIR_EVENT_CHECKPOINT, checkpoint);
}

static void summarizer_stops(void *arg, weir_trainer *t)
{
    summarizer *s = arg;
    TF_Status *status = TF_NewStatus();
    if (s->events) {
        weir_event_session(s->events, t->at, WEIR_EVENT_SESSION_STOP, NULL);
        weir_event_writer_flush(s->events, status);
    }
    TF_DeleteStatus(status); /* the training is done: events that are lost do not undo it */
}

static void summarizer_ends(void *arg)
{
    summarizer *s = arg;
    if (s->events)
        weir_event_writer_close(s->events, NULL);
    weir_free(s->dir);
    weir_free(s);
}

void weir_trainer_write_summaries(weir_trainer *t, const char *dir, int64_t steps)
{
    summarizer *s = WEIR_NEW(summarizer);
    s->pace.steps = steps;
    s->dir = weir_strdup(dir);
    weir_trainer_add_hook(t, &(weir_hook){.arg = s,
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

static void profiler_begins(void *arg, weir_trainer *t)
{
    profiler *p = arg;
    start_pace(&p->pace, t);
    weir_status_free(weir_dir_create_all(p->dir)); /* what is wrong shows when a trace is written */
}

static void profiler_wishes(void *arg, weir_trainer *t, weir_wish *wish)
{
    wish->trace = weir_trainer_is_chief(t) && becomes_due(&((profiler *)arg)->pace, t);
}

static bool profiler_writes(void *arg, weir_trainer *t, const weir_outcome *outcome,
                            TF_Status *status)
{
    profiler *p = arg;
    if (!p->pace.due || !outcome->trace)
        return false;
    weir_buf path = {0};
    char tag[32];
    speed(&p->pace, t);
    snprintf(tag, sizeof tag, "step_%lld", (long long)t->at);
    weir_buf_addf(&path, "%s/timeline-%lld.json", p->dir, (long long)t->at);
    weir_trace_write(path.at, outcome->trace, status);
    if (t->events)
        weir_event_run(t->events, t->at, tag, outcome->trace);
    weir_buf_fini(&path);
    return false;
}

static void profiler_ends(void *arg)
{
    weir_free(((profiler *)arg)->dir);
    weir_free(arg);
}

void weir_trainer_profile(weir_trainer *t, const char *dir, int64_t steps)
{
    profiler *p = WEIR_NEW(profiler);
    p->pace.steps = steps;
    p->dir = weir_strdup(dir);
    weir_trainer_add_hook(t, &(weir_hook){.arg = p,
                                          .session_made = profiler_begins,
                                          .before_step = profiler_wishes,
                                          .got = profiler_writes,
                                          .deleted = profiler_ends});
}
