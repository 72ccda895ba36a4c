/* data/random.h - random generators with a cheap seed: one per epoch or example. */
#ifndef WEIR_DATA_RANDOM_H
#define WEIR_DATA_RANDOM_H

#include <stdint.h>

typedef struct weir_draws {
    uint64_t state;
} weir_draws;

static inline uint64_t weir_draw(weir_draws *draws)
{
    uint64_t z = draws->state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}
/* Generator number |nth| of |seed|. */
static inline weir_draws weir_draws_of(uint64_t seed, uint64_t nth)
{
    weir_draws draws = {seed};
    draws.state = weir_draw(&draws) ^ nth * 0xd1342543de82ef95u;
    return draws;
}
/* Uniform below |bound|, which is at least 1. */
static inline int64_t weir_draw_below(weir_draws *draws, int64_t bound)
{
    return (int64_t)((unsigned __int128)weir_draw(draws) * (uint64_t)bound >> 64);
}
/* Uniform in [0, 1). */
static inline double weir_draw_part(weir_draws *draws)
{
    return (double)(weir_draw(draws) >> 11) * 0x1p-53;
}

#endif
