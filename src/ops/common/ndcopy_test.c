/* ops/common/ndcopy_test.c - random nests compared with the reference loop. */
#include "base/test.h"
#include "ops/common/ndcopy.h"
#include "tensor/tstring.h"

enum { ROOM = 4096 };

static uint32_t state = 1;

static int64_t pick(int64_t below)
{
    state = state * 1664525u + 1013904223u;
    return (int64_t)(state >> 8) % below;
}

/* The reference: every index in turn, one element at a time. */
static void plain(size_t size, char *dst, const char *src, const weir_ndcopy *c, int d)
{
    if (d == c->rank) {
        memcpy(dst, src, size);
        return;
    }
    for (int64_t i = 0; i < c->dim[d].count; i++)
        plain(size, dst + i * c->dim[d].dst * (int64_t)size,
              src + i * c->dim[d].src * (int64_t)size, c, d + 1);
}

/* A dense destination with its dims in any order; a strided, broadcast or reversed source. */
static weir_ndcopy random_nest(int64_t *out_src)
{
    weir_ndcopy c = {.rank = (int)pick(5)};
    int order[4] = {0, 1, 2, 3};
    int64_t dense = 1, at = 1;
    *out_src = 0;
    for (int d = 0; d < c.rank; d++)
        c.dim[d].count = pick(12) == 0 ? pick(2) : 1 + pick(6);
    for (int d = c.rank - 1; d >= 0; d--) {
        c.dim[d].dst = dense;
        dense *= c.dim[d].count ? c.dim[d].count : 1;
    }
    for (int d = c.rank - 1; d > 0; d--) {
        int with = (int)pick(d + 1), t = order[d];
        order[d] = order[with];
        order[with] = t;
    }
    for (int k = c.rank - 1; k >= 0; k--) {
        weir_nddim *d = &c.dim[order[k]];
        d->src = pick(5) == 0 ? 0 : at;
        if (d->src)
            at *= d->count + (d->count == 0);
        if (d->src && pick(4) == 0) {
            *out_src += d->src * (d->count ? d->count - 1 : 0);
            d->src = -d->src;
        }
    }
    return c;
}

static void check(weir_dtype dtype)
{
    static char src[ROOM * 16], got[ROOM * 16], want[ROOM * 16];
    size_t size = weir_dtype_size(dtype);
    for (size_t i = 0; i < sizeof src; i++)
        src[i] = (char)pick(256);
    for (int round = 0; round < 2000; round++) {
        int64_t at;
        weir_ndcopy c = random_nest(&at);
        memset(got, 7, sizeof got);
        memset(want, 7, sizeof want);
        weir_ndcopy_run(NULL, dtype, got, src + at * (int64_t)size, &c);
        plain(size, want, src + at * (int64_t)size, &c, 0);
        CHECK_MSG(memcmp(got, want, sizeof got) == 0, "type %d, round %d", dtype, round);
    }
}

TEST(every_size)
{
    static const weir_dtype types[] = {WEIR_INT8, WEIR_HALF, WEIR_FLOAT, WEIR_INT64,
                                       WEIR_COMPLEX128};
    for (int k = 0; k < 5; k++)
        check(types[k]);
}

/* A large transposition on several threads gives the same as on one. */
TEST(threads)
{
    enum { N = 700, M = 513 };
    weir_shape shape = weir_shape_matrix(N, M);
    weir_tensor x, one, many;
    CHECK_OK(weir_tensor_alloc(WEIR_INT32, &shape, &x));
    CHECK_OK(weir_tensor_alloc(WEIR_INT32, &shape, &one));
    CHECK_OK(weir_tensor_alloc(WEIR_INT32, &shape, &many));
    for (int32_t i = 0; i < N * M; i++)
        ((int32_t *)x.data)[i] = i;
    weir_pool *pool = weir_pool_create(3);
    weir_par par = {pool, 4};
    weir_ndcopy c = {2, {{M, N, 1}, {N, 1, M}}};
    weir_ndcopy_run(NULL, WEIR_INT32, one.data, x.data, &c);
    weir_ndcopy_run(&par, WEIR_INT32, many.data, x.data, &c);
    CHECK(memcmp(one.data, many.data, sizeof(int32_t) * N * M) == 0);
    CHECK_EQ(((int32_t *)one.data)[1], M);
    weir_pool_destroy(pool);
    weir_tensor_release(&x);
    weir_tensor_release(&one);
    weir_tensor_release(&many);
}

TEST(strings_are_copied)
{
    weir_shape shape = weir_shape_matrix(2, 3), transposed = weir_shape_matrix(3, 2);
    weir_tensor x, y;
    CHECK_OK(weir_tensor_alloc(WEIR_STRING, &shape, &x));
    CHECK_OK(weir_tensor_alloc(WEIR_STRING, &transposed, &y));
    static const char text[] = "a string that is longer than what fits into its element";
    for (int i = 0; i < 6; i++)
        weir_tstring_set(&((weir_tstring *)x.data)[i], text, (size_t)(i * 9 + 1));
    weir_ndcopy c = {2, {{3, 2, 1}, {2, 1, 3}}};
    weir_ndcopy_run(NULL, WEIR_STRING, y.data, x.data, &c);
    weir_tensor_release(&x);
    CHECK_EQ(weir_tstring_get(&((weir_tstring *)y.data)[1]).length, 28);
    CHECK_EQ(weir_tstring_get(&((weir_tstring *)y.data)[4]).length, 19);
    weir_tensor_release(&y);
}

TEST_MAIN()
