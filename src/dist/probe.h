/* dist/probe.h - diagnoses what listens at an address that does not answer like a task. */
#ifndef WEIR_DIST_PROBE_H
#define WEIR_DIST_PROBE_H

#include "base/str.h"

/* Appends a sentence about the process at |address| ("host:port"), for a message: nothing if it may
 * be a task. Takes up to a second. */
void weir_probe(const char *address, weir_buf *out);

/* A sentence about the first received bytes: "" if a task could send them. For tests, too. */
void weir_probe_words(weir_str bytes, weir_buf *out);

#endif
