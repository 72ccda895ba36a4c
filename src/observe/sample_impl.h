/* observe/sample_impl.h - parses counters of /proc, for observe/ only. */
#ifndef WEIR_OBSERVE_SAMPLE_IMPL_H
#define WEIR_OBSERVE_SAMPLE_IMPL_H

#include "observe/sample.h"

/* Each parses the text of a file of /proc and sets its quantities. */

/* /proc/stat: busy seconds of the processors in |set|; of all when it is 0. */
bool sample_parse_stat(const char *text, uint64_t set, double ticks_per_second, double *out);
/* The same for each processor, up to |room|; returns their number. */
int sample_parse_cores(const char *text, double ticks_per_second, double *out, int room);
/* /proc/meminfo: bytes that are not available. */
bool sample_parse_meminfo(const char *text, double *out);
/* /proc/diskstats: bytes read and written by whole disks, without partitions and stacked
 * devices. */
bool sample_parse_diskstats(const char *text, double *out_read, double *out_written);
/* /proc/net/dev: bytes and packets of one interface, in the order of weir_quantity. */
bool sample_parse_net(const char *text, const char *name, double out[4]);
/* /proc/net/dev: bytes in and out of all interfaces but loopback, and bytes in by loopback. */
bool sample_parse_nets(const char *text, double *out_in, double *out_out, double *out_loop);
/* /proc/PID/io. */
bool sample_parse_io(const char *text, double *out_read, double *out_written);
/* /proc/PID/statm: resident pages. */
bool sample_parse_statm(const char *text, double *out_pages);

#endif
