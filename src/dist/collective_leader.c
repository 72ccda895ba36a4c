/* dist/collective_leader.c - what the leading task answers: who is in a group, who sends in an
 * instance, which step is next.
 */
#include <inttypes.h>

#include "dist/collective_impl.h"
#include "dist/ids.h"
#include "tensor/proto.h"
#include "wire/pb.h"

static weir_status unparseable(void)
{
    return weir_error(WEIR_INTERNAL, "Unable to parse request");
}

static weir_status not_leading(const weir_task_collectives *collectives, const char *what)
{
    return weir_error(WEIR_INTERNAL, "%s called at non-group-leader %s (the leader is %s)", what,
                      weir_cluster_self(collectives->cluster)->name, collectives->leader->name);
}

/* ---- devices -------------------------------------------------------------------------------- */

bool weir_group_device_read(weir_str bytes, weir_group_device *out)
{
    *out = (weir_group_device){.name = {"", 0}, .type = {"CPU", 3}};
    weir_pb reader = weir_pb_reader(bytes);
    while (weir_pb_next(&reader)) {
        if (reader.field == 1 && reader.type == WEIR_PB_LEN)
            out->name = reader.bytes;
        else if (reader.field == 2 && reader.type == WEIR_PB_LEN)
            out->type = reader.bytes;
        else if (reader.field == 6 && reader.type == WEIR_PB_I64)
            out->incarnation = reader.value;
    }
    return weir_pb_ok(&reader) && out->name.length;
}

void weir_group_device_put(weir_buf *out, uint32_t field, const weir_group_device *device)
{
    size_t mark = weir_pb_begin(out, field);
    weir_pb_put_bytes(out, 1, device->name.at, device->name.length);
    weir_pb_put_bytes(out, 2, device->type.at, device->type.length);
    weir_pb_put_bytes(out, 5, "", 0);
    weir_pb_put_i64(out, 6, device->incarnation);
    weir_pb_end(out, mark);
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

static void group_ready(void *arg, weir_status status, weir_group *group)
{
    weir_buf out = {0};
    if (!status) {
        weir_pb_put_varint_nz(&out, 1, (uint64_t)(int64_t)group->key);
        weir_pb_put_varint_nz(&out, 2, (uint64_t)group->size);
        weir_pb_put_str(&out, 3, group->device_type);
        weir_pb_put_varint_nz(&out, 4, (uint64_t)count_tasks(group));
        for (int i = 0; i < group->size; i++) {
            weir_group_device device = {weir_str_of(group->members[i].device),
                                        weir_str_of(group->device_type),
                                        group->members[i].incarnation};
            weir_group_device_put(&out, 8, &device);
        }
    }
    weir_group_release(group);
    weir_rpc_answer(arg, status, &out);
}

void weir_task_collectives_group(weir_task_collectives *collectives, weir_rpc *call)
{
    enum { LARGEST = 1 << 20 };
    int64_t key = 0, size = 0;
    weir_group_device device = {.name = {"", 0}};
    weir_str type = {"CPU", 3};
    weir_pb reader = weir_pb_reader(weir_rpc_request(call));
    while (weir_pb_next(&reader)) {
        if (reader.field == 1 && reader.type == WEIR_PB_VARINT)
            key = weir_pb_int(&reader);
        else if (reader.field == 2 && reader.type == WEIR_PB_VARINT)
            size = weir_pb_int(&reader);
        else if (reader.field == 3 && reader.type == WEIR_PB_LEN)
            type = reader.bytes;
        else if (reader.field == 6 && reader.type == WEIR_PB_LEN)
            (void)weir_group_device_read(reader.bytes, &device);
    }
    device.type = type;
    weir_status status = weir_pb_ok(&reader) ? WEIR_OK : unparseable();
    if (!status && collectives->leader)
        status = not_leading(collectives, "CompleteGroup");
    if (!status && !device.name.length)
        status =
            weir_error(WEIR_INTERNAL, "CompleteGroupRequest device_attributes is not set. Make "
                                      "sure you're running the same version of Tensorflow on all "
                                      "workers.");
    if (!status && (size <= 0 || size > LARGEST))
        status = weir_error(WEIR_INVALID_ARGUMENT,
                            "group_size must be positive integer but got %" PRId64, size);
    if (status)
        weir_rpc_fail(call, status);
    else
        weir_groups_join(collectives->groups, (int32_t)key, (int)size, &device,
                         weir_rpc_cancel(call), group_ready, call);
}

/* ---- instances ------------------------------------------------------------------------------ */

typedef struct instance_request {
    weir_collective what;
    int64_t step_id;
    weir_str shape;
    char *device;
} instance_request;

static weir_status read_instance(weir_str bytes, instance_request *request)
{
    weir_str device = {"", 0};
    weir_pb reader = weir_pb_reader(bytes);
    while (weir_pb_next(&reader)) {
        int64_t number = weir_pb_int(&reader);
        if (reader.field == 2)
            request->what.type = number >= 0 && number <= WEIR_COLLECTIVE_GATHER
                                     ? (weir_collective_type)number
                                     : WEIR_COLLECTIVE_REDUCE;
        else if (reader.field == 3)
            request->what.dtype = weir_dtype_valid((int)number) ? (weir_dtype)number : WEIR_FLOAT;
        else if (reader.field == 4 && reader.type == WEIR_PB_LEN)
            request->shape = reader.bytes;
        else if (reader.field == 5)
            request->what.group_key = (int32_t)number;
        else if (reader.field == 6)
            request->what.group_size = (int32_t)number;
        else if (reader.field == 7)
            request->what.instance_key = (int32_t)number;
        else if (reader.field == 10 && reader.type == WEIR_PB_LEN)
            device = reader.bytes;
        else if (reader.field == 11)
            request->what.is_source = reader.value != 0;
        else if (reader.field == 12)
            request->step_id = number;
    }
    if (!weir_pb_ok(&reader))
        return unparseable();
    request->device = weir_strndup(device.at, device.length);
    request->what.device = request->device;
    return weir_shape_parse(request->shape, &request->what.shape);
}

typedef struct instance_call {
    weir_rpc *call;
    int32_t instance_key;
} instance_call;

static void instance_ready(void *arg, weir_status status, int source)
{
    instance_call *call = arg;
    weir_buf out = {0};
    if (!status) {
        weir_pb_put_varint_nz(&out, 1, (uint64_t)(int64_t)call->instance_key);
        weir_pb_put_varint_nz(&out, 2, (uint64_t)(int64_t)source);
    }
    weir_rpc_answer(call->call, status, &out);
    weir_free(call);
}

void weir_task_collectives_instance(weir_task_collectives *collectives, weir_rpc *call)
{
    instance_request request = {.shape = {"", 0}};
    weir_group *group = NULL;
    weir_status status = read_instance(weir_rpc_request(call), &request);
    if (!status && collectives->leader)
        status = not_leading(collectives, "CompleteInstance");
    if (!status) {
        group = weir_groups_find(collectives->groups, request.what.group_key);
        if (!group)
            status = weir_error(WEIR_FAILED_PRECONDITION,
                                "group %" PRId32
                                " not found. This normally means the server has restarted",
                                request.what.group_key);
    }
    if (status) {
        weir_rpc_fail(call, status);
    } else {
        instance_call *i = WEIR_NEW(instance_call);
        *i = (instance_call){call, request.what.instance_key};
        weir_groups_instance(collectives->groups, group, &request.what, request.step_id,
                             weir_rpc_cancel(call), instance_ready, i);
    }
    weir_group_release(group);
    weir_free(request.device);
}

/* ---- steps ---------------------------------------------------------------------------------- */

static weir_str key_of(const int64_t *key)
{
    return (weir_str){(const char *)key, sizeof *key};
}

/* The id of the next step, chosen here where this task leads; 0: not known. */
static int64_t next_step(weir_task_collectives *collectives, int64_t key)
    WEIR_REQUIRES(collectives->lock)
{
    int64_t step = (int64_t)(intptr_t)weir_map_get(&collectives->sequences, key_of(&key));
    if (!step && !collectives->leader) {
        step = weir_steps_new_id();
        weir_map_put(&collectives->sequences, key_of(&key), (void *)(intptr_t)step);
    }
    return step;
}

void weir_task_collectives_sequence(weir_task_collectives *collectives, weir_rpc *call)
{
    weir_buf out = {0};
    weir_pb reader = weir_pb_reader(weir_rpc_request(call));
    weir_status status =
        collectives->leader ? not_leading(collectives, "GetStepSequenceAsync") : WEIR_OK;
    while (!status && weir_pb_next(&reader)) {
        weir_pb_packed packed = {0};
        while (reader.field == 1 && weir_pb_each(&reader, WEIR_PB_VARINT, &packed)) {
            weir_mutex_lock(&collectives->lock);
            int64_t step = next_step(collectives, (int64_t)packed.value);
            weir_mutex_unlock(&collectives->lock);
            size_t mark = weir_pb_begin(&out, 1);
            weir_pb_put_varint(&out, 1, packed.value);
            weir_pb_put_varint(&out, 2, (uint64_t)step);
            weir_pb_end(&out, mark);
        }
    }
    if (!status && !weir_pb_ok(&reader))
        status = unparseable();
    weir_rpc_answer(call, status, &out);
}

static int64_t read_sequence(weir_str answer)
{
    int64_t step = 0;
    for (weir_pb reader = weir_pb_reader(answer); weir_pb_next(&reader);) {
        if (reader.field != 1 || reader.type != WEIR_PB_LEN)
            continue;
        for (weir_pb entry = weir_pb_reader(reader.bytes); weir_pb_next(&entry);)
            if (entry.field == 2 && entry.type == WEIR_PB_VARINT)
                step = weir_pb_int(&entry);
    }
    return step;
}

static weir_status ask_for_step(weir_task_collectives *collectives, int64_t key,
                                weir_cancel *cancel, int64_t *out)
{
    weir_rpc_message request = {0}, answer = {0};
    weir_buf keys = {0};
    weir_varint_put(&keys, (uint64_t)key);
    weir_pb_put_bytes(&request.head, 1, keys.at, keys.length);
    weir_buf_fini(&keys);
    weir_channel_call call = {.path = "/tensorflow.WorkerService/GetStepSequence",
                              .request = &request,
                              .wait_for_ready = true,
                              .cancel = cancel};
    WEIR_TRY_NOTE(weir_channel_wait(collectives->leader->channel, &call, &answer),
                  " (asking %s for the next step of collective ops)", collectives->leader->name);
    *out = read_sequence(weir_view(&answer.head));
    weir_rpc_message_fini(&answer);
    return *out ? WEIR_OK : weir_error(WEIR_INTERNAL, "GetStepSequence: unreadable answer");
}

weir_status weir_task_collectives_step(weir_task_collectives *collectives, int64_t key,
                                       weir_cancel *cancel, int64_t *out_step)
{
    weir_mutex_lock(&collectives->lock);
    int64_t step = next_step(collectives, key);
    weir_mutex_unlock(&collectives->lock);
    if (!step) {
        WEIR_TRY(ask_for_step(collectives, key, cancel, &step));
        weir_mutex_lock(&collectives->lock);
        weir_map_put(&collectives->sequences, key_of(&key), (void *)(intptr_t)step);
        weir_mutex_unlock(&collectives->lock);
    }
    *out_step = step;
    return WEIR_OK;
}

void weir_task_collectives_retire(weir_task_collectives *collectives, int64_t key, int64_t step)
{
    const int64_t mask = (INT64_C(1) << 57) - 1; /* as TensorFlow's tasks count */
    weir_mutex_lock(&collectives->lock);
    int64_t next = (int64_t)(intptr_t)weir_map_get(&collectives->sequences, key_of(&key));
    if (next == step && ((step + 1) & mask))
        weir_map_put(&collectives->sequences, key_of(&key), (void *)(intptr_t)((step + 1) & mask));
    else
        weir_map_remove(&collectives->sequences, key_of(&key)); /* asked for anew */
    weir_mutex_unlock(&collectives->lock);
}
