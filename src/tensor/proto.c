/* tensor/proto.c - converts tensors, shapes and handles from and to messages. */
#include "tensor/proto.h"

#include "base/arith.h"
#include "base/room.h"
#include "base/stack.h"
#include "tensor/opaque.h"
#include "tensor/tstring.h"
#include "tensor/values.h"
#include "wire/messages.h"
#include "wire/varint.h"

/* ---- shapes ---------------------------------------------------------------------------------- */

weir_status weir_shape_from_proto(const weir_msg_tensor_shape_proto *proto, weir_shape *out_shape)
{
    int64_t dims[WEIR_MAX_RANK + 1];
    size_t rank = proto ? proto->dim.count : 0;
    for (size_t i = 0; i < rank && i <= WEIR_MAX_RANK; i++)
        dims[i] = proto->dim.at[i].size;
    return weir_shape_make(dims, proto && proto->unknown_rank ? -1 : (int64_t)rank, out_shape);
}

weir_status weir_shape_parse(weir_str proto, weir_shape *out_shape)
{
    WEIR_MESSAGE_ARENA(arena);
    weir_msg_tensor_shape_proto shape;
    WEIR_TRY(weir_msg_tensor_shape_proto_read(proto, &arena, &shape));
    return weir_shape_from_proto(&shape, out_shape);
}

static weir_msg_tensor_shape_proto shape_message(const weir_shape *shape,
                                                 weir_msg_tensor_shape_proto_dim *dims)
{
    for (int i = 0; i < shape->rank; i++)
        dims[i] = (weir_msg_tensor_shape_proto_dim){.size = shape->dims[i]};
    return (weir_msg_tensor_shape_proto){.dim = {dims, shape->rank < 0 ? 0 : (size_t)shape->rank},
                                         .unknown_rank = shape->rank < 0};
}

const weir_msg_tensor_shape_proto *weir_shape_to_proto(const weir_shape *shape, weir_arena *arena)
{
    weir_msg_tensor_shape_proto *proto = WEIR_ARENA_NEW(arena, weir_msg_tensor_shape_proto);
    *proto = shape_message(
        shape, WEIR_ARENA_ARRAY(arena, weir_msg_tensor_shape_proto_dim, weir_max(shape->rank, 0)));
    return proto;
}

void weir_shape_encode(const weir_shape *shape, weir_buf *out)
{
    weir_msg_tensor_shape_proto_dim dims[WEIR_MAX_RANK];
    weir_msg_tensor_shape_proto proto = shape_message(shape, dims);
    weir_msg_tensor_shape_proto_write(&proto, out);
}

/* ---- tensors, reading ------------------------------------------------------------------------ */

static void fill_strings(const weir_msg_tensor_proto *proto, weir_tensor *tensor)
{
    int64_t have = (int64_t)proto->string_val.count, count = weir_tensor_count(tensor);
    weir_tstring *to = tensor->data;
    for (int64_t i = 0; have && i < count; i++) { /* the last one is repeated */
        weir_str from = proto->string_val.at[weir_min(i, have - 1)];
        weir_tstring_set(&to[i], from.at, from.length);
    }
}

static weir_status handle_from(const weir_msg_resource_handle_proto *proto,
                               weir_handle **out_handle);

static weir_status fill_handles(const weir_msg_tensor_proto *proto, weir_tensor *tensor)
{
    int64_t count = weir_min((int64_t)proto->resource_handle_val.count, weir_tensor_count(tensor));
    for (int64_t i = 0; i < count; i++)
        WEIR_TRY(handle_from(&proto->resource_handle_val.at[i], (weir_handle **)tensor->data + i));
    return WEIR_OK;
}

static void fill_variants(const weir_msg_tensor_proto *proto, weir_tensor *tensor)
{
    int64_t count = weir_min((int64_t)proto->variant_val.count, weir_tensor_count(tensor));
    for (int64_t i = 0; i < count; i++)
        ((weir_variant **)tensor->data)[i] = weir_opaque_create(proto->variant_val.at[i]);
}

/* Decodes element |i| of a list in tensor_content. */
static weir_status set_listed(weir_tensor *tensor, int64_t i, weir_str bytes)
{
    if (tensor->dtype == WEIR_STRING)
        weir_tstring_set((weir_tstring *)tensor->data + i, bytes.at, bytes.length);
    else if (tensor->dtype == WEIR_RESOURCE)
        return weir_handle_parse(bytes, &((weir_handle **)tensor->data)[i]);
    else
        ((weir_variant **)tensor->data)[i] = weir_opaque_create(bytes);
    return WEIR_OK;
}

/* Strings, handles and variants in tensor_content: all lengths as varints, then all bytes. */
static weir_status list_of_content(weir_str content, weir_tensor *tensor)
{
    const uint8_t *at = (const uint8_t *)content.at, *end = at + content.length;
    int64_t count = weir_tensor_count(tensor);
    WEIR_FREED uint64_t *lengths = WEIR_NEW_ARRAY(uint64_t, count);
    bool ok = true;
    for (int64_t i = 0; i < count && ok; i++)
        ok = weir_varint_get(&at, end, &lengths[i]);
    weir_status status = WEIR_OK;
    for (int64_t i = 0; i < count && ok && !status; i++) {
        ok = lengths[i] <= (uint64_t)(end - at);
        if (ok) {
            status = set_listed(tensor, i, (weir_str){(const char *)at, lengths[i]});
            at += lengths[i];
        }
    }
    if (!status && (!ok || at != end))
        status = weir_error(WEIR_INVALID_ARGUMENT, "malformed tensor_content of %s",
                            weir_dtype_name(tensor->dtype));
    return status;
}

static weir_status fill_content(weir_str content, weir_tensor *tensor)
{
    if (!weir_dtype_is_plain(tensor->dtype))
        return list_of_content(content, tensor);
    if (content.length != weir_tensor_bytes(tensor))
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "tensor_content has %zu bytes, but %s of shape %s needs %zu",
                          content.length, weir_dtype_name(tensor->dtype),
                          WEIR_SHAPE_STR(&tensor->shape), weir_tensor_bytes(tensor));
    memcpy(tensor->data, content.at, content.length);
    return WEIR_OK;
}

static weir_status fill(const weir_msg_tensor_proto *proto, weir_tensor *tensor)
{
    if (proto->tensor_content.length)
        return fill_content(proto->tensor_content, tensor);
    if (tensor->dtype == WEIR_RESOURCE)
        return fill_handles(proto, tensor);
    if (tensor->dtype == WEIR_STRING)
        fill_strings(proto, tensor);
    else if (tensor->dtype == WEIR_VARIANT)
        fill_variants(proto, tensor);
    else
        weir_values_read(proto, tensor);
    return WEIR_OK;
}

weir_status weir_tensor_from_proto(const weir_msg_tensor_proto *proto, weir_tensor *out_tensor)
{
    weir_shape shape;
    weir_tensor tensor;
    WEIR_TRY(weir_shape_from_proto(proto->tensor_shape, &shape));
    if (!weir_dtype_valid(proto->dtype))
        return weir_error(WEIR_INVALID_ARGUMENT, "TensorProto has invalid dtype %d", proto->dtype);
    if (shape.rank < 0)
        shape = WEIR_SCALAR;
    if (!weir_shape_known(&shape))
        return weir_error(WEIR_INVALID_ARGUMENT, "TensorProto has unknown dimensions: %s",
                          WEIR_SHAPE_STR(&shape));
    WEIR_TRY(weir_tensor_alloc((weir_dtype)proto->dtype, &shape, &tensor));
    weir_status status = fill(proto, &tensor);
    if (status)
        weir_tensor_release(&tensor);
    else
        *out_tensor = tensor;
    return status;
}

weir_status weir_tensor_parse(weir_str bytes, weir_tensor *out_tensor)
{
    WEIR_MESSAGE_ARENA(arena);
    weir_msg_tensor_proto proto;
    WEIR_TRY(weir_msg_tensor_proto_read(bytes, &arena, &proto));
    return weir_tensor_from_proto(&proto, out_tensor);
}

/* ---- tensors, writing ------------------------------------------------------------------------ */

static void encode_head(const weir_tensor *tensor, weir_buf *out)
{
    weir_msg_tensor_shape_proto_dim dims[WEIR_MAX_RANK];
    weir_msg_tensor_shape_proto shape = shape_message(&tensor->shape, dims);
    weir_msg_tensor_proto_write(
        &(weir_msg_tensor_proto){.dtype = (int32_t)tensor->dtype, .tensor_shape = &shape}, out);
}

static void encode_strings(const weir_tensor *tensor, weir_buf *out)
{
    for (int64_t i = 0; i < weir_tensor_count(tensor); i++)
        weir_message_put_bytes(out, WEIR_FIELD_tensor_proto_string_val,
                               weir_tstring_get((const weir_tstring *)tensor->data + i));
}

static void encode_handles(const weir_tensor *tensor, weir_buf *out)
{
    for (int64_t i = 0; i < weir_tensor_count(tensor); i++) {
        size_t mark = weir_message_open(out, WEIR_FIELD_tensor_proto_resource_handle_val);
        if (((weir_handle **)tensor->data)[i])
            weir_handle_encode(((weir_handle **)tensor->data)[i], out);
        weir_message_close(out, mark);
    }
}

static weir_status encode_variants(const weir_tensor *tensor, weir_buf *out)
{
    for (int64_t i = 0; i < weir_tensor_count(tensor); i++) {
        size_t mark = weir_message_open(out, WEIR_FIELD_tensor_proto_variant_val);
        WEIR_TRY(weir_variant_encode(((weir_variant **)tensor->data)[i], out));
        weir_message_close(out, mark);
    }
    return WEIR_OK;
}

weir_status weir_tensor_encode(const weir_tensor *tensor, weir_buf *out)
{
    encode_head(tensor, out);
    if (tensor->dtype == WEIR_VARIANT)
        return encode_variants(tensor, out);
    if (tensor->dtype == WEIR_STRING)
        encode_strings(tensor, out);
    else if (tensor->dtype == WEIR_RESOURCE)
        encode_handles(tensor, out);
    else if (weir_tensor_count(tensor))
        weir_message_put_bytes(out, WEIR_FIELD_tensor_proto_tensor_content,
                               (weir_str){tensor->data, weir_tensor_bytes(tensor)});
    return WEIR_OK;
}

/* Encodes element |i| for a list in tensor_content. */
static weir_status encode_listed(const weir_tensor *tensor, int64_t i, weir_buf *out)
{
    if (tensor->dtype == WEIR_VARIANT)
        return weir_variant_encode(((weir_variant **)tensor->data)[i], out);
    if (tensor->dtype == WEIR_STRING) {
        weir_str text = weir_tstring_get((const weir_tstring *)tensor->data + i);
        weir_buf_add(out, text.at, text.length);
    } else if (((weir_handle **)tensor->data)[i]) {
        weir_handle_encode(((weir_handle **)tensor->data)[i], out);
    }
    return WEIR_OK;
}

weir_status weir_tensor_encode_list(const weir_tensor *tensor, weir_buf *out)
{
    WEIR_BUF(lengths);
    WEIR_BUF(bytes);
    encode_head(tensor, out);
    for (int64_t i = 0, count = weir_tensor_count(tensor); i < count; i++) {
        size_t before = bytes.length;
        WEIR_TRY(encode_listed(tensor, i, &bytes));
        weir_varint_put(&lengths, bytes.length - before);
    }
    if (!lengths.length)
        return WEIR_OK;
    weir_message_open_bytes(out, WEIR_FIELD_tensor_proto_tensor_content,
                            lengths.length + bytes.length);
    weir_buf_add(out, lengths.at, lengths.length);
    weir_buf_add(out, bytes.at, bytes.length);
    return WEIR_OK;
}

/* ---- variants -------------------------------------------------------------------------------- */

weir_status weir_variant_data_parse(weir_str bytes, weir_variant_data *out_data)
{
    WEIR_MESSAGE_ARENA(arena);
    weir_msg_variant_tensor_data_proto proto;
    WEIR_TRY(weir_msg_variant_tensor_data_proto_read(bytes, &arena, &proto));
    weir_variant_data data = {.type_name = proto.type_name,
                              .metadata = proto.metadata,
                              .tensors = WEIR_NEW_ARRAY(weir_tensor, proto.tensors.count)};
    weir_status status = WEIR_OK;
    for (; !status && data.count < (int)proto.tensors.count; data.count += !status)
        status = weir_tensor_parse(proto.tensors.at[data.count], &data.tensors[data.count]);
    if (status)
        weir_variant_data_fini(&data);
    else
        *out_data = data;
    return status;
}

void weir_variant_data_fini(weir_variant_data *data)
{
    for (int i = 0; i < data->count; i++)
        weir_tensor_release(&data->tensors[i]);
    weir_free(data->tensors);
    *data = (weir_variant_data){0};
}

static weir_status encode_parts(const weir_variant *variant, weir_buf *out)
{
    WEIR_TRY(weir_stack_check("A variant"));
    if (out->length > INT32_MAX)
        return weir_error(WEIR_RESOURCE_EXHAUSTED, "A variant is too large for a message");
    WEIR_TRY(weir_room_grow(out, 0, "the serial form of a variant"));
    WEIR_BUF(metadata);
    weir_tensor *tensors = NULL;
    int count = 0;
    weir_status status = variant->type->encode(variant, &metadata, &tensors, &count);
    weir_msg_variant_tensor_data_proto_write(
        &(weir_msg_variant_tensor_data_proto){.type_name = weir_str_of(variant->type->name),
                                              .metadata = weir_view(&metadata)},
        out);
    for (int i = 0; i < count; i++) {
        size_t mark = weir_message_open(out, WEIR_FIELD_variant_tensor_data_proto_tensors);
        if (!status)
            status = weir_tensor_encode(&tensors[i], out);
        weir_message_close(out, mark);
        weir_tensor_release(&tensors[i]);
    }
    weir_free(tensors);
    return status;
}

weir_status weir_variant_encode(const weir_variant *variant, weir_buf *out)
{
    weir_str bytes;
    if (!variant)
        return WEIR_OK;
    if (weir_opaque_get(variant, &bytes)) {
        weir_buf_add(out, bytes.at, bytes.length);
        return WEIR_OK;
    }
    if (!variant->type->encode)
        return weir_error(WEIR_UNIMPLEMENTED, "a variant of type %s has no serial form",
                          variant->type->name);
    return encode_parts(variant, out);
}

/* ---- handles --------------------------------------------------------------------------------- */

void weir_handle_encode(const weir_handle *handle, weir_buf *out)
{
    WEIR_MESSAGE_ARENA(arena);
    weir_msg_resource_handle_proto_dtype_and_shape *held = WEIR_ARENA_ARRAY(
        &arena, weir_msg_resource_handle_proto_dtype_and_shape, handle->dtype_count);
    for (int i = 0; i < handle->dtype_count; i++) {
        held[i].dtype = (int32_t)handle->dtypes[i];
        held[i].shape = weir_shape_to_proto(&handle->shapes[i], &arena);
    }
    weir_msg_resource_handle_proto_write(
        &(weir_msg_resource_handle_proto){
            .device = weir_str_of(handle->device),
            .container = weir_str_of(handle->container),
            .name = weir_str_of(handle->name),
            .hash_code = handle->hash_code,
            .maybe_type_name = weir_str_of(handle->type_name),
            .dtypes_and_shapes = {held, (size_t)handle->dtype_count},
        },
        out);
}

static void set_text(char **to, weir_str text)
{
    weir_free(*to);
    *to = weir_strndup(text.at, text.length);
}

static weir_status set_held(weir_handle *handle, const weir_msg_resource_handle_proto *proto)
{
    size_t count = proto->dtypes_and_shapes.count;
    handle->dtypes = WEIR_NEW_ARRAY(weir_dtype, count);
    handle->shapes = WEIR_NEW_ARRAY(weir_shape, count);
    for (size_t i = 0; i < count; i++) {
        const weir_msg_resource_handle_proto_dtype_and_shape *held =
            &proto->dtypes_and_shapes.at[i];
        WEIR_TRY(weir_shape_from_proto(held->shape, &handle->shapes[i]));
        if (weir_dtype_valid(held->dtype))
            handle->dtypes[i] = (weir_dtype)held->dtype;
    }
    handle->dtype_count = (int)count;
    return WEIR_OK;
}

static weir_status handle_from(const weir_msg_resource_handle_proto *proto,
                               weir_handle **out_handle)
{
    weir_handle *handle = weir_handle_create("", "", "", "");
    set_text(&handle->device, proto->device);
    set_text(&handle->container, proto->container);
    set_text(&handle->name, proto->name);
    set_text(&handle->type_name, proto->maybe_type_name);
    handle->hash_code = proto->hash_code;
    weir_status status = set_held(handle, proto);
    if (status)
        weir_ref_release(&handle->ref);
    else
        *out_handle = handle;
    return status;
}

weir_status weir_handle_parse(weir_str bytes, weir_handle **out_handle)
{
    WEIR_MESSAGE_ARENA(arena);
    weir_msg_resource_handle_proto proto;
    WEIR_TRY(weir_msg_resource_handle_proto_read(bytes, &arena, &proto));
    return handle_from(&proto, out_handle);
}
