/* ops/math/cumulative.c - Cumsum, Cumprod, CumulativeLogsumexp. */
#include <float.h>
#include <inttypes.h>

#include "math/scan.h"
#include "ops/common/elem_of.h"
#include "ops/common/elements.h"
#include "ops/declare.h"
#include "ops/math/gradient.h"
#include "ops/math/types.h"

enum { EXCLUSIVE, REVERSE }; /* attrs */

static weir_status cumulate(weir_call *call)
{
    weir_scan_op op = (weir_scan_op)weir_site_mode(call->site);
    const weir_tensor *x = weir_in(call, 0), *axis_t = weir_in(call, 1);
    int rank = x->shape.rank;
    if (axis_t->shape.rank != 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "ScanOp: axis must be a scalar, not %s",
                          WEIR_SHAPE_STR(&axis_t->shape));
    int64_t axis = weir_int_at(axis_t, 0), d = axis < 0 ? axis + rank : axis;
    if (d < 0 || d >= rank)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "ScanOp: Expected scan axis in the range [%d, %d), but got %" PRId64,
                          -rank, rank, axis);
    weir_elem elem = weir_elem_of(x->dtype);
    if (!weir_scan_has(op, elem))
        return weir_error(WEIR_UNIMPLEMENTED, "%s is not implemented for type %s",
                          call->site->op->name, weir_dtype_name(x->dtype));
    weir_scan_run(&call->run->par, &(weir_scan){
                                       .op = op,
                                       .elem = elem,
                                       .outer = weir_shape_product(&x->shape, 0, (int)d),
                                       .length = x->shape.dims[d],
                                       .inner = weir_shape_product(&x->shape, (int)d + 1, rank),
                                       .exclusive = weir_site_bool(call->site, EXCLUSIVE),
                                       .reverse = weir_site_bool(call->site, REVERSE),
                                       .x = x->data,
                                       .y = weir_out(call, 0)->data,
                                   });
    return WEIR_OK;
}

/* The scan of |a| in the node's direction, or in reverse. */
static weir_edge scan(weir_grad *grad, const char *op, weir_edge a, bool against)
{
    const weir_site *site = weir_grad_site(grad);
    bool reverse = weir_site_bool(site, REVERSE) != against;
    return weir_grad_op(grad, op, WEIR_IN(a, X1),
                        WEIR_ATTRS(weir_a_bool("exclusive", weir_site_bool(site, EXCLUSIVE)),
                                   weir_a_bool("reverse", reverse)));
}

GRADIENT(cumsum_grad, scan(grad, "Cumsum", DY, true))

static weir_status cumprod_grad(weir_grad *grad)
{
    weir_edge x = X;
    weir_edge products = scan(grad, "Cumprod", x, false);
    weir_grad_set(grad, 0, DIV(scan(grad, "Cumsum", MUL(products, DY), true), x));
    return WEIR_OK;
}

static double lowest(weir_dtype dtype)
{
    switch (dtype) {
    case WEIR_DOUBLE:
        return -DBL_MAX;
    case WEIR_HALF:
        return -65504;
    case WEIR_BFLOAT16:
        return -0x1.fep127;
    default:
        return -FLT_MAX;
    }
}

/* Scans the logarithms of the positive and negative parts of the gradient separately, which avoids
 * overflow. */
static weir_status logsumexp_grad(weir_grad *grad)
{
    weir_edge x = X, y = Y, dy = DY, zero = LIKE(dy, 0);
    weir_edge none = LIKE(x, lowest(weir_dtype_base(weir_grad_site(grad)->in_types[0])));
    weir_edge positive = WHERE(OP2("Greater", dy, zero), OP1("Log", dy), none);
    weir_edge negative = WHERE(OP2("Less", dy, zero), OP1("Log", NEG(dy)), none);
    weir_edge up = OP1("Exp", ADD(scan(grad, "CumulativeLogsumexp", SUB(positive, y), true), x));
    weir_edge down = OP1("Exp", ADD(scan(grad, "CumulativeLogsumexp", SUB(negative, y), true), x));
    weir_grad_set(grad, 0, SUB(up, down));
    return WEIR_OK;
}

#define SCAN                                                                                       \
    .in = "x: T; axis: Tidx", .out = "out: T", .infer = weir_infer_same_shape,                     \
    .inplace = WEIR_INPLACE(0, 0), .kernels = {{WEIR_CPU, "*", cumulate}}
#define FLAGS "exclusive: bool = false; reverse: bool = false"
#define ATTRS(types) FLAGS "; T: {" types "}; Tidx: " INDEX_TYPE
WEIR_DEFINE_OP(cumsum, "Cumsum", SCAN, .attrs = ATTRS(NUMBERS), .grad = cumsum_grad,
               .mode = WEIR_S_sum, .host = "axis");
WEIR_DEFINE_OP(cumprod, "Cumprod", SCAN, .attrs = ATTRS(NUMBERS), .grad = cumprod_grad,
               .mode = WEIR_S_prod, .host = "axis");
WEIR_DEFINE_OP(cumulative_logsumexp, "CumulativeLogsumexp", SCAN, .attrs = ATTRS(FLOATS),
               .grad = logsumexp_grad, .mode = WEIR_S_logsumexp);
