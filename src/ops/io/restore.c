/* ops/io/restore.c - RestoreV2, and the older Restore and RestoreSlice: tensors out of checkpoints
 * of either format. */
#include "ops/io/io_impl.h"

/* What a "shape_and_slice" text says the restored shape is; unknown when it is empty. */
static weir_status shape_of_spec(weir_str spec, weir_shape *out_shape)
{
    weir_shape full;
    weir_slice slice;
    *out_shape = WEIR_UNKNOWN_SHAPE;
    return spec.length ? weir_slice_parse_spec(spec, &full, &slice, out_shape) : WEIR_OK;
}

static weir_status infer_v2(weir_infer *i)
{
    WEIR_TRY(weir_io_infer_names(i, true));
    const weir_tensor *specs = weir_infer_value(i, 2);
    int64_t count;
    WEIR_TRY(weir_infer_merge_dim(weir_infer_dim(i, 1, 0), i->out_count, &count));
    for (int o = 0; specs && o < i->out_count; o++)
        WEIR_TRY(shape_of_spec(weir_str_at(specs, o), &i->out[o]));
    return WEIR_OK;
}

static weir_status infer_one(weir_infer *i)
{
    for (int in = 0; in < i->in_count; in++)
        WEIR_TRY(weir_infer_rank(i, in, 0));
    const weir_tensor *spec = i->in_count > 2 ? weir_infer_value(i, 2) : NULL;
    return spec ? shape_of_spec(weir_str_at(spec, 0), &i->out[0]) : WEIR_OK;
}

static weir_status read_one(weir_checkpoint *from, weir_str name, weir_str spec, weir_dtype dtype,
                            weir_tensor *out_tensor)
{
    weir_tensor_info info;
    weir_shape full, shape;
    weir_slice slice;
    /* A name that is not there gets the checkpoint's own wording. */
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

/* Outputs are read side by side; the first failure in their order is the step's. */
typedef struct reading {
    weir_call *call;
    weir_checkpoint *from;
    weir_tensor *tensors; /* one per output */
    weir_status *statuses;
} reading;

static void read_some(void *arg, int64_t begin, int64_t end)
{
    reading *r = arg;
    weir_call *c = r->call;
    bool has_slices = c->site->in_count > 2;
    for (int64_t o = begin; o < end; o++)
        r->statuses[o] = read_one(r->from, weir_str_at(weir_in(c, 1), o),
                                  has_slices ? weir_str_at(weir_in(c, 2), o) : WEIR_STR(""),
                                  weir_dtype_base(c->site->out_types[o]), &r->tensors[o]);
}

static weir_status give_out(reading *r)
{
    weir_status first = WEIR_OK;
    for (int o = 0; o < r->call->site->out_count; o++) {
        if (!r->statuses[o] && !first)
            weir_call_set(r->call, o, r->tensors[o]);
        else if (!r->statuses[o])
            weir_tensor_release(&r->tensors[o]);
        else if (!first)
            first = r->statuses[o];
        else
            weir_status_free(r->statuses[o]);
    }
    return first;
}

static weir_status restore(weir_call *c)
{
    WEIR_OWNED(weir_checkpoint) from = NULL;
    char *prefix = weir_str_copy_at(weir_in(c, 0), 0);
    weir_status status = weir_checkpoint_open(prefix, &from);
    weir_free(prefix);
    WEIR_TRY(status);
    int count = c->site->out_count;
    reading r = {c, from, WEIR_NEW_ARRAY(weir_tensor, count), WEIR_NEW_ARRAY(weir_status, count)};
    weir_par_for(&c->run->par, count, 1, read_some, &r);
    status = give_out(&r);
    weir_free(r.tensors);
    weir_free(r.statuses);
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
