/* capi/server_test.c - TF_Server, and sessions on a server of the same process. */
#include <arpa/inet.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/test.h"
#include "tensorflow/c/c_api.h"
#include "weir/embed.h"
#include "weir/graph.h"
#include "wire/messages.h"

static TF_Status *status;
#define CHECK_GOOD() CHECK_MSG(TF_GetCode(status) == TF_OK, "%s", TF_Message(status))

/* A ServerDef of one task of job "local". */
static TF_Server *make_server_at(const char *address, const char *protocol)
{
    weir_msg_job_def_tasks_entry task = {.value = weir_str_of(address)};
    weir_msg_job_def job = {.name = weir_str_of("local"), .tasks = {&task, 1}};
    weir_msg_cluster_def cluster = {.job = {&job, 1}};
    WEIR_BUF(def);
    weir_msg_server_def_write(&(weir_msg_server_def){.cluster = &cluster,
                                                     .job_name = weir_str_of("local"),
                                                     .protocol = weir_str_of(protocol)},
                              &def);
    return TF_NewServer(def.at, def.length, status);
}

static TF_Server *make_server(const char *protocol)
{
    return make_server_at("localhost:0", protocol);
}

typedef struct sum {
    TF_Graph *graph;
    weir_builder *b;
    TF_Output x, y;
    TF_Session *session;
} sum;

/* y = x + x on |target|, over the network when |remote|. */
static sum make_sum(const char *target, bool remote)
{
    sum sum = {.graph = TF_NewGraph()};
    sum.b = weir_build_new(sum.graph);
    sum.x = weir_build_placeholder(sum.b, "x", TF_FLOAT, 0, NULL);
    sum.y = weir_build_op(sum.b, "AddV2", "y", WEIR_INPUTS(sum.x, sum.x));
    TF_SessionOptions *options = TF_NewSessionOptions();
    TF_SetTarget(options, target);
    WEIR_BUF(config);
    weir_msg_rpc_options rpc = {.use_rpc_for_inprocess_master = remote};
    weir_msg_config_proto_write(&(weir_msg_config_proto){.rpc_options = &rpc}, &config);
    TF_SetConfig(options, config.at, config.length, status);
    sum.session = TF_NewSession(sum.graph, options, status);
    TF_DeleteSessionOptions(options);
    CHECK_GOOD();
    return sum;
}

static float run(sum *sum, float x)
{
    TF_Output fetches[] = {sum->y, sum->x, sum->y};
    TF_Tensor *in = TF_AllocateTensor(TF_FLOAT, NULL, 0, sizeof x), *out[3];
    *(float *)TF_TensorData(in) = x;
    TF_SessionRun(sum->session, NULL, &sum->x, &in, 1, fetches, out, 3, NULL, 0, NULL, status);
    TF_DeleteTensor(in);
    if (TF_GetCode(status) != TF_OK)
        return -1;
    float y = *(float *)TF_TensorData(out[0]), again = *(float *)TF_TensorData(out[2]);
    CHECK_NEAR(*(float *)TF_TensorData(out[1]), x, 0);
    CHECK_NEAR(again, y, 0);
    for (int i = 0; i < 3; i++)
        TF_DeleteTensor(out[i]);
    return y;
}

static void end(sum *sum)
{
    TF_DeleteSession(sum->session, status);
    weir_build_delete(sum->b);
    TF_DeleteGraph(sum->graph);
}

TEST(what_is_no_server_is_refused)
{
    CHECK(!TF_NewServer("\xff\xff", 2, status));
    CHECK_EQ(TF_GetCode(status), TF_INVALID_ARGUMENT);
    CHECK(strstr(TF_Message(status), "ServerDef") != NULL);
    CHECK(!make_server("carrier pigeon"));
    CHECK_EQ(TF_GetCode(status), TF_NOT_FOUND);
    CHECK(strstr(TF_Message(status), "No server factory registered") != NULL);
    CHECK(!TF_NewServer("", 0, status));
    CHECK(TF_GetCode(status) != TF_OK);
    TF_DeleteServer(NULL);
}

/* Whether something listens on the server's port at |host|. */
static bool answers(TF_Server *server, const char *host)
{
    int port = atoi(strrchr(TF_ServerTarget(server), ':') + 1);
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    CHECK_EQ(inet_pton(AF_INET, host, &to.sin_addr), 1);
    bool connected = connect(fd, (struct sockaddr *)&to, sizeof to) == 0;
    close(fd);
    return connected;
}

/* Another address of this machine represents the one by which others reach it. */
TEST(a_server_listens_where_its_own_address_is)
{
    static const struct {
        const char *address;
        bool at_home, elsewhere;
    } rows[] = {{"localhost:0", true, false},
                {"127.0.0.1:0", true, false},
                {"[::1]:0", false, false},
                {"machine:0", true, true}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        TF_Server *server = make_server_at(rows[i].address, "grpc");
        if (!server) /* no IPv6 here */
            continue;
        CHECK_EQ(answers(server, "127.0.0.1"), rows[i].at_home);
        CHECK_EQ(answers(server, "127.0.0.2"), rows[i].elsewhere);
        TF_DeleteServer(server);
    }
}

static void *join(void *server)
{
    TF_Status *own = TF_NewStatus();
    TF_ServerJoin(server, own);
    CHECK_EQ(TF_GetCode(own), TF_OK);
    TF_DeleteStatus(own);
    return NULL;
}

TEST(servers_start_serve_and_stop)
{
    TF_Server *server = make_server("grpc");
    CHECK_GOOD();
    TF_ServerJoin(server, status);
    CHECK_EQ(TF_GetCode(status), TF_INVALID_ARGUMENT); /* not started */
    TF_ServerStart(server, status);
    CHECK_GOOD();
    CHECK(strncmp(TF_ServerTarget(server), "grpc://localhost:", 17) == 0);
    for (int remote = 0; remote < 2; remote++) {
        sum s = make_sum(TF_ServerTarget(server), remote);
        for (int i = 0; i < 5; i++)
            CHECK_NEAR(run(&s, (float)i), 2 * i, 0);
        TF_Output z = weir_build_op(s.b, "Neg", "z", &s.y, 1);
        s.y = z; /* sent before the next step */
        CHECK_NEAR(run(&s, 3), -6, 0);
        TF_DeviceList *devices = TF_SessionListDevices(s.session, status);
        CHECK_EQ(TF_DeviceListCount(devices), 1);
        CHECK_STR(TF_DeviceListName(devices, 0, status),
                  "/job:local/replica:0/task:0/device:CPU:0");
        TF_DeleteDeviceList(devices);
        TF_CloseSession(s.session, status);
        CHECK_GOOD();
        run(&s, 1);
        CHECK_EQ(TF_GetCode(status), TF_CANCELLED);
        end(&s);
    }
    pthread_t waiting;
    pthread_create(&waiting, NULL, join, server);
    TF_ServerStop(server, status);
    CHECK_GOOD();
    pthread_join(waiting, NULL);
    TF_ServerStart(server, status);
    CHECK_EQ(TF_GetCode(status), TF_FAILED_PRECONDITION);
    TF_DeleteServer(server);
}

TEST(sessions_of_a_server_that_was_reset_are_gone)
{
    TF_Server *server = make_server("grpc");
    TF_ServerStart(server, status);
    sum s = make_sum(TF_ServerTarget(server), false);
    CHECK_NEAR(run(&s, 1), 2, 0);
    TF_SessionOptions *o = TF_NewSessionOptions();
    TF_SetTarget(o, TF_ServerTarget(server));
    TF_Reset(o, NULL, 0, status);
    CHECK_GOOD();
    TF_DeleteSessionOptions(o);
    run(&s, 1);
    CHECK_EQ(TF_GetCode(status), TF_ABORTED);
    end(&s);
    TF_DeleteServer(server);
}

static void count_release(void *data, size_t bytes, void *arg)
{
    atomic_fetch_add((atomic_int *)arg, 1);
}

/* A step that is made once, and finds the server's session again for each run. */
TEST(fixed_steps_run_there_too)
{
    TF_Server *server = make_server("grpc");
    TF_ServerStart(server, status);
    for (int remote = 0; remote < 2; remote++) {
        sum s = make_sum(TF_ServerTarget(server), remote);
        weir_fixed_step *step = weir_fixed_step_new(s.session, &s.x, 1, &s.y, 1, NULL, 0, status);
        CHECK_GOOD();
        _Alignas(64) float x;
        atomic_int calls = 0;
        int expected = 0;
        for (int i = 0; i < 3; i++) {
            weir_fed fed = {.dtype = TF_FLOAT,
                            .data = &x,
                            .len = sizeof x,
                            .release = count_release,
                            .arg = &calls};
            TF_Tensor *out = NULL;
            x = (float)i;
            weir_fixed_step_run(step, &fed, &out, status);
            CHECK_GOOD();
            CHECK(out && *(float *)TF_TensorData(out) == 2 * (float)i);
            TF_DeleteTensor(out);
            expected += !fed.returned;
        }
        weir_fixed_step_delete(step);
        end(&s);
        for (int i = 0; i < 20000 && atomic_load(&calls) < expected; i++)
            usleep(1000);
        CHECK_EQ(atomic_load(&calls), expected);
    }
    TF_DeleteServer(server);
}

static void *many(void *arg)
{
    sum *sum = arg;
    TF_Status *own = TF_NewStatus();
    for (int i = 0; i < 200; i++) {
        TF_Tensor *in = TF_AllocateTensor(TF_FLOAT, NULL, 0, sizeof(float)), *out;
        *(float *)TF_TensorData(in) = (float)i;
        TF_SessionRun(sum->session, NULL, &sum->x, &in, 1, &sum->y, &out, 1, NULL, 0, NULL, own);
        CHECK(out && *(float *)TF_TensorData(out) == 2 * (float)i);
        TF_DeleteTensor(in);
        if (out)
            TF_DeleteTensor(out);
    }
    TF_DeleteStatus(own);
    return NULL;
}

TEST(many_threads_run_steps_of_one_session)
{
    TF_Server *server = make_server("grpc");
    TF_ServerStart(server, status);
    for (int remote = 0; remote < 2; remote++) {
        sum s = make_sum(TF_ServerTarget(server), remote);
        pthread_t threads[4];
        for (int i = 0; i < 4; i++)
            pthread_create(&threads[i], NULL, many, &s);
        for (int i = 0; i < 4; i++)
            pthread_join(threads[i], NULL);
        end(&s);
    }
    TF_DeleteServer(server);
}

TEST(sessions_by_name_run_there_too)
{
    TF_Server *server = make_server("grpc");
    sum s = make_sum("", false); /* only for its graph */
    TF_Buffer *def = TF_NewBuffer();
    TF_GraphToGraphDef(s.graph, def, status);
    TF_SessionOptions *o = TF_NewSessionOptions();
    TF_SetTarget(o, TF_ServerTarget(server));
    TF_DeprecatedSession *named = TF_NewDeprecatedSession(o, status);
    CHECK_GOOD();
    TF_ExtendGraph(named, def->data, def->length, status);
    CHECK_GOOD();
    const char *x = "x:0", *y = "y:0";
    TF_Tensor *in = TF_AllocateTensor(TF_FLOAT, NULL, 0, sizeof(float)), *out = NULL;
    *(float *)TF_TensorData(in) = 4;
    TF_Run(named, NULL, &x, &in, 1, &y, &out, 1, NULL, 0, NULL, status);
    CHECK_GOOD();
    CHECK(out && *(float *)TF_TensorData(out) == 8);
    TF_DeleteTensor(in);
    TF_DeleteTensor(out);
    TF_CloseDeprecatedSession(named, status);
    CHECK_GOOD();
    TF_DeleteDeprecatedSession(named, status);
    TF_DeleteSessionOptions(o);
    TF_DeleteBuffer(def);
    end(&s);
    TF_DeleteServer(server);
}

int main(int argc, char **argv)
{
    status = TF_NewStatus();
    int result = weir_test_main(argc, argv);
    TF_DeleteStatus(status);
    return result;
}
