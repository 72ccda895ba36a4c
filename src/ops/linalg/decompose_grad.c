/* ops/linalg/decompose_grad.c - gradients of factorisations. */
#include "ops/linalg/decompose_grad.h"

#include "ops/math/gradient.h"

static weir_edge product(weir_grad *grad, weir_edge a, weir_edge b, bool adj_a, bool adj_b)
{
    return weir_grad_op(grad, "BatchMatMulV2", WEIR_IN(a, b),
                        WEIR_ATTRS(weir_a_bool("adj_x", adj_a), weir_a_bool("adj_y", adj_b)));
}

static weir_edge einsum(weir_grad *grad, const char *equation, weir_edge a)
{
    return weir_grad_op(grad, "Einsum", WEIR_IN(a),
                        WEIR_ATTRS(weir_a_str("equation", equation), weir_a_int("N", 1)));
}

static weir_edge adjoint(weir_grad *grad, weir_edge a)
{
    return CONJ(einsum(grad, "...ij->...ji", a));
}

static weir_edge lower_part(weir_grad *grad, weir_edge a)
{
    weir_edge all = weir_grad_scalar(grad, WEIR_INT32, -1),
              none = weir_grad_scalar(grad, WEIR_INT32, 0);
    return weir_grad_op(grad, "MatrixBandPart", WEIR_IN(a, all, none), WEIR_NO_ATTRS);
}

static weir_edge diagonal_part(weir_grad *grad, weir_edge a)
{
    weir_edge none = weir_grad_scalar(grad, WEIR_INT32, 0);
    return weir_grad_op(grad, "MatrixBandPart", WEIR_IN(a, none, none), WEIR_NO_ATTRS);
}

/* 1 / (e_j - e_i), and 0 for equal eigenvalues. */
static weir_edge inverse_gaps(weir_grad *grad, weir_edge e)
{
    weir_edge last = weir_grad_scalar(grad, WEIR_INT32, -1);
    weir_edge before_last = weir_grad_scalar(grad, WEIR_INT32, -2);
    weir_edge row = weir_grad_op(grad, "ExpandDims", WEIR_IN(e, before_last), WEIR_NO_ATTRS);
    weir_edge column = weir_grad_op(grad, "ExpandDims", WEIR_IN(e, last), WEIR_NO_ATTRS);
    weir_edge gap = SUB(row, column);
    return DIV(gap, PLUS(1e-20, MUL(gap, gap)));
}

/* da = v (diag(de) + f * (v^H dv)) v^H, with the lower triangle representing both. */
weir_status weir_self_adjoint_eig_grad(weir_grad *grad)
{
    bool has_vectors = weir_site_bool(weir_grad_site(grad), 0);
    weir_edge e = weir_grad_y(grad, 0), de = weir_grad_dy(grad, 0), v = weir_grad_y(grad, 1);
    if (!has_vectors) {
        weir_node *again = weir_grad_node_add(grad, "SelfAdjointEigV2", WEIR_IN(X), WEIR_NO_ATTRS);
        v = (weir_edge){again, 1};
    }
    weir_edge middle = einsum(grad, "...i->...ii", de);
    if (has_vectors)
        middle = ADD(middle, MUL(inverse_gaps(grad, e),
                                 product(grad, v, weir_grad_dy(grad, 1), true, false)));
    weir_edge da = product(grad, v, product(grad, middle, v, false, true), false, false);
    da = ADD(da, adjoint(grad, da));
    weir_grad_set(grad, 0, SUB(lower_part(grad, da), TIMES(0.5, diagonal_part(grad, da))));
    return WEIR_OK;
}

/* x r^-H */
static weir_edge right_solve(weir_grad *grad, weir_edge x, weir_edge r)
{
    weir_edge y = weir_grad_op(grad, "MatrixTriangularSolve", WEIR_IN(r, adjoint(grad, x)),
                               WEIR_ATTRS(weir_a_bool("lower", false)));
    return adjoint(grad, y);
}

weir_status weir_qr_grad(weir_grad *grad)
{
    const weir_shape *shape =
        &weir_grad_node(grad)->in[0].node->out_shapes[weir_grad_node(grad)->in[0].index];
    int rank = shape->rank;
    if (rank < 2 || shape->dims[rank - 2] < 0 || shape->dims[rank - 1] < 0)
        return weir_error(WEIR_UNIMPLEMENTED, "QrGrad not implemented with dynamic shapes, got %s",
                          WEIR_SHAPE_STR(shape));
    if (shape->dims[rank - 2] < shape->dims[rank - 1] || weir_site_bool(weir_grad_site(grad), 0))
        return weir_error(WEIR_UNIMPLEMENTED,
                          "QrGrad not implemented for wide matrices or full_matrices, got %s",
                          WEIR_SHAPE_STR(shape));
    weir_edge q = weir_grad_y(grad, 0), r = weir_grad_y(grad, 1);
    weir_edge dq = weir_grad_dy(grad, 0), dr = weir_grad_dy(grad, 1);
    weir_edge qdq = product(grad, q, dq, true, false), rdr = product(grad, r, dr, false, true);
    weir_edge skew = ADD(SUB(qdq, adjoint(grad, qdq)), SUB(rdr, adjoint(grad, rdr)));
    weir_edge inside = ADD(dr, right_solve(grad, lower_part(grad, skew), r));
    weir_edge outside = right_solve(grad, SUB(dq, product(grad, q, qdq, false, false)), r);
    weir_grad_set(grad, 0, ADD(product(grad, q, inside, false, false), outside));
    return WEIR_OK;
}
