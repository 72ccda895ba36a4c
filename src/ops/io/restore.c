/* ops/io/restore.c - RestoreV2, and the older Restore and RestoreSlice: reads tensors from
 * checkpoints of either format. */
#include "ops/io/io_impl.h"

/* The restored shape according to a "shape_and_slice" text; unknown if it is empty. */
static weir_status shape_of_spec(weir_str spec, weir_shape *out_shape)
{
    weir_shape full;
    weir_slice slice;
    *out_shape = WEIR_UNKNOWN_SHAPE;
    return spec.length ? weir_slice_parse_spec(spec, &full, &slice, out_shape) : WEIR_OK;
}

static weir_status infer_v2(weir_infer *infer)
{
    WEIR_TRY(weir_io_infer_names(infer, true));
    const weir_tensor *specs = weir_infer_value(infer, 2);
    int64_t count;
    WEIR_TRY(weir_infer_merge_dim(weir_infer_dim(infer, 1, 0), infer->out_count, &count));
    for (int output = 0; specs && output < infer->out_count; output++)
        WEIR_TRY(shape_of_spec(weir_str_at(specs, output), &infer->out[output]));
    return WEIR_OK;
}

static weir_status infer_one(weir_infer *infer)
{
    for (int in = 0; in < infer->in_count; in++)
        WEIR_TRY(weir_infer_rank(infer, in, 0));
    const weir_tensor *spec = infer->in_count > 2 ? weir_infer_value(infer, 2) : NULL;
    return spec ? shape_of_spec(weir_str_at(spec, 0), &infer->out[0]) : WEIR_OK;
}

static weir_status read_one(weir_checkpoint *from, weir_str name, weir_str spec, weir_dtype dtype,
                            weir_tensor *out_tensor)
{
    weir_tensor_info info;
    weir_shape full, shape;
    weir_slice slice;
    /* A missing name fails with the checkpoint's own wording. */
    if (!weir_checkpoint_find(from, name, &info))
        return weir_checkpoint_read(from, name, NULL, out_tensor);
    if (info.dtype != dtype)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "tensor_name = %.*s; expected dtype %s does not equal original dtype %s",
                          WEIR_STR_ARG(name), weir_dtype_name(dtype), weir_dtype_name(info.dtype));
    if (spec.length == 0)
        return weir_checkpoint_read(from, name, NULL, out_tensor);
    WEIR_TRY(weir_slice_parse_spec(spec, &full, &slice, &shape));
    if (!weir_shape_eq(&full, &info.shape))
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "tensor_name = %.*s; shape in shape_and_slice spec %s does not match the "
                          "shape stored in checkpoint: %s",
                          WEIR_STR_ARG(name), WEIR_SHAPE_STR(&full), WEIR_SHAPE_STR(&info.shape));
    return weir_checkpoint_read(from, name, &slice, out_tensor);
}

/* Outputs are read in parallel; the step fails with the first error in output order. */
typedef struct reading {
    weir_call *call;
    weir_checkpoint *from;
    weir_tensor *tensors; /* one per output */
    weir_status *statuses;
} reading;

static void read_some(void *arg, int64_t begin, int64_t end)
{
    reading *reading = arg;
    weir_call *call = reading->call;
    bool has_slices = call->site->in_count > 2;
    for (int64_t o = begin; o < end; o++)
        reading->statuses[o] =
            read_one(reading->from, weir_str_at(weir_in(call, 1), o),
                     has_slices ? weir_str_at(weir_in(call, 2), o) : WEIR_STR(""),
                     weir_dtype_base(call->site->out_types[o]), &reading->tensors[o]);
}

static weir_status give_out(reading *reading)
{
    weir_status first = WEIR_OK;
    for (int output = 0; output < reading->call->site->out_count; output++) {
        if (!reading->statuses[output] && !first)
            weir_call_set(reading->call, output, reading->tensors[output]);
        else if (!reading->statuses[output])
            weir_tensor_release(&reading->tensors[output]);
        else if (!first)
            first = reading->statuses[output];
        else
            weir_status_free(reading->statuses[output]);
    }
    return first;
}

static weir_status restore(weir_call *call)
{
    WEIR_OWNED(weir_checkpoint) from = NULL;
    WEIR_FREED char *prefix = weir_str_copy_at(weir_in(call, 0), 0);
    weir_status status = weir_checkpoint_open(prefix, &from);
    WEIR_TRY(status);
    int count = call->site->out_count;
    reading reading = {call, from, WEIR_NEW_ARRAY(weir_tensor, count),
                       WEIR_NEW_ARRAY(weir_status, count)};
    weir_par_for(&call->run->par, count, 1, read_some, &reading);
    status = give_out(&reading);
    weir_free(reading.tensors);
    weir_free(reading.statuses);
    return status;
}

const weir_op weir_op_restore_v2 = {
    .name = "RestoreV2",
    .in = "prefix: string; tensor_names: string; shape_and_slices: string",
    .out = "tensors: dtypes",
    .attrs = "dtypes: list(type) >= 1",
    .flags = WEIR_STATEFUL,
    .infer = infer_v2,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", restore, WEIR_OWN_OUTPUTS | WEIR_EXPENSIVE}},
};

const weir_op weir_op_restore = {
    .name = "Restore",
    .in = "file_pattern: string; tensor_name: string",
    .out = "tensor: dt",
    .attrs = "dt: type; preferred_shard: int = -1",
    .flags = WEIR_STATEFUL,
    .infer = infer_one,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", restore, WEIR_OWN_OUTPUTS | WEIR_EXPENSIVE}},
};

const weir_op weir_op_restore_slice = {
    .name = "RestoreSlice",
    .in = "file_pattern: string; tensor_name: string; shape_and_slice: string",
    .out = "tensor: dt",
    .attrs = "dt: type; preferred_shard: int = -1",
    .flags = WEIR_STATEFUL,
    .infer = infer_one,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", restore, WEIR_OWN_OUTPUTS | WEIR_EXPENSIVE}},
};
