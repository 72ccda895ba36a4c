/* base/clock.h - time. */
#ifndef WEIR_BASE_CLOCK_H
#define WEIR_BASE_CLOCK_H

#include <stdint.h>
#include <time.h>

static inline int64_t weir_now_ns(void) /* monotonic */
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static inline int64_t weir_wall_us(void) /* since the epoch */
{
    struct timespec time;
    clock_gettime(CLOCK_REALTIME, &time);
    return (int64_t)time.tv_sec * 1000000 + time.tv_nsec / 1000;
}

/* Add this to weir_now_ns for nanoseconds since the epoch. Reads the wall clock between two reads
 * of the monotonic one. Of several attempts the shortest counts, since the thread may be preempted
 * in between. */
static inline int64_t weir_wall_offset_ns(void)
{
    int64_t offset = 0, closest = INT64_MAX;
    for (int i = 0; i < 5 && closest > 1000; i++) {
        struct timespec time;
        int64_t before = weir_now_ns();
        clock_gettime(CLOCK_REALTIME, &time);
        int64_t between = weir_now_ns() - before;
        if (between < closest) {
            closest = between;
            offset = (int64_t)time.tv_sec * 1000000000 + time.tv_nsec - (before + between / 2);
        }
    }
    return offset;
}

/* The time |ms| from now, clamped to the latest time that the clock can represent. */
static inline int64_t weir_after_ms(int64_t ms)
{
    const int64_t longest_ms = INT64_MAX / 4 / 1000000; /* 73 years */
    return weir_now_ns() + (ms < longest_ms ? ms : longest_ms) * 1000000;
}

#endif
