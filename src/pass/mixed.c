/* pass/mixed.c - mixed precision: on devices with memory of their own, products, convolutions and
 * the ops between them use bfloat16; variables, optimisers and losses stay in float.
 *
 * mixed.inc classifies the ops. An op listed as inferred or clear is converted if it is between
 * allowed ones, connected through such ops only; an op that is not listed, is fetched or has no
 * bfloat16 kernel on its device never is. A value that crosses the boundary is cast once per
 * direction; a constant is converted here. A convolution of images with few channels is slower
 * in bfloat16: it stays in float with the bias and Relu fused into it, and their result is
 * cast.
 *
 * Opt-in: it changes results within the precision of bfloat16.
 */
#include <stdio.h>

#include "base/half.h"
#include "op/device.h"
#include "pass/updates_impl.h"

typedef enum kind {
    KIND_NONE,
    KIND_ALLOW,
    KIND_INFER,
    KIND_CLEAR,
    KIND_MOVE,
    KIND_SUM,
    KIND_DENY
} kind;

static const struct row {
    const char *op;
    kind kind;
} rows[] = {
#define ALLOW(op) {op, KIND_ALLOW},
#define INFER(op) {op, KIND_INFER},
#define CLEAR(op) {op, KIND_CLEAR},
#define MOVE(op) {op, KIND_MOVE},
#define SUM(op) {op, KIND_SUM},
#define DENY(op) {op, KIND_DENY},
#include "pass/mixed.inc"
#undef ALLOW
#undef INFER
#undef CLEAR
#undef MOVE
#undef SUM
#undef DENY
};

/* Properties of a node. */
typedef struct fact {
    kind kind;       /* NONE: it cannot be converted, whatever the list says */
    bool tainted;    /* a denied op, or a descendant of one */
    bool after;      /* a descendant of an allowed op */
    bool before;     /* an ancestor of an allowed op */
    bool wide;       /* kept in float because bfloat16 is slower */
    bool chosen;     /* to be converted */
    weir_node *twin; /* its bfloat16 replacement; null: not converted */
} fact;

typedef struct mixing {
    weir_graph *graph;
    const weir_pass_env *env;
    weir_map kinds; /* op -> struct row */
    fact *facts;    /* by id of original nodes */
    size_t count;   /* of these */
    weir_map casts; /* "id:output>type@device" -> the node with the value in that type */
} mixing;

/* ---- which nodes are converted --------------------------------------------------------------- */

static fact *fact_of(const mixing *mixing, const weir_node *node)
{
    static fact none;
    return (size_t)node->id < mixing->count ? &mixing->facts[node->id] : &none;
}

/* Replaces the types of |args| by bfloat16 if they are attr |attr|. */
static void change_types(const weir_site *site, const weir_argdef *args, int count, bool in,
                         int attr, int16_t *types)
{
    for (int arg = 0; arg < count; arg++) {
        weir_range range = in ? weir_site_in(site, arg) : weir_site_out(site, arg);
        for (int i = 0; i < range.count && args[arg].type_attr == attr; i++)
            types[range.start + i] = WEIR_BFLOAT16;
    }
}

/* Whether the device has a bfloat16 kernel for |node|. */
static bool has_kernel(const mixing *mixing, const weir_node *node, int attr)
{
    const weir_device_kernels *kernels = mixing->env->options.kernels;
    const weir_site *old = &node->site;
    int attrs = old->def->attr_count;
    weir_site site = *old;
    const weir_kernel *kernel;
    if (!kernels->memory(kernels->arg, old->device))
        return false;
    weir_attr *changed = WEIR_NEW_ARRAY(weir_attr, (size_t)attrs + 1);
    int16_t *types = WEIR_NEW_ARRAY(int16_t, (size_t)(old->in_count + old->out_count) + 1);
    memcpy(changed, old->attrs, sizeof *changed * (size_t)attrs);
    memcpy(types, old->in_types, sizeof *types * (size_t)old->in_count);
    memcpy(types + old->in_count, old->out_types, sizeof *types * (size_t)old->out_count);
    changed[attr].type = WEIR_BFLOAT16;
    change_types(old, old->def->in, old->def->in_count, true, attr, types);
    change_types(old, old->def->out, old->def->out_count, false, attr, types + old->in_count);
    site.attrs = changed;
    site.in_types = types;
    site.out_types = types + old->in_count;
    bool has = kernels->find(&site, &kernel) == WEIR_DEVICE_KERNEL;
    weir_free(changed);
    weir_free(types);
    return has;
}

static kind kind_of(const mixing *mixing, const weir_node *node)
{
    const struct row *row = node->removed || !node->site.op
                                ? NULL
                                : weir_map_get(&mixing->kinds, weir_str_of(node->site.op->name));
    if (!row || row->kind == KIND_DENY)
        return row ? KIND_DENY : KIND_NONE;
    int attr = weir_opdef_attr(node->site.def, "T");
    bool may = attr >= 0 && weir_site_type(&node->site, attr) == WEIR_FLOAT &&
               !weir_pass_kept(mixing->env, node) && weir_pass_pure(node);
    return may && has_kernel(mixing, node, attr) ? row->kind : KIND_NONE;
}

/* Whether input |input| of |node| has the type of attr T. */
static bool is_changed_input(const weir_node *node, int input)
{
    const weir_opdef *def = node->site.def;
    int attr = weir_opdef_attr(def, "T");
    for (int arg = 0; arg < def->in_count; arg++) {
        weir_range range = weir_site_in(&node->site, arg);
        if (input >= range.start && input < range.start + range.count)
            return attr >= 0 && def->in[arg].type_attr == attr;
    }
    return false;
}

/* Inferred and clear ops propagate the properties of their neighbours. */
static bool hands_on(const fact *fact)
{
    return fact->kind == KIND_CLEAR || fact->kind == KIND_MOVE ||
           (fact->kind == KIND_INFER && !fact->tainted);
}

static void look_behind(const mixing *mixing, const weir_node *node)
{
    fact *fact = fact_of(mixing, node);
    fact->kind = kind_of(mixing, node);
    fact->tainted = fact->kind == KIND_DENY;
    for (int i = 0; i < node->site.in_count; i++) {
        const struct fact *from = fact_of(mixing, node->in[i].node);
        if (fact->kind == KIND_NONE || !is_changed_input(node, i))
            continue;
        fact->tainted |= from->tainted && fact->kind != KIND_ALLOW;
        fact->after |= from->kind == KIND_ALLOW || (hands_on(from) && from->after);
    }
}

static void look_ahead(const mixing *mixing, const weir_node *node)
{
    fact *fact = fact_of(mixing, node);
    for (size_t i = 0; i < node->uses.count && !fact->before; i++) {
        const weir_use *use = &node->uses.at[i];
        const struct fact *to = fact_of(mixing, use->node);
        if (use->input >= 0 && is_changed_input(use->node, use->input))
            fact->before = to->kind == KIND_ALLOW || (hands_on(to) && to->before);
    }
}

/* The number of non-constant inputs with the converted type; |out_narrow|: of these, those in
 * bfloat16, from ops of kind |from| or any. */
static int count_inputs(const mixing *mixing, const weir_node *node, kind from, int *out_narrow)
{
    int count = 0;
    *out_narrow = 0;
    for (int i = 0; i < node->site.in_count; i++) {
        const fact *fact = fact_of(mixing, node->in[i].node);
        bool changed = is_changed_input(node, i) && !weir_pass_value(node->in[i]);
        count += changed;
        *out_narrow += changed && fact->chosen && (!from || fact->kind == from);
    }
    return count;
}

/* The gradient of a weight used in every iteration: rounded once more, for an optimiser. */
static bool is_sum_of_products(const mixing *mixing, const weir_node *node)
{
    int narrow, inputs = count_inputs(mixing, node, KIND_ALLOW, &narrow);
    return weir_node_is(node, "AddN") && inputs == narrow;
}

static int count_used(const weir_node *node)
{
    int count = 0, last = -1;
    for (size_t i = 0; i < node->uses.count; i++) {
        const weir_use *use = &node->uses.at[i];
        count += use->input >= 0 && use->output != last;
        last = use->input >= 0 ? use->output : last;
    }
    return count;
}

/* Casting after a move that does not grow the data costs no more than before it. */
static bool moves_narrow(const mixing *mixing, const weir_node *node)
{
    int narrow, inputs = count_inputs(mixing, node, KIND_NONE, &narrow);
    return fact_of(mixing, node)->kind == KIND_MOVE && count_used(node) == 1 && inputs == narrow;
}

/* A convolution of 2 to 4 channels, as of images: this fills only a fraction of a matrix unit's
 * tile, and libraries are faster in float. This does not hold for one channel. */
static bool has_few_channels(const weir_node *node)
{
    enum { LEAST = 2, MOST = 4, CHANNELS = 2 };
    const weir_shape *filter = weir_edge_shape(node->in[1]);
    return filter->rank == 4 && filter->dims[CHANNELS] >= LEAST && filter->dims[CHANNELS] <= MOST;
}

static bool is_wide(const mixing *mixing, const weir_node *node)
{
    if (fact_of(mixing, node)->kind == KIND_NONE)
        return false;
    if (weir_node_is(node, "Conv2D"))
        return has_few_channels(node);
    return (weir_node_is(node, "BiasAdd") || weir_node_is(node, "Relu")) &&
           fact_of(mixing, node->in[0].node)->wide && node->in[0].node->uses.count == 1;
}

static bool is_chosen(const mixing *mixing, const weir_node *node)
{
    const fact *fact = fact_of(mixing, node);
    if (fact->wide)
        return false;
    if (fact->kind == KIND_SUM)
        return fact_of(mixing, node->in[0].node)->chosen;
    return fact->kind == KIND_ALLOW || (hands_on(fact) && fact->after && fact->before) ||
           (hands_on(fact) && fact->after &&
            (moves_narrow(mixing, node) || is_sum_of_products(mixing, node)));
}

/* A move of a single source, whose readers all use bfloat16: slices of one tensor then share its
 * cast. */
static bool is_pulled(const mixing *mixing, const weir_node *node)
{
    const fact *fact = fact_of(mixing, node);
    int narrow, readers = 0;
    if (fact->kind != KIND_MOVE || !fact->before ||
        count_inputs(mixing, node, KIND_NONE, &narrow) != 1)
        return fact->chosen;
    for (size_t i = 0; i < node->uses.count; i++) {
        const weir_use *use = &node->uses.at[i];
        if (use->input < 0)
            continue;
        if (!fact_of(mixing, use->node)->chosen || !is_changed_input(use->node, use->input))
            return fact->chosen;
        readers++;
    }
    return readers || fact->chosen;
}

/* ---- values at the boundary ------------------------------------------------------------------ */

static weir_status add_constant(const weir_node *user, const weir_node *from, weir_node **out_node)
{
    const weir_tensor *value = weir_node_attr(from, "value")->tensor;
    const float *numbers = value->data;
    weir_tensor half;
    WEIR_TRY(weir_tensor_alloc(WEIR_BFLOAT16, &value->shape, &half));
    for (int64_t i = 0; i < weir_tensor_count(value); i++)
        ((uint16_t *)half.data)[i] = weir_f32_bf16(numbers[i]);
    weir_named_attr attrs[] = {weir_a_tensor("value", &half), weir_a_type("dtype", WEIR_BFLOAT16)};
    weir_status status =
        weir_pass_add(user, "", "/bf16",
                      &(weir_node_spec){.op = "Const",
                                        .attrs = attrs,
                                        .attr_count = 2,
                                        .controls = from->controls.at,
                                        .control_count = (int)from->controls.count},
                      out_node);
    weir_tensor_release(&half);
    return status;
}

static weir_status add_cast(const weir_node *user, weir_edge edge, weir_dtype type,
                            weir_node **out_node)
{
    enum { MOST_CONSTANT = 1 << 20 };
    const weir_tensor *value = weir_pass_value(edge);
    if (value && type == WEIR_BFLOAT16 && weir_tensor_count(value) <= MOST_CONSTANT)
        return add_constant(user, edge.node, out_node);
    weir_named_attr attrs[] = {weir_a_type("SrcT", weir_edge_dtype(edge)),
                               weir_a_type("DstT", type)};
    return weir_pass_add(
        user, "", type == WEIR_BFLOAT16 ? "/bf16" : "/float",
        &(weir_node_spec){
            .op = "Cast", .in = &edge, .in_count = 1, .attrs = attrs, .attr_count = 2},
        out_node);
}

/* The program itself cast the value from bfloat16: use the original. */
static bool was_narrow(weir_edge edge)
{
    return weir_node_is(edge.node, "Cast") && weir_edge_type(edge.node->in[0]) == WEIR_BFLOAT16;
}

/* |edge| in |type|, on the device of |user|. */
static weir_status in_type(mixing *mixing, const weir_node *user, weir_edge edge, weir_dtype type,
                           weir_edge *out_edge)
{
    *out_edge = edge;
    if (weir_edge_type(edge) == type)
        return WEIR_OK;
    if (type == WEIR_BFLOAT16 && was_narrow(edge)) {
        *out_edge = edge.node->in[0];
        return WEIR_OK;
    }
    char key[256];
    snprintf(key, sizeof key, "%d:%d>%d@%s", edge.node->id, edge.index, (int)type,
             user->site.device);
    weir_node *made = weir_map_get(&mixing->casts, weir_str_of(key));
    if (!made) {
        WEIR_TRY(add_cast(user, edge, type, &made));
        weir_map_put(&mixing->casts, weir_str_of(key), made);
    }
    *out_edge = (weir_edge){made, 0};
    return WEIR_OK;
}

/* The node that produces the value now. */
static weir_edge current(const mixing *mixing, weir_edge edge)
{
    weir_node *twin = fact_of(mixing, edge.node)->twin;
    return twin ? (weir_edge){twin, edge.index} : edge;
}

/* ---- conversion ------------------------------------------------------------------------------ */

static weir_status find_inputs(mixing *mixing, const weir_node *node, weir_edge *in)
{
    for (int i = 0; i < node->site.in_count; i++) {
        weir_edge edge = current(mixing, node->in[i]);
        in[i] = edge;
        if (is_changed_input(node, i))
            WEIR_TRY(in_type(mixing, node, edge, WEIR_BFLOAT16, &in[i]));
        else if (weir_edge_type(edge) == WEIR_BFLOAT16 && weir_edge_type(node->in[i]) == WEIR_FLOAT)
            WEIR_TRY(in_type(mixing, node, edge, WEIR_FLOAT, &in[i]));
    }
    return WEIR_OK;
}

static weir_status add_twin(weir_node *node, const weir_edge *in, weir_node **out_twin)
{
    const weir_opdef *def = node->site.def;
    weir_named_attr attrs[64];
    weir_status status = WEIR_OK;
    if (def->attr_count > (int)(sizeof attrs / sizeof *attrs))
        return weir_error(WEIR_INTERNAL, "%s has %d attrs", def->name, def->attr_count);
    for (int i = 0; i < def->attr_count; i++)
        attrs[i] = strcmp(def->attrs[i].name, "T") == 0
                       ? weir_a_type("T", WEIR_BFLOAT16)
                       : weir_a_attr(def->attrs[i].name, &node->site.attrs[i]);
    status = weir_pass_add(node, "", "/mixed",
                           &(weir_node_spec){.op = def->name,
                                             .in = in,
                                             .in_count = node->site.in_count,
                                             .attrs = attrs,
                                             .attr_count = def->attr_count,
                                             .controls = node->controls.at,
                                             .control_count = (int)node->controls.count,
                                             .any_shapes = true},
                           out_twin);
    for (int i = 0; i < node->site.out_count && !status; i++)
        (*out_twin)->out_shapes[i] = node->out_shapes[i]; /* refined by earlier passes */
    return status;
}

static weir_status change(mixing *mixing, weir_node *node)
{
    weir_edge *in = WEIR_NEW_ARRAY(weir_edge, (size_t)node->site.in_count + 1);
    weir_node *twin = NULL;
    weir_status status = find_inputs(mixing, node, in);
    if (!status)
        status = add_twin(node, in, &twin);
    weir_free(in);
    fact_of(mixing, node)->twin = twin;
    return status;
}

/* Readers that stay in float read float. */
static weir_status change_readers(mixing *mixing, weir_node *node)
{
    weir_node *twin = fact_of(mixing, node)->twin;
    for (size_t i = 0; i < node->uses.count;) {
        weir_use use = node->uses.at[i];
        weir_edge edge;
        if (use.input < 0 || fact_of(mixing, use.node)->twin) {
            i++;
            continue;
        }
        WEIR_TRY(in_type(mixing, twin, (weir_edge){twin, use.output},
                         weir_dtype_base(node->site.out_types[use.output]), &edge));
        weir_graph_set_input(use.node, use.input, edge);
    }
    weir_pass_move_waiting(node, twin);
    return WEIR_OK;
}

static weir_status mix(mixing *mixing, weir_node **order, size_t count)
{
    weir_status status = WEIR_OK;
    for (size_t i = 0; i < count; i++)
        look_behind(mixing, order[i]);
    for (size_t i = count; i-- > 0;)
        look_ahead(mixing, order[i]);
    for (size_t i = 0; i < count; i++)
        fact_of(mixing, order[i])->wide = is_wide(mixing, order[i]);
    for (size_t i = 0; i < count; i++)
        fact_of(mixing, order[i])->chosen = is_chosen(mixing, order[i]);
    for (size_t i = count; i-- > 0;)
        fact_of(mixing, order[i])->chosen = is_pulled(mixing, order[i]);
    for (size_t i = 0; i < count && !status; i++)
        if (fact_of(mixing, order[i])->chosen)
            status = change(mixing, order[i]);
    for (size_t i = 0; i < count && !status; i++)
        if (fact_of(mixing, order[i])->twin)
            status = change_readers(mixing, order[i]);
    for (size_t i = count; i-- > 0 && !status;)
        if (fact_of(mixing, order[i])->twin)
            weir_pass_remove(order[i]);
    return status;
}

/* ---- optimisers read bfloat16 gradients ------------------------------------------------------ */

static weir_status narrow_update(weir_node *step, int grad, weir_node *cast)
{
    weir_edge in[WEIR_UPDATE_INPUTS + 1];
    weir_str names[WEIR_UPDATE_INPUTS + 1];
    int count = 0, named = 0, slots = 0;
    for (int part = 0; part < 2; part++, slots = slots ? slots : count)
        for (int i = 0; i < step->site.in_count; i++)
            if (i != grad && weir_update_is_slot(step, i) == (part == 0)) {
                names[named++] = weir_str_of(step->site.def->in[i].name);
                in[count++] = step->in[i];
            }
    names[named++] = weir_str_of(step->site.def->in[grad].name);
    in[count++] = cast->in[0];
    weir_named_attr attrs[] = {weir_a_int("rule", step->site.op->update - 1),
                               weir_a_bool("flag", weir_update_flag(step)),
                               weir_a_strs("names", names, named),
                               weir_a_int("S", slots),
                               weir_a_int("N", count - slots - 1),
                               weir_a_type("G", weir_edge_dtype(cast->in[0]))};
    bool reference = weir_dtype_is_ref(step->site.in_types[0]);
    weir_node *made;
    WEIR_TRY(
        weir_pass_add(step, "", "/narrow",
                      &(weir_node_spec){.op = reference ? "_ApplyNarrow" : "_ResourceApplyNarrow",
                                        .in = in,
                                        .in_count = count,
                                        .attrs = attrs,
                                        .attr_count = sizeof attrs / sizeof *attrs},
                      &made));
    if (step->site.out_count)
        weir_graph_replace((weir_edge){step, 0}, (weir_edge){made, 0});
    weir_remap_take_place(step, made);
    weir_pass_remove(step);
    weir_pass_remove(cast);
    return WEIR_OK;
}

/* The cast to float that is |step|'s own gradient input; null: there is none. */
static weir_node *gradient_cast(const mixing *mixing, const weir_node *step, int *out_grad)
{
    int grad = step->removed || !step->site.op || !step->site.op->update ||
                       step->site.op->flags & WEIR_INTERNAL_OP
                   ? -1
                   : weir_update_grad(step);
    if (grad < 0 || weir_pass_kept(mixing->env, step) || !weir_update_is_plain(step, grad) ||
        weir_opdef_attr(step->site.def, "Tindices") >= 0 || step->site.in_types[grad] != WEIR_FLOAT)
        return NULL;
    weir_node *cast = step->in[grad].node;
    *out_grad = grad;
    bool alone = weir_node_is(cast, "Cast") && (size_t)cast->id >= mixing->count &&
                 weir_edge_type(cast->in[0]) == WEIR_BFLOAT16 && cast->uses.count == 1 &&
                 strcmp(cast->site.device, step->site.device) == 0;
    const struct row *row =
        alone ? weir_map_get(&mixing->kinds, weir_str_of(cast->in[0].node->site.op->name)) : NULL;
    return alone && !(row && row->kind == KIND_SUM) ? cast : NULL; /* sums stay float for layers */
}

static weir_status narrow_updates(const mixing *mixing)
{
    for (size_t i = 0; i < mixing->count; i++) {
        weir_node *step = mixing->graph->nodes.at[i];
        int grad;
        weir_node *cast = gradient_cast(mixing, step, &grad);
        if (cast)
            WEIR_TRY(narrow_update(step, grad, cast));
    }
    return WEIR_OK;
}

weir_status weir_pass_mixed(weir_graph *graph, const weir_pass_env *env)
{
    size_t count;
    if (!env->options.bfloat16 || !env->options.kernels)
        return WEIR_OK;
    mixing mixing = {.graph = graph,
                     .env = env,
                     .count = graph->nodes.count,
                     .facts = WEIR_NEW_ARRAY(fact, graph->nodes.count + 1)};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        weir_map_put(&mixing.kinds, weir_str_of(rows[i].op), (void *)&rows[i]);
    weir_node **order = weir_graph_order(graph, &count);
    weir_status status = mix(&mixing, order, count);
    if (!status)
        status = narrow_updates(&mixing);
    weir_free(order);
    weir_free(mixing.facts);
    weir_map_fini(&mixing.kinds);
    weir_map_fini(&mixing.casts);
    return status;
}
