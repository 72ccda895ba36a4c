/* gpu/record.c - commands kept in a list, captured as a graph where the driver has them. */
#include "base/env.h"
#include "base/log.h"
#include "base/mem.h"
#include "gpu/record_impl.h"

struct weir_recording {
    weir_gpu_unit *unit;
    weir_arena arena; /* of arguments */
    WEIR_VEC(weir_gpu_command) commands;
    WEIR_VEC(weir_buffer *) bytes; /* of the host's, kept on the device */
    weir_gpu_graph *graph;         /* null: the commands are given again */
    const char *impossible;        /* why it cannot be done again; null: it can */
    bool paused;
};

static _Thread_local weir_recording *current;

bool weir_gpu_records(const weir_gpu_unit *unit)
{
    return current && current->unit == unit && !current->paused;
}

void weir_gpu_record_impossible(weir_gpu_unit *unit, const char *why)
{
    if (weir_gpu_records(unit))
        current->impossible = why;
}

/* Arguments that outlive the launch. */
static const weir_gpu_arg *keep_args(weir_arena *arena, const weir_gpu_arg *args, int count)
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

void weir_gpu_record(weir_gpu_unit *unit, const weir_gpu_command *command)
{
    if (!weir_gpu_records(unit))
        return;
    weir_gpu_command kept = *command;
    if (kept.kind == WEIR_GPU_LAUNCH)
        kept.launch.args = keep_args(&current->arena, kept.launch.args, kept.launch.count);
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

/* A recording has memory of its own, and gains what launches cost: nothing where steps are large.
 * Their size is what plain steps had alive at once. */
static weir_status admit(weir_gpu_unit *unit) WEIR_REQUIRES(unit->lock)
{
    int64_t alive = unit->crest - unit->used, most = (int64_t)weir_env_get()->record_mb << 20;
    if (unit->timing || current)
        return weir_error(WEIR_UNAVAILABLE, "launches are timed or recorded already");
    if (alive <= most)
        return WEIR_OK;
    unit->crest = unit->used; /* the next try sees what was alive from now on */
    return weir_error(WEIR_UNAVAILABLE,
                      "steps have %lld bytes alive at once, more than WEIR_RECORD_MB allows",
                      (long long)alive);
}

weir_status weir_gpu_record_begin(weir_memory *memory, weir_recording **out_recording)
{
    weir_gpu_unit *unit = (weir_gpu_unit *)memory;
    weir_mutex_lock(&unit->lock);
    weir_status status = admit(unit);
    unit->recordings += !status;
    if (!status)
        weir_gpu_make_room(unit);
    weir_mutex_unlock(&unit->lock);
    if (status)
        return status;
    weir_recording *recording = WEIR_NEW(weir_recording);
    recording->unit = unit;
    weir_arena_init(&recording->arena);
    current = *out_recording = recording;
    return WEIR_OK;
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
    }
    return WEIR_OK;
}

static weir_status give_commands(const weir_recording *recording)
{
    for (size_t i = 0; i < recording->commands.count; i++)
        WEIR_TRY(give_command(recording->unit, &recording->commands.at[i]));
    return WEIR_OK;
}

/* Without a graph the commands are given one by one. */
static void capture(weir_gpu_unit *unit, weir_recording *recording) WEIR_REQUIRES(unit->lock)
{
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

/* What a replay gives to the device. */
static void say_size(const weir_recording *recording)
{
    size_t counts[WEIR_GPU_CONVOLVE + 1] = {0};
    for (size_t i = 0; i < recording->commands.count; i++)
        counts[recording->commands.at[i].kind]++;
    weir_log(WEIR_LOG_DEBUG,
             "a step is recorded: %zu kernels, %zu copies, %zu products, %zu "
             "convolutions",
             counts[WEIR_GPU_LAUNCH], counts[WEIR_GPU_COPY], counts[WEIR_GPU_MULTIPLY],
             counts[WEIR_GPU_CONVOLVE]);
}

weir_status weir_gpu_record_end(weir_recording *recording)
{
    weir_gpu_unit *unit = recording->unit;
    current = NULL;
    if (recording->impossible)
        return weir_error(WEIR_FAILED_PRECONDITION, "%s", recording->impossible);
    weir_mutex_lock(&unit->lock);
    if (unit->driver->capture_begin)
        capture(unit, recording);
    weir_mutex_unlock(&unit->lock);
    say_size(recording);
    return WEIR_OK;
}

weir_status weir_gpu_replay(weir_recording *recording)
{
    weir_gpu_unit *unit = recording->unit;
    weir_mutex_lock(&unit->lock);
    weir_status status = unit->timing       ? weir_error(WEIR_UNAVAILABLE, "launches are timed")
                         : recording->graph ? unit->driver->replay(unit->device, recording->graph)
                                            : give_commands(recording);
    unit->launches += unit->timing ? 0 : recording->graph ? 1 : (int64_t)recording->commands.count;
    weir_mutex_unlock(&unit->lock);
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
    weir_mutex_lock(&unit->lock);
    if (recording->graph)
        unit->driver->graph_free(unit->device, recording->graph);
    if (--unit->recordings == 0)
        weir_gpu_release_recorded(unit);
    weir_mutex_unlock(&unit->lock);
    weir_vec_fini(&recording->commands);
    weir_arena_fini(&recording->arena);
    weir_free(recording);
}
