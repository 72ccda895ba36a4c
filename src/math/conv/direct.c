/* math/conv/direct.c - convolutions that read the image where it lies. */
#include "math/conv/direct.h"

#include <string.h>

#include "math/gemm/gemm_impl.h"
#include "math/scratch.h"

enum {
    FILTER_BYTES = 1 << 20, /* of packed filter at a time: stays in the second-level cache */
    LINES_BYTES = 1 << 18,  /* of padded lines at a time */
    GRAD_BYTES = 1 << 19,   /* of padded lines and packed gradient at a time */
    MOST_SEGS = 1024,
    LEAST_WIDTH = 4, /* narrower outputs make poor tiles */
};

typedef struct direct {
    const weir_conv *g;
    const weir_gemm_loops *loops;
    const weir_epilogue_loops *then;
    int64_t unit;  /* bytes of an element */
    int64_t runs;  /* runs of a patch along the width: 1 when they join, else one per tap */
    int64_t depth; /* elements of a run */
    bool padded;   /* lines are copied with zeros at their ends */
    int64_t width; /* pixels of a line as the tiles see it */
    const char *x;
    char *y;
    weir_conv_lay lay; /* of y */
    /* forward: the packed columns of the filter */
    const weir_gemm_view *filter;
    char *packed;
    bool turned; /* few columns: they lie dense instead of being packed */
    int64_t col, cols;
    int64_t chunk, chunks; /* lines of output per task; tasks per plane of output */
    /* grad_w: the images of this round */
    int64_t image, images;
    const char *dy;
    char *lines, *dw;
} direct;

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t ceil_div(int64_t a, int64_t b)
{
    return (a + b - 1) / b;
}

/* Pixels of a line that the windows reach, from the first tap of the first. */
static int64_t reach(const weir_conv *g)
{
    return (g->out[2] - 1) * g->stride[2] + (g->taps[2] - 1) * g->dilation[2] + 1;
}

bool weir_conv_direct_fits(const weir_conv *g)
{
    int64_t runs = g->dilation[2] == 1 ? 1 : g->taps[2];
    return (g->elem == WEIR_E_f32 || g->elem == WEIR_E_f64) && g->in_c == g->filter_c &&
           g->out[2] >= LEAST_WIDTH && g->taps[0] * g->taps[1] * runs <= MOST_SEGS;
}

static direct direct_of(const weir_conv *g, const void *x)
{
    bool joined = g->dilation[2] == 1, padded = g->pad[2] > 0 || reach(g) > g->in[2];
    return (direct){
        .g = g,
        .loops = g->elem == WEIR_E_f64 ? WEIR_ISA_PICK(weir_gemm_loops_f64)
                                       : WEIR_ISA_PICK(weir_gemm_loops_f32),
        .then = WEIR_ISA_PICK(weir_epilogue_loops),
        .unit = weir_elem_size(g->elem),
        .runs = joined ? 1 : g->taps[2],
        .depth = (joined ? g->taps[2] : 1) * g->in_c,
        .padded = padded,
        .width = padded ? reach(g) : g->in[2],
        .x = x,
    };
}

/* The line at (z, y) of an image, as the tiles want it: copied to |to| with zeros where the image
 * does not reach. */
static void copy_line(const direct *d, int64_t image, int64_t z, int64_t y, char *to)
{
    const weir_conv *g = d->g;
    int64_t pixel = g->in_c * d->unit, from = ((image * g->in[0] + z) * g->in[1] + y) * g->in[2];
    int64_t left = least(g->pad[2], d->width), there = least(g->in[2], d->width - left);
    memset(to, 0, (size_t)(left * pixel));
    memcpy(to + left * pixel, d->x + from * pixel, (size_t)(there * pixel));
    memset(to + (left + there) * pixel, 0, (size_t)((d->width - left - there) * pixel));
}

/* ---- forward -----------------------------------------------------------------------------------
 */

/* The lines that output lines [first, last) of plane |oz| see, and where they are: copied, or in
 * the image itself. */
typedef struct seen {
    const char *at; /* line |top| of plane 0 */
    int64_t top, count;
    int64_t plane; /* elements from one depth tap to the next */
} seen;

static seen see(const direct *d, int64_t image, int64_t oz, int64_t first, int64_t last)
{
    const weir_conv *g = d->g;
    int64_t top = first * g->stride[1] - g->pad[1];
    int64_t bottom = (last - 1) * g->stride[1] - g->pad[1] + (g->taps[1] - 1) * g->dilation[1] + 1;
    seen s = {.top = top < 0 ? 0 : top};
    s.count = least(bottom, g->in[1]) - s.top;
    int64_t line = d->width * g->in_c, z0 = oz * g->stride[0] - g->pad[0];
    if (!d->padded) {
        s.plane = g->dilation[0] * g->in[1] * line;
        s.at = d->x + (((image * g->in[0] + z0) * g->in[1] + s.top) * line) * d->unit;
        return s;
    }
    if (s.count < 0)
        s.count = 0;
    s.plane = s.count * line;
    char *to = weir_scratch(WEIR_SCRATCH_CONV, (size_t)(g->taps[0] * s.plane * d->unit) + 64);
    s.at = to;
    for (int64_t kz = 0; kz < g->taps[0]; kz++) {
        int64_t z = z0 + kz * g->dilation[0];
        for (int64_t y = 0; z >= 0 && z < g->in[0] && y < s.count; y++)
            copy_line(d, image, z, s.top + y, to + (kz * s.plane + y * line) * d->unit);
    }
    return s;
}

/* The runs of the patch of output line |oy|, without those outside the image. */
static int64_t list_runs(const direct *d, const seen *s, int64_t oz, int64_t oy,
                         weir_gemm_seg *segs)
{
    const weir_conv *g = d->g;
    int64_t count = 0, line = d->width * g->in_c;
    for (int64_t kz = 0; kz < g->taps[0]; kz++) {
        int64_t z = oz * g->stride[0] - g->pad[0] + kz * g->dilation[0];
        for (int64_t ky = 0; z >= 0 && z < g->in[0] && ky < g->taps[1]; ky++) {
            int64_t y = oy * g->stride[1] - g->pad[1] + ky * g->dilation[1];
            for (int64_t kx = 0; y >= 0 && y < g->in[1] && kx < d->runs; kx++)
                segs[count++] = (weir_gemm_seg){
                    kz * s->plane + (y - s->top) * line + kx * g->dilation[2] * g->in_c,
                    ((kz * g->taps[1] + ky) * d->runs + kx) * d->depth,
                };
        }
    }
    return count;
}

static void clear_line(const direct *d, char *y)
{
    for (int64_t i = 0; i < d->g->out[2]; i++)
        memset(y + i * d->lay.step[2] * d->unit, 0, (size_t)(d->cols * d->unit));
}

static char *line_at(const direct *d, int64_t image, int64_t oz, int64_t oy)
{
    int64_t at = image * d->lay.image + oz * d->lay.step[0] + oy * d->lay.step[1] + d->col;
    return d->y + at * d->unit;
}

static void run_line(const direct *d, const seen *s, int64_t image, int64_t oz, int64_t oy)
{
    const weir_conv *g = d->g;
    weir_gemm_seg segs[MOST_SEGS];
    weir_gemm_block block = {
        .rows = g->out[2],
        .cols = d->cols,
        .depth = d->depth,
        .a = s->at,
        .a_rs = g->stride[2] * g->in_c,
        .a_cs = 1,
        .segs = segs,
        .seg_count = list_runs(d, s, oz, oy, segs),
        .b = d->packed,
        .b_depth = g->taps[0] * g->taps[1] * d->runs * d->depth,
        .c = line_at(d, image, oz, oy),
        .ldc = d->lay.step[2],
    };
    if (!block.seg_count)
        clear_line(d, block.c);
    else
        (d->turned ? d->loops->turned : d->loops->block)(&block);
}

/* A line that was written some lines ago is still at hand, but no longer on its way there. */
static void finish_line(const direct *d, int64_t image, int64_t oz, int64_t oy)
{
    const weir_epilogue *then = d->g->then;
    d->then->run(&(weir_epilogue){then->bias + d->col, then->relu}, d->g->out[2], d->cols,
                 (float *)line_at(d, image, oz, oy), d->lay.step[2]);
}

static void forward_part(void *ctx, int64_t begin, int64_t end)
{
    const direct *d = ctx;
    const weir_conv *g = d->g;
    for (int64_t task = begin; task < end; task++) {
        int64_t first = task % d->chunks * d->chunk, last = least(first + d->chunk, g->out[1]);
        int64_t oz = task / d->chunks % g->out[0], image = task / d->chunks / g->out[0];
        seen s = see(d, image, oz, first, last);
        for (int64_t oy = first; oy < last; oy++)
            run_line(d, &s, image, oz, oy);
        for (int64_t oy = first; g->then && oy < last; oy++)
            finish_line(d, image, oz, oy);
    }
}

static void turn_filter(const direct *d, int64_t k)
{
    for (int64_t j = 0; j < d->cols; j++)
        for (int64_t p = 0; p < k; p++) {
            int64_t from = p * d->g->out_c + j, to = j * k + p;
            if (d->unit == sizeof(float))
                ((float *)d->packed)[to] = ((const float *)d->filter->at)[from];
            else
                ((double *)d->packed)[to] = ((const double *)d->filter->at)[from];
        }
}

static void pack_part(void *ctx, int64_t begin, int64_t end)
{
    const direct *d = ctx;
    const weir_conv *g = d->g;
    int64_t nr = d->loops->nr, k = g->taps[0] * g->taps[1] * g->taps[2] * g->in_c;
    for (int64_t panel = begin; panel < end; panel++)
        d->loops->pack_b(d->filter, 0, k, d->col + panel * nr, least(nr, d->cols - panel * nr),
                         d->packed + panel * nr * k * d->unit);
}

void weir_conv_direct(const weir_par *par, const weir_conv *g, const void *x, const void *w,
                      void *y)
{
    int64_t line = g->out[2] * g->out_c, plane = g->out[1] * line;
    weir_conv_lay dense = {g->out[0] * plane, {plane, line, g->out_c}};
    weir_conv_direct_into(par, g, x, w, y, &dense);
}

void weir_conv_direct_into(const weir_par *par, const weir_conv *g, const void *x, const void *w,
                           void *y, const weir_conv_lay *lay)
{
    direct d = direct_of(g, x);
    int64_t k = g->taps[0] * g->taps[1] * g->taps[2] * g->in_c, nr = d.loops->nr;
    int64_t panels = least(FILTER_BYTES / (k * nr * d.unit) + 1, ceil_div(g->out_c, nr));
    weir_gemm_view filter = {.at = w, .rs = g->out_c, .cs = 1, .elem = g->elem};
    d.filter = &filter;
    d.y = y;
    d.lay = *lay;
    d.turned = g->out_c <= WEIR_GEMM_TURNED && d.depth >= d.loops->vec;
    d.packed = weir_scratch(WEIR_SCRATCH_GEMM_B, (size_t)(panels * nr * k * d.unit));
    /* Lines of output whose image lines fit the buffer, but several tasks for every thread. */
    int64_t room = LINES_BYTES / (d.width * g->in_c * g->taps[0] * d.unit);
    d.chunk = (room - (g->taps[1] - 1) * g->dilation[1]) / g->stride[1];
    int64_t threads = par ? par->threads : 1, share = g->batch * g->out[0] * g->out[1];
    d.chunk = least(d.chunk, ceil_div(share, 4 * threads));
    d.chunk = d.chunk < 1 ? 1 : least(d.chunk, g->out[1]);
    d.chunks = ceil_div(g->out[1], d.chunk);
    double work = (double)k * (double)g->out[2] * (double)d.chunk;
    for (d.col = 0; d.col < g->out_c; d.col += d.cols) {
        d.cols = least(panels * nr, g->out_c - d.col);
        if (d.turned)
            turn_filter(&d, k);
        else
            weir_par_for(par, ceil_div(d.cols, nr), (1 << 16) / (k * nr) + 1, pack_part, &d);
        int64_t grain = (int64_t)((1 << 19) / (work * (double)d.cols)) + 1;
        weir_par_for(par, g->batch * g->out[0] * d.chunks, grain, forward_part, &d);
    }
}

/* ---- the gradient of the filter ----------------------------------------------------------------
 */

/* One index: a line of an image is copied, or a panel of the gradient packed. */
static void gather_part(void *ctx, int64_t begin, int64_t end)
{
    const direct *d = ctx;
    const weir_conv *g = d->g;
    int64_t nr = d->loops->nr, pixels = d->images * g->out[0] * g->out[1] * g->out[2];
    int64_t panels = ceil_div(g->out_c, nr), line = d->width * g->in_c * d->unit;
    weir_gemm_view dy = {.at = d->dy + d->image * pixels / d->images * g->out_c * d->unit,
                         .rs = g->out_c,
                         .cs = 1,
                         .elem = g->elem};
    for (int64_t i = begin; i < end; i++) {
        if (i < panels) {
            d->loops->pack_b(&dy, 0, pixels, i * nr, least(nr, g->out_c - i * nr),
                             d->packed + i * nr * pixels * d->unit);
            continue;
        }
        int64_t at = i - panels, y = at % g->in[1], z = at / g->in[1] % g->in[0];
        copy_line(d, d->image + at / (g->in[0] * g->in[1]), z, y, d->lines + at * line);
    }
}

/* Every output line of the round meets the image line that tap (kz, ky) sees from there. */
static int64_t list_lines(const direct *d, int64_t kz, int64_t ky, int64_t kx, weir_gemm_seg *segs)
{
    const weir_conv *g = d->g;
    int64_t count = 0, line = d->width * g->in_c, at = 0;
    for (int64_t n = 0; n < d->images; n++)
        for (int64_t oz = 0; oz < g->out[0]; oz++)
            for (int64_t oy = 0; oy < g->out[1]; oy++, at++) {
                int64_t z = oz * g->stride[0] - g->pad[0] + kz * g->dilation[0];
                int64_t y = oy * g->stride[1] - g->pad[1] + ky * g->dilation[1];
                if (z < 0 || z >= g->in[0] || y < 0 || y >= g->in[1])
                    continue;
                segs[count++] = (weir_gemm_seg){
                    ((n * g->in[0] + z) * g->in[1] + y) * line + kx * g->dilation[2] * g->in_c,
                    at * g->out[2],
                };
            }
    return count;
}

/* One index: some rows of the filter's gradient, within one run of the patch. */
static void grad_part(void *ctx, int64_t begin, int64_t end)
{
    const direct *d = ctx;
    const weir_conv *g = d->g;
    int64_t tiles = ceil_div(d->depth, d->loops->mr), lines = d->images * g->out[0] * g->out[1];
    weir_gemm_seg *segs = weir_scratch(WEIR_SCRATCH_CONV_SUM, sizeof *segs * (size_t)(lines + 1));
    for (int64_t i = begin; i < end; i++) {
        int64_t run = i / tiles, tile = i % tiles, kx = run % d->runs, ky = run / d->runs;
        int64_t from = d->depth * tile / tiles, to = d->depth * (tile + 1) / tiles;
        weir_gemm_block block = {
            .rows = to - from,
            .cols = g->out_c,
            .depth = g->out[2],
            .a = d->lines + from * d->unit,
            .a_rs = 1,
            .a_cs = g->stride[2] * g->in_c,
            .segs = segs,
            .seg_count = list_lines(d, ky / g->taps[1], ky % g->taps[1], kx, segs),
            .b = d->packed,
            .b_depth = lines * g->out[2],
            .c = d->dw + (run * d->depth + from) * g->out_c * d->unit,
            .ldc = g->out_c,
            .add = d->image > 0,
        };
        if (block.seg_count)
            d->loops->block(&block);
        else if (!block.add)
            memset(block.c, 0, (size_t)((to - from) * g->out_c * d->unit));
    }
}

void weir_conv_direct_grad_w(const weir_par *par, const weir_conv *g, const void *x, const void *dy,
                             void *dw)
{
    direct d = direct_of(g, x);
    int64_t nr = d.loops->nr, panels = ceil_div(g->out_c, nr);
    int64_t line = d.width * g->in_c, in_lines = g->in[0] * g->in[1];
    int64_t pixels = g->out[0] * g->out[1] * g->out[2];
    int64_t image = (in_lines * line + pixels * panels * nr) * d.unit;
    int64_t most = least(GRAD_BYTES / image + 1, g->batch);
    d.dy = dy;
    d.dw = dw;
    d.packed = weir_scratch(WEIR_SCRATCH_GEMM_B, (size_t)(most * pixels * panels * nr * d.unit));
    if (d.padded)
        d.lines = weir_scratch(WEIR_SCRATCH_CONV, (size_t)(most * in_lines * line * d.unit));
    int64_t tasks = g->taps[0] * g->taps[1] * d.runs * ceil_div(d.depth, d.loops->mr);
    double work = (double)g->out_c * (double)d.loops->mr * (double)(most * pixels);
    for (d.image = 0; d.image < g->batch; d.image += d.images) {
        d.images = least(most, g->batch - d.image);
        if (!d.padded)
            d.lines = (char *)d.x + d.image * in_lines * line * d.unit;
        weir_par_for(par, panels + (d.padded ? d.images * in_lines : 0), (1 << 14) / (line + 1) + 1,
                     gather_part, &d);
        weir_par_for(par, tasks, (int64_t)((1 << 18) / work) + 1, grad_part, &d);
    }
}
