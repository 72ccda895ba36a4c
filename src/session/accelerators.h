/* session/accelerators.h - the devices other than CPUs that sessions of this process use.
 *
 * WEIR_DEVICES selects them: "cuda", "opencl", several separated by commas, or "cpu" for none. If
 * unset: CUDA's, if NVIDIA's driver is installed. A device is opened when a session first uses it,
 * stays open, and is shared by sessions. Thread-safe.
 */
#ifndef WEIR_SESSION_ACCELERATORS_H
#define WEIR_SESSION_ACCELERATORS_H

#include "op/device.h"
#include "session/devices.h"
#include "session/options.h"

/* Appends the devices that |choice| allows as GPU:0 and so on of |task|. INVALID_ARGUMENT for an
 * invalid choice. */
WEIR_CHECKED weir_status weir_accelerators_add(const char *task, const weir_gpu_choice *choice,
                                               weir_devices *devices);
/* The memory of device |index| of a list from weir_accelerators_add; null: the host's. */
weir_memory *weir_accelerators_memory(const weir_devices *devices, const char *device);
/* Checks that every driver of |names|, in WEIR_DEVICES's syntax, has a device here.
 * INVALID_ARGUMENT: unknown driver; UNAVAILABLE: no device. */
WEIR_CHECKED weir_status weir_accelerators_check(const char *names);
/* Appends a line about the devices that sessions would use: "cuda:0 NVIDIA H200", or "none" and the
 * cause. */
void weir_accelerators_tell(weir_buf *out);
/* An opened device, by order of opening; null: out of range. */
struct weir_gpu_unit *weir_accelerator_at(int index);
bool weir_accelerators_any(const weir_devices *devices);

#endif
