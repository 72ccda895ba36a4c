/* ops/quant/concat_v2.c - QuantizedConcatV2: QuantizedConcat with its axis after the values. */
#include "ops/common/catalogue.h"
#include "ops/common/elements.h"
#include "ops/common/inner.h"
#include "ops/declare.h"

static weir_status run_concat(weir_call *call, const weir_tensor *axis)
{
    int64_t count = weir_site_int(call->site, 0);
    const weir_named_attr attrs[] = {weir_a_int("N", count),
                                     weir_a_type("T", weir_site_type(call->site, 1))};
    WEIR_FREED const weir_tensor **in =
        WEIR_NEW_ARRAY(const weir_tensor *, (size_t)call->site->in_count);
    weir_inner *inner;
    weir_tensor out[3];
    in[0] = axis;
    for (int i = 0; i < call->site->in_count; i++)
        if (i != count)
            in[i < count ? i + 1 : i] = weir_in(call, i);
    WEIR_TRY(weir_inner_create(&weir_op_quantized_concat, attrs, 2, &inner));
    weir_status status = weir_inner_run(inner, call, in, out);
    weir_inner_destroy(inner);
    for (int i = 0; !status && i < 3; i++)
        weir_call_set(call, i, out[i]);
    return status;
}

static weir_status concat(weir_call *call)
{
    const weir_tensor *given = weir_in(call, (int)weir_site_int(call->site, 0));
    if (weir_tensor_count(given) != 1)
        return weir_error(WEIR_INVALID_ARGUMENT, "Concat dim tensor should be a scalar, but got %s",
                          WEIR_SHAPE_STR(&given->shape));
    int64_t dim = weir_int_at(given, 0);
    int32_t value = dim < INT32_MIN || dim > INT32_MAX ? INT32_MAX : (int32_t)dim;
    weir_tensor axis = weir_tensor_scalar(WEIR_INT32, &value);
    weir_status status = run_concat(call, &axis);
    weir_tensor_release(&axis);
    return status;
}

WEIR_DEFINE_OP(quantized_concat_v2, "QuantizedConcatV2",
               .in = "values: N * T; axis: Tidx; input_mins: N * float; input_maxes: N * float",
               .out = "output: T; output_min: float; output_max: float",
               .attrs = "N: int >= 2; T: type; Tidx: {int32, int64} = DT_INT32", .no_grad = true,
               .kernels = {{WEIR_CPU, "T: quint8, qint32, qint8", concat, WEIR_OWN_OUTPUTS}});
