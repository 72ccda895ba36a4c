/* ops/io/reader_ops.c - the reader ops: WholeFileReader and the other kinds, ReaderRead and the
 * other uses; each by reference and by handle (V2). */
#include <inttypes.h>

#include "io/deflate.h"
#include "ops/common/strs.h"
#include "ops/io/reader.h"
#include "ops/state/named.h"
#include "wire/pb.h"

/* ---- making readers ---- */

static int attr_of(const weir_site *s, const char *name)
{
    return weir_opdef_attr(s->def, name);
}

static int64_t int_attr(const weir_site *s, const char *name)
{
    int at = attr_of(s, name);
    return at < 0 ? 0 : weir_site_int(s, at);
}

static weir_str str_attr(const weir_site *s, const char *name)
{
    int at = attr_of(s, name);
    return at < 0 ? WEIR_STR("") : weir_site_str(s, at);
}

static weir_status read_options(const weir_site *s, weir_reader_options *o)
{
    *o = (weir_reader_options){
        .skip_header_lines = int_attr(s, "skip_header_lines"),
        .header_bytes = int_attr(s, "header_bytes"),
        .record_bytes = int_attr(s, "record_bytes"),
        .footer_bytes = int_attr(s, "footer_bytes"),
        .hop_bytes = int_attr(s, "hop_bytes"),
    };
    weir_packing packing;
    weir_str name = str_attr(s, "compression_type");
    WEIR_TRY(weir_packing_parse(name.length ? name : str_attr(s, "encoding"), &packing));
    o->packing = packing;
    if (attr_of(s, "record_bytes") < 0)
        return WEIR_OK;
    if (o->header_bytes < 0 || o->footer_bytes < 0 || o->hop_bytes < 0)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "header_bytes, footer_bytes and hop_bytes must be >= 0, got %" PRId64
                          ", %" PRId64 ", %" PRId64,
                          o->header_bytes, o->footer_bytes, o->hop_bytes);
    if (o->record_bytes <= 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "record_bytes must be > 0, got %" PRId64,
                          o->record_bytes);
    return WEIR_OK;
}

static weir_status prepare(weir_prepare *p)
{
    weir_reader_options options;
    WEIR_TRY(read_options(p->site, &options));
    return weir_named_prepare(p, attr_of(p->site, "container"), attr_of(p->site, "shared_name"),
                              WEIR_BY_OWN_NAME, &weir_reader_type);
}

typedef struct wanted {
    const weir_reader_kind *kind;
    const char *node;
    weir_reader_options options;
} wanted;

static weir_status create(void *arg, weir_resource **out)
{
    wanted *w = arg;
    *out = &weir_reader_create(w->kind, w->node, &w->options)->base;
    return WEIR_OK;
}

static weir_status make(weir_call *c, const weir_reader_kind *kind)
{
    wanted w = {kind, c->site->name, {0}};
    weir_resource *found;
    WEIR_TRY(read_options(c->site, &w.options));
    WEIR_TRY(weir_named_open(c, create, &w, &found));
    bool same = ((weir_reader *)found)->kind == kind;
    weir_ref_release(&found->ref);
    if (!same)
        return weir_error(WEIR_INVALID_ARGUMENT, "The shared reader is not a %s", kind->name);
    weir_named_output(c, 0);
    return WEIR_OK;
}

static weir_status infer_reader(weir_infer *i)
{
    i->out[0] = i->site->out_types[0] == WEIR_RESOURCE ? WEIR_SCALAR : weir_shape_vector(2);
    return WEIR_OK;
}

#define NAMES "container: string = \"\"; shared_name: string = \"\""
#define ONE_READER(id, text, handle, attributes, fn, ...)                                          \
    const weir_op weir_op_##id = {                                                                 \
        .name = text,                                                                              \
        .out = "reader_handle: " handle,                                                           \
        .attrs = attributes,                                                                       \
        .flags = WEIR_STATEFUL,                                                                    \
        .infer = infer_reader,                                                                     \
        .no_grad = true,                                                                           \
        .kernels = {{WEIR_CPU, "*", fn, WEIR_OWN_OUTPUTS | WEIR_CHEAP, .prepare = prepare,         \
                     .cleanup = weir_named_cleanup}},                                              \
        __VA_ARGS__}
#define READER(id, text, kind, attrs_v1, attrs_v2, ...)                                            \
    static weir_status make_##id(weir_call *c)                                                     \
    {                                                                                              \
        return make(c, &kind);                                                                     \
    }                                                                                              \
    ONE_READER(id, text, "Ref(string)", attrs_v1, make_##id, __VA_ARGS__);                         \
    ONE_READER(id##_v2, text "V2", "resource", attrs_v2, make_##id)

#define FIXED                                                                                      \
    "header_bytes: int = 0; record_bytes: int; footer_bytes: int = 0; hop_bytes: int = 0; " NAMES
#define LINES "skip_header_lines: int = 0; " NAMES
#define RECORDS NAMES "; compression_type: string = \"\""

READER(whole_file_reader, "WholeFileReader", weir_whole_file_reader, NAMES, NAMES);
READER(text_line_reader, "TextLineReader", weir_text_line_reader, LINES, LINES, .deprecated_at = 26,
       .deprecation = "Use TextLineReaderV2");
READER(fixed_length_record_reader, "FixedLengthRecordReader", weir_fixed_length_reader, FIXED,
       FIXED "; encoding: string = \"\"", .deprecated_at = 26,
       .deprecation = "Use FixedLengthRecordReaderV2");
READER(tf_record_reader, "TFRecordReader", weir_record_reader, RECORDS, RECORDS,
       .deprecated_at = 26, .deprecation = "Use TFRecordReaderV2");
READER(identity_reader, "IdentityReader", weir_identity_reader, NAMES, NAMES, .deprecated_at = 26,
       .deprecation = "Use IdentityReaderV2");

/* ---- using readers ---- */

static void start_read(weir_call *c)
{
    weir_reader_start_read(c, 0);
}

static void start_read_up_to(weir_call *c)
{
    int64_t most = *(const int64_t *)weir_in(c, 2)->data;
    if (most > 0)
        weir_reader_start_read(c, most);
    else
        weir_call_finish(c, weir_error(WEIR_INVALID_ARGUMENT,
                                       "num_records must be positive, got %" PRId64, most));
}

static weir_status put_int(weir_call *c, int64_t v)
{
    WEIR_TRY(weir_call_alloc(c, 0, &WEIR_SCALAR));
    *(int64_t *)weir_out(c, 0)->data = v;
    return WEIR_OK;
}

static weir_status use_records(weir_call *c, weir_reader *r)
{
    return put_int(c, r->records);
}

static weir_status use_units(weir_call *c, weir_reader *r)
{
    return put_int(c, r->finished);
}

static void reset(weir_reader *r)
{
    r->kind->drop(r);
    weir_free(r->work);
    r->work = NULL;
    r->started = r->finished = r->records = 0;
}

static weir_status use_reset(weir_call *c, weir_reader *r)
{
    reset(r);
    return WEIR_OK;
}

/* ReaderBaseState{1 work_started, 2 work_finished, 3 num_records_produced, 4 current_work} */
static weir_status use_save(weir_call *c, weir_reader *r)
{
    if (!r->kind->can_save)
        return weir_error(WEIR_UNIMPLEMENTED, "Reader SerializeState");
    weir_buf state = {0};
    weir_pb_put_varint_nz(&state, 1, (uint64_t)r->started);
    weir_pb_put_varint_nz(&state, 2, (uint64_t)r->finished);
    weir_pb_put_varint_nz(&state, 3, (uint64_t)r->records);
    weir_pb_put_str_nz(&state, 4, r->work);
    weir_status s = weir_call_put_str(c, 0, (weir_str){state.at, state.length});
    weir_buf_fini(&state);
    return s;
}

static weir_status use_restore(weir_call *c, weir_reader *r)
{
    weir_str state = weir_str_at(weir_in(c, 1), 0), work = {0};
    int64_t counts[4] = {0};
    if (!r->kind->can_save)
        return weir_error(WEIR_UNIMPLEMENTED, "Reader RestoreState");
    weir_pb p = weir_pb_reader(state);
    while (weir_pb_next(&p)) {
        if (p.field <= 3 && p.type == WEIR_PB_VARINT)
            counts[p.field] = weir_pb_int(&p);
        else if (p.field == 4 && p.type == WEIR_PB_LEN)
            work = p.bytes;
    }
    reset(r);
    if (!weir_pb_ok(&p))
        return weir_error(WEIR_INVALID_ARGUMENT, "Could not parse state for %s: %.*s", r->name,
                          WEIR_STR_ARG(state));
    if (counts[1] < 0 || counts[2] < 0 || counts[3] < 0)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Unexpected negative value when restoring in %s: %.*s", r->name,
                          WEIR_STR_ARG(state));
    if (counts[1] > counts[2])
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Inconsistent work started vs. finished when restoring in %s: %" PRId64
                          ", %" PRId64,
                          r->name, counts[1], counts[2]);
    r->started = counts[1];
    r->finished = counts[2];
    r->records = counts[3];
    r->work = weir_strndup(work.at, work.length);
    return WEIR_OK;
}

#define USE_WITH(id)                                                                               \
    static void start_##id(weir_call *c)                                                           \
    {                                                                                              \
        weir_reader_start_use(c, use_##id);                                                        \
    }
USE_WITH(records)
USE_WITH(units)
USE_WITH(reset)
USE_WITH(save)
USE_WITH(restore)

/* Handles are scalars, references pairs of strings; whatever else comes in is a scalar. */
static weir_status infer_inputs(weir_infer *i)
{
    for (int in = 0; in < i->in_count; in++)
        if (!weir_dtype_is_ref(i->site->in_types[in]))
            WEIR_TRY(weir_infer_rank(i, in, 0));
    return WEIR_OK;
}

static weir_status infer_scalars(weir_infer *i)
{
    WEIR_TRY(infer_inputs(i));
    return weir_infer_scalar(i);
}

static weir_status infer_vectors(weir_infer *i)
{
    WEIR_TRY(infer_inputs(i));
    i->out[0] = i->out[1] = weir_shape_vector(-1);
    return WEIR_OK;
}

#define ONE_USE(id, text, handle, inputs, outputs, rule, fn, op_flags)                             \
    const weir_op weir_op_##id = {                                                                 \
        .name = text,                                                                              \
        .in = "reader_handle: " handle inputs,                                                     \
        .out = outputs,                                                                            \
        .flags = op_flags,                                                                         \
        .infer = rule,                                                                             \
        .no_grad = true,                                                                           \
        .kernels = {{WEIR_CPU, "*", NULL, WEIR_OWN_OUTPUTS | WEIR_ASYNC, .start = fn}},            \
    }
#define USE(id, text, inputs, outputs, rule, fn)                                                   \
    ONE_USE(id, text, "Ref(string)", inputs("Ref(string)"), outputs, rule, fn, WEIR_NO_FOLD);      \
    ONE_USE(id##_v2, text "V2", "resource", inputs("resource"), outputs, rule, fn, WEIR_STATEFUL)

#define NOTHING(handle) ""
#define QUEUE(handle) "; queue_handle: " handle
#define QUEUE_AND_COUNT(handle) "; queue_handle: " handle "; num_records: int64"
#define STATE(handle) "; state: string"

USE(reader_read, "ReaderRead", QUEUE, "key: string; value: string", infer_scalars, start_read);
USE(reader_read_up_to, "ReaderReadUpTo", QUEUE_AND_COUNT, "keys: string; values: string",
    infer_vectors, start_read_up_to);
USE(reader_num_records_produced, "ReaderNumRecordsProduced", NOTHING, "records_produced: int64",
    infer_scalars, start_records);
USE(reader_num_work_units_completed, "ReaderNumWorkUnitsCompleted", NOTHING,
    "units_completed: int64", infer_scalars, start_units);
USE(reader_serialize_state, "ReaderSerializeState", NOTHING, "state: string", infer_scalars,
    start_save);
USE(reader_restore_state, "ReaderRestoreState", STATE, NULL, infer_scalars, start_restore);
USE(reader_reset, "ReaderReset", NOTHING, NULL, infer_scalars, start_reset);
