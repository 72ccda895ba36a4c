/* math/gemm/plain.c - plain loops, for the element types that have no tiles. */
#include <string.h>

#include "base/half.h"
#include "math/elem.h"
#include "math/gemm/gemm_impl.h"

/* Element (i, p) of a stored matrix under an op. */
static int64_t at(int64_t i, int64_t j, int64_t ld, weir_gemm_op op)
{
    return op == WEIR_GEMM_PLAIN ? i * ld + j : j * ld + i;
}

#define LOOPS "math/gemm/plain.inc"
#include "math/each_complex.inc"
#include "math/each_float.inc"
#include "math/each_half.inc"
#include "math/each_int.inc"

typedef void rows_fn(void *ctx, int64_t begin, int64_t end);

static rows_fn *rows_of(weir_elem elem)
{
    static rows_fn *const fns[WEIR_ELEM_COUNT] = {
#define ROW(suffix, T, W, class) [WEIR_E_##suffix] = rows_##suffix,
        WEIR_ELEMS_INT(ROW) WEIR_ELEMS_FLOAT(ROW) WEIR_ELEMS_COMPLEX(ROW) WEIR_ELEMS_HALF(ROW)};
    return elem >= 0 ? fns[elem] : NULL;
}

bool weir_gemm_has(weir_elem elem)
{
    return rows_of(elem) != NULL;
}

void weir_gemm_plain(const weir_par *par, const weir_gemm *gemm)
{
    weir_gemm copy = *gemm;
    weir_par_for_long(par, gemm->m, (1 << 16) / (gemm->n * gemm->k + 1) + 1, rows_of(gemm->elem),
                      &copy);
}
