/* op/recorder.h - kernels' notifications while their step is captured (exec/record.c).
 *
 * Later steps replay the device work of a captured step without running its kernels. So kernels
 * that copy values to or from a device, look up variables or draw random numbers report it if
 * weir_run's |recorder| is not null.
 */
#ifndef WEIR_OP_RECORDER_H
#define WEIR_OP_RECORDER_H

#include "op/op.h"

/* The start of a random stream's next |blocks| blocks: key, low and high half of the counter. */
typedef void weir_draw(void *stream, uint64_t blocks, uint64_t out_start[3]);

typedef struct weir_recorder weir_recorder;
struct weir_recorder {
    /* The device value of |x| in each replay: for _CopyIn. */
    weir_status (*bring)(weir_recorder *recorder, const weir_call *call, weir_tensor *out_there);
    /* Copies |x| to the host in each replay: for _CopyOut. */
    weir_status (*take)(weir_recorder *recorder, const weir_tensor *x, weir_tensor *out_here);
    /* |var| was looked up; called before its value is moved, read or changed. */
    void (*use)(weir_recorder *recorder, struct weir_var *var);
    /* The device address of the random stream's start in each replay. |stream| lives as long as the
     * plan. */
    weir_status (*draw)(weir_recorder *recorder, weir_draw *draw, void *stream, uint64_t blocks,
                        const void **out_at);
};

#endif
