/* ops/xla/numbers.h - shared by the XLA ops: dimension numbers, indices, vectors of sizes. */
#ifndef WEIR_OPS_XLA_NUMBERS_H
#define WEIR_OPS_XLA_NUMBERS_H

#include <inttypes.h>

#include "op/op.h"

/* One field of a message of dimension numbers. */
typedef struct weir_dims {
    int count;
    int64_t at[WEIR_MAX_RANK];
} weir_dims;

enum { WEIR_DIM_FIELDS = 16 };

/* Parses fields 1 to 15 of attr |name|, a message of integers and lists of integers. */
WEIR_CHECKED weir_status weir_xla_numbers(const weir_site *site, const char *name,
                                          weir_dims out_fields[WEIR_DIM_FIELDS]);
/* Checks that |dims| are below |rank| and distinct. */
WEIR_CHECKED weir_status weir_xla_check_dims(const weir_site *site, const weir_dims *dims,
                                             int rank);
bool weir_dims_has(const weir_dims *dims, int64_t dim);
/* Input |in| as a vector of |count| integers. */
WEIR_CHECKED weir_status weir_xla_ints(const weir_call *call, int in, int count, int64_t *out);
/* Converts a flat index |at| to an index of |shape|, and the reverse. */
void weir_xla_unravel(const weir_shape *shape, int64_t at, int64_t *out_index);
int64_t weir_xla_ravel(const weir_shape *shape, const int64_t *index);
/* Checks that |shape| can be allocated, and allocates output |out|. */
WEIR_CHECKED weir_status weir_xla_alloc(weir_call *call, int out, const weir_shape *shape);

#endif
