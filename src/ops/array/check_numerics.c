/* ops/array/check_numerics.c - CheckNumerics, CheckNumericsV2: fails on NaN and
 * infinity. */
#include "ops/common/grads.h"
#include "ops/common/infer_util.h"
#include "ops/declare.h"

enum { T, MESSAGE };
enum { V1, V2 }; /* modes */
enum { PLUS_INF = 1, MINUS_INF = 2, NAN_SEEN = 4 };

static unsigned kind_of(double value)
{
    if (value - value == 0)
        return 0;
    return value != value ? NAN_SEEN : value > 0 ? PLUS_INF : MINUS_INF;
}

static unsigned scan(const weir_tensor *x)
{
    int64_t count = weir_tensor_count(x);
    unsigned seen = 0;
    for (int64_t i = 0; i < count; i++) {
        switch (x->dtype) {
        case WEIR_FLOAT:
            seen |= kind_of(((const float *)x->data)[i]);
            break;
        case WEIR_DOUBLE:
            seen |= kind_of(((const double *)x->data)[i]);
            break;
        case WEIR_HALF:
            seen |= kind_of(weir_f16_f32(((const uint16_t *)x->data)[i]));
            break;
        default:
            seen |= kind_of(weir_bf16_f32(((const uint16_t *)x->data)[i]));
        }
    }
    return seen;
}

/* The message for the kinds found; the first version ignores the signs of infinities. */
static const char *words(unsigned seen, bool v2)
{
    static const char *const signed_words[] = {
        NULL,  "+Inf",         "-Inf",         "-Inf and +Inf",
        "NaN", "+Inf and NaN", "-Inf and NaN", "-Inf, +Inf, and NaN",
    };
    bool inf = seen & (PLUS_INF | MINUS_INF), nan = seen & NAN_SEEN;
    return v2 ? signed_words[seen] : inf && nan ? "Inf and NaN" : inf ? "Inf" : "NaN";
}

static weir_status check(weir_call *call)
{
    unsigned seen = scan(weir_in(call, 0));
    if (seen)
        return weir_error(WEIR_INVALID_ARGUMENT, "%.*s : Tensor had %s values",
                          WEIR_STR_ARG(weir_site_str(call->site, MESSAGE)),
                          words(seen, weir_site_mode(call->site) == V2));
    weir_call_forward(call, 0, 0, NULL);
    return WEIR_OK;
}

/* The gradient is checked, too. */
static weir_status grad(weir_grad *grad)
{
    weir_str message = weir_site_str(weir_grad_site(grad), MESSAGE);
    WEIR_BUF(text);
    weir_buf_addf(&text,
                  "Not a number (NaN) or infinity (Inf) values detected in gradient. b'%.*s'",
                  WEIR_STR_ARG(message));
    weir_grad_set(grad, 0,
                  weir_grad_op(grad, "CheckNumerics", WEIR_IN(weir_grad_dy(grad, 0)),
                               WEIR_ATTRS(weir_a_str("message", text.at))));
    return WEIR_OK;
}

#define CHECK                                                                                      \
    .in = "tensor: T", .out = "output: T",                                                         \
    .attrs = "T: {bfloat16, half, float, double}; message: string", .flags = WEIR_STATEFUL,        \
    .infer = weir_infer_same_shape, .grad = grad,                                                  \
    .kernels = {{WEIR_CPU, "*", check, WEIR_OWN_OUTPUTS}}
WEIR_DEFINE_OP(check_numerics, "CheckNumerics", CHECK, .mode = V1);
WEIR_DEFINE_OP(check_numerics_v2, "CheckNumericsV2", CHECK, .mode = V2);
