/* ops/array/debug_numbers.c - DebugNanCount, DebugNumericSummary, DebugNumericSummaryV2: numeric
 * summaries for debuggers. */
#include <float.h>
#include <math.h>

#include "ops/common/infer_util.h"
#include "ops/common/number_at.h"
#include "ops/declare.h"

/* Counts by category; values outside the bounds count as infinite. The other statistics cover all
 * finite values, within the bounds or not. */
typedef struct tally {
    int64_t nan, minus_inf, negative, zero, positive, plus_inf, finite;
    double least, most, sum;
} tally;

static void count_number(tally *tally, double x, double low, double high)
{
    if (isnan(x)) {
        tally->nan++;
        return;
    }
    bool inside = x > low && x < high;
    tally->minus_inf += x <= low;
    tally->plus_inf += x > low && x >= high;
    tally->negative += inside && x < 0;
    tally->zero += inside && x == 0;
    tally->positive += inside && x > 0;
    if (!isfinite(x))
        return;
    tally->finite++;
    tally->least = x < tally->least ? x : tally->least;
    tally->most = x > tally->most ? x : tally->most;
    tally->sum += x;
}

static tally tally_of(const weir_tensor *x, double low, double high)
{
    tally tally = {.least = INFINITY, .most = -INFINITY};
    int64_t count = weir_tensor_count(x);
    for (int64_t i = 0; i < count; i++)
        count_number(&tally, weir_number_at(x, i), low, high);
    return tally;
}

static weir_status vector_infer(weir_infer *infer)
{
    infer->out[0] = weir_shape_vector(1);
    return WEIR_OK;
}

static weir_status refuse_urls(const weir_site *site)
{
    int urls = weir_opdef_attr(site->def, "debug_urls");
    if (site->attrs[urls].count > 0)
        return weir_error(WEIR_UNIMPLEMENTED, "%s %s: debug_urls are not supported", site->op->name,
                          site->name);
    return WEIR_OK;
}

static weir_status nan_count(weir_call *call)
{
    WEIR_TRY(refuse_urls(call->site));
    *(int64_t *)weir_out(call, 0)->data = tally_of(weir_in(call, 0), -INFINITY, INFINITY).nan;
    return WEIR_OK;
}

/* ---- DebugNumericSummary --------------------------------------------------------------------- */

enum { LOWER_BOUND = 4, UPPER_BOUND, MUTE };

static double variance_of(const weir_tensor *x, double mean, int64_t count)
{
    double sum = 0;
    for (int64_t i = 0; i < weir_tensor_count(x); i++) {
        double value = weir_number_at(x, i);
        if (isfinite(value))
            sum += (value - mean) * (value - mean);
    }
    return sum / (double)count;
}

static void fill_summary(const weir_tensor *x, double low, double high, double *out)
{
    tally tally = tally_of(x, low, high);
    double mean = tally.finite ? tally.sum / (double)tally.finite : NAN;
    const double head[] = {1,
                           (double)weir_tensor_count(x),
                           (double)tally.nan,
                           (double)tally.minus_inf,
                           (double)tally.negative,
                           (double)tally.zero,
                           (double)tally.positive,
                           (double)tally.plus_inf,
                           tally.least,
                           tally.most,
                           mean,
                           tally.finite ? variance_of(x, mean, tally.finite) : NAN,
                           x->dtype,
                           x->shape.rank};
    memcpy(out, head, sizeof head);
    for (int i = 0; i < x->shape.rank; i++)
        out[14 + i] = (double)x->shape.dims[i];
}

static weir_status numeric_summary(weir_call *call)
{
    const weir_tensor *x = weir_in(call, 0);
    float low = weir_site_float(call->site, LOWER_BOUND);
    float high = weir_site_float(call->site, UPPER_BOUND);
    weir_shape shape = weir_shape_vector(14 + x->shape.rank);
    WEIR_TRY(refuse_urls(call->site));
    WEIR_TRY(weir_call_alloc(call, 0, &shape));
    fill_summary(x, low, high, weir_out(call, 0)->data);
    const double *n = weir_out(call, 0)->data;
    weir_shape none = weir_shape_vector(0);
    bool healthy = n[2] == 0 && n[3] == 0 && n[7] == 0;
    return weir_site_bool(call->site, MUTE) && healthy ? weir_call_alloc(call, 0, &none) : WEIR_OK;
}

/* ---- DebugNumericSummaryV2 ------------------------------------------------------------------- */

enum { V2_MODE = 2, V2_ID };
enum { CURT_HEALTH = 2, CONCISE_HEALTH, FULL_HEALTH, SHAPE, REDUCE_INF_NAN = 8 };

static const int64_t summary_sizes[] = {
    [CURT_HEALTH] = 2, [CONCISE_HEALTH] = 5, [FULL_HEALTH] = 11, [SHAPE] = 10, [REDUCE_INF_NAN] = 3,
};

static weir_status summary_size(const weir_site *site, int64_t *out)
{
    int64_t mode = weir_site_int(site, V2_MODE);
    if (mode < 0 || mode > REDUCE_INF_NAN || !summary_sizes[mode])
        return weir_error(WEIR_UNIMPLEMENTED, "tensor_debug_mode %d is not supported", (int)mode);
    *out = summary_sizes[mode];
    return WEIR_OK;
}

static weir_status summary_infer(weir_infer *infer)
{
    int64_t size;
    weir_status status = summary_size(infer->site, &size);
    if (!status)
        infer->out[0] = weir_shape_vector(size);
    if (weir_infer_running(infer)) /* a graph may contain an invalid mode that is not run */
        return status;
    weir_status_free(status);
    return WEIR_OK;
}

/* The first six dimensions, or the last six of more; missing ones are 0. */
static void fill_dims(const weir_shape *shape, double *out)
{
    int skip = shape->rank > 6 ? shape->rank - 6 : 0;
    for (int i = 0; i < 6; i++)
        out[i] = i + skip < shape->rank ? (double)shape->dims[i + skip] : 0;
}

static void fill_health(const weir_tensor *x, int64_t mode, double id, double *out)
{
    tally t = tally_of(x, -INFINITY, INFINITY);
    double size = (double)weir_tensor_count(x);
    bool bad = t.nan || t.minus_inf || t.plus_inf;
    const double curt[] = {id, bad};
    const double concise[] = {id, size, (double)t.minus_inf, (double)t.plus_inf, (double)t.nan};
    const double full[] = {id,
                           -1,
                           x->dtype,
                           x->shape.rank,
                           size,
                           (double)t.minus_inf,
                           (double)t.plus_inf,
                           (double)t.nan,
                           (double)t.negative,
                           (double)t.zero,
                           (double)t.positive};
    double shape[10] = {id, x->dtype, x->shape.rank, size};
    const double slots[] = {t.minus_inf ? -INFINITY : 0, t.plus_inf ? INFINITY : 0,
                            t.nan ? NAN : 0};
    const double *from[] = {[CURT_HEALTH] = curt,
                            [CONCISE_HEALTH] = concise,
                            [FULL_HEALTH] = full,
                            [SHAPE] = shape,
                            [REDUCE_INF_NAN] = slots};
    fill_dims(&x->shape, shape + 4);
    memcpy(out, from[mode], (size_t)summary_sizes[mode] * sizeof *out);
}

static weir_status numeric_summary_v2(weir_call *call)
{
    weir_tensor *y = weir_out(call, 0);
    int64_t id = weir_site_int(call->site, V2_ID), mode = weir_site_int(call->site, V2_MODE);
    double numbers[11];
    fill_health(weir_in(call, 0), mode, (double)id, numbers);
    for (int64_t i = 0; i < summary_sizes[mode]; i++)
        if (y->dtype == WEIR_FLOAT)
            ((float *)y->data)[i] = (float)numbers[i];
        else
            ((double *)y->data)[i] = numbers[i];
    return WEIR_OK;
}

#define HOOK                                                                                       \
    "T: type; device_name: string = ''; tensor_name: string = ''; debug_urls: list(string) = []; "
#define REAL_TYPES                                                                                 \
    "T: float, double, half, bfloat16, int8, int16, int32, int64, uint8, uint16, uint32, uint64, " \
    "bool"
WEIR_DEFINE_OP(debug_nan_count, "DebugNanCount", .in = "input: T", .out = "output: int64",
               .attrs = HOOK "gated_grpc: bool = false", .flags = WEIR_ALLOWS_UNINITIALIZED,
               .infer = vector_infer, .kernels = {{WEIR_CPU, REAL_TYPES, nan_count}});
WEIR_DEFINE_OP(debug_numeric_summary, "DebugNumericSummary", .in = "input: T",
               .out = "output: double",
               .attrs = HOOK "lower_bound: float = -inf; upper_bound: float = inf; "
                             "mute_if_healthy: bool = false; gated_grpc: bool = false",
               .flags = WEIR_ALLOWS_UNINITIALIZED,
               .kernels = {{WEIR_CPU, REAL_TYPES, numeric_summary, WEIR_OWN_OUTPUTS}});
WEIR_DEFINE_OP(debug_numeric_summary_v2, "DebugNumericSummaryV2", .in = "input: T",
               .out = "output: output_dtype",
               .attrs = "output_dtype: {float, double} = DT_FLOAT; T: type; "
                        "tensor_debug_mode: int = -1; tensor_id: int = -1",
               .infer = summary_infer, .kernels = {{WEIR_CPU, REAL_TYPES, numeric_summary_v2}});
