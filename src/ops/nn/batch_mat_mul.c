/* ops/nn/batch_mat_mul.c - BatchMatMul and its later versions: products of matrices in the last two
 * dimensions, one per index of the others. V2 broadcasts those; V3 also takes mixed types. */
#include <inttypes.h>

#include "grad/grad.h"
#include "math/cast/cast.h"
#include "math/gemm/gemm.h"
#include "op/op.h"
#include "ops/common/elem_of.h"
#include "ops/common/infer_util.h"

/* Attr indices: V3 has two more types in front. */
typedef struct adjoints {
    bool x, y;
} adjoints;

static adjoints adjoints_of(const weir_site *site)
{
    int x = weir_opdef_attr(site->def, "adj_x");
    return (adjoints){weir_site_bool(site, x), weir_site_bool(site, x + 1)};
}

static weir_status batch_dims(weir_infer *infer, bool broadcasts, weir_shape *out)
{
    weir_shape x = weir_infer_sub(infer->in[0], 0, infer->in[0]->rank - 2);
    weir_shape y = weir_infer_sub(infer->in[1], 0, infer->in[1]->rank - 2);
    return broadcasts ? weir_infer_broadcast_shapes(&x, &y, out) : weir_infer_merge(&x, &y, out);
}

static weir_status check_rank(const weir_infer *infer, int in)
{
    int rank = infer->in[in]->rank;
    return rank >= 2 ? WEIR_OK
                     : weir_error(WEIR_INVALID_ARGUMENT, "In[%d] ndims must be >= 2: %d", in, rank);
}

static weir_status infer_any(weir_infer *infer, bool broadcasts)
{
    for (int in = 0; in < 2 && weir_infer_running(infer); in++)
        WEIR_TRY(check_rank(infer, in));
    WEIR_TRY(weir_infer_rank_at_least(infer, 0, 2));
    WEIR_TRY(weir_infer_rank_at_least(infer, 1, 2));
    if (infer->in[0]->rank < 0 || infer->in[1]->rank < 0)
        return WEIR_OK;
    adjoints adj = adjoints_of(infer->site);
    int64_t k, inner_x = weir_infer_dim(infer, 0, adj.x ? -2 : -1);
    int64_t inner_y = weir_infer_dim(infer, 1, adj.y ? -1 : -2);
    if (!infer->in_handles && !infer->out_handles && inner_x != inner_y)
        return weir_error(
            WEIR_INVALID_ARGUMENT, "Matrix size-incompatible: In[0]: %s, In[1]: %s [Op:%s]",
            WEIR_SHAPE_STR(infer->in[0]), WEIR_SHAPE_STR(infer->in[1]), infer->site->def->name);
    WEIR_TRY(weir_infer_merge_dim(inner_x, inner_y, &k));
    weir_shape matrix = weir_shape_matrix(weir_infer_dim(infer, 0, adj.x ? -1 : -2),
                                          weir_infer_dim(infer, 1, adj.y ? -2 : -1));
    weir_shape batch;
    WEIR_TRY(batch_dims(infer, broadcasts, &batch));
    return weir_infer_concat(&batch, &matrix, &infer->out[0]);
}

static weir_status infer_same(weir_infer *infer)
{
    return infer_any(infer, false);
}

static weir_status infer_broadcast(weir_infer *infer)
{
    return infer_any(infer, true);
}

/* The matrix of |shape| for matrix |at| of the result. */
static int64_t matrix_of(const weir_shape *out, const weir_shape *shape, int64_t at)
{
    int64_t index = 0, step = 1;
    for (int axis = out->rank - 3, e = shape->rank - 3; axis >= 0 && e >= 0; axis--, e--) {
        int64_t here = at % out->dims[axis];
        index += (shape->dims[e] == 1 ? 0 : here) * step;
        step *= shape->dims[e];
        at /= out->dims[axis];
    }
    return index;
}

/* An input cast to the result's type; |own| is true if it is a new tensor. */
static weir_status in_type(weir_call *call, int in, weir_dtype dtype, weir_tensor *out)
{
    const weir_tensor *tensor = weir_in(call, in);
    if (tensor->dtype == dtype) {
        *out = weir_tensor_share(tensor);
        return WEIR_OK;
    }
    WEIR_TRY(weir_tensor_alloc(dtype, &tensor->shape, out));
    weir_cast_run(&call->run->par, weir_elem_of(tensor->dtype), weir_elem_of(dtype),
                  weir_tensor_count(tensor), tensor->data, out->data);
    return WEIR_OK;
}

static void multiply(weir_call *call, const weir_tensor *x, const weir_tensor *y, weir_tensor *z)
{
    adjoints adj = adjoints_of(call->site);
    const weir_shape *xs = &x->shape, *ys = &y->shape, *zs = &z->shape;
    int64_t batch = weir_shape_product(zs, 0, zs->rank - 2);
    WEIR_FREED int64_t *index = WEIR_NEW_ARRAY(int64_t, 2 * batch + 1);
    for (int64_t i = 0; i < batch; i++) {
        index[i] = matrix_of(zs, xs, i);
        index[batch + i] = matrix_of(zs, ys, i);
    }
    int64_t m = zs->dims[zs->rank - 2], n = zs->dims[zs->rank - 1];
    int64_t k = xs->dims[xs->rank - (adj.x ? 2 : 1)];
    weir_gemm_run(&call->run->par, &(weir_gemm){
                                       .elem = weir_elem_of(z->dtype),
                                       .m = m,
                                       .n = n,
                                       .k = k,
                                       .a = x->data,
                                       .b = y->data,
                                       .c = z->data,
                                       .op_a = adj.x ? WEIR_GEMM_ADJOINT : WEIR_GEMM_PLAIN,
                                       .op_b = adj.y ? WEIR_GEMM_ADJOINT : WEIR_GEMM_PLAIN,
                                       .batch = batch,
                                       .a_step = m * k,
                                       .b_step = k * n,
                                       .c_step = m * n,
                                       .a_index = index,
                                       .b_index = index + batch,
                                   });
}

static weir_status batch_mat_mul(weir_call *call)
{
    weir_tensor *z = weir_out(call, 0), x, y;
    if (weir_tensor_count(z) == 0)
        return WEIR_OK;
    WEIR_TRY(in_type(call, 0, z->dtype, &x));
    weir_status status = in_type(call, 1, z->dtype, &y);
    if (!status) {
        multiply(call, &x, &y, z);
        weir_tensor_release(&y);
    }
    weir_tensor_release(&x);
    return status;
}

/* ---- gradients ------------------------------------------------------------------------------- */

/* V3 has an attr for the type of its result, here the type of forward input |like|. */
static weir_edge product(weir_grad *grad, int like, weir_edge x, weir_edge y, bool adj_x,
                         bool adj_y)
{
    const weir_site *site = weir_grad_site(grad);
    weir_named_attr attrs[] = {weir_a_bool("adj_x", adj_x), weir_a_bool("adj_y", adj_y),
                               weir_a_type("Tout", site->in_types[like])};
    bool v3 = weir_opdef_attr(site->def, "Tout") >= 0;
    return weir_grad_op(grad, site->def->name, WEIR_IN(x, y), attrs, v3 ? 3 : 2);
}

static void products(weir_grad *grad, weir_edge *dx, weir_edge *dy)
{
    adjoints adj = adjoints_of(weir_grad_site(grad));
    weir_edge x = weir_grad_x(grad, 0), y = weir_grad_x(grad, 1), dz = weir_grad_dy(grad, 0);
    *dx = adj.x ? product(grad, 0, y, dz, adj.y, true) : product(grad, 0, dz, y, false, !adj.y);
    *dy = adj.y ? product(grad, 1, dz, x, true, adj.x) : product(grad, 1, x, dz, !adj.x, false);
}

static weir_status grad_same(weir_grad *grad)
{
    weir_edge dx, dy;
    products(grad, &dx, &dy);
    weir_grad_set(grad, 0, dx);
    weir_grad_set(grad, 1, dy);
    return WEIR_OK;
}

/* The batch dimensions of an input, as a vector. */
static weir_edge batch_shape(weir_grad *grad, weir_edge shape)
{
    weir_edge begin = weir_grad_const_int32(grad, (const int32_t[]){0}, 1);
    weir_edge end = weir_grad_const_int32(grad, (const int32_t[]){-2}, 1);
    weir_edge step = weir_grad_const_int32(grad, (const int32_t[]){1}, 1);
    return weir_grad_op(grad, "StridedSlice", WEIR_IN(shape, begin, end, step),
                        WEIR_ATTRS(weir_a_int("begin_mask", 1)));
}

static weir_edge sum_to(weir_grad *grad, weir_edge d, weir_edge axes, weir_edge shape)
{
    weir_edge sum = weir_grad_op(grad, "Sum", WEIR_IN(d, axes), WEIR_NO_ATTRS);
    return weir_grad_op(grad, "Reshape", WEIR_IN(sum, shape), WEIR_NO_ATTRS);
}

static bool same_batch(weir_grad *grad)
{
    const weir_shape *x = weir_edge_shape(weir_grad_x(grad, 0));
    const weir_shape *y = weir_edge_shape(weir_grad_x(grad, 1));
    if (!weir_shape_known(x) || !weir_shape_known(y))
        return false;
    weir_shape a = weir_infer_sub(x, 0, x->rank - 2), b = weir_infer_sub(y, 0, y->rank - 2);
    return weir_shape_eq(&a, &b);
}

static weir_status grad_broadcast(weir_grad *grad)
{
    weir_edge dx, dy, x = weir_grad_x(grad, 0), y = weir_grad_x(grad, 1);
    if (!x.node || !y.node || same_batch(grad))
        return grad_same(grad);
    products(grad, &dx, &dy);
    weir_edge sx = weir_grad_shape_of(grad, x), sy = weir_grad_shape_of(grad, y);
    weir_node *axes =
        weir_grad_node_add(grad, "BroadcastGradientArgs",
                           WEIR_IN(batch_shape(grad, sx), batch_shape(grad, sy)), WEIR_NO_ATTRS);
    weir_grad_set(grad, 0, sum_to(grad, dx, (weir_edge){axes, 0}, sx));
    weir_grad_set(grad, 1, sum_to(grad, dy, (weir_edge){axes, 1}, sy));
    return WEIR_OK;
}

const weir_op weir_op_batch_mat_mul = {
    .name = "BatchMatMul",
    .in = "x: T; y: T",
    .out = "output: T",
    .attrs = "T: {bfloat16, half, float, double, int32, int64, complex64, complex128}; "
             "adj_x: bool = false; adj_y: bool = false; grad_x: bool = false; "
             "grad_y: bool = false",
    .infer = infer_same,
    .grad = grad_same,
    .kernels = {{WEIR_CPU, "*", batch_mat_mul, WEIR_EXPENSIVE}},
};

const weir_op weir_op_batch_mat_mul_v2 = {
    .name = "BatchMatMulV2",
    .in = "x: T; y: T",
    .out = "output: T",
    .attrs = "T: {bfloat16, half, float, double, int16, int32, int64, uint8, uint16, uint32, "
             "uint64, complex64, complex128}; adj_x: bool = false; adj_y: bool = false; "
             "grad_x: bool = false; grad_y: bool = false",
    .infer = infer_broadcast,
    .grad = grad_broadcast,
    .kernels = {{WEIR_CPU, "*", batch_mat_mul, WEIR_EXPENSIVE}},
};

const weir_op weir_op_batch_mat_mul_v3 = {
    .name = "BatchMatMulV3",
    .in = "x: Ta; y: Tb",
    .out = "output: Tout",
    .attrs = "Ta: {bfloat16, half, float, double, uint8, int8, int16, int32, int64, complex64, "
             "complex128}; Tb: {bfloat16, half, float, double, uint8, int8, int16, int32, int64, "
             "complex64, complex128}; Tout: {bfloat16, half, float, double, int16, int32, int64, "
             "complex64, complex128}; adj_x: bool = false; adj_y: bool = false; "
             "grad_x: bool = false; grad_y: bool = false",
    .infer = infer_broadcast,
    .grad = grad_broadcast,
    .kernels = {{WEIR_CPU, "*", batch_mat_mul, WEIR_EXPENSIVE}},
};
