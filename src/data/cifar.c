/* data/cifar.c - CIFAR-10 and CIFAR-100 in their binary form.
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
    int labels;        /* bytes of labels; the last counts */
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

static bool claims(const weir_place *p)
{
    return p->is_dir && (weir_place_has(p, is_ten) || weir_place_has(p, is_hundred));
}

/* ---- opening ---- */

static size_t record_bytes(const cifar_source *s)
{
    return (size_t)s->form->labels + PIXELS;
}

static weir_status count_records(const cifar_source *s, const char *path, int64_t *out_count)
{
    WEIR_OWNED(weir_rfile) f = NULL;
    WEIR_TRY(weir_rfile_open(path, &f));
    uint64_t bytes = weir_rfile_bytes(f), of = record_bytes(s);
    if (bytes == 0 || bytes % of || bytes > MOST_BYTES)
        return weir_error(WEIR_DATA_LOSS,
                          "%s; %llu bytes are not records of %llu: the last one ends at byte %llu. "
                          "Put a whole copy of the file there",
                          path, (unsigned long long)bytes, (unsigned long long)of,
                          (unsigned long long)(bytes - bytes % of));
    *out_count += (int64_t)(bytes / of);
    return WEIR_OK;
}

/* Planes of colours to pixels. */
static void interleave(const uint8_t *planes, uint8_t *pixels)
{
    for (int i = 0; i < PLANE; i++)
        for (int c = 0; c < 3; c++)
            pixels[3 * i + c] = planes[c * PLANE + i];
}

/* Reads the records of one file into the places from *at on. */
static weir_status read_records(cifar_source *s, const char *path, int64_t *at)
{
    WEIR_BUF(bytes);
    WEIR_TRY(weir_file_read_all(path, MOST_BYTES, &bytes));
    weir_status status = WEIR_OK;
    size_t of = record_bytes(s);
    for (size_t i = 0; i + of <= bytes.length && *at < s->base.count && !status; i += of) {
        const uint8_t *record = (const uint8_t *)bytes.at + i;
        uint8_t label = record[s->form->labels - 1];
        if (label >= s->form->classes)
            status = weir_error(WEIR_DATA_LOSS,
                                "%s, byte %zu; the label is %d, not below %d: this is no CIFAR-%d "
                                "file",
                                path, i + (size_t)s->form->labels - 1, label, s->form->classes,
                                s->form->classes);
        s->labels[*at] = label;
        interleave(record + s->form->labels, (uint8_t *)s->images.data + *at * PIXELS);
        *at += 1;
    }
    return status;
}

/* Class names, when the file with them is there. */
static void read_names(cifar_source *s, const weir_place *p)
{
    char *path = weir_path_join(p->path, s->form->names);
    WEIR_BUF(text);
    weir_status status = weir_file_read_all(path, 1 << 16, &text);
    weir_free(path);
    for (size_t i = 0; !status && i < text.length;) {
        size_t n = strcspn(text.at + i, "\r\n");
        if (n)
            weir_vec_push(&s->names, weir_strndup(text.at + i, n));
        i += n + 1;
    }
    weir_status_free(status);
}

static weir_status read_all(cifar_source *s, const weir_place *p)
{
    s->form = weir_place_has(p, is_ten) ? &ten : &hundred;
    weir_place_files(p, weir_split_wanted(p->options), s->form == &ten ? is_ten : is_hundred,
                     &s->files, &s->base.is_whole);
    if (s->files.count == 0)
        return weir_error(WEIR_NOT_FOUND, "%s; has no CIFAR-%d file for %s", p->path,
                          s->form->classes, p->options->split ? p->options->split : "train");
    for (size_t i = 0; i < s->files.count; i++)
        WEIR_TRY(count_records(s, s->files.at[i], &s->base.count));
    weir_shape shape = {4, {s->base.count, SIDE, SIDE, 3}};
    WEIR_TRY(weir_tensor_alloc(WEIR_UINT8, &shape, &s->images));
    s->labels = WEIR_NEW_ARRAY(uint8_t, s->base.count);
    int64_t at = 0;
    for (size_t i = 0; i < s->files.count; i++)
        WEIR_TRY(read_records(s, s->files.at[i], &at));
    s->base.count = at; /* a file may have shrunk meanwhile */
    read_names(s, p);
    return WEIR_OK;
}

static void destroy(weir_source *base)
{
    cifar_source *s = (cifar_source *)base;
    weir_paths_fini(&s->files);
    weir_paths_fini(&s->names);
    weir_tensor_release(&s->images);
    weir_free(s->labels);
    weir_free(s);
}

/* ---- examples ---- */

static weir_status fetch(weir_source *base, const weir_item *item, weir_scratch *scratch,
                         weir_example *out)
{
    const cifar_source *s = (const cifar_source *)base;
    *out = (weir_example){
        .kind = WEIR_PIXELS,
        .bytes = {(const char *)s->images.data + item->index * PIXELS, PIXELS},
        .height = SIDE,
        .width = SIDE,
        .channels = 3,
        .label = s->labels[item->index],
    };
    return WEIR_OK;
}

static void where(const weir_source *base, const weir_item *item, weir_buf *out)
{
    const cifar_source *s = (const cifar_source *)base;
    weir_buf_addf(out, "%s%s, image %lld", s->files.at[0], s->files.count > 1 ? " and on" : "",
                  (long long)item->index);
}

static const char *class_name(const weir_source *base, int64_t label)
{
    const cifar_source *s = (const cifar_source *)base;
    return (size_t)label < s->names.count ? s->names.at[label] : NULL;
}

static const weir_source_class class = {
    .fetch = fetch, .where = where, .class_name = class_name, .destroy = destroy};

static weir_status open_cifar(const weir_place *p, weir_source **out_source)
{
    cifar_source *s = WEIR_NEW(cifar_source);
    s->base = (weir_source){
        .class = &class, .rank = 3, .dims = {SIDE, SIDE, 3}, .of_images = true, .in_memory = true};
    WEIR_OWNED(weir_source) owned = &s->base;
    WEIR_TRY(read_all(s, p));
    s->base.classes = s->form->classes;
    *out_source = WEIR_TAKE(owned);
    return WEIR_OK;
}

const weir_source_kind weir_cifar_source = {"CIFAR", claims, open_cifar};
