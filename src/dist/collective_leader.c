/* dist/collective_leader.c - the leader's methods: the members of a group, the sender of an
 * instance, the id of the next step.
 */
#include <inttypes.h>

#include "dist/collective_impl.h"
#include "dist/ids.h"
#include "graph/device_name.h"
#include "tensor/proto.h"

static weir_status not_leading(const weir_task_collectives *collectives, const char *what)
{
    return weir_error(WEIR_INTERNAL, "%s called at non-group-leader %s (the leader is %s)", what,
                      weir_cluster_self(collectives->cluster)->name, collectives->leader->name);
}

/* Weir's tasks identify themselves by this when they join: leaders forward it, also TensorFlow's.
 * Another number means other algorithms. */
static const char weir_mark[] = "weir collectives 1";

/* ---- devices -------------------------------------------------------------------------------- */

weir_group_device weir_group_device_of(const weir_msg_device_attributes *attributes)
{
    return (weir_group_device){.name = attributes->name,
                               .type = attributes->device_type.length ? attributes->device_type
                                                                      : WEIR_STR("CPU"),
                               .incarnation = attributes->incarnation,
                               .weir = weir_str_is(attributes->physical_device_desc, weir_mark)};
}

weir_msg_device_attributes weir_group_device_describe(const weir_group_device *device)
{
    static const weir_msg_device_locality anywhere;
    return (weir_msg_device_attributes){.name = device->name,
                                        .device_type = device->type,
                                        .locality = &anywhere,
                                        .incarnation = device->incarnation,
                                        .physical_device_desc =
                                            weir_str_of(device->weir ? weir_mark : "")};
}

/* ---- groups --------------------------------------------------------------------------------- */

static int count_tasks(const weir_group *group)
{
    int count = 1;
    for (int i = 1; i < group->size; i++) {
        const weir_group_member *a = &group->members[i - 1], *b = &group->members[i];
        count += a->task_bytes != b->task_bytes || memcmp(a->device, b->device, a->task_bytes) != 0;
    }
    return count;
}

static void put_group(const weir_group *group, weir_buf *out)
{
    WEIR_MESSAGE_ARENA(arena);
    weir_msg_device_attributes *members =
        WEIR_ARENA_ARRAY(&arena, weir_msg_device_attributes, group->size);
    for (int i = 0; i < group->size; i++) {
        weir_group_device device = {weir_str_of(group->members[i].device),
                                    weir_str_of(group->device_type), group->members[i].incarnation,
                                    group->members[i].weir};
        members[i] = weir_group_device_describe(&device);
    }
    weir_msg_complete_group_response response = {
        .group_key = group->key,
        .group_size = group->size,
        .device_type = weir_str_of(group->device_type),
        .num_tasks = count_tasks(group),
        .device_attributes = {members, (size_t)group->size}};
    weir_msg_complete_group_response_write(&response, out);
}

static void group_ready(void *arg, weir_status status, weir_group *group)
{
    weir_buf out = {0};
    if (!status)
        put_group(group, &out);
    weir_group_release(group);
    weir_rpc_answer(arg, status, &out);
}

static weir_status check_group(const weir_task_collectives *collectives,
                               const weir_msg_complete_group_request *request)
{
    enum { MAX_GROUP_SIZE = 1 << 20 };
    if (collectives->leader)
        return not_leading(collectives, "CompleteGroup");
    if (!request->device_attributes || !request->device_attributes->name.length)
        return weir_error(WEIR_INTERNAL,
                          "CompleteGroupRequest device_attributes is not set. Make sure you're "
                          "running the same version of Tensorflow on all workers.");
    size_t longest = WEIR_DEVICE_NAME_ROOM;
    if (request->device_attributes->name.length >= longest ||
        request->device_type.length >= longest)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "CompleteGroupRequest: a device name or type of more than %zu bytes",
                          longest - 1);
    if (request->group_size <= 0 || request->group_size > MAX_GROUP_SIZE)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "group_size must be positive integer but got %" PRId32,
                          request->group_size);
    return WEIR_OK;
}

void weir_task_collectives_group(weir_task_collectives *collectives, weir_rpc *call)
{
    WEIR_MESSAGE_ARENA(arena);
    weir_msg_complete_group_request request;
    weir_status status = weir_rpc_parsed(
        weir_msg_complete_group_request_read(weir_rpc_request(call), &arena, &request));
    if (!status)
        status = check_group(collectives, &request);
    if (status) {
        weir_rpc_fail(call, status);
        return;
    }
    weir_group_device device = weir_group_device_of(request.device_attributes);
    device.type = request.device_type.length ? request.device_type : WEIR_STR("CPU");
    weir_groups_join(collectives->groups, request.group_key, request.group_size, &device,
                     weir_rpc_cancel(call), group_ready, call);
}

/* ---- instances ------------------------------------------------------------------------------ */

static weir_collective_type type_of(int32_t number)
{
    return number >= 0 && number <= WEIR_COLLECTIVE_REDUCE_SCATTER ? (weir_collective_type)number
                                                                   : WEIR_COLLECTIVE_REDUCE;
}

/* The device's name is copied to the arena. */
static weir_status read_instance(const weir_msg_complete_instance_request *request,
                                 weir_arena *arena, weir_collective *out)
{
    *out = (weir_collective){
        .type = type_of(request->type),
        .dtype = weir_dtype_valid(request->data_type) ? (weir_dtype)request->data_type : WEIR_FLOAT,
        .group_key = request->group_key,
        .group_size = request->group_size,
        .instance_key = request->instance_key,
        .device = weir_arena_strndup(arena, request->device.at, request->device.length),
        .is_source = request->is_source};
    return weir_shape_from_proto(request->shape, &out->shape);
}

typedef struct instance_call {
    weir_rpc *call;
    int32_t instance_key;
} instance_call;

static void instance_ready(void *arg, weir_status status, int source)
{
    instance_call *call = arg;
    weir_buf out = {0};
    if (!status)
        weir_msg_complete_instance_response_write(
            &(weir_msg_complete_instance_response){.instance_key = call->instance_key,
                                                   .source_rank = source},
            &out);
    weir_rpc_answer(call->call, status, &out);
    weir_free(call);
}

static weir_status find_group(weir_task_collectives *collectives, int32_t key, weir_group **out)
{
    if (collectives->leader)
        return not_leading(collectives, "CompleteInstance");
    *out = weir_groups_find(collectives->groups, key);
    return *out ? WEIR_OK
                : weir_error(WEIR_FAILED_PRECONDITION,
                             "group %" PRId32
                             " not found. This normally means the server has restarted",
                             key);
}

void weir_task_collectives_instance(weir_task_collectives *collectives, weir_rpc *call)
{
    WEIR_MESSAGE_ARENA(arena);
    weir_msg_complete_instance_request request;
    weir_collective what;
    weir_group *group = NULL;
    weir_status status = weir_rpc_parsed(
        weir_msg_complete_instance_request_read(weir_rpc_request(call), &arena, &request));
    if (!status)
        status = read_instance(&request, &arena, &what);
    if (!status)
        status = find_group(collectives, request.group_key, &group);
    if (status) {
        weir_rpc_fail(call, status);
        return;
    }
    instance_call *waiting = WEIR_NEW(instance_call);
    *waiting = (instance_call){call, request.instance_key};
    weir_groups_instance(collectives->groups, group, &what, request.step_id, weir_rpc_cancel(call),
                         instance_ready, waiting);
    weir_group_release(group);
}

/* ---- steps ---------------------------------------------------------------------------------- */

static weir_str key_of(const int64_t *key)
{
    return (weir_str){(const char *)key, sizeof *key};
}

/* Ids that are kept: graphs of sessions, of which some run at a time. */
enum { MOST_SEQUENCES = 1 << 16 };

/* The id of the next step, allocated here if this task is the leader; 0: not known, or too many
 * are. */
static int64_t next_step(weir_task_collectives *collectives, int64_t key)
    WEIR_REQUIRES(collectives->lock)
{
    int64_t step = (int64_t)(intptr_t)weir_map_get(&collectives->sequences, key_of(&key));
    if (!step && !collectives->leader && collectives->sequences.count < MOST_SEQUENCES) {
        step = weir_steps_new_id();
        weir_map_put(&collectives->sequences, key_of(&key), (void *)(intptr_t)step);
    }
    return step;
}

void weir_task_collectives_sequence(weir_task_collectives *collectives, weir_rpc *call)
{
    weir_buf out = {0};
    WEIR_MESSAGE_ARENA(arena);
    weir_msg_get_step_sequence_request request = {0};
    weir_status status =
        collectives->leader ? not_leading(collectives, "GetStepSequenceAsync") : WEIR_OK;
    if (!status)
        status = weir_rpc_parsed(
            weir_msg_get_step_sequence_request_read(weir_rpc_request(call), &arena, &request));
    size_t count = status ? 0 : request.graph_key.count;
    weir_msg_step_sequence *steps = WEIR_ARENA_ARRAY(&arena, weir_msg_step_sequence, count);
    weir_mutex_lock(&collectives->lock);
    for (size_t i = 0; i < count; i++) {
        int64_t key = request.graph_key.at[i];
        steps[i] =
            (weir_msg_step_sequence){.graph_key = key, .next_step_id = next_step(collectives, key)};
    }
    weir_mutex_unlock(&collectives->lock);
    weir_msg_get_step_sequence_response_write(
        &(weir_msg_get_step_sequence_response){.step_sequence = {steps, count}}, &out);
    weir_rpc_answer(call, status, &out);
}

static weir_status read_sequence(weir_str answer, int64_t *out_step)
{
    WEIR_MESSAGE_ARENA(arena);
    weir_msg_get_step_sequence_response response;
    WEIR_TRY(weir_answer_parsed(weir_msg_get_step_sequence_response_read(answer, &arena, &response),
                                "GetStepSequence"));
    size_t count = response.step_sequence.count;
    *out_step = count ? response.step_sequence.at[count - 1].next_step_id : 0;
    return *out_step ? WEIR_OK : weir_error(WEIR_INTERNAL, "GetStepSequence: no step id");
}

static weir_status fetch_step(weir_task_collectives *collectives, int64_t key, weir_cancel *cancel,
                              int64_t *out_step)
{
    weir_rpc_message request = {0}, answer = {0};
    weir_msg_get_step_sequence_request_write(
        &(weir_msg_get_step_sequence_request){.graph_key = {&key, 1}}, &request.head);
    weir_channel_call call = {.path = "/tensorflow.WorkerService/GetStepSequence",
                              .request = &request,
                              .wait_for_ready = true,
                              .cancel = cancel};
    WEIR_TRY_NOTE(weir_channel_wait(collectives->leader->channel, &call, &answer),
                  " (asking %s for the next step of collective ops)", collectives->leader->name);
    weir_status status = read_sequence(weir_view(&answer.head), out_step);
    weir_rpc_message_fini(&answer);
    return status;
}

weir_status weir_task_collectives_step(weir_task_collectives *collectives, int64_t key,
                                       weir_cancel *cancel, int64_t *out_step)
{
    weir_mutex_lock(&collectives->lock);
    int64_t step = next_step(collectives, key);
    weir_mutex_unlock(&collectives->lock);
    if (!step && !collectives->leader)
        return weir_error(WEIR_RESOURCE_EXHAUSTED,
                          "the task leads the steps of %d graphs of collective ops, the most there "
                          "may be",
                          MOST_SEQUENCES);
    if (!step) {
        WEIR_TRY(fetch_step(collectives, key, cancel, &step));
        weir_mutex_lock(&collectives->lock);
        weir_map_put(&collectives->sequences, key_of(&key), (void *)(intptr_t)step);
        weir_mutex_unlock(&collectives->lock);
    }
    *out_step = step;
    return WEIR_OK;
}

void weir_task_collectives_doubt(weir_task_collectives *collectives, int64_t key)
{
    if (!collectives->leader)
        return;
    weir_mutex_lock(&collectives->lock);
    weir_map_remove(&collectives->sequences, key_of(&key));
    weir_mutex_unlock(&collectives->lock);
}

void weir_task_collectives_retire(weir_task_collectives *collectives, int64_t key, int64_t step)
{
    const int64_t mask = (INT64_C(1) << 57) - 1; /* TensorFlow's range */
    weir_mutex_lock(&collectives->lock);
    int64_t next = (int64_t)(intptr_t)weir_map_get(&collectives->sequences, key_of(&key));
    if (next == step && ((step + 1) & mask))
        weir_map_put(&collectives->sequences, key_of(&key), (void *)(intptr_t)((step + 1) & mask));
    else
        weir_map_remove(&collectives->sequences, key_of(&key)); /* requested again */
    weir_mutex_unlock(&collectives->lock);
}
