/* math/random/sobol.c - direction numbers of Sobol's sequence.
 *
 * A dimension is a primitive polynomial of degree s over two elements and s initial numbers; the
 * others follow by the polynomial's recurrence. Dimension 1 is the van der Corput sequence. The
 * table contains, for each dimension and most significant bit first: the inner coefficients of the
 * polynomial, s - 1 bits; then initial number i for i = 2..s without its last bit, which is 1: i -
 * 1 bits. The polynomials are sorted by degree.
 */
#include "math/random/sobol.h"

static const uint64_t table[] = {
#include "math/random/sobol.inc"
};

/* How many dimensions have polynomials of degree 1, 2, ... */
static const short of_degree[] = {1, 1, 2, 2, 6, 6, 18, 16, 48, 60, 176, 144, 630};

static uint32_t take(int64_t *at, int bits)
{
    uint32_t v = 0;
    for (; bits > 0; bits--, (*at)++)
        v = v << 1 | (table[*at / 64] >> (63 - *at % 64) & 1);
    return v;
}

static void one_dimension(int degree, int64_t *at, uint32_t *m)
{
    uint32_t inner = take(at, degree - 1);
    m[0] = 1;
    for (int k = 1; k < degree; k++)
        m[k] = take(at, k) << 1 | 1;
    for (int k = degree; k < WEIR_SOBOL_DIGITS; k++) {
        m[k] = m[k - degree] ^ m[k - degree] << degree;
        for (int i = 1; i < degree; i++)
            if (inner >> (degree - 1 - i) & 1)
                m[k] ^= m[k - i] << i;
    }
}

void weir_sobol_directions(int dims, uint32_t *out)
{
    int64_t at = 0;
    int degree = 1, left = of_degree[0];
    for (int k = 0; k < WEIR_SOBOL_DIGITS; k++)
        out[k] = 1;
    for (int d = 1; d < dims; d++, left--) {
        while (left == 0)
            left = of_degree[degree++];
        one_dimension(degree, &at, out + (int64_t)d * WEIR_SOBOL_DIGITS);
    }
}
