/* data/source.c - detects the kind of data at a path. */
#include "data/source.h"

#include <ctype.h>
#include <strings.h>

#include "base/mem.h"

#define WEIR_SOURCE(name) extern const weir_source_kind weir_##name##_source;
#include "data/sources.inc"
#undef WEIR_SOURCE

static const weir_source_kind *const kinds[] = {
#define WEIR_SOURCE(name) &weir_##name##_source,
#include "data/sources.inc"
#undef WEIR_SOURCE
};
enum { KINDS = sizeof kinds / sizeof *kinds };

void weir_scratch_fini(weir_scratch *scratch)
{
    weir_buf_fini(&scratch->file);
    weir_buffer_release(scratch->pixels);
    weir_buffer_release(scratch->grey);
    weir_buf_fini(&scratch->tables);
    weir_buf_fini(&scratch->floats);
}

void *weir_scratch_room(weir_buf *buf, size_t length)
{
    buf->length = 0;
    weir_buf_reserve(buf, length);
    return buf->at;
}

weir_status weir_scratch_pixels(weir_buffer **out_buffer, int64_t height, int64_t width,
                                int channels, uint8_t **out_pixels)
{
    size_t bytes;
    if (!weir_size_mul((size_t)height, (size_t)width, &bytes) ||
        !weir_size_mul(bytes, (size_t)channels, &bytes))
        return weir_error(WEIR_RESOURCE_EXHAUSTED, "an image of %lld by %lld is too large",
                          (long long)width, (long long)height);
    if (!*out_buffer || (*out_buffer)->bytes < bytes) {
        weir_buffer_release(*out_buffer);
        *out_buffer = NULL;
        WEIR_TRY(weir_buffer_alloc(bytes, out_buffer));
    }
    *out_pixels = (*out_buffer)->data;
    return WEIR_OK;
}

/* ---- names ----------------------------------------------------------------------------------- */

bool weir_name_ends(const char *name, const char *end)
{
    size_t length = strlen(name), m = strlen(end);
    return length >= m && strcasecmp(name + length - m, end) == 0;
}

char *weir_path_join(const char *dir, const char *name)
{
    weir_buf buf = {0};
    weir_buf_addf(&buf, "%s/%s", dir, name);
    return weir_buf_take(&buf);
}

/* |word| at the start of a word of |name|: "test" is in "my_test.csv" but not in "latest". */
static bool has_word(const char *name, const char *word)
{
    for (const char *at = name; (at = strcasestr(at, word)); at++)
        if (at == name || !isalpha((unsigned char)at[-1]))
            return true;
    return false;
}

weir_split weir_split_of(const char *name)
{
    static const struct {
        const char *word;
        weir_split split;
    } words[] = {
        {"train", WEIR_SPLIT_TRAIN}, {"test", WEIR_SPLIT_TEST}, {"t10k", WEIR_SPLIT_TEST},
        {"valid", WEIR_SPLIT_TEST},  {"val-", WEIR_SPLIT_TEST}, {"eval", WEIR_SPLIT_TEST},
    };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (has_word(name, words[i].word))
            return words[i].split;
    return strcasecmp(name, "val") == 0 ? WEIR_SPLIT_TEST : WEIR_SPLIT_NONE;
}

weir_split weir_split_wanted(const weir_data_options *options)
{
    if (!options->split || strcmp(options->split, "train") == 0)
        return WEIR_SPLIT_TRAIN;
    return strcmp(options->split, "test") == 0 ? WEIR_SPLIT_TEST : WEIR_SPLIT_NONE;
}

/* A file, and the split given by its name or folder. */
typedef struct found {
    char *path;
    weir_split split;
} found;
typedef WEIR_VEC(found) found_list;

static void add_found(found_list *out, const char *dir, const char *name, weir_split split)
{
    found found = {weir_path_join(dir, name), split};
    weir_vec_push(out, found);
}

static void add_below(found_list *out, const char *dir, weir_split split,
                      bool (*fits)(const char *name))
{
    weir_paths names = {0};
    weir_status_free(weir_path_is_dir(dir) ? weir_dir_list(dir, &names) : WEIR_OK);
    for (size_t i = 0; i < names.count; i++)
        if (fits(names.at[i]))
            add_found(out, dir, names.at[i], split);
    weir_paths_fini(&names);
}

static found_list find_files(const weir_data_place *place, bool (*fits)(const char *name))
{
    found_list out = {0};
    for (size_t i = 0; i < place->names.count; i++)
        if (fits(place->names.at[i]))
            add_found(&out, place->path, place->names.at[i], weir_split_of(place->names.at[i]));
    for (size_t i = 0; out.count == 0 && i < place->names.count; i++) {
        weir_split split = weir_split_of(place->names.at[i]);
        WEIR_FREED char *below = weir_path_join(place->path, place->names.at[i]);
        if (split != WEIR_SPLIT_NONE)
            add_below(&out, below, split, fits);
    }
    return out;
}

static void end_found(found_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        weir_free(list->at[i].path);
    weir_vec_fini(list);
}

bool weir_data_place_has(const weir_data_place *place, bool (*fits)(const char *name))
{
    if (!place->is_dir)
        return fits(place->path);
    found_list files = find_files(place, fits);
    bool any = files.count > 0;
    end_found(&files);
    return any;
}

void weir_data_place_files(const weir_data_place *place, weir_split split,
                           bool (*fits)(const char *name), weir_paths *out_paths, bool *out_whole)
{
    *out_whole = true;
    if (!place->is_dir) {
        weir_vec_push(out_paths, weir_strdup(place->path));
        return;
    }
    found_list files = find_files(place, fits);
    for (size_t i = 0; i < files.count; i++)
        if (files.at[i].split != WEIR_SPLIT_NONE)
            *out_whole = false;
    for (size_t i = 0; i < files.count; i++) {
        weir_split is = files.at[i].split ? files.at[i].split : WEIR_SPLIT_TRAIN;
        if (*out_whole || split == WEIR_SPLIT_NONE || split == is)
            weir_vec_push(out_paths, weir_strdup(files.at[i].path));
    }
    end_found(&files);
}

/* ---- paths ----------------------------------------------------------------------------------- */

bool weir_is_digits(const char *path)
{
    return strcmp(path, "digits") == 0 && !weir_path_exists(path);
}

static weir_status look(const weir_data_options *options, weir_data_place *place)
{
    *place = (weir_data_place){.path = options->source, .options = options};
    place->is_dir = weir_path_is_dir(place->path);
    if (weir_is_digits(place->path))
        return WEIR_OK;
    if (place->is_dir)
        return weir_dir_list(place->path, &place->names);
    WEIR_OWNED(weir_rfile) file = NULL;
    WEIR_TRY(weir_rfile_open(place->path, &file));
    return weir_rfile_read_some(file, 0, place->head, sizeof place->head, &place->head_length);
}

static weir_status open_place(const weir_data_place *place, weir_source **out_source)
{
    for (int i = 0; i < KINDS; i++)
        if (kinds[i]->claims(place)) {
            WEIR_TRY(kinds[i]->open(place, out_source));
            (*out_source)->kind = kinds[i]->name;
            return WEIR_OK;
        }
    WEIR_BUF(known);
    for (int i = 0; i < KINDS; i++)
        weir_buf_addf(&known, "%s%s", i ? ", " : "", kinds[i]->name);
    weir_status status =
        weir_error(WEIR_INVALID_ARGUMENT,
                   "%s; %s holds no data of a kind that is known (%s). Give the folder "
                   "that has the files themselves; docs/reference/data.md shows how each looks",
                   place->path, place->is_dir ? "the folder" : "the file", known.at);
    return status;
}

weir_status weir_source_open(const weir_data_options *options, weir_source **out_source)
{
    weir_data_place place;
    weir_status status = look(options, &place);
    if (status && weir_status_code(status) == WEIR_NOT_FOUND)
        status = weir_status_note(
            status, " (give a folder or file with data, \"digits\" or \"synthetic\")");
    if (!status)
        status = open_place(&place, out_source);
    weir_paths_fini(&place.names);
    return status;
}
