/* cli/inspect/keras.c - Keras models: archives (.keras), their folders, and HDF5 (.h5). */
#include "cli/inspect/keras.h"

#include "base/arith.h"
#include "cli/inspect/inspect.h"
#include "cli/inspect/roles.h"
#include "io/zip.h"
#include "wire/json.h"

static const size_t largest_part = (size_t)4 << 30;
static const char config_name[] = "config.json", metadata_name[] = "metadata.json",
                  weights_name[] = "model.weights.h5";

/* ---- weights --------------------------------------------------------------------------------- */

static bool begins(weir_str text, const char *with)
{
    size_t length = strlen(with);
    return text.length >= length && memcmp(text.at, with, length) == 0;
}

/* Lists the arrays; the optimiser's are in a separate group. */
static void list_arrays(const weir_hdf5 *weights, inspect_variables *out_variables)
{
    for (size_t i = 0; weights && i < weir_hdf5_count(weights); i++) {
        weir_tensor_info info = weir_hdf5_at(weights, i);
        inspect_role role =
            info.dtype == WEIR_STRING ? INSPECT_OTHER
            : begins(info.name, "optimizer/") || begins(info.name, "optimizer_weights/")
                ? INSPECT_OPTIMIZER
                : INSPECT_PARAMETER;
        weir_vec_push(out_variables, ((inspect_variable){info, role}));
    }
}

static void show_arrays(const inspect_variables *variables, bool roles, weir_output *output)
{
    weir_output_table(output, "arrays");
    for (size_t i = 0; i < variables->count; i++) {
        const weir_tensor_info *info = &variables->at[i].info;
        weir_output_row(output);
        weir_output_str(output, "name", info->name);
        inspect_dtype(output, "dtype", (int)info->dtype);
        weir_output_dims(output, "shape", info->shape.rank, info->shape.dims);
        weir_output_int(output, "elements", weir_shape_count(&info->shape));
        if (roles)
            weir_output_text(output, "role", inspect_role_name(variables->at[i].role));
    }
}

/* ---- layers ---------------------------------------------------------------------------------- */

static void show_layers(const inspect_keras_model *model, bool weighed, weir_output *output)
{
    weir_output_table(output, "layers");
    for (size_t i = 0; i < model->layers.count; i++) {
        const inspect_layer *layer = &model->layers.at[i];
        WEIR_BUF(name);
        weir_buf_addf(&name, "%*s%.*s", 2 * layer->depth, "", WEIR_STR_ARG(layer->name));
        weir_output_row(output);
        weir_output_str(output, "name", weir_view(&name));
        weir_output_str(output, "class", layer->class_name);
        if (weighed && (layer->parameters || layer->depth == 0))
            weir_output_int(output, "parameters", layer->parameters);
        else
            weir_output_null(output, "parameters");
        weir_output_bool(output, "trainable", layer->trainable);
    }
}

static void show_model_fields(const inspect_keras_model *model, weir_output *output)
{
    int64_t own = 0;
    for (size_t i = 0; i < model->layers.count; i++)
        own += model->layers.at[i].depth == 0;
    weir_output_str(output, "model", model->name);
    weir_output_str(output, "class", model->class_name);
    weir_output_int(output, "layer_count", own);
}

/* Shows |config| combined with |weights| (null: none). */
static weir_status show_model(weir_str config, const weir_hdf5 *weights, bool legacy,
                              weir_output *output)
{
    weir_arena arena;
    inspect_keras_model model = {0};
    inspect_variables variables = {0};
    weir_arena_init(&arena);
    weir_status status = inspect_keras_config(config, &arena, &model);
    if (weights)
        inspect_keras_weights(&model, weights, legacy, &arena);
    list_arrays(weights, &variables);
    show_model_fields(&model, output);
    if (weights)
        inspect_role_fields(&variables, output);
    show_layers(&model, weights != NULL, output);
    if (weights)
        show_arrays(&variables, true, output);
    inspect_keras_model_fini(&model);
    weir_vec_fini(&variables);
    weir_arena_fini(&arena);
    return status;
}

/* ---- archives and folders -------------------------------------------------------------------- */

/* A file of the model: a member of the archive, or a file in the folder. */
static weir_status read_part(const inspect_place *place, const char *name, weir_buf *out)
{
    size_t member;
    if (place->is_dir) {
        WEIR_FREED char *path = inspect_join(place->path, name);
        return weir_file_read_all(path, largest_part, out);
    }
    WEIR_OWNED(weir_zip) zip = NULL;
    WEIR_TRY(weir_zip_open(place->path, &zip));
    if (!weir_zip_find(zip, name, &member))
        return weir_error(WEIR_NOT_FOUND, "it holds no %s", name);
    return weir_zip_read(zip, member, largest_part, out);
}

static bool archive_has(const inspect_place *place, const char *name)
{
    WEIR_OWNED(weir_zip) zip = NULL;
    size_t member;
    weir_status status = weir_zip_open(place->path, &zip);
    weir_status_free(status);
    return !status && weir_zip_find(zip, name, &member);
}

static bool claims_keras(const inspect_place *place)
{
    if (place->is_dir)
        return inspect_has_name(place, config_name) && inspect_has_name(place, metadata_name);
    return inspect_is_zip(place) && archive_has(place, config_name) &&
           (archive_has(place, metadata_name) || archive_has(place, weights_name));
}

/* String fields of the metadata, by Keras' keys. */
static void show_metadata(weir_str json, weir_output *output)
{
    WEIR_BUF(key);
    WEIR_BUF(value);
    weir_json reader = weir_json_reader(json);
    bool open = weir_json_peek(&reader) == '{' && weir_json_open(&reader, '{');
    while (open && weir_json_key(&reader, &key)) {
        bool text = weir_json_peek(&reader) == '"' && weir_json_string(&reader, &value);
        if (text && weir_str_is(weir_view(&key), "keras_version"))
            weir_output_str(output, "keras_version", weir_view(&value));
        else if (text && weir_str_is(weir_view(&key), "date_saved"))
            weir_output_str(output, "date_saved", weir_view(&value));
        if (!text && !weir_json_skip(&reader))
            return;
    }
}

static weir_status show_keras(const inspect_place *place, weir_output *output)
{
    WEIR_BUF(config);
    WEIR_BUF(metadata);
    WEIR_BUF(bytes);
    WEIR_OWNED(weir_hdf5) weights = NULL;
    WEIR_TRY(read_part(place, config_name, &config));
    weir_status_free(read_part(place, metadata_name, &metadata));
    show_metadata(weir_view(&metadata), output);
    weir_status trouble = read_part(place, weights_name, &bytes);
    if (!trouble)
        trouble = weir_hdf5_open(weir_view(&bytes), &weights);
    weir_status status = show_model(weir_view(&config), weights, false, output);
    if (status)
        weir_status_free(trouble);
    else
        status = trouble ? weir_status_prefix(trouble, "the weights: ") : WEIR_OK;
    return status;
}

/* ---- HDF5 ------------------------------------------------------------------------------------ */

static bool claims_hdf5(const inspect_place *place)
{
    return place->exists && !place->is_dir && weir_hdf5_is(weir_view(&place->head));
}

/* Arrays written by Keras: weights only, or a model without its configuration. */
static bool of_keras(const weir_hdf5 *file)
{
    weir_str version;
    bool found = weir_hdf5_text(file, "keras_version", &version);
    for (size_t i = 0; !found && i < weir_hdf5_count(file); i++) {
        weir_str name = weir_hdf5_at(file, i).name;
        found = begins(name, "model_weights/") || memmem(name.at, name.length, "/vars/", 6) ||
                begins(name, "vars/");
    }
    return found;
}

static void show_plain(const weir_hdf5 *file, weir_output *output)
{
    inspect_variables variables = {0};
    list_arrays(file, &variables);
    weir_output_int(output, "array_count", (int64_t)variables.count);
    if (of_keras(file))
        inspect_role_fields(&variables, output);
    else
        weir_output_int(output, "elements",
                        inspect_elements(&variables, INSPECT_PARAMETER) +
                            inspect_elements(&variables, INSPECT_OPTIMIZER));
    show_arrays(&variables, of_keras(file), output);
    weir_vec_fini(&variables);
}

static weir_status show_hdf5(const inspect_place *place, weir_output *output)
{
    WEIR_BUF(bytes);
    WEIR_OWNED(weir_hdf5) file = NULL;
    weir_str config, version;
    WEIR_TRY(inspect_read(place, &bytes));
    WEIR_TRY(weir_hdf5_open(weir_view(&bytes), &file));
    if (weir_hdf5_text(file, "keras_version", &version))
        weir_output_str(output, "keras_version", version);
    if (weir_hdf5_text(file, "model_config", &config))
        return show_model(config, file, true, output);
    show_plain(file, output);
    return WEIR_OK;
}

const inspect_kind inspect_keras = {"keras", claims_keras, show_keras};
const inspect_kind inspect_hdf5 = {"hdf5", claims_hdf5, show_hdf5};
