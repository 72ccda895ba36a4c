/* ops/image/scale_and_translate.c - ScaleAndTranslate and its gradient: pictures resampled by a
 * kernel, rows first, then columns.
 *
 * The input positions and weights of an output position are the same for every row (and every
 * column) and computed once, as its span. The gradient uses the transposed spans.
 */
#include <ctype.h>
#include <float.h>
#include <inttypes.h>
#include <math.h>

#include "grad/grad.h"
#include "ops/common/elements.h"
#include "ops/common/infer_util.h"
#include "ops/image/image_impl.h"

enum { T, KERNEL, ANTIALIAS }; /* attrs */

/* ---- kernels --------------------------------------------------------------------------------- */

static float lanczos(float x, float radius)
{
    const float pi = 3.14159265359f;
    if (x > radius)
        return 0;
    return x <= 1e-3f ? 1 : radius * sinf(pi * x) * sinf(pi * x / radius) / (pi * pi * x * x);
}

static float gaussian(float x, float radius)
{
    float sigma = radius / 3;
    return x >= radius ? 0 : (float)exp(-x * x / (2.0 * sigma * sigma));
}

static float box(float x, float radius)
{
    return x < 0.5f ? 1 : x == 0.5f ? 0.5f : 0;
}

static float triangle(float x, float radius)
{
    return x < 1 ? 1 - x : 0;
}

static float keys_cubic(float x, float radius)
{
    if (x >= 2)
        return 0;
    return x >= 1 ? ((-0.5f * x + 2.5f) * x - 4) * x + 2 : ((1.5f * x - 2.5f) * x) * x + 1;
}

static float mitchell_cubic(float x, float radius)
{
    if (x >= 2)
        return 0;
    return x >= 1 ? (((-7.0f / 18) * x + 2) * x - 10.0f / 3) * x + 16.0f / 9
                  : (((7.0f / 6) * x - 2) * x) * x + 8.0f / 9;
}

typedef struct kernel {
    const char *name;
    float (*at)(float x, float radius); /* for x >= 0 */
    float radius;
} kernel;

static const kernel kernels[] = {
    {"lanczos1", lanczos, 1},
    {"lanczos3", lanczos, 3},
    {"lanczos5", lanczos, 5},
    {"gaussian", gaussian, 1.5f},
    {"box", box, 1},
    {"triangle", triangle, 1},
    {"keyscubic", keys_cubic, 2},
    {"mitchellcubic", mitchell_cubic, 2},
};

static weir_status find_kernel(weir_str name, const kernel **out)
{
    for (size_t k = 0; k < sizeof kernels / sizeof *kernels; k++) {
        size_t i = 0;
        while (i < name.length && kernels[k].name[i] == tolower((unsigned char)name.at[i]))
            i++;
        if (i == name.length && !kernels[k].name[i]) {
            *out = &kernels[k];
            return WEIR_OK;
        }
    }
    return weir_error(WEIR_INVALID_ARGUMENT, "Unrecognized kernel type: %.*s", WEIR_STR_ARG(name));
}

/* ---- spans ----------------------------------------------------------------------------------- */

/* Output i is the weighted sum of |size| inputs from start[i] on, as far as they exist. */
typedef struct spans {
    int64_t count, inputs, size;
    weir_tensor starts, weights; /* int64[count], float[count * size] */
} spans;

/* The mapping of one dimension. */
typedef struct mapping {
    const kernel *kernel;
    bool antialias;
    float scale, translation;
    int64_t in, out;
} mapping;

static weir_status spans_alloc(spans *spans)
{
    int64_t total;
    WEIR_TRY(weir_dim_mul(spans->count, spans->size, &total));
    weir_shape starts = weir_shape_vector(spans->count), weights = weir_shape_vector(total);
    WEIR_TRY(weir_tensor_alloc(WEIR_INT64, &starts, &spans->starts));
    WEIR_TRY(weir_tensor_alloc(WEIR_FLOAT, &weights, &spans->weights));
    weir_tensor_zero(NULL, &spans->starts);
    weir_tensor_zero(NULL, &spans->weights);
    return WEIR_OK;
}

static void spans_fini(spans *spans)
{
    weir_tensor_release(&spans->starts);
    weir_tensor_release(&spans->weights);
}

static int64_t clamp(double value, int64_t limit)
{
    return value < 0 ? 0 : value > (double)(limit - 1) ? limit - 1 : (int64_t)value;
}

/* The span of output |x|, whose centre maps to |sample|. */
static void fill_span(const mapping *mapping, spans *spans, int64_t x, float sample, float widen)
{
    float reach = mapping->kernel->radius * widen, narrow = 1 / widen, sum = 0;
    int64_t begin = clamp(ceilf(sample - reach - 0.5f), mapping->in);
    int64_t end = clamp(floorf(sample + reach - 0.5f), mapping->in) + 1;
    float *w = (float *)spans->weights.data + x * spans->size;
    int64_t size = end - begin < spans->size ? end - begin : spans->size;
    for (int64_t k = 0; k < size; k++) {
        w[k] = mapping->kernel->at(fabsf(((float)(begin + k) + 0.5f - sample) * narrow),
                                   mapping->kernel->radius);
        sum += w[k];
    }
    bool weighs = fabsf(sum) >= 1000 * FLT_MIN;
    float share = weighs ? 1 / sum : 0;
    for (int64_t k = 0; k < size; k++)
        w[k] *= share;
    ((int64_t *)spans->starts.data)[x] = begin;
}

static weir_status find_spans(const mapping *mapping, spans *out)
{
    float inverse = 1.0f / mapping->scale, shift = -inverse * mapping->translation;
    float widen = mapping->antialias && inverse > 1 ? inverse : 1;
    double reach = 2 * ceil((double)(mapping->kernel->radius * widen)) + 1;
    *out = (spans){.count = mapping->out, .inputs = mapping->in};
    out->size = reach < (double)mapping->in ? (int64_t)reach : mapping->in;
    WEIR_TRY(spans_alloc(out));
    for (int64_t x = 0; x < mapping->out; x++) {
        float sample = ((float)x + 0.5f) * inverse + shift;
        if (sample >= 0 && sample <= (float)mapping->in) /* outside the image the span is empty */
            fill_span(mapping, out, x, sample, widen);
    }
    return WEIR_OK;
}

/* First and last output that each input contributes to; -1: none. */
static void find_reach(const spans *spans, int64_t *first, int64_t *last)
{
    const int64_t *start = spans->starts.data;
    const float *w = spans->weights.data;
    for (int64_t i = 0; i < spans->inputs; i++)
        first[i] = last[i] = -1;
    for (int64_t x = 0; x < spans->count; x++)
        for (int64_t k = 0; k < spans->size && start[x] + k < spans->inputs; k++) {
            int64_t i = start[x] + k;
            if (w[x * spans->size + k] == 0)
                continue;
            first[i] = first[i] < 0 ? x : first[i];
            last[i] = x;
        }
}

/* Transposes the spans of |from|. */
static weir_status transpose_spans(const spans *from, spans *out)
{
    WEIR_FREED int64_t *first = WEIR_NEW_ARRAY(int64_t, from->inputs + 1);
    WEIR_FREED int64_t *last = WEIR_NEW_ARRAY(int64_t, from->inputs + 1);
    find_reach(from, first, last);
    *out = (spans){.count = from->inputs, .inputs = from->count};
    for (int64_t i = 0; i < from->inputs; i++)
        if (first[i] >= 0 && last[i] - first[i] + 1 > out->size)
            out->size = last[i] - first[i] + 1;
    weir_status status = spans_alloc(out);
    const int64_t *start = from->starts.data;
    const float *w = from->weights.data;
    for (int64_t i = 0; !status && i < from->inputs; i++)
        ((int64_t *)out->starts.data)[i] = first[i] < 0 ? 0 : first[i];
    for (int64_t x = 0; !status && x < from->count; x++)
        for (int64_t k = 0; k < from->size && start[x] + k < from->inputs; k++) {
            int64_t i = start[x] + k;
            if (w[x * from->size + k] != 0)
                ((float *)out->weights.data)[i * out->size + x - first[i]] += w[x * from->size + k];
        }
    return status;
}

/* ---- gathering ------------------------------------------------------------------------------- */

typedef struct gather {
    const spans *s;
    const float *in;
    float *out;
    int64_t run; /* floats per position */
} gather;

/* Lines of [outer, inputs, run] to [outer, count, run]. */
static void gather_part(void *ctx, int64_t begin, int64_t end)
{
    const gather *gather = ctx;
    const spans *spans = gather->s;
    for (int64_t n = begin; n < end; n++) {
        int64_t x = n % spans->count, start = ((const int64_t *)spans->starts.data)[x];
        const float *w = (const float *)spans->weights.data + x * spans->size;
        const float *in = gather->in + (n / spans->count * spans->inputs + start) * gather->run;
        float *out = gather->out + n * gather->run;
        int64_t size = spans->inputs - start < spans->size ? spans->inputs - start : spans->size;
        memset(out, 0, sizeof *out * (size_t)gather->run);
        for (int64_t k = 0; k < size; k++)
            for (int64_t c = 0; c < gather->run; c++)
                out[c] += w[k] * in[k * gather->run + c];
    }
}

static void gather_lines(const weir_par *par, const spans *spans, int64_t outer, int64_t run,
                         const float *in, float *out)
{
    gather gather = {spans, in, out, run};
    weir_par_for(par, outer * spans->count, 16384 / (run * (spans->size + 1)) + 1, gather_part,
                 &gather);
}

static weir_status resample(weir_call *call, const weir_tensor *in, const spans *rows,
                            const spans *columns, weir_tensor *out)
{
    int64_t batch = in->shape.dims[0], channels = in->shape.dims[3];
    weir_shape between = {4, {batch, rows->count, columns->inputs, channels}};
    weir_tensor half;
    WEIR_TRY(weir_shape_check(&between));
    WEIR_TRY(weir_tensor_alloc(WEIR_FLOAT, &between, &half));
    gather_lines(&call->run->par, rows, batch, columns->inputs * channels, in->data, half.data);
    gather_lines(&call->run->par, columns, batch * rows->count, channels, half.data, out->data);
    weir_tensor_release(&half);
    return WEIR_OK;
}

/* ---- ops ------------------------------------------------------------------------------------- */

/* Reads scale (input 2) and translation (input 3) for rows and columns. */
static weir_status read_mappings(weir_call *call, const weir_shape *in, const weir_shape *out,
                                 mapping *rows, mapping *columns)
{
    const kernel *kernel;
    WEIR_TRY(find_kernel(weir_site_str(call->site, KERNEL), &kernel));
    for (int i = 2; i < 4; i++)
        if (weir_in(call, i)->shape.rank != 1 || weir_tensor_count(weir_in(call, i)) != 2)
            return weir_error(WEIR_INVALID_ARGUMENT, "t must have two elements%s",
                              WEIR_SHAPE_STR(&weir_in(call, i)->shape));
    const float *scale = weir_in(call, 2)->data, *translation = weir_in(call, 3)->data;
    if (!(scale[0] > 0 && scale[1] > 0))
        return weir_error(WEIR_INVALID_ARGUMENT, "Scale must be greater than zero.");
    bool antialias = weir_site_bool(call->site, ANTIALIAS);
    *rows = (mapping){kernel, antialias, scale[0], translation[0], in->dims[1], out->dims[1]};
    *columns = (mapping){kernel, antialias, scale[1], translation[1], in->dims[2], out->dims[2]};
    return WEIR_OK;
}

static weir_status check_picture(const weir_shape *in, const weir_shape *out)
{
    if (out->dims[1] <= 0 || out->dims[2] <= 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "output dimensions must be positive");
    if (in->dims[3] <= 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "image must have at least one channel");
    if (in->dims[1] <= 0 || in->dims[2] <= 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "input image must be of non-zero size");
    return WEIR_OK;
}

static weir_status run(weir_call *call)
{
    weir_tensor *out = weir_out(call, 0), in;
    mapping row, column;
    spans rows = {0}, columns = {0};
    WEIR_TRY(check_picture(&weir_in(call, 0)->shape, &out->shape));
    WEIR_TRY(read_mappings(call, &weir_in(call, 0)->shape, &out->shape, &row, &column));
    if (weir_tensor_count(out) == 0)
        return WEIR_OK;
    WEIR_TRY(weir_image_as_float(call, weir_in(call, 0), &in));
    weir_status status = find_spans(&column, &columns);
    if (!status)
        status = find_spans(&row, &rows);
    if (!status)
        status = resample(call, &in, &rows, &columns, out);
    spans_fini(&rows);
    spans_fini(&columns);
    weir_tensor_release(&in);
    return status;
}

static weir_status find_turned(const mapping *mapping, spans *out)
{
    spans forward;
    weir_status status = find_spans(mapping, &forward);
    if (!status)
        status = transpose_spans(&forward, out);
    spans_fini(&forward);
    return status;
}

static weir_status run_grad(weir_call *call)
{
    const weir_tensor *dy = weir_in(call, 0), *image = weir_in(call, 1);
    weir_tensor *out = weir_out(call, 0);
    mapping row, column;
    spans rows = {0}, columns = {0};
    if (dy->shape.rank != 4 || image->shape.rank != 4)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "input_grad and original_image must be 4-dimensional: %s and %s",
                          WEIR_SHAPE_STR(&dy->shape), WEIR_SHAPE_STR(&image->shape));
    weir_shape shape = image->shape;
    shape.dims[0] = dy->shape.dims[0];
    shape.dims[3] = dy->shape.dims[3];
    WEIR_TRY(read_mappings(call, &image->shape, &dy->shape, &row, &column));
    WEIR_TRY(weir_call_alloc(call, 0, &shape));
    if (weir_shape_count(&shape) == 0)
        return WEIR_OK;
    weir_status status = find_turned(&column, &columns);
    if (!status)
        status = find_turned(&row, &rows);
    if (!status)
        status = resample(call, dy, &rows, &columns, out);
    spans_fini(&rows);
    spans_fini(&columns);
    return status;
}

static weir_status grad(weir_grad *grad)
{
    const weir_site *site = weir_grad_site(grad);
    if (weir_dtype_base(site->in_types[0]) != WEIR_FLOAT)
        return WEIR_OK;
    weir_str kernel = weir_site_str(site, KERNEL);
    weir_grad_set(
        grad, 0,
        weir_grad_op(grad, "ScaleAndTranslateGrad",
                     WEIR_IN(weir_grad_dy(grad, 0), weir_grad_x(grad, 0), weir_grad_x(grad, 2),
                             weir_grad_x(grad, 3)),
                     WEIR_ATTRS({"kernel_type", {.kind = WEIR_ATTR_STRING, .s = kernel}},
                                weir_a_bool("antialias", weir_site_bool(site, ANTIALIAS)))));
    return WEIR_OK;
}

const weir_op weir_op_scale_and_translate = {
    .name = "ScaleAndTranslate",
    .in = "images: T; size: int32; scale: float; translation: float",
    .out = "resized_images: float",
    .attrs = "T: {int8, uint8, int16, uint16, int32, int64, bfloat16, half, float, double}; "
             "kernel_type: string = \"lanczos3\"; antialias: bool = true",
    .infer = weir_infer_resize,
    .grad = grad,
    .kernels = {{WEIR_CPU, "*", run}},
};

const weir_op weir_op_scale_and_translate_grad = {
    .name = "ScaleAndTranslateGrad",
    .in = "grads: T; original_image: T; scale: float; translation: float",
    .out = "output: T",
    .attrs = "T: {float}; kernel_type: string = \"lanczos3\"; antialias: bool = true",
    .infer = weir_infer_resize_grad,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", run_grad, WEIR_OWN_OUTPUTS}},
};
