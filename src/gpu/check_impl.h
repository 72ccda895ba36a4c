/* gpu/check_impl.h - shared by check.c and check_cases.c. */
#ifndef WEIR_GPU_CHECK_IMPL_H
#define WEIR_GPU_CHECK_IMPL_H

#include "gpu/check.h"
#include "gpu/text.h"

enum { CHECK_MOST = 4099, CHECK_GUARD = 64, CHECK_ROOM = CHECK_MOST * 8 + CHECK_GUARD };

/* A device, and buffers of CHECK_ROOM bytes on the device and the host. */
typedef struct checker {
    const weir_gpu_driver *driver;
    weir_gpu_device *device;
    weir_gpu_module *module; /* of the kernel family under test */
    weir_elem elem;
    weir_gpu_report *report;
    char kernel[96];           /* the kernel under test */
    void *x, *y, *z, *scratch; /* on the device: two arguments, the result, partial results */
    char *host_x, *host_y;     /* the arguments */
    char *wanted, *got;        /* the CPU's result, and the device's */
} checker;

/* Copies both arguments to the device and fills the result's memory with a pattern. */
WEIR_CHECKED weir_status check_send(checker *checker);
/* Launches the kernel checker->kernel over |count| work items, in few groups. */
WEIR_CHECKED weir_status check_launch(checker *checker, int64_t count, const weir_gpu_arg *args,
                                      int arg_count);
/* Copies |count| results of |elem| back, compares them with checker->wanted and counts the case.
 * |exact|: bit for bit. */
WEIR_CHECKED weir_status check_compare(checker *checker, weir_elem elem, int64_t count, bool exact);

/* Generates the first |count| elements of an argument: integers of any magnitude, floats in [-4,
 * 4], half of them multiples of 1/4. */
void check_fill(weir_elem elem, char *at, int64_t count, uint32_t seed);
void check_set(weir_elem elem, char *at, int64_t index, double value);

/* One function per family; each checks every op of it. */
WEIR_CHECKED weir_status check_unary(checker *checker);
WEIR_CHECKED weir_status check_binary(checker *checker);
WEIR_CHECKED weir_status check_reduce(checker *checker);
WEIR_CHECKED weir_status check_move(checker *checker);
WEIR_CHECKED weir_status check_random(checker *checker);

#endif
