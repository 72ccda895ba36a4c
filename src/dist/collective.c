/* dist/collective.c - groups over tasks, as a member's task sees them. */
#include "dist/collective.h"

#include "base/mutex.h"
#include <inttypes.h>
#include <stdlib.h>

#include "base/mem.h"
#include "dist/collective_impl.h"
#include "dist/ids.h"
#include "dist/recv_buf.h"
#include "session/collective.h"
#include "tensor/proto.h"
#include "wire/pb.h"

/* ---- joining, where another task leads ------------------------------------------------------ */

/* A member that joins. */
typedef struct group_join {
    weir_task_collectives *c; /* retained */
    weir_collective what;     /* its texts are owned */
    weir_cancel *cancel;      /* retained; may be null */
    uint64_t incarnation;
    weir_group *group;
    weir_joined done;
    void *arg;
} group_join;

static void end_join(group_join *joining, weir_status status, int source)
{
    weir_joined done = joining->done;
    void *arg = joining->arg;
    weir_group *group = joining->group;
    int rank = group ? weir_group_rank(group, weir_str_of(joining->what.device)) : -1;
    if (!status && rank < 0)
        status = weir_error(WEIR_INTERNAL, "Device %s is no member of group %" PRId32,
                            joining->what.device, joining->what.group_key);
    if (status) {
        weir_group_release(group);
        group = NULL;
    }
    weir_cancel_release(joining->cancel);
    weir_free((char *)joining->what.device);
    weir_free((char *)joining->what.name);
    weir_ref_release(&joining->c->base.ref);
    weir_free(joining);
    done(arg, status, group, rank, source);
}

static void ask_leader(group_join *joining, const char *path, weir_rpc_message *request,
                       void (*done)(void *arg, weir_status s, weir_rpc_message *answer))
{
    weir_channel_call call = {.path = path,
                              .request = request,
                              .wait_for_ready = true,
                              .cancel = joining->cancel,
                              .done = done,
                              .arg = joining};
    weir_channel_start(joining->c->leader->channel, &call);
}

static void instance_told(void *arg, weir_status status, weir_rpc_message *answer)
{
    group_join *joining = arg;
    int64_t source = -1;
    if (!status) {
        weir_pb reader = weir_pb_reader(weir_view(&answer->head));
        source = 0; /* a zero is left out */
        while (weir_pb_next(&reader))
            if (reader.field == 2 && reader.type == WEIR_PB_VARINT)
                source = weir_pb_int(&reader);
        if (!weir_pb_ok(&reader) || source < -1 || source >= joining->group->size)
            status = weir_error(WEIR_INTERNAL, "CompleteInstance: unreadable answer");
    }
    weir_rpc_message_fini(answer);
    if (!status)
        weir_groups_put_instance(joining->c->groups, joining->group, &joining->what, 0,
                                 (int)source);
    end_join(joining, status, (int)source);
}

/* TensorFlow's leaders tell the first member's rings to all. */
static void put_offsets(const weir_collective *collective, weir_buf *out)
{
    weir_buf packed = {0};
    for (int i = 0; i < collective->offset_count; i++)
        weir_varint_put(&packed, (uint64_t)collective->offsets[i]);
    if (packed.length)
        weir_pb_put_bytes(out, 9, packed.at, packed.length);
    weir_buf_fini(&packed);
}

static void ask_for_instance(group_join *joining)
{
    const weir_collective *collective = &joining->what;
    weir_rpc_message request = {0};
    weir_buf *out = &request.head;
    weir_pb_put_str(out, 1, collective->name);
    weir_pb_put_varint_nz(out, 2, (uint64_t)collective->type);
    weir_pb_put_varint(out, 3, (uint64_t)collective->dtype);
    size_t mark = weir_pb_begin(out, 4);
    weir_shape_encode(&collective->shape, out);
    weir_pb_end(out, mark);
    weir_pb_put_varint_nz(out, 5, (uint64_t)(int64_t)collective->group_key);
    weir_pb_put_varint_nz(out, 6, (uint64_t)collective->group_size);
    weir_pb_put_varint_nz(out, 7, (uint64_t)(int64_t)collective->instance_key);
    weir_pb_put_str(out, 8, "CPU");
    put_offsets(collective, out);
    weir_pb_put_str(out, 10, collective->device);
    weir_pb_put_varint_nz(out, 11, collective->is_source);
    ask_leader(joining, "/tensorflow.WorkerService/CompleteInstance", &request, instance_told);
}

static void settled(void *arg, weir_status status, int source)
{
    end_join(arg, status, source);
}

/* Takes over the group. */
static void has_group(group_join *joining, weir_group *group)
{
    joining->group = group;
    if (weir_groups_has_instance(joining->c->groups, &joining->what, 0))
        weir_groups_instance(joining->c->groups, group, &joining->what, 0, joining->cancel, settled,
                             joining);
    else
        ask_for_instance(joining);
}

static weir_status read_group(weir_groups *groups, weir_str answer, weir_group **out)
{
    int64_t key = 0, size = 0;
    WEIR_VEC(weir_group_device) devices = {0};
    weir_pb reader = weir_pb_reader(answer);
    while (weir_pb_next(&reader)) {
        weir_group_device device;
        if (reader.field == 1 && reader.type == WEIR_PB_VARINT)
            key = weir_pb_int(&reader);
        else if (reader.field == 2 && reader.type == WEIR_PB_VARINT)
            size = weir_pb_int(&reader);
        else if (reader.field == 8 && reader.type == WEIR_PB_LEN &&
                 weir_group_device_read(reader.bytes, &device))
            weir_vec_push(&devices, device);
    }
    weir_status status = WEIR_OK;
    if (!weir_pb_ok(&reader) || (size && (size_t)size != devices.count))
        status = weir_error(WEIR_INTERNAL,
                            "CompleteGroupResponse group_size doesn't match device_name list");
    if (!status)
        status = weir_groups_put(groups, (int32_t)key, devices.at, devices.count, out);
    weir_vec_fini(&devices);
    return status;
}

static void group_told(void *arg, weir_status status, weir_rpc_message *answer)
{
    group_join *joining = arg;
    weir_group *group = NULL;
    if (!status)
        status = read_group(joining->c->groups, weir_view(&answer->head), &group);
    weir_rpc_message_fini(answer);
    if (status)
        end_join(joining, status, -1);
    else
        has_group(joining, group);
}

static void checked_group(void *arg, weir_status status, weir_group *group)
{
    if (status)
        end_join(arg, status, -1);
    else
        has_group(arg, group);
}

static void join_led(weir_task_collectives *collectives, const weir_collective *what,
                     uint64_t incarnation, weir_cancel *cancel, weir_joined done, void *arg)
{
    group_join *new_joining = WEIR_NEW(group_join);
    weir_ref_retain(&collectives->base.ref);
    *new_joining = (group_join){.c = collectives,
                                .what = *what,
                                .incarnation = incarnation,
                                .cancel = cancel ? weir_cancel_retain(cancel) : NULL,
                                .done = done,
                                .arg = arg};
    new_joining->what.device = weir_strdup(what->device);
    new_joining->what.name = weir_strdup(what->name);
    weir_group_device device = {weir_str_of(new_joining->what.device), weir_str_of("CPU"),
                                incarnation};
    weir_group *known = weir_groups_find(collectives->groups, what->group_key);
    if (known) { /* joins what is complete: a check */
        weir_group_release(known);
        weir_groups_join(collectives->groups, what->group_key, what->group_size, &device, cancel,
                         checked_group, new_joining);
        return;
    }
    weir_rpc_message request = {0};
    weir_pb_put_varint_nz(&request.head, 1, (uint64_t)(int64_t)what->group_key);
    weir_pb_put_varint_nz(&request.head, 2, (uint64_t)what->group_size);
    weir_pb_put_str(&request.head, 3, "CPU");
    weir_group_device_put(&request.head, 6, &device);
    ask_leader(new_joining, "/tensorflow.WorkerService/CompleteGroup", &request, group_told);
}

/* ---- the provider --------------------------------------------------------------------------- */

/* Masters may call the task by another name: the device's number decides. */
static const weir_device_info *own_device(const weir_task_collectives *collectives,
                                          const char *name)
{
    const char *colon = strrchr(name, ':');
    int i = colon ? atoi(colon + 1) : 0;
    return &collectives->devices[i >= 0 && i < collectives->device_count ? i : 0];
}

static void join(weir_collectives *base, const weir_collective *what, weir_cancel *cancel,
                 weir_joined done, void *arg)
{
    weir_task_collectives *collectives = (weir_task_collectives *)base;
    uint64_t incarnation = own_device(collectives, what->device)->incarnation;
    if (collectives->leader)
        join_led(collectives, what, incarnation, cancel, done, arg);
    else
        weir_collectives_join_here(collectives->groups, what, incarnation, cancel, done, arg);
}

/* A RecvBuf on its way. */
typedef struct buffer_request {
    const weir_task *task;
    weir_cancel *cancel; /* retained */
    weir_dtype dtype;
    int64_t count;
    weir_received done;
    void *arg;
} buffer_request;

static void answered(void *arg, weir_status status, weir_rpc_message *answer)
{
    buffer_request *asking = arg;
    weir_tensor tensor = {0};
    if (!status)
        status = weir_recv_buf_parse(answer, asking->dtype, asking->count, &tensor);
    else if (weir_cancel_fired(asking->cancel)) /* the step is over: this call only follows */
        status = weir_status_mark(status, WEIR_DERIVED);
    else
        status = weir_status_note(status,
                                  "\nAdditional GRPC error information from remote target %s while "
                                  "calling /tensorflow.WorkerService/RecvBuf",
                                  asking->task->name);
    weir_rpc_message_fini(answer);
    asking->done(asking->arg, status, tensor, false);
    weir_cancel_release(asking->cancel);
    weir_free(asking);
}

static void recv(weir_collectives *base, int64_t step_id, weir_rendezvous *own,
                 const weir_group_member *from, weir_str key, weir_dtype dtype, int64_t count,
                 weir_received done, void *arg)
{
    weir_task_collectives *collectives = (weir_task_collectives *)base;
    const weir_task *task = weir_cluster_find(collectives->cluster, weir_str_of(from->device));
    if (!task) {
        done(arg, weir_error(WEIR_INTERNAL, "No worker known as %s", from->device),
             (weir_tensor){0}, false);
        return;
    }
    if (!task->channel) {
        own->recv(own, key, done, arg);
        return;
    }
    buffer_request *new_asking = WEIR_NEW(buffer_request);
    *new_asking =
        (buffer_request){task, weir_cancel_retain(weir_steps_calls(own)), dtype, count, done, arg};
    weir_recv_buf_request recv_buf_request = {.step_id = step_id,
                                              .key = key,
                                              .bytes = count * (int64_t)weir_dtype_size(dtype),
                                              .src_device = weir_str_of(from->device),
                                              .src_incarnation = from->incarnation,
                                              .request_id = (int64_t)weir_new_id()};
    weir_rpc_message request = {0};
    weir_recv_buf_request_encode(&recv_buf_request, &request.head);
    weir_channel_call call = {.path = "/tensorflow.WorkerService/RecvBuf",
                              .request = &request,
                              .cancel = new_asking->cancel,
                              .payload_offset = weir_recv_buf_payload,
                              .done = answered,
                              .arg = new_asking};
    weir_channel_start(task->channel, &call);
}

/* ---- life ----------------------------------------------------------------------------------- */

static const weir_task *default_leader(const weir_cluster *cluster)
{
    static const char *const jobs[] = {"chief", "worker"};
    for (int j = 0; j < 2; j++)
        for (int i = 0; i < cluster->task_count; i++)
            if (strcmp(cluster->tasks[i].job, jobs[j]) == 0)
                return &cluster->tasks[i];
    return &cluster->tasks[0];
}

static void destroy(weir_ref *ref)
{
    weir_task_collectives *collectives = (weir_task_collectives *)ref;
    weir_groups_destroy(collectives->groups);
    weir_map_fini(&collectives->sequences);
    weir_mutex_fini(&collectives->lock);
    weir_cluster_release(collectives->cluster);
    weir_free(collectives);
}

weir_task_collectives *weir_task_collectives_create(const weir_task_collectives_options *options)
{
    weir_task_collectives *collectives = WEIR_NEW(weir_task_collectives);
    weir_ref_init(&collectives->base.ref, destroy);
    collectives->base.join = join;
    collectives->base.recv = recv;
    collectives->cluster = weir_cluster_retain(options->cluster);
    collectives->devices = options->devices;
    collectives->device_count = options->device_count;
    collectives->groups = weir_groups_create();
    weir_mutex_init(&collectives->lock);
    const weir_task *leader =
        options->leader.length ? weir_cluster_find(collectives->cluster, options->leader) : NULL;
    leader = leader ? leader : default_leader(collectives->cluster);
    collectives->leader = leader == weir_cluster_self(collectives->cluster) ? NULL : leader;
    return collectives;
}

void weir_task_collectives_release(weir_task_collectives *collectives)
{
    weir_ref_release((weir_ref *)collectives);
}

weir_collectives *weir_task_collectives_base(weir_task_collectives *collectives)
{
    return &collectives->base;
}

weir_str weir_config_leader(weir_str config)
{
    enum { EXPERIMENTAL = 16, LEADER = 1 };
    weir_str leader = {"", 0};
    for (weir_pb reader = weir_pb_reader(config); weir_pb_next(&reader);) {
        if (reader.field != EXPERIMENTAL || reader.type != WEIR_PB_LEN)
            continue;
        for (weir_pb entry = weir_pb_reader(reader.bytes); weir_pb_next(&entry);)
            if (entry.field == LEADER && entry.type == WEIR_PB_LEN)
                leader = entry.bytes;
    }
    return leader;
}
