/* ops/nn/avg_pool.c - AvgPool in two and three dimensions: means over windows, padding left out. */
#include "grad/grad.h"
#include "ops/common/elem_of.h"
#include "ops/declare.h"
#include "ops/nn/pool.h"

#define ATTRS_2D                                                                                   \
    "ksize: list(int) >= 4; strides: list(int) >= 4; padding: {'SAME', 'VALID'}; data_format: "    \
    "{'NHWC', 'NCHW'} = \"NHWC\"; T: {half, bfloat16, float, double}"
#define ATTRS_3D                                                                                   \
    "ksize: list(int) >= 5; strides: list(int) >= 5; padding: {'SAME', 'VALID'}; data_format: "    \
    "{'NDHWC', 'NCDHW'} = \"NDHWC\"; T: {half, bfloat16, float, double}"

static weir_status check_channels(const weir_pool_plan *p)
{
    int channel = weir_format_channel(p->slide.format);
    if (p->slide.size[channel] == 1)
        return WEIR_OK;
    return weir_error(WEIR_UNIMPLEMENTED,
                      "Average pooling is not supported across the channel dimension");
}

static weir_status infer(weir_infer *i)
{
    weir_pool_plan p;
    WEIR_TRY(weir_pool_plan_make(i->site, weir_infer_building(i), i->in[0], NULL, NULL, &p));
    i->out[0] = p.out;
    return WEIR_OK;
}

static weir_status infer_grad(weir_infer *i)
{
    weir_slide slide;
    WEIR_TRY(weir_slide_read(i->site, true, &slide));
    return weir_infer_image_sizes(i, 0, weir_format_rank(slide.format), &i->out[0]);
}

/* |result| in the layout of the loops: itself, or room to be turned back afterwards. */
static weir_status result_room(const weir_pool_plan *p, const weir_tensor *result, weir_tensor *out)
{
    if (!p->turned) {
        *out = weir_tensor_share(result);
        return WEIR_OK;
    }
    weir_shape shape = weir_shape_channels_last(&result->shape, p->slide.format);
    return weir_tensor_alloc(result->dtype, &shape, out);
}

static weir_status run(weir_call *call, const weir_pool_plan *p, const weir_tensor *from,
                       bool backward)
{
    weir_tensor a = {0}, b = {0}, *result = weir_out(call, 0);
    if (weir_tensor_count(result) == 0)
        return WEIR_OK;
    weir_status s = weir_pool_operand(p, from, &a);
    if (!s)
        s = result_room(p, result, &b);
    if (!s) {
        (backward ? weir_avg_pool_grad : weir_avg_pool)(&call->run->par, &p->window, a.data,
                                                        b.data);
        if (p->turned)
            weir_from_channels_last(&b, result);
    }
    weir_tensor_release(&a);
    weir_tensor_release(&b);
    return s;
}

static weir_status avg_pool(weir_call *call)
{
    weir_pool_plan p;
    WEIR_TRY(weir_pool_plan_of_call(call, &weir_in(call, 0)->shape, -1, &p));
    WEIR_TRY(check_channels(&p));
    return run(call, &p, weir_in(call, 0), false);
}

static weir_status avg_pool_grad(weir_call *call)
{
    weir_pool_plan p;
    const weir_tensor *dy = weir_in(call, 1);
    WEIR_TRY(weir_pool_plan_of_call(call, &weir_out(call, 0)->shape, -1, &p));
    WEIR_TRY(check_channels(&p));
    if (!weir_shape_eq(&dy->shape, &p.out))
        return weir_error(WEIR_INVALID_ARGUMENT, "%s: expected grad shape to be %s, but got %s",
                          call->site->def->name, WEIR_SHAPE_STR(&p.out),
                          WEIR_SHAPE_STR(&dy->shape));
    p.window.elem = weir_elem_of(dy->dtype);
    return run(call, &p, dy, true);
}

static weir_edge emit(weir_grad *g, const char *op, const weir_edge *in, int in_count)
{
    return weir_grad_op(g, op, in, in_count,
                        WEIR_ATTRS(weir_grad_attr(g, "ksize"), weir_grad_attr(g, "strides"),
                                   weir_grad_attr(g, "padding"), weir_grad_attr(g, "data_format")));
}

enum { FLAT, VOLUME }; /* modes */

static weir_status grad(weir_grad *g)
{
    bool flat = weir_site_mode(weir_grad_site(g)) == FLAT;
    weir_edge shape = weir_grad_shape_of(g, weir_grad_x(g, 0));
    weir_grad_set(
        g, 0, emit(g, flat ? "AvgPoolGrad" : "AvgPool3DGrad", WEIR_IN(shape, weir_grad_dy(g, 0))));
    return WEIR_OK;
}

static weir_status grad_of_grad(weir_grad *g)
{
    bool flat = weir_site_mode(weir_grad_site(g)) == FLAT;
    weir_grad_set(g, 1, emit(g, flat ? "AvgPool" : "AvgPool3D", WEIR_IN(weir_grad_dy(g, 0))));
    return WEIR_OK;
}

#define POOL                                                                                       \
    .out = "output: T", .infer = infer, .grad = grad, .kernels = {{WEIR_CPU, "*", avg_pool}}
#define POOL_GRAD                                                                                  \
    .in = "orig_input_shape: int32; grad: T", .out = "output: T", .infer = infer_grad,             \
    .grad = grad_of_grad, .kernels = {{WEIR_CPU, "*", avg_pool_grad}}
WEIR_DEFINE_OP(avg_pool_2d, "AvgPool", POOL, .in = "value: T", .attrs = ATTRS_2D, .mode = FLAT);
WEIR_DEFINE_OP(avg_pool_2d_grad, "AvgPoolGrad", POOL_GRAD, .attrs = ATTRS_2D, .mode = FLAT);
WEIR_DEFINE_OP(avg_pool_3d, "AvgPool3D", POOL, .in = "input: T", .attrs = ATTRS_3D, .mode = VOLUME);
WEIR_DEFINE_OP(avg_pool_3d_grad, "AvgPool3DGrad", POOL_GRAD, .attrs = ATTRS_3D, .mode = VOLUME);
