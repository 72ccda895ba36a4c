/* gpu/channels.cl - kernels of channels-last images: pools, biases, sums and normalisation of
 * channels.
 *
 * Included after families.cl. A work item processes QUAD adjacent channels of a pixel, 1, 4 or 8
 * (at most 16 bytes per read); the host uses more than 1 if the number of channels and all
 * addresses are multiples of it. Counts and indices below are in such quads.
 */
#ifndef QUAD
#define QUAD 1
#endif
#define ALIGNED(bytes) __attribute__((aligned((bytes) > 16 ? 16 : (bytes))))
typedef struct quad {
    S at[QUAD];
} ALIGNED(QUAD * sizeof(S)) quad;
typedef struct wide_quad {
    W at[QUAD];
} ALIGNED(QUAD * sizeof(W)) wide_quad;
typedef struct byte_quad {
    u8 at[QUAD];
} __attribute__((aligned(QUAD))) byte_quad;
#define LANES_OF(k) for (int k = 0; k < QUAD; k++)

/* ---- per-channel sums of work items ---------------------------------------------------------- */

/* Requires that a work item keeps its channels: GROUPS * LANES is a multiple of |width|, the number
 * of quads in a pixel. The sums of a group become a row of |sums|. */
#define LEAVE_SUMS(sum, sums, width)                                                               \
    {                                                                                              \
        const i64 begin_ = GROUP * LANES % (width);                                                \
        BARRIER();                                                                                 \
        LANES_OF(k) part[LANE * QUAD + k] = sum[k];                                                \
        BARRIER();                                                                                 \
        for (i64 j = LANE; j < (width); j += LANES) {                                              \
            wide_quad all_;                                                                        \
            LANES_OF(k) all_.at[k] = 0;                                                            \
            for (i64 l = j < begin_ ? j - begin_ + (width) : j - begin_; l < LANES; l += (width))  \
                LANES_OF(k) all_.at[k] += part[l * QUAD + k];                                      \
            (sums)[GROUP * (width) + j] = all_;                                                    \
        }                                                                                          \
    }

/* Adds up |rows| such rows of |channels| sums, times |factor|. */
#define JOIN_ROWS(name, R, PUT)                                                                    \
    KERNEL name(GLOBAL const W *sums, GLOBAL R *ys, i64 rows, i64 channels, double factor)         \
    {                                                                                              \
        LOCAL T part[8][32];                                                                       \
        const int x = LANE % 32, y = LANE / 32;                                                    \
        for (i64 first = GROUP * 32; first < channels; first += GROUPS * 32) {                     \
            T sum = 0;                                                                             \
            for (i64 row = y; row < rows && first + x < channels; row += 8)                        \
                sum += sums[row * channels + first + x];                                           \
            part[y][x] = sum;                                                                      \
            BARRIER();                                                                             \
            if (y == 0 && first + x < channels) {                                                  \
                for (int k = 1; k < 8; k++)                                                        \
                    sum += part[k][x];                                                             \
                ys[first + x] = PUT(sum * (T)factor);                                              \
            }                                                                                      \
            BARRIER();                                                                             \
        }                                                                                          \
    }
JOIN_ROWS(join_rows, S, STORE)
JOIN_ROWS(join_wide_rows, W, )

KERNEL channel_sums(GLOBAL const quad *xs, GLOBAL wide_quad *sums, i64 count, i64 width)
{
    LOCAL T part[LANES * QUAD];
    T sum[QUAD];
    LANES_OF(k) sum[k] = 0;
    EACH(i, count)
    {
        const quad x = xs[i];
        LANES_OF(k) sum[k] += LOAD(x.at[k]);
    }
    LEAVE_SUMS(sum, sums, width)
}

/* Reads the quads from |first| on of each pixel's |step| quads of dys. */
KERNEL relu_bias_grad(GLOBAL const quad *dys, GLOBAL const quad *ys, GLOBAL quad *dxs, GLOBAL wide_quad *sums,
                      i64 count, i64 width, i64 step, i64 first)
{
    LOCAL T part[LANES * QUAD];
    T sum[QUAD];
    LANES_OF(k) sum[k] = 0;
    EACH(i, count)
    {
        const INDEX pixel = i / (INDEX)width;
        const quad y = ys[i], dy = dys[step == width ? i : i + pixel * (INDEX)(step - width) + (INDEX)first];
        quad dx;
        LANES_OF(k)
        {
            const T grad = LOAD(y.at[k]) > 0 ? LOAD(dy.at[k]) : (T)0;
            dx.at[k] = STORE(grad);
            sum[k] += grad;
        }
        dxs[i] = dx;
    }
    LEAVE_SUMS(sum, sums, width)
}

/* Adds a bias of |width| quads, with optional Relu. */
KERNEL add_bias(GLOBAL const quad *xs, GLOBAL const quad *bias, GLOBAL quad *ys, i64 count, i64 width, i32 relu)
{
    EACH(i, count)
    {
        const quad x = xs[i], b = bias[i % (INDEX)width];
        quad y;
        LANES_OF(k)
        {
            const T sum = LOAD(x.at[k]) + LOAD(b.at[k]);
            y.at[k] = STORE(relu && sum < 0 ? (T)0 : sum);
        }
        ys[i] = y;
    }
}

/* ---- pools; taps are the window, dilation is 1 ---- */

/* Quad i as image, row, column and channel of images of |size|; the channels of |p| are quads, too. */
#define PLACE(i, size)                                                                             \
    const INDEX channels = (INDEX)p.channels, pixel_ = i / channels, c = i - pixel_ * channels;    \
    const INDEX row_ = pixel_ / (INDEX)size[1], at_x = pixel_ - row_ * (INDEX)size[1];             \
    const INDEX one = row_ / (INDEX)size[0], at_y = row_ - one * (INDEX)size[0];

/* The part of a window inside the image, along one dimension. */
#define BEGIN(at, d) ((at) * (INDEX)p.stride[d] < (INDEX)p.pad[d] ? 0 : (at) * (INDEX)p.stride[d] - (INDEX)p.pad[d])
#define PAST(at, d) ((at) * (INDEX)p.stride[d] - (INDEX)p.pad[d] + (INDEX)p.taps[d])
#define END(at, d) (PAST(at, d) < (INDEX)p.in[d] ? PAST(at, d) : (INDEX)p.in[d])

/* The outputs whose windows contain a pixel, along one dimension. */
#define FIRST_WINDOW(at, d) ((at) + (INDEX)p.pad[d] < (INDEX)p.taps[d] ? 0 : ((at) + (INDEX)p.pad[d] - (INDEX)p.taps[d]) / (INDEX)p.stride[d] + 1)
#define UNDER_WINDOW(at, d) (((at) + (INDEX)p.pad[d]) / (INDEX)p.stride[d])
#define LAST_WINDOW(at, d) (UNDER_WINDOW(at, d) < (INDEX)p.out[d] ? UNDER_WINDOW(at, d) : (INDEX)p.out[d] - 1)

#if !IS_BOOL
KERNEL max_pool(GLOBAL const quad *xs, GLOBAL quad *ys, patches p)
{
    EACH(i, p.batch * p.out[0] * p.out[1] * p.channels)
    {
        PLACE(i, p.out)
        const INDEX y1 = END(at_y, 0), x0 = BEGIN(at_x, 1), x1 = END(at_x, 1);
        T most[QUAD];
        bool any = false;
        LANES_OF(k) most[k] = 0;
        for (INDEX y = BEGIN(at_y, 0); y < y1; y++) {
            GLOBAL const quad *line = xs + (one * (INDEX)p.in[0] + y) * (INDEX)p.in[1] * channels + c;
            for (INDEX x = x0; x < x1; x++) {
                const quad value = line[x * channels];
                LANES_OF(k) most[k] = !any || LOAD(value.at[k]) > most[k] ? LOAD(value.at[k]) : most[k];
                any = true;
            }
        }
        quad result;
        LANES_OF(k) result.at[k] = STORE(most[k]);
        ys[i] = result;
    }
}

/* The position of the first maximum in each window, in row-major order of the window. |least|:
 * windows whose maximum is not above 0 have none, for a Relu before the pool. */
#define NO_PLACE 255
KERNEL max_pool_places(GLOBAL const quad *xs, GLOBAL byte_quad *places, patches p, i32 least)
{
    EACH(i, p.batch * p.out[0] * p.out[1] * p.channels)
    {
        PLACE(i, p.out)
        const INDEX y1 = END(at_y, 0), x0 = BEGIN(at_x, 1), x1 = END(at_x, 1);
        const INDEX left = at_x * (INDEX)p.stride[1] - (INDEX)p.pad[1];
        const INDEX top = at_y * (INDEX)p.stride[0] - (INDEX)p.pad[0];
        T most[QUAD];
        byte_quad place;
        bool any = least != 0;
        LANES_OF(k)
        {
            most[k] = 0;
            place.at[k] = NO_PLACE;
        }
        for (INDEX y = BEGIN(at_y, 0); y < y1; y++) {
            GLOBAL const quad *line = xs + (one * (INDEX)p.in[0] + y) * (INDEX)p.in[1] * channels + c;
            for (INDEX x = x0; x < x1; x++) {
                const quad value = line[x * channels];
                const u8 here = (u8)((y - top) * (INDEX)p.taps[1] + x - left);
                LANES_OF(k)
                {
                    const bool more = !any || LOAD(value.at[k]) > most[k];
                    most[k] = more ? LOAD(value.at[k]) : most[k];
                    place.at[k] = more ? here : place.at[k];
                }
                any = true;
            }
        }
        places[i] = place;
    }
}

/* Max pooling, with positions. */
KERNEL max_pool_kept(GLOBAL const quad *xs, GLOBAL quad *ys, GLOBAL byte_quad *places, patches p, i32 least)
{
    EACH(i, p.batch * p.out[0] * p.out[1] * p.channels)
    {
        PLACE(i, p.out)
        const INDEX y1 = END(at_y, 0), x0 = BEGIN(at_x, 1), x1 = END(at_x, 1);
        const INDEX left = at_x * (INDEX)p.stride[1] - (INDEX)p.pad[1];
        const INDEX top = at_y * (INDEX)p.stride[0] - (INDEX)p.pad[0];
        T most[QUAD];
        byte_quad place;
        bool any = false;
        LANES_OF(k)
        {
            most[k] = 0;
            place.at[k] = NO_PLACE;
        }
        for (INDEX y = BEGIN(at_y, 0); y < y1; y++) {
            GLOBAL const quad *line = xs + (one * (INDEX)p.in[0] + y) * (INDEX)p.in[1] * channels + c;
            for (INDEX x = x0; x < x1; x++) {
                const quad value = line[x * channels];
                const u8 here = (u8)((y - top) * (INDEX)p.taps[1] + x - left);
                LANES_OF(k)
                {
                    const bool more = !any || LOAD(value.at[k]) > most[k];
                    most[k] = more ? LOAD(value.at[k]) : most[k];
                    place.at[k] = more ? here : place.at[k];
                }
                any = true;
            }
        }
        quad result;
        LANES_OF(k)
        {
            result.at[k] = STORE(most[k]);
            place.at[k] = least && !(most[k] > 0) ? (u8)NO_PLACE : place.at[k];
        }
        ys[i] = result;
        places[i] = place;
    }
}

/* Adds the gradients of all windows over a quad whose first maximum it is. |sum| is initialised. */
#define POOLED_GRAD(i, sum)                                                                        \
    {                                                                                              \
        PLACE(i, p.in)                                                                             \
        const INDEX last_y = LAST_WINDOW(at_y, 0), last_x = LAST_WINDOW(at_x, 1);                  \
        const INDEX first_x = FIRST_WINDOW(at_x, 1);                                               \
        for (INDEX y = FIRST_WINDOW(at_y, 0); y <= last_y; y++) {                                  \
            INDEX out = ((one * (INDEX)p.out[0] + y) * (INDEX)p.out[1] + first_x) * channels + c;  \
            INDEX here = (at_y + (INDEX)p.pad[0] - y * (INDEX)p.stride[0]) * (INDEX)p.taps[1] +    \
                         at_x + (INDEX)p.pad[1] - first_x * (INDEX)p.stride[1];                    \
            for (INDEX x = first_x; x <= last_x; x++) {                                            \
                const byte_quad place = places[out];                                               \
                const quad dy = dys[out];                                                          \
                LANES_OF(k) sum[k] += place.at[k] == (u8)here ? LOAD(dy.at[k]) : (T)0;             \
                out += channels;                                                                   \
                here -= (INDEX)p.stride[1];                                                        \
            }                                                                                      \
        }                                                                                          \
    }

KERNEL max_pool_grad(GLOBAL const byte_quad *places, GLOBAL const quad *dys, GLOBAL quad *dxs, patches p)
{
    EACH(i, p.batch * p.in[0] * p.in[1] * p.channels)
    {
        T grad[QUAD];
        quad dx;
        LANES_OF(k) grad[k] = 0;
        POOLED_GRAD(i, grad)
        LANES_OF(k) dx.at[k] = STORE(grad[k]);
        dxs[i] = dx;
    }
}

/* The same, with the sums for the gradient of a bias. */
KERNEL max_pool_bias_grad(GLOBAL const byte_quad *places, GLOBAL const quad *dys, GLOBAL quad *dxs,
                          GLOBAL wide_quad *sums, patches p)
{
    LOCAL T part[LANES * QUAD];
    T sum[QUAD];
    LANES_OF(k) sum[k] = 0;
    EACH(i, p.batch * p.in[0] * p.in[1] * p.channels)
    {
        T grad[QUAD];
        quad dx;
        LANES_OF(k) grad[k] = 0;
        POOLED_GRAD(i, grad)
        LANES_OF(k)
        {
            dx.at[k] = STORE(grad[k]);
            sum[k] += grad[k];
        }
        dxs[i] = dx;
    }
    LEAVE_SUMS(sum, sums, p.channels)
}

KERNEL avg_pool(GLOBAL const quad *xs, GLOBAL quad *ys, patches p)
{
    EACH(i, p.batch * p.out[0] * p.out[1] * p.channels)
    {
        PLACE(i, p.out)
        const INDEX y0 = BEGIN(at_y, 0), y1 = END(at_y, 0), x0 = BEGIN(at_x, 1), x1 = END(at_x, 1);
        T sum[QUAD];
        quad result;
        LANES_OF(k) sum[k] = 0;
        for (INDEX y = y0; y < y1; y++)
            for (INDEX x = x0; x < x1; x++) {
                const quad value = xs[((one * (INDEX)p.in[0] + y) * (INDEX)p.in[1] + x) * channels + c];
                LANES_OF(k) sum[k] += LOAD(value.at[k]);
            }
        LANES_OF(k) result.at[k] = STORE(sum[k] / (T)((y1 - y0) * (x1 - x0)));
        ys[i] = result;
    }
}

KERNEL avg_pool_grad(GLOBAL const quad *dys, GLOBAL quad *dxs, patches p)
{
    EACH(i, p.batch * p.in[0] * p.in[1] * p.channels)
    {
        PLACE(i, p.in)
        const INDEX last_y = LAST_WINDOW(at_y, 0), last_x = LAST_WINDOW(at_x, 1);
        T sum[QUAD];
        quad result;
        LANES_OF(k) sum[k] = 0;
        for (INDEX y = FIRST_WINDOW(at_y, 0); y <= last_y; y++)
            for (INDEX x = FIRST_WINDOW(at_x, 1); x <= last_x; x++) {
                const T size = (T)((END(y, 0) - BEGIN(y, 0)) * (END(x, 1) - BEGIN(x, 1)));
                const quad dy = dys[((one * (INDEX)p.out[0] + y) * (INDEX)p.out[1] + x) * channels + c];
                LANES_OF(k) sum[k] += LOAD(dy.at[k]) / size;
            }
        LANES_OF(k) result.at[k] = STORE(sum[k]);
        dxs[i] = result;
    }
}

/* Row (image, y, x) of the matrix: the taps[0] x taps[1] x channels elements under a window. */
KERNEL image_rows(GLOBAL const quad *image, GLOBAL quad *rows, patches p)
{
    const INDEX width = (INDEX)(p.taps[0] * p.taps[1] * p.channels), channels = (INDEX)p.channels;
    EACH(i, p.batch * p.out[0] * p.out[1] * width)
    {
        const INDEX row = i / width, column = i - row * width, tap = column / channels, c = column - tap * channels;
        const INDEX line = row / (INDEX)p.out[1], x = row - line * (INDEX)p.out[1];
        const INDEX one = line / (INDEX)p.out[0], y = line - one * (INDEX)p.out[0], ty = tap / (INDEX)p.taps[1];
        const INDEX at_y = y * (INDEX)p.stride[0] + ty * (INDEX)p.dilation[0] - (INDEX)p.pad[0];
        const INDEX at_x = x * (INDEX)p.stride[1] + (tap - ty * (INDEX)p.taps[1]) * (INDEX)p.dilation[1] -
                           (INDEX)p.pad[1];
        quad value;
        LANES_OF(k) value.at[k] = STORE((T)0);
        if (at_y >= 0 && at_y < (INDEX)p.in[0] && at_x >= 0 && at_x < (INDEX)p.in[1])
            value = image[((one * (INDEX)p.in[0] + at_y) * (INDEX)p.in[1] + at_x) * channels + c];
        rows[i] = value;
    }
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
#endif

#if IS_FLOAT
/* ---- batch normalisation; |width| quads in a pixel ---- */

/* Sums of the squared deviations from the means. */
KERNEL channel_squares(GLOBAL const quad *xs, GLOBAL const wide_quad *means, GLOBAL wide_quad *sums, i64 count,
                       i64 width)
{
    LOCAL T part[LANES * QUAD];
    const wide_quad mean = means[(GROUP * LANES + LANE) % width];
    T sum[QUAD];
    LANES_OF(k) sum[k] = 0;
    EACH(i, count)
    {
        const quad x = xs[i];
        LANES_OF(k) sum[k] += (LOAD(x.at[k]) - mean.at[k]) * (LOAD(x.at[k]) - mean.at[k]);
    }
    LEAVE_SUMS(sum, sums, width)
}

/* Sums of dy and of dy (x - mean). */
KERNEL channel_products(GLOBAL const quad *dys, GLOBAL const quad *xs, GLOBAL const wide_quad *means,
                        GLOBAL wide_quad *sums, GLOBAL wide_quad *products, i64 count, i64 width)
{
    LOCAL T part[LANES * QUAD];
    const wide_quad mean = means[(GROUP * LANES + LANE) % width];
    T sum[QUAD], product[QUAD];
    LANES_OF(k) sum[k] = product[k] = 0;
    EACH(i, count)
    {
        const quad x = xs[i], dy = dys[i];
        LANES_OF(k)
        {
            sum[k] += LOAD(dy.at[k]);
            product[k] += LOAD(dy.at[k]) * (LOAD(x.at[k]) - mean.at[k]);
        }
    }
    LEAVE_SUMS(sum, sums, width)
    LEAVE_SUMS(product, products, width)
}

KERNEL batch_normalize(GLOBAL const quad *xs, GLOBAL const wide_quad *scales, GLOBAL const wide_quad *offsets,
                       GLOBAL const wide_quad *means, GLOBAL const wide_quad *variances, GLOBAL quad *ys, i64 count,
                       i64 width, float epsilon)
{
    EACH(i, count)
    {
        const INDEX c = i % (INDEX)width;
        const quad x = xs[i];
        const wide_quad scale = scales[c], offset = offsets[c], mean = means[c], variance = variances[c];
        quad y;
        LANES_OF(k)
        y.at[k] = STORE((LOAD(x.at[k]) - mean.at[k]) * (scale.at[k] / sqrt(variance.at[k] + (T)epsilon)) +
                        offset.at[k]);
        ys[i] = y;
    }
}

/* |training|: mean and variance are functions of this batch. */
KERNEL normalize_grad(GLOBAL const quad *dys, GLOBAL const quad *xs, GLOBAL const wide_quad *scales,
                      GLOBAL const wide_quad *means, GLOBAL const wide_quad *variances,
                      GLOBAL const wide_quad *sums, GLOBAL const wide_quad *products, GLOBAL quad *dxs, i64 count,
                      i64 width, float epsilon, i32 training)
{
    const T rows = (T)(count / width);
    EACH(i, count)
    {
        const INDEX c = i % (INDEX)width;
        const quad dy = dys[i], x = xs[i];
        const wide_quad scale = scales[c], mean = means[c], variance = variances[c], sum = sums[c],
                        product = products[c];
        quad dx;
        LANES_OF(k)
        {
            const T wide = variance.at[k] + (T)epsilon, d = LOAD(x.at[k]) - mean.at[k];
            const T moved = training ? LOAD(dy.at[k]) - sum.at[k] / rows - d * (product.at[k] / (rows * wide))
                                     : LOAD(dy.at[k]);
            dx.at[k] = STORE(moved * (scale.at[k] / sqrt(wide)));
        }
        dxs[i] = dx;
    }
}

/* ---- local response normalisation; a group shares reads of neighbours ------------------------ */

#define LRN_REACH 16 /* the largest radius */
#define SPAN (LANES * QUAD)

FUNCTION T lowered(T s, T beta)
{
    return beta == (T)0.75 ? 1 / (sqrt(s) * sqrt(sqrt(s))) : pow(s, -beta);
}

/* The window sum of |values| around |at|, which is channel c. */
FUNCTION T window_sum(NEAR const T *values, int at, int c, int channels, int reach)
{
    const int low = c < reach ? -c : -reach, high = channels - 1 - c < reach ? channels - 1 - c : reach;
    T sum = 0;
    for (int k = low; k <= high; k++)
        sum += values[at + k];
    return sum;
}

/* The same for the next channel, incrementally. */
FUNCTION T next_sum(T sum, NEAR const T *values, int at, int c, int channels, int reach)
{
    sum += c + 1 + reach < channels ? values[at + 1 + reach] : (T)0;
    return sum - (c >= reach ? values[at - reach] : (T)0);
}

KERNEL lrn(GLOBAL const quad *xs, GLOBAL quad *ys, i64 count, i64 width, i64 radius, float bias, float alpha,
           float beta)
{
    LOCAL T squares[SPAN + 2 * LRN_REACH];
    GLOBAL const S *all = (GLOBAL const S *)xs;
    const int reach = (int)radius, channels = (int)width * QUAD;
    for (INDEX begin = (INDEX)GROUP * LANES; begin < (INDEX)count; begin += (INDEX)GROUPS * LANES) {
        for (int k = LANE; k < SPAN + 2 * reach; k += LANES) {
            const INDEX at = begin * QUAD + k - reach;
            const T x = at >= 0 && at < (INDEX)count * QUAD ? LOAD(all[at]) : (T)0;
            squares[k] = x * x;
        }
        BARRIER();
        const INDEX i = begin + LANE;
        if (i < (INDEX)count) {
            const int c = (int)(i % (INDEX)width) * QUAD, at = LANE * QUAD + reach;
            const quad x = xs[i];
            quad y;
            T sum = window_sum(squares, at, c, channels, reach);
            LANES_OF(k)
            {
                y.at[k] = STORE(LOAD(x.at[k]) * lowered((T)bias + (T)alpha * (sum > 0 ? sum : (T)0), (T)beta));
                if (k + 1 < QUAD)
                    sum = next_sum(sum, squares, at + k, c + k, channels, reach);
            }
            ys[i] = y;
        }
        BARRIER();
    }
}

/* dx = dy s^-beta - 2 alpha beta x sum(dy y / s) over the window. */
KERNEL lrn_grad(GLOBAL const quad *dys, GLOBAL const quad *xs, GLOBAL const quad *ys, GLOBAL quad *dxs, i64 count,
                i64 width, i64 radius, float bias, float alpha, float beta)
{
    LOCAL T squares[SPAN + 4 * LRN_REACH];
    LOCAL T shares[SPAN + 2 * LRN_REACH];
    GLOBAL const S *all = (GLOBAL const S *)xs;
    const int reach = (int)radius, channels = (int)width * QUAD;
    const INDEX last = (INDEX)count * QUAD;
    for (INDEX begin = (INDEX)GROUP * LANES; begin < (INDEX)count; begin += (INDEX)GROUPS * LANES) {
        for (int k = LANE; k < SPAN + 4 * reach; k += LANES) {
            const INDEX at = begin * QUAD + k - 2 * reach;
            const T x = at >= 0 && at < last ? LOAD(all[at]) : (T)0;
            squares[k] = x * x;
        }
        BARRIER();
        const INDEX i = begin + LANE;
        const bool live = i < (INDEX)count;
        const int c = live ? (int)(i % (INDEX)width) * QUAD : 0, at = LANE * QUAD + reach;
        T scale[QUAD], sum;
        quad dy;
        if (live) {
            const quad y = ys[i];
            dy = dys[i];
            sum = window_sum(squares, at + reach, c, channels, reach);
            LANES_OF(k)
            {
                scale[k] = (T)bias + (T)alpha * (sum > 0 ? sum : (T)0);
                shares[at + k] = LOAD(dy.at[k]) * LOAD(y.at[k]) / scale[k];
                if (k + 1 < QUAD)
                    sum = next_sum(sum, squares, at + reach + k, c + k, channels, reach);
            }
        }
        if (LANE < 2 * reach) { /* the margins before and after */
            const int k = LANE < reach ? LANE : SPAN + LANE;
            const INDEX there = begin * QUAD + k - reach;
            const bool inside = there >= 0 && there < last;
            sum = inside ? window_sum(squares, k + reach, (int)(there % channels), channels, reach) : (T)0;
            shares[k] = inside ? LOAD(((GLOBAL const S *)dys)[there]) * LOAD(((GLOBAL const S *)ys)[there]) /
                                     ((T)bias + (T)alpha * sum)
                               : (T)0;
        }
        BARRIER();
        if (live) {
            const quad x = xs[i];
            quad dx;
            sum = window_sum(shares, at, c, channels, reach);
            LANES_OF(k)
            {
                dx.at[k] = STORE(LOAD(dy.at[k]) * lowered(scale[k], (T)beta) -
                                 2 * (T)alpha * (T)beta * LOAD(x.at[k]) * sum);
                if (k + 1 < QUAD)
                    sum = next_sum(sum, shares, at + k, c + k, channels, reach);
            }
            dxs[i] = dx;
        }
        BARRIER();
    }
}
#endif
