/* session/accelerators.h - the devices beside the processors that sessions of this process use.
 *
 * They are opened when a session is first made, once for the process, and stay open. WEIR_DEVICES
 * says which: "cuda", "opencl", several with commas between them, or "cpu" for none.
 */
#ifndef WEIR_SESSION_ACCELERATORS_H
#define WEIR_SESSION_ACCELERATORS_H

#include "op/device.h"
#include "session/devices.h"
#include "session/options.h"

/* Appends the devices that |config| (or null) allows as GPU:0 and so on of |task|. */
void weir_accelerators_add(const char *task, const weir_session_config *config,
                           weir_devices *devices);
/* The memory of the device |index| of a list that weir_accelerators_add made; null: the host's. */
weir_memory *weir_accelerators_memory(const weir_devices *devices, const char *device);
/* An opened device; null: there are not so many. */
struct weir_gpu_unit *weir_accelerator_at(int index);
bool weir_accelerators_any(const weir_devices *devices);

#endif
