/* dist/probe.h - what listens at an address that does not answer as a task does. */
#ifndef WEIR_DIST_PROBE_H
#define WEIR_DIST_PROBE_H

#include "base/str.h"

/* Appends a sentence about who is at |address| ("host:port"), for a message: nothing where a task
 * might be there. Takes up to a second. */
void weir_probe(const char *address, weir_buf *out);

/* A sentence about the first bytes that came: "" when they could be a task's. For tests, too. */
void weir_probe_words(weir_str bytes, weir_buf *out);

#endif
