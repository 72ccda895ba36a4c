/* gpu/record_impl.h - recordings: the commands that a thread gave a unit, for gpu/ only.
 *
 * A recording is a list of commands with their arguments. Where the driver has graphs, the list is
 * captured into one when it ends; otherwise its commands are given again one after the other. The
 * addresses in it stay good because memory that is taken while a thread records is used by
 * recordings alone: the unit's region |recorded|. Recordings run one after the other on one stream,
 * so they share it.
 */
#ifndef WEIR_GPU_RECORD_IMPL_H
#define WEIR_GPU_RECORD_IMPL_H

#include "gpu/unit.h"

typedef struct weir_gpu_command {
    enum { WEIR_GPU_LAUNCH, WEIR_GPU_COPY, WEIR_GPU_MULTIPLY, WEIR_GPU_CONVOLVE } kind;
    union {
        struct {
            weir_gpu_kernel *kernel;
            int64_t groups;
            const weir_gpu_arg *args;
            int count;
        } launch;
        struct {
            void *to;
            const void *from;
            size_t bytes;
        } copy;
        weir_gpu_product product;
        weir_gpu_convolution convolution;
    };
} weir_gpu_command;

/* Whether this thread records on |unit|, and is not paused. */
bool weir_gpu_records(const weir_gpu_unit *unit);
/* Keeps a command that was just given, when this thread records. */
void weir_gpu_record(weir_gpu_unit *unit, const weir_gpu_command *command);
/* What this thread records cannot be done again. */
void weir_gpu_record_impossible(weir_gpu_unit *unit, const char *why);
/* Bytes of the host's that are the same each time: kept on the device, and copied from there. */
WEIR_CHECKED weir_status weir_gpu_record_bytes(weir_gpu_unit *unit, void *to, const void *from,
                                               size_t bytes);
/* Gives memory of recordings that nobody uses back to the driver; there are no recordings. */
void weir_gpu_release_recorded(weir_gpu_unit *unit) WEIR_REQUIRES(unit->lock);
/* Memory for a recording of the steps that ran so far, instead of what they would use again. */
void weir_gpu_make_room(weir_gpu_unit *unit) WEIR_REQUIRES(unit->lock);

/* Of weir_memory. */
weir_status weir_gpu_record_begin(weir_memory *memory, weir_recording **out_recording);
void weir_gpu_record_pause(weir_recording *recording, bool pause);
weir_status weir_gpu_record_end(weir_recording *recording);
weir_status weir_gpu_replay(weir_recording *recording);
void weir_gpu_record_drop(weir_recording *recording);

#endif
