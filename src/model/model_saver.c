/* model/model_saver.c - SaveV2 and RestoreV2 of all variables of a model. */
#include "model/model_saver.h"

#include "tensor/tstring.h"

/* Nodes are added one after another; the first failure stays. */
typedef struct maker {
    weir_graph *g;
    const char *scope;
    weir_status status;
} maker;

static weir_node *add(maker *m, const char *op, const char *name, const weir_edge *in, int in_count,
                      const weir_named_attr *attrs, int attr_count, weir_node *const *controls,
                      int control_count)
{
    if (m->status)
        return NULL;
    weir_buf full = {0};
    weir_buf_addf(&full, "%s/%s", m->scope, name);
    weir_node *made = NULL;
    weir_node_spec spec = {
        .name = weir_graph_unique_name(m->g, full.at),
        .op = op,
        .in = in,
        .in_count = in_count,
        .attrs = attrs,
        .attr_count = attr_count,
        .controls = controls,
        .control_count = control_count,
    };
    m->status = weir_graph_add(m->g, &spec, &made);
    weir_buf_fini(&full);
    return made;
}

static weir_edge first(weir_node *n)
{
    return (weir_edge){n, 0};
}

/* A constant of strings; takes |t|. */
static weir_node *add_const(maker *m, const char *name, weir_tensor t)
{
    weir_named_attr attrs[] = {{"dtype", {.kind = WEIR_ATTR_TYPE, .type = WEIR_STRING}},
                               {"value", {.kind = WEIR_ATTR_TENSOR, .tensor = &t}}};
    weir_node *n = add(m, "Const", name, NULL, 0, attrs, 2, NULL, 0);
    weir_tensor_release(&t);
    return n;
}

static weir_tensor strings(const weir_nodes *variables, bool names)
{
    weir_shape shape = weir_shape_vector((int64_t)variables->count);
    weir_tensor t = {0};
    weir_status_free(weir_tensor_alloc(WEIR_STRING, &shape, &t)); /* as many as there are nodes */
    for (size_t i = 0; names && i < variables->count; i++) {
        const char *name = variables->at[i]->site.name;
        weir_tstring_set((weir_tstring *)t.data + i, name, strlen(name));
    }
    return t;
}

static void add_filename(maker *m, weir_model_saver *s)
{
    weir_edge model = first(add_const(m, "filename", weir_tensor_string(WEIR_STR("model"))));
    weir_shape scalar = WEIR_SCALAR;
    weir_named_attr attrs[] = {{"dtype", {.kind = WEIR_ATTR_TYPE, .type = WEIR_STRING}},
                               {"shape", {.kind = WEIR_ATTR_SHAPE, .shape = &scalar}}};
    s->filename = add(m, "PlaceholderWithDefault", "Const", &model, 1, attrs, 2, NULL, 0);
}

static void add_save(maker *m, const weir_nodes *variables, weir_model_saver *s)
{
    size_t count = variables->count;
    weir_edge *in = WEIR_NEW_ARRAY(weir_edge, count + 3);
    in[0] = first(s->filename);
    in[1] = first(add_const(m, "SaveV2/tensor_names", strings(variables, true)));
    in[2] = first(add_const(m, "SaveV2/shape_and_slices", strings(variables, false)));
    for (size_t i = 0; i < count && !m->status; i++) {
        m->status = weir_variable_read(variables->at[i], &in[3 + i]);
        weir_vec_push(&s->reads, in[3 + i].node);
    }
    weir_node *save = add(m, "SaveV2", "SaveV2", in, (int)count + 3, NULL, 0, NULL, 0);
    s->save = add(m, "Identity", "control_dependency", in, 1, NULL, 0, &save, save ? 1 : 0);
    weir_free(in);
}

static weir_node *add_assign(maker *m, weir_node *variable, weir_edge value)
{
    weir_edge in[] = {first(variable), value};
    if (weir_variable_is_resource(variable))
        return add(m, "AssignVariableOp", "AssignVariableOp", in, 2, NULL, 0, NULL, 0);
    return add(m, "Assign", "Assign", in, 2, NULL, 0, NULL, 0);
}

static void add_restore(maker *m, const weir_nodes *variables, weir_model_saver *s)
{
    size_t count = variables->count;
    weir_edge in[] = {
        first(s->filename),
        first(add_const(m, "RestoreV2/tensor_names", strings(variables, true))),
        first(add_const(m, "RestoreV2/shape_and_slices", strings(variables, false))),
    };
    int32_t *types = WEIR_NEW_ARRAY(int32_t, count);
    for (size_t i = 0; i < count; i++)
        types[i] = weir_variable_dtype(variables->at[i]);
    weir_named_attr attr = {
        "dtypes",
        {.kind = WEIR_ATTR_TYPE, .is_list = true, .count = (int32_t)count, .types = types}};
    weir_node *restored = add(m, "RestoreV2", "RestoreV2", in, 3, &attr, 1, NULL, 0);
    weir_free(types);
    for (size_t i = 0; i < count && restored; i++)
        weir_vec_push(&s->assigns,
                      add_assign(m, variables->at[i], (weir_edge){restored, (int32_t)i}));
    if (!m->status)
        s->restore =
            add(m, "NoOp", "restore_all", NULL, 0, NULL, 0, s->assigns.at, (int)s->assigns.count);
}

weir_status weir_model_saver_add(const weir_nodes *variables, weir_model_saver *out_saver)
{
    weir_graph *g = variables->at[0]->graph;
    maker m = {.g = g, .scope = "save"};
    size_t before = g->nodes.count;
    weir_model_saver s = {0};
    add_filename(&m, &s);
    add_save(&m, variables, &s);
    add_restore(&m, variables, &s);
    if (m.status) {
        weir_graph_truncate(g, before);
        weir_model_saver_fini(&s);
        return m.status;
    }
    *out_saver = s;
    return WEIR_OK;
}

void weir_model_saver_fini(weir_model_saver *s)
{
    weir_vec_fini(&s->reads);
    weir_vec_fini(&s->assigns);
}
