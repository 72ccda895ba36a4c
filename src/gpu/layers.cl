/* gpu/layers.cl - kernels of layers and arrays for one element type.
 *
 * Included after families.cl. T is the type of arithmetic, S the type in memory. Every kernel runs
 * in groups of LANES work items, any number of groups of at least one.
 */

/* ---- products ---- */

#define TILE 16

/* c[i][j] = sum a[i][p] b[p][j] for |batch| products; strides of rows and columns in elements. */
KERNEL product(GLOBAL const S *a, GLOBAL const S *b, GLOBAL S *c, i64 m, i64 n, i64 k, i64 batch,
               i64 a_row, i64 a_column, i64 b_row, i64 b_column, i64 a_step, i64 b_step, i64 c_step)
{
    LOCAL T as[TILE][TILE + 1];
    LOCAL T bs[TILE][TILE + 1];
    const int x = LANE % TILE, y = LANE / TILE;
    const i64 across = (n + TILE - 1) / TILE, down = (m + TILE - 1) / TILE;
    for (i64 tile = GROUP; tile < across * down * batch; tile += GROUPS) {
        const i64 one = tile / (across * down), rest = tile % (across * down);
        const i64 i = rest / across * TILE + y, j = rest % across * TILE + x;
        GLOBAL const S *from_a = a + one * a_step;
        GLOBAL const S *from_b = b + one * b_step;
        T sum = 0;
        for (i64 start = 0; start < k; start += TILE) {
            as[y][x] = i < m && start + x < k ? LOAD(from_a[i * a_row + (start + x) * a_column]) : (T)0;
            bs[y][x] = start + y < k && j < n ? LOAD(from_b[(start + y) * b_row + j * b_column]) : (T)0;
            BARRIER();
            for (int p = 0; p < TILE; p++)
                sum += as[y][p] * bs[p][x];
            BARRIER();
        }
        if (i < m && j < n)
            c[one * c_step + i * n + j] = STORE(sum);
    }
}

/* ---- convolutions, by the matrix of patches ---- */

/* Each pixel is the sum of its entries in all rows whose windows contain it. */
KERNEL image_of_patches(GLOBAL const S *rows, GLOBAL S *image, patches p)
{
    const i64 width = p.taps[0] * p.taps[1] * p.channels;
    EACH(i, p.batch * p.in[0] * p.in[1] * p.channels)
    {
        const i64 c = i % p.channels, at_x = i / p.channels % p.in[1];
        const i64 at_y = i / p.channels / p.in[1] % p.in[0], one = i / p.channels / p.in[1] / p.in[0];
        T sum = 0;
        for (i64 ty = 0; ty < p.taps[0]; ty++) {
            const i64 y = at_y + p.pad[0] - ty * p.dilation[0];
            if (y < 0 || y % p.stride[0] || y / p.stride[0] >= p.out[0])
                continue;
            for (i64 tx = 0; tx < p.taps[1]; tx++) {
                const i64 x = at_x + p.pad[1] - tx * p.dilation[1];
                if (x < 0 || x % p.stride[1] || x / p.stride[1] >= p.out[1])
                    continue;
                const i64 row = (one * p.out[0] + y / p.stride[0]) * p.out[1] + x / p.stride[1];
                sum += LOAD(rows[row * width + (ty * p.taps[1] + tx) * p.channels + c]);
            }
        }
        image[i] = STORE(sum);
    }
}

/* ---- convolutions of groups of channels, one work item for each result ---- */

/* |groups| groups: filters of taps[0] x taps[1] x |filter_c|, out_c / groups channels each. */
KERNEL group_conv(GLOBAL const S *xs, GLOBAL const S *ws, GLOBAL S *ys, patches p, i64 filter_c, i64 out_c)
{
    const i64 groups = p.channels / filter_c, each = out_c / groups;
    EACH(i, p.batch * p.out[0] * p.out[1] * out_c)
    {
        const i64 o = i % out_c, x = i / out_c % p.out[1], y = i / out_c / p.out[1] % p.out[0];
        const i64 one = i / out_c / p.out[1] / p.out[0], first = o / each * filter_c;
        T sum = 0;
        for (i64 ty = 0; ty < p.taps[0]; ty++)
            for (i64 tx = 0; tx < p.taps[1]; tx++) {
                const i64 at_y = y * p.stride[0] + ty * p.dilation[0] - p.pad[0];
                const i64 at_x = x * p.stride[1] + tx * p.dilation[1] - p.pad[1];
                if (at_y < 0 || at_y >= p.in[0] || at_x < 0 || at_x >= p.in[1])
                    continue;
                GLOBAL const S *from = xs + ((one * p.in[0] + at_y) * p.in[1] + at_x) * p.channels + first;
                for (i64 k = 0; k < filter_c; k++)
                    sum += LOAD(from[k]) * LOAD(ws[((ty * p.taps[1] + tx) * filter_c + k) * out_c + o]);
            }
        ys[i] = STORE(sum);
    }
}

KERNEL group_conv_grad_x(GLOBAL const S *dys, GLOBAL const S *ws, GLOBAL S *dxs, patches p, i64 filter_c, i64 out_c)
{
    const i64 groups = p.channels / filter_c, each = out_c / groups;
    EACH(i, p.batch * p.in[0] * p.in[1] * p.channels)
    {
        const i64 c = i % p.channels, at_x = i / p.channels % p.in[1], at_y = i / p.channels / p.in[1] % p.in[0];
        const i64 one = i / p.channels / p.in[1] / p.in[0], first = c / filter_c * each, k = c % filter_c;
        T sum = 0;
        for (i64 ty = 0; ty < p.taps[0]; ty++)
            for (i64 tx = 0; tx < p.taps[1]; tx++) {
                const i64 y = at_y + p.pad[0] - ty * p.dilation[0], x = at_x + p.pad[1] - tx * p.dilation[1];
                if (y < 0 || y % p.stride[0] || y / p.stride[0] >= p.out[0] || x < 0 || x % p.stride[1] ||
                    x / p.stride[1] >= p.out[1])
                    continue;
                const i64 pixel = (one * p.out[0] + y / p.stride[0]) * p.out[1] + x / p.stride[1];
                for (i64 o = first; o < first + each; o++)
                    sum += LOAD(dys[pixel * out_c + o]) * LOAD(ws[((ty * p.taps[1] + tx) * filter_c + k) * out_c + o]);
            }
        dxs[i] = STORE(sum);
    }
}

KERNEL group_conv_grad_w(GLOBAL const S *xs, GLOBAL const S *dys, GLOBAL S *dws, patches p, i64 filter_c, i64 out_c)
{
    const i64 groups = p.channels / filter_c, each = out_c / groups;
    EACH(i, p.taps[0] * p.taps[1] * filter_c * out_c)
    {
        const i64 o = i % out_c, k = i / out_c % filter_c, tap = i / out_c / filter_c;
        const i64 c = o / each * filter_c + k;
        T sum = 0;
        for (i64 one = 0; one < p.batch; one++)
            for (i64 y = 0; y < p.out[0]; y++) {
                const i64 at_y = y * p.stride[0] + tap / p.taps[1] * p.dilation[0] - p.pad[0];
                for (i64 x = 0; x < p.out[1] && at_y >= 0 && at_y < p.in[0]; x++) {
                    const i64 at_x = x * p.stride[1] + tap % p.taps[1] * p.dilation[1] - p.pad[1];
                    if (at_x >= 0 && at_x < p.in[1])
                        sum += LOAD(xs[((one * p.in[0] + at_y) * p.in[1] + at_x) * p.channels + c]) *
                               LOAD(dys[((one * p.out[0] + y) * p.out[1] + x) * out_c + o]);
                }
            }
        dws[i] = STORE(sum);
    }
}

/* ---- rows ---- */

KERNEL add_rows(GLOBAL const S *xs, GLOBAL const S *bias, GLOBAL S *ys, i64 count, i64 inner, i64 length)
{
    EACH(i, count) ys[i] = STORE((T)(LOAD(xs[i]) + LOAD(bias[i / (INDEX)inner % (INDEX)length])));
}

FUNCTION T larger(T a, T b)
{
    return a > b ? a : b;
}
FUNCTION T added(T a, T b)
{
    return a + b;
}
/* Combines the values of all lanes; |part| may be reused afterwards. */
#define JOINED(join, part, value, out)                                                             \
    part[LANE] = value;                                                                            \
    BARRIER();                                                                                     \
    for (int half_ = LANES / 2; half_ > 0; half_ /= 2) {                                           \
        if (LANE < half_)                                                                          \
            part[LANE] = join(part[LANE], part[LANE + half_]);                                     \
        BARRIER();                                                                                 \
    }                                                                                              \
    out = part[0];                                                                                 \
    BARRIER();

#if IS_FLOAT
/* A row's maximum and the sum of exp(x - maximum). */
#define ROW_SUM(x, length, most, sum)                                                              \
    {                                                                                              \
        T mine_ = -INFINITY;                                                                       \
        for (i64 i = LANE; i < length; i += LANES)                                                 \
            mine_ = larger(mine_, LOAD(x[i]));                                                     \
        JOINED(larger, part, mine_, most)                                                          \
        mine_ = 0;                                                                                 \
        for (i64 i = LANE; i < length; i += LANES)                                                 \
            mine_ += exp(LOAD(x[i]) - most);                                                       \
        JOINED(added, part, mine_, sum)                                                            \
    }

KERNEL softmax(GLOBAL const S *xs, GLOBAL S *ys, i64 rows, i64 length, i32 logs)
{
    LOCAL T part[LANES];
    for (i64 row = GROUP; row < rows; row += GROUPS) {
        GLOBAL const S *x = xs + row * length;
        T most, sum;
        ROW_SUM(x, length, most, sum)
        for (i64 i = LANE; i < length; i += LANES) {
            const T shifted = LOAD(x[i]) - most;
            ys[row * length + i] = STORE(logs ? shifted - log(sum) : exp(shifted) / sum);
        }
        BARRIER();
    }
}

/* A row step of 0 broadcasts one row; a class step of 0 broadcasts one column. */
KERNEL cross_entropy(GLOBAL const S *xs, GLOBAL const S *labels, GLOBAL S *losses, GLOBAL S *grads,
                     i64 rows, i64 length)
{
    LOCAL T part[LANES];
    for (i64 row = GROUP; row < rows; row += GROUPS) {
        GLOBAL const S *x = xs + row * length;
        GLOBAL const S *label = labels + row * length;
        T most, sum, loss = 0;
        ROW_SUM(x, length, most, sum)
        T mine = 0;
        for (i64 i = LANE; i < length; i += LANES) {
            const T shifted = LOAD(x[i]) - most, want = LOAD(label[i]);
            mine += want * (log(sum) - shifted);
            grads[row * length + i] = STORE(exp(shifted) / sum - want);
        }
        JOINED(added, part, mine, loss)
        if (LANE == 0)
            losses[row] = STORE(loss);
    }
}

/* Labels outside [0, length) give NaN, as on other devices. */
KERNEL sparse_cross_entropy(GLOBAL const S *xs, GLOBAL const void *labels, GLOBAL S *losses,
                            GLOBAL S *grads, i64 rows, i64 length, i32 kind)
{
    LOCAL T part[LANES];
    for (i64 row = GROUP; row < rows; row += GROUPS) {
        GLOBAL const S *x = xs + row * length;
        const i64 label = index_at(labels, kind, row);
        const bool known = label >= 0 && label < length;
        T most, sum;
        ROW_SUM(x, length, most, sum)
        for (i64 i = LANE; i < length; i += LANES) {
            const T share = exp(LOAD(x[i]) - most) / sum - (T)(i == label);
            grads[row * length + i] = STORE(known ? share : (T)NAN);
        }
        if (LANE == 0)
            losses[row] = STORE(known ? log(sum) + most - LOAD(x[known ? label : 0]) : (T)NAN);
        BARRIER();
    }
}

/* ---- batch normalisation over rows of channels ---- */

/* The running mean and variance that training keeps. */
KERNEL running_moments(GLOBAL const W *old_means, GLOBAL const W *old_variances, GLOBAL const W *means,
                       GLOBAL const W *variances, GLOBAL W *new_means, GLOBAL W *new_variances,
                       i64 channels, i64 rows, float factor)
{
    EACH(c, channels)
    {
        const T unbiased = variances[c] * (T)rows / (T)(rows > 1 ? rows - 1 : 1);
        new_means[c] = factor == 1 ? means[c] : old_means[c] * (1 - (T)factor) + means[c] * (T)factor;
        new_variances[c] = factor == 1 ? unbiased : old_variances[c] * (1 - (T)factor) + unbiased * (T)factor;
    }
}

KERNEL normalize_scale_grad(GLOBAL const W *products, GLOBAL const W *variances, GLOBAL W *grads,
                            i64 channels, float epsilon)
{
    EACH(c, channels) grads[c] = products[c] / sqrt(variances[c] + (T)epsilon);
}

/* ---- local response normalisation, for any radius ---- */

/* s^-beta; with a fast path for the common 3/4. */
FUNCTION T lowered(T s, T beta)
{
    return beta == (T)0.75 ? 1 / (sqrt(s) * sqrt(sqrt(s))) : pow(s, -beta);
}

FUNCTION T response(GLOBAL const S *x, i64 c, i64 channels, i64 radius, T bias, T alpha)
{
    T sum = 0;
    for (i64 k = c - radius < 0 ? 0 : c - radius; k <= c + radius && k < channels; k++)
        sum += LOAD(x[k]) * LOAD(x[k]);
    return bias + alpha * sum;
}

KERNEL lrn_far(GLOBAL const S *xs, GLOBAL S *ys, i64 count, i64 channels, i64 radius, float bias, float alpha,
               float beta)
{
    EACH(i, count)
    {
        const i64 c = i % channels;
        ys[i] = STORE(LOAD(xs[i]) * lowered(response(xs + (i - c), c, channels, radius, bias, alpha), (T)beta));
    }
}

KERNEL lrn_far_grad(GLOBAL const S *dys, GLOBAL const S *xs, GLOBAL const S *ys, GLOBAL S *dxs, i64 count,
                    i64 channels, i64 radius, float bias, float alpha, float beta)
{
    EACH(i, count)
    {
        const i64 c = i % channels;
        GLOBAL const S *x = xs + (i - c);
        T sum = LOAD(dys[i]) * lowered(response(x, c, channels, radius, bias, alpha), (T)beta);
        for (i64 k = c - radius < 0 ? 0 : c - radius; k <= c + radius && k < channels; k++)
            sum -= 2 * (T)alpha * (T)beta * LOAD(xs[i]) * LOAD(dys[i - c + k]) * LOAD(ys[i - c + k]) /
                   response(x, k, channels, radius, bias, alpha);
        dxs[i] = STORE(sum);
    }
}

KERNEL leaky_relu(GLOBAL const S *xs, GLOBAL S *ys, i64 count, float alpha)
{
    EACH(i, count) ys[i] = STORE(LOAD(xs[i]) > 0 ? LOAD(xs[i]) : LOAD(xs[i]) * (T)alpha);
}

KERNEL leaky_relu_grad(GLOBAL const S *dys, GLOBAL const S *xs, GLOBAL S *dxs, i64 count, float alpha)
{
    EACH(i, count) dxs[i] = STORE(LOAD(xs[i]) > 0 ? LOAD(dys[i]) : LOAD(dys[i]) * (T)alpha);
}

KERNEL half_square_sum(GLOBAL const S *xs, GLOBAL S *ys, i64 count)
{
    LOCAL T part[LANES];
    T mine = 0, sum;
    for (i64 i = LANE; i < count; i += LANES)
        mine += LOAD(xs[i]) * LOAD(xs[i]);
    JOINED(added, part, mine, sum)
    if (LANE == 0 && GROUP == 0)
        ys[0] = STORE(sum / 2);
}
#endif

/* ---- selection ------------------------------------------------------------------------------- */

/* Steps of 0 broadcast one element; the condition has one element per |inner| elements. */
KERNEL choose(GLOBAL const u8 *conditions, GLOBAL const S *xs, GLOBAL const S *ys, GLOBAL S *zs, i64 count,
              i64 inner, i64 condition_step, i64 x_step, i64 y_step)
{
    EACH(i, count) zs[i] = conditions[i / (INDEX)inner * condition_step] ? xs[i * x_step] : ys[i * y_step];
}

/* The index of the first maximum (or minimum) of |length| elements with stride |inner|, by the rule
 * of math/reduce/arg.inc, which needs no test for NaN. */
KERNEL arg_most(GLOBAL const S *xs, GLOBAL void *ys, i64 outer, i64 length, i64 inner, i32 smallest, i32 kind)
{
    EACH(i, outer * inner)
    {
        GLOBAL const S *x = xs + i / inner * length * inner + i % inner;
        i64 best = 0;
        T most = smallest ? HIGHEST_T : LOWEST_T;
        for (i64 k = 0; k < length; k++) {
            const T value = LOAD(x[k * inner]);
            if (smallest ? value < most : value > most)
                best = k, most = value;
        }
        put_index(ys, kind, i, best);
    }
}

KERNEL one_hot(GLOBAL const void *indices, GLOBAL const S *on, GLOBAL const S *off, GLOBAL S *ys, i64 outer,
               i64 depth, i64 inner, i32 kind)
{
    EACH(i, outer * depth * inner)
    {
        const i64 k = i / inner % depth, at = i / inner / depth * inner + i % inner;
        ys[i] = index_at(indices, kind, at) == k ? on[0] : off[0];
    }
}

/* ---- gather, scatter, segments ---- */

/* y[b][o][i] is row indices[b][i] of |limit| rows of |run| elements; out of range gives 0. */
KERNEL gather_rows(GLOBAL const S *xs, GLOBAL const void *indices, GLOBAL S *ys, i64 batch, i64 outer,
                   i64 limit, i64 count, i64 run, i32 kind)
{
    EACH(i, batch * outer * count * run)
    {
        const INDEX row = i / (INDEX)run, e = i - row * (INDEX)run, k = row % (INDEX)count;
        const INDEX o = row / (INDEX)count % (INDEX)outer, b = row / (INDEX)count / (INDEX)outer;
        const i64 at = index_at(indices, kind, b * count + k);
        ys[i] = at >= 0 && at < limit ? xs[((b * outer + o) * limit + at) * run + e] : STORE((T)0);
    }
}

/* Combines row |r| of |ys| with every row of |xs| that has its index: 0 =, 1 +, 2 -, 3 *, 4 /, 5
 * min, 6 max. The work item of the first row of an index processes all of its rows, in order. */
KERNEL scatter_rows(GLOBAL S *ys, GLOBAL const void *indices, GLOBAL const S *xs, i64 limit, i64 count, i64 run,
                    i64 x_step, i32 join, i32 kind)
{
    EACH(i, count * run)
    {
        const INDEX k = i / (INDEX)run, e = i - k * (INDEX)run;
        const i64 row = index_at(indices, kind, k);
        bool first = row >= 0 && row < limit;
        for (INDEX j = 0; j < k && first; j++)
            first = index_at(indices, kind, j) != row;
        if (!first)
            continue;
        T value = LOAD(ys[row * run + e]);
        for (INDEX j = k; j < (INDEX)count; j++) {
            if (index_at(indices, kind, j) != row)
                continue;
            const T x = LOAD(xs[x_step ? j * (INDEX)run + e : 0]);
            value = join == 0   ? x
                    : join == 1 ? (T)(value + x)
                    : join == 2 ? (T)(value - x)
                    : join == 3 ? (T)(value * x)
                    : join == 4 ? (T)(value / (x != 0 ? x : (T)1))
                    : join == 5 ? (x < value ? x : value)
                                : (x > value ? x : value);
        }
        ys[row * run + e] = STORE(value);
    }
}

typedef struct sizes {
    i64 at[8];
} sizes;

/* Flattens rows of |depth| indices; -1: out of range. */
KERNEL flat_indices(GLOBAL const void *indices, GLOBAL i64 *ys, i64 count, i64 depth, sizes size, i32 kind)
{
    EACH(i, count)
    {
        i64 flat = 0;
        bool inside = true;
        for (i64 d = 0; d < depth; d++) {
            const i64 at = index_at(indices, kind, i * depth + d);
            inside = inside && at >= 0 && at < size.at[d];
            flat = flat * size.at[d] + at;
        }
        ys[i] = inside ? flat : -1;
    }
}

/* Prefix sums or products of |length| elements with stride |inner|. */
KERNEL cumulate(GLOBAL const S *xs, GLOBAL S *ys, i64 outer, i64 length, i64 inner, i32 exclusive, i32 reverse,
                i32 product)
{
    EACH(i, outer * inner)
    {
        const i64 first = i / inner * length * inner + i % inner;
        T total = product ? 1 : 0;
        for (i64 k = 0; k < length; k++) {
            const i64 at = first + (reverse ? length - 1 - k : k) * inner;
            const T before = total, x = LOAD(xs[at]);
            total = (T)(product ? total * x : total + x);
            ys[at] = STORE(exclusive ? before : total);
        }
    }
}

/* Broadcasts the single element x to ys. */
KERNEL repeat(GLOBAL const S *xs, GLOBAL S *ys, i64 count)
{
    EACH(i, count) ys[i] = xs[0];
}
