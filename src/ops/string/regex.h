/* ops/string/regex.h - regular expressions in RE2's syntax, matched in linear time.
 *
 * Patterns and texts are UTF-8; an invalid byte matches nothing. Matching is leftmost-first, as in
 * a backtracking matcher. No back-references, no look-around; \C and \p{..} are rejected.
 * Compiling is bounded in size and nesting. A compiled expression is read-only and may be shared
 * by threads.
 */
#ifndef WEIR_OPS_STRING_REGEX_H
#define WEIR_OPS_STRING_REGEX_H

#include "base/str.h"

typedef struct weir_regex weir_regex;

/* INVALID_ARGUMENT: "Invalid pattern: <pattern>, error: <why>". */
WEIR_CHECKED weir_status weir_regex_compile(weir_str pattern, weir_regex **out_regex);
void weir_regex_destroy(weir_regex *re); /* takes null */
WEIR_OWNABLE(weir_regex);

enum { WEIR_REGEX_GROUPS = 10 }; /* the whole match and the first nine groups */

/* The range of group i: [start, end); start is -1 if it did not match. */
typedef struct weir_regex_match {
    struct {
        int64_t start, end;
    } group[WEIR_REGEX_GROUPS];
} weir_regex_match;

/* The first match at or after |from|. |out| may be null. */
bool weir_regex_search(const weir_regex *re, weir_str text, size_t from, weir_regex_match *out);
/* True when the whole text matches. */
bool weir_regex_full(const weir_regex *re, weir_str text);
/* Appends |text| with its matches (or the first one) replaced by |rewrite|, where \0 to \9 are
 * groups and \\ a backslash. As in RE2, a non-existing group leaves the text unchanged, and any
 * other escape ends the rewrite. */
WEIR_CHECKED weir_status weir_regex_replace(const weir_regex *re, weir_str text, weir_str rewrite,
                                            bool all, weir_buf *out);

#endif
