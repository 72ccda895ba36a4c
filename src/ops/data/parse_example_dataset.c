/* ops/data/parse_example_dataset.c - ParseExampleDataset and V2: parses batches of serialised
 * examples into one component per key, in key order. */
#include "ops/common/held_tensor.h"
#include "ops/common/variants.h"
#include "ops/data/data_impl.h"
#include "ops/parsing/features_impl.h"

/* A feature, and its component. */
typedef struct key {
    weir_feature_want want; /* its outputs are indices into parse_call */
    weir_dtype split;       /* of a ragged one */
    int component;
} key;

typedef struct parsing {
    weir_dataset base;
    weir_arena arena; /* of the names */
    int key_count;
    key *keys;
    weir_tensor *defaults;
    int default_count;
    int out_count; /* number of parsed tensors, three per key */
    int16_t *out_types;
} parsing;

enum { PARTS = 3 }; /* maximum tensors of a feature */

static void fini(weir_dataset *dataset)
{
    parsing *this_parsing = (parsing *)dataset;
    weir_element_destroy(this_parsing->defaults, this_parsing->default_count);
    weir_free(this_parsing->keys);
    weir_free(this_parsing->out_types);
    weir_arena_fini(&this_parsing->arena);
}

/* ---- one batch ------------------------------------------------------------------------------- */

static weir_status sparse_component(const weir_value *parts, weir_tensor *out)
{
    weir_shape three = weir_shape_vector(PARTS);
    WEIR_TRY(weir_tensor_alloc(WEIR_VARIANT, &three, out));
    for (int i = 0; i < PARTS; i++)
        weir_held_tensor_put(&((weir_variant **)out->data)[i], &parts[i].tensor);
    return WEIR_OK;
}

static weir_status ragged_component(const weir_value *parts, weir_tensor *out)
{
    weir_variant *variant;
    weir_tensor both[] = {parts[1].tensor, parts[0].tensor}; /* splits, values */
    WEIR_TRY(weir_variant_ragged.decode((weir_str){0}, both, 2, &variant));
    *out = weir_tensor_from_variant(variant);
    return WEIR_OK;
}

static weir_status component(const key *key, const weir_value *parts, weir_tensor *out)
{
    switch (key->want.form) {
    case WEIR_SPARSE:
        return sparse_component(parts, out);
    case WEIR_RAGGED:
        return ragged_component(parts, out);
    default:
        *out = weir_tensor_share(&parts[0].tensor);
        return WEIR_OK;
    }
}

/* The engine of ParseExample writes to the outputs of a call. */
static weir_status parse(const parsing *this_parsing, weir_run *run, const weir_tensor *serialized,
                         weir_value *parts)
{
    weir_site site = {.name = "ParseExampleDataset",
                      .out_count = this_parsing->out_count,
                      .out_types = this_parsing->out_types};
    weir_call call = {.site = &site, .out = parts, .run = run};
    weir_features features = {.call = &call,
                              .outer = 1,
                              .inputs = serialized,
                              .batched = serialized->shape.rank == 1,
                              .single = serialized->shape.rank == 0};
    for (int i = 0; i < this_parsing->key_count; i++)
        weir_features_add(&features, this_parsing->keys[i].want);
    weir_status status = weir_features_run(&features);
    weir_features_fini(&features);
    return status;
}

static weir_status parse_element(const parsing *this_parsing, weir_run *run,
                                 const weir_tensor *serialized, weir_tensor *out)
{
    if (serialized->dtype != WEIR_STRING || serialized->shape.rank != 1)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Elements must be vectors of serialized examples, not %s of shape %s",
                          weir_dtype_name(serialized->dtype), WEIR_SHAPE_STR(&serialized->shape));
    weir_value *parts = WEIR_NEW_ARRAY(weir_value, this_parsing->out_count);
    weir_status status = parse(this_parsing, run, serialized, parts);
    for (int i = 0; i < this_parsing->key_count && !status; i++)
        status = component(&this_parsing->keys[i], &parts[PARTS * i],
                           &out[this_parsing->keys[i].component]);
    for (int i = 0; i < this_parsing->out_count; i++)
        weir_tensor_release(&parts[i].tensor);
    weir_free(parts);
    return status;
}

static weir_status next(weir_iterator *it, weir_run *run, weir_tensor *out, bool *out_end)
{
    weir_tensor serialized = {0};
    WEIR_TRY(weir_iterator_pull(it, 0, run, &serialized, out_end));
    if (*out_end)
        return WEIR_OK;
    weir_status status = parse_element((const parsing *)it->dataset, run, &serialized, out);
    weir_tensor_release(&serialized);
    return status;
}

static const weir_dataset_fns fns = {
    .name = "ParseExample",
    .bytes = sizeof(parsing),
    .iterator_bytes = sizeof(weir_iterator),
    .next = next,
    .fini = fini,
    .cardinality = weir_data_input_cardinality,
};

/* ---- creation -------------------------------------------------------------------------------- */

static const weir_attr no_list = {.is_list = true};

static const weir_attr *list_of(weir_call *call, const char *name)
{
    const weir_attr *attr = weir_data_attr(call->site, name);
    return attr ? attr : &no_list;
}

static void add_key(parsing *made, weir_str name, weir_dtype type, weir_feature_form form,
                    weir_dtype split)
{
    int at = made->key_count++, first = PARTS * at;
    made->keys[at] =
        (key){.want = {.key = {weir_arena_strndup(&made->arena, name.at, name.length), name.length},
                       .dtype = type,
                       .form = form,
                       .out = {first, first + 1, first + 2}},
              .split = split};
    int16_t sparse[] = {WEIR_INT64, (int16_t)type, WEIR_INT64};
    int16_t other[] = {(int16_t)type, (int16_t)split, WEIR_INT64};
    memcpy(&made->out_types[first], form == WEIR_SPARSE ? sparse : other, sizeof sparse);
}

static int order_of(weir_str a, weir_str b)
{
    size_t length = a.length < b.length ? a.length : b.length;
    int order = length ? memcmp(a.at, b.at, length) : 0;
    return order ? order : (a.length > b.length) - (a.length < b.length);
}

/* The component of a key is its rank in sorted order. */
static weir_status order_keys(parsing *made)
{
    for (int i = 0; i < made->key_count; i++) {
        made->keys[i].component = 0;
        for (int k = 0; k < made->key_count; k++) {
            int order = order_of(made->keys[k].want.key, made->keys[i].want.key);
            if (order == 0 && k != i)
                return weir_error(WEIR_INVALID_ARGUMENT, "Duplicated key: %.*s",
                                  WEIR_STR_ARG(made->keys[i].want.key));
            made->keys[i].component += order < 0;
        }
    }
    return WEIR_OK;
}

static weir_status check_lists(weir_call *call)
{
    static const char *const pairs[][2] = {{"sparse_keys", "sparse_types"},
                                           {"dense_keys", "Tdense"},
                                           {"dense_keys", "dense_shapes"},
                                           {"ragged_keys", "ragged_value_types"},
                                           {"ragged_keys", "ragged_split_types"}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        if (list_of(call, pairs[i][0])->count != list_of(call, pairs[i][1])->count)
            return weir_error(WEIR_INVALID_ARGUMENT, "len(%s) != len(%s): %d vs. %d", pairs[i][0],
                              pairs[i][1], list_of(call, pairs[i][0])->count,
                              list_of(call, pairs[i][1])->count);
    return WEIR_OK;
}

static void add_dense(weir_call *call, parsing *made)
{
    const weir_attr *keys = list_of(call, "dense_keys"), *types = list_of(call, "Tdense"),
                    *shapes = list_of(call, "dense_shapes");
    weir_range defaults = weir_data_range(call, "dense_defaults");
    made->default_count = defaults.count;
    made->defaults = weir_element_create(defaults.count);
    for (int i = 0; i < keys->count; i++) {
        made->defaults[i] = weir_tensor_share(weir_in(call, defaults.start + i));
        add_key(made, keys->ss[i], (weir_dtype)types->types[i], WEIR_DENSE, WEIR_INT64);
        key *added = &made->keys[made->key_count - 1];
        added->want.shape = shapes->shapes[i];
        added->want.otherwise = &made->defaults[i];
    }
}

static void add_keys(weir_call *call, parsing *made)
{
    const weir_attr *sparse = list_of(call, "sparse_keys"), *ragged = list_of(call, "ragged_keys");
    int count = sparse->count + ragged->count + list_of(call, "dense_keys")->count;
    made->keys = WEIR_NEW_ARRAY(key, count);
    made->out_count = PARTS * count;
    made->out_types = WEIR_NEW_ARRAY(int16_t, made->out_count);
    add_dense(call, made);
    for (int i = 0; i < sparse->count; i++)
        add_key(made, sparse->ss[i], (weir_dtype)list_of(call, "sparse_types")->types[i],
                WEIR_SPARSE, WEIR_INT64);
    for (int i = 0; i < ragged->count; i++)
        add_key(made, ragged->ss[i], (weir_dtype)list_of(call, "ragged_value_types")->types[i],
                WEIR_RAGGED, (weir_dtype)list_of(call, "ragged_split_types")->types[i]);
}

static weir_status make(weir_call *call)
{
    parsing *made;
    WEIR_TRY(check_lists(call));
    WEIR_TRY(weir_dataset_new(call, &fns, &made));
    weir_arena_init(&made->arena);
    add_keys(call, made);
    weir_status status = order_keys(made);
    if (!status && (made->key_count != made->base.count || made->base.inputs[0]->count != 1))
        status = weir_error(WEIR_INVALID_ARGUMENT,
                            "%d keys cannot be the %d components of a dataset of one string each",
                            made->key_count, made->base.count);
    if (status)
        weir_dataset_release(&made->base);
    else
        weir_dataset_output(call, &made->base);
    return status;
}

#define IN "input_dataset: variant; num_parallel_calls: int64; dense_defaults: Tdense"
#define KEYS                                                                                       \
    "sparse_keys: list(string) >= 0; dense_keys: list(string) >= 0; sparse_types: list({float, "   \
    "int64, string}) >= 0; Tdense: list({float, int64, string}) >= 0; dense_shapes: list(shape) "  \
    ">= 0; " WEIR_DATASET_TYPES
#define RAGGED                                                                                     \
    "; ragged_keys: list(string) >= 0 = []; ragged_value_types: list({float, int64, string}) >= "  \
    "0 = []; ragged_split_types: list({int32, int64}) >= 0 = []"
WEIR_DATASET_OP(parse_example_dataset, "ParseExampleDataset", IN,
                KEYS "; sloppy: bool = false" RAGGED, 0, make);
WEIR_DATASET_OP(parse_example_dataset_v2, "ParseExampleDatasetV2", IN,
                KEYS "; deterministic: string = \"default\"" RAGGED, 0, make);
WEIR_DATASET_OP(experimental_parse_example_dataset, "ExperimentalParseExampleDataset", IN,
                KEYS "; sloppy: bool = false", 0, make);
