/* base/stop.c - the stop that each thread works for. */
#include "base/stop.h"

_Thread_local weir_stop *weir_stop_innermost;

weir_stop *weir_stop_work_for(weir_stop *stop)
{
    weir_stop *before = weir_stop_innermost;
    weir_stop_innermost = stop;
    return before;
}

bool weir_stopped(void)
{
    weir_stop *stop = weir_stop_innermost;
    if (!stop)
        return false;
    if (atomic_load_explicit(&stop->seen, memory_order_relaxed))
        return true;
    if (!(stop->cancel && weir_cancel_fired(stop->cancel)) && !weir_deadline_passed(stop->deadline))
        return false;
    atomic_store_explicit(&stop->seen, true, memory_order_relaxed);
    return true;
}
