/* ops/parsing/decode_proto.c - DecodeProtoV2: converts fields of serialised messages to tensors. */
#include "base/arith.h"
#include "ops/common/strs.h"
#include "ops/parsing/proto_type.h"

enum { MESSAGE_TYPE, FIELD_NAMES, OUTPUT_TYPES, SOURCE, FORMAT };

static weir_status check_type(weir_str message_type, const weir_proto_field *field,
                              weir_dtype dtype)
{
    return weir_proto_holds(field, dtype)
               ? WEIR_OK
               : weir_error(WEIR_INVALID_ARGUMENT, "Unexpected output type for %.*s.%.*s: %s to %s",
                            WEIR_STR_ARG(message_type), WEIR_STR_ARG(field->name),
                            field->kind ? field->kind->name : "unknown", weir_dtype_enum(dtype));
}

static weir_status prepare(weir_prepare *preparation)
{
    static const weir_proto_attrs attrs = {MESSAGE_TYPE, FIELD_NAMES, OUTPUT_TYPES, SOURCE};
    weir_str format = weir_site_str(preparation->site, FORMAT);
    if (!weir_str_is(format, "binary"))
        return weir_error(weir_str_is(format, "text") ? WEIR_UNIMPLEMENTED : WEIR_INVALID_ARGUMENT,
                          "format must be one of binary or text, and text is not read here; got "
                          "%.*s",
                          WEIR_STR_ARG(format));
    return weir_proto_prepare(preparation, &attrs, check_type);
}

/* ---- one message ----------------------------------------------------------------------------- */

static weir_status read_message(const weir_proto_request *request, weir_str bytes,
                                weir_arena *arena, void **out)
{
    *out = weir_arena_alloc(arena, request->message.bytes);
    weir_status status = weir_message_read(&request->message, bytes, arena, *out);
    if (!status)
        return WEIR_OK;
    weir_status_free(status);
    return weir_error(WEIR_DATA_LOSS, "Unable to parse a message: failed to consume entire buffer");
}

/* The values of field |i|: of one that is not repeated, the last. */
static weir_proto_list values_of(const weir_proto_request *request, void *message, int i)
{
    weir_proto_list list = *weir_proto_list_of(request, message, i);
    if (request->fields[i].repeated || list.count < 2)
        return list;
    size_t bytes = weir_dtype_size(request->fields[i].kind->dtype);
    if (request->fields[i].kind->dtype == WEIR_STRING)
        bytes = sizeof(weir_str);
    return (weir_proto_list){(const char *)list.at + (list.count - 1) * bytes, 1};
}

/* ---- values ---------------------------------------------------------------------------------- */

/* Values of |dtype| as a wider one. */
static void widen(const weir_tensor *out, int64_t first, weir_dtype dtype,
                  const weir_proto_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        size_t to = (size_t)first + i;
        if (dtype == WEIR_FLOAT)
            ((double *)out->data)[to] = (double)((const float *)list->at)[i];
        else if (dtype == WEIR_INT32)
            ((int64_t *)out->data)[to] = ((const int32_t *)list->at)[i];
        else
            ((uint64_t *)out->data)[to] = ((const uint32_t *)list->at)[i];
    }
}

static void put(const weir_tensor *out, int64_t first, weir_dtype dtype,
                const weir_proto_list *list)
{
    size_t bytes = weir_dtype_size(out->dtype);
    if (out->dtype == WEIR_STRING)
        for (size_t i = 0; i < list->count; i++)
            weir_str_put(out, first + (int64_t)i, ((const weir_str *)list->at)[i]);
    else if (out->dtype != dtype)
        widen(out, first, dtype, list);
    else if (list->count)
        memcpy((char *)out->data + (size_t)first * bytes, list->at, list->count * bytes);
}

/* The values of one message, then the field's default. */
static void put_row(const weir_tensor *out, int64_t row, const weir_proto_field *field,
                    const weir_proto_list *list)
{
    int64_t width = out->shape.dims[out->shape.rank - 1];
    const weir_proto_list preset = {&field->preset, 1};
    put(out, row * width, field->kind->dtype, list);
    for (int64_t i = (int64_t)list->count; i < width; i++)
        put(out, row * width + i, field->kind->dtype, &preset);
}

/* ---- the op ---------------------------------------------------------------------------------- */

static weir_shape with_last(const weir_shape *shape, int64_t last)
{
    weir_shape out = *shape;
    out.dims[out.rank++] = last;
    return out;
}

/* Finds the sizes of all messages, and the maximum number of values of each field, at least 1. */
static weir_status count(weir_call *call, const weir_proto_request *request, int64_t *most)
{
    const weir_tensor *in = weir_in(call, 0);
    weir_shape shape = with_last(&in->shape, request->count);
    WEIR_TRY(weir_call_alloc(call, 0, &shape));
    int32_t *counts = weir_out(call, 0)->data;
    for (int i = 0; i < request->count; i++)
        most[i] = 1;
    for (int64_t m = 0; m < weir_tensor_count(in); m++) {
        WEIR_MESSAGE_ARENA(arena);
        void *message;
        WEIR_TRY(read_message(request, weir_str_at(in, m), &arena, &message));
        for (int i = 0; i < request->count; i++) {
            *counts = (int32_t)values_of(request, message, i).count;
            most[i] = weir_max(most[i], *counts++);
        }
    }
    return WEIR_OK;
}

static weir_status decode(weir_call *call)
{
    const weir_tensor *in = weir_in(call, 0);
    const weir_proto_request *request = call->state;
    if (in->shape.rank >= WEIR_MAX_RANK)
        return weir_error(WEIR_INVALID_ARGUMENT, "bytes has too many dimensions: %s",
                          WEIR_SHAPE_STR(&in->shape));
    WEIR_FREED int64_t *most = WEIR_NEW_ARRAY(int64_t, request->count + 1);
    WEIR_TRY(count(call, request, most));
    for (int i = 0; i < request->count; i++) {
        weir_shape shape = with_last(&in->shape, most[i]);
        WEIR_TRY(weir_call_alloc(call, i + 1, &shape));
    }
    for (int64_t m = 0; m < weir_tensor_count(in); m++) {
        WEIR_MESSAGE_ARENA(arena);
        void *message;
        WEIR_TRY(read_message(request, weir_str_at(in, m), &arena, &message));
        for (int i = 0; i < request->count; i++) {
            weir_proto_list values = values_of(request, message, i);
            put_row(weir_out(call, i + 1), m, &request->fields[i], &values);
        }
    }
    return WEIR_OK;
}

static weir_status infer(weir_infer *infer)
{
    const weir_shape *in = infer->in[0];
    bool known = in->rank >= 0 && in->rank < WEIR_MAX_RANK;
    for (int i = 0; i < infer->out_count; i++)
        infer->out[i] =
            known ? with_last(in, i ? -1 : infer->out_count - 1) : (weir_shape){.rank = -1};
    return WEIR_OK;
}

const weir_op weir_op_decode_proto_v2 = {
    .name = "DecodeProtoV2",
    .in = "bytes: string",
    .out = "sizes: int32; values: output_types",
    .attrs = "message_type: string; field_names: list(string); output_types: list(type) >= 0; "
             "descriptor_source: string = \"local://\"; message_format: string = \"binary\"; "
             "sanitize: bool = false",
    .infer = infer,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", decode, WEIR_OWN_OUTPUTS, .prepare = prepare,
                 .cleanup = weir_proto_cleanup}},
};
