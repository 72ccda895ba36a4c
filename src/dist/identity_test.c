/* dist/identity_test.c - a process's task by its flags, and the address that a task listens on. */
#include "dist/identity.h"

#include "base/test.h"

/* The result of |flags|: "cluster|job/index", or the error's message. */
static const char *found(const weir_task_flags *flags)
{
    static char text[1024];
    weir_cluster_config config = {0};
    weir_status status = weir_identity_find(flags, &config);
    WEIR_BUF(cluster);
    weir_cluster_config_print(&config, &cluster);
    if (status)
        snprintf(text, sizeof text, "%s", weir_status_message(status));
    else
        snprintf(text, sizeof text, "%s|%s/%d", cluster.at ? cluster.at : "",
                 config.job ? config.job : "", config.index);
    weir_status_free(status);
    weir_cluster_config_fini(&config);
    return text;
}

static void take(weir_task_flags *flags, const char *name, const char *value)
{
    CHECK(weir_is_task_flag(weir_str_of(name)));
    CHECK_OK(weir_task_flags_take(flags, weir_str_of(name), value));
}

TEST(a_task_is_named_by_flags)
{
    weir_task_flags flags = {WEIR_NO_TASK_FLAGS, .no_environment = true};
    CHECK(!weir_task_flags_given(&flags));
    CHECK_STR(found(&flags), "|/0"); /* alone */
    take(&flags, "ps_hosts", "a:1");
    CHECK(weir_task_flags_given(&flags));
    CHECK_STR(found(&flags), "ps=a:1|ps/0"); /* the only possible one */
    take(&flags, "worker_hosts", "b:1,c:1");
    CHECK(strstr(found(&flags), "3 tasks, and none is named"));
    take(&flags, "job_name", "worker");
    CHECK_STR(found(&flags), "ps=a:1;worker=b:1,c:1|worker/0");
    take(&flags, "task_index", "1");
    CHECK_STR(found(&flags), "ps=a:1;worker=b:1,c:1|worker/1");
    take(&flags, "task_index", "2");
    CHECK(strstr(found(&flags), "Task 2 was not defined in job \"worker\""));
    flags.may_be_outside = true;
    CHECK_STR(found(&flags), "ps=a:1;worker=b:1,c:1|worker/2");
    weir_task_flags_fini(&flags);
}

TEST(wrong_flags_are_refused)
{
    weir_task_flags flags = {WEIR_NO_TASK_FLAGS, .no_environment = true};
    CHECK(!weir_is_task_flag(weir_str_of("steps")) && !weir_is_task_flag(weir_str_of("_hosts")));
    CHECK_FAILS(weir_task_flags_take(&flags, weir_str_of("task_index"), "x"), WEIR_INVALID_ARGUMENT,
                "--task_index x");
    CHECK_FAILS(weir_task_flags_take(&flags, weir_str_of("ps"), "-1"), WEIR_INVALID_ARGUMENT,
                "--ps -1");
    take(&flags, "ps_hosts", "a");
    CHECK(strstr(found(&flags), "not host:port"));
    weir_task_flags_fini(&flags);
}

TEST(a_task_listens_on_loopback_if_its_address_is)
{
    static const char *const rows[][2] = {
        {"localhost:1", "127.0.0.1"}, {"127.0.0.1:1", "127.0.0.1"}, {"127.0.0.5:1", "127.0.0.5"},
        {"[::1]:1", "::1"},           {"machine:1", NULL},          {"10.0.0.1:1", NULL},
        {"[2001:db8::1]:1", NULL}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char *host = weir_listen_host(rows[i][0]);
        CHECK_STR(host, rows[i][1] ? rows[i][1] : weir_any_host());
        weir_free(host);
    }
}

TEST_MAIN()
