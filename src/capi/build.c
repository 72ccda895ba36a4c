/* capi/build.c - making nodes: TF_NewOperation to TF_FinishOperation. */
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
    TF_OperationDescription *d = WEIR_NEW(TF_OperationDescription);
    d->graph = graph;
    d->op = weir_strdup(op_type);
    d->name = weir_strdup(oper_name);
    weir_attr_set_init(&d->set);
    return d;
}

TF_OperationDescription *TF_NewOperation(TF_Graph *graph, const char *op_type,
                                         const char *oper_name)
{
    return TF_NewOperationLocked(graph, op_type, oper_name);
}

static void drop_colocated(TF_OperationDescription *d)
{
    for (size_t i = 0; i < d->colocated.count; i++)
        weir_free(d->colocated.at[i]);
    d->colocated.count = 0;
}

static void destroy(TF_OperationDescription *d)
{
    drop_colocated(d);
    weir_vec_fini(&d->colocated);
    weir_vec_fini(&d->inputs);
    weir_vec_fini(&d->groups);
    weir_vec_fini(&d->controls);
    weir_attr_set_fini(&d->set);
    weir_free(d->op);
    weir_free(d->name);
    weir_free(d->device);
    weir_free(d);
}

/* ---- inputs and placement -------------------------------------------------------------------- */

void TF_SetDevice(TF_OperationDescription *d, const char *device)
{
    weir_free(d->device);
    d->device = weir_strdup(device);
}

static void add_input(TF_OperationDescription *d, TF_Output input)
{
    const weir_node *n = weir_capi_node(input.oper);
    if (!n || input.index < 0 || input.index >= n->site.out_count)
        weir_attr_set_fail(&d->set,
                           weir_error(WEIR_INVALID_ARGUMENT,
                                      "Attempt to add output %d of %s not in range [0, %d) to node "
                                      "with type %s. Node: {{node %s}}",
                                      input.index, n ? n->site.name : "", n ? n->site.out_count : 0,
                                      d->op, n ? n->site.name : ""));
    else
        weir_vec_push(&d->inputs, weir_capi_edge(input));
}

static void add_group(TF_OperationDescription *d, const TF_Output *inputs, int count, bool is_list)
{
    int start = (int)d->inputs.count;
    for (int i = 0; i < count; i++)
        add_input(d, inputs[i]);
    weir_vec_push(&d->groups, (weir_input_group){start, (int)d->inputs.count - start, is_list});
}

void TF_AddInput(TF_OperationDescription *d, TF_Output input)
{
    add_group(d, &input, 1, false);
}

void TF_AddInputList(TF_OperationDescription *d, const TF_Output *inputs, int num_inputs)
{
    add_group(d, inputs, num_inputs, true);
}

void TF_AddControlInput(TF_OperationDescription *d, TF_Operation *input)
{
    weir_vec_push(&d->controls, weir_capi_node(input));
}

/* Constraints are a sorted set. */
static void colocate(TF_OperationDescription *d, weir_str constraint)
{
    char *fresh = weir_strndup(constraint.at, constraint.length);
    size_t i = 0;
    while (i < d->colocated.count && strcmp(d->colocated.at[i], fresh) < 0)
        i++;
    if (i < d->colocated.count && strcmp(d->colocated.at[i], fresh) == 0) {
        weir_free(fresh);
        return;
    }
    weir_vec_push(&d->colocated, NULL);
    for (size_t k = d->colocated.count - 1; k > i; k--)
        d->colocated.at[k] = d->colocated.at[k - 1];
    d->colocated.at[i] = fresh;
}

void TF_ColocateWith(TF_OperationDescription *d, TF_Operation *op)
{
    weir_buf text = {0};
    weir_buf_addf(&text, "loc:@%s", weir_capi_node(op)->site.name);
    colocate(d, (weir_str){text.at, text.length});
    weir_buf_fini(&text);
}

/* ---- attrs ----------------------------------------------------------------------------------- */

void TF_SetAttrString(TF_OperationDescription *d, const char *attr_name, const void *value,
                      size_t length)
{
    weir_attr_set_string(&d->set, attr_name, value, length);
}

/* Colocation is kept apart, so that TF_ColocateWith can add to it. */
void TF_SetAttrStringList(TF_OperationDescription *d, const char *attr_name,
                          const void *const *values, const size_t *lengths, int num_values)
{
    if (strcmp(attr_name, CLASS_ATTR) != 0) {
        weir_attr_set_strings(&d->set, attr_name, values, lengths, num_values);
        return;
    }
    drop_colocated(d);
    for (int i = 0; i < num_values; i++)
        colocate(d, (weir_str){values[i], lengths[i]});
}

void TF_SetAttrInt(TF_OperationDescription *d, const char *attr_name, int64_t value)
{
    weir_attr_set_int(&d->set, attr_name, value);
}

void TF_SetAttrIntList(TF_OperationDescription *d, const char *attr_name, const int64_t *values,
                       int num_values)
{
    weir_attr_set_ints(&d->set, attr_name, values, num_values);
}

void TF_SetAttrFloat(TF_OperationDescription *d, const char *attr_name, float value)
{
    weir_attr_set_float(&d->set, attr_name, value);
}

void TF_SetAttrFloatList(TF_OperationDescription *d, const char *attr_name, const float *values,
                         int num_values)
{
    weir_attr_set_floats(&d->set, attr_name, values, num_values);
}

void TF_SetAttrBool(TF_OperationDescription *d, const char *attr_name, unsigned char value)
{
    weir_attr_set_bool(&d->set, attr_name, value != 0);
}

void TF_SetAttrBoolList(TF_OperationDescription *d, const char *attr_name,
                        const unsigned char *values, int num_values)
{
    weir_attr_set_bools(&d->set, attr_name, values, num_values);
}

void TF_SetAttrType(TF_OperationDescription *d, const char *attr_name, TF_DataType value)
{
    weir_attr_set_type(&d->set, attr_name, value);
}

void TF_SetAttrTypeList(TF_OperationDescription *d, const char *attr_name,
                        const TF_DataType *values, int num_values)
{
    weir_attr_set_types(&d->set, attr_name, values, num_values);
}

void TF_SetAttrPlaceholder(TF_OperationDescription *d, const char *attr_name,
                           const char *placeholder)
{
    weir_attr_set_placeholder(&d->set, attr_name, placeholder);
}

void TF_SetAttrFuncName(TF_OperationDescription *d, const char *attr_name, const char *value,
                        size_t length)
{
    weir_attr_set_func(&d->set, attr_name, value, length);
}

void TF_SetAttrShape(TF_OperationDescription *d, const char *attr_name, const int64_t *dims,
                     int num_dims)
{
    weir_status s = weir_attr_set_shape(&d->set, attr_name, dims, num_dims);
    if (s)
        weir_attr_set_fail(&d->set, s);
}

void TF_SetAttrShapeList(TF_OperationDescription *d, const char *attr_name,
                         const int64_t *const *dims, const int *num_dims, int num_shapes)
{
    weir_status s = weir_attr_set_shapes(&d->set, attr_name, dims, num_dims, num_shapes);
    if (s)
        weir_attr_set_fail(&d->set, s);
}

static weir_status parse_shape(const void *proto, size_t proto_len, weir_shape *out_shape)
{
    weir_status s = weir_shape_parse((weir_str){proto, proto_len}, out_shape);
    if (!s)
        return WEIR_OK;
    weir_status_free(s);
    return weir_error(WEIR_INVALID_ARGUMENT, "Unparseable TensorShapeProto");
}

void TF_SetAttrTensorShapeProto(TF_OperationDescription *d, const char *attr_name,
                                const void *proto, size_t proto_len, TF_Status *status)
{
    weir_shape shape;
    if (!weir_capi_end(status, parse_shape(proto, proto_len, &shape)))
        return;
    weir_attr a = {.kind = WEIR_ATTR_SHAPE, .shape = &shape};
    weir_attr_set_put(&d->set, attr_name, &a);
}

void TF_SetAttrTensorShapeProtoList(TF_OperationDescription *d, const char *attr_name,
                                    const void *const *protos, const size_t *proto_lens,
                                    int num_shapes, TF_Status *status)
{
    weir_shape *shapes = WEIR_NEW_ARRAY(weir_shape, num_shapes > 0 ? num_shapes : 0);
    weir_status s = WEIR_OK;
    for (int i = 0; !s && i < num_shapes; i++) {
        s = parse_shape(protos[i], proto_lens[i], &shapes[i]);
        if (s)
            s = weir_status_note(s, " at index %d", i);
    }
    if (weir_capi_end(status, s)) {
        weir_attr a = {
            .kind = WEIR_ATTR_SHAPE, .is_list = true, .count = num_shapes, .shapes = shapes};
        weir_attr_set_put(&d->set, attr_name, &a);
    }
    weir_free(shapes);
}

void TF_SetAttrTensor(TF_OperationDescription *d, const char *attr_name, TF_Tensor *value,
                      TF_Status *status)
{
    weir_capi_end(status, weir_attr_set_tensor(&d->set, attr_name, value));
}

void TF_SetAttrTensorList(TF_OperationDescription *d, const char *attr_name,
                          TF_Tensor *const *values, int num_values, TF_Status *status)
{
    weir_capi_end(status, weir_attr_set_tensors(&d->set, attr_name, values, num_values));
}

static weir_status set_class_proto(TF_OperationDescription *d, weir_str proto)
{
    weir_attr a;
    WEIR_TRY(weir_attr_import(&d->set.arena, proto, &a));
    if (!a.is_list || (a.count && a.kind != WEIR_ATTR_STRING))
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Expected \"list(string)\" type for \"_class\" attribute");
    drop_colocated(d);
    for (int i = 0; i < a.count; i++)
        colocate(d, a.ss[i]);
    return WEIR_OK;
}

void TF_SetAttrValueProto(TF_OperationDescription *d, const char *attr_name, const void *proto,
                          size_t proto_len, TF_Status *status)
{
    weir_str bytes = {proto, proto_len};
    if (strcmp(attr_name, CLASS_ATTR) == 0)
        weir_capi_end(status, set_class_proto(d, bytes));
    else
        weir_capi_end(status, weir_attr_set_proto(&d->set, attr_name, bytes));
}

/* ---- the end --------------------------------------------------------------------------------- */

static const weir_opdef *find_def(const weir_graph *g, const char *op)
{
    const weir_op *known = weir_registry_find(g->registry, weir_str_of(op));
    const weir_function *f = known ? NULL : weir_graph_find_function(g, weir_str_of(op));
    return known ? weir_registry_def(g->registry, known) : f ? &f->def : NULL;
}

static void put_colocation(TF_OperationDescription *d)
{
    if (!d->colocated.count)
        return;
    weir_str *at = WEIR_ARENA_ARRAY(&d->set.arena, weir_str, d->colocated.count);
    for (size_t i = 0; i < d->colocated.count; i++)
        at[i] = weir_str_of(d->colocated.at[i]);
    weir_attr a = {
        .kind = WEIR_ATTR_STRING, .is_list = true, .count = (int)d->colocated.count, .ss = at};
    weir_attr_set_put(&d->set, CLASS_ATTR, &a);
}

/* The attrs that follow from the inputs; nothing to do for an op that nobody knows. */
static weir_status match(TF_OperationDescription *d)
{
    const weir_opdef *def = find_def(d->graph->graph, d->op);
    if (d->set.error)
        return weir_status_copy(d->set.error);
    if (!def)
        return WEIR_OK;
    int *types = WEIR_NEW_ARRAY(int, d->inputs.count);
    for (size_t i = 0; i < d->inputs.count; i++)
        types[i] = weir_edge_type(d->inputs.at[i]);
    weir_status s = weir_match_inputs(&d->set, def, d->groups.at, (int)d->groups.count, types);
    weir_free(types);
    if (!s && d->set.error)
        s = weir_status_copy(d->set.error);
    return s ? weir_status_note(s, " while building NodeDef '%s' using Op<name=%s>", d->name, d->op)
             : WEIR_OK;
}

static weir_status finish(TF_OperationDescription *d, weir_node **out_node)
{
    if (weir_graph_find(d->graph->graph, weir_str_of(d->name)))
        return weir_error(WEIR_INVALID_ARGUMENT, "Duplicate node name in graph: '%s'", d->name);
    WEIR_TRY(match(d));
    put_colocation(d);
    weir_node_spec spec = {
        .name = d->name,
        .op = d->op,
        .in = d->inputs.at,
        .in_count = (int)d->inputs.count,
        .attrs = d->set.attrs.at,
        .attr_count = (int)d->set.attrs.count,
        .controls = d->controls.at,
        .control_count = (int)d->controls.count,
        .device = d->device,
    };
    weir_status s = weir_graph_add(d->graph->graph, &spec, out_node);
    if (weir_status_code(s) != WEIR_NOT_FOUND)
        return s;
    /* An unknown op is a bad argument here, though NOT_FOUND in an import. */
    weir_status bad = weir_error(WEIR_INVALID_ARGUMENT, "%s", weir_status_message(s));
    weir_status_free(s);
    return bad;
}

TF_Operation *TF_FinishOperationLocked(TF_OperationDescription *d, TF_Status *status)
{
    weir_node *node = NULL;
    if (!weir_capi_end(status, finish(d, &node)))
        node = NULL;
    destroy(d);
    return weir_capi_oper(node);
}

TF_Operation *TF_FinishOperation(TF_OperationDescription *d, TF_Status *status)
{
    TF_Graph *graph = d->graph;
    weir_capi_lock(graph);
    TF_Operation *oper = TF_FinishOperationLocked(d, status);
    weir_capi_unlock(graph);
    return oper;
}
