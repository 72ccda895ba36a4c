/* ops/data/use.c - DatasetToTFRecord, InitializeTableFromDataset, ComputeBatchSize, MapDefun,
 * IteratorGetDevice, WrapDatasetVariant: ops on datasets, elements and iterators.
 */
#include <inttypes.h>

#include "io/record.h"
#include "ops/common/strs.h"
#include "ops/data/data_impl.h"
#include "ops/data/iterator_impl.h"
#include "ops/lookup/lookup_impl.h"

/* Starts |work| with the dataset of input |i| on a thread that may block. */
static void start_with(weir_call *call, int i, weir_status (*work)(weir_call *call, void *dataset))
{
    weir_dataset *dataset;
    weir_status status = weir_dataset_of(weir_in(call, i), &dataset);
    if (status)
        weir_call_finish(call, status);
    else
        weir_data_start(call, true, work, dataset);
}

/* ---- DatasetToTFRecord ----------------------------------------------------------------------- */

static weir_status packing_of(weir_call *call, weir_packing *out)
{
    static const struct {
        const char *name;
        weir_packing packing;
    } known[] = {{"", WEIR_PACKING_NONE}, {"ZLIB", WEIR_PACKING_ZLIB}, {"GZIP", WEIR_PACKING_GZIP}};
    weir_str name = {"", 0};
    WEIR_TRY(weir_data_string(call, "compression_type", &name));
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (weir_str_is(name, known[i].name)) {
            *out = known[i].packing;
            return WEIR_OK;
        }
    return weir_error(WEIR_INVALID_ARGUMENT, "Unsupported compression_type: %.*s",
                      WEIR_STR_ARG(name));
}

static weir_status write_all(weir_call *call, weir_iterator *it, weir_record_writer *writer)
{
    for (bool end = false; !end;) {
        weir_tensor element = {0};
        WEIR_TRY(weir_iterator_next(it, call->run, &element, &end));
        if (end)
            break;
        weir_status status = WEIR_OK;
        for (int64_t i = 0; !status && i < weir_tensor_count(&element); i++)
            status = weir_record_writer_add(writer, weir_str_at(&element, i));
        weir_tensor_release(&element);
        WEIR_TRY(status);
    }
    return WEIR_OK;
}

static weir_status to_records(weir_call *call, void *arg)
{
    weir_dataset *dataset = arg;
    weir_packing packing;
    weir_str name;
    WEIR_TRY(weir_data_string(call, "filename", &name));
    WEIR_TRY(packing_of(call, &packing));
    if (dataset->count != 1 || dataset->types[0] != WEIR_STRING)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "DatasetToTFRecord takes elements of one string, not %d components of "
                          "type %s",
                          dataset->count, weir_dtype_name(dataset->types[0]));
    WEIR_FREED char *path = weir_strndup(name.at, name.length);
    weir_record_writer *writer;
    WEIR_TRY(weir_record_writer_open(path, packing, false, &writer));
    weir_iterator *it = weir_iterator_create(dataset);
    weir_status status = write_all(call, it, writer);
    weir_iterator_release(it);
    if (!status)
        return weir_record_writer_close(writer);
    weir_record_writer_destroy(writer);
    return status;
}

static void start_to_records(weir_call *call)
{
    start_with(call, 0, to_records);
}

#define TO_RECORDS                                                                                 \
    .in = "input_dataset: variant; filename: string; compression_type: string",                    \
    .flags = WEIR_STATEFUL, .infer = weir_infer_no_outputs, .no_grad = true,                       \
    .kernels = {{WEIR_CPU, "*", NULL, WEIR_ASYNC | WEIR_OWN_OUTPUTS, .start = start_to_records}}
WEIR_DEFINE_OP(dataset_to_tf_record, "DatasetToTFRecord", TO_RECORDS);
WEIR_DEFINE_OP(experimental_dataset_to_tf_record, "ExperimentalDatasetToTFRecord", TO_RECORDS);

/* ---- InitializeTableFromDataset -------------------------------------------------------------- */

static weir_status read_all(weir_call *call, weir_dataset *dataset, weir_element_list *out)
{
    weir_iterator *it = weir_iterator_create(dataset);
    weir_status status = WEIR_OK;
    for (bool end = false; !status && !end;) {
        weir_tensor *element = weir_element_create(dataset->count);
        status = weir_iterator_next(it, call->run, element, &end);
        if (status || end)
            weir_element_destroy(element, dataset->count);
        else
            weir_vec_push(out, element);
    }
    weir_iterator_release(it);
    return status;
}

static weir_status fill_table(weir_call *call, weir_dataset *dataset, weir_lookup *table)
{
    weir_dtype types[2] = {weir_lookup_key_dtype(table), weir_lookup_value_dtype(table)};
    WEIR_TRY(weir_data_check_types((const int32_t *)types, 2, dataset->types, dataset->count));
    weir_element_list rows = {0};
    weir_tensor columns[2] = {0};
    weir_status status = read_all(call, dataset, &rows);
    for (int i = 0; !status && i < 2; i++)
        status = rows.count ? weir_data_stack(rows.at, (int64_t)rows.count, i, &columns[i])
                            : weir_tensor_alloc(types[i], &(weir_shape){.rank = 1}, &columns[i]);
    if (!status)
        status = weir_lookup_fill(table, &columns[0], &columns[1]);
    weir_element_clear(columns, 2);
    weir_elements_fini(&rows, dataset->count);
    return status;
}

static weir_status initialize(weir_call *call, void *dataset)
{
    weir_lookup *table;
    WEIR_TRY(weir_lookup_fixed_input(call, &table));
    weir_status status = fill_table(call, dataset, table);
    weir_lookup_release(table);
    return status;
}

static void start_initialize(weir_call *call)
{
    start_with(call, 1, initialize);
}

const weir_op weir_op_initialize_table_from_dataset = {
    .name = "InitializeTableFromDataset",
    .in = "table_handle: resource; dataset: variant",
    .flags = WEIR_STATEFUL,
    .infer = weir_infer_no_outputs,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", NULL, WEIR_ASYNC | WEIR_OWN_OUTPUTS, .start = start_initialize}},
};

/* ---- ComputeBatchSize: of the innermost dataset that batches --------------------------------- */

static int64_t batch_size(const weir_dataset *dataset)
{
    if (dataset->count && dataset->shapes[0].rank > 0 && dataset->shapes[0].dims[0] >= 0 &&
        strcmp(dataset->fns->name, "Batch") == 0)
        return dataset->shapes[0].dims[0];
    static const char *const keep[] = {"Options", "Take", "Skip", "Shard", "Repeat", "Shuffle"};
    for (size_t i = 0; i < sizeof keep / sizeof *keep; i++)
        if (strcmp(dataset->fns->name, keep[i]) == 0)
            return batch_size(dataset->inputs[0]);
    return -1;
}

static weir_status compute_batch_size(weir_call *call)
{
    weir_dataset *dataset;
    WEIR_TRY(weir_dataset_of(weir_in(call, 0), &dataset));
    *(int64_t *)weir_out(call, 0)->data = batch_size(dataset);
    return WEIR_OK;
}

const weir_op weir_op_compute_batch_size = {
    .name = "ComputeBatchSize",
    .in = "input_dataset: variant",
    .out = "batch_size: int64",
    .flags = WEIR_NO_FOLD,
    .infer = weir_infer_scalar,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", compute_batch_size, WEIR_CHEAP}},
};

/* ---- MapDefun: a function of every row ------------------------------------------------------- */

static weir_status map_infer(weir_infer *infer)
{
    const weir_attr *shapes = weir_data_attr(infer->site, "output_shapes");
    int64_t rows = -1;
    if (shapes->count != infer->out_count)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "`output_shapes` must be the same length as `output_types` (%d vs. %d)",
                          shapes->count, infer->out_count);
    for (int i = 0; i < weir_site_in(infer->site, 0).count; i++) {
        if (infer->in[i]->rank == 0)
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "Arguments must have at least rank 1. Input #%d has shape [].", i);
        WEIR_TRY(weir_infer_merge_dim(rows, weir_infer_dim(infer, i, 0), &rows));
    }
    for (int i = 0; i < infer->out_count; i++)
        WEIR_TRY(weir_infer_concat(&(weir_shape){.rank = 1, .dims = {rows}}, &shapes->shapes[i],
                                   &infer->out[i]));
    return WEIR_OK;
}

static weir_status call_row(weir_call *call, const weir_data_function *function, int64_t row,
                            weir_tensor *rets)
{
    int count = weir_site_in(call->site, 0).count;
    weir_tensor *args = weir_element_create(count);
    weir_status status = WEIR_OK;
    for (int i = 0; !status && i < count; i++)
        status = weir_data_row(weir_in(call, i), row, &args[i]);
    if (!status)
        status = weir_data_function_call(function, call->run, args, count, NULL,
                                         call->site->out_count, rets);
    weir_element_destroy(args, count);
    return status;
}

static weir_status give_rows(weir_call *call, const weir_element_list *rows)
{
    for (int i = 0; i < call->site->out_count; i++) {
        weir_tensor tensor = {0};
        weir_shape shape = weir_data_attr(call->site, "output_shapes")->shapes[i];
        weir_shape all = {.rank = 1};
        if (rows->count) {
            WEIR_TRY(weir_data_stack(rows->at, (int64_t)rows->count, i, &tensor));
        } else {
            for (int axis = 0; axis < shape.rank; axis++)
                weir_shape_append(&all, shape.dims[axis] < 0 ? 0 : shape.dims[axis]);
            WEIR_TRY(weir_tensor_alloc(call->site->out_types[i], &all, &tensor));
        }
        weir_call_set(call, i, tensor);
    }
    return WEIR_OK;
}

static weir_status map_rows(weir_call *call, void *arg)
{
    (void)arg;
    const weir_shape *shape = &weir_in(call, 0)->shape;
    weir_data_function function;
    weir_element_list rows = {0};
    weir_status status = WEIR_OK;
    weir_data_function_init(&function, call, "f", "captured_inputs");
    for (int i = 0; i < weir_site_in(call->site, 0).count && !status; i++)
        if (weir_in(call, i)->shape.rank < 1 || weir_in(call, i)->shape.dims[0] != shape->dims[0])
            status =
                weir_error(WEIR_INVALID_ARGUMENT, "All inputs must have the same dimension 0.");
    for (int64_t row = 0; !status && row < shape->dims[0]; row++) {
        weir_vec_push(&rows, weir_element_create(call->site->out_count));
        status = call_row(call, &function, row, rows.at[row]);
    }
    if (!status)
        status = give_rows(call, &rows);
    weir_elements_fini(&rows, call->site->out_count);
    weir_data_function_fini(&function);
    return status;
}

static void start_map(weir_call *call)
{
    weir_data_start(call, true, map_rows, NULL);
}

const weir_op weir_op_map_defun = {
    .name = "MapDefun",
    .in = "arguments: Targuments; captured_inputs: Tcaptured",
    .out = "output: output_types",
    .attrs = "Targuments: list(type) >= 1; Tcaptured: list(type) >= 0 = []; " WEIR_DATASET_TYPES
             "; f: func; max_intra_op_parallelism: int = 1",
    .flags = WEIR_NO_FOLD,
    .infer = map_infer,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", NULL, WEIR_ASYNC | WEIR_OWN_OUTPUTS, .start = start_map}},
};

/* ---- IteratorGetDevice, WrapDatasetVariant --------------------------------------------------- */

static weir_status get_device(weir_call *call)
{
    weir_resource *resource;
    WEIR_TRY(weir_named_input(call, 0, &weir_iterator_type, &resource));
    weir_ref_release(&resource->ref);
    weir_str_put(weir_out(call, 0), 0, weir_str_of(weir_call_device(call)));
    return WEIR_OK;
}

#define GET_DEVICE                                                                                 \
    .in = "resource: resource", .out = "device: string", .flags = WEIR_STATEFUL,                   \
    .infer = weir_infer_scalar, .no_grad = true,                                                   \
    .kernels = {{WEIR_CPU, "*", get_device, WEIR_CHEAP}}
WEIR_DEFINE_OP(iterator_get_device, "IteratorGetDevice", GET_DEVICE);
WEIR_DEFINE_OP(experimental_iterator_get_device, "ExperimentalIteratorGetDevice", GET_DEVICE);

/* A wrapped dataset is the dataset itself: every device can hold one. */
static weir_status wrap(weir_call *call)
{
    weir_dataset *dataset;
    WEIR_TRY(weir_dataset_of(weir_in(call, 0), &dataset));
    weir_call_forward(call, 0, 0, NULL);
    return WEIR_OK;
}

#define WRAP                                                                                       \
    .in = "input_handle: variant", .out = "output_handle: variant", .flags = WEIR_NO_FOLD,         \
    .infer = weir_infer_scalar, .no_grad = true,                                                   \
    .kernels = {{WEIR_CPU, "*", wrap, WEIR_OWN_OUTPUTS | WEIR_CHEAP}}
WEIR_DEFINE_OP(wrap_dataset_variant, "WrapDatasetVariant", WRAP);
WEIR_DEFINE_OP(unwrap_dataset_variant, "UnwrapDatasetVariant", WRAP);
