/* observe/gpus.h - how busy the GPUs are, by NVIDIA's management library where there is one.
 *
 * The library is opened at run time, and only where the driver's device file exists. One thread at
 * a time.
 */
#ifndef WEIR_OBSERVE_GPUS_H
#define WEIR_OBSERVE_GPUS_H

#include "base/str.h"

enum { WEIR_GPUS_MOST = 16 }; /* further ones are not looked at */

typedef struct weir_gpu_use {
    int count;           /* GPUs that answered */
    double busy;         /* shares of time with a kernel at work, added up: at most |count| */
    double memory_bytes; /* in use, of all */
} weir_gpu_use;

/* Opens the library and finds the GPUs; gives how many. Nothing to do a second time. */
int weir_gpus_open(void);
/* All zero where there are none, or weir_gpus_open was not called. */
weir_gpu_use weir_gpus_read(void);

#endif
