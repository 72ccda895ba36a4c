/* net/grpc_impl.h - gRPC's header values: timeouts, error texts, status details. Pure. */
#ifndef WEIR_NET_GRPC_IMPL_H
#define WEIR_NET_GRPC_IMPL_H

#include "base/str.h"

enum { MAX_ERROR_BYTES = 3072 }; /* bytes of an error text in a header */

/* "5010m": a number and a unit, converted to milliseconds; 0 when malformed. */
int64_t weir_grpc_parse_timeout(weir_str text);
void weir_grpc_timeout(int64_t ms, char out[24]);

/* grpc-message: bytes outside the printable ASCII, and '%', as %XX. Truncated if too long. */
void weir_grpc_escape(const char *text, weir_buf *out);
void weir_grpc_unescape(weir_str text, weir_buf *out);

/* grpc-status-details-bin: a status's flags, as TensorFlow's map of payloads in base64. */
void weir_grpc_details(weir_status status, weir_buf *out); /* appends nothing without flags */
unsigned weir_grpc_parse_details(weir_str text);

#endif
