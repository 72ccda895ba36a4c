/* exec/numerics.h - finds the first op of this process that makes a NaN or an infinity. */
#ifndef WEIR_EXEC_NUMERICS_H
#define WEIR_EXEC_NUMERICS_H

#include "tensor/tensor.h"

/* Turns the check of every float that a kernel writes on or off. On by default if
 * WEIR_CHECK_NUMERICS is 1. Thread-safe; does not affect steps in progress. */
void weir_numerics_check(bool on);
bool weir_numerics_checked(void);
/* True when no element is a NaN or an infinity; always for types other than floats. */
bool weir_tensor_finite(const weir_tensor *tensor);

#endif
