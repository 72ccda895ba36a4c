/* dist/cluster_config_test.c - clusters from flags, JSON, ServerDefs and Slurm's variables. */
#include "dist/cluster_config.h"

#include "base/test.h"
#include "wire/messages.h"

/* The result of |status| in one line: the cluster, then "|job/index"; or the error's message. */
static char *shown(weir_cluster_config *config, weir_status status)
{
    static char text[4096];
    WEIR_BUF(out);
    weir_cluster_config_print(config, &out);
    if (status)
        snprintf(text, sizeof text, "%s", weir_status_message(status));
    else if (config->job)
        snprintf(text, sizeof text, "%s|%s/%d", out.at ? out.at : "", config->job, config->index);
    else
        snprintf(text, sizeof text, "%s", out.at ? out.at : "");
    weir_status_free(status);
    weir_cluster_config_fini(config);
    return text;
}

typedef weir_status reader(weir_cluster_config *config, weir_str text);

static const char *read(reader *r, const char *text)
{
    weir_cluster_config config = {0};
    weir_status status = r(&config, weir_str_of(text));
    return shown(&config, status);
}

TEST(specs)
{
    const char *same[] = {"ps=a:1,b:2;worker=c:3", "worker=3@c:3,7@d:4", "a=[::1]:5"};
    for (int i = 0; i < 3; i++)
        CHECK_STR(read(weir_cluster_config_spec, same[i]), same[i]);
    CHECK_STR(read(weir_cluster_config_spec, " ps = a:1 , b:2 ;; worker="), "ps=a:1,b:2");
    CHECK(strstr(read(weir_cluster_config_spec, "ps"), "'ps' is not job="));
    CHECK(strstr(read(weir_cluster_config_spec, "ps=a"), "is 'a', not host:port"));
    CHECK(strstr(read(weir_cluster_config_spec, "ps=a:1,,b:2"), "is '', not host:port"));
    CHECK(strstr(read(weir_cluster_config_spec, "ps=a:99999"), "not host:port"));
    CHECK(strstr(read(weir_cluster_config_spec, "ps=x@a:1"), "'x' is no task index"));
    CHECK(strstr(read(weir_cluster_config_spec, "ps=-1@a:1"), "no task -1"));
    CHECK(strstr(read(weir_cluster_config_spec, "=a:1"), "no name"));
}

TEST(json)
{
    reader *r = weir_cluster_config_json;
    CHECK_STR(read(r, "{\"ps\": [\"a:1\", \"b:2\"], \"worker\": {\"4\": \"c:3\"}}"),
              "ps=a:1,b:2;worker=4@c:3");
    CHECK_STR(read(r, "{\"cluster\": {\"chief\": [\"a:1\"]}, \"task\": {\"type\": \"chief\", "
                      "\"index\": 0}, \"environment\": {\"x\": [1, 2.5e3, null, true, {}]}}"),
              "chief=a:1|chief/0");
    CHECK_STR(read(r, "{\"task\": {\"index\": \"3\", \"type\": \"worker\"},\n"
                      "\"cluster\": {\"worker\": [\"\\u0061:1\"]}}"),
              "worker=a:1|worker/3");
    CHECK_STR(read(r, "{}"), "");
    const char *broken[] = {
        "",
        "{",
        "[]",
        "{\"ps\"}",
        "{\"ps\": 3}",
        "{\"ps\": [\"a:1\" \"b:2\"]}",
        "{\"ps\": [\"a:1\"]",
        "{\"ps\": [\"a:1\"]} x",
        "{\"ps\": [\"a:1]}",
        "{\"ps\": [\"\\u00g0:1\"]}",
        "{\"cluster\": {\"ps\": []}, \"task\": {\"index\": 99999999999999999999}}"};
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++)
        CHECK_MSG(strstr(read(r, broken[i]), "is missing at character"), "%s", broken[i]);
    CHECK(strstr(read(r, "{\"ps\": {\"x\": \"a:1\"}}"), "has a task 'x'"));
    WEIR_BUF(deep);
    weir_buf_adds(&deep, "{\"task\": {\"x\": ");
    for (int i = 0; i < 100000; i++)
        weir_buf_addc(&deep, '[');
    CHECK(strstr(read(r, deep.at), "less nesting"));
}

TEST(server_defs)
{
    reader *r = weir_cluster_config_server_def;
    const char *def = "cluster {\n  job {\n    name: \"ps\"\n    tasks {\n      key: 0\n"
                      "      value: \"a:1\"\n    }\n  }\n"
                      "  job { name: 'worker' tasks < key: 2, value: 'c:3' >; tasks { value: "
                      "\"b:2\" } }\n}\n# done\njob_name: \"worker\"\ntask_index: 2\n"
                      "protocol: \"grpc\" default_session_config { device_count { key: \"CPU\" "
                      "value: 2 } gpu_options { visible_device_list: \"1\" } }\n";
    CHECK_STR(read(r, def), "ps=a:1;worker=2@c:3,0@b:2|worker/2");
    CHECK_STR(read(r, ""), "");
    const char *broken[] = {"cluster { job {", "job_name \"ps", "\n}", "task_index: x", "a: 1"};
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++)
        CHECK_MSG(strstr(read(r, broken[i]), "line "), "%s: %s", broken[i], read(r, broken[i]));

    WEIR_BUF(b);
    weir_msg_job_def_tasks_entry task = {.key = 3, .value = WEIR_STR("a:1")};
    weir_msg_job_def job = {.name = WEIR_STR("ps"), .tasks = {&task, 1}};
    weir_msg_cluster_def cluster = {.job = {&job, 1}};
    weir_msg_server_def_write(
        &(weir_msg_server_def){.cluster = &cluster, .job_name = WEIR_STR("ps"), .task_index = 3},
        &b);
    for (size_t n = 0; n <= b.length; n++) { /* complete, and truncated anywhere */
        weir_cluster_config c = {0};
        weir_status s = r(&c, (weir_str){b.at, n});
        const char *text = shown(&c, s);
        if (n == b.length)
            CHECK_STR(text, "ps=3@a:1|ps/3");
    }
}

static const char *slurm(weir_slurm env, int ps)
{
    weir_cluster_config config = {0};
    env.job_id = "1";
    env.step_id = "0";
    weir_status status = weir_cluster_config_slurm(&config, &env, ps);
    return shown(&config, status);
}

TEST(slurm_steps)
{
    CHECK_STR(slurm((weir_slurm){.nodes = "n[1-2]",
                                 .tasks = "4",
                                 .rank = "2",
                                 .tasks_per_node = "2(x2)",
                                 .ports = "12000-12003"},
                    1),
              "ps=n1:12000;worker=n1:12001,n2:12002,n2:12003|worker/1");
    CHECK_STR(slurm((weir_slurm){.nodes = "n[08-10,12]x,m",
                                 .tasks = "6",
                                 .rank = "0",
                                 .tasks_per_node = "1(x4),2",
                                 .ports = "1-4,7,9"},
                    2),
              "ps=n08x:1,n09x:2;worker=n10x:3,n12x:4,m:7,m:9|ps/0");
    CHECK_STR(slurm((weir_slurm){.nodes = "a,b",
                                 .tasks = "3",
                                 .rank = "2",
                                 .tasks_per_node = "2,1",
                                 .ports = "1-3",
                                 .distribution = "cyclic"},
                    1),
              "ps=a:1;worker=b:2,a:3|worker/1");
    /* Too few reserved ports: those derived from the job's id. */
    CHECK_STR(slurm((weir_slurm){.nodes = "a", .tasks = "2", .rank = "1", .ports = "5-5"}, 1),
              "ps=a:14100;worker=a:14101|worker/0");
    CHECK_STR(
        slurm((weir_slurm){.nodes = "r[1-2]n[1-2]", .tasks = "4", .rank = "3", .ports = "1-4"}, 0),
        "worker=r1n1:1,r1n2:2,r2n1:3,r2n2:4|worker/3");
    const char *broken[] = {"n[1", "n[]", "n[3-1]", "n[1-", "", ",", "n[a]", "n[1-999999999]"};
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
        const char *said = slurm((weir_slurm){.nodes = broken[i], .tasks = "1", .rank = "0"}, 0);
        CHECK_MSG(strstr(said, "cannot read") || strstr(said, "none a worker") ||
                      strstr(said, "together"),
                  "%s: %s", broken[i], said);
    }
    weir_slurm two = {.nodes = "a,b", .tasks = "2", .rank = "0"};
    CHECK(strstr(slurm(two, 2), "none a worker"));
    two.tasks_per_node = "3,1";
    CHECK(strstr(slurm(two, 1), "together 4"));
    two.rank = "2";
    CHECK(strstr(slurm(two, 1), "SLURM_PROCID='2'"));
}

TEST_MAIN()
