/* graph/lower.c - opens up calls and functional control flow. */
#include "graph/lower.h"

#include <stdio.h>

#include "graph/paste.h"

/* One node being opened up. Errors stick, as in grad/. */
typedef struct lowering {
    weir_node *n;
    weir_graph *g;
    weir_status status;
    weir_edge *outs; /* what the node's outputs become */
    weir_node *done; /* runs after every effect of the bodies; null: none has one */
    weir_lower_ready ready;
} lowering;

/* ---- adding nodes ---------------------------------------------------------------------------- */

static void fail(lowering *l, weir_status s)
{
    if (l->status)
        weir_status_free(s);
    else
        l->status = s;
}

static weir_node *add(lowering *l, const char *op, const weir_edge *in, int in_count,
                      const weir_named_attr *attrs, int attr_count, weir_node *control)
{
    if (l->status)
        return NULL;
    weir_buf name = {0};
    weir_buf_addf(&name, "%s/%s", l->n->site.name, op);
    weir_node *made = NULL;
    weir_node_spec spec = {
        .name = weir_graph_unique_name(l->g, name.at),
        .op = op,
        .in = in,
        .in_count = in_count,
        .attrs = attrs,
        .attr_count = attr_count,
        .controls = &control,
        .control_count = control ? 1 : 0,
        .device = l->n->requested_device,
    };
    fail(l, weir_graph_add(l->g, &spec, &made));
    weir_buf_fini(&name);
    return l->status ? NULL : made;
}

#define IN(...)                                                                                    \
    (const weir_edge[]){__VA_ARGS__}, (int)(sizeof((weir_edge[]){__VA_ARGS__}) / sizeof(weir_edge))
#define NO_ATTRS NULL, 0

static weir_edge first(weir_node *n)
{
    return (weir_edge){n, 0};
}

static weir_edge op(lowering *l, const char *name, const weir_edge *in, int in_count)
{
    return first(add(l, name, in, in_count, NO_ATTRS, NULL));
}

static void add_control(lowering *l, weir_node *from, weir_node *to)
{
    if (!l->status && from)
        weir_graph_add_control(from, to);
}

/* What the node waits for, its parts have to wait for. */
static void inherit_controls(lowering *l, weir_node *to)
{
    for (size_t i = 0; i < l->n->controls.count; i++)
        add_control(l, l->n->controls.at[i], to);
}

static weir_edge int_const(lowering *l, int32_t value, weir_node *control)
{
    if (l->status)
        return (weir_edge){0};
    weir_tensor t = weir_tensor_scalar(WEIR_INT32, &value);
    weir_named_attr attrs[] = {weir_a_tensor("value", &t), weir_a_type("dtype", WEIR_INT32)};
    weir_node *n = add(l, "Const", NULL, 0, attrs, 2, control);
    weir_tensor_release(&t);
    return first(n);
}

static weir_edge as_bool(lowering *l, weir_edge e)
{
    if (l->status || weir_edge_dtype(e) == WEIR_BOOL)
        return e;
    weir_named_attr to = weir_a_type("DstT", WEIR_BOOL);
    return first(add(l, "Cast", IN(e), &to, 1, NULL));
}

/* ---- bodies ---------------------------------------------------------------------------------- */

typedef struct body {
    weir_graph *graph;
    int arg_count, ret_count;
    weir_edge *args, *rets; /* edges of |graph|, by index */
} body;

static void close_body(body *b)
{
    weir_graph_destroy(b->graph);
    weir_free(b->args);
    weir_free(b->rets);
}

static void index_body(body *b)
{
    b->args = WEIR_NEW_ARRAY(weir_edge, b->graph->nodes.count);
    b->rets = WEIR_NEW_ARRAY(weir_edge, b->graph->nodes.count);
    for (size_t i = 0; i < b->graph->nodes.count; i++) {
        weir_node *n = b->graph->nodes.at[i];
        if (weir_node_flow(n) == WEIR_FLOW_ARG) {
            b->args[weir_node_attr(n, "index")->i] = first(n);
            b->arg_count++;
        } else if (weir_node_flow(n) == WEIR_FLOW_RETVAL) {
            b->rets[weir_node_attr(n, "index")->i] = n->in[0];
            b->ret_count++;
        }
    }
}

static weir_status open_function(lowering *l, const weir_function *f, const weir_named_attr *attrs,
                                 int attr_count, int args, int rets, body *out)
{
    WEIR_TRY(weir_function_instantiate(l->g, f, attrs, attr_count, &out->graph));
    if (l->ready)
        WEIR_TRY(l->ready(out->graph));
    index_body(out);
    if (out->arg_count != args || (rets >= 0 && out->ret_count != rets))
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "function '%s' takes %d and returns %d values; node '%s' gives it %d and "
                          "expects %d",
                          f->def.name, out->arg_count, out->ret_count, l->n->site.name, args, rets);
    return WEIR_OK;
}

static weir_status open_body(lowering *l, const weir_func *func, int args, int rets, body *out)
{
    const weir_function *f = weir_graph_find_function(l->g, weir_str_of(func->name));
    if (!f)
        return weir_error(WEIR_NOT_FOUND, "function '%s' of node '%s' is not in the library",
                          func->name, l->n->site.name);
    return open_function(l, f, func->attrs, func->attr_count, args, rets, out);
}

static void paste(lowering *l, const body *b, const char *part, const weir_edge *args,
                  weir_node *pivot, weir_edge *out_rets, weir_node_list *effects)
{
    if (l->status)
        return;
    weir_buf prefix = {0};
    weir_buf_addf(&prefix, "%s%s%s", l->n->site.name, *part ? "/" : "", part);
    weir_paste how = {
        .to = l->g,
        .from = b->graph,
        .prefix = prefix.at,
        .device = l->n->requested_device,
        .pivot = pivot,
        .inputs = b->args,
        .replacements = args,
        .input_count = b->arg_count,
        .results = b->rets,
        .result_count = b->ret_count,
    };
    fail(l, weir_graph_paste(&how, out_rets, effects));
    weir_buf_fini(&prefix);
}

/* ---- calls ----------------------------------------------------------------------------------- */

/* A node that runs exactly when the call would. */
static weir_node *call_pivot(lowering *l)
{
    weir_node *n = l->n, *pivot;
    if (n->site.in_count)
        pivot = add(l, "Identity", IN(n->in[0]), NO_ATTRS, NULL);
    else if (n->controls.count)
        pivot = add(l, "NoOp", NULL, 0, NO_ATTRS, NULL);
    else
        return NULL;
    inherit_controls(l, pivot);
    return pivot;
}

static weir_status lower_call(lowering *l)
{
    weir_node *n = l->n;
    body b = {0};
    weir_node_list effects = {0};
    const weir_attr *f = weir_node_attr(n, "f");
    weir_named_attr *attrs = WEIR_NEW_ARRAY(weir_named_attr, n->site.def->attr_count);
    for (int i = 0; i < n->site.def->attr_count; i++)
        attrs[i] = (weir_named_attr){n->site.def->attrs[i].name, n->site.attrs[i]};
    fail(l, n->function ? open_function(l, n->function, attrs, n->site.def->attr_count,
                                        n->site.in_count, n->site.out_count, &b)
                        : open_body(l, f->func, n->site.in_count, n->site.out_count, &b));
    weir_node *pivot = l->status ? NULL : call_pivot(l);
    paste(l, &b, "", n->in, pivot, l->outs, &effects);
    if (effects.count) { /* dead when the call is */
        l->done = add(l, "NoOp", NULL, 0, NO_ATTRS, pivot);
        for (size_t i = 0; i < effects.count; i++)
            add_control(l, effects.at[i], l->done);
    }
    weir_vec_fini(&effects);
    weir_free(attrs);
    close_body(&b);
    return WEIR_OK;
}

/* ---- If and Case ------------------------------------------------------------------------------
 */

typedef struct branch {
    weir_edge pred; /* taken when it equals |side| */
    int side;
    const weir_func *func;
    weir_edge *rets;
    weir_edge done; /* alive when the branch was taken and its effects are over */
    bool has_effects;
} branch;

static void lower_branch(lowering *l, branch *br, int number)
{
    weir_node *n = l->n;
    int args = n->site.in_count - 1;
    body b = {0};
    weir_node_list effects = {0};
    weir_edge *in = WEIR_NEW_ARRAY(weir_edge, args);
    char part[24];
    snprintf(part, sizeof part, "branch%d", number);
    weir_node *choice = add(l, "Switch", IN(br->pred, br->pred), NO_ATTRS, NULL);
    weir_node *pivot = add(l, "Identity", IN({choice, br->side}), NO_ATTRS, NULL);
    inherit_controls(l, choice);
    for (int i = 0; i < args && !l->status; i++)
        in[i] = (weir_edge){add(l, "Switch", IN(n->in[i + 1], br->pred), NO_ATTRS, NULL), br->side};
    if (!l->status)
        fail(l, open_body(l, br->func, args, n->site.out_count, &b));
    paste(l, &b, part, in, pivot, br->rets, &effects);
    br->done = first(add(l, "Identity", IN(first(pivot)), NO_ATTRS, NULL));
    for (size_t i = 0; i < effects.count; i++)
        add_control(l, effects.at[i], br->done.node);
    br->has_effects = effects.count > 0;
    weir_vec_fini(&effects);
    weir_free(in);
    close_body(&b);
}

static void join_branches(lowering *l, const branch *branches, int count)
{
    weir_edge *sides = WEIR_NEW_ARRAY(weir_edge, count);
    bool effects = false;
    for (int o = 0; o < l->n->site.out_count; o++) {
        for (int i = 0; i < count; i++)
            sides[i] = branches[i].rets[o];
        l->outs[o] = op(l, "Merge", sides, count);
    }
    for (int i = 0; i < count; i++) {
        sides[i] = branches[i].done;
        effects |= branches[i].has_effects;
    }
    if (effects)
        l->done = op(l, "Merge", sides, count).node;
    weir_free(sides);
}

static void lower_branches(lowering *l, branch *branches, int count)
{
    for (int i = 0; i < count; i++) {
        branches[i].rets = WEIR_NEW_ARRAY(weir_edge, l->n->site.out_count);
        lower_branch(l, &branches[i], i);
    }
    if (!l->status)
        join_branches(l, branches, count);
    for (int i = 0; i < count; i++)
        weir_free(branches[i].rets);
}

static weir_status lower_if(lowering *l)
{
    weir_edge pred = as_bool(l, l->n->in[0]);
    branch branches[] = {
        {.pred = pred, .side = 0, .func = weir_node_attr(l->n, "else_branch")->func},
        {.pred = pred, .side = 1, .func = weir_node_attr(l->n, "then_branch")->func},
    };
    lower_branches(l, branches, 2);
    return WEIR_OK;
}

/* An index out of range takes the last branch. */
static weir_edge valid_index(lowering *l, weir_edge index, int count)
{
    weir_node *at = l->status ? NULL : index.node;
    weir_edge last = int_const(l, count - 1, at);
    weir_edge high = op(l, "Less", IN(index, last));
    weir_edge low = op(l, "GreaterEqual", IN(index, int_const(l, 0, at)));
    return op(l, "SelectV2", IN(op(l, "LogicalAnd", IN(high, low)), index, last));
}

static weir_status lower_case(lowering *l)
{
    const weir_attr *funcs = weir_node_attr(l->n, "branches");
    branch *branches = WEIR_NEW_ARRAY(branch, funcs->count);
    weir_edge index = op(l, "Identity", IN(l->n->in[0]));
    index = valid_index(l, index, funcs->count);
    for (int i = 0; i < funcs->count && !l->status; i++)
        branches[i] = (branch){.pred = op(l, "Equal", IN(index, int_const(l, i, index.node))),
                               .side = 1,
                               .func = &funcs->funcs[i]};
    if (!l->status)
        lower_branches(l, branches, funcs->count);
    weir_free(branches);
    return WEIR_OK;
}

/* ---- While ------------------------------------------------------------------------------------
 */

typedef struct while_loop {
    body cond, body;
    int count;
    bool *fixed; /* per value: the body gives it back as it came */
    weir_edge *at_cond, *at_body, *rets;
    weir_node **merges, **branches;
    int leader; /* a value that is not fixed */
} while_loop;

static void find_fixed(while_loop *w)
{
    w->leader = -1;
    for (int i = 0; i < w->count; i++) {
        weir_edge e = w->body.rets[i];
        while (weir_node_flow(e.node) == WEIR_FLOW_IDENTITY)
            e = e.node->in[0];
        w->fixed[i] = e.node == w->body.args[i].node;
        if (!w->fixed[i])
            w->leader = i;
    }
    if (w->leader < 0 && w->count) { /* something has to go round */
        w->leader = 0;
        w->fixed[0] = false;
    }
}

static void enter_values(lowering *l, while_loop *w)
{
    const weir_attr *parallel = weir_node_attr(l->n, "parallel_iterations");
    for (int i = 0; i < w->count && !l->status; i++) {
        weir_named_attr attrs[] = {
            weir_a_str("frame_name", l->n->site.name),
            weir_a_bool("is_constant", w->fixed[i]),
            weir_a_int("parallel_iterations", parallel && parallel->i > 0 ? parallel->i : 10),
        };
        weir_node *enter = add(l, "Enter", IN(l->n->in[i]), attrs, 3, NULL);
        inherit_controls(l, enter);
        weir_edge e = first(enter);
        if (!w->fixed[i])
            w->merges[i] = add(l, "Merge", IN(e, e), NO_ATTRS, NULL);
        if (w->merges[i]) /* what comes round may have another shape */
            w->merges[i]->out_shapes[0] = WEIR_UNKNOWN_SHAPE;
        w->at_cond[i] = w->at_body[i] = w->fixed[i] ? e : first(w->merges[i]);
    }
}

static void lower_cond(lowering *l, while_loop *w)
{
    weir_edge again = {0};
    weir_node_list effects = {0};
    paste(l, &w->cond, "cond", w->at_cond, w->merges[w->leader], &again, &effects);
    weir_edge cond = op(l, "LoopCond", IN(as_bool(l, again)));
    for (size_t i = 0; i < effects.count; i++)
        add_control(l, effects.at[i], cond.node);
    weir_vec_fini(&effects);
    for (int i = 0; i < w->count && !l->status; i++) {
        if (w->fixed[i])
            continue;
        w->branches[i] = add(l, "Switch", IN(first(w->merges[i]), cond), NO_ATTRS, NULL);
        w->at_body[i] = (weir_edge){w->branches[i], 1};
    }
}

/* By node id of the body: whether a node is dead in the last turn, which only asks. What is made
 * of fixed values alone is not. */
static bool *find_gated(const while_loop *w)
{
    size_t count;
    weir_node **order = weir_graph_order(w->body.graph, &count);
    bool *gated = WEIR_NEW_ARRAY(bool, w->body.graph->nodes.count);
    for (size_t i = 0; i < count; i++) {
        const weir_node *n = order[i];
        bool yes = n->site.in_count == 0;
        if (weir_node_flow(n) == WEIR_FLOW_ARG)
            yes = !w->fixed[weir_node_attr(n, "index")->i];
        for (int k = 0; k < n->site.in_count; k++)
            yes |= gated[n->in[k].node->id];
        for (size_t k = 0; k < n->controls.count; k++)
            yes |= gated[n->controls.at[k]->id];
        gated[n->id] = yes;
    }
    weir_free(order);
    return gated;
}

static void lower_loop_body(lowering *l, while_loop *w)
{
    bool *gated = find_gated(w);
    weir_node_list effects = {0};
    weir_node *pivot =
        l->status ? NULL : add(l, "Identity", IN(w->at_body[w->leader]), NO_ATTRS, NULL);
    paste(l, &w->body, "body", w->at_body, pivot, w->rets, &effects);
    for (int i = 0; i < w->count && !l->status; i++) {
        if (w->fixed[i]) {
            l->outs[i] = l->n->in[i];
            continue;
        }
        weir_edge next = op(l, "NextIteration", IN(w->rets[i]));
        if (!gated[w->body.rets[i].node->id]) /* else the loop would never end */
            add_control(l, pivot, next.node);
        l->outs[i] = op(l, "Exit", IN({w->branches[i], 0}));
        if (l->status)
            break;
        weir_graph_set_input(w->merges[i], 1, next);
        if (i != w->leader || !effects.count)
            continue;
        for (size_t k = 0; k < effects.count; k++)
            add_control(l, effects.at[k], next.node);
        l->done = l->outs[i].node;
    }
    weir_vec_fini(&effects);
    weir_free(gated);
}

static weir_status lower_while(lowering *l)
{
    int n = l->n->site.in_count;
    while_loop w = {
        .count = n,
        .fixed = WEIR_NEW_ARRAY(bool, n),
        .at_cond = WEIR_NEW_ARRAY(weir_edge, n),
        .at_body = WEIR_NEW_ARRAY(weir_edge, n),
        .rets = WEIR_NEW_ARRAY(weir_edge, n),
        .merges = WEIR_NEW_ARRAY(weir_node *, n),
        .branches = WEIR_NEW_ARRAY(weir_node *, n),
    };
    fail(l, open_body(l, weir_node_attr(l->n, "cond")->func, n, 1, &w.cond));
    if (!l->status)
        fail(l, open_body(l, weir_node_attr(l->n, "body")->func, n, n, &w.body));
    if (!l->status) {
        find_fixed(&w);
        enter_values(l, &w);
        lower_cond(l, &w);
        lower_loop_body(l, &w);
    }
    close_body(&w.cond);
    close_body(&w.body);
    weir_free(w.fixed);
    weir_free(w.at_cond);
    weir_free(w.at_body);
    weir_free(w.rets);
    weir_free(w.merges);
    weir_free(w.branches);
    return WEIR_OK;
}

/* ---- the node itself --------------------------------------------------------------------------
 */

/* The node becomes |as|, taking over its op, attrs and inputs; |as| goes. */
static void become(weir_node *n, weir_node *as)
{
    for (int i = 0; i < n->site.in_count; i++)
        weir_graph_set_input(n, i, (weir_edge){0});
    const char *name = n->site.name, *device = n->site.device;
    int ins = as->site.in_count;
    n->site = as->site;
    n->site.name = name;
    n->site.device = device;
    n->function = NULL;
    n->in = WEIR_ARENA_ARRAY(&n->graph->arena, weir_edge, ins);
    for (int i = 0; i < ins; i++)
        weir_graph_set_input(n, i, as->in[i]);
    n->out_shapes = as->out_shapes;
    n->out_handles = as->out_handles;
    weir_graph_remove(as);
}

static void replace_node(lowering *l)
{
    weir_node *n = l->n;
    weir_node *as = n->site.out_count
                        ? add(l, "IdentityN", l->outs, n->site.out_count, NO_ATTRS, NULL)
                        : add(l, "NoOp", NULL, 0, NO_ATTRS, NULL);
    if (l->status)
        return;
    become(n, as);
    add_control(l, l->done, n);
}

weir_status weir_lower_replace(weir_node *n, const weir_edge *outs)
{
    lowering l = {.n = n, .g = n->graph, .outs = (weir_edge *)outs};
    replace_node(&l);
    return l.status;
}

/* A node whose op is a function's name: the same as a call of it. */
static weir_node *add_call(lowering *l)
{
    const weir_site *site = &l->n->site;
    weir_named_attr *attrs = WEIR_NEW_ARRAY(weir_named_attr, site->def->attr_count);
    for (int i = 0; i < site->def->attr_count; i++)
        attrs[i] = (weir_named_attr){site->def->attrs[i].name, site->attrs[i]};
    weir_func f = {site->def->name, site->def->attr_count, attrs};
    int32_t *types = WEIR_NEW_ARRAY(int32_t, site->in_count + site->out_count);
    for (int i = 0; i < site->in_count; i++)
        types[i] = weir_dtype_base(site->in_types[i]);
    for (int i = 0; i < site->out_count; i++)
        types[site->in_count + i] = weir_dtype_base(site->out_types[i]);
    weir_named_attr call[] = {weir_a_types("Tin", types, site->in_count),
                              weir_a_types("Tout", types + site->in_count, site->out_count),
                              weir_a_func("f", &f)};
    weir_node *made = add(l, "StatefulPartitionedCall", l->n->in, site->in_count, call, 3, NULL);
    weir_free(types);
    weir_free(attrs);
    return made;
}

weir_status weir_lower_to_call(weir_node *n)
{
    if (!n->function)
        return WEIR_OK;
    lowering l = {.n = n, .g = n->graph};
    weir_node *call = add_call(&l);
    if (call)
        become(n, call);
    return l.status;
}

typedef weir_status (*lower_fn)(lowering *l);

static lower_fn find(const weir_node *n)
{
    if (n->function)
        return lower_call;
    switch (weir_node_flow(n)) {
    case WEIR_FLOW_CALL:
        return lower_call;
    case WEIR_FLOW_IF:
        return lower_if;
    case WEIR_FLOW_CASE:
        return lower_case;
    case WEIR_FLOW_WHILE:
        return lower_while;
    default:
        return NULL;
    }
}

/* Branches on anything but a scalar, and loops over nothing, stay what they are. */
bool weir_lower_serves(const weir_node *n)
{
    lower_fn fn = find(n);
    if (fn == lower_if)
        return weir_edge_dtype(n->in[0]) != WEIR_STRING && weir_edge_shape(n->in[0])->rank <= 0;
    return fn && (fn != lower_while || n->site.in_count > 0);
}

weir_status weir_lower(weir_node *n, weir_lower_ready ready)
{
    lowering l = {.n = n,
                  .g = n->graph,
                  .outs = WEIR_NEW_ARRAY(weir_edge, n->site.out_count),
                  .ready = ready};
    fail(&l, find(n)(&l));
    if (!l.status)
        replace_node(&l);
    weir_free(l.outs);
    return l.status;
}
