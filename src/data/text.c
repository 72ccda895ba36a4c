/* data/text.c - plain text for language models: each word, or byte, is predicted from those
 * before.
 *
 * With at most 256 classes a token is a byte; otherwise it is a word between spaces, and the end
 * of a line is the word <eos>. Words are numbered by decreasing frequency in the training files,
 * ties alphabetically. With more words than classes the rest map to the word <unk>, which has
 * the last number unless the text contains it. An example is a sequence of tokens, and the next
 * one.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "data/source.h"

enum { MOST_FILE_BYTES = 1 << 30, BYTE_CLASSES = 256, STEPS = 20 };

typedef struct word {
    char *text;
    int64_t count;
    int32_t number; /* -1: mapped to <unk> */
} word;

typedef struct text_source {
    weir_source base;
    weir_paths files;
    WEIR_VEC(word *) words; /* by number, numbered ones first; empty for bytes */
    weir_map by_text;
    int32_t unknown; /* -1: there is none */
    WEIR_VEC(int32_t) tokens;
    int64_t steps;
} text_source;

static bool is_text(const char *name)
{
    return weir_name_ends(name, ".txt");
}

static bool claims(const weir_data_place *place)
{
    return weir_data_place_has(place, is_text);
}

/* ---- words ----------------------------------------------------------------------------------- */

typedef weir_status (*word_fn)(text_source *source, weir_str word);

static weir_status each_word(text_source *source, weir_str text, word_fn fn)
{
    size_t i = 0;
    while (i < text.length) {
        if (text.at[i] == '\n')
            WEIR_TRY(fn(source, WEIR_STR("<eos>")));
        if (strchr(" \t\r\n\v\f", text.at[i]) && text.at[i]) {
            i++;
            continue;
        }
        size_t start = i;
        while (i < text.length && (!strchr(" \t\r\n\v\f", text.at[i]) || !text.at[i]))
            i++;
        WEIR_TRY(fn(source, (weir_str){text.at + start, i - start}));
    }
    return WEIR_OK;
}

static weir_status count_word(text_source *source, weir_str text)
{
    word *found = weir_map_get(&source->by_text, text);
    if (!found) {
        found = WEIR_NEW(word);
        found->text = weir_strndup(text.at, text.length);
        weir_map_put(&source->by_text, text, found);
        weir_vec_push(&source->words, found);
    }
    found->count++;
    return WEIR_OK;
}

static int by_frequency(const void *a, const void *b)
{
    const word *first = *(word *const *)a, *second = *(word *const *)b;
    return first->count != second->count ? (first->count < second->count ? 1 : -1)
                                         : strcmp(first->text, second->text);
}

/* Numbers the words; at most |classes| of them (0: all). */
static void number_words(text_source *source, int64_t classes)
{
    qsort(source->words.at, source->words.count, sizeof *source->words.at, by_frequency);
    int64_t count = (int64_t)source->words.count, kept = count;
    const word *own = weir_map_get(&source->by_text, WEIR_STR("<unk>"));
    if (classes > 0 && count > classes)
        kept = own ? classes : classes - 1;
    for (int64_t i = 0; i < count; i++)
        source->words.at[i]->number = i < kept ? (int32_t)i : -1;
    source->unknown = own && own->number >= 0 ? own->number : kept < count ? (int32_t)kept : -1;
    source->base.classes = kept + (source->unknown == kept);
}

static weir_status add_word(text_source *source, weir_str text)
{
    const word *word = weir_map_get(&source->by_text, text);
    int32_t number = word && word->number >= 0 ? word->number : source->unknown;
    if (number < 0)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "the word \"%.*s\" is not in the training text, and there is no <unk>: "
                          "give fewer classes than there are words (%zu)",
                          (int)(text.length < 40 ? text.length : 40), text.at, source->words.count);
    weir_vec_push(&source->tokens, number);
    return WEIR_OK;
}

static weir_status add_bytes(text_source *source, weir_str text)
{
    for (size_t i = 0; i < text.length; i++) {
        int32_t byte = (uint8_t)text.at[i];
        if (byte >= source->base.classes)
            return weir_error(
                WEIR_INVALID_ARGUMENT,
                "byte %zu is %d, not below the model's %lld classes: give 256, or more "
                "for words",
                i, byte, (long long)source->base.classes);
        weir_vec_push(&source->tokens, byte);
    }
    return WEIR_OK;
}

/* ---- opening --------------------------------------------------------------------------------- */

static weir_status add_whole(text_source *source, weir_str text, word_fn fn)
{
    return fn == add_bytes ? add_bytes(source, text) : each_word(source, text, fn);
}

static weir_status read_files(text_source *source, const weir_paths *files, word_fn fn)
{
    for (size_t i = 0; i < files->count; i++) {
        WEIR_BUF(text);
        WEIR_TRY(weir_file_read_all(files->at[i], MOST_FILE_BYTES, &text));
        weir_status status = add_whole(source, weir_view(&text), fn);
        if (status)
            return weir_status_prefix(status, "%s; ", files->at[i]);
    }
    return WEIR_OK;
}

/* Collects the words of the training text, whatever split is wanted. */
static weir_status learn_words(text_source *source, const weir_data_place *place)
{
    weir_paths files = {0};
    bool whole;
    weir_data_place_files(place, WEIR_SPLIT_TRAIN, is_text, &files, &whole);
    weir_status status = read_files(source, &files, count_word);
    weir_paths_fini(&files);
    WEIR_TRY(status);
    if (source->words.count == 0 || source->words.count > INT32_MAX)
        return weir_error(WEIR_INVALID_ARGUMENT, "%s; has %zu words to train with", place->path,
                          source->words.count);
    number_words(source, place->options->classes);
    return WEIR_OK;
}

static weir_status read_all(text_source *source, const weir_data_place *place)
{
    const weir_data_options *options = place->options;
    bool bytes = options->classes > 0 && options->classes <= BYTE_CLASSES;
    source->base.classes = options->classes;
    source->steps = 1;
    for (int i = 0; i < options->rank && i < 4; i++) {
        if (options->dims[i] < 1 || options->dims[i] > INT32_MAX || source->steps > INT32_MAX)
            return weir_error(WEIR_INVALID_ARGUMENT, "dim %d of an example is %lld", i,
                              (long long)options->dims[i]);
        source->steps *= options->dims[i];
    }
    if (options->rank < 1)
        source->steps = STEPS;
    weir_data_place_files(place, weir_split_wanted(options), is_text, &source->files,
                          &source->base.is_whole);
    if (!bytes)
        WEIR_TRY(learn_words(source, place));
    WEIR_TRY(read_files(source, &source->files, bytes ? add_bytes : add_word));
    source->base.count = ((int64_t)source->tokens.count - 1) / source->steps;
    if (source->base.count < 1)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "%s; has %zu tokens for %s, an example needs %lld: give more text, or "
                          "fewer steps",
                          place->path, source->tokens.count,
                          options->split ? options->split : "train", (long long)source->steps + 1);
    source->base.rank = 1;
    source->base.dims[0] = source->steps;
    return WEIR_OK;
}

static void destroy(weir_source *base)
{
    text_source *source = (text_source *)base;
    weir_paths_fini(&source->files);
    for (size_t i = 0; i < source->words.count; i++) {
        weir_free(source->words.at[i]->text);
        weir_free(source->words.at[i]);
    }
    weir_vec_fini(&source->words);
    weir_map_fini(&source->by_text);
    weir_vec_fini(&source->tokens);
    weir_free(source);
}

/* ---- examples -------------------------------------------------------------------------------- */

static weir_status fetch(weir_source *base, const weir_item *item, weir_scratch *scratch,
                         weir_example *out)
{
    const text_source *source = (const text_source *)base;
    *out = (weir_example){.kind = WEIR_TOKENS,
                          .tokens = source->tokens.at + item->index * source->steps,
                          .count = source->steps + 1};
    return WEIR_OK;
}

static void where(const weir_source *base, const weir_item *item, weir_buf *out)
{
    const text_source *source = (const text_source *)base;
    weir_buf_addf(out, "%s, token %" PRId64, source->files.at[0], item->index * source->steps);
}

static const char *class_name(const weir_source *base, int64_t label)
{
    const text_source *source = (const text_source *)base;
    bool known = (size_t)label < source->words.count && source->words.at[label]->number == label;
    return known ? source->words.at[label]->text : source->words.count ? "<unk>" : NULL;
}

static const weir_source_class class = {
    .fetch = fetch, .where = where, .class_name = class_name, .destroy = destroy};

static weir_status open_text(const weir_data_place *place, weir_source **out_source)
{
    text_source *source = WEIR_NEW(text_source);
    source->unknown = -1;
    source->base = (weir_source){.class = &class, .of_tokens = true, .in_memory = true};
    WEIR_OWNED(weir_source) owned = &source->base;
    WEIR_TRY(read_all(source, place));
    *out_source = WEIR_TAKE(owned);
    return WEIR_OK;
}

const weir_source_kind weir_text_source = {"text", claims, open_text};
