/* capi/attr.c - reading the attrs of nodes. */
#include "capi/capi_impl.h"
#include "tensor/proto.h"

/* In the order of weir_attr_kind: the API's number, and the name in messages. */
static const struct {
    TF_AttrType type;
    const char *word;
} kinds[] = {
    [WEIR_ATTR_NONE] = {TF_ATTR_STRING, "unset"},
    [WEIR_ATTR_STRING] = {TF_ATTR_STRING, "string"},
    [WEIR_ATTR_INT] = {TF_ATTR_INT, "int"},
    [WEIR_ATTR_FLOAT] = {TF_ATTR_FLOAT, "float"},
    [WEIR_ATTR_BOOL] = {TF_ATTR_BOOL, "bool"},
    [WEIR_ATTR_TYPE] = {TF_ATTR_TYPE, "type"},
    [WEIR_ATTR_SHAPE] = {TF_ATTR_SHAPE, "shape"},
    [WEIR_ATTR_TENSOR] = {TF_ATTR_TENSOR, "tensor"},
    [WEIR_ATTR_FUNC] = {TF_ATTR_FUNC, "func"},
    [WEIR_ATTR_PLACEHOLDER] = {TF_ATTR_PLACEHOLDER, "placeholder"},
};

/* ---- lookup ---------------------------------------------------------------------------------- */

static weir_status find(const TF_Operation *oper, const char *name, const weir_attr **out)
{
    const weir_node *node = weir_capi_node(oper);
    const weir_attr *attr = weir_node_attr(node, name);
    if (!attr)
        return weir_error(WEIR_INVALID_ARGUMENT, "Operation '%s' has no attr named '%s'.",
                          node->site.name, name);
    *out = attr;
    return WEIR_OK;
}

static weir_status find_one(const TF_Operation *oper, const char *name, weir_attr_kind kind,
                            const weir_attr **out)
{
    const weir_node *node = weir_capi_node(oper);
    const weir_attr *attr = weir_node_attr(node, name);
    if (!attr)
        return weir_error(WEIR_NOT_FOUND, "No attr named '%s' in NodeDef:\n\t [[{{node %s}}]]",
                          name, node->site.name);
    if (attr->is_list || attr->kind != kind)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "AttrValue had value with type '%s%s%s' when '%s' expected",
                          attr->is_list ? "list(" : "", kinds[attr->kind].word,
                          attr->is_list ? ")" : "", kinds[kind].word);
    *out = attr;
    return WEIR_OK;
}

static weir_status find_list(const TF_Operation *oper, const char *name, weir_attr_kind kind,
                             const weir_attr **out)
{
    const weir_attr *attr = NULL;
    WEIR_TRY(find(oper, name, &attr));
    if (!attr->is_list)
        return weir_error(WEIR_INVALID_ARGUMENT, "Value for '%s' is not a list.", name);
    if (attr->count && attr->kind != kind)
        return weir_error(WEIR_INVALID_ARGUMENT, "Value for '%s' is a list(%s), not a list(%s).",
                          name, kinds[attr->kind].word, kinds[kind].word);
    *out = attr;
    return WEIR_OK;
}

/* ---- metadata -------------------------------------------------------------------------------- */

static int64_t total_strings(const weir_attr *attr)
{
    int64_t total = 0;
    for (int i = 0; i < attr->count; i++)
        total += (int64_t)attr->ss[i].length;
    return total;
}

static int64_t total_dims(const weir_attr *attr)
{
    int64_t total = 0;
    for (int i = 0; i < attr->count; i++)
        total += attr->shapes[i].rank > 0 ? attr->shapes[i].rank : 0;
    return total;
}

static int64_t total_size(const weir_attr *attr)
{
    if (attr->is_list && !attr->count)
        return -1;
    switch (attr->kind) {
    case WEIR_ATTR_STRING:
        return attr->is_list ? total_strings(attr) : (int64_t)attr->s.length;
    case WEIR_ATTR_SHAPE:
        return attr->is_list ? total_dims(attr) : attr->shape->rank;
    default:
        return -1;
    }
}

/* The signature determines the kind of an empty list. */
static weir_attr_kind kind_of(const weir_node *node, const char *name, const weir_attr *attr)
{
    int i = weir_opdef_attr(node->site.def, name);
    return attr->kind == WEIR_ATTR_NONE && i >= 0 ? node->site.def->attrs[i].kind : attr->kind;
}

TF_AttrMetadata TF_OperationGetAttrMetadata(TF_Operation *oper, const char *attr_name,
                                            TF_Status *status)
{
    TF_AttrMetadata metadata = {.list_size = -1, .total_size = -1};
    const weir_attr *attr = NULL;
    if (!weir_capi_end(status, find(oper, attr_name, &attr)))
        return metadata;
    metadata.is_list = attr->is_list;
    metadata.list_size = attr->is_list ? attr->count : -1;
    metadata.type = kinds[kind_of(weir_capi_node(oper), attr_name, attr)].type;
    metadata.total_size = total_size(attr);
    return metadata;
}

/* Attrs in order: those of the signature, then the others. Null past the end. */
static const char *attr_name_at(const TF_Operation *oper, int i)
{
    const weir_node *node = weir_capi_node(oper);
    int declared = node->site.def->attr_count;
    if (i < 0 || i >= declared + node->extra_count)
        return NULL;
    return i < declared ? node->site.def->attrs[i].name : node->extra[i - declared].name;
}

int TF_OperationGetNumAttrs(TF_Operation *oper)
{
    const weir_node *node = weir_capi_node(oper);
    return node->site.def->attr_count + node->extra_count;
}

int TF_OperationGetAttrNameLength(TF_Operation *oper, int i)
{
    const char *name = attr_name_at(oper, i);
    return name ? (int)strlen(name) : -1;
}

void TF_OperationGetAttrName(TF_Operation *oper, int i, char *output, TF_Status *status)
{
    const char *name = attr_name_at(oper, i);
    weir_capi_end(status, name ? WEIR_OK
                               : weir_error(WEIR_OUT_OF_RANGE,
                                            "Operation only has %d attributes, "
                                            "can't get the %dth",
                                            TF_OperationGetNumAttrs(oper), i));
    if (name)
        memcpy(output, name, strlen(name));
}

/* ---- plain values and lists ------------------------------------------------------------------ */

#define GET_ONE(Name, type, KIND, field)                                                           \
    void TF_OperationGetAttr##Name(TF_Operation *oper, const char *attr_name, type *value,         \
                                   TF_Status *status)                                              \
    {                                                                                              \
        const weir_attr *a = NULL;                                                                 \
        if (weir_capi_end(status, find_one(oper, attr_name, KIND, &a)))                            \
            *value = (type)a->field;                                                               \
    }
#define GET_LIST(Name, type, KIND, field)                                                          \
    void TF_OperationGetAttr##Name##List(TF_Operation *oper, const char *attr_name, type *values,  \
                                         int max_values, TF_Status *status)                        \
    {                                                                                              \
        const weir_attr *a = NULL;                                                                 \
        if (!weir_capi_end(status, find_list(oper, attr_name, KIND, &a)))                          \
            return;                                                                                \
        for (int i = 0; i < weir_capi_at_most(a, max_values); i++)                                 \
            values[i] = (type)a->field[i];                                                         \
    }
#define GET_BOTH(Name, type, KIND, field)                                                          \
    GET_ONE(Name, type, KIND, field)                                                               \
    GET_LIST(Name, type, KIND, field##s)

GET_BOTH(Int, int64_t, WEIR_ATTR_INT, i)
GET_BOTH(Float, float, WEIR_ATTR_FLOAT, f)
GET_BOTH(Bool, unsigned char, WEIR_ATTR_BOOL, b)
GET_BOTH(Type, TF_DataType, WEIR_ATTR_TYPE, type)

/* ---- strings --------------------------------------------------------------------------------- */

static weir_status find_string(const TF_Operation *oper, const char *name, const weir_attr **out)
{
    const weir_attr *attr = NULL;
    WEIR_TRY(find(oper, name, &attr));
    if (attr->is_list || attr->kind != WEIR_ATTR_STRING)
        return weir_error(WEIR_INVALID_ARGUMENT, "Attribute '%s' is not a string", name);
    *out = attr;
    return WEIR_OK;
}

void TF_OperationGetAttrString(TF_Operation *oper, const char *attr_name, void *value,
                               size_t max_length, TF_Status *status)
{
    const weir_attr *attr = NULL;
    if (weir_capi_end(status, find_string(oper, attr_name, &attr)))
        weir_capi_copy_string(attr, value, max_length);
}

void weir_capi_copy_string(const weir_attr *attr, void *out, size_t room)
{
    size_t length = attr->s.length < room ? attr->s.length : room;
    if (length)
        memcpy(out, attr->s.at, length);
}

weir_status weir_capi_copy_strings(const weir_attr *attr, int count, void **out_values,
                                   size_t *out_lengths, char *storage, size_t room)
{
    for (int i = 0; i < count; i++) {
        weir_str text = attr->ss[i];
        if (text.length > room)
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "Not enough storage to hold the requested list of strings");
        out_values[i] = storage;
        out_lengths[i] = text.length;
        if (text.length)
            memcpy(storage, text.at, text.length);
        storage += text.length;
        room -= text.length;
    }
    return WEIR_OK;
}

void TF_OperationGetAttrStringList(TF_Operation *oper, const char *attr_name, void **values,
                                   size_t *lengths, int max_values, void *storage,
                                   size_t storage_size, TF_Status *status)
{
    const weir_attr *attr = NULL;
    if (weir_capi_end(status, find_list(oper, attr_name, WEIR_ATTR_STRING, &attr)))
        weir_capi_end(status, weir_capi_copy_strings(attr, weir_capi_at_most(attr, max_values),
                                                     values, lengths, storage, storage_size));
}

/* ---- shapes ---------------------------------------------------------------------------------- */

void TF_OperationGetAttrShape(TF_Operation *oper, const char *attr_name, int64_t *value,
                              int num_dims, TF_Status *status)
{
    const weir_attr *attr = NULL;
    if (!weir_capi_end(status, find_one(oper, attr_name, WEIR_ATTR_SHAPE, &attr)))
        return;
    for (int i = 0; i < attr->shape->rank && i < num_dims; i++)
        value[i] = attr->shape->dims[i];
}

static weir_status copy_shapes(const weir_attr *attr, int count, int64_t **dims, int *num_dims,
                               int64_t *storage, int room)
{
    for (int i = 0; i < count; i++) {
        const weir_shape *shape = &attr->shapes[i];
        num_dims[i] = shape->rank;
        dims[i] = storage;
        if (shape->rank > room)
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "Not enough storage to hold the requested list of shapes");
        for (int k = 0; k < shape->rank; k++, room--)
            *storage++ = shape->dims[k];
    }
    return WEIR_OK;
}

void TF_OperationGetAttrShapeList(TF_Operation *oper, const char *attr_name, int64_t **dims,
                                  int *num_dims, int num_shapes, int64_t *storage, int storage_size,
                                  TF_Status *status)
{
    const weir_attr *attr = NULL;
    if (weir_capi_end(status, find_list(oper, attr_name, WEIR_ATTR_SHAPE, &attr)))
        weir_capi_end(status, copy_shapes(attr, weir_capi_at_most(attr, num_shapes), dims, num_dims,
                                          storage, storage_size));
}

static weir_status find_shape(const TF_Operation *oper, const char *name, const weir_attr **out)
{
    const weir_attr *attr = NULL;
    WEIR_TRY(find(oper, name, &attr));
    if (attr->is_list || attr->kind != WEIR_ATTR_SHAPE)
        return weir_error(WEIR_INVALID_ARGUMENT, "Value for '%s' is not a shape.", name);
    *out = attr;
    return WEIR_OK;
}

void TF_OperationGetAttrTensorShapeProto(TF_Operation *oper, const char *attr_name,
                                         TF_Buffer *value, TF_Status *status)
{
    const weir_attr *attr = NULL;
    if (!weir_capi_end(status, find_shape(oper, attr_name, &attr)))
        return;
    weir_buf bytes = {0};
    weir_shape_encode(attr->shape, &bytes);
    weir_capi_end(status, weir_capi_fill(value, &bytes));
}

void TF_OperationGetAttrTensorShapeProtoList(TF_Operation *oper, const char *attr_name,
                                             TF_Buffer **values, int max_values, TF_Status *status)
{
    const weir_attr *attr = NULL;
    if (!weir_capi_end(status, find_list(oper, attr_name, WEIR_ATTR_SHAPE, &attr)))
        return;
    for (int i = 0; i < weir_capi_at_most(attr, max_values); i++) {
        weir_buf bytes = {0};
        weir_shape_encode(&attr->shapes[i], &bytes);
        values[i] = weir_capi_buffer(&bytes);
    }
}

/* ---- tensors and everything ------------------------------------------------------------------ */

void TF_OperationGetAttrTensor(TF_Operation *oper, const char *attr_name, TF_Tensor **value,
                               TF_Status *status)
{
    const weir_attr *attr = NULL;
    *value = NULL;
    if (weir_capi_end(status, find_one(oper, attr_name, WEIR_ATTR_TENSOR, &attr)))
        *value = weir_capi_tensor(weir_tensor_share(attr->tensor));
}

void TF_OperationGetAttrTensorList(TF_Operation *oper, const char *attr_name, TF_Tensor **values,
                                   int max_values, TF_Status *status)
{
    const weir_attr *attr = NULL;
    if (!weir_capi_end(status, find_list(oper, attr_name, WEIR_ATTR_TENSOR, &attr)))
        return;
    for (int i = 0; i < weir_capi_at_most(attr, max_values); i++)
        values[i] = weir_capi_tensor(weir_tensor_share(&attr->tensors[i]));
}

void TF_OperationGetAttrValueProto(TF_Operation *oper, const char *attr_name,
                                   TF_Buffer *output_attr_value, TF_Status *status)
{
    const weir_attr *attr = NULL;
    if (!weir_capi_end(status, find(oper, attr_name, &attr)))
        return;
    weir_buf bytes = {0};
    weir_attr_export(attr, &bytes);
    weir_capi_end(status, weir_capi_fill(output_attr_value, &bytes));
}
