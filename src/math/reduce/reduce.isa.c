/* math/reduce/reduce.isa.c - loops over float and double. */
#include "math/reduce/reduce_impl.h"

#define LOOPS "math/reduce/reduce_loops.inc"
#include "math/each_float.inc"

const weir_reducers WEIR_ISA_NAME(weir_reducers) = {table_f32, table_f64};
