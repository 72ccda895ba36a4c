/* math/random/permute.h - a keyed permutation of [0, max_index], one index at a time.
 *
 * A small block cipher (Simon with few rounds, the smallest sufficient block) is applied until the
 * result is in range: cycle walking. For shuffling only, not cryptographically secure.
 */
#ifndef WEIR_MATH_RANDOM_PERMUTE_H
#define WEIR_MATH_RANDOM_PERMUTE_H

#include <stdint.h>

enum { WEIR_PERMUTE_ROUNDS_MAX = 64 };

/* The image of |index|, at most |max_index|. |rounds| is even, at least 4 and at most the bound. */
uint64_t weir_permute_index(uint64_t index, const uint32_t key[3], uint64_t max_index, int rounds);

#endif
