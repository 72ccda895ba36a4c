/* gpu/chain.cl - a chain of small steps over the same rows, as one kernel (gpu/chain.c).
 *
 * A group executes all steps of one row. A step is CHAIN_WORDS numbers of the table: its kind, the
 * width of its result, the depth of a product, the offset of the product's matrix in |matrices|,
 * the result and the inputs, as offsets in one of the memory blocks, and which inputs are scalars.
 * text.c puts CHAIN_MATRICES, the elements of all matrices, and chain_program before this.
 */
#define CHAIN_WIDEST 1024 /* elements of a row */
#define CHAIN_SUMS 16     /* elements of the sum per work item */
#define CHAIN_HELD 16     /* elements of a matrix per work item */
#define CHAIN_AHEAD (LANES / CHAIN_WORDS)

#ifdef __OPENCL_VERSION__
#define BARRIER_ALL() barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)
#define BARRIER_IF(needed) BARRIER_ALL() /* PoCL fails with loops of conditional barriers alone */
#else
#define BARRIER_ALL() __syncthreads()
#define BARRIER_IF(needed)                                                                         \
    if (needed)                                                                                    \
    BARRIER_ALL()
#endif

/* Every |parts|-th product of |row| with a column, from the |first| on: four sums at once. */
FUNCTION T dot(NEAR const T *row, NEAR const T *column, int pitch, int first, int k, int parts)
{
    T sum = 0, second = 0, third = 0, fourth = 0;
    int i = first;
    for (; i + 3 * parts < k; i += 4 * parts) {
        sum += row[i] * column[i * pitch];
        second += row[i + parts] * column[(i + parts) * pitch];
        third += row[i + 2 * parts] * column[(i + 2 * parts) * pitch];
        fourth += row[i + 3 * parts] * column[(i + 3 * parts) * pitch];
    }
    for (; i < k; i += parts)
        sum += row[i] * column[i * pitch];
    return (sum + second) + (third + fourth);
}

/* The same with the elements of the column in |held|. */
FUNCTION T dot_held(NEAR const T *row, const T *held, int first, int k, int parts)
{
    T sum = 0, second = 0;
    for (int i = 0; i < CHAIN_HELD; i += 2) {
        const int at = first + i * parts, next = at + parts;
        sum += at < k ? row[at] * held[i] : 0;
        second += next < k ? row[next] * held[i + 1] : 0;
    }
    return sum + second;
}

KERNEL chain(GLOBAL const u64 *table, i64 steps, GLOBAL char *b0, GLOBAL char *b1, GLOBAL char *b2,
             GLOBAL char *b3, GLOBAL char *b4, GLOBAL char *b5, GLOBAL char *b6, GLOBAL char *b7)
{
    LOCAL u64 blocks[8], now[LANES];
    LOCAL T matrices[CHAIN_MATRICES], row[CHAIN_WIDEST], kept[CHAIN_WIDEST], other[LANES], part[LANES];
    const i64 r = GROUP;
    T sums[CHAIN_SUMS], held[CHAIN_HELD]; /* held: this work item's part of a matrix */
    int held_from = -1;
    for (int i = 0; i < CHAIN_SUMS; i++)
        sums[i] = 0;
    if (LANE == 0) {
        blocks[0] = (u64)b0;
        blocks[1] = (u64)b1;
        blocks[2] = (u64)b2;
        blocks[3] = (u64)b3;
        blocks[4] = (u64)b4;
        blocks[5] = (u64)b5;
        blocks[6] = (u64)b6;
        blocks[7] = (u64)b7;
    }
    for (i64 first = 0; first < steps; first += CHAIN_AHEAD) {
        BARRIER_ALL();
        const int place = LANE % CHAIN_WORDS;
        const u64 word =
            first + LANE / CHAIN_WORDS < steps ? table[first * CHAIN_WORDS + LANE] : 0;
        now[LANE] = place >= CHAIN_OUT && place < CHAIN_SINGLE
                        ? blocks[word >> 48 & 7] + (word & 0xffffffffffffUL)
                        : word;
        BARRIER_ALL();
        const int end = steps - first < CHAIN_AHEAD ? (int)(steps - first) : CHAIN_AHEAD;
        for (int s = 0; s < end; s++) {
            NEAR const u64 *step = now + s * CHAIN_WORDS;
            const int kind = (int)step[CHAIN_KIND], n = (int)step[CHAIN_WIDTH];
            const int k = (int)step[CHAIN_DEPTH];
            GLOBAL const S *x = (GLOBAL const S *)step[CHAIN_IN];
            GLOBAL const S *y = (GLOBAL const S *)step[CHAIN_IN + 1];
            GLOBAL S *z = (GLOBAL S *)step[CHAIN_OUT];
            const int known = (int)step[CHAIN_KNOWN];
            NEAR T *matrix = matrices + (kind == CHAIN_PRODUCT || kind == CHAIN_LOAD
                                             ? (int)step[CHAIN_MATRIX]
                                             : 0);
            /* A product is split into parts so that all work items are used. */
            const int split = (int)step[CHAIN_SPLIT]; /* 65536 / n, rounded up; 0: not split */
            const int parts = split ? LANES * split >> 16 : 1;
            const int slice = LANE * split >> 16, column = LANE - slice * n;
            BARRIER_IF(kind == CHAIN_PRODUCT || kind == CHAIN_ADD || known >> CHAIN_INPUTS);
            if (kind == CHAIN_LOAD)
                for (int i = LANE; i < k * n; i += LANES) {
                    const int down = step[CHAIN_SINGLE] ? i % k : i / n;
                    const int across = step[CHAIN_SINGLE] ? i / k : i % n;
                    matrix[down * (n + 1) + across] = LOAD(x[i]);
                }
            /* The last result's row is read in place, unless others overwrite it meanwhile. */
            const bool in_place = kind == CHAIN_PRODUCT && n <= LANES && known & 1;
            NEAR const T *from = in_place ? kept : row;
            const bool copies = (kind == CHAIN_PRODUCT && !in_place) || kind == CHAIN_ADD;
            if (copies)
                for (int i = LANE; i < k; i += LANES)
                    row[i] = known & 1 ? kept[i] : LOAD(x[r * k + i]);
            if (kind == CHAIN_ADD && LANE < n)
                other[LANE] = known & 2 ? kept[LANE] : LOAD(y[r * n + LANE]);
            BARRIER_IF(copies);
            if (kind == CHAIN_STORE)
                for (int i = 0; i < CHAIN_SUMS; i++)
                    if (i * LANES + LANE < n)
                        z[r * n + i * LANES + LANE] = STORE(sums[i]);
            if (kind >= CHAIN_PROGRAM)
                chain_program(kind - CHAIN_PROGRAM, step, r, n, kept);
            if (kind == CHAIN_ADD)
                for (int i = 0; i < CHAIN_SUMS; i++)
                    if (i * parts + slice < k)
                        sums[i] += row[i * parts + slice] * other[column];
            if (kind == CHAIN_PRODUCT && n > LANES)
                for (int c = column; c < n; c += LANES) {
                    const T sum = dot(row, matrix + c, n + 1, 0, k, 1);
                    z[r * n + c] = STORE(sum), kept[c] = sum;
                }
            const bool in_parts = kind == CHAIN_PRODUCT && n <= LANES;
            if (in_parts && slice < parts) {
                const bool holds = k <= parts * CHAIN_HELD;
                if (holds && held_from != (int)step[CHAIN_MATRIX])
                    for (int i = 0; i < CHAIN_HELD; i++) {
                        const int down = i * parts + slice;
                        held[i] = down < k ? matrix[down * (n + 1) + column] : 0;
                    }
                if (holds) {
                    held_from = (int)step[CHAIN_MATRIX];
                    part[slice * n + column] = dot_held(from, held, slice, k, parts);
                } else {
                    part[slice * n + column] = dot(from, matrix + column, n + 1, slice, k, parts);
                }
            }
            BARRIER_IF(in_parts);
            if (in_parts && LANE < n) {
                T sum = part[LANE];
                for (int i = 1; i < parts; i++)
                    sum += part[i * n + LANE];
                z[r * n + LANE] = STORE(sum);
                kept[LANE] = sum;
            }
        }
    }
}
