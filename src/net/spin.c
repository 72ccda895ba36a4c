/* net/spin.c - waiting awake, and learning whether it pays. */
#include "net/spin_impl.h"

#include <sched.h>

#include "base/clock.h"
#include "base/cpu.h"

enum {
    SPIN_NS = 60000,
    PREEMPTED_NS = 300000, /* somebody else had the processor: not one who answers soon */
    POLLS = 64,            /* before others may run */
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

static void learn(weir_spin *s, bool arrived, bool preempted)
{
    if (preempted)
        s->failures = MAX_FAILURES;
    else if (arrived)
        s->failures /= 2;
    else if (s->failures < MAX_FAILURES)
        s->failures++;
    if (preempted || !arrived)
        s->skip = (1 << s->failures) - 1;
}

bool weir_spin_until(weir_spin *s, bool (*arrived)(const void *arg), const void *arg)
{
    if (s->skip) {
        s->skip--;
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
    learn(s, came, preempted);
    return came;
}
