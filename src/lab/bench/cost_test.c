/* lab/bench/cost_test.c - known costs are recovered, and unseen points predicted. */
#include "lab/bench/cost.h"

#include <math.h>

#include "base/test.h"

static const cost_model truth = {{0.2, 0.01, 0.05, 0.03, 0, 0.4, 0.2}};

static cost_point point_of(int ps, int workers, double bytes, double error)
{
    cost_point point = cost_of_step(ps, workers, bytes, 1);
    point.value = cost_predict(&truth, &point) * (1 + error);
    return point;
}

static size_t measure(cost_point *points, double error)
{
    static const int ps[] = {1, 2, 4, 16}, workers[] = {1, 2, 8, 32};
    size_t count = 0;
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 4; k++)
            for (double bytes = 100; bytes < 1e8; bytes *= 300, count++)
                points[count] =
                    point_of(ps[i], workers[k], bytes, error * (int)(count * 7 % 5 - 2) / 2);
    return count;
}

TEST(known_costs_are_recovered)
{
    cost_point points[64];
    size_t count = measure(points, 0);
    cost_model model = cost_fit(points, count);
    for (int i = 0; i < COST_TERMS; i++)
        CHECK_NEAR(model.of[i], truth.of[i], 1e-3);
}

TEST(other_points_are_predicted_within_the_errors)
{
    cost_point points[64],
        unseen[] = {point_of(3, 5, 3e6, 0), point_of(8, 20, 1e7, 0), point_of(16, 1000, 1e8, 0)};
    size_t count = measure(points, 0.05);
    cost_model model = cost_fit(points, count);
    for (int i = 0; i < 3; i++)
        CHECK(fabs(cost_predict(&model, &unseen[i]) / unseen[i].value - 1) < 0.1);
    for (int i = 0; i < COST_TERMS; i++)
        CHECK(model.of[i] >= 0);
}

TEST_MAIN()
