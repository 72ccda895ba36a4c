/* gpu/unit_test.c - limits, reuse and messages when out of memory, on a driver of host memory.
 *
 */
#include "gpu/unit.h"

#include <stdlib.h>

#include "base/clock.h"
#include "base/test.h"
#include "gpu/rehearsal.h"

enum { DEVICE_BYTES = 1 << 20 };

static struct {
    int64_t taken; /* allocated bytes */
    int64_t held;  /* by the driver itself */
    int frees, marks;
    bool lost;
    int64_t marked[1 << 17];
} fake;

/* Each block is preceded by its size. */
enum { HEAD = 16 };

static weir_status count(int *out_count)
{
    *out_count = 1;
    return WEIR_OK;
}

static weir_status describe(int index, weir_gpu_info *out_info)
{
    *out_info = (weir_gpu_info){.name = "Fake", .memory_bytes = DEVICE_BYTES, .units = 1};
    return WEIR_OK;
}

static weir_status open_device(int index, weir_gpu_device **out_device)
{
    *out_device = (weir_gpu_device *)&fake;
    return WEIR_OK;
}

static weir_status alloc_memory(weir_gpu_device *device, size_t bytes, void **out_at)
{
    if (fake.lost)
        return weir_error(WEIR_INTERNAL, "alloc: an illegal address. " WEIR_GPU_LOST);
    if (fake.taken + (int64_t)bytes > DEVICE_BYTES)
        return weir_error(WEIR_RESOURCE_EXHAUSTED, "no memory");
    char *block = malloc(HEAD + bytes);
    *(size_t *)block = bytes;
    fake.taken += (int64_t)bytes;
    *out_at = block + HEAD;
    return WEIR_OK;
}

static void free_memory(weir_gpu_device *device, void *at)
{
    char *block = (char *)at - HEAD;
    fake.taken -= (int64_t) * (size_t *)block;
    fake.frees++;
    free(block);
}

static weir_status copy(weir_gpu_device *device, void *to, const void *from, size_t bytes)
{
    memcpy(to, from, bytes);
    return WEIR_OK;
}

static weir_status synchronize(weir_gpu_device *device)
{
    return WEIR_OK;
}

static int64_t held(const weir_gpu_device *device)
{
    return fake.held;
}

static void release(weir_gpu_device *device)
{
    fake.held = 0;
}

static weir_status mark(weir_gpu_device *device, int number)
{
    fake.marked[number] = weir_now_ns();
    fake.marks++;
    return WEIR_OK;
}

static weir_status between(weir_gpu_device *device, int first, int last, float *out_ms)
{
    *out_ms = (float)((double)(fake.marked[last] - fake.marked[first]) * 1e-6);
    return WEIR_OK;
}

static const weir_gpu_driver driver = {.name = "fake",
                                       .count = count,
                                       .describe = describe,
                                       .open = open_device,
                                       .alloc = alloc_memory,
                                       .free = free_memory,
                                       .copy_in = copy,
                                       .copy_out = copy,
                                       .copy = copy,
                                       .synchronize = synchronize,
                                       .held = held,
                                       .release = release,
                                       .mark = mark,
                                       .between = between};

static weir_memory *open_unit(int64_t limit)
{
    weir_gpu_unit *unit;
    CHECK_OK(weir_gpu_unit_open(&driver, 0, &unit));
    unit->limit = limit;
    return &unit->memory;
}

static weir_buffer *take(weir_memory *memory, size_t bytes, const char *user)
{
    weir_buffer *buffer = NULL;
    weir_memory_user = user;
    CHECK_OK(memory->alloc(memory, bytes, &buffer));
    weir_memory_user = NULL;
    return buffer;
}

TEST(what_is_given_back_is_used_again)
{
    weir_memory *memory = open_unit(DEVICE_BYTES);
    weir_buffer *first = take(memory, 4096, "a");
    void *at = first->data;
    weir_buffer_release(first);
    weir_buffer *second = take(memory, 4096, "b");
    CHECK(second->data == at);
    CHECK_EQ(((weir_gpu_unit *)memory)->used, 4096);
    CHECK_EQ(((weir_gpu_unit *)memory)->peak, 4096);
    weir_buffer_release(second);
    CHECK_EQ(((weir_gpu_unit *)memory)->used, 0);
}

TEST(the_error_names_who_holds_memory_the_largest_first)
{
    weir_memory *memory = open_unit(64 << 10);
    weir_buffer *none, *held[3] = {take(memory, 8192, "weights"), take(memory, 16384, "bias"),
                                   take(memory, 16384, "weights")};
    CHECK_FAILS(memory->alloc(memory, 32768, &none), WEIR_RESOURCE_EXHAUSTED,
                "the limit is 65536. The memory is held by\n  24576 bytes in 2 tensors: weights\n  "
                "16384 bytes in 1 tensor: bias");
    weir_buffer_release(held[2]);
    weir_buffer *now = take(memory, 32768, "next");
    weir_buffer_release(now);
    for (int i = 0; i < 2; i++)
        weir_buffer_release(held[i]);
}

TEST(memory_kept_by_another_unit_of_the_device_is_found)
{
    weir_memory *first = open_unit(DEVICE_BYTES), *second = open_unit(DEVICE_BYTES);
    weir_buffer_release(take(first, DEVICE_BYTES / 2 + 4096, "a"));
    int frees = fake.frees;
    weir_buffer *there = take(second, DEVICE_BYTES / 2 + 4096, "b");
    CHECK(fake.frees > frees);
    weir_buffer_release(there);
}

TEST(memory_that_the_driver_holds_is_found)
{
    weir_memory *memory = open_unit(DEVICE_BYTES);
    fake.held = DEVICE_BYTES / 2;
    weir_buffer *small = take(memory, DEVICE_BYTES / 4, "a");
    CHECK_EQ(fake.held, DEVICE_BYTES / 2);
    weir_buffer *rest = take(memory, DEVICE_BYTES / 2, "b");
    CHECK_EQ(fake.held, 0);
    weir_buffer_release(small);
    weir_buffer_release(rest);
}

TEST(a_lost_device_is_no_lack_of_memory)
{
    weir_memory *memory = open_unit(DEVICE_BYTES);
    weir_buffer *none;
    fake.lost = true;
    CHECK_FAILS(memory->alloc(memory, 4096, &none), WEIR_INTERNAL, "lost to this process");
    fake.lost = false;
}

/* A step that allocates half of the memory and copies within it. */
static weir_status step(weir_memory *memory, weir_rehearsal **rehearsal, weir_recording **out)
{
    CHECK_OK(memory->record_begin(memory, rehearsal, out));
    weir_buffer *buffer = take(memory, DEVICE_BYTES / 2, "step");
    CHECK_OK(memory->copy(memory, buffer->data, (char *)buffer->data + 2048, 2048));
    weir_buffer_release(buffer);
    return memory->record_end(*out);
}

TEST(recordings_give_way_to_what_is_wanted)
{
    weir_memory *memory = open_unit(DEVICE_BYTES);
    weir_rehearsal *rehearsal = NULL;
    weir_recording *recording = NULL;
    CHECK_FAILS(step(memory, &rehearsal, &recording), WEIR_ABORTED, "rehearsal");
    memory->record_drop(recording);
    CHECK_EQ(rehearsal->bytes, DEVICE_BYTES / 2);
    CHECK_OK(step(memory, &rehearsal, &recording));
    CHECK_EQ(((weir_gpu_unit *)memory)->used, DEVICE_BYTES / 2);
    CHECK_OK(memory->replay(recording));
    weir_buffer *large = take(memory, DEVICE_BYTES / 2 + DEVICE_BYTES / 4, "large");
    CHECK_EQ(memory->recording_state(recording), WEIR_RECORDING_LOST);
    CHECK_FAILS(memory->replay(recording), WEIR_UNAVAILABLE, "lost its memory");
    memory->record_drop(recording);
    recording = NULL;
    CHECK_FAILS(memory->record_begin(memory, &rehearsal, &recording), WEIR_UNAVAILABLE, "bytes");
    weir_buffer_release(large);
    CHECK_OK(step(memory, &rehearsal, &recording));
    memory->record_drop(recording);
    memory->rehearsal_free(rehearsal);
    CHECK_EQ(((weir_gpu_unit *)memory)->used, 0);
}

TEST(another_kind_is_rehearsed_in_the_memory_of_recordings)
{
    weir_memory *memory = open_unit(DEVICE_BYTES);
    weir_gpu_unit *unit = (weir_gpu_unit *)memory;
    weir_rehearsal *rehearsal = NULL, *second = NULL;
    weir_recording *recording = NULL, *other = NULL;
    CHECK(!memory->has_recordings(memory));
    CHECK_FAILS(step(memory, &rehearsal, &recording), WEIR_ABORTED, "rehearsal");
    memory->record_drop(recording);
    CHECK_OK(step(memory, &rehearsal, &recording));
    CHECK(memory->has_recordings(memory));
    CHECK_OK(memory->record_begin(memory, &second, &other));
    weir_buffer *buffer = take(memory, DEVICE_BYTES / 2, "step");
    CHECK_EQ(unit->used, DEVICE_BYTES / 2);
    CHECK_EQ(memory->recording_state(recording), WEIR_RECORDING_BUSY);
    CHECK_FAILS(memory->replay(recording), WEIR_UNAVAILABLE, "in use");
    weir_buffer_release(buffer);
    CHECK_FAILS(memory->record_end(other), WEIR_ABORTED, "rehearsal");
    CHECK_EQ(second->bytes, DEVICE_BYTES / 2);
    memory->record_drop(other);
    CHECK_OK(memory->replay(recording));
    memory->record_drop(recording);
    CHECK_EQ(unit->peak, DEVICE_BYTES / 2);
    memory->rehearsal_free(rehearsal);
    memory->rehearsal_free(second);
}

TEST(points_have_the_hosts_time)
{
    weir_memory *memory = open_unit(DEVICE_BYTES);
    int64_t before = weir_now_ns(), first = memory->mark(memory);
    /* The clocks are related within the first mark: the error is at most what that takes. */
    int64_t error = weir_now_ns() - before + 100000, second = memory->mark(memory);
    int64_t first_ns = memory->when(memory, first), second_ns = memory->when(memory, second);
    CHECK(first_ns >= before - error && second_ns >= first_ns);
    CHECK(second_ns <= weir_now_ns() + error);
    CHECK_EQ(memory->when(memory, second + 1), 0);
}

/* A step with more marks than are kept has no times for its first nodes. */
TEST(old_points_are_forgotten)
{
    weir_memory *memory = open_unit(DEVICE_BYTES);
    int64_t first = memory->mark(memory), last = 0;
    for (int i = 0; i < 1 << 15; i++)
        last = memory->mark(memory);
    CHECK_EQ(memory->when(memory, first), 0);
    CHECK(memory->when(memory, last) > 0);
}

TEST_MAIN()
