/* base/fingerprint.c - FarmHash (its "na" variant), MurmurHash64A and SipHash-2-4. */
#include "base/fingerprint.h"

static uint64_t load64(const char *at)
{
    uint64_t value;
    memcpy(&value, at, 8);
    return value;
}

static uint64_t load32(const char *at)
{
    uint32_t value;
    memcpy(&value, at, 4);
    return value;
}

static uint64_t turn_right(uint64_t value, int bits)
{
    return value >> bits | value << (64 - bits);
}

static uint64_t turn_left(uint64_t value, int bits)
{
    return value << bits | value >> (64 - bits);
}

/* ---- FarmHash ---- */

static const uint64_t k0 = 0xc3a5c85c97cb3127u, k1 = 0xb492b66fbe98f273u, k2 = 0x9ae16a3b2f90404fu;

static uint64_t mix(uint64_t value)
{
    return value ^ value >> 47;
}

static uint64_t join16(uint64_t u, uint64_t value, uint64_t mul)
{
    uint64_t a = mix((u ^ value) * mul);
    return mix((value ^ a) * mul) * mul;
}

static uint64_t upto16(const char *text, size_t length)
{
    uint64_t mul = k2 + length * 2;
    if (length >= 8) {
        uint64_t a = load64(text) + k2, b = load64(text + length - 8);
        return join16(turn_right(b, 37) * mul + a, (turn_right(a, 25) + b) * mul, mul);
    }
    if (length >= 4)
        return join16(length + (load32(text) << 3), load32(text + length - 4), mul);
    if (length == 0)
        return k2;
    uint32_t first = (uint8_t)text[0], middle = (uint8_t)text[length >> 1],
             last = (uint8_t)text[length - 1];
    uint32_t y = first + (middle << 8), z = (uint32_t)length + (last << 2);
    return mix(y * k2 ^ z * k0) * k2;
}

static uint64_t upto32(const char *text, size_t length)
{
    uint64_t mul = k2 + length * 2, a = load64(text) * k1, b = load64(text + 8);
    uint64_t c = load64(text + length - 8) * mul, d = load64(text + length - 16) * k2;
    return join16(turn_right(a + b, 43) + turn_right(c, 30) + d, a + turn_right(b + k2, 18) + c,
                  mul);
}

static uint64_t upto64(const char *text, size_t length)
{
    uint64_t mul = k2 + length * 2, a = load64(text) * k2, b = load64(text + 8);
    uint64_t c = load64(text + length - 8) * mul, d = load64(text + length - 16) * k2;
    uint64_t y = turn_right(a + b, 43) + turn_right(c, 30) + d;
    uint64_t z = join16(y, a + turn_right(b + k2, 18) + c, mul);
    uint64_t e = load64(text + 16) * mul, f = load64(text + 24);
    uint64_t g = (y + load64(text + length - 32)) * mul, h = (z + load64(text + length - 24)) * mul;
    return join16(turn_right(e + f, 43) + turn_right(g, 30) + h, e + turn_right(f + a, 18) + g,
                  mul);
}

typedef struct pair {
    uint64_t a, b;
} pair;

static pair weak32(const char *text, uint64_t a, uint64_t b)
{
    uint64_t w = load64(text), x = load64(text + 8), y = load64(text + 16), z = load64(text + 24);
    a += w;
    b = turn_right(b + a + z, 21);
    uint64_t c = a;
    a += x + y;
    b += turn_right(a, 44);
    return (pair){a + z, b + c};
}

/* The state of the long form, and one round of it over 64 bytes. */
typedef struct state {
    uint64_t x, y, z;
    pair v, w;
} state;

static void round64(state *state, const char *text, uint64_t mul, uint64_t nine)
{
    state->x = turn_right(state->x + state->y + state->v.a + load64(text + 8), 37) * mul;
    state->y = turn_right(state->y + state->v.b + load64(text + 48), 42) * mul;
    state->x ^= state->w.b * nine;
    state->y += state->v.a * nine + load64(text + 40);
    state->z = turn_right(state->z + state->w.a, 33) * mul;
    state->v = weak32(text, state->v.b * mul, state->x + state->w.a);
    state->w = weak32(text + 32, state->z + state->w.b, state->y + load64(text + 16));
    uint64_t z = state->z;
    state->z = state->x;
    state->x = z;
}

uint64_t weir_fingerprint64(weir_str str)
{
    const char *text = str.at;
    size_t length = str.length;
    if (length <= 16)
        return upto16(text, length);
    if (length <= 32)
        return upto32(text, length);
    if (length <= 64)
        return upto64(text, length);
    const uint64_t seed = 81;
    const char *end = text + (length - 1) / 64 * 64, *last = text + length - 64;
    state state = {.x = seed * k2 + load64(text), .y = seed * k1 + 113};
    state.z = mix(state.y * k2 + 113) * k2;
    for (; text != end; text += 64)
        round64(&state, text, k1, 1);
    uint64_t mul = k1 + ((state.z & 0xff) << 1);
    state.w.a += (length - 1) & 63;
    state.v.a += state.w.a;
    state.w.a += state.v.a;
    round64(&state, last, mul, 9);
    return join16(join16(state.v.a, state.w.a, mul) + mix(state.y) * k0 + state.z,
                  join16(state.v.b, state.w.b, mul) + state.x, mul);
}

uint64_t weir_fingerprint64_join(uint64_t a, uint64_t b)
{
    const uint64_t mul = 0xc6a4a7935bd1e995u;
    uint64_t y = b * mul;
    uint64_t x = (a ^ mul ^ (y ^ y >> 47) * mul) * mul;
    x = (x ^ x >> 47) * mul;
    return x ^ x >> 47;
}

/* ---- MurmurHash64A ---- */

uint64_t weir_murmur64(weir_str str)
{
    const uint64_t mul = 0xc6a4a7935bd1e995u, seed = 0xdecafcaffe;
    const char *text = str.at;
    size_t length = str.length;
    uint64_t h = seed ^ length * mul;
    for (; length >= 8; text += 8, length -= 8) {
        uint64_t k = load64(text) * mul;
        h = (h ^ (k ^ k >> 47) * mul) * mul;
    }
    if (length) {
        uint64_t tail = 0;
        memcpy(&tail, text, length);
        h = (h ^ tail) * mul;
    }
    h = (h ^ h >> 47) * mul;
    return h ^ h >> 47;
}

/* ---- SipHash-2-4 ---- */

static void sip_rounds(uint64_t v[4], int rounds)
{
    while (rounds--) {
        v[0] += v[1];
        v[2] += v[3];
        v[1] = turn_left(v[1], 13) ^ v[0];
        v[3] = turn_left(v[3], 16) ^ v[2];
        v[0] = turn_left(v[0], 32);
        v[2] += v[1];
        v[0] += v[3];
        v[1] = turn_left(v[1], 17) ^ v[2];
        v[3] = turn_left(v[3], 21) ^ v[0];
        v[2] = turn_left(v[2], 32);
    }
}

static void sip_word(uint64_t v[4], uint64_t word)
{
    v[3] ^= word;
    sip_rounds(v, 2);
    v[0] ^= word;
}

uint64_t weir_siphash64(uint64_t key0, uint64_t key1, weir_str str)
{
    uint64_t v[4] = {0x736f6d6570736575u ^ key0, 0x646f72616e646f6du ^ key1,
                     0x6c7967656e657261u ^ key0, 0x7465646279746573u ^ key1};
    size_t whole = str.length / 8 * 8;
    for (size_t i = 0; i < whole; i += 8)
        sip_word(v, load64(str.at + i));
    uint64_t tail = 0;
    if (str.length > whole)
        memcpy(&tail, str.at + whole, str.length - whole);
    sip_word(v, tail | (uint64_t)str.length << 56);
    v[2] ^= 0xff;
    sip_rounds(v, 4);
    return v[0] ^ v[1] ^ v[2] ^ v[3];
}
