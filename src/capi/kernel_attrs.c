/* capi/kernel_attrs.c - TF_OpKernelConstruction: the attrs for creating a kernel. */
#include "capi/kernel_impl.h"
#include "graph/proto.h"
#include "tensor/proto.h"
#include "wire/messages.h"

/* ---- lookup ---------------------------------------------------------------------------------- */

/* In the order of weir_attr_kind. */
static const char *const words[] = {"unset", "string", "int",    "float", "bool",
                                    "type",  "shape",  "tensor", "func",  "placeholder"};

static weir_status find(const TF_OpKernelConstruction *ctx, const char *name, const weir_attr **out)
{
    int i = weir_opdef_attr(ctx->site->def, name);
    if (i < 0)
        return weir_error(WEIR_NOT_FOUND, "No attr named '%s' in NodeDef:\n\t [[{{node %s}}]]",
                          name, ctx->site->name);
    *out = &ctx->site->attrs[i];
    return WEIR_OK;
}

static weir_status find_kind(const TF_OpKernelConstruction *ctx, const char *name,
                             weir_attr_kind kind, bool list, const weir_attr **out)
{
    const weir_attr *attr = NULL;
    WEIR_TRY(find(ctx, name, &attr));
    bool empty = attr->is_list && !attr->count;
    if (attr->is_list != list || (!empty && attr->kind != kind))
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "AttrValue had value with type '%s%s%s' when '%s%s%s' expected",
                          attr->is_list ? "list(" : "", words[attr->kind], attr->is_list ? ")" : "",
                          list ? "list(" : "", words[kind], list ? ")" : "");
    *out = attr;
    return WEIR_OK;
}

bool TF_OpKernelConstruction_HasAttr(TF_OpKernelConstruction *ctx, const char *attr_name,
                                     TF_Status *status)
{
    weir_capi_end(status, WEIR_OK);
    return weir_opdef_attr(ctx->site->def, attr_name) >= 0;
}

/* ---- sizes ------------------------------------------------------------------------------------
 */

static int32_t string_bytes(const weir_attr *attr)
{
    int64_t total = attr->is_list ? 0 : (int64_t)attr->s.length;
    for (int i = 0; attr->is_list && i < attr->count; i++)
        total += (int64_t)attr->ss[i].length;
    return (int32_t)total;
}

static int32_t shape_dims(const weir_attr *attr)
{
    int32_t total = attr->is_list ? 0 : attr->shape->rank;
    for (int i = 0; attr->is_list && i < attr->count; i++)
        total += attr->shapes[i].rank > 0 ? attr->shapes[i].rank : 0;
    return total;
}

void TF_OpKernelConstruction_GetAttrSize(TF_OpKernelConstruction *ctx, const char *attr_name,
                                         int32_t *list_size, int32_t *total_size, TF_Status *status)
{
    const weir_attr *attr = NULL;
    *list_size = *total_size = -1;
    if (!weir_capi_end(status, find(ctx, attr_name, &attr)))
        return;
    if (attr->is_list)
        *list_size = attr->count;
    if (attr->kind == WEIR_ATTR_STRING)
        *total_size = string_bytes(attr);
    else if (attr->kind == WEIR_ATTR_SHAPE)
        *total_size = shape_dims(attr);
}

/* ---- plain values and lists ------------------------------------------------------------------ */

#define GET_ONE(Name, type, KIND, field)                                                           \
    void TF_OpKernelConstruction_GetAttr##Name(                                                    \
        TF_OpKernelConstruction *ctx, const char *attr_name, type *val, TF_Status *status)         \
    {                                                                                              \
        const weir_attr *attr = NULL;                                                              \
        if (weir_capi_end(status, find_kind(ctx, attr_name, KIND, false, &attr)))                  \
            *val = (type)attr->field;                                                              \
    }
#define GET_LIST(Name, type, KIND, field)                                                          \
    void TF_OpKernelConstruction_GetAttr##Name##List(TF_OpKernelConstruction *ctx,                 \
                                                     const char *attr_name, type *vals,            \
                                                     int max_vals, TF_Status *status)              \
    {                                                                                              \
        const weir_attr *attr = NULL;                                                              \
        if (!weir_capi_end(status, find_kind(ctx, attr_name, KIND, true, &attr)))                  \
            return;                                                                                \
        for (int i = 0; i < weir_capi_at_most(attr, max_vals); i++)                                \
            vals[i] = (type)attr->field[i];                                                        \
    }
#define GET_BOTH(Name, type, KIND, field)                                                          \
    GET_ONE(Name, type, KIND, field)                                                               \
    GET_LIST(Name, type, KIND, field##s)

GET_BOTH(Int64, int64_t, WEIR_ATTR_INT, i)
GET_LIST(Int32, int32_t, WEIR_ATTR_INT, is)
GET_BOTH(Float, float, WEIR_ATTR_FLOAT, f)
GET_BOTH(Bool, TF_Bool, WEIR_ATTR_BOOL, b)
GET_BOTH(Type, TF_DataType, WEIR_ATTR_TYPE, type)

static weir_status int32_of(TF_OpKernelConstruction *ctx, const char *name, int32_t *out_value)
{
    const weir_attr *attr = NULL;
    WEIR_TRY(find_kind(ctx, name, WEIR_ATTR_INT, false, &attr));
    if (attr->i != (int32_t)attr->i)
        return weir_error(WEIR_INVALID_ARGUMENT, "Attr %s has value %lld out of range for an int32",
                          name, (long long)attr->i);
    *out_value = (int32_t)attr->i;
    return WEIR_OK;
}

void TF_OpKernelConstruction_GetAttrInt32(TF_OpKernelConstruction *ctx, const char *attr_name,
                                          int32_t *val, TF_Status *status)
{
    weir_capi_end(status, int32_of(ctx, attr_name, val));
}

/* ---- strings, tensors, functions ------------------------------------------------------------- */

void TF_OpKernelConstruction_GetAttrString(TF_OpKernelConstruction *ctx, const char *attr_name,
                                           char *val, size_t max_length, TF_Status *status)
{
    const weir_attr *attr = NULL;
    if (weir_capi_end(status, find_kind(ctx, attr_name, WEIR_ATTR_STRING, false, &attr)))
        weir_capi_copy_string(attr, val, max_length);
}

void TF_OpKernelConstruction_GetAttrStringList(TF_OpKernelConstruction *ctx, const char *attr_name,
                                               char **values, size_t *lengths, int max_values,
                                               void *storage, size_t storage_size,
                                               TF_Status *status)
{
    const weir_attr *attr = NULL;
    if (weir_capi_end(status, find_kind(ctx, attr_name, WEIR_ATTR_STRING, true, &attr)))
        weir_capi_end(status,
                      weir_capi_copy_strings(attr, weir_capi_at_most(attr, max_values),
                                             (void **)values, lengths, storage, storage_size));
}

void TF_OpKernelConstruction_GetAttrTensor(TF_OpKernelConstruction *ctx, const char *attr_name,
                                           TF_Tensor **val, TF_Status *status)
{
    const weir_attr *attr = NULL;
    *val = NULL;
    if (weir_capi_end(status, find_kind(ctx, attr_name, WEIR_ATTR_TENSOR, false, &attr)))
        *val = weir_capi_tensor(weir_tensor_share(attr->tensor));
}

void TF_OpKernelConstruction_GetAttrTensorList(TF_OpKernelConstruction *ctx, const char *attr_name,
                                               TF_Tensor **vals, int max_values, TF_Status *status)
{
    const weir_attr *attr = NULL;
    if (!weir_capi_end(status, find_kind(ctx, attr_name, WEIR_ATTR_TENSOR, true, &attr)))
        return;
    for (int i = 0; i < weir_capi_at_most(attr, max_values); i++)
        vals[i] = weir_capi_tensor(weir_tensor_share(&attr->tensors[i]));
}

/* The NameAttrList inside an AttrValue. */
static weir_status function_bytes(const weir_attr *attr, weir_buf *out)
{
    WEIR_MESSAGE_ARENA(arena);
    WEIR_BUF(bytes);
    weir_attr_export(attr, &bytes);
    weir_msg_attr_value value;
    WEIR_TRY(weir_msg_attr_value_read(weir_view(&bytes), &arena, &value));
    weir_msg_name_attr_list_write(value.func, out);
    return WEIR_OK;
}

TF_Buffer *TF_OpKernelConstruction_GetAttrFunction(TF_OpKernelConstruction *ctx,
                                                   const char *attr_name, TF_Status *status)
{
    const weir_attr *attr = NULL;
    weir_buf bytes = {0};
    if (!weir_capi_end(status, find_kind(ctx, attr_name, WEIR_ATTR_FUNC, false, &attr)) ||
        !weir_capi_end(status, function_bytes(attr, &bytes)))
        return NULL;
    return weir_capi_buffer(&bytes);
}

/* ---- the node ---------------------------------------------------------------------------------
 */

TF_StringView TF_OpKernelConstruction_GetName(TF_OpKernelConstruction *ctx)
{
    return (TF_StringView){ctx->site->name, strlen(ctx->site->name)};
}

TF_Buffer *TF_OpKernelConstruction_GetNodeDef(TF_OpKernelConstruction *ctx, TF_Status *status)
{
    const weir_site *site = ctx->site;
    weir_buf bytes = {0};
    weir_msg_node_def node = {.name = weir_str_of(site->name), .op = weir_str_of(site->def->name)};
    if (site->device)
        node.device = weir_str_of(site->device);
    weir_msg_node_def_write(&node, &bytes);
    for (int i = 0; i < site->def->attr_count; i++)
        weir_named_attr_write(&bytes, WEIR_FIELD_node_def_attr, site->def->attrs[i].name,
                              &site->attrs[i]);
    weir_capi_end(status, WEIR_OK);
    return weir_capi_buffer(&bytes);
}

void TF_OpKernelConstruction_Failure(TF_OpKernelConstruction *ctx, TF_Status *status)
{
    if (!ctx->failure)
        ctx->failure = weir_capi_status(status);
}
