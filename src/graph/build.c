/* graph/build.c - a new node: its signature checked, attrs completed, types and shapes resolved. */
#include <alloca.h>
#include <inttypes.h>

#include "graph/graph_impl.h"

/* ---- attrs ---------------------------------------------------------------------------------- */

static bool allowed(const weir_attr *list, const weir_attr *value, int i)
{
    if (list->kind == WEIR_ATTR_NONE)
        return true;
    for (int k = 0; k < list->count; k++) {
        if (list->kind == WEIR_ATTR_TYPE &&
            list->types[k] == (value->is_list ? value->types[i] : value->type))
            return true;
        if (list->kind == WEIR_ATTR_STRING &&
            weir_str_eq(list->ss[k], value->is_list ? value->ss[i] : value->s))
            return true;
    }
    return false;
}

static const char *const kind_names[] = {"nothing", "string", "int",    "float", "bool",
                                         "type",    "shape",  "tensor", "func",  "placeholder"};

static weir_status not_allowed(const weir_site *site, const weir_attrdef *def,
                               const weir_attr *value)
{
    WEIR_BUF(is);
    WEIR_BUF(list);
    if (def->kind == WEIR_ATTR_TYPE && !value->is_list) {
        weir_buf_adds(&is, weir_dtype_name(value->type));
        for (int i = 0; i < def->allowed.count; i++)
            weir_buf_addf(&list, "%s%s", i ? ", " : "", weir_dtype_name(def->allowed.types[i]));
    } else {
        weir_attr_text(value, &is);
        weir_attr_text(&def->allowed, &list);
    }
    weir_status s =
        weir_error(WEIR_INVALID_ARGUMENT,
                   "Value for attr '%s' of %s is not in the list of allowed values: %s\n\t"
                   "; Op<name=%s>; NodeDef: {{node %s}}",
                   def->name, is.at, list.at, site->def->name, site->name);
    return s;
}

weir_status weir_attr_check(const weir_site *site, const weir_attrdef *def, const weir_attr *value)
{
    bool empty = value->is_list && value->count == 0;
    if (value->kind == WEIR_ATTR_PLACEHOLDER)
        return WEIR_OK;
    if (value->is_list != def->is_list || (!empty && value->kind != def->kind))
        return weir_error(
            WEIR_INVALID_ARGUMENT,
            "AttrValue had value with type '%s%s%s' when '%s%s%s' expected\n\t for attr "
            "'%s'; NodeDef: {{node %s}}; Op<name=%s>",
            value->is_list ? "list(" : "", kind_names[value->kind], value->is_list ? ")" : "",
            def->is_list ? "list(" : "", kind_names[def->kind], def->is_list ? ")" : "", def->name,
            site->name, site->def->name);
    int n = value->is_list ? value->count : 1;
    for (int i = 0; i < n; i++) {
        if (def->kind == WEIR_ATTR_TYPE) {
            int type = value->is_list ? value->types[i] : value->type;
            if (!weir_dtype_valid(weir_dtype_base(type)))
                return weir_error(WEIR_INVALID_ARGUMENT,
                                  "Attr '%s' of node '%s' has invalid type %d", def->name,
                                  site->name, type);
        }
        if (!allowed(&def->allowed, value, i))
            return not_allowed(site, def, value);
    }
    int64_t size = value->is_list ? value->count : value->i;
    if (def->has_min && size < def->min)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "%s '%s' of %" PRId64 " must be at least minimum %" PRId64
                          "; NodeDef: {{node %s}}; Op<name=%s>",
                          def->is_list ? "Length for attr" : "Value for attr", def->name, size,
                          def->min, site->name, site->def->name);
    return WEIR_OK;
}

/* ---- attrs that follow from the inputs --------------------------------------------------------
 */

typedef struct making {
    weir_graph *g;
    const weir_node_spec *spec;
    weir_node *n;
    weir_attr *attrs;
    bool *set;
} making;

static int edge_type(const making *m, int input)
{
    return weir_edge_type(m->spec->in[input]);
}

static void set_type(making *m, int attr, int type)
{
    if (m->set[attr])
        return;
    m->attrs[attr] = (weir_attr){.kind = WEIR_ATTR_TYPE, .type = weir_dtype_base(type)};
    m->set[attr] = true;
}

static void set_number(making *m, int attr, int64_t n)
{
    if (m->set[attr])
        return;
    m->attrs[attr] = (weir_attr){.kind = WEIR_ATTR_INT, .i = n};
    m->set[attr] = true;
}

static void set_types(making *m, int attr, int first, int count)
{
    if (m->set[attr])
        return;
    int32_t *types = WEIR_ARENA_ARRAY(&m->g->arena, int32_t, count);
    for (int i = 0; i < count; i++)
        types[i] = weir_dtype_base(edge_type(m, first + i));
    m->attrs[attr] =
        (weir_attr){.kind = WEIR_ATTR_TYPE, .is_list = true, .count = count, .types = types};
    m->set[attr] = true;
}

/* How many inputs argument |a| takes, when its attr says so; -1 otherwise. */
static int known_size(const making *m, const weir_argdef *a)
{
    if (a->number_attr >= 0)
        return m->set[a->number_attr] ? (int)m->attrs[a->number_attr].i : -1;
    if (a->type_list_attr >= 0)
        return m->set[a->type_list_attr] ? m->attrs[a->type_list_attr].count : -1;
    return 1;
}

/* Fills attrs that were left out from the inputs: the one list of unknown length (or lists that
 * share a length) takes what the others leave. */
static void infer_attrs(making *m)
{
    const weir_opdef *def = m->n->site.def;
    int fixed = 0, open = 0;
    for (int i = 0; i < def->in_count; i++) {
        int size = known_size(m, &def->in[i]);
        if (size < 0)
            open++;
        else
            fixed += size;
    }
    int rest = m->spec->in_count - fixed, at = 0;
    for (int i = 0; i < def->in_count; i++) {
        const weir_argdef *a = &def->in[i];
        int size = known_size(m, a);
        if (size < 0)
            size = open ? rest / open : 0;
        if (size < 0 || at + size > m->spec->in_count)
            return;
        if (a->number_attr >= 0)
            set_number(m, a->number_attr, size);
        if (a->type_list_attr >= 0)
            set_types(m, a->type_list_attr, at, size);
        if (a->type_attr >= 0 && size > 0)
            set_type(m, a->type_attr, edge_type(m, at));
        at += size;
    }
}

static weir_status take_attrs(making *m)
{
    const weir_opdef *def = m->n->site.def;
    weir_arena *arena = &m->g->arena;
    m->n->extra = WEIR_ARENA_ARRAY(arena, weir_named_attr, m->spec->attr_count);
    for (int i = 0; i < m->spec->attr_count; i++) {
        const weir_named_attr *given = &m->spec->attrs[i];
        int k = weir_opdef_attr(def, given->name);
        if (k < 0 && given->name[0] != '_')
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "NodeDef mentions attr '%s' not in Op<name=%s>; NodeDef: {{node %s}}",
                              given->name, def->name, m->n->site.name);
        if (k < 0) {
            m->n->extra[m->n->extra_count++] = (weir_named_attr){
                weir_arena_strdup(arena, given->name), weir_attr_copy(arena, &given->value)};
            continue;
        }
        WEIR_TRY(weir_attr_check(&m->n->site, &def->attrs[k], &given->value));
        m->attrs[k] = weir_attr_copy(arena, &given->value);
        if (m->attrs[k].is_list && m->attrs[k].count == 0)
            m->attrs[k].kind = def->attrs[k].kind;
        m->set[k] = true;
    }
    return WEIR_OK;
}

static weir_status complete_attrs(making *m)
{
    const weir_opdef *def = m->n->site.def;
    m->attrs = WEIR_ARENA_ARRAY(&m->g->arena, weir_attr, def->attr_count);
    m->set = alloca(sizeof(bool) * (size_t)(def->attr_count + 1));
    memset(m->set, 0, (size_t)def->attr_count + 1);
    m->n->site.attrs = m->attrs;
    WEIR_TRY(take_attrs(m));
    infer_attrs(m);
    for (int i = 0; i < def->attr_count; i++) {
        if (!m->set[i] && !def->attrs[i].has_default)
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "NodeDef missing attr '%s' from Op<name=%s>; NodeDef: {{node %s}}",
                              def->attrs[i].name, def->name, m->n->site.name);
        if (!m->set[i])
            m->attrs[i] = weir_attr_copy(&m->g->arena, &def->attrs[i].otherwise);
        WEIR_TRY(weir_attr_check(&m->n->site, &def->attrs[i], &m->attrs[i]));
    }
    return WEIR_OK;
}

/* ---- types ---------------------------------------------------------------------------------- */

/* The flat types of all arguments. */
static weir_status flatten(const making *m, const weir_argdef *args, int count, const int16_t **out,
                           int *out_count)
{
    const weir_attr *attrs = m->attrs;
    int64_t total = 0;
    for (int pass = 0; pass < 2; pass++) {
        int16_t *types = pass ? WEIR_ARENA_ARRAY(&m->g->arena, int16_t, total) : NULL;
        int64_t at = 0;
        for (int i = 0; i < count; i++) {
            const weir_argdef *a = &args[i];
            int64_t n = a->number_attr >= 0      ? attrs[a->number_attr].i
                        : a->type_list_attr >= 0 ? attrs[a->type_list_attr].count
                                                 : 1;
            if (n < 0 || n > 1 << 20)
                return weir_error(WEIR_INVALID_ARGUMENT,
                                  "Argument '%s' of node '%s' repeats %" PRId64 " times", a->name,
                                  m->n->site.name, n);
            for (int64_t k = 0; pass && k < n; k++) {
                int t = a->type_list_attr >= 0 ? attrs[a->type_list_attr].types[k]
                        : a->type_attr >= 0    ? attrs[a->type_attr].type
                                               : a->dtype;
                types[at + k] = (int16_t)(a->is_ref ? t + WEIR_REF_OFFSET : t);
            }
            at += n;
        }
        total = at;
        *out = types;
    }
    *out_count = (int)total;
    return WEIR_OK;
}

static weir_status check_inputs(const making *m)
{
    const weir_site *site = &m->n->site;
    if (m->spec->in_count != site->in_count)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "NodeDef expected inputs of %d but %d were given; Op<name=%s>; NodeDef: "
                          "{{node %s}}",
                          site->in_count, m->spec->in_count, site->def->name, site->name);
    for (int i = 0; i < site->in_count; i++) {
        weir_edge e = m->spec->in[i];
        if (!e.node || e.index < 0 || e.index >= e.node->site.out_count)
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "Node '%s' (type: '%s', num of outputs: %d) does not have output %d",
                              e.node ? e.node->site.name : "", e.node ? e.node->site.def->name : "",
                              e.node ? e.node->site.out_count : 0, e.index);
        int want = site->in_types[i], have = weir_edge_type(e);
        bool fine = weir_dtype_is_ref(want) ? have == want : weir_dtype_base(have) == want;
        if (!fine)
            return weir_error(
                WEIR_INVALID_ARGUMENT,
                "Input %d of node %s was passed %s from %s:%d incompatible with expected "
                "%s.",
                i, site->name, weir_dtype_name(have), e.node->site.name, e.index,
                weir_dtype_name(want));
    }
    return WEIR_OK;
}

static weir_status find_op(weir_graph *g, weir_node *n, const char *op)
{
    n->site.op = weir_registry_find(g->registry, weir_str_of(op));
    if (n->site.op) {
        n->site.def = weir_registry_def(g->registry, n->site.op);
        return WEIR_OK;
    }
    n->function = weir_graph_find_function(g, weir_str_of(op));
    if (!n->function)
        return weir_error(
            WEIR_NOT_FOUND,
            "Op type not registered '%s' in binary running on this machine. Make sure "
            "the Op and Kernel are registered in the binary running in this process. "
            "(`weir ops` lists what is.)",
            op);
    n->site.def = &n->function->def;
    return WEIR_OK;
}

static weir_status make_node(making *m)
{
    weir_graph *g = m->g;
    const weir_node_spec *spec = m->spec;
    weir_node *n = m->n;
    n->graph = g;
    n->site.name = weir_arena_strdup(&g->arena, spec->name);
    WEIR_TRY(find_op(g, n, spec->op));
    WEIR_TRY(complete_attrs(m));
    WEIR_TRY(
        flatten(m, n->site.def->in, n->site.def->in_count, &n->site.in_types, &n->site.in_count));
    WEIR_TRY(flatten(m, n->site.def->out, n->site.def->out_count, &n->site.out_types,
                     &n->site.out_count));
    WEIR_TRY(check_inputs(m));
    n->requested_device = n->site.device =
        weir_arena_strdup(&g->arena, spec->device ? spec->device : "");
    n->in = WEIR_ARENA_ARRAY(&g->arena, weir_edge, n->site.in_count);
    n->out_shapes = WEIR_ARENA_ARRAY(&g->arena, weir_shape, n->site.out_count);
    bool handles = false;
    for (int i = 0; i < n->site.out_count; i++) {
        n->out_shapes[i].rank = -1;
        handles |= n->site.out_types[i] == WEIR_RESOURCE || n->site.out_types[i] == WEIR_VARIANT;
    }
    if (handles)
        n->out_handles = WEIR_ARENA_ARRAY(&g->arena, weir_handle_info, n->site.out_count);
    return WEIR_OK;
}

/* Enters a finished node into the graph. */
static void join(weir_graph *g, weir_node *n, const weir_node_spec *spec)
{
    n->id = (int32_t)g->nodes.count;
    weir_vec_push(&g->nodes, n);
    weir_map_put(&g->by_name, weir_str_of(n->site.name), n);
    for (int i = 0; i < n->site.in_count; i++) {
        n->in[i] = spec->in[i];
        weir_graph_add_use(n->in[i], n, i);
    }
    for (int i = 0; i < spec->control_count; i++)
        weir_graph_add_control(spec->controls[i], n);
    g->version++;
}

weir_status weir_graph_add(weir_graph *g, const weir_node_spec *spec, weir_node **out_node)
{
    if (weir_graph_find(g, weir_str_of(spec->name)))
        return weir_error(WEIR_INVALID_ARGUMENT, "Duplicate node name in graph: '%s'", spec->name);
    making m = {.g = g, .spec = spec, .n = WEIR_ARENA_NEW(&g->arena, weir_node)};
    WEIR_TRY(make_node(&m));
    join(g, m.n, spec);
    weir_status s = weir_node_infer(m.n);
    if (s && spec->any_shapes) {
        weir_status_free(s);
        s = WEIR_OK;
        for (int o = 0; o < m.n->site.out_count; o++)
            m.n->out_shapes[o] = WEIR_UNKNOWN_SHAPE;
    }
    if (s) {
        weir_graph_truncate(g, (size_t)m.n->id);
        return s;
    }
    *out_node = m.n;
    return WEIR_OK;
}

weir_status weir_graph_copy_node(weir_graph *to, const weir_node *n, const char *name,
                                 const weir_edge *in, weir_node **out_node)
{
    weir_node *c = WEIR_ARENA_NEW(&to->arena, weir_node);
    c->site = n->site;
    c->site.name = weir_arena_strdup(&to->arena, name);
    c->graph = to;
    c->function = n->function;
    weir_attr *attrs = WEIR_ARENA_ARRAY(&to->arena, weir_attr, n->site.def->attr_count);
    for (int i = 0; i < n->site.def->attr_count; i++)
        attrs[i] = weir_attr_copy(&to->arena, &n->site.attrs[i]);
    c->site.attrs = attrs;
    size_t ins = sizeof(int16_t) * (size_t)n->site.in_count;
    size_t outs = sizeof(int16_t) * (size_t)n->site.out_count;
    c->site.in_types = memcpy(weir_arena_alloc(&to->arena, ins), n->site.in_types, ins);
    c->site.out_types = memcpy(weir_arena_alloc(&to->arena, outs), n->site.out_types, outs);
    c->requested_device = weir_arena_strdup(&to->arena, n->requested_device);
    c->site.device = weir_arena_strdup(&to->arena, n->site.device);
    c->placed = n->placed;
    c->extra_count = n->extra_count;
    c->extra = WEIR_ARENA_ARRAY(&to->arena, weir_named_attr, n->extra_count);
    for (int i = 0; i < n->extra_count; i++)
        c->extra[i] = (weir_named_attr){weir_arena_strdup(&to->arena, n->extra[i].name),
                                        weir_attr_copy(&to->arena, &n->extra[i].value)};
    c->in = WEIR_ARENA_ARRAY(&to->arena, weir_edge, n->site.in_count);
    c->out_shapes = WEIR_ARENA_ARRAY(&to->arena, weir_shape, n->site.out_count);
    if (n->site.out_count)
        memcpy(c->out_shapes, n->out_shapes, sizeof(weir_shape) * (size_t)n->site.out_count);
    if (n->out_handles) {
        c->out_handles = WEIR_ARENA_ARRAY(&to->arena, weir_handle_info, n->site.out_count);
        memcpy(c->out_handles, n->out_handles,
               sizeof(weir_handle_info) * (size_t)n->site.out_count);
    }
    c->id = (int32_t)to->nodes.count;
    weir_vec_push(&to->nodes, c);
    weir_map_put(&to->by_name, weir_str_of(c->site.name), c);
    for (int i = 0; i < n->site.in_count; i++)
        if (in[i].node) {
            c->in[i] = in[i];
            weir_graph_add_use(in[i], c, i);
        }
    to->version++;
    *out_node = c;
    return WEIR_OK;
}
