/* ops/data/save.c - SaveDataset: writes the elements of a dataset to files, spread by a function.
 */
#include <inttypes.h>
#include <stdio.h>
#include <time.h>

#include "io/file.h"
#include "ops/data/snapshot_impl.h"
#include "ops/random/generator.h"
#include "tensor/proto.h"

enum { SHARDS_MOST = 1024 }; /* files open at once */

typedef struct shard {
    int64_t index;
    weir_record_writer *writer;
} shard;

typedef struct saving {
    weir_call *c;
    weir_dataset *dataset;
    char *path, run[32];
    weir_packing packing;
    bool spreads; /* by f */
    weir_data_function f;
    WEIR_VEC(shard) shards;
    int64_t count; /* elements written */
} saving;

weir_status weir_snapshot_packing(const weir_site *site, weir_packing *out)
{
    weir_str name = weir_data_attr(site, "compression")->s;
    if (!name.length || weir_str_is(name, "NONE"))
        *out = WEIR_PACKING_NONE;
    else if (weir_str_is(name, "GZIP"))
        *out = WEIR_PACKING_GZIP;
    else
        return weir_error(WEIR_UNIMPLEMENTED, "compression '%.*s' is not supported",
                          WEIR_STR_ARG(name));
    return WEIR_OK;
}

static weir_status write_metadata(const saving *saving, bool final)
{
    WEIR_BUF(proto);
    WEIR_BUF(path);
    WEIR_FREED int32_t *types = WEIR_NEW_ARRAY(int32_t, saving->dataset->count);
    for (int i = 0; i < saving->dataset->count; i++)
        types[i] = saving->dataset->types[i];
    weir_msg_data_experimental_snapshot_metadata_record_write(
        &(weir_msg_data_experimental_snapshot_metadata_record){
            .run_id = weir_str_of(saving->run),
            .creation_timestamp = (int64_t)time(NULL) * 1000000,
            .version = WEIR_SNAPSHOT_VERSION,
            .dtype = {types, (size_t)saving->dataset->count},
            .num_elements = saving->count,
            .finalized = final},
        &proto);
    weir_buf_addf(&path, "%s/" WEIR_SNAPSHOT_METADATA, saving->path);
    WEIR_TRY(weir_dir_create_all(saving->path));
    return weir_file_write_all(path.at, proto.at, proto.length);
}

static weir_status open_shard(saving *saving, int64_t index, weir_record_writer **out)
{
    WEIR_BUF(path);
    weir_buf_addf(&path, "%s/%s/" WEIR_SNAPSHOT_SHARD, saving->path, saving->run, (long long)index);
    WEIR_TRY(weir_dir_create_all(path.at));
    weir_buf_addf(&path, "/" WEIR_SNAPSHOT_FILE, 0ll);
    return weir_record_writer_open(path.at, saving->packing, false, out);
}

static weir_status find_shard(saving *saving, int64_t index, weir_record_writer **out)
{
    for (size_t i = 0; i < saving->shards.count; i++)
        if (saving->shards.at[i].index == index) {
            *out = saving->shards.at[i].writer;
            return WEIR_OK;
        }
    if (saving->shards.count >= SHARDS_MOST)
        return weir_error(WEIR_RESOURCE_EXHAUSTED,
                          "A dataset cannot be saved in more than %d shards", SHARDS_MOST);
    WEIR_TRY(open_shard(saving, index, out));
    weir_vec_push(&saving->shards, (shard){index, *out});
    return WEIR_OK;
}

static weir_status choose_shard(saving *saving, const weir_tensor *element, int64_t *out_index)
{
    weir_tensor tensor = {0};
    *out_index = 0;
    if (!saving->spreads)
        return WEIR_OK;
    WEIR_TRY(weir_data_function_call(&saving->f, saving->c->run, element, saving->dataset->count,
                                     NULL, 1, &tensor));
    bool fits = tensor.dtype == WEIR_INT64 && weir_tensor_count(&tensor) == 1;
    *out_index = fits ? *(const int64_t *)tensor.data : 0;
    weir_tensor_release(&tensor);
    if (!fits || *out_index < 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "`shard_func` must return a scalar int64.");
    return WEIR_OK;
}

static weir_status write_element(saving *saving, const weir_tensor *element)
{
    int64_t index;
    weir_record_writer *writer;
    WEIR_TRY(choose_shard(saving, element, &index));
    WEIR_TRY(find_shard(saving, index, &writer));
    for (int i = 0; i < saving->dataset->count; i++) {
        WEIR_BUF(proto);
        WEIR_TRY(weir_tensor_encode(&element[i], &proto));
        WEIR_TRY(weir_record_writer_add(writer, weir_view(&proto)));
    }
    saving->count++;
    return WEIR_OK;
}

static weir_status write_all(saving *saving)
{
    weir_iterator *it = weir_iterator_create(saving->dataset);
    weir_tensor *element = weir_element_create(saving->dataset->count);
    weir_status st = WEIR_OK;
    for (bool end = false; !st && !end;) {
        st = weir_iterator_next(it, saving->c->run, element, &end);
        if (!st && !end)
            st = write_element(saving, element);
        weir_element_clear(element, saving->dataset->count);
    }
    weir_element_destroy(element, saving->dataset->count);
    weir_iterator_release(it);
    return st;
}

/* Closes every shard, or drops them after an error. */
static weir_status close_shards(saving *saving, weir_status st)
{
    for (size_t i = 0; i < saving->shards.count; i++) {
        if (st)
            weir_record_writer_destroy(saving->shards.at[i].writer);
        else
            st = weir_record_writer_close(saving->shards.at[i].writer);
    }
    weir_vec_fini(&saving->shards);
    return st;
}

static weir_status save(weir_call *call, void *dataset)
{
    saving saving = {
        .c = call, .dataset = dataset, .spreads = weir_data_attr(call->site, "use_shard_func")->b};
    weir_str path;
    WEIR_TRY(weir_data_string(call, "path", &path));
    WEIR_TRY(weir_snapshot_packing(call->site, &saving.packing));
    saving.path = weir_strndup(path.at, path.length);
    snprintf(saving.run, sizeof saving.run, "%" PRIu64, weir_random_bits());
    weir_data_function_init(&saving.f, call, "shard_func", "shard_func_other_args");
    weir_status st = write_metadata(&saving, false);
    if (!st)
        st = write_all(&saving);
    st = close_shards(&saving, st);
    if (!st)
        st = write_metadata(&saving, true);
    weir_data_function_fini(&saving.f);
    weir_free(saving.path);
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
