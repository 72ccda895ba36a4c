/* gpu/prelude.cl - the common dialect: one source, compiled as CUDA C++ by NVRTC or as OpenCL C.
 *
 * First the differences between the two languages, then definitions for expressions of math/, then
 * the kernels of every family as macros. text.c inserts the element type's T, S, W, LOAD and STORE
 * between the two and appends the requested kernels.
 */
#ifdef __OPENCL_VERSION__
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#define KERNEL __kernel void
#define GLOBAL __global
#define LOCAL __local
#define NEAR __local /* pointer qualifier */
#define FUNCTION static inline
#define BARRIER() barrier(CLK_LOCAL_MEM_FENCE)
#define LANE ((int)get_local_id(0))
#define GROUP ((i64)get_group_id(0))
#define GROUPS ((i64)get_num_groups(0))
#define FLOAT_OF_BITS(u) as_float((u32)(u))
#define BITS_OF_FLOAT(f) as_uint(f)
#define DOUBLE_OF_BITS(u) as_double((u64)(u))
#define HIGH_PRODUCT(a, b) mul_hi((u32)(a), (u32)(b))
#define COUNT_BITS(u) popcount((u64)(u))
typedef uchar u8;
typedef ushort u16;
typedef uint u32;
typedef ulong u64;
typedef char i8;
typedef short i16;
typedef int i32;
typedef long i64;
#else
#define KERNEL extern "C" __global__ void
#define GLOBAL
#define LOCAL __shared__
#define NEAR
#define FUNCTION static __device__ __forceinline__
#define BARRIER() __syncthreads()
#define LANE ((int)threadIdx.x)
#define GROUP ((i64)blockIdx.x)
#define GROUPS ((i64)gridDim.x)
#define FLOAT_OF_BITS(u) __uint_as_float(u)
#define BITS_OF_FLOAT(f) __float_as_uint(f)
#define DOUBLE_OF_BITS(u) __longlong_as_double((long long)(u))
#define HIGH_PRODUCT(a, b) __umulhi(a, b)
#define COUNT_BITS(u) __popcll(u)
#define INFINITY FLOAT_OF_BITS(0x7f800000u)
#define NAN FLOAT_OF_BITS(0x7fffffffu)
typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long u64;
typedef signed char i8;
typedef short i16;
typedef int i32;
typedef long i64;
#endif

#define LANES 256 /* work items of a group: WEIR_GPU_LANES */
/* The index type: i32 if the host defines that all counts are below 2^30, because 64-bit division
 * is slow. */
#ifndef INDEX
#define INDEX i64
#endif
#define EACH(i, n)                                                                                 \
    for (INDEX i = (INDEX)(GROUP * LANES + LANE); i < (INDEX)(n); i += (INDEX)(GROUPS * LANES))

/* ---- 16-bit floats are bit patterns in memory and float in arithmetic ---- */

FUNCTION float float_of_bf16(u16 h)
{
    return FLOAT_OF_BITS((u32)h << 16);
}
FUNCTION u16 bf16_of_float(float f)
{
    u32 u = BITS_OF_FLOAT(f);
    return f != f ? (u16)0x7fc0 : (u16)((u + 0x7fff + (u >> 16 & 1)) >> 16);
}
FUNCTION float float_of_f16(u16 h)
{
    u32 sign = (u32)(h & 0x8000) << 16, exponent = h >> 10 & 31, fraction = h & 1023;
    float small = (float)fraction * 5.9604644775390625e-8f;
    if (exponent == 0)
        return sign ? -small : small;
    return FLOAT_OF_BITS(sign | (exponent == 31 ? 255 : exponent + 112) << 23 | fraction << 13);
}
/* Rounds to nearest even; infinite from 65520 on. */
FUNCTION u16 f16_of_float(float f)
{
    u32 u = BITS_OF_FLOAT(f), size = u & 0x7fffffff;
    u16 sign = (u16)(u >> 16 & 0x8000);
    if (f != f)
        return (u16)(sign | 0x7e00);
    if (size >= 0x477ff000)
        return (u16)(sign | 0x7c00);
    if (size < 0x38800000)
        return (u16)(sign | (u16)rint(FLOAT_OF_BITS(size) * 16777216.0f));
    return (u16)(sign | (size - (112u << 23) + 0xfff + (size >> 13 & 1)) >> 13);
}

/* ---- definitions for expressions of unary.inc, binary.inc and reduce.inc --------------------- */

#define EXP(x) exp(x)
#define EXPM1(x) expm1(x)
#define LOG(x) log(x)
#define LOG1P(x) log1p(x)
#define TANH(x) tanh(x)
#define SIGMOID(x) (1 / (1 + exp(-(x))))
#define SOFTPLUS(x) (((x) > 0 ? (x) : 0) + log1p(exp(-fabs(x))))
#define WEIR_SELU_SCALE 1.0507009873554804934193349852946
#define WEIR_SELU_ALPHA 1.7580993408473768599402175208123
#define weir_lgamma(x) lgamma(x)
#define weir_floor_mod(x, y) floor_of_mod(fmod(x, y), y)
#define weir_int_pow(x, y) int_power(x, y)
#define uint64_t u64

#define FAIL (*failed = 1, (T)0)
/* The minimum divided by -1 wraps instead of trapping. */
#define MINUS_ONE(y) ((T)-1 < 0 && (y) == (T)-1)
#define QUOTIENT(x, y) (MINUS_ONE(y) ? (T)(0 - (W)(x)) : (x) / (MINUS_ONE(y) ? 1 : (y)))
#define REMAINDER(x, y) (MINUS_ONE(y) ? 0 : (x) % (MINUS_ONE(y) ? 1 : (y)))
#define ROUNDED_UP(x, y) (REMAINDER(x, y) != 0 && (REMAINDER(x, y) < 0) != ((y) < 0))
#define FLOOR_DIV(x, y) (T)(QUOTIENT(x, y) - ROUNDED_UP(x, y))
#define FLOOR_MOD(x, y) (ROUNDED_UP(x, y) ? REMAINDER(x, y) + (y) : REMAINDER(x, y))
#define BITS(type) ((int)sizeof(type) * 8)
#define SHIFT(type, y) ((y) < 0 ? 0 : (y) > (type)(BITS(type) - 1) ? BITS(type) - 1 : (int)(y))
#define LOWEST(type) ((type)-1 < 0 ? (type)((u64)1 << (BITS(type) - 1)) : (type)0)
#define HIGHEST(type) ((type)~LOWEST(type))
#define ALL_BITS(type) (~(u64)0 >> (64 - BITS(type)))

FUNCTION u64 int_power(u64 x, u64 n)
{
    u64 product = 1;
    for (; n; n >>= 1, x *= x)
        if (n & 1)
            product *= x;
    return product;
}

/* An index of any integer type: |kind| & 15 is its size in bytes, bit 16 means unsigned. */
FUNCTION i64 index_at(GLOBAL const void *indices, i32 kind, i64 i)
{
    return kind == 8    ? ((GLOBAL const i64 *)indices)[i]
           : kind == 4  ? (i64)((GLOBAL const i32 *)indices)[i]
           : kind == 2  ? (i64)((GLOBAL const i16 *)indices)[i]
           : kind == 18 ? (i64)((GLOBAL const u16 *)indices)[i]
           : kind == 1  ? (i64)((GLOBAL const i8 *)indices)[i]
                        : (i64)((GLOBAL const u8 *)indices)[i];
}

FUNCTION void put_index(GLOBAL void *indices, i32 kind, i64 i, i64 index)
{
    if (kind == 8)
        ((GLOBAL i64 *)indices)[i] = index;
    else if (kind == 4)
        ((GLOBAL i32 *)indices)[i] = (i32)index;
    else if ((kind & 15) == 2)
        ((GLOBAL i16 *)indices)[i] = (i16)index;
    else
        ((GLOBAL i8 *)indices)[i] = (i8)index;
}
