/* gpu/chain_known_test.c - values in local memory, and barriers, of chains. */
#include "base/test.h"
#include "gpu/record_impl.h"

enum { ROWS = 4, WIDTH = 8, BYTES = ROWS * WIDTH * 4, BARRIER = 1 << WEIR_CHAIN_INPUTS };

static uint64_t table[8 * WEIR_CHAIN_WORDS];
static size_t words;

static void add(uint64_t kind, uint64_t out, uint64_t x, uint64_t y)
{
    uint64_t *step = &table[words];
    memset(step, 0, sizeof *step * WEIR_CHAIN_WORDS);
    step[WEIR_CHAIN_KIND] = kind;
    step[WEIR_CHAIN_WIDTH] = step[WEIR_CHAIN_DEPTH] = WIDTH;
    step[WEIR_CHAIN_OUT] = out;
    for (int i = 0; i < WEIR_CHAIN_INPUTS; i++)
        step[WEIR_CHAIN_IN + i] = i ? y : x;
    words += WEIR_CHAIN_WORDS;
}

static uint64_t known(int step)
{
    return table[step * WEIR_CHAIN_WORDS + WEIR_CHAIN_KNOWN];
}

enum { A = 1 << 20, B = 2 << 20, C = 3 << 20, D = 4 << 20 };

TEST(the_last_result_is_known)
{
    words = 0;
    add(WEIR_CHAIN_PRODUCT, A, D, 0);
    add(WEIR_CHAIN_PROGRAM, B, A, C);
    add(WEIR_CHAIN_PRODUCT, A, B, 0);
    add(WEIR_CHAIN_ADD, 0, D, A);
    add(WEIR_CHAIN_PROGRAM, B, B, C);
    weir_gpu_chain_note_known(table, words, ROWS);
    CHECK_EQ(known(0), 0);
    CHECK_EQ(known(1), 1);
    CHECK_EQ(known(2), 1);
    CHECK_EQ(known(3), 2);
    CHECK_EQ(known(4), 0); /* B was before the last result */
}

TEST(only_shifted_rows_need_a_barrier)
{
    words = 0;
    add(WEIR_CHAIN_PRODUCT, A, D, 0);
    add(WEIR_CHAIN_PROGRAM, B, A, C);
    add(WEIR_CHAIN_PROGRAM, C, A, D);
    add(WEIR_CHAIN_PROGRAM, D, B + 4, D); /* reads another work item's B */
    add(WEIR_CHAIN_PROGRAM, B + BYTES - 4, C, D);
    add(WEIR_CHAIN_PROGRAM, B + BYTES, A, B + BYTES - 8);
    weir_gpu_chain_note_known(table, words, ROWS);
    CHECK_EQ(known(1) & BARRIER, 0);
    CHECK_EQ(known(2) & BARRIER, 0);
    CHECK_EQ(known(3) & BARRIER, BARRIER);
    CHECK_EQ(known(4) & BARRIER, BARRIER); /* writes what the step before it reads */
    CHECK_EQ(known(5) & BARRIER, BARRIER);
}

TEST_MAIN()
