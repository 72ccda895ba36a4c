/* io/events.h - event files, as dashboards read them.
 *
 * An event file is a record file of Event messages whose first one names the format's version. The
 * encoders are pure; a writer writes the file. One thread at a time.
 */
#ifndef WEIR_IO_EVENTS_H
#define WEIR_IO_EVENTS_H

#include "base/mem.h"
#include "base/str.h"

typedef struct weir_msg_event weir_msg_event;

typedef struct weir_events weir_events;
/* Creates the folder and the file DIR/events.out.tfevents.<seconds>.<host><suffix> with its first
 * event, flushed. */
WEIR_CHECKED weir_status weir_events_create(const char *dir, const char *suffix,
                                            weir_events **out_events);
const char *weir_events_path(const weir_events *events);
/* Writes one serialised Event. */
WEIR_CHECKED weir_status weir_events_add(weir_events *events, weir_str event);
WEIR_CHECKED weir_status weir_events_flush(weir_events *events);
WEIR_CHECKED weir_status weir_events_close(weir_events *events); /* and destroys */
void weir_events_destroy(weir_events *events); /* keeps what was written; takes null */
WEIR_OWNABLE(weir_events);

/* ---- messages -------------------------------------------------------------------------------- */

typedef enum weir_session_log {
    WEIR_SESSION_START = 1,
    WEIR_SESSION_STOP = 2,
    WEIR_SESSION_CHECKPOINT = 3
} weir_session_log;

/* Each appends one Event. |summary|, |graph| and the like are serialised messages. */
void weir_event_version(weir_buf *out, double wall_time);
void weir_event_summary(weir_buf *out, double wall_time, int64_t step, weir_str summary);
void weir_event_graph(weir_buf *out, double wall_time, int64_t step, weir_str graph);
void weir_event_meta_graph(weir_buf *out, double wall_time, int64_t step, weir_str meta_graph);
void weir_event_session_log(weir_buf *out, double wall_time, int64_t step, weir_session_log what,
                            const char *checkpoint_path);
void weir_event_run_metadata(weir_buf *out, double wall_time, int64_t step, const char *tag,
                             weir_str run_metadata);

/* Parses one; DATA_LOSS when it is malformed. */
WEIR_CHECKED weir_status weir_event_read(weir_str bytes, weir_arena *arena,
                                         weir_msg_event *out_event);

/* Appends a Summary.Value with a number to a Summary. */
void weir_summary_scalar(weir_buf *summary, weir_str tag, float value);

#endif
