/* math/softmax/softmax.c - rows shared out over threads; 16-bit rows by way of float. */
#include "math/softmax/softmax.h"

#include <math.h>

#include "math/cast/cast.h"
#include "math/half.h"
#include "math/scratch.h"
#include "math/softmax/softmax_impl.h"

static const weir_softmax_loops *loops_of(weir_elem elem)
{
    return elem == WEIR_E_f64 ? WEIR_ISA_PICK(weir_softmax_loops_f64)
                              : WEIR_ISA_PICK(weir_softmax_loops_f32);
}

static int64_t grain_of(int64_t cols)
{
    return (1 << 13) / (cols + 1) + 1;
}

static const char *at(const void *p, int64_t i, weir_elem elem)
{
    return (const char *)p + i * weir_elem_size(elem);
}

typedef struct plain_job {
    weir_elem elem;
    bool log;
    int64_t cols;
    const void *x;
    void *y;
} plain_job;

static void plain_rows(void *ctx, int64_t begin, int64_t end)
{
    const plain_job *w = ctx;
    const weir_softmax_loops *loops = loops_of(w->elem);
    bool half = weir_elem_is_half(w->elem);
    float *row = half ? weir_scratch(WEIR_SCRATCH_ROW, sizeof(float) * (size_t)w->cols) : NULL;
    for (int64_t r = begin; r < end; r++) {
        const void *x = at(w->x, r * w->cols, w->elem);
        void *y = (void *)at(w->y, r * w->cols, w->elem);
        if (half)
            weir_halves_to_floats(w->elem, w->cols, x, row);
        loops->row(w->log, w->cols, half ? row : x, half ? row : y);
        if (half)
            weir_floats_to_halves(w->elem, w->cols, row, y);
    }
}

void weir_softmax(const weir_par *par, weir_elem elem, bool log, int64_t rows, int64_t cols,
                  const void *x, void *y)
{
    plain_job w = {elem, log, cols, x, y};
    if (cols > 0)
        weir_par_for(par, rows, grain_of(cols), plain_rows, &w);
}

/* ---- cross-entropies ---- */

typedef struct xent_job {
    const weir_xent *w;
    bool wide;
} xent_job;

static double load(weir_elem elem, const void *p)
{
    return elem == WEIR_E_f64   ? *(const double *)p
           : elem == WEIR_E_f32 ? *(const float *)p
           : elem == WEIR_E_f16 ? weir_f16_f32(*(const uint16_t *)p)
                                : weir_bf16_f32(*(const uint16_t *)p);
}

static void store(weir_elem elem, void *p, double v)
{
    if (elem == WEIR_E_f64)
        *(double *)p = v;
    else if (elem == WEIR_E_f32)
        *(float *)p = (float)v;
    else
        *(uint16_t *)p = elem == WEIR_E_f16 ? weir_f32_f16((float)v) : weir_f32_bf16((float)v);
}

/* A row as float or double: itself when it is one already, else written to |scratch|. */
static const void *row_of(const weir_xent *w, const void *from, int col_step, void *scratch)
{
    if (col_step == 0 && w->cols > 1) {
        double v = load(w->elem, from);
        for (int64_t i = 0; i < w->cols; i++)
            store(w->elem == WEIR_E_f64 ? WEIR_E_f64 : WEIR_E_f32,
                  (char *)scratch + i * (w->elem == WEIR_E_f64 ? 8 : 4), v);
        return scratch;
    }
    if (!weir_elem_is_half(w->elem))
        return from;
    weir_halves_to_floats(w->elem, w->cols, from, scratch);
    return scratch;
}

/* While the row is still in the cache. */
static void scale_row(const weir_xent *w, const weir_softmax_loops *loops, int64_t r, void *y)
{
    if (w->scale)
        loops->times(w->cols, at(w->scale, r * w->scale_row, w->elem), y);
}

static void dense_rows(void *ctx, int64_t begin, int64_t end)
{
    const weir_xent *w = ((const xent_job *)ctx)->w;
    const weir_softmax_loops *loops = loops_of(w->elem);
    size_t bytes = sizeof(double) * (size_t)w->cols;
    char *scratch = weir_scratch(WEIR_SCRATCH_ROW, 3 * bytes);
    bool half = weir_elem_is_half(w->elem);
    for (int64_t r = begin; r < end; r++) {
        const void *x =
            row_of(w, at(w->logits, r * w->logits_row, w->elem), w->logits_col, scratch);
        const void *labels =
            row_of(w, at(w->labels, r * w->labels_row, w->elem), w->labels_col, scratch + bytes);
        void *y = (void *)at(w->backprop, r * w->cols, w->elem);
        double loss = loops->dense(w->cols, x, labels, half ? (void *)(scratch + 2 * bytes) : y);
        if (half)
            weir_floats_to_halves(w->elem, w->cols, (float *)(scratch + 2 * bytes), y);
        scale_row(w, loops, r, y);
        store(w->elem, (void *)at(w->loss, r, w->elem), loss);
    }
}

void weir_xent_dense(const weir_par *par, const weir_xent *w)
{
    xent_job job = {w, false};
    weir_par_for(par, w->rows, grain_of(w->cols), dense_rows, &job);
}

static void all_nan(const weir_xent *w, int64_t row)
{
    for (int64_t i = 0; i < w->cols; i++)
        store(w->elem, (void *)at(w->backprop, row * w->cols + i, w->elem), NAN);
    store(w->elem, (void *)at(w->loss, row, w->elem), NAN);
}

static void sparse_rows(void *ctx, int64_t begin, int64_t end)
{
    const xent_job *job = ctx;
    const weir_xent *w = job->w;
    const weir_softmax_loops *loops = loops_of(w->elem);
    bool half = weir_elem_is_half(w->elem);
    float *scratch = half ? weir_scratch(WEIR_SCRATCH_ROW, sizeof(float) * (size_t)w->cols) : NULL;
    for (int64_t r = begin; r < end; r++) {
        int64_t label =
            job->wide ? ((const int64_t *)w->labels)[r] : ((const int32_t *)w->labels)[r];
        if (label < 0 || label >= w->cols) {
            all_nan(w, r);
            continue;
        }
        const void *x = row_of(w, at(w->logits, r * w->cols, w->elem), 1, scratch);
        void *y = (void *)at(w->backprop, r * w->cols, w->elem);
        double loss = loops->sparse(w->cols, x, label, half ? scratch : y);
        if (half)
            weir_floats_to_halves(w->elem, w->cols, scratch, y);
        scale_row(w, loops, r, y);
        store(w->elem, (void *)at(w->loss, r, w->elem), loss);
    }
}

void weir_xent_sparse(const weir_par *par, const weir_xent *w, bool wide)
{
    xent_job job = {w, wide};
    weir_par_for(par, w->rows, grain_of(w->cols), sparse_rows, &job);
}
