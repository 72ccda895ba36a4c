/* cli/inspect/keras_config.c - layers of a Keras model, and the arrays of each. */
#include <ctype.h>

#include "base/arith.h"
#include "cli/inspect/keras.h"
#include "wire/json.h"

enum { DEEPEST = 32 };

void inspect_keras_model_fini(inspect_keras_model *model)
{
    weir_vec_fini(&model->layers);
}

/* ---- the configuration ----------------------------------------------------------------------- */

typedef struct reader {
    weir_json json;
    weir_arena *arena;
    inspect_keras_model *model;
} reader;

static weir_str keep(reader *reader, const weir_buf *text)
{
    return (weir_str){weir_arena_strndup(reader->arena, text->at ? text->at : "", text->length),
                      text->length};
}

/* Reads a string, or nothing if the value has another type. */
static void read_text(reader *reader, weir_str *out)
{
    WEIR_BUF(text);
    if (weir_json_peek(&reader->json) != '"')
        weir_json_skip(&reader->json);
    else if (weir_json_string(&reader->json, &text))
        *out = keep(reader, &text);
}

static void read_layer(reader *reader, int at, int depth);

static void read_layers(reader *reader, int parent, int depth)
{
    if (weir_json_peek(&reader->json) != '[' || depth > DEEPEST) {
        weir_json_skip(&reader->json);
        return;
    }
    bool open = weir_json_open(&reader->json, '[');
    while (open && weir_json_item(&reader->json)) {
        inspect_layer layer = {.parent = parent, .depth = depth, .trainable = true};
        weir_vec_push(&reader->model->layers, layer);
        read_layer(reader, (int)reader->model->layers.count - 1, depth);
    }
}

/* The layer at |at|; -1 is the model itself. */
static weir_str *name_of(reader *reader, int at)
{
    return at < 0 ? &reader->model->name : &reader->model->layers.at[at].name;
}

static weir_str *class_of(reader *reader, int at)
{
    return at < 0 ? &reader->model->class_name : &reader->model->layers.at[at].class_name;
}

static void read_config(reader *reader, int at, int depth)
{
    WEIR_BUF(key);
    weir_str name = {"", 0};
    bool open = weir_json_open(&reader->json, '{');
    while (open && weir_json_key(&reader->json, &key)) {
        weir_str word = weir_view(&key);
        if (weir_str_is(word, "name")) {
            read_text(reader, &name);
            *name_of(reader, at) = name;
        } else if (weir_str_is(word, "trainable") && at >= 0) {
            reader->model->layers.at[at].trainable = weir_json_peek(&reader->json) != 'f';
            weir_json_skip(&reader->json);
        } else if (weir_str_is(word, "layers"))
            read_layers(reader, at, depth + 1);
        else
            weir_json_skip(&reader->json);
    }
}

static void read_layer(reader *reader, int at, int depth)
{
    WEIR_BUF(key);
    if (weir_json_peek(&reader->json) != '{') {
        weir_json_skip(&reader->json);
        return;
    }
    bool open = weir_json_open(&reader->json, '{');
    while (open && weir_json_key(&reader->json, &key)) {
        weir_str class_name = {"", 0};
        if (weir_str_is(weir_view(&key), "class_name")) {
            read_text(reader, &class_name);
            *class_of(reader, at) = class_name;
        } else if (weir_str_is(weir_view(&key), "config") && weir_json_peek(&reader->json) == '{')
            read_config(reader, at, depth);
        else
            weir_json_skip(&reader->json);
    }
}

weir_status inspect_keras_config(weir_str json, weir_arena *arena, inspect_keras_model *out_model)
{
    reader reader = {weir_json_reader(json), arena, out_model};
    read_layer(&reader, -1, -1);
    return weir_json_end(&reader.json) ? WEIR_OK : weir_json_error(&reader.json);
}

/* ---- the weights ----------------------------------------------------------------------------- */

/* "GlobalMaxPooling1D" to "global_max_pooling1d": class names as used in weight files. */
static void add_snake(weir_buf *buf, weir_str name)
{
    for (size_t i = 0; i < name.length; i++) {
        unsigned char ch = (unsigned char)name.at[i];
        bool before_small = i + 1 < name.length && islower((unsigned char)name.at[i + 1]);
        bool behind_small = i > 0 && islower((unsigned char)name.at[i - 1]);
        if (i > 0 && isupper(ch) && (before_small || behind_small))
            weir_buf_addc(buf, '_');
        if (isalnum(ch) || ch == '_')
            weir_buf_addc(buf, (char)tolower(ch));
    }
}

/* Layers of one class in the same parent are numbered, starting with the second. */
static void name_group(inspect_keras_model *model, size_t i, weir_map *used, weir_arena *arena)
{
    inspect_layer *layer = &model->layers.at[i];
    WEIR_BUF(group);
    if (layer->parent >= 0) {
        weir_str parent = model->layers.at[layer->parent].group;
        weir_buf_addf(&group, "%.*s/", WEIR_STR_ARG(parent));
    }
    weir_buf_adds(&group, "layers/");
    add_snake(&group, layer->class_name);
    uintptr_t before = (uintptr_t)weir_map_get(used, weir_view(&group));
    weir_map_put(used, weir_view(&group), (void *)(before + 1));
    if (before)
        weir_buf_addf(&group, "_%d", (int)before);
    layer->group = (weir_str){weir_arena_strndup(arena, group.at, group.length), group.length};
}

/* In HDF5 files of whole models, each of the model's own layers has a group of its name. */
static void name_legacy_group(inspect_layer *layer, weir_arena *arena)
{
    WEIR_BUF(group);
    weir_buf_addf(&group, "model_weights/%.*s", WEIR_STR_ARG(layer->name));
    layer->group = (weir_str){weir_arena_strndup(arena, group.at, group.length), group.length};
}

static int64_t elements_in(const weir_hdf5 *weights, weir_str group)
{
    int64_t elements = 0;
    for (size_t i = 0; i < weir_hdf5_count(weights); i++) {
        weir_tensor_info info = weir_hdf5_at(weights, i);
        if (info.name.length > group.length && info.name.at[group.length] == '/' &&
            memcmp(info.name.at, group.at, group.length) == 0)
            elements += weir_max(weir_shape_count(&info.shape), 0);
    }
    return elements;
}

void inspect_keras_weights(inspect_keras_model *model, const weir_hdf5 *weights, bool legacy,
                           weir_arena *arena)
{
    weir_map used = {0};
    for (size_t i = 0; i < model->layers.count; i++) {
        inspect_layer *layer = &model->layers.at[i];
        if (legacy)
            name_legacy_group(layer, arena);
        else
            name_group(model, i, &used, arena);
        layer->parameters = elements_in(weights, layer->group);
    }
    weir_map_fini(&used);
}
