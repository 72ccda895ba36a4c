/* ops/math/complex.c - complex numbers and their parts. */
#include "math/binary/binary.h"
#include "math/cast/cast.h"
#include "ops/common/elem_of.h"
#include "ops/common/elements.h"
#include "ops/common/ndcopy.h"
#include "ops/declare.h"
#include "ops/math/elementwise.h"
#include "ops/math/gradient.h"

/* A complex edge from real ones, in the complex type of the node's input. */
static weir_edge make_complex(weir_grad *grad, weir_edge re, weir_edge im)
{
    int type = weir_dtype_base(weir_grad_site(grad)->in_types[0]);
    return weir_grad_op(grad, "Complex", WEIR_IN(re, im), WEIR_ATTRS(weir_a_type("Tout", type)));
}
static weir_edge part(weir_grad *grad, const char *op, weir_edge a)
{
    bool wide = a.node && weir_edge_dtype(a) == WEIR_COMPLEX128;
    int type = wide ? WEIR_DOUBLE : WEIR_FLOAT;
    return weir_grad_op(grad, op, WEIR_IN(a), WEIR_ATTRS(weir_a_type("Tout", type)));
}
GRADIENT(real_grad, make_complex(grad, DY, LIKE(DY, 0)))
GRADIENT(imag_grad, make_complex(grad, LIKE(DY, 0), DY))
GRADIENT(conj_grad, OP1("Conj", DY))

/* d arg(z) = d Im log z: -dy / (im + i re) */
static weir_status angle_grad(weir_grad *grad)
{
    weir_edge x = X, dy = make_complex(grad, DY, LIKE(DY, 0));
    weir_edge inverse =
        RECIPROCAL(make_complex(grad, part(grad, "Imag", x), part(grad, "Real", x)));
    weir_grad_set(grad, 0, MUL(NEG(dy), inverse));
    return WEIR_OK;
}

/* dy x / |x|, 0 at 0 */
static weir_status complex_abs_grad(weir_grad *grad)
{
    weir_edge zero = LIKE(DY, 0);
    weir_edge dy = make_complex(grad, DY, zero), y = make_complex(grad, Y, zero);
    weir_grad_set(grad, 0, OP2("DivNoNan", MUL(dy, X), y));
    return WEIR_OK;
}

static weir_status run_part(weir_call *call)
{
    weir_unary_op op = (weir_unary_op)weir_site_mode(call->site);
    weir_elem elem = weir_elem_of(weir_in(call, 0)->dtype);
    weir_elem want = weir_elem_of(weir_out(call, 0)->dtype);
    if (weir_unary_out(op, elem) != want)
        return weir_error(WEIR_INVALID_ARGUMENT, "%s of %s cannot be %s", call->site->op->name,
                          weir_dtype_name(weir_in(call, 0)->dtype),
                          weir_dtype_name(weir_out(call, 0)->dtype));
    return weir_unary_kernel(call, op);
}

#define PART                                                                                       \
    .attrs = "T: {complex64, complex128} = DT_COMPLEX64; Tout: {float, double} = DT_FLOAT",        \
    .infer = weir_infer_same_shape, .kernels = {{WEIR_CPU, "*", run_part}}
#define IN_OUT .in = "input: T", .out = "output: Tout"
WEIR_DEFINE_OP(real, "Real", PART, IN_OUT, .grad = real_grad, .mode = WEIR_U_real);
WEIR_DEFINE_OP(imag, "Imag", PART, IN_OUT, .grad = imag_grad, .mode = WEIR_U_imag);
WEIR_DEFINE_OP(angle, "Angle", PART, IN_OUT, .grad = angle_grad, .mode = WEIR_U_angle);
WEIR_DEFINE_OP(complex_abs, "ComplexAbs", PART, .in = "x: T", .out = "y: Tout",
               .grad = complex_abs_grad, .mode = WEIR_U_cabs);

static weir_status conj_run(weir_call *call)
{
    return weir_unary_kernel(call, WEIR_U_conj);
}
const weir_op weir_op_conj = {
    .name = "Conj",
    .in = "input: T",
    .out = "output: T",
    .attrs = "T: {complex64, complex128, variant} = DT_COMPLEX64",
    .infer = weir_infer_same_shape,
    .grad = conj_grad,
    .inplace = WEIR_INPLACE(0, 0),
    .kernels = {{WEIR_CPU, "*", conj_run}},
};

/* Writes the real (|offset| 0) or imaginary parts of |z|; |part| is broadcast. */
static void write_parts(const weir_par *par, const weir_tensor *part, const weir_tensor *z,
                        int offset)
{
    int64_t part_strides[WEIR_MAX_RANK], z_strides[WEIR_MAX_RANK];
    int extra = z->shape.rank - part->shape.rank;
    weir_ndcopy copy = {0};
    weir_shape_strides(&part->shape, part_strides);
    weir_shape_strides(&z->shape, z_strides);
    for (int axis = 0; axis < z->shape.rank; axis++) {
        bool repeats = axis < extra || part->shape.dims[axis - extra] == 1;
        weir_ndcopy_add(&copy, z->shape.dims[axis], 2 * z_strides[axis],
                        repeats ? 0 : part_strides[axis - extra]);
    }
    weir_ndcopy_run(par, part->dtype,
                    (char *)z->data + (size_t)offset * weir_dtype_size(part->dtype), part->data,
                    &copy);
}

static weir_status complex_run(weir_call *call)
{
    const weir_tensor *re = weir_in(call, 0), *im = weir_in(call, 1), *z = weir_out(call, 0);
    if ((re->dtype == WEIR_FLOAT) != (z->dtype == WEIR_COMPLEX64))
        return weir_error(WEIR_INVALID_ARGUMENT, "Complex of %s cannot be %s",
                          weir_dtype_name(re->dtype), weir_dtype_name(z->dtype));
    write_parts(&call->run->par, re, z, 0);
    write_parts(&call->run->par, im, z, 1);
    return WEIR_OK;
}
GRADIENT2(complex_grad, part(grad, "Real", DY), part(grad, "Imag", DY))
const weir_op weir_op_complex = {
    .name = "Complex",
    .in = "real: T; imag: T",
    .out = "out: Tout",
    .attrs = "T: {float, double} = DT_FLOAT; Tout: {complex64, complex128} = DT_COMPLEX64",
    .infer = weir_infer_broadcast,
    .grad = complex_grad,
    .kernels = {{WEIR_CPU, "*", complex_run}},
};
