/* ops/flow/py_func.h - who answers the ops that call functions of a host language. */
#ifndef WEIR_OPS_FLOW_PY_FUNC_H
#define WEIR_OPS_FLOW_PY_FUNC_H

#include "op/op.h"

/* Computes |out_count| tensors, which the caller takes over on success; |out| is empty before. */
typedef weir_status (*weir_py_func)(const char *token, const weir_value *in, int in_count,
                                    weir_tensor *out, int out_count);

void weir_py_func_set(weir_py_func function); /* null: the ops fail. Thread-safe. */

#endif
