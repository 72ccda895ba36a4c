/* wire/text_tree.h - protocol buffers in text form, as a tree of names and values.
 *
 *   name: "text" 'joined' other { inner: 5 } list: [a, b]   # comments
 *   name: <<END
 *   many lines
 *   END
 *   [type.googleapis.com/x.Y] { ... }      # its name is what is in the brackets
 */
#ifndef WEIR_WIRE_TEXT_TREE_H
#define WEIR_WIRE_TEXT_TREE_H

#include "base/mem.h"
#include "base/str.h"

/* Fields in order of the text; a repeated field occurs again. */
typedef struct weir_text_field {
    const char *name;
    const char *value;              /* of a scalar, without quotes; null for a message */
    size_t length;                  /* of the value, which may contain NUL bytes */
    bool quoted;                    /* the value was a string */
    const char *at;                 /* position of its name in the text */
    struct weir_text_field *fields; /* of a message: the first one */
    struct weir_text_field *next;
} weir_text_field;

enum { WEIR_TEXT_DEPTH = 100 }; /* maximum nesting depth */

/* Allocates in |arena|. INVALID_ARGUMENT names the line. */
WEIR_CHECKED weir_status weir_text_parse(weir_arena *arena, weir_str text,
                                         weir_text_field **out_fields);
/* Appends |text|, what is between the quotes of a string, with its escapes resolved. */
void weir_text_unescape(weir_str text, weir_buf *out);

#endif
