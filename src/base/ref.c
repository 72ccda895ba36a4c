/* base/ref.c - beyond a few levels, nested objects are queued for destruction. */
#include "base/ref.h"

enum { LEVELS = 50 };

static _Thread_local int level;
static _Thread_local weir_ref *waiting;

static void destroy(weir_ref *ref)
{
    level++;
    ref->destroy(ref);
    level--;
}

void weir_ref_end(weir_ref *ref)
{
    if (level == LEVELS) {
        ref->next = waiting;
        waiting = ref;
        return;
    }
    destroy(ref);
    while (level == 0 && waiting) {
        weir_ref *next = waiting;
        waiting = next->next;
        destroy(next);
    }
}
