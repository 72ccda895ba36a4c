/* gpu/check_cases.c - the cases of every family. */
#include "gpu/check_impl.h"

#include <math.h>
#include <stdio.h>

#include "math/binary/binary.h"
#include "math/move/move.h"
#include "math/random/fill.h"
#include "math/reduce/reduce.h"
#include "math/unary/unary.h"

/* One element, an odd number within a group, and more elements than work items. */
static const int64_t sizes[] = {1, 67, CHECK_MOST};
enum { SIZES = sizeof sizes / sizeof *sizes };
/* CPU loops run on the calling thread. */
static const weir_par *const alone = NULL;

static void add_specials(checker *checker)
{
    check_set(checker->elem, checker->host_x, 3, INFINITY);
    check_set(checker->elem, checker->host_x, 40, NAN);
    check_set(checker->elem, checker->host_x, 66, -INFINITY);
}

static bool is_integer(weir_elem elem)
{
    return !weir_elem_is_half(elem) && elem != WEIR_E_f32 && elem != WEIR_E_f64;
}

/* ---- elements ---- */

static weir_status unary_case(checker *checker, weir_unary_op op, int64_t count)
{
    weir_elem out = weir_unary_out(op, checker->elem);
    weir_gpu_arg args[] = {WEIR_GPU_AT(checker->x), WEIR_GPU_AT(checker->z), WEIR_GPU_VALUE(count)};
    check_fill(checker->elem, checker->host_x, count, 1);
    if (out == WEIR_E_b8)
        add_specials(checker);
    WEIR_TRY(check_send(checker));
    weir_unary_run(alone, op, checker->elem, count, checker->host_x, checker->wanted);
    WEIR_TRY(check_launch(checker, count, args, 3));
    return check_compare(checker, out, count, false);
}

weir_status check_unary(checker *checker)
{
    for (int op = 0; op < WEIR_UNARY_COUNT; op++) {
        snprintf(checker->kernel, sizeof checker->kernel, "unary_%s",
                 weir_gpu_op_name(WEIR_GPU_UNARY, op));
        for (int i = 0; weir_gpu_has(WEIR_GPU_UNARY, op, checker->elem) && i < SIZES; i++)
            WEIR_TRY(unary_case(checker, (weir_unary_op)op, sizes[i]));
    }
    return WEIR_OK;
}

/* The device must report undefined results exactly when the CPU does. */
static weir_status compare_failed(checker *checker, bool wanted)
{
    int32_t failed = 0;
    WEIR_TRY(checker->driver->copy_out(checker->device, &failed, checker->scratch, sizeof failed));
    if (failed == wanted)
        return WEIR_OK;
    checker->report->failed++;
    checker->report->say(checker->report->arg, checker->kernel);
    return WEIR_OK;
}

static weir_status binary_case(checker *checker, weir_binary_op op, int64_t count,
                               weir_binary_mode mode)
{
    weir_elem out = weir_binary_out(op, checker->elem);
    int64_t x_step = mode != WEIR_X_REPEATS, y_step = mode != WEIR_Y_REPEATS;
    int32_t none = 0;
    weir_gpu_arg args[] = {WEIR_GPU_AT(checker->x), WEIR_GPU_AT(checker->y),
                           WEIR_GPU_AT(checker->z), WEIR_GPU_AT(checker->scratch),
                           WEIR_GPU_VALUE(count),   WEIR_GPU_VALUE(x_step),
                           WEIR_GPU_VALUE(y_step)};
    check_fill(checker->elem, checker->host_x, count, 1);
    check_fill(checker->elem, checker->host_y, count, 2);
    if (!is_integer(checker->elem) && (op == WEIR_B_maximum || op == WEIR_B_minimum))
        add_specials(checker);
    WEIR_TRY(check_send(checker));
    WEIR_TRY(checker->driver->copy_in(checker->device, checker->scratch, &none, sizeof none));
    bool all = weir_binary_flat(alone, op, checker->elem, count, checker->host_x, checker->host_y,
                                checker->wanted, mode);
    WEIR_TRY(check_launch(checker, count, args, 7));
    WEIR_TRY(check_compare(checker, out, count, false));
    return compare_failed(checker, !all);
}

weir_status check_binary(checker *checker)
{
    for (int op = 0; op < WEIR_BINARY_COUNT; op++) {
        if (!weir_gpu_has(WEIR_GPU_BINARY, op, checker->elem))
            continue;
        snprintf(checker->kernel, sizeof checker->kernel, "binary_%s",
                 weir_gpu_op_name(WEIR_GPU_BINARY, op));
        for (int i = 0; i < SIZES; i++)
            WEIR_TRY(binary_case(checker, (weir_binary_op)op, sizes[i], WEIR_BOTH_VARY));
        WEIR_TRY(binary_case(checker, (weir_binary_op)op, 67, WEIR_X_REPEATS));
        WEIR_TRY(binary_case(checker, (weir_binary_op)op, 67, WEIR_Y_REPEATS));
    }
    return WEIR_OK;
}

/* ---- reductions ---- */

/* Chosen so that sums are exact in any order, and products too: few powers of two are not 1. */
static void fill_terms(checker *checker, weir_reduce_op op, int64_t count)
{
    weir_elem elem = checker->elem;
    check_fill(elem, checker->host_x, count, 1);
    for (int64_t i = 0; !is_integer(elem) && i < count; i++)
        check_set(elem, checker->host_x, i,
                  op != WEIR_R_prod ? (double)(i * 7 % 33 - 16) / 4
                  : i % 16          ? 1
                  : i % 32          ? 0.5
                                    : -2);
    if (count > 66 && (op == WEIR_R_max || op == WEIR_R_min) && !is_integer(elem))
        add_specials(checker);
}

static void name_reduction(checker *checker, weir_reduce_op op, const char *shape)
{
    snprintf(checker->kernel, sizeof checker->kernel, "reduce_%s_%s",
             weir_gpu_op_name(WEIR_GPU_REDUCE, (int)op), shape);
}

static weir_status prepare(checker *checker, weir_reduce_op op, const int64_t dims[3])
{
    const bool middle[] = {false, true, false};
    fill_terms(checker, op, dims[0] * dims[1] * dims[2]);
    WEIR_TRY(check_send(checker));
    return weir_reduce_run(alone, op, checker->elem, 3, dims, middle, checker->host_x,
                           checker->wanted);
}

static weir_status rows_case(checker *checker, weir_reduce_op op, int64_t rows, int64_t length)
{
    weir_gpu_arg args[] = {WEIR_GPU_AT(checker->x), WEIR_GPU_AT(checker->z), WEIR_GPU_VALUE(rows),
                           WEIR_GPU_VALUE(length)};
    name_reduction(checker, op, "rows");
    WEIR_TRY(prepare(checker, op, (int64_t[]){rows, length, 1}));
    WEIR_TRY(check_launch(checker, rows * WEIR_GPU_LANES, args, 4));
    return check_compare(checker, checker->elem, rows, false);
}

static weir_status columns_case(checker *checker, weir_reduce_op op, const int64_t dims[3])
{
    int64_t outer = dims[0], length = dims[1], inner = dims[2];
    weir_gpu_arg args[] = {WEIR_GPU_AT(checker->x), WEIR_GPU_AT(checker->z), WEIR_GPU_VALUE(outer),
                           WEIR_GPU_VALUE(length), WEIR_GPU_VALUE(inner)};
    name_reduction(checker, op, "columns");
    WEIR_TRY(prepare(checker, op, dims));
    WEIR_TRY(check_launch(checker, outer * inner, args, 5));
    return check_compare(checker, checker->elem, outer * inner, false);
}

static weir_status whole_case(checker *checker, weir_reduce_op op, int64_t count)
{
    int64_t groups = count > 1024 ? 4 : (count + WEIR_GPU_LANES - 1) / WEIR_GPU_LANES;
    weir_gpu_arg first[] = {WEIR_GPU_AT(checker->x), WEIR_GPU_AT(checker->scratch),
                            WEIR_GPU_VALUE(count)};
    weir_gpu_arg second[] = {WEIR_GPU_AT(checker->scratch), WEIR_GPU_AT(checker->z),
                             WEIR_GPU_VALUE(groups), WEIR_GPU_VALUE(count)};
    WEIR_TRY(prepare(checker, op, (int64_t[]){1, count, 1}));
    name_reduction(checker, op, "part");
    WEIR_TRY(check_launch(checker, count, first, 3));
    name_reduction(checker, op, "whole");
    WEIR_TRY(check_launch(checker, 1, second, 4));
    return check_compare(checker, checker->elem, 1, false);
}

weir_status check_reduce(checker *checker)
{
    static const int64_t rows[][2] = {{1, 1}, {5, 67}, {9, 300}, {3, 0}};
    static const int64_t columns[][3] = {{1, 1, 1}, {2, 5, 33}, {1, 3, 1200}, {2, 0, 3}};
    for (weir_reduce_op op = 0; op < WEIR_REDUCE_COUNT; op++) {
        if (!weir_gpu_has(WEIR_GPU_REDUCE, (int)op, checker->elem))
            continue;
        for (int i = 0; i < 4; i++)
            WEIR_TRY(rows_case(checker, op, rows[i][0], rows[i][1]));
        for (int i = 0; i < 4; i++)
            WEIR_TRY(columns_case(checker, op, columns[i]));
        for (int i = 0; i < SIZES; i++)
            WEIR_TRY(whole_case(checker, op, sizes[i]));
    }
    return WEIR_OK;
}

/* ---- moves ---- */

static weir_status fill_case(checker *checker, int64_t count)
{
    int size = weir_elem_size(checker->elem);
    weir_gpu_arg args[] = {WEIR_GPU_AT(checker->z),
                           WEIR_GPU_VALUE(count),
                           {.at = checker->host_x, .bytes = (size_t)size}};
    snprintf(checker->kernel, sizeof checker->kernel, "move_fill");
    check_fill(checker->elem, checker->host_x, 1, 3);
    WEIR_TRY(check_send(checker));
    weir_move_repeat(size, count, checker->wanted, checker->host_x);
    WEIR_TRY(check_launch(checker, count, args, 3));
    return check_compare(checker, checker->elem, count, true);
}

static weir_status copy_case(checker *checker, const weir_gpu_walk *walk, int64_t first)
{
    int size = weir_elem_size(checker->elem);
    weir_gpu_arg args[] = {WEIR_GPU_AT(checker->z),
                           WEIR_GPU_AT((char *)checker->x + first * size),
                           {.at = walk, .bytes = sizeof *walk}};
    snprintf(checker->kernel, sizeof checker->kernel, "move_copy");
    WEIR_TRY(check_send(checker));
    WEIR_TRY(check_launch(checker, walk->count, args, 3));
    return check_compare(checker, checker->elem, walk->count, true);
}

/* Every third element, in reverse order. */
static weir_status strided_case(checker *checker, int64_t count)
{
    int size = weir_elem_size(checker->elem);
    int64_t first = 3 * (count - 1);
    weir_gpu_walk walk = {.rank = 1, .count = count, .dims = {count}, .to = {1}, .from = {-3}};
    check_fill(checker->elem, checker->host_x, 3 * count, 4);
    weir_move_strided(size, count, checker->wanted, size, checker->host_x + first * size,
                      -3 * size);
    return copy_case(checker, &walk, first);
}

/* Swaps the first and last of three dimensions. */
static weir_status transpose_case(checker *checker)
{
    enum { A = 7, B = 5, C = 33 };
    int size = weir_elem_size(checker->elem);
    weir_gpu_walk walk = {.rank = 3,
                          .count = A * B * C,
                          .dims = {C, B, A},
                          .to = {A * B, A, 1},
                          .from = {1, C, B * C}};
    check_fill(checker->elem, checker->host_x, A * B * C, 5);
    for (int b = 0; b < B; b++)
        weir_move_transpose(size, C, A, checker->wanted + b * A * size, A * B * size,
                            checker->host_x + b * C * size, B * C * size);
    return copy_case(checker, &walk, 0);
}

weir_status check_move(checker *checker)
{
    for (int i = 0; i < SIZES; i++)
        WEIR_TRY(fill_case(checker, sizes[i]));
    WEIR_TRY(strided_case(checker, 1));
    WEIR_TRY(strided_case(checker, 1201));
    return transpose_case(checker);
}

/* ---- random numbers ---- */

static weir_status uniform_case(checker *checker, int64_t count, uint64_t low)
{
    uint64_t key = 0x123456789abcdef0ull, high = 77;
    weir_gpu_arg args[] = {WEIR_GPU_AT(checker->z), WEIR_GPU_VALUE(count), WEIR_GPU_VALUE(key),
                           WEIR_GPU_VALUE(low), WEIR_GPU_VALUE(high)};
    weir_philox philox = weir_philox_at(key, (uint64_t[]){low, high});
    WEIR_TRY(check_send(checker));
    weir_random_uniform(alone, philox, checker->elem, count, checker->wanted);
    WEIR_TRY(check_launch(checker, count, args, 5));
    return check_compare(checker, checker->elem, count, true);
}

/* Also lets the counter's low half overflow into its high half. */
weir_status check_random(checker *checker)
{
    snprintf(checker->kernel, sizeof checker->kernel, "random_uniform");
    for (int i = 0; i < SIZES; i++) {
        WEIR_TRY(uniform_case(checker, sizes[i], 5));
        WEIR_TRY(uniform_case(checker, sizes[i], UINT64_MAX - 3));
    }
    return WEIR_OK;
}
