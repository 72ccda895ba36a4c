/* net/spin.c - adaptive spinning. */
#include "net/spin_impl.h"

#include <sched.h>

#include "base/clock.h"
#include "base/cpu.h"

enum {
    SPIN_NS = 60000,
    PREEMPTED_NS = 300000, /* a longer yield: another thread used the processor */
    POLLS = 64,            /* between two yields */
    MAX_FAILURES = 10,
};

static bool poll(bool (*arrived)(const void *arg), const void *arg)
{
    for (int i = 0; i < POLLS; i++) {
        if (arrived(arg))
            return true;
        weir_cpu_relax();
    }
    return false;
}

static void learn(weir_spin *spin, bool arrived, bool preempted)
{
    if (preempted)
        spin->failures = MAX_FAILURES;
    else if (arrived)
        spin->failures /= 2;
    else if (spin->failures < MAX_FAILURES)
        spin->failures++;
    if (preempted || !arrived)
        spin->skip = (1 << spin->failures) - 1;
}

bool weir_spin_until(weir_spin *spin, bool (*arrived)(const void *arg), const void *arg)
{
    if (spin->skip) {
        spin->skip--;
        return false;
    }
    int64_t begin = weir_now_ns(), now = begin;
    bool came, preempted = false;
    while (!(came = poll(arrived, arg)) && !preempted && now - begin < SPIN_NS) {
        int64_t before = weir_now_ns();
        sched_yield();
        now = weir_now_ns();
        preempted = now - before > PREEMPTED_NS;
    }
    learn(spin, came, preempted);
    return came;
}
