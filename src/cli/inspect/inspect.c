/* cli/inspect/inspect.c - weir inspect: detects the format of a file or folder and shows its
 * contents. */
#include "cli/inspect/inspect.h"

#include <stdio.h>
#include <unistd.h>

#include "cli/inspect/pipe.h"
#include "command/command.h"
#include "command/options.h"
#include "io/file.h"
#include "tensor/dtype.h"

enum { HEAD = 4096, TAIL = 64 };
static const size_t largest_read = (size_t)4 << 30;

static const inspect_kind *const kinds[] = {
#define INSPECT_KIND(name) &inspect_##name,
#include "cli/inspect/kinds.inc"
#undef INSPECT_KIND
};
enum { KINDS = sizeof kinds / sizeof *kinds };

typedef struct inspect_args {
    int format, kind; /* kind 0: detect, else index in |kinds| plus one */
} inspect_args;

/* ---- shared by the kinds --------------------------------------------------------------------- */

bool inspect_has_name(const inspect_place *place, const char *name)
{
    for (size_t i = 0; i < place->names.count; i++)
        if (strcmp(place->names.at[i], name) == 0)
            return true;
    return false;
}

bool inspect_ends_in(const char *name, const char *end)
{
    size_t length = strlen(name), m = strlen(end);
    return length >= m && strcmp(name + length - m, end) == 0;
}

char *inspect_join(const char *dir, const char *name)
{
    weir_buf buf = {0};
    weir_buf_addf(&buf, "%s%s%s", dir, inspect_ends_in(dir, "/") ? "" : "/", name);
    return weir_buf_take(&buf);
}

weir_status inspect_read(const inspect_place *place, weir_buf *out)
{
    WEIR_BUF(raw);
    WEIR_TRY(weir_file_read_all(place->path, largest_read, &raw));
    if (place->packing == WEIR_PACKING_NONE) {
        *out = raw;
        raw = (weir_buf){0};
        return WEIR_OK;
    }
    return weir_inflate_all(place->packing, weir_view(&raw), largest_read, out);
}

void inspect_dtype(weir_output *output, const char *key, int dtype)
{
    weir_output_text(output, key,
                     weir_dtype_valid(weir_dtype_base(dtype)) ? weir_dtype_name(dtype) : "?");
}

/* ---- the place ------------------------------------------------------------------------------- */

/* Replaces the first bytes of a compressed file by their decompressed contents, if possible. */
static void see_through(inspect_place *place)
{
    const uint8_t *bytes = (const uint8_t *)place->head.at;
    weir_packing packing = place->head.length < 4                 ? WEIR_PACKING_NONE
                           : bytes[0] == 0x1f && bytes[1] == 0x8b ? WEIR_PACKING_GZIP
                           : bytes[0] == 0x78 && (bytes[0] << 8 | bytes[1]) % 31 == 0
                               ? WEIR_PACKING_ZLIB
                               : WEIR_PACKING_NONE;
    WEIR_OWNED(weir_inflate) inflate = NULL;
    WEIR_BUF(plain);
    weir_str in = weir_view(&place->head);
    size_t count = 0;
    bool end = false;
    if (packing == WEIR_PACKING_NONE)
        return;
    weir_buf_reserve(&plain, HEAD + 1);
    weir_status status = weir_inflate_create(packing, &inflate);
    if (!status)
        status = weir_inflate_run(inflate, &in, plain.at, HEAD, &count, &end);
    if (status || count == 0) {
        weir_status_free(status);
        return;
    }
    plain.length = count;
    weir_buf_fini(&place->head);
    place->head = plain;
    plain = (weir_buf){0};
    place->packing = packing;
}

static weir_status look_at_file(inspect_place *place)
{
    WEIR_OWNED(weir_rfile) file = NULL;
    WEIR_TRY(weir_rfile_open(place->path, &file));
    place->bytes = weir_rfile_bytes(file);
    size_t tail = place->bytes < TAIL ? (size_t)place->bytes : TAIL;
    weir_buf_reserve(&place->head, HEAD + 1);
    weir_buf_reserve(&place->tail, TAIL + 1);
    WEIR_TRY(weir_rfile_read_some(file, 0, place->head.at, HEAD, &place->head.length));
    WEIR_TRY(weir_rfile_read(file, place->bytes - tail, place->tail.at, tail));
    place->tail.length = tail;
    see_through(place);
    return WEIR_OK;
}

static weir_status look(const char *path, inspect_place *place)
{
    *place = (inspect_place){.path = path, .name = path, .is_dir = weir_path_is_dir(path)};
    place->exists = weir_path_exists(path);
    if (place->is_dir)
        return weir_dir_list(path, &place->names);
    return place->exists ? look_at_file(place) : WEIR_OK;
}

static void place_fini(inspect_place *place)
{
    weir_paths_fini(&place->names);
    weir_buf_fini(&place->head);
    weir_buf_fini(&place->tail);
}

/* ---- a folder of files ----------------------------------------------------------------------- */

static const inspect_kind *guess(const inspect_place *place)
{
    for (int i = 0; i < KINDS; i++)
        if (kinds[i]->claims(place))
            return kinds[i];
    return NULL;
}

/* A row per file and folder; returns whether any is of a known kind. */
static bool list_folder(const inspect_place *dir, weir_output *output)
{
    bool any = false;
    for (size_t i = 0; i < dir->names.count; i++) {
        WEIR_FREED char *path = inspect_join(dir->path, dir->names.at[i]);
        inspect_place place;
        weir_status status = look(path, &place);
        const inspect_kind *kind = status ? NULL : guess(&place);
        any = any || kind;
        if (output) {
            weir_output_row(output);
            weir_output_text(output, "name", dir->names.at[i]);
            weir_output_text(output, "kind", kind ? kind->name : place.is_dir ? "folder" : NULL);
            if (place.is_dir)
                weir_output_null(output, "bytes");
            else
                weir_output_bytes(output, "bytes", (int64_t)place.bytes);
        }
        weir_status_free(status);
        place_fini(&place);
    }
    return any;
}

static bool claims_folder(const inspect_place *place)
{
    return place->is_dir && list_folder(place, NULL);
}

static weir_status show_folder(const inspect_place *place, weir_output *output)
{
    weir_output_table(output, "files");
    list_folder(place, output);
    return WEIR_OK;
}

static const inspect_kind folder = {"folder", claims_folder, show_folder};

/* ---- the command ----------------------------------------------------------------------------- */

static int not_known(const inspect_place *place)
{
    if (!place->exists)
        return weir_cli_fail("Give it a file, a folder, or the prefix of a checkpoint.",
                             "there is nothing at '%s'", place->name);
    if (place->is_dir)
        return weir_cli_fail("It should hold a SavedModel, a checkpoint, event files, or be named "
                             "by the file in it.",
                             "nothing known is in the folder '%s'", place->name);
    if (place->bytes == 0)
        return weir_cli_fail("Was it written to the end?", "'%s' is empty", place->name);
    return weir_cli_fail("If you know what it is, say so: --as graph, --as records...",
                         "cannot tell what '%s' is: it is no graph, checkpoint, SavedModel, event "
                         "file, TFRecord, IDX, npz, Keras model, HDF5 file or image",
                         place->name);
}

static int show(const inspect_place *place, const inspect_kind *kind, int format)
{
    weir_output *output = weir_output_begin(format);
    weir_output_text(output, "path", place->name);
    weir_output_text(output, "kind", kind->name);
    if (!place->is_dir && place->exists)
        weir_output_bytes(output, "file_bytes", (int64_t)place->bytes);
    if (place->packing != WEIR_PACKING_NONE)
        weir_output_text(output, "packed_by",
                         place->packing == WEIR_PACKING_GZIP ? "gzip" : "zlib");
    weir_status status = kind->show(place, output);
    weir_output_end(output);
    if (!status)
        return WEIR_EXIT_OK;
    return weir_cli_fail_status("What could be read is shown above; the rest is damaged or of "
                                "another kind (see --as).",
                                weir_file_note(status, place->name));
}

static int inspect_at(const inspect_args *args, const char *path, const char *name)
{
    inspect_place place;
    int status;
    weir_status result = look(path, &place);
    place.name = name;
    const inspect_kind *kind = result ? NULL : args->kind ? kinds[args->kind - 1] : guess(&place);
    if (!result && !kind && folder.claims(&place))
        kind = &folder;
    if (result)
        status = weir_cli_fail_status("Give it a file or folder that can be read.", result);
    else
        status = kind ? show(&place, kind, args->format) : not_known(&place);
    place_fini(&place);
    return status;
}

static int inspect_pipe(const inspect_args *args, const char *path)
{
    char copy[40];
    int fd;
    weir_status status = inspect_pipe_read(path, &fd);
    if (status)
        return weir_cli_fail_status("Write it to a file, and give it that.", status);
    snprintf(copy, sizeof copy, "/proc/self/fd/%d", fd);
    int result = inspect_at(args, copy, path);
    close(fd);
    return result;
}

static int inspect(void *args, int argc, char **argv)
{
    const char *path = strcmp(argv[0], "-") == 0 ? "/dev/stdin" : argv[0];
    for (size_t length = strlen(argv[0]); length > 1 && argv[0][length - 1] == '/'; length--)
        argv[0][length - 1] = 0;
    return inspect_is_pipe(path) ? inspect_pipe(args, path) : inspect_at(args, path, argv[0]);
}

static const weir_option options[] = {
    WEIR_OUTPUT_OPTION(inspect_args, format),
    {"as", 0, "KIND", "type of the file, instead of detecting it",
     WEIR_CHOICE(inspect_args, kind,
                 "auto|saved_model|checkpoint|keras|hdf5|npz|zip|npy|idx|events|records|image|meta_"
                 "graph|graph")},
};

const weir_command weir_command_inspect = {
    .name = "inspect",
    .summary = "identify a file or folder and show its contents",
    .words = "FILE",
    .least = 1,
    .most = 1,
    .about = "Detects the type of FILE and shows its contents. It supports GraphDefs and "
             "MetaGraphDefs (binary and text, frozen graphs too), checkpoints of both formats (by "
             "prefix, index file or folder), SavedModels, Keras models (.keras and .h5, with their "
             "layers), HDF5 files, TensorBoard event files, TFRecord files (with the features of "
             "their Examples), IDX files, NumPy's npz and npy, and images; gzip and zlib are "
             "decompressed. FILE may be a pipe; - is standard input. CSV output has the first "
             "table only, JSON has everything.\n\n"
             "  weir inspect runs\n"
             "  weir inspect runs/events.out.tfevents.*\n"
             "  weir inspect export -o json",
    WEIR_OPTIONS(options),
    WEIR_ARGS(inspect_args),
    .hint = WEIR_HINT_FILE,
    .run = inspect,
};
