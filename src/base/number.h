/* base/number.h - numbers out of text, all of it, whatever the locale. */
#ifndef WEIR_BASE_NUMBER_H
#define WEIR_BASE_NUMBER_H

#include "base/str.h"

/* Each is true when all of |s|, spaces around it aside, is one number that fits. */
bool weir_parse_i64(weir_str s, int64_t *out);
bool weir_parse_u64(weir_str s, uint64_t *out);
bool weir_parse_f32(weir_str s, float *out);
bool weir_parse_f64(weir_str s, double *out);

#endif
