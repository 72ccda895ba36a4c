/* cli/values.h - tensor values as JSON, and as doubles. */
#ifndef WEIR_CLI_VALUES_H
#define WEIR_CLI_VALUES_H

#include "tensor/tensor.h"

/* Appends |tensor| as nested arrays: strings that are not UTF-8 as {"b64": "..."}, complex and
 * non-finite numbers as strings. */
void weir_json_add_tensor(weir_buf *buf, const weir_tensor *tensor);
/* Row |row| of the first dimension; a scalar has one row. */
void weir_json_add_row(weir_buf *buf, const weir_tensor *tensor, int64_t row);
/* One element as JSON. */
void weir_json_add_element(weir_buf *buf, const weir_tensor *tensor, int64_t i);

/* Whether elements are numbers that convert to double (64-bit integers are rounded). */
bool weir_values_are_real(weir_dtype dtype);
/* Elements [first, first + count) of a real tensor. */
void weir_values_get(const weir_tensor *tensor, int64_t first, int64_t count, double *out);

#endif
