/* ops/string/string_impl.h - shared by the string ops. */
#ifndef WEIR_OPS_STRING_STRING_IMPL_H
#define WEIR_OPS_STRING_STRING_IMPL_H

#include "op/op.h"
#include "ops/common/strs.h"

/* Computes one string of output 0 from one of input 0; |out| is initially empty. */
typedef weir_status weir_string_fn(weir_call *call, const void *arg, weir_str in, weir_buf *out);
WEIR_CHECKED weir_status weir_string_map(weir_call *call, weir_string_fn *fn, const void *arg);

/* Whether attr |unit| is UTF8_CHAR rather than BYTE. */
bool weir_string_by_char(const weir_site *site, int unit);
/* Number of code points of |text|; invalid bytes count one each. */
int64_t weir_string_chars(weir_str text);

#endif
