/* ops/flow/py_func.h - the callback of ops that call functions of a host language. */
#ifndef WEIR_OPS_FLOW_PY_FUNC_H
#define WEIR_OPS_FLOW_PY_FUNC_H

#include "op/op.h"

/* Computes |out_count| tensors, owned by the caller on success; |out| is initially empty. */
typedef weir_status (*weir_py_func)(const char *token, const weir_value *in, int in_count,
                                    weir_tensor *out, int out_count);

void weir_py_func_set(weir_py_func function); /* null: the ops fail. Thread-safe. */

#endif
