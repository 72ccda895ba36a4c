/* base/cgroup.h - the limits of the control group: containers, batch systems, slices.
 *
 * Reads both versions of the kernel's interface, each group and its ancestors. WEIR_CGROUP
 * overrides the folder with the group's files, for tests and unusual mounts.
 */
#ifndef WEIR_BASE_CGROUP_H
#define WEIR_BASE_CGROUP_H

#include <stdint.h>

double weir_cgroup_cpus(void);    /* processors' worth of time; 0: no limit */
int64_t weir_cgroup_memory(void); /* bytes; 0: no limit */

#endif
