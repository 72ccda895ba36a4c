/* gpu/record_impl.h - recordings: the commands that a thread gave a unit, for gpu/ only.
 *
 * A recording is a list of commands with their arguments. Where the driver has graphs, the list is
 * captured into one when it ends; otherwise its commands are given again one after the other. The
 * addresses in it stay good because memory that is taken while a thread records is used by
 * recordings alone: the unit's region |recorded|. Recordings run one after the other on one stream,
 * so they share it. A recording takes one block of it, as large as its rehearsal found.
 */
#ifndef WEIR_GPU_RECORD_IMPL_H
#define WEIR_GPU_RECORD_IMPL_H

#include "gpu/rehearsal.h"
#include "gpu/unit.h"

enum { WEIR_GPU_A_PRODUCT = 1 }; /* |op| of a launch of the kernel of products in layers.cl */

typedef struct weir_gpu_command {
    enum {
        WEIR_GPU_LAUNCH,
        WEIR_GPU_COPY,
        WEIR_GPU_MULTIPLY,
        WEIR_GPU_CONVOLVE,
        WEIR_GPU_GONE /* nothing is done: nobody will read what lies at |gone| */
    } kind;
    union {
        struct {
            weir_gpu_kernel *kernel;
            int64_t groups;
            const weir_gpu_arg *args;
            int count;
            weir_gpu_which which; /* its kernel's name is gone */
        } launch;
        struct {
            void *to;
            const void *from;
            size_t bytes;
        } copy;
        weir_gpu_product product;
        weir_gpu_convolution convolution;
        struct {
            const void *gone;
            size_t gone_bytes;
        };
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
/* What this thread rehearses on |unit|; null: nothing, or it is paused. */
weir_rehearsal *weir_gpu_rehearses(const weir_gpu_unit *unit);
/* A block that was rehearsed, for this thread's recording; null: there is no place for it. */
struct weir_gpu_place *weir_gpu_record_place(size_t bytes);
/* No recording will be replayed again: its memory is wanted otherwise. False: there are none. */
bool weir_gpu_lose_recordings(weir_gpu_unit *unit) WEIR_REQUIRES(unit->lock);

/* Of chain.c: joins chains of small commands over the same rows. Buffers that this needs are put
 * into |*kept|. Not under the unit's lock. */
typedef WEIR_VEC(weir_gpu_command) weir_gpu_commands;
typedef WEIR_VEC(weir_buffer *) weir_gpu_buffers;
void weir_gpu_join_chains(weir_gpu_unit *unit, weir_arena *arena, weir_gpu_commands *commands,
                          weir_gpu_buffers *kept);

/* Of launch.c. */
WEIR_CHECKED weir_status weir_gpu_get_kernel(weir_gpu_unit *unit, const weir_gpu_which *which,
                                             weir_gpu_kernel **out_kernel)
    WEIR_REQUIRES(unit->lock);
/* Of unit.c. The beginning of the block that |at| lies in; null: there is none. */
const void *weir_gpu_block_of(weir_gpu_unit *unit, const void *at);
/* Gives memory of recordings that nobody uses back; there are no recordings. */
void weir_gpu_release_recorded(weir_gpu_unit *unit) WEIR_REQUIRES(unit->lock);
/* One block for a recording, instead of what plain steps would use again. */
WEIR_CHECKED weir_status weir_gpu_take_block(weir_gpu_unit *unit, size_t bytes, void **out_block)
    WEIR_REQUIRES(unit->lock);
/* What is in use was not taken for |rehearsal| any longer. */
void weir_gpu_forget_rehearsal(weir_gpu_unit *unit, const weir_rehearsal *rehearsal)
    WEIR_REQUIRES(unit->lock);

/* Of weir_memory. */
weir_status weir_gpu_record_begin(weir_memory *memory, weir_rehearsal **rehearsal,
                                  weir_recording **out_recording);
void weir_gpu_record_pause(weir_recording *recording, bool pause);
weir_status weir_gpu_record_end(weir_recording *recording);
weir_status weir_gpu_replay(weir_recording *recording);
bool weir_gpu_recording_lost(const weir_recording *recording);
void weir_gpu_record_drop(weir_recording *recording);

#endif
