/* ops/quant/layers.c - QuantizedRelu, QuantizedRelu6, QuantizedReluX, QuantizedMaxPool,
 * QuantizedAvgPool: ops whose result has the range of their input. */
#include "base/arith.h"
#include "ops/declare.h"
#include "ops/nn/pool.h"
#include "ops/quant/quant.h"

/* ---- clamping -------------------------------------------------------------------------------- */

enum { UNBOUNDED, TO_SIX }; /* modes of the clamps */
enum { MAX, MEAN };         /* of the pools */

static weir_status same_infer(weir_infer *infer)
{
    return weir_quant_infer_same(infer, 1, 3);
}

static weir_status clamp_to(weir_call *call, weir_quant quant, int64_t low, int64_t high)
{
    const weir_tensor *x = weir_in(call, 0);
    for (int64_t k = 0; k < weir_tensor_count(x); k++) {
        int64_t value = weir_quant_at(x, k);
        weir_quant_set(weir_out(call, 0), k, weir_clamp(value, low, high));
    }
    weir_quant_set_range(call, quant);
    return WEIR_OK;
}

static int64_t number_of(weir_quant quant, float x)
{
    int64_t value = weir_quant_of(quant, x), low = weir_quant_lowest(quant.dtype);
    int64_t high = weir_quant_highest(quant.dtype);
    return weir_clamp(value, low, high);
}

static weir_status relu(weir_call *call)
{
    weir_quant quant = weir_quant_input(call, 0, 1);
    bool to_six = weir_site_mode(call->site) == TO_SIX;
    return clamp_to(call, quant, number_of(quant, 0),
                    to_six ? number_of(quant, 6) : weir_quant_highest(quant.dtype));
}

/* The upper limit is an input. */
static weir_status relu_x(weir_call *call)
{
    weir_quant quant = weir_quant_input(call, 0, 2);
    float most = *(const float *)weir_in(call, 1)->data;
    return clamp_to(call, quant, number_of(quant, 0), number_of(quant, most));
}

static weir_status relu_x_infer(weir_infer *infer)
{
    WEIR_TRY(weir_infer_rank(infer, 1, 0));
    return weir_quant_infer_same(infer, 2, 4);
}

/* ---- pools ----------------------------------------------------------------------------------- */

static weir_status pool_infer(weir_infer *infer)
{
    bool known;
    weir_pool_plan plan;
    WEIR_TRY(weir_pool_infer_plan(infer, infer->in[0], -1, &known, &plan));
    infer->out[0] = plan.out;
    return weir_quant_infer(infer, 1, 3);
}

/* Statistics of a window; the mean is truncated to an integer. */
typedef struct statistics {
    int64_t most, sum, count;
} statistics;

static statistics statistics_of(const weir_window *window, const weir_tensor *x,
                                const int64_t at[4], int64_t channel)
{
    statistics statistics = {.most = INT64_MIN};
    for (int64_t y = 0; y < window->size[1]; y++)
        for (int64_t z = 0; z < window->size[2]; z++) {
            int64_t row = at[1] * window->stride[1] - window->pad[1] + y;
            int64_t col = at[2] * window->stride[2] - window->pad[2] + z;
            if (row < 0 || row >= window->in[1] || col < 0 || col >= window->in[2])
                continue;
            int64_t place =
                ((at[0] * window->in[1] + row) * window->in[2] + col) * window->channels + channel;
            int64_t value = weir_quant_at(x, place);
            statistics.most = value > statistics.most ? value : statistics.most;
            statistics.sum += value;
            statistics.count++;
        }
    return statistics;
}

static weir_status pool(weir_call *call)
{
    bool mean = weir_site_mode(call->site) == MEAN;
    const weir_tensor *x = weir_in(call, 0);
    weir_tensor *y = weir_out(call, 0);
    weir_pool_plan plan;
    WEIR_TRY(weir_pool_plan_of_call(call, &x->shape, -1, &plan));
    if (plan.slide.size[3] != 1 || plan.slide.size[0] != 1 || plan.slide.stride[0] != 1)
        return weir_error(WEIR_UNIMPLEMENTED,
                          "Non-spatial pooling is not yet supported. Volunteers? :)");
    const weir_window *window = &plan.window;
    int64_t k = 0;
    for (int64_t batch = 0; batch < window->batch; batch++)
        for (int64_t row = 0; row < window->out[1]; row++)
            for (int64_t col = 0; col < window->out[2]; col++)
                for (int64_t channel = 0; channel < window->channels; channel++) {
                    statistics statistics =
                        statistics_of(window, x, (const int64_t[]){batch, row, col, 0}, channel);
                    weir_quant_set(y, k++,
                                   !mean              ? statistics.most
                                   : statistics.count ? statistics.sum / statistics.count
                                                      : 0);
                }
    weir_quant_set_range(call, weir_quant_input(call, 0, 1));
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
WEIR_DEFINE_OP(quantized_relu_x, "QuantizedReluX",
               .in = "features: Tinput; max_value: float; min_features: float; "
                     "max_features: float",
               .out = "activations: out_type; min_activations: float; max_activations: float",
               .attrs = "Tinput: " QUANTISED "; out_type: " QUANTISED " = DT_QUINT8",
               .infer = relu_x_infer, .no_grad = true,
               .kernels = {{WEIR_CPU, "Tinput: quint8; out_type: quint8", relu_x},
                           {WEIR_CPU, "Tinput: qint32; out_type: qint32", relu_x}});
WEIR_DEFINE_OP(quantized_relu6, "QuantizedRelu6", CLAMP, .mode = TO_SIX);

#define POOL                                                                                       \
    .in = "input: T; min_input: float; max_input: float",                                          \
    .out = "output: T; min_output: float; max_output: float",                                      \
    .attrs = "T: " QUANTISED "; ksize: list(int); strides: list(int); padding: {'SAME', 'VALID'}", \
    .infer = pool_infer, .no_grad = true, .kernels = {{WEIR_CPU, "T: quint8, qint8", pool}}
WEIR_DEFINE_OP(quantized_max_pool, "QuantizedMaxPool", POOL, .mode = MAX);
WEIR_DEFINE_OP(quantized_avg_pool, "QuantizedAvgPool", POOL, .mode = MEAN);
