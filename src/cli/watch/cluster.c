/* cli/watch/cluster.c - parses /api/cluster into structs. */
#include "cli/watch/cluster.h"

#include <math.h>
#include <stdio.h>

#include "dash/peers.h"
#include "net/address.h"

enum { ASK_MS = 5000 };

const char *watch_address(const char *given)
{
    static char address[256];
    if (!given)
        given = "localhost:2222";
    const char *scheme = strstr(given, "://");
    bool file = strncmp(given, "unix:", 5) == 0; /* unix:///path has a scheme of its own */
    snprintf(address, sizeof address, "%s", scheme && !file ? scheme + 3 : given);
    if (!weir_address_path(weir_str_of(address)).length)
        address[strcspn(address, "/")] = 0;
    return address;
}

/* ---- reading -----------------------------------------------------------------------------------
 */

static char *read_text(weir_json *json)
{
    WEIR_BUF(text);
    weir_json_string(json, &text);
    return weir_strndup(text.at ? text.at : "", text.length);
}

static void set_text(weir_json *json, char **to)
{
    weir_free(*to);
    *to = read_text(json);
}

/* One object of "causes" or "queues". */
static watch_cause read_cause(weir_json *json)
{
    watch_cause cause = {weir_strdup(""), weir_strdup(""), weir_strdup(""), 0, 0};
    WEIR_BUF(key);
    bool more = weir_json_open(json, '{');
    while (more && weir_json_key(json, &key)) {
        weir_str name = weir_view(&key);
        if (weir_str_is(name, "kind"))
            set_text(json, &cause.kind);
        else if (weir_str_is(name, "name"))
            set_text(json, &cause.name);
        else if (weir_str_is(name, "op"))
            set_text(json, &cause.op);
        else if (weir_str_is(name, "s") || weir_str_is(name, "size"))
            weir_json_real(json, &cause.seconds);
        else if (weir_str_is(name, "count") || weir_str_is(name, "capacity"))
            weir_json_real(json, &cause.count);
        else
            weir_json_skip(json);
        key.length = 0;
    }
    return cause;
}

static void read_traffic(weir_json *json, watch_task *task)
{
    bool items = weir_json_open(json, '[');
    while (items && weir_json_item(json)) {
        WEIR_BUF(key);
        bool more = weir_json_open(json, '{');
        double bytes = 0;
        while (more && weir_json_key(json, &key)) {
            bool in = weir_str_is(weir_view(&key), "in"), out = weir_str_is(weir_view(&key), "out");
            if (in || out)
                weir_json_real(json, &bytes);
            else
                weir_json_skip(json);
            task->received += in ? bytes : 0;
            task->sent += out ? bytes : 0;
            key.length = 0;
        }
    }
}

static void read_field(weir_json *json, const char *key, watch_task *task)
{
    char first = weir_json_peek(json);
    if (strcmp(key, "job") == 0) {
        set_text(json, &task->job);
    } else if (strcmp(key, "address") == 0) {
        set_text(json, &task->address);
    } else if (strcmp(key, "problem") == 0) {
        set_text(json, &task->problem);
    } else if (strcmp(key, "state") == 0) {
        WEIR_FREED char *state = read_text(json);
        task->up = strcmp(state, "up") == 0;
    } else if (strcmp(key, "traffic") == 0) {
        read_traffic(json, task);
    } else if (strcmp(key, "causes") == 0 || strcmp(key, "queues") == 0) {
        bool items = weir_json_open(json, '[');
        while (items && weir_json_item(json)) {
            watch_cause cause = read_cause(json);
            if (*key == 'c')
                weir_vec_push(&task->causes, cause);
            else
                weir_vec_push(&task->queues, cause);
        }
    } else if (first == '-' || (first >= '0' && first <= '9')) {
        double value = 0;
        weir_json_real(json, &value);
        weir_vec_push(&task->numbers, (watch_number){weir_strdup(key), value});
    } else {
        weir_json_skip(json);
    }
}

watch_task watch_task_read(weir_json *json)
{
    watch_task task = {
        .job = weir_strdup(""), .address = weir_strdup(""), .problem = weir_strdup("")};
    WEIR_BUF(key);
    bool more = weir_json_open(json, '{');
    while (more && weir_json_key(json, &key)) {
        WEIR_FREED char *name = weir_strndup(key.at, key.length);
        read_field(json, name, &task);
        key.length = 0;
    }
    task.index = (int)watch_value(&task, "index");
    return task;
}

static weir_status read_cluster(watch_cluster *out)
{
    weir_json json = weir_json_reader(weir_view(&out->json));
    WEIR_BUF(key);
    bool more = weir_json_open(&json, '{');
    while (more && weir_json_key(&json, &key)) {
        bool tasks = weir_str_is(weir_view(&key), "tasks");
        bool items = tasks && weir_json_open(&json, '[');
        while (items && weir_json_item(&json))
            weir_vec_push(&out->tasks, watch_task_read(&json));
        if (!tasks)
            weir_json_skip(&json);
        key.length = 0;
    }
    return weir_json_end(&json) ? WEIR_OK : weir_json_error(&json);
}

weir_status watch_cluster_get(const char *address, watch_cluster *out)
{
    weir_peer_get get = {.address = watch_address(address), .path = "/api/cluster"};
    if (get.address[0] == 0 || get.address[0] == '/')
        return weir_error(WEIR_NOT_FOUND, "'%s' is neither an address nor a folder that there is",
                          address);
    weir_peers_get(&get, 1, ASK_MS);
    *out = (watch_cluster){.json = get.body};
    weir_status status =
        get.status == 200
            ? read_cluster(out)
            : weir_error(WEIR_UNAVAILABLE, "%s shows nothing: %s", get.address,
                         get.problem ? get.problem : "it is no task of Weir, or WEIR_OBSERVE is 0");
    if (status)
        watch_cluster_fini(out);
    return status;
}

static void free_causes(watch_cause *causes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        weir_free(causes[i].kind);
        weir_free(causes[i].name);
        weir_free(causes[i].op);
    }
}

void watch_task_fini(watch_task *task)
{
    for (size_t i = 0; i < task->numbers.count; i++)
        weir_free(task->numbers.at[i].key);
    free_causes(task->causes.at, task->causes.count);
    free_causes(task->queues.at, task->queues.count);
    weir_vec_fini(&task->numbers);
    weir_vec_fini(&task->causes);
    weir_vec_fini(&task->queues);
    weir_free(task->job);
    weir_free(task->address);
    weir_free(task->problem);
}

void watch_cluster_fini(watch_cluster *cluster)
{
    for (size_t i = 0; i < cluster->tasks.count; i++)
        watch_task_fini(&cluster->tasks.at[i]);
    weir_vec_fini(&cluster->tasks);
    weir_buf_fini(&cluster->json);
}

/* ---- numbers -----------------------------------------------------------------------------------
 */

double watch_value(const watch_task *task, const char *key)
{
    for (size_t i = 0; i < task->numbers.count; i++)
        if (strcmp(task->numbers.at[i].key, key) == 0)
            return task->numbers.at[i].value;
    return NAN;
}

const watch_task *watch_before(const watch_cluster *before, const watch_task *task)
{
    for (size_t i = 0; i < before->tasks.count; i++) {
        const watch_task *other = &before->tasks.at[i];
        if (other->up && strcmp(other->job, task->job) == 0 && other->index == task->index &&
            watch_value(other, "pid") == watch_value(task, "pid"))
            return other;
    }
    return NULL;
}

double watch_rate(const watch_task *task, const watch_task *before, const char *key)
{
    if (!before)
        return NAN;
    double seconds = (watch_value(task, "now_us") - watch_value(before, "now_us")) * 1e-6;
    return seconds > 0 ? (watch_value(task, key) - watch_value(before, key)) / seconds : NAN;
}

static double above_zero(double value)
{
    return value > 0 ? value : 0;
}

watch_shares watch_shares_of(const watch_task *task, const watch_task *before)
{
    watch_shares s = {.recv = above_zero(watch_rate(task, before, "wait_recv_s")),
                      .resource = above_zero(watch_rate(task, before, "wait_resource_s")),
                      .other = above_zero(watch_rate(task, before, "wait_other_s")),
                      .send = above_zero(watch_rate(task, before, "send_s")),
                      .schedule = above_zero(watch_rate(task, before, "schedule_s")),
                      .between = above_zero(watch_rate(task, before, "between_s"))};
    s.compute = above_zero(watch_rate(task, before, "step_s") - s.recv - s.resource - s.other -
                           s.send - s.schedule);
    double sum = s.compute + s.recv + s.resource + s.other + s.send + s.schedule + s.between;
    double scale = sum > 0 ? 1 / sum : 0;
    return (watch_shares){s.compute * scale, s.recv * scale, s.resource * scale,
                          s.other * scale,   s.send * scale, s.schedule * scale,
                          s.between * scale};
}
