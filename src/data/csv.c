/* data/csv.c - CSV tables: a row per example, with columns for its numbers and its label.
 *
 * Files are read completely. A first line without data names the columns. The label column is the
 * one given in the options (by name, or number from 0), else one called label, class, target, y or
 * species, else the last if it looks like labels, else the first. Labels are integers, or words,
 * which are numbered alphabetically over all files.
 */
#include "base/csv.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <strings.h>

#include "base/number.h"
#include "data/source.h"
#include "io/stream.h"

enum { MOST_FILE_BYTES = 1 << 30, MOST_COLUMNS = 1 << 20, OFFSET_BITS = 40 };
static const uint64_t OFFSET_MASK = ((uint64_t)1 << OFFSET_BITS) - 1;

typedef struct csv_source {
    weir_source base;
    weir_paths files;
    int64_t rows;               /* over all splits */
    int columns, label;         /* label -1: none */
    WEIR_VEC(float) values;     /* rows of all columns; a word is stored as its number */
    WEIR_VEC(uint64_t) offsets; /* of rows, with the file index in the upper 24 bits */
    WEIR_VEC(char *) words;     /* of the label, in order of occurrence; sorted later */
    weir_map word_numbers;      /* word -> its number + 1 */
    float *examples;            /* rows without the label */
    int64_t *labels;
} csv_source;

static bool is_csv(const char *name)
{
    return weir_name_ends(name, ".csv") || weir_name_ends(name, ".tsv") ||
           weir_name_ends(name, ".csv.gz");
}

static bool claims(const weir_data_place *place)
{
    return weir_data_place_has(place, is_csv);
}

/* ---- one file -------------------------------------------------------------------------------- */

/* State of reading a file. */
typedef struct reading {
    csv_source *s;
    const weir_data_options *options;
    const char *path;
    int file;
    weir_csv csv;
    int64_t row; /* from 1, including the header */
    uint64_t offset;
    bool kept; /* belongs to the wanted split */
} reading;

static weir_status bad(const reading *reading, const char *what, int column, weir_str field)
{
    return weir_error(WEIR_INVALID_ARGUMENT,
                      "%s, line %" PRId64 ", byte %" PRIu64 "; column %d, \"%.*s\", %s",
                      reading->path, reading->row, reading->offset, column + 1,
                      (int)(field.length < 40 ? field.length : 40), field.at, what);
}

static bool is_number(weir_str text)
{
    float f;
    return weir_parse_f32(text, &f);
}

static bool is_label_name(weir_str text)
{
    static const char *const names[] = {"label", "labels", "class", "target", "y", "species"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (text.length == strlen(names[i]) && strncasecmp(text.at, names[i], text.length) == 0)
            return true;
    return false;
}

/* The label column from the options or by name; -1 if undetermined. */
static weir_status find_label(const reading *reading, const weir_fields *first, bool heading,
                              int *out_column)
{
    const char *name = reading->options->y_name;
    int64_t number;
    *out_column = -1;
    for (size_t i = 0; heading && i < first->count; i++)
        if (name ? weir_str_is(first->at[i], name) : is_label_name(first->at[i]))
            *out_column = (int)i;
    if (*out_column < 0 && name && weir_parse_i64(weir_str_of(name), &number) && number >= 0 &&
        number < (int64_t)first->count)
        *out_column = (int)number;
    if (*out_column < 0 && name)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "%s; has no column %s: give a name of the first line, or a number from 0 "
                          "to %zu",
                          reading->path, name, first->count - 1);
    return WEIR_OK;
}

/* The number of a word in the label column. */
static float word_number(csv_source *source, weir_str word)
{
    uintptr_t number = (uintptr_t)weir_map_get(&source->word_numbers, word);
    if (!number) {
        weir_vec_push(&source->words, weir_strndup(word.at, word.length));
        number = source->words.count;
        weir_map_put(&source->word_numbers, word, (void *)number);
    }
    return (float)(number - 1);
}

/* Whether |column| may contain words: the label column, or one that may become it. */
static bool may_be_words(const reading *reading, int column)
{
    const csv_source *source = reading->s;
    if (!reading->options->label_type)
        return false;
    return source->label >= 0 ? column == source->label : column == source->columns - 1;
}

static weir_status add_row(reading *reading, const weir_fields *fields)
{
    csv_source *source = reading->s;
    if ((int)fields->count != source->columns)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "%s, line %" PRId64 ", byte %" PRIu64 "; has %zu columns where the first "
                          "line has %d: complete the line or take it out",
                          reading->path, reading->row, reading->offset, fields->count,
                          source->columns);
    for (int i = 0; i < source->columns; i++) {
        float value;
        weir_str field = fields->at[i];
        if (!weir_parse_f32(field, &value) || (source->words.count && may_be_words(reading, i))) {
            if (!may_be_words(reading, i))
                return bad(reading, "is not a number: correct it or take the line out", i, field);
            if (source->words.count == 0 && source->rows > 0)
                return bad(reading, "is a word where numbers stood before: use one or the other", i,
                           field);
            value = word_number(source, field);
        }
        if (reading->kept)
            weir_vec_push(&source->values, value);
    }
    source->rows++;
    if (reading->kept)
        weir_vec_push(&source->offsets,
                      (uint64_t)reading->file << OFFSET_BITS | (reading->offset & OFFSET_MASK));
    return WEIR_OK;
}

/* Parses the first line: the delimiter, the number of fields, and whether it is a header. */
static weir_status read_first(reading *reading, weir_str line)
{
    csv_source *source = reading->s;
    const weir_fields *fields = &reading->csv.fields;
    reading->csv.between = weir_csv_guess_between(reading->path, line);
    if (weir_csv_split(&reading->csv, line) || fields->count > MOST_COLUMNS)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "%s, line 1; a quote is not closed, or there are more than %d columns",
                          reading->path, MOST_COLUMNS);
    bool numbers = false; /* a header contains none, except as names of numbered columns */
    size_t last = fields->count - 1;
    for (size_t i = 0; i < fields->count; i++)
        numbers = numbers || (is_number(fields->at[i]) && i != 0);
    bool heading = !numbers || (is_label_name(fields->at[0]) || is_label_name(fields->at[last]));
    heading = heading && !is_number(fields->at[0]);
    if (source->columns == 0) {
        source->columns = (int)fields->count;
        WEIR_TRY(find_label(reading, fields, heading, &source->label));
    }
    return heading ? WEIR_OK : add_row(reading, fields);
}

static weir_status read_lines(reading *reading, weir_stream *in, weir_buf *line)
{
    for (;;) {
        reading->offset = weir_stream_tell(in);
        weir_status status = weir_stream_line(in, line);
        if (weir_status_code(status) == WEIR_OUT_OF_RANGE) {
            weir_status_free(status);
            return WEIR_OK;
        }
        WEIR_TRY(status);
        if (++reading->row == 1) {
            WEIR_TRY(read_first(reading, weir_view(line)));
            continue;
        }
        if (line->length == 0)
            continue;
        if (weir_csv_split(&reading->csv, weir_view(line)))
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "%s, line %" PRId64 ", byte %" PRIu64 "; a quote is not closed",
                              reading->path, reading->row, reading->offset);
        WEIR_TRY(add_row(reading, &reading->csv.fields));
    }
}

static weir_status read_file(reading *reading)
{
    WEIR_OWNED(weir_stream) in = NULL;
    WEIR_BUF(line);
    bool packed = weir_name_ends(reading->path, ".gz");
    WEIR_TRY(
        weir_stream_open(reading->path, packed ? WEIR_PACKING_GZIP : WEIR_PACKING_NONE, 0, &in));
    if (weir_stream_file_bytes(in) > MOST_FILE_BYTES)
        return weir_error(WEIR_RESOURCE_EXHAUSTED,
                          "%s; %llu bytes are too many to be read at once: write TFRecord files",
                          reading->path, (unsigned long long)weir_stream_file_bytes(in));
    weir_status status = read_lines(reading, in, &line);
    weir_csv_fini(&reading->csv);
    return status;
}

/* ---- labels ---------------------------------------------------------------------------------- */

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Whether every value of |column| is a non-negative integer, and not all are equal. */
static bool looks_like_labels(const csv_source *source, int column, int64_t classes)
{
    bool varied = false;
    const float *at = source->values.at + column;
    for (int64_t i = 0; i < source->base.count; i++, at += source->columns) {
        if (*at < 0 || *at != floorf(*at) || (classes > 0 && *at >= (float)classes))
            return false;
        varied = varied || *at != source->values.at[column];
    }
    return varied;
}

static void choose_label(csv_source *source, const weir_data_options *options)
{
    if (source->label >= 0 || !options->label_type)
        return;
    int last = source->columns - 1;
    bool first = !source->words.count && !looks_like_labels(source, last, options->classes) &&
                 looks_like_labels(source, 0, options->classes);
    source->label = first ? 0 : last;
}

/* Numbers the words alphabetically. */
static int64_t *sorted_numbers(csv_source *source)
{
    int64_t *numbers = WEIR_NEW_ARRAY(int64_t, source->words.count);
    char **sorted = WEIR_NEW_ARRAY(char *, source->words.count);
    memcpy(sorted, source->words.at, source->words.count * sizeof *sorted);
    qsort(sorted, source->words.count, sizeof *sorted, by_text);
    for (size_t i = 0; i < source->words.count; i++) {
        uintptr_t old = (uintptr_t)weir_map_get(&source->word_numbers, weir_str_of(sorted[i]));
        numbers[old - 1] = (int64_t)i;
    }
    memcpy(source->words.at, sorted, source->words.count * sizeof *sorted);
    weir_free(sorted);
    return numbers;
}

/* ---- opening --------------------------------------------------------------------------------- */

/* Splits rows into examples and labels. */
static void divide(csv_source *source)
{
    int width = source->label < 0 ? source->columns : source->columns - 1;
    int64_t *numbers = source->words.count ? sorted_numbers(source) : NULL;
    source->examples = WEIR_NEW_ARRAY(float, source->base.count *width);
    source->labels = WEIR_NEW_ARRAY(int64_t, source->base.count);
    for (int64_t i = 0; i < source->base.count; i++) {
        const float *row = source->values.at + i * source->columns;
        float *to = source->examples + i * width;
        for (int column = 0; column < source->columns; column++)
            if (column != source->label)
                *to++ = row[column];
        float label = source->label < 0 ? 0 : row[source->label];
        bool whole = label >= 0 && label < 0x1p31f && label == floorf(label);
        source->labels[i] = numbers ? numbers[(int64_t)label] : whole ? (int64_t)label : -1;
        if (source->labels[i] >= source->base.classes)
            source->base.classes = source->labels[i] + 1;
    }
    if (numbers)
        source->base.classes = (int64_t)source->words.count;
    weir_free(numbers);
    weir_vec_fini(&source->values);
    source->base.rank = 1;
    source->base.dims[0] = width;
}

/* Reads every file, for the label words; keeps the rows of the wanted split. */
static weir_status read_files(csv_source *source, const weir_data_place *place)
{
    weir_paths kept = {0};
    bool whole;
    weir_data_place_files(place, weir_split_wanted(place->options), is_csv, &kept, &whole);
    weir_data_place_files(place, WEIR_SPLIT_NONE, is_csv, &source->files, &source->base.is_whole);
    source->base.is_whole = whole;
    weir_status status = WEIR_OK;
    size_t k = 0;
    for (size_t i = 0; i < source->files.count && !status; i++) {
        reading reading = {
            .s = source, .options = place->options, .path = source->files.at[i], .file = (int)i};
        reading.kept = k < kept.count && strcmp(kept.at[k], reading.path) == 0;
        k += reading.kept;
        status = read_file(&reading);
    }
    weir_paths_fini(&kept);
    return status;
}

static weir_status read_all(csv_source *source, const weir_data_place *place)
{
    source->label = -1;
    WEIR_TRY(read_files(source, place));
    source->base.count = (int64_t)source->offsets.count;
    if (source->base.count == 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "%s; has no rows for %s", place->path,
                          place->options->split ? place->options->split : "train");
    choose_label(source, place->options);
    if (source->columns - (source->label >= 0) < 1)
        return weir_error(WEIR_INVALID_ARGUMENT, "%s; has a label and no other column",
                          place->path);
    divide(source);
    return WEIR_OK;
}

static void destroy(weir_source *base)
{
    csv_source *source = (csv_source *)base;
    weir_paths_fini(&source->files);
    weir_vec_fini(&source->values);
    weir_vec_fini(&source->offsets);
    for (size_t i = 0; i < source->words.count; i++)
        weir_free(source->words.at[i]);
    weir_vec_fini(&source->words);
    weir_map_fini(&source->word_numbers);
    weir_free(source->examples);
    weir_free(source->labels);
    weir_free(source);
}

/* ---- examples -------------------------------------------------------------------------------- */

static weir_status fetch(weir_source *base, const weir_item *item, weir_scratch *scratch,
                         weir_example *out)
{
    const csv_source *source = (const csv_source *)base;
    *out = (weir_example){
        .kind = WEIR_NUMBERS,
        .numbers = source->examples + item->index * base->dims[0],
        .count = base->dims[0],
        .label = source->labels[item->index],
    };
    return WEIR_OK;
}

static void where(const weir_source *base, const weir_item *item, weir_buf *out)
{
    const csv_source *source = (const csv_source *)base;
    uint64_t at = source->offsets.at[item->index];
    weir_buf_addf(out, "%s, byte %" PRIu64, source->files.at[at >> OFFSET_BITS], at & OFFSET_MASK);
}

static const char *class_name(const weir_source *base, int64_t label)
{
    const csv_source *source = (const csv_source *)base;
    return (size_t)label < source->words.count ? source->words.at[label] : NULL;
}

static const weir_source_class class = {
    .fetch = fetch, .where = where, .class_name = class_name, .destroy = destroy};

static weir_status open_csv(const weir_data_place *place, weir_source **out_source)
{
    csv_source *source = WEIR_NEW(csv_source);
    source->base = (weir_source){.class = &class, .in_memory = true};
    WEIR_OWNED(weir_source) owned = &source->base;
    WEIR_TRY(read_all(source, place));
    *out_source = WEIR_TAKE(owned);
    return WEIR_OK;
}

const weir_source_kind weir_csv_source = {"CSV", claims, open_csv};
