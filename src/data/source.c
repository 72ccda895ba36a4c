/* data/source.c - finds out what lies at a path. */
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

void weir_scratch_fini(weir_scratch *s)
{
    weir_buf_fini(&s->file);
    weir_buffer_release(s->pixels);
    weir_buffer_release(s->grey);
    weir_buf_fini(&s->tables);
    weir_buf_fini(&s->floats);
}

void *weir_scratch_room(weir_buf *b, size_t length)
{
    b->length = 0;
    weir_buf_reserve(b, length);
    return b->at;
}

weir_status weir_scratch_pixels(weir_buffer **b, int64_t height, int64_t width, int channels,
                                uint8_t **out_pixels)
{
    size_t bytes;
    if (!weir_size_mul((size_t)height, (size_t)width, &bytes) ||
        !weir_size_mul(bytes, (size_t)channels, &bytes))
        return weir_error(WEIR_RESOURCE_EXHAUSTED, "an image of %lld by %lld is too large",
                          (long long)width, (long long)height);
    if (!*b || (*b)->bytes < bytes) {
        weir_buffer_release(*b);
        *b = NULL;
        WEIR_TRY(weir_buffer_alloc(bytes, b));
    }
    *out_pixels = (*b)->data;
    return WEIR_OK;
}

/* ---- names ---- */

bool weir_name_ends(const char *name, const char *end)
{
    size_t n = strlen(name), m = strlen(end);
    return n >= m && strcasecmp(name + n - m, end) == 0;
}

char *weir_path_join(const char *dir, const char *name)
{
    weir_buf b = {0};
    weir_buf_addf(&b, "%s/%s", dir, name);
    return weir_buf_take(&b);
}

/* |word| at the start of a word of |name|: "test" is in "my_test.csv" and not in "latest". */
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

weir_split weir_split_wanted(const weir_data_options *o)
{
    if (!o->split || strcmp(o->split, "train") == 0)
        return WEIR_SPLIT_TRAIN;
    return strcmp(o->split, "test") == 0 ? WEIR_SPLIT_TEST : WEIR_SPLIT_NONE;
}

/* A file, and what its name or its folder's says. */
typedef struct found {
    char *path;
    weir_split split;
} found;
typedef WEIR_VEC(found) found_list;

static void add_found(found_list *out, const char *dir, const char *name, weir_split split)
{
    found f = {weir_path_join(dir, name), split};
    weir_vec_push(out, f);
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

static found_list find_files(const weir_place *p, bool (*fits)(const char *name))
{
    found_list out = {0};
    for (size_t i = 0; i < p->names.count; i++)
        if (fits(p->names.at[i]))
            add_found(&out, p->path, p->names.at[i], weir_split_of(p->names.at[i]));
    for (size_t i = 0; out.count == 0 && i < p->names.count; i++) {
        weir_split split = weir_split_of(p->names.at[i]);
        char *below = weir_path_join(p->path, p->names.at[i]);
        if (split != WEIR_SPLIT_NONE)
            add_below(&out, below, split, fits);
        weir_free(below);
    }
    return out;
}

static void end_found(found_list *l)
{
    for (size_t i = 0; i < l->count; i++)
        weir_free(l->at[i].path);
    weir_vec_fini(l);
}

bool weir_place_has(const weir_place *p, bool (*fits)(const char *name))
{
    if (!p->is_dir)
        return fits(p->path);
    found_list files = find_files(p, fits);
    bool any = files.count > 0;
    end_found(&files);
    return any;
}

void weir_place_files(const weir_place *p, weir_split split, bool (*fits)(const char *name),
                      weir_paths *out_paths, bool *out_whole)
{
    *out_whole = true;
    if (!p->is_dir) {
        weir_vec_push(out_paths, weir_strdup(p->path));
        return;
    }
    found_list files = find_files(p, fits);
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

/* ---- places ---- */

static weir_status look(const weir_data_options *o, weir_place *p)
{
    *p = (weir_place){.path = o->source, .options = o};
    p->is_dir = weir_path_is_dir(p->path);
    if (p->is_dir)
        return weir_dir_list(p->path, &p->names);
    WEIR_OWNED(weir_rfile) f = NULL;
    WEIR_TRY(weir_rfile_open(p->path, &f));
    return weir_rfile_read_some(f, 0, p->head, sizeof p->head, &p->head_length);
}

static weir_status open_place(const weir_place *p, weir_source **out_source)
{
    for (int i = 0; i < KINDS; i++)
        if (kinds[i]->claims(p)) {
            WEIR_TRY(kinds[i]->open(p, out_source));
            (*out_source)->kind = kinds[i]->name;
            return WEIR_OK;
        }
    WEIR_BUF(known);
    for (int i = 0; i < KINDS; i++)
        weir_buf_addf(&known, "%s%s", i ? ", " : "", kinds[i]->name);
    weir_status s =
        weir_error(WEIR_INVALID_ARGUMENT,
                   "%s; %s holds no data of a kind that is known (%s). Give the folder "
                   "that has the files themselves; docs/reference/data.md shows how each looks",
                   p->path, p->is_dir ? "the folder" : "the file", known.at);
    return s;
}

weir_status weir_source_open(const weir_data_options *o, weir_source **out_source)
{
    weir_place p;
    weir_status s = look(o, &p);
    if (s && weir_status_code(s) == WEIR_NOT_FOUND)
        s = weir_status_note(s, " (give a folder or file with data, or \"synthetic\")");
    if (!s)
        s = open_place(&p, out_source);
    weir_paths_fini(&p.names);
    return s;
}
