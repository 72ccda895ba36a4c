/* exec/numerics.h - finding the first op of this process that makes a NaN or an infinity. */
#ifndef WEIR_EXEC_NUMERICS_H
#define WEIR_EXEC_NUMERICS_H

#include "tensor/tensor.h"

/* From now on, or no longer, every float that a kernel writes is looked at. On at first when
 * WEIR_CHECK_NUMERICS is 1. Thread-safe; steps in progress go on as they began. */
void weir_numerics_check(bool on);
bool weir_numerics_checked(void);
/* True when no element is a NaN or an infinity; of types other than floats always. */
bool weir_tensor_finite(const weir_tensor *tensor);

#endif
