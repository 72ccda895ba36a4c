/* dist/cluster_json.c - clusters as TF_CONFIG and files describe them. */
#include "dist/cluster_config.h"
#include "wire/json.h"

/* A job's tasks: a list of addresses, or an object of indices and addresses. */
static weir_status read_job(weir_cluster_config *c, weir_json *j, const weir_buf *job)
{
    WEIR_BUF(key);
    WEIR_BUF(address);
    weir_status s = WEIR_OK;
    weir_str name = {job->at, job->length};
    bool list = weir_json_peek(j) == '[';
    weir_json_open(j, list ? '[' : '{');
    for (int64_t index = 0; !s; index++) {
        if (list ? !weir_json_item(j) : !weir_json_key(j, &key))
            break;
        if (!list) {
            weir_json number = weir_json_reader(weir_view(&key));
            if (!weir_json_int(&number, &index) || !weir_json_end(&number)) {
                s = weir_error(WEIR_INVALID_ARGUMENT, "job '%s' has a task '%s'", job->at, key.at);
                break;
            }
        }
        if (!weir_json_string(j, &address))
            break;
        s = weir_cluster_config_add(c, name, index, weir_view(&address));
    }
    return s;
}

static weir_status read_jobs(weir_cluster_config *c, weir_json *j)
{
    WEIR_BUF(job);
    weir_status s = WEIR_OK;
    while (!s && weir_json_key(j, &job))
        s = read_job(c, j, &job);
    return s;
}

static void read_task(weir_cluster_config *c, weir_json *j)
{
    WEIR_BUF(key);
    WEIR_BUF(type);
    int64_t index = 0;
    weir_json_open(j, '{');
    while (weir_json_key(j, &key)) {
        if (strcmp(key.at, "type") == 0)
            weir_json_string(j, &type);
        else if (strcmp(key.at, "index") == 0)
            weir_json_int(j, &index);
        else
            weir_json_skip(j);
    }
    if (type.length) {
        weir_free(c->job);
        c->job = weir_buf_take(&type);
        c->index = index >= 0 && index <= WEIR_MAX_TASKS ? (int)index : -1;
    }
}

/* TF_CONFIG's form has "cluster"; a bare cluster has its jobs there. */
static bool is_wrapped(weir_str json)
{
    weir_json j = weir_json_reader(json);
    WEIR_BUF(key);
    bool wrapped = false;
    weir_json_open(&j, '{');
    while (weir_json_key(&j, &key)) {
        wrapped |= (strcmp(key.at, "cluster") == 0 && weir_json_peek(&j) == '{') ||
                   (strcmp(key.at, "task") == 0 && weir_json_peek(&j) == '{');
        weir_json_skip(&j);
    }
    return wrapped;
}

weir_status weir_cluster_config_json(weir_cluster_config *c, weir_str json)
{
    weir_json j = weir_json_reader(json);
    WEIR_BUF(key);
    weir_status s = WEIR_OK;
    bool wrapped = is_wrapped(json);
    weir_json_open(&j, '{');
    if (!wrapped)
        s = read_jobs(c, &j);
    while (wrapped && !s && weir_json_key(&j, &key)) {
        if (strcmp(key.at, "cluster") == 0) {
            weir_json_open(&j, '{');
            s = read_jobs(c, &j);
        } else if (strcmp(key.at, "task") == 0) {
            read_task(c, &j);
        } else {
            weir_json_skip(&j);
        }
    }
    if (!s && !weir_json_end(&j))
        s = weir_json_error(&j);
    return s;
}
