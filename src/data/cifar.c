/* data/cifar.c - CIFAR-10 and CIFAR-100 in binary format.
 *
 *   CIFAR-10   data_batch_1.bin .. data_batch_5.bin, test_batch.bin; names in batches.meta.txt
 *   CIFAR-100  train.bin, test.bin; names in fine_label_names.txt
 * A record is 1 label byte (CIFAR-100: 2, the coarse and the fine one) and the 32 x 32 bytes of
 * red, of green and of blue.
 */
#include "data/source.h"
#include "tensor/tensor.h"

enum { SIDE = 32, PLANE = SIDE * SIDE, PIXELS = 3 * PLANE, MOST_BYTES = 1 << 30 };

typedef struct form {
    const char *names; /* of the classes */
    int labels;        /* label bytes; the last one is used */
    int classes;
} form;
static const form ten = {"batches.meta.txt", 1, 10};
static const form hundred = {"fine_label_names.txt", 2, 100};

typedef struct cifar_source {
    weir_source base;
    const form *form;
    weir_paths files, names;
    weir_tensor images; /* uint8 [n, 32, 32, 3] */
    uint8_t *labels;
} cifar_source;

static bool is_ten(const char *name)
{
    return weir_name_ends(name, ".bin") &&
           (strncmp(name, "data_batch", 10) == 0 || strcmp(name, "test_batch.bin") == 0);
}

static bool is_hundred(const char *name)
{
    return strcmp(name, "train.bin") == 0 || strcmp(name, "test.bin") == 0;
}

static bool claims(const weir_data_place *place)
{
    return place->is_dir &&
           (weir_data_place_has(place, is_ten) || weir_data_place_has(place, is_hundred));
}

/* ---- opening --------------------------------------------------------------------------------- */

static size_t record_bytes(const cifar_source *source)
{
    return (size_t)source->form->labels + PIXELS;
}

static weir_status count_records(const cifar_source *source, const char *path, int64_t *out_count)
{
    WEIR_OWNED(weir_rfile) file = NULL;
    WEIR_TRY(weir_rfile_open(path, &file));
    uint64_t bytes = weir_rfile_bytes(file), of = record_bytes(source);
    if (bytes == 0 || bytes % of || bytes > MOST_BYTES)
        return weir_error(WEIR_DATA_LOSS,
                          "%s; %llu bytes are not records of %llu: the last one ends at byte %llu. "
                          "Put a whole copy of the file there",
                          path, (unsigned long long)bytes, (unsigned long long)of,
                          (unsigned long long)(bytes - bytes % of));
    *out_count += (int64_t)(bytes / of);
    return WEIR_OK;
}

/* Converts colour planes to interleaved pixels. */
static void interleave(const uint8_t *planes, uint8_t *pixels)
{
    for (int i = 0; i < PLANE; i++)
        for (int c = 0; c < 3; c++)
            pixels[3 * i + c] = planes[c * PLANE + i];
}

/* Reads the records of one file into the slots from *at on. */
static weir_status read_records(cifar_source *source, const char *path, int64_t *at)
{
    WEIR_BUF(bytes);
    WEIR_TRY(weir_file_read_all(path, MOST_BYTES, &bytes));
    weir_status status = WEIR_OK;
    size_t of = record_bytes(source);
    for (size_t i = 0; i + of <= bytes.length && *at < source->base.count && !status; i += of) {
        const uint8_t *record = (const uint8_t *)bytes.at + i;
        uint8_t label = record[source->form->labels - 1];
        if (label >= source->form->classes)
            status = weir_error(WEIR_DATA_LOSS,
                                "%s, byte %zu; the label is %d, not below %d: this is no CIFAR-%d "
                                "file",
                                path, i + (size_t)source->form->labels - 1, label,
                                source->form->classes, source->form->classes);
        source->labels[*at] = label;
        interleave(record + source->form->labels, (uint8_t *)source->images.data + *at * PIXELS);
        *at += 1;
    }
    return status;
}

/* Reads class names, if their file exists. */
static void read_names(cifar_source *source, const weir_data_place *place)
{
    WEIR_FREED char *path = weir_path_join(place->path, source->form->names);
    WEIR_BUF(text);
    weir_status status = weir_file_read_all(path, 1 << 16, &text);
    for (size_t i = 0; !status && i < text.length;) {
        size_t count = strcspn(text.at + i, "\r\n");
        if (count)
            weir_vec_push(&source->names, weir_strndup(text.at + i, count));
        i += count + 1;
    }
    weir_status_free(status);
}

static weir_status read_all(cifar_source *source, const weir_data_place *place)
{
    source->form = weir_data_place_has(place, is_ten) ? &ten : &hundred;
    weir_data_place_files(place, weir_split_wanted(place->options),
                          source->form == &ten ? is_ten : is_hundred, &source->files,
                          &source->base.is_whole);
    if (source->files.count == 0)
        return weir_error(WEIR_NOT_FOUND, "%s; has no CIFAR-%d file for %s", place->path,
                          source->form->classes,
                          place->options->split ? place->options->split : "train");
    for (size_t i = 0; i < source->files.count; i++)
        WEIR_TRY(count_records(source, source->files.at[i], &source->base.count));
    weir_shape shape = {4, {source->base.count, SIDE, SIDE, 3}};
    WEIR_TRY(weir_tensor_alloc(WEIR_UINT8, &shape, &source->images));
    source->labels = WEIR_NEW_ARRAY(uint8_t, source->base.count);
    int64_t at = 0;
    for (size_t i = 0; i < source->files.count; i++)
        WEIR_TRY(read_records(source, source->files.at[i], &at));
    source->base.count = at; /* a file may have shrunk meanwhile */
    read_names(source, place);
    return WEIR_OK;
}

static void destroy(weir_source *base)
{
    cifar_source *source = (cifar_source *)base;
    weir_paths_fini(&source->files);
    weir_paths_fini(&source->names);
    weir_tensor_release(&source->images);
    weir_free(source->labels);
    weir_free(source);
}

/* ---- examples -------------------------------------------------------------------------------- */

static weir_status fetch(weir_source *base, const weir_item *item, weir_scratch *scratch,
                         weir_example *out)
{
    const cifar_source *source = (const cifar_source *)base;
    *out = (weir_example){
        .kind = WEIR_PIXELS,
        .bytes = {(const char *)source->images.data + item->index * PIXELS, PIXELS},
        .height = SIDE,
        .width = SIDE,
        .channels = 3,
        .label = source->labels[item->index],
    };
    return WEIR_OK;
}

static void where(const weir_source *base, const weir_item *item, weir_buf *out)
{
    const cifar_source *source = (const cifar_source *)base;
    weir_buf_addf(out, "%s%s, image %lld", source->files.at[0],
                  source->files.count > 1 ? " and on" : "", (long long)item->index);
}

static const char *class_name(const weir_source *base, int64_t label)
{
    const cifar_source *source = (const cifar_source *)base;
    return (size_t)label < source->names.count ? source->names.at[label] : NULL;
}

static const weir_source_class class = {
    .fetch = fetch, .where = where, .class_name = class_name, .destroy = destroy};

static weir_status open_cifar(const weir_data_place *place, weir_source **out_source)
{
    cifar_source *source = WEIR_NEW(cifar_source);
    source->base = (weir_source){
        .class = &class, .rank = 3, .dims = {SIDE, SIDE, 3}, .of_images = true, .in_memory = true};
    WEIR_OWNED(weir_source) owned = &source->base;
    WEIR_TRY(read_all(source, place));
    source->base.classes = source->form->classes;
    *out_source = WEIR_TAKE(owned);
    return WEIR_OK;
}

const weir_source_kind weir_cifar_source = {"CIFAR", claims, open_cifar};
