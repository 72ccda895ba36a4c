/* ops/common/scatter_nd.h - scatters updates into slices selected by rows of indices.
 *
 * Each row of the last dimension of indices selects a slice of params; it becomes (slice op
 * updates[row]). Used by the ops that update a variable and by those that return a new tensor.
 */
#ifndef WEIR_OPS_COMMON_SCATTER_ND_H
#define WEIR_OPS_COMMON_SCATTER_ND_H

#include "base/str.h"
#include "math/update/update.h"
#include "tensor/tensor.h"

enum { WEIR_SCATTER_SET = WEIR_UPDATE_OPS }; /* in addition to the operations of math/update */

/* Checks that fully known shapes are consistent; errors use TensorFlow's wording. */
WEIR_CHECKED weir_status weir_scatter_nd_check(const weir_shape *params, const weir_shape *indices,
                                               const weir_shape *updates);
/* Shapes must have passed that check. All indices are checked before anything is written; with
 * |skip_bad| those out of range are ignored. Strings: SET only, ADD appends. */
WEIR_CHECKED weir_status weir_scatter_nd(weir_tensor *params, const weir_tensor *indices,
                                         const weir_tensor *updates, int op, bool skip_bad);
/* Parses the attr bad_indices_policy: sets |out_skip| for "IGNORE"; fails on an unknown value. */
WEIR_CHECKED weir_status weir_bad_indices_policy(weir_str policy, bool *out_skip);

#endif
