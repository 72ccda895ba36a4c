/* math/move/move_test.c - every size and level against the plain loop. */
#include "base/test.h"
#include "math/move/move_impl.h"

enum { ROOM = 1 << 17 };
static unsigned char src[ROOM], got[ROOM], want[ROOM];

static void fill(void)
{
    for (int i = 0; i < ROOM; i++)
        src[i] = (unsigned char)(i * 2654435761u >> 13);
    memset(got, 0, ROOM);
    memset(want, 0, ROOM);
}

static void check_transpose(int size, int64_t rows, int64_t cols)
{
    int64_t dst_stride = (cols + 3) * size, src_stride = (rows + 5) * size;
    fill();
    for (int64_t r = 0; r < rows; r++)
        for (int64_t c = 0; c < cols; c++)
            memcpy(want + r * dst_stride + c * size, src + c * src_stride + r * size, (size_t)size);
    weir_move_transpose(size, rows, cols, got, dst_stride, src, src_stride);
    CHECK_MSG(memcmp(got, want, ROOM) == 0, "size %d, %d x %d", size, (int)rows, (int)cols);
}

TEST(transpose)
{
    static const int sides[] = {1, 2, 15, 16, 17, 31, 67};
    for (int size = 1; size <= 16; size *= 2)
        for (int i = 0; i < 7; i++)
            for (int j = 0; j < 7; j++)
                check_transpose(size, sides[i], sides[j]);
}

TEST(strided)
{
    static const int steps[] = {1, -1, 2, -3, 5};
    for (int size = 1; size <= 16; size *= 2)
        for (int k = 0; k < 5; k++) {
            int64_t step = steps[k] * size, at = steps[k] < 0 ? ROOM / 2 : 0;
            fill();
            for (int64_t i = 0; i < 333; i++)
                memcpy(want + i * size, src + at + i * step, (size_t)size);
            weir_move_strided(size, 333, got, size, src + at, step);
            CHECK_MSG(memcmp(got, want, ROOM) == 0, "size %d, step %d", size, steps[k]);
        }
}

TEST(repeat)
{
    for (int size = 1; size <= 16; size *= 2) {
        fill();
        for (int64_t i = 0; i < 333; i++)
            memcpy(want + i * size, src + 64, (size_t)size);
        weir_move_repeat(size, 333, got, src + 64);
        CHECK_MSG(memcmp(got, want, ROOM) == 0, "size %d", size);
    }
}

TEST_MAIN()
