/* ops/image/scale_and_translate.c - ScaleAndTranslate and its gradient: pictures resampled by a
 * kernel, rows first, then columns.
 *
 * Which input places an output place takes, and by which weights, is the same for every row (and
 * every column) and worked out once: its span. The gradient has spans the other way round. */
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

/* Output place i is the sum of |size| input places from start[i] on, as far as there are so many.
 */
typedef struct spans {
    int64_t count, inputs, size;
    weir_tensor starts, weights; /* int64[count], float[count * size] */
} spans;

/* How one dimension is mapped. */
typedef struct mapping {
    const kernel *kernel;
    bool antialias;
    float scale, translation;
    int64_t in, out;
} mapping;

static weir_status spans_alloc(spans *s)
{
    int64_t total;
    WEIR_TRY(weir_dim_mul(s->count, s->size, &total));
    weir_shape starts = weir_shape_vector(s->count), weights = weir_shape_vector(total);
    WEIR_TRY(weir_tensor_alloc(WEIR_INT64, &starts, &s->starts));
    WEIR_TRY(weir_tensor_alloc(WEIR_FLOAT, &weights, &s->weights));
    weir_tensor_zero(NULL, &s->starts);
    weir_tensor_zero(NULL, &s->weights);
    return WEIR_OK;
}

static void spans_fini(spans *s)
{
    weir_tensor_release(&s->starts);
    weir_tensor_release(&s->weights);
}

static int64_t clamp(double v, int64_t limit)
{
    return v < 0 ? 0 : v > (double)(limit - 1) ? limit - 1 : (int64_t)v;
}

/* The span of output place |x|, whose middle is at |sample|. */
static void fill_span(const mapping *m, spans *s, int64_t x, float sample, float widen)
{
    float reach = m->kernel->radius * widen, narrow = 1 / widen, sum = 0;
    int64_t begin = clamp(ceilf(sample - reach - 0.5f), m->in);
    int64_t end = clamp(floorf(sample + reach - 0.5f), m->in) + 1;
    float *w = (float *)s->weights.data + x * s->size;
    int64_t size = end - begin < s->size ? end - begin : s->size;
    for (int64_t k = 0; k < size; k++) {
        w[k] =
            m->kernel->at(fabsf(((float)(begin + k) + 0.5f - sample) * narrow), m->kernel->radius);
        sum += w[k];
    }
    bool weighs = fabsf(sum) >= 1000 * FLT_MIN;
    float share = weighs ? 1 / sum : 0;
    for (int64_t k = 0; k < size; k++)
        w[k] *= share;
    ((int64_t *)s->starts.data)[x] = begin;
}

static weir_status find_spans(const mapping *m, spans *s)
{
    float inverse = 1.0f / m->scale, shift = -inverse * m->translation;
    float widen = m->antialias && inverse > 1 ? inverse : 1;
    double reach = 2 * ceil((double)(m->kernel->radius * widen)) + 1;
    *s = (spans){.count = m->out, .inputs = m->in};
    s->size = reach < (double)m->in ? (int64_t)reach : m->in;
    WEIR_TRY(spans_alloc(s));
    for (int64_t x = 0; x < m->out; x++) {
        float sample = ((float)x + 0.5f) * inverse + shift;
        if (sample >= 0 && sample <= (float)m->in) /* outside the picture nothing is taken */
            fill_span(m, s, x, sample, widen);
    }
    return WEIR_OK;
}

/* First and last output place that each input place has a part in; -1: none. */
static void find_reach(const spans *s, int64_t *first, int64_t *last)
{
    const int64_t *start = s->starts.data;
    const float *w = s->weights.data;
    for (int64_t i = 0; i < s->inputs; i++)
        first[i] = last[i] = -1;
    for (int64_t x = 0; x < s->count; x++)
        for (int64_t k = 0; k < s->size && start[x] + k < s->inputs; k++) {
            int64_t i = start[x] + k;
            if (w[x * s->size + k] == 0)
                continue;
            first[i] = first[i] < 0 ? x : first[i];
            last[i] = x;
        }
}

/* The spans of |s| the other way round. */
static weir_status turn_spans(const spans *s, spans *out)
{
    int64_t *first = WEIR_NEW_ARRAY(int64_t, s->inputs + 1);
    int64_t *last = WEIR_NEW_ARRAY(int64_t, s->inputs + 1);
    find_reach(s, first, last);
    *out = (spans){.count = s->inputs, .inputs = s->count};
    for (int64_t i = 0; i < s->inputs; i++)
        if (first[i] >= 0 && last[i] - first[i] + 1 > out->size)
            out->size = last[i] - first[i] + 1;
    weir_status status = spans_alloc(out);
    const int64_t *start = s->starts.data;
    const float *w = s->weights.data;
    for (int64_t i = 0; !status && i < s->inputs; i++)
        ((int64_t *)out->starts.data)[i] = first[i] < 0 ? 0 : first[i];
    for (int64_t x = 0; !status && x < s->count; x++)
        for (int64_t k = 0; k < s->size && start[x] + k < s->inputs; k++) {
            int64_t i = start[x] + k;
            if (w[x * s->size + k] != 0)
                ((float *)out->weights.data)[i * out->size + x - first[i]] += w[x * s->size + k];
        }
    weir_free(first);
    weir_free(last);
    return status;
}

/* ---- gathering ------------------------------------------------------------------------------- */

typedef struct gather {
    const spans *s;
    const float *in;
    float *out;
    int64_t run; /* floats that move together */
} gather;

/* Lines of [outer, inputs, run] to [outer, count, run]. */
static void gather_part(void *ctx, int64_t begin, int64_t end)
{
    const gather *g = ctx;
    const spans *s = g->s;
    for (int64_t n = begin; n < end; n++) {
        int64_t x = n % s->count, start = ((const int64_t *)s->starts.data)[x];
        const float *w = (const float *)s->weights.data + x * s->size;
        const float *in = g->in + (n / s->count * s->inputs + start) * g->run;
        float *out = g->out + n * g->run;
        int64_t size = s->inputs - start < s->size ? s->inputs - start : s->size;
        memset(out, 0, sizeof *out * (size_t)g->run);
        for (int64_t k = 0; k < size; k++)
            for (int64_t c = 0; c < g->run; c++)
                out[c] += w[k] * in[k * g->run + c];
    }
}

static void gather_lines(const weir_par *par, const spans *s, int64_t outer, int64_t run,
                         const float *in, float *out)
{
    gather g = {s, in, out, run};
    weir_par_for(par, outer * s->count, 16384 / (run * (s->size + 1)) + 1, gather_part, &g);
}

static weir_status resample(weir_call *c, const weir_tensor *in, const spans *rows,
                            const spans *columns, weir_tensor *out)
{
    int64_t batch = in->shape.dims[0], channels = in->shape.dims[3];
    weir_shape between = {4, {batch, rows->count, columns->inputs, channels}};
    weir_tensor half;
    WEIR_TRY(weir_shape_check(&between));
    WEIR_TRY(weir_tensor_alloc(WEIR_FLOAT, &between, &half));
    gather_lines(&c->run->par, rows, batch, columns->inputs * channels, in->data, half.data);
    gather_lines(&c->run->par, columns, batch * rows->count, channels, half.data, out->data);
    weir_tensor_release(&half);
    return WEIR_OK;
}

/* ---- ops ------------------------------------------------------------------------------------- */

/* Reads scale (input 2) and translation (input 3) for rows and columns. */
static weir_status read_mappings(weir_call *c, const weir_shape *in, const weir_shape *out,
                                 mapping *rows, mapping *columns)
{
    const kernel *k;
    WEIR_TRY(find_kernel(weir_site_str(c->site, KERNEL), &k));
    for (int i = 2; i < 4; i++)
        if (weir_in(c, i)->shape.rank != 1 || weir_tensor_count(weir_in(c, i)) != 2)
            return weir_error(WEIR_INVALID_ARGUMENT, "t must have two elements%s",
                              WEIR_SHAPE_STR(&weir_in(c, i)->shape));
    const float *scale = weir_in(c, 2)->data, *translation = weir_in(c, 3)->data;
    if (!(scale[0] > 0 && scale[1] > 0))
        return weir_error(WEIR_INVALID_ARGUMENT, "Scale must be greater than zero.");
    bool antialias = weir_site_bool(c->site, ANTIALIAS);
    *rows = (mapping){k, antialias, scale[0], translation[0], in->dims[1], out->dims[1]};
    *columns = (mapping){k, antialias, scale[1], translation[1], in->dims[2], out->dims[2]};
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

static weir_status run(weir_call *c)
{
    weir_tensor *out = weir_out(c, 0), in;
    mapping row, column;
    spans rows = {0}, columns = {0};
    WEIR_TRY(check_picture(&weir_in(c, 0)->shape, &out->shape));
    WEIR_TRY(read_mappings(c, &weir_in(c, 0)->shape, &out->shape, &row, &column));
    if (weir_tensor_count(out) == 0)
        return WEIR_OK;
    WEIR_TRY(weir_image_as_float(c, weir_in(c, 0), &in));
    weir_status s = find_spans(&column, &columns);
    if (!s)
        s = find_spans(&row, &rows);
    if (!s)
        s = resample(c, &in, &rows, &columns, out);
    spans_fini(&rows);
    spans_fini(&columns);
    weir_tensor_release(&in);
    return s;
}

static weir_status find_turned(const mapping *m, spans *out)
{
    spans forward;
    weir_status s = find_spans(m, &forward);
    if (!s)
        s = turn_spans(&forward, out);
    spans_fini(&forward);
    return s;
}

static weir_status run_grad(weir_call *c)
{
    const weir_tensor *dy = weir_in(c, 0), *image = weir_in(c, 1);
    weir_tensor *out = weir_out(c, 0);
    mapping row, column;
    spans rows = {0}, columns = {0};
    if (dy->shape.rank != 4 || image->shape.rank != 4)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "input_grad and original_image must be 4-dimensional: %s and %s",
                          WEIR_SHAPE_STR(&dy->shape), WEIR_SHAPE_STR(&image->shape));
    weir_shape shape = image->shape;
    shape.dims[0] = dy->shape.dims[0];
    shape.dims[3] = dy->shape.dims[3];
    WEIR_TRY(read_mappings(c, &image->shape, &dy->shape, &row, &column));
    WEIR_TRY(weir_call_alloc(c, 0, &shape));
    if (weir_shape_count(&shape) == 0)
        return WEIR_OK;
    weir_status s = find_turned(&column, &columns);
    if (!s)
        s = find_turned(&row, &rows);
    if (!s)
        s = resample(c, dy, &rows, &columns, out);
    spans_fini(&rows);
    spans_fini(&columns);
    return s;
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
