/* ops/xla/numbers.c - shared by the XLA ops. */
#include "ops/xla/numbers.h"

#include "ops/common/elements.h"
#include "ops/common/infer_util.h"
#include "wire/pb.h"

static weir_status bad_numbers(const weir_site *site, const char *name)
{
    return weir_error(WEIR_INVALID_ARGUMENT, "%s: attr %s is not valid", site->op->name, name);
}

weir_status weir_xla_numbers(const weir_site *site, const char *name,
                             weir_dims out_fields[WEIR_DIM_FIELDS])
{
    memset(out_fields, 0, sizeof(weir_dims) * WEIR_DIM_FIELDS);
    weir_pb reader = weir_pb_reader(weir_site_str(site, weir_opdef_attr(site->def, name)));
    while (weir_pb_next(&reader)) {
        weir_pb_packed packed = {0};
        if (reader.field >= WEIR_DIM_FIELDS)
            continue;
        weir_dims *dims = &out_fields[reader.field];
        while (weir_pb_each(&reader, WEIR_PB_VARINT, &packed)) {
            if (dims->count == WEIR_MAX_RANK)
                return bad_numbers(site, name);
            dims->at[dims->count++] = (int64_t)packed.value;
        }
    }
    return weir_pb_ok(&reader) ? WEIR_OK : bad_numbers(site, name);
}

weir_status weir_xla_check_dims(const weir_site *site, const weir_dims *dims, int rank)
{
    for (int i = 0; i < dims->count; i++) {
        bool fine = dims->at[i] >= 0 && dims->at[i] < rank;
        for (int k = 0; k < i; k++)
            fine &= dims->at[k] != dims->at[i];
        if (!fine)
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "%s: dimension %" PRId64 " is out of range [0, %d) or repeated",
                              site->op->name, dims->at[i], rank);
    }
    return WEIR_OK;
}

bool weir_dims_has(const weir_dims *dims, int64_t dim)
{
    for (int i = 0; i < dims->count; i++)
        if (dims->at[i] == dim)
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
