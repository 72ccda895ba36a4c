/* ops/xla/numbers.c - shared by the XLA ops. */
#include "ops/xla/numbers.h"

#include "ops/common/elements.h"
#include "ops/common/infer_util.h"

weir_status weir_xla_numbers(const weir_site *site, const weir_message_type *type,
                             weir_arena *arena, void *out_numbers)
{
    weir_str bytes = weir_site_str(site, weir_opdef_attr(site->def, "dimension_numbers"));
    return weir_message_read(type, bytes, arena, out_numbers);
}

weir_status weir_xla_check_dims(const weir_site *site, weir_int64s dims, int rank)
{
    for (size_t i = 0; i < dims.count; i++) {
        int64_t dim = dims.at[i];
        if (dim < 0 || dim >= rank || weir_dims_has((weir_int64s){dims.at, i}, dim))
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "%s: dimension %" PRId64 " is out of range [0, %d) or repeated",
                              site->op->name, dim, rank);
    }
    return WEIR_OK;
}

bool weir_dims_has(weir_int64s dims, int64_t dim)
{
    for (size_t i = 0; i < dims.count; i++)
        if (dims.at[i] == dim)
            return true;
    return false;
}

weir_status weir_xla_ints(const weir_call *call, int in, int count, int64_t *out)
{
    const weir_tensor *tensor = weir_in(call, in);
    if (weir_tensor_count(tensor) != count)
        return weir_error(WEIR_INVALID_ARGUMENT, "%s: input %d must have %d elements, but is %s",
                          call->site->op->name, in, count, WEIR_SHAPE_STR(&tensor->shape));
    for (int i = 0; i < count; i++)
        out[i] = weir_int_at(tensor, i);
    return WEIR_OK;
}

void weir_xla_unravel(const weir_shape *shape, int64_t at, int64_t *out_index)
{
    for (int i = shape->rank - 1; i >= 0; i--) {
        out_index[i] = at % shape->dims[i];
        at /= shape->dims[i];
    }
}

int64_t weir_xla_ravel(const weir_shape *shape, const int64_t *index)
{
    int64_t at = 0;
    for (int i = 0; i < shape->rank; i++)
        at = at * shape->dims[i] + index[i];
    return at;
}

weir_status weir_xla_alloc(weir_call *call, int out, const weir_shape *shape)
{
    WEIR_TRY(weir_shape_check(shape));
    return weir_call_alloc(call, out, shape);
}
