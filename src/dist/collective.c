/* dist/collective.c - groups over tasks, as a member's task sees them. */
#include "dist/collective.h"

#include <inttypes.h>
#include <pthread.h>
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
typedef struct joining {
    weir_task_collectives *c; /* retained */
    weir_collective what;     /* its texts are owned */
    weir_cancel *cancel;      /* retained; may be null */
    uint64_t incarnation;
    weir_group *group;
    weir_joined done;
    void *arg;
} joining;

static void end_join(joining *j, weir_status s, int source)
{
    weir_joined done = j->done;
    void *arg = j->arg;
    weir_group *group = j->group;
    int rank = group ? weir_group_rank(group, weir_str_of(j->what.device)) : -1;
    if (!s && rank < 0)
        s = weir_error(WEIR_INTERNAL, "Device %s is no member of group %" PRId32, j->what.device,
                       j->what.group_key);
    if (s) {
        weir_group_release(group);
        group = NULL;
    }
    weir_cancel_release(j->cancel);
    weir_free((char *)j->what.device);
    weir_free((char *)j->what.name);
    weir_ref_release(&j->c->base.ref);
    weir_free(j);
    done(arg, s, group, rank, source);
}

static void ask_leader(joining *j, const char *path, weir_rpc_message *request,
                       void (*done)(void *arg, weir_status s, weir_rpc_message *answer))
{
    weir_channel_call call = {.path = path,
                              .request = request,
                              .wait_for_ready = true,
                              .cancel = j->cancel,
                              .done = done,
                              .arg = j};
    weir_channel_start(j->c->leader->channel, &call);
}

static void instance_told(void *arg, weir_status s, weir_rpc_message *answer)
{
    joining *j = arg;
    int64_t source = -1;
    if (!s) {
        weir_pb r = weir_pb_reader((weir_str){answer->head.at, answer->head.length});
        source = 0; /* a zero is left out */
        while (weir_pb_next(&r))
            if (r.field == 2 && r.type == WEIR_PB_VARINT)
                source = weir_pb_int(&r);
        if (!weir_pb_ok(&r) || source < -1 || source >= j->group->size)
            s = weir_error(WEIR_INTERNAL, "CompleteInstance: unreadable answer");
    }
    weir_rpc_message_fini(answer);
    if (!s)
        weir_groups_put_instance(j->c->groups, j->group, &j->what, 0, (int)source);
    end_join(j, s, (int)source);
}

/* TensorFlow's leaders tell the first member's rings to all. */
static void put_offsets(const weir_collective *w, weir_buf *out)
{
    weir_buf packed = {0};
    for (int i = 0; i < w->offset_count; i++)
        weir_varint_put(&packed, (uint64_t)w->offsets[i]);
    if (packed.length)
        weir_pb_put_bytes(out, 9, packed.at, packed.length);
    weir_buf_fini(&packed);
}

static void ask_for_instance(joining *j)
{
    const weir_collective *w = &j->what;
    weir_rpc_message request = {0};
    weir_buf *out = &request.head;
    weir_pb_put_str(out, 1, w->name);
    weir_pb_put_varint_nz(out, 2, (uint64_t)w->type);
    weir_pb_put_varint(out, 3, (uint64_t)w->dtype);
    size_t mark = weir_pb_begin(out, 4);
    weir_shape_encode(&w->shape, out);
    weir_pb_end(out, mark);
    weir_pb_put_varint_nz(out, 5, (uint64_t)(int64_t)w->group_key);
    weir_pb_put_varint_nz(out, 6, (uint64_t)w->group_size);
    weir_pb_put_varint_nz(out, 7, (uint64_t)(int64_t)w->instance_key);
    weir_pb_put_str(out, 8, "CPU");
    put_offsets(w, out);
    weir_pb_put_str(out, 10, w->device);
    weir_pb_put_varint_nz(out, 11, w->is_source);
    ask_leader(j, "/tensorflow.WorkerService/CompleteInstance", &request, instance_told);
}

static void settled(void *arg, weir_status s, int source)
{
    end_join(arg, s, source);
}

/* Takes over the group. */
static void has_group(joining *j, weir_group *group)
{
    j->group = group;
    if (weir_groups_has_instance(j->c->groups, &j->what, 0))
        weir_groups_instance(j->c->groups, group, &j->what, 0, j->cancel, settled, j);
    else
        ask_for_instance(j);
}

static weir_status read_group(weir_groups *groups, weir_str answer, weir_group **out)
{
    int64_t key = 0, size = 0;
    WEIR_VEC(weir_group_device) devices = {0};
    weir_pb r = weir_pb_reader(answer);
    while (weir_pb_next(&r)) {
        weir_group_device d;
        if (r.field == 1 && r.type == WEIR_PB_VARINT)
            key = weir_pb_int(&r);
        else if (r.field == 2 && r.type == WEIR_PB_VARINT)
            size = weir_pb_int(&r);
        else if (r.field == 8 && r.type == WEIR_PB_LEN && weir_group_device_read(r.bytes, &d))
            weir_vec_push(&devices, d);
    }
    weir_status s = WEIR_OK;
    if (!weir_pb_ok(&r) || (size && (size_t)size != devices.count))
        s = weir_error(WEIR_INTERNAL,
                       "CompleteGroupResponse group_size doesn't match device_name list");
    if (!s)
        s = weir_groups_put(groups, (int32_t)key, devices.at, devices.count, out);
    weir_vec_fini(&devices);
    return s;
}

static void group_told(void *arg, weir_status s, weir_rpc_message *answer)
{
    joining *j = arg;
    weir_group *group = NULL;
    if (!s)
        s = read_group(j->c->groups, (weir_str){answer->head.at, answer->head.length}, &group);
    weir_rpc_message_fini(answer);
    if (s)
        end_join(j, s, -1);
    else
        has_group(j, group);
}

static void checked_group(void *arg, weir_status s, weir_group *group)
{
    if (s)
        end_join(arg, s, -1);
    else
        has_group(arg, group);
}

static void join_led(weir_task_collectives *c, const weir_collective *what, uint64_t incarnation,
                     weir_cancel *cancel, weir_joined done, void *arg)
{
    joining *j = WEIR_NEW(joining);
    weir_ref_retain(&c->base.ref);
    *j = (joining){.c = c,
                   .what = *what,
                   .incarnation = incarnation,
                   .cancel = cancel ? weir_cancel_retain(cancel) : NULL,
                   .done = done,
                   .arg = arg};
    j->what.device = weir_strdup(what->device);
    j->what.name = weir_strdup(what->name);
    weir_group_device d = {weir_str_of(j->what.device), weir_str_of("CPU"), incarnation};
    weir_group *known = weir_groups_find(c->groups, what->group_key);
    if (known) { /* joins what is complete: a check */
        weir_group_release(known);
        weir_groups_join(c->groups, what->group_key, what->group_size, &d, cancel, checked_group,
                         j);
        return;
    }
    weir_rpc_message request = {0};
    weir_pb_put_varint_nz(&request.head, 1, (uint64_t)(int64_t)what->group_key);
    weir_pb_put_varint_nz(&request.head, 2, (uint64_t)what->group_size);
    weir_pb_put_str(&request.head, 3, "CPU");
    weir_group_device_put(&request.head, 6, &d);
    ask_leader(j, "/tensorflow.WorkerService/CompleteGroup", &request, group_told);
}

/* ---- the provider --------------------------------------------------------------------------- */

/* Masters may call the task by another name: the device's number decides. */
static const weir_device_info *own_device(const weir_task_collectives *c, const char *name)
{
    const char *colon = strrchr(name, ':');
    int i = colon ? atoi(colon + 1) : 0;
    return &c->devices[i >= 0 && i < c->device_count ? i : 0];
}

static void join(weir_collectives *base, const weir_collective *what, weir_cancel *cancel,
                 weir_joined done, void *arg)
{
    weir_task_collectives *c = (weir_task_collectives *)base;
    uint64_t incarnation = own_device(c, what->device)->incarnation;
    if (c->leader)
        join_led(c, what, incarnation, cancel, done, arg);
    else
        weir_collectives_join_here(c->groups, what, incarnation, cancel, done, arg);
}

/* A RecvBuf on its way. */
typedef struct asking {
    const weir_task *task;
    weir_cancel *cancel; /* retained */
    weir_dtype dtype;
    int64_t count;
    weir_received done;
    void *arg;
} asking;

static void answered(void *arg, weir_status s, weir_rpc_message *answer)
{
    asking *a = arg;
    weir_tensor t = {0};
    if (!s)
        s = weir_recv_buf_parse(answer, a->dtype, a->count, &t);
    else if (weir_cancel_fired(a->cancel)) /* the step is over: this call only follows */
        s = weir_status_mark(s, WEIR_DERIVED);
    else
        s = weir_status_note(s,
                             "\nAdditional GRPC error information from remote target %s while "
                             "calling /tensorflow.WorkerService/RecvBuf",
                             a->task->name);
    weir_rpc_message_fini(answer);
    a->done(a->arg, s, t, false);
    weir_cancel_release(a->cancel);
    weir_free(a);
}

static void recv(weir_collectives *base, int64_t step_id, weir_rendezvous *own,
                 const weir_group_member *from, weir_str key, weir_dtype dtype, int64_t count,
                 weir_received done, void *arg)
{
    weir_task_collectives *c = (weir_task_collectives *)base;
    const weir_task *task = weir_cluster_find(c->cluster, weir_str_of(from->device));
    if (!task) {
        done(arg, weir_error(WEIR_INTERNAL, "No worker known as %s", from->device),
             (weir_tensor){0}, false);
        return;
    }
    if (!task->channel) {
        own->recv(own, key, done, arg);
        return;
    }
    asking *a = WEIR_NEW(asking);
    *a = (asking){task, weir_cancel_retain(weir_steps_calls(own)), dtype, count, done, arg};
    weir_recv_buf_request q = {.step_id = step_id,
                               .key = key,
                               .bytes = count * (int64_t)weir_dtype_size(dtype),
                               .src_device = weir_str_of(from->device),
                               .src_incarnation = from->incarnation,
                               .request_id = (int64_t)weir_new_id()};
    weir_rpc_message request = {0};
    weir_recv_buf_request_encode(&q, &request.head);
    weir_channel_call call = {.path = "/tensorflow.WorkerService/RecvBuf",
                              .request = &request,
                              .cancel = a->cancel,
                              .payload_offset = weir_recv_buf_payload,
                              .done = answered,
                              .arg = a};
    weir_channel_start(task->channel, &call);
}

/* ---- life ----------------------------------------------------------------------------------- */

static const weir_task *default_leader(const weir_cluster *c)
{
    static const char *const jobs[] = {"chief", "worker"};
    for (int j = 0; j < 2; j++)
        for (int i = 0; i < c->task_count; i++)
            if (strcmp(c->tasks[i].job, jobs[j]) == 0)
                return &c->tasks[i];
    return &c->tasks[0];
}

static void destroy(weir_ref *ref)
{
    weir_task_collectives *c = (weir_task_collectives *)ref;
    weir_groups_destroy(c->groups);
    weir_map_fini(&c->sequences);
    pthread_mutex_destroy(&c->lock);
    weir_cluster_release(c->cluster);
    weir_free(c);
}

weir_task_collectives *weir_task_collectives_create(const weir_task_collectives_options *o)
{
    weir_task_collectives *c = WEIR_NEW(weir_task_collectives);
    weir_ref_init(&c->base.ref, destroy);
    c->base.join = join;
    c->base.recv = recv;
    c->cluster = weir_cluster_retain(o->cluster);
    c->devices = o->devices;
    c->device_count = o->device_count;
    c->groups = weir_groups_create();
    pthread_mutex_init(&c->lock, NULL);
    const weir_task *leader = o->leader.length ? weir_cluster_find(c->cluster, o->leader) : NULL;
    leader = leader ? leader : default_leader(c->cluster);
    c->leader = leader == weir_cluster_self(c->cluster) ? NULL : leader;
    return c;
}

void weir_task_collectives_release(weir_task_collectives *c)
{
    weir_ref_release((weir_ref *)c);
}

weir_collectives *weir_task_collectives_base(weir_task_collectives *c)
{
    return &c->base;
}

weir_str weir_config_leader(weir_str config)
{
    enum { EXPERIMENTAL = 16, LEADER = 1 };
    weir_str leader = {"", 0};
    for (weir_pb r = weir_pb_reader(config); weir_pb_next(&r);) {
        if (r.field != EXPERIMENTAL || r.type != WEIR_PB_LEN)
            continue;
        for (weir_pb e = weir_pb_reader(r.bytes); weir_pb_next(&e);)
            if (e.field == LEADER && e.type == WEIR_PB_LEN)
                leader = e.bytes;
    }
    return leader;
}
