/* data/idx.c - IDX files as MNIST has them: images and labels in two files of a kind.
 *
 *   train-images-idx3-ubyte  train-labels-idx1-ubyte  t10k-images-idx3-ubyte t10k-labels-idx1-ubyte
 * plain or with .gz, also with a dot before "idx". EMNIST's longer names end alike.
 */
#include "io/idx.h"
#include "data/source.h"
#include "tensor/tensor.h"

#define CURE " (put a whole copy of the file there)"

typedef struct idx_source {
    weir_source base;
    char *images_path, *labels_path;
    weir_tensor images; /* uint8, or float: [n, ...] */
    int64_t *labels;    /* checked */
    int64_t per_example;
} idx_source;

/* The word that tells images from labels in |name|; null when it is not a file with images. */
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

static bool claims(const weir_place *p)
{
    return weir_place_has(p, is_images);
}

/* ---- opening ---- */

/* The file with the labels of |images|: the same name with another word, and rank 1. */
static char *labels_beside(const char *images)
{
    const char *word = images_word(images);
    weir_buf b = {0};
    weir_buf_addf(&b, "%.*slabels%s", (int)(word - images), images, word + strlen("images"));
    char *rank = strstr(b.at + (word - images), "idx3");
    if (rank)
        rank[3] = '1';
    return weir_buf_take(&b);
}

static weir_status find_files(idx_source *s, const weir_place *p)
{
    weir_paths images = {0};
    bool whole;
    weir_place_files(p, weir_split_wanted(p->options), is_images, &images, &whole);
    weir_status status = WEIR_OK;
    if (images.count == 0)
        status =
            weir_error(WEIR_NOT_FOUND,
                       "%s; has no IDX images for %s: a file such as t10k-images-idx3-ubyte.gz "
                       "is missing",
                       p->path, p->options->split ? p->options->split : "train");
    else {
        s->images_path = weir_strdup(images.at[0]);
        s->labels_path = labels_beside(s->images_path);
        s->base.is_whole = whole;
    }
    weir_paths_fini(&images);
    return status;
}

/* The other of the plain and the packed form, for labels that are packed when images are not. */
static void try_other_form(char **path)
{
    if (weir_path_exists(*path))
        return;
    weir_buf b = {0};
    size_t n = strlen(*path);
    if (weir_name_ends(*path, ".gz"))
        weir_buf_add(&b, *path, n - 3);
    else
        weir_buf_addf(&b, "%s.gz", *path);
    weir_free(*path);
    *path = weir_buf_take(&b);
}

static weir_status read_images(idx_source *s)
{
    WEIR_TRY_NOTE(weir_idx_read(s->images_path, &s->images), CURE);
    const weir_shape *shape = &s->images.shape;
    if (shape->rank < 2 || shape->rank > 4 || shape->dims[0] < 1 || weir_shape_count(shape) < 1)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "%s; IDX images are [examples, height, width], got %s: is this the file "
                          "with the labels?",
                          s->images_path, WEIR_SHAPE_STR(shape));
    if (s->images.dtype != WEIR_UINT8)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "%s; IDX images are bytes (type 8), got %s at byte 2", s->images_path,
                          weir_dtype_name((int)s->images.dtype));
    weir_source *base = &s->base;
    base->count = shape->dims[0];
    base->rank = 3;
    base->dims[0] = shape->dims[1];
    base->dims[1] = shape->rank > 2 ? shape->dims[2] : 1;
    base->dims[2] = shape->rank > 3 ? shape->dims[3] : 1;
    s->per_example = weir_shape_product(shape, 1, shape->rank);
    return WEIR_OK;
}

static weir_status read_labels(idx_source *s)
{
    weir_tensor t = {0};
    try_other_form(&s->labels_path);
    WEIR_TRY_NOTE(weir_idx_read(s->labels_path, &t), CURE);
    weir_status status = WEIR_OK;
    if (t.dtype != WEIR_UINT8 || t.shape.rank != 1 || t.shape.dims[0] != s->base.count)
        status = weir_error(WEIR_INVALID_ARGUMENT,
                            "%s; %lld labels of one byte are wanted, one for each image of %s, got "
                            "%s of %s",
                            s->labels_path, (long long)s->base.count, s->images_path,
                            WEIR_SHAPE_STR(&t.shape), weir_dtype_name((int)t.dtype));
    else {
        s->labels = WEIR_NEW_ARRAY(int64_t, s->base.count);
        for (int64_t i = 0; i < s->base.count; i++) {
            s->labels[i] = ((const uint8_t *)t.data)[i];
            if (s->labels[i] >= s->base.classes)
                s->base.classes = s->labels[i] + 1;
        }
    }
    weir_tensor_release(&t);
    return status;
}

static void destroy(weir_source *base)
{
    idx_source *s = (idx_source *)base;
    weir_tensor_release(&s->images);
    weir_free(s->labels);
    weir_free(s->images_path);
    weir_free(s->labels_path);
    weir_free(s);
}

/* ---- examples ---- */

static weir_status fetch(weir_source *base, const weir_item *item, weir_scratch *scratch,
                         weir_example *out)
{
    const idx_source *s = (const idx_source *)base;
    *out = (weir_example){
        .kind = WEIR_PIXELS,
        .bytes = {(const char *)s->images.data + item->index * s->per_example,
                  (size_t)s->per_example},
        .height = base->dims[0],
        .width = base->dims[1],
        .channels = (int)base->dims[2],
        .label = s->labels[item->index],
    };
    return WEIR_OK;
}

static void where(const weir_source *base, const weir_item *item, weir_buf *out)
{
    const idx_source *s = (const idx_source *)base;
    weir_buf_addf(out, "%s, image %lld", s->images_path, (long long)item->index);
}

static const weir_source_class class = {.fetch = fetch, .where = where, .destroy = destroy};

static weir_status open_idx(const weir_place *p, weir_source **out_source)
{
    idx_source *s = WEIR_NEW(idx_source);
    s->base = (weir_source){.class = &class, .of_images = true, .in_memory = true, .upright = true};
    WEIR_OWNED(weir_source) owned = &s->base;
    WEIR_TRY(find_files(s, p));
    WEIR_TRY(read_images(s));
    WEIR_TRY(read_labels(s));
    *out_source = WEIR_TAKE(owned);
    return WEIR_OK;
}

const weir_source_kind weir_idx_source = {"IDX", claims, open_idx};
