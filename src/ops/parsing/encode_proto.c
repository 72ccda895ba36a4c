/* ops/parsing/encode_proto.c - EncodeProto: serialises messages with tensors as fields. */
#include <inttypes.h>
#include <stdlib.h>

#include "ops/common/elements.h"
#include "ops/common/strs.h"
#include "ops/parsing/proto_type.h"

enum { FIELD_NAMES, MESSAGE_TYPE, SOURCE, INPUT_TYPES };

typedef struct place {
    const weir_proto_field *field;
    int in; /* its values are in input in + 1 */
} place;

/* The fields to write, prepared once per node. */
typedef struct writing {
    weir_proto_type type;
    int count;
    place *places; /* sorted by field number */
} writing;

static void cleanup(void *state)
{
    writing *writing = state;
    weir_proto_type_fini(&writing->type);
    weir_free(writing->places);
    weir_free(writing);
}

static int by_number(const void *a, const void *b)
{
    uint32_t x = ((const place *)a)->field->number, y = ((const place *)b)->field->number;
    return (x > y) - (x < y);
}

static weir_status read_names(const weir_site *site, writing *writing)
{
    const weir_attr *names = weir_site_list(site, FIELD_NAMES),
                    *types = weir_site_list(site, INPUT_TYPES);
    if (names->count != types->count)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "field_names and Tinput_types must have the same length: %d vs. %d",
                          names->count, types->count);
    writing->count = names->count;
    writing->places = WEIR_NEW_ARRAY(place, names->count);
    for (int i = 0; i < names->count; i++) {
        const weir_proto_field *field;
        WEIR_TRY(weir_proto_field_named(&writing->type, names->ss[i], &field));
        if (!weir_proto_holds(field, (weir_dtype)types->types[i]) ||
            field->kind->wire == WEIR_PB_GROUP)
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "Incompatible type for field %.*s.  Saw dtype: %s but field type is: "
                              "%s",
                              WEIR_STR_ARG(field->name), weir_dtype_name(types->types[i]),
                              field->kind ? field->kind->name : "unknown");
        writing->places[i] = (place){field, i};
    }
    qsort(writing->places, (size_t)writing->count, sizeof *writing->places, by_number);
    return WEIR_OK;
}

static weir_status prepare(weir_prepare *preparation)
{
    const weir_site *site = preparation->site;
    writing *made = WEIR_NEW(writing);
    weir_status status = weir_proto_type_find(weir_site_str(site, SOURCE),
                                              weir_site_str(site, MESSAGE_TYPE), &made->type);
    if (!status)
        status = read_names(site, made);
    if (status)
        cleanup(made);
    else
        preparation->state = made;
    return status;
}

/* ---- values ---------------------------------------------------------------------------------- */

/* Element |at| as encoded on the wire. */
static uint64_t bits_of(const weir_tensor *values, int64_t at, const weir_proto_kind *kind)
{
    union {
        double d;
        float f;
        uint32_t narrow;
        uint64_t wide;
    } v = {.wide = 0};
    const void *from = weir_at(values, at);
    if (values->dtype == WEIR_DOUBLE && kind->dtype == WEIR_FLOAT)
        v.f = (float)*(const double *)from;
    else if (values->dtype == WEIR_DOUBLE || values->dtype == WEIR_FLOAT)
        memcpy(&v, from, weir_dtype_size(values->dtype));
    else if (values->dtype == WEIR_BOOL)
        v.wide = *(const bool *)from;
    else if (values->dtype == WEIR_UINT32)
        v.wide = *(const uint32_t *)from;
    else
        v.wide = (uint64_t)weir_int_at(values, at);
    if (kind->zigzag)
        v.wide = v.wide << 1 ^ (uint64_t)((int64_t)v.wide >> 63);
    return v.wide;
}

static void put_bits(weir_buf *out, const weir_proto_kind *kind, uint64_t bits)
{
    if (kind->wire == WEIR_PB_VARINT)
        weir_varint_put(out, bits);
    else
        weir_buf_add(out, (const char *)&bits, kind->wire == WEIR_PB_I32 ? 4 : 8);
}

static void put_tag(weir_buf *out, const weir_proto_field *field, weir_pb_type wire)
{
    weir_varint_put(out, (uint64_t)field->number << 3 | wire);
}

static void put_values(weir_buf *out, const weir_proto_field *field, const weir_tensor *values,
                       int64_t first, int64_t count)
{
    for (int64_t i = first; i < first + count; i++) {
        if (!field->packed)
            put_tag(out, field, field->kind->wire);
        if (field->kind->wire != WEIR_PB_LEN) {
            put_bits(out, field->kind, bits_of(values, i, field->kind));
            continue;
        }
        weir_str text = weir_str_at(values, i);
        weir_varint_put(out, text.length);
        weir_buf_add(out, text.at, text.length);
    }
}

static void put_field(weir_buf *out, const weir_proto_field *field, const weir_tensor *values,
                      int64_t first, int64_t count)
{
    WEIR_BUF(packed);
    if (!field->packed || !count) {
        put_values(out, field, values, first, count);
        return;
    }
    put_values(&packed, field, values, first, count);
    put_tag(out, field, WEIR_PB_LEN);
    weir_varint_put(out, packed.length);
    weir_buf_add(out, packed.at, packed.length);
}

/* ---- the op ---------------------------------------------------------------------------------- */

/* [messages..., fields] and, of each value tensor, [messages..., values]. */
static weir_status check_shapes(weir_call *call, const writing *writing, weir_shape *out_messages)
{
    const weir_shape *sizes = &weir_in(call, 0)->shape;
    if (sizes->rank < 1 || sizes->dims[sizes->rank - 1] != writing->count)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "sizes.shape[-1] must be the number of fields (%d), got %s",
                          writing->count, WEIR_SHAPE_STR(sizes));
    *out_messages = *sizes;
    out_messages->rank--;
    for (int i = 0; i < writing->count; i++) {
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
    const writing *writing = call->state;
    const int32_t *sizes = (const int32_t *)weir_in(call, 0)->data + message * writing->count;
    for (int i = 0; i < writing->count; i++) {
        const place *place = &writing->places[i];
        const weir_tensor *values = weir_in(call, place->in + 1);
        int64_t width = values->shape.dims[values->shape.rank - 1], size = sizes[place->in];
        WEIR_TRY(check_size(size, width, message, place->in));
        put_field(out, place->field, values, message * width, size);
    }
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
    .kernels = {{WEIR_CPU, "*", encode, WEIR_OWN_OUTPUTS, .prepare = prepare, .cleanup = cleanup}},
};
