/* base/deadline.c - a list of deadlines per thread, the innermost first. */
#include "base/deadline.h"

#include "base/clock.h"

_Thread_local const weir_deadline *weir_deadline_innermost;

void weir_deadline_begin(weir_deadline *deadline, int64_t timeout_ms, weir_cancel *cancel)
{
    enum { NS_PER_MS = 1000000 };
    int64_t now = timeout_ms > 0 ? weir_now_ns() : 0, until = 0;
    if (timeout_ms > 0 && timeout_ms < (INT64_MAX - now) / NS_PER_MS)
        until = now + timeout_ms * NS_PER_MS;
    *deadline = (weir_deadline){until, cancel, weir_deadline_innermost};
    weir_deadline_innermost = deadline;
}

void weir_deadline_end(weir_deadline *deadline)
{
    weir_deadline_innermost = deadline->outer;
}

static const weir_deadline *first_passed(const weir_deadline *at)
{
    while (at && !(at->cancel && weir_cancel_fired(at->cancel)) &&
           !(at->until_ns && weir_now_ns() > at->until_ns))
        at = at->outer;
    return at;
}

bool weir_deadline_passed(const weir_deadline *innermost)
{
    return first_passed(innermost) != NULL;
}

weir_status weir_deadline_check(void)
{
    const weir_deadline *passed = first_passed(weir_deadline_innermost);
    if (!passed)
        return WEIR_OK;
    if (passed->cancel && weir_cancel_fired(passed->cancel))
        return weir_cancel_status(passed->cancel);
    return weir_error(WEIR_DEADLINE_EXCEEDED, "Timed out while the step was prepared");
}
