/* math/peak/peak.isa.c - the loops, with the widest vectors of an instruction set. */
#include "math/peak/peak.h"

#if defined(__AVX512F__)
enum { WIDTH = 16 };
#elif defined(__AVX2__)
enum { WIDTH = 8 };
#else
enum { WIDTH = 4 };
#endif

typedef float vector __attribute__((vector_size(WIDTH * sizeof(float))));

/* Enough independent sums to hide the latency of any machine, few enough for 16 registers. */
#define EACH(DO) DO(0) DO(1) DO(2) DO(3) DO(4) DO(5) DO(6) DO(7) DO(8) DO(9) DO(10) DO(11)
enum { SUMS = 12, UNROLLED = 4 };

static double multiply_add(int64_t rounds)
{
    vector factor = {0}, term = {0};
    factor += 0.999f;
    term += 0.001f;
    __asm__ volatile("" : "+m"(factor), "+m"(term)); /* hides the values from the optimiser */
#define BEGIN(i) vector x##i = term * (float)(i);
#define TURN(i) x##i = x##i * factor + term;
    EACH(BEGIN)
    for (int64_t r = 0; r < rounds; r++) {
        EACH(TURN) EACH(TURN) EACH(TURN) EACH(TURN)
    }
    vector all = {0};
#define ADD(i) all += x##i;
    EACH(ADD)
    __asm__ volatile("" : : "m"(all)); /* keeps the results alive */
    return 2.0 * WIDTH * SUMS * UNROLLED * (double)rounds;
}

static double triad(float *restrict a, const float *restrict b, const float *restrict c,
                    size_t count)
{
    for (size_t i = 0; i < count; i++)
        a[i] = b[i] + 0.5f * c[i];
    return 3.0 * sizeof(float) * (double)count;
}

const weir_peak_loops WEIR_ISA_NAME(weir_peak_loops) = {multiply_add, triad};
