/* math/random/sample.h - samples of parameterised distributions, as TensorFlow's CPU kernels draw
 * them. Sample s of parameter p is at out[s * parameters + p]. */
#ifndef WEIR_MATH_RANDOM_SAMPLE_H
#define WEIR_MATH_RANDOM_SAMPLE_H

#include "base/pool.h"
#include "math/elem.h"
#include "math/random/philox.h"

/* What to draw: |samples| values of type |out| for each of |parameters| of type |in|. */
typedef struct weir_sampling {
    weir_philox gen;
    int64_t parameters, samples;
    weir_elem in, out;
    const void *x; /* the parameters */
    void *y;
} weir_sampling;

/* Shape parameters alpha; |out| equals |in|, a float type. */
void weir_random_gamma(const weir_par *par, const weir_sampling *what);
/* Rates; |in| and |out| are any of 16-bit float, float, double, int32 and int64. */
void weir_random_poisson(const weir_par *par, const weir_sampling *what);

/* A binomial sample: successes in |count| trials, for element |output| of an array. */
double weir_random_binomial(const weir_philox *gen, int64_t output, double count, double prob);

/* Rows of |classes| unnormalised log-probabilities; |samples| class indices of each row go to
 * |out|, int32 or int64. |cdf| is scratch for |classes| doubles. */
typedef struct weir_multinomial {
    weir_philox gen;
    int64_t rows, classes, samples;
    weir_elem in, out;
    const void *logits;
    void *y;
    double *cdf;
} weir_multinomial;
void weir_random_multinomial(const weir_multinomial *what);

#endif
