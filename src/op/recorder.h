/* op/recorder.h - what kernels tell when their step is recorded (exec/record.c).
 *
 * The device's work of a recorded step is done again by later steps without running a kernel. So
 * kernels that bring values to a device or from it, look up variables or draw random numbers say
 * so: weir_run's |recorder| is not null then.
 */
#ifndef WEIR_OP_RECORDER_H
#define WEIR_OP_RECORDER_H

#include "op/op.h"

/* The start of a random stream's next |blocks| blocks: key, low and high half of the counter. */
typedef void weir_draw(void *stream, uint64_t blocks, uint64_t out_start[3]);

typedef struct weir_recorder weir_recorder;
struct weir_recorder {
    /* |x| as it will be on the device in each step: of a _CopyIn. */
    weir_status (*bring)(weir_recorder *recorder, const weir_call *call, weir_tensor *out_there);
    /* |x| for the host, in each step: of a _CopyOut. */
    weir_status (*take)(weir_recorder *recorder, const weir_tensor *x, weir_tensor *out_here);
    /* Looked up, before its value is moved, read or changed. */
    void (*use)(weir_recorder *recorder, struct weir_var *var);
    /* Where on the device the start of the numbers is in each step. |stream| lives as long as the
     * plan. */
    weir_status (*draw)(weir_recorder *recorder, weir_draw *draw, void *stream, uint64_t blocks,
                        const void **out_at);
};

#endif
