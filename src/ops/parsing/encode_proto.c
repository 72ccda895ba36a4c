/* ops/parsing/encode_proto.c - EncodeProto: serialises messages with tensors as fields. */
#include <inttypes.h>

#include "ops/common/elements.h"
#include "ops/common/strs.h"
#include "ops/parsing/proto_type.h"

enum { FIELD_NAMES, MESSAGE_TYPE, SOURCE, INPUT_TYPES };

static weir_status check_type(weir_str message_type, const weir_proto_field *field,
                              weir_dtype dtype)
{
    if (weir_proto_holds(field, dtype) && field->kind->type != WEIR_TYPE_GROUP)
        return WEIR_OK;
    return weir_error(WEIR_INVALID_ARGUMENT,
                      "Incompatible type for field %.*s.  Saw dtype: %s but field type is: %s",
                      WEIR_STR_ARG(field->name), weir_dtype_name(dtype),
                      field->kind ? field->kind->name : "unknown");
}

static weir_status prepare(weir_prepare *preparation)
{
    static const weir_proto_attrs attrs = {MESSAGE_TYPE, FIELD_NAMES, INPUT_TYPES, SOURCE};
    return weir_proto_prepare(preparation, &attrs, check_type);
}

/* ---- values ---------------------------------------------------------------------------------- */

/* Strings as views of the tensor's. */
static const void *views(const weir_tensor *values, int64_t first, int64_t count, weir_arena *arena)
{
    weir_str *out = WEIR_ARENA_ARRAY(arena, weir_str, count);
    for (int64_t i = 0; i < count; i++)
        out[i] = weir_str_at(values, first + i);
    return out;
}

/* Values of a wider type as |dtype|, of 32 bits. */
static const void *narrowed(const weir_tensor *values, int64_t first, int64_t count,
                            weir_dtype dtype, weir_arena *arena)
{
    float *floats = weir_arena_alloc(arena, sizeof(float) * (size_t)count);
    int32_t *ints = (void *)floats;
    for (int64_t i = 0; i < count; i++)
        if (dtype == WEIR_FLOAT)
            floats[i] = (float)((const double *)values->data)[first + i];
        else
            ints[i] = (int32_t)((const int64_t *)values->data)[first + i];
    return floats;
}

static weir_proto_list list_of(const weir_proto_field *field, const weir_tensor *values,
                               int64_t first, int64_t count, weir_arena *arena)
{
    const void *at = weir_at(values, first);
    if (values->dtype == WEIR_STRING)
        at = views(values, first, count, arena);
    else if (values->dtype != field->kind->dtype)
        at = narrowed(values, first, count, field->kind->dtype, arena);
    return (weir_proto_list){at, (size_t)count};
}

/* ---- the op ---------------------------------------------------------------------------------- */

/* [messages..., fields] and, of each value tensor, [messages..., values]. */
static weir_status check_shapes(weir_call *call, const weir_proto_request *request,
                                weir_shape *out_messages)
{
    const weir_shape *sizes = &weir_in(call, 0)->shape;
    if (sizes->rank < 1 || sizes->dims[sizes->rank - 1] != request->count)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "sizes.shape[-1] must be the number of fields (%d), got %s",
                          request->count, WEIR_SHAPE_STR(sizes));
    *out_messages = *sizes;
    out_messages->rank--;
    for (int i = 0; i < request->count; i++) {
        const weir_shape *values = &weir_in(call, i + 1)->shape;
        weir_shape messages = *values;
        messages.rank--;
        if (values->rank != sizes->rank || !weir_shape_eq(&messages, out_messages))
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "Values must match up to the last dimension: sizes %s, values %s",
                              WEIR_SHAPE_STR(sizes), WEIR_SHAPE_STR(values));
    }
    return WEIR_OK;
}

static weir_status check_size(int64_t size, int64_t width, int64_t message, int field)
{
    if (size >= 0 && size <= width)
        return WEIR_OK;
    return weir_error(WEIR_INVALID_ARGUMENT,
                      size < 0 ? "Size to write must not be negative; but saw: %" PRId64
                                 " of %" PRId64 " at message %" PRId64 " field %d"
                               : "Size to write must not be larger than value tensor; but saw: "
                                 "%" PRId64 " > %" PRId64 " at message %" PRId64 " field %d",
                      size, width, message, field);
}

static weir_status write_message(weir_call *call, int64_t message, weir_buf *out)
{
    const weir_proto_request *request = call->state;
    const int32_t *sizes = (const int32_t *)weir_in(call, 0)->data + message * request->count;
    WEIR_MESSAGE_ARENA(arena);
    void *lists = weir_arena_zalloc(&arena, request->message.bytes);
    for (int i = 0; i < request->count; i++) {
        const weir_tensor *values = weir_in(call, i + 1);
        int64_t width = values->shape.dims[values->shape.rank - 1];
        WEIR_TRY(check_size(sizes[i], width, message, i));
        *weir_proto_list_of(request, lists, i) =
            list_of(&request->fields[i], values, message * width, sizes[i], &arena);
    }
    weir_message_write(&request->message, lists, out);
    return WEIR_OK;
}

static weir_status encode(weir_call *call)
{
    weir_shape messages;
    WEIR_TRY(check_shapes(call, call->state, &messages));
    WEIR_TRY(weir_call_alloc(call, 0, &messages));
    for (int64_t m = 0; m < weir_tensor_count(weir_out(call, 0)); m++) {
        WEIR_BUF(bytes);
        WEIR_TRY(write_message(call, m, &bytes));
        weir_str_put(weir_out(call, 0), m, weir_view(&bytes));
    }
    return WEIR_OK;
}

static weir_status infer(weir_infer *infer)
{
    const weir_shape *sizes = infer->in[0];
    if (sizes->rank < 0)
        return WEIR_OK;
    WEIR_TRY(weir_infer_rank_at_least(infer, 0, 1));
    infer->out[0] = weir_infer_sub(sizes, 0, sizes->rank - 1);
    return WEIR_OK;
}

const weir_op weir_op_encode_proto = {
    .name = "EncodeProto",
    .in = "sizes: int32; values: Tinput_types",
    .out = "bytes: string",
    .attrs = "field_names: list(string); message_type: string; descriptor_source: string = "
             "\"local://\"; Tinput_types: list(type) >= 1",
    .infer = infer,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", encode, WEIR_OWN_OUTPUTS, .prepare = prepare,
                 .cleanup = weir_proto_cleanup}},
};
