/* math/softmax/softmax.c - distributes rows over threads; converts 16-bit rows to float. */
#include "math/softmax/softmax.h"

#include <math.h>

#include "base/half.h"
#include "math/cast/cast.h"
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
    const plain_job *job = ctx;
    const weir_softmax_loops *loops = loops_of(job->elem);
    bool half = weir_elem_is_half(job->elem);
    float *row = half ? weir_scratch(WEIR_SCRATCH_ROW, sizeof(float) * (size_t)job->cols) : NULL;
    for (int64_t r = begin; r < end; r++) {
        const void *x = at(job->x, r * job->cols, job->elem);
        void *y = (void *)at(job->y, r * job->cols, job->elem);
        if (half)
            weir_halves_to_floats(job->elem, job->cols, x, row);
        loops->row(job->log, job->cols, half ? row : x, half ? row : y);
        if (half)
            weir_floats_to_halves(job->elem, job->cols, row, y);
    }
}

void weir_softmax(const weir_par *par, weir_elem elem, bool log, int64_t rows, int64_t cols,
                  const void *x, void *y)
{
    plain_job job = {elem, log, cols, x, y};
    if (cols > 0)
        weir_par_for(par, rows, grain_of(cols), plain_rows, &job);
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
static const void *row_of(const weir_xent *work, const void *from, int col_step, void *scratch)
{
    if (col_step == 0 && work->cols > 1) {
        double v = load(work->elem, from);
        for (int64_t i = 0; i < work->cols; i++)
            store(work->elem == WEIR_E_f64 ? WEIR_E_f64 : WEIR_E_f32,
                  (char *)scratch + i * (work->elem == WEIR_E_f64 ? 8 : 4), v);
        return scratch;
    }
    if (!weir_elem_is_half(work->elem))
        return from;
    weir_halves_to_floats(work->elem, work->cols, from, scratch);
    return scratch;
}

/* Called while the row is still in the cache. */
static void scale_row(const weir_xent *work, const weir_softmax_loops *loops, int64_t r, void *y)
{
    if (work->scale)
        loops->times(work->cols, at(work->scale, r * work->scale_row, work->elem), y);
}

static void dense_rows(void *ctx, int64_t begin, int64_t end)
{
    const weir_xent *work = ((const xent_job *)ctx)->w;
    const weir_softmax_loops *loops = loops_of(work->elem);
    size_t bytes = sizeof(double) * (size_t)work->cols;
    char *scratch = weir_scratch(WEIR_SCRATCH_ROW, 3 * bytes);
    bool half = weir_elem_is_half(work->elem);
    for (int64_t r = begin; r < end; r++) {
        const void *x = row_of(work, at(work->logits, r * work->logits_row, work->elem),
                               work->logits_col, scratch);
        const void *labels = row_of(work, at(work->labels, r * work->labels_row, work->elem),
                                    work->labels_col, scratch + bytes);
        void *y = (void *)at(work->backprop, r * work->cols, work->elem);
        double loss = loops->dense(work->cols, x, labels, half ? (void *)(scratch + 2 * bytes) : y);
        if (half)
            weir_floats_to_halves(work->elem, work->cols, (float *)(scratch + 2 * bytes), y);
        scale_row(work, loops, r, y);
        store(work->elem, (void *)at(work->loss, r, work->elem), loss);
    }
}

void weir_xent_dense(const weir_par *par, const weir_xent *work)
{
    xent_job job = {work, false};
    weir_par_for(par, work->rows, grain_of(work->cols), dense_rows, &job);
}

static void all_nan(const weir_xent *work, int64_t row)
{
    for (int64_t i = 0; i < work->cols; i++)
        store(work->elem, (void *)at(work->backprop, row * work->cols + i, work->elem), NAN);
    store(work->elem, (void *)at(work->loss, row, work->elem), NAN);
}

static void sparse_rows(void *ctx, int64_t begin, int64_t end)
{
    const xent_job *job = ctx;
    const weir_xent *work = job->w;
    const weir_softmax_loops *loops = loops_of(work->elem);
    bool half = weir_elem_is_half(work->elem);
    float *scratch =
        half ? weir_scratch(WEIR_SCRATCH_ROW, sizeof(float) * (size_t)work->cols) : NULL;
    for (int64_t r = begin; r < end; r++) {
        int64_t label =
            job->wide ? ((const int64_t *)work->labels)[r] : ((const int32_t *)work->labels)[r];
        if (label < 0 || label >= work->cols) {
            all_nan(work, r);
            continue;
        }
        const void *x = row_of(work, at(work->logits, r * work->cols, work->elem), 1, scratch);
        void *y = (void *)at(work->backprop, r * work->cols, work->elem);
        double loss = loops->sparse(work->cols, x, label, half ? scratch : y);
        if (half)
            weir_floats_to_halves(work->elem, work->cols, scratch, y);
        scale_row(work, loops, r, y);
        store(work->elem, (void *)at(work->loss, r, work->elem), loss);
    }
}

void weir_xent_sparse(const weir_par *par, const weir_xent *work, bool wide)
{
    xent_job job = {work, wide};
    weir_par_for(par, work->rows, grain_of(work->cols), sparse_rows, &job);
}
