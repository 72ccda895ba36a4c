/* lab/bench/overlap_test.c - what is hidden, and how near a step is to its bound. */
#include "lab/bench/overlap.h"

#include <math.h>

#include "base/test.h"

TEST(transfers_after_the_computation_are_not_hidden)
{
    overlap apart = overlap_of_step(100, 40, 60);
    CHECK_NEAR(apart.hidden, 0, 1e-12);
    CHECK_NEAR(apart.of_bound, 0.6, 1e-12);
}

TEST(transfers_during_the_computation_are)
{
    overlap half = overlap_of_step(80, 40, 60), all = overlap_of_step(60, 40, 60);
    CHECK_NEAR(half.hidden, 0.5, 1e-12);
    CHECK_NEAR(half.of_bound, 0.75, 1e-12);
    CHECK_NEAR(all.hidden, 1, 1e-12);
    CHECK_NEAR(all.of_bound, 1, 1e-12);
}

TEST(a_step_that_waits_hides_nothing)
{
    CHECK_NEAR(overlap_of_step(200, 40, 60).hidden, 0, 1e-12);
    CHECK_NEAR(overlap_of_step(200, 150, 40).of_bound, 0.75, 1e-12);
}

TEST(without_links_there_is_nothing_to_hide)
{
    CHECK(isnan(overlap_of_trial(&(trial){.steps_per_s = 10}, 1000).hidden));
    CHECK(isnan(overlap_of_trial(&(trial){.steps_per_s = 10, .simulated = true}, 0).hidden));
}
TEST_MAIN()
