/* data/numpy_random.c - the Mersenne Twister, and numpy's distributions. */
#include "data/numpy_random.h"

enum { LAG = 397 };

void weir_numpy_seed(weir_numpy_random *random, uint32_t seed)
{
    for (uint32_t i = 0; i < WEIR_NUMPY_WORDS; i++) {
        random->words[i] = seed;
        seed = 1812433253u * (seed ^ (seed >> 30)) + i + 1;
    }
    random->next = WEIR_NUMPY_WORDS;
}

static void renew(uint32_t *w)
{
    for (int i = 0; i < WEIR_NUMPY_WORDS; i++) {
        uint32_t low = w[(i + 1) % WEIR_NUMPY_WORDS];
        uint32_t y = (w[i] & 0x80000000u) | (low & 0x7fffffffu);
        w[i] = w[(i + LAG) % WEIR_NUMPY_WORDS] ^ (y >> 1) ^ (y & 1 ? 0x9908b0dfu : 0);
    }
}

uint32_t weir_numpy_word(weir_numpy_random *random)
{
    if (random->next == WEIR_NUMPY_WORDS) {
        renew(random->words);
        random->next = 0;
    }
    uint32_t y = random->words[random->next++];
    y ^= y >> 11;
    y ^= (y << 7) & 0x9d2c5680u;
    y ^= (y << 15) & 0xefc60000u;
    return y ^ (y >> 18);
}

double weir_numpy_rand(weir_numpy_random *random)
{
    uint32_t high = weir_numpy_word(random) >> 5, low = weir_numpy_word(random) >> 6;
    return (high * 67108864.0 + low) / 9007199254740992.0;
}

int64_t weir_numpy_randint(weir_numpy_random *random, int64_t bound)
{
    if (bound <= 1)
        return 0; /* like numpy, without drawing a number */
    uint32_t most = (uint32_t)(bound - 1);
    uint32_t mask = 0xffffffffu >> __builtin_clz(most), value;
    do
        value = weir_numpy_word(random) & mask;
    while (value > most);
    return value;
}
