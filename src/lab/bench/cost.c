/* lab/bench/cost.c - non-negative least squares by coordinate descent. */
#include "lab/bench/cost.h"

#include <math.h>

enum { ROUNDS = 20000, CACHED_MB = 8 };

cost_point cost_of_step(int ps, int workers, double bytes, double value)
{
    double mb = bytes * 1e-6;
    double beyond = fmax(0, mb * workers - CACHED_MB);
    return (cost_point){{1, ps, workers, (double)ps * workers, mb, mb * workers, beyond}, value};
}

double cost_predict(const cost_model *model, const cost_point *point)
{
    double sum = 0;
    for (int i = 0; i < COST_TERMS; i++)
        sum += model->of[i] * point->terms[i];
    return sum;
}

/* The best coefficient of term |i| with the others fixed. */
static double best(const cost_model *model, const cost_point *points, size_t count, int i)
{
    double along = 0, square = 0;
    for (size_t k = 0; k < count; k++) {
        double x = points[k].terms[i] / points[k].value;
        double rest = 1 - cost_predict(model, &points[k]) / points[k].value + model->of[i] * x;
        along += x * rest;
        square += x * x;
    }
    return square > 0 ? fmax(0, along / square) : 0;
}

cost_model cost_fit(const cost_point *points, size_t count)
{
    cost_model model = {{0}};
    for (int round = 0; round < ROUNDS; round++)
        for (int i = 0; i < COST_TERMS; i++)
            model.of[i] = best(&model, points, count, i);
    return model;
}
