/* ops/parsing/parse_tensor.c - ParseTensor and SerializeTensor: conversion of a TensorProto. */
#include "ops/common/strs.h"
#include "tensor/proto.h"

static weir_status parse_tensor(weir_call *c)
{
    const weir_tensor *in = weir_in(c, 0);
    if (in->shape.rank != 0)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Expected `serialized` to be a scalar, got shape: %s",
                          WEIR_SHAPE_STR(&in->shape));
    weir_tensor t;
    weir_status status = weir_tensor_parse(weir_str_at(in, 0), &t);
    if (status)
        return weir_status_prefix(status, "Cannot parse tensor from proto: ");
    weir_dtype dtype = weir_site_type(c->site, 0);
    if (t.dtype != dtype) {
        status = weir_error(WEIR_INVALID_ARGUMENT,
                            "Type mismatch between parsed tensor (%s) and dtype (%s)",
                            weir_dtype_name(t.dtype), weir_dtype_name(dtype));
        weir_tensor_release(&t);
        return status;
    }
    weir_call_set(c, 0, t);
    return WEIR_OK;
}

static weir_status serialize_tensor(weir_call *c)
{
    weir_buf proto = {0};
    weir_status status = weir_tensor_encode(weir_in(c, 0), &proto);
    weir_str_put_buf(weir_out(c, 0), 0, &proto);
    return status;
}

const weir_op weir_op_parse_tensor = {
    .name = "ParseTensor",
    .in = "serialized: string",
    .out = "output: out_type",
    .attrs = "out_type: type",
    .infer = weir_infer_unknown,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", parse_tensor, WEIR_OWN_OUTPUTS}},
};

const weir_op weir_op_serialize_tensor = {
    .name = "SerializeTensor",
    .in = "tensor: T",
    .out = "serialized: string",
    .attrs = "T: type",
    .infer = weir_infer_scalar,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", serialize_tensor}},
};
