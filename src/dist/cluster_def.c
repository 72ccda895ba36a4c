/* dist/cluster_def.c - ServerDef messages, as bytes or in text format. */
#include <ctype.h>

#include "dist/cluster_config.h"
#include "wire/messages.h"

static weir_status add_job(weir_cluster_config *config, const weir_msg_job_def *job)
{
    for (size_t i = 0; i < job->tasks.count; i++)
        WEIR_TRY(weir_cluster_config_add(config, job->name, job->tasks.at[i].key,
                                         job->tasks.at[i].value));
    return WEIR_OK;
}

static weir_status add_server(weir_cluster_config *config, const weir_msg_server_def *def)
{
    enum { MAX_PORT = 65535 };
    for (size_t i = 0; def->cluster && i < def->cluster->job.count; i++)
        WEIR_TRY(add_job(config, &def->cluster->job.at[i]));
    if (def->job_name.length) {
        weir_free(config->job);
        config->job = weir_strndup(def->job_name.at, def->job_name.length);
    }
    config->index = def->task_index <= WEIR_MAX_TASKS ? def->task_index : -1;
    config->port = def->port <= MAX_PORT ? def->port : -1;
    if (def->default_session_config)
        weir_msg_config_proto_write(def->default_session_config, &config->session_config);
    return WEIR_OK;
}

/* A serialised message contains tags, which are control characters, if it has a task. */
static bool is_text(weir_str def)
{
    for (size_t i = 0; i < def.length; i++)
        if ((unsigned char)def.at[i] < ' ' && !isspace((unsigned char)def.at[i]))
            return false;
    return true;
}

weir_status weir_cluster_config_server_def(weir_cluster_config *config, weir_str def)
{
    WEIR_MESSAGE_ARENA(arena);
    WEIR_BUF(bytes);
    weir_msg_server_def server;
    if (is_text(def)) {
        WEIR_TRY(weir_message_parse(&weir_message_types[WEIR_INDEX_server_def], def, &bytes));
        def = weir_view(&bytes);
    }
    WEIR_TRY(weir_msg_server_def_read(def, &arena, &server));
    return add_server(config, &server);
}
