/* ops/io/reader_ops.c - the reader ops: WholeFileReader and the other kinds, ReaderRead and others;
 * each by reference and by handle (V2). */
#include <inttypes.h>

#include "io/deflate.h"
#include "ops/common/strs.h"
#include "ops/declare.h"
#include "ops/io/reader.h"
#include "ops/state/named.h"
#include "wire/messages.h"

/* ---- creation -------------------------------------------------------------------------------- */

static int attr_of(const weir_site *site, const char *name)
{
    return weir_opdef_attr(site->def, name);
}

static int64_t int_attr(const weir_site *site, const char *name)
{
    int at = attr_of(site, name);
    return at < 0 ? 0 : weir_site_int(site, at);
}

static weir_str str_attr(const weir_site *site, const char *name)
{
    int at = attr_of(site, name);
    return at < 0 ? WEIR_STR("") : weir_site_str(site, at);
}

static weir_status read_options(const weir_site *site, weir_reader_options *options)
{
    *options = (weir_reader_options){
        .skip_header_lines = int_attr(site, "skip_header_lines"),
        .header_bytes = int_attr(site, "header_bytes"),
        .record_bytes = int_attr(site, "record_bytes"),
        .footer_bytes = int_attr(site, "footer_bytes"),
        .hop_bytes = int_attr(site, "hop_bytes"),
    };
    weir_packing packing;
    weir_str name = str_attr(site, "compression_type");
    WEIR_TRY(weir_packing_parse(name.length ? name : str_attr(site, "encoding"), &packing));
    options->packing = packing;
    if (attr_of(site, "record_bytes") < 0)
        return WEIR_OK;
    if (options->header_bytes < 0 || options->footer_bytes < 0 || options->hop_bytes < 0)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "header_bytes, footer_bytes and hop_bytes must be >= 0, got %" PRId64
                          ", %" PRId64 ", %" PRId64,
                          options->header_bytes, options->footer_bytes, options->hop_bytes);
    if (options->record_bytes <= 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "record_bytes must be > 0, got %" PRId64,
                          options->record_bytes);
    return WEIR_OK;
}

static weir_status prepare(weir_prepare *preparation)
{
    weir_reader_options options;
    WEIR_TRY(read_options(preparation->site, &options));
    return weir_named_prepare(preparation, attr_of(preparation->site, "container"),
                              attr_of(preparation->site, "shared_name"), WEIR_BY_OWN_NAME,
                              &weir_reader_type);
}

typedef struct wanted {
    const weir_reader_kind *kind;
    const char *node;
    weir_reader_options options;
} wanted;

static weir_status create(void *arg, weir_resource **out)
{
    wanted *wanted = arg;
    *out = &weir_reader_create(wanted->kind, wanted->node, &wanted->options)->base;
    return WEIR_OK;
}

static weir_status infer_reader(weir_infer *infer)
{
    infer->out[0] = infer->site->out_types[0] == WEIR_RESOURCE ? WEIR_SCALAR : weir_shape_vector(2);
    return WEIR_OK;
}

#define NAMES "container: string = \"\"; shared_name: string = \"\""
enum { WHOLE_FILE, TEXT_LINE, FIXED_LENGTH, RECORD, IDENTITY }; /* modes of the makers */

static weir_status make(weir_call *call)
{
    static const weir_reader_kind *const kinds[] = {
        [WHOLE_FILE] = &weir_whole_file_reader,     [TEXT_LINE] = &weir_text_line_reader,
        [FIXED_LENGTH] = &weir_fixed_length_reader, [RECORD] = &weir_record_reader,
        [IDENTITY] = &weir_identity_reader,
    };
    const weir_reader_kind *kind = kinds[weir_site_mode(call->site)];
    wanted wanted = {kind, call->site->name, {0}};
    weir_resource *found;
    WEIR_TRY(read_options(call->site, &wanted.options));
    WEIR_TRY(weir_named_open(call, create, &wanted, &found));
    bool same = ((weir_reader *)found)->kind == kind;
    weir_ref_release(&found->ref);
    if (!same)
        return weir_error(WEIR_INVALID_ARGUMENT, "The shared reader is not a %s", kind->name);
    weir_named_output(call, 0);
    return WEIR_OK;
}

#define MAKER                                                                                      \
    .flags = WEIR_STATEFUL, .infer = infer_reader, .no_grad = true,                                \
    .kernels = {{WEIR_CPU, "*", make, WEIR_OWN_OUTPUTS | WEIR_CHEAP, .prepare = prepare,           \
                 .cleanup = weir_named_cleanup}}
#define BY_REFERENCE .out = "reader_handle: Ref(string)"
#define BY_RESOURCE .out = "reader_handle: resource"

#define FIXED                                                                                      \
    "header_bytes: int = 0; record_bytes: int; footer_bytes: int = 0; hop_bytes: int = 0; " NAMES
#define LINES "skip_header_lines: int = 0; " NAMES
#define RECORDS NAMES "; compression_type: string = \"\""

WEIR_DEFINE_OP(whole_file_reader, "WholeFileReader", BY_REFERENCE, .attrs = NAMES, MAKER,
               .mode = WHOLE_FILE);
WEIR_DEFINE_OP(whole_file_reader_v2, "WholeFileReaderV2", BY_RESOURCE, .attrs = NAMES, MAKER,
               .mode = WHOLE_FILE);
WEIR_DEFINE_OP(text_line_reader, "TextLineReader", BY_REFERENCE, .attrs = LINES, MAKER,
               .mode = TEXT_LINE, .deprecated_at = 26, .deprecation = "Use TextLineReaderV2");
WEIR_DEFINE_OP(text_line_reader_v2, "TextLineReaderV2", BY_RESOURCE, .attrs = LINES, MAKER,
               .mode = TEXT_LINE);
WEIR_DEFINE_OP(fixed_length_record_reader, "FixedLengthRecordReader", BY_REFERENCE, .attrs = FIXED,
               MAKER, .mode = FIXED_LENGTH, .deprecated_at = 26,
               .deprecation = "Use FixedLengthRecordReaderV2");
WEIR_DEFINE_OP(fixed_length_record_reader_v2, "FixedLengthRecordReaderV2", BY_RESOURCE,
               .attrs = FIXED "; encoding: string = \"\"", MAKER, .mode = FIXED_LENGTH);
WEIR_DEFINE_OP(tf_record_reader, "TFRecordReader", BY_REFERENCE, .attrs = RECORDS, MAKER,
               .mode = RECORD, .deprecated_at = 26, .deprecation = "Use TFRecordReaderV2");
WEIR_DEFINE_OP(tf_record_reader_v2, "TFRecordReaderV2", BY_RESOURCE, .attrs = RECORDS, MAKER,
               .mode = RECORD);
WEIR_DEFINE_OP(identity_reader, "IdentityReader", BY_REFERENCE, .attrs = NAMES, MAKER,
               .mode = IDENTITY, .deprecated_at = 26, .deprecation = "Use IdentityReaderV2");
WEIR_DEFINE_OP(identity_reader_v2, "IdentityReaderV2", BY_RESOURCE, .attrs = NAMES, MAKER,
               .mode = IDENTITY);

/* ---- using readers ---- */

static void start_read(weir_call *call)
{
    weir_reader_start_read(call, 0);
}

static void start_read_up_to(weir_call *call)
{
    int64_t most = *(const int64_t *)weir_in(call, 2)->data;
    if (most > 0)
        weir_reader_start_read(call, most);
    else
        weir_call_finish(call, weir_error(WEIR_INVALID_ARGUMENT,
                                          "num_records must be positive, got %" PRId64, most));
}

static weir_status put_int(weir_call *call, int64_t value)
{
    WEIR_TRY(weir_call_alloc(call, 0, &WEIR_SCALAR));
    *(int64_t *)weir_out(call, 0)->data = value;
    return WEIR_OK;
}

static weir_status use_records(weir_call *call, weir_reader *reader)
{
    return put_int(call, reader->records);
}

static weir_status use_units(weir_call *call, weir_reader *reader)
{
    return put_int(call, reader->finished);
}

static void reset(weir_reader *reader)
{
    reader->kind->drop(reader);
    weir_free(reader->work);
    reader->work = NULL;
    reader->started = reader->finished = reader->records = 0;
}

static weir_status use_reset(weir_call *call, weir_reader *reader)
{
    reset(reader);
    return WEIR_OK;
}

static weir_status use_save(weir_call *call, weir_reader *reader)
{
    if (!reader->kind->can_save)
        return weir_error(WEIR_UNIMPLEMENTED, "Reader SerializeState");
    WEIR_BUF(state);
    weir_msg_reader_base_state_write(
        &(weir_msg_reader_base_state){.work_started = reader->started,
                                      .work_finished = reader->finished,
                                      .num_records_produced = reader->records,
                                      .current_work =
                                          weir_str_of(reader->work ? reader->work : "")},
        &state);
    return weir_call_put_str(call, 0, weir_view(&state));
}

static weir_status use_restore(weir_call *call, weir_reader *reader)
{
    WEIR_MESSAGE_ARENA(arena);
    weir_str bytes = weir_str_at(weir_in(call, 1), 0);
    weir_msg_reader_base_state state;
    if (!reader->kind->can_save)
        return weir_error(WEIR_UNIMPLEMENTED, "Reader RestoreState");
    weir_status damaged = weir_msg_reader_base_state_read(bytes, &arena, &state);
    weir_status_free(damaged);
    reset(reader);
    if (damaged)
        return weir_error(WEIR_INVALID_ARGUMENT, "Could not parse state for %s: %.*s", reader->name,
                          WEIR_STR_ARG(bytes));
    if (state.work_started < 0 || state.work_finished < 0 || state.num_records_produced < 0)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Unexpected negative value when restoring in %s: %.*s", reader->name,
                          WEIR_STR_ARG(bytes));
    if (state.work_started > state.work_finished)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Inconsistent work started vs. finished when restoring in %s: %" PRId64
                          ", %" PRId64,
                          reader->name, state.work_started, state.work_finished);
    reader->started = state.work_started;
    reader->finished = state.work_finished;
    reader->records = state.num_records_produced;
    reader->work = weir_strndup(state.current_work.at, state.current_work.length);
    return WEIR_OK;
}

enum { COUNT_RECORDS, COUNT_UNITS, RESET, SAVE, RESTORE }; /* modes of the other uses */

static void start_use(weir_call *call)
{
    static weir_reader_use *const uses[] = {[COUNT_RECORDS] = use_records,
                                            [COUNT_UNITS] = use_units,
                                            [RESET] = use_reset,
                                            [SAVE] = use_save,
                                            [RESTORE] = use_restore};
    weir_reader_start_use(call, uses[weir_site_mode(call->site)]);
}

/* Handles are scalars, references pairs of strings; other inputs are scalars. */
static weir_status infer_inputs(weir_infer *infer)
{
    for (int in = 0; in < infer->in_count; in++)
        if (!weir_dtype_is_ref(infer->site->in_types[in]))
            WEIR_TRY(weir_infer_rank(infer, in, 0));
    return WEIR_OK;
}

static weir_status infer_scalars(weir_infer *infer)
{
    WEIR_TRY(infer_inputs(infer));
    return weir_infer_scalar(infer);
}

static weir_status infer_vectors(weir_infer *infer)
{
    WEIR_TRY(infer_inputs(infer));
    infer->out[0] = infer->out[1] = weir_shape_vector(-1);
    return WEIR_OK;
}

#define FLAGS (WEIR_OWN_OUTPUTS | WEIR_ASYNC)
#define USE                                                                                        \
    .infer = infer_scalars, .no_grad = true,                                                       \
    .kernels = {{WEIR_CPU, "*", NULL, FLAGS, .start = start_use}}

WEIR_DEFINE_HANDLE_OPS(reader_num_records_produced, "ReaderNumRecordsProduced", "reader_handle", "",
                       .out = "records_produced: int64", USE, .mode = COUNT_RECORDS);
WEIR_DEFINE_HANDLE_OPS(reader_num_work_units_completed, "ReaderNumWorkUnitsCompleted",
                       "reader_handle", "", .out = "units_completed: int64", USE,
                       .mode = COUNT_UNITS);
WEIR_DEFINE_HANDLE_OPS(reader_serialize_state, "ReaderSerializeState", "reader_handle", "",
                       .out = "state: string", USE, .mode = SAVE);
WEIR_DEFINE_HANDLE_OPS(reader_restore_state, "ReaderRestoreState", "reader_handle",
                       "; state: string", USE, .mode = RESTORE);
WEIR_DEFINE_HANDLE_OPS(reader_reset, "ReaderReset", "reader_handle", "", USE, .mode = RESET);

#define READ                                                                                       \
    .out = "key: string; value: string", .infer = infer_scalars, .no_grad = true,                  \
    .kernels = {{WEIR_CPU, "*", NULL, FLAGS, .start = start_read}}
#define READ_UP_TO                                                                                 \
    .out = "keys: string; values: string", .infer = infer_vectors, .no_grad = true,                \
    .kernels = {{WEIR_CPU, "*", NULL, FLAGS, .start = start_read_up_to}}

WEIR_DEFINE_OP(reader_read, "ReaderRead", READ, .flags = WEIR_NO_FOLD,
               .in = "reader_handle: Ref(string); queue_handle: Ref(string)");
WEIR_DEFINE_OP(reader_read_v2, "ReaderReadV2", READ, .flags = WEIR_STATEFUL,
               .in = "reader_handle: resource; queue_handle: resource");
WEIR_DEFINE_OP(reader_read_up_to, "ReaderReadUpTo", READ_UP_TO, .flags = WEIR_NO_FOLD,
               .in = "reader_handle: Ref(string); queue_handle: Ref(string); num_records: int64");
WEIR_DEFINE_OP(reader_read_up_to_v2, "ReaderReadUpToV2", READ_UP_TO, .flags = WEIR_STATEFUL,
               .in = "reader_handle: resource; queue_handle: resource; num_records: int64");
