/* dist/options.h - options and metadata of sessions and steps, as serialised by clients. */
#ifndef WEIR_DIST_OPTIONS_H
#define WEIR_DIST_OPTIONS_H

#include "base/status.h"
#include "session/options.h"

/* Reads a ConfigProto: INVALID_ARGUMENT "Unparseable ConfigProto". */
WEIR_CHECKED weir_status weir_session_config_read(weir_str proto, weir_session_config *out_config);

/* Parses a RunOptions, valid as long as |proto| and |arena|: INVALID_ARGUMENT "Unparseable
 * RunOptions proto". */
WEIR_CHECKED weir_status weir_run_options_read(weir_str proto, weir_arena *arena,
                                               weir_run_options *out_options);
/* Appends a RunOptions; null |options| are the defaults. */
void weir_run_options_write(const weir_run_options *options, weir_buf *out);

/* Adds a copy of a RunMetadata. */
WEIR_CHECKED weir_status weir_run_metadata_read(weir_str proto, weir_run_metadata *metadata);
/* Appends all of it as one RunMetadata. */
void weir_run_metadata_write(const weir_run_metadata *metadata, weir_buf *out);

#endif
