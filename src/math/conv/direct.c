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
    const weir_conv *conv;
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
static int64_t reach(const weir_conv *conv)
{
    return (conv->out[2] - 1) * conv->stride[2] + (conv->taps[2] - 1) * conv->dilation[2] + 1;
}

bool weir_conv_direct_fits(const weir_conv *conv)
{
    int64_t runs = conv->dilation[2] == 1 ? 1 : conv->taps[2];
    return (conv->elem == WEIR_E_f32 || conv->elem == WEIR_E_f64) && conv->in_c == conv->filter_c &&
           conv->out[2] >= MIN_WIDTH && conv->taps[0] * conv->taps[1] * runs <= MAX_SEGS;
}

static direct direct_of(const weir_conv *conv, const void *x)
{
    bool joined = conv->dilation[2] == 1, padded = conv->pad[2] > 0 || reach(conv) > conv->in[2];
    return (direct){
        .conv = conv,
        .loops = conv->elem == WEIR_E_f64 ? WEIR_ISA_PICK(weir_gemm_loops_f64)
                                          : WEIR_ISA_PICK(weir_gemm_loops_f32),
        .then = WEIR_ISA_PICK(weir_epilogue_loops),
        .unit = weir_elem_size(conv->elem),
        .runs = joined ? 1 : conv->taps[2],
        .depth = (joined ? conv->taps[2] : 1) * conv->in_c,
        .padded = padded,
        .width = padded ? reach(conv) : conv->in[2],
        .x = x,
    };
}

/* Copies line (z, y) of an image to |to|, with zeros for the padding. */
static void copy_line(const direct *direct, int64_t image, int64_t z, int64_t y, char *to)
{
    const weir_conv *conv = direct->conv;
    int64_t pixel = conv->in_c * direct->unit,
            from = ((image * conv->in[0] + z) * conv->in[1] + y) * conv->in[2];
    int64_t left = weir_min(conv->pad[2], direct->width),
            inside = weir_min(conv->in[2], direct->width - left);
    memset(to, 0, (size_t)(left * pixel));
    memcpy(to + left * pixel, direct->x + from * pixel, (size_t)(inside * pixel));
    memset(to + (left + inside) * pixel, 0, (size_t)((direct->width - left - inside) * pixel));
}

/* ---- forward ---- */

/* The input lines that some output lines of one plane read. */
typedef struct input_lines {
    const char *at;     /* line |top| of the first tap's plane: in the image, or copied */
    int64_t top, count; /* the first line, and how many there are */
    int64_t plane;      /* elements from one depth tap to the next */
} input_lines;

/* The input lines of output lines [first, last) of plane |oz|, copied if they need padding. */
static input_lines read_lines(const direct *direct, int64_t image, int64_t oz, int64_t first,
                              int64_t last)
{
    const weir_conv *conv = direct->conv;
    int64_t top = first * conv->stride[1] - conv->pad[1];
    int64_t bottom =
        (last - 1) * conv->stride[1] - conv->pad[1] + (conv->taps[1] - 1) * conv->dilation[1] + 1;
    input_lines lines = {.top = top < 0 ? 0 : top};
    lines.count = weir_min(bottom, conv->in[1]) - lines.top;
    int64_t line = direct->width * conv->in_c, z0 = oz * conv->stride[0] - conv->pad[0];
    if (!direct->padded) {
        lines.plane = conv->dilation[0] * conv->in[1] * line;
        lines.at = direct->x +
                   (((image * conv->in[0] + z0) * conv->in[1] + lines.top) * line) * direct->unit;
        return lines;
    }
    if (lines.count < 0)
        lines.count = 0;
    lines.plane = lines.count * line;
    char *to =
        weir_scratch(WEIR_SCRATCH_CONV, (size_t)(conv->taps[0] * lines.plane * direct->unit) + 64);
    lines.at = to;
    for (int64_t kz = 0; kz < conv->taps[0]; kz++) {
        int64_t z = z0 + kz * conv->dilation[0];
        for (int64_t y = 0; z >= 0 && z < conv->in[0] && y < lines.count; y++)
            copy_line(direct, image, z, lines.top + y,
                      to + (kz * lines.plane + y * line) * direct->unit);
    }
    return lines;
}

/* The runs of the patch of output line |oy|, without those outside the image. */
static int64_t list_runs(const direct *direct, const input_lines *lines, int64_t oz, int64_t oy,
                         weir_gemm_seg *segs)
{
    const weir_conv *conv = direct->conv;
    int64_t count = 0, line = direct->width * conv->in_c;
    for (int64_t kz = 0; kz < conv->taps[0]; kz++) {
        int64_t z = oz * conv->stride[0] - conv->pad[0] + kz * conv->dilation[0];
        for (int64_t ky = 0; z >= 0 && z < conv->in[0] && ky < conv->taps[1]; ky++) {
            int64_t y = oy * conv->stride[1] - conv->pad[1] + ky * conv->dilation[1];
            for (int64_t kx = 0; y >= 0 && y < conv->in[1] && kx < direct->runs; kx++)
                segs[count++] = (weir_gemm_seg){
                    kz * lines->plane + (y - lines->top) * line +
                        kx * conv->dilation[2] * conv->in_c,
                    ((kz * conv->taps[1] + ky) * direct->runs + kx) * direct->depth,
                };
        }
    }
    return count;
}

static void clear_line(const direct *direct, char *y)
{
    for (int64_t i = 0; i < direct->conv->out[2]; i++)
        memset(y + i * direct->strides.step[2] * direct->unit, 0,
               (size_t)(direct->cols * direct->unit));
}

static char *line_at(const direct *direct, int64_t image, int64_t oz, int64_t oy)
{
    int64_t at = image * direct->strides.image + oz * direct->strides.step[0] +
                 oy * direct->strides.step[1] + direct->col;
    return direct->y + at * direct->unit;
}

static void run_line(const direct *direct, const input_lines *lines, int64_t image, int64_t oz,
                     int64_t oy)
{
    const weir_conv *conv = direct->conv;
    weir_gemm_seg segs[MAX_SEGS];
    weir_gemm_block block = {
        .rows = conv->out[2],
        .cols = direct->cols,
        .depth = direct->depth,
        .a = lines->at,
        .a_rs = conv->stride[2] * conv->in_c,
        .a_cs = 1,
        .segs = segs,
        .seg_count = list_runs(direct, lines, oz, oy, segs),
        .b = direct->packed,
        .b_depth = conv->taps[0] * conv->taps[1] * direct->runs * direct->depth,
        .c = line_at(direct, image, oz, oy),
        .ldc = direct->strides.step[2],
    };
    if (!block.seg_count)
        clear_line(direct, block.c);
    else
        (direct->transposed ? direct->loops->block_dots : direct->loops->block)(&block);
}

/* Applies the epilogue to a line of output. It is called some lines after the line was stored: the
 * line is still in the cache, and the stores have completed. */
static void finish_line(const direct *direct, int64_t image, int64_t oz, int64_t oy)
{
    const weir_epilogue *then = direct->conv->epilogue;
    direct->then->run(&(weir_epilogue){then->bias + direct->col, then->relu}, direct->conv->out[2],
                      direct->cols, (float *)line_at(direct, image, oz, oy),
                      direct->strides.step[2]);
}

static void forward_part(void *ctx, int64_t begin, int64_t end)
{
    const direct *direct = ctx;
    const weir_conv *conv = direct->conv;
    for (int64_t task = begin; task < end; task++) {
        int64_t first = task % direct->chunks * direct->chunk,
                last = weir_min(first + direct->chunk, conv->out[1]);
        int64_t oz = task / direct->chunks % conv->out[0],
                image = task / direct->chunks / conv->out[0];
        input_lines lines = read_lines(direct, image, oz, first, last);
        for (int64_t oy = first; oy < last; oy++)
            run_line(direct, &lines, image, oz, oy);
        for (int64_t oy = first; conv->epilogue && oy < last; oy++)
            finish_line(direct, image, oz, oy);
    }
}

static void transpose_filter(const direct *direct, int64_t k)
{
    for (int64_t j = 0; j < direct->cols; j++)
        for (int64_t p = 0; p < k; p++) {
            int64_t from = p * direct->conv->out_c + j, to = j * k + p;
            if (direct->unit == sizeof(float))
                ((float *)direct->packed)[to] = ((const float *)direct->filter->at)[from];
            else
                ((double *)direct->packed)[to] = ((const double *)direct->filter->at)[from];
        }
}

static void pack_part(void *ctx, int64_t begin, int64_t end)
{
    const direct *direct = ctx;
    const weir_conv *conv = direct->conv;
    int64_t nr = direct->loops->nr, k = conv->taps[0] * conv->taps[1] * conv->taps[2] * conv->in_c;
    for (int64_t panel = begin; panel < end; panel++)
        direct->loops->pack_b(direct->filter, 0, k, direct->col + panel * nr,
                              weir_min(nr, direct->cols - panel * nr),
                              direct->packed + panel * nr * k * direct->unit);
}

void weir_conv_direct(const weir_par *par, const weir_conv *conv, const void *x, const void *w,
                      void *y)
{
    int64_t line = conv->out[2] * conv->out_c, plane = conv->out[1] * line;
    weir_conv_strides dense = {conv->out[0] * plane, {plane, line, conv->out_c}};
    weir_conv_direct_into(par, conv, x, w, y, &dense);
}

void weir_conv_direct_into(const weir_par *par, const weir_conv *conv, const void *x, const void *w,
                           void *y, const weir_conv_strides *strides)
{
    direct direct = direct_of(conv, x);
    int64_t k = conv->taps[0] * conv->taps[1] * conv->taps[2] * conv->in_c, nr = direct.loops->nr;
    int64_t panels =
        weir_min(FILTER_BYTES / (k * nr * direct.unit) + 1, weir_ceil_div(conv->out_c, nr));
    weir_gemm_view filter = {.at = w, .rs = conv->out_c, .cs = 1, .elem = conv->elem};
    direct.filter = &filter;
    direct.y = y;
    direct.strides = *strides;
    direct.transposed = conv->out_c <= WEIR_GEMM_DOT_COLS && direct.depth >= direct.loops->vec;
    direct.packed = weir_scratch(WEIR_SCRATCH_GEMM_B, (size_t)(panels * nr * k * direct.unit));
    /* Output lines whose input lines fit the buffer, but few enough for several tasks per thread.
     */
    int64_t scratch = LINES_BYTES / (direct.width * conv->in_c * conv->taps[0] * direct.unit);
    direct.chunk = (scratch - (conv->taps[1] - 1) * conv->dilation[1]) / conv->stride[1];
    int64_t threads = par ? par->threads : 1, share = conv->batch * conv->out[0] * conv->out[1];
    direct.chunk = weir_min(direct.chunk, weir_ceil_div(share, 4 * threads));
    direct.chunk = direct.chunk < 1 ? 1 : weir_min(direct.chunk, conv->out[1]);
    direct.chunks = weir_ceil_div(conv->out[1], direct.chunk);
    double work = (double)k * (double)conv->out[2] * (double)direct.chunk;
    for (direct.col = 0; direct.col < conv->out_c; direct.col += direct.cols) {
        direct.cols = weir_min(panels * nr, conv->out_c - direct.col);
        if (direct.transposed)
            transpose_filter(&direct, k);
        else
            weir_par_for(par, weir_ceil_div(direct.cols, nr), (1 << 16) / (k * nr) + 1, pack_part,
                         &direct);
        int64_t grain = (int64_t)((1 << 19) / (work * (double)direct.cols)) + 1;
        weir_par_for_long(par, conv->batch * conv->out[0] * direct.chunks, grain, forward_part,
                          &direct);
    }
}

/* ---- the gradient of the filter ---- */

/* Each index packs a panel of dy, or copies a line of an image. */
static void gather_part(void *ctx, int64_t begin, int64_t end)
{
    const direct *direct = ctx;
    const weir_conv *conv = direct->conv;
    int64_t nr = direct->loops->nr,
            pixels = direct->images * conv->out[0] * conv->out[1] * conv->out[2];
    int64_t panels = weir_ceil_div(conv->out_c, nr),
            line = direct->width * conv->in_c * direct->unit;
    weir_gemm_view dy = {.at = direct->dy +
                               direct->image * pixels / direct->images * conv->out_c * direct->unit,
                         .rs = conv->out_c,
                         .cs = 1,
                         .elem = conv->elem};
    for (int64_t i = begin; i < end; i++) {
        if (i < panels) {
            direct->loops->pack_b(&dy, 0, pixels, i * nr, weir_min(nr, conv->out_c - i * nr),
                                  direct->packed + i * nr * pixels * direct->unit);
            continue;
        }
        int64_t at = i - panels, y = at % conv->in[1], z = at / conv->in[1] % conv->in[0];
        copy_line(direct, direct->image + at / (conv->in[0] * conv->in[1]), z, y,
                  direct->lines + at * line);
    }
}

/* Pairs every output line of the round with the input line that tap (kz, ky, kx) reads for it. */
static int64_t list_lines(const direct *direct, int64_t kz, int64_t ky, int64_t kx,
                          weir_gemm_seg *segs)
{
    const weir_conv *conv = direct->conv;
    int64_t count = 0, line = direct->width * conv->in_c, at = 0;
    for (int64_t n = 0; n < direct->images; n++)
        for (int64_t oz = 0; oz < conv->out[0]; oz++)
            for (int64_t oy = 0; oy < conv->out[1]; oy++, at++) {
                int64_t z = oz * conv->stride[0] - conv->pad[0] + kz * conv->dilation[0];
                int64_t y = oy * conv->stride[1] - conv->pad[1] + ky * conv->dilation[1];
                if (z < 0 || z >= conv->in[0] || y < 0 || y >= conv->in[1])
                    continue;
                segs[count++] = (weir_gemm_seg){
                    ((n * conv->in[0] + z) * conv->in[1] + y) * line +
                        kx * conv->dilation[2] * conv->in_c,
                    at * conv->out[2],
                };
            }
    return count;
}

/* Each index computes some rows of the filter's gradient, within one run of the patch. */
static void grad_part(void *ctx, int64_t begin, int64_t end)
{
    const direct *direct = ctx;
    const weir_conv *conv = direct->conv;
    int64_t tiles = weir_ceil_div(direct->depth, direct->loops->mr),
            lines = direct->images * conv->out[0] * conv->out[1];
    weir_gemm_seg *segs = weir_scratch(WEIR_SCRATCH_CONV_SUM, sizeof *segs * (size_t)(lines + 1));
    for (int64_t i = begin; i < end; i++) {
        int64_t run = i / tiles, tile = i % tiles, kx = run % direct->runs, ky = run / direct->runs;
        int64_t from = direct->depth * tile / tiles, to = direct->depth * (tile + 1) / tiles;
        weir_gemm_block block = {
            .rows = to - from,
            .cols = conv->out_c,
            .depth = conv->out[2],
            .a = direct->lines + from * direct->unit,
            .a_rs = 1,
            .a_cs = conv->stride[2] * conv->in_c,
            .segs = segs,
            .seg_count = list_lines(direct, ky / conv->taps[1], ky % conv->taps[1], kx, segs),
            .b = direct->packed,
            .b_depth = lines * conv->out[2],
            .c = direct->dw + (run * direct->depth + from) * conv->out_c * direct->unit,
            .ldc = conv->out_c,
            .add = direct->image > 0,
        };
        if (block.seg_count)
            direct->loops->block(&block);
        else if (!block.add)
            memset(block.c, 0, (size_t)((to - from) * conv->out_c * direct->unit));
    }
}

void weir_conv_direct_grad_w(const weir_par *par, const weir_conv *conv, const void *x,
                             const void *dy, void *dw)
{
    direct direct = direct_of(conv, x);
    int64_t nr = direct.loops->nr, panels = weir_ceil_div(conv->out_c, nr);
    int64_t line = direct.width * conv->in_c, in_lines = conv->in[0] * conv->in[1];
    int64_t pixels = conv->out[0] * conv->out[1] * conv->out[2];
    int64_t image = (in_lines * line + pixels * panels * nr) * direct.unit;
    int64_t most = weir_min(GRAD_BYTES / image + 1, conv->batch);
    direct.dy = dy;
    direct.dw = dw;
    direct.packed =
        weir_scratch(WEIR_SCRATCH_GEMM_B, (size_t)(most * pixels * panels * nr * direct.unit));
    if (direct.padded)
        direct.lines =
            weir_scratch(WEIR_SCRATCH_CONV, (size_t)(most * in_lines * line * direct.unit));
    int64_t tasks =
        conv->taps[0] * conv->taps[1] * direct.runs * weir_ceil_div(direct.depth, direct.loops->mr);
    double work = (double)conv->out_c * (double)direct.loops->mr * (double)(most * pixels);
    for (direct.image = 0; direct.image < conv->batch; direct.image += direct.images) {
        direct.images = weir_min(most, conv->batch - direct.image);
        if (!direct.padded)
            direct.lines = (char *)direct.x + direct.image * in_lines * line * direct.unit;
        weir_par_for(par, panels + (direct.padded ? direct.images * in_lines : 0),
                     (1 << 14) / (line + 1) + 1, gather_part, &direct);
        weir_par_for(par, tasks, (int64_t)((1 << 18) / work) + 1, grad_part, &direct);
    }
}
