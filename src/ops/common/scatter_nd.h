/* ops/common/scatter_nd.h - slices named by rows of indices, changed by updates.
 *
 * Each row of the last dimension of indices names a slice of params; it becomes (slice op updates
 * [row]). Used by the ops that change a variable and by those that make a new tensor.
 */
#ifndef WEIR_OPS_COMMON_SCATTER_ND_H
#define WEIR_OPS_COMMON_SCATTER_ND_H

#include "base/str.h"
#include "math/update/update.h"
#include "tensor/tensor.h"

enum { WEIR_SCATTER_SET = WEIR_UPDATE_OPS }; /* beside the operations of math/update */

/* Shapes that are all known must fit together; the errors are TensorFlow's. */
WEIR_CHECKED weir_status weir_scatter_nd_check(const weir_shape *params, const weir_shape *indices,
                                               const weir_shape *updates);
/* Shapes as checked above. All indices are checked before anything is touched; with |skip_bad|
 * those out of range are ignored. Strings: SET only, ADD appends. */
WEIR_CHECKED weir_status weir_scatter_nd(weir_tensor *params, const weir_tensor *indices,
                                         const weir_tensor *updates, int op, bool skip_bad);
/* The attr bad_indices_policy: true in |out_skip| for "IGNORE"; fails on a word it does not know.
 */
WEIR_CHECKED weir_status weir_bad_indices_policy(weir_str policy, bool *out_skip);

#endif
