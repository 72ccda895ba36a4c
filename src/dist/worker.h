/* dist/worker.h - WorkerService: a task runs partitions of graphs for the masters of its cluster.
 *
 * A master opens a session with every task, registers the task's partitions, and runs them step by
 * step; tasks fetch each other's tensors by RecvTensor. Thread-safe.
 */
#ifndef WEIR_DIST_WORKER_H
#define WEIR_DIST_WORKER_H

#include "dist/collective.h"
#include "dist/steps.h"
#include "net/rpc.h"
#include "session/session.h"

typedef struct weir_msg_device_attributes weir_msg_device_attributes;
typedef struct weir_msgs_device_attributes weir_msgs_device_attributes;

typedef struct weir_worker weir_worker;

/* Everything must outlive the worker. */
typedef struct weir_worker_options {
    weir_cluster *cluster;
    weir_steps *steps;
    weir_resources *resources; /* of the task: shared by all sessions unless isolated */
    weir_task_collectives *collectives;
    const weir_device_info *devices; /* of the task */
    int device_count;
} weir_worker_options;

weir_worker *weir_worker_create(const weir_worker_options *options);
/* Cancels all steps and closes every session; calls in progress end soon after. */
void weir_worker_close(weir_worker *worker);
void weir_worker_destroy(weir_worker *worker); /* no call may be in progress; takes null */

/* Opens the session of a master in this process, like on the other tasks, so that they may call
 * functions here; and closes it. |handle| names it; |resources| are the master's. */
void weir_worker_open_own(weir_worker *worker, const char *handle, weir_cluster *cluster,
                          weir_resources *resources);
void weir_worker_close_own(weir_worker *worker, const char *handle);

/* Methods of the service; their ctx is the argument of weir_worker_of_server. */
extern const weir_rpc_method weir_worker_methods[];
extern const size_t weir_worker_method_count;
weir_worker *weir_worker_of_server(void *ctx); /* of server.c */

/* DeviceAttributes; views of the devices. */
weir_msg_device_attributes weir_device_describe(const weir_device_info *device);
weir_msgs_device_attributes weir_devices_describe(const weir_device_info *devices, int count,
                                                  weir_arena *arena);

#endif
