/* data/idx.c - IDX files in MNIST's layout: images and labels in two files per split.
 *
 *   train-images-idx3-ubyte  train-labels-idx1-ubyte
 *   t10k-images-idx3-ubyte   t10k-labels-idx1-ubyte
 * plain or with .gz, also with a dot before "idx". EMNIST's longer names have the same endings.
 */
#include "io/idx.h"
#include "data/source.h"
#include "tensor/tensor.h"

#define CURE " (put a whole copy of the file there)"

/* The two files of a split. */
typedef struct part {
    char *images_path, *labels_path;
    weir_tensor images; /* uint8 [n, ...] */
    weir_tensor labels; /* uint8 [n] */
} part;

typedef struct idx_source {
    weir_source base;
    WEIR_VEC(part) parts;
    int64_t per_example;
} idx_source;

/* The word in |name| that denotes images instead of labels; null if it is not a file of images. */
static const char *images_word(const char *name)
{
    const char *word = NULL;
    for (const char *at = name; (at = strstr(at, "images")); at++)
        word = at;
    bool good = word && (strncmp(word + 6, "-idx", 4) == 0 || strncmp(word + 6, ".idx", 4) == 0);
    return good ? word : NULL;
}

static bool is_images(const char *name)
{
    return images_word(name) != NULL;
}

static bool claims(const weir_data_place *place)
{
    return weir_data_place_has(place, is_images);
}

/* ---- opening --------------------------------------------------------------------------------- */

/* The label file of |images|: the same name with another word, and rank 1. */
static char *labels_beside(const char *images)
{
    const char *word = images_word(images);
    weir_buf buf = {0};
    weir_buf_addf(&buf, "%.*slabels%s", (int)(word - images), images, word + strlen("images"));
    char *rank = strstr(buf.at + (word - images), "idx3");
    if (rank)
        rank[3] = '1';
    return weir_buf_take(&buf);
}

static weir_status find_parts(idx_source *source, const weir_data_place *place)
{
    weir_paths images = {0};
    weir_data_place_files(place, weir_split_wanted(place->options), is_images, &images,
                          &source->base.is_whole);
    for (size_t i = 0; i < images.count; i++) {
        part one = {.images_path = weir_strdup(images.at[i]),
                    .labels_path = labels_beside(images.at[i])};
        weir_vec_push(&source->parts, one);
    }
    weir_paths_fini(&images);
    if (source->parts.count == 0)
        return weir_error(WEIR_NOT_FOUND,
                          "%s; has no IDX images for %s: a file such as t10k-images-idx3-ubyte.gz "
                          "is missing",
                          place->path, place->options->split ? place->options->split : "train");
    return WEIR_OK;
}

/* Tries the compressed or uncompressed variant, in case labels and images differ. */
static void try_other_form(char **path)
{
    if (weir_path_exists(*path))
        return;
    weir_buf buf = {0};
    size_t length = strlen(*path);
    if (weir_name_ends(*path, ".gz"))
        weir_buf_add(&buf, *path, length - 3);
    else
        weir_buf_addf(&buf, "%s.gz", *path);
    weir_free(*path);
    *path = weir_buf_take(&buf);
}

static weir_status read_images(part *part)
{
    WEIR_TRY_NOTE(weir_idx_read(part->images_path, &part->images), CURE);
    const weir_shape *shape = &part->images.shape;
    if (shape->rank < 2 || shape->rank > 4 || shape->dims[0] < 1 || weir_shape_count(shape) < 1)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "%s; IDX images are [examples, height, width], got %s: is this the file "
                          "with the labels?",
                          part->images_path, WEIR_SHAPE_STR(shape));
    if (part->images.dtype != WEIR_UINT8)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "%s; IDX images are bytes (type 8), got %s at byte 2", part->images_path,
                          weir_dtype_name((int)part->images.dtype));
    return WEIR_OK;
}

static weir_status read_labels(part *part, int64_t *most)
{
    const weir_tensor *tensor = &part->labels;
    int64_t count = part->images.shape.dims[0];
    try_other_form(&part->labels_path);
    WEIR_TRY_NOTE(weir_idx_read(part->labels_path, &part->labels), CURE);
    if (tensor->dtype != WEIR_UINT8 || tensor->shape.rank != 1 || tensor->shape.dims[0] != count)
        return weir_error(
            WEIR_INVALID_ARGUMENT,
            "%s; %lld labels of one byte are wanted, one for each image of %s, got %s "
            "of %s",
            part->labels_path, (long long)count, part->images_path, WEIR_SHAPE_STR(&tensor->shape),
            weir_dtype_name((int)tensor->dtype));
    for (int64_t i = 0; i < count; i++)
        if (((const uint8_t *)tensor->data)[i] > *most)
            *most = ((const uint8_t *)tensor->data)[i];
    return WEIR_OK;
}

/* Checks that all parts have images of the same size. */
static weir_status agree(idx_source *source, const part *part)
{
    const weir_shape *shape = &part->images.shape;
    const int64_t dims[3] = {shape->dims[1], shape->rank > 2 ? shape->dims[2] : 1,
                             shape->rank > 3 ? shape->dims[3] : 1};
    if (source->base.rank == 0) {
        memcpy(source->base.dims, dims, sizeof dims);
        source->base.rank = 3;
        source->per_example = weir_shape_product(shape, 1, shape->rank);
    }
    if (memcmp(source->base.dims, dims, sizeof dims) != 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "%s; has images of another size than %s",
                          part->images_path, source->parts.at[0].images_path);
    source->base.count += shape->dims[0];
    return WEIR_OK;
}

static weir_status read_parts(idx_source *source)
{
    int64_t most = 0; /* maximum label */
    for (size_t i = 0; i < source->parts.count; i++) {
        part *part = &source->parts.at[i];
        WEIR_TRY(read_images(part));
        WEIR_TRY(agree(source, part));
        WEIR_TRY(read_labels(part, &most));
    }
    source->base.classes = most + 1;
    return WEIR_OK;
}

static void destroy(weir_source *base)
{
    idx_source *source = (idx_source *)base;
    for (size_t i = 0; i < source->parts.count; i++) {
        part *part = &source->parts.at[i];
        weir_tensor_release(&part->images);
        weir_tensor_release(&part->labels);
        weir_free(part->images_path);
        weir_free(part->labels_path);
    }
    weir_vec_fini(&source->parts);
    weir_free(source);
}

/* ---- examples -------------------------------------------------------------------------------- */

/* The part that contains example *index, which becomes the index in the part. */
static const part *part_of(const weir_source *base, int64_t *index)
{
    const part *part = ((const idx_source *)base)->parts.at;
    for (; *index >= part->images.shape.dims[0]; part++)
        *index -= part->images.shape.dims[0];
    return part;
}

static weir_status fetch(weir_source *base, const weir_item *item, weir_scratch *scratch,
                         weir_example *out)
{
    int64_t index = item->index, bytes = ((const idx_source *)base)->per_example;
    const part *part = part_of(base, &index);
    *out = (weir_example){
        .kind = WEIR_PIXELS,
        .bytes = {(const char *)part->images.data + index * bytes, (size_t)bytes},
        .height = base->dims[0],
        .width = base->dims[1],
        .channels = (int)base->dims[2],
        .label = ((const uint8_t *)part->labels.data)[index],
    };
    return WEIR_OK;
}

static void where(const weir_source *base, const weir_item *item, weir_buf *out)
{
    int64_t index = item->index;
    const part *part = part_of(base, &index);
    weir_buf_addf(out, "%s, image %lld", part->images_path, (long long)index);
}

static const weir_source_class class = {.fetch = fetch, .where = where, .destroy = destroy};

static weir_status open_idx(const weir_data_place *place, weir_source **out_source)
{
    idx_source *source = WEIR_NEW(idx_source);
    source->base =
        (weir_source){.class = &class, .of_images = true, .in_memory = true, .upright = true};
    WEIR_OWNED(weir_source) owned = &source->base;
    WEIR_TRY(find_parts(source, place));
    WEIR_TRY(read_parts(source));
    *out_source = WEIR_TAKE(owned);
    return WEIR_OK;
}

const weir_source_kind weir_idx_source = {"IDX", claims, open_idx};
