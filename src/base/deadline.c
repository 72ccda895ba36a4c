/* base/deadline.c - a list of deadlines for each thread, the innermost first. */
#include "base/deadline.h"

#include "base/clock.h"

static _Thread_local const weir_deadline *innermost;

void weir_deadline_begin(weir_deadline *deadline, int64_t timeout_ms, weir_cancel *cancel)
{
    enum { NS_PER_MS = 1000000 };
    int64_t now = timeout_ms > 0 ? weir_now_ns() : 0, until = 0;
    if (timeout_ms > 0 && timeout_ms < (INT64_MAX - now) / NS_PER_MS)
        until = now + timeout_ms * NS_PER_MS;
    *deadline = (weir_deadline){until, cancel, innermost};
    innermost = deadline;
}

void weir_deadline_end(weir_deadline *deadline)
{
    innermost = deadline->outer;
}

weir_status weir_deadline_check(void)
{
    for (const weir_deadline *at = innermost; at; at = at->outer) {
        if (at->cancel && weir_cancel_fired(at->cancel))
            return weir_cancel_status(at->cancel);
        if (at->until_ns && weir_now_ns() > at->until_ns)
            return weir_error(WEIR_DEADLINE_EXCEEDED, "Timed out while the step was prepared");
    }
    return WEIR_OK;
}
