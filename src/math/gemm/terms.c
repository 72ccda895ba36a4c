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
static void run_round(const summing *summing, int64_t i, int64_t end, int64_t first, int64_t count)
{
    const weir_gemm_terms *terms = summing->t;
    weir_gemm_seg segs[MAX_ROUND];
    for (int64_t j = 0; j < count; j++)
        segs[j] = (weir_gemm_seg){distance(terms->a[first], terms->a[first + j], summing->unit),
                                  distance(terms->b[first], terms->b[first + j], summing->unit)};
    summing->loops->block(&(weir_gemm_block){
        .rows = end - i,
        .cols = terms->n,
        .depth = terms->k,
        .a = (const char *)terms->a[first] + i * summing->unit,
        .a_rs = 1,
        .a_cs = terms->m,
        .segs = segs,
        .seg_count = count,
        .b = terms->b[first],
        .b_rs = terms->n,
        .c = (char *)terms->c + i * terms->n * summing->unit,
        .ldc = terms->n,
        .add = terms->accumulate || first > 0,
    });
}

static void part(void *ctx, int64_t begin, int64_t end)
{
    const summing *summing = ctx;
    const weir_gemm_terms *terms = summing->t;
    int64_t i = terms->m * begin / summing->panels, last = terms->m * end / summing->panels;
    for (int64_t first = 0; first < terms->count; first += summing->round) {
        run_round(summing, i, last, first, weir_min(terms->count - first, summing->round));
    }
}

bool weir_gemm_terms_run(const weir_par *par, const weir_gemm_terms *terms)
{
    if (terms->elem != WEIR_E_f32 && terms->elem != WEIR_E_f64)
        return false;
    summing summing = {.loops = terms->elem == WEIR_E_f32 ? WEIR_ISA_PICK(weir_gemm_loops_f32)
                                                          : WEIR_ISA_PICK(weir_gemm_loops_f64),
                       .t = terms,
                       .unit = (int64_t)weir_elem_size(terms->elem)};
    int64_t most = TERM_BYTES / summing.unit;
    if (terms->m < MIN_ROWS || terms->n < summing.loops->vec ||
        terms->n % summing.loops->col_unit || terms->k < 1 || terms->m > most || terms->n > most ||
        terms->k > most || (terms->m + terms->n) * terms->k > most || terms->count < 1)
        return false;
    summing.round =
        weir_min(ROUND_BYTES / summing.unit / ((terms->m + terms->n) * terms->k), MAX_ROUND);
    summing.panels = weir_ceil_div(terms->m, summing.loops->mr);
    int64_t work = terms->m * terms->n * terms->k / summing.panels * terms->count + 1;
    weir_par_for(par, summing.panels, work < GRAIN ? GRAIN / work : 1, part, &summing);
    return true;
}
