/* cli/inspect/inspect.c - weir inspect: guesses what lies at a path and shows what is in it. */
#include "cli/inspect/inspect.h"

#include <stdio.h>

#include "command/command.h"
#include "command/options.h"
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
    int format, kind; /* kind 0: guess, else an index of |kinds| and one */
} inspect_args;

/* ---- what the kinds share -----------------------------------------------------------------------
 */

bool inspect_has_name(const inspect_place *p, const char *name)
{
    for (size_t i = 0; i < p->names.count; i++)
        if (strcmp(p->names.at[i], name) == 0)
            return true;
    return false;
}

bool inspect_ends_in(const char *name, const char *end)
{
    size_t n = strlen(name), m = strlen(end);
    return n >= m && strcmp(name + n - m, end) == 0;
}

char *inspect_join(const char *dir, const char *name)
{
    weir_buf b = {0};
    weir_buf_addf(&b, "%s%s%s", dir, inspect_ends_in(dir, "/") ? "" : "/", name);
    return weir_buf_take(&b);
}

weir_status inspect_read(const inspect_place *p, weir_buf *out)
{
    WEIR_BUF(raw);
    WEIR_TRY(weir_file_read_all(p->path, largest_read, &raw));
    if (p->packing == WEIR_PACKING_NONE) {
        *out = raw;
        raw = (weir_buf){0};
        return WEIR_OK;
    }
    return weir_inflate_all(p->packing, weir_view(&raw), largest_read, out);
}

void inspect_dtype(weir_output *o, const char *key, int dtype)
{
    weir_output_text(o, key,
                     weir_dtype_valid(weir_dtype_base(dtype)) ? weir_dtype_name(dtype) : "?");
}

/* ---- the place ----------------------------------------------------------------------------------
 */

/* Replaces the first bytes of a packed file by what they unpack to, if they do. */
static void see_through(inspect_place *p)
{
    const uint8_t *b = (const uint8_t *)p->head.at;
    weir_packing packing = p->head.length < 4                             ? WEIR_PACKING_NONE
                           : b[0] == 0x1f && b[1] == 0x8b                 ? WEIR_PACKING_GZIP
                           : b[0] == 0x78 && (b[0] << 8 | b[1]) % 31 == 0 ? WEIR_PACKING_ZLIB
                                                                          : WEIR_PACKING_NONE;
    WEIR_OWNED(weir_inflate) z = NULL;
    WEIR_BUF(plain);
    weir_str in = weir_view(&p->head);
    size_t n = 0;
    bool end = false;
    if (packing == WEIR_PACKING_NONE)
        return;
    weir_buf_reserve(&plain, HEAD + 1);
    weir_status s = weir_inflate_create(packing, &z);
    if (!s)
        s = weir_inflate_run(z, &in, plain.at, HEAD, &n, &end);
    if (s || n == 0) {
        weir_status_free(s);
        return;
    }
    plain.length = n;
    weir_buf_fini(&p->head);
    p->head = plain;
    plain = (weir_buf){0};
    p->packing = packing;
}

static weir_status look_at_file(inspect_place *p)
{
    WEIR_OWNED(weir_rfile) f = NULL;
    WEIR_TRY(weir_rfile_open(p->path, &f));
    p->bytes = weir_rfile_bytes(f);
    size_t tail = p->bytes < TAIL ? (size_t)p->bytes : TAIL;
    weir_buf_reserve(&p->head, HEAD + 1);
    weir_buf_reserve(&p->tail, TAIL + 1);
    WEIR_TRY(weir_rfile_read_some(f, 0, p->head.at, HEAD, &p->head.length));
    WEIR_TRY(weir_rfile_read(f, p->bytes - tail, p->tail.at, tail));
    p->tail.length = tail;
    see_through(p);
    return WEIR_OK;
}

static weir_status look(const char *path, inspect_place *p)
{
    *p = (inspect_place){.path = path, .is_dir = weir_path_is_dir(path)};
    p->exists = weir_path_exists(path);
    if (p->is_dir)
        return weir_dir_list(path, &p->names);
    return p->exists ? look_at_file(p) : WEIR_OK;
}

static void place_fini(inspect_place *p)
{
    weir_paths_fini(&p->names);
    weir_buf_fini(&p->head);
    weir_buf_fini(&p->tail);
}

/* ---- a folder of files --------------------------------------------------------------------------
 */

static const inspect_kind *guess(const inspect_place *p)
{
    for (int i = 0; i < KINDS; i++)
        if (kinds[i]->claims(p))
            return kinds[i];
    return NULL;
}

/* A row per file and folder, and whether any is of a known kind. */
static bool list_folder(const inspect_place *dir, weir_output *o)
{
    bool any = false;
    for (size_t i = 0; i < dir->names.count; i++) {
        char *path = inspect_join(dir->path, dir->names.at[i]);
        inspect_place p;
        weir_status s = look(path, &p);
        const inspect_kind *k = s ? NULL : guess(&p);
        any = any || k;
        if (o) {
            weir_output_row(o);
            weir_output_text(o, "name", dir->names.at[i]);
            weir_output_text(o, "kind", k ? k->name : p.is_dir ? "folder" : NULL);
            if (p.is_dir)
                weir_output_null(o, "bytes");
            else
                weir_output_bytes(o, "bytes", (int64_t)p.bytes);
        }
        weir_status_free(s);
        place_fini(&p);
        weir_free(path);
    }
    return any;
}

static bool claims_folder(const inspect_place *p)
{
    return p->is_dir && list_folder(p, NULL);
}

static weir_status show_folder(const inspect_place *p, weir_output *o)
{
    weir_output_table(o, "files");
    list_folder(p, o);
    return WEIR_OK;
}

static const inspect_kind folder = {"folder", claims_folder, show_folder};

/* ---- the command --------------------------------------------------------------------------------
 */

static int not_known(const inspect_place *p)
{
    if (!p->exists)
        return weir_cli_fail("Give it a file, a folder, or the prefix of a checkpoint.",
                             "there is nothing at '%s'", p->path);
    if (p->is_dir)
        return weir_cli_fail("It should hold a SavedModel, a checkpoint, event files, or be named "
                             "by the file in it.",
                             "nothing known is in the folder '%s'", p->path);
    if (p->bytes == 0)
        return weir_cli_fail("Was it written to the end?", "'%s' is empty", p->path);
    return weir_cli_fail("If you know what it is, say so: --as graph, --as records...",
                         "cannot tell what '%s' is: it is no graph, checkpoint, SavedModel, event "
                         "file, TFRecord, IDX, npz or image",
                         p->path);
}

static int show(const inspect_place *p, const inspect_kind *k, int format)
{
    weir_output *o = weir_output_begin(format);
    weir_output_text(o, "path", p->path);
    weir_output_text(o, "kind", k->name);
    if (!p->is_dir && p->exists)
        weir_output_bytes(o, "file_bytes", (int64_t)p->bytes);
    if (p->packing != WEIR_PACKING_NONE)
        weir_output_text(o, "packed_by", p->packing == WEIR_PACKING_GZIP ? "gzip" : "zlib");
    weir_status s = k->show(p, o);
    weir_output_end(o);
    if (!s)
        return WEIR_EXIT_OK;
    return weir_cli_fail_status("What could be read is shown above; the rest is damaged or of "
                                "another kind (see --as).",
                                weir_status_prefix(s, "%s: ", p->path));
}

static int inspect(void *args, int argc, char **argv)
{
    const inspect_args *a = args;
    inspect_place p;
    int status;
    for (size_t n = strlen(argv[0]); n > 1 && argv[0][n - 1] == '/'; n--)
        argv[0][n - 1] = 0;
    weir_status s = look(argv[0], &p);
    const inspect_kind *k = s ? NULL : a->kind ? kinds[a->kind - 1] : guess(&p);
    if (!s && !k && folder.claims(&p))
        k = &folder;
    if (s)
        status = weir_cli_fail_status("Give it a file or folder that can be read.", s);
    else
        status = k ? show(&p, k, a->format) : not_known(&p);
    place_fini(&p);
    return status;
}

static const weir_option options[] = {
    WEIR_OUTPUT_OPTION(inspect_args, format),
    {"as", 0, "KIND", "do not guess",
     WEIR_CHOICE(inspect_args, kind,
                 "auto|saved_model|checkpoint|npz|npy|idx|events|records|image|meta_graph|graph")},
};

const weir_command weir_command_inspect = {
    .name = "inspect",
    .summary = "say what a file or folder is, and what is in it",
    .words = "FILE",
    .least = 1,
    .most = 1,
    .about =
        "Finds out what FILE is and shows what is in it. It knows GraphDefs and MetaGraphDefs "
        "(binary and text, frozen graphs too), checkpoints of both formats (by prefix, index file "
        "or folder), SavedModels, event files of TensorBoard, TFRecord files (with the features of "
        "their Examples), IDX files, numpy's npz and npy, and images; gzip and zlib are seen "
        "through. CSV has the first of the tables, JSON has everything.\n\n"
        "  weir inspect runs\n"
        "  weir inspect runs/events.out.tfevents.*\n"
        "  weir inspect export -o json",
    WEIR_OPTIONS(options),
    WEIR_ARGS(inspect_args),
    .hint = WEIR_HINT_FILE,
    .run = inspect,
};
