/* dist/cluster_json.c - clusters in TF_CONFIG and JSON files. */
#include "dist/cluster_config.h"
#include "wire/json.h"

/* A job's tasks: a list of addresses, or an object of indices and addresses. */
static weir_status read_job(weir_cluster_config *config, weir_json *json, const weir_buf *job)
{
    WEIR_BUF(key);
    WEIR_BUF(address);
    weir_status status = WEIR_OK;
    weir_str name = {job->at, job->length};
    bool list = weir_json_peek(json) == '[';
    weir_json_open(json, list ? '[' : '{');
    for (int64_t index = 0; !status; index++) {
        if (list ? !weir_json_item(json) : !weir_json_key(json, &key))
            break;
        if (!list) {
            weir_json number = weir_json_reader(weir_view(&key));
            if (!weir_json_int(&number, &index) || !weir_json_end(&number)) {
                status =
                    weir_error(WEIR_INVALID_ARGUMENT, "job '%s' has a task '%s'", job->at, key.at);
                break;
            }
        }
        if (!weir_json_string(json, &address))
            break;
        status = weir_cluster_config_add(config, name, index, weir_view(&address));
    }
    return status;
}

static weir_status read_jobs(weir_cluster_config *config, weir_json *json)
{
    WEIR_BUF(job);
    weir_status status = WEIR_OK;
    while (!status && weir_json_key(json, &job))
        status = read_job(config, json, &job);
    return status;
}

static void read_task(weir_cluster_config *config, weir_json *json)
{
    WEIR_BUF(key);
    WEIR_BUF(type);
    int64_t index = 0;
    weir_json_open(json, '{');
    while (weir_json_key(json, &key)) {
        if (strcmp(key.at, "type") == 0)
            weir_json_string(json, &type);
        else if (strcmp(key.at, "index") == 0)
            weir_json_int(json, &index);
        else
            weir_json_skip(json);
    }
    if (type.length) {
        weir_free(config->job);
        config->job = weir_buf_take(&type);
        config->index = index >= 0 && index <= WEIR_MAX_TASKS ? (int)index : -1;
    }
}

/* TF_CONFIG has "cluster"; a bare cluster has its jobs instead. */
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

weir_status weir_cluster_config_json(weir_cluster_config *config, weir_str json)
{
    weir_json j = weir_json_reader(json);
    WEIR_BUF(key);
    weir_status status = WEIR_OK;
    bool wrapped = is_wrapped(json);
    weir_json_open(&j, '{');
    if (!wrapped)
        status = read_jobs(config, &j);
    while (wrapped && !status && weir_json_key(&j, &key)) {
        if (strcmp(key.at, "cluster") == 0) {
            weir_json_open(&j, '{');
            status = read_jobs(config, &j);
        } else if (strcmp(key.at, "task") == 0) {
            read_task(config, &j);
        } else {
            weir_json_skip(&j);
        }
    }
    if (!status && !weir_json_end(&j))
        status = weir_json_error(&j);
    return status;
}
