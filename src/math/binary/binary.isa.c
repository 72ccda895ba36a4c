/* math/binary/binary.isa.c - loops over float and double. */
#include "math/binary/binary_impl.h"

#define LOOPS "math/binary/binary_loops.inc"
#include "math/each_float.inc"

const weir_binary_floats WEIR_ISA_NAME(weir_binary_floats) = {table_f32, table_f64};
