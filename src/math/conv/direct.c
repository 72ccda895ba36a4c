/* math/conv/direct.c - convolutions that read the image in place. */
#include "math/conv/direct.h"
#include "base/arith.h"

#include <string.h>

#include "math/gemm/gemm_impl.h"
#include "math/scratch.h"

enum {
    FILTER_BYTES = 1 << 20, /* of packed filter at a time: stays in the second-level cache */
    LINES_BYTES = 1 << 18,  /* of padded lines at a time: stays there as well */
    GRAD_BYTES = 1 << 19,   /* of padded lines and packed dy at a time, for the filter's gradient */
    MAX_SEGS = 1024,        /* most runs of a patch: their list is on the stack */
    MIN_WIDTH = 4,          /* narrower outputs make poor tiles */
};

typedef struct direct {
    const weir_conv *g;
    const weir_gemm_loops *loops;
    const weir_epilogue_loops *then;
    int64_t unit; /* bytes of an element */
    int64_t runs; /* runs of a patch per line of taps: 1 when taps are adjacent, else one per tap */
    int64_t depth; /* elements of a run */
    bool padded;   /* lines are copied with padding */
    int64_t width; /* pixels of a line as the tiles read it */
    const char *x;
    char *y;
    weir_conv_strides strides; /* of y */
    /* forward: the packed columns of the filter */
    const weir_gemm_view *filter;
    char *packed;
    bool transposed; /* few output channels: the filter is transposed instead of packed */
    int64_t col, cols;
    int64_t chunk, chunks; /* lines of output per task; tasks per plane of output */
    /* grad_w: the images of this round */
    int64_t image, images;
    const char *dy;
    char *lines, *dw;
} direct;

/* Pixels of a line from the first tap of the first window to the last tap of the last. */
static int64_t reach(const weir_conv *g)
{
    return (g->out[2] - 1) * g->stride[2] + (g->taps[2] - 1) * g->dilation[2] + 1;
}

bool weir_conv_direct_fits(const weir_conv *g)
{
    int64_t runs = g->dilation[2] == 1 ? 1 : g->taps[2];
    return (g->elem == WEIR_E_f32 || g->elem == WEIR_E_f64) && g->in_c == g->filter_c &&
           g->out[2] >= MIN_WIDTH && g->taps[0] * g->taps[1] * runs <= MAX_SEGS;
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

/* Copies line (z, y) of an image to |to|, with zeros for the padding. */
static void copy_line(const direct *d, int64_t image, int64_t z, int64_t y, char *to)
{
    const weir_conv *g = d->g;
    int64_t pixel = g->in_c * d->unit, from = ((image * g->in[0] + z) * g->in[1] + y) * g->in[2];
    int64_t left = weir_min(g->pad[2], d->width), inside = weir_min(g->in[2], d->width - left);
    memset(to, 0, (size_t)(left * pixel));
    memcpy(to + left * pixel, d->x + from * pixel, (size_t)(inside * pixel));
    memset(to + (left + inside) * pixel, 0, (size_t)((d->width - left - inside) * pixel));
}

/* ---- forward ---- */

/* The input lines that some output lines of one plane read. */
typedef struct input_lines {
    const char *at;     /* line |top| of the first tap's plane: in the image, or copied */
    int64_t top, count; /* the first line, and how many there are */
    int64_t plane;      /* elements from one depth tap to the next */
} input_lines;

/* The input lines of output lines [first, last) of plane |oz|, copied if they need padding. */
static input_lines read_lines(const direct *d, int64_t image, int64_t oz, int64_t first,
                              int64_t last)
{
    const weir_conv *g = d->g;
    int64_t top = first * g->stride[1] - g->pad[1];
    int64_t bottom = (last - 1) * g->stride[1] - g->pad[1] + (g->taps[1] - 1) * g->dilation[1] + 1;
    input_lines s = {.top = top < 0 ? 0 : top};
    s.count = weir_min(bottom, g->in[1]) - s.top;
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
static int64_t list_runs(const direct *d, const input_lines *s, int64_t oz, int64_t oy,
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
        memset(y + i * d->strides.step[2] * d->unit, 0, (size_t)(d->cols * d->unit));
}

static char *line_at(const direct *d, int64_t image, int64_t oz, int64_t oy)
{
    int64_t at =
        image * d->strides.image + oz * d->strides.step[0] + oy * d->strides.step[1] + d->col;
    return d->y + at * d->unit;
}

static void run_line(const direct *d, const input_lines *s, int64_t image, int64_t oz, int64_t oy)
{
    const weir_conv *g = d->g;
    weir_gemm_seg segs[MAX_SEGS];
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
        .ldc = d->strides.step[2],
    };
    if (!block.seg_count)
        clear_line(d, block.c);
    else
        (d->transposed ? d->loops->block_dots : d->loops->block)(&block);
}

/* Applies the epilogue to a line of output. It is called some lines after the line was stored: the
 * line is still in the cache, and the stores have completed. */
static void finish_line(const direct *d, int64_t image, int64_t oz, int64_t oy)
{
    const weir_epilogue *then = d->g->epilogue;
    d->then->run(&(weir_epilogue){then->bias + d->col, then->relu}, d->g->out[2], d->cols,
                 (float *)line_at(d, image, oz, oy), d->strides.step[2]);
}

static void forward_part(void *ctx, int64_t begin, int64_t end)
{
    const direct *d = ctx;
    const weir_conv *g = d->g;
    for (int64_t task = begin; task < end; task++) {
        int64_t first = task % d->chunks * d->chunk, last = weir_min(first + d->chunk, g->out[1]);
        int64_t oz = task / d->chunks % g->out[0], image = task / d->chunks / g->out[0];
        input_lines s = read_lines(d, image, oz, first, last);
        for (int64_t oy = first; oy < last; oy++)
            run_line(d, &s, image, oz, oy);
        for (int64_t oy = first; g->epilogue && oy < last; oy++)
            finish_line(d, image, oz, oy);
    }
}

static void transpose_filter(const direct *d, int64_t k)
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
        d->loops->pack_b(d->filter, 0, k, d->col + panel * nr, weir_min(nr, d->cols - panel * nr),
                         d->packed + panel * nr * k * d->unit);
}

void weir_conv_direct(const weir_par *par, const weir_conv *g, const void *x, const void *w,
                      void *y)
{
    int64_t line = g->out[2] * g->out_c, plane = g->out[1] * line;
    weir_conv_strides dense = {g->out[0] * plane, {plane, line, g->out_c}};
    weir_conv_direct_into(par, g, x, w, y, &dense);
}

void weir_conv_direct_into(const weir_par *par, const weir_conv *g, const void *x, const void *w,
                           void *y, const weir_conv_strides *strides)
{
    direct d = direct_of(g, x);
    int64_t k = g->taps[0] * g->taps[1] * g->taps[2] * g->in_c, nr = d.loops->nr;
    int64_t panels = weir_min(FILTER_BYTES / (k * nr * d.unit) + 1, weir_ceil_div(g->out_c, nr));
    weir_gemm_view filter = {.at = w, .rs = g->out_c, .cs = 1, .elem = g->elem};
    d.filter = &filter;
    d.y = y;
    d.strides = *strides;
    d.transposed = g->out_c <= WEIR_GEMM_DOT_COLS && d.depth >= d.loops->vec;
    d.packed = weir_scratch(WEIR_SCRATCH_GEMM_B, (size_t)(panels * nr * k * d.unit));
    /* Output lines whose input lines fit the buffer, but few enough for several tasks per thread.
     */
    int64_t scratch = LINES_BYTES / (d.width * g->in_c * g->taps[0] * d.unit);
    d.chunk = (scratch - (g->taps[1] - 1) * g->dilation[1]) / g->stride[1];
    int64_t threads = par ? par->threads : 1, share = g->batch * g->out[0] * g->out[1];
    d.chunk = weir_min(d.chunk, weir_ceil_div(share, 4 * threads));
    d.chunk = d.chunk < 1 ? 1 : weir_min(d.chunk, g->out[1]);
    d.chunks = weir_ceil_div(g->out[1], d.chunk);
    double work = (double)k * (double)g->out[2] * (double)d.chunk;
    for (d.col = 0; d.col < g->out_c; d.col += d.cols) {
        d.cols = weir_min(panels * nr, g->out_c - d.col);
        if (d.transposed)
            transpose_filter(&d, k);
        else
            weir_par_for(par, weir_ceil_div(d.cols, nr), (1 << 16) / (k * nr) + 1, pack_part, &d);
        int64_t grain = (int64_t)((1 << 19) / (work * (double)d.cols)) + 1;
        weir_par_for(par, g->batch * g->out[0] * d.chunks, grain, forward_part, &d);
    }
}

/* ---- the gradient of the filter ---- */

/* Each index packs a panel of dy, or copies a line of an image. */
static void gather_part(void *ctx, int64_t begin, int64_t end)
{
    const direct *d = ctx;
    const weir_conv *g = d->g;
    int64_t nr = d->loops->nr, pixels = d->images * g->out[0] * g->out[1] * g->out[2];
    int64_t panels = weir_ceil_div(g->out_c, nr), line = d->width * g->in_c * d->unit;
    weir_gemm_view dy = {.at = d->dy + d->image * pixels / d->images * g->out_c * d->unit,
                         .rs = g->out_c,
                         .cs = 1,
                         .elem = g->elem};
    for (int64_t i = begin; i < end; i++) {
        if (i < panels) {
            d->loops->pack_b(&dy, 0, pixels, i * nr, weir_min(nr, g->out_c - i * nr),
                             d->packed + i * nr * pixels * d->unit);
            continue;
        }
        int64_t at = i - panels, y = at % g->in[1], z = at / g->in[1] % g->in[0];
        copy_line(d, d->image + at / (g->in[0] * g->in[1]), z, y, d->lines + at * line);
    }
}

/* Pairs every output line of the round with the input line that tap (kz, ky, kx) reads for it. */
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

/* Each index computes some rows of the filter's gradient, within one run of the patch. */
static void grad_part(void *ctx, int64_t begin, int64_t end)
{
    const direct *d = ctx;
    const weir_conv *g = d->g;
    int64_t tiles = weir_ceil_div(d->depth, d->loops->mr),
            lines = d->images * g->out[0] * g->out[1];
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
    int64_t nr = d.loops->nr, panels = weir_ceil_div(g->out_c, nr);
    int64_t line = d.width * g->in_c, in_lines = g->in[0] * g->in[1];
    int64_t pixels = g->out[0] * g->out[1] * g->out[2];
    int64_t image = (in_lines * line + pixels * panels * nr) * d.unit;
    int64_t most = weir_min(GRAD_BYTES / image + 1, g->batch);
    d.dy = dy;
    d.dw = dw;
    d.packed = weir_scratch(WEIR_SCRATCH_GEMM_B, (size_t)(most * pixels * panels * nr * d.unit));
    if (d.padded)
        d.lines = weir_scratch(WEIR_SCRATCH_CONV, (size_t)(most * in_lines * line * d.unit));
    int64_t tasks = g->taps[0] * g->taps[1] * d.runs * weir_ceil_div(d.depth, d.loops->mr);
    double work = (double)g->out_c * (double)d.loops->mr * (double)(most * pixels);
    for (d.image = 0; d.image < g->batch; d.image += d.images) {
        d.images = weir_min(most, g->batch - d.image);
        if (!d.padded)
            d.lines = (char *)d.x + d.image * in_lines * line * d.unit;
        weir_par_for(par, panels + (d.padded ? d.images * in_lines : 0), (1 << 14) / (line + 1) + 1,
                     gather_part, &d);
        weir_par_for(par, tasks, (int64_t)((1 << 18) / work) + 1, grad_part, &d);
    }
}
