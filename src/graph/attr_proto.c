/* graph/attr_proto.c - conversion of AttrValue in both directions.
 *
 * Large or nested values are written directly to the output; the rest goes through the message
 * struct.
 */
#include "graph/proto.h"
#include "tensor/proto.h"
#include "wire/messages.h"

/* ---- reading --------------------------------------------------------------------------------- */

static weir_str keep(weir_arena *arena, weir_str text)
{
    return (weir_str){weir_arena_strndup(arena, text.at, text.length), text.length};
}

static void release_tensor(void *tensor)
{
    weir_tensor_release(tensor);
}

static weir_status read_tensor(weir_arena *arena, weir_str bytes, weir_tensor *to)
{
    *to = (weir_tensor){0};
    WEIR_TRY(weir_tensor_parse(bytes, to));
    weir_arena_defer(arena, release_tensor, to);
    return WEIR_OK;
}

static weir_status read_func(weir_arena *arena, const weir_msg_name_attr_list *proto, weir_func *to)
{
    weir_named_attr *attrs = WEIR_ARENA_ARRAY(arena, weir_named_attr, proto->attr.count);
    for (size_t i = 0; i < proto->attr.count; i++)
        WEIR_TRY(weir_named_attr_from_proto(arena, proto->attr.at[i].key, proto->attr.at[i].value,
                                            &attrs[i]));
    *to = (weir_func){.name = keep(arena, proto->name).at,
                      .attr_count = (int32_t)proto->attr.count,
                      .attrs = attrs};
    return WEIR_OK;
}

static const void *copy(weir_arena *arena, const void *at, size_t bytes)
{
    return memcpy(weir_arena_alloc(arena, bytes), at, bytes);
}

static const weir_str *keep_all(weir_arena *arena, weir_strs texts)
{
    weir_str *all = WEIR_ARENA_ARRAY(arena, weir_str, texts.count);
    for (size_t i = 0; i < texts.count; i++)
        all[i] = keep(arena, texts.at[i]);
    return all;
}

static weir_status read_shapes(weir_arena *arena, weir_msgs_tensor_shape_proto protos,
                               weir_attr *out)
{
    weir_shape *all = WEIR_ARENA_ARRAY(arena, weir_shape, protos.count);
    for (size_t i = 0; i < protos.count; i++)
        WEIR_TRY(weir_shape_from_proto(&protos.at[i], &all[i]));
    out->shapes = all;
    return WEIR_OK;
}

static weir_status read_tensors(weir_arena *arena, weir_strs protos, weir_attr *out)
{
    weir_tensor *all = WEIR_ARENA_ARRAY(arena, weir_tensor, protos.count);
    for (size_t i = 0; i < protos.count; i++)
        WEIR_TRY(read_tensor(arena, protos.at[i], &all[i]));
    out->tensors = all;
    return WEIR_OK;
}

static weir_status read_funcs(weir_arena *arena, weir_msgs_name_attr_list protos, weir_attr *out)
{
    weir_func *all = WEIR_ARENA_ARRAY(arena, weir_func, protos.count);
    for (size_t i = 0; i < protos.count; i++)
        WEIR_TRY(read_func(arena, &protos.at[i], &all[i]));
    out->funcs = all;
    return WEIR_OK;
}

static weir_attr list_of(weir_attr_kind kind, size_t count)
{
    return (weir_attr){.kind = (uint8_t)kind, .is_list = true, .count = (int32_t)count};
}

/* Reads a list; all elements have the same kind. */
static weir_status read_list(weir_arena *arena, const weir_msg_attr_value_list_value *list,
                             weir_attr *out)
{
    *out = (weir_attr){.is_list = true};
    if (list->s.count) {
        *out = list_of(WEIR_ATTR_STRING, list->s.count);
        out->ss = keep_all(arena, list->s);
    } else if (list->i.count) {
        *out = list_of(WEIR_ATTR_INT, list->i.count);
        out->is = copy(arena, list->i.at, list->i.count * sizeof *list->i.at);
    } else if (list->f.count) {
        *out = list_of(WEIR_ATTR_FLOAT, list->f.count);
        out->fs = copy(arena, list->f.at, list->f.count * sizeof *list->f.at);
    } else if (list->b.count) {
        *out = list_of(WEIR_ATTR_BOOL, list->b.count);
        out->bs = copy(arena, list->b.at, list->b.count * sizeof *list->b.at);
    } else if (list->type.count) {
        *out = list_of(WEIR_ATTR_TYPE, list->type.count);
        out->types = copy(arena, list->type.at, list->type.count * sizeof *list->type.at);
    } else if (list->shape.count) {
        *out = list_of(WEIR_ATTR_SHAPE, list->shape.count);
        return read_shapes(arena, list->shape, out);
    } else if (list->tensor.count) {
        *out = list_of(WEIR_ATTR_TENSOR, list->tensor.count);
        return read_tensors(arena, list->tensor, out);
    } else if (list->func.count) {
        *out = list_of(WEIR_ATTR_FUNC, list->func.count);
        return read_funcs(arena, list->func, out);
    }
    return WEIR_OK;
}

static weir_status read_shape(weir_arena *arena, const weir_msg_tensor_shape_proto *proto,
                              weir_attr *out)
{
    weir_shape *shape = WEIR_ARENA_NEW(arena, weir_shape);
    *out = (weir_attr){.kind = WEIR_ATTR_SHAPE, .shape = shape};
    return weir_shape_from_proto(proto, shape);
}

static weir_status read_one_tensor(weir_arena *arena, weir_str proto, weir_attr *out)
{
    weir_tensor *tensor = WEIR_ARENA_NEW(arena, weir_tensor);
    *out = (weir_attr){.kind = WEIR_ATTR_TENSOR, .tensor = tensor};
    return read_tensor(arena, proto, tensor);
}

static weir_status read_one_func(weir_arena *arena, const weir_msg_name_attr_list *proto,
                                 weir_attr *out)
{
    weir_func *func = WEIR_ARENA_NEW(arena, weir_func);
    *out = (weir_attr){.kind = WEIR_ATTR_FUNC, .func = func};
    return read_func(arena, proto, func);
}

weir_status weir_attr_from_proto(weir_arena *arena, const weir_msg_attr_value *proto,
                                 weir_attr *out_attr)
{
    *out_attr = (weir_attr){0};
    switch (proto ? proto->which_value : 0) {
    case WEIR_FIELD_attr_value_list:
        return read_list(arena, proto->list, out_attr);
    case WEIR_FIELD_attr_value_s:
        *out_attr = (weir_attr){.kind = WEIR_ATTR_STRING, .s = keep(arena, proto->s)};
        return WEIR_OK;
    case WEIR_FIELD_attr_value_i:
        *out_attr = (weir_attr){.kind = WEIR_ATTR_INT, .i = proto->i};
        return WEIR_OK;
    case WEIR_FIELD_attr_value_f:
        *out_attr = (weir_attr){.kind = WEIR_ATTR_FLOAT, .f = proto->f};
        return WEIR_OK;
    case WEIR_FIELD_attr_value_b:
        *out_attr = (weir_attr){.kind = WEIR_ATTR_BOOL, .b = proto->b};
        return WEIR_OK;
    case WEIR_FIELD_attr_value_type:
        *out_attr = (weir_attr){.kind = WEIR_ATTR_TYPE, .type = proto->type};
        return WEIR_OK;
    case WEIR_FIELD_attr_value_shape:
        return read_shape(arena, proto->shape, out_attr);
    case WEIR_FIELD_attr_value_tensor:
        return read_one_tensor(arena, proto->tensor, out_attr);
    case WEIR_FIELD_attr_value_placeholder:
        *out_attr =
            (weir_attr){.kind = WEIR_ATTR_PLACEHOLDER, .s = keep(arena, proto->placeholder)};
        return WEIR_OK;
    case WEIR_FIELD_attr_value_func:
        return read_one_func(arena, proto->func, out_attr);
    default:
        return WEIR_OK;
    }
}

weir_status weir_named_attr_from_proto(weir_arena *arena, weir_str name,
                                       const weir_msg_attr_value *value, weir_named_attr *out)
{
    out->name = keep(arena, name).at;
    weir_status status = weir_attr_from_proto(arena, value, &out->value);
    if (!status || out->name[0] != '_')
        return status;
    weir_status_free(status);
    out->value = (weir_attr){0};
    return WEIR_OK;
}

weir_status weir_attr_import(weir_arena *arena, weir_str bytes, weir_attr *out_attr)
{
    WEIR_MESSAGE_ARENA(scratch);
    weir_msg_attr_value proto;
    WEIR_TRY(weir_msg_attr_value_read(bytes, &scratch, &proto));
    return weir_attr_from_proto(arena, &proto, out_attr);
}

/* ---- writing --------------------------------------------------------------------------------- */

void weir_named_attr_write(weir_buf *out, uint32_t field, const char *name, const weir_attr *value)
{
    size_t entry = weir_message_open(out, field);
    weir_message_put_bytes(out, WEIR_FIELD_entry_key, weir_str_of(name));
    size_t inner = weir_message_open(out, WEIR_FIELD_entry_value);
    weir_attr_export(value, out);
    weir_message_close(out, inner);
    weir_message_close(out, entry);
}

static void write_shape(weir_buf *out, uint32_t field, const weir_shape *shape)
{
    size_t mark = weir_message_open(out, field);
    weir_shape_encode(shape, out);
    weir_message_close(out, mark);
}

static void write_tensor(weir_buf *out, uint32_t field, const weir_tensor *tensor)
{
    size_t mark = weir_message_open(out, field);
    weir_status_free(weir_tensor_encode(tensor, out)); /* fails for variants only, not in attrs */
    weir_message_close(out, mark);
}

static void write_func(weir_buf *out, uint32_t field, const weir_func *func)
{
    size_t mark = weir_message_open(out, field);
    if (*func->name)
        weir_message_put_bytes(out, WEIR_FIELD_name_attr_list_name, weir_str_of(func->name));
    for (int i = 0; i < func->attr_count; i++)
        weir_named_attr_write(out, WEIR_FIELD_name_attr_list_attr, func->attrs[i].name,
                              &func->attrs[i].value);
    weir_message_close(out, mark);
}

/* Lists with the same representation in the message's struct as in an attr. */
static weir_msg_attr_value_list_value simple_list(const weir_attr *attr)
{
    size_t count = (size_t)attr->count;
    switch (attr->kind) {
    case WEIR_ATTR_STRING:
        return (weir_msg_attr_value_list_value){.s = {attr->ss, count}};
    case WEIR_ATTR_INT:
        return (weir_msg_attr_value_list_value){.i = {attr->is, count}};
    case WEIR_ATTR_FLOAT:
        return (weir_msg_attr_value_list_value){.f = {attr->fs, count}};
    case WEIR_ATTR_BOOL:
        return (weir_msg_attr_value_list_value){.b = {attr->bs, count}};
    case WEIR_ATTR_TYPE:
        return (weir_msg_attr_value_list_value){.type = {attr->types, count}};
    default:
        return (weir_msg_attr_value_list_value){0};
    }
}

static void write_list(weir_buf *out, const weir_attr *attr)
{
    size_t mark = weir_message_open(out, WEIR_FIELD_attr_value_list);
    weir_msg_attr_value_list_value simple = simple_list(attr);
    weir_msg_attr_value_list_value_write(&simple, out);
    for (int i = 0; i < attr->count; i++)
        if (attr->kind == WEIR_ATTR_SHAPE)
            write_shape(out, WEIR_FIELD_attr_value_list_value_shape, &attr->shapes[i]);
        else if (attr->kind == WEIR_ATTR_TENSOR)
            write_tensor(out, WEIR_FIELD_attr_value_list_value_tensor, &attr->tensors[i]);
        else if (attr->kind == WEIR_ATTR_FUNC)
            write_func(out, WEIR_FIELD_attr_value_list_value_func, &attr->funcs[i]);
    weir_message_close(out, mark);
}

static weir_msg_attr_value simple_value(const weir_attr *attr)
{
    switch (attr->kind) {
    case WEIR_ATTR_STRING:
        return (weir_msg_attr_value){.which_value = WEIR_FIELD_attr_value_s, .s = attr->s};
    case WEIR_ATTR_INT:
        return (weir_msg_attr_value){.which_value = WEIR_FIELD_attr_value_i, .i = attr->i};
    case WEIR_ATTR_FLOAT:
        return (weir_msg_attr_value){.which_value = WEIR_FIELD_attr_value_f, .f = attr->f};
    case WEIR_ATTR_BOOL:
        return (weir_msg_attr_value){.which_value = WEIR_FIELD_attr_value_b, .b = attr->b};
    case WEIR_ATTR_TYPE:
        return (weir_msg_attr_value){.which_value = WEIR_FIELD_attr_value_type, .type = attr->type};
    case WEIR_ATTR_PLACEHOLDER:
        return (weir_msg_attr_value){.which_value = WEIR_FIELD_attr_value_placeholder,
                                     .placeholder = attr->s};
    default:
        return (weir_msg_attr_value){0};
    }
}

void weir_attr_export(const weir_attr *attr, weir_buf *out)
{
    if (attr->is_list) {
        write_list(out, attr);
    } else if (attr->kind == WEIR_ATTR_SHAPE) {
        write_shape(out, WEIR_FIELD_attr_value_shape, attr->shape);
    } else if (attr->kind == WEIR_ATTR_TENSOR) {
        write_tensor(out, WEIR_FIELD_attr_value_tensor, attr->tensor);
    } else if (attr->kind == WEIR_ATTR_FUNC) {
        write_func(out, WEIR_FIELD_attr_value_func, attr->func);
    } else {
        weir_msg_attr_value simple = simple_value(attr);
        weir_msg_attr_value_write(&simple, out);
    }
}
