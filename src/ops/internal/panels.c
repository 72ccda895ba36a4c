/* ops/internal/panels.c - _Panels: a matrix prepacked as the second factor of products, in panels
 * of the width of a tile (math/gemm). A pass adds it for a matrix shared by several products.
 */
#include "ops/internal/panels.h"
#include "base/arith.h"

#include "math/gemm/gemm.h"
#include "op/op.h"
#include "ops/common/elem_of.h"

enum { TRANSPOSE };

bool weir_panels_pay(weir_dtype type, int64_t m, int64_t n, int64_t k, int64_t products)
{
    if (type != WEIR_FLOAT && type != WEIR_DOUBLE)
        return false;
    weir_gemm gemm = {.elem = weir_elem_of(type), .m = m, .n = n, .k = k};
    return weir_gemm_prepack_pays(&gemm, products);
}

static weir_status infer(weir_infer *infer)
{
    WEIR_TRY(weir_infer_rank(infer, 0, 2));
    bool t = weir_site_bool(infer->site, TRANSPOSE);
    int64_t n = weir_infer_dim(infer, 0, 1 - t), k = weir_infer_dim(infer, 0, t);
    int64_t cols = weir_gemm_panel_cols(weir_elem_of(infer->site->out_types[0]));
    infer->out[0] = (weir_shape){3, {n < 0 ? -1 : weir_ceil_div(n, cols), k, cols}};
    return WEIR_OK;
}

static weir_status run(weir_call *call)
{
    const weir_tensor *b = weir_in(call, 0);
    bool t = weir_site_bool(call->site, TRANSPOSE);
    weir_gemm_prepack(&call->run->par,
                      &(weir_gemm){
                          .elem = weir_elem_of(b->dtype),
                          .n = b->shape.dims[1 - t],
                          .k = b->shape.dims[t],
                          .b = b->data,
                          .op_b = t ? WEIR_GEMM_TRANS : WEIR_GEMM_PLAIN,
                      },
                      weir_out(call, 0)->data);
    return WEIR_OK;
}

const weir_op weir_op_panels = {
    .name = "_Panels",
    .in = "b: T",
    .out = "panels: T",
    .attrs = "transpose: bool = false; T: {float, double}",
    .flags = WEIR_INTERNAL_OP | WEIR_KEEPS_FINITE,
    .infer = infer,
    .kernels = {{WEIR_CPU, "*", run, WEIR_EXPENSIVE}},
};
