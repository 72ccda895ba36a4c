/* ops/math/cast.c - Cast: from one element type to another. */
#include "math/cast/cast.h"

#include "math/cast/narrow.h"
#include "op/op.h"
#include "ops/common/elem_of.h"
#include "ops/math/gradient.h"

enum { FROM, TO, TRUNCATE }; /* attrs */

static weir_narrow narrow_of(weir_dtype dtype)
{
    switch (dtype) {
    case WEIR_FLOAT8_E5M2:
        return WEIR_N_f8e5m2;
    case WEIR_FLOAT8_E4M3FN:
        return WEIR_N_f8e4m3fn;
    case WEIR_INT4:
        return WEIR_N_i4;
    case WEIR_UINT4:
        return WEIR_N_u4;
    default:
        return WEIR_NARROW_NONE;
    }
}

/* A cast with a narrow type on one or both sides. The elem of a narrow type is NONE. */
typedef struct narrow_cast {
    weir_narrow from_narrow, to_narrow;
    weir_elem from, to;
    bool truncate;
    const char *x;
    char *y;
} narrow_cast;

/* 8-bit floats are cast from floats and to any type; 4-bit integers only from and to integers. */
static bool narrow_allowed(const narrow_cast *cast)
{
    bool from_narrow = cast->from_narrow != WEIR_NARROW_NONE,
         to_narrow = cast->to_narrow != WEIR_NARROW_NONE;
    if (from_narrow && to_narrow)
        return weir_narrow_is_float(cast->from_narrow) == weir_narrow_is_float(cast->to_narrow);
    weir_narrow narrow = from_narrow ? cast->from_narrow : cast->to_narrow;
    weir_elem other = from_narrow ? cast->to : cast->from;
    if (other == WEIR_ELEM_NONE)
        return false;
    if (weir_narrow_is_float(narrow))
        return from_narrow || other == WEIR_E_f32 || other == WEIR_E_f64 ||
               weir_elem_is_half(other);
    return other >= WEIR_E_i8 && other <= WEIR_E_u64;
}

static void narrow_part(void *ctx, int64_t begin, int64_t end)
{
    enum { TILE = 256 };
    const narrow_cast *cast = ctx;
    const weir_par alone = {NULL, 1};
    int x_size = cast->from == WEIR_ELEM_NONE ? 1 : weir_elem_size(cast->from),
        y_size = cast->to == WEIR_ELEM_NONE ? 1 : weir_elem_size(cast->to);
    char wide[TILE * sizeof(double)] __attribute__((aligned(16)));
    double source[TILE];
    for (int64_t i = begin; i < end; i += TILE) {
        int64_t n = end - i < TILE ? end - i : TILE;
        const void *x = cast->x + i * x_size;
        void *y = cast->y + i * y_size;
        weir_elem from = cast->from;
        if (cast->from_narrow != WEIR_NARROW_NONE) {
            weir_narrow_widen(cast->from_narrow, n, x, wide);
            from = weir_narrow_wide(cast->from_narrow);
            x = wide;
        }
        if (cast->to_narrow == WEIR_NARROW_NONE) {
            weir_cast_run(&alone, from, cast->to, n, x, y);
            continue;
        }
        weir_cast_run(&alone, from, weir_narrow_source(cast->to_narrow), n, x, source);
        if (cast->truncate && weir_narrow_is_float(cast->to_narrow))
            weir_narrow_clear(cast->to_narrow, n, source);
        weir_narrow_store(cast->to_narrow, n, source, y);
    }
}

static weir_status cast_narrow(weir_call *call, narrow_cast *cast)
{
    const weir_tensor *x = weir_in(call, 0);
    WEIR_TRY(weir_call_alloc(call, 0, &x->shape));
    cast->x = x->data;
    cast->y = weir_out(call, 0)->data;
    weir_par_for(&call->run->par, weir_tensor_count(x), 16384, narrow_part, cast);
    return WEIR_OK;
}

static weir_status cast(weir_call *call)
{
    const weir_tensor *x = weir_in(call, 0);
    weir_dtype to = weir_site_type(call->site, TO);
    bool truncate = weir_site_bool(call->site, TRUNCATE);
    if (x->dtype == to) {
        weir_call_forward(call, 0, 0, NULL);
        return WEIR_OK;
    }
    weir_elem from_elem = weir_stored_elem_of(x->dtype), to_elem = weir_stored_elem_of(to);
    narrow_cast narrow = {narrow_of(x->dtype), narrow_of(to), from_elem, to_elem, truncate, 0, 0};
    if (narrow.from_narrow != WEIR_NARROW_NONE || narrow.to_narrow != WEIR_NARROW_NONE) {
        if (narrow_allowed(&narrow))
            return cast_narrow(call, &narrow);
        from_elem = WEIR_ELEM_NONE;
    }
    if (from_elem == WEIR_ELEM_NONE || to_elem == WEIR_ELEM_NONE)
        return weir_error(WEIR_UNIMPLEMENTED, "Cast %s to %s is not supported",
                          weir_dtype_name(x->dtype), weir_dtype_name(to));
    WEIR_TRY(weir_call_alloc(call, 0, &x->shape));
    (truncate ? weir_cast_truncate : weir_cast_run)(&call->run->par, from_elem, to_elem,
                                                    weir_tensor_count(x), x->data,
                                                    weir_out(call, 0)->data);
    return WEIR_OK;
}

static bool differentiable(int dtype)
{
    return weir_dtype_is_float(weir_dtype_base(dtype)) ||
           weir_dtype_is_complex(weir_dtype_base(dtype));
}

static weir_status cast_grad(weir_grad *grad)
{
    const weir_site *site = weir_grad_site(grad);
    if (differentiable(site->in_types[0]) && differentiable(site->out_types[0]))
        weir_grad_set(grad, 0, weir_grad_cast(grad, DY, weir_dtype_base(site->in_types[0])));
    return WEIR_OK;
}

const weir_op weir_op_cast = {
    .name = "Cast",
    .in = "x: SrcT",
    .out = "y: DstT",
    .attrs = "SrcT: type; DstT: type; Truncate: bool = false",
    .flags = WEIR_MAY_SHARE,
    .infer = weir_infer_same_shape,
    .grad = cast_grad,
    .kernels = {{WEIR_CPU, "*", cast, WEIR_OWN_OUTPUTS}},
};
