/* cli/server.c - weir server: one task that TensorFlow's clients can connect to. */
#include <signal.h>
#include <stdio.h>

#include "cli/cli.h"
#include "dist/server.h"

int weir_cli_server(int argc, char **argv)
{
    weir_server_options o = {0};
    long port = 0;
    const char *job = "localhost";
    const weir_option options[] = {
        {"port", 'p', "PORT", "listen on this port (default: any free one)", .number = &port},
        {"listen", 0, "HOST", "listen on this address (default: 127.0.0.1, this machine only)",
         .text = &o.host},
        {"job_name", 0, "JOB", "this task's job (default: localhost)", .text = &job},
    };
    const weir_usage usage = {
        .command = "server",
        .about = "Runs the graphs of TensorFlow clients: a Python program with tf.compat.v1 "
                 "connects by\n"
                 "tf.Session('grpc://HOST:PORT'). Prints that target when it is ready and serves\n"
                 "until it is interrupted.",
        .options = options,
        .option_count = sizeof options / sizeof *options,
    };
    weir_parsed parsed = weir_cli_parse(&usage, &argc, argv);
    if (parsed != WEIR_PARSED)
        return parsed == WEIR_PARSED_HELP ? WEIR_EXIT_OK : WEIR_EXIT_USAGE;
    if (port > 65535)
        return weir_cli_misuse("server", "there is no port %ld", port);
    o.port = (int)port;
    sigset_t stop;
    sigemptyset(&stop);
    sigaddset(&stop, SIGINT);
    sigaddset(&stop, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &stop, NULL); /* before any thread starts, so that all inherit it */
    o.cluster = weir_cluster_create();
    weir_status s = weir_cluster_add(o.cluster, job, 0, "localhost:0");
    if (!s)
        s = weir_cluster_seal(o.cluster, job, 0);
    weir_server *server = NULL;
    if (!s)
        s = weir_server_start(&o, &server);
    weir_cluster_release(o.cluster);
    if (s)
        return weir_cli_fail_status(
            "Check --listen; choose another --port, or leave it out to get a free one.", s);
    printf("%s\n", weir_server_target(server));
    fflush(stdout);
    int signal_number;
    sigwait(&stop, &signal_number);
    weir_server_destroy(server);
    return WEIR_EXIT_OK;
}
