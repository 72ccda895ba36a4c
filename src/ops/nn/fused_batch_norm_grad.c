/* ops/nn/fused_batch_norm_grad.c - the gradient of FusedBatchNormGrad, for penalties on gradients.
 *
 * With h = (x - mean) r, r = 1 / sqrt(variance + epsilon), and means over a channel's elements, the
 * forward node computes in training
 *     dx = scale r (dy - mean(dy) - h mean(dy h)),  dscale = sum(dy h),  doffset = sum(dy),
 * where mean and variance are those of x, and without training dx = scale r dy, with given mean and
 * variance. The gradients of its outputs are called g, gs and go here.
 */
#include "ops/nn/fused_batch_norm_grad.h"

#include "ops/math/gradient.h"
#include "ops/nn/window.h"

/* Per-channel values keep the reduced dimensions; all are float. */
typedef struct normal {
    weir_grad *grad;
    weir_edge axes;   /* the reduced axes */
    weir_edge spread; /* the shape that broadcasts a channel vector against x */
    weir_edge dy, x, scale, g, gs, go;
    weir_edge r, h;
} normal;

static const weir_attr *find(const weir_grad *grad, const char *name)
{
    const weir_site *site = weir_grad_site(grad);
    return &site->attrs[weir_opdef_attr(site->def, name)];
}

static weir_dtype type_of_x(const weir_grad *grad)
{
    return weir_dtype_base(weir_grad_site(grad)->in_types[1]);
}

static weir_edge widened(weir_grad *grad, weir_edge a)
{
    return type_of_x(grad) == WEIR_FLOAT ? a : weir_grad_cast(grad, a, WEIR_FLOAT);
}

static void set_narrowed(weir_grad *grad, int i, weir_edge a)
{
    weir_grad_set(grad, i,
                  type_of_x(grad) == WEIR_FLOAT ? a : weir_grad_cast(grad, a, type_of_x(grad)));
}

static weir_edge beside_x(const normal *at, weir_edge vector)
{
    return weir_grad_op(at->grad, "Reshape", WEIR_IN(vector, at->spread), WEIR_NO_ATTRS);
}

static weir_edge mean(const normal *at, weir_edge a)
{
    return weir_grad_op(at->grad, "Mean", WEIR_IN(a, at->axes),
                        WEIR_ATTRS(weir_a_bool("keep_dims", true)));
}

/* a - mean(a) - h mean(a h) */
static weir_edge projected(const normal *at, weir_edge a)
{
    weir_grad *grad = at->grad;
    weir_edge along = MUL(at->h, mean(at, MUL(a, at->h)));
    return SUB(SUB(a, mean(at, a)), along);
}

/* Axes and shapes of the node's format. */
static void begin(normal *at)
{
    weir_grad *grad = at->grad;
    weir_format format = weir_format_of(find(grad, "data_format")->s);
    int rank = weir_format_rank(format), channel = weir_format_channel(format), count = 0;
    int32_t axes[8], spread[8];
    for (int i = 0; i < rank; i++) {
        spread[i] = i == channel ? -1 : 1;
        if (i != channel)
            axes[count++] = i;
    }
    at->axes = weir_grad_const_int32(grad, axes, count);
    at->spread = weir_grad_const_int32(grad, spread, rank);
    at->dy = widened(grad, weir_grad_x(grad, 0));
    at->x = widened(grad, weir_grad_x(grad, 1));
    at->scale = beside_x(at, weir_grad_x(grad, 2));
    at->g = widened(grad, weir_grad_dy(grad, 0));
    at->gs = beside_x(at, weir_grad_dy(grad, 1));
    at->go = beside_x(at, weir_grad_dy(grad, 2));
}

static void normalise(normal *at, weir_edge centred, weir_edge variance)
{
    weir_grad *grad = at->grad;
    at->r = OP1("Rsqrt", PLUS(find(grad, "epsilon")->f, variance));
    at->h = MUL(centred, at->r);
}

/* The gradient of dy: the same in both modes, given that of dx. */
static void set_dy(const normal *at, weir_edge of_dx)
{
    weir_grad *grad = at->grad;
    set_narrowed(grad, 0, ADD(ADD(of_dx, MUL(at->gs, at->h)), at->go));
}

static void set_scale(const normal *at, weir_edge product)
{
    weir_grad_set(at->grad, 2,
                  weir_grad_op(at->grad, "Sum", WEIR_IN(product, at->axes), WEIR_NO_ATTRS));
}

/* The gradient of x in training: through h, whose gradient is |of_h|, and through r. */
static void set_x(const normal *at)
{
    weir_grad *grad = at->grad;
    weir_edge scaled = MUL(at->scale, at->r);
    weir_edge dy_along = mean(at, MUL(at->dy, at->h)), g_along = mean(at, MUL(at->g, at->h));
    weir_edge mixed = ADD(MUL(at->g, dy_along), MUL(at->dy, g_along));
    weir_edge of_h = SUB(MUL(at->gs, at->dy), MUL(scaled, mixed));
    weir_edge common = SUB(mean(at, MUL(at->g, at->dy)), MUL(mean(at, at->g), mean(at, at->dy)));
    weir_edge of_r = MUL(MUL(scaled, at->r), SUB(common, MUL(g_along, dy_along)));
    set_narrowed(grad, 1, SUB(MUL(at->r, projected(at, of_h)), MUL(of_r, at->h)));
}

static void in_training(normal *at)
{
    weir_grad *grad = at->grad;
    weir_edge centred = SUB(at->x, mean(at, at->x));
    normalise(at, centred, mean(at, SQUARE(centred)));
    set_dy(at, MUL(MUL(at->scale, at->r), projected(at, at->g)));
    set_scale(at, MUL(MUL(at->r, at->g), projected(at, at->dy)));
    set_x(at);
}

static void with_given(normal *at)
{
    weir_grad *grad = at->grad;
    normalise(at, SUB(at->x, beside_x(at, weir_grad_x(grad, 3))),
              beside_x(at, weir_grad_x(grad, 4)));
    set_dy(at, MUL(MUL(at->scale, at->r), at->g));
    set_scale(at, MUL(MUL(at->r, at->g), at->dy));
    set_narrowed(grad, 1, MUL(MUL(at->gs, at->r), at->dy));
}

weir_status weir_fused_batch_norm_grad_grad(weir_grad *grad)
{
    normal at = {.grad = grad};
    begin(&at);
    if (find(grad, "is_training")->b)
        in_training(&at);
    else
        with_given(&at);
    return WEIR_OK;
}
