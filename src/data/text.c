/* data/text.c - plain text for language models: each word, or byte, is to be told from those
 * before.
 *
 * With at most 256 classes a token is a byte; else it is a word between spaces, and the end of a
 * line is the word <eos>. Words are numbered by how often the training files have them, the most
 * frequent first, equally frequent ones by the alphabet. With more words than classes the rest are
 * all the word <unk>, which takes the last number unless the text has it itself. An example is a
 * run of tokens, and the one after it.
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
    int32_t number; /* -1: one of the rest */
} word;

typedef struct text_source {
    weir_source base;
    weir_paths files;
    WEIR_VEC(word *) words; /* by number, those with one first; empty for bytes */
    weir_map by_text;
    int32_t unknown; /* -1: there is no such word */
    WEIR_VEC(int32_t) tokens;
    int64_t steps;
} text_source;

static bool is_text(const char *name)
{
    return weir_name_ends(name, ".txt");
}

static bool claims(const weir_place *p)
{
    return weir_place_has(p, is_text);
}

/* ---- words ---- */

typedef weir_status (*word_fn)(text_source *s, weir_str w);

static weir_status each_word(text_source *s, weir_str text, word_fn fn)
{
    size_t i = 0;
    while (i < text.length) {
        if (text.at[i] == '\n')
            WEIR_TRY(fn(s, WEIR_STR("<eos>")));
        if (strchr(" \t\r\n\v\f", text.at[i]) && text.at[i]) {
            i++;
            continue;
        }
        size_t start = i;
        while (i < text.length && (!strchr(" \t\r\n\v\f", text.at[i]) || !text.at[i]))
            i++;
        WEIR_TRY(fn(s, (weir_str){text.at + start, i - start}));
    }
    return WEIR_OK;
}

static weir_status count_word(text_source *s, weir_str text)
{
    word *w = weir_map_get(&s->by_text, text);
    if (!w) {
        w = WEIR_NEW(word);
        w->text = weir_strndup(text.at, text.length);
        weir_map_put(&s->by_text, text, w);
        weir_vec_push(&s->words, w);
    }
    w->count++;
    return WEIR_OK;
}

static int by_frequency(const void *a, const void *b)
{
    const word *x = *(word *const *)a, *y = *(word *const *)b;
    return x->count != y->count ? (x->count < y->count ? 1 : -1) : strcmp(x->text, y->text);
}

/* Numbers the words; |classes| of them at most (0: all). */
static void number_words(text_source *s, int64_t classes)
{
    qsort(s->words.at, s->words.count, sizeof *s->words.at, by_frequency);
    int64_t count = (int64_t)s->words.count, kept = count;
    const word *own = weir_map_get(&s->by_text, WEIR_STR("<unk>"));
    if (classes > 0 && count > classes)
        kept = own ? classes : classes - 1;
    for (int64_t i = 0; i < count; i++)
        s->words.at[i]->number = i < kept ? (int32_t)i : -1;
    s->unknown = own && own->number >= 0 ? own->number : kept < count ? (int32_t)kept : -1;
    s->base.classes = kept + (s->unknown == kept);
}

static weir_status add_word(text_source *s, weir_str text)
{
    const word *w = weir_map_get(&s->by_text, text);
    int32_t number = w && w->number >= 0 ? w->number : s->unknown;
    if (number < 0)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "the word \"%.*s\" is not in the training text, and there is no <unk>: "
                          "give fewer classes than there are words (%zu)",
                          (int)(text.length < 40 ? text.length : 40), text.at, s->words.count);
    weir_vec_push(&s->tokens, number);
    return WEIR_OK;
}

static weir_status add_bytes(text_source *s, weir_str text)
{
    for (size_t i = 0; i < text.length; i++) {
        int32_t byte = (uint8_t)text.at[i];
        if (byte >= s->base.classes)
            return weir_error(
                WEIR_INVALID_ARGUMENT,
                "byte %zu is %d, not below the model's %lld classes: give 256, or more "
                "for words",
                i, byte, (long long)s->base.classes);
        weir_vec_push(&s->tokens, byte);
    }
    return WEIR_OK;
}

/* ---- opening ---- */

static weir_status add_whole(text_source *s, weir_str text, word_fn fn)
{
    return fn == add_bytes ? add_bytes(s, text) : each_word(s, text, fn);
}

static weir_status read_files(text_source *s, const weir_paths *files, word_fn fn)
{
    for (size_t i = 0; i < files->count; i++) {
        WEIR_BUF(text);
        WEIR_TRY(weir_file_read_all(files->at[i], MOST_FILE_BYTES, &text));
        weir_status status = add_whole(s, weir_view(&text), fn);
        if (status)
            return weir_status_prefix(status, "%s; ", files->at[i]);
    }
    return WEIR_OK;
}

/* The words of the training text, whatever split is wanted. */
static weir_status learn_words(text_source *s, const weir_place *p)
{
    weir_paths files = {0};
    bool whole;
    weir_place_files(p, WEIR_SPLIT_TRAIN, is_text, &files, &whole);
    weir_status status = read_files(s, &files, count_word);
    weir_paths_fini(&files);
    WEIR_TRY(status);
    if (s->words.count == 0 || s->words.count > INT32_MAX)
        return weir_error(WEIR_INVALID_ARGUMENT, "%s; has %zu words to train with", p->path,
                          s->words.count);
    number_words(s, p->options->classes);
    return WEIR_OK;
}

static weir_status read_all(text_source *s, const weir_place *p)
{
    const weir_data_options *o = p->options;
    bool bytes = o->classes > 0 && o->classes <= BYTE_CLASSES;
    s->base.classes = o->classes;
    s->steps = 1;
    for (int i = 0; i < o->rank && i < 4; i++) {
        if (o->dims[i] < 1 || o->dims[i] > INT32_MAX || s->steps > INT32_MAX)
            return weir_error(WEIR_INVALID_ARGUMENT, "dim %d of an example is %lld", i,
                              (long long)o->dims[i]);
        s->steps *= o->dims[i];
    }
    if (o->rank < 1)
        s->steps = STEPS;
    weir_place_files(p, weir_split_wanted(o), is_text, &s->files, &s->base.is_whole);
    if (!bytes)
        WEIR_TRY(learn_words(s, p));
    WEIR_TRY(read_files(s, &s->files, bytes ? add_bytes : add_word));
    s->base.count = ((int64_t)s->tokens.count - 1) / s->steps;
    if (s->base.count < 1)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "%s; has %zu tokens for %s, an example needs %lld: give more text, or "
                          "fewer steps",
                          p->path, s->tokens.count, o->split ? o->split : "train",
                          (long long)s->steps + 1);
    s->base.rank = 1;
    s->base.dims[0] = s->steps;
    return WEIR_OK;
}

static void destroy(weir_source *base)
{
    text_source *s = (text_source *)base;
    weir_paths_fini(&s->files);
    for (size_t i = 0; i < s->words.count; i++) {
        weir_free(s->words.at[i]->text);
        weir_free(s->words.at[i]);
    }
    weir_vec_fini(&s->words);
    weir_map_fini(&s->by_text);
    weir_vec_fini(&s->tokens);
    weir_free(s);
}

/* ---- examples ---- */

static weir_status fetch(weir_source *base, const weir_item *item, weir_scratch *scratch,
                         weir_example *out)
{
    const text_source *s = (const text_source *)base;
    *out = (weir_example){.kind = WEIR_TOKENS,
                          .tokens = s->tokens.at + item->index * s->steps,
                          .count = s->steps + 1};
    return WEIR_OK;
}

static void where(const weir_source *base, const weir_item *item, weir_buf *out)
{
    const text_source *s = (const text_source *)base;
    weir_buf_addf(out, "%s, token %" PRId64, s->files.at[0], item->index * s->steps);
}

static const char *class_name(const weir_source *base, int64_t label)
{
    const text_source *s = (const text_source *)base;
    bool known = (size_t)label < s->words.count && s->words.at[label]->number == label;
    return known ? s->words.at[label]->text : s->words.count ? "<unk>" : NULL;
}

static const weir_source_class class = {
    .fetch = fetch, .where = where, .class_name = class_name, .destroy = destroy};

static weir_status open_text(const weir_place *p, weir_source **out_source)
{
    text_source *s = WEIR_NEW(text_source);
    s->unknown = -1;
    s->base = (weir_source){.class = &class, .of_tokens = true, .in_memory = true};
    WEIR_OWNED(weir_source) owned = &s->base;
    WEIR_TRY(read_all(s, p));
    *out_source = WEIR_TAKE(owned);
    return WEIR_OK;
}

const weir_source_kind weir_text_source = {"text", claims, open_text};
