/* math/random/binomial.c - binomial samples: sums of geometric gaps when few successes are
 * expected, Hoermann's transformed rejection when many are. */
#include <math.h>

#include "math/random/sample.h"

/* Pairs of uniforms from one output's part of the stream, last one first. */
typedef struct source {
    weir_philox gen;
    double pair[2];
    int left;
} source;

static double uniform(source *source)
{
    if (source->left == 0) {
        weir_philox_block block = weir_philox_next(&source->gen);
        source->pair[0] = weir_u32_f64(block.u[0], block.u[1]);
        source->pair[1] = weir_u32_f64(block.u[2], block.u[3]);
        source->left = 2;
    }
    return source->pair[--source->left];
}

static double by_gaps(source *source, double count, double prob)
{
    double sum = 0, successes = 0, scale = log1p(-prob);
    for (;; successes++) {
        sum += ceil(log(uniform(source)) / scale);
        if (sum > count)
            return successes;
    }
}

/* What Stirling's formula leaves of log k!. */
static double stirling_tail(double k)
{
    static const double first[] = {0.0810614667953272,  0.0413406959554092, 0.0276779256849983,
                                   0.02079067210376509, 0.0166446911898211, 0.0138761288230707,
                                   0.0118967099458917,  0.0104112652619720, 0.00925546218271273,
                                   0.00833056343336287};
    if (k <= 9)
        return first[(int)k];
    double square = (k + 1) * (k + 1);
    return (1.0 / 12 - (1.0 / 360 - 1.0 / 1260 / square) / square) / (k + 1);
}

static double by_rejection(source *source, double count, double prob)
{
    double deviation = sqrt(count * prob * (1 - prob)), b = 1.15 + 2.53 * deviation;
    double a = -0.0873 + 0.0248 * b + 0.01 * prob, c = count * prob + 0.5;
    double inside = 0.92 - 4.2 / b, odds = prob / (1 - prob), alpha = (2.83 + 5.1 / b) * deviation;
    double mode = floor((count + 1) * prob);
    for (;;) {
        double u = uniform(source), v = uniform(source);
        u -= 0.5;
        double edge = 0.5 - fabs(u), k = floor((2 * a / edge + b) * u + c);
        if (edge >= 0.07 && v <= inside)
            return k;
        if (k < 0 || k > count)
            continue;
        v = log(v * alpha / (a / (edge * edge) + b));
        double bound = (mode + 0.5) * log((mode + 1) / (odds * (count - mode + 1))) +
                       (count + 1) * log((count - mode + 1) / (count - k + 1)) +
                       (k + 0.5) * log(odds * (count - k + 1) / (k + 1)) + stirling_tail(mode) +
                       stirling_tail(count - mode) - stirling_tail(k) - stirling_tail(count - k);
        if (v <= bound)
            return k;
    }
}

double weir_random_binomial(const weir_philox *gen, int64_t output, double count, double prob)
{
    enum { GAPS_RESERVE = 42, REJECTION_RESERVE = 256 };
    if (!(count > 0) || prob <= 0)
        return 0;
    if (prob >= 1)
        return count;
    if (prob != prob)
        return NAN;
    double p = prob <= 0.5 ? prob : 1 - prob; /* the rarer side is sampled */
    bool many = count * p >= 10;
    source source = {.gen = *gen};
    weir_philox_skip(&source.gen, (uint64_t)output * (many ? REJECTION_RESERVE : GAPS_RESERVE));
    double k = many ? by_rejection(&source, count, p) : by_gaps(&source, count, p);
    return prob <= 0.5 ? k : count - k;
}
