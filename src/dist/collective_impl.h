/* dist/collective_impl.h - shared by the member's and the leader's side. */
#ifndef WEIR_DIST_COLLECTIVE_IMPL_H
#define WEIR_DIST_COLLECTIVE_IMPL_H

#include "base/mutex.h"

#include "dist/collective.h"
#include "state/groups.h"
#include "wire/messages.h"

struct weir_task_collectives {
    weir_collectives base;
    weir_cluster *cluster;
    const weir_task *leader; /* null: this task */
    const weir_device_info *devices;
    int device_count;
    weir_groups *groups;
    weir_mutex lock;
    weir_map sequences WEIR_GUARDED_BY(lock); /* graph key -> id of its next step */
};

/* Converts a member's device from and to DeviceAttributes; views. */
weir_group_device weir_group_device_of(const weir_msg_device_attributes *attributes);
weir_msg_device_attributes weir_group_device_describe(const weir_group_device *device);

#endif
