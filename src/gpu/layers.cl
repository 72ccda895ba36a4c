/* gpu/layers.cl - kernels of layers and arrays for one element type.
 *
 * Behind families.cl. T is the type of arithmetic, S the one in memory. Every kernel runs in groups
 * of LANES work items, any number of groups of at least one.
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

/* Channels last: batch x in[0] x in[1] x channels; weir_gpu_patches of the host. */
typedef struct patches {
    i64 batch, channels, in[2], out[2], taps[2], stride[2], dilation[2], pad[2];
} patches;

/* Row (image, y, x) of the matrix holds the taps[0] x taps[1] x channels elements under a window. */
KERNEL patches_of_image(GLOBAL const S *image, GLOBAL S *rows, patches p)
{
    const i64 width = p.taps[0] * p.taps[1] * p.channels;
    EACH(i, p.batch * p.out[0] * p.out[1] * width)
    {
        const i64 column = i % width, row = i / width;
        const i64 c = column % p.channels, tap = column / p.channels;
        const i64 x = row % p.out[1], y = row / p.out[1] % p.out[0], one = row / p.out[1] / p.out[0];
        const i64 at_y = y * p.stride[0] + tap / p.taps[1] * p.dilation[0] - p.pad[0];
        const i64 at_x = x * p.stride[1] + tap % p.taps[1] * p.dilation[1] - p.pad[1];
        const bool inside = at_y >= 0 && at_y < p.in[0] && at_x >= 0 && at_x < p.in[1];
        rows[i] = inside ? image[((one * p.in[0] + at_y) * p.in[1] + at_x) * p.channels + c] : STORE((T)0);
    }
}

/* Each pixel is the sum of what the rows of its windows hold for it. */
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

/* ---- pools; taps are the window, dilation is 1 ---- */

/* Element i as image, row, column and channel of images of |size|. */
#define PLACE(i, size)                                                                             \
    const INDEX channels = (INDEX)p.channels, pixel_ = i / channels, c = i - pixel_ * channels;    \
    const INDEX row_ = pixel_ / (INDEX)size[1], at_x = pixel_ - row_ * (INDEX)size[1];             \
    const INDEX one = row_ / (INDEX)size[0], at_y = row_ - one * (INDEX)size[0];

/* The part of a window that lies in the image, along one dimension. */
#define BEGIN(at, d) ((at) * (INDEX)p.stride[d] < (INDEX)p.pad[d] ? 0 : (at) * (INDEX)p.stride[d] - (INDEX)p.pad[d])
#define PAST(at, d) ((at) * (INDEX)p.stride[d] - (INDEX)p.pad[d] + (INDEX)p.taps[d])
#define END(at, d) (PAST(at, d) < (INDEX)p.in[d] ? PAST(at, d) : (INDEX)p.in[d])

/* The first largest element of each window. */
KERNEL max_pool(GLOBAL const S *xs, GLOBAL S *ys, patches p)
{
    EACH(i, p.batch * p.out[0] * p.out[1] * p.channels)
    {
        PLACE(i, p.out)
        const INDEX y1 = END(at_y, 0), x0 = BEGIN(at_x, 1), x1 = END(at_x, 1);
        T most = 0;
        bool any = false;
        for (INDEX y = BEGIN(at_y, 0); y < y1; y++) {
            GLOBAL const S *line = xs + (one * (INDEX)p.in[0] + y) * (INDEX)p.in[1] * channels + c;
            for (INDEX x = x0; x < x1; x++) {
                const T value = LOAD(line[x * channels]);
                most = !any || value > most ? value : most;
                any = true;
            }
        }
        ys[i] = STORE(most);
    }
}

/* The outputs whose windows hold a pixel, along one dimension. */
#define FIRST_WINDOW(at, d) ((at) + (INDEX)p.pad[d] < (INDEX)p.taps[d] ? 0 : ((at) + (INDEX)p.pad[d] - (INDEX)p.taps[d]) / (INDEX)p.stride[d] + 1)
#define UNDER_WINDOW(at, d) (((at) + (INDEX)p.pad[d]) / (INDEX)p.stride[d])
#define LAST_WINDOW(at, d) (UNDER_WINDOW(at, d) < (INDEX)p.out[d] ? UNDER_WINDOW(at, d) : (INDEX)p.out[d] - 1)

/* The place of the first largest element in each window, counted in rows of the window. |least|: windows whose
 * largest element is not above 0 have none, which is for a Relu before the pool. */
#define NO_PLACE 255
KERNEL max_pool_places(GLOBAL const S *xs, GLOBAL u8 *places, patches p, i32 least)
{
    EACH(i, p.batch * p.out[0] * p.out[1] * p.channels)
    {
        PLACE(i, p.out)
        const INDEX y0 = BEGIN(at_y, 0), y1 = END(at_y, 0), x0 = BEGIN(at_x, 1), x1 = END(at_x, 1);
        const INDEX left = at_x * (INDEX)p.stride[1] - (INDEX)p.pad[1];
        const INDEX top = at_y * (INDEX)p.stride[0] - (INDEX)p.pad[0];
        T most = 0;
        bool any = least != 0;
        INDEX place = NO_PLACE;
        for (INDEX y = y0; y < y1; y++) {
            GLOBAL const S *line = xs + (one * (INDEX)p.in[0] + y) * (INDEX)p.in[1] * channels + c;
            for (INDEX x = x0; x < x1; x++) {
                const T value = LOAD(line[x * channels]);
                if (!any || value > most) {
                    most = value;
                    place = (y - top) * (INDEX)p.taps[1] + x - left;
                }
                any = true;
            }
        }
        places[i] = (u8)place;
    }
}

/* What the windows over an element give it: those whose first largest one it is. */
FUNCTION T pooled_grad(GLOBAL const u8 *places, GLOBAL const S *dys, const patches *q, INDEX i)
{
    const patches p = *q;
    PLACE(i, p.in)
    const INDEX last_y = LAST_WINDOW(at_y, 0), last_x = LAST_WINDOW(at_x, 1), first_x = FIRST_WINDOW(at_x, 1);
    T sum = 0;
    for (INDEX y = FIRST_WINDOW(at_y, 0); y <= last_y; y++)
        for (INDEX x = first_x; x <= last_x; x++) {
            const INDEX out = ((one * (INDEX)p.out[0] + y) * (INDEX)p.out[1] + x) * channels + c;
            const INDEX place = (at_y + (INDEX)p.pad[0] - y * (INDEX)p.stride[0]) * (INDEX)p.taps[1] + at_x +
                                (INDEX)p.pad[1] - x * (INDEX)p.stride[1];
            if (places[out] == place)
                sum += LOAD(dys[out]);
        }
    return sum;
}

KERNEL max_pool_grad(GLOBAL const u8 *places, GLOBAL const S *dys, GLOBAL S *dxs, patches p)
{
    EACH(i, p.batch * p.in[0] * p.in[1] * p.channels) dxs[i] = STORE(pooled_grad(places, dys, &p, i));
}

/* The same, and the sums for the gradient of a bias. The launch is such that a work item stays in one channel. */
KERNEL max_pool_bias_grad(GLOBAL const u8 *places, GLOBAL const S *dys, GLOBAL S *dxs, GLOBAL S *sums, patches p)
{
    T sum = 0;
    EACH(i, p.batch * p.in[0] * p.in[1] * p.channels)
    {
        const T grad = pooled_grad(places, dys, &p, i);
        dxs[i] = STORE(grad);
        sum += grad;
    }
    sums[GROUP * LANES + LANE] = STORE(sum);
}

/* For windows of any size. */
KERNEL max_pool_far_grad(GLOBAL const S *xs, GLOBAL const S *dys, GLOBAL S *dxs, patches p)
{
    EACH(i, p.batch * p.in[0] * p.in[1] * p.channels)
    {
        PLACE(i, p.in)
        GLOBAL const S *image = xs + one * (INDEX)p.in[0] * (INDEX)p.in[1] * channels + c;
        const INDEX last_y = LAST_WINDOW(at_y, 0), last_x = LAST_WINDOW(at_x, 1);
        T sum = 0;
        for (INDEX y = FIRST_WINDOW(at_y, 0); y <= last_y; y++)
            for (INDEX x = FIRST_WINDOW(at_x, 1); x <= last_x; x++) {
                INDEX best_y = BEGIN(y, 0), best_x = BEGIN(x, 1);
                for (INDEX k = BEGIN(y, 0); k < END(y, 0); k++)
                    for (INDEX m = BEGIN(x, 1); m < END(x, 1); m++)
                        if (LOAD(image[(k * (INDEX)p.in[1] + m) * channels]) >
                            LOAD(image[(best_y * (INDEX)p.in[1] + best_x) * channels]))
                            best_y = k, best_x = m;
                if (best_y == at_y && best_x == at_x)
                    sum += LOAD(dys[((one * (INDEX)p.out[0] + y) * (INDEX)p.out[1] + x) * channels + c]);
            }
        dxs[i] = STORE(sum);
    }
}

KERNEL avg_pool(GLOBAL const S *xs, GLOBAL S *ys, patches p)
{
    EACH(i, p.batch * p.out[0] * p.out[1] * p.channels)
    {
        PLACE(i, p.out)
        const INDEX y0 = BEGIN(at_y, 0), y1 = END(at_y, 0), x0 = BEGIN(at_x, 1), x1 = END(at_x, 1);
        T sum = 0;
        for (INDEX y = y0; y < y1; y++)
            for (INDEX x = x0; x < x1; x++)
                sum += LOAD(xs[((one * (INDEX)p.in[0] + y) * (INDEX)p.in[1] + x) * channels + c]);
        ys[i] = STORE(sum / (T)((y1 - y0) * (x1 - x0)));
    }
}

KERNEL avg_pool_grad(GLOBAL const S *dys, GLOBAL S *dxs, patches p)
{
    EACH(i, p.batch * p.in[0] * p.in[1] * p.channels)
    {
        PLACE(i, p.in)
        const INDEX last_y = LAST_WINDOW(at_y, 0), last_x = LAST_WINDOW(at_x, 1);
        T sum = 0;
        for (INDEX y = FIRST_WINDOW(at_y, 0); y <= last_y; y++)
            for (INDEX x = FIRST_WINDOW(at_x, 1); x <= last_x; x++) {
                const INDEX size = (END(y, 0) - BEGIN(y, 0)) * (END(x, 1) - BEGIN(x, 1));
                sum += LOAD(dys[((one * (INDEX)p.out[0] + y) * (INDEX)p.out[1] + x) * channels + c]) / (T)size;
            }
        dxs[i] = STORE(sum);
    }
}

/* ---- convolutions of groups of channels, one work item for each result ---- */

/* |groups| filters of taps[0] x taps[1] x |filter_c| each give out_c / groups channels. */
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

/* The same of the last dimension, with Relu where that is wanted. */
KERNEL add_bias(GLOBAL const S *xs, GLOBAL const S *bias, GLOBAL S *ys, i64 count, i64 length, i32 relu)
{
    EACH(i, count)
    {
        const T sum = LOAD(xs[i]) + LOAD(bias[i % (INDEX)length]);
        ys[i] = STORE(relu && sum < 0 ? (T)0 : sum);
    }
}

/* Sums of channels, and of what Relu's gradient leaves of them. The launch is such that a work item stays in one
 * channel; their sums are added up afterwards. */
KERNEL channel_sums(GLOBAL const S *xs, GLOBAL S *sums, i64 count)
{
    T sum = 0;
    EACH(i, count) sum += LOAD(xs[i]);
    sums[GROUP * LANES + LANE] = STORE(sum);
}

KERNEL relu_bias_grad(GLOBAL const S *dys, GLOBAL const S *ys, GLOBAL S *dxs, GLOBAL S *sums, i64 count)
{
    T sum = 0;
    EACH(i, count)
    {
        const T grad = LOAD(ys[i]) > 0 ? LOAD(dys[i]) : (T)0;
        dxs[i] = STORE(grad);
        sum += grad;
    }
    sums[GROUP * LANES + LANE] = STORE(sum);
}

FUNCTION T larger(T a, T b)
{
    return a > b ? a : b;
}
FUNCTION T added(T a, T b)
{
    return a + b;
}
/* What all lanes have, joined; |part| may be used again afterwards. */
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
/* A row's largest element and the sum of exp(x - largest). */
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

/* Steps are 0 where one row serves all; of the class, where one column does. */
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
FUNCTION i64 index_at(GLOBAL const void *indices, i32 wide, i64 i)
{
    return wide ? ((GLOBAL const i64 *)indices)[i] : (i64)((GLOBAL const i32 *)indices)[i];
}

KERNEL sparse_cross_entropy(GLOBAL const S *xs, GLOBAL const void *labels, GLOBAL S *losses,
                            GLOBAL S *grads, i64 rows, i64 length, i32 wide)
{
    LOCAL T part[LANES];
    for (i64 row = GROUP; row < rows; row += GROUPS) {
        GLOBAL const S *x = xs + row * length;
        const i64 label = index_at(labels, wide, row);
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

/* Sums of the squares of what is left without the means. A work item stays in one channel, as above. */
KERNEL channel_squares(GLOBAL const S *xs, GLOBAL const W *means, GLOBAL W *sums, i64 count, i64 channels)
{
    const T mean = means[(GROUP * LANES + LANE) % channels];
    T sum = 0;
    EACH(i, count)
    {
        const T d = LOAD(xs[i]) - mean;
        sum += d * d;
    }
    sums[GROUP * LANES + LANE] = sum;
}

KERNEL channel_wide_sums(GLOBAL const S *xs, GLOBAL W *sums, i64 count)
{
    T sum = 0;
    EACH(i, count) sum += LOAD(xs[i]);
    sums[GROUP * LANES + LANE] = sum;
}

/* Sums of dy and of dy (x - mean). */
KERNEL channel_products(GLOBAL const S *dys, GLOBAL const S *xs, GLOBAL const W *means, GLOBAL W *sums,
                        GLOBAL W *products, i64 count, i64 channels)
{
    const T mean = means[(GROUP * LANES + LANE) % channels];
    T sum = 0, product = 0;
    EACH(i, count)
    {
        const T dy = LOAD(dys[i]);
        sum += dy;
        product += dy * (LOAD(xs[i]) - mean);
    }
    sums[GROUP * LANES + LANE] = sum;
    products[GROUP * LANES + LANE] = product;
}

/* What |rows| of work items have for each channel, times |factor|. */
KERNEL join_channels(GLOBAL const W *sums, GLOBAL W *ys, i64 rows, i64 channels, double factor)
{
    LOCAL T part[LANES];
    for (i64 c = GROUP; c < channels; c += GROUPS) {
        T mine = 0, sum;
        for (i64 i = LANE; i < rows; i += LANES)
            mine += sums[i * channels + c];
        JOINED(added, part, mine, sum)
        if (LANE == 0)
            ys[c] = sum * (T)factor;
    }
}

/* The moments by a group for each channel: for numbers of channels that launches cannot be made for. */
KERNEL channel_moments(GLOBAL const S *xs, GLOBAL W *means, GLOBAL W *variances, i64 rows, i64 channels)
{
    LOCAL T part[LANES];
    for (i64 c = GROUP; c < channels; c += GROUPS) {
        T mine = 0, sum, squares;
        for (i64 i = LANE; i < rows; i += LANES)
            mine += LOAD(xs[i * channels + c]);
        JOINED(added, part, mine, sum)
        const T mean = sum / (T)rows;
        mine = 0;
        for (i64 i = LANE; i < rows; i += LANES) {
            const T d = LOAD(xs[i * channels + c]) - mean;
            mine += d * d;
        }
        JOINED(added, part, mine, squares)
        if (LANE == 0) {
            means[c] = mean;
            variances[c] = squares / (T)rows;
        }
    }
}

KERNEL batch_normalize(GLOBAL const S *xs, GLOBAL const W *scales, GLOBAL const W *offsets, GLOBAL const W *means,
                 GLOBAL const W *variances, GLOBAL S *ys, i64 count, i64 channels, float epsilon)
{
    EACH(i, count)
    {
        const INDEX c = i % (INDEX)channels;
        const T scale = scales[c] / sqrt(variances[c] + (T)epsilon);
        ys[i] = STORE((LOAD(xs[i]) - means[c]) * scale + offsets[c]);
    }
}

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

/* Sums of dy and of dy (x - mean) for each channel. */
KERNEL normalize_sums(GLOBAL const S *dys, GLOBAL const S *xs, GLOBAL const W *means, GLOBAL W *sums,
                      GLOBAL W *products, i64 rows, i64 channels)
{
    LOCAL T part[LANES];
    for (i64 c = GROUP; c < channels; c += GROUPS) {
        T mine = 0, other = 0, sum, products_sum;
        for (i64 i = LANE; i < rows; i += LANES) {
            const T dy = LOAD(dys[i * channels + c]);
            mine += dy;
            other += dy * (LOAD(xs[i * channels + c]) - means[c]);
        }
        JOINED(added, part, mine, sum)
        JOINED(added, part, other, products_sum)
        if (LANE == 0) {
            sums[c] = sum;
            products[c] = products_sum;
        }
    }
}

/* |training|: mean and variance came from this batch. */
KERNEL normalize_grad(GLOBAL const S *dys, GLOBAL const S *xs, GLOBAL const W *scales, GLOBAL const W *means,
                      GLOBAL const W *variances, GLOBAL const W *sums, GLOBAL const W *products,
                      GLOBAL S *dxs, i64 count, i64 channels, float epsilon, i32 training)
{
    EACH(i, count)
    {
        const INDEX c = i % (INDEX)channels;
        const T rows = (T)(count / channels), variance = variances[c] + (T)epsilon;
        const T dy = LOAD(dys[i]), d = LOAD(xs[i]) - means[c];
        const T moved = training ? dy - sums[c] / rows - d * products[c] / (rows * variance) : dy;
        dxs[i] = STORE(moved * scales[c] / sqrt(variance));
    }
}

KERNEL normalize_scale_grad(GLOBAL const W *products, GLOBAL const W *variances, GLOBAL W *grads,
                            i64 channels, float epsilon)
{
    EACH(c, channels) grads[c] = products[c] / sqrt(variances[c] + (T)epsilon);
}

/* ---- local response normalisation ---- */

#define LRN_REACH 16 /* the largest radius of the kernels that share what neighbours read */

/* s^-beta; 3/4 is what networks use. */
FUNCTION T lowered(T s, T beta)
{
    return beta == (T)0.75 ? 1 / (sqrt(s) * sqrt(sqrt(s))) : pow(s, -beta);
}

/* |shared| holds the elements from |begin| - reach on; the response at shared[at], of channel c. */
FUNCTION T shared_response(NEAR const T *shared, int at, INDEX c, INDEX channels, int radius, T bias, T alpha)
{
    const int low = c < radius ? -(int)c : -radius, high = channels - 1 - c < radius ? (int)(channels - 1 - c) : radius;
    T sum = 0;
    for (int k = low; k <= high; k++)
        sum += shared[at + k] * shared[at + k];
    return bias + alpha * sum;
}

KERNEL lrn(GLOBAL const S *xs, GLOBAL S *ys, i64 count, i64 channels, i64 radius, float bias, float alpha, float beta)
{
    LOCAL T x[LANES + 2 * LRN_REACH];
    const int reach = (int)radius;
    for (INDEX begin = (INDEX)GROUP * LANES; begin < (INDEX)count; begin += (INDEX)GROUPS * LANES) {
        for (int k = LANE; k < LANES + 2 * reach; k += LANES) {
            const INDEX at = begin + k - reach;
            x[k] = at >= 0 && at < (INDEX)count ? LOAD(xs[at]) : (T)0;
        }
        BARRIER();
        const INDEX i = begin + LANE;
        if (i < (INDEX)count)
            ys[i] = STORE(x[LANE + reach] *
                          lowered(shared_response(x, LANE + reach, i % (INDEX)channels, (INDEX)channels, reach,
                                                  (T)bias, (T)alpha),
                                  (T)beta));
        BARRIER();
    }
}

/* dx = dy s^-beta - 2 alpha beta x sum(dy y / s) over the window. */
KERNEL lrn_grad(GLOBAL const S *dys, GLOBAL const S *xs, GLOBAL const S *ys, GLOBAL S *dxs, i64 count,
                i64 channels, i64 radius, float bias, float alpha, float beta)
{
    LOCAL T x[LANES + 4 * LRN_REACH];
    LOCAL T share[LANES + 2 * LRN_REACH];
    const int reach = (int)radius;
    for (INDEX begin = (INDEX)GROUP * LANES; begin < (INDEX)count; begin += (INDEX)GROUPS * LANES) {
        for (int k = LANE; k < LANES + 4 * reach; k += LANES) {
            const INDEX at = begin + k - 2 * reach;
            x[k] = at >= 0 && at < (INDEX)count ? LOAD(xs[at]) : (T)0;
        }
        BARRIER();
        T own = 1;
        for (int k = LANE; k < LANES + 2 * reach; k += LANES) {
            const INDEX at = begin + k - reach;
            const bool inside = at >= 0 && at < (INDEX)count;
            const T s = inside ? shared_response(x, k + reach, at % (INDEX)channels, (INDEX)channels, reach, (T)bias,
                                                 (T)alpha)
                               : (T)1;
            share[k] = inside ? LOAD(dys[at]) * LOAD(ys[at]) / s : (T)0;
        }
        BARRIER();
        const INDEX i = begin + LANE, c = i % (INDEX)channels;
        if (i < (INDEX)count) {
            const int low = c < reach ? -(int)c : -reach;
            const int high = (INDEX)channels - 1 - c < reach ? (int)((INDEX)channels - 1 - c) : reach;
            T sum = 0;
            for (int k = low; k <= high; k++)
                sum += share[LANE + reach + k];
            own = shared_response(x, LANE + 2 * reach, c, (INDEX)channels, reach, (T)bias, (T)alpha);
            dxs[i] = STORE(LOAD(dys[i]) * lowered(own, (T)beta) -
                           2 * (T)alpha * (T)beta * x[LANE + 2 * reach] * sum);
        }
        BARRIER();
    }
}

FUNCTION T response(GLOBAL const S *x, i64 c, i64 channels, i64 radius, T bias, T alpha)
{
    T sum = 0;
    for (i64 k = c - radius < 0 ? 0 : c - radius; k <= c + radius && k < channels; k++)
        sum += LOAD(x[k]) * LOAD(x[k]);
    return bias + alpha * sum;
}

/* For any radius. */
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
#else
FUNCTION i64 index_at(GLOBAL const void *indices, i32 wide, i64 i)
{
    return wide ? ((GLOBAL const i64 *)indices)[i] : (i64)((GLOBAL const i32 *)indices)[i];
}
#endif

/* ---- choosing ---- */

/* Steps of 0 repeat one element; the condition has one for every |inner| elements. */
KERNEL choose(GLOBAL const u8 *conditions, GLOBAL const S *xs, GLOBAL const S *ys, GLOBAL S *zs, i64 count,
              i64 inner, i64 condition_step, i64 x_step, i64 y_step)
{
    EACH(i, count) zs[i] = conditions[i / (INDEX)inner * condition_step] ? xs[i * x_step] : ys[i * y_step];
}

/* The index of the first largest (or smallest) of |length| elements |inner| apart. */
KERNEL arg_most(GLOBAL const S *xs, GLOBAL void *ys, i64 outer, i64 length, i64 inner, i32 smallest, i32 wide)
{
    EACH(i, outer * inner)
    {
        GLOBAL const S *x = xs + i / inner * length * inner + i % inner;
        i64 best = 0;
        T most = LOAD(x[0]);
        for (i64 k = 1; k < length; k++) {
            const T value = LOAD(x[k * inner]);
            if (smallest ? value < most : value > most)
                best = k, most = value;
        }
        if (wide)
            ((GLOBAL i64 *)ys)[i] = best;
        else
            ((GLOBAL i32 *)ys)[i] = (i32)best;
    }
}

KERNEL one_hot(GLOBAL const void *indices, GLOBAL const S *on, GLOBAL const S *off, GLOBAL S *ys, i64 outer,
               i64 depth, i64 inner, i32 wide)
{
    EACH(i, outer * depth * inner)
    {
        const i64 k = i / inner % depth, at = i / inner / depth * inner + i % inner;
        ys[i] = index_at(indices, wide, at) == k ? on[0] : off[0];
    }
}

/* ---- gather, scatter, segments ---- */

/* y[b][o][i] is row indices[b][i] of |limit| rows of |run| elements; out of range gives 0. */
KERNEL gather_rows(GLOBAL const S *xs, GLOBAL const void *indices, GLOBAL S *ys, i64 batch, i64 outer,
                   i64 limit, i64 count, i64 run, i32 wide)
{
    EACH(i, batch * outer * count * run)
    {
        const INDEX row = i / (INDEX)run, e = i - row * (INDEX)run, k = row % (INDEX)count;
        const INDEX o = row / (INDEX)count % (INDEX)outer, b = row / (INDEX)count / (INDEX)outer;
        const i64 at = index_at(indices, wide, b * count + k);
        ys[i] = at >= 0 && at < limit ? xs[((b * outer + o) * limit + at) * run + e] : STORE((T)0);
    }
}

/* Row |k| of |ys| joined with every row of |xs| whose index it is: 0 =, 1 +, 2 -, 3 *, 4 /, 5 min, 6 max.
 * A work item does all of one element, in the order of the rows. */
KERNEL scatter_rows(GLOBAL S *ys, GLOBAL const void *indices, GLOBAL const S *xs, i64 limit, i64 count, i64 run,
                    i64 x_step, i32 join, i32 wide)
{
    EACH(i, limit * run)
    {
        const i64 row = i / run, e = i % run;
        T value = LOAD(ys[i]);
        bool changed = false;
        for (i64 k = 0; k < count; k++) {
            if (index_at(indices, wide, k) != row)
                continue;
            const T x = LOAD(xs[x_step ? k * run + e : 0]);
            changed = true;
            value = join == 0   ? x
                    : join == 1 ? (T)(value + x)
                    : join == 2 ? (T)(value - x)
                    : join == 3 ? (T)(value * x)
                    : join == 4 ? (T)(value / (x != 0 ? x : (T)1))
                    : join == 5 ? (x < value ? x : value)
                                : (x > value ? x : value);
        }
        if (changed)
            ys[i] = STORE(value);
    }
}

/* ys[i] = value of the one element x. */
KERNEL repeat(GLOBAL const S *xs, GLOBAL S *ys, i64 count)
{
    EACH(i, count) ys[i] = xs[0];
}
