/* ops/io/sharded.c - ShardedFilename and ShardedFilespec: names of the parts of a sharded file. */
#include "ops/io/io_impl.h"

static weir_status infer(weir_infer *infer)
{
    for (int in = 0; in < infer->in_count; in++)
        WEIR_TRY(weir_infer_rank(infer, in, 0));
    return weir_infer_scalar(infer);
}

static int32_t int_at(weir_call *call, int in)
{
    return *(const int32_t *)weir_in(call, in)->data;
}

static weir_status filename(weir_call *call)
{
    weir_buf name = {0};
    weir_buf_addf(&name, "%.*s-%05d-of-%05d", WEIR_STR_ARG(weir_str_at(weir_in(call, 0), 0)),
                  int_at(call, 1), int_at(call, 2));
    weir_str_put_buf(weir_out(call, 0), 0, &name);
    return WEIR_OK;
}

static weir_status filespec(weir_call *call)
{
    weir_buf name = {0};
    weir_buf_addf(&name, "%.*s-\?\?\?\?\?-of-%05d", WEIR_STR_ARG(weir_str_at(weir_in(call, 0), 0)),
                  int_at(call, 1));
    weir_str_put_buf(weir_out(call, 0), 0, &name);
    return WEIR_OK;
}

const weir_op weir_op_sharded_filename = {
    .name = "ShardedFilename",
    .in = "basename: string; shard: int32; num_shards: int32",
    .out = "filename: string",
    .infer = infer,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", filename, WEIR_CHEAP}},
};

const weir_op weir_op_sharded_filespec = {
    .name = "ShardedFilespec",
    .in = "basename: string; num_shards: int32",
    .out = "filename: string",
    .infer = infer,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", filespec, WEIR_CHEAP}},
};
