/* io/trace.h - step stats as JSON trace events, the format of Chrome's and Perfetto's viewers. */
#ifndef WEIR_IO_TRACE_H
#define WEIR_IO_TRACE_H

#include "base/str.h"

/* Appends the trace of a serialised RunMetadata: a process per device, a row per thread, an event
 * per op, times in microseconds from the first. DATA_LOSS when the message is malformed. */
WEIR_CHECKED weir_status weir_trace_print(weir_str run_metadata, weir_buf *out);
WEIR_CHECKED weir_status weir_trace_to_file(const char *path, weir_str run_metadata);

#endif
