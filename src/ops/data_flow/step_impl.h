/* ops/data_flow/step_impl.h - objects with the lifetime of a step: stacks and tensor arrays.
 *
 * A resource handle owns a reference to its object, so lookup is a pointer dereference. Older ops
 * pass two strings; for those the object is also registered by name in the step's resources.
 */
#ifndef WEIR_OPS_DATA_FLOW_STEP_IMPL_H
#define WEIR_OPS_DATA_FLOW_STEP_IMPL_H

#include "op/op.h"

/* A unique name: |wanted|, or the node's name, and a number. The caller frees it. */
char *weir_step_name(const weir_call *call, weir_str wanted);
/* Sets output |out| to a handle of |object|; the caller keeps its reference. */
WEIR_CHECKED weir_status weir_step_output(weir_call *call, int out, weir_resource *object,
                                          const char *name);
/* The object that input |in| refers to. Valid during the call: the input holds a reference. */
WEIR_CHECKED weir_status weir_step_input(weir_call *call, int in, const weir_resource_type *type,
                                         weir_resource **out_object);

#endif
