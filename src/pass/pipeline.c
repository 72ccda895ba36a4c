/* pass/pipeline.c - runs the passes of passes.inc, stage by stage. */
#include "base/deadline.h"
#include "graph/refine.h"
#include "pass/check.h"
#include "pass/pass_impl.h"

/* ---- the list ------------------------------------------------------------------------------- */

enum { /* bits of weir_pass_set */
#define WEIR_PASS(stage, name, option, old_name) PASS_##name,
#define WEIR_PASS_AGAIN(stage, name)
#include "pass/passes.inc"
#undef WEIR_PASS
#undef WEIR_PASS_AGAIN
       PASS_COUNT
};
_Static_assert(PASS_COUNT <= 64, "weir_pass_set has a bit for each pass");

static const struct pass {
    const char *name, *old_name;
    weir_pass run;
    weir_pass_option option;
} passes[] = {
#define WEIR_PASS(stage, name, option, old_name)                                                   \
    {#name, old_name, weir_pass_##name, WEIR_OPTION_##option},
#define WEIR_PASS_AGAIN(stage, name)
#include "pass/passes.inc"
#undef WEIR_PASS
#undef WEIR_PASS_AGAIN
};

static const struct run {
    weir_pass_stage stage;
    int pass; /* index into passes */
} runs[] = {
#define WEIR_PASS(stage, name, option, old_name) {WEIR_##stage, PASS_##name},
#define WEIR_PASS_AGAIN(stage, name) {WEIR_##stage, PASS_##name},
#include "pass/passes.inc"
#undef WEIR_PASS
#undef WEIR_PASS_AGAIN
};

const char *weir_pass_name(int index)
{
    return index < PASS_COUNT ? passes[index].name : NULL;
}

static weir_pass_set find_pass(weir_str name)
{
    for (int i = 0; i < PASS_COUNT; i++)
        if (weir_str_is(name, passes[i].name) ||
            (*passes[i].old_name && weir_str_is(name, passes[i].old_name)))
            return UINT64_C(1) << i;
    return 0;
}

weir_pass_set weir_pass_named(const char *names, weir_str *out_unknown)
{
    weir_pass_set set = 0;
    weir_str unknown = {0};
    for (const char *at = names; at && *at; at += *at == ',') {
        weir_str name = {at, strcspn(at, ",")};
        weir_pass_set found = find_pass(name);
        if (!found && name.length && !unknown.length)
            unknown = name;
        set |= found;
        at += name.length;
    }
    if (out_unknown)
        *out_unknown = unknown;
    return set;
}

weir_pass_set weir_pass_of_option(weir_pass_option option)
{
    weir_pass_set set = 0;
    for (int i = 0; i < PASS_COUNT; i++)
        if (passes[i].option == option)
            set |= UINT64_C(1) << i;
    return set;
}

/* ---- execution ------------------------------------------------------------------------------- */

/* In builds with assertions the error names the faulty pass. */
#ifdef NDEBUG
enum { CHECK_EACH = false };
#else
enum { CHECK_EACH = true };
#endif

weir_status (*weir_pass_planted)(weir_graph *graph, weir_pass_stage stage);

weir_status weir_pass_shapes(weir_graph *graph, const weir_pass_env *env)
{
    weir_graph_refine_loops(graph);
    return WEIR_OK;
}

static weir_status run_planted(weir_graph *graph, const weir_pass_env *env)
{
    return weir_pass_planted(graph, env->stage);
}

/* Runs |run|, and checks the resulting graph. */
static weir_status run_checked(weir_graph *graph, const weir_pass_env *env, weir_pass run)
{
    weir_graph_snapshot *before = weir_graph_snapshot_take(graph);
    weir_status status = run(graph, env);
    if (!status)
        status = weir_graph_check(graph, before);
    weir_graph_snapshot_free(before);
    return status;
}

static weir_status run_pass(weir_graph *graph, const weir_pass_env *env, weir_pass run,
                            const char *name)
{
    WEIR_TRY(weir_deadline_check());
    bool checked = CHECK_EACH && env->stage != WEIR_OPENED; /* dead nodes go, so order may */
    weir_status status = checked ? run_checked(graph, env, run) : run(graph, env);
    return weir_status_note(status, " [in pass '%s']", name);
}

/* Nodes without users at the start, before any pruning, are kept for their side effects. */
static bool *find_kept(const weir_graph *graph, weir_pass_stage stage,
                       const weir_pass_options *options)
{
    bool *kept = WEIR_NEW_ARRAY(bool, graph->nodes.count + 1);
    for (int i = 0; i < options->keep_count; i++)
        kept[options->keep[i]->id] = true;
    for (size_t i = 0; i < graph->nodes.count && stage == WEIR_AFTER_PLACEMENT; i++) {
        const weir_node *node = graph->nodes.at[i];
        weir_flow flow = weir_node_flow(node);
        kept[i] |= node->uses.count == 0 || flow == WEIR_FLOW_ARG || flow == WEIR_FLOW_RETVAL;
    }
    return kept;
}

static weir_status run_stage(weir_graph *graph, const weir_pass_env *env)
{
    if (weir_pass_planted && env->stage == WEIR_AFTER_PLACEMENT && !env->options.off)
        WEIR_TRY(run_pass(graph, env, run_planted, "planted"));
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        const struct pass *pass = &passes[runs[i].pass];
        bool skip = env->options.skip >> runs[i].pass & 1 ||
                    (env->options.off && pass->option != WEIR_OPTION_REQUIRED);
        if (runs[i].stage == env->stage && !skip)
            WEIR_TRY(run_pass(graph, env, pass->run, pass->name));
    }
    if (weir_pass_planted && env->stage == WEIR_AFTER_PARTITION && !env->options.off)
        return run_pass(graph, env, run_planted, "planted");
    return WEIR_OK;
}

/* Checks the stage, or defers it to the last one. */
static weir_status run_checked_stage(weir_graph *graph, const weir_pass_env *env)
{
    weir_graph_snapshot **shared = env->options.snapshot;
    if (CHECK_EACH)
        return run_stage(graph, env);
    if (!shared)
        return run_checked(graph, env, run_stage);
    if (!*shared)
        *shared = weir_graph_snapshot_take(graph);
    WEIR_TRY(run_stage(graph, env));
    return env->stage == WEIR_AFTER_PARTITION ? weir_graph_check(graph, *shared) : WEIR_OK;
}

weir_status weir_pass_run(weir_graph *graph, weir_pass_stage stage,
                          const weir_pass_options *options)
{
    weir_pass_env env = {.options = options ? *options : (weir_pass_options){0}, .stage = stage};
    if (!env.options.fold_limit_bytes)
        env.options.fold_limit_bytes = WEIR_FOLD_LIMIT;
    if (stage == WEIR_BEFORE_PLACEMENT)
        return run_stage(graph, &env);
    env.count = graph->nodes.count;
    bool *kept = find_kept(graph, stage, &env.options);
    env.kept = kept;
    weir_status status = WEIR_OK;
    if (stage == WEIR_AFTER_PLACEMENT) {
        env.stage = WEIR_OPENED;
        status = run_stage(graph, &env);
        env.stage = stage;
    }
    if (!status)
        status = env.options.off ? run_stage(graph, &env) : run_checked_stage(graph, &env);
    weir_free(kept);
    return status;
}
