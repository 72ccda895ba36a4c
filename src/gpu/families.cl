/* gpu/families.cl - the kernels of every family, as macros over one line's expressions.
 *
 * T is the type of arithmetic, S the type in memory; LOAD and STORE convert. Every kernel runs in
 * groups of LANES work items, any number of groups of at least one.
 */

/* The remainder with the sign of y, from C's. */
FUNCTION T floor_of_mod(T r, T y)
{
    return r != 0 && (y < 0) != (r < 0) ? r + y : r;
}

/* ys[i] = expr, of type R in memory. */
#define UNARY(id, R, PUT, expr)                                                                    \
    KERNEL unary_##id(GLOBAL const S *xs, GLOBAL R *ys, i64 count)                                 \
    {                                                                                              \
        EACH(i, count)                                                                             \
        {                                                                                          \
            const T x = LOAD(xs[i]);                                                               \
            ys[i] = PUT(expr);                                                                     \
        }                                                                                          \
    }

/* zs[i] = expr; a step of 0 broadcasts an operand. |failed| is set to 1 when an element's result is
 * undefined; it may be null for expressions that cannot fail. */
#define BINARY(id, R, PUT, expr)                                                                   \
    KERNEL binary_##id(GLOBAL const S *xs, GLOBAL const S *ys, GLOBAL R *zs, GLOBAL i32 *failed,   \
                       i64 count, i64 x_step, i64 y_step)                                          \
    {                                                                                              \
        EACH(i, count)                                                                             \
        {                                                                                          \
            const T x = LOAD(xs[i * x_step]), y = LOAD(ys[i * y_step]);                            \
            zs[i] = PUT(expr);                                                                     \
        }                                                                                          \
    }

/* Tree reduction over the lanes of a group; only the first |live| have values. The result is in
 * part[0] of lane 0. */
#define TREE(join, part, live)                                                                     \
    BARRIER();                                                                                     \
    for (int by = LANES / 2; by; by >>= 1) {                                                       \
        if (LANE < by && LANE + by < (live))                                                       \
            part[LANE] = join(part[LANE], part[LANE + by]);                                        \
        BARRIER();                                                                                 \
    }

/* rows: one group per row. columns: ys[o, i] of xs[o, :, i], one work item each. part: a partial
 * result per group; whole: the result of these. */
#define REDUCE(id, load, combine, nothing, finish)                                                 \
    FUNCTION T id##_value(T x)                                                                     \
    {                                                                                              \
        return load;                                                                               \
    }                                                                                              \
    FUNCTION T id##_join(T a, T b)                                                                 \
    {                                                                                              \
        return combine;                                                                            \
    }                                                                                              \
    FUNCTION T id##_result(T a, i64 n)                                                             \
    {                                                                                              \
        return finish;                                                                             \
    }                                                                                              \
    KERNEL reduce_##id##_rows(GLOBAL const S *xs, GLOBAL S *ys, i64 rows, i64 length)              \
    {                                                                                              \
        LOCAL T part[LANES];                                                                       \
        for (i64 row = GROUP; row < rows; row += GROUPS) {                                         \
            GLOBAL const S *x = xs + row * length;                                                 \
            T sum = nothing;                                                                       \
            if (LANE < length)                                                                     \
                sum = id##_value(LOAD(x[LANE]));                                                   \
            for (i64 i = LANE + LANES; i < length; i += LANES)                                     \
                sum = id##_join(sum, id##_value(LOAD(x[i])));                                      \
            part[LANE] = sum;                                                                      \
            TREE(id##_join, part, length)                                                          \
            if (LANE == 0)                                                                         \
                ys[row] = STORE(length ? id##_result(part[0], length) : part[0]);                  \
            BARRIER();                                                                             \
        }                                                                                          \
    }                                                                                              \
    KERNEL reduce_##id##_columns(GLOBAL const S *xs, GLOBAL S *ys, i64 outer, i64 length,          \
                                 i64 inner)                                                        \
    {                                                                                              \
        EACH(i, outer * inner)                                                                     \
        {                                                                                          \
            GLOBAL const S *x = xs + i / inner * length * inner + i % inner;                       \
            T sum = nothing;                                                                       \
            if (length)                                                                            \
                sum = id##_value(LOAD(x[0]));                                                      \
            for (i64 k = 1; k < length; k++)                                                       \
                sum = id##_join(sum, id##_value(LOAD(x[k * inner])));                              \
            ys[i] = STORE(length ? id##_result(sum, length) : sum);                                \
        }                                                                                          \
    }                                                                                              \
    KERNEL reduce_##id##_part(GLOBAL const S *xs, GLOBAL T *parts, i64 count)                      \
    {                                                                                              \
        LOCAL T part[LANES];                                                                       \
        const i64 first = GROUP * LANES + LANE;                                                    \
        T sum = nothing;                                                                           \
        if (first < count)                                                                         \
            sum = id##_value(LOAD(xs[first]));                                                     \
        for (i64 i = first + GROUPS * LANES; i < count; i += GROUPS * LANES)                       \
            sum = id##_join(sum, id##_value(LOAD(xs[i])));                                         \
        part[LANE] = sum;                                                                          \
        TREE(id##_join, part, count - GROUP * LANES)                                               \
        if (LANE == 0)                                                                             \
            parts[GROUP] = part[0];                                                                \
    }                                                                                              \
    KERNEL reduce_##id##_whole(GLOBAL const T *parts, GLOBAL S *ys, i64 length, i64 count)         \
    {                                                                                              \
        LOCAL T part[LANES];                                                                       \
        T sum = nothing;                                                                           \
        if (LANE < length)                                                                         \
            sum = parts[LANE];                                                                     \
        for (i64 i = LANE + LANES; i < length; i += LANES)                                         \
            sum = id##_join(sum, parts[i]);                                                        \
        part[LANE] = sum;                                                                          \
        TREE(id##_join, part, length)                                                              \
        if (LANE == 0 && GROUP == 0)                                                               \
            ys[0] = STORE(count ? id##_result(part[0], count) : part[0]);                          \
    }

#define FILL                                                                                       \
    KERNEL move_fill(GLOBAL S *ys, i64 count, S value)                                             \
    {                                                                                              \
        EACH(i, count) ys[i] = value;                                                              \
    }

/* An iteration over an array of |rank| |dims|; strides are in elements, of any sign. The kernel's
 * weir_gpu_walk. */
typedef struct walk {
    i64 rank, count, dims[8], to[8], from[8];
} walk;

/* Images and windows over them, channels last: batch x in[0] x in[1] x channels; weir_gpu_patches. */
typedef struct patches {
    i64 batch, channels, in[2], out[2], taps[2], stride[2], dilation[2], pad[2];
} patches;

#define PLACES(i)                                                                                  \
    INDEX rest = i, to = 0, from = 0;                                                              \
    for (int d = (int)w.rank - 1; d > 0; d--) {                                                    \
        const INDEX size = (INDEX)w.dims[d], over = rest / size, at = rest - over * size;          \
        rest = over;                                                                               \
        to += at * (INDEX)w.to[d];                                                                 \
        from += at * (INDEX)w.from[d];                                                             \
    }                                                                                              \
    to += rest * (INDEX)w.to[0];                                                                   \
    from += rest * (INDEX)w.from[0];
#define COPY                                                                                       \
    KERNEL move_copy(GLOBAL S *ys, GLOBAL const S *xs, walk w)                                     \
    {                                                                                              \
        EACH(i, w.count)                                                                           \
        {                                                                                          \
            PLACES(i)                                                                              \
            ys[to] = xs[from];                                                                     \
        }                                                                                          \
    }

/* Transposes matrices of |rows| x |columns|, by tiles that are read and written
 * contiguously. */
#define EDGE 32
#define TRANSPOSE                                                                                  \
    KERNEL move_transpose(GLOBAL S *ys, GLOBAL const S *xs, i64 batch, i64 rows, i64 columns)      \
    {                                                                                              \
        LOCAL S tile[EDGE][EDGE + 1];                                                              \
        const int x = LANE % EDGE, y = LANE / EDGE;                                                \
        const i64 across = (columns + EDGE - 1) / EDGE, down = (rows + EDGE - 1) / EDGE;           \
        for (i64 t = GROUP; t < batch * across * down; t += GROUPS) {                              \
            const i64 one = t / (across * down) * rows * columns, rest = t % (across * down);      \
            const i64 row = rest / across * EDGE, column = rest % across * EDGE;                   \
            for (int k = y; k < EDGE; k += LANES / EDGE)                                           \
                if (row + k < rows && column + x < columns)                                        \
                    tile[k][x] = xs[one + (row + k) * columns + column + x];                       \
            BARRIER();                                                                             \
            for (int k = y; k < EDGE; k += LANES / EDGE)                                           \
                if (column + k < columns && row + x < rows)                                        \
                    ys[one + (column + k) * rows + row + x] = tile[x][k];                          \
            BARRIER();                                                                             \
        }                                                                                          \
    }

/* Philox 4x32-10: the block of counter (high, low + at) under |key|, as in math/random/philox.h. */
FUNCTION void philox(u64 key, u64 low, u64 high, u64 at, u32 *c)
{
    u32 k0 = (u32)key, k1 = (u32)(key >> 32);
    low += at;
    high += low < at;
    c[0] = (u32)low;
    c[1] = (u32)(low >> 32);
    c[2] = (u32)high;
    c[3] = (u32)(high >> 32);
    for (int round = 0; round < 10; round++) {
        u32 high0 = HIGH_PRODUCT(0xD2511F53u, c[0]), low0 = 0xD2511F53u * c[0];
        u32 high1 = HIGH_PRODUCT(0xCD9E8D57u, c[2]), low1 = 0xCD9E8D57u * c[2];
        c[0] = high1 ^ c[1] ^ k0;
        c[1] = low1;
        c[2] = high0 ^ c[3] ^ k1;
        c[3] = low0;
        k0 += 0x9E3779B9u;
        k1 += 0xBB67AE85u;
    }
}

#define UNIFORM_f32(c, i) (FLOAT_OF_BITS(0x3f800000u | (c[i] & 0x7fffffu)) - 1.0f)
#define UNIFORM_f16(c, i) f16_of_float(float_of_f16((u16)(15 << 10 | (c[i] & 0x3ff))) - 1.0f)
#define UNIFORM_bf16(c, i) bf16_of_float(float_of_bf16((u16)(127 << 7 | (c[i] & 0x7f))) - 1.0f)
#define UNIFORM_f64(c, i)                                                                          \
    (DOUBLE_OF_BITS(0x3ff0000000000000ul | (u64)(c[2 * i] & 0xfffffu) << 32 | c[2 * i + 1]) - 1.0)

/* Numbers in [0, 1), |n| per block; draw computes number i of block c. */
#define UNIFORM(n, draw)                                                                           \
    FUNCTION void draw_uniform(GLOBAL S *ys, i64 count, u64 key, u64 low, u64 high)                \
    {                                                                                              \
        EACH(block, (count + n - 1) / n)                                                           \
        {                                                                                          \
            u32 c[4];                                                                              \
            philox(key, low, high, (u64)block, c);                                                 \
            for (int i = 0; i < n; i++)                                                            \
                if (block * n + i < count)                                                         \
                    ys[block * n + i] = draw(c, i);                                                \
        }                                                                                          \
    }                                                                                              \
    KERNEL random_uniform(GLOBAL S *ys, i64 count, u64 key, u64 low, u64 high)                     \
    {                                                                                              \
        draw_uniform(ys, count, key, low, high);                                                   \
    }                                                                                              \
    KERNEL random_uniform_from(GLOBAL S *ys, i64 count, GLOBAL const u64 *start)                   \
    {                                                                                              \
        draw_uniform(ys, count, start[0], start[1], start[2]);                                     \
    }
