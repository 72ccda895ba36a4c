/* ops/random/sobol_sample.c - SobolSample: consecutive points of Sobol's sequence. */
#include <inttypes.h>
#include <math.h>

#include "math/random/sobol.h"
#include "ops/common/infer_util.h"

enum { DIM, NUM_RESULTS, SKIP }; /* inputs */

static weir_status check(int64_t dim, int64_t count, int64_t skip)
{
    static const struct {
        const char *name;
        int64_t at_least;
        const char *text;
    } bounds[] = {{"dim", 1, "at least one"},
                  {"num_results", 1, "at least one"},
                  {"skip", 0, "non-negative"}};
    int64_t values[] = {dim, count, skip};
    for (int k = 0; k < 3; k++)
        if (values[k] < bounds[k].at_least)
            return weir_error(WEIR_INVALID_ARGUMENT, "%s must be %s, not %" PRId64, bounds[k].name,
                              bounds[k].text, values[k]);
    if (count >= INT32_MAX - skip)
        return weir_error(WEIR_INVALID_ARGUMENT, "num_results+skip must be less than %d",
                          INT32_MAX);
    if (count >= INT32_MAX / dim)
        return weir_error(WEIR_INVALID_ARGUMENT, "num_results*dim must be less than %d", INT32_MAX);
    if (dim > WEIR_SOBOL_DIMS)
        return weir_error(WEIR_INVALID_ARGUMENT, "dim must be at most %d, not %" PRId64,
                          WEIR_SOBOL_DIMS, dim);
    return WEIR_OK;
}

static weir_status infer(weir_infer *infer)
{
    int64_t values[3];
    bool known[3];
    for (int k = 0; k < 3; k++) {
        WEIR_TRY(weir_infer_rank(infer, k, 0));
        known[k] = weir_infer_value_int(infer, k, &values[k]);
    }
    if (weir_infer_running(infer))
        WEIR_TRY(check(values[DIM], values[NUM_RESULTS], values[SKIP]));
    infer->out[0] = weir_shape_matrix(known[NUM_RESULTS] ? values[NUM_RESULTS] : -1,
                                      known[DIM] ? values[DIM] : -1);
    return WEIR_OK;
}

typedef struct points {
    const uint32_t *directions;
    int64_t dim, skip;
    int digits; /* per number */
    weir_tensor *y;
} points;

static void put(const points *points, int64_t at, uint32_t value)
{
    if (points->y->dtype == WEIR_DOUBLE)
        ((double *)points->y->data)[at] = ldexp((double)value, -points->digits);
    else
        ((float *)points->y->data)[at] = ldexpf((float)value, -points->digits);
}

/* Point n is the XOR of the directions in the Gray code of n + 1; the next point adds the direction
 * of its rightmost zero. */
static void some_points(void *ctx, int64_t begin, int64_t end)
{
    const points *points = ctx;
    for (int64_t d = 0; d < points->dim; d++) {
        const uint32_t *m = points->directions + d * WEIR_SOBOL_DIGITS;
        uint32_t first = (uint32_t)(points->skip + begin + 1), gray = first ^ first >> 1, value = 0;
        for (int k = 0; gray >> k; k++)
            if (gray >> k & 1)
                value ^= m[k] << (points->digits - k - 1);
        for (int64_t n = begin; n < end; n++) {
            put(points, n * points->dim + d, value);
            int k = __builtin_ctz(~(uint32_t)(points->skip + n + 1));
            if (k < points->digits) /* stop at the last point that this many digits can represent */
                value ^= m[k] << (points->digits - k - 1);
        }
    }
}

static weir_status sobol_sample(weir_call *call)
{
    weir_tensor *y = weir_out(call, 0), directions;
    int64_t count = y->shape.dims[0], dim = y->shape.dims[1];
    int64_t skip = *(const int32_t *)weir_in(call, SKIP)->data;
    weir_shape size = weir_shape_matrix(dim, WEIR_SOBOL_DIGITS);
    WEIR_TRY(weir_tensor_alloc(WEIR_UINT32, &size, &directions));
    weir_sobol_directions((int)dim, directions.data);
    points points = {.directions = directions.data,
                     .dim = dim,
                     .skip = skip,
                     .digits = 32 - __builtin_clz((uint32_t)(skip + count + 1)),
                     .y = y};
    weir_par_for(&call->run->par, count, 512, some_points, &points);
    weir_tensor_release(&directions);
    return WEIR_OK;
}

const weir_op weir_op_sobol_sample = {
    .name = "SobolSample",
    .in = "dim: int32; num_results: int32; skip: int32",
    .out = "samples: dtype",
    .attrs = "dtype: {float, double} = DT_FLOAT",
    .infer = infer,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", sobol_sample}},
};
