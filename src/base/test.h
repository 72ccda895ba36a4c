/* base/test.h - unit tests in one header, for *_test.c files only.
 *
 *     TEST(adds_two_numbers)
 *     {
 *         CHECK_EQ(1 + 1, 2);
 *     }
 *     TEST_MAIN()
 *
 * Every TEST of the file runs, in the order written; a failed check prints where and goes on. The
 * last line says "N passed, N failed", and the exit status is 1 when any failed. An argument runs
 * only the tests whose name contains it.
 */
#ifndef WEIR_BASE_TEST_H
#define WEIR_BASE_TEST_H

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/status.h"

typedef struct weir_test {
    const char *name;
    void (*run)(void);
    struct weir_test *next;
} weir_test;

static weir_test *weir_test_first, **weir_test_last = &weir_test_first;
static int weir_test_bad; /* failed checks of the running test */

static inline void weir_test_fail(const char *file, int line, const char *what)
{
    if (weir_test_bad++ < 20)
        fprintf(stderr, "%s:%d: %s\n", file, line, what);
}

#define TEST(id)                                                                                   \
    static void test_##id(void);                                                                   \
    __attribute__((constructor)) static void add_test_##id(void)                                   \
    {                                                                                              \
        static weir_test t = {.name = #id, .run = test_##id};                                      \
        *weir_test_last = &t;                                                                      \
        weir_test_last = &t.next;                                                                  \
    }                                                                                              \
    static void test_##id(void)

#define CHECK(cond)                                                                                \
    do {                                                                                           \
        if (!(cond))                                                                               \
            weir_test_fail(__FILE__, __LINE__, "not true: " #cond);                                \
    } while (0)

#define CHECK_MSG(cond, ...)                                                                       \
    do {                                                                                           \
        if (!(cond)) {                                                                             \
            char text_[256];                                                                       \
            snprintf(text_, sizeof text_, __VA_ARGS__);                                            \
            weir_test_fail(__FILE__, __LINE__, text_);                                             \
        }                                                                                          \
    } while (0)

#define CHECK_EQ(a, b)                                                                             \
    do {                                                                                           \
        int64_t a_ = (int64_t)(a), b_ = (int64_t)(b);                                              \
        CHECK_MSG(a_ == b_, "%s is %" PRId64 ", not %" PRId64, #a, a_, b_);                        \
    } while (0)

#define CHECK_NEAR(a, b, tolerance)                                                                \
    do {                                                                                           \
        double a_ = (a), b_ = (b), t_ = (tolerance);                                               \
        CHECK_MSG(fabs(a_ - b_) <= t_ || (isnan(a_) && isnan(b_)) || a_ == b_,                     \
                  "%s is %.9g, not within %g of %.9g", #a, a_, t_, b_);                            \
    } while (0)

#define CHECK_STR(a, b)                                                                            \
    do {                                                                                           \
        const char *a_ = (a), *b_ = (b);                                                           \
        CHECK_MSG(a_ &&b_ &&strcmp(a_, b_) == 0, "%s is \"%s\", not \"%s\"", #a,                   \
                  a_ ? a_ : "(null)", b_ ? b_ : "(null)");                                         \
    } while (0)

#define CHECK_OK(expr)                                                                             \
    do {                                                                                           \
        weir_status s_ = (expr);                                                                   \
        CHECK_MSG(s_ == WEIR_OK, "%s: %s", #expr, weir_status_message(s_));                        \
        weir_status_free(s_);                                                                      \
    } while (0)

/* The error has this code, and its message contains |text|. */
#define CHECK_FAILS(expr, code, text)                                                              \
    do {                                                                                           \
        weir_status s_ = (expr);                                                                   \
        CHECK_MSG(weir_status_code(s_) == (code) && strstr(weir_status_message(s_), (text)),       \
                  "%s: code %d, \"%s\"", #expr, (int)weir_status_code(s_),                         \
                  weir_status_message(s_));                                                        \
        weir_status_free(s_);                                                                      \
    } while (0)

static inline int weir_test_main(int argc, char **argv)
{
    int passed = 0, failed = 0;
    for (const weir_test *test = weir_test_first; test; test = test->next) {
        if (argc > 1 && !strstr(test->name, argv[1]))
            continue;
        weir_test_bad = 0;
        test->run();
        if (weir_test_bad)
            fprintf(stderr, "FAILED %s: %d checks\n", test->name, weir_test_bad);
        weir_test_bad ? failed++ : passed++;
    }
    printf("%d passed, %d failed\n", passed, failed);
    return failed != 0;
}

#define TEST_MAIN()                                                                                \
    int main(int argc, char **argv)                                                                \
    {                                                                                              \
        return weir_test_main(argc, argv);                                                         \
    }

#endif
