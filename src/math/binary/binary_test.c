/* math/binary/binary_test.c - broadcasting against plain indices, every level against the first. */
#include "math/binary/binary.h"

#include "base/mem.h"
#include "base/test.h"
#include "math/binary/binary_impl.h"

enum { MOST = 512 };

static int64_t count_of(int rank, const int64_t *dims)
{
    int64_t n = 1;
    for (int d = 0; d < rank; d++)
        n *= dims[d];
    return n;
}

/* The element of an operand of |rank| |dims| that meets result index |at| of |out|. */
static int64_t source(int rank, const int64_t *dims, int out_rank, const int64_t *out, int64_t at)
{
    int64_t offset = 0, step = 1;
    for (int d = out_rank - 1; d >= 0; d--) {
        int64_t i = at % out[d];
        int own = d - (out_rank - rank);
        at /= out[d];
        if (own < 0)
            continue;
        offset += dims[own] == 1 ? 0 : i * step;
        step *= dims[own];
    }
    return offset;
}

TEST(broadcasts)
{
    static const struct {
        int xr, yr, zr;
        int64_t x[4], y[4], z[4];
    } rows[] = {
        {2, 1, 2, {3, 5}, {5}, {3, 5}},
        {2, 2, 2, {3, 1}, {1, 5}, {3, 5}},
        {1, 3, 3, {1}, {2, 3, 4}, {2, 3, 4}},
        {3, 2, 3, {2, 1, 3}, {5, 1}, {2, 5, 3}},
        {4, 3, 4, {2, 1, 3, 1}, {4, 1, 5}, {2, 4, 3, 5}},
        {2, 2, 2, {0, 3}, {1, 3}, {0, 3}},
        {0, 0, 0, {0}, {0}, {0}},
    };
    float x[MOST], y[MOST], z[MOST];
    for (int i = 0; i < MOST; i++) {
        x[i] = (float)i;
        y[i] = (float)(1000 * i);
    }
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        weir_bcast b;
        CHECK(weir_bcast_init(&b, 2, (int[]){rows[r].xr, rows[r].yr},
                              (const int64_t *[]){rows[r].x, rows[r].y}));
        CHECK_EQ(b.count, count_of(rows[r].zr, rows[r].z));
        CHECK(weir_binary_bcast(&(weir_par){0}, WEIR_B_add, WEIR_E_f32, &b, x, y, z));
        for (int64_t i = 0; i < b.count; i++) {
            int64_t ix = source(rows[r].xr, rows[r].x, rows[r].zr, rows[r].z, i);
            int64_t iy = source(rows[r].yr, rows[r].y, rows[r].zr, rows[r].z, i);
            CHECK_NEAR((double)z[i], (double)(x[ix] + y[iy]), 0);
        }
    }
    weir_bcast b;
    CHECK(!weir_bcast_init(&b, 2, (int[]){1, 1},
                           (const int64_t *[]){(int64_t[]){2}, (int64_t[]){3}}));
}

/* 0x8000 is -0 in both 16-bit floats. */
TEST(of_equal_halves_the_first_is_taken)
{
    static const weir_elem elems[] = {WEIR_E_f16, WEIR_E_bf16};
    static const weir_binary_op ops[] = {WEIR_B_maximum, WEIR_B_minimum};
    static const weir_binary_mode modes[] = {WEIR_BOTH_VARY, WEIR_X_REPEATS, WEIR_Y_REPEATS};
    enum { COUNT = 37 };
    uint16_t zeros[2][COUNT], z[COUNT];
    for (int i = 0; i < COUNT; i++)
        zeros[0][i] = 0, zeros[1][i] = 0x8000;
    for (int k = 0; k < 2 * 2 * 2 * 3; k++) {
        int first = k / 4 % 2;
        CHECK(weir_binary_flat(&(weir_par){0}, ops[k / 2 % 2], elems[k % 2], COUNT, zeros[first],
                               zeros[!first], z, modes[k / 8]));
        for (int i = 0; i < COUNT; i++)
            CHECK_EQ(z[i], zeros[first][0]);
    }
}

TEST(a_short_row_meets_many)
{
    enum { ROWS = 1203 };
    for (int64_t row = 1; row < 140; row = row * 3 + 2) {
        float *x = WEIR_NEW_ARRAY(float, ROWS *row), *z = WEIR_NEW_ARRAY(float, ROWS *row), y[140];
        for (int64_t i = 0; i < ROWS * row; i++)
            x[i] = (float)i;
        for (int64_t i = 0; i < row; i++)
            y[i] = (float)(i * i);
        const int64_t *many = (int64_t[]){ROWS, row}, *one = (int64_t[]){row};
        weir_par two = {weir_pool_shared(), 2};
        for (int first = 0; first < 2; first++) {
            weir_bcast b;
            CHECK(weir_bcast_init(&b, 2, first ? (int[]){1, 2} : (int[]){2, 1},
                                  first ? (const int64_t *[]){one, many}
                                        : (const int64_t *[]){many, one}));
            CHECK(weir_binary_bcast(&two, WEIR_B_sub, WEIR_E_f32, &b, first ? y : x, first ? x : y,
                                    z));
            for (int64_t i = 0; i < ROWS * row; i++) {
                float want = first ? y[i % row] - x[i] : x[i] - y[i % row];
                CHECK_NEAR((double)z[i], (double)want, 0);
            }
        }
        weir_free(x);
        weir_free(z);
    }
}

TEST(levels_agree_in_every_mode)
{
    enum { COUNT = 37 };
    float x[COUNT], y[COUNT], z[COUNT], want[COUNT];
    for (int i = 0; i < COUNT; i++) {
        x[i] = 0.1f * (float)(i + 1);
        y[i] = 2.0f - 0.03f * (float)i;
    }
    for (int isa = 0; isa <= (int)weir_cpu_isa(); isa++)
        for (int op = 0; op < WEIR_BINARY_COUNT; op++)
            for (int mode = 0; mode < 3; mode++) {
                weir_binary_fn base = WEIR_ISA_AT(weir_binary_floats, 0)->f32[op];
                weir_binary_fn level = WEIR_ISA_AT(weir_binary_floats, isa)->f32[op];
                if (!base || weir_binary_out(op, WEIR_E_f32) != WEIR_E_f32)
                    continue;
                base(COUNT, x, y, want, mode);
                level(COUNT, x, y, z, mode);
                for (int i = 0; i < COUNT; i++)
                    CHECK_NEAR((double)z[i], (double)want[i], 1e-5 * (1 + fabs((double)want[i])));
            }
}

TEST(says_when_an_element_has_no_result)
{
    int32_t x[] = {7, -7, INT32_MIN}, y[] = {2, 0, -1}, z[3];
    CHECK(!weir_binary_flat(&(weir_par){0}, WEIR_B_floor_div, WEIR_E_i32, 3, x, y, z,
                            WEIR_BOTH_VARY));
    CHECK_EQ(z[0], 3);
    CHECK_EQ(z[2], INT32_MIN); /* wraps instead of trapping */
    int32_t two = 2;
    CHECK(weir_binary_flat(&(weir_par){0}, WEIR_B_floor_mod, WEIR_E_i32, 3, x, &two, z,
                           WEIR_Y_REPEATS));
    CHECK_EQ(z[1], 1);
}

TEST_MAIN()
