/* capi/eager_attr.c - the attrs of a TFE_Op. */
#include "capi/eager_impl.h"

static const TF_AttrType types[] = {
    [WEIR_ATTR_STRING] = TF_ATTR_STRING, [WEIR_ATTR_INT] = TF_ATTR_INT,
    [WEIR_ATTR_FLOAT] = TF_ATTR_FLOAT,   [WEIR_ATTR_BOOL] = TF_ATTR_BOOL,
    [WEIR_ATTR_TYPE] = TF_ATTR_TYPE,     [WEIR_ATTR_SHAPE] = TF_ATTR_SHAPE,
    [WEIR_ATTR_TENSOR] = TF_ATTR_TENSOR, [WEIR_ATTR_FUNC] = TF_ATTR_FUNC,
};

static TF_AttrType attr_type(const weir_opdef *def, const char *name, unsigned char *is_list,
                             TF_Status *status)
{
    int i = weir_opdef_attr(def, name);
    if (!weir_capi_end(status, i >= 0 ? WEIR_OK
                                      : weir_error(WEIR_INVALID_ARGUMENT,
                                                   "Attribute '%s' does not exist for this "
                                                   "operation",
                                                   name)))
        return TF_ATTR_INT;
    *is_list = def->attrs[i].is_list;
    return types[def->attrs[i].kind];
}

TF_AttrType TFE_OpGetAttrType(TFE_Op *op, const char *attr_name, unsigned char *is_list,
                              TF_Status *status)
{
    return attr_type(op->def, attr_name, is_list, status);
}

TF_AttrType TFE_OpNameGetAttrType(TFE_Context *ctx, const char *op_or_function_name,
                                  const char *attr_name, unsigned char *is_list, TF_Status *status)
{
    const weir_opdef *def = NULL;
    weir_capi_lock(ctx->graph);
    bool known = weir_capi_end(status, weir_eager_find_def(ctx, op_or_function_name, &def));
    weir_capi_unlock(ctx->graph);
    return known ? attr_type(def, attr_name, is_list, status) : TF_ATTR_INT;
}

/* ---- setting --------------------------------------------------------------------------------- */

void TFE_OpSetAttrString(TFE_Op *op, const char *attr_name, const void *value, size_t length)
{
    weir_attr_set_string(&op->set, attr_name, value, length);
}

void TFE_OpSetAttrInt(TFE_Op *op, const char *attr_name, int64_t value)
{
    weir_attr_set_int(&op->set, attr_name, value);
}

void TFE_OpSetAttrFloat(TFE_Op *op, const char *attr_name, float value)
{
    weir_attr_set_float(&op->set, attr_name, value);
}

void TFE_OpSetAttrBool(TFE_Op *op, const char *attr_name, unsigned char value)
{
    weir_attr_set_bool(&op->set, attr_name, value != 0);
}

void TFE_OpSetAttrType(TFE_Op *op, const char *attr_name, TF_DataType value)
{
    weir_attr_set_type(&op->set, attr_name, value);
}

void TFE_OpSetAttrShape(TFE_Op *op, const char *attr_name, const int64_t *dims, const int num_dims,
                        TF_Status *out_status)
{
    weir_capi_end(out_status, weir_attr_set_shape(&op->set, attr_name, dims, num_dims));
}

void TFE_OpSetAttrTensor(TFE_Op *op, const char *attr_name, TF_Tensor *tensor, TF_Status *status)
{
    weir_capi_end(status, weir_attr_set_tensor(&op->set, attr_name, tensor));
}

void TFE_OpSetAttrStringList(TFE_Op *op, const char *attr_name, const void *const *values,
                             const size_t *lengths, int num_values)
{
    weir_attr_set_strings(&op->set, attr_name, values, lengths, num_values);
}

void TFE_OpSetAttrIntList(TFE_Op *op, const char *attr_name, const int64_t *values, int num_values)
{
    weir_attr_set_ints(&op->set, attr_name, values, num_values);
}

void TFE_OpSetAttrFloatList(TFE_Op *op, const char *attr_name, const float *values, int num_values)
{
    weir_attr_set_floats(&op->set, attr_name, values, num_values);
}

void TFE_OpSetAttrBoolList(TFE_Op *op, const char *attr_name, const unsigned char *values,
                           int num_values)
{
    weir_attr_set_bools(&op->set, attr_name, values, num_values);
}

void TFE_OpSetAttrTypeList(TFE_Op *op, const char *attr_name, const TF_DataType *values,
                           int num_values)
{
    weir_attr_set_types(&op->set, attr_name, values, num_values);
}

void TFE_OpSetAttrShapeList(TFE_Op *op, const char *attr_name, const int64_t **dims,
                            const int *num_dims, int num_values, TF_Status *out_status)
{
    weir_capi_end(out_status,
                  weir_attr_set_shapes(&op->set, attr_name, dims, num_dims, num_values));
}

/* ---- functions ------------------------------------------------------------------------------- */

static weir_func function_of(const TFE_Op *value)
{
    return (weir_func){value->name, (int32_t)value->set.attrs.count, value->set.attrs.at};
}

void TFE_OpSetAttrFunction(TFE_Op *op, const char *attr_name, const TFE_Op *value)
{
    weir_func func = function_of(value);
    weir_attr attr = {.kind = WEIR_ATTR_FUNC, .func = &func};
    weir_attr_set_put(&op->set, attr_name, &attr);
}

void TFE_OpSetAttrFunctionName(TFE_Op *op, const char *attr_name, const char *data, size_t length)
{
    weir_attr_set_func(&op->set, attr_name, data, length);
}

void TFE_OpSetAttrFunctionList(TFE_Op *op, const char *attr_name, const TFE_Op **value,
                               int num_values)
{
    weir_func *funcs = WEIR_NEW_ARRAY(weir_func, num_values > 0 ? num_values : 0);
    for (int i = 0; i < num_values; i++)
        funcs[i] = function_of(value[i]);
    weir_attr attr = {.kind = WEIR_ATTR_FUNC, .is_list = true, .count = num_values, .funcs = funcs};
    weir_attr_set_put(&op->set, attr_name, &attr);
    weir_free(funcs);
}
