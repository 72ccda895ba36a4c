/* lab/bench/layout.c - layouts of tasks. */
#include "lab/bench/layout.h"

static weir_status wrong(const char *layout, const char *what)
{
    return weir_error(WEIR_INVALID_ARGUMENT, "layout '%s' %s", layout, what);
}

weir_status layout_read(const char *layout, int ps, int workers, int *out_machines, int *out_count)
{
    int machine = 0, servers = 0, working = 0;
    for (const char *at = layout; *at; at++) {
        if (*at == '-') {
            machine++;
        } else if (*at == 'P') {
            if (servers == ps)
                return wrong(layout, "has more parameter servers than there are");
            out_machines[servers++] = machine;
            at += at[1] == 'S';
        } else if (*at == 'W') {
            if (working == workers)
                return wrong(layout, "has more workers than there are");
            out_machines[ps + working++] = machine;
        } else {
            return wrong(layout, "is made of P, PS, W and hyphens");
        }
    }
    if (servers != ps || working != workers)
        return wrong(layout, "does not place every task");
    *out_count = machine + 1;
    return WEIR_OK;
}
