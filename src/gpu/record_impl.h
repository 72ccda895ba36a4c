/* gpu/record_impl.h - recordings: command lists that a thread issued to a unit, for gpu/ only.
 *
 * A recording is a list of commands with their arguments. If the driver supports graphs, the
 * finished list is captured into one; otherwise its commands are issued again one by one. Its
 * addresses stay valid because memory allocated while a thread records comes from a region used
 * only by recordings: the unit's |recorded|. Recordings run one after the other on one stream, so
 * they share it. A recording takes one block of it, of the size found by its rehearsal.
 */
#ifndef WEIR_GPU_RECORD_IMPL_H
#define WEIR_GPU_RECORD_IMPL_H

#include "gpu/rehearsal.h"
#include "gpu/unit.h"

enum { WEIR_GPU_A_PRODUCT = 1 }; /* |op| of a launch of layers.cl's product kernel */

typedef struct weir_gpu_command {
    enum {
        WEIR_GPU_LAUNCH,
        WEIR_GPU_COPY,
        WEIR_GPU_MULTIPLY,
        WEIR_GPU_CONVOLVE,
        WEIR_GPU_GONE /* dead store, skipped: no later command reads |gone| */
    } kind;
    union {
        struct {
            weir_gpu_kernel *kernel;
            int64_t groups;
            const weir_gpu_arg *args;
            int count;
            weir_gpu_which which; /* its kernel's name is not valid any more */
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
/* Appends a command that was just issued, if this thread records. */
void weir_gpu_record(weir_gpu_unit *unit, const weir_gpu_command *command);
/* Copies the arguments and their values into the arena, so that they outlive the launch. */
const weir_gpu_arg *weir_gpu_keep_args(weir_arena *arena, const weir_gpu_arg *args, int count);
/* Marks this thread's recording as not replayable. */
void weir_gpu_record_impossible(weir_gpu_unit *unit, const char *why);
/* Copies constant host bytes: they are kept on the device, and the copy reads them there. */
WEIR_CHECKED weir_status weir_gpu_record_bytes(weir_gpu_unit *unit, void *to, const void *from,
                                               size_t bytes);
/* This thread's rehearsal on |unit|; null: none, or paused. */
weir_rehearsal *weir_gpu_rehearses(const weir_gpu_unit *unit);
/* A rehearsed block for this thread's recording; null: none fits. */
struct weir_gpu_place *weir_gpu_record_place(size_t bytes);
/* Invalidates all recordings, because their memory is needed. False: there are none. */
bool weir_gpu_lose_recordings(weir_gpu_unit *unit) WEIR_REQUIRES(unit->lock);

/* Of chain.c: fuses chains of small commands over the same rows. Buffers that these need are
 * appended to |*kept|. Call without the unit's lock. */
typedef WEIR_VEC(weir_gpu_command) weir_gpu_commands;
typedef WEIR_VEC(weir_buffer *) weir_gpu_buffers;
void weir_gpu_join_chains(weir_gpu_unit *unit, weir_arena *arena, weir_gpu_commands *commands,
                          weir_gpu_buffers *kept);

/* Of chain_known.c: fills in CHAIN_KNOWN of a table's |count| words. */
void weir_gpu_chain_note_known(uint64_t *table, size_t count, int64_t rows);

/* Of launch.c. */
WEIR_CHECKED weir_status weir_gpu_get_kernel(weir_gpu_unit *unit, const weir_gpu_which *which,
                                             weir_gpu_kernel **out_kernel)
    WEIR_REQUIRES(unit->lock);
/* Of unit.c. The start of the block that contains |at|; null: there is none. */
const void *weir_gpu_block_of(weir_gpu_unit *unit, const void *at);
/* Frees the recordings' memory; there must be no recordings. */
void weir_gpu_release_recorded(weir_gpu_unit *unit) WEIR_REQUIRES(unit->lock);
/* Allocates one block for a recording, evicting cached blocks of plain steps. */
WEIR_CHECKED weir_status weir_gpu_take_block(weir_gpu_unit *unit, size_t bytes, void **out_block)
    WEIR_REQUIRES(unit->lock);
/* Live blocks no longer refer to |rehearsal|. */
void weir_gpu_forget_rehearsal(weir_gpu_unit *unit, const weir_rehearsal *rehearsal)
    WEIR_REQUIRES(unit->lock);

/* Implement weir_memory. */
weir_status weir_gpu_record_begin(weir_memory *memory, weir_rehearsal **rehearsal,
                                  weir_recording **out_recording);
void weir_gpu_record_pause(weir_recording *recording, bool pause);
weir_status weir_gpu_record_end(weir_recording *recording);
weir_status weir_gpu_replay(weir_recording *recording);
weir_recording_state weir_gpu_recording_state(const weir_recording *recording);
bool weir_gpu_has_recordings(weir_memory *memory);
void weir_gpu_record_drop(weir_recording *recording);

#endif
