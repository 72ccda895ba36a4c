/* dist/collective.c - groups of collective ops over tasks: the member's side. */
#include "dist/collective.h"

#include "base/mutex.h"
#include <inttypes.h>
#include <stdlib.h>

#include "base/mem.h"
#include "dist/checksum.h"
#include "dist/collective_impl.h"
#include "dist/ids.h"
#include "dist/recv_buf.h"
#include "session/collective.h"
#include "tensor/proto.h"
#include "wire/messages.h"

/* ---- joining a group that another task leads ------------------------------------------------- */

/* A pending join of a member. */
typedef struct group_join {
    weir_task_collectives *collectives; /* retained */
    weir_collective what;               /* its texts are owned */
    weir_cancel *cancel;                /* retained; may be null */
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
    weir_ref_release(&joining->collectives->base.ref);
    weir_free(joining);
    done(arg, status, group, rank, source);
}

static void call_leader(group_join *joining, const char *path, weir_rpc_message *request,
                        void (*done)(void *arg, weir_status s, weir_rpc_message *answer))
{
    weir_channel_call call = {.path = path,
                              .request = request,
                              .wait_for_ready = true,
                              .cancel = joining->cancel,
                              .done = done,
                              .arg = joining};
    weir_channel_start(joining->collectives->leader->channel, &call);
}

static weir_status read_instance(const group_join *joining, weir_str answer, int *out_source)
{
    WEIR_MESSAGE_ARENA(arena);
    weir_msg_complete_instance_response response;
    WEIR_TRY(weir_answer_parsed(weir_msg_complete_instance_response_read(answer, &arena, &response),
                                "CompleteInstance"));
    if (response.source_rank < -1 || response.source_rank >= joining->group->size)
        return weir_error(WEIR_INTERNAL, "CompleteInstance: a source of rank %" PRId32,
                          response.source_rank);
    *out_source = response.source_rank;
    return WEIR_OK;
}

static void instance_completed(void *arg, weir_status status, weir_rpc_message *answer)
{
    group_join *joining = arg;
    int source = -1;
    if (!status)
        status = read_instance(joining, weir_view(&answer->head), &source);
    weir_rpc_message_fini(answer);
    if (!status)
        weir_groups_put_instance(joining->collectives->groups, joining->group, &joining->what, 0,
                                 source);
    end_join(joining, status, source);
}

/* TensorFlow's leaders send the first member's rings to all, so they get the offsets. */
static void complete_instance(group_join *joining)
{
    const weir_collective *what = &joining->what;
    weir_rpc_message message = {0};
    WEIR_MESSAGE_ARENA(arena);
    int32_t *offsets = WEIR_ARENA_ARRAY(&arena, int32_t, what->offset_count);
    for (int i = 0; i < what->offset_count; i++)
        offsets[i] = (int32_t)what->offsets[i];
    weir_msg_complete_instance_request request = {
        .name = weir_str_of(what->name),
        .type = (int32_t)what->type,
        .data_type = (int32_t)what->dtype,
        .shape = weir_shape_to_proto(&what->shape, &arena),
        .group_key = what->group_key,
        .group_size = what->group_size,
        .instance_key = what->instance_key,
        .device_type = WEIR_STR("CPU"),
        .subdiv_offset = {offsets, (size_t)what->offset_count},
        .device = weir_str_of(what->device),
        .is_source = what->is_source};
    weir_msg_complete_instance_request_write(&request, &message.head);
    call_leader(joining, "/tensorflow.WorkerService/CompleteInstance", &message,
                instance_completed);
}

static void settled(void *arg, weir_status status, int source)
{
    end_join(arg, status, source);
}

/* Takes over the group. */
static void has_group(group_join *joining, weir_group *group)
{
    joining->group = group;
    if (weir_groups_has_instance(joining->collectives->groups, &joining->what, 0))
        weir_groups_instance(joining->collectives->groups, group, &joining->what, 0,
                             joining->cancel, settled, joining);
    else
        complete_instance(joining);
}

/* The leader's answer is kept for all later ops of the group, so it must be about the group that
 * was joined. */
static weir_status read_group(const group_join *joining, weir_str answer, weir_group **out)
{
    WEIR_MESSAGE_ARENA(arena);
    weir_msg_complete_group_response response;
    WEIR_TRY(weir_answer_parsed(weir_msg_complete_group_response_read(answer, &arena, &response),
                                "CompleteGroup"));
    size_t count = response.device_attributes.count;
    weir_group_device *devices = WEIR_ARENA_ARRAY(&arena, weir_group_device, count);
    for (size_t i = 0; i < count; i++)
        devices[i] = weir_group_device_of(&response.device_attributes.at[i]);
    if (response.group_size && (size_t)response.group_size != count)
        return weir_error(WEIR_INTERNAL,
                          "CompleteGroupResponse group_size doesn't match device_name list");
    if (response.group_key != joining->what.group_key || count != (size_t)joining->what.group_size)
        return weir_error(WEIR_INTERNAL,
                          "CompleteGroup: the answer has group %" PRId32
                          " of %zu members, but group %" PRId32 " of %" PRId32 " was joined",
                          response.group_key, count, joining->what.group_key,
                          joining->what.group_size);
    return weir_groups_put(joining->collectives->groups, response.group_key, devices, count, out);
}

static void group_completed(void *arg, weir_status status, weir_rpc_message *answer)
{
    group_join *joining = arg;
    weir_group *group = NULL;
    if (!status)
        status = read_group(joining, weir_view(&answer->head), &group);
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
    group_join *joining = WEIR_NEW(group_join);
    weir_ref_retain(&collectives->base.ref);
    *joining = (group_join){.collectives = collectives,
                            .what = *what,
                            .incarnation = incarnation,
                            .cancel = cancel ? weir_cancel_retain(cancel) : NULL,
                            .done = done,
                            .arg = arg};
    joining->what.device = weir_strdup(what->device);
    joining->what.name = weir_strdup(what->name);
    weir_group_device device = {weir_str_of(joining->what.device), weir_str_of("CPU"), incarnation,
                                true};
    weir_group *known = weir_groups_find(collectives->groups, what->group_key);
    if (known) { /* joining a complete group only checks the device */
        weir_group_release(known);
        weir_groups_join(collectives->groups, what->group_key, what->group_size, &device, cancel,
                         checked_group, joining);
        return;
    }
    weir_rpc_message message = {0};
    weir_msg_device_attributes attributes = weir_group_device_describe(&device);
    weir_msg_complete_group_request request = {.group_key = what->group_key,
                                               .group_size = what->group_size,
                                               .device_type = WEIR_STR("CPU"),
                                               .device_attributes = &attributes};
    weir_msg_complete_group_request_write(&request, &message.head);
    call_leader(joining, "/tensorflow.WorkerService/CompleteGroup", &message, group_completed);
}

/* ---- the provider --------------------------------------------------------------------------- */

/* Masters may use another name for the task, so the device's number decides. */
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

/* A RecvBuf in progress. */
typedef struct buffer_request {
    const weir_task *task;
    weir_cancel *cancel; /* retained */
    weir_dtype dtype;
    int64_t count;
    weir_received done;
    void *arg;
    weir_buf key; /* if checksums are on */
} buffer_request;

static void answered(void *arg, weir_status status, weir_rpc_message *answer)
{
    buffer_request *asking = arg;
    weir_tensor tensor = {0};
    if (!status)
        status = weir_checksum_verify(weir_view(&asking->key), asking->task->name, false, answer);
    if (!status)
        status = weir_recv_buf_parse(answer, asking->dtype, asking->count, &tensor);
    else if (weir_cancel_fired(asking->cancel)) /* the step has ended: this error is derived */
        status = weir_status_mark(status, WEIR_DERIVED);
    else
        status = weir_status_note(status,
                                  "\nAdditional GRPC error information from remote target %s while "
                                  "calling /tensorflow.WorkerService/RecvBuf",
                                  asking->task->name);
    weir_rpc_message_fini(answer);
    asking->done(asking->arg, status, tensor, false);
    weir_cancel_release(asking->cancel);
    weir_buf_fini(&asking->key);
    weir_free(asking);
}

/* Takes over its arguments. */
static void ask(buffer_request request, int64_t step_id, const weir_group_member *from,
                weir_str key)
{
    buffer_request *asking = WEIR_NEW(buffer_request);
    *asking = request;
    if (weir_checksum_on())
        weir_buf_add(&asking->key, key.at, key.length);
    weir_msg_recv_buf_request recv = {.step_id = step_id,
                                      .buf_rendezvous_key = key,
                                      .num_bytes =
                                          asking->count * (int64_t)weir_dtype_size(asking->dtype),
                                      .src_device = weir_str_of(from->device),
                                      .src_incarnation = from->incarnation,
                                      .request_id = (int64_t)weir_new_id()};
    weir_rpc_message message = {0};
    weir_msg_recv_buf_request_write(&recv, &message.head);
    weir_channel_call call = {.path = "/tensorflow.WorkerService/RecvBuf",
                              .request = &message,
                              .cancel = asking->cancel,
                              .payload_offset = weir_recv_buf_payload,
                              .done = answered,
                              .arg = asking};
    weir_channel_start(asking->task->channel, &call);
}

static const weir_task *task_of(const weir_task_collectives *collectives,
                                const weir_group_member *member, weir_received done, void *arg)
{
    const weir_task *task = weir_cluster_find(collectives->cluster, weir_str_of(member->device));
    if (!task)
        done(arg, weir_error(WEIR_INTERNAL, "No worker known as %s", member->device),
             (weir_tensor){0}, false);
    return task;
}

static void recv(weir_collectives *base, int64_t step_id, weir_rendezvous *own,
                 const weir_group_member *from, weir_str key, weir_dtype dtype, int64_t count,
                 weir_received done, void *arg)
{
    const weir_task *task = task_of((weir_task_collectives *)base, from, done, arg);
    if (task && !task->channel)
        own->recv(own, key, done, arg);
    else if (task)
        ask((buffer_request){task, weir_cancel_retain(weir_steps_calls(own)), dtype, count, done,
                             arg},
            step_id, from, key);
}

static weir_group *find(weir_collectives *base, int32_t group_key)
{
    return weir_groups_find(((weir_task_collectives *)base)->groups, group_key);
}

static void watch(weir_collectives *base, int64_t step_id, const weir_group_member *member,
                  weir_str key, weir_cancel *cancel, weir_received done, void *arg)
{
    const weir_task *task = task_of((weir_task_collectives *)base, member, done, arg);
    if (task && task->channel)
        ask((buffer_request){task, weir_cancel_retain(cancel), WEIR_UINT8, 1, done, arg}, step_id,
            member, key);
    else if (task)
        done(arg, weir_error(WEIR_INTERNAL, "%s is watched by its own task", member->device),
             (weir_tensor){0}, false);
}

/* ---- life cycle ------------------------------------------------------------------------------ */

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
    collectives->base.find = find;
    collectives->base.watch = watch;
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
