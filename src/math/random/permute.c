/* math/random/permute.c - Simon on words of 8 to 32 bits. */
#include "math/random/permute.h"

/* Words of |width| bits in the low end of a uint64_t. */
typedef struct cipher {
    int width, rounds;
    uint64_t mask;
    uint64_t keys[WEIR_PERMUTE_ROUNDS_MAX];
} cipher;

static uint64_t left(const cipher *c, uint64_t x, int by)
{
    return (x << by | x >> (c->width - by)) & c->mask;
}

static uint64_t right(const cipher *c, uint64_t x, int by)
{
    return left(c, x, c->width - by);
}

static uint64_t mix(const cipher *c, uint64_t x)
{
    return (left(c, x, 1) & left(c, x, 8)) ^ left(c, x, 2);
}

/* The key schedule for three key words; the constants are the cipher's. */
static void schedule(cipher *c, const uint32_t key[3])
{
    uint64_t constant = 0xfffffffc & c->mask, sequence = 0x7369f885192c0ef5ull & c->mask;
    for (int i = 0; i < c->rounds; i++) {
        if (i < 3) {
            c->keys[i] = key[i] & c->mask;
            continue;
        }
        uint64_t last = c->keys[i - 1];
        c->keys[i] =
            constant ^ (sequence & 1) ^ c->keys[i - 3] ^ right(c, last, 3) ^ right(c, last, 4);
        sequence >>= 1;
    }
}

static uint64_t encrypt(const cipher *c, uint64_t value)
{
    uint64_t high = value >> c->width & c->mask, low = value & c->mask;
    for (int i = 0; i < c->rounds; i += 2) {
        high ^= mix(c, low) ^ c->keys[i];
        low ^= mix(c, high) ^ c->keys[i + 1];
    }
    return high << c->width | low;
}

/* The smallest even number of bits, 16 at least, that counts to |max_index|: a power of two is
 * taken for its own logarithm. */
static int block_bits(uint64_t max_index)
{
    int bits = max_index > 1 ? 64 - __builtin_clzll(max_index - 1) : 0;
    bits += bits % 2;
    return bits < 16 ? 16 : bits;
}

uint64_t weir_permute_index(uint64_t index, const uint32_t key[3], uint64_t max_index, int rounds)
{
    if (max_index == 0)
        return 0;
    cipher c = {.width = block_bits(max_index) / 2, .rounds = rounds};
    c.mask = ~0ull >> (64 - c.width);
    schedule(&c, key);
    do
        index = encrypt(&c, index);
    while (index > max_index);
    return index;
}
