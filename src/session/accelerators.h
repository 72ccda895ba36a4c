/* session/accelerators.h - the devices beside the processors that sessions of this process use.
 *
 * WEIR_DEVICES says which there are: "cuda", "opencl", several with commas between them, or "cpu"
 * for none. Not set, CUDA's where a driver of NVIDIA's is installed. One is opened when a session
 * first uses it, and stays open; sessions that want the same of it share it. Thread-safe.
 */
#ifndef WEIR_SESSION_ACCELERATORS_H
#define WEIR_SESSION_ACCELERATORS_H

#include "op/device.h"
#include "session/devices.h"
#include "session/options.h"

/* Appends the devices that |choice| allows as GPU:0 and so on of |task|. INVALID_ARGUMENT for a
 * choice that cannot be. */
WEIR_CHECKED weir_status weir_accelerators_add(const char *task, const weir_gpu_choice *choice,
                                               weir_devices *devices);
/* The memory of the device |index| of a list that weir_accelerators_add made; null: the host's. */
weir_memory *weir_accelerators_memory(const weir_devices *devices, const char *device);
/* Whether every driver of |names|, as WEIR_DEVICES has them, has a device here. INVALID_ARGUMENT:
 * there is no such driver; UNAVAILABLE: it has none. */
WEIR_CHECKED weir_status weir_accelerators_check(const char *names);
/* Appends a line about the devices that sessions would use: "cuda:0 NVIDIA H200", or "none" and
 * why. */
void weir_accelerators_tell(weir_buf *out);
/* An opened device, in the order in which they were opened; null: there are not so many. */
struct weir_gpu_unit *weir_accelerator_at(int index);
bool weir_accelerators_any(const weir_devices *devices);

#endif
