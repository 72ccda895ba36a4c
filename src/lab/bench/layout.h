/* lab/bench/layout.h - who shares a machine: "PS-W-W", "PW-W", "PW-PW". */
#ifndef WEIR_LAB_BENCH_LAYOUT_H
#define WEIR_LAB_BENCH_LAYOUT_H

#include "base/status.h"

/* Parts between hyphens are machines; in each, PS or P is a parameter server and W a worker. Fills
 * the machine of every task, the |ps| parameter servers first. */
WEIR_CHECKED weir_status layout_read(const char *layout, int ps, int workers, int *out_machines,
                                     int *out_count);

#endif
