/* model/model_saver.c - SaveV2 and RestoreV2 of all variables of a model. */
#include "model/model_saver.h"

#include "tensor/tstring.h"

/* Adds nodes; the first error is sticky. */
typedef struct maker {
    weir_graph *g;
    const char *scope;
    weir_status status;
} maker;

static weir_node *add(maker *maker, const char *op, const char *name, const weir_edge *in,
                      int in_count, const weir_named_attr *attrs, int attr_count,
                      weir_node *const *controls, int control_count)
{
    if (maker->status)
        return NULL;
    WEIR_BUF(full);
    weir_buf_addf(&full, "%s/%s", maker->scope, name);
    weir_node *made = NULL;
    weir_node_spec spec = {
        .name = weir_graph_unique_name(maker->g, full.at),
        .op = op,
        .in = in,
        .in_count = in_count,
        .attrs = attrs,
        .attr_count = attr_count,
        .controls = controls,
        .control_count = control_count,
    };
    maker->status = weir_graph_add(maker->g, &spec, &made);
    return made;
}

static weir_edge first(weir_node *node)
{
    return (weir_edge){node, 0};
}

/* A string constant; takes ownership of |tensor|. */
static weir_node *add_const(maker *maker, const char *name, weir_tensor tensor)
{
    weir_named_attr attrs[] = {{"dtype", {.kind = WEIR_ATTR_TYPE, .type = WEIR_STRING}},
                               {"value", {.kind = WEIR_ATTR_TENSOR, .tensor = &tensor}}};
    weir_node *node = add(maker, "Const", name, NULL, 0, attrs, 2, NULL, 0);
    weir_tensor_release(&tensor);
    return node;
}

static weir_tensor strings(const weir_nodes *variables, bool names)
{
    weir_shape shape = weir_shape_vector((int64_t)variables->count);
    weir_tensor tensor = {0};
    weir_status_free(
        weir_tensor_alloc(WEIR_STRING, &shape, &tensor)); /* one string per variable node */
    for (size_t i = 0; names && i < variables->count; i++) {
        const char *name = variables->at[i]->site.name;
        weir_tstring_set((weir_tstring *)tensor.data + i, name, strlen(name));
    }
    return tensor;
}

static void add_filename(maker *maker, weir_model_saver *saver)
{
    weir_edge model = first(add_const(maker, "filename", weir_tensor_string(WEIR_STR("model"))));
    weir_shape scalar = WEIR_SCALAR;
    weir_named_attr attrs[] = {{"dtype", {.kind = WEIR_ATTR_TYPE, .type = WEIR_STRING}},
                               {"shape", {.kind = WEIR_ATTR_SHAPE, .shape = &scalar}}};
    saver->filename = add(maker, "PlaceholderWithDefault", "Const", &model, 1, attrs, 2, NULL, 0);
}

static void add_save(maker *maker, const weir_nodes *variables, weir_model_saver *saver)
{
    size_t count = variables->count;
    weir_edge *in = WEIR_NEW_ARRAY(weir_edge, count + 3);
    in[0] = first(saver->filename);
    in[1] = first(add_const(maker, "SaveV2/tensor_names", strings(variables, true)));
    in[2] = first(add_const(maker, "SaveV2/shape_and_slices", strings(variables, false)));
    for (size_t i = 0; i < count && !maker->status; i++) {
        maker->status = weir_variable_read(variables->at[i], &in[3 + i]);
        weir_vec_push(&saver->reads, in[3 + i].node);
    }
    weir_node *save = add(maker, "SaveV2", "SaveV2", in, (int)count + 3, NULL, 0, NULL, 0);
    saver->save = add(maker, "Identity", "control_dependency", in, 1, NULL, 0, &save, save ? 1 : 0);
    weir_free(in);
}

static weir_node *add_assign(maker *maker, weir_node *variable, weir_edge value)
{
    weir_edge in[] = {first(variable), value};
    if (weir_variable_is_resource(variable))
        return add(maker, "AssignVariableOp", "AssignVariableOp", in, 2, NULL, 0, NULL, 0);
    return add(maker, "Assign", "Assign", in, 2, NULL, 0, NULL, 0);
}

static void add_restore(maker *maker, const weir_nodes *variables, weir_model_saver *saver)
{
    size_t count = variables->count;
    weir_edge in[] = {
        first(saver->filename),
        first(add_const(maker, "RestoreV2/tensor_names", strings(variables, true))),
        first(add_const(maker, "RestoreV2/shape_and_slices", strings(variables, false))),
    };
    int32_t *types = WEIR_NEW_ARRAY(int32_t, count);
    for (size_t i = 0; i < count; i++)
        types[i] = weir_variable_dtype(variables->at[i]);
    weir_named_attr attr = {
        "dtypes",
        {.kind = WEIR_ATTR_TYPE, .is_list = true, .count = (int32_t)count, .types = types}};
    weir_node *restored = add(maker, "RestoreV2", "RestoreV2", in, 3, &attr, 1, NULL, 0);
    weir_free(types);
    for (size_t i = 0; i < count && restored; i++)
        weir_vec_push(&saver->assigns,
                      add_assign(maker, variables->at[i], (weir_edge){restored, (int32_t)i}));
    if (!maker->status)
        saver->restore = add(maker, "NoOp", "restore_all", NULL, 0, NULL, 0, saver->assigns.at,
                             (int)saver->assigns.count);
}

weir_status weir_model_saver_add(const weir_nodes *variables, weir_model_saver *out_saver)
{
    weir_graph *graph = variables->at[0]->graph;
    maker maker = {.g = graph, .scope = "save"};
    size_t before = graph->nodes.count;
    weir_model_saver saver = {0};
    add_filename(&maker, &saver);
    add_save(&maker, variables, &saver);
    add_restore(&maker, variables, &saver);
    if (maker.status) {
        weir_graph_truncate(graph, before);
        weir_model_saver_fini(&saver);
        return maker.status;
    }
    *out_saver = saver;
    return WEIR_OK;
}

void weir_model_saver_fini(weir_model_saver *saver)
{
    weir_vec_fini(&saver->reads);
    weir_vec_fini(&saver->assigns);
}
