/* cli/watch/recording.h - reads what `weir run` recorded of a job (launch/record.h). */
#ifndef WEIR_CLI_WATCH_RECORDING_H
#define WEIR_CLI_WATCH_RECORDING_H

#include "cli/watch/cluster.h"

/* Columns of a sample, in the order of /api/host. Counters, except for memory. */
enum {
    RECORD_NUMBER,
    RECORD_US,
    RECORD_CPU,
    RECORD_MEMORY,
    RECORD_DISK_READ,
    RECORD_DISK_WRITTEN,
    RECORD_WIRE_IN,
    RECORD_WIRE_OUT,
    RECORD_LOOPBACK,
    RECORD_OWN_CPU,
    RECORD_OWN_MEMORY,
    RECORD_OWN_READ,
    RECORD_OWN_WRITTEN,
    RECORD_COLUMNS
};

typedef struct record_sample {
    double at[RECORD_COLUMNS];
} record_sample;

typedef struct record_program {
    double us, cpu_s, memory;
} record_program;

typedef struct record_task {
    char *job, *host; /* the host of its address */
    int index;
    WEIR_VEC(record_sample) samples;
    WEIR_VEC(watch_task) states; /* its self-description, about once a second */
    WEIR_VEC(record_program) program;
} record_task;

typedef struct recording {
    WEIR_VEC(record_task) tasks;
} recording;

/* |dir| is a folder that `weir run` recorded into. Reading stops at a truncated line. */
WEIR_CHECKED weir_status recording_read(const char *dir, recording *out);
void recording_fini(recording *recording);
/* Two snapshots of the cluster: after the first steps, and at their end. They reference the
 * recording. */
void recording_readings(const recording *recording, watch_cluster *out_before,
                        watch_cluster *out_now);
/* The folder of the newest unnamed job; NOT_FOUND if there is none. */
WEIR_CHECKED weir_status recording_newest(weir_buf *out);

#endif
