/* ops/common/catalogue.h - every op by its identifier, for ops composed of others. */
#ifndef WEIR_OPS_COMMON_CATALOGUE_H
#define WEIR_OPS_COMMON_CATALOGUE_H

#include "op/op.h"

#define WEIR_OP(id) extern const weir_op weir_op_##id;
#include "ops/ops.inc" // NOLINT
#undef WEIR_OP

#endif
