/* ops/parsing/decode_proto.c - DecodeProtoV2: converts fields of serialised messages to tensors. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/arith.h"
#include "ops/common/strs.h"
#include "ops/parsing/proto_type.h"

enum { MESSAGE_TYPE, FIELD_NAMES, OUTPUT_TYPES, SOURCE, FORMAT };

/* The requested fields, prepared once per node. */
typedef struct reading {
    weir_proto_type type;
    int count;
    const weir_proto_field **fields;
} reading;

static void cleanup(void *state)
{
    reading *reading = state;
    weir_proto_type_fini(&reading->type);
    weir_free(reading->fields);
    weir_free(reading);
}

static weir_status read_names(const weir_site *site, reading *reading)
{
    const weir_attr *names = weir_site_list(site, FIELD_NAMES),
                    *types = weir_site_list(site, OUTPUT_TYPES);
    if (names->count != types->count)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "field_names and output_types attributes must have the same length: %d "
                          "vs. %d",
                          names->count, types->count);
    reading->count = names->count;
    reading->fields = WEIR_NEW_ARRAY(const weir_proto_field *, names->count);
    for (int i = 0; i < names->count; i++) {
        WEIR_TRY(weir_proto_field_named(&reading->type, names->ss[i], &reading->fields[i]));
        const weir_proto_field *field = reading->fields[i];
        if (!weir_proto_holds(field, (weir_dtype)types->types[i]))
            return weir_error(
                WEIR_INVALID_ARGUMENT, "Unexpected output type for %.*s.%.*s: %s to %s",
                WEIR_STR_ARG(reading->type.name), WEIR_STR_ARG(field->name),
                field->kind ? field->kind->name : "unknown", weir_dtype_enum(types->types[i]));
    }
    return WEIR_OK;
}

static weir_status prepare(weir_prepare *preparation)
{
    const weir_site *site = preparation->site;
    weir_str format = weir_site_str(site, FORMAT);
    if (!weir_str_is(format, "binary"))
        return weir_error(weir_str_is(format, "text") ? WEIR_UNIMPLEMENTED : WEIR_INVALID_ARGUMENT,
                          "format must be one of binary or text, and text is not read here; got "
                          "%.*s",
                          WEIR_STR_ARG(format));
    reading *made = WEIR_NEW(reading);
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

/* ---- one message ----------------------------------------------------------------------------- */

/* Calls |each| with every value of every requested field. */
typedef struct walk {
    const reading *reading;
    void (*each)(struct walk *walk, int field, uint64_t number, weir_str bytes);
    int32_t *counts; /* of the message's values, by field */
    int64_t message;
    weir_call *call;
} walk;

static int wanted(const reading *reading, uint32_t number)
{
    for (int i = 0; i < reading->count; i++)
        if (reading->fields[i]->number == number)
            return i;
    return -1;
}

static void found(walk *walk, int field, uint64_t number, weir_str bytes)
{
    bool repeated = walk->reading->fields[field]->repeated;
    for (int i = field; i < walk->reading->count; i++) { /* a field may be requested twice */
        if (walk->reading->fields[i] != walk->reading->fields[field])
            continue;
        walk->counts[i] = repeated ? walk->counts[i] + 1 : 1;
        if (walk->each)
            walk->each(walk, i, number, bytes);
    }
}

static weir_status walk_message(walk *walk, weir_str message)
{
    weir_pb pb = weir_pb_reader(message);
    memset(walk->counts, 0, sizeof *walk->counts * (size_t)walk->reading->count);
    while (weir_pb_next(&pb)) {
        int field = wanted(walk->reading, pb.field);
        weir_pb_type wire = field < 0 ? WEIR_PB_GROUP : walk->reading->fields[field]->kind->wire;
        weir_pb_packed packed = {0};
        if (field < 0)
            continue;
        if (wire == WEIR_PB_LEN && pb.type == WEIR_PB_LEN)
            found(walk, field, 0, pb.bytes);
        else if (wire != WEIR_PB_LEN && (pb.type == wire || pb.type == WEIR_PB_LEN))
            while (weir_pb_each(&pb, wire, &packed))
                found(walk, field, packed.value, (weir_str){0});
    }
    if (!weir_pb_ok(&pb))
        return weir_error(WEIR_DATA_LOSS,
                          "Unable to parse a message: failed to consume entire buffer");
    return WEIR_OK;
}

/* ---- values ---------------------------------------------------------------------------------- */

static double real_of(const weir_proto_kind *kind, uint64_t number)
{
    weir_pb pb = {.value = number};
    return kind->wire == WEIR_PB_I32 ? weir_pb_float(&pb) : weir_pb_double(&pb);
}

static int64_t int_of(const weir_proto_kind *kind, uint64_t number)
{
    if (kind->zigzag)
        return (int64_t)(number >> 1) ^ -(int64_t)(number & 1);
    if (kind->dtype == WEIR_INT32)
        return (int32_t)number;
    return kind->dtype == WEIR_UINT32 ? (int64_t)(uint32_t)number : (int64_t)number;
}

static void put(const weir_tensor *out, int64_t at, const weir_proto_kind *kind, uint64_t number,
                weir_str bytes)
{
    void *to = (char *)out->data + (size_t)at * weir_dtype_size(out->dtype);
    switch (out->dtype) {
    case WEIR_STRING:
        weir_str_put(out, at, bytes);
        break;
    case WEIR_DOUBLE:
        *(double *)to = real_of(kind, number);
        break;
    case WEIR_FLOAT:
        *(float *)to = (float)real_of(kind, number);
        break;
    case WEIR_BOOL:
        *(bool *)to = number != 0;
        break;
    case WEIR_INT32:
    case WEIR_UINT32:
        *(int32_t *)to = (int32_t)int_of(kind, number);
        break;
    default:
        *(int64_t *)to = int_of(kind, number);
    }
}

static void put_found(walk *walk, int field, uint64_t number, weir_str bytes)
{
    const weir_tensor *out = weir_out(walk->call, field + 1);
    int64_t width = out->shape.dims[out->shape.rank - 1];
    put(out, walk->message * width + walk->counts[field] - 1, walk->reading->fields[field]->kind,
        number, bytes);
}

/* The default of a field, as a number of its type. */
static uint64_t default_of(const weir_proto_field *field)
{
    WEIR_FREED char *text = weir_strndup(field->otherwise.at, field->otherwise.length);
    union {
        double d;
        float f;
        uint64_t u;
    } v = {.u = 0};
    if (!field->otherwise.length || field->kind->dtype == WEIR_STRING)
        return 0;
    if (field->kind->dtype == WEIR_DOUBLE)
        v.d = strtod(text, NULL);
    else if (field->kind->dtype == WEIR_FLOAT)
        v.f = strtof(text, NULL);
    else if (field->kind->dtype == WEIR_BOOL)
        v.u = strcmp(text, "true") == 0;
    else
        v.u = text[0] == '-' ? (uint64_t)strtoll(text, NULL, 10) : strtoull(text, NULL, 10);
    if (field->kind->zigzag)
        v.u = v.u << 1 ^ (uint64_t)((int64_t)v.u >> 63);
    return v.u;
}

static void fill(const weir_tensor *out, const weir_proto_field *field)
{
    weir_str text = field->repeated ? (weir_str){0} : field->otherwise;
    uint64_t number = field->repeated ? 0 : default_of(field);
    for (int64_t i = 0; i < weir_tensor_count(out); i++)
        put(out, i, field->kind, number, text);
}

/* ---- the op ---------------------------------------------------------------------------------- */

static weir_shape with_last(const weir_shape *shape, int64_t last)
{
    weir_shape out = *shape;
    out.dims[out.rank++] = last;
    return out;
}

/* Finds the sizes of all messages, and the maximum number of values of each field. */
static weir_status count(weir_call *call, walk *walk, int64_t *most)
{
    const weir_tensor *in = weir_in(call, 0);
    weir_shape shape = with_last(&in->shape, walk->reading->count);
    WEIR_TRY(weir_call_alloc(call, 0, &shape));
    walk->counts = weir_out(call, 0)->data;
    for (int i = 0; i < walk->reading->count; i++)
        most[i] = !walk->reading->fields[i]->repeated;
    for (int64_t m = 0; m < weir_tensor_count(in); m++) {
        WEIR_TRY(walk_message(walk, weir_str_at(in, m)));
        for (int i = 0; i < walk->reading->count; i++)
            most[i] = weir_max(most[i], walk->counts[i]);
        walk->counts += walk->reading->count;
    }
    return WEIR_OK;
}

static weir_status decode(weir_call *call)
{
    const weir_tensor *in = weir_in(call, 0);
    walk walk = {.reading = call->state, .call = call};
    const reading *reading = call->state;
    if (in->shape.rank >= WEIR_MAX_RANK)
        return weir_error(WEIR_INVALID_ARGUMENT, "bytes has too many dimensions: %s",
                          WEIR_SHAPE_STR(&in->shape));
    WEIR_FREED int64_t *most = WEIR_NEW_ARRAY(int64_t, reading->count + 1);
    WEIR_TRY(count(call, &walk, most));
    for (int i = 0; i < reading->count; i++) {
        weir_shape shape = with_last(&in->shape, most[i]);
        WEIR_TRY(weir_call_alloc(call, i + 1, &shape));
        fill(weir_out(call, i + 1), reading->fields[i]);
    }
    walk.each = put_found;
    walk.counts = weir_out(call, 0)->data;
    for (walk.message = 0; walk.message < weir_tensor_count(in); walk.message++) {
        WEIR_TRY(walk_message(&walk, weir_str_at(in, walk.message)));
        walk.counts += reading->count;
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
    .kernels = {{WEIR_CPU, "*", decode, WEIR_OWN_OUTPUTS, .prepare = prepare, .cleanup = cleanup}},
};
