/* lab/bench/machines.h - machines of their own on one host.
 *
 * Each is a network namespace with its own loopback and one interface, eth0, plugged into a switch
 * in a namespace of its own, and a set of processors. The namespaces have no names: they end with
 * the process that holds them, which ends with this one, however that ends. Making them needs root
 * and the programs ip and tc.
 */
#ifndef WEIR_LAB_BENCH_MACHINES_H
#define WEIR_LAB_BENCH_MACHINES_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/status.h"

enum { BENCH_MOST_MACHINES = 32 };

typedef struct bench_link {
    double mbit;     /* megabits a second out of each machine; 0: as they come */
    double delay_ms; /* on the way out of each machine; 0: none */
} bench_link;

typedef struct bench_machines bench_machines;

/* Says in a status why machines cannot be made here. */
WEIR_CHECKED weir_status bench_machines_create(int count, const bench_link *link,
                                               bench_machines **out);
void bench_machines_destroy(bench_machines *machines); /* takes null */

const char *bench_machine_address(const bench_machines *machines, int i); /* "10.77.0.1" */
uint64_t bench_machine_processors(const bench_machines *machines, int i); /* bit i: processor i */
pid_t bench_machine_holder(const bench_machines *machines, int i);        /* is in its namespace */
/* Whether delays were asked for that this kernel has no means for. */
bool bench_machines_lack_delay(const bench_machines *machines);
/* In a forked child: from here on it is on machine |i|. False when it is not. */
bool bench_machine_enter(const bench_machines *machines, int i);

#endif
