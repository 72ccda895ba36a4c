/* base/cgroup.h - what a control group leaves of the machine: containers, batch systems, slices.
 *
 * Both versions of the kernel's interface are read, each group and those above it. WEIR_CGROUP
 * names another folder with the group's files, for tests and unusual mounts.
 */
#ifndef WEIR_BASE_CGROUP_H
#define WEIR_BASE_CGROUP_H

#include <stdint.h>

double weir_cgroup_cpus(void);    /* processors' worth of time; 0: no limit */
int64_t weir_cgroup_memory(void); /* bytes; 0: no limit */

#endif
