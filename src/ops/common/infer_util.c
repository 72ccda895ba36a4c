/* ops/common/infer_util.c - small steps that shape functions of several families share. */
#include "ops/common/infer_util.h"

weir_status weir_infer_append(weir_shape *shape, int64_t dim)
{
    if (shape->rank < 0)
        return WEIR_OK;
    if (shape->rank >= WEIR_MAX_RANK)
        return weir_error(WEIR_INVALID_ARGUMENT, "Shape of more than %d dimensions", WEIR_MAX_RANK);
    shape->dims[shape->rank++] = dim;
    return WEIR_OK;
}

weir_status weir_dim_add(int64_t a, int64_t b, int64_t *out)
{
    if (a < 0 || b < 0) {
        *out = -1;
        return WEIR_OK;
    }
    if (__builtin_add_overflow(a, b, out))
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Dimension size overflow from adding %" PRId64 " and %" PRId64, a, b);
    return WEIR_OK;
}

weir_status weir_dim_mul(int64_t a, int64_t b, int64_t *out)
{
    if (a == 0 || b == 0) {
        *out = 0;
        return WEIR_OK;
    }
    if (a < 0 || b < 0) {
        *out = -1;
        return WEIR_OK;
    }
    if (__builtin_mul_overflow(a, b, out))
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Negative dimension size caused by overflow when multiplying %" PRId64
                          " and %" PRId64,
                          a, b);
    return WEIR_OK;
}

weir_status weir_shape_check(const weir_shape *shape)
{
    int64_t n = 1;
    for (int i = 0; i < shape->rank; i++) {
        if (shape->dims[i] < 0)
            return weir_error(WEIR_INVALID_ARGUMENT, "Dimension %" PRId64 " must be >= 0",
                              shape->dims[i]);
        if (__builtin_mul_overflow(n, shape->dims[i], &n))
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "Encountered overflow when multiplying shape dimensions");
    }
    return WEIR_OK;
}

weir_status weir_infer_new_shape(weir_infer *infer, int in, weir_shape *out_shape)
{
    WEIR_TRY(weir_infer_value_as_shape(infer, in, out_shape));
    return weir_infer_running(infer) ? weir_shape_check(out_shape) : WEIR_OK;
}

weir_status weir_infer_alike(weir_infer *infer, int count, weir_shape *out)
{
    weir_shape all = *infer->in[0];
    for (int i = 1; i < count; i++) {
        if (weir_infer_running(infer) && !weir_shape_eq(infer->in[0], infer->in[i]))
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "Inputs to operation %s of type %s must have the same size and "
                              "shape.  Input 0: %s != input %d: %s",
                              infer->site->name, infer->site->def->name,
                              WEIR_SHAPE_STR(infer->in[0]), i, WEIR_SHAPE_STR(infer->in[i]));
        WEIR_TRY(weir_infer_merge(&all, infer->in[i], &all));
    }
    *out = all;
    return WEIR_OK;
}

weir_status weir_infer_value_and_gradient(weir_infer *infer)
{
    const weir_shape *value = infer->in[0], *gradient = infer->in[1];
    if (weir_infer_running(infer) && weir_shape_count(value) != weir_shape_count(gradient))
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "The two arguments to a cwise op must have same number of elements, got "
                          "%" PRId64 " and %" PRId64,
                          weir_shape_count(value), weir_shape_count(gradient));
    return weir_infer_broadcast(infer);
}
