/* op/work.h - the work of asynchronous kernels, which ends with its step. */
#ifndef WEIR_OP_WORK_H
#define WEIR_OP_WORK_H

#include "op/op.h"

/* Returns fn(call, arg). Its long loops stop when the step does (base/stop.h); if some did, the
 * result is the reason. Kernels that are not asynchronous always run so. */
WEIR_CHECKED weir_status weir_call_work(weir_call *call,
                                        weir_status (*fn)(weir_call *call, void *arg), void *arg);

#endif
