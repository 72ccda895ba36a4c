/* ops/quant/multiply.c - QuantizedMatMul, QuantizedConv2D, QuantizedMul: products of numbers of
 * eight bits, summed in 32. */
#include <inttypes.h>

#include "math/binary/binary.h"
#include "math/gemm/gemm.h"
#include "ops/common/infer_util.h"
#include "ops/math/elementwise.h"
#include "ops/nn/conv.h"
#include "ops/quant/quant.h"

enum { A, B, MIN_A, MAX_A, MIN_B, MAX_B, INPUTS };

static weir_status check_range(weir_quant q, const char *name)
{
    if (!(q.max > q.min))
        return weir_error(WEIR_INVALID_ARGUMENT, "max_%s must be larger than min_%s.", name, name);
    return WEIR_OK;
}

/* Both operands, centred. */
typedef struct operands {
    weir_quant qa, qb;
    weir_tensor a, b;
} operands;

static void close_operands(operands *o)
{
    weir_tensor_release(&o->a);
    weir_tensor_release(&o->b);
}

static weir_status open_operands(weir_call *c, operands *o)
{
    *o = (operands){.qa = weir_quant_input(c, A, MIN_A), .qb = weir_quant_input(c, B, MIN_B)};
    weir_status s = weir_quant_centred(c, weir_in(c, A), o->qa, &o->a);
    if (!s)
        s = weir_quant_centred(c, weir_in(c, B), o->qb, &o->b);
    if (s)
        close_operands(o);
    return s;
}

/* ---- QuantizedMatMul ---------------------------------------------------------------------------
 */

static bool attr_bool(const weir_site *site, const char *name)
{
    return weir_site_bool(site, weir_opdef_attr(site->def, name));
}

static weir_status mat_mul_infer(weir_infer *i)
{
    bool ta = attr_bool(i->site, "transpose_a"), tb = attr_bool(i->site, "transpose_b");
    int64_t inner;
    WEIR_TRY(weir_infer_rank(i, A, 2));
    WEIR_TRY(weir_infer_rank(i, B, 2));
    WEIR_TRY(weir_infer_merge_dim(weir_infer_dim(i, A, ta ? 0 : 1),
                                  weir_infer_dim(i, B, tb ? 1 : 0), &inner));
    i->out[0] =
        weir_shape_matrix(weir_infer_dim(i, A, ta ? 1 : 0), weir_infer_dim(i, B, tb ? 0 : 1));
    return weir_quant_infer(i, MIN_A, INPUTS);
}

static weir_status mat_mul(weir_call *c)
{
    bool ta = attr_bool(c->site, "transpose_a"), tb = attr_bool(c->site, "transpose_b");
    weir_tensor *y = weir_out(c, 0);
    operands o;
    WEIR_TRY(check_range(weir_quant_input(c, A, MIN_A), "a"));
    WEIR_TRY(check_range(weir_quant_input(c, B, MIN_B), "b"));
    WEIR_TRY(open_operands(c, &o));
    weir_gemm_run(&c->run->par, &(weir_gemm){.elem = WEIR_E_i32,
                                             .m = y->shape.dims[0],
                                             .n = y->shape.dims[1],
                                             .k = o.a.shape.dims[ta ? 0 : 1],
                                             .a = o.a.data,
                                             .b = o.b.data,
                                             .c = y->data,
                                             .op_a = ta ? WEIR_GEMM_TRANS : WEIR_GEMM_PLAIN,
                                             .op_b = tb ? WEIR_GEMM_TRANS : WEIR_GEMM_PLAIN});
    weir_quant_give(c, weir_quant_product(o.qa, o.qb, y->dtype));
    close_operands(&o);
    return WEIR_OK;
}

/* ---- QuantizedConv2D ---------------------------------------------------------------------------
 */

static weir_status conv_infer(weir_infer *i)
{
    weir_conv_plan plan;
    WEIR_TRY(
        weir_conv_plan_make(i->site, weir_infer_building(i), i->in[A], i->in[B], false, &plan));
    i->out[0] = plan.out;
    return weir_quant_infer(i, MIN_A, INPUTS);
}

typedef struct conv {
    const int32_t *x, *w;
    int32_t *y;
    const int64_t *in, *filter, *out; /* dims of x, w and y */
    int64_t stride, top, left;        /* where the first window begins, counted before the image */
} conv;

static void one_place(const conv *v, int64_t batch, int64_t row, int64_t col, int32_t *y)
{
    int64_t channels = v->in[3], outs = v->filter[3];
    memset(y, 0, sizeof *y * (size_t)outs);
    for (int64_t fy = 0; fy < v->filter[0]; fy++)
        for (int64_t fx = 0; fx < v->filter[1]; fx++) {
            int64_t iy = row * v->stride - v->top + fy, ix = col * v->stride - v->left + fx;
            if (iy < 0 || iy >= v->in[1] || ix < 0 || ix >= v->in[2])
                continue;
            const int32_t *x = v->x + ((batch * v->in[1] + iy) * v->in[2] + ix) * channels;
            const int32_t *w = v->w + (fy * v->filter[1] + fx) * channels * outs;
            for (int64_t k = 0; k < channels; k++)
                for (int64_t o = 0; o < outs; o++)
                    y[o] = (int32_t)((uint32_t)y[o] + (uint32_t)x[k] * (uint32_t)w[k * outs + o]);
        }
}

static void some_rows(void *ctx, int64_t begin, int64_t end)
{
    const conv *v = ctx;
    for (int64_t r = begin; r < end; r++)
        for (int64_t col = 0; col < v->out[2]; col++)
            one_place(v, r / v->out[1], r % v->out[1], col,
                      v->y + (r * v->out[2] + col) * v->out[3]);
}

/* Half of what the windows overlap the image by; below 0 they begin inside of it. */
static int64_t overlap(const conv *v, int d, bool valid)
{
    return ((v->out[d] - 1) * v->stride + v->filter[d - 1] - v->in[d] + valid) / 2;
}

static weir_status check_conv(const weir_call *c, const weir_slide *s)
{
    for (int d = 0; d < 4; d++)
        if (weir_in(c, A)->shape.dims[d] == 0)
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "Invalid input: Shapes dimension cannot be 0.");
    if (s->stride[1] != s->stride[2])
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Current implementation only supports equal length strides in the row "
                          "and column dimensions.");
    if (s->dilation[1] != 1 || s->dilation[2] != 1)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Current implementation only supports dilated rate as 1 in the row and "
                          "column dimensions.");
    return WEIR_OK;
}

static weir_status conv2d(weir_call *c)
{
    weir_tensor *y = weir_out(c, 0);
    weir_conv_plan plan;
    operands o;
    WEIR_TRY(weir_conv_plan_make(c->site, false, &weir_in(c, A)->shape, &weir_in(c, B)->shape,
                                 false, &plan));
    WEIR_TRY(check_conv(c, &plan.slide));
    WEIR_TRY(open_operands(c, &o));
    conv v = {.x = o.a.data,
              .w = o.b.data,
              .y = y->data,
              .in = o.a.shape.dims,
              .filter = o.b.shape.dims,
              .out = y->shape.dims,
              .stride = plan.slide.stride[1]};
    bool valid = plan.slide.padding == WEIR_VALID;
    v.top = overlap(&v, 1, valid);
    v.left = overlap(&v, 2, valid);
    weir_par_for(&c->run->par, v.out[0] * v.out[1], 1, some_rows, &v);
    weir_quant_give(c, weir_quant_product(o.qa, o.qb, y->dtype));
    close_operands(&o);
    return WEIR_OK;
}

/* ---- QuantizedMul ------------------------------------------------------------------------------
 */

static weir_status mul_infer(weir_infer *i)
{
    WEIR_TRY(weir_infer_broadcast_shapes(i->in[A], i->in[B], &i->out[0]));
    return weir_quant_infer(i, weir_infer_running(i) ? MIN_A : INPUTS, INPUTS);
}

static weir_status mul(weir_call *c)
{
    weir_tensor *y = weir_out(c, 0);
    operands o;
    weir_bcast walk;
    WEIR_TRY(check_range(weir_quant_input(c, A, MIN_A), "x"));
    WEIR_TRY(check_range(weir_quant_input(c, B, MIN_B), "y"));
    WEIR_TRY(open_operands(c, &o));
    weir_tensor_bcast(&o.a, &o.b, &walk);
    weir_binary_bcast(&c->run->par, WEIR_B_mul, WEIR_E_i32, &walk, o.a.data, o.b.data, y->data);
    weir_quant_give(c, weir_quant_product(o.qa, o.qb, y->dtype));
    close_operands(&o);
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
