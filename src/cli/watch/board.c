/* cli/watch/board.c - weir board: serves scalars, histograms, images and checkpoints of a
 * folder. */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>

#include "command/command.h"
#include "dash/board.h"
#include "dash/dash.h"
#include "io/event_folders.h"
#include "io/file.h"
#include "net/rpc.h"

typedef struct board_args {
    long port;
    const char *listen;
} board_args;

/* ---- the site -----------------------------------------------------------------------------------
 */

/* The page of a task, configured to show files. */
static void get_page(weir_http_reply *reply)
{
    static const char plain[] = "<html lang=\"en\"", mark[] = " data-board";
    weir_http_reply page = {0};
    weir_dash_asset(WEIR_STR("/"), &page);
    const char *at = memmem(page.body.at, page.body.length, plain, sizeof plain - 1);
    size_t before = (size_t)(at - page.body.at) + sizeof plain - 1;
    reply->type = page.type;
    reply->policy = page.policy;
    memcpy(reply->nonce, page.nonce, sizeof page.nonce);
    weir_buf_add(&reply->body, page.body.at, before);
    weir_buf_adds(&reply->body, mark);
    weir_buf_add(&reply->body, page.body.at + before, page.body.length - before);
    weir_buf_fini(&page.body);
}

static void answer(void *ctx, const weir_http_request *request, weir_http_reply *reply)
{
    if (weir_str_is(request->path, "/")) {
        get_page(reply);
    } else if (weir_str_is(request->path, "/healthz")) {
        weir_buf_adds(&reply->body, "ok\n");
    } else if (!weir_board_answer(request, reply) && !weir_dash_asset(request->path, reply)) {
        reply->status = 404;
        weir_buf_adds(&reply->body, "there is nothing under this path\n");
    }
}

/* ---- the command --------------------------------------------------------------------------------
 */

static int board(void *args, int argc, char **argv)
{
    const board_args *a = args;
    if (!weir_path_is_dir(argv[0]))
        return weir_cli_fail("Give the folder where a program writes its event files.",
                             "'%s' is no folder", argv[0]);
    sigset_t stop;
    sigemptyset(&stop);
    sigaddset(&stop, SIGINT);
    sigaddset(&stop, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &stop, NULL);
    weir_event_folder_note(argv[0]);
    weir_http_site site = {.answer = answer};
    weir_rpc_server *server;
    weir_status status = weir_rpc_listen(
        &(weir_rpc_options){.host = a->listen, .port = (int)a->port, .http = &site}, &server);
    if (status)
        return weir_cli_fail_status(weir_status_code(status) == WEIR_ALREADY_EXISTS
                                        ? "Choose another port by --port."
                                        : "--listen needs an address or name of this machine.",
                                    status);
    printf("http://%s:%d/\n", a->listen ? a->listen : "localhost", weir_rpc_port(server));
    fflush(stdout);
    int number;
    sigwait(&stop, &number);
    weir_rpc_server_destroy(server);
    return WEIR_EXIT_OK;
}

static const weir_option options[] = {
    {"port", 'p', "PORT", "listen on this port; 0: any free one", WEIR_INDEX(board_args, port),
     .most = WEIR_MOST_PORT},
    {"listen", 0, "HOST", "listen on this address (default: loopback)",
     WEIR_TEXT(board_args, listen)},
};

const weir_command weir_command_board = {
    .name = "board",
    .summary = "show event files and checkpoints in a browser",
    .words = "DIR",
    .least = 1,
    .most = 1,
    .hint = WEIR_HINT_FOLDER,
    .about =
        "Serves a page with the scalars, histograms and images of all event files below DIR, "
        "each folder as a run, and lists the checkpoints. Prints the address of the page, which "
        "updates as files are written. Runs until interrupted.",
    WEIR_OPTIONS(options),
    WEIR_ARGS(board_args),
    .run = board,
};
