/* data/numpy_random.h - bit-exact random numbers of numpy's RandomState. */
#ifndef WEIR_DATA_NUMPY_RANDOM_H
#define WEIR_DATA_NUMPY_RANDOM_H

#include <stdint.h>

enum { WEIR_NUMPY_WORDS = 624 };

typedef struct weir_numpy_random {
    uint32_t words[WEIR_NUMPY_WORDS]; /* of the Mersenne Twister MT19937 */
    int next;                         /* index of the next word */
} weir_numpy_random;

void weir_numpy_seed(weir_numpy_random *random, uint32_t seed);
uint32_t weir_numpy_word(weir_numpy_random *random);
/* rand(): uniform in [0, 1), with 53 random bits. */
double weir_numpy_rand(weir_numpy_random *random);
/* randint(0, bound), with 1 <= bound <= 2^32. */
int64_t weir_numpy_randint(weir_numpy_random *random, int64_t bound);

#endif
