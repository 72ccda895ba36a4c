/* base/denormals.h - the processor's mode in which denormal floats count as zeros.
 *
 * Kernels run in it, as TensorFlow's do: tiny values become 0 instead of slowing every instruction
 * down a hundredfold. The mode is per thread; a client's thread gets its own mode restored. */
#ifndef WEIR_BASE_DENORMALS_H
#define WEIR_BASE_DENORMALS_H

#include <stdint.h>

#if defined(__x86_64__)
enum { WEIR_FLUSH_BITS = 0x8040 }; /* results (FTZ) and operands (DAZ) */
static inline uint64_t weir_float_mode(void)
{
    return __builtin_ia32_stmxcsr();
}
static inline void weir_float_mode_set(uint64_t mode)
{
    __builtin_ia32_ldmxcsr((unsigned)mode);
}
#elif defined(__aarch64__)
enum { WEIR_FLUSH_BITS = 1 << 24 }; /* FZ */
static inline uint64_t weir_float_mode(void)
{
    uint64_t mode;
    __asm__ volatile("mrs %0, fpcr" : "=r"(mode));
    return mode;
}
static inline void weir_float_mode_set(uint64_t mode)
{
    __asm__ volatile("msr fpcr, %0" : : "r"(mode));
}
#else
enum { WEIR_FLUSH_BITS = 0 };
static inline uint64_t weir_float_mode(void)
{
    return 0;
}
static inline void weir_float_mode_set(uint64_t mode)
{
    (void)mode;
}
#endif

/* Enters the mode; returns the state for weir_denormals_restore. */
static inline uint64_t weir_denormals_flush(void)
{
    uint64_t before = weir_float_mode();
    if ((before & WEIR_FLUSH_BITS) != WEIR_FLUSH_BITS)
        weir_float_mode_set(before | WEIR_FLUSH_BITS);
    return before;
}
static inline void weir_denormals_restore(uint64_t before)
{
    if ((before & WEIR_FLUSH_BITS) != WEIR_FLUSH_BITS)
        weir_float_mode_set(before);
}

#endif
