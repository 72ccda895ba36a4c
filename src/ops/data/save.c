/* ops/data/save.c - SaveDataset: writes the elements of a dataset to files, sharded by a function.
 * SaveDatasetV2: the same while passing the elements through. */
#include <inttypes.h>
#include <stdio.h>
#include <time.h>

#include "io/file.h"
#include "ops/data/snapshot_impl.h"
#include "ops/random/generator.h"
#include "tensor/proto.h"

enum { SHARDS_MOST = 1024 }; /* maximum open files */

typedef struct shard {
    int64_t index;
    weir_record_writer *writer;
} shard;

struct weir_snapshot_writer {
    const weir_dataset *dataset;
    char *folder, run[32];
    weir_packing packing;
    const weir_data_function *spread;
    WEIR_VEC(shard) shards;
    int64_t count; /* elements written */
};

weir_status weir_snapshot_packing(const weir_site *site, weir_packing *out)
{
    weir_str name = weir_data_attr(site, "compression")->s;
    if (!name.length || weir_str_is(name, "NONE") || weir_str_is(name, "AUTO"))
        *out = WEIR_PACKING_NONE;
    else if (weir_str_is(name, "GZIP"))
        *out = WEIR_PACKING_GZIP;
    else
        return weir_error(WEIR_UNIMPLEMENTED, "compression '%.*s' is not supported",
                          WEIR_STR_ARG(name));
    return WEIR_OK;
}

static weir_status write_metadata(const weir_snapshot_writer *writer, bool final)
{
    WEIR_BUF(proto);
    WEIR_BUF(path);
    WEIR_FREED int32_t *types = WEIR_NEW_ARRAY(int32_t, writer->dataset->count);
    for (int i = 0; i < writer->dataset->count; i++)
        types[i] = writer->dataset->types[i];
    weir_msg_data_experimental_snapshot_metadata_record_write(
        &(weir_msg_data_experimental_snapshot_metadata_record){
            .run_id = weir_str_of(writer->run),
            .creation_timestamp = (int64_t)time(NULL) * 1000000,
            .version = WEIR_SNAPSHOT_VERSION,
            .dtype = {types, (size_t)writer->dataset->count},
            .num_elements = writer->count,
            .finalized = final},
        &proto);
    weir_buf_addf(&path, "%s/" WEIR_SNAPSHOT_METADATA, writer->folder);
    WEIR_TRY(weir_dir_create_all(writer->folder));
    return weir_file_write_all(path.at, proto.at, proto.length);
}

static weir_status open_shard(weir_snapshot_writer *writer, int64_t index, weir_record_writer **out)
{
    WEIR_BUF(path);
    weir_buf_addf(&path, "%s/%s/" WEIR_SNAPSHOT_SHARD, writer->folder, writer->run,
                  (long long)index);
    WEIR_TRY(weir_dir_create_all(path.at));
    weir_buf_addf(&path, "/" WEIR_SNAPSHOT_FILE, 0ll);
    return weir_record_writer_open(path.at, writer->packing, false, out);
}

static weir_status find_shard(weir_snapshot_writer *writer, int64_t index, weir_record_writer **out)
{
    for (size_t i = 0; i < writer->shards.count; i++)
        if (writer->shards.at[i].index == index) {
            *out = writer->shards.at[i].writer;
            return WEIR_OK;
        }
    if (writer->shards.count >= SHARDS_MOST)
        return weir_error(WEIR_RESOURCE_EXHAUSTED,
                          "A dataset cannot be saved in more than %d shards", SHARDS_MOST);
    WEIR_TRY(open_shard(writer, index, out));
    weir_vec_push(&writer->shards, (shard){index, *out});
    return WEIR_OK;
}

static weir_status choose_shard(const weir_snapshot_writer *writer, weir_run *run,
                                const weir_tensor *element, int64_t *out_index)
{
    weir_tensor tensor = {0};
    *out_index = 0;
    if (!writer->spread)
        return WEIR_OK;
    WEIR_TRY(weir_data_function_call(writer->spread, run, element, writer->dataset->count, NULL, 1,
                                     &tensor));
    bool fits = tensor.dtype == WEIR_INT64 && weir_tensor_count(&tensor) == 1;
    *out_index = fits ? *(const int64_t *)tensor.data : 0;
    weir_tensor_release(&tensor);
    if (!fits || *out_index < 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "`shard_func` must return a scalar int64.");
    return WEIR_OK;
}

weir_status weir_snapshot_add(weir_snapshot_writer *writer, weir_run *run,
                              const weir_tensor *element)
{
    int64_t index;
    weir_record_writer *records;
    WEIR_TRY(choose_shard(writer, run, element, &index));
    WEIR_TRY(find_shard(writer, index, &records));
    for (int i = 0; i < writer->dataset->count; i++) {
        WEIR_BUF(proto);
        WEIR_TRY(weir_tensor_encode(&element[i], &proto));
        WEIR_TRY(weir_record_writer_add(records, weir_view(&proto)));
    }
    writer->count++;
    return WEIR_OK;
}

weir_status weir_snapshot_create(const char *folder, const weir_dataset *dataset,
                                 weir_packing packing, const weir_data_function *spread,
                                 weir_snapshot_writer **out)
{
    weir_snapshot_writer *writer = WEIR_NEW(weir_snapshot_writer);
    writer->dataset = dataset;
    writer->folder = weir_strdup(folder);
    writer->packing = packing;
    writer->spread = spread;
    snprintf(writer->run, sizeof writer->run, "%" PRIu64, weir_random_bits());
    weir_status status = write_metadata(writer, false);
    if (status)
        weir_snapshot_destroy(writer);
    else
        *out = writer;
    return status;
}

weir_status weir_snapshot_finish(weir_snapshot_writer *writer)
{
    weir_status status = WEIR_OK;
    for (size_t i = 0; i < writer->shards.count && !status; i++) {
        status = weir_record_writer_close(writer->shards.at[i].writer);
        writer->shards.at[i].writer = NULL;
    }
    return status ? status : write_metadata(writer, true);
}

void weir_snapshot_destroy(weir_snapshot_writer *writer)
{
    if (!writer)
        return;
    for (size_t i = 0; i < writer->shards.count; i++)
        if (writer->shards.at[i].writer)
            weir_record_writer_destroy(writer->shards.at[i].writer);
    weir_vec_fini(&writer->shards);
    weir_free(writer->folder);
    weir_free(writer);
}

/* ---- SaveDataset ----------------------------------------------------------------------------- */

static weir_status write_all(weir_snapshot_writer *writer, weir_dataset *dataset, weir_run *run)
{
    weir_iterator *it = weir_iterator_create(dataset);
    weir_tensor *element = weir_element_create(dataset->count);
    weir_status st = WEIR_OK;
    for (bool end = false; !st && !end;) {
        st = weir_iterator_next(it, run, element, &end);
        if (!st && !end)
            st = weir_snapshot_add(writer, run, element);
        weir_element_clear(element, dataset->count);
    }
    weir_element_destroy(element, dataset->count);
    weir_iterator_release(it);
    return st ? st : weir_snapshot_finish(writer);
}

static weir_status save(weir_call *call, void *dataset)
{
    weir_str given;
    weir_packing packing;
    weir_data_function spread;
    weir_snapshot_writer *writer = NULL;
    WEIR_TRY(weir_data_string(call, "path", &given));
    WEIR_TRY(weir_snapshot_packing(call->site, &packing));
    WEIR_FREED char *path = weir_strndup(given.at, given.length);
    bool spreads = weir_data_attr(call->site, "use_shard_func")->b;
    weir_data_function_init(&spread, call, "shard_func", "shard_func_other_args");
    weir_status st =
        weir_snapshot_create(path, dataset, packing, spreads ? &spread : NULL, &writer);
    if (!st)
        st = write_all(writer, dataset, call->run);
    weir_snapshot_destroy(writer);
    weir_data_function_fini(&spread);
    return st;
}

static void start(weir_call *call)
{
    weir_dataset *dataset;
    weir_status status = weir_dataset_of(weir_in(call, 0), &dataset);
    if (status)
        weir_call_finish(call, status);
    else
        weir_data_start(call, true, save, dataset);
}

const weir_op weir_op_save_dataset = {
    .name = "SaveDataset",
    .in = "input_dataset: variant; path: string; shard_func_other_args: Tshard_func_args",
    .attrs = "compression: string = \"\"; shard_func: func; use_shard_func: bool = true; "
             "Tshard_func_args: list(type) >= 0",
    .flags = WEIR_STATEFUL,
    .infer = weir_infer_no_outputs,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", NULL, WEIR_ASYNC | WEIR_OWN_OUTPUTS, .start = start}},
};

/* ---- SaveDatasetV2 --------------------------------------------------------------------------- */

typedef struct saved {
    weir_dataset base;
    char *path;
    weir_packing packing;
    bool spreads;
    weir_data_function spread;
} saved;

typedef struct saved_iterator {
    weir_iterator base;
    weir_snapshot_writer *writer; /* null until first use */
} saved_iterator;

static void fini(weir_dataset *dataset)
{
    saved *this_saved = (saved *)dataset;
    weir_data_function_fini(&this_saved->spread);
    weir_free(this_saved->path);
}

static void fini_iterator(weir_iterator *it)
{
    weir_snapshot_destroy(((saved_iterator *)it)->writer);
}

static weir_status next(weir_iterator *it, weir_run *run, weir_tensor *out, bool *out_end)
{
    const saved *this_saved = (const saved *)it->dataset;
    saved_iterator *iterator = (saved_iterator *)it;
    if (!iterator->writer)
        WEIR_TRY(weir_snapshot_create(this_saved->path, it->dataset, this_saved->packing,
                                      this_saved->spreads ? &this_saved->spread : NULL,
                                      &iterator->writer));
    WEIR_TRY(weir_iterator_pull(it, 0, run, out, out_end));
    return *out_end ? weir_snapshot_finish(iterator->writer)
                    : weir_snapshot_add(iterator->writer, run, out);
}

static const weir_dataset_fns fns = {
    .name = "SaveV2",
    .bytes = sizeof(saved),
    .iterator_bytes = sizeof(saved_iterator),
    .like_input = true,
    .may_block = true,
    .next = next,
    .fini_iterator = fini_iterator,
    .fini = fini,
    .cardinality = weir_data_input_cardinality,
};

static weir_status make(weir_call *call)
{
    weir_str path;
    weir_packing packing;
    saved *saved;
    WEIR_TRY(weir_data_string(call, "path", &path));
    WEIR_TRY(weir_snapshot_packing(call->site, &packing));
    WEIR_TRY(weir_dataset_new(call, &fns, &saved));
    saved->path = weir_strndup(path.at, path.length);
    saved->packing = packing;
    saved->spreads = weir_data_attr(call->site, "use_shard_func")->b;
    weir_data_function_init(&saved->spread, call, "shard_func", "shard_func_other_args");
    weir_dataset_output(call, &saved->base);
    return WEIR_OK;
}

WEIR_DATASET_OP(save_dataset_v2, "SaveDatasetV2",
                "input_dataset: variant; path: string; shard_func_other_args: Tshard_func_args",
                "compression: string = \"\"; shard_func: func; use_shard_func: bool = true; "
                "Tshard_func_args: list(type) >= 0; " WEIR_DATASET_TYPES,
                WEIR_STATEFUL, make);
