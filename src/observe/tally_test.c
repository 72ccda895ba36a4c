/* observe/tally_test.c */
#include "observe/tally.h"

#include "base/test.h"

TEST(rows_without_number_do_not_overflow)
{
    weir_tally_step(1, 13);
    weir_tally_step(2, INT64_MAX);
    weir_tally_step(3, 5);
    CHECK_EQ(weir_tally_get().steps, 3);
    CHECK_EQ(weir_tally_get().rows, INT64_MAX);
}

TEST_MAIN()
