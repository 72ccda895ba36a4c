/* io/tensors.c - one interface to checkpoints of both formats and NumPy's archives. */
#include "io/tensors.h"

#include <stdlib.h>

#include "io/checkpoint.h"
#include "io/npy.h"
#include "io/table.h"

struct weir_tensors {
    weir_checkpoint *checkpoint; /* null: an archive */
    weir_npz *archive;
    size_t *order; /* of the archive: by name */
};

/* ---- opening --------------------------------------------------------------------------------- */

static bool is_zip(const char *path)
{
    weir_rfile *file = NULL;
    char magic[4] = {0};
    size_t count = 0;
    weir_status status = weir_path_is_dir(path) ? weir_error(WEIR_INVALID_ARGUMENT, "a folder")
                                                : weir_rfile_open(path, &file);
    if (!status)
        status = weir_rfile_read_some(file, 0, magic, sizeof magic, &count);
    bool is = !status && (memcmp(magic, "PK\3\4", 4) == 0 || memcmp(magic, "PK\6\6", 4) == 0 ||
                          memcmp(magic, "PK\5\6", 4) == 0);
    weir_status_free(status);
    weir_rfile_destroy(file);
    return is;
}

static int by_name(const void *a, const void *b, void *archive)
{
    weir_tensor_info info = weir_npz_at(archive, *(const size_t *)a);
    weir_tensor_info tensor_info = weir_npz_at(archive, *(const size_t *)b);
    return weir_key_compare(info.name, tensor_info.name);
}

static weir_status open_archive(const char *path, weir_tensors *tensors)
{
    WEIR_TRY(weir_npz_open(path, &tensors->archive));
    size_t count = weir_npz_count(tensors->archive);
    tensors->order = WEIR_NEW_ARRAY(size_t, count);
    for (size_t i = 0; i < count; i++)
        tensors->order[i] = i;
    if (count)
        qsort_r(tensors->order, count, sizeof *tensors->order, by_name, tensors->archive);
    return WEIR_OK;
}

weir_status weir_tensors_open(const char *path, weir_tensors **out_tensors)
{
    WEIR_OWNED(weir_tensors) tensors = WEIR_NEW(weir_tensors);
    if (!weir_bundle_exists(path) && is_zip(path))
        WEIR_TRY(open_archive(path, tensors));
    else
        WEIR_TRY(weir_checkpoint_open(path, &tensors->checkpoint));
    *out_tensors = WEIR_TAKE(tensors);
    return WEIR_OK;
}

void weir_tensors_destroy(weir_tensors *tensors)
{
    if (!tensors)
        return;
    weir_checkpoint_destroy(tensors->checkpoint);
    weir_npz_destroy(tensors->archive);
    weir_free(tensors->order);
    weir_free(tensors);
}

/* ---- reading --------------------------------------------------------------------------------- */

size_t weir_tensors_count(const weir_tensors *tensors)
{
    return tensors->archive ? weir_npz_count(tensors->archive)
                            : weir_checkpoint_count(tensors->checkpoint);
}

weir_tensor_info weir_tensors_at(const weir_tensors *tensors, size_t i)
{
    return tensors->archive ? weir_npz_at(tensors->archive, tensors->order[i])
                            : weir_checkpoint_at(tensors->checkpoint, i);
}

bool weir_tensors_find(const weir_tensors *tensors, weir_str name, size_t *out_index)
{
    size_t low = 0, high = weir_tensors_count(tensors);
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = weir_key_compare(weir_tensors_at(tensors, middle).name, name);
        *out_index = middle;
        if (order == 0)
            return true;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return false;
}

weir_status weir_tensors_read(weir_tensors *tensors, size_t i, weir_tensor *out_tensor)
{
    if (tensors->archive)
        return weir_npz_read(tensors->archive, tensors->order[i], out_tensor);
    return weir_checkpoint_read(tensors->checkpoint,
                                weir_checkpoint_at(tensors->checkpoint, i).name, NULL, out_tensor);
}

/* ---- writing --------------------------------------------------------------------------------- */

static weir_status write_v2(weir_tensors *from, const char *path)
{
    WEIR_OWNED(weir_bundle_writer) writer = NULL;
    WEIR_TRY(weir_bundle_writer_create(path, &writer));
    for (size_t i = 0; i < weir_tensors_count(from); i++) {
        weir_tensor tensor = {0};
        WEIR_TRY(weir_tensors_read(from, i, &tensor));
        weir_status status = weir_bundle_writer_add(writer, weir_tensors_at(from, i).name, &tensor);
        weir_tensor_release(&tensor);
        WEIR_TRY(status);
    }
    return weir_bundle_writer_finish(WEIR_TAKE(writer));
}

static weir_status write_npz(weir_tensors *from, const char *path)
{
    WEIR_OWNED(weir_npz_writer) writer = NULL;
    WEIR_TRY(weir_npz_writer_create(path, &writer));
    for (size_t i = 0; i < weir_tensors_count(from); i++) {
        weir_tensor tensor = {0};
        WEIR_TRY(weir_tensors_read(from, i, &tensor));
        weir_status status = weir_npz_writer_add(writer, weir_tensors_at(from, i).name, &tensor);
        weir_tensor_release(&tensor);
        WEIR_TRY(status);
    }
    return weir_npz_writer_finish(WEIR_TAKE(writer));
}

/* This format's writer needs all tensors at once. */
static weir_status write_v1(weir_tensors *from, const char *path)
{
    size_t count = weir_tensors_count(from), read = 0;
    WEIR_FREED weir_tensor *tensors = WEIR_NEW_ARRAY(weir_tensor, count + 1);
    WEIR_FREED weir_v1_part *parts = WEIR_NEW_ARRAY(weir_v1_part, count + 1);
    weir_status status = WEIR_OK;
    for (; !status && read < count; read++) {
        status = weir_tensors_read(from, read, &tensors[read]);
        if (status)
            break;
        parts[read] = (weir_v1_part){.name = weir_tensors_at(from, read).name,
                                     .full = tensors[read].shape,
                                     .slice = weir_slice_whole(tensors[read].shape.rank),
                                     .tensor = &tensors[read]};
    }
    if (!status)
        status = weir_v1_write(path, parts, count);
    for (size_t i = 0; i < read; i++)
        weir_tensor_release(&tensors[i]);
    return status;
}

weir_status weir_tensors_write(weir_tensors *from, const char *path, weir_tensors_format format)
{
    switch (format) {
    case WEIR_TENSORS_V1:
        return write_v1(from, path);
    case WEIR_TENSORS_NPZ:
        return write_npz(from, path);
    default:
        return write_v2(from, path);
    }
}
