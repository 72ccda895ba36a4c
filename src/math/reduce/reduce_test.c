/* math/reduce/reduce_test.c - every set of axes against plain indices; accuracy of long sums. */
#include "math/reduce/reduce.h"

#include "base/mem.h"
#include "base/test.h"

enum { RANK = 4, COUNT = 2 * 3 * 4 * 5 };
static const int64_t dims[RANK] = {2, 3, 4, 5};

/* The result index of element |at| when the dims of |mask| are reduced. */
static int64_t result_of(int64_t at, int mask)
{
    int64_t index[RANK], out = 0;
    for (int d = RANK - 1; d >= 0; d--) {
        index[d] = at % dims[d];
        at /= dims[d];
    }
    for (int d = 0; d < RANK; d++)
        if (!(mask >> d & 1))
            out = out * dims[d] + index[d];
    return out;
}

TEST(reduces_any_axes)
{
    float x[COUNT], y[COUNT];
    for (int i = 0; i < COUNT; i++)
        x[i] = (float)((i * 37) % 101) - 50;
    for (int mask = 0; mask < 1 << RANK; mask++) {
        bool reduced[RANK];
        double sum[COUNT] = {0}, top[COUNT];
        for (int d = 0; d < RANK; d++)
            reduced[d] = mask >> d & 1;
        for (int i = 0; i < COUNT; i++)
            top[i] = -INFINITY;
        for (int i = 0; i < COUNT; i++) {
            int64_t r = result_of(i, mask);
            sum[r] += (double)x[i];
            top[r] = fmax(top[r], (double)x[i]);
        }
        int64_t results = result_of(COUNT - 1, mask) + 1;
        CHECK_OK(
            weir_reduce_run(&(weir_par){0}, WEIR_R_sum, WEIR_E_f32, RANK, dims, reduced, x, y));
        for (int64_t i = 0; i < results; i++)
            CHECK_NEAR((double)y[i], sum[i], 1e-3);
        CHECK_OK(
            weir_reduce_run(&(weir_par){0}, WEIR_R_max, WEIR_E_f32, RANK, dims, reduced, x, y));
        for (int64_t i = 0; i < results; i++)
            CHECK_NEAR((double)y[i], top[i], 0);
    }
}

TEST(long_sums_stay_accurate_on_any_number_of_threads)
{
    int64_t count = 3000001;
    float *x = weir_alloc((size_t)count * sizeof *x), one, many;
    double exact = 0;
    for (int64_t i = 0; i < count; i++) {
        x[i] = 0.1f + 0.01f * (float)(i % 7);
        exact += (double)x[i];
    }
    CHECK_OK(
        weir_reduce_run(&(weir_par){0}, WEIR_R_sum, WEIR_E_f32, 1, &count, &(bool){true}, x, &one));
    CHECK_OK(weir_reduce_run(&(weir_par){weir_pool_shared(), 4}, WEIR_R_sum, WEIR_E_f32, 1, &count,
                             &(bool){true}, x, &many));
    CHECK_NEAR((double)one, exact, exact * 1e-6);
    CHECK(one == many);
    weir_free(x);
}

TEST(few_columns_of_many_rows)
{
    for (int64_t cols = 1; cols < 130; cols = cols * 2 + 1) {
        int64_t rows = 100003 / cols, dims[] = {rows, cols};
        float *x = weir_alloc((size_t)(rows * cols) * sizeof *x), one[130], many[130];
        double exact[130] = {0}, top[130] = {0};
        for (int64_t i = 0; i < rows * cols; i++) {
            x[i] = (float)((i * 7919) % 1009) * 0.01f;
            exact[i % cols] += (double)x[i];
            top[i % cols] = fmax(top[i % cols], (double)x[i]);
        }
        const bool down[] = {true, false};
        CHECK_OK(weir_reduce_run(NULL, WEIR_R_sum, WEIR_E_f32, 2, dims, down, x, one));
        CHECK_OK(weir_reduce_run(&(weir_par){weir_pool_shared(), 3}, WEIR_R_sum, WEIR_E_f32, 2,
                                 dims, down, x, many));
        for (int64_t j = 0; j < cols; j++) {
            CHECK_NEAR((double)one[j], exact[j], exact[j] * 1e-6);
            CHECK(one[j] == many[j]);
        }
        CHECK_OK(weir_reduce_run(NULL, WEIR_R_mean, WEIR_E_f32, 2, dims, down, x, one));
        for (int64_t j = 0; j < cols; j++)
            CHECK_NEAR((double)one[j], exact[j] / (double)rows, 1e-5);
        CHECK_OK(weir_reduce_run(NULL, WEIR_R_max, WEIR_E_f32, 2, dims, down, x, one));
        for (int64_t j = 0; j < cols; j++)
            CHECK_NEAR((double)one[j], top[j], 1e-7);
        weir_free(x);
    }
}

TEST(nothing_has_a_result_too)
{
    float y[3] = {1, 1, 1};
    CHECK_OK(weir_reduce_run(&(weir_par){0}, WEIR_R_sum, WEIR_E_f32, 2, (int64_t[]){0, 3},
                             (bool[]){true, false}, y, y));
    CHECK_NEAR((double)y[2], 0, 0);
    CHECK_OK(weir_reduce_run(&(weir_par){0}, WEIR_R_min, WEIR_E_f32, 2, (int64_t[]){3, 0},
                             (bool[]){false, true}, y, y));
    CHECK(y[0] == INFINITY);
}

TEST(not_a_number_wins_extrema)
{
    float x[] = {1, NAN, 3}, y;
    CHECK_OK(weir_reduce_run(&(weir_par){0}, WEIR_R_max, WEIR_E_f32, 1, (int64_t[]){3},
                             (bool[]){true}, x, &y));
    CHECK(isnan(y));
}

TEST(finds_the_first_extreme)
{
    int32_t x[] = {3, 9, 9, 1, 1, 5};
    int64_t at[2];
    weir_arg_extreme(&(weir_par){0}, true, WEIR_E_i32, WEIR_E_i64, 2, 3, 1, x, at);
    CHECK_EQ(at[0], 1);
    CHECK_EQ(at[1], 2);
    weir_arg_extreme(&(weir_par){0}, false, WEIR_E_i32, WEIR_E_i64, 2, 3, 1, x, at);
    CHECK_EQ(at[1], 0);
}

TEST_MAIN()
