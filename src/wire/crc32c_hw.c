/* wire/crc32c_hw.c - the checksum by the processor's CRC instruction. */
#include <string.h>

#include "wire/crc32c_impl.h"

#if defined(__x86_64__)

#include <immintrin.h>

/* One stream: the instruction has a latency of three cycles, and the next one depends on it. */
__attribute__((target("sse4.2"))) static uint32_t
extend_sse42(uint32_t state, const unsigned char *p, size_t length)
{
    uint64_t wide = state;
    for (; length >= 8; p += 8, length -= 8) {
        uint64_t word;
        memcpy(&word, p, 8);
        wide = _mm_crc32_u64(wide, word);
    }
    state = (uint32_t)wide;
    while (length--)
        state = _mm_crc32_u8(state, *p++);
    return state;
}

/* Three interleaved streams hide the latency. A stream's checksum is then shifted past the bytes of
 * the streams after it: times x^(8 n) modulo the polynomial. Multiplying two reflected words and
 * taking the checksum of the product gives another x^33, for which the factor compensates. */
enum { LONG = 4096, SHORT = 256 };           /* bytes of one stream */
static uint32_t past_long[2], past_short[2]; /* factors for one stream and for two */

static uint32_t power_of_x(unsigned n)
{
    uint32_t v = 0x80000000u;
    while (n--)
        v = v & 1 ? v >> 1 ^ 0x82f63b78u : v >> 1;
    return v;
}

static void make_factors(void)
{
    for (unsigned k = 0; k < 2; k++) {
        past_long[k] = power_of_x((k + 1) * LONG * 8 - 33);
        past_short[k] = power_of_x((k + 1) * SHORT * 8 - 33);
    }
}

__attribute__((target("sse4.2,pclmul"))) static inline uint64_t move(uint64_t crc, uint32_t factor)
{
    __m128i product =
        _mm_clmulepi64_si128(_mm_cvtsi64_si128((int64_t)crc), _mm_cvtsi64_si128(factor), 0);
    return _mm_crc32_u64(0, (uint64_t)_mm_cvtsi128_si64(product));
}

__attribute__((target("sse4.2"))) static inline uint64_t step(uint64_t crc, const unsigned char *p)
{
    uint64_t word;
    memcpy(&word, p, 8);
    return _mm_crc32_u64(crc, word);
}

/* Three streams of |n| bytes each. */
__attribute__((target("sse4.2,pclmul"))) static inline uint32_t
three(uint32_t state, const unsigned char *p, size_t n, const uint32_t past[2])
{
    uint64_t a = state, b = 0, c = 0;
    for (size_t i = 0; i < n; i += 8) {
        a = step(a, p + i);
        b = step(b, p + n + i);
        c = step(c, p + 2 * n + i);
    }
    return (uint32_t)(move(a, past[1]) ^ move(b, past[0]) ^ c);
}

__attribute__((target("sse4.2,pclmul"))) static uint32_t
extend_three(uint32_t state, const unsigned char *p, size_t length)
{
    for (; length >= 3 * LONG; p += 3 * LONG, length -= 3 * LONG)
        state = three(state, p, LONG, past_long);
    for (; length >= 3 * SHORT; p += 3 * SHORT, length -= 3 * SHORT)
        state = three(state, p, SHORT, past_short);
    return extend_sse42(state, p, length);
}

weir_crc32c_fn *weir_crc32c_hardware(void)
{
    if (!__builtin_cpu_supports("sse4.2"))
        return NULL;
    if (!__builtin_cpu_supports("pclmul"))
        return extend_sse42;
    make_factors();
    return extend_three;
}

#elif defined(__aarch64__) && defined(__ARM_FEATURE_CRC32)

#include <arm_acle.h>

static uint32_t extend_arm(uint32_t state, const unsigned char *p, size_t length)
{
    for (; length >= 8; p += 8, length -= 8) {
        uint64_t word;
        memcpy(&word, p, 8);
        state = __crc32cd(state, word);
    }
    while (length--)
        state = __crc32cb(state, *p++);
    return state;
}

weir_crc32c_fn *weir_crc32c_hardware(void)
{
    return extend_arm;
}

#else

weir_crc32c_fn *weir_crc32c_hardware(void)
{
    return NULL;
}

#endif
