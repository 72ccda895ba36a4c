/* ops/io/file.c - ReadFile, WriteFile, MatchingFiles. */
#include <stdlib.h>

#include "base/deadline.h"
#include "base/room.h"
#include "base/stop.h"
#include "ops/io/io_impl.h"

static weir_status infer_scalars(weir_infer *infer)
{
    for (int in = 0; in < infer->in_count; in++)
        WEIR_TRY(weir_infer_rank(infer, in, 0));
    return weir_infer_scalar(infer);
}

static weir_status read_into(const char *path, weir_tstring *out)
{
    WEIR_OWNED(weir_rfile) file = NULL;
    WEIR_TRY(weir_rfile_open(path, &file));
    uint64_t bytes = weir_rfile_bytes(file);
    if (bytes == 0) { /* empty, or a file such as in /proc without a size */
        WEIR_BUF(all);
        WEIR_TRY(weir_file_read_all(path, SIZE_MAX / 2, &all));
        weir_tstring_set(out, all.at, all.length);
        return WEIR_OK;
    }
    WEIR_TRY(weir_room_for(bytes, path));
    return weir_rfile_read(file, 0, weir_tstring_resize(out, bytes), bytes);
}

/* Cancelled with the step, because a file may be endless (/dev/zero). */
static weir_status read_file(weir_call *call)
{
    WEIR_FREED char *path = weir_str_copy_at(weir_in(call, 0), 0);
    weir_deadline deadline;
    weir_deadline_begin(&deadline, 0, call->run->cancel);
    weir_status status = read_into(path, weir_out(call, 0)->data);
    weir_deadline_end(&deadline);
    return status;
}

static weir_status write_file(weir_call *call)
{
    WEIR_FREED char *path = weir_str_copy_at(weir_in(call, 0), 0);
    weir_str dir = weir_path_dir(path), contents = weir_str_at(weir_in(call, 1), 0);
    weir_status status = WEIR_OK;
    if (dir.length) {
        WEIR_FREED char *name = weir_strndup(dir.at, dir.length);
        status = weir_dir_create_all(name);
    }
    if (!status)
        status = weir_file_write_all(path, contents.at, contents.length);
    return status;
}

static weir_status infer_matching(weir_infer *infer)
{
    infer->out[0] = weir_shape_vector(-1);
    return weir_infer_rank_at_most(infer, 0, 1);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static weir_status matching_files(weir_call *call)
{
    const weir_tensor *patterns = weir_in(call, 0);
    weir_paths paths = {0};
    weir_status status = WEIR_OK;
    for (int64_t p = 0; p < weir_tensor_count(patterns) && !status && !weir_stopped(); p++) {
        WEIR_FREED char *pattern = weir_str_copy_at(patterns, p);
        status = weir_glob(pattern, &paths);
    }
    if (paths.count)
        qsort(paths.at, paths.count, sizeof *paths.at, by_name);
    weir_shape shape = weir_shape_vector((int64_t)paths.count);
    if (!status)
        status = weir_call_alloc(call, 0, &shape);
    for (size_t p = 0; p < paths.count && !status; p++)
        weir_str_put(weir_out(call, 0), (int64_t)p, weir_str_of(paths.at[p]));
    weir_paths_fini(&paths);
    return status;
}

const weir_op weir_op_read_file = {
    .name = "ReadFile",
    .in = "filename: string",
    .out = "contents: string",
    .flags = WEIR_NO_FOLD,
    .infer = infer_scalars,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", read_file, WEIR_EXPENSIVE}},
};

const weir_op weir_op_write_file = {
    .name = "WriteFile",
    .in = "filename: string; contents: string",
    .flags = WEIR_STATEFUL,
    .infer = infer_scalars,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", write_file, WEIR_EXPENSIVE}},
};

const weir_op weir_op_matching_files = {
    .name = "MatchingFiles",
    .in = "pattern: string",
    .out = "filenames: string",
    .flags = WEIR_NO_FOLD,
    .infer = infer_matching,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", matching_files, WEIR_OWN_OUTPUTS | WEIR_EXPENSIVE}},
};
