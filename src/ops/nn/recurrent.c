/* ops/nn/recurrent.c - products and conversions of the fused recurrent cells. */
#include "ops/nn/recurrent.h"

#include <math.h>

#include "math/cast/cast.h"
#include "math/gemm/gemm.h"
#include "ops/common/elem_of.h"

static bool is_number(weir_dtype dtype)
{
    return dtype == WEIR_FLOAT || dtype == WEIR_HALF;
}

static weir_status as_float(weir_call *call, const weir_tensor *from, weir_tensor *out)
{
    if (from->dtype == WEIR_FLOAT) {
        *out = weir_tensor_share(from);
        return WEIR_OK;
    }
    WEIR_TRY(weir_tensor_alloc(WEIR_FLOAT, &from->shape, out));
    weir_cast_run(&call->run->par, weir_elem_of(from->dtype), WEIR_E_f32, weir_tensor_count(from),
                  from->data, out->data);
    return WEIR_OK;
}

static weir_status alloc_floats(const weir_tensor *to, weir_tensor *out)
{
    if (to->dtype != WEIR_FLOAT)
        return weir_tensor_alloc(WEIR_FLOAT, &to->shape, out);
    *out = weir_tensor_share(to);
    return WEIR_OK;
}

weir_status weir_recurrent_open(weir_call *call, weir_recurrent *recurrent)
{
    weir_status status = WEIR_OK;
    *recurrent = (weir_recurrent){.call = call};
    for (int i = 0; !status && i < call->site->in_count; i++)
        if (is_number(weir_in(call, i)->dtype))
            status = as_float(call, weir_in(call, i), &recurrent->in[i]);
    for (int i = 0; !status && i < call->site->out_count; i++)
        status = alloc_floats(weir_out(call, i), &recurrent->out[i]);
    return status ? weir_recurrent_close(recurrent, status) : WEIR_OK;
}

weir_status weir_recurrent_close(weir_recurrent *recurrent, weir_status status)
{
    for (int i = 0; i < WEIR_RECURRENT_IN; i++)
        weir_tensor_release(&recurrent->in[i]);
    for (int i = 0; i < WEIR_RECURRENT_OUT; i++) {
        weir_tensor *to =
            i < recurrent->call->site->out_count ? weir_out(recurrent->call, i) : NULL;
        if (!status && to && to->dtype != WEIR_FLOAT)
            weir_cast_run(&recurrent->call->run->par, WEIR_E_f32, weir_elem_of(to->dtype),
                          weir_tensor_count(to), recurrent->out[i].data, to->data);
        weir_tensor_release(&recurrent->out[i]);
    }
    return status;
}

void weir_recurrent_join(int64_t batch, int64_t inputs, const float *x, int64_t cells,
                         const float *h, float *out)
{
    for (int64_t batch_index = 0; batch_index < batch; batch_index++, out += inputs + cells) {
        memcpy(out, x + batch_index * inputs, sizeof(float) * (size_t)inputs);
        memcpy(out + inputs, h + batch_index * cells, sizeof(float) * (size_t)cells);
    }
}

void weir_recurrent_multiply(weir_call *call, weir_recurrent_product how, int64_t m, int64_t n,
                             int64_t k, const float *a, const float *b, float *c)
{
    bool transposed = how == WEIR_RECURRENT_A_TRANSPOSED_ADDED;
    weir_gemm_run(&call->run->par,
                  &(weir_gemm){
                      .elem = WEIR_E_f32,
                      .m = m,
                      .n = n,
                      .k = k,
                      .a = a,
                      .b = b,
                      .c = c,
                      .op_a = transposed ? WEIR_GEMM_TRANS : WEIR_GEMM_PLAIN,
                      .op_b = how == WEIR_RECURRENT_B_TURNED ? WEIR_GEMM_TRANS : WEIR_GEMM_PLAIN,
                      .accumulate = transposed,
                  });
}

float weir_recurrent_sigmoid(float x)
{
    return 1 / (1 + expf(-x));
}
