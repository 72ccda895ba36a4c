/* base/number.h - parses numbers, independent of the locale. */
#ifndef WEIR_BASE_NUMBER_H
#define WEIR_BASE_NUMBER_H

#include "base/str.h"

/* True if all of |text|, except for surrounding spaces, is one number that fits. */
bool weir_parse_i64(weir_str text, int64_t *out);
bool weir_parse_u64(weir_str text, uint64_t *out);
bool weir_parse_f32(weir_str text, float *out);
bool weir_parse_f64(weir_str text, double *out);

#endif
