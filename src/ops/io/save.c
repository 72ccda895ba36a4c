/* ops/io/save.c - SaveV2, and the older Save and SaveSlices: writes tensors to checkpoint files. */
#include <inttypes.h>

#include "base/metric.h"
#include "observe/marks.h"
#include "ops/io/io_impl.h"

weir_status weir_io_infer_names(weir_infer *infer, bool has_slices)
{
    WEIR_TRY(weir_infer_rank(infer, 0, 0));
    WEIR_TRY(weir_infer_rank(infer, 1, 1));
    if (!has_slices)
        return WEIR_OK;
    WEIR_TRY(weir_infer_rank(infer, 2, 1));
    int64_t count;
    return weir_infer_merge_dim(weir_infer_dim(infer, 1, 0), weir_infer_dim(infer, 2, 0), &count);
}

static weir_status infer_v2(weir_infer *infer)
{
    return weir_io_infer_names(infer, true);
}

static weir_status infer_v1(weir_infer *infer)
{
    return weir_io_infer_names(infer, false);
}

/* Checks that there are as many names as tensors, which start at input |first|. */
static weir_status check_count(weir_call *call, int first)
{
    int64_t names = weir_tensor_count(weir_in(call, 1));
    int tensors = call->site->in_count - first;
    if (names == tensors)
        return WEIR_OK;
    return weir_error(WEIR_INVALID_ARGUMENT,
                      "Got %lld tensor names and %d tensors: there must be as many of each",
                      (long long)names, tensors);
}

static weir_status add_tensor(weir_call *call, weir_bundle_writer *writer, int i)
{
    const weir_tensor *tensor = weir_in(call, 3 + i);
    weir_str name = weir_str_at(weir_in(call, 1), i), spec = weir_str_at(weir_in(call, 2), i);
    if (spec.length == 0)
        return weir_bundle_writer_add(writer, name, tensor);
    weir_shape full, shape;
    weir_slice slice;
    WEIR_TRY(weir_slice_parse_spec(spec, &full, &slice, &shape));
    return weir_bundle_writer_add_slice(writer, name, &full, &slice, tensor);
}

/* Reports to observers that a checkpoint, or a shard of one, was written. */
static void note_saved(const weir_call *call, int first, const char *path)
{
    int64_t bytes = 0;
    for (int i = first; i < call->site->in_count; i++)
        bytes += (int64_t)weir_tensor_bytes(weir_in(call, i));
    weir_metric_add(WEIR_METRIC_CHECKPOINTS_SAVED, 1);
    weir_metric_add(WEIR_METRIC_CHECKPOINT_BYTES, bytes);
    weir_mark_add("checkpoint", "%s: %d tensors, %" PRId64 " bytes", path,
                  call->site->in_count - first, bytes);
}

static weir_status save_v2(weir_call *call)
{
    WEIR_TRY(check_count(call, 3));
    WEIR_OWNED(weir_bundle_writer) writer = NULL;
    WEIR_FREED char *prefix = weir_str_copy_at(weir_in(call, 0), 0);
    WEIR_TRY(weir_bundle_writer_create(prefix, &writer));
    for (int i = 0; i < call->site->in_count - 3; i++)
        WEIR_TRY(add_tensor(call, writer, i));
    WEIR_TRY(weir_bundle_writer_finish(WEIR_TAKE(writer)));
    note_saved(call, 3, prefix);
    return WEIR_OK;
}

const weir_op weir_op_save_v2 = {
    .name = "SaveV2",
    .in = "prefix: string; tensor_names: string; shape_and_slices: string; tensors: dtypes",
    .attrs = "dtypes: list(type) >= 1",
    .flags = WEIR_STATEFUL,
    .infer = infer_v2,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", save_v2, WEIR_EXPENSIVE}},
};

/* ---- format V1 ---- */

static weir_status fill_part(weir_call *call, int first, int i, weir_v1_part *part)
{
    part->name = weir_str_at(weir_in(call, 1), i);
    part->tensor = weir_in(call, first + i);
    part->full = part->tensor->shape;
    part->slice = weir_slice_whole(part->full.rank);
    weir_str spec = first == 3 ? weir_str_at(weir_in(call, 2), i) : WEIR_STR("");
    if (spec.length == 0)
        return WEIR_OK;
    weir_shape shape;
    WEIR_TRY(weir_slice_parse_spec(spec, &part->full, &part->slice, &shape));
    if (!weir_shape_eq(&shape, &part->tensor->shape))
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Slice in shape_and_slice specification does not match the shape of the "
                          "tensor to save: %.*s, tensor: %s",
                          WEIR_STR_ARG(spec), WEIR_SHAPE_STR(&part->tensor->shape));
    return WEIR_OK;
}

static weir_status save_v1(weir_call *call, int first)
{
    WEIR_TRY(check_count(call, first));
    int count = call->site->in_count - first;
    WEIR_FREED weir_v1_part *parts = WEIR_NEW_ARRAY(weir_v1_part, count);
    weir_status status = WEIR_OK;
    for (int i = 0; i < count && !status; i++)
        status = fill_part(call, first, i, &parts[i]);
    if (!status) {
        WEIR_FREED char *path = weir_str_copy_at(weir_in(call, 0), 0);
        status = weir_v1_write(path, parts, (size_t)count);
        if (!status)
            note_saved(call, first, path);
    }
    return status;
}

static weir_status save(weir_call *call)
{
    return save_v1(call, 2);
}

static weir_status save_slices(weir_call *call)
{
    return save_v1(call, 3);
}

const weir_op weir_op_save = {
    .name = "Save",
    .in = "filename: string; tensor_names: string; data: T",
    .attrs = "T: list(type) >= 1",
    .flags = WEIR_STATEFUL,
    .infer = infer_v1,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", save, WEIR_EXPENSIVE}},
};

const weir_op weir_op_save_slices = {
    .name = "SaveSlices",
    .in = "filename: string; tensor_names: string; shapes_and_slices: string; data: T",
    .attrs = "T: list(type) >= 1",
    .flags = WEIR_STATEFUL,
    .infer = infer_v2,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", save_slices, WEIR_EXPENSIVE}},
};
