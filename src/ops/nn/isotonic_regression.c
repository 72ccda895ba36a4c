/* ops/nn/isotonic_regression.c - IsotonicRegression: the closest non-increasing rows. */
#include "math/cast/cast.h"
#include "op/op.h"
#include "ops/common/elem_of.h"
#include "ops/common/number_at.h"

enum { T, OUTPUT_DTYPE };

static weir_status infer(weir_infer *infer)
{
    infer->out[0] = infer->out[1] = *infer->in[0];
    return weir_infer_rank(infer, 0, 2);
}

typedef struct block {
    double sum;
    int64_t count, start;
} block;

/* Pools adjacent blocks with increasing means until there are none. */
static int64_t join_blocks(const weir_tensor *x, int64_t first, int64_t count, block *blocks)
{
    int64_t used = 0;
    for (int64_t i = 0; i < count; i++) {
        blocks[used++] = (block){weir_number_at(x, first + i), 1, i};
        while (used > 1 && blocks[used - 2].sum / (double)blocks[used - 2].count <=
                               blocks[used - 1].sum / (double)blocks[used - 1].count) {
            blocks[used - 2].sum += blocks[used - 1].sum;
            blocks[used - 2].count += blocks[used - 1].count;
            used--;
        }
    }
    return used;
}

static weir_status run(weir_call *call)
{
    const weir_tensor *x = weir_in(call, 0);
    int64_t rows = x->shape.dims[0], columns = x->shape.dims[1];
    int32_t *segments = weir_out(call, 1)->data;
    WEIR_FREED block *blocks = WEIR_NEW_ARRAY(block, columns + 1);
    WEIR_FREED double *means = WEIR_NEW_ARRAY(double, rows *columns + 1);
    for (int64_t row = 0; row < rows; row++) {
        int64_t used = join_blocks(x, row * columns, columns, blocks);
        for (int64_t b = 0; b < used; b++)
            for (int64_t i = 0; i < blocks[b].count; i++) {
                means[row * columns + blocks[b].start + i] =
                    blocks[b].sum / (double)blocks[b].count;
                segments[row * columns + blocks[b].start + i] = (int32_t)b;
            }
    }
    weir_cast_run(NULL, WEIR_E_f64, weir_elem_of(weir_out(call, 0)->dtype), rows * columns, means,
                  weir_out(call, 0)->data);
    return WEIR_OK;
}

const weir_op weir_op_isotonic_regression = {
    .name = "IsotonicRegression",
    .in = "input: T",
    .out = "output: output_dtype; segments: int32",
    .attrs = "T: {float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, "
             "uint64}; output_dtype: {half, bfloat16, float, double} = DT_FLOAT",
    .infer = infer,
    .kernels = {{WEIR_CPU, "*", run}},
};
