/* cuda/dnn.c - convolutions by cuDNN: described and chosen once a shape. */
#include "cuda/dnn.h"

#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "math/elem.h"

enum { CHOICES = 8 };

/* What is kept of a shape and pass; descriptors stay until the process ends. */
typedef struct plan {
    dnn_tensor x, y;
    dnn_filter w;
    dnn_conv conv;
    int algorithm;
    bool served;
} plan;

struct weir_dnn {
    const weir_dnn_functions *fn;
    dnn_handle handle;
    void *workspace;
    size_t workspace_bytes;
    weir_map plans; /* by the convolution without its addresses */
};

weir_dnn *weir_dnn_create(cu_stream stream, void *workspace, size_t bytes)
{
    weir_dnn made = {.fn = weir_dnn_open(), .workspace = workspace, .workspace_bytes = bytes};
    if (!made.fn || made.fn->create(&made.handle) != 0 ||
        made.fn->set_stream(made.handle, stream) != 0)
        return NULL;
    weir_dnn *dnn = WEIR_NEW(weir_dnn);
    *dnn = made;
    return dnn;
}

void weir_dnn_destroy(weir_dnn *dnn)
{
    size_t at = 0;
    weir_str key;
    void *value;
    if (!dnn)
        return;
    while (weir_map_next(&dnn->plans, &at, &key, &value))
        weir_free(value);
    weir_map_fini(&dnn->plans);
    weir_free(dnn);
}

static int type_of(int elem)
{
    return elem == WEIR_E_f64    ? DNN_F64
           : elem == WEIR_E_f16  ? DNN_F16
           : elem == WEIR_E_bf16 ? DNN_BF16
                                 : DNN_F32;
}

/* The library pads as much behind as before; more or less is the same where no window sees it. */
static bool has_sizes(const weir_gpu_convolution *c)
{
    bool same = true;
    for (int d = 0; d < 2; d++) {
        int64_t window = (c->taps[d] - 1) * c->dilation[d] + 1;
        int64_t left = c->in[d] + 2 * c->pad[d] - window;
        same &= left >= 0 && left / c->stride[d] + 1 == c->out[d];
    }
    return same && c->batch * c->in[0] * c->in[1] * c->channels < INT32_MAX &&
           c->batch * c->out[0] * c->out[1] * c->out_c < INT32_MAX;
}

static bool describe(const weir_dnn *dnn, const weir_gpu_convolution *c, plan *plan)
{
    const weir_dnn_functions *fn = dnn->fn;
    int type = type_of(c->elem), sums = c->elem == WEIR_E_f64 ? DNN_F64 : DNN_F32;
    return fn->tensor_create(&plan->x) == 0 && fn->tensor_create(&plan->y) == 0 &&
           fn->filter_create(&plan->w) == 0 && fn->conv_create(&plan->conv) == 0 &&
           fn->tensor_set(plan->x, DNN_NHWC, type, (int)c->batch, (int)c->channels, (int)c->in[0],
                          (int)c->in[1]) == 0 &&
           fn->tensor_set(plan->y, DNN_NHWC, type, (int)c->batch, (int)c->out_c, (int)c->out[0],
                          (int)c->out[1]) == 0 &&
           fn->filter_set(plan->w, type, DNN_NHWC, (int)c->out_c, (int)c->channels, (int)c->taps[0],
                          (int)c->taps[1]) == 0 &&
           fn->conv_set(plan->conv, (int)c->pad[0], (int)c->pad[1], (int)c->stride[0],
                        (int)c->stride[1], (int)c->dilation[0], (int)c->dilation[1],
                        DNN_CROSS_CORRELATION, sums) == 0;
}

static int ask(const weir_dnn *dnn, weir_gpu_pass pass, const plan *plan, dnn_choice *out)
{
    int count = 0, result;
    if (pass == WEIR_GPU_FORWARD)
        result = dnn->fn->choose_forward(dnn->handle, plan->x, plan->w, plan->conv, plan->y,
                                         CHOICES, &count, out);
    else if (pass == WEIR_GPU_GRAD_X)
        result = dnn->fn->choose_grad_x(dnn->handle, plan->w, plan->y, plan->conv, plan->x, CHOICES,
                                        &count, out);
    else
        result = dnn->fn->choose_grad_w(dnn->handle, plan->x, plan->y, plan->conv, plan->w, CHOICES,
                                        &count, out);
    return result == 0 ? count : 0;
}

static bool fill_plan(const weir_dnn *dnn, const weir_gpu_convolution *c, plan *plan)
{
    dnn_choice choices[CHOICES];
    if (!has_sizes(c) || !describe(dnn, c, plan))
        return false;
    int count = ask(dnn, c->pass, plan, choices);
    for (int i = 0; i < count; i++)
        if (choices[i].status == 0 && choices[i].workspace <= dnn->workspace_bytes) {
            plan->algorithm = choices[i].algorithm;
            return dnn->fn->conv_arithmetic(plan->conv, choices[i].arithmetic) == 0;
        }
    return false;
}

static plan *get_plan(weir_dnn *dnn, const weir_gpu_convolution *convolution)
{
    weir_gpu_convolution key;
    memcpy(&key, convolution, sizeof key); /* made by a designated initialiser: padding is 0 */
    key.x = key.w = key.y = NULL;
    weir_str text = {(const char *)&key, sizeof key};
    plan *found = weir_map_get(&dnn->plans, text);
    if (found)
        return found;
    found = WEIR_NEW(plan);
    found->served = fill_plan(dnn, convolution, found);
    weir_map_put(&dnn->plans, text, found);
    return found;
}

static int run(const weir_dnn *dnn, const plan *plan, const weir_gpu_convolution *c)
{
    static const float one = 1, zero = 0;
    static const double wide_one = 1, wide_zero = 0;
    bool wide = c->elem == WEIR_E_f64;
    const void *alpha = wide ? (const void *)&wide_one : &one;
    const void *beta = wide ? (const void *)&wide_zero : &zero;
    if (c->pass == WEIR_GPU_FORWARD)
        return dnn->fn->forward(dnn->handle, alpha, plan->x, c->x, plan->w, c->w, plan->conv,
                                plan->algorithm, dnn->workspace, dnn->workspace_bytes, beta,
                                plan->y, c->y);
    if (c->pass == WEIR_GPU_GRAD_X)
        return dnn->fn->grad_x(dnn->handle, alpha, plan->w, c->w, plan->y, c->y, plan->conv,
                               plan->algorithm, dnn->workspace, dnn->workspace_bytes, beta, plan->x,
                               c->x);
    return dnn->fn->grad_w(dnn->handle, alpha, plan->x, c->x, plan->y, c->y, plan->conv,
                           plan->algorithm, dnn->workspace, dnn->workspace_bytes, beta, plan->w,
                           c->w);
}

weir_status weir_dnn_convolve(weir_dnn *dnn, const weir_gpu_convolution *convolution)
{
    plan *plan = get_plan(dnn, convolution);
    int result = plan->served ? run(dnn, plan, convolution) : 0;
    if (plan->served && result == 0)
        return WEIR_OK;
    plan->served = false; /* another way computes it */
    return weir_error(WEIR_UNIMPLEMENTED, "cuDNN does not serve the convolution (status %d)",
                      result);
}
