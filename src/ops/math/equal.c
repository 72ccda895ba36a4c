/* ops/math/equal.c - Equal, NotEqual and ApproximateEqual. */
#include <math.h>

#include "base/half.h"
#include "ops/common/elem_of.h"
#include "ops/declare.h"
#include "ops/math/elementwise.h"
#include "tensor/tstring.h"

enum { TYPE, MUST_MATCH }; /* attrs */

/* Incompatible shapes are an error, or give a single boolean. */
static weir_status equal_infer(weir_infer *infer)
{
    weir_status status = weir_infer_broadcast(infer);
    if (!status || weir_site_bool(infer->site, MUST_MATCH))
        return status;
    weir_status_free(status);
    infer->out[0] = WEIR_SCALAR;
    return WEIR_OK;
}

static void compare_strings(const weir_bcast *bcast, const weir_tstring *tstring,
                            const weir_tstring *y, bool *z, bool equal)
{
    int last = bcast->rank - 1;
    int64_t row = bcast->dims[last], dx = bcast->strides[0][last], dy = bcast->strides[1][last];
    int64_t at[WEIR_BCAST_OPERANDS], index[WEIR_BCAST_RANK];
    weir_bcast_seek(bcast, 0, at, index);
    for (int64_t r = 0; r < bcast->count; r += row) {
        for (int64_t k = 0; k < row; k++) {
            weir_str sx = weir_tstring_get(tstring + at[0] + k * dx);
            weir_str sy = weir_tstring_get(y + at[1] + k * dy);
            z[r + k] = weir_str_eq(sx, sy) == equal;
        }
        weir_bcast_next(bcast, at, index);
    }
}

static weir_status compare(weir_call *call)
{
    weir_binary_op op = (weir_binary_op)weir_site_mode(call->site);
    const weir_tensor *x = weir_in(call, 0), *y = weir_in(call, 1);
    bool equal = op == WEIR_B_equal;
    weir_bcast bcast;
    if (!weir_bcast_init(&bcast, 2, (int[]){x->shape.rank, y->shape.rank},
                         (const int64_t *[]){x->shape.dims, y->shape.dims})) {
        *(bool *)weir_out(call, 0)->data = !equal;
        return WEIR_OK;
    }
    if (x->dtype == WEIR_STRING) {
        compare_strings(&bcast, x->data, y->data, weir_out(call, 0)->data, equal);
        return WEIR_OK;
    }
    weir_elem elem = weir_stored_elem_of(x->dtype);
    if (elem == WEIR_ELEM_NONE)
        return weir_error(WEIR_UNIMPLEMENTED, "%s is not implemented for type %s",
                          call->site->op->name, weir_dtype_name(x->dtype));
    weir_binary_bcast(&call->run->par, op, elem, &bcast, x->data, y->data, weir_out(call, 0)->data);
    return WEIR_OK;
}

#define EQUALITY                                                                                   \
    .in = "x: T; y: T", .out = "z: bool",                                                          \
    .attrs = "T: type; incompatible_shape_error: bool = true", .flags = WEIR_COMMUTATIVE,          \
    .infer = equal_infer, .no_grad = true, .kernels = {{WEIR_CPU, "*", compare}}
WEIR_DEFINE_OP(equal, "Equal", EQUALITY, .mode = WEIR_B_equal);
WEIR_DEFINE_OP(not_equal, "NotEqual", EQUALITY, .mode = WEIR_B_not_equal);

static weir_status approximate_infer(weir_infer *infer)
{
    return weir_infer_merge(infer->in[0], infer->in[1], &infer->out[0]);
}

static bool is_small_c64(weir_c64 difference, double within)
{
    return cabsf(difference) < (float)within;
}

static bool is_small_c128(weir_c128 difference, double within)
{
    return cabs(difference) < within;
}

#define LOOPS "ops/math/close.inc"
#include "math/each_complex.inc"
#include "math/each_float.inc"
#include "math/each_half.inc"
#include "math/each_int.inc"

static weir_status approximate_equal(weir_call *call)
{
#define ROW(e, C, W, class) [WEIR_E_##e] = close_##e,
    static void (*const loops[WEIR_ELEM_COUNT])(int64_t, const void *, const void *, bool *,
                                                double) = {
        WEIR_ELEMS_HALF(ROW) WEIR_ELEMS_FLOAT(ROW) WEIR_ELEMS_INT(ROW) WEIR_ELEMS_COMPLEX(ROW)};
    const weir_tensor *x = weir_in(call, 0), *y = weir_in(call, 1);
    weir_elem elem = weir_stored_elem_of(x->dtype);
    loops[elem](weir_tensor_count(x), x->data, y->data, weir_out(call, 0)->data,
                (double)weir_site_float(call->site, 1));
    return WEIR_OK;
}
const weir_op weir_op_approximate_equal = {
    .name = "ApproximateEqual",
    .in = "x: T; y: T",
    .out = "z: bool",
    .attrs = "T: {" NUMBERS "}; tolerance: float = 9.999999747378752e-06",
    .flags = WEIR_COMMUTATIVE,
    .infer = approximate_infer,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", approximate_equal}},
};
