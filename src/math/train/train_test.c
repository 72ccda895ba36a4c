/* math/train/train_test.c - every rule: instruction sets and types agree; two known by hand. */
#include <math.h>

#include "base/half.h"
#include "base/test.h"
#include "math/train/train_impl.h"

enum { COUNT = 67 };

static const float scalars[WEIR_TRAIN_SCALARS] = {.5f, .1f, .2f, .3f, .9f, .01f};

/* Slots and a gradient of some size, positive for rules with roots. */
typedef struct data {
    float slots[WEIR_TRAIN_SLOTS][COUNT], grad[COUNT];
} data;

static void fill(data *d)
{
    for (int i = 0; i < COUNT; i++) {
        for (int k = 0; k < WEIR_TRAIN_SLOTS; k++)
            d->slots[k][i] = 2.5f + .1f * (float)k + .5f * sinf((float)(i * (k + 3)));
        d->grad[i] = sinf((float)i * .7f);
    }
}

static weir_train work_on(data *d)
{
    weir_train t = {.grad = d->grad, .flag = true};
    for (int k = 0; k < WEIR_TRAIN_SLOTS; k++)
        t.slots[k] = d->slots[k];
    for (int k = 0; k < WEIR_TRAIN_SCALARS; k++)
        t.scalars[k] = &scalars[k];
    return t;
}

/* The last scalar of this rule is an int64. */
static void give_step(weir_train *t, weir_train_rule rule)
{
    static const int64_t step = 3;
    if (rule == WEIR_TRAIN_adagrad_da)
        t->scalars[3] = &step;
}

TEST(instruction_sets_agree)
{
    for (int rule = 0; rule < WEIR_TRAIN_RULES; rule++) {
        data want;
        fill(&want);
        weir_train t = work_on(&want);
        give_step(&t, (weir_train_rule)rule);
        weir_train_loops_ref.f32.at[rule](&t, COUNT);
        for (int isa = 0; isa <= (int)weir_cpu_isa(); isa++) {
            data got;
            fill(&got);
            t = work_on(&got);
            give_step(&t, (weir_train_rule)rule);
            WEIR_ISA_AT(weir_train_loops, isa)->f32.at[rule](&t, COUNT);
            for (int k = 0; k < WEIR_TRAIN_SLOTS; k++)
                for (int i = 0; i < COUNT; i++)
                    CHECK_NEAR(got.slots[k][i], want.slots[k][i],
                               2e-5 * fabs(want.slots[k][i]) + 2e-6);
        }
    }
}

TEST(sixteen_bits_are_a_rounded_float)
{
    for (int rule = 0; rule < WEIR_TRAIN_RULES; rule++) {
        data d;
        uint16_t slots[WEIR_TRAIN_SLOTS][COUNT], grad[COUNT], small[WEIR_TRAIN_SCALARS];
        float rounded[WEIR_TRAIN_SCALARS];
        fill(&d);
        weir_train t = work_on(&d), h = t;
        for (int i = 0; i < COUNT; i++) {
            grad[i] = weir_f32_bf16(d.grad[i]);
            d.grad[i] = weir_bf16_f32(grad[i]);
            for (int k = 0; k < WEIR_TRAIN_SLOTS; k++) {
                slots[k][i] = weir_f32_bf16(d.slots[k][i]);
                d.slots[k][i] = weir_bf16_f32(slots[k][i]);
            }
        }
        for (int k = 0; k < WEIR_TRAIN_SCALARS; k++) {
            small[k] = weir_f32_bf16(scalars[k]);
            rounded[k] = weir_bf16_f32(small[k]);
            h.scalars[k] = &small[k];
            t.scalars[k] = &rounded[k];
        }
        for (int k = 0; k < WEIR_TRAIN_SLOTS; k++)
            h.slots[k] = slots[k];
        h.grad = grad;
        give_step(&t, (weir_train_rule)rule);
        give_step(&h, (weir_train_rule)rule);
        weir_train_find((weir_train_rule)rule, WEIR_E_f32)(&t, COUNT);
        weir_train_find((weir_train_rule)rule, WEIR_E_bf16)(&h, COUNT);
        for (int k = 0; k < WEIR_TRAIN_SLOTS; k++)
            for (int i = 0; i < COUNT; i++)
                CHECK_NEAR(weir_bf16_f32(slots[k][i]), d.slots[k][i],
                           fabs(d.slots[k][i]) / 128 + 1e-5);
    }
}

TEST(momentum_by_hand)
{
    double w[] = {1}, accum[] = {2}, grad[] = {4}, lr = .5, momentum = .25;
    weir_train t = {.slots = {w, accum}, .grad = grad, .scalars = {&lr, &momentum}};
    weir_train_find(WEIR_TRAIN_momentum, WEIR_E_f64)(&t, 1);
    CHECK_NEAR(accum[0], 4.5, 0);
    CHECK_NEAR(w[0], 1 - .5 * 4.5, 0);
    t.flag = true; /* Nesterov */
    weir_train_find(WEIR_TRAIN_momentum, WEIR_E_f64)(&t, 1);
    CHECK_NEAR(accum[0], 4.5 * .25 + 4, 0);
    CHECK_NEAR(w[0], 1 - .5 * 4.5 - (4 * .5 + 5.125 * .25 * .5), 0);
}

TEST(adam_by_hand)
{
    double w[] = {1}, m[] = {0}, v[] = {0}, grad[] = {2};
    double s[] = {.9, .99, .1, .9, .99, 0};
    weir_train t = {.slots = {w, m, v}, .grad = grad};
    for (int k = 0; k < 6; k++)
        t.scalars[k] = &s[k];
    weir_train_find(WEIR_TRAIN_adam, WEIR_E_f64)(&t, 1);
    CHECK_NEAR(m[0], .2, 1e-12);
    CHECK_NEAR(v[0], .04, 1e-12);
    CHECK_NEAR(w[0], .9, 1e-12); /* the first step is the rate, whatever the gradient */
}

/* Several tiles, and an incomplete last one. */
TEST(tiles_are_the_whole)
{
    enum { MANY = 5003, SLOTS = 3 };
    static float want[SLOTS][MANY], got[SLOTS][MANY], grad[MANY];
    weir_train_fn fn = weir_train_find(WEIR_TRAIN_adam, WEIR_E_f32);
    weir_train whole = {.grad = grad}, tiled = {.grad = grad};
    for (int k = 0; k < WEIR_TRAIN_SCALARS; k++)
        whole.scalars[k] = tiled.scalars[k] = &scalars[k];
    for (int k = 0; k < SLOTS; k++) {
        whole.slots[k] = want[k];
        tiled.slots[k] = got[k];
        for (int i = 0; i < MANY; i++)
            want[k][i] = got[k][i] = 1 + .5f * sinf((float)(i * (k + 3)));
    }
    for (int i = 0; i < MANY; i++)
        grad[i] = sinf((float)i * .7f);
    fn(&whole, MANY);
    weir_train_run(fn, &tiled, SLOTS, sizeof(float), MANY);
    for (int k = 0; k < SLOTS; k++)
        for (int i = 0; i < MANY; i++)
            CHECK_NEAR(got[k][i], want[k][i], 1e-6);
}

TEST(complex_numbers_have_some)
{
    for (int rule = 0; rule < WEIR_TRAIN_RULES; rule++) {
        static const bool has[] = {
#define WEIR_TRAIN(name, complex) complex,
#include "math/train/train.inc"
#undef WEIR_TRAIN
        };
        CHECK(!weir_train_find((weir_train_rule)rule, WEIR_E_c64) == !has[rule]);
        CHECK(!weir_train_find((weir_train_rule)rule, WEIR_E_i32));
    }
}

TEST_MAIN()
