/* ops/sparse/sparse_mat_mul.c - SparseTensorDenseMatMul, and SparseMatMul over mostly-zero
 * matrices. */
#include "math/gemm/gemm.h"
#include "math/update/update.h"
#include "ops/common/elem_of.h"
#include "ops/common/elements.h"
#include "ops/common/grads.h"
#include "ops/common/index.h"
#include "ops/common/infer_util.h"
#include "ops/common/ndcopy.h"
#include "ops/sparse/sparse.h"

/* ---- SparseTensorDenseMatMul ----------------------------------------------------------------- */

enum { T, TINDICES, ADJOINT_A, ADJOINT_B };
enum { INDICES, VALUES, SHAPE, DENSE };

static weir_status sparse_infer(weir_infer *infer)
{
    bool ta = weir_site_bool(infer->site, ADJOINT_A), tb = weir_site_bool(infer->site, ADJOINT_B);
    weir_shape a = weir_shape_matrix(-1, -1);
    WEIR_TRY(weir_sparse_infer(infer, INDICES, VALUES, SHAPE, "a_"));
    const weir_tensor *shape = weir_infer_value(infer, SHAPE);
    int64_t rank = weir_infer_dim(infer, SHAPE, 0);
    if (rank >= 0 && rank != 2)
        return weir_error(WEIR_INVALID_ARGUMENT, "Tensor 'a_shape' must have 2 elements");
    WEIR_TRY(weir_infer_rank(infer, DENSE, 2));
    for (int axis = 0; shape && axis < 2; axis++) {
        a.dims[axis] = weir_int_at(shape, axis);
        if (a.dims[axis] < 0)
            return weir_error(WEIR_INVALID_ARGUMENT, "a_shape must not be negative, got %" PRId64,
                              a.dims[axis]);
    }
    const weir_shape *b = infer->in[DENSE];
    int64_t inner_a = a.dims[ta ? 0 : 1], inner_b = b->rank < 0 ? -1 : b->dims[tb ? 1 : 0];
    if (inner_a >= 0 && inner_b >= 0 && inner_a != inner_b)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Cannot multiply A and B because inner dimension does not match: %" PRId64
                          " vs. %" PRId64
                          ".  Did you forget a transpose?  Dimensions of A: [%" PRId64 ", %" PRId64
                          ").  Dimensions of B: %s",
                          inner_a, inner_b, a.dims[0], a.dims[1], WEIR_SHAPE_STR(b));
    infer->out[0] = weir_shape_matrix(a.dims[ta ? 1 : 0], b->rank < 0 ? -1 : b->dims[tb ? 0 : 1]);
    return WEIR_OK;
}

/* B as used in the product: transposed and conjugated if requested. Released by the caller. */
static weir_status right_side(weir_call *call, weir_tensor *out)
{
    const weir_tensor *b = weir_in(call, DENSE);
    if (!weir_site_bool(call->site, ADJOINT_B)) {
        *out = weir_tensor_share(b);
        return WEIR_OK;
    }
    int64_t rows = b->shape.dims[0], cols = b->shape.dims[1];
    weir_shape turned = weir_shape_matrix(cols, rows);
    WEIR_TRY(weir_tensor_alloc(b->dtype, &turned, out));
    weir_ndcopy copy = {2, {{cols, rows, 1}, {rows, 1, cols}}};
    weir_ndcopy_run(&call->run->par, b->dtype, out->data, b->data, &copy);
    int64_t count = rows * cols;
    for (int64_t n = 0; b->dtype == WEIR_COMPLEX64 && n < count; n++)
        ((float *)out->data)[2 * n + 1] *= -1;
    for (int64_t n = 0; b->dtype == WEIR_COMPLEX128 && n < count; n++)
        ((double *)out->data)[2 * n + 1] *= -1;
    return WEIR_OK;
}

static void conjugate_one(weir_dtype dtype, void *value)
{
    if (dtype == WEIR_COMPLEX64)
        ((float *)value)[1] *= -1;
    if (dtype == WEIR_COMPLEX128)
        ((double *)value)[1] *= -1;
}

/* Adds a[i, k] times row k of B to row i of the result, for each entry. */
static weir_status multiply(weir_call *call, const weir_tensor *b)
{
    const weir_tensor *indices = weir_in(call, INDICES), *values = weir_in(call, VALUES);
    weir_tensor *y = weir_out(call, 0), row;
    bool turned = weir_site_bool(call->site, ADJOINT_A);
    int64_t width = y->shape.dims[1], rows = y->shape.dims[0], inner = b->shape.dims[0];
    weir_elem elem = weir_elem_of(y->dtype);
    weir_update_fn add = weir_update_find(WEIR_UPDATE_ADD, elem);
    weir_update_fn mul = weir_update_find(WEIR_UPDATE_MUL, elem);
    weir_shape vector = weir_shape_vector(width);
    _Alignas(16) uint8_t factor[16];
    WEIR_TRY(weir_tensor_alloc(y->dtype, &vector, &row));
    for (int64_t n = 0; n < indices->shape.dims[0]; n++) {
        int64_t i = weir_index_at(indices, 2 * n + turned),
                k = weir_index_at(indices, 2 * n + !turned);
        if (i < 0 || i >= rows || k < 0 || k >= inner) {
            weir_tensor_release(&row);
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "%s (%" PRId64 ") from index[%" PRId64
                              ",%d] out of bounds (>=%" PRId64 ")",
                              k < 0 || k >= inner ? "k" : "m", k < 0 || k >= inner ? k : i, n,
                              (k < 0 || k >= inner) == !turned, k < 0 || k >= inner ? inner : rows);
        }
        memcpy(factor, weir_at(values, n), weir_dtype_size(y->dtype));
        if (turned)
            conjugate_one(y->dtype, factor);
        memcpy(row.data, weir_at(b, k * width), (size_t)width * weir_dtype_size(y->dtype));
        mul(row.data, factor, width, 0);
        add(weir_at(y, i * width), row.data, width, 1);
    }
    weir_tensor_release(&row);
    return WEIR_OK;
}

static weir_status sparse_product(weir_call *call)
{
    weir_tensor b;
    WEIR_TRY(right_side(call, &b));
    weir_tensor_zero(&call->run->par, weir_out(call, 0));
    weir_status status = multiply(call, &b);
    weir_tensor_release(&b);
    return status;
}

/* Column |c| of the index matrix. */
static weir_edge coordinate(weir_grad *grad, int c)
{
    weir_edge column = weir_grad_op(grad, "Slice",
                                    WEIR_IN(weir_grad_x(grad, INDICES),
                                            weir_grad_const_int32(grad, (int32_t[]){0, c}, 2),
                                            weir_grad_const_int32(grad, (int32_t[]){-1, 1}, 2)),
                                    WEIR_NO_ATTRS);
    return weir_grad_flatten(grad, column);
}

static weir_edge adjoint(weir_grad *grad, weir_edge m)
{
    return weir_grad_op(grad, "ConjugateTranspose",
                        WEIR_IN(m, weir_grad_const_int32(grad, (int32_t[]){1, 0}, 2)),
                        WEIR_NO_ATTRS);
}

/* Each entry a[i, k] has the gradient <dy[i], b[k]>; b has A^H dy. */
static weir_status sparse_grad(weir_grad *grad)
{
    bool ta = weir_site_bool(weir_grad_site(grad), ADJOINT_A);
    bool tb = weir_site_bool(weir_grad_site(grad), ADJOINT_B);
    weir_edge dy = weir_grad_dy(grad, 0), b = weir_grad_x(grad, DENSE);
    weir_edge db = weir_grad_op(grad, "SparseTensorDenseMatMul",
                                WEIR_IN(weir_grad_x(grad, INDICES), weir_grad_x(grad, VALUES),
                                        weir_grad_x(grad, SHAPE), dy),
                                WEIR_ATTRS(weir_a_bool("adjoint_a", !ta)));
    weir_grad_set(grad, DENSE, tb ? adjoint(grad, db) : db);
    weir_edge left = weir_grad_op(grad, "Gather", WEIR_IN(dy, coordinate(grad, ta)), WEIR_NO_ATTRS);
    weir_edge right = weir_grad_op(
        grad, "Gather", WEIR_IN(tb ? adjoint(grad, b) : b, coordinate(grad, !ta)), WEIR_NO_ATTRS);
    weir_edge product = ta ? weir_grad_mul(grad, weir_grad_conj(grad, left), right)
                           : weir_grad_mul(grad, left, weir_grad_conj(grad, right));
    weir_grad_set(
        grad, VALUES,
        weir_grad_op(grad, "Sum", WEIR_IN(product, weir_grad_int32(grad, 1)), WEIR_NO_ATTRS));
    return WEIR_OK;
}

const weir_op weir_op_sparse_tensor_dense_mat_mul = {
    .name = "SparseTensorDenseMatMul",
    .in = "a_indices: Tindices; a_values: T; a_shape: int64; b: T",
    .out = "product: T",
    .attrs = "T: type; Tindices: {int32, int64} = DT_INT64; adjoint_a: bool = false; "
             "adjoint_b: bool = false",
    .host = "a_shape",
    .infer = sparse_infer,
    .grad = sparse_grad,
    .kernels = {{WEIR_CPU, "T: float, double, int32, complex64, complex128, bfloat16, half",
                 sparse_product}},
};

/* ---- SparseMatMul ---------------------------------------------------------------------------- */

enum { TRANSPOSE_A, TRANSPOSE_B, A_IS_SPARSE, B_IS_SPARSE };

static weir_status dense_infer(weir_infer *infer)
{
    bool ta = weir_site_bool(infer->site, TRANSPOSE_A),
         tb = weir_site_bool(infer->site, TRANSPOSE_B);
    WEIR_TRY(weir_infer_rank(infer, 0, 2));
    WEIR_TRY(weir_infer_rank(infer, 1, 2));
    weir_shape unknown = weir_shape_of_rank(2);
    const weir_shape *a = infer->in[0]->rank < 0 ? &unknown : infer->in[0];
    const weir_shape *b = infer->in[1]->rank < 0 ? &unknown : infer->in[1];
    int64_t k = a->dims[ta ? 0 : 1], k2 = b->dims[tb ? 1 : 0];
    if (k >= 0 && k2 >= 0 && k != k2)
        return weir_error(WEIR_INVALID_ARGUMENT, "Matrix size incompatible: a: %s, b: %s",
                          WEIR_SHAPE_STR(a), WEIR_SHAPE_STR(b));
    infer->out[0] = weir_shape_matrix(a->dims[ta ? 1 : 0], b->dims[tb ? 0 : 1]);
    return WEIR_OK;
}

/* The operand as float; released by the caller. */
static weir_status widened(const weir_tensor *x, weir_tensor *out)
{
    if (x->dtype == WEIR_FLOAT) {
        *out = weir_tensor_share(x);
        return WEIR_OK;
    }
    WEIR_TRY(weir_tensor_alloc(WEIR_FLOAT, &x->shape, out));
    int64_t count = weir_tensor_count(x);
    for (int64_t i = 0; i < count; i++)
        ((float *)out->data)[i] = weir_bf16_f32(((const uint16_t *)x->data)[i]);
    return WEIR_OK;
}

static weir_status dense_product(weir_call *call)
{
    weir_tensor a = {0}, b = {0}, *y = weir_out(call, 0);
    bool ta = weir_site_bool(call->site, TRANSPOSE_A), tb = weir_site_bool(call->site, TRANSPOSE_B);
    weir_status status = widened(weir_in(call, 0), &a);
    if (!status)
        status = widened(weir_in(call, 1), &b);
    if (!status) {
        weir_gemm product = {
            .elem = WEIR_E_f32,
            .m = y->shape.dims[0],
            .n = y->shape.dims[1],
            .k = a.shape.dims[ta ? 0 : 1],
            .a = a.data,
            .b = b.data,
            .c = y->data,
            .op_a = ta ? WEIR_GEMM_TRANS : WEIR_GEMM_PLAIN,
            .op_b = tb ? WEIR_GEMM_TRANS : WEIR_GEMM_PLAIN,
        };
        weir_gemm_run(&call->run->par, &product);
    }
    weir_tensor_release(&a);
    weir_tensor_release(&b);
    return status;
}

/* The operands of a factor's gradient, and whether each is transposed. */
static weir_edge factor_product(weir_grad *grad, weir_edge a, weir_edge b, bool ta, bool tb,
                                weir_dtype to)
{
    weir_edge dx =
        weir_grad_op(grad, "SparseMatMul", WEIR_IN(a, b),
                     WEIR_ATTRS(weir_a_bool("transpose_a", ta), weir_a_bool("transpose_b", tb)));
    if (to == WEIR_FLOAT)
        return dx;
    return weir_grad_op(grad, "Cast", WEIR_IN(dx), WEIR_ATTRS(weir_a_type("DstT", to)));
}

static weir_status dense_grad(weir_grad *grad)
{
    const weir_site *site = weir_grad_site(grad);
    bool ta = weir_site_bool(site, TRANSPOSE_A), tb = weir_site_bool(site, TRANSPOSE_B);
    weir_edge a = weir_grad_x(grad, 0), b = weir_grad_x(grad, 1), dy = weir_grad_dy(grad, 0);
    weir_dtype type_a = weir_edge_dtype(a), type_b = weir_edge_dtype(b);
    weir_grad_set(grad, 0,
                  ta ? factor_product(grad, b, dy, tb, true, type_a)
                     : factor_product(grad, dy, b, false, !tb, type_a));
    weir_grad_set(grad, 1,
                  tb ? factor_product(grad, dy, a, true, ta, type_b)
                     : factor_product(grad, a, dy, !ta, false, type_b));
    return WEIR_OK;
}

const weir_op weir_op_sparse_mat_mul = {
    .name = "SparseMatMul",
    .in = "a: Ta; b: Tb",
    .out = "product: float",
    .attrs = "transpose_a: bool = false; transpose_b: bool = false; a_is_sparse: bool = false; "
             "b_is_sparse: bool = false; Ta: {float, bfloat16} = DT_FLOAT; "
             "Tb: {float, bfloat16} = DT_FLOAT",
    .infer = dense_infer,
    .grad = dense_grad,
    .kernels = {{WEIR_CPU, "*", dense_product, WEIR_EXPENSIVE}},
};
