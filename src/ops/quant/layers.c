/* ops/quant/layers.c - QuantizedRelu, QuantizedRelu6, QuantizedMaxPool, QuantizedAvgPool: ops whose
 * result has the range of their input. */
#include "ops/declare.h"
#include "ops/nn/pool.h"
#include "ops/quant/quant.h"

/* ---- clamping ------------------------------------------------------------------------------- */

enum { UNBOUNDED, TO_SIX }; /* modes of the clamps */
enum { MAX, MEAN };         /* of the pools */

static weir_status same_infer(weir_infer *i)
{
    return weir_quant_infer_same(i, 1, 3);
}

static weir_status clamp_to(weir_call *c, int64_t low, int64_t high)
{
    const weir_tensor *x = weir_in(c, 0);
    for (int64_t k = 0; k < weir_tensor_count(x); k++) {
        int64_t v = weir_quant_at(x, k);
        weir_quant_set(weir_out(c, 0), k, v < low ? low : v > high ? high : v);
    }
    weir_quant_give(c, weir_quant_input(c, 0, 1));
    return WEIR_OK;
}

static int64_t number_of(weir_quant q, float x)
{
    int64_t v = weir_quant_of(q, x), low = weir_quant_lowest(q.dtype);
    int64_t high = weir_quant_highest(q.dtype);
    return v < low ? low : v > high ? high : v;
}

static weir_status relu(weir_call *c)
{
    weir_quant q = weir_quant_input(c, 0, 1);
    bool to_six = weir_site_mode(c->site) == TO_SIX;
    return clamp_to(c, number_of(q, 0), to_six ? number_of(q, 6) : weir_quant_highest(q.dtype));
}

/* ---- pools ---------------------------------------------------------------------------------- */

static weir_status pool_infer(weir_infer *i)
{
    bool known;
    weir_pool_plan plan;
    WEIR_TRY(weir_pool_infer_plan(i, i->in[0], -1, &known, &plan));
    i->out[0] = plan.out;
    return weir_quant_infer(i, 1, 3);
}

/* What a window saw: the largest or the mean, cut to a whole number. */
typedef struct seen {
    int64_t most, sum, count;
} seen;

static seen look(const weir_window *w, const weir_tensor *x, const int64_t at[4], int64_t channel)
{
    seen s = {.most = INT64_MIN};
    for (int64_t y = 0; y < w->size[1]; y++)
        for (int64_t z = 0; z < w->size[2]; z++) {
            int64_t row = at[1] * w->stride[1] - w->pad[1] + y;
            int64_t col = at[2] * w->stride[2] - w->pad[2] + z;
            if (row < 0 || row >= w->in[1] || col < 0 || col >= w->in[2])
                continue;
            int64_t place = ((at[0] * w->in[1] + row) * w->in[2] + col) * w->channels + channel;
            int64_t v = weir_quant_at(x, place);
            s.most = v > s.most ? v : s.most;
            s.sum += v;
            s.count++;
        }
    return s;
}

static weir_status pool(weir_call *c)
{
    bool mean = weir_site_mode(c->site) == MEAN;
    const weir_tensor *x = weir_in(c, 0);
    weir_tensor *y = weir_out(c, 0);
    weir_pool_plan plan;
    WEIR_TRY(weir_pool_plan_of_call(c, &x->shape, -1, &plan));
    if (plan.slide.size[3] != 1 || plan.slide.size[0] != 1 || plan.slide.stride[0] != 1)
        return weir_error(WEIR_UNIMPLEMENTED,
                          "Non-spatial pooling is not yet supported. Volunteers? :)");
    const weir_window *w = &plan.window;
    int64_t k = 0;
    for (int64_t b = 0; b < w->batch; b++)
        for (int64_t row = 0; row < w->out[1]; row++)
            for (int64_t col = 0; col < w->out[2]; col++)
                for (int64_t channel = 0; channel < w->channels; channel++) {
                    seen s = look(w, x, (const int64_t[]){b, row, col, 0}, channel);
                    weir_quant_set(y, k++, !mean ? s.most : s.count ? s.sum / s.count : 0);
                }
    weir_quant_give(c, weir_quant_input(c, 0, 1));
    return WEIR_OK;
}

#define CLAMP                                                                                      \
    .in = "features: Tinput; min_features: float; max_features: float",                            \
    .out = "activations: out_type; min_activations: float; max_activations: float",                \
    .attrs = "Tinput: " QUANTISED "; out_type: " QUANTISED " = DT_QUINT8", .infer = same_infer,    \
    .no_grad = true,                                                                               \
    .kernels = {{WEIR_CPU, "Tinput: quint8; out_type: quint8", relu},                              \
                {WEIR_CPU, "Tinput: qint32; out_type: qint32", relu}}
WEIR_DEFINE_OP(quantized_relu, "QuantizedRelu", CLAMP, .mode = UNBOUNDED);
WEIR_DEFINE_OP(quantized_relu6, "QuantizedRelu6", CLAMP, .mode = TO_SIX);

#define POOL                                                                                       \
    .in = "input: T; min_input: float; max_input: float",                                          \
    .out = "output: T; min_output: float; max_output: float",                                      \
    .attrs = "T: " QUANTISED "; ksize: list(int); strides: list(int); padding: {'SAME', 'VALID'}", \
    .infer = pool_infer, .no_grad = true, .kernels = {{WEIR_CPU, "T: quint8, qint8", pool}}
WEIR_DEFINE_OP(quantized_max_pool, "QuantizedMaxPool", POOL, .mode = MAX);
WEIR_DEFINE_OP(quantized_avg_pool, "QuantizedAvgPool", POOL, .mode = MEAN);
