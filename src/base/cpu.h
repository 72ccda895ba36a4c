/* base/cpu.h - the processor's features. */
#ifndef WEIR_BASE_CPU_H
#define WEIR_BASE_CPU_H

typedef enum weir_isa {
    WEIR_ISA_REF,    /* the build's baseline */
    WEIR_ISA_AVX2,   /* with FMA and F16C */
    WEIR_ISA_AVX512, /* F, BW, DQ, VL */
    WEIR_ISA_COUNT
} weir_isa;

weir_isa weir_cpu_isa(void); /* best of this machine, limited by WEIR_ISA */
int weir_cpu_count(void);    /* processors this process may use, by affinity and control group */
const char *weir_isa_name(weir_isa isa);

static inline void weir_cpu_relax(void) /* in a loop that waits for another thread */
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

/* Prefetches the cache line at |at| for writing: copies that other processors hold are invalidated
 * before the store. */
static inline void weir_cpu_prefetch_write(const void *at)
{
#if defined(__x86_64__)
    __asm__ volatile("prefetchw %0" : : "m"(*(const char *)at));
#else
    __builtin_prefetch(at, 1);
#endif
}

#endif
