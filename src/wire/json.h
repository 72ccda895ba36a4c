/* wire/json.h - a JSON pull parser.
 *
 * The reader is positioned at a value; one of the calls below consumes it. It never
 * reads past its bytes and fails once: after that every call returns false and |failed| is set.
 *
 *   weir_json j = weir_json_reader(text);
 *   bool more = weir_json_open(&j, '{');
 *   while (more && weir_json_key(&j, &key)) ... consume the value ...
 *   if (!weir_json_end(&j)) return weir_json_error(&j);
 */
#ifndef WEIR_WIRE_JSON_H
#define WEIR_WIRE_JSON_H

#include "base/str.h"

typedef struct weir_json {
    const char *start, *at, *end;
    const char *wanted; /* what was expected at the failure */
    bool failed;
    bool fresh; /* just after an opening bracket: no comma comes next */
    int depth;  /* nesting depth inside weir_json_skip */
} weir_json;

static inline weir_json weir_json_reader(weir_str text)
{
    return (weir_json){.start = text.at, .at = text.at, .end = text.at + text.length};
}
/* The first character of the value: { [ " t f n or of a number; 0 at the end. */
char weir_json_peek(weir_json *j);
bool weir_json_open(weir_json *j, char bracket); /* '{' or '[' */
/* The next key of an object; false after the last one, with the bracket consumed. */
bool weir_json_key(weir_json *j, weir_buf *out_key);
/* Whether an array has another value; false after the last one, with the bracket consumed. */
bool weir_json_item(weir_json *j);
bool weir_json_string(weir_json *j, weir_buf *out);
bool weir_json_int(weir_json *j, int64_t *out);     /* an integer; also quoted, as "3" */
bool weir_json_real(weir_json *j, double *out);     /* any number */
bool weir_json_number(weir_json *j, weir_str *out); /* the text of a number */
/* Whether the value is the word |word|, as null is, which is consumed then; no failure if not. */
bool weir_json_word(weir_json *j, const char *word);
bool weir_json_skip(weir_json *j); /* any value */
bool weir_json_end(weir_json *j);  /* only white space is left */
/* INVALID_ARGUMENT: what was expected, and at which character. */
WEIR_CHECKED weir_status weir_json_error(const weir_json *j);

/* Appends |text| as a JSON string, quotes included. Bytes that are not UTF-8 become U+FFFD. */
void weir_json_put_string(weir_buf *out, weir_str text);

#endif
