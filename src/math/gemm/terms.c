/* math/gemm/terms.c - sums of small products whose operands are separate matrices: a tile goes
 * through several products, as segments of its depth, before it is stored.
 */
#include "base/arith.h"
#include "math/elem.h"
#include "math/gemm/gemm_impl.h"

enum {
    TERM_BYTES = 1 << 16,  /* largest term; larger ones are better concatenated */
    ROUND_BYTES = 1 << 17, /* terms that all panels of rows read before the next terms: these stay
                            * in the second-level cache */
    MAX_ROUND = 64,        /* most terms of a round */
    MIN_ROWS = 4,          /* fewer rows make poor tiles */
    GRAIN = 1 << 20,       /* multiplications that are worth a thread */
};

typedef struct summing {
    const weir_gemm_loops *loops;
    const weir_gemm_terms *t;
    int64_t unit;   /* bytes of an element */
    int64_t panels; /* of rows */
    int64_t round;  /* terms of a round */
} summing;

static int64_t distance(const void *from, const void *to, int64_t unit)
{
    return ((int64_t)(uintptr_t)to - (int64_t)(uintptr_t)from) / unit;
}

/* Rows [i, end) of C, from the terms of one round. */
static void run_round(const summing *s, int64_t i, int64_t end, int64_t first, int64_t count)
{
    const weir_gemm_terms *t = s->t;
    weir_gemm_seg segs[MAX_ROUND];
    for (int64_t j = 0; j < count; j++)
        segs[j] = (weir_gemm_seg){distance(t->a[first], t->a[first + j], s->unit),
                                  distance(t->b[first], t->b[first + j], s->unit)};
    s->loops->block(&(weir_gemm_block){
        .rows = end - i,
        .cols = t->n,
        .depth = t->k,
        .a = (const char *)t->a[first] + i * s->unit,
        .a_rs = 1,
        .a_cs = t->m,
        .segs = segs,
        .seg_count = count,
        .b = t->b[first],
        .b_rs = t->n,
        .c = (char *)t->c + i * t->n * s->unit,
        .ldc = t->n,
        .add = t->accumulate || first > 0,
    });
}

static void part(void *ctx, int64_t begin, int64_t end)
{
    const summing *s = ctx;
    const weir_gemm_terms *t = s->t;
    int64_t i = t->m * begin / s->panels, last = t->m * end / s->panels;
    for (int64_t first = 0; first < t->count; first += s->round) {
        run_round(s, i, last, first, weir_min(t->count - first, s->round));
    }
}

bool weir_gemm_terms_run(const weir_par *par, const weir_gemm_terms *t)
{
    if (t->elem != WEIR_E_f32 && t->elem != WEIR_E_f64)
        return false;
    summing s = {.loops = t->elem == WEIR_E_f32 ? WEIR_ISA_PICK(weir_gemm_loops_f32)
                                                : WEIR_ISA_PICK(weir_gemm_loops_f64),
                 .t = t,
                 .unit = (int64_t)weir_elem_size(t->elem)};
    int64_t most = TERM_BYTES / s.unit;
    if (t->m < MIN_ROWS || t->n < s.loops->vec || t->n % s.loops->col_unit || t->k < 1 ||
        t->m > most || t->n > most || t->k > most || (t->m + t->n) * t->k > most || t->count < 1)
        return false;
    s.round = weir_min(ROUND_BYTES / s.unit / ((t->m + t->n) * t->k), MAX_ROUND);
    s.panels = weir_ceil_div(t->m, s.loops->mr);
    int64_t work = t->m * t->n * t->k / s.panels * t->count + 1;
    weir_par_for(par, s.panels, work < GRAIN ? GRAIN / work : 1, part, &s);
    return true;
}
