/* ops/data_flow/step_impl.h - objects that live as long as a step: stacks and tensor arrays.
 *
 * A resource handle holds its object, so that finding it costs a pointer. Older ops hand on two
 * strings instead; for those the object is also kept under its name among the step's resources.
 */
#ifndef WEIR_OPS_DATA_FLOW_STEP_IMPL_H
#define WEIR_OPS_DATA_FLOW_STEP_IMPL_H

#include "op/op.h"

/* A name for a new object: |wanted|, or the node's name, and a number. The caller frees it. */
char *weir_step_name(const weir_call *call, weir_str wanted);
/* Output |out| hands |object| on; the caller keeps its reference. */
WEIR_CHECKED weir_status weir_step_output(weir_call *call, int out, weir_resource *object,
                                          const char *name);
/* The object that input |in| hands on. Valid while the call runs: the input holds it. */
WEIR_CHECKED weir_status weir_step_input(weir_call *call, int in, const weir_resource_type *type,
                                         weir_resource **out_object);

#endif
