/* ops/array/immutable_const.c - ImmutableConst: a tensor read from a file. */
#include "io/file.h"
#include "op/op.h"

enum { DTYPE, SHAPE, REGION };

static weir_status infer(weir_infer *infer)
{
    infer->out[0] = *weir_site_shape(infer->site, SHAPE);
    return WEIR_OK;
}

static weir_status check(const weir_site *site)
{
    const weir_shape *shape = weir_site_shape(site, SHAPE);
    if (!weir_dtype_is_plain(weir_site_type(site, DTYPE)))
        return weir_error(WEIR_UNIMPLEMENTED, "Sorry, %s is not currently supported for this op",
                          weir_dtype_name(weir_site_type(site, DTYPE)));
    if (!weir_shape_known(shape))
        return weir_error(WEIR_INVALID_ARGUMENT, "shape must be fully defined, got %s",
                          WEIR_SHAPE_STR(shape));
    return WEIR_OK;
}

static weir_status read(const char *path, weir_tensor *tensor)
{
    WEIR_OWNED(weir_rfile) file = NULL;
    WEIR_TRY(weir_rfile_open(path, &file));
    if (weir_rfile_bytes(file) < weir_tensor_bytes(tensor))
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "ImmutableConst: %s has %llu bytes, %zu are needed", path,
                          (unsigned long long)weir_rfile_bytes(file), weir_tensor_bytes(tensor));
    return weir_rfile_read(file, 0, tensor->data, weir_tensor_bytes(tensor));
}

static weir_status run(weir_call *call)
{
    weir_str region = weir_site_str(call->site, REGION);
    WEIR_TRY(check(call->site));
    WEIR_FREED char *path = weir_strndup(region.at, region.length);
    weir_status status = weir_call_alloc(call, 0, weir_site_shape(call->site, SHAPE));
    if (!status)
        status = read(path, weir_out(call, 0));
    return status;
}

const weir_op weir_op_immutable_const = {
    .name = "ImmutableConst",
    .out = "tensor: dtype",
    .attrs = "dtype: type; shape: shape; memory_region_name: string",
    .flags = WEIR_NO_FOLD,
    .infer = infer,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", run, WEIR_OWN_OUTPUTS}},
};
