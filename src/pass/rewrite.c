/* pass/rewrite.c - small changes that keep control dependencies and deadness right. */
#include "pass/pass_impl.h"

bool weir_pass_kept(const weir_pass_env *env, const weir_node *n)
{
    return (size_t)n->id < env->count && env->kept[n->id];
}

bool weir_pass_pure(const weir_node *n)
{
    if (!n->site.op || n->site.def->flags & (WEIR_STATEFUL | WEIR_NO_FOLD) ||
        weir_flow_is_control(n))
        return false;
    for (int i = 0; i < n->site.in_count; i++)
        if (weir_dtype_is_ref(weir_edge_type(n->in[i])))
            return false;
    for (int i = 0; i < n->site.out_count; i++)
        if (weir_dtype_is_ref(n->site.out_types[i]))
            return false;
    return true;
}

bool weir_pass_quiet(const weir_node *n)
{
    return n->site.def->flags & WEIR_NO_EFFECT || weir_pass_pure(n);
}

/* A walk along edges, within one iteration of every loop: back edges lead to the next one. */
typedef struct walk {
    weir_node **work; /* reached, and not left yet */
    size_t count;
    bool *seen; /* by node id */
} walk;

static walk walk_begin(const weir_graph *g)
{
    return (walk){.work = WEIR_NEW_ARRAY(weir_node *, g->nodes.count),
                  .seen = WEIR_NEW_ARRAY(bool, g->nodes.count)};
}

static void walk_end(walk *w)
{
    weir_free(w->work);
    weir_free(w->seen);
}

static void walk_users(walk *w, const weir_node *n, bool waiting_only)
{
    if (weir_node_flow(n) == WEIR_FLOW_NEXT_ITERATION)
        return;
    for (size_t i = 0; i < n->uses.count; i++) {
        weir_node *user = n->uses.at[i].node;
        if (w->seen[user->id] || (waiting_only && n->uses.at[i].input >= 0))
            continue;
        w->work[w->count++] = user;
        w->seen[user->id] = true;
    }
}

/* Goes on until a node of |to| is reached. */
static bool walk_reaches(walk *w, weir_node *const *to, size_t count)
{
    while (w->count) {
        const weir_node *n = w->work[--w->count];
        for (size_t i = 0; i < count; i++)
            if (to[i] == n)
                return true;
        walk_users(w, n, false);
    }
    return false;
}

bool weir_pass_may_merge(weir_node *const *parts, size_t count)
{
    walk w = walk_begin(parts[0]->graph);
    for (size_t i = 0; i < count; i++)
        w.seen[parts[i]->id] = true; /* edges between the parts themselves are no way round */
    for (size_t i = 0; i < count; i++)
        walk_users(&w, parts[i], false);
    for (size_t i = 0; i < count; i++)
        w.seen[parts[i]->id] = false;
    bool back = walk_reaches(&w, parts, count);
    walk_end(&w);
    return !back;
}

bool weir_pass_may_join(const weir_node *first, const weir_node *last)
{
    walk w = walk_begin(first->graph);
    walk_users(&w, first, true);
    bool back = walk_reaches(&w, (weir_node *[]){(weir_node *)last}, 1);
    walk_end(&w);
    return !back;
}

bool weir_pass_may_wait(const weir_node *n)
{
    for (int k = 0; n->site.op && k < WEIR_KERNELS_MAX; k++)
        if (n->site.op->kernels[k].flags & WEIR_ASYNC)
            return true;
    return !n->site.op;
}

bool weir_pass_has_data_use(const weir_node *n, int output)
{
    for (size_t i = 0; i < n->uses.count; i++)
        if (n->uses.at[i].input >= 0 && n->uses.at[i].output == output)
            return true;
    return false;
}

weir_node *weir_pass_only_reader(const weir_node *n, int output)
{
    weir_node *reader = NULL;
    for (size_t i = 0; i < n->uses.count; i++) {
        const weir_use *u = &n->uses.at[i];
        if (u->input < 0 || u->output != output)
            continue;
        if (reader)
            return NULL;
        reader = u->node;
    }
    return reader;
}

bool weir_pass_flag(const weir_node *n, const char *name)
{
    const weir_attr *a = weir_node_attr(n, name);
    return a && a->b;
}

const weir_tensor *weir_pass_value(weir_edge e)
{
    return weir_pass_is_const(e.node) ? weir_node_attr(e.node, "value")->tensor : NULL;
}

weir_status weir_pass_add(const weir_node *like, const char *prefix, const char *suffix,
                          const weir_node_spec *spec, weir_node **out_node)
{
    weir_buf name = {0};
    weir_buf_addf(&name, "%s%s%s", prefix, like->site.name, suffix);
    weir_node_spec full = *spec;
    full.name = weir_graph_unique_name(like->graph, name.at);
    full.device = like->requested_device;
    weir_status s = weir_graph_add(like->graph, &full, out_node);
    weir_buf_fini(&name);
    WEIR_TRY(s);
    (*out_node)->site.device = like->site.device; /* placed already, like its model */
    return WEIR_OK;
}

void weir_pass_move_waiting(weir_node *from, weir_node *to)
{
    for (size_t i = 0; i < from->uses.count;) {
        weir_use u = from->uses.at[i];
        if (u.input >= 0) {
            i++;
            continue;
        }
        weir_graph_remove_control(from, u.node);
        if (to)
            weir_graph_add_control(to, u.node);
    }
}

void weir_pass_remove(weir_node *n)
{
    weir_pass_move_waiting(n, NULL);
    weir_graph_remove(n);
}

static size_t data_uses(const weir_node *n, size_t *out_waiting)
{
    size_t data = 0;
    for (size_t i = 0; i < n->uses.count; i++)
        data += n->uses.at[i].input >= 0;
    *out_waiting = n->uses.count - data;
    return data;
}

/* What |n| waited for, its users wait for from now on. */
static void hand_on_controls(const weir_node *n, weir_node *const *extra, size_t extra_count)
{
    for (size_t i = 0; i < n->uses.count; i++) {
        weir_node *user = n->uses.at[i].node;
        for (size_t k = 0; k < n->controls.count; k++)
            weir_graph_add_control(n->controls.at[k], user);
        for (size_t k = 0; k < extra_count; k++)
            weir_graph_add_control(extra[k], user);
    }
}

/* Merge starts on any input, so a control edge there would mean more. */
static bool users_take_controls(const weir_node *n)
{
    for (size_t i = 0; i < n->uses.count; i++)
        if (weir_node_flow(n->uses.at[i].node) == WEIR_FLOW_MERGE)
            return false;
    return true;
}

static bool comes_from(const weir_node *n, weir_edge e)
{
    return weir_pass_pure(n) && n->site.in_count == 1 && weir_edge_eq(n->in[0], e);
}

bool weir_pass_bypass(const weir_pass_env *env, weir_node *n, weir_edge e)
{
    size_t waiting, data = data_uses(n, &waiting), controls = n->controls.count;
    weir_node *extra[8];
    size_t extra_count = 0;
    for (int i = 0; i < n->site.in_count; i++) { /* inputs that are dropped may carry controls */
        if (n->in[i].node == e.node)
            continue;
        if (!weir_pass_is_const(n->in[i].node) && !comes_from(n->in[i].node, e))
            return false;
        for (size_t k = 0; k < n->in[i].node->controls.count; k++) {
            if (extra_count == 8)
                return false;
            extra[extra_count++] = n->in[i].node->controls.at[k];
        }
    }
    controls += extra_count;
    bool grows = controls * (data + waiting) > controls + data + waiting;
    if (weir_pass_kept(env, n) || grows || (controls && !users_take_controls(n)) ||
        (waiting && weir_flow_splits(e.node)) || n->site.out_types[0] != weir_edge_type(e))
        return false;
    hand_on_controls(n, extra, extra_count);
    weir_pass_move_waiting(n, e.node);
    weir_graph_replace((weir_edge){n, 0}, e);
    weir_graph_remove(n);
    return true;
}
