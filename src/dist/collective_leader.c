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

static weir_status not_leading(const weir_task_collectives *c, const char *what)
{
    return weir_error(WEIR_INTERNAL, "%s called at non-group-leader %s (the leader is %s)", what,
                      weir_cluster_self(c->cluster)->name, c->leader->name);
}

/* ---- devices -------------------------------------------------------------------------------- */

bool weir_group_device_read(weir_str bytes, weir_group_device *out)
{
    *out = (weir_group_device){.name = {"", 0}, .type = {"CPU", 3}};
    weir_pb r = weir_pb_reader(bytes);
    while (weir_pb_next(&r)) {
        if (r.field == 1 && r.type == WEIR_PB_LEN)
            out->name = r.bytes;
        else if (r.field == 2 && r.type == WEIR_PB_LEN)
            out->type = r.bytes;
        else if (r.field == 6 && r.type == WEIR_PB_I64)
            out->incarnation = r.value;
    }
    return weir_pb_ok(&r) && out->name.length;
}

void weir_group_device_put(weir_buf *out, uint32_t field, const weir_group_device *d)
{
    size_t mark = weir_pb_begin(out, field);
    weir_pb_put_bytes(out, 1, d->name.at, d->name.length);
    weir_pb_put_bytes(out, 2, d->type.at, d->type.length);
    weir_pb_put_bytes(out, 5, "", 0);
    weir_pb_put_i64(out, 6, d->incarnation);
    weir_pb_end(out, mark);
}

/* ---- groups --------------------------------------------------------------------------------- */

static int count_tasks(const weir_group *g)
{
    int count = 1;
    for (int i = 1; i < g->size; i++) {
        const weir_group_member *a = &g->members[i - 1], *b = &g->members[i];
        count += a->task_bytes != b->task_bytes || memcmp(a->device, b->device, a->task_bytes) != 0;
    }
    return count;
}

static void group_ready(void *arg, weir_status s, weir_group *group)
{
    weir_buf out = {0};
    if (!s) {
        weir_pb_put_varint_nz(&out, 1, (uint64_t)(int64_t)group->key);
        weir_pb_put_varint_nz(&out, 2, (uint64_t)group->size);
        weir_pb_put_str(&out, 3, group->device_type);
        weir_pb_put_varint_nz(&out, 4, (uint64_t)count_tasks(group));
        for (int i = 0; i < group->size; i++) {
            weir_group_device d = {weir_str_of(group->members[i].device),
                                   weir_str_of(group->device_type), group->members[i].incarnation};
            weir_group_device_put(&out, 8, &d);
        }
    }
    weir_group_release(group);
    weir_rpc_answer(arg, s, &out);
}

void weir_task_collectives_group(weir_task_collectives *c, weir_rpc *call)
{
    enum { LARGEST = 1 << 20 };
    int64_t key = 0, size = 0;
    weir_group_device d = {.name = {"", 0}};
    weir_str type = {"CPU", 3};
    weir_pb r = weir_pb_reader(weir_rpc_request(call));
    while (weir_pb_next(&r)) {
        if (r.field == 1 && r.type == WEIR_PB_VARINT)
            key = weir_pb_int(&r);
        else if (r.field == 2 && r.type == WEIR_PB_VARINT)
            size = weir_pb_int(&r);
        else if (r.field == 3 && r.type == WEIR_PB_LEN)
            type = r.bytes;
        else if (r.field == 6 && r.type == WEIR_PB_LEN)
            (void)weir_group_device_read(r.bytes, &d);
    }
    d.type = type;
    weir_status s = weir_pb_ok(&r) ? WEIR_OK : unparseable();
    if (!s && c->leader)
        s = not_leading(c, "CompleteGroup");
    if (!s && !d.name.length)
        s = weir_error(WEIR_INTERNAL, "CompleteGroupRequest device_attributes is not set. Make "
                                      "sure you're running the same version of Tensorflow on all "
                                      "workers.");
    if (!s && (size <= 0 || size > LARGEST))
        s = weir_error(WEIR_INVALID_ARGUMENT,
                       "group_size must be positive integer but got %" PRId64, size);
    if (s)
        weir_rpc_fail(call, s);
    else
        weir_groups_join(c->groups, (int32_t)key, (int)size, &d, weir_rpc_cancel(call), group_ready,
                         call);
}

/* ---- instances ------------------------------------------------------------------------------ */

typedef struct instance_request {
    weir_collective what;
    int64_t step_id;
    weir_str shape;
    char *device;
} instance_request;

static weir_status read_instance(weir_str bytes, instance_request *q)
{
    weir_str device = {"", 0};
    weir_pb r = weir_pb_reader(bytes);
    while (weir_pb_next(&r)) {
        int64_t number = weir_pb_int(&r);
        if (r.field == 2)
            q->what.type = number >= 0 && number <= WEIR_COLLECTIVE_GATHER
                               ? (weir_collective_type)number
                               : WEIR_COLLECTIVE_REDUCE;
        else if (r.field == 3)
            q->what.dtype = weir_dtype_valid((int)number) ? (weir_dtype)number : WEIR_FLOAT;
        else if (r.field == 4 && r.type == WEIR_PB_LEN)
            q->shape = r.bytes;
        else if (r.field == 5)
            q->what.group_key = (int32_t)number;
        else if (r.field == 6)
            q->what.group_size = (int32_t)number;
        else if (r.field == 7)
            q->what.instance_key = (int32_t)number;
        else if (r.field == 10 && r.type == WEIR_PB_LEN)
            device = r.bytes;
        else if (r.field == 11)
            q->what.is_source = r.value != 0;
        else if (r.field == 12)
            q->step_id = number;
    }
    if (!weir_pb_ok(&r))
        return unparseable();
    q->device = weir_strndup(device.at, device.length);
    q->what.device = q->device;
    return weir_shape_parse(q->shape, &q->what.shape);
}

typedef struct instance_call {
    weir_rpc *call;
    int32_t instance_key;
} instance_call;

static void instance_ready(void *arg, weir_status s, int source)
{
    instance_call *i = arg;
    weir_buf out = {0};
    if (!s) {
        weir_pb_put_varint_nz(&out, 1, (uint64_t)(int64_t)i->instance_key);
        weir_pb_put_varint_nz(&out, 2, (uint64_t)(int64_t)source);
    }
    weir_rpc_answer(i->call, s, &out);
    weir_free(i);
}

void weir_task_collectives_instance(weir_task_collectives *c, weir_rpc *call)
{
    instance_request q = {.shape = {"", 0}};
    weir_group *group = NULL;
    weir_status s = read_instance(weir_rpc_request(call), &q);
    if (!s && c->leader)
        s = not_leading(c, "CompleteInstance");
    if (!s) {
        group = weir_groups_find(c->groups, q.what.group_key);
        if (!group)
            s = weir_error(WEIR_FAILED_PRECONDITION,
                           "group %" PRId32
                           " not found. This normally means the server has restarted",
                           q.what.group_key);
    }
    if (s) {
        weir_rpc_fail(call, s);
    } else {
        instance_call *i = WEIR_NEW(instance_call);
        *i = (instance_call){call, q.what.instance_key};
        weir_groups_instance(c->groups, group, &q.what, q.step_id, weir_rpc_cancel(call),
                             instance_ready, i);
    }
    weir_group_release(group);
    weir_free(q.device);
}

/* ---- steps ---------------------------------------------------------------------------------- */

static weir_str key_of(const int64_t *key)
{
    return (weir_str){(const char *)key, sizeof *key};
}

/* The next step as it is known, made up where this task leads; 0: not known. Lock held. */
static int64_t next_step(weir_task_collectives *c, int64_t key)
{
    int64_t step = (int64_t)(intptr_t)weir_map_get(&c->sequences, key_of(&key));
    if (!step && !c->leader) {
        step = weir_steps_new_id();
        weir_map_put(&c->sequences, key_of(&key), (void *)(intptr_t)step);
    }
    return step;
}

void weir_task_collectives_sequence(weir_task_collectives *c, weir_rpc *call)
{
    weir_buf out = {0};
    weir_pb r = weir_pb_reader(weir_rpc_request(call));
    weir_status s = c->leader ? not_leading(c, "GetStepSequenceAsync") : WEIR_OK;
    while (!s && weir_pb_next(&r)) {
        weir_pb_packed p = {0};
        while (r.field == 1 && weir_pb_each(&r, WEIR_PB_VARINT, &p)) {
            pthread_mutex_lock(&c->lock);
            int64_t step = next_step(c, (int64_t)p.value);
            pthread_mutex_unlock(&c->lock);
            size_t mark = weir_pb_begin(&out, 1);
            weir_pb_put_varint(&out, 1, p.value);
            weir_pb_put_varint(&out, 2, (uint64_t)step);
            weir_pb_end(&out, mark);
        }
    }
    if (!s && !weir_pb_ok(&r))
        s = unparseable();
    weir_rpc_answer(call, s, &out);
}

static int64_t read_sequence(weir_str answer)
{
    int64_t step = 0;
    for (weir_pb r = weir_pb_reader(answer); weir_pb_next(&r);) {
        if (r.field != 1 || r.type != WEIR_PB_LEN)
            continue;
        for (weir_pb e = weir_pb_reader(r.bytes); weir_pb_next(&e);)
            if (e.field == 2 && e.type == WEIR_PB_VARINT)
                step = weir_pb_int(&e);
    }
    return step;
}

static weir_status ask_for_step(weir_task_collectives *c, int64_t key, weir_cancel *cancel,
                                int64_t *out)
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
    WEIR_TRY_NOTE(weir_channel_wait(c->leader->channel, &call, &answer),
                  " (asking %s for the next step of collective ops)", c->leader->name);
    *out = read_sequence((weir_str){answer.head.at, answer.head.length});
    weir_rpc_message_fini(&answer);
    return *out ? WEIR_OK : weir_error(WEIR_INTERNAL, "GetStepSequence: unreadable answer");
}

weir_status weir_task_collectives_step(weir_task_collectives *c, int64_t key, weir_cancel *cancel,
                                       int64_t *out_step)
{
    pthread_mutex_lock(&c->lock);
    int64_t step = next_step(c, key);
    pthread_mutex_unlock(&c->lock);
    if (!step) {
        WEIR_TRY(ask_for_step(c, key, cancel, &step));
        pthread_mutex_lock(&c->lock);
        weir_map_put(&c->sequences, key_of(&key), (void *)(intptr_t)step);
        pthread_mutex_unlock(&c->lock);
    }
    *out_step = step;
    return WEIR_OK;
}

void weir_task_collectives_retire(weir_task_collectives *c, int64_t key, int64_t step)
{
    const int64_t mask = (INT64_C(1) << 57) - 1; /* as TensorFlow's tasks count */
    pthread_mutex_lock(&c->lock);
    int64_t next = (int64_t)(intptr_t)weir_map_get(&c->sequences, key_of(&key));
    if (next == step && ((step + 1) & mask))
        weir_map_put(&c->sequences, key_of(&key), (void *)(intptr_t)((step + 1) & mask));
    else
        weir_map_remove(&c->sequences, key_of(&key)); /* asked for anew */
    pthread_mutex_unlock(&c->lock);
}
