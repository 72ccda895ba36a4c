/* fuzz/cluster.c - any text as a description of a cluster: the first byte says in which form. */
#include "dist/cluster_config.h"

static weir_status read_slurm(weir_cluster_config *c, weir_str text)
{
    char *copy = weir_strndup(text.at, text.length), *end = copy + strlen(copy);
    const char *fields[4]; /* cut at newlines */
    for (int i = 0; i < 4; i++) {
        char *line = copy;
        for (int k = 0; k < i && *line; k++)
            line += strcspn(line, "\n") + (line + strcspn(line, "\n") < end);
        fields[i] = weir_strndup(line, strcspn(line, "\n"));
    }
    weir_slurm slurm = {.job_id = "7",
                        .step_id = "0",
                        .rank = "0",
                        .nodes = fields[0],
                        .tasks = fields[1],
                        .tasks_per_node = fields[2],
                        .ports = fields[3]};
    weir_status s = weir_cluster_config_slurm(c, &slurm, 1);
    for (int i = 0; i < 4; i++)
        weir_free((void *)fields[i]);
    weir_free(copy);
    return s;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static weir_status (*const readers[])(weir_cluster_config * c, weir_str text) = {
        weir_cluster_config_spec, weir_cluster_config_json, weir_cluster_config_server_def,
        read_slurm};
    if (size == 0)
        return 0;
    weir_cluster_config c = {0};
    weir_buf spec = {0};
    weir_status_free(readers[data[0] % 4](&c, (weir_str){(const char *)data + 1, size - 1}));
    weir_cluster_config_print(&c, &spec);
    weir_buf_fini(&spec);
    weir_cluster_config_fini(&c);
    return 0;
}
