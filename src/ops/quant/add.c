/* ops/quant/add.c - QuantizedAdd and QuantizedBiasAdd: both operands are requantised to a range
 * with room for their sum. */
#include <math.h>

#include "math/binary/binary.h"
#include "ops/common/infer_util.h"
#include "ops/math/elementwise.h"
#include "ops/quant/quant.h"

enum { X, Y, MIN_X, MAX_X, MIN_Y, MAX_Y, INPUTS };

/* ---- QuantizedAdd ---------------------------------------------------------------------------- */

static weir_status add_infer(weir_infer *infer)
{
    WEIR_TRY(weir_infer_broadcast_shapes(infer->in[X], infer->in[Y], &infer->out[0]));
    return weir_quant_infer(infer, MIN_X, INPUTS);
}

/* |tensor| requantised to the range of |to|, by linear interpolation through the values 0 and 1; a
 * broadcast scalar is converted exactly. */
static weir_status brought(const weir_tensor *tensor, weir_quant from, weir_quant to, bool exact,
                           weir_tensor *out)
{
    int64_t zero = weir_quant_of(to, weir_quant_to_float(from, 0));
    int64_t step = weir_quant_of(to, weir_quant_to_float(from, 1)) - zero;
    WEIR_TRY(weir_tensor_alloc(to.dtype, &tensor->shape, out));
    for (int64_t k = 0; k < weir_tensor_count(tensor); k++) {
        int64_t value = weir_quant_at(tensor, k);
        weir_quant_set(out, k,
                       exact ? weir_quant_of(to, weir_quant_to_float(from, value))
                             : zero + value * (int32_t)step);
    }
    return WEIR_OK;
}

static weir_status check_range(weir_quant quant, const char *name)
{
    if (!(quant.max > quant.min))
        return weir_error(WEIR_INVALID_ARGUMENT, "max_%s must be larger than min_%s.", name, name);
    return WEIR_OK;
}

static weir_status add(weir_call *call)
{
    const weir_tensor *x = weir_in(call, X), *y = weir_in(call, Y);
    weir_quant qx = weir_quant_input(call, X, MIN_X), qy = weir_quant_input(call, Y, MIN_Y);
    weir_tensor a, b = {0};
    WEIR_TRY(check_range(qx, "x"));
    WEIR_TRY(check_range(qy, "y"));
    float most = fmaxf(fabsf(fminf(qx.min, qy.min)), fabsf(fmaxf(qx.max, qy.max)));
    weir_quant to = {WEIR_QINT32, -most * (1 << 14), most * (1 << 14)};
    bool one_x = weir_tensor_count(x) == 1, one_y = !one_x && weir_tensor_count(y) == 1;
    WEIR_TRY(brought(x, qx, to, one_x, &a));
    weir_status status = brought(y, qy, to, one_y, &b);
    if (!status) {
        weir_bcast walk;
        weir_tensor_bcast(x, y, &walk);
        weir_binary_bcast(&call->run->par, WEIR_B_add, WEIR_E_i32, &walk, a.data, b.data,
                          weir_out(call, 0)->data);
        weir_quant_set_range(call, to);
    }
    weir_tensor_release(&a);
    weir_tensor_release(&b);
    return status;
}

/* ---- QuantizedBiasAdd ------------------------------------------------------------------------ */

static weir_status bias_infer(weir_infer *infer)
{
    WEIR_TRY(weir_infer_rank_at_least(infer, X, 2));
    WEIR_TRY(weir_infer_rank(infer, Y, 1));
    infer->out[0] = *infer->in[X];
    if (infer->in[X]->rank >= 0)
        WEIR_TRY(weir_infer_merge_dim(weir_infer_dim(infer, X, -1), weir_infer_dim(infer, Y, 0),
                                      &infer->out[0].dims[infer->out[0].rank - 1]));
    return weir_quant_infer(infer, MIN_X, INPUTS);
}

static weir_status bias_add(weir_call *call)
{
    const weir_tensor *x = weir_in(call, X), *bias = weir_in(call, Y);
    weir_tensor *y = weir_out(call, 0);
    weir_quant qx = weir_quant_input(call, X, MIN_X), qb = weir_quant_input(call, Y, MIN_Y);
    int64_t columns = weir_tensor_count(bias);
    if (columns == 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "Must provide at least 1 bias");
    float most = fmaxf(fmaxf(qx.max, -qx.min), fmaxf(qb.max, -qb.min)) * (1 << 17);
    weir_quant to = {y->dtype, -most, most};
    weir_quant_line from_x = weir_quant_dequantize(qx), from_b = weir_quant_dequantize(qb);
    weir_quant_line line = weir_quant_quantize(to);
    int64_t zero = weir_quant_of(to, 0);
    for (int64_t k = 0; k < weir_tensor_count(x); k++) {
        float a = from_x.offset + (float)weir_quant_at(x, k) * from_x.scale;
        float b = from_b.offset + (float)weir_quant_at(bias, k % columns) * from_b.scale;
        weir_quant_set(
            y, k, weir_quant_apply(line, to.dtype, a) + weir_quant_apply(line, to.dtype, b) + zero);
    }
    weir_quant_set_range(call, to);
    return WEIR_OK;
}

const weir_op weir_op_quantized_add = {
    .name = "QuantizedAdd",
    .in = "x: T1; y: T2; min_x: float; max_x: float; min_y: float; max_y: float",
    .out = "z: Toutput; min_z: float; max_z: float",
    .attrs = "T1: " QUANTISED "; T2: " QUANTISED "; Toutput: " QUANTISED " = DT_QINT32",
    .infer = add_infer,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "T1: quint8; T2: quint8; Toutput: qint32", add}},
};

const weir_op weir_op_quantized_bias_add = {
    .name = "QuantizedBiasAdd",
    .in = "input: T1; bias: T2; min_input: float; max_input: float; min_bias: float; "
          "max_bias: float",
    .out = "output: out_type; min_out: float; max_out: float",
    .attrs = "T1: " QUANTISED "; T2: " QUANTISED "; out_type: " QUANTISED,
    .infer = bias_infer,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "T1: quint8; T2: quint8; out_type: qint32", bias_add},
                {WEIR_CPU, "T1: qint8; T2: qint8; out_type: qint32", bias_add}},
};
