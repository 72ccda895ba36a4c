/* data/numpy_random_test.c - the numbers of numpy's RandomState. */
#include "data/numpy_random.h"

#include "base/test.h"

TEST(rand_and_randint)
{
    static weir_numpy_random r;
    weir_numpy_seed(&r, 0);
    CHECK_EQ(weir_numpy_word(&r), 2357136044u);
    weir_numpy_seed(&r, 0);
    CHECK_NEAR(weir_numpy_rand(&r), 0.5488135039273248, 0);
    CHECK_NEAR(weir_numpy_rand(&r), 0.7151893663724195, 0);
    weir_numpy_seed(&r, 0);
    static const int want[] = {5, 0, 3, 3, 7, 9, 3, 5, 2, 4};
    for (int i = 0; i < 10; i++)
        CHECK_EQ(weir_numpy_randint(&r, 10), want[i]);
    CHECK_EQ(weir_numpy_randint(&r, 1), 0);
}

TEST_MAIN()
