/* ops/quant/multiply.c - QuantizedMatMul, QuantizedConv2D, QuantizedMul: products of 8-bit numbers,
 * accumulated in 32 bits. */
#include <inttypes.h>

#include "math/binary/binary.h"
#include "math/gemm/gemm.h"
#include "ops/common/infer_util.h"
#include "ops/math/elementwise.h"
#include "ops/nn/conv.h"
#include "ops/quant/quant.h"

enum { A, B, MIN_A, MAX_A, MIN_B, MAX_B, INPUTS };

static weir_status check_range(weir_quant quant, const char *name)
{
    if (!(quant.max > quant.min))
        return weir_error(WEIR_INVALID_ARGUMENT, "max_%s must be larger than min_%s.", name, name);
    return WEIR_OK;
}

/* Both operands, minus their zero points. */
typedef struct operands {
    weir_quant qa, qb;
    weir_tensor a, b;
} operands;

static void close_operands(operands *operands)
{
    weir_tensor_release(&operands->a);
    weir_tensor_release(&operands->b);
}

static weir_status open_operands(weir_call *call, operands *out)
{
    *out =
        (operands){.qa = weir_quant_input(call, A, MIN_A), .qb = weir_quant_input(call, B, MIN_B)};
    weir_status status = weir_quant_centred(call, weir_in(call, A), out->qa, &out->a);
    if (!status)
        status = weir_quant_centred(call, weir_in(call, B), out->qb, &out->b);
    if (status)
        close_operands(out);
    return status;
}

/* ---- QuantizedMatMul ------------------------------------------------------------------------- */

static bool attr_bool(const weir_site *site, const char *name)
{
    return weir_site_bool(site, weir_opdef_attr(site->def, name));
}

static weir_status mat_mul_infer(weir_infer *infer)
{
    bool ta = attr_bool(infer->site, "transpose_a"), tb = attr_bool(infer->site, "transpose_b");
    int64_t inner;
    WEIR_TRY(weir_infer_rank(infer, A, 2));
    WEIR_TRY(weir_infer_rank(infer, B, 2));
    WEIR_TRY(weir_infer_merge_dim(weir_infer_dim(infer, A, ta ? 0 : 1),
                                  weir_infer_dim(infer, B, tb ? 1 : 0), &inner));
    infer->out[0] = weir_shape_matrix(weir_infer_dim(infer, A, ta ? 1 : 0),
                                      weir_infer_dim(infer, B, tb ? 0 : 1));
    return weir_quant_infer(infer, MIN_A, INPUTS);
}

static weir_status mat_mul(weir_call *call)
{
    bool ta = attr_bool(call->site, "transpose_a"), tb = attr_bool(call->site, "transpose_b");
    weir_tensor *y = weir_out(call, 0);
    operands operands;
    WEIR_TRY(check_range(weir_quant_input(call, A, MIN_A), "a"));
    WEIR_TRY(check_range(weir_quant_input(call, B, MIN_B), "b"));
    WEIR_TRY(open_operands(call, &operands));
    weir_gemm_run(&call->run->par, &(weir_gemm){.elem = WEIR_E_i32,
                                                .m = y->shape.dims[0],
                                                .n = y->shape.dims[1],
                                                .k = operands.a.shape.dims[ta ? 0 : 1],
                                                .a = operands.a.data,
                                                .b = operands.b.data,
                                                .c = y->data,
                                                .op_a = ta ? WEIR_GEMM_TRANS : WEIR_GEMM_PLAIN,
                                                .op_b = tb ? WEIR_GEMM_TRANS : WEIR_GEMM_PLAIN});
    weir_quant_set_range(call, weir_quant_product(operands.qa, operands.qb, y->dtype));
    close_operands(&operands);
    return WEIR_OK;
}

/* ---- QuantizedConv2D ------------------------------------------------------------------------- */

static weir_status conv_infer(weir_infer *infer)
{
    weir_conv_plan plan;
    WEIR_TRY(weir_conv_plan_make(infer->site, weir_infer_building(infer), infer->in[A],
                                 infer->in[B], false, &plan));
    infer->out[0] = plan.out;
    return weir_quant_infer(infer, MIN_A, INPUTS);
}

typedef struct conv {
    const int32_t *x, *w;
    int32_t *y;
    const int64_t *in, *filter, *out; /* dims of x, w and y */
    int64_t stride, top, left;        /* offset of the first window before the image */
} conv;

static void one_place(const conv *conv, int64_t batch, int64_t row, int64_t col, int32_t *y)
{
    int64_t channels = conv->in[3], outs = conv->filter[3];
    memset(y, 0, sizeof *y * (size_t)outs);
    for (int64_t fy = 0; fy < conv->filter[0]; fy++)
        for (int64_t fx = 0; fx < conv->filter[1]; fx++) {
            int64_t iy = row * conv->stride - conv->top + fy,
                    ix = col * conv->stride - conv->left + fx;
            if (iy < 0 || iy >= conv->in[1] || ix < 0 || ix >= conv->in[2])
                continue;
            const int32_t *x = conv->x + ((batch * conv->in[1] + iy) * conv->in[2] + ix) * channels;
            const int32_t *w = conv->w + (fy * conv->filter[1] + fx) * channels * outs;
            for (int64_t k = 0; k < channels; k++)
                for (int64_t o = 0; o < outs; o++)
                    y[o] = (int32_t)((uint32_t)y[o] + (uint32_t)x[k] * (uint32_t)w[k * outs + o]);
        }
}

static void some_rows(void *ctx, int64_t begin, int64_t end)
{
    const conv *conv = ctx;
    for (int64_t r = begin; r < end; r++)
        for (int64_t col = 0; col < conv->out[2]; col++)
            one_place(conv, r / conv->out[1], r % conv->out[1], col,
                      conv->y + (r * conv->out[2] + col) * conv->out[3]);
}

/* Half of the total padding; negative if the first window begins inside the image. */
static int64_t overlap(const conv *conv, int axis, bool valid)
{
    return ((conv->out[axis] - 1) * conv->stride + conv->filter[axis - 1] - conv->in[axis] +
            valid) /
           2;
}

static weir_status check_conv(const weir_call *call, const weir_slide *slide)
{
    for (int axis = 0; axis < 4; axis++)
        if (weir_in(call, A)->shape.dims[axis] == 0)
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "Invalid input: Shapes dimension cannot be 0.");
    if (slide->stride[1] != slide->stride[2])
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Current implementation only supports equal length strides in the row "
                          "and column dimensions.");
    if (slide->dilation[1] != 1 || slide->dilation[2] != 1)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Current implementation only supports dilated rate as 1 in the row and "
                          "column dimensions.");
    return WEIR_OK;
}

static weir_status conv2d(weir_call *call)
{
    weir_tensor *y = weir_out(call, 0);
    weir_conv_plan plan;
    operands operands;
    WEIR_TRY(weir_conv_plan_make(call->site, false, &weir_in(call, A)->shape,
                                 &weir_in(call, B)->shape, false, &plan));
    WEIR_TRY(check_conv(call, &plan.slide));
    WEIR_TRY(open_operands(call, &operands));
    conv conv = {.x = operands.a.data,
                 .w = operands.b.data,
                 .y = y->data,
                 .in = operands.a.shape.dims,
                 .filter = operands.b.shape.dims,
                 .out = y->shape.dims,
                 .stride = plan.slide.stride[1]};
    bool valid = plan.slide.padding == WEIR_VALID;
    conv.top = overlap(&conv, 1, valid);
    conv.left = overlap(&conv, 2, valid);
    weir_par_for(&call->run->par, conv.out[0] * conv.out[1], 1, some_rows, &conv);
    weir_quant_set_range(call, weir_quant_product(operands.qa, operands.qb, y->dtype));
    close_operands(&operands);
    return WEIR_OK;
}

/* ---- QuantizedMul ---------------------------------------------------------------------------- */

static weir_status mul_infer(weir_infer *infer)
{
    WEIR_TRY(weir_infer_broadcast_shapes(infer->in[A], infer->in[B], &infer->out[0]));
    return weir_quant_infer(infer, weir_infer_running(infer) ? MIN_A : INPUTS, INPUTS);
}

static weir_status mul(weir_call *call)
{
    weir_tensor *y = weir_out(call, 0);
    operands operands;
    weir_bcast walk;
    WEIR_TRY(check_range(weir_quant_input(call, A, MIN_A), "x"));
    WEIR_TRY(check_range(weir_quant_input(call, B, MIN_B), "y"));
    WEIR_TRY(open_operands(call, &operands));
    weir_tensor_bcast(&operands.a, &operands.b, &walk);
    weir_binary_bcast(&call->run->par, WEIR_B_mul, WEIR_E_i32, &walk, operands.a.data,
                      operands.b.data, y->data);
    weir_quant_set_range(call, weir_quant_product(operands.qa, operands.qb, y->dtype));
    close_operands(&operands);
    return WEIR_OK;
}

#define EIGHT_TO_32(a, b, out) a ": quint8; " b ": quint8; " out ": qint32"

const weir_op weir_op_quantized_mat_mul = {
    .name = "QuantizedMatMul",
    .in = "a: T1; b: T2; min_a: float; max_a: float; min_b: float; max_b: float",
    .out = "out: Toutput; min_out: float; max_out: float",
    .attrs = "T1: " QUANTISED "; T2: " QUANTISED "; Toutput: " QUANTISED
             " = DT_QINT32; transpose_a: bool = false; transpose_b: bool = false; "
             "Tactivation: " QUANTISED " = DT_QUINT8",
    .infer = mat_mul_infer,
    .no_grad = true,
    .kernels = {{WEIR_CPU, EIGHT_TO_32("T1", "T2", "Toutput"), mat_mul}},
};

const weir_op weir_op_quantized_conv2d = {
    .name = "QuantizedConv2D",
    .in = "input: Tinput; filter: Tfilter; min_input: float; max_input: float; min_filter: float; "
          "max_filter: float",
    .out = "output: out_type; min_output: float; max_output: float",
    .attrs = "Tinput: " QUANTISED "; Tfilter: " QUANTISED "; out_type: " QUANTISED
             " = DT_QINT32; strides: list(int); padding: {'SAME', 'VALID'}; "
             "dilations: list(int) = [1, 1, 1, 1]",
    .infer = conv_infer,
    .no_grad = true,
    .kernels = {{WEIR_CPU, EIGHT_TO_32("Tinput", "Tfilter", "out_type"), conv2d},
                {WEIR_CPU, "Tinput: quint8; Tfilter: qint8; out_type: qint32", conv2d}},
};

const weir_op weir_op_quantized_mul = {
    .name = "QuantizedMul",
    .in = "x: T1; y: T2; min_x: float; max_x: float; min_y: float; max_y: float",
    .out = "z: Toutput; min_z: float; max_z: float",
    .attrs = "T1: " QUANTISED "; T2: " QUANTISED "; Toutput: " QUANTISED " = DT_QINT32",
    .infer = mul_infer,
    .no_grad = true,
    .kernels = {{WEIR_CPU, EIGHT_TO_32("T1", "T2", "Toutput"), mul}},
};
