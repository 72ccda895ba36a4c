/* dash/waits.h - steps in flight in words, from the JSON of /api/waits. */
#ifndef WEIR_DASH_WAITS_H
#define WEIR_DASH_WAITS_H

#include "base/str.h"

/* Appends a line "|prefix|a step in flight for 3 s waits for ..." per step of |json|, which
 * weir_account_live wrote. Returns how many of them wait for nothing: they compute. */
int weir_waits_text(weir_str json, const char *prefix, weir_buf *out);

#endif
