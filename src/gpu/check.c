/* gpu/check.c - buffers, comparisons and iteration over the families. */
#include "gpu/check.h"

#include <math.h>
#include <stdio.h>

#include "base/arith.h"
#include "base/half.h"
#include "base/mem.h"
#include "gpu/check_impl.h"

enum { GROUPS_MOST = 4 }; /* few, so that a work item has several elements of the largest case */

const char *weir_gpu_elem_name(weir_elem elem)
{
    static const char *const names[WEIR_ELEM_COUNT] = {
        [WEIR_E_f16] = "half",   [WEIR_E_bf16] = "bfloat16", [WEIR_E_f32] = "float",
        [WEIR_E_f64] = "double", [WEIR_E_i8] = "int8",       [WEIR_E_i16] = "int16",
        [WEIR_E_i32] = "int32",  [WEIR_E_i64] = "int64",     [WEIR_E_u8] = "uint8",
        [WEIR_E_u16] = "uint16", [WEIR_E_u32] = "uint32",    [WEIR_E_u64] = "uint64",
        [WEIR_E_b8] = "bool",
    };
    return names[elem];
}

/* ---- arguments ---- */

static uint32_t next_random(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

static bool is_float(weir_elem elem)
{
    return weir_elem_is_half(elem) || elem == WEIR_E_f32 || elem == WEIR_E_f64;
}

static double read_float(weir_elem elem, const char *at, int64_t index)
{
    switch (elem) {
    case WEIR_E_f16:
        return weir_f16_f32(((const uint16_t *)at)[index]);
    case WEIR_E_bf16:
        return weir_bf16_f32(((const uint16_t *)at)[index]);
    case WEIR_E_f32:
        return ((const float *)at)[index];
    default:
        return ((const double *)at)[index];
    }
}

static void set_integer(weir_elem elem, char *at, int64_t index, int64_t value)
{
    int size = weir_elem_size(elem);
    value = elem == WEIR_E_b8 ? value & 1 : value;
    memcpy(at + index * size, &value, (size_t)size); /* little-endian */
}

void check_set(weir_elem elem, char *at, int64_t index, double value)
{
    if (elem == WEIR_E_f16)
        ((uint16_t *)at)[index] = weir_f32_f16((float)value);
    else if (elem == WEIR_E_bf16)
        ((uint16_t *)at)[index] = weir_f32_bf16((float)value);
    else if (elem == WEIR_E_f32)
        ((float *)at)[index] = (float)value;
    else if (elem == WEIR_E_f64)
        ((double *)at)[index] = value;
    else
        set_integer(elem, at, index, (int64_t)value);
}

void check_fill(weir_elem elem, char *at, int64_t count, uint32_t seed)
{
    for (int64_t i = 0; i < count; i++) {
        int64_t few = (int64_t)(next_random(&seed) % 33) - 16;
        int64_t many = (int64_t)((uint64_t)next_random(&seed) << 41 ^ next_random(&seed));
        if (is_float(elem))
            check_set(elem, at, i, i % 2 ? (double)(many & 0xffff) / 8192 - 4 : (double)few / 4);
        else
            set_integer(elem, at, i, i % 3 ? many : few / 4);
    }
}

/* ---- a case ---- */

weir_status check_send(checker *checker)
{
    const weir_gpu_driver *driver = checker->driver;
    memset(checker->got, 0xA5, CHECK_ROOM);
    WEIR_TRY(driver->copy_in(checker->device, checker->x, checker->host_x, CHECK_ROOM));
    WEIR_TRY(driver->copy_in(checker->device, checker->y, checker->host_y, CHECK_ROOM));
    return driver->copy_in(checker->device, checker->z, checker->got, CHECK_ROOM);
}

weir_status check_launch(checker *checker, int64_t count, const weir_gpu_arg *args, int arg_count)
{
    weir_gpu_kernel *kernel;
    int64_t groups = weir_clamp(weir_ceil_div(count, WEIR_GPU_LANES), 1, GROUPS_MOST);
    WEIR_TRY(checker->driver->find(checker->module, checker->kernel, &kernel));
    return weir_status_note(
        checker->driver->launch(checker->device, kernel, groups, args, arg_count), "in kernel '%s'",
        checker->kernel);
}

static double tolerance_of(weir_elem elem)
{
    return elem == WEIR_E_f16    ? 0x1p-10
           : elem == WEIR_E_bf16 ? 0x1p-7
           : elem == WEIR_E_f32  ? 1e-5
                                 : 1e-11;
}

static bool close_enough(weir_elem elem, double got, double wanted)
{
    if (isnan(got) || isnan(wanted))
        return isnan(got) && isnan(wanted);
    return got == wanted || fabs(got - wanted) <= tolerance_of(elem) * (1 + fabs(wanted));
}

/* The first element that differs; |count| if none does. */
static int64_t first_difference(const checker *checker, weir_elem elem, int64_t count, bool exact)
{
    int size = weir_elem_size(elem);
    for (int64_t i = 0; i < count; i++)
        if (exact || !is_float(elem)
                ? memcmp(checker->got + i * size, checker->wanted + i * size, (size_t)size) != 0
                : !close_enough(elem, read_float(elem, checker->got, i),
                                read_float(elem, checker->wanted, i)))
            return i;
    return count;
}

static bool guard_holds(const checker *checker, size_t bytes)
{
    for (int i = 0; i < CHECK_GUARD; i++)
        if ((unsigned char)checker->got[bytes + (size_t)i] != 0xA5)
            return false;
    return true;
}

static void say_failure(const checker *checker, weir_elem elem, int64_t count, int64_t at)
{
    char text[256], values[80] = "";
    if (at < count && is_float(elem))
        snprintf(values, sizeof values, ": %.9g, not %.9g", read_float(elem, checker->got, at),
                 read_float(elem, checker->wanted, at));
    snprintf(text, sizeof text, "%s of %s, %lld results: %s %lld%s", checker->kernel,
             weir_gpu_elem_name(checker->elem), (long long)count,
             at < count ? "differs at" : "writes behind its end at", (long long)at, values);
    checker->report->say(checker->report->arg, text);
}

weir_status check_compare(checker *checker, weir_elem elem, int64_t count, bool exact)
{
    size_t bytes = (size_t)count * (size_t)weir_elem_size(elem);
    WEIR_TRY_NOTE(
        checker->driver->copy_out(checker->device, checker->got, checker->z, bytes + CHECK_GUARD),
        "after kernel '%s'", checker->kernel);
    int64_t at = first_difference(checker, elem, count, exact);
    if (at == count && guard_holds(checker, bytes)) {
        checker->report->passed++;
        return WEIR_OK;
    }
    checker->report->failed++;
    say_failure(checker, elem, count, at);
    return WEIR_OK;
}

/* ---- entry point ----------------------------------------------------------------------------- */

static weir_status check_family(checker *checker, weir_gpu_family family)
{
    static weir_status (*const checks[])(struct checker *) = {
        [WEIR_GPU_UNARY] = check_unary,   [WEIR_GPU_BINARY] = check_binary,
        [WEIR_GPU_REDUCE] = check_reduce, [WEIR_GPU_MOVE] = check_move,
        [WEIR_GPU_RANDOM] = check_random,
    };
    WEIR_BUF(text);
    if (!weir_gpu_text_all(family, checker->elem, &text))
        return WEIR_OK;
    WEIR_TRY(checker->driver->compile(checker->device, text.at, &checker->module));
    weir_status status = checks[family](checker);
    checker->driver->unload(checker->module);
    return status;
}

static weir_status run(checker *checker)
{
    void **buffers[] = {&checker->x, &checker->y, &checker->z, &checker->scratch};
    for (int i = 0; i < 4; i++)
        WEIR_TRY(checker->driver->alloc(checker->device, CHECK_ROOM, buffers[i]));
    for (int family = 0; family < WEIR_GPU_FAMILIES; family++)
        WEIR_TRY(check_family(checker, (weir_gpu_family)family));
    return checker->driver->synchronize(checker->device);
}

weir_status weir_gpu_check(const weir_gpu_driver *driver, weir_gpu_device *device, weir_elem elem,
                           weir_gpu_report *report)
{
    checker checker = {.driver = driver, .device = device, .elem = elem, .report = report};
    char *host = weir_zalloc_aligned(4 * CHECK_ROOM);
    checker.host_x = host;
    checker.host_y = host + CHECK_ROOM;
    checker.wanted = host + 2 * CHECK_ROOM;
    checker.got = host + 3 * CHECK_ROOM;
    weir_status status = run(&checker);
    void *buffers[] = {checker.x, checker.y, checker.z, checker.scratch};
    for (int i = 0; i < 4; i++)
        driver->free(device, buffers[i]);
    weir_free_aligned(host);
    return status;
}
