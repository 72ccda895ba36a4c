/* dash/board.c - scalars, histograms, images and checkpoints of the folders with event files. */
#include "dash/board.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/mutex.h"
#include "dash/event_files.h"
#include "io/event_folders.h"
#include "wire/json.h"

enum { MOST_POINTS = 1000 }; /* maximum number of points sent per tag */

static weir_mutex lock = WEIR_MUTEX_INIT;
static board_files folders[WEIR_EVENT_FOLDERS] WEIR_GUARDED_BY(lock);
static size_t folder_count WEIR_GUARDED_BY(lock);

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

/* A sample of the points that includes the last one. */
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

/* Prefixed with its folder if there are several. */
static void put_run_name(const board_files *files, const board_run *run, weir_buf *out)
    WEIR_REQUIRES(lock)
{
    WEIR_BUF(name);
    if (folder_count > 1)
        weir_buf_addf(&name, "%s%s", files->dir, *run->name ? "/" : "");
    weir_buf_adds(&name, run->name);
    weir_json_put_string(out, weir_view(&name));
}

static void put_run(const board_files *files, const board_run *run, int *number, weir_buf *out)
    WEIR_REQUIRES(lock)
{
    weir_buf_adds(out, "{\"name\":");
    put_run_name(files, run, out);
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

static void put_checkpoints(const board_files *files, weir_buf *out)
{
    for (size_t i = 0; i < files->checkpoints.count; i++) {
        weir_buf_adds(out, "{\"name\":");
        weir_json_put_string(out, weir_str_of(files->checkpoints.at[i].name));
        weir_buf_addf(out, ",\"bytes\":%" PRId64 "},", files->checkpoints.at[i].bytes);
    }
}

static void put_damaged(const board_files *files, weir_buf *out)
{
    for (size_t i = 0; i < files->files.count; i++) {
        const board_file *file = &files->files.at[i];
        if (!file->damaged)
            continue;
        weir_buf_adds(out, "{\"name\":");
        weir_json_put_string(out, weir_str_of(file->path + strlen(files->dir) + 1));
        weir_buf_addf(out, ",\"offset\":%" PRIu64 "},", file->offset);
    }
}

static void put_board(weir_buf *out) WEIR_REQUIRES(lock)
{
    int number = 0;
    weir_buf_adds(out, "{\"runs\":[");
    for (size_t i = 0; i < folder_count; i++)
        for (size_t k = 0; k < folders[i].runs.count; k++)
            put_run(&folders[i], folders[i].runs.at[k], &number, out);
    drop_comma(out);
    weir_buf_adds(out, "],\"checkpoints\":[");
    for (size_t i = 0; i < folder_count; i++)
        put_checkpoints(&folders[i], out);
    drop_comma(out);
    weir_buf_adds(out, "],\"damaged\":[");
    for (size_t i = 0; i < folder_count; i++)
        put_damaged(&folders[i], out);
    drop_comma(out);
    weir_buf_adds(out, "]}");
}

/* ---- answers ------------------------------------------------------------------------------------
 */

/* Reads new data, including that of new folders. */
static void read_folders(void) WEIR_REQUIRES(lock)
{
    const char *names[WEIR_EVENT_FOLDERS];
    size_t count = weir_event_folders(names);
    for (; folder_count < count; folder_count++)
        folders[folder_count].dir = names[folder_count];
    for (size_t i = 0; i < folder_count; i++)
        board_files_read(&folders[i]);
}

/* The image of a tag by its number in /api/board. */
static const weir_buf *image_of(int wanted) WEIR_REQUIRES(lock)
{
    int number = 0;
    for (size_t f = 0; f < folder_count; f++)
        for (size_t i = 0; i < folders[f].runs.count; i++) {
            const board_run *run = folders[f].runs.at[i];
            int count = (int)run->tags.count;
            if (wanted >= number && wanted < number + count)
                return &run->tags.at[wanted - number]->image;
            number += count;
        }
    return NULL;
}

static void get_board(weir_http_reply *reply)
{
    weir_mutex_lock(&lock);
    read_folders();
    put_board(&reply->body);
    weir_mutex_unlock(&lock);
    reply->type = "application/json";
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

bool weir_board_answer(const weir_http_request *request, weir_http_reply *reply)
{
    if (weir_str_is(request->path, "/api/board"))
        get_board(reply);
    else if (weir_str_is(request->path, "/api/image"))
        get_image(request, reply);
    else
        return false;
    return true;
}
