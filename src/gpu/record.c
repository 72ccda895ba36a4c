/* gpu/record.c - records commands in a list, captured as a graph if the driver supports that. */
#include "base/env.h"
#include "base/log.h"
#include "base/mem.h"
#include "gpu/record_impl.h"

struct weir_recording {
    weir_gpu_unit *unit;
    weir_arena arena; /* holds arguments */
    weir_gpu_commands commands;
    weir_gpu_buffers bytes;    /* constant host data, kept on the device */
    weir_gpu_graph *graph;     /* null: the commands are issued again */
    const char *impossible;    /* why it cannot be replayed; null: it can */
    weir_rehearsal *rehearsal; /* of a rehearsal only; null: recording */
    weir_gpu_places *places;   /* while recording; null: not rehearsed */
    bool paused, lost, rehearsed;
    weir_recording *next; /* next in the unit's list */
};

/* The blocks of steps that need less than this in total, such as loops over small rows, do not
 * overlap. */
enum { APART = 32 << 20 };

static _Thread_local weir_recording *current;

bool weir_gpu_records(const weir_gpu_unit *unit)
{
    return current && current->unit == unit && !current->paused;
}

weir_rehearsal *weir_gpu_rehearses(const weir_gpu_unit *unit)
{
    return weir_gpu_records(unit) ? current->rehearsal : NULL;
}

struct weir_gpu_place *weir_gpu_record_place(size_t bytes)
{
    return current->places ? weir_gpu_places_take(current->places, bytes) : NULL;
}

void weir_gpu_record_impossible(weir_gpu_unit *unit, const char *why)
{
    if (weir_gpu_records(unit))
        current->impossible = why;
}

const weir_gpu_arg *weir_gpu_keep_args(weir_arena *arena, const weir_gpu_arg *args, int count)
{
    weir_gpu_arg *kept = WEIR_ARENA_ARRAY(arena, weir_gpu_arg, count);
    for (int i = 0; i < count; i++) {
        kept[i] = args[i];
        if (!args[i].bytes)
            continue;
        void *value = weir_arena_alloc(arena, args[i].bytes);
        memcpy(value, args[i].at, args[i].bytes);
        kept[i].at = value;
    }
    return kept;
}

static void keep_launch(weir_arena *arena, weir_gpu_command *command)
{
    weir_gpu_which *which = &command->launch.which;
    command->launch.args = weir_gpu_keep_args(arena, command->launch.args, command->launch.count);
    if (which->text == WEIR_GPU_IN_PROGRAM) {
        size_t bytes = sizeof(int64_t) * 4 * (size_t)which->family;
        int64_t *program = weir_arena_alloc(arena, bytes);
        memcpy(program, which->program, bytes);
        which->program = program;
    }
    which->op = which->text == WEIR_GPU_IN_LAYERS && strcmp(which->kernel, "product") == 0
                    ? WEIR_GPU_A_PRODUCT
                    : which->op;
    which->kernel = NULL;
}

void weir_gpu_record(weir_gpu_unit *unit, const weir_gpu_command *command)
{
    if (!weir_gpu_records(unit) || current->rehearsal)
        return;
    weir_gpu_command kept = *command;
    if (kept.kind == WEIR_GPU_LAUNCH)
        keep_launch(&current->arena, &kept);
    weir_vec_push(&current->commands, kept);
}

weir_status weir_gpu_record_bytes(weir_gpu_unit *unit, void *to, const void *from, size_t bytes)
{
    weir_recording *recording = current;
    weir_memory *memory = &unit->memory;
    weir_buffer *there;
    recording->paused = true;
    weir_status status = memory->alloc(memory, bytes, &there);
    if (!status) {
        weir_vec_push(&recording->bytes, there);
        status = memory->copy_in(memory, there->data, from, bytes);
    }
    recording->paused = false;
    return status ? status : memory->copy(memory, to, there->data, bytes);
}

/* ---- beginning and end ---- */

/* UNAVAILABLE: temporarily, or permanently for a step of that size. */
static weir_status admit(const weir_gpu_unit *unit, const weir_rehearsal *rehearsal)
    WEIR_REQUIRES(unit->lock)
{
    if (unit->timing || current)
        return weir_error(WEIR_UNAVAILABLE, "launches are timed or recorded already");
    if (rehearsal && rehearsal->most >> 20 >= (size_t)weir_env_get()->record_mb)
        return weir_error(WEIR_UNAVAILABLE,
                          "steps have %zu bytes alive at once, more than WEIR_RECORD_MB allows",
                          rehearsal->most);
    return WEIR_OK;
}

static weir_status take_places(weir_gpu_unit *unit, const weir_rehearsal *rehearsal,
                               weir_gpu_places **out_places) WEIR_REQUIRES(unit->lock)
{
    void *block;
    if (!rehearsal || !rehearsal->bytes)
        return WEIR_OK;
    weir_status status = weir_gpu_take_block(unit, rehearsal->bytes, &block);
    if (!status)
        *out_places = weir_gpu_places_create(rehearsal, block, unit);
    if (weir_status_code(status) != WEIR_RESOURCE_EXHAUSTED)
        return status;
    weir_status_free(status);
    return weir_error(WEIR_UNAVAILABLE, "there are no %zu bytes for it", rehearsal->bytes);
}

weir_status weir_gpu_record_begin(weir_memory *memory, weir_rehearsal **rehearsal,
                                  weir_recording **out_recording)
{
    weir_gpu_unit *unit = (weir_gpu_unit *)memory;
    weir_gpu_places *places = NULL;
    weir_mutex_lock(&unit->lock);
    weir_status status = admit(unit, *rehearsal);
    if (!status)
        status = take_places(unit, *rehearsal, &places);
    if (!status) {
        weir_recording *recording = WEIR_NEW(weir_recording);
        *recording = (weir_recording){.unit = unit, .places = places, .next = unit->recordings};
        if (!*rehearsal)
            recording->rehearsal = *rehearsal = WEIR_NEW(weir_rehearsal);
        weir_arena_init(&recording->arena);
        unit->recordings = current = *out_recording = recording;
    }
    weir_mutex_unlock(&unit->lock);
    return status;
}

void weir_gpu_record_pause(weir_recording *recording, bool pause)
{
    recording->paused = pause;
}

static weir_status give_command(const weir_gpu_unit *unit, const weir_gpu_command *command)
{
    const weir_gpu_driver *driver = unit->driver;
    switch (command->kind) {
    case WEIR_GPU_LAUNCH:
        return driver->launch(unit->device, command->launch.kernel, command->launch.groups,
                              command->launch.args, command->launch.count);
    case WEIR_GPU_COPY:
        return driver->copy(unit->device, command->copy.to, command->copy.from,
                            command->copy.bytes);
    case WEIR_GPU_MULTIPLY:
        return driver->product(unit->device, &command->product);
    case WEIR_GPU_CONVOLVE:
        return driver->convolve(unit->device, &command->convolution);
    case WEIR_GPU_GONE:
        break;
    }
    return WEIR_OK;
}

static weir_status give_commands(const weir_recording *recording)
{
    for (size_t i = 0; i < recording->commands.count; i++)
        WEIR_TRY(give_command(recording->unit, &recording->commands.at[i]));
    return WEIR_OK;
}

/* Without a graph the commands are issued one by one. */
static void capture(weir_recording *recording) WEIR_REQUIRES(recording->unit->lock)
{
    weir_gpu_unit *unit = recording->unit;
    weir_status status = unit->driver->capture_begin(unit->device);
    if (!status) {
        status = give_commands(recording);
        weir_status end = unit->driver->capture_end(unit->device, &recording->graph);
        if (status)
            weir_status_free(end);
        else
            status = end;
    }
    if (status)
        weir_log(WEIR_LOG_WARNING, "a step is replayed launch by launch: %s",
                 weir_status_message(status));
    weir_status_free(status);
}

/* Logs the amount of work in a replay. */
static void say_size(const weir_recording *recording)
{
    size_t counts[WEIR_GPU_GONE + 1] = {0};
    for (size_t i = 0; i < recording->commands.count; i++)
        counts[recording->commands.at[i].kind]++;
    weir_log(WEIR_LOG_DEBUG,
             "a step is recorded: %zu kernels, %zu copies, %zu products, %zu "
             "convolutions",
             counts[WEIR_GPU_LAUNCH], counts[WEIR_GPU_COPY], counts[WEIR_GPU_MULTIPLY],
             counts[WEIR_GPU_CONVOLVE]);
}

static void end_places(weir_recording *recording) WEIR_REQUIRES(recording->unit->lock)
{
    weir_gpu_places *places = recording->places;
    char *block = places ? places->block : NULL;
    if (places && weir_gpu_places_end(places))
        weir_gpu_region_give(&recording->unit->recorded, block);
    recording->places = NULL;
}

static void end_rehearsal(weir_recording *recording) WEIR_REQUIRES(recording->unit->lock)
{
    weir_rehearsal *rehearsal = recording->rehearsal;
    if (!rehearsal)
        return;
    weir_gpu_forget_rehearsal(recording->unit, rehearsal);
    weir_rehearsal_end(rehearsal, APART);
    weir_log(WEIR_LOG_DEBUG, "a step was rehearsed: %zu blocks, %zu bytes at once, in %zu bytes",
             rehearsal->stays.count, rehearsal->most, rehearsal->bytes);
    recording->rehearsal = NULL;
    recording->paused = recording->rehearsed = true;
}

static weir_status finish(weir_recording *recording) WEIR_REQUIRES(recording->unit->lock)
{
    if (recording->lost)
        recording->impossible = "its memory is wanted otherwise";
    if (recording->impossible)
        return weir_error(WEIR_FAILED_PRECONDITION, "%s", recording->impossible);
    if (recording->rehearsed)
        return weir_error(WEIR_ABORTED, "it was a rehearsal");
    if (recording->unit->driver->capture_begin)
        capture(recording);
    say_size(recording);
    return WEIR_OK;
}

weir_status weir_gpu_record_end(weir_recording *recording)
{
    current = NULL;
    if (!recording->impossible && !weir_env_get()->no_chains)
        weir_gpu_join_chains(recording->unit, &recording->arena, &recording->commands,
                             &recording->bytes);
    weir_mutex_lock(&recording->unit->lock);
    end_places(recording);
    end_rehearsal(recording);
    weir_status status = finish(recording);
    weir_mutex_unlock(&recording->unit->lock);
    return status;
}

/* While another step is captured or rehearsed, a replay would overwrite its memory. */
static weir_recording_state state_of(const weir_recording *recording)
    WEIR_REQUIRES(recording->unit->lock)
{
    const weir_gpu_unit *unit = recording->unit;
    return recording->lost                        ? WEIR_RECORDING_LOST
           : unit->timing || unit->recorded_users ? WEIR_RECORDING_BUSY
                                                  : WEIR_RECORDING_READY;
}

weir_recording_state weir_gpu_recording_state(const weir_recording *recording)
{
    weir_mutex_lock(&recording->unit->lock);
    weir_recording_state state = state_of(recording);
    weir_mutex_unlock(&recording->unit->lock);
    return state;
}

bool weir_gpu_has_recordings(weir_memory *memory)
{
    weir_gpu_unit *unit = (weir_gpu_unit *)memory;
    weir_mutex_lock(&unit->lock);
    bool any = unit->recorded.bytes > 0;
    weir_mutex_unlock(&unit->lock);
    return any;
}

bool weir_gpu_lose_recordings(weir_gpu_unit *unit)
{
    bool any = unit->recordings != NULL;
    for (weir_recording *one = unit->recordings; one; one = one->next)
        one->lost = true;
    weir_gpu_release_recorded(unit);
    return any;
}

weir_status weir_gpu_replay(weir_recording *recording)
{
    weir_gpu_unit *unit = recording->unit;
    weir_mutex_lock(&recording->unit->lock);
    weir_recording_state state = state_of(recording);
    bool not_now = state != WEIR_RECORDING_READY;
    const char *why = state == WEIR_RECORDING_LOST ? "it lost its memory"
                                                   : "it is timed, or its memory is in use";
    weir_status status = not_now            ? weir_error(WEIR_UNAVAILABLE, "%s", why)
                         : recording->graph ? unit->driver->replay(unit->device, recording->graph)
                                            : give_commands(recording);
    unit->launches += not_now ? 0 : recording->graph ? 1 : (int64_t)recording->commands.count;
    weir_mutex_unlock(&recording->unit->lock);
    return status;
}

void weir_gpu_record_drop(weir_recording *recording)
{
    if (!recording)
        return;
    weir_gpu_unit *unit = recording->unit;
    if (current == recording)
        current = NULL;
    for (size_t i = 0; i < recording->bytes.count; i++)
        weir_buffer_release(recording->bytes.at[i]);
    weir_vec_fini(&recording->bytes);
    weir_mutex_lock(&recording->unit->lock);
    end_places(recording);
    end_rehearsal(recording);
    if (recording->graph)
        unit->driver->graph_free(unit->device, recording->graph);
    weir_recording **at = &unit->recordings;
    while (*at != recording)
        at = &(*at)->next;
    *at = recording->next;
    if (!unit->recordings)
        weir_gpu_release_recorded(recording->unit);
    weir_mutex_unlock(&recording->unit->lock);
    weir_vec_fini(&recording->commands);
    weir_arena_fini(&recording->arena);
    weir_free(recording);
}
