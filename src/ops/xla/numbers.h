/* ops/xla/numbers.h - shared by the XLA ops: dimension numbers, indices, vectors of sizes. */
#ifndef WEIR_OPS_XLA_NUMBERS_H
#define WEIR_OPS_XLA_NUMBERS_H

#include <inttypes.h>

#include "op/op.h"
#include "wire/messages.h"

/* Reads attr dimension_numbers, a serialised message of |type|, into its struct. */
WEIR_CHECKED weir_status weir_xla_numbers(const weir_site *site, const weir_message_type *type,
                                          weir_arena *arena, void *out_numbers);
/* Checks that |dims| are below |rank| and distinct: at most |rank| of them. */
WEIR_CHECKED weir_status weir_xla_check_dims(const weir_site *site, weir_int64s dims, int rank);
bool weir_dims_has(weir_int64s dims, int64_t dim);
/* Input |in| as a vector of |count| integers. */
WEIR_CHECKED weir_status weir_xla_ints(const weir_call *call, int in, int count, int64_t *out);
/* Converts a flat index |at| to an index of |shape|, and the reverse. */
void weir_xla_unravel(const weir_shape *shape, int64_t at, int64_t *out_index);
int64_t weir_xla_ravel(const weir_shape *shape, const int64_t *index);
/* Checks that |shape| can be allocated, and allocates output |out|. */
WEIR_CHECKED weir_status weir_xla_alloc(weir_call *call, int out, const weir_shape *shape);

#endif
