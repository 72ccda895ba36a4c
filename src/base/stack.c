/* base/stack.c - the limit of the calling thread's stack. */
#include "base/stack.h"

#include <pthread.h>
#include <stdint.h>

static _Thread_local uintptr_t lowest; /* below this address too little is left; 0: not known */

/* Reserves a quarter for the calls of the innermost level. */
static uintptr_t find_lowest(void)
{
    enum { UNKNOWN = 1 };
    pthread_attr_t attr;
    void *at = NULL;
    size_t bytes = 0;
    if (pthread_getattr_np(pthread_self(), &attr) != 0)
        return UNKNOWN;
    bool known = pthread_attr_getstack(&attr, &at, &bytes) == 0;
    pthread_attr_destroy(&attr);
    return known ? (uintptr_t)at + bytes / 4 : UNKNOWN;
}

weir_status weir_stack_check(const char *what)
{
    if (!lowest)
        lowest = find_lowest();
    if ((uintptr_t)__builtin_frame_address(0) > lowest)
        return WEIR_OK;
    return weir_error(WEIR_RESOURCE_EXHAUSTED, "%s is nested too deeply", what);
}
