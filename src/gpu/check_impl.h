/* gpu/check_impl.h - what the cases of check.c and check_cases.c share. */
#ifndef WEIR_GPU_CHECK_IMPL_H
#define WEIR_GPU_CHECK_IMPL_H

#include "gpu/check.h"
#include "gpu/text.h"

enum { CHECK_MOST = 4099, CHECK_GUARD = 64, CHECK_ROOM = CHECK_MOST * 8 + CHECK_GUARD };

/* A device, and buffers of CHECK_ROOM bytes there and here. */
typedef struct checker {
    const weir_gpu_driver *driver;
    weir_gpu_device *device;
    weir_gpu_module *module; /* of the family that is checked */
    weir_elem elem;
    weir_gpu_report *report;
    char kernel[96];           /* the one that is checked */
    void *x, *y, *z, *scratch; /* on the device: two arguments, the result, partial results */
    char *host_x, *host_y;     /* the arguments */
    char *wanted, *got;        /* the processor's result, and the device's */
} checker;

/* Sends both arguments and fills the result's memory with a pattern. */
WEIR_CHECKED weir_status check_send(checker *checker);
/* Runs the kernel called checker->kernel over |count| work items, in few groups. */
WEIR_CHECKED weir_status check_launch(checker *checker, int64_t count, const weir_gpu_arg *args,
                                      int arg_count);
/* Fetches |count| results of |elem|, compares them with checker->wanted and counts the case.
 * |exact|: every bit. */
WEIR_CHECKED weir_status check_compare(checker *checker, weir_elem elem, int64_t count, bool exact);

/* The first |count| elements of an argument: integers of any size, floats in [-4, 4], half of them
 * multiples of 1/4. */
void check_fill(weir_elem elem, char *at, int64_t count, uint32_t seed);
void check_set(weir_elem elem, char *at, int64_t index, double value);

/* One function a family: every op that it has. */
WEIR_CHECKED weir_status check_unary(checker *checker);
WEIR_CHECKED weir_status check_binary(checker *checker);
WEIR_CHECKED weir_status check_reduce(checker *checker);
WEIR_CHECKED weir_status check_move(checker *checker);
WEIR_CHECKED weir_status check_random(checker *checker);

#endif
