/* base/test.h - unit tests in one header, for *_test.c files only.
 *
 *     TEST(adds_two_numbers)
 *     {
 *         CHECK_EQ(1 + 1, 2);
 *     }
 *     TEST_MAIN()
 *
 * Every TEST of the file runs, in the order written; a failed check prints where and continues. The
 * last line says "N passed, N failed", and the exit status is 1 when any failed. An argument runs
 * only the tests whose name contains it.
 */
#ifndef WEIR_BASE_TEST_H
#define WEIR_BASE_TEST_H

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
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

/* Reports a failed check; the format and its arguments are the message. */
__attribute__((format(printf, 3, 4))) static inline void weir_test_fail(const char *file, int line,
                                                                        const char *format, ...)
{
    if (weir_test_bad++ >= 20)
        return;
    va_list args;
    va_start(args, format);
    fprintf(stderr, "%s:%d: ", file, line);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    va_end(args);
}

static inline void weir_test_eq(const char *file, int line, const char *what, int64_t is,
                                int64_t wanted)
{
    if (is != wanted)
        weir_test_fail(file, line, "%s is %" PRId64 ", not %" PRId64, what, is, wanted);
}

static inline void weir_test_near(const char *file, int line, const char *what, double is,
                                  double wanted, double tolerance)
{
    if (!(fabs(is - wanted) <= tolerance || (isnan(is) && isnan(wanted)) || is == wanted))
        weir_test_fail(file, line, "%s is %.9g, not within %g of %.9g", what, is, tolerance,
                       wanted);
}

static inline void weir_test_str(const char *file, int line, const char *what, const char *is,
                                 const char *wanted)
{
    if (!is || !wanted || strcmp(is, wanted) != 0)
        weir_test_fail(file, line, "%s is \"%s\", not \"%s\"", what, is ? is : "(null)",
                       wanted ? wanted : "(null)");
}

static inline void weir_test_ok(const char *file, int line, const char *what, weir_status status)
{
    if (status != WEIR_OK)
        weir_test_fail(file, line, "%s: %s", what, weir_status_message(status));
    weir_status_free(status);
}

static inline void weir_test_fails(const char *file, int line, const char *what, weir_status status,
                                   weir_code code, const char *text)
{
    const char *message = weir_status_message(status);
    if (weir_status_code(status) != code || !strstr(message, text))
        weir_test_fail(file, line, "%s: code %d, \"%s\"", what, (int)weir_status_code(status),
                       message);
    weir_status_free(status);
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

#define CHECK_MSG(cond, ...) ((cond) ? (void)0 : weir_test_fail(__FILE__, __LINE__, __VA_ARGS__))
#define CHECK(cond) CHECK_MSG(cond, "not true: %s", #cond)
#define CHECK_EQ(a, b) weir_test_eq(__FILE__, __LINE__, #a, (int64_t)(a), (int64_t)(b))
#define CHECK_NEAR(a, b, tolerance) weir_test_near(__FILE__, __LINE__, #a, a, b, tolerance)
#define CHECK_STR(a, b) weir_test_str(__FILE__, __LINE__, #a, a, b)
#define CHECK_OK(expr) weir_test_ok(__FILE__, __LINE__, #expr, expr)
/* The error has this code, and its message contains |text|. */
#define CHECK_FAILS(expr, code, text) weir_test_fails(__FILE__, __LINE__, #expr, expr, code, text)

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
