/* weir/events.h - event files for TensorBoard, and traces for a browser.
 *
 * A writer creates one file, DIR/events.out.tfevents.<seconds>.<host><suffix>, that TensorBoard
 * follows as it grows. After the first failure nothing more is written, and close reports it.
 * Thread-safe. The caller passes the step; an event's time is the current time.
 */
#ifndef WEIR_EVENTS_H
#define WEIR_EVENTS_H

#include "tensorflow/c/c_api.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct weir_event_writer weir_event_writer;

/* Creates the folder if missing. |suffix| may be null. Null on failure. */
TF_CAPI_EXPORT extern weir_event_writer *weir_event_writer_new(const char *dir, const char *suffix,
                                                               TF_Status *status);
/* The path of the event file; owned by the writer. */
TF_CAPI_EXPORT extern const char *weir_event_writer_path(const weir_event_writer *w);
/* Flushes to the file; otherwise events are flushed every two minutes at most. */
TF_CAPI_EXPORT extern void weir_event_writer_flush(weir_event_writer *w, TF_Status *status);
/* Flushes, reports the first failure, and deletes the writer. |status| may be null. */
TF_CAPI_EXPORT extern void weir_event_writer_close(weir_event_writer *w, TF_Status *status);

/* Adds a number under a tag. Errors are reported when the writer is closed. */
TF_CAPI_EXPORT extern void weir_event_scalar(weir_event_writer *w, int64_t step, const char *tag,
                                             float value);
/* The distribution of the elements of a tensor of numbers. */
TF_CAPI_EXPORT extern void weir_event_histogram(weir_event_writer *w, int64_t step, const char *tag,
                                                const TF_Tensor *values);
/* Pixels of 1, 3 or 4 channels (grey, RGB, RGBA), row by row; stored as PNG. */
TF_CAPI_EXPORT extern void weir_event_image(weir_event_writer *w, int64_t step, const char *tag,
                                            int height, int width, int channels,
                                            const uint8_t *pixels);
/* Adds a text, which TensorBoard renders as Markdown; copied. */
TF_CAPI_EXPORT extern void weir_event_text(weir_event_writer *w, int64_t step, const char *tag,
                                           const char *text);
/* A serialised Summary, such as the output of a summary op: a scalar string tensor. */
TF_CAPI_EXPORT extern void weir_event_add_summary(weir_event_writer *w, int64_t step,
                                                  const TF_Tensor *summary);
/* Adds the current state of a graph. */
TF_CAPI_EXPORT extern void weir_event_graph_of(weir_event_writer *w, TF_Graph *graph);
/* Adds a serialised MetaGraphDef. */
TF_CAPI_EXPORT extern void weir_event_meta_graph_def(weir_event_writer *w,
                                                     const TF_Buffer *meta_graph);
/* A serialised RunMetadata, as returned by TF_SessionRun, under a tag like "step 100". */
TF_CAPI_EXPORT extern void weir_event_run(weir_event_writer *w, int64_t step, const char *tag,
                                          const TF_Buffer *run_metadata);

typedef enum weir_event_session_status {
    WEIR_EVENT_SESSION_START = 1,
    WEIR_EVENT_SESSION_STOP = 2,
    WEIR_EVENT_CHECKPOINT = 3,
} weir_event_session_status;
/* |checkpoint| may be null. */
TF_CAPI_EXPORT extern void weir_event_session(weir_event_writer *w, int64_t step,
                                              weir_event_session_status what,
                                              const char *checkpoint);

/* Converts the step stats of a RunMetadata to a trace-event file (JSON) for chrome://tracing or
 * Perfetto: a process per device, a row per thread, an event per op. */
TF_CAPI_EXPORT extern void weir_trace_write(const char *path, const TF_Buffer *run_metadata,
                                            TF_Status *status);

#ifdef __cplusplus
}
#endif
#endif
