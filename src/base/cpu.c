/* base/cpu.c - instruction sets and processors. */
#include "base/cpu.h"

#include <math.h>
#include <sched.h>
#include <string.h>
#include <unistd.h>

#include "base/cgroup.h"
#include "base/env.h"

static const char *const isa_names[] = {"ref", "avx2", "avx512"};

const char *weir_isa_name(weir_isa isa)
{
    return isa_names[isa];
}

static weir_isa best(void)
{
#if defined(__x86_64__)
    __builtin_cpu_init();
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma"))
        return WEIR_ISA_REF;
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
        return WEIR_ISA_AVX512;
    return WEIR_ISA_AVX2;
#else
    return WEIR_ISA_REF;
#endif
}

weir_isa weir_cpu_isa(void)
{
    weir_isa isa = best();
    const char *asked = weir_env_get()->isa;
    for (int i = 0; asked && i < WEIR_ISA_COUNT; i++)
        if (strcmp(asked, isa_names[i]) == 0 && i < (int)isa)
            return (weir_isa)i;
    return isa;
}

/* Processors that the scheduler may put this process on. */
static int allowed_cpus(void)
{
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0)
        return CPU_COUNT(&set);
    long n = sysconf(_SC_NPROCESSORS_ONLN);
    return n > 0 ? (int)n : 1;
}

int weir_cpu_count(void)
{
    int cpus = allowed_cpus();
    double quota = weir_cgroup_cpus();
    return quota > 0 && quota < cpus ? (int)ceil(quota) : cpus;
}
