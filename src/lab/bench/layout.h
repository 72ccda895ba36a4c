/* lab/bench/layout.h - placement of tasks on machines: "PS-W-W", "PW-W", "PW-PW". */
#ifndef WEIR_LAB_BENCH_LAYOUT_H
#define WEIR_LAB_BENCH_LAYOUT_H

#include "base/status.h"

/* Hyphens separate machines; in each, PS or P is a parameter server and W a worker. Stores the
 * machine of every task, the |ps| parameter servers first. */
WEIR_CHECKED weir_status layout_read(const char *layout, int ps, int workers, int *out_machines,
                                     int *out_count);

#endif
