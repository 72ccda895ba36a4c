/* dash/event_files.c - reads event files below a folder as they grow. */
#include "dash/event_files.h"

#include <stdio.h>
#include <sys/stat.h>

#include "io/file.h"
#include "io/record.h"
#include "tensor/proto.h"
#include "tensor/tstring.h"
#include "wire/messages.h"

enum { MOST_DEPTH = 8, MOST_READ = 256 << 20 };

/* ---- runs and tags ------------------------------------------------------------------------------
 */

static board_run *run_of(board_files *files, const char *name)
{
    board_run *run = weir_map_get(&files->by_run, weir_str_of(name));
    if (run)
        return run;
    run = WEIR_NEW(board_run);
    run->name = weir_strdup(name);
    weir_vec_push(&files->runs, run);
    weir_map_put(&files->by_run, weir_str_of(name), run);
    return run;
}

static board_tag *tag_of(board_run *run, weir_str name)
{
    board_tag *tag = weir_map_get(&run->by_name, name);
    if (tag)
        return tag;
    tag = WEIR_NEW(board_tag);
    tag->name = weir_strndup(name.at, name.length);
    weir_vec_push(&run->tags, tag);
    weir_map_put(&run->by_name, name, tag);
    return tag;
}

/* ---- values -------------------------------------------------------------------------------------
 */

static void keep_image(board_tag *tag, weir_str bytes, int64_t step)
{
    tag->image.length = 0;
    weir_buf_add(&tag->image, bytes.at, bytes.length);
    tag->step = step;
}

static void keep_histogram(board_tag *tag, const weir_msg_histogram_proto *histogram, int64_t step)
{
    tag->counts.count = tag->limits.count = 0;
    for (size_t i = 0; i < histogram->bucket.count && i < histogram->bucket_limit.count; i++) {
        weir_vec_push(&tag->counts, histogram->bucket.at[i]);
        weir_vec_push(&tag->limits, histogram->bucket_limit.at[i]);
    }
    tag->least = histogram->min;
    tag->most = histogram->max;
    tag->step = step;
}

/* Rows of left edge, right edge and count, the newer format. */
static void keep_rows(board_tag *tag, const weir_tensor *tensor, int64_t step)
{
    const double *rows = tensor->data;
    int64_t count = weir_tensor_count(tensor) / 3;
    tag->counts.count = tag->limits.count = 0;
    for (int64_t i = 0; i < count; i++) {
        weir_vec_push(&tag->counts, rows[3 * i + 2]);
        weir_vec_push(&tag->limits, rows[3 * i + 1]);
    }
    tag->least = count ? rows[0] : 0;
    tag->most = count ? rows[3 * (count - 1) + 1] : 0;
    tag->step = step;
}

/* A tensor is a scalar, a histogram of rows, or the size and the bytes of images. */
static void keep_tensor(board_tag *tag, weir_str bytes, const weir_msg_event *event)
{
    weir_tensor tensor = {0};
    weir_status status = weir_tensor_parse(bytes, &tensor);
    int64_t count = status ? 0 : weir_tensor_count(&tensor);
    if (count == 1 && tensor.dtype == WEIR_FLOAT)
        weir_vec_push(&tag->points,
                      (board_point){event->step, event->wall_time, (double)*(float *)tensor.data});
    else if (count == 1 && tensor.dtype == WEIR_DOUBLE)
        weir_vec_push(&tag->points,
                      (board_point){event->step, event->wall_time, *(double *)tensor.data});
    else if (tensor.dtype == WEIR_DOUBLE && tensor.shape.rank == 2 && tensor.shape.dims[1] == 3)
        keep_rows(tag, &tensor, event->step);
    else if (tensor.dtype == WEIR_STRING && count >= 3)
        keep_image(tag, weir_tstring_get((const weir_tstring *)tensor.data + 2), event->step);
    weir_status_free(status);
    weir_tensor_release(&tensor);
}

static void keep_value(board_run *run, const weir_msg_summary_value *value,
                       const weir_msg_event *event)
{
    board_tag *tag = tag_of(run, value->tag);
    if (value->which_value == WEIR_FIELD_summary_value_simple_value)
        weir_vec_push(&tag->points,
                      (board_point){event->step, event->wall_time, (double)value->simple_value});
    else if (value->which_value == WEIR_FIELD_summary_value_image && value->image)
        keep_image(tag, value->image->encoded_image_string, event->step);
    else if (value->which_value == WEIR_FIELD_summary_value_histo && value->histo)
        keep_histogram(tag, value->histo, event->step);
    else if (value->which_value == WEIR_FIELD_summary_value_tensor)
        keep_tensor(tag, value->tensor, event);
}

static void keep_event(board_run *run, weir_str record)
{
    WEIR_MESSAGE_ARENA(arena);
    weir_msg_event event;
    weir_status status = weir_msg_event_read(record, &arena, &event);
    if (!status && event.which_what == WEIR_FIELD_event_summary && event.summary)
        for (size_t i = 0; i < event.summary->value.count; i++)
            keep_value(run, &event.summary->value.at[i], &event);
    weir_status_free(status);
}

/* ---- files --------------------------------------------------------------------------------------
 */

static void read_more(board_file *file)
{
    WEIR_OWNED(weir_rfile) source = NULL;
    WEIR_BUF(bytes);
    weir_status status = weir_rfile_open(file->path, &source);
    uint64_t size = status ? 0 : weir_rfile_bytes(source);
    uint64_t fresh = size > file->offset ? size - file->offset : 0;
    fresh = fresh < MOST_READ ? fresh : MOST_READ;
    if (!status && fresh) {
        weir_buf_reserve(&bytes, fresh);
        status = weir_rfile_read(source, file->offset, bytes.at, fresh);
        weir_str left = {bytes.at, fresh}, record;
        while (!status && left.length && !(status = weir_record_take(&left, &record)))
            keep_event(file->run, record);
        file->offset += fresh - left.length;
        file->damaged = status && left.length && !weir_record_is_cut(left);
    }
    weir_status_free(status); /* else an incomplete record, still being written */
}

static void note_checkpoint(board_files *files, const char *dir, const char *name)
{
    WEIR_BUF(path);
    struct stat about;
    weir_buf_addf(&path, "%s/%s", dir, name);
    if (stat(path.at, &about) == 0)
        weir_vec_push(&files->checkpoints,
                      (board_checkpoint){weir_strdup(path.at + strlen(files->dir) + 1),
                                         (int64_t)about.st_size});
}

static void note_file(board_files *files, const char *dir, const char *name)
{
    WEIR_BUF(path);
    weir_buf_addf(&path, "%s/%s", dir, name);
    if (weir_map_get(&files->by_path, weir_view(&path)))
        return;
    const char *run = dir + strlen(files->dir);
    weir_map_put(&files->by_path, weir_view(&path), files);
    weir_vec_push(&files->files,
                  (board_file){weir_strdup(path.at), run_of(files, *run ? run + 1 : "")});
}

static void look_into(board_files *files, const char *dir, int depth)
{
    weir_paths names = {0};
    weir_status_free(weir_dir_list(dir, &names)); /* unreadable folders are not shown */
    for (size_t i = 0; i < names.count; i++) {
        WEIR_BUF(path);
        weir_buf_addf(&path, "%s/%s", dir, names.at[i]);
        if (strstr(names.at[i], "tfevents"))
            note_file(files, dir, names.at[i]);
        else if (strstr(names.at[i], ".data-0"))
            note_checkpoint(files, dir, names.at[i]);
        else if (depth < MOST_DEPTH && weir_path_is_dir(path.at))
            look_into(files, path.at, depth + 1);
    }
    weir_paths_fini(&names);
}

void board_files_read(board_files *files)
{
    for (size_t i = 0; i < files->checkpoints.count; i++)
        weir_free(files->checkpoints.at[i].name);
    files->checkpoints.count = 0;
    look_into(files, files->dir, 0);
    for (size_t i = 0; i < files->files.count; i++)
        read_more(&files->files.at[i]);
}

static void tag_free(board_tag *tag)
{
    weir_free(tag->name);
    weir_vec_fini(&tag->points);
    weir_buf_fini(&tag->image);
    weir_vec_fini(&tag->counts);
    weir_vec_fini(&tag->limits);
    weir_free(tag);
}

void board_files_fini(board_files *files)
{
    for (size_t i = 0; i < files->runs.count; i++) {
        board_run *run = files->runs.at[i];
        for (size_t k = 0; k < run->tags.count; k++)
            tag_free(run->tags.at[k]);
        weir_vec_fini(&run->tags);
        weir_map_fini(&run->by_name);
        weir_free(run->name);
        weir_free(run);
    }
    for (size_t i = 0; i < files->files.count; i++)
        weir_free(files->files.at[i].path);
    for (size_t i = 0; i < files->checkpoints.count; i++)
        weir_free(files->checkpoints.at[i].name);
    weir_vec_fini(&files->runs);
    weir_vec_fini(&files->files);
    weir_vec_fini(&files->checkpoints);
    weir_map_fini(&files->by_path);
    weir_map_fini(&files->by_run);
}
