/* exec/stats.c - a list under a lock, and its StepStats. */
#include "exec/stats.h"

#include <pthread.h>
#include <unistd.h>

#include "base/clock.h"
#include "tensor/proto.h"

typedef struct output {
    weir_dtype dtype;
    weir_shape shape;
    int64_t bytes;
} output;

typedef struct record {
    const char *name, *op, *device;
    int64_t start_ns, end_ns;
    uint32_t thread;
    int first_output, output_count;
} record;

struct weir_collector {
    pthread_mutex_t lock;
    WEIR_VEC(record) records;
    WEIR_VEC(output) outputs;
    weir_arena arena;
    int64_t wall_offset_ns; /* adds to weir_now_ns to give time since the epoch */
};

weir_collector *weir_collector_create(void)
{
    weir_collector *c = WEIR_NEW(weir_collector);
    pthread_mutex_init(&c->lock, NULL);
    weir_arena_init(&c->arena);
    c->wall_offset_ns = weir_wall_us() * 1000 - weir_now_ns();
    return c;
}

void weir_collector_destroy(weir_collector *c)
{
    if (!c)
        return;
    weir_vec_fini(&c->records);
    weir_vec_fini(&c->outputs);
    weir_arena_fini(&c->arena);
    pthread_mutex_destroy(&c->lock);
    weir_free(c);
}

void weir_collector_add(weir_collector *c, const weir_site *site, int64_t start_ns, int64_t end_ns,
                        const weir_value *out)
{
    pthread_mutex_lock(&c->lock);
    record r = {weir_arena_strdup(&c->arena, site->name),
                site->def->name,
                weir_arena_strdup(&c->arena, site->device),
                start_ns,
                end_ns,
                (uint32_t)gettid(),
                (int)c->outputs.count,
                0};
    for (int o = 0; o < site->out_count; o++) {
        const weir_tensor *t = &out[o].tensor;
        if (!t->buffer)
            continue;
        weir_vec_push(&c->outputs, (output){t->dtype, t->shape, (int64_t)weir_tensor_bytes(t)});
        r.output_count++;
    }
    weir_vec_push(&c->records, r);
    pthread_mutex_unlock(&c->lock);
}

static void export_output(weir_buf *out, int slot, const output *o)
{
    size_t mark = weir_pb_begin(out, 7);
    weir_pb_put_varint_nz(out, 1, (uint64_t)slot);
    size_t description = weir_pb_begin(out, 3);
    weir_pb_put_varint(out, 1, o->dtype);
    size_t shape = weir_pb_begin(out, 2);
    weir_shape_encode(&o->shape, out);
    weir_pb_end(out, shape);
    size_t allocation = weir_pb_begin(out, 4);
    weir_pb_put_varint_nz(out, 1, (uint64_t)o->bytes);
    weir_pb_put_varint_nz(out, 2, (uint64_t)o->bytes);
    weir_pb_put_str(out, 3, "cpu");
    weir_pb_end(out, allocation);
    weir_pb_end(out, description);
    weir_pb_end(out, mark);
}

static void export_record(const weir_collector *c, const record *r, weir_buf *out)
{
    int64_t start = r->start_ns + c->wall_offset_ns, took = r->end_ns - r->start_ns;
    weir_pb_put_str(out, 1, r->name);
    weir_pb_put_varint(out, 2, (uint64_t)(start / 1000));
    weir_pb_put_varint(out, 4, (uint64_t)(took / 1000));
    weir_pb_put_varint(out, 5, (uint64_t)(took / 1000));
    for (int i = 0; i < r->output_count; i++)
        export_output(out, i, &c->outputs.at[r->first_output + i]);
    weir_buf label = {0};
    weir_buf_addf(&label, "%s = %s()", r->name, r->op);
    weir_pb_put_bytes(out, 8, label.at, label.length);
    weir_buf_fini(&label);
    weir_pb_put_varint(out, 9, (uint64_t)(start / 1000));
    weir_pb_put_varint(out, 10, r->thread);
    weir_pb_put_varint(out, 13, (uint64_t)start);
    weir_pb_put_varint(out, 15, (uint64_t)took);
    weir_pb_put_varint(out, 16, (uint64_t)took);
    weir_pb_put_varint(out, 17, (uint64_t)start);
}

static const char *device_of(const record *r, const char *otherwise)
{
    return *r->device ? r->device : otherwise;
}

void weir_collector_times(const weir_collector *c, weir_map *out)
{
    for (size_t i = 0; i < c->records.count; i++) {
        const record *r = &c->records.at[i];
        intptr_t before = (intptr_t)weir_map_get(out, weir_str_of(r->name));
        weir_map_put(out, weir_str_of(r->name), (void *)(before + r->end_ns - r->start_ns));
    }
}

void weir_collector_export(const weir_collector *c, const char *default_device, weir_buf *out)
{
    if (!c->records.count) { /* constants only: the device took part all the same */
        size_t mark = weir_pb_begin(out, 1);
        weir_pb_put_str(out, 1, default_device);
        weir_pb_end(out, mark);
    }
    bool *done = WEIR_NEW_ARRAY(bool, c->records.count);
    for (size_t i = 0; i < c->records.count; i++) {
        if (done[i])
            continue;
        const char *device = device_of(&c->records.at[i], default_device);
        size_t mark = weir_pb_begin(out, 1);
        weir_pb_put_str(out, 1, device);
        for (size_t k = i; k < c->records.count; k++) {
            if (done[k] || strcmp(device_of(&c->records.at[k], default_device), device) != 0)
                continue;
            done[k] = true;
            size_t inner = weir_pb_begin(out, 2);
            export_record(c, &c->records.at[k], out);
            weir_pb_end(out, inner);
        }
        weir_pb_end(out, mark);
    }
    weir_free(done);
}
