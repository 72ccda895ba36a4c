/* data/images.c - image files in a folder per class, optionally within folders per split.
 *
 *   flowers/daisy/1.jpg        flowers/rose/2.png
 *   flowers/train/daisy/1.jpg  flowers/test/rose/2.png
 *
 * Classes are numbered by name, over all splits together.
 */
#include <stdlib.h>
#include <string.h>

#include "data/source.h"

enum { MOST_FILE_BYTES = 1 << 28, MOST_IMAGES = 1 << 30 };

typedef struct image {
    const char *path; /* in the arena */
    int32_t label;
} image;

typedef struct image_source {
    weir_source base;
    weir_arena names;
    WEIR_VEC(image) images;
    weir_paths classes;
} image_source;

static bool is_image(const char *name)
{
    static const char *const ends[] = {".jpg", ".jpeg", ".png", ".gif", ".bmp"};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (name[0] != '.' && weir_name_ends(name, ends[i]))
            return true;
    return false;
}

/* ---- detection ------------------------------------------------------------------------------- */

/* The names in a folder; none if it cannot be listed. */
static weir_paths list(const char *path)
{
    weir_paths names = {0};
    weir_status status = weir_path_is_dir(path) ? weir_dir_list(path, &names) : WEIR_OK;
    weir_status_free(status);
    return names;
}

/* Whether there are images |depth| folders below |path|; searches only a few folders. */
static bool has_images(const char *path, const weir_paths *names, int depth)
{
    enum { LOOKS = 20 };
    bool found = false;
    for (size_t i = 0; i < names->count && i < LOOKS && !found; i++) {
        if (depth == 0) {
            found = is_image(names->at[i]);
            continue;
        }
        WEIR_FREED char *below = weir_path_join(path, names->at[i]);
        weir_paths inside = list(below);
        found = has_images(below, &inside, depth - 1);
        weir_paths_fini(&inside);
    }
    return found;
}

static bool claims(const weir_data_place *place)
{
    return place->is_dir &&
           (has_images(place->path, &place->names, 1) || has_images(place->path, &place->names, 2));
}

/* ---- opening --------------------------------------------------------------------------------- */

static int find_class(image_source *source, const char *name)
{
    for (size_t i = 0; i < source->classes.count; i++)
        if (strcmp(source->classes.at[i], name) == 0)
            return (int)i;
    return -1;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Adds every folder in |path| as a class. */
static void add_classes(image_source *source, const char *path)
{
    weir_paths names = list(path);
    for (size_t i = 0; i < names.count; i++) {
        WEIR_FREED char *below = weir_path_join(path, names.at[i]);
        if (names.at[i][0] != '.' && weir_path_is_dir(below) && find_class(source, names.at[i]) < 0)
            weir_vec_push(&source->classes, weir_strdup(names.at[i]));
    }
    weir_paths_fini(&names);
    if (source->classes.count)
        qsort(source->classes.at, source->classes.count, sizeof *source->classes.at, by_name);
}

static weir_status add_class_images(image_source *source, const char *path, int label)
{
    weir_paths names = {0};
    WEIR_TRY(weir_dir_list(path, &names));
    for (size_t i = 0; i < names.count; i++) {
        if (!is_image(names.at[i]))
            continue;
        WEIR_FREED char *whole = weir_path_join(path, names.at[i]);
        image it = {weir_arena_strdup(&source->names, whole), label};
        weir_vec_push(&source->images, it);
    }
    weir_paths_fini(&names);
    return WEIR_OK;
}

static weir_status add_images(image_source *source, const char *path)
{
    for (size_t i = 0; i < source->classes.count; i++) {
        WEIR_FREED char *below = weir_path_join(path, source->classes.at[i]);
        if (weir_path_is_dir(below))
            WEIR_TRY(add_class_images(source, below, (int)i));
    }
    return WEIR_OK;
}

/* Folders per split: classes come from all of them, images only from the wanted ones. */
static weir_status add_splits(image_source *source, const weir_data_place *place)
{
    weir_split wanted = weir_split_wanted(place->options);
    weir_status status = WEIR_OK;
    for (int images = 0; images < 2; images++)
        for (size_t i = 0; i < place->names.count && !status; i++) {
            weir_split split = weir_split_of(place->names.at[i]);
            if (split == WEIR_SPLIT_NONE)
                continue;
            WEIR_FREED char *below = weir_path_join(place->path, place->names.at[i]);
            if (!images)
                add_classes(source, below);
            else if (wanted == WEIR_SPLIT_NONE || wanted == split)
                status = add_images(source, below);
        }
    return status;
}

static bool has_splits(const weir_data_place *place)
{
    for (size_t i = 0; i < place->names.count; i++)
        if (weir_split_of(place->names.at[i]) != WEIR_SPLIT_NONE)
            return has_images(place->path, &place->names, 2);
    return false;
}

static weir_status find_images(image_source *source, const weir_data_place *place)
{
    source->base.is_whole = !has_splits(place);
    if (source->base.is_whole) {
        add_classes(source, place->path);
        WEIR_TRY(add_images(source, place->path));
    } else {
        WEIR_TRY(add_splits(source, place));
    }
    if (source->images.count == 0)
        return weir_error(WEIR_NOT_FOUND,
                          "%s; has no images for %s: they are looked for in a folder per class, "
                          "which may lie in folders named train and test",
                          place->path, place->options->split ? place->options->split : "train");
    if (source->images.count > MOST_IMAGES)
        return weir_error(WEIR_RESOURCE_EXHAUSTED, "%s; %zu images are more than %d", place->path,
                          source->images.count, MOST_IMAGES);
    return WEIR_OK;
}

static void destroy(weir_source *base)
{
    image_source *source = (image_source *)base;
    weir_arena_fini(&source->names);
    weir_vec_fini(&source->images);
    weir_paths_fini(&source->classes);
    weir_free(source);
}

/* ---- examples -------------------------------------------------------------------------------- */

static weir_status read_file(const char *path, weir_buf *out)
{
    WEIR_OWNED(weir_rfile) file = NULL;
    WEIR_TRY(weir_rfile_open(path, &file));
    uint64_t bytes = weir_rfile_bytes(file);
    if (bytes > MOST_FILE_BYTES)
        return weir_error(WEIR_RESOURCE_EXHAUSTED, "%llu bytes are too many for an image",
                          (unsigned long long)bytes);
    weir_scratch_room(out, bytes);
    WEIR_TRY(weir_rfile_read(file, 0, out->at, bytes));
    out->length = bytes;
    return WEIR_OK;
}

static weir_status fetch(weir_source *base, const weir_item *item, weir_scratch *scratch,
                         weir_example *out)
{
    const image *it = &((image_source *)base)->images.at[item->index];
    WEIR_TRY(read_file(it->path, &scratch->file));
    *out = (weir_example){.kind = WEIR_ENCODED,
                          .bytes = {scratch->file.at, scratch->file.length},
                          .label = it->label};
    return WEIR_OK;
}

static void where(const weir_source *base, const weir_item *item, weir_buf *out)
{
    weir_buf_adds(out, ((const image_source *)base)->images.at[item->index].path);
}

static const char *class_name(const weir_source *base, int64_t label)
{
    return ((const image_source *)base)->classes.at[label];
}

static const weir_source_class class = {
    .fetch = fetch, .where = where, .class_name = class_name, .destroy = destroy};

static weir_status open_images(const weir_data_place *place, weir_source **out_source)
{
    image_source *source = WEIR_NEW(image_source);
    source->base = (weir_source){.class = &class, .of_images = true};
    weir_arena_init(&source->names);
    WEIR_OWNED(weir_source) owned = &source->base;
    WEIR_TRY(find_images(source, place));
    source->base.count = (int64_t)source->images.count;
    source->base.classes = (int64_t)source->classes.count;
    *out_source = WEIR_TAKE(owned);
    return WEIR_OK;
}

const weir_source_kind weir_images_source = {"images", claims, open_images};
