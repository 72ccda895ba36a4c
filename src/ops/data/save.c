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

static weir_status write_metadata(const saving *s, bool final)
{
    WEIR_BUF(proto);
    WEIR_BUF(path);
    int32_t *types = WEIR_NEW_ARRAY(int32_t, s->dataset->count);
    for (int i = 0; i < s->dataset->count; i++)
        types[i] = s->dataset->types[i];
    weir_msg_data_experimental_snapshot_metadata_record_write(
        &(weir_msg_data_experimental_snapshot_metadata_record){
            .run_id = weir_str_of(s->run),
            .creation_timestamp = (int64_t)time(NULL) * 1000000,
            .version = WEIR_SNAPSHOT_VERSION,
            .dtype = {types, (size_t)s->dataset->count},
            .num_elements = s->count,
            .finalized = final},
        &proto);
    weir_free(types);
    weir_buf_addf(&path, "%s/" WEIR_SNAPSHOT_METADATA, s->path);
    WEIR_TRY(weir_dir_create_all(s->path));
    return weir_file_write_all(path.at, proto.at, proto.length);
}

static weir_status open_shard(saving *s, int64_t index, weir_record_writer **out)
{
    WEIR_BUF(path);
    weir_buf_addf(&path, "%s/%s/" WEIR_SNAPSHOT_SHARD, s->path, s->run, (long long)index);
    WEIR_TRY(weir_dir_create_all(path.at));
    weir_buf_addf(&path, "/" WEIR_SNAPSHOT_FILE, 0ll);
    return weir_record_writer_open(path.at, s->packing, false, out);
}

static weir_status find_shard(saving *s, int64_t index, weir_record_writer **out)
{
    for (size_t i = 0; i < s->shards.count; i++)
        if (s->shards.at[i].index == index) {
            *out = s->shards.at[i].writer;
            return WEIR_OK;
        }
    if (s->shards.count >= SHARDS_MOST)
        return weir_error(WEIR_RESOURCE_EXHAUSTED,
                          "A dataset cannot be saved in more than %d shards", SHARDS_MOST);
    WEIR_TRY(open_shard(s, index, out));
    weir_vec_push(&s->shards, (shard){index, *out});
    return WEIR_OK;
}

static weir_status choose_shard(saving *s, const weir_tensor *element, int64_t *out_index)
{
    weir_tensor t = {0};
    *out_index = 0;
    if (!s->spreads)
        return WEIR_OK;
    WEIR_TRY(weir_data_function_call(&s->f, s->c->run, element, s->dataset->count, NULL, 1, &t));
    bool fits = t.dtype == WEIR_INT64 && weir_tensor_count(&t) == 1;
    *out_index = fits ? *(const int64_t *)t.data : 0;
    weir_tensor_release(&t);
    if (!fits || *out_index < 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "`shard_func` must return a scalar int64.");
    return WEIR_OK;
}

static weir_status write_element(saving *s, const weir_tensor *element)
{
    int64_t index;
    weir_record_writer *w;
    WEIR_TRY(choose_shard(s, element, &index));
    WEIR_TRY(find_shard(s, index, &w));
    for (int i = 0; i < s->dataset->count; i++) {
        WEIR_BUF(proto);
        WEIR_TRY(weir_tensor_encode(&element[i], &proto));
        WEIR_TRY(weir_record_writer_add(w, weir_view(&proto)));
    }
    s->count++;
    return WEIR_OK;
}

static weir_status write_all(saving *s)
{
    weir_iterator *it = weir_iterator_create(s->dataset);
    weir_tensor *element = weir_element_create(s->dataset->count);
    weir_status st = WEIR_OK;
    for (bool end = false; !st && !end;) {
        st = weir_iterator_next(it, s->c->run, element, &end);
        if (!st && !end)
            st = write_element(s, element);
        weir_element_clear(element, s->dataset->count);
    }
    weir_element_destroy(element, s->dataset->count);
    weir_iterator_release(it);
    return st;
}

/* Closes every shard, or drops them after an error. */
static weir_status close_shards(saving *s, weir_status st)
{
    for (size_t i = 0; i < s->shards.count; i++) {
        if (st)
            weir_record_writer_destroy(s->shards.at[i].writer);
        else
            st = weir_record_writer_close(s->shards.at[i].writer);
    }
    weir_vec_fini(&s->shards);
    return st;
}

static weir_status save(weir_call *c, void *dataset)
{
    saving s = {
        .c = c, .dataset = dataset, .spreads = weir_data_attr(c->site, "use_shard_func")->b};
    weir_str path;
    WEIR_TRY(weir_data_string(c, "path", &path));
    WEIR_TRY(weir_snapshot_packing(c->site, &s.packing));
    s.path = weir_strndup(path.at, path.length);
    snprintf(s.run, sizeof s.run, "%" PRIu64, weir_random_bits());
    weir_data_function_init(&s.f, c, "shard_func", "shard_func_other_args");
    weir_status st = write_metadata(&s, false);
    if (!st)
        st = write_all(&s);
    st = close_shards(&s, st);
    if (!st)
        st = write_metadata(&s, true);
    weir_data_function_fini(&s.f);
    weir_free(s.path);
    return st;
}

static void start(weir_call *c)
{
    weir_dataset *d;
    weir_status s = weir_dataset_of(weir_in(c, 0), &d);
    if (s)
        weir_call_finish(c, s);
    else
        weir_data_start(c, true, save, d);
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
