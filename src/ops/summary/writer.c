/* ops/summary/writer.c - SummaryWriter and its ops: event files written by the
 * graph. */
#include <stdatomic.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mutex.h"
#include "io/events.h"
#include "ops/declare.h"
#include "ops/math/types.h"
#include "ops/state/named.h"
#include "ops/summary/summary.h"

typedef struct writer {
    weir_resource base;
    int64_t most_pending, flush_us; /* events and time until a flush */
    weir_mutex lock;
    weir_events *events WEIR_GUARDED_BY(lock);
    int64_t pending WEIR_GUARDED_BY(lock), last_flush_us WEIR_GUARDED_BY(lock);
} writer;

static const weir_resource_type writer_type = {"N10tensorflow22SummaryWriterInterfaceE",
                                               "summary writer"};

static void destroy(weir_ref *ref)
{
    writer *this_writer = (writer *)ref;
    weir_events_destroy(this_writer->events);
    weir_mutex_fini(&this_writer->lock);
    weir_free(this_writer);
}

/* ---- SummaryWriter: only the handle ---- */

static weir_status prepare(weir_prepare *preparation)
{
    return weir_named_prepare(preparation, 1, 0, WEIR_BY_NODE_NAME, &writer_type);
}

static weir_status summary_writer(weir_call *call)
{
    weir_named_output(call, 0);
    return WEIR_OK;
}

const weir_op weir_op_summary_writer = {
    .name = "SummaryWriter",
    .out = "writer: resource",
    .attrs = "shared_name: string = \"\"; container: string = \"\"",
    .flags = WEIR_STATEFUL,
    .infer = weir_infer_scalar,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", summary_writer, WEIR_OWN_OUTPUTS | WEIR_CHEAP, .prepare = prepare,
                 .cleanup = weir_named_cleanup}},
};

/* ---- CreateSummaryFileWriter ---- */

typedef struct wanted {
    weir_call *call;
    char *dir, *suffix;
} wanted;

static weir_status create(void *arg, weir_resource **out)
{
    wanted *wanted = arg;
    weir_events *events = NULL;
    WEIR_TRY(weir_events_create(wanted->dir, wanted->suffix, &events));
    writer *made = WEIR_NEW(writer);
    weir_ref_init(&made->base.ref, destroy);
    made->base.type = &writer_type;
    weir_mutex_init(&made->lock);
    made->events = events;
    made->most_pending = *(const int32_t *)weir_in(wanted->call, 2)->data;
    made->flush_us = *(const int32_t *)weir_in(wanted->call, 3)->data * (int64_t)1000;
    made->last_flush_us = weir_wall_us();
    *out = &made->base;
    return WEIR_OK;
}

static weir_status infer_scalars(weir_infer *infer)
{
    for (int in = 0; in < infer->in_count; in++)
        WEIR_TRY(weir_infer_rank(infer, in, 0));
    return WEIR_OK;
}

static weir_status create_file_writer(weir_call *call)
{
    static atomic_int serial; /* makes file names unique in a process */
    weir_handle *handle = weir_tensor_handle(weir_in(call, 0));
    if (!handle)
        return weir_error(WEIR_INVALID_ARGUMENT, "writer is not a resource handle");
    weir_str suffix = weir_str_at(weir_in(call, 4), 0);
    weir_buf name = {0};
    weir_buf_addf(&name, ".%d.%d%.*s", (int)getpid(), atomic_fetch_add(&serial, 1),
                  WEIR_STR_ARG(suffix));
    wanted wanted = {call, weir_str_copy_at(weir_in(call, 1), 0), weir_buf_take(&name)};
    weir_resource *found;
    weir_status status = weir_resources_find_or_create(
        weir_resources_of(call->run->resources, handle), weir_str_of(handle->container),
        weir_str_of(handle->name), &writer_type, create, &wanted, &found);
    if (!status)
        weir_ref_release(&found->ref);
    weir_free(wanted.dir);
    weir_free(wanted.suffix);
    return status;
}

const weir_op weir_op_create_summary_file_writer = {
    .name = "CreateSummaryFileWriter",
    .in = "writer: resource; logdir: string; max_queue: int32; flush_millis: int32; "
          "filename_suffix: string",
    .flags = WEIR_STATEFUL,
    .infer = infer_scalars,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", create_file_writer, WEIR_EXPENSIVE}},
};

/* ---- writing ---- */

static weir_status open_writer(weir_call *call, writer **out)
{
    weir_resource *found;
    WEIR_TRY(weir_named_input(call, 0, &writer_type, &found));
    *out = (writer *)found;
    return WEIR_OK;
}

static weir_status add_locked(writer *w, weir_str event) WEIR_REQUIRES(w->lock)
{
    WEIR_TRY(weir_events_add(w->events, event));
    int64_t now = weir_wall_us();
    if (++w->pending < w->most_pending && now - w->last_flush_us < w->flush_us)
        return WEIR_OK;
    w->pending = 0;
    w->last_flush_us = now;
    return weir_events_flush(w->events);
}

static weir_status add_event(weir_call *call, weir_str event)
{
    writer *writer;
    WEIR_TRY(open_writer(call, &writer));
    weir_mutex_lock(&writer->lock);
    weir_status status = add_locked(writer, event);
    weir_mutex_unlock(&writer->lock);
    weir_ref_release(&writer->base.ref);
    return status;
}

static double now_seconds(void)
{
    return (double)weir_wall_us() * 1e-6;
}

/* Adds the value of an op's Write... to the summary. */
typedef weir_status fill_fn(weir_call *call, weir_buf *summary);

static weir_status fill_tensor(weir_call *call, weir_buf *out)
{
    weir_str metadata = weir_str_at(weir_in(call, 4), 0);
    return weir_summary_add_tensor(weir_str_at(weir_in(call, 3), 0), "", weir_in(call, 2),
                                   metadata.length ? &metadata : NULL, out);
}

static weir_status fill_scalar(weir_call *call, weir_buf *out)
{
    return weir_summary_add_scalars(weir_in(call, 2), weir_in(call, 3), out);
}

static weir_status fill_histogram(weir_call *call, weir_buf *out)
{
    return weir_summary_add_histogram(call->site->name, weir_str_at(weir_in(call, 2), 0),
                                      weir_in(call, 3), out);
}

static weir_status fill_images(weir_call *call, weir_buf *out)
{
    return weir_summary_add_images(weir_str_at(weir_in(call, 2), 0), weir_in(call, 3),
                                   weir_in(call, 4), weir_site_int(call->site, 0), out);
}

static weir_status fill_sounds(weir_call *call, weir_buf *out)
{
    return weir_summary_add_sounds(weir_str_at(weir_in(call, 2), 0), weir_in(call, 3),
                                   *(const float *)weir_in(call, 4)->data,
                                   weir_site_int(call->site, 0), out);
}

static weir_status fill_bytes(weir_call *call, weir_buf *out)
{
    weir_str bytes = weir_str_at(weir_in(call, 2), 0);
    weir_buf_add(out, bytes.at, bytes.length);
    return WEIR_OK;
}

/* Step and tag are scalars; the summarised value may have any shape. */
static weir_status infer_write(weir_infer *infer)
{
    WEIR_TRY(weir_infer_rank(infer, 0, 0));
    WEIR_TRY(weir_infer_rank(infer, 1, 0));
    int tag = weir_str_is(weir_str_of(infer->site->def->name), "WriteSummary") ? 3 : 2;
    return weir_infer_rank(infer, tag, 0);
}

enum { TENSOR, SCALAR, HISTOGRAM, IMAGES, SOUNDS, SUMMARY, GRAPH }; /* modes: what is written */

/* Writes one event with the op's value: a summary, or a graph. */
static weir_status write_event(weir_call *call)
{
    static fill_fn *const fills[] = {
        [TENSOR] = fill_tensor, [SCALAR] = fill_scalar, [HISTOGRAM] = fill_histogram,
        [IMAGES] = fill_images, [SOUNDS] = fill_sounds, [SUMMARY] = fill_bytes,
        [GRAPH] = fill_bytes,
    };
    WEIR_BUF(payload);
    WEIR_BUF(event);
    int64_t step = *(const int64_t *)weir_in(call, 1)->data;
    int mode = weir_site_mode(call->site);
    WEIR_TRY(fills[mode](call, &payload));
    if (mode == GRAPH)
        weir_event_graph(&event, now_seconds(), step, weir_view(&payload));
    else
        weir_event_summary(&event, now_seconds(), step, weir_view(&payload));
    return add_event(call, weir_view(&event));
}

#define WRITE                                                                                      \
    .flags = WEIR_STATEFUL, .infer = infer_write, .no_grad = true,                                 \
    .kernels = {{WEIR_CPU, "*", write_event, WEIR_EXPENSIVE}}
#define STEP "writer: resource; step: int64; "

WEIR_DEFINE_OP(write_summary, "WriteSummary", WRITE, .mode = TENSOR, .attrs = "T: type",
               .in = STEP "tensor: T; tag: string; summary_metadata: string");
WEIR_DEFINE_OP(write_scalar_summary, "WriteScalarSummary", WRITE, .mode = SCALAR,
               .in = STEP "tag: string; value: T", .attrs = "T: {" REALS "}");
WEIR_DEFINE_OP(write_histogram_summary, "WriteHistogramSummary", WRITE, .mode = HISTOGRAM,
               .in = STEP "tag: string; values: T", .attrs = "T: {" REALS ", bool} = DT_FLOAT");
WEIR_DEFINE_OP(write_image_summary, "WriteImageSummary", WRITE, .mode = IMAGES,
               .in = STEP "tag: string; tensor: T; bad_color: uint8",
               .attrs = "max_images: int >= 1 = 3; T: {uint8, double, float, half} = DT_FLOAT");
WEIR_DEFINE_OP(write_audio_summary, "WriteAudioSummary", WRITE, .mode = SOUNDS,
               .in = STEP "tag: string; tensor: float; sample_rate: float",
               .attrs = "max_outputs: int >= 1 = 3");
WEIR_DEFINE_OP(write_raw_proto_summary, "WriteRawProtoSummary", WRITE, .mode = SUMMARY,
               .in = STEP "tensor: string");
WEIR_DEFINE_OP(write_graph_summary, "WriteGraphSummary", WRITE, .mode = GRAPH,
               .in = STEP "tensor: string");

/* ---- ImportEvent, FlushSummaryWriter, CloseSummaryWriter ---- */

static weir_status import_event(weir_call *call)
{
    weir_str event = weir_str_at(weir_in(call, 1), 0);
    WEIR_MESSAGE_ARENA(arena);
    weir_msg_event message;
    WEIR_TRY(weir_event_read(event, &arena, &message));
    return add_event(call, event);
}

static weir_status flush_writer(weir_call *call)
{
    writer *writer;
    WEIR_TRY(open_writer(call, &writer));
    weir_mutex_lock(&writer->lock);
    weir_status status = weir_events_flush(writer->events);
    weir_mutex_unlock(&writer->lock);
    weir_ref_release(&writer->base.ref);
    return status;
}

static weir_status close_writer(weir_call *call)
{
    weir_handle *handle = weir_tensor_handle(weir_in(call, 0));
    WEIR_TRY(flush_writer(call));
    return weir_resources_delete(weir_resources_of(call->run->resources, handle),
                                 weir_str_of(handle->container), weir_str_of(handle->name),
                                 &writer_type);
}

#define WRITER .flags = WEIR_STATEFUL, .infer = infer_scalars, .no_grad = true

WEIR_DEFINE_OP(import_event, "ImportEvent", WRITER, .in = "writer: resource; event: string",
               .kernels = {{WEIR_CPU, "*", import_event, WEIR_EXPENSIVE}});
WEIR_DEFINE_OP(flush_summary_writer, "FlushSummaryWriter", WRITER, .in = "writer: resource",
               .kernels = {{WEIR_CPU, "*", flush_writer, WEIR_EXPENSIVE}});
WEIR_DEFINE_OP(close_summary_writer, "CloseSummaryWriter", WRITER, .in = "writer: resource",
               .kernels = {{WEIR_CPU, "*", close_writer, WEIR_EXPENSIVE}});
