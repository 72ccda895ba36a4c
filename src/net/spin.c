/* net/spin.c - waiting awake, and learning whether it pays. */
#include "net/spin_impl.h"

#include <sched.h>

#include "base/clock.h"
#include "base/cpu.h"

enum {
    SPIN_NS = 60000,
    LONG_NS = 300000, /* somebody else had the processor: not one who answers soon */
    LOOKS = 64,       /* before others may run */
    MOST_FAILURES = 10,
};

static bool look(bool (*came)(const void *arg), const void *arg)
{
    for (int i = 0; i < LOOKS; i++) {
        if (came(arg))
            return true;
        weir_cpu_relax();
    }
    return false;
}

static void learn(weir_spin *s, bool came, bool lost_processor)
{
    if (lost_processor)
        s->failures = MOST_FAILURES;
    else if (came)
        s->failures /= 2;
    else if (s->failures < MOST_FAILURES)
        s->failures++;
    if (lost_processor || !came)
        s->skip = (1 << s->failures) - 1;
}

bool weir_spin_until(weir_spin *s, bool (*came)(const void *arg), const void *arg)
{
    if (s->skip) {
        s->skip--;
        return false;
    }
    int64_t begin = weir_now_ns(), now = begin;
    bool yes, lost = false;
    while (!(yes = look(came, arg)) && !lost && now - begin < SPIN_NS) {
        int64_t before = weir_now_ns();
        sched_yield();
        now = weir_now_ns();
        lost = now - before > LONG_NS;
    }
    learn(s, yes, lost);
    return yes;
}
