/* exec/stats.c - a list under a lock, and its StepStats. */
#include "exec/stats.h"

#include <unistd.h>

#include "base/clock.h"
#include "exec/stats_impl.h"
#include "op/device.h"
#include "tensor/proto.h"
#include "wire/messages.h"

weir_collector *weir_collector_create(void)
{
    weir_collector *c = WEIR_NEW(weir_collector);
    weir_mutex_init(&c->lock);
    weir_arena_init(&c->arena);
    c->wall_offset_ns = weir_wall_offset_ns();
    return c;
}

void weir_collector_destroy(weir_collector *c)
{
    if (!c)
        return;
    weir_vec_fini(&c->records);
    weir_vec_fini(&c->outputs);
    weir_arena_fini(&c->arena);
    weir_mutex_fini(&c->lock);
    weir_free(c);
}

/* The edge between tasks of a send or receive node. */
static const char *edge_of(weir_collector *c, const weir_site *site) WEIR_REQUIRES(c->lock)
{
    int tensor = weir_opdef_attr(site->def, "tensor_name");
    int from = weir_opdef_attr(site->def, "send_device");
    int to = weir_opdef_attr(site->def, "recv_device");
    if (tensor < 0 || from < 0 || to < 0)
        return NULL;
    WEIR_BUF(edge);
    weir_buf_addf(&edge, "%.*s;%.*s;%.*s", WEIR_STR_ARG(weir_site_str(site, from)),
                  WEIR_STR_ARG(weir_site_str(site, to)), WEIR_STR_ARG(weir_site_str(site, tensor)));
    return weir_arena_strdup(&c->arena, edge.at);
}

int64_t weir_collector_mark(const weir_collector *collector, const weir_site *site)
{
    return collector && site->memory && site->memory->mark ? site->memory->mark(site->memory) : -1;
}

/* A step may be endless: nodes after the first half million are not recorded. */
static bool is_full(const weir_collector *c) WEIR_REQUIRES(c->lock)
{
    enum { MOST_RECORDS = 1 << 19, MOST_OUTPUTS = 1 << 20 };
    return c->records.count >= MOST_RECORDS || c->outputs.count >= MOST_OUTPUTS;
}

static void add(weir_collector *c, const weir_site *site, int64_t start_ns, int64_t end_ns,
                const int64_t marks[2], const weir_value *out) WEIR_REQUIRES(c->lock)
{
    stats_record r = {weir_arena_strdup(&c->arena, site->name),
                      site->def->name,
                      weir_arena_strdup(&c->arena, site->device),
                      edge_of(c, site),
                      start_ns,
                      end_ns,
                      (uint32_t)gettid(),
                      (int)c->outputs.count,
                      0,
                      marks[1] < 0 ? NULL : site->memory,
                      {marks[0], marks[1]}};
    for (int o = 0; o < site->out_count; o++) {
        const weir_tensor *t = &out[o].tensor;
        if (!t->buffer)
            continue;
        weir_vec_push(&c->outputs,
                      ((stats_output){t->dtype, t->shape, (int64_t)weir_tensor_bytes(t),
                                      t->buffer->memory ? "gpu" : "cpu"}));
        r.output_count++;
    }
    weir_vec_push(&c->records, r);
}

void weir_collector_add(weir_collector *c, const weir_site *site, int64_t start_ns, int64_t end_ns,
                        int64_t mark, const weir_value *out)
{
    int64_t marks[2] = {mark, mark < 0 ? -1 : weir_collector_mark(c, site)};
    weir_mutex_lock(&c->lock);
    if (!is_full(c))
        add(c, site, start_ns, end_ns, marks, out);
    weir_mutex_unlock(&c->lock);
}

/* ---- StepStats --------------------------------------------------------------------------------
 */

static const weir_msg_tensor_description *describe(const stats_output *out, weir_arena *arena)
{
    weir_msg_allocation_description *memory =
        WEIR_ARENA_NEW(arena, weir_msg_allocation_description);
    *memory = (weir_msg_allocation_description){.requested_bytes = out->bytes,
                                                .allocated_bytes = out->bytes,
                                                .allocator_name = weir_str_of(out->where)};
    weir_msg_tensor_description *made = WEIR_ARENA_NEW(arena, weir_msg_tensor_description);
    *made = (weir_msg_tensor_description){.dtype = out->dtype,
                                          .shape = weir_shape_to_proto(&out->shape, arena),
                                          .allocation_description = memory};
    return made;
}

static weir_msgs_node_output outputs_of(const weir_collector *c, const stats_record *r,
                                        weir_arena *arena)
{
    weir_msg_node_output *outputs = WEIR_ARENA_ARRAY(arena, weir_msg_node_output, r->output_count);
    for (int i = 0; i < r->output_count; i++) {
        outputs[i].slot = i;
        outputs[i].tensor_description = describe(&c->outputs.at[r->first_output + i], arena);
    }
    return (weir_msgs_node_output){outputs, (size_t)r->output_count};
}

static weir_str label_of(const stats_record *r, weir_arena *arena)
{
    WEIR_BUF(label);
    weir_buf_addf(&label, "%s = %s()", r->name, r->op);
    return weir_str_of(weir_arena_strdup(arena, label.at));
}

static weir_msg_node_exec_stats stats_of(const weir_collector *c, const stats_record *r,
                                         weir_arena *arena)
{
    int64_t start = r->start_ns + c->wall_offset_ns, took = r->end_ns - r->start_ns;
    return (weir_msg_node_exec_stats){.node_name = weir_str_of(weir_arena_strdup(arena, r->name)),
                                      .all_start_micros = start / 1000,
                                      .op_end_rel_micros = took / 1000,
                                      .all_end_rel_micros = took / 1000,
                                      .output = outputs_of(c, r, arena),
                                      .timeline_label = label_of(r, arena),
                                      .scheduled_micros = start / 1000,
                                      .thread_id = r->thread,
                                      .all_start_nanos = start,
                                      .op_end_rel_nanos = took,
                                      .all_end_rel_nanos = took,
                                      .scheduled_nanos = start};
}

static const char *device_of(const stats_record *r, const char *otherwise)
{
    return *r->device ? r->device : otherwise;
}

void weir_collector_times(const weir_collector *c, weir_map *out)
{
    for (size_t i = 0; i < c->records.count; i++) {
        const stats_record *r = &c->records.at[i];
        intptr_t before = (intptr_t)weir_map_get(out, weir_str_of(r->name));
        weir_map_put(out, weir_str_of(r->name), (void *)(before + r->end_ns - r->start_ns));
    }
}

/* The records of |device| that are not |done|, from index |first| on. */
static weir_msg_device_step_stats take_device(const weir_collector *c, const char *device,
                                              size_t first, const char *default_device, bool *done,
                                              weir_arena *arena)
{
    size_t room = c->records.count - first, count = 0;
    weir_msg_node_exec_stats *nodes = WEIR_ARENA_ARRAY(arena, weir_msg_node_exec_stats, room);
    for (size_t i = first; i < c->records.count; i++) {
        const stats_record *r = &c->records.at[i];
        if (done[i] || strcmp(device_of(r, default_device), device) != 0)
            continue;
        done[i] = true;
        nodes[count++] = stats_of(c, r, arena);
    }
    return (weir_msg_device_step_stats){.device = weir_str_of(weir_arena_strdup(arena, device)),
                                        .node_stats = {nodes, count}};
}

/* ---- device work ---- */

/* The work of |device| for its nodes, listed separately from the host's times, as in TensorFlow. */
static weir_msg_device_step_stats take_stream(const weir_collector *c, const char *device,
                                              weir_arena *arena)
{
    size_t count = 0;
    weir_msg_node_exec_stats *nodes =
        WEIR_ARENA_ARRAY(arena, weir_msg_node_exec_stats, c->records.count);
    for (size_t i = 0; i < c->records.count; i++) {
        stats_record r = c->records.at[i];
        if (!r.memory || strcmp(r.device, device) != 0)
            continue;
        r.start_ns = r.memory->when(r.memory, r.marks[0]);
        r.end_ns = r.memory->when(r.memory, r.marks[1]);
        if (r.start_ns && r.end_ns >= r.start_ns)
            nodes[count++] = stats_of(c, &r, arena);
    }
    WEIR_BUF(name);
    weir_buf_addf(&name, "%s/stream:all", device);
    return (weir_msg_device_step_stats){.device = weir_str_of(weir_arena_strdup(arena, name.at)),
                                        .node_stats = {nodes, count}};
}

/* Whether record |i| is the first of its device with device work. */
static bool begins_stream(const weir_collector *c, size_t i)
{
    if (!c->records.at[i].memory)
        return false;
    for (size_t before = 0; before < i; before++)
        if (c->records.at[before].memory == c->records.at[i].memory)
            return false;
    return true;
}

const weir_msg_step_stats *weir_collector_stats(const weir_collector *c, const char *default_device,
                                                weir_arena *arena)
{
    WEIR_VEC(weir_msg_device_step_stats) devices = {0};
    bool *done = WEIR_NEW_ARRAY(bool, c->records.count);
    if (!c->records.count) /* constants only: the device still took part */
        weir_vec_push(&devices, take_device(c, default_device, 0, default_device, done, arena));
    for (size_t i = 0; i < c->records.count; i++)
        if (!done[i]) {
            const char *device = device_of(&c->records.at[i], default_device);
            weir_vec_push(&devices, take_device(c, device, i, default_device, done, arena));
        }
    for (size_t i = 0; i < c->records.count; i++)
        if (begins_stream(c, i))
            weir_vec_push(&devices, take_stream(c, c->records.at[i].device, arena));
    weir_msg_device_step_stats *kept =
        WEIR_ARENA_ARRAY(arena, weir_msg_device_step_stats, devices.count);
    memcpy(kept, devices.at, sizeof *kept * devices.count);
    weir_msg_step_stats *stats = WEIR_ARENA_NEW(arena, weir_msg_step_stats);
    stats->dev_stats = (weir_msgs_device_step_stats){kept, devices.count};
    weir_vec_fini(&devices);
    weir_free(done);
    return stats;
}
