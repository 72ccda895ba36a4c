/* math/random/permute.c - Simon on words of 8 to 32 bits. */
#include "math/random/permute.h"

/* Words of |width| bits in the low end of a uint64_t. */
typedef struct cipher {
    int width, rounds;
    uint64_t mask;
    uint64_t keys[WEIR_PERMUTE_ROUNDS_MAX];
} cipher;

static uint64_t left(const cipher *cipher, uint64_t x, int by)
{
    return (x << by | x >> (cipher->width - by)) & cipher->mask;
}

static uint64_t right(const cipher *cipher, uint64_t x, int by)
{
    return left(cipher, x, cipher->width - by);
}

static uint64_t mix(const cipher *cipher, uint64_t x)
{
    return (left(cipher, x, 1) & left(cipher, x, 8)) ^ left(cipher, x, 2);
}

/* The key schedule for three key words; the constants are the cipher's. */
static void schedule(cipher *cipher, const uint32_t key[3])
{
    uint64_t constant = 0xfffffffc & cipher->mask, sequence = 0x7369f885192c0ef5ull & cipher->mask;
    for (int i = 0; i < cipher->rounds; i++) {
        if (i < 3) {
            cipher->keys[i] = key[i] & cipher->mask;
            continue;
        }
        uint64_t last = cipher->keys[i - 1];
        cipher->keys[i] = constant ^ (sequence & 1) ^ cipher->keys[i - 3] ^ right(cipher, last, 3) ^
                          right(cipher, last, 4);
        sequence >>= 1;
    }
}

static uint64_t encrypt(const cipher *cipher, uint64_t value)
{
    uint64_t high = value >> cipher->width & cipher->mask, low = value & cipher->mask;
    for (int i = 0; i < cipher->rounds; i += 2) {
        high ^= mix(cipher, low) ^ cipher->keys[i];
        low ^= mix(cipher, high) ^ cipher->keys[i + 1];
    }
    return high << cipher->width | low;
}

/* The smallest even block size in bits, at least 16, that covers |max_index|; a power of two uses
 * its own logarithm. */
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
    cipher cipher = {.width = block_bits(max_index) / 2, .rounds = rounds};
    cipher.mask = ~0ull >> (64 - cipher.width);
    schedule(&cipher, key);
    do
        index = encrypt(&cipher, index);
    while (index > max_index);
    return index;
}
