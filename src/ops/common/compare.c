/* ops/common/compare.c - comparison of elements of any type by value. */
#include "ops/common/compare.h"

#include <math.h>

#include "ops/common/elements.h"
#include "tensor/tstring.h"

/* The value of a float of any width, exactly. */
static double as_double(weir_dtype dtype, const void *ptr)
{
    switch (dtype) {
    case WEIR_HALF:
        return weir_f16_f32(*(const uint16_t *)ptr);
    case WEIR_BFLOAT16:
        return weir_bf16_f32(*(const uint16_t *)ptr);
    case WEIR_FLOAT:
        return *(const float *)ptr;
    default:
        return *(const double *)ptr;
    }
}

static bool complex_equal(weir_dtype dtype, const void *a, const void *b)
{
    if (dtype == WEIR_COMPLEX64) {
        const float *x = a, *y = b;
        return x[0] == y[0] && x[1] == y[1];
    }
    const double *x = a, *y = b;
    return x[0] == y[0] && x[1] == y[1];
}

bool weir_elements_equal(weir_dtype dtype, const void *a, const void *b)
{
    if (dtype == WEIR_STRING)
        return weir_str_eq(weir_tstring_get(a), weir_tstring_get(b));
    if (weir_dtype_is_float(dtype))
        return as_double(dtype, a) == as_double(dtype, b);
    if (weir_dtype_is_complex(dtype))
        return complex_equal(dtype, a, b);
    return memcmp(a, b, weir_dtype_size(dtype)) == 0;
}

/* The hash of |value| stored at |at|. NaNs are all distinct: each hashes its address. */
static uint64_t hash_double(double value, const void *at, uint64_t seed)
{
    value = value == 0 ? 0 : value; /* -0 and 0 are equal */
    return isnan(value) ? weir_hash_bytes(&at, sizeof at, seed)
                        : weir_hash_bytes(&value, sizeof value, seed);
}

/* The same for a complex number. */
static uint64_t hash_complex(const double parts[2], const void *at, uint64_t seed)
{
    return hash_double(parts[1], at, hash_double(parts[0], at, seed));
}

uint64_t weir_element_hash(weir_dtype dtype, const void *a, uint64_t seed)
{
    if (dtype == WEIR_STRING) {
        weir_str text = weir_tstring_get(a);
        return weir_hash_bytes(text.at, text.length, seed);
    }
    if (weir_dtype_is_float(dtype))
        return hash_double(as_double(dtype, a), a, seed);
    if (dtype == WEIR_COMPLEX64)
        return hash_complex((double[]){((const float *)a)[0], ((const float *)a)[1]}, a, seed);
    if (dtype == WEIR_COMPLEX128)
        return hash_complex(a, a, seed);
    return weir_hash_bytes(a, weir_dtype_size(dtype), seed);
}

#define ORDER(a, b) ((a) < (b) ? -1 : (a) > (b))
#define ORDER_AS(type) ORDER(*(const type *)a, *(const type *)b)

static int order_strings(const void *a, const void *b)
{
    weir_str text = weir_tstring_get(a), str = weir_tstring_get(b);
    size_t common = text.length < str.length ? text.length : str.length;
    int c = common ? memcmp(text.at, str.at, common) : 0;
    return c ? c : ORDER(text.length, str.length);
}

int weir_elements_order(weir_dtype dtype, const void *a, const void *b)
{
    switch (dtype) {
    case WEIR_STRING:
        return order_strings(a, b);
    case WEIR_INT8:
    case WEIR_QINT8:
        return ORDER_AS(int8_t);
    case WEIR_UINT8:
    case WEIR_QUINT8:
    case WEIR_BOOL:
        return ORDER_AS(uint8_t);
    case WEIR_INT16:
    case WEIR_QINT16:
        return ORDER_AS(int16_t);
    case WEIR_UINT16:
    case WEIR_QUINT16:
        return ORDER_AS(uint16_t);
    case WEIR_INT32:
    case WEIR_QINT32:
        return ORDER_AS(int32_t);
    case WEIR_UINT32:
        return ORDER_AS(uint32_t);
    case WEIR_INT64:
        return ORDER_AS(int64_t);
    case WEIR_UINT64:
        return ORDER_AS(uint64_t);
    default: {
        double x = as_double(dtype, a), y = as_double(dtype, b);
        return ORDER(x, y);
    }
    }
}

double weir_element_abs(weir_dtype dtype, const void *a)
{
    if (dtype == WEIR_COMPLEX64)
        return hypot((double)((const float *)a)[0], (double)((const float *)a)[1]);
    if (dtype == WEIR_COMPLEX128)
        return hypot(((const double *)a)[0], ((const double *)a)[1]);
    if (weir_dtype_is_float(dtype))
        return fabs(as_double(dtype, a));
    if (dtype == WEIR_UINT64)
        return (double)*(const uint64_t *)a;
    weir_tensor one = {.dtype = dtype, .data = (void *)a};
    return fabs((double)weir_int_at(&one, 0));
}

/* ---- sets ------------------------------------------------------------------------------------ */

static size_t slot_of(const weir_element_set *set, uint64_t hash)
{
    return (size_t)(hash * 0x9e3779b97f4a7c15u >> 16) & (set->workspace - 1);
}

static void grow(weir_element_set *set, uint64_t (*hash_of)(void *, int64_t), void *ctx)
{
    size_t workspace = set->workspace ? set->workspace * 2 : 16;
    weir_free(set->slots);
    set->slots = WEIR_NEW_ARRAY(int64_t, workspace);
    set->workspace = workspace;
    for (int64_t n = 0; n < (int64_t)set->count; n++) {
        size_t at = slot_of(set, hash_of(ctx, n));
        while (set->slots[at])
            at = (at + 1) & (workspace - 1);
        set->slots[at] = n + 1;
    }
}

int64_t weir_element_set_find(const weir_element_set *set, uint64_t hash,
                              bool (*same)(void *, int64_t), void *ctx)
{
    if (set->workspace == 0)
        return -1;
    for (size_t at = slot_of(set, hash); set->slots[at]; at = (at + 1) & (set->workspace - 1))
        if (same(ctx, set->slots[at] - 1))
            return set->slots[at] - 1;
    return -1;
}

int64_t weir_element_set_add(weir_element_set *set, uint64_t hash, bool (*same)(void *, int64_t),
                             uint64_t (*hash_of)(void *, int64_t), void *ctx)
{
    int64_t found = weir_element_set_find(set, hash, same, ctx);
    if (found >= 0)
        return found;
    if (2 * (set->count + 1) > set->workspace)
        grow(set, hash_of, ctx);
    size_t at = slot_of(set, hash);
    while (set->slots[at])
        at = (at + 1) & (set->workspace - 1);
    set->slots[at] = (int64_t)++set->count;
    return -1;
}

void weir_element_set_fini(weir_element_set *set)
{
    weir_free(set->slots);
    *set = (weir_element_set){0};
}
