/* cli/watch/board.c - weir board: scalars, histograms, images and checkpoints of a folder, served.
 */
#include <inttypes.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/mutex.h"
#include "cli/watch/board_files.h"
#include "command/command.h"
#include "dash/dash.h"
#include "io/file.h"
#include "net/rpc.h"
#include "wire/json.h"

enum { MOST_POINTS = 1000 }; /* of a tag, sent */

typedef struct board_args {
    long port;
    const char *listen;
} board_args;

static weir_mutex lock = WEIR_MUTEX_INIT;
static board_files files WEIR_GUARDED_BY(lock);

/* ---- JSON ---------------------------------------------------------------------------------------
 */

static void put_real(weir_buf *out, double value)
{
    if (isfinite(value))
        weir_buf_addf(out, "%.9g", value);
    else
        weir_buf_adds(out, "null");
}

static void drop_comma(weir_buf *out)
{
    if (out->at[out->length - 1] == ',')
        out->length--;
}

/* The last point, and of the others every so many. */
static void put_points(const board_tag *tag, weir_buf *out)
{
    size_t every = tag->points.count / MOST_POINTS + 1;
    for (size_t i = 0; i < tag->points.count; i++) {
        const board_point *point = &tag->points.at[i];
        if (i % every && i + 1 < tag->points.count)
            continue;
        weir_buf_addf(out, "[%" PRId64 ",%.3f,", point->step, point->time);
        put_real(out, point->value);
        weir_buf_adds(out, "],");
    }
    drop_comma(out);
}

static void put_histogram(const board_tag *tag, weir_buf *out)
{
    weir_buf_adds(out, "{\"tag\":");
    weir_json_put_string(out, weir_str_of(tag->name));
    weir_buf_addf(out, ",\"step\":%" PRId64 ",\"min\":", tag->step);
    put_real(out, tag->least);
    weir_buf_adds(out, ",\"max\":");
    put_real(out, tag->most);
    weir_buf_adds(out, ",\"counts\":[");
    for (size_t i = 0; i < tag->counts.count; i++)
        weir_buf_addf(out, "%s%.9g", i ? "," : "", tag->counts.at[i]);
    weir_buf_adds(out, "],\"limits\":[");
    for (size_t i = 0; i < tag->limits.count; i++)
        weir_buf_addf(out, "%s%.9g", i ? "," : "", fmin(tag->limits.at[i], tag->most));
    weir_buf_adds(out, "]},");
}

static void put_run(const board_run *run, int *number, weir_buf *out)
{
    weir_buf_adds(out, "{\"name\":");
    weir_json_put_string(out, weir_str_of(run->name));
    weir_buf_adds(out, ",\"scalars\":{");
    for (size_t i = 0; i < run->tags.count; i++) {
        if (!run->tags.at[i]->points.count)
            continue;
        weir_json_put_string(out, weir_str_of(run->tags.at[i]->name));
        weir_buf_adds(out, ":[");
        put_points(run->tags.at[i], out);
        weir_buf_adds(out, "],");
    }
    drop_comma(out);
    weir_buf_adds(out, "},\"images\":[");
    for (size_t i = 0; i < run->tags.count; i++, (*number)++) {
        if (!run->tags.at[i]->image.length)
            continue;
        weir_buf_adds(out, "{\"tag\":");
        weir_json_put_string(out, weir_str_of(run->tags.at[i]->name));
        weir_buf_addf(out, ",\"step\":%" PRId64 ",\"number\":%d},", run->tags.at[i]->step, *number);
    }
    drop_comma(out);
    weir_buf_adds(out, "],\"histograms\":[");
    for (size_t i = 0; i < run->tags.count; i++)
        if (run->tags.at[i]->counts.count)
            put_histogram(run->tags.at[i], out);
    drop_comma(out);
    weir_buf_adds(out, "]},");
}

static void put_board(weir_buf *out) WEIR_REQUIRES(lock)
{
    int number = 0;
    board_files_read(&files);
    weir_buf_adds(out, "{\"runs\":[");
    for (size_t i = 0; i < files.runs.count; i++)
        put_run(files.runs.at[i], &number, out);
    drop_comma(out);
    weir_buf_adds(out, "],\"checkpoints\":[");
    for (size_t i = 0; i < files.checkpoints.count; i++) {
        weir_buf_adds(out, "{\"name\":");
        weir_json_put_string(out, weir_str_of(files.checkpoints.at[i].name));
        weir_buf_addf(out, ",\"bytes\":%" PRId64 "},", files.checkpoints.at[i].bytes);
    }
    drop_comma(out);
    weir_buf_adds(out, "]}");
}

/* ---- the site -----------------------------------------------------------------------------------
 */

/* The image of a tag by the number that /api/board gave it. */
static const weir_buf *image_of(int wanted) WEIR_REQUIRES(lock)
{
    int number = 0;
    for (size_t i = 0; i < files.runs.count; i++)
        for (size_t k = 0; k < files.runs.at[i]->tags.count; k++, number++)
            if (number == wanted)
                return &files.runs.at[i]->tags.at[k]->image;
    return NULL;
}

static void get_image(const weir_http_request *request, weir_http_reply *reply)
{
    WEIR_BUF(number);
    int wanted = weir_http_query(request->query, "n", &number) ? atoi(number.at) : -1;
    weir_mutex_lock(&lock);
    const weir_buf *image = image_of(wanted);
    if (image && image->length)
        weir_buf_add(&reply->body, image->at, image->length);
    weir_mutex_unlock(&lock);
    reply->type = "image/png";
    reply->status = reply->body.length ? 200 : 404;
}

/* The page of a task, told that it shows files. */
static void get_page(weir_http_reply *reply)
{
    static const char plain[] = "<html lang=\"en\"", mark[] = " data-board";
    weir_http_reply page = {0};
    weir_dash_asset(WEIR_STR("/"), &page);
    const char *at = memmem(page.body.at, page.body.length, plain, sizeof plain - 1);
    size_t before = (size_t)(at - page.body.at) + sizeof plain - 1;
    reply->type = page.type;
    reply->policy = page.policy;
    weir_buf_add(&reply->body, page.body.at, before);
    weir_buf_adds(&reply->body, mark);
    weir_buf_add(&reply->body, page.body.at + before, page.body.length - before);
    weir_buf_fini(&page.body);
}

static void answer(void *ctx, const weir_http_request *request, weir_http_reply *reply)
{
    if (weir_str_is(request->path, "/")) {
        get_page(reply);
    } else if (weir_str_is(request->path, "/api/board")) {
        weir_mutex_lock(&lock);
        put_board(&reply->body);
        weir_mutex_unlock(&lock);
        reply->type = "application/json";
    } else if (weir_str_is(request->path, "/api/image")) {
        get_image(request, reply);
    } else if (weir_str_is(request->path, "/healthz")) {
        weir_buf_adds(&reply->body, "ok\n");
    } else if (!weir_dash_asset(request->path, reply)) {
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
    weir_mutex_lock(&lock);
    files.dir = argv[0];
    weir_mutex_unlock(&lock);
    weir_http_site site = {.answer = answer};
    weir_rpc_server *server;
    weir_status status = weir_rpc_listen(
        &(weir_rpc_options){.host = a->listen, .port = (int)a->port, .http = &site}, &server);
    if (status)
        return weir_cli_fail_status("Choose another port by --port.", status);
    printf("http://%s:%d/\n", a->listen ? a->listen : "localhost", weir_rpc_port(server));
    fflush(stdout);
    int number;
    sigwait(&stop, &number);
    weir_rpc_server_destroy(server);
    return WEIR_EXIT_OK;
}

static const weir_option options[] = {
    {"port", 'p', "PORT", "listen on this port (default: any free one)",
     WEIR_INDEX(board_args, port)},
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
        "Serves the scalars, histograms and images of all event files below DIR, every folder a "
        "run of its own, and lists its checkpoints. Prints the page's address, and shows what "
        "is written meanwhile. Ends when it is interrupted.",
    WEIR_OPTIONS(options),
    WEIR_ARGS(board_args),
    .run = board,
};
