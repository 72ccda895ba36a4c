/* session/plan.c - from a graph of the plan's own to the plan: inline, place, rewrite,
 * partition. */
#include <stdatomic.h>
#include <stdlib.h>

#include "base/env.h"
#include "base/log.h"
#include "base/metric.h"
#include "exec/numerics.h"
#include "grad/symbolic.h"
#include "graph/lower.h"
#include "graph/past.h"
#include "ops/internal/panels.h"
#include "pass/pass.h"
#include "place/place.h"
#include "session/session_impl.h"

static void log_placement(const char *line)
{
    weir_log(WEIR_LOG_ERROR, "%s", line);
}

/* Inlines calls and expands gradients; each may expose the other. Remaining calls run as plans of
 * their own, on the caller's task: so a graph over several tasks must have none that can be
 * inlined. */
static weir_status open_functions(weir_graph *graph, bool over_tasks)
{
    size_t first = graph->nodes.count;
    for (int round = 0; round < WEIR_LOWER_DEPTH; round++) {
        bool any;
        WEIR_TRY(weir_symbolic_open_all(graph, &any));
        if (round && !any) {
            if (graph->nodes.count > first)
                weir_lower_prune(graph, first);
            return WEIR_OK;
        }
        WEIR_TRY(weir_lower_all(graph, weir_symbolic_ready, over_tasks));
    }
    return weir_error(WEIR_INVALID_ARGUMENT,
                      "gradients of functions hold each other more than %d deep", WEIR_LOWER_DEPTH);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const weir_place_device *)a)->name, ((const weir_place_device *)b)->name);
}

/* Moves |device| to the front. */
static void prefer(weir_place_device *list, int count, const char *device)
{
    int at = 0;
    while (at < count && strcmp(list[at].name, device) != 0)
        at++;
    if (at == count)
        return;
    weir_place_device preferred = list[at];
    memmove(list + 1, list, sizeof *list * (size_t)at);
    list[0] = preferred;
}

/* The devices for placement, in order of preference: the own ones, then the others by
 * name. */
static weir_place_device *list_devices(const weir_local_session *session, bool everywhere,
                                       int *out_count)
{
    int others = everywhere && session->remote ? session->remote->device_count : 0;
    weir_place_device *list = WEIR_NEW_ARRAY(weir_place_device, session->devices.count + others);
    for (int i = 0; i < session->devices.count; i++)
        list[i] =
            (weir_place_device){session->devices.at[i].name, session->devices.at[i].incarnation};
    for (int i = 0; i < others; i++)
        list[session->devices.count + i] = (weir_place_device){
            session->remote->devices[i].name, session->remote->devices[i].incarnation};
    qsort(list + session->devices.count, (size_t)others, sizeof *list, by_name);
    *out_count = session->devices.count + others;
    return list;
}

/* Here or on another task. */
static bool uses_devices(const weir_local_session *session)
{
    bool any = session->has_kernels;
    for (int i = 0; session->remote && i < session->remote->device_count && !any; i++)
        any = strcmp(session->remote->devices[i].type, "GPU") == 0;
    return any;
}

static weir_place_options place_options(const weir_local_session *session,
                                        const weir_place_device *devices, int count)
{
    return (weir_place_options){.devices = devices,
                                .device_count = count,
                                .kernels = uses_devices(session) ? &session->kernels : NULL,
                                .soft = session->config.soft_placement,
                                .log = session->config.log_placement ? log_placement : NULL};
}

weir_status weir_session_place_graph(weir_session *session)
{
    weir_local_session *local_session = weir_local_of(session);
    int count;
    weir_place_device *devices = list_devices(local_session, true, &count);
    weir_place_options place = place_options(local_session, devices, count);
    place.before_opening = true;
    weir_status st = weir_place_assign(local_session->base.graph, &place);
    weir_free(devices);
    return st;
}

/* Nodes placed by a master are not moved; nodes from functions join them. The devices of a task
 * share an executor, so nothing is partitioned. */
static weir_status rewrite_placed(const plan_source *source, const weir_pass_options *pass)
{
    WEIR_TRY(open_functions(source->g, false));
    WEIR_TRY(weir_pass_run(source->g, WEIR_BEFORE_PLACEMENT, pass));
    for (size_t i = 0; i < source->g->nodes.count; i++)
        if (!*source->g->nodes.at[i]->site.device)
            source->g->nodes.at[i]->site.device =
                source->device ? source->device : source->s->devices.at[0].name;
    return weir_pass_run(source->g, WEIR_AFTER_PLACEMENT, pass);
}

static weir_status rewrite_and_place(const plan_source *source, const weir_pass_options *pass,
                                     const weir_place_options *place)
{
    WEIR_TRY(open_functions(source->g, source->partitions && source->s->remote));
    WEIR_TRY(weir_place_assign(source->g, place));
    WEIR_TRY(weir_pass_run(source->g, WEIR_AFTER_PLACEMENT, pass));
    if (source->read_last)
        WEIR_TRY(weir_read_variables_last(source->g));
    if (source->partitions && source->s->remote) {
        weir_partition_options split = {.devices = place->devices,
                                        .device_count = place->device_count,
                                        .own_task = source->s->task,
                                        .next = &source->s->next_cut};
        WEIR_TRY(weir_place_partition(source->g, &split, source->partitions));
    }
    return source->s->devices.count > 1 ? weir_place_cut(source->g, place) : WEIR_OK;
}

/* The passes that the environment disables; an unknown name is logged once. */
static weir_pass_set skipped_passes(void)
{
    static atomic_flag logged = ATOMIC_FLAG_INIT;
    weir_str unknown;
    weir_pass_set skipped = weir_pass_named(weir_env_get()->skip_passes, &unknown);
    if (unknown.length && !atomic_flag_test_and_set(&logged))
        weir_log(WEIR_LOG_WARNING, "WEIR_SKIP: no graph pass is called '%.*s'",
                 WEIR_STR_ARG(unknown));
    return skipped;
}

static bool checks_numerics(const weir_local_session *session)
{
    return session->config.check_numerics || weir_numerics_checked();
}

/* Requested by the environment, like a client's ConfigProto; an unknown name is logged once. */
static bool wants_bfloat16(void)
{
    static atomic_flag logged = ATOMIC_FLAG_INIT;
    const char *precision = weir_env_get()->precision;
    bool wanted = precision && strcmp(precision, "bf16") == 0;
    if (precision && !wanted && strcmp(precision, "float") != 0 &&
        !atomic_flag_test_and_set(&logged))
        weir_log(WEIR_LOG_WARNING, "WEIR_PRECISION is 'bf16' or 'float', not '%s'", precision);
    return wanted;
}

static weir_status rewrite(const plan_source *source, const weir_place_options *place)
{
    weir_pass_options pass = source->s->config.passes;
    pass.off |= weir_env_get()->no_optimize || source->plain;
    pass.skip |= skipped_passes();
    if (source->s->has_kernels) /* these passes create ops with CPU kernels only */
        pass.skip |= weir_pass_named("norm,pretranspose,dropout,xent,updates,dense,prepack,"
                                     "defer_sums,stack",
                                     NULL);
    pass.bfloat16 |= wants_bfloat16();
    pass.kernels = source->s->has_kernels ? &source->s->kernels : NULL;
    pass.prepack_pays = weir_panels_pay;
    bool looks = checks_numerics(source->s);
    if (looks) /* a NaN from constants must arise in a step, where it is checked */
        pass.may_fold = weir_tensor_finite;
    pass.keep = source->keep;
    pass.keep_count = source->keep_count;
    weir_graph_snapshot *before = NULL;
    bool whole = !(source->partitions && source->s->remote) && source->s->devices.count == 1;
    if (source->s->placed || whole)
        pass.snapshot = &before;
    weir_status status =
        source->s->placed ? rewrite_placed(source, &pass) : rewrite_and_place(source, &pass, place);
    if (!status && looks) /* to find the program's own nodes in it */
        weir_graph_keep_past(source->g);
    if (!status)
        status = weir_pass_run(source->g, WEIR_AFTER_PARTITION, &pass);
    weir_graph_snapshot_free(before);
    return status;
}

bool weir_local_may_prepare_plainly(const weir_local_session *session, weir_status failed)
{
    weir_code code = weir_status_code(failed);
    return !session->config.passes.off && !weir_env_get()->no_optimize &&
           (code == WEIR_INTERNAL || code == WEIR_INVALID_ARGUMENT || code == WEIR_UNIMPLEMENTED);
}

weir_status weir_local_prepared_plainly(weir_status failed, weir_status plain)
{
    if (!plain) {
        weir_metric_add(WEIR_METRIC_PLAN_FALLBACKS, 1);
        weir_log(WEIR_LOG_WARNING, "a graph runs without optimisation: %s",
                 weir_status_message(failed));
    }
    weir_status_free(failed);
    return plain;
}

weir_status weir_local_make_plan(const plan_source *source, weir_plan **out_plan)
{
    int count;
    weir_place_device *devices = list_devices(source->s, source->partitions != NULL, &count);
    if (source->device)
        prefer(devices, source->s->devices.count, source->device);
    weir_place_options place = place_options(source->s, devices, count);
    place.anywhere = !source->partitions; /* a function runs where it is called */
    weir_status st = rewrite(source, &place);
    if (!st && source->s->has_kernels)
        st = weir_place_memories(source->g, &place);
    weir_free(devices);
    if (st) {
        weir_graph_destroy(source->g);
        return st;
    }
    weir_plan_env env = {.resources = source->s->resources,
                         .own = source->s->own,
                         .runner = &weir_local_function_runner,
                         .runner_arg = source->s,
                         .kernels = source->s->has_kernels ? &source->s->kernels : NULL,
                         .check_numerics = source->s->config.check_numerics};
    return weir_plan_create(source->g, &env, out_plan);
}
