/* capi/text_proto.h - protocol buffers in text form, as a tree of names and values.
 *
 *   name: "text" 'joined' other { inner: 5 } list: [a, b]   # comments
 *   name: <<END
 *   many lines
 *   END
 */
#ifndef WEIR_CAPI_TEXT_PROTO_H
#define WEIR_CAPI_TEXT_PROTO_H

#include "base/mem.h"
#include "base/str.h"

/* Fields in the order written; a field that repeats occurs again. */
typedef struct weir_text_field {
    const char *name;
    const char *value;              /* of a scalar, without quotes; null for a message */
    struct weir_text_field *fields; /* of a message: the first one */
    struct weir_text_field *next;
} weir_text_field;

enum { WEIR_TEXT_DEPTH = 32 }; /* messages within messages, at most */

/* Everything lives in |arena|. INVALID_ARGUMENT names the line. */
WEIR_CHECKED weir_status weir_text_parse(weir_arena *arena, weir_str text,
                                         weir_text_field **out_fields);

#endif
