/* capi/eager_op.c - TFE_Op: a call under construction. */
#include "capi/eager_impl.h"

weir_status weir_eager_find_def(TFE_Context *ctx, const char *name, const weir_opdef **out_def)
{
    const weir_graph *graph = ctx->graph->graph;
    const weir_op *op = weir_registry_find(graph->registry, weir_str_of(name));
    const weir_function *function = op ? NULL : weir_graph_find_function(graph, weir_str_of(name));
    if (!op && !function)
        return weir_error(
            WEIR_NOT_FOUND,
            "'%s' is neither a type of a primitive operation nor a name of a function "
            "registered in binary running on this machine. Make sure the operation or "
            "function is registered in the binary running in this process.",
            name);
    *out_def = op ? weir_registry_def(graph->registry, op) : &function->def;
    return WEIR_OK;
}

TFE_Op *TFE_NewOp(TFE_Context *ctx, const char *op_or_function_name, TF_Status *status)
{
    const weir_opdef *def = NULL;
    weir_capi_lock(ctx->graph);
    bool known = weir_capi_end(status, weir_eager_find_def(ctx, op_or_function_name, &def));
    weir_capi_unlock(ctx->graph);
    if (!known)
        return NULL;
    TFE_Op *op = WEIR_NEW(TFE_Op);
    op->ctx = ctx;
    op->def = def;
    op->name = weir_strdup(op_or_function_name);
    op->device = weir_strdup("");
    weir_attr_set_init(&op->set);
    op->set.lenient = true;
    return op;
}

void TFE_DeleteOp(TFE_Op *op)
{
    if (!op)
        return;
    for (size_t i = 0; i < op->inputs.count; i++)
        TFE_DeleteTensorHandle(op->inputs.at[i]);
    weir_vec_fini(&op->inputs);
    weir_vec_fini(&op->groups);
    weir_attr_set_fini(&op->set);
    weir_cancel_release(op->cancel);
    weir_free(op->name);
    weir_free(op->device);
    weir_free(op);
}

const char *TFE_OpGetName(const TFE_Op *op, TF_Status *status)
{
    weir_capi_end(status, WEIR_OK);
    return op->name;
}

TFE_Context *TFE_OpGetContext(const TFE_Op *op, TF_Status *status)
{
    weir_capi_end(status, WEIR_OK);
    return op->ctx;
}

void TFE_OpSetDevice(TFE_Op *op, const char *device_name, TF_Status *status)
{
    const char *device = device_name ? device_name : "";
    const char *known = weir_eager_find_device(op->ctx, device);
    if (!weir_capi_end(status,
                       known ? WEIR_OK
                             : weir_error(WEIR_INVALID_ARGUMENT, "%s unknown device.", device)))
        return;
    weir_free(op->device);
    op->device = weir_strdup(*device ? known : "");
}

const char *TFE_OpGetDevice(const TFE_Op *op, TF_Status *status)
{
    weir_capi_end(status, WEIR_OK);
    return op->device;
}

/* ---- inputs ---------------------------------------------------------------------------------- */

static weir_status add_inputs(TFE_Op *op, TFE_TensorHandle **inputs, int count, bool is_list)
{
    for (int i = 0; i < count; i++)
        if (!inputs[i])
            return weir_error(WEIR_INVALID_ARGUMENT, "Input %d of op '%s' is null", i, op->name);
    weir_vec_push(&op->groups, (weir_input_group){(int)op->inputs.count, count, is_list});
    for (int i = 0; i < count; i++) {
        weir_ref_retain(&inputs[i]->ref);
        weir_vec_push(&op->inputs, inputs[i]);
    }
    return WEIR_OK;
}

/* The argument of the next input; null when there are no more. */
static const weir_argdef *next_arg(const TFE_Op *op)
{
    return op->groups.count < (size_t)op->def->in_count ? &op->def->in[op->groups.count] : NULL;
}

/* Lists may also be added element by element, if their length was set before. */
static bool grows_list(const TFE_Op *op)
{
    if (!op->groups.count)
        return false;
    const weir_input_group *last = &op->groups.at[op->groups.count - 1];
    const weir_argdef *arg = &op->def->in[op->groups.count - 1];
    if (!last->is_list || arg->number_attr < 0)
        return false;
    const weir_attr *attr = weir_attr_set_find(&op->set, op->def->attrs[arg->number_attr].name);
    return attr && attr->kind == WEIR_ATTR_INT && last->count < attr->i;
}

void TFE_OpAddInput(TFE_Op *op, TFE_TensorHandle *input, TF_Status *status)
{
    if (input && grows_list(op)) {
        weir_ref_retain(&input->ref);
        weir_vec_push(&op->inputs, input);
        op->groups.at[op->groups.count - 1].count++;
        weir_capi_end(status, WEIR_OK);
        return;
    }
    const weir_argdef *arg = next_arg(op);
    bool is_list = arg && (arg->number_attr >= 0 || arg->type_list_attr >= 0);
    weir_capi_end(status, add_inputs(op, &input, 1, is_list));
}

void TFE_OpAddInputList(TFE_Op *op, TFE_TensorHandle **inputs, int num_inputs, TF_Status *status)
{
    weir_capi_end(status, add_inputs(op, inputs, num_inputs, true));
}

int TFE_OpGetFlatInputCount(const TFE_Op *op, TF_Status *status)
{
    weir_capi_end(status, WEIR_OK);
    return (int)op->inputs.count;
}

TFE_TensorHandle *TFE_OpGetFlatInput(const TFE_Op *op, int index, TF_Status *status)
{
    bool inside = index >= 0 && (size_t)index < op->inputs.count;
    weir_capi_end(status, inside ? WEIR_OK
                                 : weir_error(WEIR_INVALID_ARGUMENT,
                                              "Input %d of op '%s' was asked for; it has %zu",
                                              index, op->name, op->inputs.count));
    return inside ? op->inputs.at[index] : NULL;
}

weir_status weir_eager_match(TFE_Op *op)
{
    int *types = WEIR_NEW_ARRAY(int, op->inputs.count);
    for (size_t i = 0; i < op->inputs.count; i++)
        types[i] = op->inputs.at[i]->t.dtype;
    weir_status status =
        weir_match_inputs(&op->set, op->def, op->groups.at, (int)op->groups.count, types);
    weir_free(types);
    if (!status && op->set.error)
        status = weir_status_copy(op->set.error);
    return status ? weir_status_note(status, " in op '%s'", op->name) : WEIR_OK;
}

/* ---- lengths of arguments -------------------------------------------------------------------- */

static int find_arg(const weir_argdef *args, int count, const char *name)
{
    for (int i = 0; i < count; i++)
        if (strcmp(args[i].name, name) == 0)
            return i;
    return -1;
}

/* The repeat count of |arg|, from attrs that are set or have defaults. */
static weir_status length_by_attrs(const TFE_Op *op, const weir_argdef *arg, int *out)
{
    int attr = arg->number_attr >= 0 ? arg->number_attr : arg->type_list_attr;
    *out = 1;
    if (attr < 0)
        return WEIR_OK;
    const weir_attrdef *def = &op->def->attrs[attr];
    const weir_attr *value = weir_attr_set_find(&op->set, def->name);
    if (!value && def->has_default)
        value = &def->otherwise;
    if (!value)
        return weir_error(WEIR_INVALID_ARGUMENT, "Unable to find attribute %s in op '%s'",
                          def->name, op->name);
    *out = value->is_list ? value->count : (int)value->i;
    return WEIR_OK;
}

int TFE_OpGetInputLength(TFE_Op *op, const char *input_name, TF_Status *status)
{
    int length = -1, arg = find_arg(op->def->in, op->def->in_count, input_name);
    weir_status result = WEIR_OK;
    if (arg < 0)
        result = weir_error(WEIR_INVALID_ARGUMENT, "Input '%s' not found", input_name);
    else if ((size_t)arg < op->groups.count)
        length = op->groups.at[arg].count;
    else
        result = length_by_attrs(op, &op->def->in[arg], &length);
    return weir_capi_end(status, result) ? length : -1;
}

int TFE_OpGetOutputLength(TFE_Op *op, const char *output_name, TF_Status *status)
{
    int length = -1, arg = find_arg(op->def->out, op->def->out_count, output_name);
    weir_status result =
        arg < 0 ? weir_error(WEIR_INVALID_ARGUMENT, "Output '%s' not found", output_name) : WEIR_OK;
    if (!result && op->groups.count == (size_t)op->def->in_count)
        result = weir_eager_match(op);
    if (!result)
        result = length_by_attrs(op, &op->def->out[arg], &length);
    return weir_capi_end(status, result) ? length : -1;
}
