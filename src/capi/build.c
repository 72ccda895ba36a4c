/* capi/build.c - creates nodes: TF_NewOperation to TF_FinishOperation. */
#include "capi/build_impl.h"

#include <stdlib.h>

#include "tensor/proto.h"

struct TF_OperationDescription {
    TF_Graph *graph;
    char *op, *name, *device;
    weir_attr_set set;
    WEIR_VEC(weir_edge) inputs;
    WEIR_VEC(weir_input_group) groups;
    WEIR_VEC(weir_node *) controls;
    WEIR_VEC(char *) colocated; /* "loc:@name" */
};

static const char CLASS_ATTR[] = "_class";

TF_OperationDescription *TF_NewOperationLocked(TF_Graph *graph, const char *op_type,
                                               const char *oper_name)
{
    TF_OperationDescription *description = WEIR_NEW(TF_OperationDescription);
    description->graph = graph;
    description->op = weir_strdup(op_type);
    description->name = weir_strdup(oper_name);
    weir_attr_set_init(&description->set);
    return description;
}

TF_OperationDescription *TF_NewOperation(TF_Graph *graph, const char *op_type,
                                         const char *oper_name)
{
    return TF_NewOperationLocked(graph, op_type, oper_name);
}

static void drop_colocated(TF_OperationDescription *description)
{
    for (size_t i = 0; i < description->colocated.count; i++)
        weir_free(description->colocated.at[i]);
    description->colocated.count = 0;
}

static void destroy(TF_OperationDescription *description)
{
    drop_colocated(description);
    weir_vec_fini(&description->colocated);
    weir_vec_fini(&description->inputs);
    weir_vec_fini(&description->groups);
    weir_vec_fini(&description->controls);
    weir_attr_set_fini(&description->set);
    weir_free(description->op);
    weir_free(description->name);
    weir_free(description->device);
    weir_free(description);
}

/* ---- inputs and placement -------------------------------------------------------------------- */

void TF_SetDevice(TF_OperationDescription *description, const char *device)
{
    weir_free(description->device);
    description->device = weir_strdup(device);
}

static void add_input(TF_OperationDescription *description, TF_Output input)
{
    const weir_node *node = weir_capi_node(input.oper);
    if (!node || input.index < 0 || input.index >= node->site.out_count)
        weir_attr_set_fail(&description->set,
                           weir_error(WEIR_INVALID_ARGUMENT,
                                      "Attempt to add output %d of %s not in range [0, %d) to node "
                                      "with type %s. Node: {{node %s}}",
                                      input.index, node ? node->site.name : "",
                                      node ? node->site.out_count : 0, description->op,
                                      node ? node->site.name : ""));
    else
        weir_vec_push(&description->inputs, weir_capi_edge(input));
}

static void add_group(TF_OperationDescription *description, const TF_Output *inputs, int count,
                      bool is_list)
{
    int start = (int)description->inputs.count;
    for (int i = 0; i < count; i++)
        add_input(description, inputs[i]);
    weir_vec_push(&description->groups,
                  (weir_input_group){start, (int)description->inputs.count - start, is_list});
}

void TF_AddInput(TF_OperationDescription *description, TF_Output input)
{
    add_group(description, &input, 1, false);
}

void TF_AddInputList(TF_OperationDescription *description, const TF_Output *inputs, int num_inputs)
{
    add_group(description, inputs, num_inputs, true);
}

void TF_AddControlInput(TF_OperationDescription *description, TF_Operation *input)
{
    weir_vec_push(&description->controls, weir_capi_node(input));
}

/* Constraints are a sorted set. */
static void colocate(TF_OperationDescription *description, weir_str constraint)
{
    char *fresh = weir_strndup(constraint.at, constraint.length);
    size_t i = 0;
    while (i < description->colocated.count && strcmp(description->colocated.at[i], fresh) < 0)
        i++;
    if (i < description->colocated.count && strcmp(description->colocated.at[i], fresh) == 0) {
        weir_free(fresh);
        return;
    }
    weir_vec_push(&description->colocated, NULL);
    for (size_t k = description->colocated.count - 1; k > i; k--)
        description->colocated.at[k] = description->colocated.at[k - 1];
    description->colocated.at[i] = fresh;
}

void TF_ColocateWith(TF_OperationDescription *description, TF_Operation *op)
{
    WEIR_BUF(text);
    weir_buf_addf(&text, "loc:@%s", weir_capi_node(op)->site.name);
    colocate(description, weir_view(&text));
}

/* ---- attrs ----------------------------------------------------------------------------------- */

void TF_SetAttrString(TF_OperationDescription *description, const char *attr_name,
                      const void *value, size_t length)
{
    weir_attr_set_string(&description->set, attr_name, value, length);
}

/* Colocation constraints are stored separately, so that TF_ColocateWith can add to them. */
void TF_SetAttrStringList(TF_OperationDescription *description, const char *attr_name,
                          const void *const *values, const size_t *lengths, int num_values)
{
    if (strcmp(attr_name, CLASS_ATTR) != 0) {
        weir_attr_set_strings(&description->set, attr_name, values, lengths, num_values);
        return;
    }
    drop_colocated(description);
    for (int i = 0; i < num_values; i++)
        colocate(description, (weir_str){values[i], lengths[i]});
}

void TF_SetAttrInt(TF_OperationDescription *description, const char *attr_name, int64_t value)
{
    weir_attr_set_int(&description->set, attr_name, value);
}

void TF_SetAttrIntList(TF_OperationDescription *description, const char *attr_name,
                       const int64_t *values, int num_values)
{
    weir_attr_set_ints(&description->set, attr_name, values, num_values);
}

void TF_SetAttrFloat(TF_OperationDescription *description, const char *attr_name, float value)
{
    weir_attr_set_float(&description->set, attr_name, value);
}

void TF_SetAttrFloatList(TF_OperationDescription *description, const char *attr_name,
                         const float *values, int num_values)
{
    weir_attr_set_floats(&description->set, attr_name, values, num_values);
}

void TF_SetAttrBool(TF_OperationDescription *description, const char *attr_name,
                    unsigned char value)
{
    weir_attr_set_bool(&description->set, attr_name, value != 0);
}

void TF_SetAttrBoolList(TF_OperationDescription *description, const char *attr_name,
                        const unsigned char *values, int num_values)
{
    weir_attr_set_bools(&description->set, attr_name, values, num_values);
}

void TF_SetAttrType(TF_OperationDescription *description, const char *attr_name, TF_DataType value)
{
    weir_attr_set_type(&description->set, attr_name, value);
}

void TF_SetAttrTypeList(TF_OperationDescription *description, const char *attr_name,
                        const TF_DataType *values, int num_values)
{
    weir_attr_set_types(&description->set, attr_name, values, num_values);
}

void TF_SetAttrPlaceholder(TF_OperationDescription *description, const char *attr_name,
                           const char *placeholder)
{
    weir_attr_set_placeholder(&description->set, attr_name, placeholder);
}

void TF_SetAttrFuncName(TF_OperationDescription *description, const char *attr_name,
                        const char *value, size_t length)
{
    weir_attr_set_func(&description->set, attr_name, value, length);
}

void TF_SetAttrShape(TF_OperationDescription *description, const char *attr_name,
                     const int64_t *dims, int num_dims)
{
    weir_status status = weir_attr_set_shape(&description->set, attr_name, dims, num_dims);
    if (status)
        weir_attr_set_fail(&description->set, status);
}

void TF_SetAttrShapeList(TF_OperationDescription *description, const char *attr_name,
                         const int64_t *const *dims, const int *num_dims, int num_shapes)
{
    weir_status status =
        weir_attr_set_shapes(&description->set, attr_name, dims, num_dims, num_shapes);
    if (status)
        weir_attr_set_fail(&description->set, status);
}

static weir_status parse_shape(const void *proto, size_t proto_len, weir_shape *out_shape)
{
    weir_status status = weir_shape_parse((weir_str){proto, proto_len}, out_shape);
    if (!status)
        return WEIR_OK;
    weir_status_free(status);
    return weir_error(WEIR_INVALID_ARGUMENT, "Unparseable TensorShapeProto");
}

void TF_SetAttrTensorShapeProto(TF_OperationDescription *description, const char *attr_name,
                                const void *proto, size_t proto_len, TF_Status *status)
{
    weir_shape shape;
    if (!weir_capi_end(status, parse_shape(proto, proto_len, &shape)))
        return;
    weir_attr attr = {.kind = WEIR_ATTR_SHAPE, .shape = &shape};
    weir_attr_set_put(&description->set, attr_name, &attr);
}

void TF_SetAttrTensorShapeProtoList(TF_OperationDescription *description, const char *attr_name,
                                    const void *const *protos, const size_t *proto_lens,
                                    int num_shapes, TF_Status *status)
{
    weir_shape *shapes = WEIR_NEW_ARRAY(weir_shape, num_shapes > 0 ? num_shapes : 0);
    weir_status result = WEIR_OK;
    for (int i = 0; !result && i < num_shapes; i++) {
        result = parse_shape(protos[i], proto_lens[i], &shapes[i]);
        if (result)
            result = weir_status_note(result, " at index %d", i);
    }
    if (weir_capi_end(status, result)) {
        weir_attr attr = {
            .kind = WEIR_ATTR_SHAPE, .is_list = true, .count = num_shapes, .shapes = shapes};
        weir_attr_set_put(&description->set, attr_name, &attr);
    }
    weir_free(shapes);
}

void TF_SetAttrTensor(TF_OperationDescription *description, const char *attr_name, TF_Tensor *value,
                      TF_Status *status)
{
    weir_capi_end(status, weir_attr_set_tensor(&description->set, attr_name, value));
}

void TF_SetAttrTensorList(TF_OperationDescription *description, const char *attr_name,
                          TF_Tensor *const *values, int num_values, TF_Status *status)
{
    weir_capi_end(status, weir_attr_set_tensors(&description->set, attr_name, values, num_values));
}

static weir_status set_class_proto(TF_OperationDescription *description, weir_str proto)
{
    weir_attr attr;
    WEIR_TRY(weir_attr_import(&description->set.arena, proto, &attr));
    if (!attr.is_list || (attr.count && attr.kind != WEIR_ATTR_STRING))
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Expected \"list(string)\" type for \"_class\" attribute");
    drop_colocated(description);
    for (int i = 0; i < attr.count; i++)
        colocate(description, attr.ss[i]);
    return WEIR_OK;
}

void TF_SetAttrValueProto(TF_OperationDescription *description, const char *attr_name,
                          const void *proto, size_t proto_len, TF_Status *status)
{
    weir_str bytes = {proto, proto_len};
    if (strcmp(attr_name, CLASS_ATTR) == 0)
        weir_capi_end(status, set_class_proto(description, bytes));
    else
        weir_capi_end(status, weir_attr_set_proto(&description->set, attr_name, bytes));
}

/* ---- the end --------------------------------------------------------------------------------- */

static const weir_opdef *find_def(const weir_graph *graph, const char *op)
{
    const weir_op *known = weir_registry_find(graph->registry, weir_str_of(op));
    const weir_function *function = known ? NULL : weir_graph_find_function(graph, weir_str_of(op));
    return known ? weir_registry_def(graph->registry, known) : function ? &function->def : NULL;
}

static void put_colocation(TF_OperationDescription *description)
{
    if (!description->colocated.count)
        return;
    weir_str *at =
        WEIR_ARENA_ARRAY(&description->set.arena, weir_str, description->colocated.count);
    for (size_t i = 0; i < description->colocated.count; i++)
        at[i] = weir_str_of(description->colocated.at[i]);
    weir_attr attr = {.kind = WEIR_ATTR_STRING,
                      .is_list = true,
                      .count = (int)description->colocated.count,
                      .ss = at};
    weir_attr_set_put(&description->set, CLASS_ATTR, &attr);
}

/* Sets the attrs inferred from the inputs; a no-op for unknown ops. */
static weir_status match(TF_OperationDescription *description)
{
    const weir_opdef *def = find_def(description->graph->graph, description->op);
    if (description->set.error)
        return weir_status_copy(description->set.error);
    if (!def)
        return WEIR_OK;
    int *types = WEIR_NEW_ARRAY(int, description->inputs.count);
    for (size_t i = 0; i < description->inputs.count; i++)
        types[i] = weir_edge_type(description->inputs.at[i]);
    weir_status status = weir_match_inputs(&description->set, def, description->groups.at,
                                           (int)description->groups.count, types);
    weir_free(types);
    if (!status && description->set.error)
        status = weir_status_copy(description->set.error);
    return status ? weir_status_note(status, " while building NodeDef '%s' using Op<name=%s>",
                                     description->name, description->op)
                  : WEIR_OK;
}

static weir_status finish(TF_OperationDescription *description, weir_node **out_node)
{
    if (weir_graph_find(description->graph->graph, weir_str_of(description->name)))
        return weir_error(WEIR_INVALID_ARGUMENT, "Duplicate node name in graph: '%s'",
                          description->name);
    WEIR_TRY(match(description));
    put_colocation(description);
    weir_node_spec spec = {
        .name = description->name,
        .op = description->op,
        .in = description->inputs.at,
        .in_count = (int)description->inputs.count,
        .attrs = description->set.attrs.at,
        .attr_count = (int)description->set.attrs.count,
        .controls = description->controls.at,
        .control_count = (int)description->controls.count,
        .device = description->device,
        .from_outside = true,
        .may_be_open = true,
    };
    weir_status status = weir_graph_add(description->graph->graph, &spec, out_node);
    if (weir_status_code(status) != WEIR_NOT_FOUND)
        return status;
    /* An unknown op is INVALID_ARGUMENT here, but NOT_FOUND in an import. */
    weir_status bad = weir_error(WEIR_INVALID_ARGUMENT, "%s", weir_status_message(status));
    weir_status_free(status);
    return bad;
}

TF_Operation *TF_FinishOperationLocked(TF_OperationDescription *description, TF_Status *status)
{
    weir_node *node = NULL;
    if (!weir_capi_end(status, finish(description, &node)))
        node = NULL;
    destroy(description);
    return weir_capi_oper(node);
}

TF_Operation *TF_FinishOperation(TF_OperationDescription *description, TF_Status *status)
{
    TF_Graph *graph = description->graph;
    weir_capi_lock(graph);
    TF_Operation *oper = TF_FinishOperationLocked(description, status);
    weir_capi_unlock(graph);
    return oper;
}
