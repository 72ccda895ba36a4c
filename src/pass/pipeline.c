/* pass/pipeline.c - the passes in their order. */
#include "graph/refine.h"
#include "pass/check.h"
#include "pass/pass_impl.h"

typedef struct stage {
    const char *name;
    weir_pass run;
    size_t off; /* the option that turns it off, as an offset into weir_pass_options */
} stage;

/* Shapes that loops keep are what folding can use. */
static weir_status refine_shapes(weir_graph *g, const weir_pass_env *env)
{
    weir_graph_refine_loops(g);
    return WEIR_OK;
}

#define OFF(field) offsetof(weir_pass_options, field)

/* Folding first, because constants are what most simplifications look for; again after them, for
 * what they uncovered. Constants leave loops when folding is over, because it does not look through
 * Enter; without the control edges to them, more identities can go. Fusion and layout belong at the
 * end, when users are counted right. */
static const stage stages[] = {
    {"shapes", refine_shapes, OFF(no_fold)},
    {"fold", weir_pass_fold, OFF(no_fold)},
    {"simplify", weir_pass_simplify, OFF(no_simplify)},
    {"cse", weir_pass_cse, OFF(no_cse)},
    {"transposes", weir_pass_transposes, OFF(off)},
    {"norm", weir_pass_norm, OFF(off)},
    {"fold", weir_pass_fold, OFF(no_fold)},
    {"prune", weir_pass_prune, OFF(off)},
    {"controls", weir_pass_controls, OFF(no_controls)},
    {"hoist", weir_pass_hoist, OFF(no_fold)},
    {"turn", weir_pass_turn, OFF(no_turn)},
    {"cse", weir_pass_cse, OFF(no_cse)},
    {"simplify", weir_pass_simplify, OFF(no_simplify)},
    {"prune", weir_pass_prune, OFF(off)},
};

bool weir_pass_skips(const weir_pass_options *o, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = o->skip; at && *at; at += *at == ',') {
        size_t n = strcspn(at, ",");
        if (n == length && memcmp(at, name, n) == 0)
            return true;
        at += n;
    }
    return false;
}

weir_status (*weir_pass_planted)(weir_graph *g);

weir_status weir_pass_run_one(const char *name, weir_pass run, weir_graph *g,
                              const weir_pass_env *env)
{
#ifdef NDEBUG
    weir_status status = run(g, env);
#else
    weir_graph_snapshot *before = weir_graph_snapshot_take(g);
    weir_status status = run(g, env);
    if (!status)
        status = weir_graph_check(g, before);
    weir_graph_snapshot_free(before);
#endif
    return weir_status_note(status, " [in pass '%s']", name);
}

static bool *find_kept(const weir_graph *g, const weir_pass_options *o)
{
    bool *kept = WEIR_NEW_ARRAY(bool, g->nodes.count);
    for (int i = 0; i < o->keep_count; i++)
        kept[o->keep[i]->id] = true;
    for (size_t i = 0; i < g->nodes.count; i++) {
        const weir_node *n = g->nodes.at[i];
        weir_flow flow = weir_node_flow(n);
        kept[i] |= n->uses.count == 0 || flow == WEIR_FLOW_ARG || flow == WEIR_FLOW_RETVAL;
    }
    return kept;
}

weir_status weir_pass_run(weir_graph *g, const weir_pass_options *options)
{
    weir_pass_env env = {.options = options ? *options : (weir_pass_options){0}};
    if (env.options.off)
        return WEIR_OK;
    if (!env.options.fold_limit_bytes)
        env.options.fold_limit_bytes = WEIR_FOLD_LIMIT;
    env.count = g->nodes.count;
    bool *kept = find_kept(g, &env.options);
    env.kept = kept;
    weir_status s = WEIR_OK;
    for (size_t i = 0; i < sizeof stages / sizeof *stages && !s; i++) {
        bool off = *(const bool *)((const char *)&env.options + stages[i].off) ||
                   weir_pass_skips(&env.options, stages[i].name);
        if (!off)
            s = weir_pass_run_one(stages[i].name, stages[i].run, g, &env);
    }
    weir_free(kept);
    return s;
}
