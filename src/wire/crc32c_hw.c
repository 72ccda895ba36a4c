/* wire/crc32c_hw.c - the checksum by the processor's own instruction. */
#include <string.h>

#include "wire/crc32c_impl.h"

#if defined(__x86_64__)

#include <nmmintrin.h>

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

weir_crc32c_fn *weir_crc32c_hardware(void)
{
    return __builtin_cpu_supports("sse4.2") ? extend_sse42 : NULL;
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
