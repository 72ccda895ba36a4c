/* math/isa.h - loops compiled once per instruction set.
 *
 * A file named X.isa.c is built for every level of base/cpu.h that the target machine can have,
 * with WEIR_ISA_SUFFIX set to ref, avx2 or avx512 (other machines than x86-64 build ref only).
 * It names what it exports by WEIR_ISA_NAME and exports little: usually one constant struct of
 * functions, declared in the room's header by WEIR_ISA_DECLARE and picked by WEIR_ISA_PICK.
 *
 *     in unary_impl.h   WEIR_ISA_DECLARE(const weir_unary_loops, weir_unary_loops);
 *     in unary.isa.c    const weir_unary_loops WEIR_ISA_NAME(weir_unary_loops) = {...};
 *     in unary.c        const weir_unary_loops *loops = WEIR_ISA_PICK(weir_unary_loops);
 *
 * Everything else in such a file is static, since it exists once per level.
 */
#ifndef WEIR_MATH_ISA_H
#define WEIR_MATH_ISA_H

#include "base/cpu.h"

#define WEIR_ISA_JOIN2_(name, suffix) name##_##suffix
#define WEIR_ISA_JOIN_(name, suffix) WEIR_ISA_JOIN2_(name, suffix)
#define WEIR_ISA_NAME(name) WEIR_ISA_JOIN_(name, WEIR_ISA_SUFFIX)

#if defined(__x86_64__)
#define WEIR_ISA_DECLARE(type, name) extern type name##_ref, name##_avx2, name##_avx512
#define WEIR_ISA_AT(name, isa)                                                                     \
    ((isa) == WEIR_ISA_AVX512 ? &name##_avx512                                                     \
     : (isa) == WEIR_ISA_AVX2 ? &name##_avx2                                                       \
                              : &name##_ref)
#else
#define WEIR_ISA_DECLARE(type, name) extern type name##_ref
#define WEIR_ISA_AT(name, isa) ((void)(isa), &name##_ref)
#endif

/* The best level that this CPU supports, limited by WEIR_ISA. */
#define WEIR_ISA_PICK(name) WEIR_ISA_AT(name, weir_cpu_isa())

#endif
